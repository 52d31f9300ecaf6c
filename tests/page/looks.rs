//! Narrow windows, dark windows, and no motion.

use serde_json::json;

use crate::browser::Tab;
use crate::site::SCENARIOS;

/// The narrowest that WCAG has: 1280 pixels at 400 %.
#[test]
fn nothing_is_wider_than_a_phone() {
    let Some(mut tab) = Tab::stepwise() else { return };
    tab.size(320, 740);
    let wide = "[document.documentElement, document.body, document.querySelector('#conversation')]\
                .some((it) => it.scrollWidth > 320) || \
                [...document.querySelectorAll('button, input, summary, .bubble, .flag, .call, .ending, p, label')]\
                .some((it) => { const box = it.getBoundingClientRect(); \
                return !it.closest('.unseen') && box.width > 0 && (box.left < 0 || box.right > 320); })";
    assert_eq!(tab.evaluate(wide), false);
    for scenario in SCENARIOS {
        let long = "x".repeat(200);
        tab.click(&format!("input[value={scenario}]"));
        tab.evaluate(&format!("document.querySelector('#question').value = '{long}'"));
        tab.click("#send");
        tab.watch();
        while !tab.step(20) {
            assert_eq!(tab.evaluate(wide), false, "{scenario}");
        }
        assert_eq!(tab.evaluate(wide), false, "{scenario}");
    }
    tab.evaluate("document.querySelector('#wire').open = true");
    assert_eq!(tab.evaluate(wide), false);
    // The conversation keeps room, and what is tapped is large enough.
    assert!(tab.evaluate("document.querySelector('#conversation').clientHeight").as_f64().unwrap() > 120.0);
    let small = "[...document.querySelectorAll('button, #scenarios label, summary, #question')]\
                 .filter((it) => it.offsetHeight > 0 && it.offsetHeight < 24).length";
    assert_eq!(tab.evaluate(small), 0);
    tab.done();
}

/// The conversation is not squeezed away: the page is scrolled instead.
#[test]
fn a_low_window_keeps_room_for_the_conversation() {
    let Some(mut tab) = Tab::stepwise() else { return };
    for (width, height) in [(320, 256), (740, 360), (1100, 300)] {
        tab.size(width, height);
        for is_open in [false, true] {
            tab.evaluate(&format!("document.querySelector('#wire').open = {is_open}"));
            let room = tab.evaluate("document.querySelector('#conversation').clientHeight").as_f64().unwrap();
            assert!(room >= 128.0, "{room} at {width} x {height}");
            let top =
                "document.querySelector('#conversation').scrollTop === 0 && document.querySelector('#newest').hidden";
            assert_eq!(tab.evaluate(&format!("new Promise(requestAnimationFrame).then(() => {top})")), true);
            let below = tab.evaluate(
                "scrollTo(0, 1e6); document.querySelector('#stop').getBoundingClientRect().bottom - innerHeight",
            );
            assert!(below.as_f64().unwrap() <= 0.0, "the buttons can be reached");
        }
    }
    tab.done();
}

/// All text stands out from what is behind it: 4.5 to 1, as WCAG has it.
#[test]
fn text_can_be_read_in_light_and_dark() {
    let Some(mut tab) = Tab::stepwise() else { return };
    for scenario in SCENARIOS {
        tab.send(scenario);
        tab.step(45);
        for scheme in ["light", "dark"] {
            contrast(&mut tab, scheme);
        }
        tab.step_to_end();
        for scheme in ["light", "dark"] {
            contrast(&mut tab, scheme);
        }
    }
    tab.done();
}

fn contrast(tab: &mut Tab, scheme: &str) {
    tab.media("prefers-color-scheme", scheme);
    let low = tab.evaluate(
        r"(() => {
            const parts = (color) => color.match(/[\d.]+/g).map(Number);
            const luminance = (color) => {
                const [r, g, b] = parts(color).map((c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
                return 0.2126 * r + 0.7152 * g + 0.0722 * b;
            };
            const behind = (it) => {
                const color = getComputedStyle(it).backgroundColor;
                return (parts(color)[3] ?? 1) === 1 ? color : behind(it.parentElement);
            };
            const low = [];
            const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            while (walk.nextNode()) {
                const it = walk.currentNode.parentElement;
                if (!walk.currentNode.data.trim() || !it.checkVisibility() || it.closest('.unseen, noscript')) continue;
                const [a, b] = [luminance(getComputedStyle(it).color), luminance(behind(it))].sort((a, b) => b - a);
                const ratio = (a + 0.05) / (b + 0.05);
                if (ratio < 4.5) low.push([walk.currentNode.data, it.className, ratio]);
            }
            return low;
        })()",
    );
    assert_eq!(low, json!([]), "{scheme}");
}

#[test]
fn who_wants_no_motion_gets_none() {
    let Some(mut tab) = Tab::stepwise() else { return };
    tab.send("broken_cases");
    tab.step(60);
    let moving = "document.getAnimations().filter((it) => it.playState === 'running').length";
    assert!(tab.evaluate(moving).as_u64().unwrap() > 0, "the caret blinks");
    tab.media("prefers-reduced-motion", "reduce");
    assert_eq!(tab.evaluate(moving), 0);
    tab.step(5);
    assert_eq!(tab.evaluate(moving), 0);
    tab.done();
}

/// Writes pictures of the page, for who works on its looks: `cargo test --test page -- --ignored pictures`.
#[test]
#[ignore = "makes pictures, and tests nothing"]
fn pictures() {
    let Some(mut tab) = Tab::stepwise() else { return };
    for (name, width, height) in [("desktop", 1200, 800), ("phone", 360, 740)] {
        tab.size(width, height);
        for scheme in ["light", "dark"] {
            let features = [("prefers-color-scheme", scheme), ("prefers-reduced-motion", "reduce")];
            let features = features.map(|(name, value)| json!({"name": name, "value": value}));
            tab.call("Emulation.setEmulatedMedia", &json!({"features": features}));
            tab.load("/");
            tab.evaluate(&format!("document.querySelector('#wire').open = {}", width > 1000));
            picture(&mut tab, &format!("{name}-{scheme}-welcome"));
            for (scenario, middle) in SCENARIOS.into_iter().zip([52, 119, 50, 30, 40]) {
                tab.load("/");
                tab.send(scenario);
                for _ in 0..middle {
                    tab.step(1);
                    if tab.count(".flag[data-state=growing]") == 1 {
                        picture(&mut tab, &format!("{name}-{scheme}-{scenario}-number"));
                    }
                }
                picture(&mut tab, &format!("{name}-{scheme}-{scenario}-middle"));
                if scenario == "broken_cases" {
                    tab.click("#lose");
                    tab.wait("document.querySelector('#connection').dataset.state === 'lost'");
                    picture(&mut tab, &format!("{name}-{scheme}-{scenario}-lost"));
                }
                tab.step_to_end();
                picture(&mut tab, &format!("{name}-{scheme}-{scenario}-end"));
            }
        }
    }
    tab.done();
}

fn picture(tab: &mut Tab, name: &str) {
    use base64::Engine as _;
    let picture = tab.call("Page.captureScreenshot", &json!({"format": "png"}));
    let picture = base64::engine::general_purpose::STANDARD.decode(picture["data"].as_str().unwrap()).unwrap();
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("page");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(format!("{name}.png"));
    std::fs::write(&path, picture).unwrap();
    println!("{}", path.display());
}
