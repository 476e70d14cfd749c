// docs/rules/size-floor.md: tied units that come close to a form which so many of them only approach are large.

import { keyOf, range } from "../combinatorics.mjs";
import { absolute, add, denominator, inverse, isZero, multiply, negate, numerator, rational, readRational, sign, subtract } from "../numbers.mjs";
import { integer, keys, sequence } from "../reading.mjs";
import { LIMITS, rejected, undecided, unreadable } from "../refusal.mjs";
import { checkWord } from "../targets.mjs";
import { factorial } from "./floor.mjs";
import { fieldRefused } from "./over.mjs";

const sum = (values) => values.reduce(add, 0n);
const raised = (x, e) => range(e).reduce((y) => multiply(y, x), 1n);
const size = (x) => (sign(x) < 0 ? negate(x) : x);
const times = (a, b) => a.map((row) => range(b.length).map((j) => sum(row.map((x, k) => multiply(x, b[k][j])))));
const identity = (n) => range(n).map((i) => range(n).map((j) => (i === j ? 1n : 0n)));

function integerRoot(n) {
  if (n < 2n) return n;
  let x = 1n << BigInt(Math.ceil(n.toString(2).length / 2));
  for (;;) {
    const next = (x + n / x) >> 1n;
    if (next >= x) return x;
    x = next;
  }
}

// At least the square root.
function rootAbove(x) {
  const short = denominator(x).toString(2).length - absolute(numerator(x)).toString(2).length;
  const bits = 80n + BigInt(Math.max(0, short));
  return rational(integerRoot((numerator(x) << (2n * bits)) / denominator(x)) + 1n, 1n << bits);
}

// At least the Euclidean norm of all entries.
const norm = (rows) => rootAbove(sum(rows.flat().map((x) => multiply(x, x))));

function inverted(matrix) {
  const n = matrix.length;
  const rows = matrix.map((row, i) => [...row, ...identity(n)[i]]);
  for (const k of range(n)) {
    const pivot = range(n).find((i) => i >= k && !isZero(rows[i][k]));
    if (pivot === undefined) return null;
    [rows[k], rows[pivot]] = [rows[pivot], rows[k]];
    const scale = inverse(rows[k][k]);
    rows[k] = rows[k].map((x) => multiply(x, scale));
    for (const i of range(n)) {
      const factor = rows[i][k];
      if (i !== k && !isZero(factor)) rows[i] = rows[i].map((x, j) => subtract(x, multiply(factor, rows[k][j])));
    }
  }
  return rows.map((row) => row.slice(n));
}

// Entry (u, v): the sum over j of form_j t_(u+v+j).
function contracted({ rows, columns }, form, target) {
  const entry = (word) => {
    const value = target.entries.get(keyOf(word));
    if (value === undefined) return 0n;
    const repeats = [...new Set(word)].reduce((m, x) => m * factorial(word.filter((y) => y === x).length), 1n);
    return multiply(value, rational(repeats, factorial(word.length)));
  };
  const sorted = (word) => word.sort((a, b) => a - b);
  return rows.map((u) => columns.map((v) => sum(form.map((x, j) => (isZero(x) ? 0n : multiply(x, entry(sorted([...u, ...v, j]))))))));
}

function holds({ over, along, polynomial, power, bound }, h, hInverse, m, p, last, error) {
  const [ofOver, ofAlong, ofInverse, ofM, ofP] = [norm([over]), norm([along]), norm(hInverse), norm(m), norm(p)];
  const gap = multiply(ofOver, error);
  const left = subtract(1n, multiply(ofInverse, gap));
  if (sign(left) <= 0) return false;
  const moved = multiply(multiply(add(ofAlong, multiply(ofM, ofOver)), multiply(error, ofInverse)), inverse(left));
  const gained = (x, more, e) => subtract(raised(add(x, more), e), raised(x, e));
  const change = sum(polynomial.map((c, j) => multiply(size(c), gained(ofM, moved, j))));
  const entries = times(last, h).flat().map(size);
  const largest = entries.reduce((a, b) => (sign(subtract(a, b)) > 0 ? a : b));
  const lost = add(multiply(gained(ofP, change, power - 1), add(norm(h), gap)), multiply(norm(last), gap));
  const y = subtract(largest, lost);
  if (sign(y) <= 0) return false;
  const most = multiply(raised(multiply(bound, ofOver), power), raised(gained(ofP, change, power), power - 1));
  return sign(subtract(raised(y, power), most)) >= 0;
}

function readWords(node, name, n, length, count, context) {
  const here = context.witness(name);
  const words = sequence(node, here, count, count).map((entry, i) => {
    const word = sequence(entry, context.witness(name, i), length, length);
    checkWord(word, context.witness(name, i), [[n, length]]);
    return word.map(Number);
  });
  if (new Set(words.map(keyOf)).size !== count) throw unreadable("repeated", here, "a word stands twice");
  return words;
}

const readNumbers = (node, name, least, most, context) =>
  sequence(node, context.witness(name), least, most).map((x, i) => readRational(x, context.witness(name, i)));

export const sizeFloor = {
  read(witness, context) {
    const names = ["order", "rows", "columns", "over", "along", "polynomial", "power", "bound"];
    const nodes = keys(witness, context.witness(), names);
    const { space } = context.target;
    const width = context.floor === null ? 0 : Number(context.floor.width);
    const [n, d] = space.factors[0];
    if (space.factors.length !== 1 || d < 3 || context.units.name !== "tied") {
      throw unreadable("units-do-not-fit", context.pointer, "the rule is about tied units and one form of degree 3 or more");
    }
    const order = Number(integer(nodes[0], context.witness("order"), 1, d - 2));
    return {
      rows: readWords(nodes[1], "rows", n, order, width, context),
      columns: readWords(nodes[2], "columns", n, d - 1 - order, width, context),
      over: readNumbers(nodes[3], "over", n, n, context),
      along: readNumbers(nodes[4], "along", n, n, context),
      polynomial: readNumbers(nodes[5], "polynomial", 2, width + 1, context),
      power: Number(integer(nodes[6], context.witness("power"), 1, width)),
      bound: readRational(nodes[7], context.witness("bound")),
    };
  },
  derive(data, context) {
    const { target, floor } = context;
    if (floor === null || floor.loss !== "size") throw rejected("quantity", `${context.pointer}/claim/quantity`, "the rule is about sizes");
    if (!["RR", "CC"].includes(context.over) || target.ring.name !== "QQ") throw fieldRefused(context);
    const r = Number(floor.width);
    if (100 * r ** 4 * (data.polynomial.length + data.power) > LIMITS.operations) {
      throw undecided("limit-operations", context.pointer, `${r} units`);
    }
    const h = contracted(data, data.over, target);
    const hInverse = inverted(h);
    if (hInverse === null) throw rejected("hypothesis", context.witness("over"), "the matrix of this form is singular");
    const m = times(contracted(data, data.along, target), hInverse);
    const zero = range(r).map(() => new Array(r).fill(0n));
    const p = data.polynomial.reduceRight(
      (value, c) => times(value, m).map((row, i) => row.map((x, j) => (i === j ? add(x, c) : x))),
      zero,
    );
    const last = range(data.power - 1).reduce((value) => times(value, p), identity(r));
    if (!times(last, p).flat().every(isZero)) {
      throw rejected("hypothesis", context.witness("polynomial"), "the power of the value of the polynomial is not zero");
    }
    if (!holds(data, h, hInverse, m, p, last, rootAbove(floor.scale))) {
      throw rejected("bound", context.witness("bound"), "the inequality does not give so much");
    }
    return context.claim(context.quantity, ">=", data.bound);
  },
};
