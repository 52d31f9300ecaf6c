//! A frozen state is a value of its own.

use jsonrill::{Checkpoint, ContextOptions, Contexts, Cut, Frozen, Overlap, Parser};
use std::fmt::Debug;
use std::thread;

use crate::outputs::outputs;

const fn is_owned<T: Clone + Debug + Send + Sync + 'static>() {}

const _: () = {
    is_owned::<Frozen>();
    is_owned::<Cut>();
    is_owned::<Overlap>();
    is_owned::<Contexts>();
    is_owned::<ContextOptions>();
    is_owned::<Checkpoint>();
};

const fn is_copy<T: Copy>() {}
const _: () = is_copy::<ContextOptions>();

#[test]
fn it_outlives_its_parser_on_another_thread() {
    let mut parser = Parser::new();
    parser.push(r#"{"items": [{"name": "Jane"}, {"name": "Jo"#);
    let frozen = parser.freeze();
    let before = outputs(&frozen);
    let copy = frozen.clone();
    let reader = thread::spawn(move || outputs(&copy));
    parser.push(r#"hn"}]}"#);
    drop(parser);
    assert_eq!(reader.join().unwrap(), before);
    assert_eq!(outputs(&frozen), before);
    assert_eq!(frozen.complete_part(), r#"{"items": [{"name": "Jane"}, {"name": "Jo"}]}"#);
}
