"""Judges what a peer shows."""

import json
import pathlib
import random

from . import running

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def same(one, other):
    """Equality as in JSON: true is not 1; numbers by what they are worth."""
    if is_number(one) and is_number(other):
        return one == other
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(value, other[key]) for key, value in one.items())
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other


def utf16(text):
    """As a program in JavaScript has it, where half of a pair is a part of the character."""
    return text.encode("utf-16-le", "surrogatepass")


def is_part(less, more, in_flight=False):
    """Whether all that one value says the other says, too: strings and containers may have gone on.

    A number in flight may have another value later, and be text.
    """
    if isinstance(less, str) and isinstance(more, str):
        return utf16(more).startswith(utf16(less))
    if isinstance(less, dict) and isinstance(more, dict):
        return all(key in more and is_part(value, more[key], in_flight) for key, value in less.items())
    if isinstance(less, list) and isinstance(more, list):
        return len(less) <= len(more) and all(is_part(one, other, in_flight) for one, other in zip(less, more))
    if in_flight and is_number(less) and (is_number(more) or isinstance(more, str)):
        return True
    return same(less, more)


def read(name):
    return json.loads((DATA / name).read_text(encoding="utf-8"))


def grade_prefix(case, shown, language):
    """`right`, `less` than is known, `nothing` though something is, or `wrong`: what the rest may not bear out."""
    if shown is None:
        return "right" if case.get("nothing") else "nothing"
    value = shown[0]
    rights = case["right"] + (case.get("right in UTF-16", []) if language == "JavaScript" else [])
    if any(same(value, right) for right in rights):
        return "right"
    return "less" if any(is_part(value, right) for right in case["right"]) else "wrong"


def grade_text(case, shown):
    """`right`, `wrong`, or `nothing`."""
    if shown is None:
        return "nothing"
    return "right" if any(same(shown[0], right) for right in case["right"]) else "wrong"


def cuts(text):
    """How a text is cut: as a whole, behind every byte, and three times at random; the ends in bytes."""
    size = len(text.encode())
    yield [size]
    yield list(range(1, size + 1))
    for seed in range(3):
        at = random.Random(f"{seed} {text}")
        yield sorted({at.randint(1, size) for _ in range(3)} | {size})


def behaviour(command, language, is_stateful):
    """All that is asked of one peer."""
    prefixes, texts = read("prefixes.json"), read("malformed.json")
    cases = []

    def ask(kind, text, ends, end):
        cases.append({"id": len(cases), "kind": kind, "text": text, "ends": ends, "end": end})
        return len(cases) - 1

    whole_prefixes = [ask("prefix", case["text"], None, False) for case in prefixes]
    whole_texts = [ask("text", case["text"], None, True) for case in texts]
    chunked = []
    if is_stateful:
        for case, is_over in [(case, False) for case in prefixes] + [(case, True) for case in texts]:
            if case["text"]:
                chunked.append([ask("chunked", case["text"], ends, is_over) for ends in cuts(case["text"])])

    def grow(kind, text):
        return ask(kind, text, list(range(1, len(text.encode()) + 1)) if is_stateful else None, False)

    # Every prefix of the texts, and of the valid ones that say the same.
    valid = [json.dumps(case["right"][0], ensure_ascii=False) for case in texts]
    whole_valid = [ask("valid", text, None, True) for text in valid]
    growing = {
        kind: [[grow(kind, text[:end]) for end in range(1, len(text) + 1)] for text in written]
        for kind, written in [("valid", valid), ("malformed", [case["text"] for case in texts])]
    }
    shown = running.shown(command, cases)

    def takes_back(ids):
        last = None
        for now in (shown[id] for id in ids):
            # Where there is nothing, the last one stays on the screen.
            if now is None:
                continue
            if last is not None and not is_part(last[0], now[0], in_flight=True):
                return True
            last = now
        return False

    result = {
        "prefixes": [
            {"grade": grade_prefix(case, shown[id], language), "shown": shown[id]}
            for case, id in zip(prefixes, whole_prefixes)
        ],
        "malformed": [
            {"grade": grade_text(case, shown[id]), "shown": shown[id]} for case, id in zip(texts, whole_texts)
        ],
        "damaged": [text for text, id in zip(valid, whole_valid) if not alike(shown[id], [json.loads(text)])],
        "takes back": {kind: [ids[-1] for ids in asked if takes_back(ids)] for kind, asked in growing.items()},
    }
    for kind, ids in result["takes back"].items():
        result["takes back"][kind] = [cases[id]["text"] for id in ids]
    if is_stateful:
        differ = [ids for ids in chunked if any(not alike(shown[ids[0]], shown[id]) for id in ids)]
        result["differ"] = [{"text": cases[ids[0]]["text"], "shown": [shown[id] for id in ids]} for ids in differ]
        result["chunked"] = len(chunked)
    return result


def alike(one, other):
    if one is None or other is None:
        return one is other
    return same(one[0], other[0])


def rows(value):
    if isinstance(value, dict):
        value = value.get("rows", value)
    return value if isinstance(value, list) else []


def share_right(meant, made):
    """Which part of the objects that are meant is in what was made, equal to the last leaf."""
    meant, made = rows(meant), rows(made)
    by_id = {json.dumps(row["id"]): row for row in made if isinstance(row, dict) and "id" in row}
    right = sum(same(row, by_id.get(json.dumps(row["id"]))) for row in meant)
    return right / max(len(meant), len(made), 1)
