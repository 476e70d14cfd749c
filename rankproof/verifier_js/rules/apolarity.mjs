// Rules about the operators that kill a target: docs/rules/locus.md, apolar-length.md, t-bound.md, definite-apolar.md.

import { ceilingOf } from "../claims.mjs";
import { countWords, keyOf, wordOf } from "../combinatorics.mjs";
import { exactRank } from "../linear.mjs";
import { accumulate, multiply, QQ, readRational, sign } from "../numbers.mjs";
import { apply, checkNoCommonZero, derivativeRows, dimensionOfApolarAlgebra, outputsOf, readOperator, requirePolynomialUnits, schemeLength } from "../operators.mjs";
import { integer, keys, sequence } from "../reading.mjs";
import { LIMITS, Work, rejected, undecided, unreadable } from "../refusal.mjs";
import { readPrime } from "./flattening.mjs";
import { fieldRefused, ringOfLowerBound } from "./over.mjs";

export const locus = {
  read(witness, context) {
    const [addedNode, degree, prime, root] = keys(witness, context.witness(), ["added", "degree", "prime"], ["root"]);
    requirePolynomialUnits(context);
    const { space, ring } = context.target;
    const n = space.variables;
    const added = sequence(addedNode, context.witness("added"), 0, n).map((node, i) =>
      readOperator(node, context.witness("added", i), n, 1, ring));
    return { added, degree: integer(degree, context.witness("degree"), 1, LIMITS.degree), ...readPrime(prime, root, context) };
  },
  derive(section, context) {
    const ring = ringOfLowerBound(context);
    if (ring.prime && Number(ring.prime) !== section.prime) {
      throw rejected("prime", context.witness("prime"), `over ${ring.name} the prime is ${ring.prime}`);
    }
    const target = context.target.over(ring);
    const { variables: n, formDegree: d } = target.space;
    const k = { tied: 0, split: -1 }[context.units.name] ?? context.units.powers[1];
    const order = k < 0 ? 0 : d - k - 1;
    if (order < 0) throw rejected("hypothesis", context.pointer, "the degree is too small");
    const work = new Work(context.pointer);
    // The rows of the outputs one by one: every partial derivative of every output is a form.
    const partials = outputsOf(target).flatMap((form) => derivativeRows([form], n, order, work));
    const forms = partials.map((row) => [new Map([...row].map(([key, x]) => [key.slice(2), ring.reduce(x)]).filter(([, x]) => x !== 0n)), d - order]);
    forms.push(...section.added.map((form) => [new Map([...form].map(([key, x]) => [key, ring.reduce(x)])), 1]));
    checkNoCommonZero(forms, n, ring, section.degree, section, context, context.witness("degree"), work);
    return context.claim("border_rank", ">=", n - section.added.length);
  },
};

function requireComplex(context) {
  if (context.over !== "CC" || context.target.ring.prime) throw fieldRefused(context);
}

export const apolarLength = {
  read(witness, context) {
    const [degreeNode, nodes, macaulay, prime, root] =
      keys(witness, context.witness(), ["degree", "operators", "macaulay", "prime"], ["root"]);
    requirePolynomialUnits(context);
    const degree = integer(degreeNode, context.witness("degree"), 1, LIMITS.degree);
    const bound = integer(macaulay, context.witness("macaulay"), degree, LIMITS.degree);
    const { space, ring } = context.target;
    const operators = sequence(nodes, context.witness("operators"), 1).map((node, i) =>
      readOperator(node, context.witness("operators", i), space.variables, degree, ring));
    return { degree, operators, macaulay: bound, ...readPrime(prime, root, context) };
  },
  derive(data, context) {
    requireComplex(context);
    const { target } = context;
    const length = schemeLength(context);
    const forms = outputsOf(target);
    const n = target.space.variables;
    const work = new Work(context.pointer);
    data.operators.forEach((g, i) => {
      if (forms.some((form) => apply(g, form, work).size)) {
        throw rejected("not-apolar", context.witness("operators", i), "the operator does not kill the target");
      }
    });
    checkNoCommonZero(data.operators.map((g) => [g, data.degree]), n, target.ring, data.macaulay, data, context, context.witness("macaulay"), work);
    const dimension = dimensionOfApolarAlgebra(forms, n, target.space.formDegree, work);
    return context.claim("rank", ">=", ceilingOf(dimension, data.degree * length));
  },
};

export const tBound = {
  read(witness, context) {
    const [degreeNode, form] = keys(witness, context.witness(), ["degree", "form"]);
    requirePolynomialUnits(context);
    const degree = integer(degreeNode, context.witness("degree"), 1, LIMITS.degree);
    return { degree, t: readOperator(form, context.witness("form"), context.target.space.variables, degree, context.target.ring) };
  },
  derive({ degree: e, t }, context) {
    requireComplex(context);
    const { variables: n, formDegree } = context.target.space;
    const length = schemeLength(context);
    const work = new Work(context.pointer);
    let forms = outputsOf(context.target);
    let degree = formDegree;
    const differentiate = () => {
      forms = forms.map((form) => apply(t, form, work));
      degree -= e;
    };
    for (let j = 0; j < length; j += 1) differentiate();
    const larger = dimensionOfApolarAlgebra(forms, n, degree, work);
    differentiate();
    const smaller = dimensionOfApolarAlgebra(forms, n, degree, work);
    return context.claim("rank", ">=", ceilingOf(larger - smaller, e * length));
  },
};

export const definiteApolar = {
  read(witness, context) {
    const [halfNode, nodes] = keys(witness, context.witness(), ["half", "squares"]);
    requirePolynomialUnits(context);
    const half = integer(halfNode, context.witness("half"), 1, LIMITS.degree);
    const squares = sequence(nodes, context.witness("squares"), 1).map((node, i) => {
      const here = context.witness("squares", i);
      const [c, q] = sequence(node, here, 2, 2);
      const weight = readRational(c, `${here}/0`);
      if (sign(weight) <= 0) throw unreadable("out-of-range", `${here}/0`, "a weight is positive");
      return [weight, readOperator(q, `${here}/1`, context.target.space.variables, half, QQ)];
    });
    return { half, squares };
  },
  derive({ half, squares }, context) {
    const { target } = context;
    if (context.over !== "RR" || target.ring.name !== "QQ") throw fieldRefused(context);
    const length = schemeLength(context);
    const n = target.space.variables;
    const work = new Work(context.pointer);
    if (countWords(n, half) > BigInt(LIMITS.dimension)) throw undecided("limit-dimension", context.witness("half"), "too many operators");
    if (BigInt(exactRank(squares.map(([, q]) => new Map(q)), work)) !== countWords(n, half)) {
      throw rejected("not-definite", context.witness("squares"), "the squared operators do not span all of their degree");
    }
    const g = new Map();
    for (const [c, q] of squares) {
      for (const [u, x] of q) {
        for (const [v, y] of q) {
          work.spend(1);
          accumulate(g, keyOf([...wordOf(u), ...wordOf(v)].sort((a, b) => a - b)), multiply(c, multiply(x, y)));
        }
      }
    }
    const forms = outputsOf(target);
    if (forms.some((form) => apply(g, form, work).size)) {
      throw rejected("not-apolar", context.witness("squares"), "the sum of squares does not kill the target");
    }
    const dimension = dimensionOfApolarAlgebra(forms, n, target.space.formDegree, work);
    return context.claim("rank", ">=", ceilingOf(dimension, 2 * half * length));
  },
};
