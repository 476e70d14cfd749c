// docs/rules/output-substitution.md

import { ceilingOf } from "../claims.mjs";
import { countWords, keyOf, words, wordOf } from "../combinatorics.mjs";
import { determinant } from "../determinants.mjs";
import { commonDivisor, countRealRoots, degree, derivative, evaluate, trimmed } from "../fields.mjs";
import { diagonal } from "../linear.mjs";
import { rankModulo } from "../modular.mjs";
import { Ring, accumulate, add, inverse, isZero, modulo, multiply, negate, readRational, sign, subtract } from "../numbers.mjs";
import { apply, checkNoCommonZero, outputsOf, readOperator } from "../operators.mjs";
import { increasing, integer, keys, sequence, show } from "../reading.mjs";
import { LIMITS, Work, rejected, unreadable } from "../refusal.mjs";
import { divisorOf, readPrime, reducedTarget, splittings } from "./flattening.mjs";
import { fieldRefused } from "./over.mjs";
import { signatureDivisor, squareForm } from "./signature.mjs";

const MINORS = ["argument", "order", "rank", "minors", "macaulay", "prime"];

export const outputSubstitution = {
  read(witness, context) {
    const { space, ring } = context.target;
    if (!context.units.powers.length || space.outputs < 2) {
      throw unreadable("units-do-not-fit", context.pointer, "the rule is about maps with several outputs");
    }
    const argument = witness instanceof Map ? witness.get("argument") : undefined;
    if (argument === "minors") return readMinors(witness, context);
    if (argument !== "pencil") throw unreadable("unknown-argument", context.witness("argument"), `${show(argument)} is neither minors nor pencil`);
    const [, halfNode, operator, pointNodes] = keys(witness, context.witness(), ["argument", "half", "operator", "points"]);
    const d = space.formDegree;
    const half = integer(halfNode, context.witness("half"), 1, Math.floor(d / 2));
    const g = readOperator(operator, context.witness("operator"), space.variables, d - 2 * half, ring);
    const points = sequence(pointNodes, context.witness("points"), 1).map((x, i) => readRational(x, context.witness("points", i)));
    points.forEach((t, i) => {
      const order = i ? sign(subtract(t, points[i - 1])) : 1;
      if (order <= 0) throw unreadable(order ? "unsorted" : "repeated", context.witness("points", i), "points increase");
    });
    return { argument, half, g, points };
  },
  derive(data, context) {
    const bound = data.argument === "minors" ? byMinors(data, context) : byPencil(data, context);
    return context.claim("border_rank", ">=", context.target.space.outputs - 1 + bound);
  },
};

function readMinors(witness, context) {
  const { space } = context.target;
  const [, orderNode, rankNode, nodes, macaulay, prime, root] = keys(witness, context.witness(), MINORS, ["root"]);
  const order = integer(orderNode, context.witness("order"), 1, space.formDegree - 1);
  const rank = integer(rankNode, context.witness("rank"), 1, 64);
  const side = (s) => Number(countWords(space.variables, s));
  const minors = sequence(nodes, context.witness("minors"), 1).map((node, i) => {
    const here = context.witness("minors", i);
    const [rows, columns] = keys(node, here, ["rows", "columns"]);
    increasing(rows, `${here}/rows`, 0, side(order) - 1);
    increasing(columns, `${here}/columns`, 0, side(space.formDegree - order) - 1);
    if (rows.length !== rank || columns.length !== rank) throw unreadable("wrong-length", here, `a minor has ${rank} rows and columns`);
    return { rows, columns };
  });
  return { argument: "minors", order, rank, minors, macaulay: integer(macaulay, context.witness("macaulay"), 1, LIMITS.degree), ...readPrime(prime, root, context) };
}

function byMinors({ order, rank, minors, macaulay, prime, root }, context) {
  const { space } = context.target;
  const entries = reducedTarget({ prime, root }, context);
  const p = BigInt(prime);
  const [n, d] = [space.variables, space.formDegree];
  const work = new Work(context.witness("minors"));
  const outputs = Array.from({ length: space.outputs }, () => new Map());
  const matrix = new Map(); // row|column -> linear form in the parameters
  for (const [key, x] of entries) {
    const word = wordOf(key);
    const output = word.pop();
    outputs[output].set(keyOf(word), x);
    for (const [u, v, multiplicity] of splittings([word], [order])) {
      const value = modulo(BigInt(x) * BigInt(multiplicity), p);
      if (!value) continue;
      const place = `${keyOf(u)}|${keyOf(v)}`;
      if (!matrix.has(place)) matrix.set(place, new Map());
      matrix.get(place).set(String(output), value);
    }
  }
  if (rankModulo(outputs, prime, work) < space.outputs) throw rejected("dependent-outputs", context.pointer, "the outputs are dependent modulo the prime");
  const rowNames = [...words(n, order)].map(keyOf);
  const columnNames = [...words(n, d - order)].map(keyOf);
  const forms = minors.map(({ rows, columns }) => {
    const entry = (i, j) => matrix.get(`${rowNames[i]}|${columnNames[j]}`) ?? new Map();
    return [determinant(rows.map((i) => columns.map((j) => entry(i, j))), work, p), rank];
  });
  const finite = new Ring(`GF(${p})`, { prime: p });
  checkNoCommonZero(forms, space.outputs, finite, macaulay, { prime, root: null }, context, context.witness("macaulay"), work);
  return ceilingOf(rank, divisorOf(context, order));
}

function byPencil({ half, g, points }, context) {
  const { target, over } = context;
  const { space } = target;
  if (over !== "RR" || target.ring.name !== "QQ" || space.outputs !== 2) throw fieldRefused(context);
  const work = new Work(context.pointer);
  const [first, second] = outputsOf(target).map((form) => squareForm(apply(g, form, work), space.variables, half));
  const size = first.length;
  const c = context.units.name === "tied" ? 1 : signatureDivisor(half, context);
  const at = (t) => first.map((row, i) => row.map((x, j) => add(x, multiply(t, second[i][j]))));
  const f = interpolated((t) => determinantOf(at(t), work), size);
  const here = context.witness("points");
  if (!f.length) throw rejected("singular-pencil", here, "the determinant vanishes identically");
  if (points.some((t) => isZero(evaluate(f, t)))) throw rejected("root-at-point", here, "the determinant vanishes at a point");
  checkSeparation(f, points, here);
  const inertia = (matrix) => {
    const entries = diagonal(matrix, work);
    const positive = entries.filter((x) => sign(x) > 0).length;
    return { positive, negative: entries.length - positive, rank: entries.length };
  };
  const tied = context.units.name === "tied";
  if (context.units.name === "split") signatureDivisor(half, context);
  const value = ({ positive, negative, rank }) => (tied ? rank : ceilingOf(Math.max(positive, negative), c));
  const known = points.map((t) => inertia(at(t)));
  const values = [...known.map(value), value(inertia(second))];
  known.slice(1).forEach((right, i) => {
    const multiplicity = multiplicityBetween(f, points[i], points[i + 1]);
    if (!multiplicity) return;
    const left = known[i];
    values.push(value({
      positive: Math.max(Math.max(left.positive, right.positive) - multiplicity, 0),
      negative: Math.max(Math.max(left.negative, right.negative) - multiplicity, 0),
      rank: size - multiplicity,
    }));
  });
  return Math.min(...values);
}

function determinantOf(matrix, work) {
  const m = matrix.map((row) => [...row]);
  let result = 1n;
  for (let k = 0; k < m.length; k += 1) {
    const r = m.findIndex((row, i) => i >= k && !isZero(row[k]));
    if (r < 0) return 0n;
    if (r !== k) {
      [m[k], m[r]] = [m[r], m[k]];
      result = negate(result);
    }
    result = multiply(result, m[k][k]);
    const scale = inverse(m[k][k]);
    for (let i = k + 1; i < m.length; i += 1) {
      const factor = negate(multiply(m[i][k], scale));
      if (isZero(factor)) continue;
      work.spend(m.length);
      m[i] = m[i].map((x, j) => add(x, multiply(factor, m[k][j])));
    }
  }
  return result;
}

// The polynomial of at most this degree with these values at 0, 1, 2, ...: Newton's divided differences.
function interpolated(valueAt, bound) {
  let column = Array.from({ length: bound + 1 }, (_, t) => valueAt(BigInt(t)));
  const newton = [column[0]];
  for (let k = 1; k <= bound; k += 1) {
    column = column.slice(1).map((x, i) => multiply(subtract(x, column[i]), inverse(BigInt(k))));
    newton.push(column[0]);
  }
  let f = [];
  for (let k = bound; k >= 0; k -= 1) {
    // f (t - k) + newton[k]
    const next = new Map();
    f.forEach((c, i) => {
      accumulate(next, i + 1, c);
      accumulate(next, i, multiply(c, BigInt(-k)));
    });
    accumulate(next, 0, newton[k]);
    f = trimmed(Array.from({ length: f.length + 1 }, (_, i) => next.get(i) ?? 0n));
  }
  return f;
}

function checkSeparation(f, points, pointer) {
  if (degree(f) < 1) return;
  const total = countRealRoots(f);
  const inside = countRealRoots(f, points[0], points.at(-1));
  const crowded = points.slice(1).some((t, i) => countRealRoots(f, points[i], t) > 1);
  if (total !== inside || crowded) throw rejected("not-separated", pointer, "the points do not separate the real roots");
}

function multiplicityBetween(f, low, high) {
  let multiplicity = 0;
  for (let g = f; degree(g) > 0 && countRealRoots(g, low, high); g = commonDivisor(g, derivative(g))) multiplicity += 1;
  return multiplicity;
}
