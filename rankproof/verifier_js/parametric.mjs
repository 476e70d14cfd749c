// Matrices whose entries are polynomials in parameters, and ranks that hold for all values of the parameters.
// A polynomial is a Map from the key of a word of parameter numbers to a rational (or a residue, modulo a prime).

import { compareWords, keyOf, wordOf } from "./combinatorics.mjs";
import { rankModulo } from "./modular.mjs";
import { accumulate, denominator, inverse, inverseModulo, modulo, multiply, negate, numerator } from "./numbers.mjs";

export const PRIME = 2 ** 31 - 1; // for matrices without parameters; a rank modulo a prime is at most the rank

export const constantPolynomial = (x) => new Map([["", x]]);
export const isConstant = (f) => [...f.keys()].every((key) => key === "");
const merged = (u, v) => keyOf([...wordOf(u), ...wordOf(v)].sort((a, b) => a - b));

const normal = (x, p) => (p ? modulo(x, p) : x);

export function plus(f, g, p = 0n) {
  const sum = new Map(f);
  for (const [key, x] of g) {
    accumulate(sum, key, x);
    if (p && sum.has(key)) {
      const y = normal(sum.get(key), p);
      if (y) sum.set(key, y);
      else sum.delete(key);
    }
  }
  return sum;
}

export function times(f, g, p = 0n) {
  let product = new Map();
  for (const [u, x] of f) {
    const part = new Map();
    for (const [v, y] of g) {
      const z = normal(multiply(x, y), p);
      if (z) part.set(merged(u, v), z);
    }
    product = plus(product, part, p);
  }
  return product;
}

export const scaled = (f, x) => times(f, constantPolynomial(x));

// Higher degrees first, then larger words.
const order = (u, v) => wordOf(v).length - wordOf(u).length || -compareWords(wordOf(u), wordOf(v));
const leading = (f) => [...f.keys()].reduce((a, b) => (order(a, b) <= 0 ? a : b));

// f / g when the division leaves nothing, else null.
export function quotient(f, g) {
  const lead = leading(g);
  let rest = f;
  let result = new Map();
  while (rest.size) {
    const key = leading(rest);
    const word = wordOf(key);
    for (const letter of wordOf(lead)) {
      const i = word.indexOf(letter);
      if (i < 0) return null;
      word.splice(i, 1);
    }
    const term = new Map([[keyOf(word), multiply(rest.get(key), inverse(g.get(lead)))]]);
    result = plus(result, term);
    rest = plus(rest, scaled(times(term, g), -1n));
  }
  return result;
}

// What is left after division by polynomials that do not vanish, as often as they divide.
export function withoutFactors(f, nonzero) {
  for (const factor of nonzero) {
    for (let divided = f.size ? quotient(f, factor) : null; divided !== null; divided = f.size ? quotient(f, factor) : null) f = divided;
  }
  return f;
}

// The row left + factor * right; rows are Maps from the key of a column to a polynomial that is not zero.
export function addRow(left, factor, right, work, p = 0n) {
  const result = new Map(left);
  for (const [column, entry] of right) {
    work.spend(25 * factor.size * entry.size);
    const term = times(factor, entry, p);
    const sum = result.has(column) ? plus(result.get(column), term, p) : term;
    if (sum.size) result.set(column, sum);
    else result.delete(column);
  }
  return result;
}

// Rows that share a column, directly or through others, as one block; the order of the rows is kept.
export function blocksOf(rows) {
  const block = new Map();
  const owner = new Map();
  const find = (i) => {
    while (block.get(i) !== i) i = block.get(i);
    return i;
  };
  rows.forEach((row, i) => {
    block.set(i, i);
    for (const column of row.keys()) {
      if (owner.has(column)) block.set(find(i), find(owner.get(column)));
      else owner.set(column, i);
    }
  });
  const found = new Map();
  rows.forEach((row, i) => {
    if (!row.size) return;
    const root = find(i);
    if (!found.has(root)) found.set(root, []);
    found.get(root).push(row);
  });
  return [...found.values()];
}

// A lower bound for the rank at every point at which the polynomials `nonzero` do not vanish. docs/format.md, ranks with parameters.
export function rankEverywhere(rows, nonzero, work, p = 0n) {
  let rank = 0;
  const constants = [];
  for (const block of blocksOf(rows)) {
    if (block.every((row) => [...row.values()].every(isConstant))) constants.push(...block);
    else rank += rankByUnits(block, nonzero, work, p);
  }
  return rank + constantRank(constants, work, p);
}

function constantRank(rows, work, p) {
  const prime = p || BigInt(PRIME);
  const reduced = rows.map((row) => {
    // A common denominator, so that no prime has to divide any.
    const scale = [...row.values()].reduce((s, f) => s * denominator(f.get("")), 1n);
    const residues = new Map();
    for (const [column, f] of row) {
      const x = f.get("");
      const y = Number(modulo(numerator(x) * (scale / denominator(x)), prime));
      if (y) residues.set(column, y);
    }
    return residues;
  });
  return rankModulo(reduced, Number(prime), work);
}

function rankByUnits(block, nonzero, work, p) {
  let rows = block;
  let rank = 0;
  for (let place = unitPlace(rows, nonzero); place !== null; place = unitPlace(rows, nonzero)) {
    const [i, column] = place;
    const pivot = rows[i];
    const unit = pivot.get(column);
    rank += 1;
    rows = rows.filter((_, j) => j !== i).map((row) => {
      if (!row.has(column)) return row;
      const entry = row.get(column);
      if (!isConstant(unit)) return addRow(addRow(new Map(), unit, row, work), scaled(entry, -1n), pivot, work);
      const x = unit.get("");
      const scale = negate(p ? inverseModulo(x, p) : inverse(x));
      return addRow(row, times(entry, constantPolynomial(normal(scale, p)), p), pivot, work, p);
    });
  }
  return rank;
}

// Columns are compared as lists of numbers.
export const compareColumns = (a, b) => compareWords(wordOf(a), wordOf(b));

// A constant entry if there is one, else one that becomes constant when divided by the polynomials that do not vanish; of several the
// one with the fewest terms, in the shortest row, in the first row, in the least column.
function unitPlace(rows, nonzero) {
  for (const divisors of nonzero.length ? [[], nonzero] : [[]]) {
    let best = null;
    rows.forEach((row, i) => {
      for (const [column, f] of row) {
        const candidate = [f.size, row.size, i, column];
        if (best !== null && !earlier(candidate, best)) continue;
        if (isConstant(divisors.length ? withoutFactors(f, divisors) : f)) best = candidate;
      }
    });
    if (best !== null) return [best[2], best[3]];
  }
  return null;
}

function earlier(a, b) {
  for (let k = 0; k < 3; k += 1) if (a[k] !== b[k]) return a[k] < b[k];
  return compareColumns(a[3], b[3]) < 0;
}
