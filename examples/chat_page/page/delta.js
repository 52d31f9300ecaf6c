// The twin of the library's `apply_all`: applies the operations of a delta to a plain value.

/**
 * The value after the operations. Objects and arrays are changed in place, and those of the operations become part of
 * the value. Throws where an operation does not fit.
 */
export function apply(root, ops) {
  for (const { op, path, value, text } of ops) {
    if (op === "final") continue; // it says something about the value, and does not change it
    const holder = { "": root }; // so that the root is a member like any other
    const keys = ["", ...steps(path)];
    const last = keys.pop();
    const parent = keys.reduce(child, holder);
    if (op === "add" && Array.isArray(parent)) {
      const at = last === "-" ? parent.length : Number(last);
      if (last !== "-" && !(isIndex(last) && at <= parent.length)) throw new Error(`no index for ${path}`);
      parent.splice(at, 0, value);
    } else if (op === "add" && isContainer(parent)) {
      set(parent, last, value);
    } else if (op === "replace") {
      child(parent, last);
      set(parent, last, value);
    } else if (op === "append" && typeof child(parent, last) === "string") {
      set(parent, last, child(parent, last) + text);
    } else {
      throw new Error(`cannot ${op} at ${path}`);
    }
    root = holder[""];
  }
  return root;
}

/** The keys that a JSON pointer has. */
export function steps(path) {
  if (path !== "" && path[0] !== "/" || /~(?![01])/.test(path)) throw new Error(`no pointer: ${path}`);
  return path.split("/").slice(1).map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function child(parent, key) {
  // Own members only: a model may write `__proto__`.
  const isThere = Array.isArray(parent) ? isIndex(key) && key < parent.length : isContainer(parent) && Object.hasOwn(parent, key);
  if (!isThere) throw new Error(`nothing at ${key}`);
  return parent[key];
}

function set(parent, key, value) {
  Object.defineProperty(parent, key, { value, writable: true, enumerable: true, configurable: true });
}

const isContainer = (value) => typeof value === "object" && value !== null;
const isIndex = (key) => /^(0|[1-9]\d*)$/.test(key);
