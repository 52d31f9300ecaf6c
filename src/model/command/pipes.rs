//! A program's three streams.

use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use process_wrap::tokio::ChildWrapper;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};

use super::tail::Tail;

/// How much is read at a time.
const READ: usize = 8 << 10;

/// How much is read of what is not given out before the executor has its turn, in reads.
const READS: usize = 64;

/// All three are served whenever one is asked for output, so that none waits for another: a program may print before it
/// has read its prompt, and complain meanwhile.
#[derive(Debug)]
pub(super) struct Pipes {
    /// None when it has been written, or is not wanted.
    stdin: Option<ChildStdin>,
    prompt: Vec<u8>,
    written: usize,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    complaint: Tail,
    buffer: Vec<u8>,
}

impl Pipes {
    pub(super) fn new(child: &mut dyn ChildWrapper, prompt: String) -> Self {
        Self {
            stdin: child.stdin().take(),
            prompt: prompt.into_bytes(),
            written: 0,
            stdout: child.stdout().take(),
            stderr: child.stderr().take(),
            complaint: Tail::default(),
            buffer: vec![0; READ],
        }
    }

    /// How many bytes it prints next, which [`Pipes::printed`] has. None at the end of it.
    pub(super) async fn output(&mut self) -> io::Result<usize> {
        poll_fn(|context| self.poll_output(context)).await
    }

    fn poll_output(&mut self, context: &mut Context<'_>) -> Poll<io::Result<usize>> {
        self.write(context);
        self.listen(context);
        let Some(stdout) = &mut self.stdout else { return Poll::Ready(Ok(0)) };
        let mut buffer = ReadBuf::new(&mut self.buffer);
        let read = ready!(Pin::new(stdout).poll_read(context, &mut buffer));
        let length = buffer.filled().len();
        if read.is_err() || length == 0 {
            self.stdout = None;
        }
        Poll::Ready(read.map(|()| length))
    }

    /// The bytes that were read last, of which there are so many.
    pub(super) fn printed(&self, length: usize) -> &[u8] {
        self.buffer.get(..length).unwrap_or_default()
    }

    /// Serves it while it prints no more. Never ends.
    pub(super) async fn serve(&mut self) {
        poll_fn(|context| {
            self.write(context);
            self.listen(context);
            Poll::<()>::Pending
        })
        .await;
    }

    /// Waits for the end of its complaints.
    pub(super) async fn end_of_complaint(&mut self) {
        poll_fn(|context| {
            self.listen(context);
            if self.stderr.is_none() { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    }

    /// The last part of what it complained about.
    pub(super) fn complaint(&self) -> String {
        self.complaint.text()
    }

    /// Writes what it takes of the prompt. One that takes no more does not want the rest.
    fn write(&mut self, context: &mut Context<'_>) {
        while let Some(stdin) = &mut self.stdin {
            let rest = self.prompt.get(self.written..).unwrap_or_default();
            if rest.is_empty() {
                // That is the end of its input.
                self.stdin = None;
                self.prompt = Vec::new();
                return;
            }
            match Pin::new(stdin).poll_write(context, rest) {
                Poll::Ready(Ok(written)) if written > 0 => self.written += written,
                Poll::Ready(_) => self.stdin = None,
                Poll::Pending => return,
            }
        }
    }

    fn listen(&mut self, context: &mut Context<'_>) {
        let mut bytes = [0; 1024];
        for _ in 0..READS {
            let Some(stderr) = &mut self.stderr else { return };
            let mut buffer = ReadBuf::new(&mut bytes);
            match Pin::new(stderr).poll_read(context, &mut buffer) {
                Poll::Ready(Ok(())) if !buffer.filled().is_empty() => self.complaint.push(buffer.filled()),
                Poll::Ready(_) => self.stderr = None,
                Poll::Pending => return,
            }
        }
        // It complains as fast as it is listened to.
        context.waker().wake_by_ref();
    }
}
