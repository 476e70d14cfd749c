// docs/rules/koszul.md

import { ceilingOf, characteristic } from "../claims.mjs";
import { binomial, countWords, exponents, keyOf, range, subsets, wordOf } from "../combinatorics.mjs";
import { rankModulo } from "../modular.mjs";
import { modulo } from "../numbers.mjs";
import { SAFE, integer, keys, sequence } from "../reading.mjs";
import { LIMITS, Work, rejected, undecided } from "../refusal.mjs";
import { divisorOf, readPrime, reducedTarget, splittings } from "./flattening.mjs";

function readWedge([factorNode, powerNode, projection], context, ...path) {
  const { factors } = context.target.space;
  const factor = integer(factorNode, context.witness(...path, "factor"), 0, factors.length - 1);
  const [n] = factors[factor];
  let rows = null;
  if (projection !== undefined) {
    const here = context.witness(...path, "projection");
    rows = sequence(projection, here, 1, n).map((row, i) =>
      sequence(row, `${here}/${i}`, n, n).map((x, j) => integer(x, `${here}/${i}/${j}`, 1 - SAFE, SAFE - 1)));
  }
  const dimension = rows?.length ?? n;
  return { factor, rows, dimension, power: integer(powerNode, context.witness(...path, "wedge"), 0, dimension - 1) };
}

// The rank on one unit of all wedges together, without the other letters.
const wedgeRank = (wedges) => wedges.reduce((product, w) => product * Number(binomial(w.dimension - 1, w.power)), 1);

function divisor(recipe, context) {
  const { name, powers } = context.units;
  const { wedges, orders } = recipe;
  const rank = wedgeRank(wedges);
  if (!powers.length || name === "tied") return rank;
  // A wedge in the outputs alone leaves the form to the table of the flattenings.
  if (wedges.every((w) => w.factor > 0)) return rank * divisorOf(context, orders[0]);
  if (name === "split") throw rejected("hypothesis", context.pointer, "nothing is proved about split units here");
  const p = characteristic(context.over);
  if (p && p <= context.target.space.formDegree) {
    throw rejected("hypothesis", context.pointer, "the characteristic must be 0 or larger than the degree");
  }
  return rank * (powers[1] + 1);
}

export const koszul = {
  read(witness, context) {
    const [factor, wedge, ordersNode, prime, projection, root, more] =
      keys(witness, context.witness(), ["factor", "wedge", "orders", "prime"], ["projection", "root", "more"]);
    const { factors } = context.target.space;
    const wedges = [readWedge([factor, wedge, projection], context)];
    if (more !== undefined) {
      sequence(more, context.witness("more"), 1, LIMITS.degree - 1).forEach((node, k) => {
        const [f, w, rows] = keys(node, context.witness("more", k), ["factor", "wedge"], ["projection"]);
        wedges.push(readWedge([f, w, rows], context, "more", k));
      });
    }
    const recipe = readPrime(prime, root, context);
    const left = factors.map(([, power], i) => power - wedges.filter((w) => w.factor === i).length);
    sequence(ordersNode, context.witness("orders"), factors.length, factors.length);
    const orders = ordersNode.map((s, i) => integer(s, context.witness("orders", i), 0, left[i]));
    return { wedges, orders, left, ...recipe };
  },
  derive(recipe, context) {
    const { wedges, orders, left, prime } = recipe;
    const { space } = context.target;
    const entries = reducedTarget(recipe, context);
    const k = divisor(recipe, context);
    const side = (powers, more) =>
      powers.reduce((size, s, i) => size * countWords(space.factors[i][0], s), 1n) *
      wedges.reduce((size, w) => size * binomial(w.dimension, w.power + more), 1n);
    const rest = left.map((power, i) => power - orders[i]);
    if (side(orders, 0) > BigInt(LIMITS.koszulSide) || side(rest, 1) > BigInt(LIMITS.koszulSide)) {
      throw undecided("limit-koszul", context.witness(), "the matrix is too large");
    }
    const work = new Work(context.witness());
    const steps = wedges.map((w) => stepsOf(w, prime));
    // What will be filled in is counted before it is.
    const waysOf = wedges.map((w) => Number(binomial(w.dimension - 1, w.power)) * (w.rows === null ? 1 : w.dimension));
    const fill = waysOf.reduce((product, count) => product * count, 1);
    for (const key of entries.keys()) {
      const pieces = space.split(wordOf(key));
      for (const [, rest] of lettersTaken(pieces, wedges)) work.spend(100 * fill * rest.reduce((count, piece, i) => count * waysToSplit(piece, orders[i]), 1));
    }
    const rows = new Map();
    for (const [key, value] of entries) {
      for (const [letters, pieces, coefficient] of lettersTaken(space.split(wordOf(key)), wedges)) {
        const paths = wedged(letters, steps, prime, work);
        if (!paths.length) continue;
        for (const [u, v, multiplicity] of splittings(pieces, orders)) {
          const scale = residue(value, coefficient, multiplicity, prime);
          if (!scale) continue;
          const [a, b] = [keyOf(u), keyOf(v)];
            for (const [from, to, x] of paths) addTo(rows, `${from}|${a}`, `${to}|${b}`, residue(scale, x, 1, prime), prime);
        }
      }
    }
    const rank = rankModulo([...rows.values()].filter((row) => row.size), prime, work);
    return context.claim("border_rank", ">=", ceilingOf(rank, k));
  },
};

// How many different words of this length can be taken out of a word.
function waysToSplit(piece, order) {
  let counts = [1];
  for (const e of exponents(piece).values()) {
    counts = Array.from({ length: order + 1 }, (_, k) => range(Math.min(e, k) + 1).reduce((sum, j) => sum + (counts[k - j] ?? 0), 0));
  }
  return counts[order] ?? 0;
}

const residue = (a, b, c, p) => Number((BigInt(a) * BigInt(b) * BigInt(c)) % BigInt(p));

function addTo(rows, row, column, value, p) {
  if (!rows.has(row)) rows.set(row, new Map());
  const entries = rows.get(row);
  const sum = ((entries.get(column) ?? 0) + value) % p;
  if (sum) entries.set(column, sum);
  else entries.delete(column);
}

// For a wedge: for every letter the list of [subset, larger subset, entry] that it contributes.
function stepsOf({ rows, dimension, power }, p) {
  const moves = [];
  for (const subset of subsets(dimension, power)) {
    for (const j of range(dimension)) {
      if (subset.includes(j)) continue;
      const below = subset.filter((i) => i < j).length;
      moves.push([keyOf(subset), keyOf([...subset, j].sort((a, b) => a - b)), j, below % 2 ? -1 : 1]);
    }
  }
  const byLetter = new Map();
  return (letter) => {
    if (!byLetter.has(letter)) {
      byLetter.set(letter, moves.flatMap(([from, to, j, sign]) => {
        const x = rows === null ? (j === letter ? 1 : 0) : rows[j][letter];
        const value = Number(modulo(BigInt(sign * x), BigInt(p)));
        return value ? [[from, to, value]] : [];
      }));
    }
    return byLetter.get(letter);
  };
}

// The ways to take one letter out of the factor of every wedge: the letters, what is left, the coefficient of the derivative.
function lettersTaken(pieces, wedges) {
  let ways = [[[], pieces, 1]];
  for (const { factor } of wedges) {
    ways = ways.flatMap(([letters, rest, coefficient]) =>
      [...exponents(rest[factor])].map(([x, e]) => {
        const piece = [...rest[factor]];
        piece.splice(piece.indexOf(x), 1);
        return [[...letters, x], rest.map((old, i) => (i === factor ? piece : old)), coefficient * e];
      }));
  }
  return ways;
}

// The tensor product of the wedges with the letters.
function wedged(letters, steps, p, work) {
  let paths = [["", "", 1]];
  letters.forEach((letter, t) => {
    const moves = steps[t](letter);
    work.spend(paths.length * moves.length);
    paths = paths.flatMap(([from, to, x]) => moves.map(([f, g, y]) => [`${from};${f}`, `${to};${g}`, residue(x, y, 1, p)]));
  });
  return paths;
}
