// docs/rules/flattening.md and docs/rules/koszul.md.

import { binomial, countWords, exponents, keyOf, range, subsets, wordOf, words } from "../combinatorics.mjs";
import { Algebraic, Ring, modulo } from "../numbers.mjs";
import { isPrime } from "../primes.mjs";
import { increasing, integer, keys, sequence } from "../reading.mjs";
import { LIMITS, Work, rejected, undecided, unreadable } from "../refusal.mjs";
import { rankModulo } from "../modular.mjs";
import { ceilingOf } from "../claims.mjs";
import { ringOfLowerBound } from "./over.mjs";

export function readPrime(primeNode, rootNode, context) {
  const prime = integer(primeNode, context.witness("prime"), 2, 2 ** 31 - 1);
  if (!isPrime(prime)) throw unreadable("not-prime", context.witness("prime"), `${prime} is not a prime`);
  return { prime, root: rootNode === undefined ? null : integer(rootNode, context.witness("root"), 0, prime - 1) };
}

// The ring of the claim, and the coefficients of the target modulo the prime, as Numbers, zeros left out.
export function reducedTarget(recipe, context) {
  const ring = ringOfLowerBound(context);
  if (ring.prime && Number(ring.prime) !== recipe.prime) {
    throw rejected("prime", context.witness("prime"), `over ${ring.name} the prime is ${ring.prime}`);
  }
  return imageModulo(context.target.over(ring), recipe, context);
}

export function imageModulo(target, { prime, root }, context) {
  const { field } = target.ring;
  if ((field === null) !== (root === null)) {
    throw rejected("root", context.witness(), "a root is given exactly when the target's ring is a number field");
  }
  const p = BigInt(prime);
  const r = BigInt(root ?? 0);
  const at = (coefficients) => coefficients.reduceRight((value, c) => (value * r + c) % p, 0n);
  if (field !== null && modulo(at(field.minimalPolynomial), p)) {
    throw rejected("root", context.witness("root"), `${root} is no root of the minimal polynomial modulo ${prime}`);
  }
  const finite = new Ring(`GF(${prime})`, { prime: p });
  const entries = new Map();
  for (const [key, value] of target.entries) {
    const parts = value instanceof Algebraic ? value.c : [value];
    const image = at(parts.map((c) => finite.reduce(c, context.witness("prime"))));
    if (image) entries.set(key, Number(image));
  }
  return entries;
}

// Largest rank of the flattening on one unit.
export function divisorOf(context, order) {
  const { name, powers } = context.units;
  const d = context.target.space.formDegree;
  if (!powers.length || order === 0 || order === d || name === "tied") return 1;
  if (name === "untied") return 2;
  if (name === "split") return Number(binomial(d, order));
  return Math.min(order, d - order, powers[1]) + 1;
}

function readOrders(node, factors, pointer) {
  sequence(node, pointer, factors.length, factors.length);
  return node.map((order, i) => integer(order, `${pointer}/${i}`, 0, factors[i][1]));
}

const sideOf = (orders, factors) => orders.reduce((size, s, i) => size * countWords(factors[i][0], s), 1n);

export function checkSide(orders, context) {
  const size = sideOf(orders, context.target.space.factors);
  if (size > BigInt(LIMITS.flatteningSide)) throw undecided("limit-flattening", context.witness("orders"), `${size} rows or columns`);
  return Number(size);
}

// All [u, v, multiplicity]: u of the given orders, v the rest, the multiplicity a product of binomials.
export function splittings(pieces, orders) {
  let result = [[[], [], 1]];
  pieces.forEach((piece, i) => {
    let partial = [[[], [], 1]];
    for (const [x, e] of exponents(piece)) {
      partial = partial.flatMap(([u, v, times]) =>
        range(Math.min(e, orders[i] - u.length) + 1).map((k) => [
          [...u, ...new Array(k).fill(x)],
          [...v, ...new Array(e - k).fill(x)],
          times * Number(binomial(e, k)),
        ]));
    }
    partial = partial.filter(([u]) => u.length === orders[i]);
    result = result.flatMap(([a, b, s]) => partial.map(([u, v, t]) => [[...a, ...u], [...b, ...v], s * t]));
  });
  return result;
}

// a b modulo p for residues, exactly.
const product = (a, b, p) => Number((BigInt(a) * BigInt(b)) % BigInt(p));

// The keys of the words of a side, in lexicographic order.
export function numbered(orders, factors) {
  let list = [[]];
  factors.forEach(([n], i) => {
    const more = [...words(n, orders[i])];
    list = list.flatMap((word) => more.map((rest) => [...word, ...rest]));
  });
  return list.map(keyOf);
}

export const flattening = {
  read(witness, context) {
    const [ordersNode, prime, root, rows, columns] = keys(witness, context.witness(), ["orders", "prime"], ["root", "rows", "columns"]);
    const { factors } = context.target.space;
    const orders = readOrders(ordersNode, factors, context.witness("orders"));
    if (orders.every((s) => s === 0) || orders.every((s, i) => s === factors[i][1])) {
      throw unreadable("one-sided", context.witness("orders"), "one side of the flattening would be empty");
    }
    const recipe = { orders, rest: orders.map((s, i) => factors[i][1] - s), ...readPrime(prime, root, context), rows, columns };
    if ((rows === undefined) !== (columns === undefined)) {
      throw unreadable("missing-key", context.witness(), "rows and columns come together");
    }
    if (rows !== undefined) {
      increasing(rows, context.witness("rows"), 0, checkSide(recipe.orders, context) - 1, 1);
      increasing(columns, context.witness("columns"), 0, checkSide(recipe.rest, context) - 1, 1);
    }
    return recipe;
  },
  derive(recipe, context) {
    const { space } = context.target;
    const { orders, rest, prime } = recipe;
    const entries = reducedTarget(recipe, context);
    checkSide(orders, context);
    checkSide(rest, context);
    const keep = (numbers, side) => {
      if (numbers === undefined) return null;
      const list = numbered(side, space.factors);
      return new Set(numbers.map((i) => list[i]));
    };
    const [keptRows, keptColumns] = [keep(recipe.rows, orders), keep(recipe.columns, rest)];
    const work = new Work(context.witness("orders"));
    const rows = new Map();
    for (const [key, value] of entries) {
      const found = splittings(space.split(wordOf(key)), orders);
      work.spend(found.length);
      for (const [u, v, multiplicity] of found) {
        const [row, column] = [keyOf(u), keyOf(v)];
        if ((keptRows && !keptRows.has(row)) || (keptColumns && !keptColumns.has(column))) continue;
        const entry = product(value, multiplicity, prime);
        if (!entry) continue;
        if (!rows.has(row)) rows.set(row, new Map());
        rows.get(row).set(column, entry);
      }
    }
    const rank = rankModulo([...rows.values()], prime, work);
    return context.claim("border_rank", ">=", ceilingOf(rank, divisorOf(context, orders[0])));
  },
};
