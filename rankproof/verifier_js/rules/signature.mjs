// docs/rules/signature.md

import { ceilingOf } from "../claims.mjs";
import { binomial, countWords, exponents, keyOf, words } from "../combinatorics.mjs";
import { diagonal } from "../linear.mjs";
import { accumulate, multiply, sign } from "../numbers.mjs";
import { apply, outputsOf, readOperator, requirePolynomialUnits } from "../operators.mjs";
import { anisotropicDimension } from "../quadratic.mjs";
import { integer, keys, sequence } from "../reading.mjs";
import { LIMITS, Work, rejected, undecided, unreadable } from "../refusal.mjs";
import { fieldRefused } from "./over.mjs";
import { readPlace, requireReal } from "./quadric.mjs";

export function signatureDivisor(half, context) {
  const { name, powers } = context.units;
  if (name === "tied" || name === "untied") return 1;
  if (name !== "split") return Math.ceil((powers[1] + 1) / 2);
  if (context.target.space.formDegree !== 2 * half) {
    throw rejected("hypothesis", context.pointer, "split units are covered only when the operators have degree 0");
  }
  return Number(binomial(2 * half, half)) / 2;
}

const factorial = (e) => (e < 2n ? 1n : e * factorial(e - 1n));

// Matrix of h -> h^2 applied to a form of degree 2 half, on the monomials h of degree half.
export function squareForm(form, n, half) {
  const monomials = [...words(n, half)];
  return monomials.map((u) =>
    monomials.map((v) => {
      const word = [...u, ...v].sort((a, b) => a - b);
      let scale = 1n;
      for (const e of exponents(word).values()) scale *= factorial(BigInt(e));
      return multiply(form.get(keyOf(word)) ?? 0n, scale);
    }));
}

export const signature = {
  read(witness, context) {
    const [halfNode, nodes, place] = keys(witness, context.witness(), ["half", "operators"], ["place"]);
    requirePolynomialUnits(context);
    const { space, ring } = context.target;
    const d = space.formDegree;
    const half = integer(halfNode, context.witness("half"), 1, Math.max(Math.floor(d / 2), 1));
    if (d < 2 * half) throw unreadable("out-of-range", context.witness("half"), "the degree must be at least 2");
    sequence(nodes, context.witness("operators"), space.outputs, space.outputs);
    const operators = nodes.map((node, i) => {
      const here = context.witness("operators", i);
      return sequence(node, here).length ? readOperator(node, here, space.variables, d - 2 * half, ring) : new Map();
    });
    return { half, operators, place: readPlace(place, context) };
  },
  derive({ half, operators, place }, context) {
    const { target } = context;
    const n = target.space.variables;
    if (target.ring.prime) throw fieldRefused(context);
    const size = countWords(n, half);
    if (size > BigInt(LIMITS.dimension)) throw undecided("limit-dimension", context.witness("half"), `a form in ${size} variables`);
    if (10n * size ** 3n > BigInt(LIMITS.operations)) throw undecided("limit-operations", context.witness("half"), `${size} variables`);
    const work = new Work(context.witness("half"));
    const combined = new Map();
    outputsOf(target).forEach((form, i) => {
      for (const [key, value] of apply(operators[i], form, work)) accumulate(combined, key, value);
    });
    const entries = diagonal(squareForm(combined, n, half), work);
    if (place !== null) {
      if (context.over !== "QQ" || target.ring.name !== "QQ") throw fieldRefused(context);
      if (!["tied", "untied", "mixed:1"].includes(context.units.name)) {
        throw rejected("hypothesis", context.pointer, `at a place nothing is proved about ${context.units.name} units`);
      }
      return context.claim("border_rank", ">=", (entries.length + anisotropicDimension(entries, place)) / 2);
    }
    if (context.over !== "RR") throw fieldRefused(context);
    requireReal(target, context);
    const positive = entries.filter((x) => sign(x) > 0).length;
    const bound = ceilingOf(Math.max(positive, entries.length - positive), signatureDivisor(half, context));
    return context.claim("border_rank", ">=", bound);
  },
};
