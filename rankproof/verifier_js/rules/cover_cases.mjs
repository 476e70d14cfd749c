// docs/rules/cover.md, section 2, case trees: no integers n_u satisfy the system.

import { combine, lines } from "../finite.mjs";
import { add, multiply, sign, subtract } from "../numbers.mjs";
import { rejected } from "../refusal.mjs";

// The bound of the node, once its trees are checked.
export function checkCases(node, members, p, work) {
  const k = node.space.length;
  const points = [...lines(k, p)];
  const numbers = new Map(points.map((point, i) => [point.join(","), i]));
  const numberOf = (point) => numbers.get(normal(point, p).join(","));
  const subspaces = members.flat();
  // For every subspace the points that do not vanish on it.
  const seeing = subspaces.map(({ basis }) => {
    work.spend(4 * points.length * basis.length * k);
    return points.flatMap((point, u) => (basis.some((v) => dot(v, point, p)) ? [u] : []));
  });
  const none = new Map(); // n_u = 0: the points of earlier cases
  for (const { point, elements, pointer } of node.cases) {
    const first = numberOf(point);
    if (none.has(first)) throw rejected("cases", `${node.pointer}/cases`, `the point ${point} belongs to an earlier case`);
    const walk = new Walk({ elements, pointer, bound: node.bound, subspaces, seeing, size: points.length, numberOf, work });
    const next = walk.check(0, new Map([[first, 1]]), none);
    if (next < elements.length) throw rejected("tree", `${pointer}/tree/${next}`, "the tree is complete before its end");
    for (const u of orbitOf(first, points, node.moves, numberOf, p, work)) none.set(u, 0);
  }
  if (none.size < points.length) throw rejected("cases", `${node.pointer}/cases`, "the cases leave out a point");
  return node.bound;
}

const dot = (v, point, p) => combine(v, point.map((x) => [x]), p)[0];

// The multiple of a point whose first coordinate that is not zero is 1.
function normal(point, p) {
  const first = point.find((x) => x);
  if (first === 1) return point;
  let scale = 1;
  while (combine([scale], [[first]], p)[0] !== 1) scale += 1;
  return combine([scale], [point], p);
}

// The group permutes the points: u becomes u after a symmetry.
function orbitOf(first, points, moves, numberOf, p, work) {
  const orbit = new Set([first]);
  for (const u of orbit) {
    for (const move of moves) {
      work.spend(8 * move.length ** 2);
      orbit.add(numberOf(move.map((row) => dot(row, points[u], p))));
    }
  }
  return orbit;
}

class Walk {
  constructor(data) {
    Object.assign(this, data);
  }

  // Checks the tree that begins at an element, under n_u >= low and n_u <= high; returns where the next one begins.
  check(at, low, high) {
    const element = this.elements[at];
    if (element === undefined) throw rejected("tree", `${this.pointer}/tree`, "the tree ends before it is complete");
    if (element.leaf) {
      this.leaf(element.leaf, `${this.pointer}/tree/${at}`, low, high);
      return at + 1;
    }
    const u = this.numberOf(element.point);
    const l = low.get(u) ?? 0;
    const middle = this.check(at + 1, low, new Map(high).set(u, l));
    return this.check(middle, new Map(low).set(u, l + 1), high);
  }

  leaf(pairs, pointer, low, high) {
    const loads = new Array(this.size).fill(0n);
    let total = 0n;
    for (const [number, weight] of pairs) {
      if (number >= this.subspaces.length) throw rejected("leaf", pointer, `there is no subspace ${number}`);
      total = add(total, multiply(weight, BigInt(this.subspaces[number].bound)));
      this.work.spend(5 * this.seeing[number].length);
      for (const u of this.seeing[number]) loads[u] = add(loads[u], weight);
    }
    loads.forEach((load, u) => {
      const slack = subtract(1n, load);
      const n = sign(slack) >= 0 ? low.get(u) ?? 0 : high.get(u);
      if (n === undefined) throw rejected("load", pointer, "the weights at a point sum to more than 1");
      if (n) total = add(total, multiply(slack, BigInt(n)));
    });
    if (sign(subtract(total, BigInt(this.bound - 1))) <= 0) throw rejected("leaf", pointer, "the leaf does not exclude the system");
  }
}
