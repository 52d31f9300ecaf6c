"""Tells what was measured, as Markdown."""

import os
import pathlib
import platform
import statistics
import subprocess
import time

from . import judging, plan, words
from .words import paragraphs

PARTS = ["stream", "whole", "repair", "split", "behaviour"]


def size_of(count):
    return f"{count // 10**6} MB" if count >= 10**6 else f"{count // 1000} KB"


def time_of(seconds):
    for unit, worth in (("s", 1), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= worth:
            break
    value = seconds / worth
    return f"{value:.0f} {unit}" if value >= 99.5 else f"{value:.3g} {unit}"


def speed_of(bytes_a_second):
    speed = bytes_a_second / 1e6
    return f"{speed:,.0f} MB/s".replace(",", " ") if speed >= 99.5 else f"{speed:.3g} MB/s"


def times_of(ratio):
    return f"{ratio:,.0f} ×".replace(",", " ") if ratio >= 9.95 else f"{ratio:.2g} ×"


def output(command):
    return subprocess.run(command, capture_output=True, text=True).stdout.strip()


def named(lane, versions):
    version = versions[lane.language].get(lane.package)
    return f"`{lane.name}`" + (
        "" if lane.package == "jsonrill" else f" ({lane.language}{', ' + version if version else ''})"
    )


class Cell:
    """All that was measured of one lane at one place."""

    def __init__(self, results, work, lane, where):
        self.rounds = []
        self.state, self.right, self.peak = None, None, None
        for turn in range(100):
            result = results.get((work, lane.language, lane.name, *where, turn))
            if result is None:
                break
            self.state = self.state or result["state"]
            self.right = result.get("right", self.right)
            self.peak = max(self.peak or 0, result.get("peak", 0))
            if result["state"] == "done":
                # Where there are several, the first one warms up.
                self.rounds.append(result["times"][1:] if len(result["times"]) > 2 else result["times"])

    @property
    def times(self):
        return [time for times in self.rounds for time in times]

    @property
    def median(self):
        return statistics.median(self.times)

    @property
    def spread(self):
        """Half of what is between the quartiles, against the median."""
        if len(self.times) < 4:
            return None
        low, _, high = statistics.quantiles(self.times, n=4)
        return (high - low) / 2 / self.median

    def against(self, other):
        """How many times as long as the other it takes: the median over the rounds, in which they ran by turns."""
        pairs = zip(self.rounds, other.rounds)
        return statistics.median(statistics.median(own) / statistics.median(others) for own, others in pairs)


class Report:
    def __init__(self, race):
        self.results, self.sizes = race.results, race.sizes
        self.versions = race.installed.versions()

    def cell(self, work, lane, *where):
        return Cell(self.results, work, lane, where)

    def said(self, cell, other=None, speed=None):
        if cell.state in ("aborted", "skipped"):
            return f"> {self.sizes.abort} s" if cell.state == "aborted" else "–"
        if not cell.rounds:
            return "crashes"
        wrong = " **wrong**" if cell.right is False else ""
        value = speed_of(speed / cell.median) if speed else time_of(cell.median)
        spread = f" ±{cell.spread:.0%}" if cell.spread is not None else ""
        ratio = f"{times_of(cell.against(other))} · " if other is not None and other.rounds else ""
        return f"{ratio}{value}{spread}{wrong}"

    def table(self, heads, rows):
        lines = [f"| {' | '.join(heads)} |", "|" + "---|" * len(heads)]
        return "\n".join(lines + [f"| {' | '.join(row)} |" for row in rows])

    def stream(self):
        sizes = self.sizes.stream
        yield "## A value after every chunk"
        yield from paragraphs(words.STREAM)
        yield self.table(
            ["lane", "what is had after every chunk"],
            [[named(lane, self.versions), lane.how] for lane in plan.STREAM],
        )
        yield from paragraphs(words.STREAM_CELLS, ours=plan.OURS, abort=self.sizes.abort)
        for shape, what in plan.SHAPES.items():
            yield f"### {shape.capitalize()}: {what}"
            order = sorted(self.sizes.chunks, key=lambda chunk: chunk != 16)
            for chunk in order:
                table = self.table(
                    [f"{chunk} bytes a chunk", *map(size_of, sizes)],
                    [
                        [
                            named(lane, self.versions),
                            *(
                                self.said(
                                    self.cell("stream", lane, shape, chunk, size),
                                    self.cell("stream", plan.STREAM[0], shape, chunk, size),
                                )
                                for size in sizes
                            ),
                        ]
                        for lane in plan.STREAM
                    ],
                )
                yield table if chunk == 16 else folded(f"{chunk} bytes a chunk", table)

    def whole(self):
        yield "## A whole document"
        yield from paragraphs(words.WHOLE)
        places = [(shape, size) for shape in plan.SHAPES for size in self.sizes.whole]
        yield self.table(
            ["", "into", *(f"{shape}, {size_of(size)}" for shape, size in places)],
            [
                [
                    named(lane, self.versions),
                    lane.how,
                    *(
                        self.said(
                            self.cell("whole", lane, *place), self.cell("whole", plan.WHOLE[0], *place), speed=place[1]
                        )
                        for place in places
                    ),
                ]
                for lane in plan.WHOLE
            ],
        )

    def repair(self):
        yield "## Malformed documents, repaired at once"
        yield from paragraphs(words.REPAIR)
        kinds = list(dict.fromkeys(key[3] for key in self.results if key[0] == "repair"))
        for size in reversed(self.sizes.repair):
            table = self.table(
                [size_of(size), *(named(lane, self.versions) for lane in plan.REPAIR)],
                [[kind, *(self.repaired(lane, kind, size) for lane in plan.REPAIR)] for kind in kinds],
            )
            yield table if size == self.sizes.repair[-1] else folded(size_of(size), table)

    def repaired(self, lane, kind, size):
        cell = self.cell("repair", lane, kind, size)
        if cell.state != "done":
            return self.said(cell)
        share = self.results.get(("right", lane.language, lane.name, kind, size))
        if not share:
            return "no JSON" if share is None else "0%"
        return (
            f"{share:.0%} · {speed_of(size / cell.median)}"
            if share == 1
            else f"{share:.1%} · {speed_of(size / cell.median)}"
        )

    def split(self):
        yield "## Splitting"
        yield from paragraphs(words.SPLIT)
        places = [(shape, size) for shape in ("records", "agent") for size in self.sizes.split]
        rows = []
        for lane in plan.SPLIT:
            row = [named(lane, self.versions), lane.how]
            for place in places:
                cell = self.cell("split", lane, *place)
                said = self.said(cell, self.cell("split", plan.SPLIT[0], *place), speed=place[1])
                row.append(f"{said} · {cell.peak:.0f} MB" if cell.rounds else said)
            rows.append(row)
        yield self.table(["", "", *(f"{shape}, {size_of(size)}" for shape, size in places)], rows)
        same = all(self.results.get(("same lines", *place)) for place in places)
        yield f"`jsonrill, as the package` and the package give {'the same lines' if same else '**different lines**'}."

    def behaviour(self):
        yield "## What is shown"
        prefixes, texts = judging.read("prefixes.json"), judging.read("malformed.json")
        yield from paragraphs(words.SHOWN, prefixes=len(prefixes), texts=len(texts))
        rows = []
        for shown in plan.SHOW:
            result = self.results.get(("behaviour", shown.lane.language, shown.lane.name))
            if result is None:
                continue
            count = lambda what, grade: str(sum(case["grade"] == grade for case in result[what]))
            back = result["takes back"]
            rows.append(
                [
                    named(shown.lane, self.versions) + (", values by hand" if shown.lane.how else ""),
                    *(count("prefixes", grade) for grade in ("right", "less", "nothing", "wrong")),
                    *(count("malformed", grade) for grade in ("right", "nothing", "wrong")),
                    f"{len(texts) - len(result['damaged'])}",
                    f"{len(back['valid'])} and {len(back['malformed'])}",
                    f"{len(result['differ'])} of {result['chunked']}" if shown.is_stateful else "no state",
                ]
            )
        yield self.table(
            [
                "",
                "prefixes: right",
                "less",
                "nothing",
                "wrong",
                "malformed: right",
                "gives up",
                "wrong",
                "valid: right",
                "takes back, valid and malformed",
                "depends on chunks",
            ],
            rows,
        )
        yield folded("Every prefix", self.cases(prefixes, "prefixes", "kind"))
        yield folded("Every malformed text", self.cases(texts, "malformed", "row"))
        differ = [
            [
                named(shown.lane, self.versions),
                code(case["text"]),
                "<br>".join(dict.fromkeys(map(value, case["shown"]))),
            ]
            for shown in plan.SHOW
            for case in (self.results.get(("behaviour", shown.lane.language, shown.lane.name)) or {}).get("differ", [])
        ]
        if differ:
            yield folded("Every text whose chunks matter", self.table(["", "text", "shown"], differ))

    def cases(self, cases, what, kind):
        lanes = [shown.lane for shown in plan.SHOW]
        results = [self.results.get(("behaviour", lane.language, lane.name)) for lane in lanes]
        lanes = [lane for lane, result in zip(lanes, results) if result]
        results = [result for result in results if result]
        rows = []
        for index, case in enumerate(cases):
            row = [case[kind], code(case["text"]), code(wanted(case))]
            for result in results:
                entry = result[what][index]
                row.append(
                    "✓"
                    if entry["grade"] == "right"
                    else f"{entry['grade']}: {value(entry['shown'])}" if entry["shown"] else "–"
                )
            rows.append(row)
        return "✓: right. –: nothing.\n\n" + self.table(
            [kind, "text", "right", *(f"`{lane.name}`, {lane.language}" for lane in lanes)], rows
        )


def wanted(case):
    return "nothing" if case.get("nothing") else judging.json.dumps(case["right"][0], ensure_ascii=False)


def value(shown):
    if shown is None:
        return "–"
    text = judging.json.dumps(shown[0], ensure_ascii=False)
    # Half of a pair is no text.
    text = text.encode("utf-8", "replace").decode() if text.isprintable() else judging.json.dumps(shown[0])
    return code(text if len(text) <= 100 else text[:100] + "…")


def code(text):
    text = text.replace("\n", "⏎").replace("\t", "⇥").replace("|", "\\|")
    ticks = "`" * (max((len(run) for run in "".join(c if c == "`" else " " for c in text).split()), default=0) + 1)
    space = " " if text.startswith("`") or text.endswith("`") or not text.strip() else ""
    return f"{ticks}{space}{text or ' '}{space}{ticks}"


def folded(head, text):
    return f"<details>\n<summary>{head}</summary>\n\n{text}\n\n</details>"


def machine(load):
    model = "an unknown processor"
    try:
        for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                model = line.partition(":")[2].strip()
                break
    except OSError:
        pass
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return [
        f"{model}, {os.cpu_count()} cores, {memory:.0f} GB of memory, {platform.system()} {platform.release().partition('-')[0]}",
        f"{output(['rustc', '--version'])}; node {output(['node', '--version'])}; Python {platform.python_version()}",
        f"load of the machine at the beginning {load:.1f}, at the end {os.getloadavg()[0]:.1f}; the race itself is 1",
    ]


def text(race, parts):
    report = Report(race)
    sizes = race.sizes
    versions = [
        f"{language}: "
        + ", ".join(
            f"`{name}` {found[name]}"
            for name in dict.fromkeys(
                lane.package
                for lane in [*plan.STREAM, *plan.WHOLE, *plan.REPAIR, *plan.SPLIT]
                if lane.language == language
            )
            if name in found and name != "jsonrill"
        )
        for language, found in report.versions.items()
    ]
    missing = [f"`{name}`, {why}" for name, why in plan.MISSING.items()]
    blocks = [
        "# jsonrill and its peers",
        *paragraphs(words.BEGINNING),
        f"Measured on {time.strftime('%d %B %Y')}:\n\n"
        + "\n".join(f"- {line}" for line in [*machine(race.results[("load",)]), *versions]),
        "Not raced:\n\n" + "\n".join(f"- {line}" for line in missing),
        *paragraphs(words.METHOD, rounds=sizes.rounds, seconds=sizes.seconds),
    ]
    for part in parts:
        blocks.extend(getattr(report, part)())
    return "\n\n".join(blocks) + "\n"


def faults(race):
    """What must not be: a broken runner, and jsonrill showing what is not right."""
    found = []
    for key, result in race.results.items():
        if not isinstance(result, dict):
            continue
        if result.get("state") == "failed" or result.get("state") == "crashed" and str(key[2]).startswith("jsonrill"):
            found.append(f"{key} failed: {result.get('error', '')}")
        if result.get("state") == "done" and result.get("right") is False:
            is_ours = str(key[2]).startswith("jsonrill")
            if is_ours:
                found.append(f"{key}: the value is not that of the document")
    ours = race.results.get(("behaviour", "Rust", "jsonrill"))
    if ours:
        prefixes, texts = judging.read("prefixes.json"), judging.read("malformed.json")
        for what, cases in (("prefixes", prefixes), ("malformed", texts)):
            found += [
                f"jsonrill, {case['text']!r}: {entry['shown']}"
                for case, entry in zip(cases, ours[what])
                if entry["grade"] == "wrong" or what == "malformed" and entry["grade"] != "right"
            ]
        found += [f"jsonrill, {text!r}: not what it is" for text in ours["damaged"]]
        found += [f"jsonrill depends on chunks: {case['text']!r}" for case in ours["differ"]]
        found += [f"jsonrill takes back: {text!r}" for kind in ours["takes back"].values() for text in kind]
    found += [
        f"{key}: not the lines of the package"
        for key, same in race.results.items()
        if key[0] == "same lines" and not same
    ]
    return found
