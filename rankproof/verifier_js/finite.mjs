// Linear algebra over a small prime field, with vectors as arrays of Numbers in 0..p-1.

import { inverseModulo } from "./numbers.mjs";

// A product of residues may pass 2^53 when the prime does not fit into 26 bits.
export const timesModulo = (a, b, p) => (p < 67108864 ? (a * b) % p : Number((BigInt(a) * BigInt(b)) % BigInt(p)));

const reciprocal = (a, p) => Number(inverseModulo(BigInt(a), BigInt(p)));

export function combine(coefficients, vectors, p) {
  const sum = new Array(vectors[0].length).fill(0);
  coefficients.forEach((c, i) => {
    if (c) vectors[i].forEach((x, k) => (sum[k] = (sum[k] + timesModulo(c, x, p)) % p));
  });
  return sum;
}

// A subspace by a reduced echelon basis, which grows.
export class Subspace {
  constructor(p, vectors = []) {
    this.p = p;
    this.rows = new Map(); // pivot -> vector with 1 there and 0 at the other pivots
    vectors.forEach((vector) => this.add(vector));
  }

  get dimension() {
    return this.rows.size;
  }

  reduce(vector) {
    const { p } = this;
    let rest = vector;
    for (const [pivot, row] of this.rows) {
      const c = rest[pivot];
      if (c) rest = rest.map((x, k) => (x + timesModulo(p - c, row[k], p)) % p);
    }
    return rest;
  }

  contains(vector) {
    return this.reduce(vector).every((x) => !x);
  }

  // Whether the vector was new.
  add(vector) {
    const { p } = this;
    const rest = this.reduce(vector);
    const pivot = rest.findIndex((x) => x);
    if (pivot < 0) return false;
    const scale = reciprocal(rest[pivot], p);
    const row = rest.map((x) => timesModulo(x, scale, p));
    for (const [other, old] of this.rows) {
      const c = old[pivot];
      if (c) this.rows.set(other, old.map((x, k) => (x + timesModulo(p - c, row[k], p)) % p));
    }
    this.rows.set(pivot, row);
    return true;
  }

  copy() {
    const twin = new Subspace(this.p);
    twin.rows = new Map(this.rows);
    return twin;
  }

  // Equal for equal subspaces.
  get key() {
    return [...this.rows].sort(([a], [b]) => a - b).map(([, row]) => row.join(",")).join(";");
  }
}

export const rankOf = (vectors, p) => new Subspace(p, vectors).dimension;

export const transposed = (matrix) => matrix[0].map((_, j) => matrix.map((row) => row[j]));

export const matrixProduct = (a, b, p) => a.map((row) => combine(row, b, p));

// One vector on every line of K^k: the first coordinate that is not zero is 1.
export function* lines(k, p) {
  for (let first = 0; first < k; first += 1) {
    const tail = k - first - 1;
    for (let number = 0; number < p ** tail; number += 1) {
      const vector = new Array(k).fill(0);
      vector[first] = 1;
      for (let i = first + 1, rest = number; i < k; i += 1, rest = Math.floor(rest / p)) vector[i] = rest % p;
      yield vector;
    }
  }
}

// All v with v . x = 0 for the vectors x, of length n.
export function annihilator(vectors, n, p) {
  const space = new Subspace(p, vectors);
  const basis = [];
  for (let free = 0; free < n; free += 1) {
    if (space.rows.has(free)) continue;
    const v = new Array(n).fill(0);
    v[free] = 1;
    for (const [pivot, row] of space.rows) v[pivot] = (p - row[free]) % p;
    basis.push(v);
  }
  return basis;
}
