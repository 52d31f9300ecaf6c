//! Who looks, and where.

use crate::browser::Tab;

#[test]
fn a_page_that_is_loaded_again_shows_the_same() {
    let Some(mut tab) = Tab::stepwise() else { return };
    tab.send("charged_twice");
    tab.step(110);
    let shown = |tab: &mut Tab| (tab.bubbles(), tab.text(".thinking p"), tab.text(".prose"), tab.flag("need_admin"));
    let before = shown(&mut tab);
    assert!(before.0.len() > 1);
    tab.reload();
    tab.wait("document.querySelectorAll('#events li').length === 1");
    assert_eq!(shown(&mut tab), before);
    assert_eq!(tab.count(".question"), 1);
    tab.step_to_end();
    assert_eq!(tab.bubbles(), tab.known().bubbles());
    // And when all is over.
    let before = tab.bubbles();
    tab.reload();
    tab.wait("document.querySelector('.ending')?.textContent === 'Complete'");
    assert_eq!(tab.bubbles(), before);
    tab.done();
}

#[test]
fn answers_follow_each_other() {
    let Some(mut tab) = Tab::stepwise() else { return };
    for (number, scenario) in ["tasting", "broken_cases"].into_iter().enumerate() {
        tab.send(scenario);
        // While one comes no other can be asked for.
        tab.click("#send");
        tab.step_to_end();
        assert_eq!(tab.count(".turn"), number as u64 + 1);
    }
    assert_eq!(tab.count(".turn[data-state=cut]"), 1);
    assert_eq!(tab.count(".turn[data-state=whole]"), 1);
    tab.done();
}

#[test]
fn who_reads_above_is_left_there() {
    let Some(mut tab) = Tab::stepwise() else { return };
    tab.size(360, 560);
    tab.send("broken_cases");
    let rest = "(() => { const it = document.querySelector('#conversation'); \
                return it.scrollHeight - it.clientHeight - it.scrollTop; })()";
    while tab.evaluate("document.querySelector('#conversation').scrollTop").as_f64().unwrap() < 60.0 {
        assert!(!tab.step(1), "the answer is longer than the window");
        assert!(tab.evaluate(rest).as_f64().unwrap() < 2.0, "who is at the end stays there");
    }
    tab.evaluate("document.querySelector('#conversation').scrollTop = 10");
    for _ in 0..10 {
        tab.step(1);
        assert_eq!(tab.evaluate("document.querySelector('#conversation').scrollTop"), 10);
    }
    tab.wait("!document.querySelector('#newest').hidden");
    tab.click("#newest");
    tab.wait(&format!("{rest} < 2"));
    while !tab.step(5) {
        assert!(tab.evaluate(rest).as_f64().unwrap() < 2.0);
    }
    assert!(tab.evaluate(rest).as_f64().unwrap() < 2.0);
    // The window changes: a phone is turned, or its keyboard comes up.
    tab.size(360, 420);
    tab.wait(&format!("{rest} < 2"));
    tab.done();
}

/// What a model writes is text, whatever it looks like.
#[test]
fn nothing_that_is_shown_is_run() {
    let Some(mut tab) = Tab::stepwise() else { return };
    tab.evaluate("document.querySelector('#question').value = '<img src=x onerror=alert(1)><b>bold</b>'");
    tab.click("#send");
    tab.watch();
    assert_eq!(tab.text(".question p"), "<img src=x onerror=alert(1)><b>bold</b>");
    assert_eq!(tab.count(".question p *"), 0);
    tab.step_to_end();
    tab.done();
}
