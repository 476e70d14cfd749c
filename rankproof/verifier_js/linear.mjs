// Exact linear algebra over the rationals, a number field or GF(p): rank, and diagonal forms.

import { Fraction, accumulate, add, cost, denominator, gcd, inverse, isZero, multiply, negate, numerator, rational } from "./numbers.mjs";

// Rank of a matrix given by rows, Maps from a column to a number that is not zero; they are used up.
export function exactRank(rows, work) {
  let rest = rows.filter((row) => row.size).map(primitive);
  let rank = 0;
  while (rest.length) {
    let shortest = 0;
    rest.forEach((row, i) => {
      if (row.size < rest[shortest].size) shortest = i;
    });
    const [pivot] = rest.splice(shortest, 1);
    rank += 1;
    const [column] = pivot.keys();
    const lead = pivot.get(column);
    const next = [];
    for (const row of rest) {
      if (row.has(column)) {
        // lead * row - entry * pivot, without a division.
        const entry = negate(row.get(column));
        const scaled = new Map();
        for (const [c, x] of row) scaled.set(c, multiply(x, lead));
        for (const [c, x] of pivot) {
          work.spend(cost(x));
          accumulate(scaled, c, multiply(x, entry));
        }
        if (scaled.size) next.push(primitive(scaled));
      } else next.push(row);
    }
    rest = next;
  }
  return rank;
}

// A rational row as coprime integers, which keeps entries short; other rows as they are.
function primitive(row) {
  let scale = 1n;
  for (const x of row.values()) {
    if (x.field) return row;
    scale *= denominator(x) / gcd(scale, denominator(x));
  }
  let content = 0n;
  const integers = new Map();
  for (const [c, x] of row) {
    const n = numerator(x) * (scale / denominator(x));
    integers.set(c, n);
    content = gcd(content, n);
  }
  if (content !== 1n) for (const [c, n] of integers) integers.set(c, n / content);
  return integers;
}

// The same for rational numbers, without fractions (Bareiss): what is left of the matrix is kept times the last pivot, a minor
// of the matrix of integers, so that every division is exact.
function integralDiagonal(matrix, work) {
  let scale = 1n;
  for (const row of matrix) for (const x of row) scale *= denominator(x) / gcd(scale, denominator(x));
  let m = matrix.map((row) => row.map((x) => (numerator(x) * scale) / denominator(x)));
  let last = 1n;
  const found = [];
  while (m.length) {
    let i = m.findIndex((row, k) => row[k]);
    if (i < 0) {
      const a = m.findIndex((row) => row.some((x) => x));
      if (a < 0) return found;
      const b = m[a].findIndex((x) => x);
      m[a] = m[a].map((x, k) => x + m[b][k]);
      for (const row of m) row[a] += row[b];
      i = a;
    }
    const pivot = m[i];
    const d = pivot[i];
    found.push(rational(d, last * scale));
    m = m.flatMap((row, r) => (r === i ? [] : [row.flatMap((x, k) => {
      if (k === i) return [];
      const value = d * x - row[i] * pivot[k];
      // Long multiplications and divisions take time quadratic in the length.
      work.spend(1 + Math.floor(cost(value) ** 2 / 50));
      return [value / last];
    })]));
    last = d;
  }
  return found;
}

// Diagonal entries, none zero, of a symmetric matrix after a change of basis: a form with as many squares as its rank.
// Characteristic not 2; `reduce` brings a number of GF(p) to its normal form.
export function diagonal(matrix, work, reduce = null, reciprocal = inverse) {
  if (reduce === null) {
    if (matrix.every((row) => row.every((x) => typeof x === "bigint" || x instanceof Fraction))) return integralDiagonal(matrix, work);
    reduce = (x) => x;
  }
  let m = matrix.map((row) => [...row]);
  const found = [];
  while (m.length) {
    let i = m.findIndex((row, k) => !isZero(row[k]));
    if (i < 0) {
      // No square: a product x y is made one by replacing x with x + y.
      const a = m.findIndex((row) => row.some((x) => !isZero(x)));
      if (a < 0) return found;
      const b = m[a].findIndex((x) => !isZero(x));
      m[a] = m[a].map((x, k) => reduce(add(x, m[b][k])));
      m = m.map((row) => row.map((x, k) => (k === a ? reduce(add(x, row[b])) : x)));
      i = a;
    }
    const pivot = m[i];
    const d = pivot[i];
    found.push(d);
    const scale = reciprocal(d);
    m = m.map((row, r) => {
      const factor = reduce(negate(multiply(row[i], scale)));
      if (r === i || isZero(factor)) return row;
      return row.map((x, k) => {
        work.spend(cost(pivot[k]));
        return reduce(add(x, multiply(factor, pivot[k])));
      });
    });
    m = m.filter((_, r) => r !== i).map((row) => row.filter((_, k) => k !== i));
  }
  return found;
}
