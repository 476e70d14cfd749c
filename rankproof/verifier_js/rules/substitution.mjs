// docs/rules/substitution.md

import { ceilingOf } from "../claims.mjs";
import { exponents, keyOf, wordOf } from "../combinatorics.mjs";
import { contractWord, readSides, spaceAfter } from "../contraction.mjs";
import { determinant } from "../determinants.mjs";
import { QQ } from "../numbers.mjs";
import { readOperator } from "../operators.mjs";
import { constantPolynomial, isConstant, plus, scaled, times } from "../parametric.mjs";
import { integer, keys, sequence } from "../reading.mjs";
import { Work, rejected, unreadable } from "../refusal.mjs";
import { checkWord } from "../targets.mjs";
import { readParametric } from "./dropped_slices.mjs";
import { divisorOf, splittings } from "./flattening.mjs";
import { fieldRefused } from "./over.mjs";

function readMinors(node, pointer, size, rowFactors, columnFactors, parameters) {
  const wordsOf = (list, here, factors) => {
    const length = factors.reduce((sum, [, d]) => sum + d, 0);
    const seen = new Set();
    return sequence(list, here, size, size).map((word, i) => {
      checkWord(sequence(word, `${here}/${i}`, length, length), `${here}/${i}`, factors);
      if (seen.has(keyOf(word))) throw unreadable("repeated", `${here}/${i}`, "a word stands twice");
      seen.add(keyOf(word));
      return keyOf(word);
    });
  };
  return sequence(node, pointer, 1).map((minor, i) => {
    const here = `${pointer}/${i}`;
    const [rows, columns, multiplier] = keys(minor, here, ["rows", "columns", "multiplier"]);
    return {
      rows: wordsOf(rows, `${here}/rows`, rowFactors),
      columns: wordsOf(columns, `${here}/columns`, columnFactors),
      multiplier: readParametric(multiplier, `${here}/multiplier`, parameters, true),
    };
  });
}

export const substitution = {
  read(witness, context) {
    const [stepNodes, ordersNode, rankNode, minors] = keys(witness, context.witness(), ["steps", "orders", "rank", "minors"]);
    let { space } = context.target;
    let parameters = 0;
    const steps = sequence(stepNodes, context.witness("steps"), 1).map((node, i) => {
      const here = context.witness("steps", i);
      const [factorNode, chosen, addedNodes, minorNodes] = keys(node, here, ["factor", "chosen", "added", "minors"]);
      const factor = integer(factorNode, `${here}/factor`, 0, space.factors.length - 1);
      const [n, left] = space.factors[factor];
      if (!left) throw unreadable("out-of-range", `${here}/factor`, "nothing is left of this factor");
      const others = sequence(addedNodes, `${here}/added`, 1, 16).map((operator, k) => readOperator(operator, `${here}/added/${k}`, n, 1, QQ));
      const before = space;
      space = spaceAfter(space, factor);
      const added = others.length;
      const checks = readMinors(minorNodes, `${here}/minors`, added, [[added, 1]], space.factors, parameters);
      parameters += added;
      const operators = [readOperator(chosen, `${here}/chosen`, n, 1, QQ), ...others];
      return { factor, operators, before, minors: checks };
    });
    const orders = readSides(ordersNode, space, context.witness("orders"));
    const rank = integer(rankNode, context.witness("rank"), 1, 16);
    const rest = space.factors.map(([n, d], i) => [n, d - orders[i]]);
    const rowFactors = space.factors.map(([n], i) => [n, orders[i]]);
    return { steps, space, orders, rank, minors: readMinors(minors, context.witness("minors"), rank, rowFactors, rest, parameters) };
  },
  derive({ steps, space, orders, rank, minors }, context) {
    const { target, over, units } = context;
    if (over !== "CC" || target.ring.name !== "QQ") throw fieldRefused(context);
    const linear = !units.powers.length || units.name === "tied";
    const work = new Work(context.witness("steps"));
    let entries = new Map([...target.entries].map(([key, x]) => [key, constantPolynomial(x)]));
    let parameters = 0;
    steps.forEach((step, i) => {
      if (!linear && !(target.space.factors.length === 2 && step.factor === 1)) {
        throw rejected("hypothesis", context.witness("steps", i, "factor"), "for these units the factor is that of the outputs");
      }
      const images = step.operators.map((operator) => derivativeOf(entries, step.before, step.factor, operator, work));
      const [chosen, ...added] = images;
      checkMinors(step.minors, (row, column) => added[Number(row)].get(column), work, context.witness("steps", i, "minors"));
      entries = chosen;
      for (const image of added) {
        for (const [key, f] of image) addTo(entries, key, times(f, new Map([[String(parameters), 1n]])));
        parameters += 1;
      }
    });
    const matrix = new Map();
    for (const [key, f] of entries) {
      for (const [u, v, multiplicity] of splittings(space.split(wordOf(key)), orders)) {
        work.spend(f.size);
        matrix.set(`${keyOf(u)}|${keyOf(v)}`, scaled(f, BigInt(multiplicity)));
      }
    }
    checkMinors(minors, (row, column) => matrix.get(`${row}|${column}`), work, context.witness("minors"));
    return context.claim("rank", ">=", parameters + ceilingOf(rank, linear ? 1 : divisorOf(context, orders[0])));
  },
};

function addTo(entries, key, f) {
  const sum = entries.has(key) ? plus(entries.get(key), f) : f;
  if (sum.size) entries.set(key, sum);
  else entries.delete(key);
}

function derivativeOf(entries, space, factor, operator, work) {
  const result = new Map();
  for (const [u, c] of operator) {
    const by = exponents(wordOf(u));
    for (const [key, f] of entries) {
      const found = contractWord(space.split(wordOf(key)), factor, by);
      work.spend(f.size);
      if (found !== null) addTo(result, keyOf(found[0]), scaled(scaled(f, c), found[1]));
    }
  }
  return result;
}

// The minors times their multipliers sum to a constant that is not zero: they have no common zero.
function checkMinors(minors, entry, work, pointer) {
  let total = new Map();
  for (const { rows, columns, multiplier } of minors) {
    const minor = determinant(rows.map((row) => columns.map((column) => entry(row, column) ?? new Map())), work);
    work.spend(100 * minor.size * multiplier.size);
    total = plus(total, times(minor, multiplier));
  }
  if (!total.size || !isConstant(total)) throw rejected("not-constant", pointer, "the minors do not combine to a constant other than 0");
}

