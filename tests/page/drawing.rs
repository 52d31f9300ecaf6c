//! Bubbles and flags: what is shown is what is known, when it is known, and only what changed is touched.

use serde_json::Value;

use crate::browser::Tab;
use crate::site::{SCENARIOS, expected};

/// The page after each read of each recording.
#[test]
fn the_page_shows_what_is_known_at_every_moment() {
    let Some(mut tab) = Tab::stepwise() else { return };
    for scenario in SCENARIOS {
        tab.send(scenario);
        for name in ["is_adult", "need_admin", "refund"] {
            assert_eq!(tab.flag(name), ("pending".to_owned(), "pending".to_owned()));
        }
        loop {
            let has_ended = tab.step(1);
            let known = tab.known();
            assert_eq!(tab.bubbles(), known.bubbles(), "{scenario}");
            for name in ["is_adult", "need_admin"] {
                let (state, shown) = tab.flag(name);
                if known.is_final(&format!("/{name}")) {
                    assert_eq!((state.as_str(), shown), ("final", known.answer[name].to_string()), "{scenario}");
                } else {
                    // It may be there, but is not shown before it is final.
                    assert!(["pending", "lost"].contains(&state.as_str()), "{scenario}: {state}");
                    assert!(["pending", "never came"].contains(&shown.as_str()), "{scenario}: {shown}");
                }
            }
            let growing = tab.count(".turn:last-child .bubble[data-state=growing]");
            let open = (0..known.bubbles().len()).filter(|n| !known.is_final(&format!("/bubbles/{n}"))).count();
            assert_eq!(growing, if has_ended { 0 } else { open as u64 }, "{scenario}");
            if has_ended {
                break;
            }
        }
        assert_eq!(tab.known().answer, expected(scenario));
    }
    assert_eq!(tab.count(".turn"), 5);
    tab.done();
}

/// In the recordings a flag is final with its first event, so here is one that is not.
#[test]
fn a_flag_that_may_still_change_is_not_shown() {
    let Some(mut tab) = Tab::stepwise() else { return };
    tab.evaluate(
        r#"import("/view.js").then(({ Turn }) => {
            window.turn = new Turn("", "", () => {});
            document.querySelector('#turns').append(turn.element);
            turn.take({ ops: [{ op: "add", path: "", value: { is_adult: true } }] });
        })"#,
    );
    assert_eq!(tab.flag("is_adult"), ("pending".to_owned(), "pending".to_owned()));
    tab.evaluate(r#"turn.take({ ops: [{ op: "replace", path: "/is_adult", value: false }] })"#);
    assert_eq!(tab.flag("is_adult"), ("pending".to_owned(), "pending".to_owned()));
    tab.evaluate(r#"turn.take({ ops: [{ op: "final", path: "/is_adult" }] })"#);
    assert_eq!(tab.flag("is_adult"), ("final".to_owned(), "false".to_owned()));
    tab.done();
}

#[test]
fn a_number_in_flight_is_shown_as_one() {
    let Some(mut tab) = Tab::stepwise() else { return };
    tab.send("broken_cases");
    let mut seen = Vec::new();
    while !tab.known().is_final("/refund") {
        tab.step(1);
        let state = tab.flag("refund");
        if seen.last() != Some(&state) {
            seen.push(state);
        }
    }
    let seen: Vec<_> = seen.iter().map(|(state, shown)| (state.as_str(), shown.as_str())).collect();
    assert_eq!(seen.first(), Some(&("pending", "pending")));
    assert_eq!(seen.last(), Some(&("final", "€ 1185.00")));
    let numbers: Vec<f64> =
        seen.iter().filter(|seen| seen.0 == "growing").map(|seen| seen.1.parse().unwrap()).collect();
    assert!(numbers.len() > 1 && numbers[0] < 1185.0, "{seen:?}: who acts on {numbers:?} pays too little");
    tab.done();
}

#[test]
fn a_tool_call_is_handed_over_when_it_is_final() {
    let Some(mut tab) = Tab::stepwise() else { return };
    tab.send("charged_twice");
    while tab.count(".call") == 0 {
        assert!(!tab.step(1));
    }
    assert_eq!(tab.text(".call"), "page_adminis being written: not called yet");
    while tab.count(".call[data-state=final]") == 0 {
        assert_eq!(tab.count(".call dl"), 0);
        assert!(!tab.step(1));
    }
    assert_eq!(
        tab.text(".call"),
        "page_admincalled withorder20418reasonpaid twice, no answer to mailsanswer_before18:00"
    );
    assert_eq!(tab.text(".prose"), "Of course.");
    tab.step_to_end();
    assert_eq!(tab.flag("refund"), ("absent".to_owned(), "none".to_owned()));
    tab.done();
}

#[test]
fn a_cut_answer_is_shown_as_cut() {
    let Some(mut tab) = Tab::stepwise() else { return };
    tab.send("tasting");
    tab.step_to_end();
    assert_eq!(tab.text(".ending"), "Cut off by the token limit");
    let states = "[...document.querySelectorAll('.bubble')].map((bubble) => bubble.dataset.state)";
    assert_eq!(tab.evaluate(states), serde_json::json!(["final", "final", "cut"]));
    assert!(tab.text(".bubble[data-state=cut]").ends_with("for the end abreaks off here"));
    assert_eq!(tab.flag("is_adult").0, "final");
    assert_eq!(tab.flag("need_admin"), ("lost".to_owned(), "never came".to_owned()));
    assert_eq!(tab.flag("refund"), ("lost".to_owned(), "never came".to_owned()));
    tab.done();
}

#[test]
fn an_error_keeps_what_came_before() {
    let Some(mut tab) = Tab::stepwise() else { return };
    tab.send("birthday");
    let mut before = Vec::new();
    while !tab.step(1) {
        before = tab.bubbles();
    }
    assert_eq!(tab.text(".ending"), "The provider failed: Overloaded (overloaded_error). What came before is kept.");
    let after = tab.bubbles();
    // The end settles what was held: it may add to the last bubble, and takes nothing away.
    assert_eq!(after.len(), before.len());
    assert!(after.iter().zip(&before).all(|(after, before)| after.starts_with(before.as_str())));
    assert_eq!(tab.count(".turn[data-state=error] .bubble[data-state=cut]"), 1);
    tab.done();
}

#[test]
fn repairs_are_counted() {
    let Some(mut tab) = Tab::stepwise() else { return };
    tab.send("cider");
    tab.step_to_end();
    let repairs = tab.known().end["repairs"].clone();
    assert_eq!(tab.text(".ending"), format!("Complete, after {repairs} repairs to its JSON"));
    assert_eq!(tab.flag("is_adult"), ("final".to_owned(), "false".to_owned()));
    assert!(tab.text(".thinking p").starts_with("He is 16."));
    tab.done();
}

/// Every mutation of the answer is watched, from its first to its last.
#[test]
fn only_what_changed_is_touched() {
    let Some(mut tab) = Tab::stepwise() else { return };
    tab.evaluate(
        "window.records = []; \
         new MutationObserver((list) => records.push(...list)).observe(document.querySelector('#turns'), \
         { subtree: true, childList: true, characterData: true, characterDataOldValue: true })",
    );
    tab.send("broken_cases");
    let (mut appends, mut selected) = (0, None);
    loop {
        let before = texts_of(&tab.known().answer);
        let has_ended = tab.step(1);
        // A bubble that is new has its node made and its text appended.
        let after = texts_of(&tab.known().answer);
        appends += after.iter().enumerate().filter(|(n, text)| before.get(*n).map_or("", |t| t) != **text).count();
        if selected.is_none() && after.len() == 1 && after[0].len() > 8 {
            selected = Some(tab.evaluate(
                "(() => { const { firstChild } = document.querySelector('.bubble .text'); \
                 getSelection().setBaseAndExtent(firstChild, 2, firstChild, 6); \
                 return getSelection().toString(); })()",
            ));
        }
        if after.len() == 2 && before.len() == 1 {
            tab.evaluate("window.first = document.querySelector('.bubble'); window.node = first.querySelector('.text').firstChild; window.word = node.data");
        }
        if has_ended {
            break;
        }
    }
    // Text that is set anew, and not appended, loses what a reader has selected in it.
    assert_eq!(Some(tab.evaluate("getSelection().toString()")), selected);
    let same = "first === document.querySelector('.bubble') && node === first.querySelector('.text').firstChild \
                && first.querySelector('.text').childNodes.length === 1 && node.data === word";
    assert_eq!(tab.evaluate(same), true, "the first bubble is the node that it was, with one text node");

    // In the bubbles text is appended, once for each change, and nothing else ever happens.
    let texts = "records.filter((r) => r.type === 'characterData' && r.target.parentNode.className === 'text')";
    assert_eq!(tab.evaluate(&format!("{texts}.length")).as_u64(), Some(appends as u64));
    let is_append_only = format!(
        "[...Map.groupBy({texts}, (r) => r.target)].every(([node, list]) => \
         [...list.map((r) => r.oldValue), node.data].every((text, at, all) => at === 0 || \
         (text.length > all[at - 1].length && text.startsWith(all[at - 1]))))"
    );
    assert_eq!(tab.evaluate(&is_append_only), true);
    let inside = "records.filter((r) => r.type === 'childList' && r.target.closest('.bubbles'))";
    assert_eq!(tab.evaluate(&format!("{inside}.some((r) => r.removedNodes.length > 0)")), false);
    let added = format!(
        "{inside}.filter((r) => r.target.className === 'bubbles').map((r) => [r.addedNodes.length, r.nextSibling])"
    );
    assert_eq!(tab.evaluate(&added), serde_json::json!([[1, null], [1, null], [1, null]]));
    // A final bubble has seen its last mutation: none names the first behind one that names the third.
    let bubbles = "[...document.querySelectorAll('.bubble')]";
    let order = format!("{texts}.map((r) => {bubbles}.findIndex((bubble) => bubble.contains(r.target)))");
    let order: Vec<i64> = serde_json::from_value(tab.evaluate(&order)).unwrap();
    assert!(order.is_sorted(), "{order:?}");
    tab.done();
}

fn texts_of(answer: &Value) -> Vec<String> {
    let bubbles = answer["bubbles"].as_array();
    bubbles.into_iter().flatten().map(|bubble| bubble["text"].as_str().unwrap_or_default().to_owned()).collect()
}
