"""Races Python's RecursiveJsonSplitter against `jsonrill split` on the same document.

    pip install langchain-text-splitters==1.1.3
    cargo build --release --features cli
    python3 benches/peers/race_splitter.py FILE|MEGABYTES [target/release/jsonrill]

Without a file it makes records of so many megabytes. Each runs in a process of its own, from the file to its lines in
another: the times and the peak of its memory are printed, and whether the lines are the same. No part of the build.
"""

import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

MAX = 2000


def python(file, out):
    from langchain_text_splitters import RecursiveJsonSplitter

    with open(file, encoding="utf-8") as source:
        data = json.load(source)
    chunks = RecursiveJsonSplitter(MAX).split_text(data, convert_lists=True)
    with open(out, "w", encoding="utf-8") as lines:
        lines.writelines(chunk + "\n" for chunk in chunks)


def records(megabytes, file):
    rng = random.Random(1)
    words = "lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor".split()
    pick = lambda count: " ".join(rng.choices(words, k=count))
    made = [
        json.dumps(
            {
                "id": number,
                "name": pick(2),
                "active": number % 2 == 0,
                "score": round(rng.random() * 100, 2),
                "tags": rng.choices(words, k=3),
                "address": {"street": pick(2), "city": pick(1), "zip": f"{rng.randrange(10**5):05}"},
                "note": pick(12),
            }
        )
        for number in range(5000)
    ]
    with open(file, "w", encoding="utf-8") as out:
        size = out.write('{"source": "race", "items": [')
        number = 0
        while size < megabytes * 10**6:
            size += out.write((", " if number else "") + made[number % len(made)])
            number += 1
        out.write("]}")


def run(name, command):
    """Seconds on the clock, seconds of the processor, and megabytes of a process."""
    before = time.perf_counter()
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - before
    assert status == 0, f"{name} failed"
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main(source, program="target/release/jsonrill"):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        file = source
        if source.isdigit():
            file = folder / "records.json"
            records(int(source), file)
        megabytes = os.path.getsize(file) / 1e6
        print(f"{megabytes:.0f} MB, chunks of up to {MAX} characters\n\n| what | s | s of processor | MB/s of that | peak MB |\n|---|---|---|---|---|")
        compat, ours, theirs = folder / "compat", folder / "ours", folder / "python"
        shell = lambda arguments, out: ["/bin/sh", "-c", f'exec "$0" "$@" > {out}', program, "split", *arguments, str(file)]
        lanes = {
            "jsonrill, hard cap": shell(["--max", str(MAX)], ours),
            "jsonrill, as the package": shell(["--max", str(MAX), "--compat", "langchain", "--convert-lists"], compat),
            "python": [sys.executable, __file__, "--python", str(file), str(theirs)],
        }
        for name, command in lanes.items():
            seconds, processor, peak = run(name, command)
            speed = megabytes / processor
            print(f"| {name} | {seconds:.2f} | {processor:.2f} | {speed:.1f} | {peak:.0f} |", flush=True)
        same = compat.read_bytes() == theirs.read_bytes()
        print(f"\n{'The same' if same else 'NOT the same'} {sum(1 for _ in compat.open('rb'))} lines as the package.")


if __name__ == "__main__":
    if sys.argv[1] == "--python":
        python(*sys.argv[2:])
    else:
        main(*sys.argv[1:])
