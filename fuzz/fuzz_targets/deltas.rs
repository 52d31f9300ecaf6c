//! Laws 2, 3, 4 and 8: deltas add up, what is final stays, snapshots stand still.
#![no_main]

use std::collections::BTreeMap;

use jsonrill::{Delta, Duplicates, Op, Parser, Snapshot, Update};
use jsonrill_fuzz::{Replicas, read, walk};
use serde_json::Value;

/// How many snapshots are kept to see that they stand still.
const KEPT: usize = 12;

#[derive(Default)]
struct Watch {
    replicas: Replicas,
    /// What was said to be final, by document and path, with its value then.
    finals: BTreeMap<(u32, String), Value>,
    /// Snapshots, with what they said when they were taken.
    kept: Vec<(u32, Snapshot, String)>,
}

impl Watch {
    fn see(&mut self, update: &Update) {
        for part in update.parts() {
            let document = part.document();
            let replica = self.replicas.entry(document).or_insert(Value::Null);
            let ops = part.delta().to_ops();
            assert_eq!(ops.is_empty(), part.delta().is_empty());
            let mut in_one = replica.clone();
            part.delta().apply(&mut in_one).expect("a delta applies to what came before");
            for op in &ops {
                op.apply(replica).expect("the ops of an update apply to what came before");
                if let Op::Final { path } = op {
                    assert!(part.is_final(path.as_str()), "{path} has a final op, so it is final");
                    assert!(!part.is_ambiguous(path.as_str()), "{path} is final, so it is not ambiguous");
                    let value = part.snapshot().at(path.as_str()).to_value();
                    let before = self.finals.insert((document, path.clone()), value);
                    assert!(before.is_none(), "{path} became final twice");
                }
            }
            assert_eq!(*replica, part.snapshot().to_value(), "op by op");
            assert_eq!(*replica, in_one, "in one call");
            let text = serde_json::to_string(&part.delta()).expect("a delta can be written");
            match serde_json::from_str::<Vec<Op>>(&text) {
                Ok(reread) => assert_eq!(reread.len(), ops.len()),
                // It reads 127 levels, and a document has up to 512.
                Err(error) => assert!(error.to_string().starts_with("recursion limit"), "{error}"),
            }
            std::hint::black_box(part.delta().to_value());
            if self.kept.len() < KEPT {
                self.kept.push((document, part.snapshot().clone(), part.snapshot().to_string()));
            }
        }
    }
}

jsonrill_fuzz::mutate_as!(jsonrill_fuzz::mutate::Layout::Cut);

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some(input) = read(data) else { return };
    let mut parser = Parser::with_options(input.options);
    let mut watch = Watch::default();
    for (index, piece) in input.pieces.iter().enumerate() {
        if index % 3 == 2 {
            parser.push(piece);
        } else {
            watch.see(&parser.feed(piece));
        }
    }
    let finished = parser.finish(input.end);
    watch.see(finished.update());

    let mut documents: BTreeMap<u32, Snapshot> = BTreeMap::new();
    for document in finished.documents() {
        documents.insert(document.number, document.snapshot.clone());
    }
    documents.insert(finished.update().document(), finished.snapshot().clone());

    for ((document, path), value) in &watch.finals {
        if let Some(snapshot) = documents.get(document) {
            assert_eq!(snapshot.at(path.as_str()).to_value(), *value, "{path} was final and changed");
            assert!(snapshot.is_final(path.as_str()), "{path} was final and is not any more");
        }
    }
    for (document, snapshot, text) in &watch.kept {
        assert_eq!(snapshot.to_string(), *text, "a snapshot changed");
        if let Some(last) = documents.get(document) {
            let mut replica = snapshot.to_value();
            Delta::between(snapshot, last).apply(&mut replica).expect("a delta applies to the old snapshot's value");
            assert_eq!(replica, last.to_value(), "the delta from an old snapshot to the end");
        }
    }
    // Every final value had its op, once.
    if !matches!(input.duplicates, Duplicates::Last) {
        let document = finished.update().document();
        walk(finished.snapshot().root(), &mut |value| {
            let told = watch.finals.contains_key(&(document, value.path()));
            assert_eq!(value.is_final(), told, "{} is final without an op, or the other way round", value.path());
        });
    }
});
