// One turn of the conversation: a question, and an answer that grows.
//
// Every operation touches the node that it is about and no other. Text is appended to its text node; nothing is drawn
// again.

import { apply, steps } from "./delta.js";

const FLAGS = ["is_adult", "need_admin", "refund"];

const ENDINGS = {
  whole: () => "Complete",
  repaired: ({ repairs }) => `Complete, after ${repairs} ${repairs === 1 ? "repair" : "repairs"} to its JSON`,
  cut: ({ stop_reason: reason }) =>
    reason === "length" || reason === "max_tokens" ? "Cut off by the token limit" : "Cut off: the answer has no end",
  error: ({ errors }) => `The provider failed: ${errors.join("; ")}. What came before is kept.`,
  stopped: () => "Stopped. What came before is kept.",
};

export class Turn {
  /** `announce` is for those who do not see the page: it is given whole things, never pieces. */
  constructor(question, provider, announce) {
    this.announce = announce;
    this.answer = null; // the same JSON that the server has
    this.bubbles = new Map(); // index: the bubble's item and its text node
    this.flags = new Map();
    this.calls = new Map();
    this.element = make("li", "turn");
    this.element.dataset.state = "streaming";

    const asked = make("div", "question", this.element);
    make("h2", "who", asked, "You");
    make("p", "", asked, question);
    this.body = make("div", "answer", this.element);
    make("h2", "who", this.body, "Answer").append(make("span", "provider", null, provider));
    this.thinking = make("details", "thinking", this.body);
    this.thinking.hidden = true;
    make("summary", "", this.thinking, "Thinking");
    this.thoughts = new Prose(make("p", "", this.thinking));
    this.before = new Prose(make("p", "prose", this.body));
    const flags = make("dl", "flags", this.body);
    for (const name of FLAGS) this.flags.set(name, flag(flags, name));
    this.list = make("ol", "bubbles", this.body);
    this.after = new Prose(make("p", "prose", this.body));
    this.tools = make("ul", "calls", this.body);
    this.ending = make("p", "ending", this.body);
  }

  /** Takes what is new. */
  take({ ops, outside = [], thinking, calls = [], end }) {
    if (thinking) this.think(thinking);
    for (const op of ops) {
      this.answer = apply(this.answer, [op]);
      this.show(op);
    }
    for (const { kind, is_before: isBefore, text } of outside) {
      if (kind === "reasoning") this.think(text);
      else (isBefore ? this.before : this.after).append(text);
    }
    for (const call of calls) this.call(call);
    if (end) this.finish(end);
  }

  show({ op, path, value, text }) {
    if (op === "append") {
      this.append(steps(path), text);
    } else if (op === "final") {
      this.settle(steps(path));
    } else {
      this.add(steps(path), value);
    }
  }

  /** A new value, with all that is in it; or a number that went on. */
  add(path, value) {
    const [name, index, field] = path;
    if (typeof value === "string") {
      this.append(path, value);
    } else if (name === "refund" && typeof value === "number") {
      this.flags.get(name).set("growing", String(value));
    } else if (typeof value === "object" && value !== null && path.length < 3) {
      if (path.length === 0) this.thinking.open = false;
      if (name === "bubbles" && path.length === 2) this.bubble(index);
      for (const key of Object.keys(value)) this.add([...path, key], value[key]);
    }
  }

  append([name, index, field, ...rest], text) {
    const isShown = name === "bubbles" && field === "text" && rest.length === 0;
    if (isShown && text !== "") this.bubble(index).text.appendData(text);
  }

  /** The value at this path can no longer change: now is the time to act on it. */
  settle(path) {
    const [name, index] = path;
    const flag = path.length === 1 && this.flags.get(name);
    if (flag) {
      const value = this.answer[name];
      const shown = name === "refund" && typeof value === "number" ? `€ ${value.toFixed(2)}` : String(value);
      flag.set("final", shown, value);
      this.announce(`${name}: ${shown}`);
    } else if (name === "bubbles" && path.length === 2 && this.bubbles.has(index)) {
      const bubble = this.bubbles.get(index);
      bubble.item.dataset.state = "final";
      bubble.item.removeAttribute("aria-busy");
      this.announce(bubble.text.data);
    } else if (path.length === 0) {
      for (const [, flag] of this.flags) if (flag.isOpen()) flag.set("absent", "none");
    }
  }

  bubble(index) {
    let bubble = this.bubbles.get(index);
    if (!bubble) {
      const item = make("li", "bubble", this.list);
      item.dataset.state = "growing";
      item.setAttribute("aria-busy", "true");
      bubble = { item, text: text(make("span", "text", item)) };
      this.bubbles.set(index, bubble);
    }
    return bubble;
  }

  think(text) {
    if (this.thinking.hidden) {
      this.thinking.hidden = false;
      this.thinking.open = this.answer === null; // while there is nothing else to see
    }
    this.thoughts.append(text);
  }

  call({ state, call, name, arguments: given }) {
    if (state === "started") {
      const item = make("li", "call", this.tools);
      item.dataset.state = "growing";
      make("code", "", item, name);
      this.calls.set(call, { item, name, state: make("span", "", item, "is being written: not called yet") });
    } else {
      const { item, name, state } = this.calls.get(call);
      item.dataset.state = "final";
      state.textContent = "called with";
      const list = make("dl", "", item);
      for (const [key, value] of Object.entries(given)) {
        const pair = make("div", "", list);
        make("dt", "", pair, key);
        make("dd", "", pair, typeof value === "string" ? value : JSON.stringify(value));
      }
      this.announce(`Tool ${name} called`);
    }
  }

  finish(end) {
    const state = ending(end);
    this.close(state, ENDINGS[state](end));
  }

  /** Nothing more comes. */
  close(state, text) {
    this.element.dataset.state = state;
    // What the end left open was cut.
    for (const { item } of this.bubbles.values()) {
      if (item.dataset.state === "growing") {
        item.dataset.state = "cut";
        item.removeAttribute("aria-busy");
        make("span", "mark", item, "breaks off here");
      }
    }
    for (const [, flag] of this.flags) if (flag.isOpen()) flag.set("lost", "never came");
    for (const { item, state } of this.calls.values()) {
      if (item.dataset.state === "growing") {
        item.dataset.state = "cut";
        state.textContent = "was cut, and not called";
      }
    }
    this.ending.textContent = text;
    this.announce(text);
  }
}

/** Text around the JSON, without the blanks at its ends. */
class Prose {
  constructor(element) {
    this.text = text(element);
    this.blanks = "";
  }

  append(more) {
    const all = this.blanks + more;
    const shown = this.text.length ? all : all.trimStart();
    const rest = shown.trimEnd();
    this.blanks = shown.slice(rest.length);
    if (rest) this.text.appendData(rest);
  }
}

function ending({ errors, is_stopped: isStopped, outcome, repairs }) {
  if (isStopped) return "stopped";
  if (errors.length) return "error";
  if (outcome === "complete") return "whole";
  return outcome === "repaired" ? (repairs ? "repaired" : "whole") : "cut";
}

function flag(list, name) {
  const item = make("div", "flag", list);
  make("dt", "", item, name);
  const shown = make("dd", "", item, "pending");
  item.dataset.state = "pending";
  return {
    set(state, text, value) {
      item.dataset.state = state;
      if (typeof value === "boolean") item.dataset.value = value;
      shown.textContent = text;
    },
    isOpen: () => item.dataset.state === "pending" || item.dataset.state === "growing",
  };
}

function make(tag, className, parent, content) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (content) element.textContent = content;
  if (parent) parent.append(element);
  return element;
}

/** The text node of an element, which grows. */
function text(element) {
  const node = document.createTextNode("");
  element.append(node);
  return node;
}
