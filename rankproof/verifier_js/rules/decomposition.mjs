// docs/rules/decomposition.md and docs/rules/border-family.md: a sum of units, compared with the target coefficient by coefficient.

import { isZero, readCoordinate, readNumber, subtract, termsOf } from "../numbers.mjs";
import { SAFE, integer, keys, sequence } from "../reading.mjs";
import { LIMITS, Work, rejected, undecided } from "../refusal.mjs";
import { readRing } from "../targets.mjs";

export function readSum(ringNode, unitNodes, context, readOne) {
  const ring = readRing(ringNode, context.witness("ring"), context.rings);
  const lengths = context.units.lengths(context.target.space);
  sequence(unitNodes, context.witness("units"), 1);
  if (unitNodes.length > LIMITS.units) throw undecided("limit-units", context.witness("units"), `${unitNodes.length} units`);
  const units = unitNodes.map((unit, i) =>
    sequence(unit, context.witness("units", i), lengths.length, lengths.length).map((vector, j) =>
      sequence(vector, context.witness("units", i, j), lengths[j], lengths[j]).map((x, k) =>
        readOne(x, context.witness("units", i, j, k), ring))));
  return { ring, units };
}

// The coefficients of the sum and of the target, word by word.
function* compared({ ring, units }, context) {
  const { target } = context;
  const wanted = target.over(ring).entries;
  const sum = context.units.sum(units, target.space, new Work(context.witness("units")));
  for (const key of new Set([...sum.keys(), ...wanted.keys()])) yield [key, sum.get(key) ?? 0n, wanted.get(key) ?? 0n];
}

function checkField({ ring }, { over, pointer }) {
  if (over !== ring.name) throw rejected("field", `${pointer}/claim/over`, `the units are over ${ring.name}, and so is the bound`);
}

// Refuses a sum that is not the target.
export function checkSum(sum, context) {
  for (const [key, value, wanted] of compared(sum, context)) {
    if (!isZero(sum.ring.reduce(subtract(value, wanted)))) {
      throw rejected("sum-misses-target", context.witness("units"), `the sum misses the target at the word ${key}`);
    }
  }
}

export const decomposition = {
  read(witness, context) {
    const [ring, units] = keys(witness, context.witness(), ["ring", "units"]);
    return readSum(ring, units, context, readNumber);
  },
  derive(sum, context) {
    checkField(sum, context);
    checkSum(sum, context);
    return context.claim("rank", "<=", sum.units.length, sum.ring.name);
  },
};

export const borderFamily = {
  read(witness, context) {
    const [ring, orderNode, units] = keys(witness, context.witness(), ["ring", "order", "units"]);
    const order = integer(orderNode, context.witness("order"), -SAFE, SAFE);
    if (Math.abs(order) > LIMITS.exponent) throw undecided("limit-exponent", context.witness("order"), `order ${order}`);
    return { ...readSum(ring, units, context, readCoordinate), order };
  },
  derive(family, context) {
    checkField(family, context);
    const { ring, order } = family;
    let missed = null;
    for (const [key, value, wanted] of compared(family, context)) {
      const terms = termsOf(value);
      for (const [exponent, c] of terms) {
        if (exponent < order && !isZero(ring.reduce(c))) {
          throw rejected("family-diverges", context.witness("units"), `the sum has eps^${exponent}, below eps^${order}, at ${key}`);
        }
      }
      if (!isZero(ring.reduce(subtract(terms.get(order) ?? 0n, wanted)))) missed ??= key;
    }
    if (missed !== null) throw rejected("family-misses-target", context.witness("units"), `eps^${order} misses the target at the word ${missed}`);
    return context.claim("border_rank", "<=", family.units.length, ring.name);
  },
};
