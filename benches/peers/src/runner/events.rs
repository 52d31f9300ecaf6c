//! Values kept by hand from the events of parsers that give no more: what their users write.

use actson::feeder::PushJsonFeeder;
use actson::{JsonEvent, JsonParser};
use jsonmodem::{ParseEvent, ParserOptions, PathComponent, StreamingParser};
use serde_json::{Map, Value};

/// jsonmodem, its events put into a value.
///
/// Its iterator ends while the last fragment of a string waits in it. It gives that when it is asked once more, else
/// with the next chunk; here it is asked.
pub struct Modem {
    parser: Option<StreamingParser>,
    pub value: Option<Value>,
    pub failed: bool,
}

impl Modem {
    pub fn new() -> Self {
        Self { parser: Some(StreamingParser::new(ParserOptions::default())), value: None, failed: false }
    }

    pub fn feed(&mut self, text: &str) {
        let Some(parser) = &mut self.parser else { return };
        parser.feed(text);
        for event in parser.by_ref() {
            match event {
                Ok(event) => put(&mut self.value, event),
                Err(_) => {
                    self.failed = true;
                    return;
                }
            }
        }
        if let Some(Ok(event)) = parser.next() {
            put(&mut self.value, event);
        }
    }

    pub fn finish(&mut self) {
        let Some(parser) = self.parser.take() else { return };
        for event in parser.finish() {
            match event {
                Ok(event) => put(&mut self.value, event),
                Err(_) => {
                    self.failed = true;
                    break;
                }
            }
        }
    }
}

fn put(root: &mut Option<Value>, event: ParseEvent) {
    match event {
        ParseEvent::Null { path } => *place(root, path) = Value::Null,
        ParseEvent::Boolean { path, value } => *place(root, path) = value.into(),
        ParseEvent::Number { path, value } => *place(root, path) = value.into(),
        ParseEvent::String { path, fragment, .. } => match place(root, path) {
            Value::String(text) => text.push_str(&fragment),
            other => *other = Value::String(fragment),
        },
        ParseEvent::ArrayStart { path } => *place(root, path) = Value::Array(Vec::new()),
        ParseEvent::ObjectBegin { path } => *place(root, path) = Value::Object(Map::new()),
        ParseEvent::ArrayEnd { .. } | ParseEvent::ObjectEnd { .. } => {}
    }
}

/// The place of a path, made where it is new.
fn place(root: &mut Option<Value>, path: Vec<PathComponent>) -> &mut Value {
    path.into_iter().fold(root.get_or_insert(Value::Null), |place, step| match (place, step) {
        (Value::Object(members), PathComponent::Key(key)) => members.entry(String::from(&*key)).or_insert(Value::Null),
        (Value::Array(elements), PathComponent::Index(index)) => {
            if index == elements.len() {
                elements.push(Value::Null);
            }
            &mut elements[index]
        }
        (place, _) => place,
    })
}

/// actson, its events put into a value. It gives a string when that is over.
pub struct Actson {
    parser: JsonParser<PushJsonFeeder>,
    pub value: Option<Value>,
    /// The keys that are open: of an object the one whose value is read, of an array none.
    open: Vec<Option<String>>,
    pub failed: bool,
}

impl Actson {
    pub fn new() -> Self {
        Self { parser: JsonParser::new(PushJsonFeeder::new()), value: None, open: Vec::new(), failed: false }
    }

    pub fn feed(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while !rest.is_empty() && !self.failed {
            let taken = self.parser.feeder.push_bytes(rest);
            rest = &rest[taken..];
            self.drain();
        }
    }

    pub fn finish(&mut self) {
        self.parser.feeder.done();
        self.drain();
    }

    fn drain(&mut self) {
        loop {
            let Ok(event) = self.parser.next_event() else {
                self.failed = true;
                return;
            };
            let text = || self.parser.current_str().map(str::to_owned).unwrap_or_default();
            let value = match event {
                Some(JsonEvent::NeedMoreInput) | None => return,
                Some(JsonEvent::FieldName) => {
                    let key = text();
                    if let Some(open) = self.open.last_mut() {
                        *open = Some(key);
                    }
                    continue;
                }
                Some(JsonEvent::EndObject | JsonEvent::EndArray) => {
                    self.open.pop();
                    continue;
                }
                Some(JsonEvent::StartObject) => Value::Object(Map::new()),
                Some(JsonEvent::StartArray) => Value::Array(Vec::new()),
                Some(JsonEvent::ValueString) => Value::String(text()),
                Some(JsonEvent::ValueInt | JsonEvent::ValueFloat) => serde_json::from_str(&text()).unwrap_or_default(),
                Some(JsonEvent::ValueTrue) => Value::Bool(true),
                Some(JsonEvent::ValueFalse) => Value::Bool(false),
                Some(JsonEvent::ValueNull) => Value::Null,
            };
            let is_open = value.is_object() || value.is_array();
            self.put(value);
            if is_open {
                self.open.push(None);
            }
        }
    }

    fn put(&mut self, value: Value) {
        let Some((last, above)) = self.open.split_last() else {
            self.value = Some(value);
            return;
        };
        let root = self.value.get_or_insert(Value::Null);
        let parent = above.iter().fold(root, |place, key| match (place, key) {
            (Value::Object(members), Some(key)) => members.entry(key.clone()).or_insert(Value::Null),
            (Value::Array(elements), _) => elements.last_mut().expect("what is open is there"),
            (place, _) => place,
        });
        match (parent, last) {
            (Value::Object(members), Some(key)) => drop(members.insert(key.clone(), value)),
            (Value::Array(elements), _) => elements.push(value),
            _ => {}
        }
    }
}
