"""Writes the expected results of `RecursiveJsonSplitter`: what the real package gives for documents of all shapes.

    python3 tests/data/splitter/generate.py

makes a virtual environment, installs the package from the package index, and writes `langchain.jsonl` and
`openapi.json` beside this file. The fixtures are committed, so that tests need no Python. Everything is seeded: the
same package gives the same files.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import venv
import zlib
from pathlib import Path

PACKAGE = "langchain-text-splitters==1.1.3"
HERE = Path(__file__).parent

if os.environ.get("SPLIT_FIXTURES") != "inside":
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = Path(folder) / "bin" / "python"
        subprocess.run([python, "-m", "pip", "install", "--quiet", PACKAGE], check=True)
        environment = {**os.environ, "SPLIT_FIXTURES": "inside"}
        sys.exit(subprocess.run([python, __file__], env=environment).returncode)

from langchain_text_splitters import RecursiveJsonSplitter  # noqa: E402

RANDOM = random.Random(20261130)

WORDS = (
    "lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore et dolore magna "
    "aliqua naïve café Zürich 東京 日本語 Ελλάδα москва 😀 👩‍👩‍👧 \u007f \u2028 quote\" back\\slash tab\t line\n nul\u0000"
).split(" ")


def words(count):
    return " ".join(RANDOM.choice(WORDS) for _ in range(count))


def scalar():
    return RANDOM.choice(
        [
            lambda: None,
            lambda: True,
            lambda: False,
            lambda: RANDOM.randrange(-(10**6), 10**6),
            lambda: RANDOM.randrange(10**30),
            lambda: RANDOM.uniform(-1, 1) * 10 ** RANDOM.randrange(-30, 30),
            lambda: float(RANDOM.randrange(10**17)),
            lambda: "",
            lambda: words(RANDOM.randrange(1, 4)),
            lambda: words(RANDOM.randrange(1, 30)),
        ]
    )()


def value(depth):
    if depth == 0 or RANDOM.random() < 0.35:
        return scalar()
    count = RANDOM.choice([0, 1, 2, 3, 5, 8])
    if RANDOM.random() < 0.3:
        return [value(depth - 1) for _ in range(count)]
    return {RANDOM.choice(["", "k", "key ", "é", "0", "a/b~c"]) + str(i): value(depth - 1) for i in range(count)}


def nested(levels, leaf):
    for level in range(levels):
        leaf = {f"level{level}": leaf}
    return leaf


def spelled(text):
    """Half of a surrogate pair is printed as its escape, which is what one must write where strings are UTF-8."""
    return "".join(f"\\u{ord(c):04x}" if 0xD800 <= ord(c) <= 0xDFFF else c for c in text)


def outcome(work):
    try:
        return {"result": work()}
    except (TypeError, IndexError) as error:
        return {"error": [type(error).__name__, str(error)]}


CASES = []


def case(name, texts, size=2000, least=None, convert_lists=False, ensure_ascii=True, metadatas=None):
    """Runs the package on JSON texts."""
    splitter = RecursiveJsonSplitter(size, least)
    data = [json.loads(text) for text in texts]
    line = {
        "name": name,
        "texts": texts,
        "max": size,
        "min": least,
        "convert_lists": convert_lists,
        "ensure_ascii": ensure_ascii,
        "metadatas": metadatas,
    }
    line["json"] = [outcome(lambda: [json.dumps(c) for c in splitter.split_json(d, convert_lists)]) for d in data]
    line["text"] = [
        outcome(lambda: [spelled(t) for t in splitter.split_text(d, convert_lists, ensure_ascii)]) for d in data
    ]
    if name.startswith("documents"):
        line["documents"] = outcome(
            lambda: [
                {"page_content": spelled(d.page_content), "metadata": d.metadata}
                for d in splitter.create_documents(data, convert_lists, ensure_ascii, metadatas)
            ]
        )
    if len(texts[0]) > 100_000:
        # What is long is compared by what it hashes to; the text is a file of its own.
        line["texts"] = ["openapi.json"]
        for part in ("json", "text"):
            result = line[part][0]["result"]
            line[part] = [{"count": len(result), "crc32": zlib.crc32("\n".join(result).encode())}]
    CASES.append(line)


# --- shapes that were thought of ---------------------------------------------------------------------------------------

for name, text in {
    "empty object": "{}",
    "null": "null",
    "empty list": "[]",
    "list": "[1, 2]",
    "list of objects": '[{"a": 1}, {"b": [2, {"c": 3}]}]',
    "integer": "7",
    "big integer": "123456789012345678901234567890",
    "minus zero": "-0",
    "float": "7.0",
    "float exponent": "1e5",
    "string": '"x"',
    "true": "true",
    "false": "false",
    "NaN": "NaN",
    "infinity": "Infinity",
    "minus infinity": "-Infinity",
}.items():
    case(f"root: {name}", [text])
    case(f"root: {name}, converted", [text], convert_lists=True)

numbers = (
    "0 -0 -0.0 0.0 1 -1 1.0 1.50 1e0 1E5 1e15 1e16 1e17 123456789012345678 1234567890123456.0 12345678901234567.0 "
    "0.1 0.0001 0.00001 0.00012345 1e-4 1e-5 1.5e-7 5e-324 2.2250738585072014e-308 1.7976931348623157e308 1e308 1e309 "
    "-1e400 1e-400 9007199254740993 9007199254740993.0 0.30000000000000004 100 1e2 1e22 1e23 123e-2 "
    "1234567890123456789012345678901234567890 -98765432109876543210 3.141592653589793238 NaN Infinity -Infinity"
).split()
for size in (20, 60, 2000):
    case(f"numbers, {size}", ["{" + ", ".join(f'"{n}": {n}' for n in numbers) + "}"], size)
    case(f"numbers in a list, {size}", ["[" + ", ".join(numbers) + "]"], size, convert_lists=True)
case("number texts", ['{"' + '9' * 300 + '": ' + "9" * 300 + ', "b": 0.' + "3" * 300 + "}"], 100)

escapes = r'"\"\\\/\b\f\n\r\t\u0000\u001f\u0020\u0041\u007f\u0080\u00e9\u20AC\u20ac\uD83D\uDE00\ud83d \ude00\ud83d\ud83d\ude00"'
for size in (30, 100, 300):
    for ascii in (True, False):
        text = '{"raw": "é漢😀\u2028\u007f", "escaped": ' + escapes + ', "\\u006bey": 1, "k\\u00e9y": 2, "x": {"😀": "\\udc00"}}'
        case(f"strings, {size}, {ascii}", [text], size, ensure_ascii=ascii)

for name, text in {
    "first place, last value": '{"a": 1, "b": 2, "a": 3}',
    "escaped key": '{"a": 1, "b": 2, "\\u0061": {"c": [1]}}',
    "nested": '{"a": {"x": 1, "y": 2, "x": {"z": 1, "z": 2}}, "b": 1, "a": {"y": 1, "x": 2, "y": 3}}',
    "in a list": '{"l": [{"a": 1, "a": 2}, {"a": 1}]}',
    "many": "{" + ", ".join(f'"k{i % 7}": {i}' for i in range(50)) + "}",
}.items():
    for size in (12, 30, 2000):
        case(f"duplicates: {name}, {size}", [text], size)
        case(f"duplicates: {name}, {size}, converted", [text], size, convert_lists=True)

plain = {"z": 1, "a": {"y": "why", "b": {"x": [1, 2, {"k": "v"}], "c": {}}, "e": []}, "m": "text " * 10, "n": None}
for size in (0, 1, 2, 3, 10, 20, 21, 22, 23, 40, 60, 80, 100, 2000):
    for least in (None, 0, 1, 2, 3, 10, 50, 1000):
        for convert in (False, True):
            case(f"sizes: {size}, {least}, {convert}", [json.dumps(plain)], size, least, convert)

# The member is as large as the room, and one smaller.
for length in range(0, 14):
    text = json.dumps({"a": "x" * 10, "b": "y" * length, "c": 1})
    for least in (None, 2, 20):
        case(f"strictly smaller: {length}, {least}", [text], 40, least)

for levels in (3, 20, 60):
    for size in (10, 60, 200):
        case(f"deep: {levels}, {size}", [json.dumps(nested(levels, {"a": 1, "b": "x" * 30, "c": {}}))], size)
        case(f"deep list: {levels}, {size}", [json.dumps(nested(levels, [1, [2, [3]], {"a": []}]))], size, convert_lists=True)
case("deep: faults", [json.dumps(nested(30, {"a": "x" * 20, "b": "y" * 20}))], 100, 2)

for size in (50, 100, 300):
    case(f"fault: list not split, {size}", [json.dumps({"items": [{"id": i} for i in range(50)]})], size)
    case(f"fault: list split as object, {size}", [json.dumps({"items": [{"id": i} for i in range(50)]})], size, convert_lists=True)
    case(f"fault: long string, {size}", [json.dumps({"a": 1, "text": "x" * 400, "b": 2})], size)
    case(f"fault: empty chunks, {size}", [json.dumps({"a": "x" * 400, "b": {"c": "y" * 400}, "d": {"e": {}}})], size, 0)
    case(f"fault: empty chunk at the end, {size}", [json.dumps({"a": "x" * 400, "b": {"c": "y" * 400}})], size, 1)
    case(f"fault: torn object, {size}", [json.dumps({f"r{i}": {"id": i, "name": "n" * 20, "x": "y" * 20} for i in range(9)})], size)
    case(f"fault: path over the cap, {size}", [json.dumps({"p" * 40: {"q" * 40: {"r": "s" * (size - 20), "t": 1}}})], size)
    case(f"fault: minimum over the cap, {size}", [json.dumps({"a": 1, "b": "x" * size, "c": "y" * size})], size, size * 2)
    case(f"fault: size of escaped text, {size}", [json.dumps({"a": "漢" * 10, "b": "字" * 10})], size, ensure_ascii=False)

# --- documents ----------------------------------------------------------------------------------------------------------

some = ['{"a": 1, "b": {"c": 2}}', "{}", '{"d": 3}', "null"]
for metadatas in (None, [], [{}, {}, {}, {}], [{"source": "é.json", "n": [1, {"x": None}]}, {}, {"page": 3}, {}], [{"n": 1}]):
    case(f"documents: {metadatas}", some, 12, 2, metadatas=metadatas)
case("documents: too few, but no chunk needs them", ["{}", "null"], metadatas=[{"n": 1}])
case("documents: no object", ['{"a": 1}', "[1]", "3"], metadatas=[{"n": 1}] * 3)
case("documents: lists", ['{"a": 1}', "[1, [2]]", "[]"], convert_lists=True, metadatas=[{"n": i} for i in range(3)])

# --- anything -----------------------------------------------------------------------------------------------------------

for number in range(160):
    document = value(4)
    if not isinstance(document, dict) and RANDOM.random() < 0.8:
        document = {"root": document, "next": value(3)}
    separators = RANDOM.choice([None, (",", ":"), (" ,\n", "\t: ")])
    text = json.dumps(document, ensure_ascii=RANDOM.random() < 0.5, separators=separators)
    size = RANDOM.choice([5, 30, 60, 100, 250, 500, 2000])
    least = RANDOM.choice([None, None, 0, 2, 30, size, size * 2])
    case(f"random {number}", [text], size, least, RANDOM.random() < 0.5, RANDOM.random() < 0.5)

# --- an OpenAPI document ------------------------------------------------------------------------------------------------


def schema(depth):
    kinds = ["string", "integer", "number", "boolean", "array", "object", "ref"] if depth else ["string", "integer", "ref"]
    kind = RANDOM.choice(kinds)
    if kind == "ref":
        return {"$ref": f"#/components/schemas/{RANDOM.choice(RESOURCES)}"}
    if kind == "array":
        return {"type": "array", "items": schema(depth - 1), "minItems": 0, "uniqueItems": RANDOM.random() < 0.2}
    if kind == "object":
        names = RANDOM.sample(FIELDS, RANDOM.randrange(1, 6))
        return {
            "type": "object",
            "required": names[:1],
            "properties": {name: schema(depth - 1) for name in names},
            "additionalProperties": False,
        }
    made = {"type": kind, "description": sentence()}
    if kind == "string":
        made |= RANDOM.choice([{}, {"format": "date-time"}, {"enum": RANDOM.sample(FIELDS, 3)}, {"maxLength": 255}])
    if kind == "number":
        made |= {"minimum": 0.0, "maximum": 1e6, "example": round(RANDOM.uniform(0, 1000), 2)}
    if kind == "integer":
        made |= {"format": "int64", "default": RANDOM.randrange(100)}
    return made


RESOURCES = (
    "Account Address Attachment Booking Calendar Campaign Comment Contact Contract Coupon Customer Delivery Device Event "
    "Invoice Label Lead Ledger Location Member Message Order Organisation Payment Payout Permission Plan Price Product "
    "Project Quote Refund Report Role Session Shipment Subscription Task Tax Team Ticket Transaction User Vendor Webhook"
).split()
FIELDS = (
    "id name title status created_at updated_at owner amount currency note tags country email phone quantity price total "
    "due_date priority url locale time_zone parent position visible archived reference external_id colour weight"
).split()
PHRASES = (
    "Returns the resource with this identifier|Fields that are not given keep their value|The caller needs the role of an "
    "owner|Amounts are in the smallest unit of the currency|Cursor of the page, from the answer before|Not found, or not "
    "visible to the caller|Prix hors taxes, arrondi à l'unité|Zeitzone nach IANA, z. B. Europe/Zürich|Ignored unless "
    "`expand` names it|A “soft” deletion: it can be undone for 30 days"
).split("|")


def sentence():
    return ". ".join(RANDOM.sample(PHRASES, RANDOM.randrange(1, 4))) + "."


def operation(verb, resource, many):
    answer = {"$ref": f"#/components/schemas/{resource}"}
    if many:
        answer = {"type": "object", "properties": {"data": {"type": "array", "items": answer}, "next": {"type": "string"}}}
    made = {
        "operationId": f"{verb}{resource}{'s' if many else ''}",
        "summary": f"{verb.capitalize()} {resource}",
        "description": sentence(),
        "tags": [resource],
        "parameters": [
            {"name": name, "in": "query", "required": False, "description": sentence(), "schema": schema(1)}
            for name in RANDOM.sample(FIELDS, RANDOM.randrange(1, 5))
        ],
        "responses": {
            "200": {"description": sentence(), "content": {"application/json": {"schema": answer}}},
            **{code: {"description": sentence(), "content": {}} for code in RANDOM.sample(["400", "401", "404", "409", "429"], 3)},
        },
        "security": [{"oauth": [f"{resource.lower()}:{verb}"]}, {}],
    }
    if verb in ("create", "update"):
        made["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema(2)}}}
    return made


def openapi():
    paths = {}
    for resource in RESOURCES:
        base = f"/v1/{resource.lower()}s"
        paths[base] = {"get": operation("list", resource, True), "post": operation("create", resource, False)}
        paths[base + "/{id}"] = {
            "get": operation("read", resource, False),
            "patch": operation("update", resource, False),
            "delete": operation("delete", resource, False),
        }
    return {
        "openapi": "3.1.0",
        "info": {"title": "Commerce", "version": "2026-11-30", "description": sentence(), "license": {"name": "MIT"}},
        "servers": [{"url": "https://api.example.com/v1"}, {"url": "https://sandbox.example.com/v1"}],
        "paths": paths,
        "components": {
            "schemas": {
                resource: {
                    "type": "object",
                    "description": sentence(),
                    "required": ["id"],
                    "properties": {name: schema(2) for name in RANDOM.sample(FIELDS, RANDOM.randrange(5, 11))},
                }
                for resource in RESOURCES
            },
            "securitySchemes": {"oauth": {"type": "oauth2", "flows": {}}},
        },
    }


text = json.dumps(openapi(), ensure_ascii=False, indent=1)
(HERE / "openapi.json").write_text(text + "\n")
for size in (300, 1000, 2000, 8000):
    for convert in (False, True):
        for ascii in (True, False):
            case(f"OpenAPI, {size}, {convert}, {ascii}", [text], size, None, convert, ascii)

lines = "".join(json.dumps(line, ensure_ascii=True, separators=(",", ":")) + "\n" for line in CASES)
(HERE / "langchain.jsonl").write_text(lines)
print(f"{len(CASES)} cases, {len(lines)} bytes; OpenAPI {len(text.encode())} bytes", file=sys.stderr)
