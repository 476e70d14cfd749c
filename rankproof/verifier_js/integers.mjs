// Polynomials modulo a prime, and embeddings of number fields into the p-adic numbers.

import { evaluate, derivative } from "./fields.mjs";
import { absolute, denominator, inverseModulo, modulo, numerator } from "./numbers.mjs";
import { integer } from "./reading.mjs";
import { rejected } from "./refusal.mjs";

export const gcdOf = (values) => values.reduce((a, b) => {
  [a, b] = [absolute(a), absolute(b)];
  while (b) [a, b] = [b, a % b];
  return a;
}, 0n);

// Coprime integers proportional to rationals.
export function primitivePart(rationals) {
  const scale = rationals.reduce((s, x) => (s * denominator(x)) / gcdOf([s, denominator(x)]), 1n);
  const integers = rationals.map((x) => numerator(x) * (scale / denominator(x)));
  const content = gcdOf(integers);
  return content ? integers.map((x) => x / content) : integers;
}

const trim = (f) => {
  let length = f.length;
  while (length && !f[length - 1]) length -= 1;
  return f.slice(0, length);
};

export const reducePolynomial = (f, p) => trim(f.map((c) => modulo(c, p)));

export function remainderModulo(f, g, p) {
  const rest = [...f];
  const scale = inverseModulo(g.at(-1), p);
  for (let k = rest.length - g.length; k >= 0; k -= 1) {
    const c = (rest[k + g.length - 1] * scale) % p;
    if (c) g.forEach((b, j) => (rest[k + j] = modulo(rest[k + j] - c * b, p)));
  }
  return trim(rest.slice(0, Math.max(g.length - 1, 0)));
}

export function gcdModulo(f, g, p) {
  while (g.length) [f, g] = [g, f.length < g.length ? f : remainderModulo(f, g, p)];
  return f;
}

export function multiplyModulo(f, g, p) {
  if (!f.length || !g.length) return [];
  const result = new Array(f.length + g.length - 1).fill(0n);
  f.forEach((a, i) => g.forEach((b, j) => (result[i + j] = (result[i + j] + a * b) % p)));
  return trim(result);
}

// x^exponent modulo f and p.
export function powerOfX(exponent, f, p) {
  let result = remainderModulo([1n], f, p);
  let base = remainderModulo([0n, 1n], f, p);
  for (let e = exponent; e; e >>= 1n) {
    if (e & 1n) result = remainderModulo(multiplyModulo(result, base, p), f, p);
    base = remainderModulo(multiplyModulo(base, base, p), f, p);
  }
  return result;
}

// The part of f that splits into linear factors without repetition: gcd(f, x^p - x).
export function linearPart(f, p) {
  const image = powerOfX(p, f, p);
  const difference = [...image];
  while (difference.length < 2) difference.push(0n);
  difference[1] = modulo(difference[1] - 1n, p);
  return gcdModulo(f, trim(difference), p);
}

function valuation(x, v) {
  if (!x) return Infinity;
  let e = 0;
  for (let n = x; n % v === 0n; n /= v) e += 1;
  return e;
}

export const readRoot = (node, context) => (node === undefined ? null : BigInt(integer(node, context.witness("root"), 0, 2 ** 53 - 1)));

// The root puts the number field of the claim into QQ_p: v(f(r)) > 2 v(f'(r)). Given exactly when the claim is over a number field.
export function checkEmbedding(root, place, context) {
  const field = context.rings.get(context.over)?.field ?? null;
  if ((field === null) !== (root === null)) {
    throw rejected("root", context.witness("root"), "a root is given exactly for a claim over a number field");
  }
  if (field === null) return;
  const f = field.minimalPolynomial;
  const [value, slope] = [evaluate(f, root), evaluate(derivative(f), root)];
  if (!(valuation(value, place) > 2 * valuation(slope, place))) {
    throw rejected("root", context.witness("root"), "the integer is not near a root of the minimal polynomial in the p-adic numbers");
  }
}
