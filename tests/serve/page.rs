//! The page, in a browser: see `tests/page` for what happens where there is none.

use std::time::Instant;

use serde_json::{Value, json};

use crate::devtools::DevTools;
use crate::server::{PATIENCE, Server, file};

struct Tab {
    devtools: DevTools,
    session: String,
    server: Server,
}

impl Tab {
    fn open(args: &[&str]) -> Option<Self> {
        let mut devtools = DevTools::start()?;
        let session = devtools.open();
        let mut tab = Self { devtools, session, server: Server::with(args) };
        for domain in ["Page", "Runtime", "Log", "Network"] {
            tab.call(&format!("{domain}.enable"), &json!({}));
        }
        // What moves is drawn at once.
        let still = json!({"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]});
        tab.call("Emulation.setEmulatedMedia", &still);
        let url = format!("http://{}/", tab.server.address);
        tab.call("Page.navigate", &json!({"url": url}));
        tab.wait("document.body?.dataset.ready === ''");
        Some(tab)
    }

    #[track_caller]
    fn call(&mut self, method: &str, params: &Value) -> Value {
        self.devtools.call(Some(&self.session), method, params)
    }

    #[track_caller]
    fn evaluate(&mut self, expression: &str) -> Value {
        let params = json!({"expression": expression, "awaitPromise": true, "returnByValue": true});
        let mut result = self.call("Runtime.evaluate", &params);
        assert!(result["exceptionDetails"].is_null(), "{expression}: {}", result["exceptionDetails"]);
        result["result"]["value"].take()
    }

    #[track_caller]
    fn wait(&mut self, condition: &str) {
        let start = Instant::now();
        let turn = "new Promise((done) => setTimeout(done, 5))";
        while self.evaluate(&format!("{turn}.then(() => !!({condition}))")) != true {
            assert!(start.elapsed() < PATIENCE, "it never was: {condition}: {}", self.text("body"));
        }
    }

    fn text(&mut self, selector: &str) -> String {
        let text = self.evaluate(&format!("document.querySelector({}).textContent", json!(selector)));
        text.as_str().unwrap().to_owned()
    }

    /// Picks a task, and runs it with its example or with another text.
    fn run(&mut self, task: &str, text: Option<&str>) {
        self.evaluate(&format!("document.querySelector('input[value={task}]').click()"));
        if let Some(text) = text {
            let text = json!(text);
            self.evaluate(&format!("{{ const it = document.querySelector('#text'); it.value = {text}; it.dispatchEvent(new Event('input')); }}"));
        }
        self.evaluate("document.querySelector('#run').click()");
        self.wait("document.querySelector('#status').dataset.state !== ''");
    }

    /// The browser has had nothing to complain about, but for what has this in it.
    fn done(mut self, allowed: &str) {
        self.evaluate("0");
        let is_bad = |event: &&Value| match event["method"].as_str() {
            Some("Runtime.exceptionThrown") => true,
            Some("Runtime.consoleAPICalled") => event["params"]["type"] == "error",
            Some("Log.entryAdded") => event["params"]["entry"]["level"] == "error",
            _ => false,
        };
        let bad: Vec<_> = self.devtools.events.iter().filter(is_bad).map(Value::to_string).collect();
        assert!(bad.iter().all(|text| !allowed.is_empty() && text.contains(allowed)), "{bad:#?}");
        // Nothing came from anywhere else.
        let own = format!("http://{}/", self.server.address);
        for event in self.devtools.events.iter().filter(|event| event["method"] == "Network.requestWillBeSent") {
            let url = event["params"]["request"]["url"].as_str().unwrap();
            assert!(url.starts_with(&own) || url.starts_with("data:"), "{url}");
        }
    }
}

#[test]
fn each_task_can_be_tried() {
    let Some(mut tab) = Tab::open(&[]) else { return };
    tab.run("repair", None);
    assert_eq!(tab.text("#status"), "The text is truncated. This is what there is of it.");
    assert!(tab.text("#parts").contains("\"price\": 1.50") && tab.text("#parts").contains("key without quotes"));
    // That is no failure.
    assert_eq!(tab.evaluate("document.querySelector('#status').dataset.state"), "cut");
    tab.run("contexts", None);
    assert!(tab.text("#parts").contains("{\"id\": 2, \"name\": \"Second\", \"email\": \"jane@exa"));
    tab.run("split", None);
    assert_eq!(tab.text("#status"), "3 chunks, complete.");
    // Nothing in the form touches what is above it.
    let gaps = "[...document.querySelector('#form').children].map((it) => it.getBoundingClientRect())\
        .every((it, index, all) => index === 0 || it.top - all[index - 1].bottom > 8)";
    assert_eq!(tab.evaluate(gaps), true);
    tab.run("split", Some("[1.50, 2]"));
    assert!(tab.text("#parts").contains("[1.50,2]"));
    tab.run("stream", None);
    assert_eq!(tab.text("#status"), "The text is repaired.");
    assert!(tab.text("#tree").contains("the old bridge"));
    assert!(tab.text("#response").matches("event: update").count() > 10);
    // A text of its own stays with its task, and what it says is text.
    tab.run("stream", Some("{\"<img src=x onerror=alert(1)>\": {\"__proto__\": [1, \"a~/b\"]}}"));
    assert!(tab.text("#tree").contains("<img src=x onerror=alert(1)>"));
    assert_eq!(tab.evaluate("document.querySelectorAll('#tree img').length"), 0);
    assert_eq!(tab.evaluate("document.querySelectorAll('#tree .final').length"), 5);
    tab.done("");
}

#[test]
fn a_token_is_sent_and_kept_nowhere() {
    let tokens = file("tokens", "hush\n");
    let Some(mut tab) = Tab::open(&["--token-file", &tokens]) else { return };
    tab.run("repair", None);
    assert!(tab.text("#status").contains("a token is needed"));
    tab.evaluate("document.querySelector('#token').value = 'hush'");
    tab.run("repair", None);
    assert_eq!(tab.text("#status"), "The text is truncated. This is what there is of it.");
    let kept = "JSON.stringify([localStorage.length, sessionStorage.length, document.cookie, location.href])";
    assert!(tab.evaluate(kept).as_str().unwrap().starts_with("[0,0,\"\",\"http://127.0.0.1:"));
    tab.done("401");
}

#[test]
fn it_fits_a_phone_and_can_be_read_in_the_dark() {
    let Some(mut tab) = Tab::open(&[]) else { return };
    tab.call(
        "Emulation.setDeviceMetricsOverride",
        &json!({"width": 320, "height": 640, "deviceScaleFactor": 2, "mobile": true}),
    );
    for task in ["repair", "contexts", "split", "stream"] {
        tab.run(task, Some(&format!("{{\"{}\": [\"{}\"]}}", "k".repeat(20), "wide ".repeat(7))));
        assert_eq!(tab.evaluate("document.documentElement.scrollWidth"), 320, "{task}");
        // The answer, which is below the form, is seen.
        let top = tab.evaluate("document.querySelector('#status').getBoundingClientRect().top").as_f64().unwrap();
        assert!((0.0..320.0).contains(&top), "{task}: {top}");
        for scheme in ["light", "dark"] {
            let media = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": "reduce"}]});
            tab.call("Emulation.setEmulatedMedia", &media);
            let weak = tab.evaluate(CONTRAST);
            assert_eq!(weak, json!([]), "{task}, {scheme}");
        }
    }
    // Every field has a name.
    let unnamed = "[...document.querySelectorAll('input, textarea')].filter((it) => !it.labels?.length).length";
    assert_eq!(tab.evaluate(unnamed), 0);
    // A string of this length does not fit into a chunk.
    tab.done("422");
}

/// Texts that do not stand out from what is behind them: 4.5 to 1, as WCAG has it.
const CONTRAST: &str = r"(() => {
    const light = (color) => {
        const [r, g, b] = color.match(/[\d.]+/g).map(Number).map((c) => c / 255).map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = (it) => {
        for (; it; it = it.parentElement) {
            const color = getComputedStyle(it).backgroundColor;
            if (!/, 0\)$/.test(color)) return color;
        }
        return 'rgb(255, 255, 255)';
    };
    const weak = [];
    for (const it of document.querySelectorAll('body *')) {
        const has = [...it.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '');
        if (!has || it.offsetParent === null || it.ariaDisabled === 'true' || ['SCRIPT', 'STYLE', 'NOSCRIPT'].includes(it.tagName)) continue;
        const [a, b] = [light(getComputedStyle(it).color), light(behind(it))].sort((a, b) => b - a);
        if ((a + 0.05) / (b + 0.05) < 4.5) weak.push(it.textContent);
    }
    return weak;
})()";

#[test]
fn the_page_may_do_nothing_else() {
    let server = Server::new();
    let page = server.get("/");
    assert_eq!((page.status(), page.header("content-type")), (200, Some("text/html; charset=utf-8")));
    let policy = page.header("content-security-policy").unwrap();
    for part in
        ["default-src 'none'", "connect-src 'self'", "frame-ancestors 'none'", "form-action 'none'", "base-uri 'none'"]
    {
        assert!(policy.contains(part), "{policy}");
    }
    assert!(!policy.contains("unsafe"), "{policy}");
    assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
}
