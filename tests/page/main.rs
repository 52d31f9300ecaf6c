//! The example `chat_page`: its server over plain HTTP, and its page in a real browser.
//!
//! Where there is no Chromium, the browser tests say that they were not run, and pass. With `JSONRILL_BROWSER=required`
//! in the environment they fail instead.
//!
//! No test depends on time: the server reads on when a test says so ([`site::Site::step`]).

#[path = "../../examples/chat_page/server/mod.rs"]
mod server;

#[path = "../common/mod.rs"]
mod common;

#[path = "../common/devtools.rs"]
mod devtools;

mod browser;
mod site;

mod announcements;
mod drawing;
mod keyboard;
mod looks;
mod reconnecting;
mod serving;
mod twin;
mod viewing;
