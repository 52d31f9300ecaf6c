//! Bytes into text: characters cut by a chunk's end are put together, and what is no UTF-8 is found.

/// A stretch of input.
pub(crate) enum Piece<'a> {
    /// Whole characters.
    Text(&'a str),
    /// So many bytes that are no UTF-8, and will not become any.
    Invalid(u32),
}

/// The start of a character whose rest has not come.
#[derive(Debug, Clone, Default)]
pub(crate) struct Utf8 {
    tail: [u8; 3],
    length: usize,
}

impl Utf8 {
    /// Bytes held back: the start of a character.
    pub(crate) fn held(&self) -> u32 {
        u32::try_from(self.length).unwrap_or_default()
    }

    /// Hands on `bytes` in pieces. Stops early when `each` says so.
    #[inline]
    pub(crate) fn pieces<E>(
        &mut self,
        mut bytes: &[u8],
        mut each: impl FnMut(Piece<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        if self.length > 0 {
            bytes = self.complete(bytes, &mut each)?;
        }
        match std::str::from_utf8(bytes) {
            Ok("") => Ok(()),
            Ok(text) => each(Piece::Text(text)),
            Err(_) => self.broken(bytes, &mut each),
        }
    }

    /// Completes the held character with the first of `bytes`; gives the others.
    #[cold]
    fn complete<'a, E>(
        &mut self,
        bytes: &'a [u8],
        each: &mut impl FnMut(Piece<'_>) -> Result<(), E>,
    ) -> Result<&'a [u8], E> {
        let mut buffer = [0; 4];
        let held = self.length;
        let mut taken = 0;
        for (place, byte) in buffer.iter_mut().zip(self.tail.iter().take(held).chain(bytes)) {
            *place = *byte;
            taken += 1;
        }
        let taken = buffer.get(..taken).unwrap_or_default();
        let Some(chunk) = taken.utf8_chunks().next() else { return Ok(bytes) };
        if let Some(character) = chunk.valid().chars().next() {
            self.length = 0;
            let from_chunk = character.len_utf8() - held;
            each(Piece::Text(character.encode_utf8(&mut [0; 4])))?;
            return Ok(bytes.get(from_chunk..).unwrap_or_default());
        }
        if is_cut(taken) {
            self.hold(taken);
            return Ok(&[]);
        }
        self.length = 0;
        // As long as it could have become a character, and that is at least what is held.
        let invalid = chunk.invalid().len();
        each(Piece::Invalid(u32::try_from(invalid).unwrap_or_default()))?;
        Ok(bytes.get(invalid.saturating_sub(held)..).unwrap_or_default())
    }

    #[cold]
    fn broken<E>(&mut self, bytes: &[u8], each: &mut impl FnMut(Piece<'_>) -> Result<(), E>) -> Result<(), E> {
        let mut chunks = bytes.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            if !chunk.valid().is_empty() {
                each(Piece::Text(chunk.valid()))?;
            }
            let invalid = chunk.invalid();
            if invalid.is_empty() {
                continue;
            }
            if chunks.peek().is_none() && is_cut(invalid) {
                self.hold(invalid);
            } else {
                each(Piece::Invalid(u32::try_from(invalid.len()).unwrap_or(u32::MAX)))?;
            }
        }
        Ok(())
    }

    fn hold(&mut self, bytes: &[u8]) {
        self.length = 0;
        for (place, byte) in self.tail.iter_mut().zip(bytes) {
            *place = *byte;
            self.length += 1;
        }
    }
}

/// Whether these bytes are the start of a character and nothing else.
fn is_cut(bytes: &[u8]) -> bool {
    matches!(std::str::from_utf8(bytes), Err(error) if error.valid_up_to() == 0 && error.error_len().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What comes out, each stretch of invalid bytes as its length.
    fn read(chunks: &[&[u8]]) -> (String, u32) {
        let (mut utf8, mut out) = (Utf8::default(), String::new());
        for chunk in chunks {
            let taken: Result<(), ()> = utf8.pieces(chunk, |piece| {
                match piece {
                    Piece::Text(text) => out.push_str(text),
                    Piece::Invalid(count) => out.push_str(&count.to_string()),
                }
                Ok(())
            });
            assert!(taken.is_ok());
        }
        (out, utf8.held())
    }

    #[test]
    fn every_cut_gives_the_same() {
        let texts: [&[u8]; 9] = [
            "aé漢🎉z".as_bytes(),
            b"a\xffb",
            b"\xf0\x9f\x8eX",
            b"\xf0\x9f\x8e",
            b"\xe2\x82\xe2\x82\xac",
            b"\xc3\xc3\xa9\xc3",
            b"\xed\xa0\x80\x80",
            b"\xf0\x9f/*",
            b"\xf0\x9f\x8e\xf0\x9f\x8e\x89",
        ];
        for text in texts {
            let whole = read(&[text]);
            let bytes: Vec<&[u8]> = text.chunks(1).collect();
            assert_eq!(read(&bytes), whole, "{text:?}");
            for cut in 0..=text.len() {
                assert_eq!(read(&[&text[..cut], &text[cut..]]), whole, "{text:?} at {cut}");
            }
        }
    }

    #[test]
    fn a_cut_character_is_held_and_an_impossible_one_is_not() {
        assert_eq!(read(&[b"a\xe2\x82"]), ("a".into(), 2));
        assert_eq!(read(&[b"a\xe2\x82", b"\xac"]), ("a€".into(), 0));
        assert_eq!(read(&[b"a\xff"]), ("a1".into(), 0));
    }
}
