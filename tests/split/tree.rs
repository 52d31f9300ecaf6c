//! Documents as trees of their source text, and the splitter as it is described: slow, and easy to see through.

/// A value, its scalars and keys as they are spelled.
#[derive(Debug, Clone)]
pub enum Node {
    Scalar(String),
    Array(Vec<Node>),
    Object(Vec<(String, Node)>),
}

/// A text without the blanks between its tokens.
pub fn minify(text: &str) -> String {
    let (mut out, mut in_string, mut escaped) = (String::new(), false, false);
    for character in text.chars() {
        if in_string {
            in_string = escaped || character != '"';
            escaped = !escaped && character == '\\';
        } else if matches!(character, ' ' | '\n' | '\r' | '\t') {
            continue;
        } else {
            in_string = character == '"';
        }
        out.push(character);
    }
    out
}

/// Reads a minified text.
pub fn parse(text: &mut &str) -> Node {
    match text.as_bytes()[0] {
        b'{' => Node::Object(children(text, '}')),
        b'[' => Node::Array(children(text, ']').into_iter().map(|(_, value)| value).collect()),
        _ => Node::Scalar(scalar(text)),
    }
}

fn children(text: &mut &str, close: char) -> Vec<(String, Node)> {
    let mut found = Vec::new();
    *text = &text[1..];
    while !text.starts_with(close) {
        *text = text.trim_start_matches(',');
        let key = if close == '}' { scalar(text) } else { String::new() };
        *text = text.trim_start_matches(':');
        found.push((key, parse(text)));
    }
    *text = &text[1..];
    found
}

fn scalar(text: &mut &str) -> String {
    let (mut in_string, mut escaped) = (false, false);
    let end = text.find(|character| {
        if in_string {
            in_string = escaped || character != '"';
            escaped = !escaped && character == '\\';
            return false;
        }
        in_string = character == '"';
        matches!(character, ',' | ':' | ']' | '}')
    });
    let (token, rest) = text.split_at(end.unwrap_or(text.len()));
    *text = rest;
    token.to_owned()
}

/// A step of a path: the place in the object or array, and the key if it is an object.
pub type Step = (usize, Option<String>);

impl Node {
    pub fn children(&self) -> Vec<(Step, &Node)> {
        match self {
            Self::Scalar(_) => vec![],
            Self::Array(elements) => elements.iter().enumerate().map(|(index, node)| ((index, None), node)).collect(),
            Self::Object(members) => {
                members.iter().enumerate().map(|(index, (key, node))| ((index, Some(key.clone())), node)).collect()
            }
        }
    }

    pub fn text(&self) -> String {
        render(&[(vec![], self.clone())])
    }

    /// All scalars and empty containers, with the path to each.
    pub fn leaves(&self) -> Vec<(Vec<Step>, String)> {
        let children = self.children();
        if children.is_empty() {
            return vec![(vec![], self.text())];
        }
        let mut leaves = Vec::new();
        for (step, child) in children {
            for (mut path, leaf) in child.leaves() {
                path.insert(0, step.clone());
                leaves.push((path, leaf));
            }
        }
        leaves
    }
}

/// Values at their paths, in the order of the document, as one document.
pub fn render(items: &[(Vec<Step>, Node)]) -> String {
    let mut text = String::new();
    let mut open: Vec<Step> = Vec::new();
    let close = |text: &mut String, open: &mut Vec<Step>, depth: usize| {
        while open.len() > depth {
            let step = open.pop().expect("not empty");
            text.push(if step.1.is_some() { '}' } else { ']' });
        }
    };
    for (path, node) in items {
        let shared = open.iter().zip(path).take_while(|(a, b)| a == b).count();
        // The last step of what is open is that of the value before.
        close(&mut text, &mut open, shared + 1);
        if let Some(last) = open.get_mut(shared) {
            text.push(',');
            *last = path[shared].clone();
            push_key(&mut text, last);
        }
        for step in path.iter().skip(open.len()) {
            text.push(if step.1.is_some() { '{' } else { '[' });
            push_key(&mut text, step);
            open.push(step.clone());
        }
        match node {
            Node::Scalar(scalar) => text.push_str(scalar),
            Node::Array(elements) => {
                let inner: Vec<_> = elements.iter().map(Node::text).collect();
                text.extend(["[", &inner.join(","), "]"]);
            }
            Node::Object(members) => {
                let inner: Vec<_> = members.iter().map(|(key, value)| format!("{key}:{}", value.text())).collect();
                text.extend(["{", &inner.join(","), "}"]);
            }
        }
    }
    close(&mut text, &mut open, 0);
    text
}

fn push_key(text: &mut String, step: &Step) {
    if let Some(key) = &step.1 {
        text.push_str(key);
        text.push(':');
    }
}

/// The chunks of a document, no string cut. `None` where a value fits into none.
pub struct Reference<'m> {
    pub max: usize,
    pub min: usize,
    pub measure: &'m dyn Fn(&str) -> usize,
    pub chunks: Vec<Vec<(Vec<Step>, Node)>>,
    pub current: Vec<(Vec<Step>, Node)>,
}

impl<'m> Reference<'m> {
    pub fn split(node: &Node, max: usize, min: usize, measure: &'m dyn Fn(&str) -> usize) -> Option<Vec<String>> {
        let mut reference = Self { max, min, measure, chunks: vec![], current: vec![] };
        let fits = reference.pack(vec![], node);
        reference.flush();
        fits.then(|| reference.chunks.iter().map(|chunk| render(chunk)).collect())
    }

    fn size(&self, items: &[(Vec<Step>, Node)]) -> usize {
        (self.measure)(&render(items))
    }

    fn flush(&mut self) {
        let current = std::mem::take(&mut self.current);
        if !current.is_empty() {
            self.chunks.push(current);
        }
    }

    fn pack(&mut self, path: Vec<Step>, node: &Node) -> bool {
        let item = (path.clone(), node.clone());
        self.current.push(item.clone());
        if self.size(&self.current) <= self.max {
            return true;
        }
        self.current.pop();
        let children = node.children();
        if children.is_empty() {
            if self.current.is_empty() {
                return false;
            }
            self.flush();
            return self.pack(path, node);
        }
        if !self.current.is_empty()
            && self.size(&self.current) >= self.min
            && self.size(std::slice::from_ref(&item)) <= self.max
        {
            self.flush();
            self.current.push(item);
            return true;
        }
        children.into_iter().all(|(step, child)| {
            let mut path = path.clone();
            path.push(step);
            self.pack(path, child)
        })
    }
}
