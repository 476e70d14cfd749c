// docs/rules/landsberg-teitler.md and docs/rules/landsberg-teitler-twice.md

import { ceilingOf } from "../claims.mjs";
import { binomial, exponents, keyOf, wordOf } from "../combinatorics.mjs";
import { exactRank } from "../linear.mjs";
import { rankModulo } from "../modular.mjs";
import { QQ, Ring, accumulate, modulo, multiply } from "../numbers.mjs";
import { checkNoCommonZero, derivativeRows, outputsOf, readOperator, requirePolynomialUnits, schemeLength } from "../operators.mjs";
import { SAFE, integer, keys, sequence } from "../reading.mjs";
import { LIMITS, Work, rejected } from "../refusal.mjs";

import { readPrime } from "./flattening.mjs";
import { fieldRefused } from "./over.mjs";

const FAMILY = ["parameters", "degree", "family", "point"];

function readFamily([parametersNode, degreeNode, nodes, pointNode], context, ...path) {
  const at = (...more) => context.witness(...path, ...more);
  const parameters = integer(parametersNode, at("parameters"), 1, LIMITS.dimension);
  const degree = integer(degreeNode, at("degree"), 1, LIMITS.degree);
  const n = context.target.space.variables;
  const forms = sequence(nodes, at("family"), n, n).map((node, i) =>
    sequence(node, at("family", i)).length ? readOperator(node, at("family", i), parameters, degree, QQ) : new Map());
  const point = sequence(pointNode, at("point"), parameters, parameters).map((x, i) => BigInt(integer(x, at("point", i), 1 - SAFE, SAFE - 1)));
  return { parameters, degree, forms, point, path };
}

// L, after all hypotheses that do not concern a family.
function checkHypotheses(data, context, work) {
  const { target, over } = context;
  if (over !== "CC" || target.ring.name !== "QQ") throw fieldRefused(context);
  const { space } = target;
  if (space.factors.length !== 1) throw rejected("hypothesis", context.pointer, "the rule is about one form");
  const length = schemeLength(context);
  const d = space.formDegree;
  if (data.order > d - length) throw rejected("hypothesis", context.witness("order"), `the order is at most ${d - length}`);
  const n = space.variables;
  if (length === 1) {
    if (data.macaulay !== null) throw rejected("hypothesis", context.witness("macaulay"), "tied units need no Macaulay degree");
    if (exactRank(derivativeRows(outputsOf(target), n, 1, work), work) !== n) {
      throw rejected("hypothesis", context.pointer, "the form is not concise");
    }
    return length;
  }
  if (data.macaulay === null) throw rejected("hypothesis", context.witness(), "these units need a Macaulay degree");
  // The coefficients in x of the part of degree L in p of F(x + p).
  const equations = new Map();
  for (const [key, value] of target.entries) {
    for (const [rest, taken, multiplicity] of lettersOut(wordOf(key), length)) {
      const at = keyOf(rest);
      if (!equations.has(at)) equations.set(at, new Map());
      accumulate(equations.get(at), keyOf(taken), multiply(value, multiplicity));
    }
  }
  const forms = [...equations.values()].map((form) => [form, length]);
  checkNoCommonZero(forms, n, QQ, data.macaulay, data, context, context.witness("macaulay"), work);
  return length;
}

// The ways to take so many letters out of a word: [rest, taken, product of binomials].
function lettersOut(word, count) {
  let partial = [[[], [], 1n]];
  for (const [x, e] of exponents(word)) {
    partial = partial.flatMap(([rest, taken, times]) =>
      Array.from({ length: Math.min(e, count - taken.length) + 1 }, (_, k) => [
        [...rest, ...new Array(e - k).fill(x)],
        [...taken, ...new Array(k).fill(x)],
        times * binomial(e, k),
      ]));
  }
  return partial.filter(([, taken]) => taken.length === count);
}

// Dimension of the cone of the family, which lies where the part of degree s in x of F(x + p) vanishes.
function coneDimension(family, s, data, context, work) {
  const { space, entries } = context.target;
  const d = space.formDegree;
  const at = (name) => context.witness(...family.path, name);
  const images = new Map();
  for (const [key, value] of entries) {
    for (const [rest, taken, multiplicity] of lettersOut(wordOf(key), d - s)) {
      let product = new Map([["", multiply(value, multiplicity)]]);
      for (const x of taken) {
        const next = new Map();
        work.spend(20 * product.size * family.forms[x].size);
        for (const [u, a] of product) for (const [v, b] of family.forms[x]) accumulate(next, keyOf([...wordOf(u), ...wordOf(v)].sort((i, j) => i - j)), multiply(a, b));
        product = next;
      }
      for (const [word, c] of product) accumulate(images, `${keyOf(rest)}|${word}`, c);
    }
  }
  if (images.size) throw rejected("not-in-locus", at("family"), "the family does not satisfy the equations identically");
  const p = BigInt(data.prime);
  const ring = new Ring(`GF(${p})`, { prime: p });
  const rows = family.forms.map((form) => {
    const row = new Map();
    for (const [key, c] of form) {
      const scalar = ring.reduce(c, at("family"));
      const word = wordOf(key);
      for (const [t, e] of exponents(word)) {
        const rest = [...word];
        rest.splice(rest.indexOf(t), 1);
        const value = rest.reduce((product, k) => modulo(product * family.point[k], p), scalar * BigInt(e));
        const sum = Number(modulo(BigInt(row.get(t) ?? 0) + value, p));
        if (sum) row.set(t, sum);
        else row.delete(t);
      }
    }
    return row;
  });
  const rank = rankModulo(rows, data.prime, work);
  if (!rank) throw rejected("degenerate-point", at("point"), "the derivative of the family vanishes at the point");
  return rank;
}

function readNumbers(order, primeNode, macaulay, context) {
  requirePolynomialUnits(context);
  integer(order, context.witness("order"), 1, LIMITS.degree);
  const prime = readPrime(primeNode, undefined, context);
  if (macaulay !== undefined) integer(macaulay, context.witness("macaulay"), 1, LIMITS.degree);
  return { order, ...prime, macaulay: macaulay ?? null };
}

function rankOfCatalecticant(order, context, work) {
  const { target } = context;
  return exactRank(derivativeRows(outputsOf(target), target.space.variables, order, work), work);
}

export const landsbergTeitler = {
  read(witness, context) {
    const [order, ...rest] = keys(witness, context.witness(), ["order", ...FAMILY, "prime"], ["macaulay"]);
    const numbers = readNumbers(order, rest[4], rest[5], context);
    return { ...numbers, family: readFamily(rest.slice(0, 4), context) };
  },
  derive(data, context) {
    const work = new Work(context.witness("family"));
    const length = checkHypotheses(data, context, work);
    const dimension = coneDimension(data.family, data.order, data, context, work);
    return context.claim("rank", ">=", ceilingOf(rankOfCatalecticant(data.order, context, work) + dimension, length));
  },
};

export const landsbergTeitlerTwice = {
  read(witness, context) {
    const [order, nodes, prime, macaulay] = keys(witness, context.witness(), ["order", "families", "prime"], ["macaulay"]);
    const numbers = readNumbers(order, prime, macaulay, context);
    const families = sequence(nodes, context.witness("families"), 1, 2).map((node, i) =>
      readFamily(keys(node, context.witness("families", i), FAMILY), context, "families", i));
    return { ...numbers, families };
  },
  derive(data, context) {
    const work = new Work(context.witness("families"));
    const length = checkHypotheses(data, context, work);
    const d = context.target.space.formDegree;
    const orders = [data.order, d - data.order];
    if (data.families.length === 1 && orders[0] !== orders[1]) {
      throw rejected("hypothesis", context.witness("families"), "one family stands for both only in the middle");
    }
    const dimensions = data.families.map((family, i) => coneDimension(family, orders[i], data, context, work));
    const total = rankOfCatalecticant(data.order, context, work) + dimensions[0] + dimensions.at(-1);
    return context.claim("rank", ">=", ceilingOf(total, length));
  },
};
