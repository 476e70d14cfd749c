// docs/rules/kruskal.md

import { binomial, keyOf, range } from "../combinatorics.mjs";
import { inverseModulo, isZero, readNumber } from "../numbers.mjs";
import { increasing, integer, keys, sequence } from "../reading.mjs";
import { LIMITS, rejected, undecided, unreadable } from "../refusal.mjs";
import { Target } from "../targets.mjs";
import { checkSum, readSum } from "./decomposition.mjs";
import { imageModulo, readPrime } from "./flattening.mjs";
import { fieldRefused } from "./over.mjs";

// The factors of a unit as a tensor: those of a tied unit are its form, d times, and the weights of the outputs.
const modesOf = (vectors, powers) => (powers.length ? [...new Array(powers[0]).fill(vectors[0]), ...vectors.slice(1)] : vectors);

export const kruskal = {
  read(witness, context) {
    const [ring, unitNodes, nodes, prime, root] = keys(witness, context.witness(), ["ring", "units", "groups", "prime"], ["root"]);
    const { name, powers } = context.units;
    if (name !== "product" && name !== "tied") {
      throw unreadable("units-do-not-fit", `${context.pointer}/claim/units`, "the rule is about product and tied units");
    }
    const sum = readSum(ring, unitNodes, context, readNumber);
    const order = modesOf(sum.units[0], powers).length;
    const groups = sequence(nodes, context.witness("groups"), 1).map((node, i) => {
      const here = context.witness("groups", i);
      const [members, rank] = keys(node, here, ["modes", "rank"]);
      return {
        modes: increasing(members, `${here}/modes`, 0, order - 1, 1),
        rank: integer(rank, `${here}/rank`, 1, sum.units.length),
      };
    });
    const all = groups.flatMap(({ modes }) => modes).sort((a, b) => a - b);
    if (keyOf(all) !== keyOf(range(order))) throw unreadable("no-partition", context.witness("groups"), "every mode stands in exactly one group");
    return { sum, groups, ...readPrime(prime, root, context) };
  },
  derive({ sum, groups, prime, root }, context) {
    const { ring, units } = sum;
    const { powers } = context.units;
    if (context.over !== (ring.prime ? ring.name : "CC")) throw fieldRefused(context);
    if (ring.prime && Number(ring.prime) !== prime) throw rejected("prime", context.witness("prime"), `over ${ring.name} the prime is ${ring.prime}`);
    if (ring.prime && Number(ring.prime) <= context.target.space.formDegree) {
      throw rejected("hypothesis", context.pointer, `powers say nothing about tensors over ${ring.name}`);
    }
    const r = units.length;
    const lengths = modesOf(units[0], powers).map((vector) => vector.length);
    groups.forEach(({ modes, rank }, i) => {
      const cells = r * modes.reduce((size, mode) => size * lengths[mode], 1);
      if (10n * BigInt(cells) * (1n + binomial(r, rank - 1)) > BigInt(LIMITS.operations)) {
        throw undecided("limit-operations", context.witness("groups", i), "too many sets of vectors");
      }
    });
    checkSum(sum, context);
    // All coordinates go to GF(p) by one homomorphism, as the coefficients of a target do.
    const places = new Map();
    units.forEach((unit, i) => unit.forEach((vector, j) => vector.forEach((x, k) => places.set(`${i},${j},${k}`, x))));
    const images = imageModulo(new Target(null, ring, places), { prime, root }, context);
    const reduced = units.map((unit, i) => modesOf(unit.map((vector, j) => vector.map((_, k) => BigInt(images.get(`${i},${j},${k}`) ?? 0))), powers));
    const p = BigInt(prime);
    groups.forEach(({ modes, rank }, i) => {
      let rows = units.map(() => [1n]);
      for (const mode of modes) rows = rows.map((row, u) => row.flatMap((x) => reduced[u][mode].map((y) => (x * y) % p)));
      if (!allIndependent(rows, rank, p)) throw rejected("dependent", context.witness("groups", i), `some ${rank} of the vectors are dependent`);
    });
    const value = Math.min(r, groups.reduce((total, { rank }) => total + rank - 1, 0) + 2 - r);
    return context.claim("rank", ">=", value);
  },
};

// Whether any so many of the rows are independent modulo p: sets by their first row, the others modulo it.
function allIndependent(rows, count, p) {
  if (count === 1) return rows.every((row) => !row.every(isZero));
  for (let i = 0; i + count <= rows.length; i += 1) {
    const column = rows[i].findIndex((x) => !isZero(x));
    if (column < 0) return false;
    const scale = inverseModulo(rows[i][column], p);
    const rest = rows.slice(i + 1).map((row) => row.map((x, k) => (((x - row[column] * scale * rows[i][k]) % p) + p) % p));
    if (!allIndependent(rest, count - 1, p)) return false;
  }
  return true;
}
