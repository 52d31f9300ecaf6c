"""One peer in Python on one document, in a process of its own.

What it is asked and what it prints: see the runner in Rust, `src/runner/main.rs`.
"""

import array
import json
import math
import sys
import time


def say(**line):
    print(json.dumps(line), flush=True)


def read_text(file):
    with open(file, encoding="utf-8", newline="") as source:
        return source.read()


# Those that keep no state: the value of a text that is not over. A peer is only loaded where it is wanted.
def stateless(peer):
    if peer == "json_repair":
        import json_repair

        # As its documentation says for streams. What is valid is read by `json`, as everywhere.
        return lambda text: json_repair.loads(text, stream_stable=True)
    if peer == "jiter":
        import jiter

        return lambda text: jiter.from_json(text.encode(), partial_mode="trailing-strings")
    if peer == "partial-json-parser":
        import partial_json_parser

        return partial_json_parser.loads
    raise SystemExit(f"no such peer: {peer}")


# Those of a whole text.
def repairer(peer):
    if peer == "json_repair":
        import json_repair

        return json_repair.loads
    if peer == "jsonmend":
        import jsonmend

        return jsonmend.loads
    if peer == "jiter":
        import jiter

        return lambda text: jiter.from_json(text.encode())
    if peer == "partial-json-parser":
        import partial_json_parser

        return partial_json_parser.loads
    raise SystemExit(f"no such peer: {peer}")


def read(value, path):
    """The string at a path in a value, as a number that depends on it."""
    for step in path:
        try:
            value = value[step]
        except (LookupError, TypeError):
            return 0
    return len(value) if isinstance(value, str) else 0


def stream(peer, text, ends, path):
    tally = 0
    if peer == "jsonmend":
        import jsonmend

        mender = jsonmend.Mender()
        start = 0
        for end in ends:
            tally += read(mender.feed(text[start:end]), path)
            start = end
        return tally
    parse = stateless(peer)
    for end in ends:
        try:
            value = parse(text[:end])
        except Exception:  # there is nothing to show
            continue
        tally += read(value, path)
    return tally


def cut(text, ends):
    """Cuts a text behind these bytes, or behind the character that they are in: the ends in characters."""
    data = text.encode()
    if len(data) == len(text):
        return list(ends)
    characters, at = [], 0
    ends = iter(sorted(set(ends)))
    end = next(ends, None)
    for index, character in enumerate(text):
        at += len(character.encode())
        if end is not None and at >= end:
            characters.append(index + 1)
            while end is not None and end <= at:
                end = next(ends, None)
    return characters


NOTHING = object()


def shown(peer, text, ends, is_over):
    if peer == "jsonmend":
        import jsonmend

        if is_over and ends is None:
            return jsonmend.loads(text)
        mender = jsonmend.Mender()
        value, start = NOTHING, 0
        for end in ends or [len(text)]:
            value = mender.feed(text[start:end])
            start = end
        if is_over:
            return mender.close()
        # It gives None before there is a value, and where that is null.
        return NOTHING if value is None else value
    return (repairer if is_over else stateless)(peer)(text)


def plain(value):
    """What JSON has no number for becomes null."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {str(key): plain(member) for key, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(element) for element in value]
    return value


def show(peer):
    say(ready=True)
    for line in sys.stdin:
        case = json.loads(line)
        text = case["text"]
        try:
            ends = cut(text, case["ends"]) if case.get("ends") else None
            value = shown(peer, text, ends, case["end"])
        except Exception:  # it shows nothing
            say(id=case["id"])
            continue
        if value is NOTHING:
            say(id=case["id"])
        else:
            say(id=case["id"], shown=plain(value))


def timed(runs, seconds, run):
    say(ready=True)
    taken, made = 0, None
    for _ in range(runs):
        start = time.perf_counter()
        made = run()
        elapsed = time.perf_counter() - start
        say(seconds=elapsed)
        taken += elapsed
        if taken >= seconds:
            break
    return made


def peak_memory():
    """The most memory that this process has had, in MB: see `peak` in src/runner/main.rs."""
    with open("/proc/self/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:")) / 1024


def main(work, peer, *rest):
    if work == "show":
        return show(peer)
    text = read_text(rest[0])
    if work == "stream":
        ends = array.array("I")
        with open(rest[1], "rb") as source:
            ends.frombytes(source.read())
        if sys.byteorder == "big":
            ends.byteswap()
        ends = cut(text, ends)
        path = [int(step) if step.isdigit() else step for step in rest[2].split("/")[1:]]
        timed(int(rest[3]), float(rest[4]), lambda: stream(peer, text, ends, path))
        # Of what keeps no state, all is said by the whole text.
        made = shown(peer, text, [int(end) for end in ends], True)
        return say(right=made == json.loads(text))
    if work == "whole":
        parse = json.loads if peer == "json" else repairer(peer)
        made = timed(int(rest[1]), float(rest[2]), lambda: parse(text))
        return say(right=made == json.loads(text))
    if work == "repair":
        parse = repairer(peer)

        def run():
            try:
                return parse(text)
            except Exception:  # it gives up, or runs out of stack
                return None

        made = timed(int(rest[2]), float(rest[3]), run)
        with open(rest[1], "w", encoding="utf-8") as out:
            json.dump(plain(made), out)
        return say(done=True)
    if work == "split":
        from langchain_text_splitters import RecursiveJsonSplitter

        made = timed(
            int(rest[2]),
            float(rest[3]),
            lambda: RecursiveJsonSplitter(2000).split_text(json.loads(text), convert_lists=True),
        )
        peak = peak_memory()
        with open(rest[1], "w", encoding="utf-8") as out:
            out.write("\n".join(made))
        return say(done=True, peak=peak)
    raise SystemExit("see src/runner/main.rs")


if __name__ == "__main__":
    main(*sys.argv[1:])
