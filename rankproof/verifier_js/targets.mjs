// Targets: sparse exact coefficients on a Segre-Veronese space. docs/format.md, section Target.
// Entries are a Map from the key of a word to a number that is not zero.

import { readBlock } from "./block.mjs";
import { binomial, compareWords, keyOf, wordOf } from "./combinatorics.mjs";
import { NAMED } from "./named.mjs";
import { QQ, Ring, add, isZero, readNumber, written } from "./numbers.mjs";
import { isPrime } from "./primes.mjs";
import { SAFE, integer, isObject, keys, sequence, show, string } from "./reading.mjs";
import { LIMITS, rejected, undecided, unreadable } from "./refusal.mjs";

export class Space {
  constructor(factors) {
    this.factors = factors; // [dimension, power]
  }

  get isPolynomial() {
    return this.factors.length === 1 || (this.factors.length === 2 && this.factors[1][1] === 1);
  }

  get isTensor() {
    return this.factors.every(([, power]) => power === 1);
  }

  get variables() {
    return this.factors[0][0];
  }

  get formDegree() {
    return this.factors[0][1];
  }

  get outputs() {
    return this.factors.length === 2 ? this.factors[1][0] : 1;
  }

  // A word cut into its factors.
  split(word) {
    let start = 0;
    return this.factors.map(([, power]) => word.slice(start, (start += power)));
  }
}

export class Target {
  constructor(space, ring, entries) {
    Object.assign(this, { space, ring, entries });
  }

  // The target with coefficients in a ring that contains those of its own, or over GF(p).
  over(ring) {
    if (ring.name === this.ring.name) return this;
    if (this.ring.name !== "QQ") throw rejected("ring", "", `a target over ${this.ring.name} has no meaning over ${ring.name}`);
    const entries = new Map();
    for (const [key, value] of this.entries) {
      const image = ring.reduce(value);
      if (!isZero(image)) entries.set(key, image);
    }
    if (!entries.size) throw rejected("target-vanishes", "/target", `the target is zero over ${ring.name}`);
    return new Target(this.space, ring, entries);
  }

  // What the claim hash sees.
  get canonical() {
    const sorted = [...this.entries].map(([key, value]) => [wordOf(key), value]).sort(([u], [v]) => compareWords(u, v));
    return {
      entries: `[${sorted.map(([word, value]) => `[[${word}],${written(value)}]`).join(",")}]`,
      ring: `"${this.ring.name}"`,
      space: `[${this.space.factors.map((factor) => `[${factor}]`).join(",")}]`,
    };
  }
}

export function readTarget(node, rings, weights) {
  if (isObject(node) && node.has("name")) {
    const [name, parameters] = keys(node, "/target", ["name", "parameters"]);
    return namedTarget(string(name, "/target/name"), sequence(parameters, "/target/parameters"));
  }
  if (isObject(node) && node.has("block")) {
    const [factors, ring, entries] = readBlock(node, weights);
    return new Target(new Space(factors), ring, entries);
  }
  const [spaceNode, ringNode, entriesNode, names] = keys(node, "/target", ["space", "ring", "entries"], ["variables"]);
  const space = readSpace(spaceNode);
  const ring = readRing(ringNode, "/target/ring", rings);
  const entries = readEntries(entriesNode, space, ring);
  const variables = names === undefined ? undefined : readNames(names, space);
  const used = variables ?? Array.from({ length: space.variables }, (_, i) => `x${i + 1}`);
  if (ring.field !== null && used.includes(ring.field.symbol)) {
    throw unreadable("bad-name", "/target/ring", "a variable has the name of the generator of the field");
  }
  return new Target(space, ring, entries);
}

// GF(p) for p prime below 2^31, or null.
export function finiteField(name) {
  const match = /^GF\(([1-9][0-9]{0,9})\)$/.exec(name);
  if (match === null || Number(match[1]) >= 2 ** 31 || !isPrime(match[1])) return null;
  return new Ring(name, { prime: BigInt(match[1]) });
}

export function readRing(node, pointer, rings) {
  const name = string(node, pointer);
  const ring = rings.get(name) ?? finiteField(name);
  if (ring === null) throw unreadable("unknown-field", pointer, `${show(name)} is not QQ, GF(p) or a declared field`);
  return ring;
}

function readSpace(node) {
  const factors = sequence(node, "/target/space", 1).map((factor, i) => {
    const here = `/target/space/${i}`;
    const [dimension, power] = sequence(factor, here, 2, 2);
    integer(dimension, `${here}/0`, 1, SAFE);
    integer(power, `${here}/1`, 1, SAFE);
    if (dimension > LIMITS.dimension) throw undecided("limit-dimension", `${here}/0`, `dimension ${dimension}`);
    return [dimension, power];
  });
  if (factors.length > LIMITS.factors) throw undecided("limit-factors", "/target/space", `${factors.length} factors`);
  if (factors.reduce((sum, [, power]) => sum + power, 0) > LIMITS.degree) {
    throw undecided("limit-degree", "/target/space", `total degree above ${LIMITS.degree}`);
  }
  if (factors.length === 2 && keyOf(factors[1]) === "1,1") {
    throw unreadable("one-output", "/target/space/1", "a single form is written without an output factor");
  }
  return new Space(factors);
}

function readEntries(node, space, ring) {
  const pairs = sequence(node, "/target/entries", 1);
  if (pairs.length > LIMITS.entries) throw undecided("limit-entries", "/target/entries", `${pairs.length} entries`);
  const length = space.factors.reduce((sum, [, power]) => sum + power, 0);
  const entries = new Map();
  let previous = null;
  pairs.forEach((pair, i) => {
    const here = `/target/entries/${i}`;
    const [word, coefficient] = sequence(pair, here, 2, 2);
    sequence(word, `${here}/0`, length, length);
    checkWord(word, `${here}/0`, space.factors);
    const order = previous === null ? 1 : compareWords(word, previous);
    if (order <= 0) throw unreadable(order ? "unsorted" : "repeated", `${here}/0`, "words must increase");
    previous = word;
    const value = readNumber(coefficient, `${here}/1`, ring);
    if (isZero(value)) throw unreadable("zero-entry", `${here}/1`, "zero coefficients are left out");
    entries.set(keyOf(word), value);
  });
  return entries;
}

// Refuse a word that is not one of the space.
export function checkWord(word, pointer, factors) {
  let position = 0;
  for (const [dimension, power] of factors) {
    for (let k = 0; k < power; k += 1, position += 1) {
      integer(word[position], `${pointer}/${position}`, 0, dimension - 1);
      if (k > 0 && word[position] < word[position - 1]) {
        throw unreadable("unsorted", `${pointer}/${position}`, "indices of one factor must not decrease");
      }
    }
  }
}

function readNames(node, space) {
  if (!space.isPolynomial) throw unreadable("unknown-key", "/target/variables", "only forms and maps have named variables");
  const names = sequence(node, "/target/variables", space.variables, space.variables);
  names.forEach((name, i) => {
    const here = `/target/variables/${i}`;
    if (!/^[A-Za-z][A-Za-z0-9_]{0,31}$/.test(string(name, here))) throw unreadable("bad-name", here, `${show(name)} is no identifier`);
    if (NAMED.has(name) && NAMED.get(name).least === 0) throw unreadable("bad-name", here, `${name} is the name of a target`);
  });
  if (new Set(names).size < names.length) throw unreadable("repeated", "/target/variables", "two variables have one name");
  return names;
}

export function namedTarget(name, parameters) {
  const entry = NAMED.get(name);
  if (entry === undefined) throw unreadable("unknown-target", "/target/name", `no target is named ${show(name)}`);
  const here = "/target/parameters";
  sequence(parameters, here, entry.least, entry.most);
  parameters.forEach((parameter, i) => integer(parameter, `${here}/${i}`, entry.lowest, LIMITS.dimension));
  const [a, b] = parameters;
  if (["det", "perm", "det_tensor", "perm_tensor"].includes(name) && a > 8) throw undecided("limit-entries", here, `${a}! terms`);
  if (["elementary", "dicke"].includes(name) && a > b) throw unreadable("bad-parameters", here, "the first is at most the second");
  if (name === "skew_coppersmith_winograd" && a % 2) throw unreadable("bad-parameters", here, "q is even");
  if (name === "elementary" && binomial(b, a) > BigInt(LIMITS.entries)) throw undecided("limit-entries", here, "too many terms");
  if (name === "unit" && b < 2) throw unreadable("bad-parameters", `${here}/1`, "a unit tensor has order at least 2");
  const factors = entry.factors(...parameters);
  if (factors.length > LIMITS.factors || factors.some(([n]) => n > LIMITS.dimension)) {
    throw undecided("limit-dimension", here, "the space is too large");
  }
  if (factors.reduce((sum, [, d]) => sum + d, 0) > LIMITS.degree) throw undecided("limit-degree", here, "the degree is too large");
  const size = { matmul: () => a * b * parameters[2], polymul: () => a * b, truncated_polynomials: () => a * a, cyclic_convolution: () => a * a };
  if ((size[name]?.() ?? 0) > LIMITS.entries) throw undecided("limit-entries", here, "too many entries");
  const entries = new Map();
  for (const [word, coefficient] of entry.pairs(...parameters)) {
    const key = keyOf(word);
    entries.set(key, add(entries.get(key) ?? 0n, BigInt(coefficient)));
  }
  return new Target(new Space(factors), QQ, entries);
}
