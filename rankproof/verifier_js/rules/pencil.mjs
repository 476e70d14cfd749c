// docs/rules/pencil.md

import { commonDivisor, countRealRoots, degree, derivative, isIrreducible } from "../fields.mjs";
import { contract, matrixOf, spaceAfter } from "../contraction.mjs";
import { checkEmbedding, gcdModulo, linearPart, primitivePart, readRoot, reducePolynomial } from "../integers.mjs";
import { exactRank } from "../linear.mjs";
import { rankModulo } from "../modular.mjs";
import { accumulate, add, inverse, inverseModulo, isZero, modulo, multiply, negate, readRational, Ring } from "../numbers.mjs";
import { isPrime } from "../primes.mjs";
import { SAFE, integer, keys, sequence, show } from "../reading.mjs";
import { LIMITS, Work, rejected, unreadable } from "../refusal.mjs";
import { finiteField } from "../targets.mjs";
import { fieldRefused } from "./over.mjs";

const ARGUMENTS = ["outside", "border", "double"];

export const pencil = {
  read(witness, context) {
    const [factorNode, ordersNode, argument, polynomial, slices, placeNode, root] =
      keys(witness, context.witness(), ["factor", "orders", "argument", "polynomial"], ["slices", "place", "root"]);
    const { space } = context.target;
    if (context.units.powers.length && context.units.name !== "tied") {
      throw unreadable("units-do-not-fit", `${context.pointer}/claim/units`, "the rule is about product and tied units");
    }
    if (!ARGUMENTS.includes(argument)) {
      throw unreadable("unknown-argument", context.witness("argument"), `${show(argument)} is none of ${ARGUMENTS}`);
    }
    const factor = integer(factorNode, context.witness("factor"), 0, space.factors.length - 1);
    const [n] = space.factors[factor];
    const rest = spaceAfter(space, factor);
    sequence(ordersNode, context.witness("orders"), space.factors.length, space.factors.length);
    const orders = ordersNode.map((s, i) => integer(s, context.witness("orders", i), 0, rest.factors[i][1]));
    if (slices === undefined && n !== 2) throw unreadable("missing-key", context.witness(), "slices are left out only where there are two");
    const combinations = slices === undefined ? [[1, 0], [0, 1]] : sequence(slices, context.witness("slices"), 2, 2).map((row, i) =>
      sequence(row, context.witness("slices", i), n, n).map((x, j) => integer(x, context.witness("slices", i, j), 1 - SAFE, SAFE - 1)));
    const f = sequence(polynomial, context.witness("polynomial"), 2, LIMITS.fieldDegree + 1).map((x, i) => readRational(x, context.witness("polynomial", i)));
    if (isZero(f.at(-1))) throw unreadable("trailing-zero", context.witness("polynomial"), "the last coefficient is not zero");
    let place = null;
    if (placeNode !== undefined) {
      if (!isPrime(integer(placeNode, context.witness("place"), 2, 2 ** 31 - 1))) throw unreadable("not-prime", context.witness("place"), "no prime");
      place = BigInt(placeNode);
    }
    return { factor, orders, argument, combinations, f, place, root: readRoot(root, context), rest };
  },
  derive(data, context) {
    const { over, target } = context;
    const work = new Work(context.witness("polynomial"));
    const ring = checkField(data, context);
    const f = ring.prime ? reducedPolynomial(data.f, ring.prime, context) : data.f;
    checkPoints(data, f, ring, context, work);
    const [a, b] = slicesOf(data, target.over(ring), ring, work);
    const rank = rankIn(ring, work);
    const sideBySide = union([a, b], (key, k) => [key, `${k}|`]);
    const stacked = union([a, b], (key, k) => [`${k}|${key}`, ""]);
    const [m, n] = [rank(sideBySide), rank(stacked)];
    const atRoots = (g) => rank(withCompanion(a, b, g, ring));
    const d = degree(f);
    const k = data.argument === "double" ? Math.floor((atRoots(squareOf(f, ring)) - atRoots(f)) / d) : Math.floor(atRoots(f) / d);
    if (data.argument !== "border") return context.claim("rank", ">=", m + n - k);
    if (m !== n || rank(a) !== m || k >= m) throw rejected("hypothesis", context.pointer, "the pencil has no root where its rank drops");
    return context.claim("border_rank", ">=", m + 1, over);
  },
};

// Where the ranks are computed.
function checkField({ argument, place, root }, context) {
  const { over, target, rings } = context;
  const { ring } = target;
  const finite = finiteField(over);
  if (argument === "double") {
    if (place !== null || root !== null) throw rejected("place", context.witness(), "for double roots there is no place");
    if (over === "CC" && !ring.prime) return ring;
    if (finite !== null && ["QQ", finite.name].includes(ring.name)) return finite;
    throw fieldRefused(context);
  }
  const number = (rings.get(over)?.field ?? null) !== null;
  if ((place !== null) !== (over === "QQ" || number)) throw rejected("place", context.witness(), "a place is given exactly over QQ and number fields");
  if (finite !== null) {
    if (!["QQ", finite.name].includes(ring.name)) throw fieldRefused(context);
    if (root !== null) throw rejected("root", context.witness("root"), "a root belongs to a number field");
    return finite;
  }
  const real = over === "RR" && !ring.prime && (ring.field === null || ring.field.realRoot !== null);
  if (!real && !(over === "QQ" && ring.name === "QQ") && !(number && ["QQ", over].includes(ring.name))) throw fieldRefused(context);
  if (place !== null || root !== null) checkEmbedding(root, place ?? 2n, context);
  return ring;
}

function reducedPolynomial(f, p, context) {
  const ring = new Ring(`GF(${p})`, { prime: p });
  const reduced = f.map((c) => ring.reduce(c, context.witness("polynomial")));
  if (!reduced.at(-1)) throw rejected("denominator", context.witness("polynomial"), "the degree falls modulo the prime");
  return reduced;
}

// No root in the field of the claim, or no repeated root.
function checkPoints({ argument, place }, f, ring, context) {
  const here = context.witness("polynomial");
  if (argument === "double") {
    const slope = ring.prime ? reducePolynomial(f.slice(1).map((c, i) => c * BigInt(i + 1)), ring.prime) : derivative(f);
    const common = ring.prime ? gcdModulo(f, slope, ring.prime) : commonDivisor(f, slope);
    if (degree(common) > 0) throw rejected("repeated-root", here, "the polynomial has a repeated root");
    return;
  }
  const refuse = () => rejected("has-root", here, "a root in the field of the claim is not excluded");
  if (ring.prime) {
    if (degree(linearPart(f, ring.prime)) > 0) throw refuse();
  } else if (place !== null) {
    const integers = reducePolynomial(primitivePart(f), place);
    if (integers.length < f.length || degree(linearPart(integers, place)) > 0) throw refuse();
  } else {
    const real = countRealRoots(f);
    if (real && !(ring.name === "QQ" && real < degree(f) && degree(f) > 1 && isIrreducible(monicInteger(f), here))) throw refuse();
  }
}

// The monic integer polynomial a^(d-1) f(x / a), a the leading coefficient of f made integral: irreducible if and only if f is.
function monicInteger(f) {
  const integers = primitivePart(f);
  const lead = integers.at(-1);
  return integers.map((c, i) => (i === degree(f) ? 1n : c * lead ** BigInt(degree(f) - 1 - i)));
}

function slicesOf({ factor, orders, combinations, rest }, target, ring, work) {
  return combinations.map((row) => {
    const operator = new Map(row.map((x, i) => [String(i), BigInt(x)]).filter(([, x]) => x));
    const entries = new Map();
    for (const [key, x] of contract(target.entries, target.space, factor, operator, work)) {
      const value = ring.reduce(x);
      if (!isZero(value)) entries.set(key, value);
    }
    return matrixOf(entries, rest, orders, work);
  });
}

// Several matrices as one; `place` says where the rows and columns of each go.
function union(matrices, place) {
  const rows = new Map();
  matrices.forEach((matrix, k) => {
    for (const [key, row] of matrix) {
      const [name, prefix] = place(key, k);
      if (!rows.has(name)) rows.set(name, new Map());
      for (const [column, x] of row) rows.get(name).set(prefix + column, x);
    }
  });
  return rows;
}

const rankIn = (ring, work) => (matrix) => {
  const rows = [...matrix.values()].map((row) => new Map([...row].map(([c, x]) => [c, ring.reduce(x)]).filter(([, x]) => !isZero(x))));
  if (!ring.prime) return exactRank(rows, work);
  return rankModulo(rows.map((row) => new Map([...row].map(([c, x]) => [c, Number(x)]))), Number(ring.prime), work);
};

// B (x) 1 - A (x) C with the companion matrix C of g.
function withCompanion(a, b, g, ring) {
  const d = degree(g);
  const scale = ring.prime ? inverseModulo(g.at(-1), ring.prime) : null;
  const monic = g.map((c) => (ring.prime ? modulo(c * scale, ring.prime) : multiply(c, inverse(g.at(-1)))));
  const companion = [];
  for (let i = 1; i < d; i += 1) companion.push([i, i - 1, 1n]);
  for (let i = 0; i < d; i += 1) if (!isZero(monic[i])) companion.push([i, d - 1, negate(monic[i])]);
  const rows = new Map();
  const put = (i, row, j, column, x) => {
    const name = `${i}|${row}`;
    if (!rows.has(name)) rows.set(name, new Map());
    accumulate(rows.get(name), `${j}|${column}`, x);
  };
  for (const [row, entries] of b) for (const [column, x] of entries) for (let i = 0; i < d; i += 1) put(i, row, i, column, x);
  for (const [row, entries] of a) for (const [column, x] of entries) for (const [i, j, c] of companion) put(i, row, j, column, negate(multiply(x, c)));
  return rows;
}

function squareOf(f, ring) {
  const g = new Array(2 * f.length - 1).fill(0n);
  f.forEach((x, i) => f.forEach((y, j) => (g[i + j] = add(g[i + j], multiply(x, y)))));
  return ring.prime ? g.map((c) => modulo(c, ring.prime)) : g;
}
