// Claims, and the closed table of what follows from what. docs/format.md, section What follows from what.

import { sign, subtract } from "./numbers.mjs";

// The quotient of two integers, rounded up; a quotient of doubles would round.
export const ceilingOf = (value, c) => (value - (value % c)) / c + (value % c ? 1 : 0);

// Widths are Numbers; floors are rationals.
export const compare = (a, b) => (typeof a === "number" ? a - b : sign(subtract(a, b)));

export const isFloor = (quantity) => quantity.startsWith("{");

const questionKey = (units, field, quantity) => `${units} ${quantity} ${field}`;

export const characteristic = (field) => (field.startsWith("GF(") ? Number(field.slice(3, -1)) : 0);

// Whether a target has a meaning over a field; `real` says of every declared number field whether a real root is declared.
export function mayAsk(target, field, real) {
  const { ring } = target;
  if (ring.prime) return field === ring.name;
  if (ring.field !== null) return field === ring.name || field === "CC" || (field === "RR" && real.get(ring.name));
  return true;
}

export class Consequences {
  constructor(target, real) {
    Object.assign(this, { target, real, bounds: { ">=": new Map(), "<=": new Map() } });
  }

  // Adds the claim of a step; of equal bounds the earliest step decides.
  add(claim, step) {
    const pending = [claim];
    while (pending.length) {
      const { units, over, quantity, relation, value } = pending.pop();
      const known = this.bounds[relation];
      const key = questionKey(units, over, quantity);
      const best = known.get(key);
      if (best !== undefined && (relation === ">=" ? compare(best.value, value) >= 0 : compare(best.value, value) <= 0)) continue;
      known.set(key, { value, step });
      pending.push(...this.next(units, over, quantity, relation, value));
    }
  }

  lower(units, field, quantity) {
    return this.bounds[">="].get(questionKey(units, field, quantity));
  }

  upper(units, field, quantity) {
    return this.bounds["<="].get(questionKey(units, field, quantity));
  }

  *next(units, over, quantity, relation, value) {
    const atLeast = relation === ">=";
    if (isFloor(quantity)) {
      const [from, to] = atLeast ? ["CC", "RR"] : ["RR", "CC"];
      if (over === from && mayAsk(this.target, to, this.real)) yield { units, over: to, quantity, relation, value };
      return;
    }
    for (const field of this.reached(over, atLeast)) yield { units, over: field, quantity, relation, value };
    if (atLeast && quantity === "border_rank") yield { units, over, quantity: "rank", relation, value };
    if (!atLeast && quantity === "rank") yield { units, over, quantity: "border_rank", relation, value };
    for (const [small, large, c] of this.inequalities(over, quantity)) {
      // small <= c large
      if (!atLeast && units === large) yield { units: small, over, quantity, relation, value: c * value };
      if (atLeast && units === small) yield { units: large, over, quantity, relation, value: ceilingOf(value, c) };
    }
  }

  reached(field, atLeast) {
    const numbers = [...this.real.keys()];
    const embedded = numbers.filter((name) => this.real.get(name));
    const isNumberField = this.real.has(field);
    let fields = [];
    if (atLeast) {
      if (field === "CC") fields = ["RR", "QQ", ...numbers];
      if (field === "RR") fields = ["QQ", ...embedded];
      if (isNumberField) fields = ["QQ"];
    } else {
      if (field === "QQ") fields = [...numbers, "RR", "CC"];
      if (field === "RR") fields = ["CC"];
      if (isNumberField) fields = embedded.includes(field) ? ["CC", "RR"] : ["CC"];
    }
    return fields.filter((name) => mayAsk(this.target, name, this.real));
  }

  // Triples [small, large, c]: small <= c large.
  inequalities(field, quantity) {
    const { space } = this.target;
    if (!space.isPolynomial) return [];
    const d = space.formDegree;
    const mixed = Array.from({ length: Math.floor(d / 2) }, (_, i) => [`mixed:${i + 1}`, i + 1]);
    const table = [["split", "untied", 1], ["untied", "tied", 1], ["split", "tied", 1]];
    for (const [name] of mixed) table.push(["split", name, 1], [name, "tied", 1]);
    if (mixed.length) table.push(["untied", "mixed:1", 1], ["mixed:1", "untied", 1]);
    const p = characteristic(field);
    if (p === 0 || p > d) {
      table.push(["tied", "split", 2 ** (d - 1)], ["tied", "untied", quantity === "rank" ? d : 2]);
      if (quantity === "border_rank") for (const [name, k] of mixed) table.push(["tied", name, k + 1]);
    }
    return table;
  }
}
