//! Arrays as objects whose keys are the indices.

use super::error::SplitError;
use super::scan::Sink;
use super::window::Window;

/// What stands between the tokens and the window.
#[derive(Debug, Clone)]
pub(super) struct Lists {
    pub(super) window: Window,
    /// Whether arrays are made objects; then for each open one how many elements it has, and none for an object.
    convert: bool,
    open: Vec<Option<u64>>,
}

impl Lists {
    pub(super) fn new(window: Window, convert: bool) -> Self {
        Self { window, convert, open: Vec::new() }
    }

    /// The key of an element.
    fn key(&mut self) -> Result<(), SplitError> {
        let Some(Some(count)) = self.open.last_mut() else { return Ok(()) };
        let key = count.to_string();
        *count += 1;
        self.window.begin_key()?;
        self.window.text(&key);
        self.window.end_key()
    }
}

impl Sink for Lists {
    type Error = SplitError;

    fn open(&mut self, is_array: bool) -> Result<(), SplitError> {
        if !self.convert {
            return self.window.open(is_array);
        }
        self.key()?;
        self.open.push(is_array.then_some(0));
        self.window.open(false)
    }

    fn close(&mut self) -> Result<(), SplitError> {
        self.open.pop();
        self.window.close()
    }

    fn begin_key(&mut self) -> Result<(), SplitError> {
        self.window.begin_key()
    }

    fn end_key(&mut self) -> Result<(), SplitError> {
        self.window.end_key()
    }

    fn begin_scalar(&mut self, is_string: bool) -> Result<(), SplitError> {
        self.key()?;
        self.window.begin_scalar(is_string)
    }

    fn end_scalar(&mut self) -> Result<(), SplitError> {
        self.window.end_scalar()
    }

    fn text(&mut self, text: &str) {
        self.window.text(text);
    }

    fn look(&mut self) -> Result<(), SplitError> {
        self.window.look()
    }
}
