//! Connections that are lost, come late, or are many: nobody misses anything, and nobody is told twice.

use crate::browser::Tab;
use crate::server::Pace;
use crate::server::answers::KEPT;
use crate::site::{Event, Known, SCENARIOS, Site};

/// Every event of an answer that is read in steps, one event for each moment.
fn one_by_one(site: &Site, answer: &str) -> Vec<Event> {
    let mut events = site.events(answer, None);
    let (mut all, mut seen) = (Vec::new(), 0);
    loop {
        let (newest, has_ended) = site.step(answer, 1);
        while seen < newest {
            let event = events.next().unwrap();
            seen = event.id;
            all.push(event);
        }
        if has_ended {
            assert!(events.next().is_none(), "the connection ends with the answer");
            return all;
        }
    }
}

#[test]
fn ids_count_up_and_every_event_has_news() {
    let site = Site::stepwise();
    for scenario in SCENARIOS {
        let events = one_by_one(&site, &site.ask(scenario));
        assert!(events.windows(2).all(|pair| pair[0].id < pair[1].id), "{scenario}");
        for event in &events {
            let has_ops = !event.data["ops"].as_array().unwrap().is_empty();
            let has_news = ["outside", "thinking", "calls", "end"].iter().any(|news| !event.data[news].is_null());
            assert!(has_ops || has_news, "{scenario}: {event:?}");
        }
    }
}

#[test]
fn from_every_event_on_there_is_exactly_the_rest() {
    let site = Site::stepwise();
    for scenario in SCENARIOS {
        let answer = site.ask(scenario);
        let events = one_by_one(&site, &answer);
        let whole = Known::all(events.iter().cloned());
        let mut known = Known::default();
        for (number, event) in events.iter().enumerate() {
            known.take(event);
            if number + 1 == events.len() {
                let last = event.id.to_string();
                let path = format!("/answers/{answer}/events");
                let response = site.request("GET", &path, &[("Last-Event-ID", &last)], "");
                assert_eq!(response.status(), 204, "there is no more, and never will be");
                break;
            }
            let mut resumed = known.clone();
            site.events(&answer, Some(event.id)).for_each(|event| resumed.take(&event));
            assert_eq!(resumed, whole, "{scenario}, from event {} on", event.id);
        }
    }
}

#[test]
fn a_connection_that_is_lost_at_any_moment_goes_on() {
    let site = Site::stepwise();
    let whole = Known::all(one_by_one(&site, &site.ask("charged_twice")).into_iter());
    let answer = site.ask("charged_twice");
    let mut known = Known::default();
    let mut last = None;
    loop {
        let mut events = site.events(&answer, last);
        let (newest, has_ended) = site.step(&answer, 3);
        while last.unwrap_or(0) < newest {
            let event = events.next().unwrap();
            known.take(&event);
            last = Some(event.id);
        }
        if has_ended {
            break;
        }
        assert_eq!(site.post(&format!("/answers/{answer}/disconnect")).status(), 204);
        assert!(events.next().is_none());
        // The model goes on, and nobody is there.
        site.step(&answer, 2);
    }
    assert_eq!(known, whole);
}

#[test]
fn an_event_that_never_was_is_refused() {
    let site = Site::stepwise();
    let answer = site.ask("tasting");
    let (newest, _) = site.step(&answer, 20);
    let path = format!("/answers/{answer}/events");
    let above = (newest + 1).to_string();
    for id in [above.as_str(), "-1", "x", "", "99999999999999999999999"] {
        assert_eq!(site.request("GET", &path, &[("Last-Event-ID", id)], "").status(), 400, "{id}");
    }
}

#[test]
fn many_viewers_see_the_same() {
    let site = Site::stepwise();
    let answer = site.ask("broken_cases");
    let mut viewers = vec![site.events(&answer, None)];
    while !site.step(&answer, 10).1 {
        // Each comes later than the one before.
        viewers.push(site.events(&answer, None));
    }
    let known: Vec<_> = viewers.into_iter().map(Known::all).collect();
    assert!(known.len() > 5 && known.iter().all(|one| *one == known[0]));
    assert_eq!(Known::all(site.events(&answer, None)), known[0], "one that comes after the end");
}

#[test]
fn nobody_needs_to_look() {
    let site = Site::new(Pace::Fast);
    let answer = site.ask("cider");
    let known = Known::all(site.events(&answer, None));
    assert!(known.is_final("") && known.end["is_stopped"] == false);
}

#[test]
fn the_page_goes_on_where_it_lost_the_connection() {
    let Some(mut tab) = Tab::stepwise() else { return };
    tab.send("charged_twice");
    let answer = tab.evaluate("location.hash.slice(1)").as_str().unwrap().to_owned();
    for _ in 0..4 {
        tab.step(14);
        let before = tab.bubbles();
        tab.offline(true);
        tab.site.post(&format!("/answers/{answer}/disconnect"));
        tab.wait("document.querySelector('#connection').dataset.state === 'lost'");
        assert_eq!(tab.announcements().last().unwrap(), "Connection lost, connecting again …");
        // The model goes on meanwhile.
        let newest = tab.step_unseen(14);
        assert_eq!(tab.bubbles(), before);
        tab.offline(false);
        tab.wait("document.querySelector('#connection').dataset.state === 'connected'");
        tab.wait_for_event(newest);
        assert_eq!(tab.bubbles(), tab.known().bubbles());
    }
    tab.step_to_end();
    assert_eq!(tab.bubbles(), tab.known().bubbles());
    assert_eq!(tab.text(".prose"), "Of course.");
    assert_eq!(tab.text(".thinking p"), tab.known().thinking);
    assert_eq!(tab.count(".call"), 1);
    let ids = tab.evaluate("[...document.querySelectorAll('#events li')].map((item) => Number(item.dataset.id))");
    let ids: Vec<u64> = serde_json::from_value(ids).unwrap();
    assert!(ids.windows(2).all(|pair| pair[0] < pair[1]), "{ids:?}");
    tab.allow("ERR_INTERNET_DISCONNECTED");
    tab.done();
}

#[test]
fn an_answer_that_is_gone_is_said_to_be() {
    let Some(mut tab) = Tab::stepwise() else { return };
    tab.send("broken_cases");
    tab.step(50);
    let before = tab.bubbles();
    tab.site.restart();
    tab.wait("document.querySelector('.turn').dataset.state === 'error'");
    // Another answer of the new server is not taken for it.
    assert_eq!(tab.bubbles(), before);
    assert_eq!(tab.text(".ending"), "The server does not know this answer any more. What came before is kept.");
    assert_eq!(tab.text("#connection-text"), "Connection lost");
    assert_eq!(tab.count(".bubble[data-state=growing]"), 0);
    tab.reload();
    assert_eq!(tab.count(".turn"), 0);
    // And the page can be used as before.
    tab.send("tasting");
    tab.step_to_end();
    assert_eq!(tab.bubbles(), tab.known().bubbles());
    tab.allow("404");
    tab.allow("ERR_CONNECTION_REFUSED");
    tab.allow("ERR_INCOMPLETE_CHUNKED_ENCODING");
    tab.done();
}

#[test]
fn an_answer_that_makes_room_is_stopped() {
    let Some(mut tab) = Tab::stepwise() else { return };
    tab.send("broken_cases");
    tab.step(50);
    let before = tab.bubbles();
    for _ in 0..KEPT {
        tab.site.ask("tasting");
    }
    tab.wait("document.querySelector('.turn').dataset.state === 'stopped'");
    assert_eq!(tab.bubbles(), before);
    tab.done();
}

#[test]
fn answers_that_are_never_found_do_not_block_the_next() {
    let Some(mut tab) = Tab::stepwise() else { return };
    // What a browser does with a status that is no success.
    tab.evaluate(
        "window.EventSource = class { static CLOSED = 2; readyState = 2; constructor() { setTimeout(() => this.onerror()); } }",
    );
    for count in 1..=3 {
        tab.click("#send");
        tab.wait(&format!("document.querySelectorAll('.turn[data-state=error]').length === {count}"));
    }
    tab.done();
}
