//! What models are asked for: sixty documents of many kinds and layouts, the same in every run.

use crate::random::Random;
use crate::syntax::{FOUR, Layout, Sort, Syntax, TWO, decode, quoted, render};

pub struct Document {
    pub name: String,
    pub syntax: Syntax,
}

pub const COUNT: usize = 60;

/// All of them.
pub fn documents() -> Vec<Document> {
    let written = WRITTEN.iter().map(|(name, text)| Document { name: (*name).to_owned(), syntax: Syntax::of(*text) });
    let generated = (0..COUNT - WRITTEN.len()).map(generated);
    written.chain(generated).collect()
}

type Builder = fn(&mut Random, usize) -> String;

/// What it is, how it is made, and how many entries make it small, middling and large.
const BUILDERS: &[(&str, Builder, [usize; 3])] = &[
    ("products", products, [3, 12, 60]),
    ("plan", plan, [2, 5, 14]),
    ("report", report, [1, 3, 8]),
    ("invoice", invoice, [2, 7, 20]),
    ("api", api, [1, 3, 8]),
    ("translations", translations, [4, 12, 40]),
    ("code", code, [2, 4, 10]),
    ("markdown", markdown, [1, 3, 8]),
    ("numbers", numbers, [40, 200, 900]),
    ("strings", strings, [12, 40, 150]),
    ("matrix", matrix, [6, 14, 30]),
    ("deep", deep, [6, 12, 24]),
    ("wide", wide, [20, 60, 200]),
    ("repetitive", repetitive, [8, 25, 80]),
    ("tree", tree, [1, 2, 3]),
    ("messages", messages, [3, 8, 25]),
    ("settings", settings, [3, 8, 20]),
    ("events", events, [5, 20, 70]),
];

const LAYOUTS: [Layout; 7] =
    [Layout::Minified, TWO, Layout::Line, FOUR, Layout::Mixed(2), Layout::Indented("\r\n", "\t"), Layout::Mixed(1)];

fn generated(index: usize) -> Document {
    let (kind, build, sizes) = BUILDERS[index % BUILDERS.len()];
    let round = index / BUILDERS.len();
    let mut random = Random::new(1000 + index as u64);
    let syntax = Syntax::of(build(&mut random, sizes[round % sizes.len()]));
    let layout = LAYOUTS[(index + round) % LAYOUTS.len()];
    let is_ascii = index % 5 == 3;
    let laid_out = render(&syntax, layout, |_, token, written| match token.sort {
        Sort::Text | Sort::Key if is_ascii => quoted(&decode(written), true),
        _ => written.to_owned(),
    });
    Document { name: format!("{kind} {layout:?}"), syntax: Syntax::of(laid_out.text) }
}

const NOUNS: &[&str] = &[
    "kettle", "lamp", "bicycle", "notebook", "umbrella", "window", "garden", "engine", "ticket", "harbour", "signal",
    "blanket", "mirror", "ladder", "compass", "violin", "basket", "anchor", "pillow", "bridge",
];
const ADJECTIVES: &[&str] = &[
    "green",
    "quiet",
    "folding",
    "wooden",
    "late",
    "bright",
    "heavy",
    "narrow",
    "early",
    "hollow",
    "spare",
    "blue",
    "second-hand",
    "waterproof",
    "small",
];
const NAMES: &[&str] =
    &["Ada", "Bo", "Chiara", "Dmitri", "Esi", "Farid", "Grace", "Hiroshi", "Inês", "Jónas", "Kwame", "Léa"];
const CITIES: &[&str] = &["Oslo", "Lagos", "Kyoto", "Quito", "Zürich", "Perth", "São Paulo", "Łódź"];
const SENTENCES: &[&str] = &[
    "The first results were better than expected, but the sample is small.",
    "Costs rose by 12% in March; most of that was freight.",
    "She said \"not yet\", and left the room.",
    "Nobody had checked the valve since 1998.",
    "See section 3.2 (and the appendix) for the method.",
    "It rained for eleven days: the river reached the lower road on the fourth.",
    "We recommend to wait, to measure again, and only then to decide.",
    "Two of the five teams had no plan at all!",
    "Prices are in euros, without tax.",
    "Is it worth it? For small shops, probably; for large ones, certainly.",
    "The old mill – closed in 1974 – is now a museum.",
    "A café on the corner sells the best cinnamon rolls in town.",
    "Results vary [1], {see below}, and should be read with care.",
    "The index fell from 104.2 to 99.8, i.e. by 4.2%.",
    "Every sensor reports once a minute, unless its battery is low.",
];

fn id(random: &mut Random) -> String {
    (0..8).map(|_| *random.pick(&['a', 'b', 'c', 'd', 'e', 'f', '0', '1', '2', '7', '9'])).collect()
}

fn title(random: &mut Random) -> String {
    format!("{} {}", random.pick(ADJECTIVES), random.pick(NOUNS))
}

fn text(random: &mut Random, sentences: usize) -> String {
    (0..sentences).map(|_| *random.pick(SENTENCES)).collect::<Vec<_>>().join(" ")
}

fn price(random: &mut Random) -> String {
    format!("{}.{:02}", random.within(1..500), random.within(0..100))
}

fn list(count: usize, mut entry: impl FnMut(usize) -> String) -> String {
    format!("[{}]", (0..count).map(&mut entry).collect::<Vec<_>>().join(","))
}

fn q(text: impl AsRef<str>) -> String {
    quoted(text.as_ref(), false)
}

fn products(random: &mut Random, count: usize) -> String {
    let items = list(count, |index| {
        let tags = list(random.within(0..4), |_| q(*random.pick(ADJECTIVES)));
        format!(
            r#"{{"id":{},"sku":{},"name":{},"price":{},"in_stock":{},"tags":{tags},"description":{}}}"#,
            index + 101,
            q(id(random)),
            q(title(random)),
            price(random),
            random.percent(70),
            q(text(random, 1)),
        )
    });
    format!(r#"{{"products":{items},"total":{count},"currency":"EUR","next":null}}"#)
}

fn plan(random: &mut Random, count: usize) -> String {
    let tools = ["search", "read_file", "run_tests", "ask_user"];
    let steps = list(count, |index| {
        let arguments = match random.within(0..3) {
            0 => format!(r#"{{"query":{},"limit":{}}}"#, q(title(random)), random.within(1..50)),
            1 => format!(r#"{{"path":{}}}"#, q(format!("src/{}/mod.rs", random.pick(NOUNS)))),
            _ => "{}".to_owned(),
        };
        format!(
            r#"{{"step":{},"thought":{},"tool":{},"arguments":{arguments},"depends_on":{},"done":false}}"#,
            index + 1,
            q(text(random, 2)),
            q(*random.pick(&tools)),
            list(index.min(2), |back| (index - back).to_string()),
        )
    });
    format!(
        r#"{{"goal":{},"assumptions":{},"steps":{steps},"fallback":{{"tool":"ask_user","arguments":{{"question":"Shall I stop?"}}}},"confidence":0.{}}}"#,
        q(text(random, 1)),
        list(3, |_| q(text(random, 1))),
        random.within(10..99),
    )
}

fn report(random: &mut Random, count: usize) -> String {
    let sections = list(count, |index| {
        let parts = list(2, |part| {
            format!(
                r#"{{"heading":{},"body":{},"figures":{}}}"#,
                q(format!("{}.{} The {}", index + 1, part + 1, title(random))),
                q((0..3).map(|_| text(random, 2)).collect::<Vec<_>>().join("\n\n")),
                list(random.within(0..3), |_| format!(
                    r#"{{"caption":{},"width":{}}}"#,
                    q(title(random)),
                    random.within(200..900)
                )),
            )
        });
        format!(r#"{{"title":{},"summary":{},"parts":{parts}}}"#, q(title(random)), q(text(random, 3)))
    });
    format!(
        r#"{{"report":{{"title":{},"author":{{"name":{},"city":{}}},"sections":{sections}}},"language":"en","pages":{}}}"#,
        q(title(random)),
        q(*random.pick(NAMES)),
        q(*random.pick(CITIES)),
        count * 4,
    )
}

fn invoice(random: &mut Random, count: usize) -> String {
    let lines = list(count, |index| {
        format!(
            r#"{{"line":{},"text":{},"quantity":{},"unit_price":{},"tax":{{"rate":0.{},"code":"A{}"}}}}"#,
            index + 1,
            q(title(random)),
            random.within(1..20),
            price(random),
            random.within(5..25),
            random.within(1..4),
        )
    });
    format!(
        r#"{{"invoice_number":{},"issued":"2026-0{}-1{}","seller":{{"name":{},"address":{{"street":{},"city":{},"zip":{}}}}},"buyer":{{"name":{},"vat":null}},"lines":{lines},"total":{},"paid":false,"notes":{}}}"#,
        q(format!("INV-{}", id(random))),
        random.within(1..10),
        random.within(0..10),
        q(title(random)),
        q(format!("{} {} street", random.within(1..99), random.pick(NOUNS))),
        q(*random.pick(CITIES)),
        q(format!("0{}", random.within(1000..9999))),
        q(*random.pick(NAMES)),
        price(random),
        q(text(random, 2)),
    )
}

fn api(random: &mut Random, count: usize) -> String {
    let mut paths = Vec::new();
    for index in 0..count {
        let noun = NOUNS[index * 3 % NOUNS.len()];
        let parameter = format!(
            r#"{{"name":"id","in":"path","required":true,"schema":{{"type":"integer","minimum":{}}}}}"#,
            random.within(0..3)
        );
        let answer = |noun: &str| {
            let schema = format!("{{\"$ref\":\"#/components/schemas/{noun}\"}}");
            format!(
                r#"{{"200":{{"description":"OK","content":{{"application/json":{{"schema":{schema}}}}}}},"404":{{"description":"Not found"}}}}"#
            )
        };
        paths.push(format!(
            r#""/{noun}s/{{id}}":{{"get":{{"summary":{},"parameters":[{parameter}],"responses":{}}},"delete":{{"summary":{},"parameters":[{parameter}],"responses":{{"204":{{"description":"Gone"}}}}}}}}"#,
            q(format!("Read a {noun}")),
            answer(noun),
            q(format!("Remove a {noun}")),
        ));
    }
    format!(
        r#"{{"openapi":"3.1.0","info":{{"title":{},"version":"1.{}.0"}},"servers":[{{"url":"https://api.example/v1"}}],"paths":{{{}}},"components":{{"schemas":{{}}}}}}"#,
        q(title(random)),
        random.within(0..9),
        paths.join(","),
    )
}

fn translations(random: &mut Random, count: usize) -> String {
    let texts: &[[&str; 4]] = &[
        ["Guardar", "保存", "Сохранить", "Speichern"],
        ["¿Está seguro?", "本当によろしいですか？", "Вы уверены?", "Sind Sie sicher?"],
        ["Añadir al carrito 🛒", "カートに入れる🛒", "В корзину 🛒", "In den Warenkorb 🛒"],
        ["Contraseña incorrecta", "パスワードが違います", "Неверный пароль", "Falsches Kennwort"],
        ["Volver", "戻る", "Назад", "Zurück"],
        ["Última actualización: {date}", "最終更新：{date}", "Обновлено: {date}", "Zuletzt geändert: {date}"],
    ];
    let entries: Vec<String> = (0..count)
        .map(|index| {
            let [es, ja, ru, de] = random.pick(texts);
            format!(
                r#"{}:{{"es":{},"ja":{},"ru":{},"de":{}}}"#,
                q(format!("{}.{}", NOUNS[index % NOUNS.len()], index)),
                q(es),
                q(ja),
                q(ru),
                q(de)
            )
        })
        .collect();
    format!(r#"{{"locales":["es","ja","ru","de"],"strings":{{{}}}}}"#, entries.join(","))
}

const PROGRAMS: &[&str] = &[
    "fn main() {\n    let names = vec![\"Ada\", \"Bo\"];\n    for name in &names {\n        println!(\"Hello, {name}!\");\n    }\n}\n",
    "import json\n\ndef load(path):\n\twith open(path, \"r\") as file:\n\t\treturn json.load(file)\n",
    "const config = {\"debug\": true, \"paths\": [\"C:\\\\temp\\\\x\", \"/tmp\"]};\nexport default config;\n",
    "SELECT name, COUNT(*) FROM \"orders\" WHERE note LIKE '%\\_%' GROUP BY name;",
    "grep -E \"^\\\\s*\\{\" *.json | sed 's/\"/\\\\\"/g'",
    "<div class=\"card\">\n  <a href=\"/x?y=1&z=[2]\">It's here</a>\n</div>",
];

fn code(random: &mut Random, count: usize) -> String {
    let files = list(count, |_| {
        format!(
            r#"{{"path":{},"content":{},"executable":{}}}"#,
            q(format!("lib/{}.rs", random.pick(NOUNS))),
            q((0..random.within(1..4)).map(|_| *random.pick(PROGRAMS)).collect::<String>()),
            random.percent(30),
        )
    });
    format!(r#"{{"commit":{},"files":{files},"message":{}}}"#, q(id(random)), q(text(random, 2)))
}

fn markdown(random: &mut Random, count: usize) -> String {
    let sections = [
        "# Title\n\nSome *emphasis* and a list:\n\n- one\n- two\n",
        "```json\n{\"id\": 1, \"name\": \"inner\"}\n```\n",
        "Here is the continuation:\n\n```rust\nlet x = [1, 2];\n```\n",
        "| a | b |\n|---|---|\n| 1 | `{}` |\n",
        "> I'm sorry, but that is how it was.\n\nSee [the manual](https://example.org/a_(b)).\n",
        "~~~\nplain ``` inside\n~~~\n",
    ];
    let pages = list(count, |index| {
        let body: Vec<&str> = (0..random.within(2..6)).map(|_| *random.pick(&sections)).collect();
        format!(
            r#"{{"slug":{},"order":{index},"markdown":{},"links":{}}}"#,
            q(format!("{}-{}", random.pick(NOUNS), index)),
            q(body.join("\n")),
            list(random.within(0..3), |_| q(format!("/wiki/{}", random.pick(NOUNS)))),
        )
    });
    format!(r#"{{"pages":{pages},"toc":{}}}"#, list(count, |index| format!(r#"{{"page":{index},"level":1}}"#)))
}

fn numbers(random: &mut Random, count: usize) -> String {
    list(count, |_| match random.within(0..6) {
        0 => format!("-{}", random.within(1..100)),
        1 => format!("{}.{}", random.within(0..100), random.within(1..1000)),
        2 => format!("{}e{}", random.within(1..10), random.within(1..12)),
        3 => random.within(100_000..999_999_999).to_string(),
        _ => random.within(0..1000).to_string(),
    })
}

fn strings(random: &mut Random, count: usize) -> String {
    let items = list(count, |_| match random.within(0..4) {
        0 => q(*random.pick(NOUNS)),
        1 => q(title(random)),
        2 => q(format!("{} – {}", random.pick(NAMES), random.pick(CITIES))),
        _ => q(text(random, 1)),
    });
    if count.is_multiple_of(2) { items } else { format!(r#"{{"words":{items}}}"#) }
}

fn matrix(random: &mut Random, count: usize) -> String {
    let ring = list(count, |_| {
        format!(
            "[{}.{},{}.{}]",
            random.within(1..180),
            random.within(100..999),
            random.within(1..90),
            id_digits(random)
        )
    });
    let rows = list(count, |row| list(5, |column| (row * column + random.within(0..3)).to_string()));
    format!(
        r#"{{"type":"Feature","geometry":{{"type":"Polygon","coordinates":[{ring}]}},"grid":{rows},"bbox":[[0,0],[10,20]]}}"#
    )
}

fn id_digits(random: &mut Random) -> usize {
    random.within(1000..9999)
}

fn deep(random: &mut Random, count: usize) -> String {
    let mut value = format!(r#"{{"value":{},"unit":"mm","tolerance":[0.1,0.2]}}"#, random.within(1..100));
    for level in 0..count {
        let noun = random.pick(NOUNS);
        value = match level % 3 {
            0 => format!(r#"{{"name":{},"{noun}":{value},"checked":true}}"#, q(title(random))),
            1 => {
                format!(r#"{{"level":{},"children":[{{"name":"first"}},{value}],"note":{}}}"#, count - level, q(*noun))
            }
            _ => format!(r#"{{"{noun}":{value}}}"#),
        };
    }
    value
}

fn wide(random: &mut Random, count: usize) -> String {
    let members: Vec<String> = (0..count)
        .map(|index| {
            let value = match random.within(0..5) {
                0 => random.within(0..5000).to_string(),
                1 => q(title(random)),
                2 => random.percent(50).to_string(),
                3 => list(random.within(0..4), |_| random.within(0..9).to_string()),
                _ => format!(r#"{{"min":{},"max":{}}}"#, random.within(0..10), random.within(10..99)),
            };
            format!("{}:{value}", q(format!("{}_{index}", random.pick(NOUNS))))
        })
        .collect();
    format!("{{{}}}", members.join(","))
}

/// The same records again and again: where a tail might be from any of them.
fn repetitive(random: &mut Random, count: usize) -> String {
    list(count, |index| {
        let status = if random.percent(80) { "ok" } else { "failed" };
        match count % 3 {
            // All the same but for a word.
            0 => format!(r#"{{"type":"point","x":0,"y":0,"status":"{status}","label":"n/a","weight":1.0}}"#),
            // The same with a number of its own.
            1 => format!(r#"{{"id":{index},"type":"point","x":0,"y":0,"status":"{status}","label":"n/a"}}"#),
            _ => format!(r#"{{"type":"point","x":0,"y":0,"status":"{status}","label":"n/a","id":{index}}}"#),
        }
    })
}

fn tree(random: &mut Random, depth: usize) -> String {
    let children = if depth == 0 { "[]".to_owned() } else { list(3, |_| tree(random, depth - 1)) };
    format!(
        r#"{{"kind":"folder","owner":"root","mode":493,"hidden":false,"name":{},"children":{children},"size":{}}}"#,
        q(*random.pick(NOUNS)),
        random.within(0..4096),
    )
}

fn messages(random: &mut Random, count: usize) -> String {
    list(count, |index| {
        if index % 4 == 3 {
            let arguments = format!(r#"{{"city":"{}","unit":"c"}}"#, random.pick(CITIES));
            return format!(
                r#"{{"role":"assistant","content":null,"tool_calls":[{{"id":{},"type":"function","function":{{"name":"weather","arguments":{}}}}}]}}"#,
                q(format!("call_{}", id(random))),
                q(arguments),
            );
        }
        let role = ["user", "assistant"][index % 2];
        let reactions = if random.percent(30) { r#","reactions":["👍","🎉"]"# } else { "" };
        let length = random.within(1..5);
        format!(r#"{{"role":"{role}","content":{}{reactions}}}"#, q(text(random, length)))
    })
}

fn settings(random: &mut Random, count: usize) -> String {
    let groups: Vec<String> = (0..count)
        .map(|index| {
            format!(
                r#"{}:{{"enabled":{},"owner":{},"rollout":{{"percent":{},"regions":{},"until":null}},"limits":{{"min":-{},"max":1e{}}},"comment":""}}"#,
                q(format!("{}-{index}", random.pick(ADJECTIVES))),
                random.percent(50),
                if random.percent(50) { "null".to_owned() } else { q(*random.pick(NAMES)) },
                random.within(0..101),
                list(random.within(0..3), |_| q(*random.pick(CITIES))),
                random.within(1..9),
                random.within(2..9),
            )
        })
        .collect();
    format!(r#"{{"version":2,"flags":{{{}}},"defaults":{{"enabled":false,"owner":null}}}}"#, groups.join(","))
}

fn events(random: &mut Random, count: usize) -> String {
    let mut clock = 1_767_225_600_000_usize;
    let items = list(count, |_| {
        clock += random.within(5..90_000);
        format!(
            r#"{{"ts":{clock},"level":{},"source":{},"values":{},"message":{}}}"#,
            q(*random.pick(&["info", "info", "warn", "error"])),
            q(*random.pick(NOUNS)),
            list(3, |_| price(random)),
            q(format!("{} ({} ms)", random.pick(SENTENCES), random.within(1..999))),
        )
    });
    format!(r#"{{"events":{items},"dropped":{},"ok":true}}"#, random.within(0..9))
}

/// Documents in layouts that no printer makes.
const WRITTEN: &[(&str, &str)] = &[
    (
        "card",
        r#"{"title": "Genmaicha", "subtitle": "Green tea with roasted rice", "origin": {"country": "Japan", "region": "Shizuoka"},
"steps": ["Warm the pot.", "Use one spoon for each cup.", "Pour at 80 °C, wait 90 s."],
"rating": 4.5, "vegan": true, "price": null}"#,
    ),
    (
        "quiz",
        "{\n  \"quiz\": \"Capitals\",\n  \"questions\": [\n    {\"q\": \"Capital of Norway?\", \"options\": [\"Oslo\", \"Bergen\", \"Tromsø\"], \"answer\": 0},\n    {\"q\": \"Capital of \\\"Down Under\\\"?\", \"options\": [\"Sydney\", \"Canberra\"], \"answer\": 1},\n    {\"q\": \"Capital of Brazil?\", \"options\": [\"São Paulo\", \"Rio de Janeiro\", \"Brasília\"], \"answer\": 2}\n  ],\n  \"scores\": {\"max\": 3, \"pass\": 2}\n}\n",
    ),
    (
        "recipe",
        "{ \"name\" : \"Cinnamon rolls\",\n  \"serves\" : 12 ,\n  \"ingredients\" : [ { \"item\" : \"flour\", \"grams\" : 500 }, { \"item\" : \"butter\", \"grams\" : 80 },\n                     { \"item\" : \"milk\", \"ml\" : 250 }, { \"item\" : \"sugar\", \"grams\" : 75 } ],\n  \"method\" : [ \"Mix and knead for ten minutes.\",\n               \"Let it rise until it has doubled;\\nabout an hour.\",\n               \"Roll, spread, cut, bake at 220 \\u00b0C.\" ],\n  \"notes\" : { \"freezes\" : true, \"source\" : \"grandmother\\u2019s book, p.\\u00a017\" }\n}",
    ),
    (
        "extraction",
        "[{\"person\": \"Dr. Inês Sá\", \"role\": \"witness\", \"quotes\": [\"I saw a light.\", \"It was \\ud83d\\udd34 red.\"], \"age\": 41},\n {\"person\": \"Kwame O.\", \"role\": \"driver\", \"quotes\": [], \"age\": null},\n {\"person\": \"unknown\", \"role\": \"caller\", \"quotes\": [\"Come quickly, please!\"], \"age\": null},\n {\"person\": \"Bo Li\", \"role\": \"officer\", \"quotes\": [\"We arrived at 22:40.\", \"Nobody was hurt.\"], \"age\": 35}]",
    ),
    (
        "table",
        "{\"columns\": [\"year\", \"north\", \"south\"],\n \"rows\": [\n   [2019, 12.5, 11.0],\n   [2020, 12.9, 10.8],\n   [2021, 13.4, 10.1],\n   [2022, 13.3, 9.75],\n   [2023, 14.0, 9.5]\n ], \"unit\": \"kt\", \"estimated\": [false, false, false, true, true]}",
    ),
    (
        "schema",
        "{\n\t\"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n\t\"type\": \"object\",\n\t\"properties\": {\n\t\t\"id\": {\"type\": \"string\", \"pattern\": \"^[a-z]{3}\\\\d+$\"},\n\t\t\"items\": {\"type\": \"array\", \"items\": {\"type\": \"object\", \"properties\": {\"id\": {\"type\": \"integer\"}, \"name\": {\"type\": \"string\"}}, \"required\": [\"id\"]}},\n\t\t\"nested\": {\"type\": \"object\", \"properties\": {\"items\": {\"type\": \"array\", \"items\": {\"type\": \"number\"}}}}\n\t},\n\t\"required\": [\"id\", \"items\"], \"additionalProperties\": false\n}",
    ),
];
