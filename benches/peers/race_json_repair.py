"""Races Python's json_repair on the texts that `bars texts FOLDER` wrote.

    pip install json-repair
    cargo run --release --manifest-path benches/peers/Cargo.toml -- texts /tmp/texts
    python3 benches/peers/race_json_repair.py /tmp/texts

Says how fast each text was read, once, and which share of its objects are as meant. No part of the build: a text may
take minutes, so each has a process of its own, which is stopped after 20 seconds.
"""

import json
import multiprocessing
import pathlib
import queue
import sys
import time

import json_repair

PATIENCE = 20


def rows(value):
    if isinstance(value, dict):
        value = value.get("rows", value)
    return value if isinstance(value, list) else []


def same(one, other):
    """Equality as in JSON: true is not 1, and 1.0 is not 1."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(value, other[key]) for key, value in one.items())
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other


def share_right(meant, made):
    meant, made = rows(meant), rows(made)
    by_id = {json.dumps(row["id"]): row for row in made if isinstance(row, dict) and "id" in row}
    right = sum(same(row, by_id.get(json.dumps(row["id"]))) for row in meant)
    return right / max(len(meant), len(made), 1)


def repair(text, results):
    start = time.perf_counter()
    try:
        made = json_repair.loads(text, skip_json_loads=True)
    except Exception:  # it gives up, or runs out of stack
        made = None
    results.put((time.perf_counter() - start, made))


def main(folder):
    print("| what | MB/s | right |\n|---|---|---|")
    for path in sorted(pathlib.Path(folder).glob("*.txt")):
        text = path.read_text(encoding="utf-8")
        meant = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        size = len(text.encode())
        results = multiprocessing.Queue()
        process = multiprocessing.Process(target=repair, args=(text, results))
        process.start()
        try:
            seconds, made = results.get(timeout=PATIENCE)
        except queue.Empty:
            speed, right = f"< {size / PATIENCE * 1e-6:.3f}", ""
        else:
            speed, right = f"{size / seconds * 1e-6:.3f}", f"{share_right(meant, made):.1%}"
        print(f"| {path.stem} | {speed} | {right} |", flush=True)
        process.kill()
        process.join()


if __name__ == "__main__":
    main(sys.argv[1])
