// docs/rules/real-solution.md. Everything is an integer: coordinates are m / 2^bits, real numbers are over RR, pairs over CC.

import { compareWords, keyOf, range, words } from "../combinatorics.mjs";
import { denominator, numerator, readRational } from "../numbers.mjs";
import { integer, keys, sequence } from "../reading.mjs";
import { LIMITS, rejected, undecided, unreadable } from "../refusal.mjs";
import { fieldRefused } from "./over.mjs";

const PRECISION = 192n; // bits after the point of the rounded inverse and of the elimination that finds it

// Complex integers as pairs; a real one has imaginary part 0n.
const plus = ([a, b], [c, d]) => [a + c, b + d];
const times = ([a, b], [c, d]) => [a * c - b * d, a * d + b * c];
const ZERO = [0n, 0n];
const ONE = [1n, 0n];
const absolute = (x) => (x < 0n ? -x : x);
const size = ([a, b]) => absolute(a) + absolute(b);

export const realSolution = {
  read(witness, context) {
    const [bitsNode, unitNodes, freeNodes, radiusNode] = keys(witness, context.witness(), ["bits", "units", "free", "radius"]);
    const bits = integer(bitsNode, context.witness("bits"), 1, 4096);
    const lengths = context.units.lengths(context.target.space);
    const complex = context.over === "CC";
    const units = sequence(unitNodes, context.witness("units"), 1).map((unit, i) =>
      sequence(unit, context.witness("units", i), lengths.length, lengths.length).map((vector, j) =>
        sequence(vector, context.witness("units", i, j), lengths[j], lengths[j]).map((x, k) =>
          readCoordinate(x, context.witness("units", i, j, k), complex))));
    let previous = null;
    const free = sequence(freeNodes, context.witness("free")).map((node, i) => {
      const here = context.witness("free", i);
      const [u, v, c] = sequence(node, here, 3, 3);
      integer(u, `${here}/0`, 0, units.length - 1);
      integer(v, `${here}/1`, 0, lengths.length - 1);
      integer(c, `${here}/2`, 0, lengths[v] - 1);
      if (previous !== null && compareWords(node, previous) <= 0) throw unreadable("unsorted", here, "places increase");
      previous = node;
      return node;
    });
    return { bits: BigInt(bits), units, free, radius: readInteger(radiusNode, context.witness("radius")), complex };
  },
  derive(data, context) {
    const { target, over, units: model } = context;
    if (target.ring.name !== "QQ" || (over !== "RR" && over !== "CC")) throw fieldRefused(context);
    const { space } = target;
    const names = wordsOf(space);
    const n = data.complex ? 2 * names.length : names.length;
    if (data.free.length !== names.length) throw rejected("not-square", context.witness("free"), `${names.length} coordinates are free`);
    if (data.radius < 1n) throw rejected("radius", context.witness("radius"), "the radius is at least 1");
    if (n ** 3 > LIMITS.operations / 100 || n > 256) throw undecided("limit-operations", context.witness(), `${n} equations`);
    const { value, jacobian, variation } = system(data, space, model, names, target);
    const rows = (list) => (data.complex ? realRows(list) : list.map((row) => row.map(([a]) => a)));
    const J = rows(jacobian);
    const F = data.complex ? [...value.map(([a]) => a), ...value.map(([, b]) => b)] : value.map(([a]) => a);
    const D = data.complex ? [...variation, ...variation].map((row) => [...row, ...row]) : variation;
    contract(J, F, D, data, context);
    return context.claim("rank", "<=", data.units.length);
  },
};

function readInteger(node, pointer) {
  const value = readRational(node, pointer);
  if (typeof value !== "bigint") throw unreadable("wrong-type", pointer, "expected an integer");
  return value;
}

function readCoordinate(node, pointer, complex) {
  if (!complex) return [readInteger(node, pointer), 0n];
  return sequence(node, pointer, 2, 2).map((x, i) => readInteger(x, `${pointer}/${i}`));
}

function wordsOf(space) {
  let list = [[]];
  for (const [n, d] of space.factors) {
    const more = [...words(n, d)];
    list = list.flatMap((word) => more.map((rest) => [...word, ...rest]));
  }
  return list.map(keyOf);
}

// The coefficients of a product of powers of linear forms (or of vectors of a tensor), times the weights.
function expand(vectors, powers, space) {
  let terms = new Map([["", ONE]]);
  const put = (map, key, x) => map.set(key, map.has(key) ? plus(map.get(key), x) : x);
  if (!powers.length) {
    for (const vector of vectors) {
      const next = new Map();
      for (const [key, x] of terms) vector.forEach((y, i) => put(next, key === "" ? String(i) : `${key},${i}`, times(x, y)));
      terms = next;
    }
    return terms;
  }
  powers.forEach((power, v) => {
    for (let k = 0; k < power; k += 1) terms = multiplied(terms, vectors[v], put);
  });
  return weighted(terms, vectors.at(-1), space, put);
}

function multiplied(terms, vector, put) {
  const next = new Map();
  for (const [key, x] of terms) {
    const word = key === "" ? [] : key.split(",").map(Number);
    vector.forEach((y, i) => put(next, keyOf([...word, i].sort((a, b) => a - b)), times(x, y)));
  }
  return next;
}

function weighted(terms, weights, space, put) {
  const result = new Map();
  for (const [key, x] of terms) weights.forEach((w, j) => put(result, space.factors.length === 2 ? `${key},${j}` : key, times(x, w)));
  return result;
}

// The derivative of a unit by one coordinate of one vector.
function derivative(vectors, v, c, powers, space) {
  const basis = vectors[v].map((_, i) => (i === c ? ONE : ZERO));
  if (!powers.length || v === vectors.length - 1) return expand(vectors.map((w, i) => (i === v ? basis : w)), powers, space);
  const put = (map, key, x) => map.set(key, map.has(key) ? plus(map.get(key), x) : x);
  let terms = new Map([["", ONE]]);
  powers.forEach((power, w) => {
    const count = w === v ? power - 1 : power;
    for (let k = 0; k < count; k += 1) terms = multiplied(terms, vectors[w], put);
  });
  terms = multiplied(terms, basis, put);
  const scale = BigInt(powers[v]);
  for (const [key, [a, b]] of terms) terms.set(key, [a * scale, b * scale]);
  return weighted(terms, vectors.at(-1), space, put);
}

// F(y), F'(y), and the bound for the variation of F' in the box, all times one common factor; integers.
function system(data, space, { powers }, names, target) {
  const total = powers.length ? powers.reduce((sum, p) => sum + p, 0) + 1 : space.factors.length;
  const scale = 1n << (data.bits * BigInt(total));
  let common = 1n;
  for (const x of target.entries.values()) common *= denominator(x) / gcd(common, denominator(x));
  const value = names.map(() => ZERO);
  const place = new Map(names.map((name, i) => [name, i]));
  for (const unit of data.units) {
    for (const [key, x] of expand(unit, powers, space)) value[place.get(key)] = plus(value[place.get(key)], times(x, [common, 0n]));
  }
  for (const [key, x] of target.entries) {
    const i = place.get(key);
    value[i] = plus(value[i], [-numerator(x) * (common / denominator(x)) * scale, 0n]);
  }
  const columns = data.free.map(([u, v, c]) => derivative(data.units[u], v, c, powers, space));
  const jacobian = names.map((name) => columns.map((column) => times(column.get(name) ?? ZERO, [common, 0n])));
  // The same with absolute values, with and without the radius on the free coordinates.
  const moved = data.complex ? 2n * data.radius : data.radius;
  const isFree = new Set(data.free.map(keyOf));
  const still = data.units.map((unit) => unit.map((vector) => vector.map((x) => [size(x), 0n])));
  const wide = still.map((unit, u) => unit.map((vector, v) => vector.map(([x], c) => [isFree.has(`${u},${v},${c}`) ? x + moved : x, 0n])));
  const difference = data.free.map(([u, v, c]) => {
    const [high, low] = [derivative(wide[u], v, c, powers, space), derivative(still[u], v, c, powers, space)];
    return new Map([...high].map(([key, [x]]) => [key, x - (low.get(key)?.[0] ?? 0n)]));
  });
  const variation = names.map((name) => difference.map((column) => (column.get(name) ?? 0n) * common));
  return { value, jacobian, variation };
}

function gcd(a, b) {
  while (b) [a, b] = [b, a % b];
  return a;
}

// The rows of real and imaginary parts of a complex matrix, the unknowns in the same order.
function realRows(matrix) {
  return [
    ...matrix.map((row) => [...row.map(([a]) => a), ...row.map(([, b]) => -b)]),
    ...matrix.map((row) => [...row.map(([, b]) => b), ...row.map(([a]) => a)]),
  ];
}

// |Y F|_i + R (sum |I - Y J| + sum |Y| D) < R in every row, for a rounded inverse Y.
//
// In units of the last place: F is 2^bits times too large against J (one more coordinate), and so are the radius and F alike.
function contract(J, F, D, { radius }, context) {
  const Y = inverse(J, context);
  const one = 1n << Y.bits;
  const n = J.length;
  for (let i = 0; i < n; i += 1) {
    const row = Y.rows[i];
    let shift = 0n;
    for (let k = 0; k < n; k += 1) shift += row[k] * F[k];
    let norm = 0n;
    for (let k = 0; k < n; k += 1) {
      let [product, spread] = [0n, 0n];
      for (let l = 0; l < n; l += 1) {
        product += row[l] * J[l][k];
        spread += absolute(row[l]) * D[l][k];
      }
      norm += absolute((i === k ? one : 0n) - product) + spread;
    }
    // Y J is 2^Y.bits when Y is exact, and Y F is then the step in units of 2^-bits.
    if (!(absolute(shift) + radius * norm < radius * one)) {
      throw rejected("no-contraction", context.witness(), `the inequality fails in row ${i}`);
    }
  }
}

// An inverse of an integer matrix, times 2^bits and rounded: elimination with the largest pivot in fixed point.
function inverse(J, context) {
  const n = J.length;
  const largest = J.flat().reduce((most, x) => (absolute(x) > most ? absolute(x) : most), 1n);
  const length = BigInt(largest.toString(16).length * 4);
  const bits = PRECISION + length;
  const unit = 1n << PRECISION;
  // The matrix over its largest entry, so that entries are below 1.
  const rows = J.map((row, i) => [...row.map((x) => (x * unit) >> length), ...range(n).map((k) => (i === k ? unit : 0n))]);
  for (let c = 0; c < n; c += 1) {
    let pivot = c;
    for (let r = c + 1; r < n; r += 1) if (absolute(rows[r][c]) > absolute(rows[pivot][c])) pivot = r;
    if (absolute(rows[pivot][c]) < 1n << 40n) throw rejected("singular", context.witness(), "the Jacobian is singular to this precision");
    [rows[c], rows[pivot]] = [rows[pivot], rows[c]];
    const lead = rows[c][c];
    rows[c] = rows[c].map((x) => (x * unit) / lead);
    for (let r = 0; r < n; r += 1) {
      const factor = rows[r][c];
      if (r === c || !factor) continue;
      rows[r] = rows[r].map((x, k) => x - ((factor * rows[c][k]) >> PRECISION));
    }
  }
  // (J / 2^length)^-1 = rows; J^-1 = rows / 2^length, so that Y = rows gives Y J near 2^(PRECISION + length).
  return { rows: rows.map((row) => row.slice(n)), bits };
}
