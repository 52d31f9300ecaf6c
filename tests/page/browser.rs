//! The page in a browser, as a user has it.

use serde_json::{Value, json};

use crate::devtools::DevTools;
use crate::site::{Events, Known, Site};

/// A tab that shows the page, and a server for it that reads on when the test says so.
pub struct Tab {
    pub site: Site,
    pub devtools: DevTools,
    session: String,
    /// What another viewer of the same answer knows, which is what the page should show.
    watched: Option<(String, Events, Known, usize)>,
    allowed: Vec<String>,
}

/// What a key is in the protocol.
#[derive(Clone, Copy)]
pub enum Key {
    Tab,
    Enter,
    Escape,
    Right,
}

impl Tab {
    /// `None` where there is no browser.
    pub fn stepwise() -> Option<Self> {
        let mut devtools = DevTools::start()?;
        let session = devtools.open();
        let site = Site::stepwise();
        let mut tab = Self { site, devtools, session, watched: None, allowed: Vec::new() };
        for domain in ["Page", "Runtime", "Log", "Network"] {
            tab.call(&format!("{domain}.enable"), &json!({}));
        }
        tab.size(1200, 800);
        tab.load("/");
        Some(tab)
    }

    #[track_caller]
    pub fn call(&mut self, method: &str, params: &Value) -> Value {
        self.devtools.call(Some(&self.session), method, params)
    }

    pub fn size(&mut self, width: u32, height: u32) {
        let is_phone = width < 600;
        let scale = if is_phone { 2 } else { 1 };
        let metrics = json!({"width": width, "height": height, "deviceScaleFactor": scale, "mobile": is_phone});
        self.call("Emulation.setDeviceMetricsOverride", &metrics);
    }

    /// Takes the network away, or gives it back. Connections that there are stay; none can be made, however long a test
    /// takes.
    pub fn offline(&mut self, is_offline: bool) {
        let conditions = json!({"offline": is_offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1});
        self.call("Network.emulateNetworkConditions", &conditions);
    }

    pub fn media(&mut self, name: &str, value: &str) {
        self.call("Emulation.setEmulatedMedia", &json!({"features": [{"name": name, "value": value}]}));
    }

    #[track_caller]
    pub fn load(&mut self, path: &str) {
        let url = format!("http://{}{path}", self.site.address);
        self.call("Page.navigate", &json!({"url": url}));
        self.wait(&format!("location.href === {} && document.body?.dataset.ready === ''", json!(url)));
    }

    /// The value of an expression; a promise is waited for.
    #[track_caller]
    pub fn evaluate(&mut self, expression: &str) -> Value {
        let params = json!({"expression": expression, "awaitPromise": true, "returnByValue": true});
        let mut result = self.call("Runtime.evaluate", &params);
        assert!(result["exceptionDetails"].is_null(), "{expression}: {}", result["exceptionDetails"]);
        result["result"]["value"].take()
    }

    /// Waits until an expression is true. It fails when the connection's patience ends.
    #[track_caller]
    pub fn wait(&mut self, condition: &str) {
        // A page that is being left has nobody to say so: ask again, and again.
        let turn = "new Promise((done) => setTimeout(done, 5))";
        let start = std::time::Instant::now();
        while self.evaluate(&format!("{turn}.then(() => !!({condition}))")) != true {
            assert!(start.elapsed() < crate::site::PATIENCE, "it never was: {condition}");
        }
    }

    /// Picks a scenario and sends, with a mouse.
    #[track_caller]
    pub fn send(&mut self, scenario: &str) {
        self.click(&format!("input[value={scenario}]"));
        self.click("#send");
        self.watch();
    }

    /// Waits until the page shows the newest answer, and watches that, too.
    #[track_caller]
    pub fn watch(&mut self) {
        let known = self.watched.as_ref().map_or(String::new(), |(id, ..)| id.clone());
        let hash = format!("location.hash.length > 1 && location.hash !== {}", json!(format!("#{known}")));
        self.wait(&format!("{hash} && document.querySelector('#connection').dataset.state === 'connected'"));
        let id = self.evaluate("location.hash.slice(1)").as_str().unwrap().to_owned();
        let events = self.site.events(&id, None);
        self.watched = Some((id, events, Known::default(), 0));
    }

    /// Lets the answer read on, and waits until the page shows it: whether it has ended.
    #[track_caller]
    pub fn step(&mut self, reads: usize) -> bool {
        let (newest, has_ended) = self.step_known(reads);
        self.wait_for_event(newest);
        has_ended
    }

    /// Lets the answer read on: the newest event's id.
    pub fn step_unseen(&mut self, reads: usize) -> usize {
        self.step_known(reads).0
    }

    fn step_known(&mut self, reads: usize) -> (usize, bool) {
        let (id, events, known, seen) = self.watched.as_mut().expect("an answer is shown");
        let (newest, has_ended) = self.site.step(id, reads);
        while *seen < newest {
            let Some(event) = events.next() else {
                // Its connection was lost, as the page's was.
                *events = self.site.events(id, Some(*seen));
                continue;
            };
            known.take(&event);
            *seen = event.id;
        }
        (newest, has_ended)
    }

    #[track_caller]
    pub fn step_to_end(&mut self) {
        while !self.step(25) {}
    }

    #[track_caller]
    pub fn wait_for_event(&mut self, id: usize) {
        self.wait(&format!("{id} <= Number(document.querySelector('#events').lastElementChild?.dataset.id ?? 0)"));
    }

    /// What there is of the answer that the page shows.
    pub fn known(&self) -> Known {
        self.watched.as_ref().map(|(_, _, known, _)| known.clone()).unwrap_or_default()
    }

    /// What is in the bubbles of the newest answer, marks left out.
    #[track_caller]
    pub fn bubbles(&mut self) -> Vec<String> {
        let texts = "[...document.querySelectorAll('.turn:last-child .bubble .text')].map((text) => text.textContent)";
        serde_json::from_value(self.evaluate(texts)).unwrap()
    }

    #[track_caller]
    pub fn flag(&mut self, name: &str) -> (String, String) {
        let flag = format!(
            "[...document.querySelectorAll('.turn:last-child .flag')].find((flag) => flag.firstChild.textContent === '{name}')"
        );
        let state = self.evaluate(&format!("[{flag}.dataset.state, {flag}.lastChild.textContent]"));
        serde_json::from_value(state).unwrap()
    }

    #[track_caller]
    pub fn text(&mut self, selector: &str) -> String {
        let text = self.evaluate(&format!("document.querySelector({}).textContent", json!(selector)));
        text.as_str().unwrap().to_owned()
    }

    #[track_caller]
    pub fn count(&mut self, selector: &str) -> u64 {
        self.evaluate(&format!("document.querySelectorAll({}).length", json!(selector))).as_u64().unwrap()
    }

    pub fn announcements(&mut self) -> Vec<String> {
        let said =
            self.evaluate("[...document.querySelectorAll('#announcements > *')].map((line) => line.textContent)");
        serde_json::from_value(said).unwrap()
    }

    /// Clicks in the middle of an element, wherever that is.
    #[track_caller]
    pub fn click(&mut self, selector: &str) {
        let place = format!(
            "(() => {{ const it = document.querySelector({}); it.scrollIntoView({{ block: 'nearest' }}); \
             const box = (it.closest('label') ?? it).getBoundingClientRect(); \
             return [box.x + box.width / 2, box.y + box.height / 2]; }})()",
            json!(selector)
        );
        let place = self.evaluate(&place);
        for (kind, buttons) in [("mousePressed", 1), ("mouseReleased", 0)] {
            let params = json!({
                "type": kind, "x": place[0], "y": place[1], "button": "left", "buttons": buttons, "clickCount": 1,
            });
            self.call("Input.dispatchMouseEvent", &params);
        }
    }

    pub fn press(&mut self, key: Key) {
        let (name, code, text) = match key {
            Key::Tab => ("Tab", 9, ""),
            Key::Enter => ("Enter", 13, "\r"),
            Key::Escape => ("Escape", 27, ""),
            Key::Right => ("ArrowRight", 39, ""),
        };
        let params = json!({"key": name, "code": name, "windowsVirtualKeyCode": code, "text": text});
        for kind in ["keyDown", "keyUp"] {
            let mut params = params.clone();
            params["type"] = json!(kind);
            self.call("Input.dispatchKeyEvent", &params);
        }
    }

    /// Loads the page again, at the same address.
    #[track_caller]
    pub fn reload(&mut self) {
        self.evaluate("delete document.body.dataset.ready");
        self.call("Page.reload", &json!({}));
        self.wait("document.body?.dataset.ready === ''");
    }

    /// Expects a complaint with this in it.
    pub fn allow(&mut self, text: &str) {
        self.allowed.push(text.to_owned());
    }

    /// The browser has had nothing to complain about.
    #[track_caller]
    pub fn done(mut self) {
        self.evaluate("0");
        let is_bad = |event: &&Value| match event["method"].as_str() {
            Some("Runtime.exceptionThrown") => true,
            Some("Runtime.consoleAPICalled") => event["params"]["type"] == "error",
            Some("Log.entryAdded") => event["params"]["entry"]["level"] == "error",
            _ => false,
        };
        let bad = self.devtools.events.iter().filter(is_bad).map(Value::to_string);
        let bad: Vec<_> = bad.filter(|text| !self.allowed.iter().any(|allowed| text.contains(allowed))).collect();
        assert!(bad.is_empty(), "{bad:#?}");
    }
}
