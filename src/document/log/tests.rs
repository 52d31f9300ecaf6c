use super::*;

fn text_log() -> (std::sync::Arc<ByteLog>, TextWriter) {
    ByteLog::text()
}

#[cfg(not(loom_models))]
mod alone {
    use super::*;

    /// Numbers that look random and are not.
    fn numbers(mut seed: u64) -> impl FnMut(usize) -> usize {
        move |below| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(seed >> 33).unwrap() % below
        }
    }

    #[test]
    fn addresses_and_blocks_agree() {
        for first in [4, 8] {
            let mut expected = 0;
            for number in 0..40 {
                assert_eq!(block_base(number, first), expected, "block {number}");
                let size = block_size(number, first);
                for offset in [0, 1, size / 2, size - 1] {
                    assert_eq!(locate(expected + offset, first), (number, offset));
                }
                expected += size;
            }
        }
    }

    #[test]
    fn runs_stay_in_one_piece_and_readable() {
        let mut number = numbers(1);
        for longest in [20, 3_000, 700_000] {
            let (log, mut writer) = text_log();
            let mut runs = Vec::new();
            for _ in 0..200 {
                writer.begin_run();
                let mut text = String::new();
                for _ in 0..number(6) {
                    let piece = ["a", "é", "漢字", "🎉 and more"][number(4)].repeat(1 + number(longest) / 20);
                    assert!(writer.push_run(&piece));
                    text.push_str(&piece);
                    writer.publish();
                    let (start, length) = writer.run();
                    let read = match writer.own_block() {
                        Some(block) => block.read_text(0..length).map(str::to_owned),
                        None => log.read_text(start, length).map(str::to_owned),
                    };
                    assert_eq!(read.as_deref(), Some(&*text));
                }
                let (start, length) = writer.end_run();
                runs.push((start, length, text));
            }
            for (start, length, text) in &runs {
                assert_eq!(log.read_text(*start, *length), Some(&**text));
                assert_eq!(writer.read(*start, *length), text.as_bytes());
            }
        }
    }

    #[test]
    fn bytes_come_back_over_block_ends() {
        let (log, mut writer) = ByteLog::bytes();
        let bytes: Vec<u8> = (0..3_000_000_u32).map(|n| n.to_le_bytes()[0] ^ n.to_le_bytes()[1]).collect();
        for piece in bytes.chunks(70_001) {
            assert!(writer.push(piece));
        }
        writer.publish();
        for (start, end) in [(0, 3_000_000), (1_000, 1_030), (5, 6), (2_000_000, 2_999_999)] {
            let mut read = Vec::new();
            log.for_pieces(start..end, |piece| read.extend_from_slice(piece));
            assert!(read == bytes[start as usize..end as usize], "{start}..{end}");
        }
        assert_eq!(log.read_text(0, 1), None, "bytes are not handed out as text");
    }

    #[test]
    fn only_what_is_published_is_read() {
        let (log, mut writer) = text_log();
        writer.push_run("abc");
        assert_eq!(log.read(0, 1), None);
        writer.publish();
        writer.push_run("def");
        assert_eq!(log.read_text(0, 3), Some("abc"));
        assert_eq!(log.read(0, 4), None);
        assert_eq!(log.read(u32::MAX, u32::MAX), None);
        writer.publish_before(5);
        assert_eq!(log.read_text(0, 5), Some("abcde"));
    }

    #[test]
    fn text_is_never_cut_inside_a_character() {
        let (log, mut writer) = text_log();
        writer.push_run("aé漢🎉z");
        writer.publish();
        let whole = "aé漢🎉z";
        for start in 0..whole.len() {
            for end in start + 1..=whole.len() {
                let read = log.read_text(u32_of(start), u32_of(end - start));
                assert_eq!(read, whole.get(start..end), "{start}..{end}");
            }
        }
    }

    #[test]
    fn taking_back_stops_at_what_is_published_and_between_characters() {
        let (log, mut writer) = text_log();
        writer.push_run("aé");
        writer.publish();
        writer.push_run("漢z");
        writer.truncate(4);
        assert_eq!(writer.position(), 3, "not inside a character");
        writer.truncate(0);
        assert_eq!(writer.position(), 3, "what is published stays");
        writer.push_run("b");
        writer.publish_before(3);
        writer.publish();
        assert_eq!(log.read_text(0, 4), Some("aéb"));
    }

    #[test]
    fn ascii_is_told_from_other_text() {
        for length in 0..40 {
            let mut bytes = vec![b'x'; length];
            assert_eq!(ascii(&bytes), std::str::from_utf8(&bytes).ok());
            for at in 0..length {
                bytes[at] = 0x80;
                assert_eq!(ascii(&bytes), None, "{length} bytes, high bit at {at}");
                bytes[at] = b'x';
            }
        }
    }

    /// One writer, readers that read everything that was published, all the time.
    #[test]
    fn stress_readers_see_whole_runs() {
        let rounds = if cfg!(debug_assertions) { 2_000 } else { 5_000 };
        let (log, mut writer) = text_log();
        let (send, receive): (Vec<_>, Vec<_>) = (0..3).map(|_| std::sync::mpsc::channel::<(u32, u32, usize)>()).unzip();
        let readers: Vec<_> = receive
            .into_iter()
            .map(|runs| {
                let log = log.clone();
                std::thread::spawn(move || {
                    let mut seen = Vec::new();
                    for (start, length, round) in runs {
                        seen.push((start, length, round));
                        // What was read long ago still reads the same.
                        for (start, length, round) in seen.iter().rev().step_by(1 + seen.len() / 8) {
                            let text = log.read_text(*start, *length).unwrap();
                            assert!(text.bytes().all(|byte| usize::from(byte) == usize::from(b'a') + round % 26));
                        }
                    }
                    seen.len()
                })
            })
            .collect();
        let mut number = numbers(7);
        for round in 0..rounds {
            writer.begin_run();
            let letter = char::from(b'a' + u8::try_from(round % 26).unwrap());
            for _ in 0..number(4) {
                writer.push_run(&letter.to_string().repeat(number(300)));
                writer.publish();
            }
            if number(5) == 0 {
                let kept = writer.position();
                writer.push_run("held and dropped");
                writer.truncate(kept);
                continue;
            }
            let (start, length) = writer.end_run();
            writer.publish();
            for reader in &send {
                reader.send((start, length, round)).unwrap();
            }
        }
        drop(send);
        for reader in readers {
            assert!(reader.join().unwrap() > rounds / 2);
        }
    }
}

/// Every order in which the steps of a writer and a reader can happen.
#[cfg(loom_models)]
mod in_every_order {
    use super::*;
    use loom::sync::atomic::{AtomicU32, Ordering};
    use loom::thread;

    fn spawn_reader(log: &std::sync::Arc<ByteLog>, read: impl Fn(&ByteLog) + Send + 'static) -> thread::JoinHandle<()> {
        let log = log.clone();
        thread::spawn(move || read(&log))
    }

    #[test]
    fn loom_what_is_published_is_whole() {
        loom::model(|| {
            let (log, mut writer) = text_log();
            let reader = spawn_reader(&log, |log| {
                for length in [1, 2, 3] {
                    assert!(matches!(log.read_text(0, length), None | Some("a" | "ab" | "abc")));
                }
            });
            writer.push_run("a");
            writer.publish();
            writer.push_run("bc");
            writer.publish();
            reader.join().unwrap();
        });
    }

    #[test]
    fn loom_a_bookmark_finds_its_text() {
        loom::model(|| {
            let (log, mut writer) = text_log();
            let bookmark = Arc::new(AtomicU32::new(0));
            let reader = {
                let (log, bookmark) = (log.clone(), bookmark.clone());
                thread::spawn(move || {
                    let length = bookmark.load(Ordering::Acquire);
                    assert_eq!(log.read_text(0, length), "abcd".get(..length as usize));
                })
            };
            writer.push_run("ab");
            writer.publish();
            bookmark.store(2, Ordering::Release);
            writer.push_run("cd");
            writer.publish();
            bookmark.store(4, Ordering::Release);
            reader.join().unwrap();
        });
    }

    #[test]
    fn loom_what_is_taken_back_was_never_seen() {
        loom::model(|| {
            let (log, mut writer) = text_log();
            writer.push_run("a");
            writer.publish();
            let reader = spawn_reader(&log, |log| {
                assert_eq!(log.read_text(0, 1), Some("a"));
                assert!(matches!(log.read_text(1, 1), None | Some("c")));
            });
            writer.push_run("b");
            writer.truncate(1);
            writer.push_run("c");
            writer.publish();
            reader.join().unwrap();
        });
    }

    #[test]
    fn loom_a_run_that_moves_stays_where_it_was_too() {
        loom::model(|| {
            let (log, mut writer) = text_log();
            writer.push_run("abc");
            writer.publish();
            let reader = spawn_reader(&log, |log| assert_eq!(log.read_text(0, 3), Some("abc")));
            writer.push_run("defgh");
            writer.publish();
            let (start, length) = writer.end_run();
            assert_ne!(start, 0);
            assert_eq!(log.read_text(start, length), Some("abcdefgh"));
            reader.join().unwrap();
        });
    }

    #[test]
    fn loom_a_block_of_its_own_grows_beside_its_readers() {
        loom::model(|| {
            let (_log, mut writer) = text_log();
            let long = "x".repeat(PAGE / 2 + 1);
            writer.push_run(&long);
            writer.publish();
            let (block, length) = (writer.own_block().unwrap().clone(), u32_of(long.len()));
            let reader = thread::spawn(move || assert!(block.read_text(0..length).is_some()));
            writer.push_run("y");
            writer.publish();
            reader.join().unwrap();
        });
    }
}
