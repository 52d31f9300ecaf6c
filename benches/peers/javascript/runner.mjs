// One peer in JavaScript on one document, in a process of its own. What it is asked and what it prints: see the runner
// in Rust, `src/runner/main.rs`.

import { createInterface } from 'node:readline';
import { readFileSync, writeFileSync } from 'node:fs';
import { stdin, stdout, argv, exit } from 'node:process';
import { once } from 'node:events';
import { JSONParser } from '@streamparser/json';
import { parsePartialJson } from 'ai';
import { jsonrepair } from 'jsonrepair';
import { parse as river } from 'jsonriver';
import { parse as partial } from 'partial-json';

const say = (line) => stdout.write(JSON.stringify(line) + '\n');

/** The string at a path in a value, as a number that depends on it. */
function read(value, path) {
  for (const step of path) value = value?.[step];
  return typeof value === 'string' ? value.length : 0;
}

async function* each(chunks) {
  for (const chunk of chunks) yield chunk;
}

/** A parser of streamparser, and the value that is growing in it: its users put that together themselves. */
function streamparser() {
  const parser = new JSONParser({ emitPartialTokens: true, emitPartialValues: true });
  const live = { parser, root: undefined, last: undefined };
  parser.onValue = (event) => {
    const { value, parent, stack, partial: isPartial } = event;
    live.root = stack.length > 1 ? stack[1].value : (parent ?? value);
    live.last = isPartial && parent !== undefined ? event : undefined;
  };
  parser.onEnd = () => {};
  return live;
}

/** The root with what is on the way in its place; then as it was, for the parser goes on with it. */
function withLast({ root, last }) {
  if (last === undefined || last.value === undefined || last.key === undefined) return structuredClone(root);
  const { parent, key, value } = last;
  const had = Object.hasOwn(parent, key);
  const before = parent[key];
  parent[key] = value;
  const copy = structuredClone(root);
  if (had) parent[key] = before;
  else if (Array.isArray(parent)) parent.length -= 1;
  else delete parent[key];
  return copy;
}

// Those that keep no state: the value of a text that is not over.
const stateless = {
  'partial-json': (text) => partial(text),
  jsonrepair: (text) => JSON.parse(jsonrepair(text)),
  'ai, parsePartialJson': async (text) => {
    const { value, state } = await parsePartialJson(text);
    if (state === 'failed-parse' || state === 'undefined-input') throw new Error(state);
    return value;
  },
};

async function prefixes(peer, { text, ends, path }) {
  const parse = stateless[peer];
  const isAsync = peer.startsWith('ai');
  let tally = 0;
  for (const end of ends) {
    try {
      const made = parse(text.slice(0, end));
      tally += read(isAsync ? await made : made, path);
    } catch {
      // There is nothing to show.
    }
  }
  return tally;
}

async function stream(peer, work) {
  let tally = 0;
  if (peer === 'jsonriver') {
    for await (const value of river(each(work.chunks))) tally += read(value, work.path);
  } else if (peer === '@streamparser/json') {
    const live = streamparser();
    const name = work.path.at(-1);
    for (const chunk of work.chunks) {
      live.parser.write(chunk);
      const { last } = live;
      tally += last?.key === name && typeof last.value === 'string' ? last.value.length : read(live.root, work.path);
    }
  } else {
    return prefixes(peer, work);
  }
  return tally;
}

/** What is shown; an exception where nothing is. */
async function shown(peer, text, ends, isOver) {
  if (peer === 'jsonriver') {
    let value;
    if (isOver) {
      for await (value of river(each(cut(text, ends)))) { /* the last one is wanted */ }
      return value;
    }
    // A source that does not end: once more is asked of it, all values have been given.
    let isRead;
    const over = new Promise((resolve) => { isRead = () => resolve({ done: true }); });
    const source = async function* () {
      yield* cut(text, ends);
      isRead();
      await new Promise(() => {});
    };
    const values = river(source());
    try {
      for (;;) {
        const next = await Promise.race([values.next(), over]);
        if (next.done) return value;
        value = next.value;
      }
    } catch {
      return value; // it stops, and what it gave before stays
    }
  }
  if (peer === '@streamparser/json') {
    const live = streamparser();
    // All errors come here, too.
    let failed;
    live.parser.onError = (error) => { failed = error; };
    const bytes = Buffer.from(text);
    let start = 0;
    for (const end of ends) {
      if (!live.parser.isEnded) live.parser.write(bytes.subarray(start, end));
      start = end;
    }
    if (isOver && !live.parser.isEnded) live.parser.end();
    if (isOver && failed) throw failed;
    return withLast(live);
  }
  if (isOver && peer === 'JSON.parse') return JSON.parse(text);
  return stateless[peer](text);
}

/** Cuts a text behind these bytes, or behind the character that they are in. */
function cut(text, ends) {
  const bytes = Buffer.from(text);
  const chunks = [];
  let start = 0;
  for (let end of ends) {
    while (end < bytes.length && (bytes[end] & 0xc0) === 0x80) end += 1;
    if (end > start) chunks.push(bytes.toString('utf8', start, end));
    start = Math.max(start, end);
  }
  return chunks;
}

async function timed(runs, seconds, run) {
  say({ ready: true });
  let taken = 0;
  for (let turn = 0; turn < runs && taken < seconds; turn += 1) {
    const start = process.hrtime.bigint();
    const made = await run();
    const time = Number(process.hrtime.bigint() - start) / 1e9;
    if (made === undefined) throw new Error('nothing was made');
    say({ seconds: time });
    taken += time;
  }
}

async function show(peer) {
  say({ ready: true });
  for await (const line of createInterface({ input: stdin })) {
    const { id, text, ends, end } = JSON.parse(line);
    try {
      const value = await shown(peer, text, ends ?? [Buffer.byteLength(text)], end);
      say(value === undefined ? { id } : { id, shown: value });
    } catch {
      say({ id });
    }
  }
}

async function main([work, peer, file, ...rest]) {
  if (work === 'show') return show(peer);
  const text = readFileSync(file, 'utf8');
  if (work === 'stream') {
    const bytes = readFileSync(rest[0]);
    const byteEnds = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
    const chunks = cut(text, byteEnds);
    let end = 0;
    const ends = chunks.map((chunk) => (end += chunk.length));
    const path = rest[1].split('/').slice(1);
    await timed(Number(rest[2]), Number(rest[3]), () => stream(peer, { text, chunks, ends, path }));
    const made = await shown(peer, text, byteEnds, true);
    return say({ right: JSON.stringify(made) === JSON.stringify(JSON.parse(text)) });
  }
  if (work === 'whole') {
    await timed(Number(rest[0]), Number(rest[1]), () => JSON.parse(text));
    return say({ right: true });
  }
  if (work === 'repair') {
    let made = '';
    const run = () => {
      try {
        made = jsonrepair(text);
      } catch {
        made = ''; // it gives up
      }
      return made;
    };
    await timed(Number(rest[1]), Number(rest[2]), run);
    writeFileSync(rest[0], made);
    return say({ done: true });
  }
  throw new Error('see src/runner/main.rs');
}

await main(argv.slice(2));
if (stdout.writableNeedDrain) await once(stdout, 'drain');
exit(0);
