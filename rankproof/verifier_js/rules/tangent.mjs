// docs/rules/tangent.md

import { ceilingOf } from "../claims.mjs";
import { binomial, compareWords, exponents, keyOf, wordOf } from "../combinatorics.mjs";
import { exactRank } from "../linear.mjs";
import { QQ, accumulate, inverse, isZero, multiply, negate, readRational, add } from "../numbers.mjs";
import { apply, derivativeRows, dimensionOfApolarAlgebra, outputsOf, readOperator } from "../operators.mjs";
import { integer, keys, sequence } from "../reading.mjs";
import { LIMITS, Work, rejected, unreadable } from "../refusal.mjs";
import { fieldRefused } from "./over.mjs";

export const tangent = {
  read(witness, context) {
    const [nodes] = keys(witness, context.witness(), ["nodes"]);
    const { space } = context.target;
    if (!["untied", "mixed:1"].includes(context.units.name) || space.formDegree < 3) {
      throw unreadable("units-do-not-fit", `${context.pointer}/claim/units`, "the rule is about untied units and degrees from 3 on");
    }
    const count = sequence(nodes, context.witness("nodes"), 1).length;
    const expected = new Set([0]);
    return nodes.map((node, i) => {
      const here = context.witness("nodes", i);
      if (!expected.has(i)) throw unreadable("orphan", here, "every node but the first is the child of an earlier node");
      const read = readNode(node, i, count, context);
      for (const child of new Set(read.branches ?? [])) {
        if (expected.has(child)) throw unreadable("orphan", `${here}/branches`, "a node is the child of one node only");
        expected.add(child);
      }
      return read;
    });
  },
  derive(tree, context) {
    const { target, over } = context;
    if (over !== "CC" || target.ring.name !== "QQ") throw fieldRefused(context);
    const { space } = target;
    const n = space.variables;
    const work = new Work(context.pointer);
    const equations = secondOrder(target);
    const identity = Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => (i === j ? 1n : 0n)));
    const subspaces = new Map([[0, identity]]);
    let bound = n;
    let byOperator = false;
    tree.forEach((node, i) => {
      const basis = subspaces.get(i);
      const here = context.witness("nodes", i);
      if (node.branches) {
        branch(node, basis, equations, here, work).forEach((subspace, k) => subspaces.set(node.branches[k], subspace));
        return;
      }
      if (!basis.length) return;
      if (basis.length > 1) throw rejected("not-a-line", here, "the subspace of a leaf is a line or nothing");
      if (node.order === null && node.operator === null) throw rejected("no-bound", here, "the leaf is a line and names no bound");
      if (node.operator !== null) byOperator = true;
      bound = Math.min(bound, boundAlong(node, basis[0], target, work));
    });
    return context.claim(byOperator ? "rank" : "border_rank", ">=", bound);
  },
};

function readNode(node, index, count, context) {
  const here = context.witness("nodes", index);
  const { space } = context.target;
  const n = space.variables;
  if (node instanceof Map && node.has("branches")) {
    const [combination, left, right, branches] = keys(node, here, ["combination", "left", "right", "branches"]);
    const terms = sequence(combination, `${here}/combination`, 1).map((pair, k) => {
      const [equation, c] = sequence(pair, `${here}/combination/${k}`, 2, 2);
      return [integer(equation, `${here}/combination/${k}/0`, 0, LIMITS.entries), readRational(c, `${here}/combination/${k}/1`)];
    });
    sequence(branches, `${here}/branches`, 2, 2).forEach((child, k) => integer(child, `${here}/branches/${k}`, index + 1, count - 1));
    const l = readOperator(left, `${here}/left`, n, 1, QQ);
    const r = readOperator(right, `${here}/right`, n, 1, QQ);
    const same = l.size === r.size && [...l].every(([key, x]) => r.has(key) && isZero(add(x, negate(r.get(key)))));
    if (same !== (branches[0] === branches[1])) throw unreadable("repeated", `${here}/branches/1`, "one branch for a square, two for a product");
    return { terms, left: l, right: r, branches };
  }
  const [order, degreeNode, operator] = keys(node, here, [], ["order", "degree", "operator"]);
  if ((degreeNode === undefined) !== (operator === undefined) || (order !== undefined && operator !== undefined)) {
    throw unreadable("missing-key", here, "a leaf has an order, or a degree and an operator, or nothing");
  }
  const leaf = { order: null, operator: null, degree: null };
  if (order !== undefined) leaf.order = integer(order, `${here}/order`, 0, space.formDegree - 1);
  if (operator !== undefined) {
    leaf.degree = integer(degreeNode, `${here}/degree`, 1, LIMITS.degree);
    leaf.operator = readOperator(operator, `${here}/operator`, n, leaf.degree, QQ);
  }
  return leaf;
}

// For every output and monomial v of degree d - 2 the coefficient at v of the part of degree 2 in p of F(x + p).
function secondOrder(target) {
  const found = [];
  outputsOf(target).forEach((form, j) => {
    const byRest = new Map();
    for (const [key, value] of form) {
      const word = wordOf(key);
      for (const [a, e] of exponents(word)) {
        for (const [b, f] of exponents(word)) {
          if (b < a || (a === b && e < 2)) continue;
          const rest = [...word];
          rest.splice(rest.indexOf(a), 1);
          rest.splice(rest.indexOf(b), 1);
          const times = a === b ? binomial(e, 2) : BigInt(e * f);
          if (!byRest.has(keyOf(rest))) byRest.set(keyOf(rest), new Map());
          accumulate(byRest.get(keyOf(rest)), keyOf([a, b]), multiply(value, times));
        }
      }
    }
    const sorted = [...byRest].sort(([u], [v]) => compareWords(wordOf(u), wordOf(v)));
    for (const [, quadric] of sorted) found.push({ output: j, quadric });
  });
  return found.map(({ quadric }) => quadric);
}

// The subspaces of the children, after the identity on the subspace of the node has been checked.
function branch(node, basis, equations, pointer, work) {
  const difference = new Map();
  for (const [k, c] of node.terms) {
    if (k >= equations.length) throw rejected("no-such-equation", `${pointer}/combination`, `there is no equation ${k}`);
    for (const [key, x] of equations[k]) accumulate(difference, key, multiply(x, c));
  }
  for (const [u, x] of node.left) for (const [v, y] of node.right) accumulate(difference, keyOf([Number(u), Number(v)].sort((a, b) => a - b)), negate(multiply(x, y)));
  // On the subspace: p is the sum of s_i times the i-th basis vector.
  const image = new Map();
  for (const [key, x] of difference) {
    const [a, b] = wordOf(key);
    basis.forEach((v, i) => basis.forEach((w, j) => {
      work.spend(1);
      accumulate(image, keyOf([i, j].sort((k, l) => k - l)), multiply(x, multiply(v[a], w[b])));
    }));
  }
  if (image.size) throw rejected("not-a-product", pointer, "the combination is not this product on the subspace");
  return [node.left, node.right].map((form) => kernelIn(basis, form));
}

// The part of a subspace on which a linear form vanishes.
function kernelIn(basis, form) {
  const values = basis.map((v) => [...form].reduce((sum, [key, c]) => add(sum, multiply(c, v[Number(key)])), 0n));
  const pivot = values.findIndex((x) => !isZero(x));
  if (pivot < 0) return basis;
  const scale = inverse(values[pivot]);
  return basis.flatMap((v, i) => {
    if (i === pivot) return [];
    const factor = negate(multiply(values[i], scale));
    return [v.map((x, k) => add(x, multiply(factor, basis[pivot][k])))];
  });
}

function boundAlong({ order, degree, operator }, direction, target, work) {
  const { variables: n, formDegree: d } = target.space;
  const along = new Map(direction.map((x, i) => [String(i), x]).filter(([, x]) => !isZero(x)));
  const forms = outputsOf(target).map((form) => apply(along, form, work));
  if (order !== null) return exactRank(derivativeRows(forms, n, order, work), work);
  const once = forms.map((form) => apply(operator, form, work));
  const twice = once.map((form) => apply(operator, form, work));
  const difference = dimensionOfApolarAlgebra(once, n, d - 1 - degree, work) - dimensionOfApolarAlgebra(twice, n, d - 1 - 2 * degree, work);
  return ceilingOf(difference, degree);
}
