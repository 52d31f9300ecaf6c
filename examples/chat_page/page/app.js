// What the user does, and where the answers go.

import { Turn } from "./view.js";
import { connect, get, post } from "./wire.js";

const $ = (id) => document.getElementById(id);
const conversation = $("conversation");
const MAX_EVENTS = 200;
const MAX_ANNOUNCEMENTS = 12;

let running = null; // the id of the answer that grows
let isAsking = false;

function announce(text) {
  const line = document.createElement("p");
  line.textContent = text;
  $("announcements").append(line);
  if ($("announcements").childElementCount > MAX_ANNOUNCEMENTS) $("announcements").firstChild.remove();
}

const isAtEnd = () => conversation.scrollHeight - conversation.scrollTop - conversation.clientHeight < 32;

function toEnd() {
  conversation.scrollTop = conversation.scrollHeight;
  showNewest();
}

function showNewest() {
  $("newest").hidden = isAtEnd() || !$("welcome").hidden; // the welcome is read from its top
}

/** Changes the page. Who is at the end of the conversation stays there; who reads above is left alone. */
function follow(change) {
  const wasAtEnd = isAtEnd();
  change();
  if (wasAtEnd) toEnd();
  else showNewest();
}

function setRunning(id) {
  running = id;
  for (const [button, isOn] of [["send", !id], ["stop", id], ["lose", id]]) {
    // Not `disabled`: the focus would get lost.
    $(button).setAttribute("aria-disabled", String(!isOn));
  }
}

const STATES = {
  connected: "Connected",
  lost: "Connection lost, connecting again …",
  ended: "Ready",
  gone: "Connection lost",
};

function setState(state, turn) {
  const before = $("connection").dataset.state;
  if (state === "lost" && before === "lost") return; // each attempt that fails says so
  $("connection").dataset.state = state;
  $("connection-text").textContent = STATES[state];
  if (state === "lost") announce(STATES.lost);
  if (state === "connected" && before === "lost") announce("Connected again");
  if (state === "ended" || state === "gone") setRunning(null);
  if (state === "gone") turn.close("error", "The server does not know this answer any more. What came before is kept.");
}

/** Shows an answer from its beginning, which may be long ago. */
function show(id, { scenario, question }) {
  const turn = new Turn(question, scenario.provider, announce);
  $("welcome").hidden = true;
  $("turns").append(turn.element);
  $("events").replaceChildren();
  toEnd();
  setRunning(id);
  connect(id, {
    event(event, number, length) {
      follow(() => {
        turn.take(event);
        log(event, number, length);
      });
    },
    state: (state) => follow(() => setState(state, turn)),
  });
}

/** What came over the wire, for the curious. */
function log({ ops, outside = [], thinking, calls = [], open, end }, number, length) {
  const events = $("events");
  const wasAtEnd = events.scrollHeight - events.scrollTop - events.clientHeight < 32;
  const item = document.createElement("li");
  item.dataset.id = number;
  const lines = [
    ...ops.map(({ op, path, value, text }) => [op, path || "the root", JSON.stringify(value ?? text)]),
    ...outside.map(({ kind, text }) => [kind, "", JSON.stringify(text)]),
    ...(thinking ? [["thinking", "", JSON.stringify(thinking)]] : []),
    ...calls.map(({ state, ...rest }) => [`call ${state}`, "", JSON.stringify(rest)]),
    ...(end ? [["end", "", JSON.stringify(end)]] : []),
  ];
  const head = document.createElement("p");
  head.textContent = `id ${number} · ${length} bytes${open === undefined ? "" : ` · writing ${open || "the root"}`}`;
  item.append(head);
  for (const [name, path, content] of lines) {
    const line = document.createElement("p");
    const code = document.createElement("b");
    code.dataset.op = name;
    code.textContent = name;
    line.append(code, ` ${path} `);
    if (content) line.append(content.length > 160 ? `${content.slice(0, 160)}…` : content);
    item.append(line);
  }
  events.append(item);
  if (events.childElementCount > MAX_EVENTS) events.firstChild.remove();
  if (wasAtEnd) events.scrollTop = events.scrollHeight;
}

async function send(event) {
  event.preventDefault();
  const scenario = new FormData($("composer")).get("scenario");
  const question = $("question").value.trim();
  if (running || isAsking || !scenario || !question) return;
  isAsking = true;
  try {
    const { id } = await post("/answers", { scenario, question });
    history.replaceState(null, "", `#${id}`); // a second window with this address shows the same answer
    show(id, await get(`/answers/${id}`));
  } catch {
    const text = "The server cannot be reached";
    $("connection").dataset.state = "gone";
    $("connection-text").textContent = text;
    announce(text);
  } finally {
    isAsking = false;
  }
}

function act(what) {
  if (running) post(`/answers/${running}/${what}`).catch(() => {});
}

async function start() {
  for (const [index, { id, name, question }] of (await get("/scenarios")).entries()) {
    const label = document.createElement("label");
    const choice = document.createElement("input");
    Object.assign(choice, { type: "radio", name: "scenario", value: id, checked: index === 0 });
    choice.addEventListener("change", () => ($("question").value = question));
    if (index === 0) $("question").value = question;
    label.append(choice, name);
    $("scenarios").append(label);
  }
  $("composer").addEventListener("submit", send);
  $("stop").addEventListener("click", () => act("stop"));
  $("lose").addEventListener("click", () => act("disconnect"));
  document.addEventListener("keydown", ({ key, isComposing }) => key === "Escape" && !isComposing && act("stop"));
  // Where the window changes nobody has scrolled: if the end was in sight, which the button knows, it stays there.
  let height = 0;
  conversation.addEventListener("scroll", () => conversation.clientHeight === height && showNewest());
  new ResizeObserver(() => {
    height = conversation.clientHeight;
    if ($("newest").hidden && $("welcome").hidden) toEnd();
  }).observe(conversation);
  $("newest").addEventListener("click", () => {
    toEnd();
    conversation.focus();
  });
  addEventListener("hashchange", () => location.reload());
  $("wire").open = matchMedia("(min-width: 64rem)").matches;
  $("question").focus();

  const id = location.hash.slice(1);
  const known = id && (await get(`/answers/${encodeURIComponent(id)}`));
  if (known) show(id, known);
  document.body.dataset.ready = "";
}

start();
