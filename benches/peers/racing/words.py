"""What the report says between its tables. A paragraph is wrapped here and one line there."""

import re


def paragraphs(text, **fields):
    """The paragraphs of a text, and its lists: an item begins with a dash."""
    filled = text.format(**fields)
    for block in re.split(r"\n\s*\n", filled.strip()):
        lines = re.split(r"\n\s*(?=- )", block.strip())
        yield "\n".join(" ".join(line.split()) for line in lines)


BEGINNING = """
Written by `benches/peers/race --full`, which installs the peers, runs them all on the same documents, each in a process
of its own, by turns, and judges what they show. Do not edit it: run it.
"""

METHOD = """
`ai` is raced in the last version that runs on node 20. `sonic-rs`, `simd-json` and `serde_json` read whole documents
only.

Rounds: {rounds}. In each, all lanes of one table's column run by turns, each in a new process, for {seconds} seconds or
once; what takes more than 5 seconds is run in the first round only. A time is the median of all runs; of several in one
process the first does not count. Starting the process and reading the file are not part of it. Languages differ in what
a value costs: a lane in JavaScript or Python is there for those who choose between them, not to say that its author
could have done better.
"""

STREAM = """
The document comes in chunks of 4, 16 or 64 bytes (then on to the end of the character). After every chunk the value is
asked for, and one string in it is looked up and its length taken: a name near the beginning, or the long string itself.
A peer that keeps no state reads all of the text so far again, for that is how it is used. A parser of events gives no
value: its lane only takes the events, which is less work; another lane builds a value from them.

`jsonrill` is there three times: with all three views at every chunk, with one string of the snapshot read, and with all
of the snapshot copied into a value of its own at every chunk. The last is quadratic for any parser: copy what you need,
not all.
"""

STREAM_CELLS = """
In each cell: how many times as long as the first lane it takes, the median time for the document, and half of the
spread between the quartiles. Above 1 × is slower than `{ours}`. `> {abort} s`: stopped after {abort} seconds, and not
run at larger sizes. `–`: not run, for the size before was stopped, or took so long that this one would take more than
{abort} seconds for sure: at least 10 times as long for a text of 10 times the size, or 50 times where all is read or
copied again after every chunk. **wrong**: the value at the end is not that of the document.
"""

WHOLE = """
Valid JSON in one piece, into what the peer has for a value. In each cell: how many times as long as `jsonrill, strict`
it takes, and the speed. `simd-json` writes into the text: the copy that it needs is not part of its time.
"""

REPAIR = """
Each kind is an array of objects that are all damaged in this way, made by a program that knows what was meant. First
the share of the objects that come out as meant to the last leaf, then the speed. A fast wrong answer is none: where
nothing is right, the speed is left out. `no JSON`: an error, or a text that is not valid.
"""

SPLIT = """
A document into chunks of at most 2000 characters, from its text to the texts of the chunks. The peak is that of the
process, with what its language needs to start.
"""

SHOWN = """
The same runners were asked what they show for {prefixes} prefixes of valid JSON, with and without something around it,
and for {texts} malformed texts (`benches/peers/data`). What is right was written down by us: for a prefix by what JSON
leaves open, for a malformed text by the table in the guide (`src/guide/repairing.md`); where another reading is as good
it counts as well, such as a number in flight that is shown or not. So the second of the two tells who reads as we do: look at the long tables.
A strict parser gives up on a malformed text, as it should: that is told apart from a wrong answer.

- *less*: a part of what is known. *nothing*: no value, or an error, though something is known. *wrong*: something that
  the rest of the text need not bear out, such as a key that is half there, or `null` for what has not come. Half of a
  surrogate pair is a part of a string in JavaScript, and right there.
- *valid*: {texts} valid texts that say what the malformed ones mean.
- *takes back*: of the valid and of the malformed texts, in how many a value that was shown after one character is
  contradicted after a later one, other than by a longer string, more members, or another number in flight.
- *depends on chunks*: of the texts, how many show something else as a whole, byte by byte (a parser of text: character
  by character), or cut at random three times. Parsers without a state cannot: *no state*.
"""
