// docs/rules/real-plane-cubic.md

import { keyOf, wordOf } from "../combinatorics.mjs";
import { determinant } from "../determinants.mjs";
import { diagonal } from "../linear.mjs";
import { QQ, multiply, rational, sign } from "../numbers.mjs";
import { apply, checkNoCommonZero, outputsOf, readOperator } from "../operators.mjs";
import { plus, scaled, times } from "../parametric.mjs";
import { integer, keys, sequence } from "../reading.mjs";
import { LIMITS, Work, rejected, unreadable } from "../refusal.mjs";
import { readPrime } from "./flattening.mjs";
import { fieldRefused } from "./over.mjs";

export const realPlaneCubic = {
  read(witness, context) {
    const [nodes, linear, quadric, positive, macaulay, prime] =
      keys(witness, context.witness(), ["operators", "linear", "quadric", "positive", "macaulay", "prime"]);
    const { space } = context.target;
    if (context.units.name !== "tied" || space.factors.length !== 1 || keyOf(space.factors[0]) !== "3,3") {
      throw unreadable("units-do-not-fit", `${context.pointer}/claim/units`, "the rule is about cubics in three variables and tied units");
    }
    const operator = (node, degree, ...path) => readOperator(node, context.witness(...path), 3, degree, QQ);
    return {
      operators: sequence(nodes, context.witness("operators"), 3, 3).map((node, i) => operator(node, 2, "operators", i)),
      linear: operator(linear, 1, "linear"),
      quadric: operator(quadric, 2, "quadric"),
      positive: operator(positive, 2, "positive"),
      macaulay: integer(macaulay, context.witness("macaulay"), 2, LIMITS.degree),
      ...readPrime(prime, undefined, context),
    };
  },
  derive(data, context) {
    const { target, over } = context;
    if (over !== "RR" || target.ring.name !== "QQ") throw fieldRefused(context);
    const work = new Work(context.pointer);
    const [form] = outputsOf(target);
    if (data.operators.some((q) => apply(q, form, work).size)) throw rejected("not-apolar", context.witness("operators"), "an operator does not kill the form");
    if (apply(data.positive, form, work).size) throw rejected("not-apolar", context.witness("positive"), "the operator does not kill the form");
    checkNoSquares(data, form, context, work);
    const jacobian = data.operators.map((q) => [0, 1, 2].map((j) => apply(new Map([[String(j), 1n]]), q, work)));
    const difference = plus(determinant(jacobian, work), scaled(times(data.linear, data.quadric), -1n));
    if (difference.size) throw rejected("not-the-product", context.witness("quadric"), "the determinant is not the product");
    for (const name of ["quadric", "positive"]) {
      if (diagonal(symmetric(data[name]), work).some((x) => sign(x) < 0)) throw rejected("not-definite", context.witness(name), "the form has negative values");
    }
    return context.claim("rank", ">=", 5);
  },
};

// No derivative by a linear operator has a matrix of rank at most 1.
function checkNoSquares(data, form, context, work) {
  const entry = (i, j) => {
    const f = new Map();
    for (let k = 0; k < 3; k += 1) {
      const value = apply(new Map([[keyOf([i, j, k].sort()), 1n]]), form, work).get("");
      if (value !== undefined) f.set(String(k), value);
    }
    return f;
  };
  const matrix = [0, 1, 2].map((i) => [0, 1, 2].map((j) => entry(i, j)));
  const pairs = [[0, 1], [0, 2], [1, 2]];
  const minors = pairs.flatMap(([a, b]) => pairs.map(([c, d]) =>
    [determinant([[matrix[a][c], matrix[a][d]], [matrix[b][c], matrix[b][d]]], work), 2]));
  checkNoCommonZero(minors, 3, QQ, data.macaulay, { prime: data.prime, root: null }, context, context.witness("macaulay"), work);
}

function symmetric(quadric) {
  const matrix = Array.from({ length: 3 }, () => [0n, 0n, 0n]);
  for (const [key, x] of quadric) {
    const [i, j] = wordOf(key);
    matrix[i][j] = matrix[j][i] = i === j ? x : multiply(x, rational(1n, 2n));
  }
  return matrix;
}
