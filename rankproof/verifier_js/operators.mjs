// Forms and the operators that act on them. A polynomial is a Map from the key of a word to a number that is not zero; the variable
// x_i of an operator acts as the i-th partial derivative on plain coefficients.

import { binomial, compareWords, countWords, exponents, keyOf, wordOf, words } from "./combinatorics.mjs";
import { exactRank } from "./linear.mjs";
import { rankModulo } from "./modular.mjs";
import { accumulate, isZero, multiply, readNumber } from "./numbers.mjs";
import { sequence } from "./reading.mjs";
import { LIMITS, rejected, undecided, unreadable } from "./refusal.mjs";
import { imageModulo } from "./rules/flattening.mjs";
import { Target } from "./targets.mjs";

// The outputs F_1, ..., F_m of a form or map.
export function outputsOf(target) {
  const { space, entries } = target;
  if (space.factors.length === 1) return [entries];
  const forms = Array.from({ length: space.outputs }, () => new Map());
  for (const [key, value] of entries) {
    const cut = key.lastIndexOf(",");
    forms[Number(key.slice(cut + 1))].set(key.slice(0, cut), value);
  }
  return forms;
}

export function readOperator(node, pointer, n, degree, ring) {
  const found = new Map();
  let previous = null;
  sequence(node, pointer, 1).forEach((pair, i) => {
    const here = `${pointer}/${i}`;
    const [word, coefficient] = sequence(pair, here, 2, 2);
    sequence(word, `${here}/0`, degree, degree);
    word.forEach((index, k) => {
      const at = `${here}/0/${k}`;
      if (typeof index !== "number" && typeof index !== "bigint") throw unreadable("wrong-type", at, "an index is an integer");
      if (index < 0 || index >= n) throw unreadable("out-of-range", at, `${index} is no variable`);
      if (k > 0 && index < word[k - 1]) throw unreadable("unsorted", at, "indices must not decrease");
    });
    const order = previous === null ? 1 : compareWords(word, previous);
    if (order <= 0) throw unreadable(order ? "unsorted" : "repeated", `${here}/0`, "words must increase");
    previous = word;
    const value = readNumber(coefficient, `${here}/1`, ring);
    if (isZero(value)) throw unreadable("zero-entry", `${here}/1`, "zero coefficients are left out");
    found.set(keyOf(word), value);
  });
  return found;
}

// The derivative of a monomial by another: [word, factor], or null when it is zero.
function derivative(word, by) {
  const rest = [...word];
  let factor = 1n;
  for (const [x, e] of by) {
    const count = rest.filter((y) => y === x).length;
    if (count < e) return null;
    rest.splice(rest.indexOf(x), e);
    for (let k = 0; k < e; k += 1) factor *= BigInt(count - k);
  }
  return [rest, factor];
}

export function apply(operator, form, work) {
  const result = new Map();
  for (const [u, c] of operator) {
    const by = exponents(wordOf(u));
    work.spend(form.size);
    for (const [w, value] of form) {
      const found = derivative(wordOf(w), by);
      if (found !== null) accumulate(result, keyOf(found[0]), multiply(multiply(value, c), found[1]));
    }
  }
  return result;
}

// Rows of the matrix of all derivatives of one order of all forms that are not zero: for a monomial operator a Map from [output, word].
// Only the divisors of the monomials that are there are looked at.
export function derivativeRows(forms, n, order, work) {
  const rows = new Map();
  forms.forEach((form, j) => {
    for (const [w, value] of form) {
      for (const [u, rest, factor] of divisors(exponents(wordOf(w)), order, work)) {
        const key = keyOf(u);
        if (!rows.has(key)) rows.set(key, new Map());
        rows.get(key).set(`${j}:${keyOf(rest)}`, multiply(value, factor));
      }
    }
  });
  return [...rows.values()];
}

// All [divisor, quotient, factor] of a monomial, of one degree: the derivative by the divisor is the quotient times the factor.
function divisors(counts, order, work) {
  let found = [[[], [], 1n]];
  let left = [...counts.values()].reduce((sum, e) => sum + e, 0);
  for (const [x, e] of counts) {
    left -= e;
    const next = [];
    for (const [u, rest, factor] of found) {
      let scale = factor;
      for (let k = 0; k <= e; k += 1) {
        if (k > 0) scale *= BigInt(e - k + 1);
        const missing = order - u.length - k;
        if (missing < 0 || missing > left) continue;
        next.push([[...u, ...new Array(k).fill(x)], [...rest, ...new Array(e - k).fill(x)], scale]);
      }
    }
    work.spend(next.length);
    found = next;
  }
  return found;
}

// dim A: the sum over all orders of the ranks of these matrices.
export function dimensionOfApolarAlgebra(forms, n, degree, work) {
  if (forms.every((form) => !form.size)) return 0;
  let sum = 0;
  for (let order = 0; order <= degree; order += 1) {
    checkCount(n, order, work.pointer);
    sum += exactRank(derivativeRows(forms, n, order, work), work);
  }
  return sum;
}

function checkCount(n, order, pointer) {
  if (countWords(n, order) > BigInt(LIMITS.operations / 1000)) throw undecided("limit-operations", pointer, "too many operators");
}

// 1 for tied, 2 for untied, k+1 for mixed:k units: the length of the scheme of one unit. Split units have none.
export function schemeLength(context) {
  const { name, powers } = context.units;
  if (name === "tied") return 1;
  if (name === "untied") return 2;
  if (name.startsWith("mixed:")) return powers[1] + 1;
  throw rejected("hypothesis", context.pointer, `nothing is proved about ${name} units here`);
}

export function requirePolynomialUnits(context) {
  if (!context.units.powers.length) {
    throw unreadable("units-do-not-fit", `${context.pointer}/claim/units`, "the rule is about forms and maps");
  }
}

// The forms have no common zero but the origin: their multiples of one degree span all forms of that degree modulo the prime.
// `forms`: [polynomial, degree]; `recipe`: prime and root.
export function checkNoCommonZero(forms, n, ring, macaulay, recipe, context, pointer, work) {
  const size = countWords(n, macaulay);
  if (size > BigInt(LIMITS.flatteningSide)) throw undecided("limit-flattening", pointer, `${size} monomials`);
  const images = [...forms]
    .map(([form, degree]) => [imageModulo(new Target(null, ring, form), recipe, context), degree])
    .filter(([image, degree]) => degree <= macaulay && image.size);
  // The size of the matrix is counted before any of it is made.
  for (const [image, degree] of images) work.spend(20 * Number(countWords(n, macaulay - degree)) * image.size);
  const rows = [];
  for (const [image, degree] of images) {
    for (const factor of words(n, macaulay - degree)) {
      const row = new Map();
      for (const [key, value] of image) row.set(keyOf([...wordOf(key), ...factor].sort((a, b) => a - b)), value);
      rows.push(row);
    }
  }
  if (BigInt(rankModulo(rows, recipe.prime, work)) !== size) {
    throw rejected("common-zero", pointer, "the forms do not span all forms of this degree: a common zero is not excluded");
  }
}
