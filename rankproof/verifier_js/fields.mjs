// Number fields: arithmetic modulo the minimal polynomial, irreducibility, real roots. Polynomials are arrays of coefficients in
// ascending order without zeros at the end; [] is zero.

import { absolute, add, inverse, inverseModulo, isZero, modulo, multiply, negate, rational, sign } from "./numbers.mjs";
import { LIMITS, undecided } from "./refusal.mjs";
import { isPrime } from "./primes.mjs";

// Polynomials over the rationals

export function trimmed(f) {
  let length = f.length;
  while (length && isZero(f[length - 1])) length -= 1;
  return f.slice(0, length);
}

export const degree = (f) => f.length - 1;
export const derivative = (f) => trimmed(f.slice(1).map((c, i) => multiply(c, BigInt(i + 1))));
export const evaluate = (f, x) => f.reduceRight((value, c) => add(multiply(value, x), c), 0n);

export function divide(f, g) {
  const rest = [...f];
  const quotient = new Array(Math.max(f.length - g.length + 1, 0)).fill(0n);
  const scale = inverse(g.at(-1));
  for (let k = quotient.length - 1; k >= 0; k -= 1) {
    const c = (quotient[k] = multiply(rest[k + g.length - 1], scale));
    if (!isZero(c)) g.forEach((b, j) => (rest[k + j] = add(rest[k + j], negate(multiply(c, b)))));
  }
  return [trimmed(quotient), trimmed(rest.slice(0, Math.max(g.length - 1, 0)))];
}

export const remainder = (f, g) => (f.length < g.length ? trimmed(f) : divide(f, g)[1]);

export function commonDivisor(f, g) {
  while (g.length) [f, g] = [g, remainder(f, g)];
  return f.map((c) => multiply(c, inverse(f.at(-1))));
}

function product(f, g) {
  if (!f.length || !g.length) return [];
  const result = new Array(f.length + g.length - 1).fill(0n);
  f.forEach((a, i) => g.forEach((b, j) => (result[i + j] = add(result[i + j], multiply(a, b)))));
  return trimmed(result);
}

// Number of different real roots in the half-open interval (low, high]; null stands for an end at infinity. Sturm's theorem.
export function countRealRoots(f, low = null, high = null) {
  const chain = [f, derivative(f)];
  while (chain.at(-1).length) chain.push(remainder(chain.at(-2), chain.at(-1)).map(negate));
  chain.pop();
  const changes = (at) => {
    const signs = chain.map(at).filter((s) => s !== 0);
    return signs.filter((s, i) => i > 0 && s !== signs[i - 1]).length;
  };
  const atInfinity = (direction) => (g) => sign(g.at(-1)) * (direction < 0 && degree(g) % 2 ? -1 : 1);
  const left = changes(low === null ? atInfinity(-1) : (g) => sign(evaluate(g, low)));
  return left - changes(high === null ? atInfinity(1) : (g) => sign(evaluate(g, high)));
}

export class NumberField {
  constructor(symbol, minimalPolynomial, realRoot) {
    Object.assign(this, { symbol, minimalPolynomial, realRoot, degree: minimalPolynomial.length - 1 });
  }

  reduce(coefficients) {
    const f = this.minimalPolynomial;
    const c = [...coefficients];
    for (let k = c.length - 1; k >= this.degree; k -= 1) {
      // f is monic: a^k is a^(k-n) times the rest of f, with the other sign.
      if (!isZero(c[k])) for (let j = 0; j < this.degree; j += 1) c[k - this.degree + j] = add(c[k - this.degree + j], negate(multiply(c[k], f[j])));
    }
    return trimmed(c.slice(0, this.degree));
  }

  // u with u g = 1 modulo f, kept along the Euclidean algorithm.
  inverse(g) {
    let [a, b] = [this.minimalPolynomial, trimmed(g)];
    let [u, v] = [[], [1n]];
    while (degree(b) > 0) {
      const [q, r] = divide(a, b);
      const next = product(q, v).map(negate);
      [a, b] = [b, r];
      [u, v] = [v, trimmed(Array.from({ length: Math.max(u.length, next.length) }, (_, i) => add(u[i] ?? 0n, next[i] ?? 0n)))];
    }
    return this.reduce(v.map((c) => multiply(c, inverse(b[0]))));
  }

  // Sign at the declared real root: the interval is halved until g has no root in it.
  sign(g) {
    g = trimmed(g);
    if (!g.length) return 0;
    let [low, high] = this.realRoot;
    const f = this.minimalPolynomial;
    const rising = sign(evaluate(f, high));
    // g is not zero at the root (f is irreducible and longer), so this ends.
    while (isZero(evaluate(g, low)) || countRealRoots(g, low, high)) {
      const middle = multiply(add(low, high), rational(1n, 2n));
      if (sign(evaluate(f, middle)) === rising) high = middle;
      else low = middle;
    }
    return sign(evaluate(g, low));
  }
}

// Irreducibility over the rationals: factor modulo a prime, lift the factors (Hensel), and try the products of at most half of them
// (Zassenhaus). An irreducible factor over the integers is a product of lifted ones, with coefficients below Mignotte's bound.

export function isIrreducible(f, pointer) {
  let best = null;
  let tried = 0;
  for (let p = 2n; tried < 5; p += 1n) {
    // A polynomial without repeated factors keeps them modulo nearly all primes; after some failures the question is settled.
    if (p === 100n && !tried && degree(commonDivisor(f, derivative(f))) > 0) return false;
    if (!isPrime(p)) continue;
    const reduced = f.map((c) => modulo(c, p));
    if (gcdModulo(reduced, trim(derivativeModulo(reduced, p)), p).length !== 1) continue;
    tried += 1;
    const factors = berlekamp(reduced, p);
    if (factors.length === 1) return true;
    if (best === null || factors.length < best.factors.length) best = { p, factors };
  }
  if (best.factors.length > LIMITS.modularFactors) {
    throw undecided("limit-modular-factors", pointer, "the minimal polynomial has too many factors modulo five small primes");
  }
  // Mignotte: a factor of degree m has coefficients of absolute value at most 2^m times the length of f.
  const length = f.reduce((sum, c) => sum + absolute(c), 0n);
  const bound = 2n * (1n << BigInt(degree(f))) * length + 1n;
  const { factors, modulus } = lift(f, best.factors, best.p, bound);
  const n = factors.length;
  for (let subset = 1; subset < 2 ** n - 1; subset += 1) {
    const chosen = factors.filter((_, i) => subset & (2 ** i));
    if (2 * chosen.length > n) continue;
    let g = [1n];
    for (const factor of chosen) g = productModulo(g, factor, modulus);
    const centred = g.map((c) => (2n * c > modulus ? c - modulus : c));
    // A divisor's constant term divides that of f; most products are refused by this alone.
    if (f[0] && (!centred[0] || f[0] % centred[0])) continue;
    if (!remainder(f, centred).length) return false;
  }
  return true;
}

const trim = (f) => trimmed(f);
const derivativeModulo = (f, p) => f.slice(1).map((c, i) => (c * BigInt(i + 1)) % p);

function productModulo(f, g, m) {
  const result = new Array(f.length + g.length - 1).fill(0n);
  f.forEach((a, i) => g.forEach((b, j) => (result[i + j] = (result[i + j] + a * b) % m)));
  return trim(result);
}

// Quotient and rest modulo m, for a divisor with an invertible leading coefficient (m prime, or g monic).
function divideModulo(f, g, m, prime = true) {
  const rest = [...f];
  const quotient = new Array(Math.max(f.length - g.length + 1, 0)).fill(0n);
  const scale = g.at(-1) === 1n ? 1n : prime ? inverseModulo(g.at(-1), m) : null;
  for (let k = quotient.length - 1; k >= 0; k -= 1) {
    const c = (quotient[k] = (rest[k + g.length - 1] * scale) % m);
    if (c) g.forEach((b, j) => (rest[k + j] = modulo(rest[k + j] - c * b, m)));
  }
  return [trim(quotient), trim(rest.slice(0, g.length - 1))];
}

function gcdModulo(f, g, p) {
  while (g.length) [f, g] = [g, f.length < g.length ? f : divideModulo(f, g, p)[1]];
  const scale = inverseModulo(f.at(-1), p);
  return f.map((c) => (c * scale) % p);
}

// Irreducible monic factors of a monic polynomial without repeated factors modulo a small prime.
function berlekamp(f, p) {
  const n = degree(f);
  // Row i of Q - 1: x^(i p) - x^i modulo f. Its left kernel is the algebra of the g with g^p = g.
  const step = powerOfX(p, f, p);
  const rows = [];
  let image = [1n];
  for (let i = 0; i < n; i += 1) {
    const row = Array.from({ length: n }, (_, j) => image[j] ?? 0n);
    row[i] = modulo(row[i] - 1n, p);
    rows.push(row);
    image = divideModulo(productModulo(image, step, p), f, p)[1];
  }
  const algebra = leftKernel(rows, p);
  let factors = [f];
  for (const g of algebra) {
    if (factors.length === algebra.length) break;
    factors = factors.flatMap((factor) => split(factor, trim(g), p));
  }
  return factors;
}

function split(factor, g, p) {
  if (degree(factor) === 1) return [factor];
  const parts = [];
  let rest = factor;
  for (let s = 0n; s < p && degree(rest) > 0; s += 1n) {
    const shifted = [...g];
    shifted[0] = modulo((shifted[0] ?? 0n) - s, p);
    const part = trim(shifted).length ? gcdModulo(rest, trim(shifted), p) : rest;
    if (degree(part) > 0) {
      parts.push(part);
      rest = divideModulo(rest, part, p)[0];
    }
  }
  return parts;
}

function powerOfX(exponent, f, p) {
  let result = [1n];
  let base = degree(f) === 1 ? [modulo(-f[0], p)] : [0n, 1n];
  for (let e = exponent; e; e >>= 1n) {
    if (e & 1n) result = divideModulo(productModulo(result, base, p), f, p)[1];
    base = divideModulo(productModulo(base, base, p), f, p)[1];
  }
  return result;
}

function leftKernel(rows, p) {
  const n = rows.length;
  const work = rows.map((row, i) => [...row, ...Array.from({ length: n }, (_, j) => (i === j ? 1n : 0n))]);
  let rank = 0;
  for (let column = 0; column < n; column += 1) {
    const pivot = work.findIndex((row, i) => i >= rank && row[column]);
    if (pivot < 0) continue;
    [work[rank], work[pivot]] = [work[pivot], work[rank]];
    const scale = inverseModulo(work[rank][column], p);
    for (let i = rank + 1; i < n; i += 1) {
      const factor = (work[i][column] * scale) % p;
      if (factor) work[i] = work[i].map((c, j) => modulo(c - factor * work[rank][j], p));
    }
    rank += 1;
  }
  return work.slice(rank).map((row) => row.slice(n));
}

// Factors modulo a power of p above the bound, whose product is f there: one factor after the other is split off and lifted.
function lift(f, factors, p, bound) {
  let modulus = p;
  while (modulus < bound) modulus *= p;
  const lifted = [];
  let rest = f.map((c) => modulo(c, modulus));
  for (let i = 0; i + 1 < factors.length; i += 1) {
    const others = factors.slice(i + 1).reduce((g, h) => productModulo(g, h, p), [1n]);
    const [g, h] = liftPair(rest, factors[i], others, p, modulus);
    lifted.push(g);
    rest = h;
  }
  return { factors: [...lifted, rest], modulus };
}

// Linear lifting of f = g h from modulo p to the modulus, g and h monic and coprime modulo p.
function liftPair(f, g, h, p, modulus) {
  const [s, t] = bezout(g, h, p); // s g + t h = 1 modulo p
  for (let m = p; m < modulus; m *= p) {
    const error = difference(f, productModulo(g, h, modulus), modulus).map((c) => (c / m) % p);
    const e = trim(error);
    // g + m u, h + m v with u h + v g = e: u = t e mod g, v = s e + (quotient) h.
    const [q, u] = e.length ? divideModulo(productModulo(t, e, p), g, p) : [[], []];
    const v = e.length ? sumModulo(productModulo(s, e, p), q.length ? productModulo(q, h, p) : [], p) : [];
    g = sumScaled(g, u, m, modulus);
    h = sumScaled(h, v, m, modulus);
  }
  return [g, h];
}

const coefficient = (f, i) => f[i] ?? 0n;
const difference = (f, g, m) => Array.from({ length: Math.max(f.length, g.length) }, (_, i) => modulo(coefficient(f, i) - coefficient(g, i), m));
const sumModulo = (f, g, m) => trim(Array.from({ length: Math.max(f.length, g.length) }, (_, i) => (coefficient(f, i) + coefficient(g, i)) % m));
const sumScaled = (f, g, scale, m) => trim(Array.from({ length: Math.max(f.length, g.length) }, (_, i) => modulo(coefficient(f, i) + scale * coefficient(g, i), m)));

function bezout(g, h, p) {
  let [a, b] = [g, h];
  let [s, s1] = [[1n], []];
  let [t, t1] = [[], [1n]];
  const minus = (x, q, y) => trim(difference(x, q.length && y.length ? productModulo(q, y, p) : [], p));
  while (b.length) {
    const [q, r] = a.length < b.length ? [[], a] : divideModulo(a, b, p);
    [a, b] = [b, r];
    [s, s1] = [s1, minus(s, q, s1)];
    [t, t1] = [t1, minus(t, q, t1)];
  }
  const scale = inverseModulo(a[0], p);
  return [s.map((c) => (c * scale) % p), t.map((c) => (c * scale) % p)];
}

