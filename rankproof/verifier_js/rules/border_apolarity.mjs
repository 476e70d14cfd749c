// docs/rules/border-apolarity.md: all spaces that a limit of r rank-one tensors could leave are visited, and each is refuted.

import { keyOf, wordOf } from "../combinatorics.mjs";
import { accumulate, isZero, multiply, negate, rational, readRational, inverse } from "../numbers.mjs";
import { constantPolynomial, rankEverywhere } from "../parametric.mjs";
import { integer, isObject, keys, sequence, show } from "../reading.mjs";
import { Work, rejected, unreadable } from "../refusal.mjs";
import { fieldRefused } from "./over.mjs";
import { Replay } from "./border_replay.mjs";

const LARGEST = 2 ** 20;
const PAIRS = ["0,1", "1,2", "2,0"];
const PROOFS = ["210", "120", "candidate", "empty"];

function readProof(node, pointer) {
  if (PROOFS.includes(node)) return node;
  if (!isObject(node)) throw unreadable("unknown-proof", pointer, `${show(node)} is no proof`);
  const [terms] = keys(node, pointer, ["split"]);
  const split = new Map();
  sequence(terms, `${pointer}/split`, 1).forEach((pair, i) => {
    const here = `${pointer}/split/${i}`;
    const [word, coefficient] = sequence(pair, here, 2, 2);
    sequence(word, `${here}/0`, 0, 64).forEach((t, k) => {
      integer(t, `${here}/0/${k}`, 0, 63);
      if (k > 0 && t < word[k - 1]) throw unreadable("unsorted", `${here}/0/${k}`, "parameters must not decrease");
    });
    if (split.has(keyOf(word))) throw unreadable("repeated", `${here}/0`, "a word stands twice");
    const c = readRational(coefficient, `${here}/1`);
    if (isZero(c)) throw unreadable("zero-entry", `${here}/1`, "zero coefficients are left out");
    split.set(keyOf(word), c);
  });
  return { split };
}

function readOperator(node, pointer, dimensions) {
  return sequence(node, pointer, 3, 3).map((entries, f) => {
    const seen = new Set();
    return sequence(entries, `${pointer}/${f}`).map((entry, i) => {
      const here = `${pointer}/${f}/${i}`;
      const [row, column, x] = sequence(entry, here, 3, 3);
      integer(row, `${here}/0`, 0, dimensions[f] - 1);
      integer(column, `${here}/1`, 0, dimensions[f] - 1);
      if (integer(x, `${here}/2`, -LARGEST, LARGEST) === 0) throw unreadable("zero-entry", `${here}/2`, "zero entries are left out");
      if (seen.has(`${row},${column}`)) throw unreadable("repeated", here, "a place stands twice");
      seen.add(`${row},${column}`);
      return [row, column, BigInt(x)];
    });
  });
}

function dimensionsOf(context) {
  const { space } = context.target;
  const { powers, name } = context.units;
  const [n, d] = space.factors[0];
  if (!powers.length && space.factors.length === 3) return space.factors.map(([m]) => m);
  if (name === "tied" && space.factors.length === 1 && d === 3) return [n, n, n];
  if (name === "tied" && space.factors.length === 2 && d === 2) return [n, n, space.outputs];
  throw unreadable("units-do-not-fit", `${context.pointer}/claim/units`, "the rule is about tensors of order 3, and tied units of forms and maps of total degree 3");
}

// The tensor, as a Map from the key of [i, j, k]; a form has at every arrangement of a word an equal part of its coefficient.
function tensorOf({ space, entries }) {
  const tensor = new Map();
  for (const [key, value] of entries) {
    let arrangements = [[]];
    for (const piece of space.split(wordOf(key))) arrangements = arrangements.flatMap((left) => arrange(piece).map((right) => [...left, ...right]));
    const part = multiply(value, rational(1n, BigInt(arrangements.length)));
    for (const word of arrangements) tensor.set(keyOf(word), part);
  }
  return tensor;
}

function arrange(piece) {
  if (piece.length < 2) return [piece];
  return [...new Set(piece)].flatMap((x) => {
    const rest = [...piece];
    rest.splice(piece.indexOf(x), 1);
    return arrange(rest).map((more) => [x, ...more]);
  });
}

const plusVector = (u, v) => u.map((x, i) => x + v[i]);
const minusVector = (u, v) => u.map((x, i) => x - v[i]);
const dot = (u, v) => u.reduce((sum, x, i) => sum + x * v[i], 0);

// Lemma 3: the torus and the operators make a connected solvable group that fixes the line of the tensor.
function checkGroup({ weights, rho, raising }, tensor, context) {
  const weightOf = (word) => word.map((i, f) => weights[f][i]).reduce(plusVector);
  const total = new Set([...tensor.keys()].map((key) => keyOf(weightOf(wordOf(key)))));
  if (total.size > 1) throw rejected("not-homogeneous", context.witness("weights"), "the entries of the target have different weights");
  raising.forEach((operator, i) => {
    const here = context.witness("raising", i);
    const roots = operator.flatMap((entries, f) => entries.map(([row, column]) => minusVector(weights[f][row], weights[f][column])));
    if (new Set(roots.map(keyOf)).size !== 1) throw rejected("not-a-root", here, "the entries of an operator have one root");
    if (dot(rho, roots[0]) <= 0) throw rejected("not-raising", here, "the root of an operator has positive height");
    const image = new Map();
    for (const [key, value] of tensor) {
      const word = wordOf(key);
      operator.forEach((entries, f) => {
        for (const [row, column, x] of entries) {
          if (word[f] === column) accumulate(image, keyOf(word.map((letter, g) => (g === f ? row : letter))), multiply(value, x));
        }
      });
    }
    if (image.size) throw rejected("not-a-symmetry", here, "the operator does not annihilate the target");
  });
}

// The row v - c times each row, such that it is zero at their pivots; rows are [pivot, Map from a cell to a rational].
function reduceBy(vector, rows) {
  const rest = new Map(vector);
  for (const [pivot, row] of rows) {
    if (!rest.has(pivot)) continue;
    const c = negate(multiply(rest.get(pivot), inverse(row.get(pivot))));
    for (const [cell, x] of row) accumulate(rest, cell, multiply(c, x));
  }
  return rest;
}

// (111) fails for E, E', E'': the map from E (x) C to the quotients by E' (x) A and by E'' (x) B has rank more than r (c - 1).
function refutesTriple(spaces, r, c, work) {
  const [first, second, third] = spaces;
  const rows = [];
  for (const [, element] of first) {
    for (let k = 0; k < c; k += 1) {
      const bySecond = new Map(); // i in A -> vector in B (x) C
      const byThird = new Map(); // j in B -> vector in C (x) A
      for (const [cell, x] of element) {
        const [i, j] = wordOf(cell);
        if (!bySecond.has(i)) bySecond.set(i, new Map());
        bySecond.get(i).set(`${j},${k}`, x);
        if (!byThird.has(j)) byThird.set(j, new Map());
        byThird.get(j).set(`${k},${i}`, x);
      }
      const row = new Map();
      for (const [kind, parts, space] of [[0, bySecond, second], [1, byThird, third]]) {
        for (const [index, vector] of parts) {
          work.spend(10 * space.length);
          for (const [cell, x] of reduceBy(vector, space)) row.set(`${kind},${index},${cell}`, constantPolynomial(x));
        }
      }
      rows.push(row);
    }
  }
  return rankEverywhere(rows, [], work) > r * (c - 1);
}

export const borderApolarity = {
  read(witness, context) {
    const [refuted, weightNodes, rhoNode, raising, pairs] = keys(witness, context.witness(), ["refuted", "weights", "rho", "raising", "pairs"]);
    const dimensions = dimensionsOf(context);
    const r = integer(refuted, context.witness("refuted"), 1, 2 ** 53 - 1);
    const rho = sequence(rhoNode, context.witness("rho"), 1, 64).map((x, i) => integer(x, context.witness("rho", i), -LARGEST, LARGEST));
    const weights = sequence(weightNodes, context.witness("weights"), 3, 3).map((list, f) =>
      sequence(list, context.witness("weights", f), dimensions[f], dimensions[f]).map((vector, i) =>
        sequence(vector, context.witness("weights", f, i), rho.length, rho.length).map((x, k) =>
          integer(x, context.witness("weights", f, i, k), -LARGEST, LARGEST))));
    const operators = sequence(raising, context.witness("raising")).map((node, i) => readOperator(node, context.witness("raising", i), dimensions));
    const seen = new Set();
    const proofs = sequence(pairs, context.witness("pairs"), 1, 3).map((node, i) => {
      const here = context.witness("pairs", i);
      const [factorNodes, leaves] = keys(node, here, ["factors", "leaves"]);
      const factors = sequence(factorNodes, `${here}/factors`, 2, 2).map((x, k) => integer(x, `${here}/factors/${k}`, 0, 2));
      if (!PAIRS.includes(keyOf(factors))) throw unreadable("out-of-range", `${here}/factors`, "pairs are [0, 1], [1, 2] and [2, 0]");
      if (seen.has(keyOf(factors))) throw unreadable("repeated", `${here}/factors`, "a pair stands twice");
      seen.add(keyOf(factors));
      return { factors, leaves: sequence(leaves, `${here}/leaves`).map((leaf, k) => readProof(leaf, `${here}/leaves/${k}`)), pointer: here };
    });
    return { r, rho, weights, raising: operators, pairs: proofs, dimensions };
  },
  derive(data, context) {
    const { target } = context;
    if (context.over !== "CC" || target.ring.name !== "QQ") throw fieldRefused(context);
    const tensor = tensorOf(target);
    checkGroup(data, tensor, context);
    const { r, pairs, dimensions } = data;
    for (const { factors: [p, q], pointer } of pairs) {
      if (r >= dimensions[p] * dimensions[q]) throw rejected("rank-too-large", `${pointer}/factors`, `${r} is not below the product of the dimensions`);
    }
    const work = new Work(context.pointer);
    const candidates = new Map(pairs.map((pair) => [keyOf(pair.factors), new Replay(data, pair, tensor, work).candidates()]));
    if ([...candidates.values()].every((list) => list.length)) {
      if (pairs.length < 3) throw rejected("candidates", context.witness("pairs"), "every pair has candidates, so all three pairs are needed");
      const [ab, bc, ca] = PAIRS.map((pair) => candidates.get(pair));
      for (const e of ab) for (const f of bc) for (const g of ca) {
        if (!refutesTriple([e, f, g], r, dimensions[2], work)) throw rejected("triple", context.witness("pairs"), "a triple of candidates passes the test (111)");
      }
    }
    return context.claim("border_rank", ">=", r + 1);
  },
};
