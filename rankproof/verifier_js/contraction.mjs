// Contractions of a target: a letter taken out of one factor, and the matrix of what is left.

import { exponents, keyOf, wordOf } from "./combinatorics.mjs";
import { accumulate, isZero, multiply } from "./numbers.mjs";
import { integer, sequence } from "./reading.mjs";
import { unreadable } from "./refusal.mjs";
import { splittings } from "./rules/flattening.mjs";
import { Space } from "./targets.mjs";

// The derivative of a word in one factor by a monomial there: [word, factor], or null when it is zero.
export function contractWord(pieces, factor, by) {
  const piece = [...pieces[factor]];
  let scale = 1n;
  for (const [x, e] of by) {
    const count = piece.filter((y) => y === x).length;
    if (count < e) return null;
    piece.splice(piece.indexOf(x), e);
    for (let k = 0; k < e; k += 1) scale *= BigInt(count - k);
  }
  return [pieces.flatMap((other, i) => (i === factor ? piece : other)), scale];
}

// The derivative of all entries in one factor by an operator.
export function contract(entries, space, factor, operator, work) {
  const result = new Map();
  for (const [u, c] of operator) {
    const by = exponents(wordOf(u));
    work.spend(entries.size);
    for (const [key, value] of entries) {
      const found = contractWord(space.split(wordOf(key)), factor, by);
      if (found !== null) accumulate(result, keyOf(found[0]), multiply(multiply(value, c), found[1]));
    }
  }
  return result;
}

// The space after a number of letters of a factor has been taken out.
export const spaceAfter = (space, factor, count = 1) => new Space(space.factors.map(([n, d], i) => [n, i === factor ? d - count : d]));

// Orders of the rows, not all zero and not all of the space.
export function readSides(node, space, pointer) {
  const { factors } = space;
  sequence(node, pointer, factors.length, factors.length);
  node.forEach((s, i) => integer(s, `${pointer}/${i}`, 0, factors[i][1]));
  if (node.every((s) => s === 0) || node.every((s, i) => s === factors[i][1])) {
    throw unreadable("one-sided", pointer, "one side of the flattening would be empty");
  }
  return node;
}

// The matrix of Hasse derivatives: a Map from a row to a Map from a column to a number.
export function matrixOf(entries, space, orders, work) {
  const rows = new Map();
  for (const [key, value] of entries) {
    for (const [u, v, multiplicity] of splittings(space.split(wordOf(key)), orders)) {
      work.spend(1);
      const entry = multiply(value, BigInt(multiplicity));
      if (isZero(entry)) continue;
      if (!rows.has(keyOf(u))) rows.set(keyOf(u), new Map());
      rows.get(keyOf(u)).set(keyOf(v), entry);
    }
  }
  return rows;
}
