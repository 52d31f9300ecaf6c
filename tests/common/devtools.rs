//! A browser, and what the tests need of its `DevTools` protocol: JSON over a web socket.

use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use tungstenite::{Error, Message, WebSocket};

/// When a test fails because the browser says nothing. No test waits for it otherwise.
const PATIENCE: Duration = Duration::from_secs(60);

const NAMES: [&str; 5] = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"];

/// How many browsers were started: each has a folder of its own.
static COUNT: AtomicU32 = AtomicU32::new(0);

pub struct DevTools {
    process: Child,
    socket: WebSocket<TcpStream>,
    profile: PathBuf,
    count: u64,
    /// What the browser said without being asked.
    pub events: Vec<Value>,
}

impl DevTools {
    /// Starts a browser. `None`, and said so, where there is none and none is required.
    pub fn start() -> Option<Self> {
        let Some(program) = find() else {
            assert!(
                std::env::var("JSONRILL_BROWSER").as_deref() != Ok("required"),
                "JSONRILL_BROWSER is `required`, and there is no Chromium in PATH"
            );
            let thread = std::thread::current();
            let test = thread.name().unwrap_or_default();
            // Not through `eprintln!`, which is not shown for tests that pass.
            let message = format!("NOT RUN, for there is no Chromium in PATH: {test}\n");
            let _ = std::io::stderr().write_all(message.as_bytes());
            return None;
        };
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let profile = std::env::temp_dir().join(format!("jsonrill-page-{}-{number}", std::process::id()));
        let mut process = Command::new(program)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"])
            .args(["--remote-debugging-port=0", "--hide-scrollbars", "--disable-background-networking"])
            .arg(format!("--user-data-dir={}", profile.display()))
            .arg("about:blank")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let address = address(&mut process);
        let host = address.trim_start_matches("ws://").split('/').next().unwrap();
        let stream = TcpStream::connect(host).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_nodelay(true).unwrap();
        let (socket, _) = tungstenite::client(address.as_str(), stream).unwrap();
        Some(Self { process, socket, profile, count: 0, events: Vec::new() })
    }

    /// Opens a tab: its session.
    pub fn open(&mut self) -> String {
        let target = self.call(None, "Target.createTarget", &json!({"url": "about:blank"}))["targetId"].clone();
        let attach = json!({"targetId": target, "flatten": true});
        self.call(None, "Target.attachToTarget", &attach)["sessionId"].as_str().unwrap().to_owned()
    }

    #[track_caller]
    pub fn call(&mut self, session: Option<&str>, method: &str, params: &Value) -> Value {
        self.count += 1;
        let mut request = json!({"id": self.count, "method": method, "params": params});
        if let Some(session) = session {
            request["sessionId"] = json!(session);
        }
        self.socket.send(Message::text(request.to_string())).unwrap();
        loop {
            let message = match self.socket.read() {
                Ok(message) => message,
                Err(Error::Io(error)) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => panic!("no reply to {request}: {error}"),
            };
            let Message::Text(text) = message else { continue };
            let mut message: Value = serde_json::from_str(&text).unwrap();
            if message["id"] == self.count {
                assert!(message["error"].is_null(), "{method}: {}", message["error"]);
                return message["result"].take();
            }
            self.events.push(message);
        }
    }
}

impl Drop for DevTools {
    fn drop(&mut self) {
        // One that is only killed leaves processes behind, which still write into its folder.
        let _ = self.socket.send(Message::text(r#"{"id": 0, "method": "Browser.close"}"#));
        while self.socket.read().is_ok() {}
        let _ = self.process.kill();
        let _ = self.process.wait();
        // The last of them may take a moment more.
        for _ in 0..100 {
            match std::fs::remove_dir_all(&self.profile) {
                Err(error) if error.kind() != ErrorKind::NotFound => std::thread::sleep(Duration::from_millis(20)),
                _ => break,
            }
        }
    }
}

fn find() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<_> = std::env::split_paths(&path).collect();
    NAMES.iter().find_map(|name| folders.iter().map(|folder| folder.join(name)).find(|program| program.is_file()))
}

/// Where the browser listens, as it says when it has started.
fn address(process: &mut Child) -> String {
    let mut lines = BufReader::new(process.stderr.take().unwrap()).lines();
    let address = lines
        .by_ref()
        .map_while(Result::ok)
        .find_map(|line| line.strip_prefix("DevTools listening on ").map(str::to_owned));
    // It would stop when nobody reads what else it says.
    std::thread::spawn(move || lines.map_while(Result::ok).for_each(drop));
    address.expect("the browser starts")
}
