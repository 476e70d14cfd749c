// What one unit is, and the coefficients of a sum of units. docs/format.md, section Units.

import { keyOf, wordOf } from "./combinatorics.mjs";
import { accumulate, cost, isZero, multiply } from "./numbers.mjs";
import { show } from "./reading.mjs";
import { unreadable } from "./refusal.mjs";

export class Units {
  constructor(name, powers) {
    this.name = name;
    this.powers = powers; // exponents of the linear forms; empty for product units
  }

  // Length of every vector of a unit.
  lengths(space) {
    if (!this.powers.length) return space.factors.map(([dimension]) => dimension);
    return [...this.powers.map(() => space.variables), space.outputs];
  }

  // Coefficients of the sum of units, by word, zeros left out.
  sum(units, space, work) {
    const total = new Map();
    for (const vectors of units) {
      const terms = this.powers.length ? this.form(vectors, space, work) : productOf(vectors, work);
      for (const [key, value] of terms) accumulate(total, key, value);
      work.spend(terms.size);
    }
    return total;
  }

  form(vectors, space, work) {
    let terms = new Map([["", 1n]]);
    this.powers.forEach((power, i) => {
      const support = supportOf(vectors[i]);
      for (let k = 0; k < power; k += 1) {
        const next = new Map();
        const costs = support.map(([, x]) => cost(x)).reduce((sum, c) => sum + c, 0);
        for (const [key, value] of terms) {
          work.spend(cost(value) * costs);
          const word = wordOf(key);
          for (const [variable, x] of support) {
            const place = word.findIndex((letter) => letter > variable);
            const longer = place < 0 ? [...word, variable] : [...word.slice(0, place), variable, ...word.slice(place)];
            accumulate(next, keyOf(longer), multiply(value, x));
          }
        }
        terms = next;
      }
    });
    const weighted = new Map();
    for (const [output, w] of supportOf(vectors.at(-1))) {
      for (const [key, value] of terms) weighted.set(space.factors.length === 2 ? `${key},${output}` : key, multiply(value, w));
    }
    return weighted;
  }
}

const supportOf = (vector) => vector.map((x, i) => [i, x]).filter(([, x]) => !isZero(x));

function productOf(vectors, work) {
  let terms = new Map([["", 1n]]);
  for (const vector of vectors) {
    const support = supportOf(vector);
    const next = new Map();
    const costs = support.map(([, x]) => cost(x)).reduce((sum, c) => sum + c, 0);
    for (const [key, value] of terms) {
      work.spend(cost(value) * costs);
      for (const [i, x] of support) next.set(key === "" ? String(i) : `${key},${i}`, multiply(value, x));
    }
    terms = next;
  }
  return terms;
}

export function readUnits(name, pointer, space) {
  const mixed = /^mixed:([1-9][0-9]{0,2})$/.exec(name);
  if (!["tied", "untied", "split", "product"].includes(name) && mixed === null) {
    throw unreadable("unknown-units", pointer, `no units are named ${show(name)}`);
  }
  if (name === "product") {
    if (!space.isTensor) throw unreadable("units-do-not-fit", pointer, "product units need a tensor: every power is 1");
    return new Units(name, []);
  }
  if (!space.isPolynomial) throw unreadable("units-do-not-fit", pointer, `${name} units need a form or a polynomial map`);
  const d = space.formDegree;
  if (mixed !== null) {
    const k = Number(mixed[1]);
    if (2 * k > d) throw unreadable("units-do-not-fit", pointer, `mixed:${k} needs degree at least ${2 * k}; it is ${d}`);
    return new Units(name, [d - k, k]);
  }
  return new Units(name, { tied: [d], untied: [d - 1, 1], split: new Array(d).fill(1) }[name]);
}

