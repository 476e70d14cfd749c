// Exact numbers. A rational is a BigInt when it is an integer and a Fraction otherwise; an irrational element of a number field is
// an Algebraic; a coordinate of a border unit may be a Laurent polynomial in eps. Elements of GF(p) are BigInts.
// Every function returns a normal form, so that a value is zero exactly when it is 0n (or has no terms).

import { LIMITS, rejected, undecided, unreadable } from "./refusal.mjs";
import { SAFE, integer, isInteger, isList, isObject, keys, sequence, show } from "./reading.mjs";

export class Fraction {
  constructor(numerator, denominator) {
    this.n = numerator;
    this.d = denominator;
  }
}

export class Algebraic {
  constructor(field, coefficients) {
    this.field = field;
    this.c = coefficients; // rationals at 1, a, a^2, ...; at least two, the last of them not zero
  }
}

export class Laurent {
  constructor(terms) {
    this.terms = terms; // Map from exponent to a number that is not zero
  }
}

export const absolute = (n) => (n < 0n ? -n : n);

export function gcd(a, b) {
  a = absolute(a);
  b = absolute(b);
  while (b) [a, b] = [b, a % b];
  return a;
}

export function rational(n, d = 1n) {
  if (d < 0n) [n, d] = [-n, -d];
  const common = gcd(n, d);
  return d === common ? n / d : new Fraction(n / common, d / common);
}

export const numerator = (x) => (typeof x === "bigint" ? x : x.n);
export const denominator = (x) => (typeof x === "bigint" ? 1n : x.d);

export const isZero = (x) => x === 0n || (x instanceof Laurent && x.terms.size === 0);

const coefficientsOf = (x) => (x instanceof Algebraic ? x.c : [x]);
export const termsOf = (x) => (x instanceof Laurent ? x.terms : new Map(isZero(x) ? [] : [[0, x]]));

export function add(x, y) {
  if (typeof x === "bigint" && typeof y === "bigint") return x + y;
  if (x instanceof Laurent || y instanceof Laurent) {
    const terms = new Map(termsOf(x));
    for (const [e, c] of termsOf(y)) accumulate(terms, e, c);
    return new Laurent(terms);
  }
  if (x instanceof Algebraic || y instanceof Algebraic) {
    const [a, b] = [coefficientsOf(x), coefficientsOf(y)];
    const sum = Array.from({ length: Math.max(a.length, b.length) }, (_, i) => add(a[i] ?? 0n, b[i] ?? 0n));
    return algebraic((x.field ?? y.field), sum);
  }
  return rational(numerator(x) * denominator(y) + numerator(y) * denominator(x), denominator(x) * denominator(y));
}

export function multiply(x, y) {
  if (typeof x === "bigint" && typeof y === "bigint") return x * y;
  if (x instanceof Laurent || y instanceof Laurent) {
    const terms = new Map();
    for (const [e, c] of termsOf(x)) for (const [f, d] of termsOf(y)) accumulate(terms, e + f, multiply(c, d));
    return new Laurent(terms);
  }
  if (x instanceof Algebraic || y instanceof Algebraic) {
    const [a, b] = [coefficientsOf(x), coefficientsOf(y)];
    const product = new Array(a.length + b.length - 1).fill(0n);
    a.forEach((p, i) => b.forEach((q, j) => (product[i + j] = add(product[i + j], multiply(p, q)))));
    return algebraic(x.field ?? y.field, product);
  }
  return rational(numerator(x) * numerator(y), denominator(x) * denominator(y));
}

export function negate(x) {
  if (typeof x === "bigint") return -x;
  if (x instanceof Fraction) return new Fraction(-x.n, x.d);
  if (x instanceof Algebraic) return new Algebraic(x.field, x.c.map(negate));
  return new Laurent(new Map([...x.terms].map(([e, c]) => [e, negate(c)])));
}

export const subtract = (x, y) => add(x, negate(y));

// Adds a value to an entry of a Map and removes the entry when it becomes zero.
export function accumulate(map, key, value) {
  const sum = map.has(key) ? add(map.get(key), value) : value;
  if (isZero(sum)) map.delete(key);
  else map.set(key, sum);
}

// The element with these coordinates: reduced by the minimal polynomial, a rational when it is one.
export function algebraic(field, coefficients) {
  const c = field.reduce(coefficients);
  return c.length <= 1 ? c[0] ?? 0n : new Algebraic(field, c);
}

export function inverse(x) {
  if (x instanceof Algebraic) return algebraic(x.field, x.field.inverse(x.c));
  return rational(denominator(x), numerator(x));
}

// -1, 0 or 1; an algebraic number is taken at the declared real root.
export function sign(x) {
  if (x instanceof Algebraic) return x.field.sign(x.c);
  const n = numerator(x);
  return n > 0n ? 1 : n < 0n ? -1 : 0;
}

export function equal(x, y) {
  return isZero(subtract(x, y));
}

export const modulo = (n, p) => ((n % p) + p) % p;

export function power(base, exponent, p) {
  let result = 1n;
  for (base = modulo(base, p); exponent; exponent >>= 1n, base = (base * base) % p) {
    if (exponent & 1n) result = (result * base) % p;
  }
  return result;
}

export const inverseModulo = (x, p) => power(x, p - 2n, p); // p is prime

// Where coefficients live: QQ, GF(p) or a number field.
export class Ring {
  constructor(name, { prime = 0n, field = null } = {}) {
    Object.assign(this, { name, prime, field });
  }

  // Normal form: for GF(p) the representative in 0..p-1 of a rational without p in its denominator.
  reduce(x, pointer = "/target") {
    if (!this.prime) return x;
    if (x instanceof Algebraic) throw rejected("ring", pointer, "an algebraic coefficient has no reduction modulo a prime");
    const d = denominator(x) % this.prime;
    if (!d) throw rejected("denominator", pointer, `${this.prime} divides a denominator`);
    return (modulo(numerator(x), this.prime) * inverseModulo(d, this.prime)) % this.prime;
  }
}

export const QQ = new Ring("QQ");

// Spelling: docs/format.md, section Numbers.

export function readRational(node, pointer) {
  if (isInteger(node)) {
    if (typeof node === "bigint") throw unreadable("bad-rational", pointer, `${node} is 2^53 or beyond; write it as a string`);
    return BigInt(node);
  }
  if (typeof node !== "string") throw unreadable("wrong-type", pointer, `expected a rational number, found ${show(node)}`);
  if (node.length > 2 * LIMITS.digits + 2) throw undecided("limit-digits", pointer, `a number of ${node.length} characters`);
  const match = /^(-?[1-9][0-9]*)(?:\/([1-9][0-9]*))?$/.exec(node);
  if (match === null) throw unreadable("bad-rational", pointer, `${show(node)} is not a rational`);
  const [, above, below] = match;
  for (const literal of [above, below ?? ""]) {
    if (literal.replace("-", "").length > LIMITS.digits) {
      throw undecided("limit-digits", pointer, `a number of ${literal.length} digits; at most ${LIMITS.digits}`);
    }
  }
  const n = BigInt(above);
  if (below === undefined) {
    if (absolute(n) < BigInt(SAFE)) throw unreadable("bad-rational", pointer, `${show(node)} is written without quotes`);
    return n;
  }
  const d = BigInt(below);
  if (d === 1n || gcd(n, d) !== 1n) throw unreadable("not-lowest-terms", pointer, `${show(node)} is not in lowest terms`);
  return new Fraction(n, d);
}

export function readNumber(node, pointer, ring) {
  if (ring.prime) return BigInt(integer(node, pointer, 0, Number(ring.prime - 1n)));
  if (!isList(node) || ring.field === null) return readRational(node, pointer);
  sequence(node, pointer, 2, ring.field.degree);
  const coefficients = node.map((x, i) => readRational(x, `${pointer}/${i}`));
  if (coefficients.at(-1) === 0n) throw unreadable("trailing-zero", pointer, "the last coordinate is not zero");
  return new Algebraic(ring.field, coefficients);
}

export function readCoordinate(node, pointer, ring) {
  if (!isObject(node)) return readNumber(node, pointer, ring);
  const [pairs] = keys(node, pointer, ["eps"]);
  const terms = new Map();
  let previous = -Infinity;
  sequence(pairs, `${pointer}/eps`, 1).forEach((pair, i) => {
    const here = `${pointer}/eps/${i}`;
    const [e, c] = sequence(pair, here, 2, 2);
    const exponent = integer(e, `${here}/0`, -SAFE, SAFE);
    if (Math.abs(exponent) > LIMITS.exponent) throw undecided("limit-exponent", `${here}/0`, `exponent ${exponent}`);
    if (exponent <= previous) {
      throw unreadable(exponent === previous ? "repeated" : "unsorted", `${here}/0`, "exponents must increase");
    }
    previous = exponent;
    const value = readNumber(c, `${here}/1`, ring);
    if (isZero(value)) throw unreadable("zero-entry", `${here}/1`, "zero coefficients are left out");
    terms.set(exponent, value);
  });
  if (terms.size === 1 && terms.has(0)) {
    throw unreadable("constant-family", pointer, "a coordinate constant in eps is written as a plain number");
  }
  return new Laurent(terms);
}

// A number in the spelling of a file, as JSON text.
export function written(x) {
  if (x instanceof Algebraic) return `[${x.c.map(written).join(",")}]`;
  if (x instanceof Fraction) return `"${x.n}/${x.d}"`;
  return absolute(x) < BigInt(SAFE) ? String(x) : `"${x}"`;
}

const bits = (n) => (n < 0n ? -n : n).toString(16).length * 4;

// What one multiplication with this number costs, compared with one of small numbers.
export function cost(x) {
  if (typeof x === "bigint") return x < 1000000n && x > -1000000n ? 1 : 1 + Math.floor(bits(x) / 64);
  if (x instanceof Fraction) return cost(x.n) + cost(x.d);
  const parts = x instanceof Algebraic ? x.c : [...x.terms.values()];
  return 8 * parts.reduce((sum, part) => sum + cost(part), 0);
}
