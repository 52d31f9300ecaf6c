"""Who is raced, at what, and how each is used."""

from typing import NamedTuple


class Lane(NamedTuple):
    """One way to use one peer. The runner of its language knows it by this name."""

    name: str
    language: str
    how: str

    @property
    def package(self):
        return self.name.split(", ")[0]

    @property
    def least_growth(self):
        """How much longer it takes at least for a text ten times as long.

        What reads or copies all after every chunk has ten times as much to do ten times as often; half of that is safe.
        """
        return 50 if self.how.startswith(ANEW) or self.name == "jsonrill, owned value" else 10


class Sizes(NamedTuple):
    stream: tuple
    chunks: tuple
    whole: tuple
    repair: tuple
    split: tuple
    rounds: int
    seconds: float
    abort: float


MB = 1_000_000
QUICK = Sizes((5_000,), (16,), (10_000,), (16_000,), (100_000,), rounds=1, seconds=0.05, abort=20)
FULL = Sizes(
    (10_000, 100_000, MB, 10 * MB),
    (4, 16, 64),
    (MB, 10 * MB),
    (100_000, MB),
    (MB, 10 * MB),
    rounds=3,
    seconds=0.5,
    abort=60,
)

# What is read of a document after every chunk.
PATHS = {"records": "/0/name", "agent": "/trace/0/thought", "text": "/body"}
SHAPES = {
    "records": "an array of flat objects of about 120 bytes",
    "agent": "an agent's trace: nested calls, JSON in strings, many escapes",
    "text": "one long string in an object",
}

ANEW = "the value of the text so far, read again"
LIVE = "one live value, changed in place"
BY_HAND = "its events, put into one live value by 40 lines of ours"
EVENTS = "events only: no value"

OURS = "jsonrill, three views"

# A document in chunks, something read after each.
STREAM = [
    Lane(OURS, "Rust", "an owned snapshot, the delta read op by op, and whether one field may still change"),
    Lane("jsonrill, one field", "Rust", "an owned snapshot, one string of it read"),
    Lane(
        "jsonrill, owned value",
        "Rust",
        "all of the snapshot copied into a `serde_json::Value`: quadratic, as all that do so",
    ),
    Lane("actson, events", "Rust", EVENTS),
    Lane("jsonmodem, events", "Rust", EVENTS),
    Lane("jsonmodem, value by hand", "Rust", BY_HAND),
    Lane("jiter", "Rust", ANEW + " (`PartialMode::TrailingStrings`)"),
    Lane("jsonfix", "Rust", ANEW + " (`parse_partial`)"),
    Lane("partial-json-fixer", "Rust", ANEW + " (`fix_json`, then `serde_json`)"),
    Lane("llm_json", "Rust", ANEW + " (`loads`)"),
    Lane("jsonrepair", "Rust", ANEW + " (`repair_to_string`, then `serde_json`)"),
    Lane("jsonrepair-rs", "Rust", ANEW + " (`jsonrepair`, then `serde_json`)"),
    Lane("anyrepair", "Rust", ANEW + " (`jsonrepair`, then `serde_json`)"),
    Lane("jsonriver", "JavaScript", LIVE),
    Lane("@streamparser/json", "JavaScript", LIVE + " (partial tokens and values)"),
    Lane("partial-json", "JavaScript", ANEW),
    Lane("jsonrepair", "JavaScript", ANEW + ", then `JSON.parse`"),
    Lane("ai, parsePartialJson", "JavaScript", ANEW),
    Lane("jsonmend", "Python", LIVE + " (`Mender`)"),
    Lane("jiter", "Python", ANEW + " (`partial_mode='trailing-strings'`)"),
    Lane("partial-json-parser", "Python", ANEW),
    Lane("json_repair", "Python", ANEW + " (`stream_stable=True`)"),
]

# A whole, valid document.
WHOLE = [
    Lane("jsonrill, strict", "Rust", "its document, to be read and looked at"),
    Lane("jsonrill, lenient", "Rust", "the same"),
    Lane("jsonrill, lenient, owned value", "Rust", "a `serde_json::Value` made of that"),
    Lane("serde_json", "Rust", "`Value`"),
    Lane("sonic-rs", "Rust", "`Value`"),
    Lane("simd-json, owned value", "Rust", "`OwnedValue`; writes into the text"),
    Lane("simd-json, tape", "Rust", "a tape of nodes; writes into the text"),
    Lane("jiter", "Rust", "`JsonValue`, owned"),
    Lane("actson, events", "Rust", EVENTS),
    Lane("jsonmodem, events", "Rust", EVENTS),
    Lane("JSON.parse", "JavaScript", "for orientation"),
    Lane("json", "Python", "for orientation"),
    Lane("jiter", "Python", "for orientation"),
]

# A whole, malformed text, as each peer's documentation says to read one.
REPAIR = [
    Lane("jsonrill", "Rust", "`repair`"),
    Lane("jsonrepair", "Rust", "`repair_to_string`"),
    Lane("jsonrepair-rs", "Rust", "`jsonrepair`"),
    Lane("jsonfix", "Rust", "`repair_extract`"),
    Lane("llm_json", "Rust", "`repair_json`"),
    Lane("anyrepair", "Rust", "`jsonrepair`"),
    Lane("partial-json-fixer", "Rust", "`fix_json_parse`"),
    Lane("jsonrepair", "JavaScript", "`jsonrepair`"),
    Lane("jsonmend", "Python", "`loads`"),
    Lane("json_repair", "Python", "`loads`"),
]

SPLIT = [
    Lane("jsonrill", "Rust", "`Splitter`: chunks that say where they come from"),
    Lane("jsonrill, as the package", "Rust", "`RecursiveJsonSplitter`: the lines of the package"),
    Lane("langchain-text-splitters", "Python", "`RecursiveJsonSplitter`"),
]


class Shown(NamedTuple):
    """A peer whose values are looked at, and whether it keeps a state between chunks."""

    lane: Lane
    is_stateful: bool


SHOW = [
    Shown(Lane("jsonrill", "Rust", ""), True),
    Shown(Lane("jsonrill, strict", "Rust", ""), True),
    Shown(Lane("actson", "Rust", BY_HAND), True),
    Shown(Lane("jsonmodem", "Rust", BY_HAND), True),
    Shown(Lane("jiter", "Rust", ""), False),
    Shown(Lane("jsonfix", "Rust", ""), False),
    Shown(Lane("partial-json-fixer", "Rust", ""), False),
    Shown(Lane("llm_json", "Rust", ""), False),
    Shown(Lane("jsonrepair", "Rust", ""), False),
    Shown(Lane("jsonrepair-rs", "Rust", ""), False),
    Shown(Lane("anyrepair", "Rust", ""), False),
    Shown(Lane("jsonriver", "JavaScript", ""), True),
    Shown(Lane("@streamparser/json", "JavaScript", ""), True),
    Shown(Lane("partial-json", "JavaScript", ""), False),
    Shown(Lane("jsonrepair", "JavaScript", ""), False),
    Shown(Lane("ai, parsePartialJson", "JavaScript", ""), False),
    Shown(Lane("jsonmend", "Python", ""), True),
    Shown(Lane("jiter", "Python", ""), False),
    Shown(Lane("partial-json-parser", "Python", ""), False),
    Shown(Lane("json_repair", "Python", ""), False),
]

# What is known under this name, and could not be had.
MISSING = {"jsiphon": "JavaScript: npm has no package of this name (error E404)"}
