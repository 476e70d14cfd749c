// docs/rules/quadric.md

import { wordOf } from "../combinatorics.mjs";
import { diagonal } from "../linear.mjs";
import { inverseModulo, modulo, multiply, power, rational, sign } from "../numbers.mjs";
import { isPrime } from "../primes.mjs";
import { anisotropicDimension, untiedWidthModulo2 } from "../quadratic.mjs";
import { integer, keys } from "../reading.mjs";
import { LIMITS, Work, rejected, undecided, unreadable } from "../refusal.mjs";
import { fieldRefused, ringOfLowerBound } from "./over.mjs";

export function readPlace(node, context) {
  if (node === undefined) return null;
  const place = integer(node, context.witness("place"), 2, 2 ** 53 - 1);
  if (!isPrime(place)) throw unreadable("not-prime", context.witness("place"), `${place} is not a prime`);
  return BigInt(place);
}

// The symmetric matrix of a form of degree 2; `half` is 1/2 in the ring.
export function symmetric(target, half, reduce = (x) => x) {
  const n = target.space.variables;
  const matrix = Array.from({ length: n }, () => new Array(n).fill(0n));
  for (const [key, value] of target.entries) {
    const [i, j] = wordOf(key);
    matrix[i][j] = matrix[j][i] = i === j ? value : reduce(multiply(value, half));
  }
  return matrix;
}

export function requireReal(target, context) {
  const { ring } = target;
  if (ring.prime || (ring.field !== null && ring.field.realRoot === null)) throw fieldRefused(context);
}

function widthOverFiniteField(target, tied, context, work) {
  const p = target.ring.prime;
  if (p === 2n) {
    if (tied) throw rejected("characteristic", context.pointer, "in characteristic 2 the rule is silent about tied units");
    const n = target.space.variables;
    const coefficients = Array.from({ length: n }, () => new Array(n).fill(0));
    for (const key of target.entries.keys()) {
      const [i, j] = wordOf(key);
      coefficients[i][j] = 1;
    }
    return untiedWidthModulo2(coefficients);
  }
  const reduce = (x) => modulo(x, p);
  const reciprocal = (x) => inverseModulo(x, p);
  const entries = diagonal(symmetric(target, reciprocal(2n), reduce), work, reduce, reciprocal);
  const rho = entries.length;
  if (tied) return rho;
  if (rho % 2) return (rho + 1) / 2;
  if (!rho) return 0;
  const determinant = entries.reduce((product, x) => (product * x) % p, 1n);
  const discriminant = modulo((rho / 2) % 2 ? -determinant : determinant, p);
  return power(discriminant, (p - 1n) / 2n, p) === 1n ? rho / 2 : rho / 2 + 1;
}

function width(place, context, work) {
  const { target, over } = context;
  const tied = context.units.name === "tied";
  const half = rational(1n, 2n);
  if (place !== null) {
    if (over !== "QQ" || target.ring.name !== "QQ") throw fieldRefused(context);
    if (context.relation !== ">=" || tied) {
      throw rejected("hypothesis", context.pointer, "a place bounds the width in products of two forms from below");
    }
    const entries = diagonal(symmetric(target, half), work);
    return (entries.length + anisotropicDimension(entries, place)) / 2;
  }
  if (over === "RR") {
    requireReal(target, context);
    const entries = diagonal(symmetric(target, half), work);
    const positive = entries.filter((x) => sign(x) > 0).length;
    return tied ? entries.length : Math.max(positive, entries.length - positive);
  }
  const ring = ringOfLowerBound(context);
  if (ring.prime) return widthOverFiniteField(target.over(ring), tied, context, work);
  const rho = diagonal(symmetric(target, half), work).length;
  return tied ? rho : Math.ceil(rho / 2);
}

export const quadric = {
  read(witness, context) {
    const [place] = keys(witness, context.witness(), [], ["place"]);
    return readPlace(place, context);
  },
  derive(place, context) {
    const { space } = context.target;
    const { name } = context.units;
    if (space.factors.length !== 1 || space.formDegree !== 2) {
      throw rejected("hypothesis", context.pointer, "the rule is about one form of degree 2");
    }
    if (!["tied", "untied", "split", "mixed:1"].includes(name)) {
      throw rejected("hypothesis", context.pointer, `the rule says nothing about ${name} units`);
    }
    const n = space.variables;
    if ((context.over === "GF(2)" ? n ** 4 : 10 * n ** 3) > LIMITS.operations) {
      throw undecided("limit-operations", context.pointer, `a form in ${n} variables`);
    }
    const quantity = context.relation === ">=" ? "border_rank" : "rank";
    return context.claim(quantity, context.relation, width(place, context, new Work(context.pointer)));
  },
};
