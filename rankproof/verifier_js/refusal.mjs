// The three ways in which the verifier says no: a stable code, a JSON pointer to the place, and a sentence.

export class Refusal extends Error {
  constructor(word, exitStatus, code, pointer, message) {
    super(message);
    Object.assign(this, { word, exitStatus, code, pointer });
  }
}

// The file is not a certificate of a version this verifier reads.
export const unreadable = (code, pointer, message) => new Refusal("UNREADABLE", 3, code, pointer, message);

// The file is a certificate, and its steps do not prove its conclusion.
export const rejected = (code, pointer, message) => new Refusal("REJECTED", 1, code, pointer, message);

// A declared limit was reached before the proof could be checked.
export const undecided = (code, pointer, message) => new Refusal("UNDECIDED", 4, code, pointer, message);

// The limits of docs/format.md.
export const LIMITS = Object.freeze({
  bytes: 64 * 2 ** 20,
  nesting: 12,
  digits: 4000,
  factors: 16,
  degree: 64,
  dimension: 4096,
  entries: 2_000_000,
  units: 200_000,
  fieldDegree: 24,
  modularFactors: 16,
  exponent: 4096,
  flatteningSide: 200_000,
  koszulSide: 2_000_000,
  operations: 1_000_000_000,
});

// Work is counted as it goes; beyond the declared limit the step is given up. An operation here handles a Map and a BigInt, and
// counts as several of the elementary ones of docs/format.md.
const ELEMENTARY = 8;

export class Work {
  constructor(pointer) {
    this.pointer = pointer;
    this.left = LIMITS.operations / ELEMENTARY;
  }

  spend(operations) {
    this.left -= operations;
    if (this.left < 0) throw undecided("limit-operations", this.pointer, "more operations than a step may use");
  }
}
