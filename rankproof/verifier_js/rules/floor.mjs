// docs/rules/floor.md: squares of singular values of a weighted flattening, beyond the rank that so few units have.

import { exponents, keyOf, range, wordOf } from "../combinatorics.mjs";
import { readSides } from "../contraction.mjs";
import { diagonal } from "../linear.mjs";
import { accumulate, add, inverse, isZero, multiply, rational, readRational, sign, subtract } from "../numbers.mjs";
import { keys, sequence } from "../reading.mjs";
import { LIMITS, Work, rejected, undecided, unreadable } from "../refusal.mjs";
import { checkSide, divisorOf, numbered, splittings } from "./flattening.mjs";
import { fieldRefused } from "./over.mjs";

export const factorial = (n) => (n < 2 ? 1n : BigInt(n) * factorial(n - 1));

// The number of orderings of the variables of a word, its first letters, so many; outputs and the letters of a tensor have one.
function orderings(word, count, space) {
  if (!space.isPolynomial) return 1n;
  return [...exponents(word.slice(0, count)).values()].reduce((m, e) => m / factorial(e), factorial(count));
}

const power = (x, e) => (e === 0 ? 1n : multiply(x, power(x, e - 1)));

// The constant C of a loss that costs C times the Bombieri norm; null for uniform and rademacher.
export function constantOf({ loss, scale }, n, d) {
  if (loss === "frobenius") return 1n;
  const gaussian = multiply(power(scale, d), factorial(d));
  if (loss === "gaussian") return gaussian;
  if (loss !== "sphere") return null;
  return multiply(gaussian, inverse(range(d).reduce((product, k) => product * BigInt(n + 2 * k), 1n)));
}

// K_a, what a monomial costs; the word holds its variables first.
function costOf(floor, word, space) {
  const [n, d] = space.factors[0];
  const mult = orderings(word, d, space);
  const constant = constantOf(floor, n, d);
  if (constant !== null) return multiply(constant, mult);
  let cost = multiply(power(floor.scale, d), mult * mult);
  for (const e of exponents(word.slice(0, d)).values()) {
    if (floor.loss === "rademacher") cost = e < 2 ? cost : 0n;
    else cost = multiply(cost, rational(4n ** BigInt(e) * factorial(e) ** 4n, factorial(2 * e) ** 2n * BigInt(2 * e + 1)));
  }
  return cost;
}

const joined = (u, v, orders, rest, space) => {
  const [a, b] = [cut(u, orders), cut(v, rest)];
  return space.factors.flatMap((_, i) => [...a[i], ...b[i]].sort((x, y) => x - y));
};

function cut(word, orders) {
  let start = 0;
  return orders.map((s) => word.slice(start, (start += s)));
}

// Given weights: for every monomial they reach, the sum over its splits is at most its cost.
function checkWeights(data, context, work) {
  const { space } = context.target;
  const columns = [...data.columns].filter(([, q]) => !isZero(q));
  const sums = new Map();
  for (const [u, p] of data.rows) {
    if (isZero(p)) continue;
    work.spend(20 * columns.length);
    for (const [v, q] of columns) accumulate(sums, keyOf(joined(wordOf(u), wordOf(v), data.orders, data.rest, space)), multiply(p, q));
  }
  for (const [key, sum] of sums) {
    if (sign(subtract(costOf(context.floor, wordOf(key), space), sum)) < 0) {
      throw rejected("weights", context.witness("rows"), `the weights of the splits of ${key} sum to more than it costs`);
    }
  }
}

// Number of ways to take so many of the letters of a word, by factor.
function countSplits(pieces, orders) {
  return pieces.reduce((total, piece, i) => {
    let ways = [1, ...new Array(orders[i]).fill(0)];
    for (const e of exponents(piece).values()) {
      ways = ways.map((_, s) => range(Math.min(e, s) + 1).reduce((sum, k) => sum + ways[s - k], 0));
    }
    return total * ways[orders[i]];
  }, 1);
}

// The matrix B on the rows that are not zero, their weights p, and the trace.
function weightedSquare({ orders, rest, rows: given, columns: givenColumns }, context, work) {
  const { target, floor } = context;
  const { space } = target;
  const constant = constantOf(floor, ...space.factors[0]) ?? 1n;
  const p = (u) => (given === null ? orderings(wordOf(u), orders[0], space) : given.get(u));
  const q = (v) => (givenColumns === null ? multiply(constant, orderings(wordOf(v), rest[0], space)) : givenColumns.get(v));
  const columns = new Map(); // column -> [[row, t_(u+v)], ...]
  for (const key of target.entries.keys()) work.spend(20 * countSplits(space.split(wordOf(key)), orders));
  for (const [key, value] of target.entries) {
    const word = wordOf(key);
    const t = multiply(value, inverse(orderings(word, space.formDegree, space)));
    for (const [u, v] of splittings(space.split(word), orders)) {
      const [row, column] = [keyOf(u), keyOf(v)];
      if (isZero(p(row)) || isZero(q(column))) continue;
      if (!columns.has(column)) columns.set(column, []);
      columns.get(column).push([row, t]);
    }
  }
  const numbers = new Map();
  for (const entries of columns.values()) for (const [row] of entries) if (!numbers.has(row)) numbers.set(row, numbers.size);
  const size = numbers.size;
  if (10 * size ** 3 > LIMITS.operations) throw undecided("limit-operations", context.witness("orders"), `${size} rows`);
  const matrix = Array.from({ length: size }, () => new Array(size).fill(0n));
  for (const [column, entries] of columns) {
    work.spend(20 * entries.length ** 2);
    for (const [u, s] of entries) {
      const scaled = multiply(q(column), s);
      for (const [w, t] of entries) {
        const row = matrix[numbers.get(u)];
        row[numbers.get(w)] = add(row[numbers.get(w)], multiply(scaled, t));
      }
    }
  }
  return { matrix, weights: [...numbers.keys()].map(p) };
}

function value({ matrix, weights }, thresholds, first, work) {
  const size = weights.length;
  const counts = thresholds.map((c) => {
    const shifted = matrix.map((row, i) => row.map((x, j) => (i === j ? subtract(x, multiply(c, inverse(weights[i]))) : x)));
    const entries = diagonal(shifted, work);
    const above = entries.filter((x) => sign(x) > 0).length;
    return { c, above, reaching: above + size - entries.length };
  });
  // Thresholds decrease: the first that i eigenvalues reach is the largest, the last that fewer than i exceed the smallest.
  const low = (i) => counts.find(({ reaching }) => reaching >= i)?.c ?? 0n;
  const high = (i) => counts.findLast(({ above }) => above < i)?.c;
  const places = range(size).map((k) => k + 1);
  const beyond = places.filter((i) => i > first).map(low).reduce(add, 0n);
  const largest = places.filter((i) => i <= first).map(high);
  if (largest.includes(undefined)) return beyond;
  const trace = weights.map((p, i) => multiply(p, matrix[i][i])).reduce(add, 0n);
  const rest = subtract(trace, largest.reduce(add, 0n));
  return sign(subtract(rest, beyond)) > 0 ? rest : beyond;
}

function readWeights(node, orders, context, name) {
  const size = checkSide(orders, context);
  sequence(node, context.witness(name), size, size);
  const list = numbered(orders, context.target.space.factors);
  return new Map(node.map((x, i) => {
    const weight = readRational(x, context.witness(name, i));
    if (sign(weight) < 0) throw unreadable("out-of-range", context.witness(name, i), "a weight is not negative");
    return [list[i], weight];
  }));
}

export const floor = {
  read(witness, context) {
    const [ordersNode, thresholdNodes, rows, columns] = keys(witness, context.witness(), ["orders", "thresholds"], ["rows", "columns"]);
    const orders = readSides(ordersNode, context.target.space, context.witness("orders"));
    const rest = orders.map((s, i) => context.target.space.factors[i][1] - s);
    let previous = null;
    const thresholds = sequence(thresholdNodes, context.witness("thresholds")).map((node, i) => {
      const c = readRational(node, context.witness("thresholds", i));
      if (sign(c) <= 0 || (previous !== null && sign(subtract(previous, c)) <= 0)) {
        throw unreadable("unsorted", context.witness("thresholds", i), "thresholds are positive and decrease");
      }
      previous = c;
      return c;
    });
    if ((rows === undefined) !== (columns === undefined)) throw unreadable("missing-key", context.witness(), "rows and columns come together");
    if (rows === undefined) return { orders, rest, thresholds, rows: null, columns: null };
    return { orders, rest, thresholds, rows: readWeights(rows, orders, context, "rows"), columns: readWeights(columns, rest, context, "columns") };
  },
  derive(data, context) {
    const { target } = context;
    if (context.floor === null || context.floor.loss === "size") throw rejected("quantity", `${context.pointer}/claim/quantity`, "the rule is about floors");
    if (!["RR", "CC"].includes(context.over) || target.ring.name !== "QQ") throw fieldRefused(context);
    const { loss, width } = context.floor;
    if (!context.units.powers.length && loss !== "frobenius") {
      throw rejected("hypothesis", context.pointer, "for product units the rule knows the loss frobenius alone");
    }
    const work = new Work(context.witness("orders"));
    if (data.rows === null && (loss === "uniform" || loss === "rademacher")) {
      throw rejected("weights", context.witness(), "this loss needs weights");
    }
    if (data.rows !== null) {
      if (!context.units.powers.length) throw rejected("weights", context.witness("rows"), "weights are for forms and maps");
      checkWeights(data, context, work);
    }
    const first = width * BigInt(divisorOf(context, data.orders[0]));
    return context.claim(context.quantity, ">=", value(weightedSquare(data, context, work), data.thresholds, Number(first), work));
  },
};
