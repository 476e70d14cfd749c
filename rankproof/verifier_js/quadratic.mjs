// Quadratic forms over the v-adic numbers and over GF(2). docs/rules/quadric.md, parts 4 and 5.

import { denominator, modulo, numerator, power } from "./numbers.mjs";

function valuation(n, v) {
  let e = 0;
  while (n % v === 0n) [n, e] = [n / v, e + 1];
  return [e, n];
}

// (n | p) for an odd prime p that does not divide n.
const legendre = (n, p) => (power(modulo(n, p), (p - 1n) / 2n, p) === 1n ? 1 : -1);

const odd = (u) => (modulo(u, 4n) === 3n ? 1 : 0); // (u - 1)/2 modulo 2
const eighth = (u) => ([3n, 5n].includes(modulo(u, 8n)) ? 1 : 0); // (u^2 - 1)/8 modulo 2

// Hilbert's symbol at v of two integers that are not zero. Serre, A course in arithmetic, III.1.2, Theorem 1.
export function hilbert(a, b, v) {
  const [alpha, u] = valuation(a, v);
  const [beta, w] = valuation(b, v);
  if (v === 2n) return (odd(u) * odd(w) + alpha * eighth(w) + beta * eighth(u)) % 2 ? -1 : 1;
  let symbol = alpha % 2 && beta % 2 && odd(v) ? -1 : 1;
  if (beta % 2) symbol *= legendre(u, v);
  if (alpha % 2) symbol *= legendre(w, v);
  return symbol;
}

function isLocalSquare(n, v) {
  const [e, u] = valuation(n, v);
  if (e % 2) return false;
  return v === 2n ? modulo(u, 8n) === 1n : legendre(u, v) === 1;
}

// Dimension of the anisotropic kernel over QQ_v of the form with these diagonal entries (rationals, none zero).
export function anisotropicDimension(entries, v) {
  const integers = entries.map((x) => numerator(x) * denominator(x)); // the same up to squares
  let dimension = integers.length;
  let d = integers.reduce((product, x) => product * x, 1n);
  let c = 1;
  integers.forEach((x, i) => integers.slice(i + 1).forEach((y) => (c *= hilbert(x, y, v))));
  const isIsotropic = () => {
    if (dimension === 2) return isLocalSquare(-d, v);
    if (dimension === 3) return c === hilbert(-1n, -d, v);
    if (dimension === 4) return !isLocalSquare(d, v) || c === hilbert(-1n, -1n, v);
    return dimension >= 5;
  };
  while (isIsotropic()) {
    // Without a hyperbolic plane: d' = -d, c' = c (-1, d').
    d = -d;
    dimension -= 2;
    c *= dimension ? hilbert(-1n, d, v) : 1;
  }
  return dimension;
}

// Least codimension of a subspace of GF(2)^n on which the form vanishes; coefficients[i][j] for i <= j, 0 or 1.
export function untiedWidthModulo2(coefficients) {
  const n = coefficients.length;
  const q = (x) => {
    let value = 0;
    for (let i = 0; i < n; i += 1) for (let j = i; j < n; j += 1) value ^= coefficients[i][j] & x[i] & x[j];
    return value;
  };
  const plus = (x, y) => x.map((a, i) => a ^ y[i]);
  const b = (x, y) => q(plus(x, y)) ^ q(x) ^ q(y);
  let space = Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => (i === j ? 1 : 0)));
  let planes = 0;
  let arf = 0;
  // Split off planes spanned by e, f with b(e, f) = 1; what is left at the end is the radical.
  const radical = [];
  while (space.length) {
    const e = space.pop();
    const k = space.findIndex((x) => b(e, x));
    if (k < 0) {
      radical.push(e);
      continue;
    }
    const [f] = space.splice(k, 1);
    planes += 1;
    arf ^= q(e) & q(f);
    space = space.map((x) => {
      const alpha = b(x, f);
      const beta = b(x, e);
      return x.map((a, i) => a ^ (alpha & e[i]) ^ (beta & f[i]));
    });
    // The vectors set aside before are orthogonal to everything that was left then, e and f included.
  }
  if (radical.some(q)) return planes + 1;
  return planes + arf;
}

