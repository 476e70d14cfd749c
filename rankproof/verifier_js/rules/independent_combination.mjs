// docs/rules/independent-combination.md

import { ceilingOf } from "../claims.mjs";
import { contract, matrixOf, readSides, spaceAfter } from "../contraction.mjs";
import { readMinimalPolynomial } from "../document.mjs";
import { NumberField, countRealRoots, degree } from "../fields.mjs";
import { exactRank } from "../linear.mjs";
import { QQ, accumulate, algebraic, multiply } from "../numbers.mjs";
import { readOperator } from "../operators.mjs";
import { integer, keys, sequence } from "../reading.mjs";
import { Work, rejected } from "../refusal.mjs";
import { divisorOf } from "./flattening.mjs";
import { fieldRefused } from "./over.mjs";

export const independentCombination = {
  read(witness, context) {
    const [factorNode, degreeNode, nodes, ordersNode, polynomial] =
      keys(witness, context.witness(), ["factor", "degree", "covectors", "orders"], ["minimal_polynomial"]);
    const { space } = context.target;
    const factor = integer(factorNode, context.witness("factor"), 0, space.factors.length - 1);
    const [n, e] = space.factors[factor];
    const c = integer(degreeNode, context.witness("degree"), 1, e);
    const covectors = sequence(nodes, context.witness("covectors"), 1).map((node, i) => readOperator(node, context.witness("covectors", i), n, c, QQ));
    const rest = spaceAfter(space, factor, c);
    const orders = readSides(ordersNode, rest, context.witness("orders"));
    const f = polynomial === undefined ? null : readMinimalPolynomial(polynomial, context.witness("minimal_polynomial"));
    return { factor, covectors, rest, orders, f };
  },
  derive({ factor, covectors, rest, orders, f }, context) {
    const { target, over, units } = context;
    if (target.ring.name !== "QQ" || !["CC", "RR", "QQ"].includes(over)) throw fieldRefused(context);
    const linear = !units.powers.length || units.name === "tied";
    if (!linear && (target.space.factors.length !== 2 || factor !== 1)) {
      throw rejected("hypothesis", context.witness("factor"), "for these units the factor is that of the outputs");
    }
    checkNumber(covectors.length, f, context);
    const work = new Work(context.pointer);
    const matrices = covectors.map((covector) => matrixOf(contract(target.entries, target.space, factor, covector, work), rest, orders, work));
    const [beside, below] = [new Map(), new Map()];
    matrices.forEach((matrix, j) => {
      for (const [key, row] of matrix) {
        below.set(`${j}|${key}`, new Map(row));
        if (!beside.has(key)) beside.set(key, new Map());
        for (const [column, x] of row) beside.get(key).set(`${j}|${column}`, x);
      }
    });
    const rank = (rows) => exactRank([...rows.values()], work);
    const excess = rank(beside) + rank(below) - (f === null ? genericRank(matrices, work) : rank(combined(matrices, powersOf(f))));
    return context.claim("rank", ">=", ceilingOf(excess, linear ? 1 : divisorOf(context, orders[0])));
  },
};

function checkNumber(count, f, context) {
  const here = context.witness("minimal_polynomial");
  if (context.over === "CC") {
    if (f !== null) throw rejected("hypothesis", here, "over CC the number is an indeterminate");
    return;
  }
  if (f === null) throw rejected("hypothesis", context.witness(), `over ${context.over} a minimal polynomial is needed`);
  if (count > degree(f)) throw rejected("hypothesis", here, "more covectors than the degree");
  if (context.over === "RR" && (count > 2 || countRealRoots(f) === degree(f))) {
    throw rejected("hypothesis", here, "over RR at most two covectors, and a root that is not real");
  }
}

function powersOf(f) {
  const field = new NumberField("b", f, null);
  return (j) => algebraic(field, Array.from({ length: j + 1 }, (_, i) => (i === j ? 1n : 0n)));
}

function combined(matrices, weight) {
  const rows = new Map();
  matrices.forEach((matrix, j) => {
    for (const [key, row] of matrix) {
      if (!rows.has(key)) rows.set(key, new Map());
      for (const [column, x] of row) accumulate(rows.get(key), column, multiply(x, weight(j)));
    }
  });
  return rows;
}

// The rank for an indeterminate: the largest at so many points that a minor, a polynomial of bounded degree, cannot vanish at all.
function genericRank(matrices, work) {
  const size = new Set(matrices.flatMap((matrix) => [...matrix.keys()])).size;
  let best = 0;
  for (let t = 0; t <= size * (matrices.length - 1) && best < size; t += 1) {
    best = Math.max(best, exactRank([...combined(matrices, (j) => BigInt(t) ** BigInt(j)).values()], work));
  }
  return best;
}
