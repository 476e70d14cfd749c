// Strict reading of JSON: bytes to Maps, arrays, strings and integers, or a refusal. docs/format.md, section Bytes.
//
// The reader is written out: JSON.parse forgets duplicate keys and turns every number into a double. An integer is a Number when
// its absolute value is below 2^53 and a BigInt otherwise.

import { LIMITS, undecided, unreadable } from "./refusal.mjs";

export const SAFE = 2 ** 53;

export function parse(bytes) {
  if (bytes.length > LIMITS.bytes) {
    throw undecided("limit-bytes", "", `${bytes.length} bytes; at most ${LIMITS.bytes} are read`);
  }
  const starts = (...mark) => mark.every((byte, i) => bytes[i] === byte);
  if (starts(0xef, 0xbb, 0xbf) || starts(0xff, 0xfe) || starts(0xfe, 0xff)) {
    throw unreadable("byte-order-mark", "", "the file starts with a byte-order mark");
  }
  const foreign = bytes.findIndex((byte) => byte > 0x7f);
  if (foreign >= 0) throw unreadable("not-ascii", "", `byte ${foreign} is not ASCII`);
  const text = new TextDecoder("latin1").decode(bytes);
  checkOutsideStrings(text);
  const reader = new Reader(text);
  const tree = reader.value();
  reader.space();
  if (reader.at < text.length) throw unreadable("trailing-data", "", `character ${reader.at}: more than one value`);
  if (!isObject(tree)) throw unreadable("not-an-object", "", "a certificate is a JSON object");
  refuseNullAndBooleans(tree, "");
  return tree;
}

// Nesting and long numbers are looked for before anything is built: both can exhaust a reader.
function checkOutsideStrings(text) {
  const bare = text.replace(/"(?:[^"\\]|\\[^])*(?:"|$)/g, '""');
  let depth = 0;
  for (const [bracket] of bare.matchAll(/[[\]{}]/g)) {
    depth += bracket === "[" || bracket === "{" ? 1 : -1;
    if (depth > LIMITS.nesting) throw unreadable("too-deep", "", `nested deeper than ${LIMITS.nesting}`);
  }
  if (/[0-9]{17}/.test(bare)) throw unreadable("long-number", "", "an integer literal of more than 16 digits");
  if (/-0(?![0-9.eE])/.test(bare)) throw unreadable("negative-zero", "", "-0 is written 0");
}

const ESCAPES = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

class Reader {
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  broken(what) {
    return unreadable("not-json", "", `character ${this.at}: ${what}`);
  }

  space() {
    while (" \t\n\r".includes(this.text[this.at] ?? "x")) this.at += 1;
  }

  value() {
    this.space();
    switch (this.text[this.at]) {
      case "{":
        return this.object();
      case "[":
        return this.list();
      case '"':
        return this.string();
    }
    for (const [word, meaning] of [["null", null], ["true", true], ["false", false]]) {
      if (this.text.startsWith(word, this.at)) {
        this.at += word.length;
        return meaning;
      }
    }
    if (/^(?:NaN|-?Infinity)/.test(this.text.slice(this.at, this.at + 9))) {
      throw unreadable("non-finite", "", `character ${this.at}: not a number`);
    }
    return this.number();
  }

  number() {
    const literal = /^-?(?:0|[1-9][0-9]*)/.exec(this.text.slice(this.at, this.at + 20))?.[0];
    if (literal === undefined) throw this.broken("a value is missing");
    this.at += literal.length;
    if (/^(?:\.[0-9]|[eE][-+]?[0-9])/.test(this.text.slice(this.at, this.at + 3))) {
      throw unreadable("float", "", `character ${this.at}: floats have no place here`);
    }
    const number = Number(literal);
    return Number.isSafeInteger(number) ? number : BigInt(literal);
  }

  string() {
    const start = (this.at += 1);
    let value = "";
    for (let from = start; ; from = this.at) {
      while (this.at < this.text.length && !/["\\\x00-\x1f]/.test(this.text[this.at])) this.at += 1;
      value += this.text.slice(from, this.at);
      const stop = this.text[this.at];
      if (stop === '"') {
        this.at += 1;
        return value;
      }
      if (stop !== "\\") throw this.broken("a string does not end");
      value += this.escape();
    }
  }

  escape() {
    const letter = this.text[this.at + 1];
    if (letter === "u") {
      const digits = this.text.slice(this.at + 2, this.at + 6);
      if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw this.broken("\\u is followed by four hexadecimal digits");
      this.at += 6;
      return String.fromCharCode(parseInt(digits, 16));
    }
    if (!(letter in ESCAPES)) throw this.broken("no such escape");
    this.at += 2;
    return ESCAPES[letter];
  }

  list() {
    const values = [];
    this.at += 1;
    this.space();
    if (this.text[this.at] === "]") {
      this.at += 1;
      return values;
    }
    while (true) {
      values.push(this.value());
      this.space();
      const stop = this.text[this.at];
      if (stop !== "," && stop !== "]") throw this.broken("a list goes on with a comma or ends");
      this.at += 1;
      if (stop === "]") return values;
    }
  }

  object() {
    const values = new Map();
    let twice = null;
    this.at += 1;
    this.space();
    if (this.text[this.at] === "}") {
      this.at += 1;
      return values;
    }
    while (true) {
      this.space();
      if (this.text[this.at] !== '"') throw this.broken("a key is a string");
      const key = this.string();
      this.space();
      if (this.text[this.at] !== ":") throw this.broken("a key is followed by a colon");
      this.at += 1;
      const value = this.value();
      if (values.has(key)) twice ??= key;
      values.set(key, value);
      this.space();
      const stop = this.text[this.at];
      if (stop !== "," && stop !== "}") throw this.broken("an object goes on with a comma or ends");
      this.at += 1;
      if (stop === ",") continue;
      if (twice !== null) throw unreadable("duplicate-key", "", `the key ${show(twice)} stands twice in one object`);
      return values;
    }
  }
}

function refuseNullAndBooleans(node, pointer) {
  if (node === null) throw unreadable("null", pointer, "null has no meaning here");
  if (typeof node === "boolean") throw unreadable("boolean", pointer, "a boolean has no meaning here");
  if (isObject(node)) for (const [key, child] of node) refuseNullAndBooleans(child, `${pointer}/${escapeKey(key)}`);
  if (isList(node)) node.forEach((child, i) => refuseNullAndBooleans(child, `${pointer}/${i}`));
}

export const isObject = (node) => node instanceof Map;
export const isList = Array.isArray;
export const isInteger = (node) => typeof node === "number" || typeof node === "bigint";

const printable = (text) =>
  text.replace(/[^\x20-\x7e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);

const escapeKey = (key) => printable(key).slice(0, 40).replaceAll("~", "~0").replaceAll("/", "~1");

export function show(value) {
  const text = isObject(value) ? "an object" : isList(value) ? "a list" : printable(typeof value === "string" ? `'${value}'` : String(value));
  return text.length <= 60 ? text : `${text.slice(0, 57)}...`;
}

// Values of an object with a closed key set: the required keys, then the optional ones (undefined where absent).
export function keys(node, pointer, required, optional = []) {
  if (!isObject(node)) throw unreadable("wrong-type", pointer, `expected an object, found ${show(node)}`);
  for (const key of node.keys()) {
    if (!required.includes(key) && !optional.includes(key)) {
      throw unreadable("unknown-key", `${pointer}/${escapeKey(key)}`, `unknown key ${show(key)}`);
    }
  }
  for (const key of required) {
    if (!node.has(key)) throw unreadable("missing-key", pointer, `the key ${show(key)} is missing`);
  }
  return [...required, ...optional].map((key) => node.get(key));
}

export function sequence(node, pointer, least = 0, most = Infinity) {
  if (!isList(node)) throw unreadable("wrong-type", pointer, `expected a list, found ${show(node)}`);
  if (node.length < least) {
    throw unreadable(node.length ? "wrong-length" : "empty-list", pointer, `${node.length} elements; at least ${least}`);
  }
  if (node.length > most) throw unreadable("wrong-length", pointer, `${node.length} elements; at most ${most}`);
  return node;
}

export function integer(node, pointer, least, most) {
  if (!isInteger(node)) throw unreadable("wrong-type", pointer, `expected an integer, found ${show(node)}`);
  if (!(least <= node && node <= most)) {
    throw unreadable("out-of-range", pointer, `${node} is not between ${least} and ${most}`);
  }
  return Number(node);
}

export function string(node, pointer) {
  if (typeof node !== "string") throw unreadable("wrong-type", pointer, `expected a string, found ${show(node)}`);
  return node;
}

// A strictly increasing list of integers.
export function increasing(node, pointer, least, most, shortest = 0) {
  const values = sequence(node, pointer, shortest);
  values.forEach((value, i) => {
    integer(value, `${pointer}/${i}`, least, most);
    if (i > 0 && value <= values[i - 1]) {
      throw unreadable(value === values[i - 1] ? "repeated" : "unsorted", `${pointer}/${i}`, "the list must increase");
    }
  });
  return values;
}
