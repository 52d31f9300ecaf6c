//! The page without a mouse.

use crate::browser::{Key, Tab};

/// What has the focus: its id, or the value of a choice.
fn focus(tab: &mut Tab) -> String {
    let name = "(() => { const it = document.activeElement; return it.id || it.value || it.localName; })()";
    tab.evaluate(name).as_str().unwrap().to_owned()
}

#[test]
fn the_order_follows_the_page_and_the_focus_is_seen() {
    let Some(mut tab) = Tab::stepwise() else { return };
    assert_eq!(focus(&mut tab), "question");
    tab.evaluate("document.body.tabIndex = -1; document.body.focus()");
    let mut order = Vec::new();
    for _ in 0..8 {
        tab.press(Key::Tab);
        order.push(focus(&mut tab));
        let outline = tab.evaluate(
            "(() => { const it = document.activeElement; const ring = getComputedStyle(it.closest('label') ?? it); \
             return it.matches(':focus-visible') && ring.outlineStyle === 'solid' && parseFloat(ring.outlineWidth) >= 2; })()",
        );
        assert_eq!(outline, true, "at {order:?}");
    }
    let expected = ["conversation", "broken_cases", "question", "send", "stop", "lose", "summary", "events"];
    assert_eq!(order, expected);
    tab.done();
}

#[test]
fn enter_sends_and_escape_stops() {
    let Some(mut tab) = Tab::stepwise() else { return };
    tab.press(Key::Escape); // nothing to stop
    tab.press(Key::Enter);
    tab.watch();
    assert_eq!(focus(&mut tab), "question");
    tab.press(Key::Enter); // one at a time
    tab.step(40);
    let before = tab.bubbles();
    assert!(!before.is_empty());
    tab.press(Key::Escape);
    tab.wait("document.querySelector('.ending').textContent === 'Stopped. What came before is kept.'");
    let after = tab.bubbles();
    assert!(after.iter().zip(&before).all(|(after, before)| after.starts_with(before.as_str())));
    assert_eq!((focus(&mut tab), tab.count(".turn")), ("question".to_owned(), 1));
    tab.done();
}

#[test]
fn choices_and_buttons_work_with_keys() {
    let Some(mut tab) = Tab::stepwise() else { return };
    tab.evaluate("document.querySelector('[name=scenario]:checked').focus()");
    let first = tab.evaluate("document.querySelector('#question').value");
    tab.press(Key::Right);
    assert_eq!(focus(&mut tab), "charged_twice");
    assert_ne!(tab.evaluate("document.querySelector('#question').value"), first);
    tab.press(Key::Enter); // sends from here, too
    tab.watch();
    tab.step(30);
    for _ in 0..4 {
        tab.press(Key::Tab);
    }
    assert_eq!(focus(&mut tab), "lose");
    tab.press(Key::Enter);
    // Not its state, which is another one as soon as it has connected again.
    tab.wait("document.querySelector('#announcements').textContent.includes('Connection lost')");
    assert_eq!(focus(&mut tab), "lose");
    tab.step_to_end();
    assert_eq!(focus(&mut tab), "lose", "a button that has nothing to do keeps the focus");
    assert_eq!(tab.bubbles(), tab.known().bubbles());
    tab.done();
}
