// docs/rules/inertia.md and docs/rules/inertia-floor.md: signatures of quadratic forms in many variables.

import { range, wordOf } from "../combinatorics.mjs";
import { gcdOf } from "../integers.mjs";
import { absolute, add, denominator, multiply, numerator, rational, readRational, sign, subtract } from "../numbers.mjs";
import { integer, keys, sequence } from "../reading.mjs";
import { LIMITS, rejected, undecided, unreadable } from "../refusal.mjs";
import { ceilingOf } from "../claims.mjs";
import { constantOf } from "./floor.mjs";
import { fieldRefused } from "./over.mjs";
import { symmetric } from "./quadric.mjs";

function readOrder(node, pointer, least, n) {
  const order = sequence(node, pointer, least, n).map((x, i) => integer(x, `${pointer}/${i}`, 0, n - 1));
  if (new Set(order).size < order.length) throw unreadable("repeated", pointer, "a variable stands twice");
  return order;
}

const readBits = (node, context) => integer(node, context.witness("bits"), 8, 1024);

function requireQuadric(context) {
  const { space } = context.target;
  if (space.factors.length !== 1 || space.formDegree !== 2) throw rejected("hypothesis", context.pointer, "the rule is about one form of degree 2");
  if (space.variables ** 3 / 8 > LIMITS.operations) throw undecided("limit-operations", context.pointer, `a form in ${space.variables} variables`);
}

// Coprime integers proportional to a rational matrix.
function integral(matrix) {
  const scale = matrix.flat().reduce((s, x) => (s * denominator(x)) / gcdOf([s, denominator(x)]), 1n);
  return matrix.map((row) => row.map((x) => numerator(x) * (scale / denominator(x))));
}

const length = (n) => BigInt(absolute(n).toString(2).length);
const shifted = (n, k) => (k >= 0n ? n << k : n >> -k);

function squareRoot(n) {
  if (n < 2n) return n;
  let x = 1n << ((length(n) + 1n) / 2n);
  for (let y = (x + n / x) >> 1n; y < x; y = (x + n / x) >> 1n) x = y;
  return x;
}

// Integer vectors x_1, ..., x_k that are nearly orthogonal for the form: the rows of the inverse of the lower triangular factor of an
// elimination in fixed point, each scaled such that the form has about the same size at all. Nothing rests on the rounding.
function nearlyOrthogonal(matrix, order, bits, refuse) {
  const b = BigInt(bits);
  const largest = matrix.flat().reduce((m, x) => (absolute(x) > m ? absolute(x) : m), 1n);
  const a = matrix.map((row) => row.map((x) => shifted(x, 3n * b - length(largest))));
  const vectors = range(a.length).map((i) => range(a.length).map((j) => (i === j ? 1n << (2n * b) : 0n)));
  a.forEach((pivot, i) => {
    const d = pivot[i];
    if (!d) throw refuse(i);
    for (let r = i + 1; r < a.length; r += 1) {
      const factor = (a[r][i] << (2n * b)) / d;
      if (!factor) continue;
      for (let j = i; j < a.length; j += 1) a[r][j] -= (factor * pivot[j]) >> (2n * b);
      for (let j = 0; j <= i; j += 1) vectors[r][j] -= (factor * vectors[i][j]) >> (2n * b);
    }
  });
  // 2^(6 bits) / sqrt|d|, times the vector; then one common scale that leaves `bits` bits.
  const scaled = vectors.map((vector, i) => {
    const factor = squareRoot((1n << (16n * b)) / absolute(a[i][i]));
    return vector.map((x) => x * factor);
  });
  const most = scaled.flat().reduce((m, x) => (absolute(x) > m ? absolute(x) : m), 1n);
  const drop = length(most) - b;
  return scaled.map((vector) => vector.map((x) => (drop > 0n ? (x + (1n << (drop - 1n))) >> drop : x)));
}

// Rows of numbers packed into one integer each, `width` bits a number: sums of multiples of rows are sums of multiples of integers.
const pack = (row, width) => row.reduceRight((sum, x) => (sum << width) + x, 0n);

function unpack(packed, width, count) {
  const modulus = 1n << width;
  return range(count).map(() => {
    const low = BigInt.asIntN(Number(width), packed);
    packed = (packed - low) / modulus;
    return low;
  });
}

const combination = (coefficients, packed) => coefficients.reduce((sum, c, k) => (c ? sum + c * packed[k] : sum), 0n);

// [number of positive, of negative diagonal entries] of M = X^T S X, which must be strictly diagonally dominant.
function signatureOf(matrix, order, bits, pointer) {
  const sub = integral(order.map((i) => order.map((j) => matrix[i][j])));
  const refuse = (i) => rejected("not-dominant", `${pointer}/${i}`, "the diagonal entry of this row does not outweigh the others");
  const vectors = nearlyOrthogonal(sub, order, bits, refuse);
  const k = order.length;
  const most = sub.flat().reduce((m, x) => (absolute(x) > m ? absolute(x) : m), 1n);
  const width = length(most) + 2n * (BigInt(bits) + 1n) + 2n * length(BigInt(k)) + 2n;
  const rowsOfS = sub.map((row) => pack(row, width));
  const columns = range(k).map((j) => pack(vectors.map((x) => x[j]), width)); // coordinate j of all vectors
  const counts = [0, 0];
  vectors.forEach((x, i) => {
    const image = unpack(combination(x, rowsOfS), width, k);
    const row = unpack(combination(image, columns), width, k);
    const others = row.reduce((sum, y, j) => (j === i ? sum : sum + absolute(y)), 0n);
    if (absolute(row[i]) <= others) throw refuse(i);
    counts[row[i] > 0n ? 0 : 1] += 1;
  });
  return counts;
}

export const inertia = {
  read(witness, context) {
    const [orderNode, bits] = keys(witness, context.witness(), ["order", "bits"]);
    const order = readOrder(orderNode, context.witness("order"), 1, context.target.space.variables);
    return { order, bits: readBits(bits, context) };
  },
  derive({ order, bits }, context) {
    const { target, over, relation } = context;
    requireQuadric(context);
    const tied = context.units.name === "tied";
    if (target.ring.name !== "QQ" || !(over === "RR" || over === "CC" || (over === "QQ" && tied))) throw fieldRefused(context);
    if (relation === "<=" && order.length < target.space.variables) {
      throw rejected("hypothesis", context.pointer, "an upper bound needs all variables");
    }
    const [positive, negative] = signatureOf(symmetric(target, rational(1n, 2n)), order, bits, context.witness("order"));
    const rank = positive + negative;
    const width = tied ? rank : over === "RR" ? Math.max(positive, negative) : ceilingOf(rank, 2);
    return context.claim(relation === ">=" ? "border_rank" : "rank", relation, width);
  },
};

function readLevels(nodes, context, side) {
  const n = context.target.space.variables;
  return sequence(nodes, context.witness(side), 1).map((node, i) => {
    const here = context.witness(side, i);
    const [threshold, order] = keys(node, here, ["threshold", "order"]);
    const c = readRational(threshold, `${here}/threshold`);
    if (sign(c) <= 0) throw unreadable("out-of-range", `${here}/threshold`, "a threshold is positive");
    return { c, order: readOrder(order, `${here}/order`, n, n) };
  });
}

// For i = 1, ..., w the squares of the least thresholds above the i-th largest eigenvalue.
function squaresAbove(levels, matrix, w, bits, context, side) {
  const counted = levels.map(({ c, order }, k) => {
    const moved = matrix.map((row, i) => row.map((x, j) => (i === j ? subtract(x, c) : x)));
    return { c, positive: signatureOf(moved, order, bits, context.witness(side, k, "order"))[0] };
  });
  return range(w).map((i) => {
    const over = counted.filter(({ positive }) => positive <= i).map(({ c }) => c);
    if (!over.length) throw rejected("hypothesis", context.witness(side), `no threshold is above eigenvalue ${i + 1}`);
    const c = over.reduce((a, x) => (sign(subtract(x, a)) < 0 ? x : a));
    return multiply(c, c);
  });
}

export const inertiaFloor = {
  read(witness, context) {
    const [above, below, bits] = keys(witness, context.witness(), ["above", "below", "bits"]);
    return { above: readLevels(above, context, "above"), below: readLevels(below, context, "below"), bits: readBits(bits, context) };
  },
  derive({ above, below, bits }, context) {
    const { target, floor } = context;
    if (floor === null || floor.loss === "size") throw rejected("quantity", `${context.pointer}/claim/quantity`, "the rule is about floors");
    if (context.over !== "RR" || target.ring.name !== "QQ") throw fieldRefused(context);
    requireQuadric(context);
    const n = target.space.variables;
    const constant = constantOf(floor, n, 2);
    if (constant === null) throw rejected("hypothesis", context.pointer, `the rule does not know the loss ${floor.loss}`);
    const matrix = symmetric(target, rational(1n, 2n));
    const opposite = matrix.map((row) => row.map((x) => subtract(0n, x)));
    const w = Number(floor.width < BigInt(n) ? floor.width : BigInt(n));
    let squares = squaresAbove(above, matrix, w, bits, context, "above");
    squares.push(...squaresAbove(below, opposite, w, bits, context, "below"));
    if (context.units.name === "tied") squares = squares.sort((x, y) => sign(subtract(y, x))).slice(0, w);
    const norm = matrix.flat().map((x) => multiply(x, x)).reduce(add, 0n);
    const rest = subtract(norm, squares.reduce(add, 0n));
    return context.claim(context.quantity, ">=", sign(rest) > 0 ? multiply(constant, rest) : 0n);
  },
};
