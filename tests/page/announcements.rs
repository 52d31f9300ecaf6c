//! What a screen reader says.

use serde_json::{Value, json};

use crate::browser::Tab;

#[test]
fn whole_things_are_announced_once_and_no_pieces() {
    let Some(mut tab) = Tab::stepwise() else { return };
    tab.send("broken_cases");
    let mut last = Vec::new();
    loop {
        let has_ended = tab.step(1);
        let said = tab.announcements();
        assert!(said.starts_with(&last), "nothing is said again");
        let known = tab.known();
        let whole: Vec<_> = (0..known.bubbles().len())
            .filter(|n| known.is_final(&format!("/bubbles/{n}")))
            .map(|n| known.bubbles()[n].to_owned())
            .collect();
        let bubbles: Vec<_> = said.iter().filter(|said| !said.contains(": ") || said.len() > 30).cloned().collect();
        assert_eq!(bubbles.into_iter().filter(|said| said != "Complete").collect::<Vec<_>>(), whole);
        last = said;
        if has_ended {
            break;
        }
    }
    assert_eq!(last[..3], ["is_adult: true", "need_admin: false", "refund: € 1185.00"]);
    assert_eq!((last.len(), last[6].as_str()), (7, "Complete"));
    tab.done();
}

#[test]
fn cuts_errors_calls_and_stops_are_announced() {
    let Some(mut tab) = Tab::stepwise() else { return };
    for (scenario, expected) in [
        ("tasting", "Cut off by the token limit"),
        ("birthday", "The provider failed: Overloaded (overloaded_error). What came before is kept."),
        ("charged_twice", "Tool page_admin called"),
        ("cider", "Complete, after"),
    ] {
        tab.send(scenario);
        tab.step_to_end();
        let said = tab.announcements();
        assert!(said.iter().any(|said| said.starts_with(expected)), "{scenario}: {said:?}");
        // What was cut is on the page, and is not said as if it were whole.
        let known = tab.known();
        for (number, bubble) in known.bubbles().iter().enumerate() {
            assert!(known.is_final(&format!("/bubbles/{number}")) || !said.contains(&(*bubble).to_owned()));
        }
    }
    tab.done();
}

#[test]
fn there_is_one_live_region_and_everything_has_a_name() {
    let Some(mut tab) = Tab::stepwise() else { return };
    tab.send("broken_cases");
    tab.step(60);
    let live = "[...document.querySelectorAll('[aria-live], [role=status], [role=log], [role=alert], output')]\
                .map((region) => [region.id, region.ariaLive, region.getAttribute('role')])";
    assert_eq!(tab.evaluate(live), json!([["announcements", "polite", "status"]]));
    assert_eq!(tab.count(".bubble[aria-busy=true]"), 1, "the one that grows");

    // As the browser tells it to a screen reader.
    let tree = tab.call("Accessibility.getFullAXTree", &json!({}));
    let is_live = |node: &&Value| node["role"]["value"] == "status" && node["ignored"] == false;
    let region = tree["nodes"].as_array().unwrap().iter().find(is_live).unwrap();
    let is_atomic = |property: &&Value| property["name"] == "atomic" && property["value"]["value"] == true;
    // A region that is atomic, as one with this role is by itself, is read from its beginning for each line that comes.
    assert_eq!(region["properties"].as_array().unwrap().iter().find(is_atomic), None);
    let mut roles = Vec::new();
    for node in tree["nodes"].as_array().unwrap().iter().filter(|node| node["ignored"] == false) {
        let role = node["role"]["value"].as_str().unwrap_or_default().to_owned();
        if ["button", "textbox", "radio", "radiogroup", "group", "form", "region", "complementary", "heading"]
            .contains(&role.as_str())
        {
            let name = node["name"]["value"].as_str().unwrap_or_default().trim();
            assert!(!name.is_empty() || role == "group", "no name: {node}");
            roles.push((role, name.to_owned()));
        }
    }
    for (role, name) in [
        ("heading", "jsonrill"),
        ("region", "Conversation"),
        ("complementary", "What the server sends"),
        ("heading", "You"),
        ("radio", "A whole answer"),
        ("textbox", "Your message"),
        ("button", "Send"),
        ("button", "Stop"),
        ("button", "Lose the connection"),
    ] {
        assert!(roles.contains(&(role.to_owned(), name.to_owned())), "{role} {name}: {roles:?}");
    }
    tab.done();
}
