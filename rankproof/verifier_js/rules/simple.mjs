// Rules of a few lines: docs/rules/coprime-monomials.md, hessian-at-a-zero.md.

import { exponents, wordOf } from "../combinatorics.mjs";
import { rankModulo } from "../modular.mjs";
import { integer, keys, sequence } from "../reading.mjs";
import { Work, rejected, unreadable } from "../refusal.mjs";
import { readPrime, reducedTarget } from "./flattening.mjs";
import { fieldRefused } from "./over.mjs";

export const coprimeMonomials = {
  theorems: ["Carlini-Catalisano-Geramita 2012"],
  read: (witness, context) => keys(witness, context.witness(), []),
  derive(_, context) {
    const { space, ring, entries } = context.target;
    const refuse = (message) => rejected("hypothesis", context.pointer, message);
    if (context.over !== "CC" || ring.prime) throw fieldRefused(context);
    if (space.factors.length !== 1) throw refuse("the rule is about one form");
    if (space.formDegree < 2) throw refuse("the degree is at least 2");
    if (context.units.name !== "tied") throw refuse("the rule is about tied units");
    const seen = new Set();
    let sum = 0;
    for (const key of entries.keys()) {
      const counts = exponents(wordOf(key));
      for (const x of counts.keys()) {
        if (seen.has(x)) throw refuse("two monomials share a variable");
        seen.add(x);
      }
      // All exponents but the least, each plus 1.
      const [, ...rest] = [...counts.values()].sort((a, b) => a - b);
      sum += rest.reduce((product, e) => product * (e + 1), 1);
    }
    return context.claim("rank", ">=", sum);
  },
};

export const hessianAtAZero = {
  read(witness, context) {
    const [pointNode, primeNode, root] = keys(witness, context.witness(), ["point", "prime"], ["root"]);
    if (context.units.name !== "split") throw unreadable("units-do-not-fit", `${context.pointer}/claim/units`, "the rule is about split units");
    const recipe = readPrime(primeNode, root, context);
    const n = context.target.space.variables;
    const point = sequence(pointNode, context.witness("point"), n, n).map((x, i) => BigInt(integer(x, context.witness("point", i), 0, recipe.prime - 1)));
    return { ...recipe, point };
  },
  derive(recipe, context) {
    const { space } = context.target;
    if (space.factors.length !== 1) throw rejected("hypothesis", context.pointer, "the rule is about one form");
    const entries = reducedTarget(recipe, context);
    const p = BigInt(recipe.prime);
    const value = (word) => word.reduce((product, i) => (product * recipe.point[i]) % p, 1n);
    let total = 0n;
    const rows = Array.from({ length: space.variables }, () => new Map());
    for (const [key, c] of entries) {
      const word = wordOf(key);
      total = (total + BigInt(c) * value(word)) % p;
      // Each pair of places of the word is one term of a second derivative.
      word.forEach((i, a) => word.forEach((j, b) => {
        if (a === b) return;
        const rest = word.filter((_, k) => k !== a && k !== b);
        const sum = (BigInt(rows[i].get(j) ?? 0) + BigInt(c) * value(rest)) % p;
        if (sum) rows[i].set(j, Number(sum));
        else rows[i].delete(j);
      }));
    }
    if (total) throw rejected("not-a-zero", context.witness("point"), "the form does not vanish at the point");
    if (rankModulo(rows, recipe.prime, new Work(context.pointer)) < 3) {
      throw rejected("rank", context.witness("point"), "the second derivatives have rank below 3");
    }
    return context.claim("border_rank", ">=", 2);
  },
};
