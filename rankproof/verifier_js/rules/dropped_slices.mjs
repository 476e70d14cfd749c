// docs/rules/dropped-slices.md

import { keyOf, wordOf } from "../combinatorics.mjs";
import { isZero, readRational } from "../numbers.mjs";
import { addRow, constantPolynomial, rankEverywhere } from "../parametric.mjs";
import { increasing, integer, isInteger, keys, sequence } from "../reading.mjs";
import { LIMITS, Work, rejected, unreadable } from "../refusal.mjs";
import { fieldRefused, ringOfLowerBound } from "./over.mjs";

// A polynomial in the parameters 0..count-1.
// A zero coefficient is refused, except in a multiplier, where it means nothing.
export function readParametric(node, pointer, count, zeros = false) {
  const f = new Map();
  sequence(node, pointer, 1).forEach((term, i) => {
    const here = `${pointer}/${i}`;
    const [letters, coefficient] = sequence(term, here, 2, 2);
    sequence(letters, `${here}/0`, 0, LIMITS.degree).forEach((letter, j) =>
      integer(letter, `${here}/0/${j}`, j ? letters[j - 1] : 0, count - 1));
    if (f.has(keyOf(letters))) throw unreadable("repeated", `${here}/0`, "a monomial stands twice");
    const value = readRational(coefficient, `${here}/1`);
    if (isZero(value) && !zeros) throw unreadable("zero-entry", `${here}/1`, "zero coefficients are left out");
    f.set(keyOf(letters), value);
  });
  return new Map([...f].filter(([, value]) => !isZero(value)));
}

function readCombinations(node, pointer, size, parameters, least) {
  return sequence(node, pointer, least).map((entry, i) => {
    const here = `${pointer}/${i}`;
    if (isInteger(entry)) return new Map([[integer(entry, here, 0, size - 1), constantPolynomial(1n)]]);
    const combination = new Map();
    sequence(entry, here, 1).forEach((pair, j) => {
      const [index, terms] = sequence(pair, `${here}/${j}`, 2, 2);
      if (combination.has(integer(index, `${here}/${j}/0`, 0, size - 1))) {
        throw unreadable("repeated", `${here}/${j}/0`, `index ${index} stands twice`);
      }
      combination.set(index, readParametric(terms, `${here}/${j}/1`, parameters));
    });
    return combination;
  });
}

export const droppedSlices = {
  read(witness, context) {
    const [nodes, rows] = keys(witness, context.witness(), ["drops", "rows"]);
    if (context.units.powers.length) throw unreadable("units-do-not-fit", context.pointer, "the rule is about product units");
    const sizes = context.target.space.factors.map(([n]) => n);
    let parameters = 0;
    const drops = sequence(nodes, context.witness("drops")).map((node, i) => {
      const here = context.witness("drops", i);
      const [factorNode, droppedNode, keptNode] = keys(node, here, ["factor", "dropped", "kept"]);
      const factor = integer(factorNode, `${here}/factor`, 0, sizes.length - 1);
      const dropped = readCombinations(droppedNode, `${here}/dropped`, sizes[factor], parameters, 0);
      const kept = readCombinations(keptNode, `${here}/kept`, sizes[factor], parameters, 1);
      sizes[factor] = kept.length;
      parameters += dropped.length * kept.length;
      return { factor, dropped, kept };
    });
    increasing(rows, context.witness("rows"), 0, sizes.length - 1, 1);
    if (rows.length === sizes.length) throw unreadable("one-sided", context.witness("rows"), "both sides need a factor");
    return { drops, rows };
  },
  derive({ drops, rows }, context) {
    const ring = ringOfLowerBound(context);
    if (ring.field !== null) throw fieldRefused(context);
    const p = ring.prime;
    const work = new Work(context.pointer);
    let tensor = new Map([...context.target.over(ring).entries].map(([key, x]) => [key, constantPolynomial(x)]));
    let parameters = 0;
    let total = 0;
    drops.forEach(({ factor, dropped, kept }, i) => {
      const slices = new Map();
      for (const [key, entry] of tensor) {
        const word = wordOf(key);
        const [index] = word.splice(factor, 1);
        if (!slices.has(index)) slices.set(index, new Map());
        slices.get(index).set(keyOf(word), entry);
      }
      const combined = (combination, place) => {
        let row = new Map();
        for (const [index, f] of combination) {
          const reduced = new Map([...f].map(([key, x]) => [key, ring.reduce(x, context.witness("drops", i, place))]).filter(([, x]) => !isZero(x)));
          row = addRow(row, reduced, slices.get(index) ?? new Map(), work, p);
        }
        return row;
      };
      const out = dropped.map((combination) => combined(combination, "dropped"));
      if (rankEverywhere(out, [], work, p) < out.length) {
        throw rejected("dependent-slices", context.witness("drops", i, "dropped"), "the dropped slices are not seen to be independent");
      }
      tensor = new Map();
      kept.forEach((combination, k) => {
        let row = combined(combination, "kept");
        for (const other of out) {
          row = addRow(row, new Map([[String(parameters), p ? p - 1n : -1n]]), other, work, p);
          parameters += 1;
        }
        for (const [key, entry] of row) {
          const word = wordOf(key);
          word.splice(factor, 0, k);
          tensor.set(keyOf(word), entry);
        }
      });
      total += out.length;
    });
    const sides = new Map();
    for (const [key, entry] of tensor) {
      const word = wordOf(key);
      const row = keyOf(word.filter((_, f) => rows.includes(f)));
      if (!sides.has(row)) sides.set(row, new Map());
      sides.get(row).set(keyOf(word.filter((_, f) => !rows.includes(f))), entry);
    }
    return context.claim("rank", ">=", total + rankEverywhere([...sides.values()], [], work, p));
  },
};
