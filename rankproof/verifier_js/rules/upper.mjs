// Upper bounds that are not written as a list of units: docs/rules/apolar-form.md, conjugate-units.md, kronecker-form.md.

import { keyOf, wordOf } from "../combinatorics.mjs";
import { NumberField, commonDivisor, countRealRoots, degree, derivative, trimmed } from "../fields.mjs";
import { Algebraic, accumulate, add, isZero, multiply, negate, readNumber, readRational, subtract } from "../numbers.mjs";
import { apply, outputsOf, readOperator, requirePolynomialUnits } from "../operators.mjs";
import { integer, isList, keys, sequence } from "../reading.mjs";
import { LIMITS, Work, rejected, undecided, unreadable } from "../refusal.mjs";
import { fieldRefused } from "./over.mjs";

const isSquarefree = (f) => degree(f) < 1 || degree(commonDivisor(f, derivative(f))) === 0;

// A polynomial over a number field with a declared real root is sent to the reals by that root: signs are taken there.
const allRootsAreReal = (f) => degree(f) < 1 || countRealRoots(squarefreePart(f)) === degree(squarefreePart(f));

function squarefreePart(f) {
  const g = commonDivisor(f, derivative(f));
  if (degree(g) < 1) return f;
  let [rest, quotient] = [[...f], []];
  while (rest.length >= g.length) {
    const c = rest.at(-1); // g is monic
    quotient.unshift(c);
    g.forEach((b, j) => (rest[rest.length - g.length + j] = add(rest[rest.length - g.length + j], negate(multiply(c, b)))));
    rest.pop();
  }
  return trimmed(quotient);
}

export const apolarForm = {
  read(witness, context) {
    const [degreeNode, form] = keys(witness, context.witness(), ["degree", "form"]);
    requirePolynomialUnits(context);
    const r = integer(degreeNode, context.witness("degree"), 1, LIMITS.degree);
    return { r, h: readOperator(form, context.witness("form"), 2, r, context.target.ring) };
  },
  derive({ r, h }, context) {
    const { target, over } = context;
    const { space, ring } = target;
    const { name } = context.units;
    if (space.factors.length !== 1 || space.variables !== 2) throw rejected("hypothesis", context.pointer, "the rule is about one form in two variables");
    if (name !== "tied" && name !== "untied") throw rejected("hypothesis", context.pointer, "the rule is about tied and untied units");
    if (ring.prime || !(over === "CC" || (over === "RR" && (ring.field === null || ring.field.realRoot !== null)))) throw fieldRefused(context);
    if (name === "tied" && r > space.formDegree + 1) throw rejected("hypothesis", context.witness("degree"), "the degree is at most d + 1");
    const work = new Work(context.pointer);
    const [form] = outputsOf(target);
    let image = apply(h, form, work);
    if (name === "untied") image = apply(h, image, work);
    if (image.size) throw rejected("not-apolar", context.witness("form"), "the operator does not kill the form");
    // h(x, 1), and how often Y divides h.
    const f = new Array(r + 1).fill(0n);
    for (const [key, c] of h) f[wordOf(key).filter((i) => i === 0).length] = c;
    const affine = trimmed(f);
    const atInfinity = r - degree(affine);
    if (over === "RR" && !allRootsAreReal(affine)) throw rejected("not-real", context.witness("form"), "not all linear factors are real");
    const distinct = atInfinity <= 1 && isSquarefree(affine);
    return context.claim(distinct ? "rank" : "border_rank", "<=", r);
  },
};

export const conjugateUnits = {
  read(witness, context) {
    const [families] = keys(witness, context.witness(), ["families"]);
    const lengths = context.units.lengths(context.target.space);
    return sequence(families, context.witness("families"), 1).map((node, i) => {
      const here = context.witness("families", i);
      const [polynomialNode, unit] = keys(node, here, ["polynomial", "unit"]);
      const f = sequence(polynomialNode, `${here}/polynomial`, 2, LIMITS.degree + 1).map((x, k) => {
        const c = readRational(x, `${here}/polynomial/${k}`);
        if (typeof c !== "bigint") throw unreadable("wrong-type", `${here}/polynomial/${k}`, "the coefficients are integers");
        return c;
      });
      if (f.at(-1) !== 1n) throw unreadable("not-monic", `${here}/polynomial`, "the leading coefficient is 1");
      const field = new NumberField("t", f, null);
      const vectors = sequence(unit, `${here}/unit`, lengths.length, lengths.length).map((vector, j) =>
        sequence(vector, `${here}/unit/${j}`, lengths[j], lengths[j]).map((x, k) => readCoordinate(x, `${here}/unit/${j}/${k}`, field)));
      return { f, field, vectors };
    });
  },
  derive(families, context) {
    const { target, over } = context;
    if (target.ring.name !== "QQ" || (over !== "CC" && over !== "RR")) throw fieldRefused(context);
    const work = new Work(context.witness("families"));
    if (over === "RR") {
      families.forEach(({ f }, i) => {
        if (countRealRoots(f) !== degree(f)) {
          throw rejected("non-real-root", context.witness("families", i, "polynomial"), "not all roots are real and different");
        }
      });
    }
    const sum = new Map();
    for (const { f, vectors } of families) {
      const traces = powerSums(f);
      for (const [key, value] of context.units.sum([vectors], target.space, work)) {
        const parts = value instanceof Algebraic ? value.c : [value];
        accumulate(sum, key, parts.reduce((total, c, k) => add(total, multiply(c, traces[k])), 0n));
      }
    }
    for (const key of new Set([...sum.keys(), ...target.entries.keys()])) {
      if (!isZero(subtract(sum.get(key) ?? 0n, target.entries.get(key) ?? 0n))) {
        throw rejected("sum-misses-target", context.witness("families"), `the sum misses the target at the word ${key}`);
      }
    }
    return context.claim("rank", "<=", families.reduce((total, { f }) => total + degree(f), 0));
  },
};

function readCoordinate(node, pointer, field) {
  if (!isList(node)) return readRational(node, pointer);
  const values = sequence(node, pointer, 2, field.degree).map((x, k) => readRational(x, `${pointer}/${k}`));
  if (isZero(values.at(-1))) throw unreadable("trailing-zero", pointer, "the last coordinate is not zero");
  return new Algebraic(field, values);
}

// Sums of the k-th powers of the roots of a monic polynomial, k = 0..n-1. Newton's identities.
function powerSums(f) {
  const n = degree(f);
  const sums = [BigInt(n)];
  for (let k = 1; k < n; k += 1) {
    let s = multiply(BigInt(-k), f[n - k]);
    for (let j = 1; j < k; j += 1) s = subtract(s, multiply(f[n - j], sums[k - j]));
    sums.push(s);
  }
  return sums;
}

export const kroneckerForm = {
  read(witness, context) {
    const [factorNode, left, right, blockNodes] = keys(witness, context.witness(), ["factor", "left", "right", "blocks"]);
    const { space, ring } = context.target;
    if (space.factors.length !== 3 || !space.isTensor || context.units.powers.length) {
      throw unreadable("units-do-not-fit", context.pointer, "the rule is about tensors of order 3");
    }
    const factor = integer(factorNode, context.witness("factor"), 0, 2);
    if (space.factors[factor][0] !== 2) throw unreadable("out-of-range", context.witness("factor"), "the factor has dimension 2");
    const blocks = sequence(blockNodes, context.witness("blocks"), 1).map((node, i) => readBlock(node, context.witness("blocks", i), ring));
    const rows = blocks.reduce((sum, block) => sum + block.rows, 0);
    const columns = blocks.reduce((sum, block) => sum + block.columns, 0);
    const [m, n] = [0, 1, 2].filter((k) => k !== factor).map((k) => space.factors[k][0]);
    const matrix = (node, name, height, width) =>
      sequence(node, context.witness(name), height, height).map((row, i) =>
        sequence(row, context.witness(name, i), width, width).map((x, j) => readNumber(x, context.witness(name, i, j), ring)));
    return { factor, blocks, left: matrix(left, "left", m, rows), right: matrix(right, "right", columns, n) };
  },
  derive({ factor, blocks, left, right }, context) {
    const { target, over } = context;
    const { ring } = target;
    if (ring.prime || !(over === "CC" || (over === "RR" && (ring.field === null || ring.field.realRoot !== null)))) throw fieldRefused(context);
    const [m, n] = [left.length, right[0].length];
    const [height, width] = [left[0].length, right.length];
    const products = m * n * (height + width) * 2;
    if (products > LIMITS.operations / 100) throw undecided("limit-operations", context.witness(), `about ${products} products`);
    const work = new Work(context.witness());
    const others = [0, 1, 2].filter((k) => k !== factor);
    const remaining = new Map(target.entries);
    for (const slice of [0, 1]) {
      let [row, column] = [0, 0];
      for (const block of blocks) {
        for (const [i, j, x] of block.entries[slice]) {
          for (let a = 0; a < m; a += 1) {
            const l = multiply(left[a][row + i], x);
            if (isZero(l)) continue;
            work.spend(n);
            for (let b = 0; b < n; b += 1) {
              const word = [0, 0, 0];
              word[factor] = slice;
              word[others[0]] = a;
              word[others[1]] = b;
              accumulate(remaining, keyOf(word), negate(multiply(l, right[column + j][b])));
            }
          }
        }
        row += block.rows;
        column += block.columns;
      }
    }
    if (remaining.size) throw rejected("blocks-miss-target", context.witness(), `the blocks miss the target at ${[...remaining.keys()][0]}`);
    const value = blocks.reduce((sum, block) => {
      if (block.f === null) return sum + Math.max(block.rows, block.columns);
      const distinct = isSquarefree(block.f) && (over === "CC" || countRealRoots(block.f) === degree(block.f));
      return sum + degree(block.f) + (distinct ? 0 : 1);
    }, 0);
    return context.claim("rank", "<=", value);
  },
};

// A canonical block: its size and the [row, column, entry] of its two slices.
function readBlock(node, pointer, ring) {
  const name = ["columns", "rows", "polynomial"].find((key) => node instanceof Map && node.has(key));
  if (name === undefined) throw unreadable("unknown-block", pointer, "a block is columns, rows or polynomial");
  if (name !== "polynomial") {
    const [sizeNode] = keys(node, pointer, [name]);
    const e = integer(sizeNode, `${pointer}/${name}`, 1, LIMITS.dimension);
    const steps = Array.from({ length: e }, (_, i) => i);
    const place = (i, j, x) => (name === "columns" ? [i, j, x] : [j, i, x]);
    const entries = [steps.map((i) => place(i, i + 1, 1n)), steps.map((i) => place(i, i, -1n))];
    return { f: null, entries, rows: name === "columns" ? e : e + 1, columns: name === "columns" ? e + 1 : e };
  }
  const [polynomial, shiftNode] = keys(node, pointer, ["polynomial"], ["shift"]);
  const f = sequence(polynomial, `${pointer}/polynomial`, 2).map((x, k) => readNumber(x, `${pointer}/polynomial/${k}`, ring));
  if (f.at(-1) !== 1n) throw unreadable("not-monic", `${pointer}/polynomial`, "the last coefficient is 1");
  const shift = shiftNode === undefined ? 0n : readNumber(shiftNode, `${pointer}/shift`, ring);
  const n = degree(f);
  const companion = new Map();
  for (let i = 1; i < n; i += 1) companion.set(`${i},${i - 1}`, 1n);
  for (let i = 0; i < n; i += 1) accumulate(companion, `${i},${n - 1}`, negate(f[i]));
  const first = new Map();
  for (let i = 0; i < n; i += 1) first.set(`${i},${i}`, 1n);
  for (const [key, x] of companion) accumulate(first, key, negate(multiply(shift, x)));
  const list = (map) => [...map].map(([key, x]) => [...wordOf(key), x]);
  return { f, entries: [list(first), list(companion)], rows: n, columns: n };
}
