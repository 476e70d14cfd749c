// docs/rules/cover.md: widths of spaces of matrices over GF(p). A node proves a bound for one space from bounds for earlier ones.

import { range, wordOf } from "../combinatorics.mjs";
import { Subspace, annihilator, combine, lines, matrixProduct, rankOf, transposed } from "../finite.mjs";
import { add, multiply, numerator, denominator, readRational, sign, subtract } from "../numbers.mjs";
import { integer, isList, keys, sequence } from "../reading.mjs";
import { SAFE } from "../reading.mjs";
import { LIMITS, Work, rejected, undecided, unreadable } from "../refusal.mjs";
import { finiteField } from "../targets.mjs";
import { checkCases } from "./cover_cases.mjs";
import { exhausted } from "./cover_exhaustion.mjs";
import { readPrime } from "./flattening.mjs";
import { fieldRefused } from "./over.mjs";

const MOST_LINES = 4096;

// A vector is the integer sum of v_i p^i.
export function readVector(node, pointer, length, p) {
  let rest = integer(node, pointer, 0, p ** length - 1);
  return range(length).map(() => {
    const digit = rest % p;
    rest = (rest - digit) / p;
    return digit;
  });
}

export function readPoint(node, pointer, k, p) {
  const point = readVector(node, pointer, k, p);
  if (point.find((x) => x) !== 1) throw unreadable("not-normal", pointer, "the first coordinate of a point that is not zero is 1");
  return point;
}

function readMap(node, pointer, [rows, columns], p) {
  const [left, right, flag] = keys(node, pointer, ["left", "right"], ["transposed"]);
  if (flag !== undefined) integer(flag, `${pointer}/transposed`, 1, 1);
  const turned = flag !== undefined;
  const matrix = (list, name, height, width) => sequence(list, `${pointer}/${name}`, height, height)
    .map((x, i) => readVector(x, `${pointer}/${name}/${i}`, width, p));
  return {
    left: matrix(left, "left", rows, turned ? columns : rows),
    right: matrix(right, "right", turned ? rows : columns, columns),
    turned,
  };
}

function readPositive(node, pointer) {
  const x = readRational(node, pointer);
  if (sign(x) <= 0) throw unreadable("out-of-range", pointer, "a weight is positive");
  return x;
}

function readTerm(node, pointer, k, p, index, maps) {
  const [vectors, j, map] = sequence(node, pointer, 1, 3);
  return {
    vectors: sequence(vectors, `${pointer}/0`, 1, k).map((x, i) => readVector(x, `${pointer}/0/${i}`, k, p)),
    node: j === undefined ? null : integer(j, `${pointer}/1`, 0, index - 1),
    map: map === undefined ? null : integer(map, `${pointer}/2`, 0, maps - 1),
    pointer,
  };
}

function readCase(node, pointer, k, p) {
  const [point, tree] = keys(node, pointer, ["point", "tree"]);
  const elements = sequence(tree, `${pointer}/tree`, 1).map((element, i) => {
    const here = `${pointer}/tree/${i}`;
    if (!isList(element)) return { point: readPoint(element, here, k, p) };
    return {
      leaf: element.map((pair, j) => {
        const [number, weight] = sequence(pair, `${here}/${j}`, 2, 2);
        return [integer(number, `${here}/${j}/0`, 0, SAFE - 1), readPositive(weight, `${here}/${j}/1`)];
      }),
    };
  });
  return { point: readPoint(point, `${pointer}/point`, k, p), elements, pointer };
}

function readNode(node, pointer, index, recipe, dimensions, maps) {
  const { prime: p, factor } = recipe;
  const has = (key) => node instanceof Map && node.has(key);
  const kind = has("products") ? "products" : has("added") ? "added" : has("cases") ? "cases" : "weights";
  const wanted = { products: ["products"], added: ["added"], cases: ["terms", "bound", "cases"], weights: ["terms", "weights"] }[kind];
  const optional = wanted[0] === "terms" ? ["symmetries"] : [];
  const [spaceNode] = keys(node, pointer, ["space", ...wanted], optional);
  const a = dimensions[factor];
  const space = sequence(spaceNode, `${pointer}/space`, 1, a).map((x, i) => readVector(x, `${pointer}/space/${i}`, a, p));
  const k = space.length;
  if ((p ** k - 1) / (p - 1) > MOST_LINES) throw undecided("limit-cover", `${pointer}/space`, "too many points");
  const read = { kind, space, pointer };
  if (kind === "added") return { ...read, added: integer(node.get("added"), `${pointer}/added`, 0, SAFE - 1) };
  if (kind === "products") {
    const [across, vectors] = keys(node.get("products"), `${pointer}/products`, ["factor", "vectors"]);
    const other = integer(across, `${pointer}/products/factor`, 0, 2);
    if (other === factor) throw unreadable("out-of-range", `${pointer}/products/factor`, "products are along another factor");
    const n = dimensions[other];
    return { ...read, across: other, vectors: sequence(vectors, `${pointer}/products/vectors`, 1).map((x, i) => readVector(x, `${pointer}/products/vectors/${i}`, n, p)) };
  }
  const terms = sequence(node.get("terms"), `${pointer}/terms`, 1).map((term, i) => readTerm(term, `${pointer}/terms/${i}`, k, p, index, maps));
  const symmetries = node.has("symmetries")
    ? sequence(node.get("symmetries"), `${pointer}/symmetries`, 1).map((x, i) => integer(x, `${pointer}/symmetries/${i}`, 0, maps - 1))
    : [];
  if (kind === "weights") {
    const weights = sequence(node.get("weights"), `${pointer}/weights`, terms.length, terms.length)
      .map((x, i) => readPositive(x, `${pointer}/weights/${i}`));
    return { ...read, terms, symmetries, weights };
  }
  const bound = integer(node.get("bound"), `${pointer}/bound`, 1, SAFE - 1);
  const cases = sequence(node.get("cases"), `${pointer}/cases`, 1).map((x, i) => readCase(x, `${pointer}/cases/${i}`, k, p));
  return { ...read, terms, symmetries, bound, cases };
}

// Proves the bounds of all nodes, one after the other.
class Prover {
  constructor(recipe, slices, work) {
    Object.assign(this, { ...recipe, p: recipe.prime, slices, work, spaces: [], bounds: [] });
  }

  bound(node) {
    const { p } = this;
    const flat = this.slices.map((slice) => slice.flat());
    const matrices = node.space.map((v) => combine(v, flat, p));
    if (rankOf(matrices, p) < matrices.length) throw rejected("dependent", `${node.pointer}/space`, "the combinations of slices are dependent");
    const basis = matrices.map((x) => this.matrix(x));
    this.spaces.push(matrices);
    if (node.kind === "added") return exhausted(basis, node.added, p, `${node.pointer}/added`, this.work);
    if (node.kind === "products") return this.products(basis, node);
    const members = this.members(basis, node);
    if (node.kind === "cases") return checkCases(node, members, p, this.work);
    return this.covered(node, members);
  }

  matrix(flat) {
    const width = this.slices[0][0].length;
    return this.slices[0].map((_, i) => flat.slice(i * width, (i + 1) * width));
  }

  image(matrix, { left, right, turned }) {
    this.work.spend(8 * matrix.length * matrix[0].length * (matrix.length + matrix[0].length));
    return matrixProduct(matrixProduct(left, turned ? transposed(matrix) : matrix, this.p), right, this.p);
  }

  // Section 4: the slices across the space, of which some combinations have rank one.
  products(basis, { across, vectors, pointer }) {
    const { p } = this;
    const rowsFactor = this.factor === 0 ? 1 : 0;
    const turned = across === rowsFactor ? basis : basis.map(transposed);
    const slices = turned[0].map((_, i) => turned.map((x) => x[i]));
    const flat = slices.map((x) => x.flat());
    const width = slices[0][0].length;
    const shaped = (x) => range(basis.length).map((i) => x.slice(i * width, (i + 1) * width));
    const chosen = vectors.map((v) => combine(v, flat, p));
    chosen.forEach((x, i) => {
      if (rankOf(shaped(x), p) !== 1) throw rejected("not-rank-one", `${pointer}/products/vectors/${i}`, "the combination has not rank one");
    });
    const space = new Subspace(p, chosen);
    if (space.dimension < chosen.length) throw rejected("dependent", `${pointer}/products/vectors`, "the combinations are dependent");
    const others = flat.filter((x) => space.add(x)).map(shaped);
    const ones = chosen.map(shaped);
    const least = (e, m) => freshRows(e, m, p);
    return chosen.length + Math.max(others.length, least(ones, others), least(ones.map(transposed), others.map(transposed)));
  }

  // Subspaces with their bounds: orbit after orbit.
  members(basis, node) {
    const { p, work } = this;
    const k = basis.length;
    const flat = basis.map((x) => x.flat());
    const coordinates = coordinatesIn(flat, p);
    const symmetries = node.symmetries.map((index) => {
      const images = basis.map((x) => coordinates(this.image(x, this.maps[index]).flat()));
      if (images.includes(null)) throw rejected("not-a-symmetry", node.pointer, `map ${index} leads out of the space`);
      if (rankOf(images, p) < k) throw rejected("not-invertible", node.pointer, `map ${index} is not invertible on the space`);
      return images;
    });
    this.symmetries = symmetries;
    node.moves = symmetries;
    return node.terms.map((term) => {
      if (rankOf(term.vectors, p) < term.vectors.length) throw rejected("dependent", `${term.pointer}/0`, "the vectors are dependent");
      const bound = this.boundOfTerm(term, term.vectors.map((v) => combine(v, flat, p)));
      const orbit = [new Subspace(p, term.vectors)];
      const seen = new Set([orbit[0].key]);
      for (const member of orbit) {
        for (const move of symmetries) {
          work.spend(8 * k ** 3);
          const image = new Subspace(p, [...member.rows.values()].map((v) => combine(v, move, p)));
          if (!seen.has(image.key)) orbit.push(image);
          seen.add(image.key);
        }
      }
      return orbit.map((member) => ({ basis: [...member.rows.values()], bound }));
    });
  }

  boundOfTerm(term, flat) {
    const { p, work } = this;
    if (term.node === null) return this.simple(flat);
    const images = term.map === null ? flat : flat.map((x) => this.image(this.matrix(x), this.maps[term.map]).flat());
    const space = new Subspace(p, images);
    work.spend(8 * flat.length * flat[0].length);
    if (!this.spaces[term.node].every((x) => space.contains(x))) {
      throw rejected("not-contained", term.pointer, `the subspace does not contain the space of node ${term.node}`);
    }
    return this.bounds[term.node];
  }

  // Section 1.
  simple(flat) {
    const { p, work } = this;
    const matrices = flat.map((x) => this.matrix(x));
    const rows = rankOf(matrices.flat(), p);
    const columns = rankOf(matrices.flatMap(transposed), p);
    let sum = 0;
    for (const line of lines(flat.length, p)) {
      work.spend(8 * flat[0].length * Math.min(matrices[0].length, matrices[0][0].length));
      sum += rankOf(this.matrix(combine(line, flat, p)), p);
    }
    return Math.max(flat.length, rows, columns, Math.ceil(sum / p ** (flat.length - 1)));
  }

  covered(node, members) {
    const { p, work } = this;
    for (const point of lines(node.space.length, p)) {
      let load = 0n;
      members.forEach((orbit, i) => {
        work.spend(4 * orbit.length * node.space.length);
        const count = orbit.filter(({ basis }) => !vanishes(point, basis, p)).length;
        load = add(load, multiply(node.weights[i], BigInt(count)));
      });
      if (sign(subtract(load, 1n)) > 0) throw rejected("load", `${node.pointer}/weights`, `the weights at the point ${point} sum to more than 1`);
    }
    const total = members
      .map((orbit, i) => multiply(node.weights[i], BigInt(orbit.length * orbit[0].bound)))
      .reduce(add, 0n);
    return Number((numerator(total) + denominator(total) - 1n) / denominator(total));
  }
}

export const vanishes = (point, basis, p) => basis.every((v) => combine(v, point.map((x) => [x]), p)[0] === 0);

// f of section 4: dim Z + dim of all rows of the others modulo Z and the rows of those of rank one.
function freshRows(ones, others, p) {
  if (!others.length) return 0;
  const killing = annihilator(ones.flatMap(transposed), ones[0].length, p);
  const z = killing.flatMap((v) => others.map((m) => combine(v, m, p)));
  const small = new Subspace(p, [...z, ...ones.flat()]);
  const before = small.dimension;
  others.flat().forEach((row) => small.add(row));
  return rankOf(z, p) + small.dimension - before;
}

// Coordinates of a vector on independent vectors, or null when it is no combination of them.
function coordinatesIn(vectors, p) {
  const k = vectors.length;
  const space = new Subspace(p, vectors.map((v, i) => [...v, ...range(k).map((j) => (i === j ? 1 : 0))]));
  const n = vectors[0].length;
  return (vector) => {
    const rest = space.reduce([...vector, ...new Array(k).fill(0)]);
    if (rest.slice(0, n).some((x) => x)) return null;
    return rest.slice(n).map((x) => (p - x) % p);
  };
}

export const cover = {
  read(witness, context) {
    const [primeNode, factorNode, nodes, mapNodes] = keys(witness, context.witness(), ["prime", "factor", "nodes"], ["maps"]);
    const { factors } = context.target.space;
    if (context.units.powers.length || factors.length !== 3) throw unreadable("units-do-not-fit", context.pointer, "the rule is about tensors with three factors");
    const { prime } = readPrime(primeNode, undefined, context);
    const dimensions = factors.map(([n]) => n);
    if (dimensions.some((n) => prime ** n >= SAFE)) throw undecided("limit-cover", context.witness("prime"), "vectors are too long");
    const factor = integer(factorNode, context.witness("factor"), 0, 2);
    const shape = dimensions.filter((_, i) => i !== factor);
    const maps = mapNodes === undefined ? [] : sequence(mapNodes, context.witness("maps"), 1).map((node, i) =>
      readMap(node, context.witness("maps", i), shape, prime));
    const recipe = { prime, factor, maps };
    return {
      ...recipe,
      nodes: sequence(nodes, context.witness("nodes"), 1).map((node, i) =>
        readNode(node, context.witness("nodes", i), i, recipe, dimensions, maps.length)),
    };
  },
  derive(recipe, context) {
    const { prime, factor } = recipe;
    const ring = finiteField(context.over);
    if (ring === null) throw fieldRefused(context);
    if (Number(ring.prime) !== prime) throw rejected("prime", context.witness("prime"), `over ${ring.name} the prime is ${ring.prime}`);
    const { space, entries } = context.target.over(ring);
    const [rows, columns] = space.factors.map(([n]) => n).filter((_, i) => i !== factor);
    if (space.factors[factor][0] * rows * columns > LIMITS.entries) throw undecided("limit-operations", context.pointer, "the slices are too large");
    const slices = range(space.factors[factor][0]).map(() => range(rows).map(() => new Array(columns).fill(0)));
    for (const [key, value] of entries) {
      const word = wordOf(key);
      const [i, j] = word.filter((_, k) => k !== factor);
      slices[word[factor]][i][j] = Number(value);
    }
    const prover = new Prover(recipe, slices, new Work(context.pointer));
    for (const node of recipe.nodes) prover.bounds.push(prover.bound(node));
    return context.claim("rank", ">=", prover.bounds.at(-1));
  },
};
