// docs/format.md, border-apolarity, "The replay": all stable subspaces of one pair of factors, leaf after leaf, against the proofs of the file.

import { compareWords, keyOf, range, subsets, wordOf } from "../combinatorics.mjs";
import { inverse, negate } from "../numbers.mjs";
import { addRow, constantPolynomial, isConstant, plus, rankEverywhere, scaled, times, withoutFactors } from "../parametric.mjs";
import { rejected, undecided } from "../refusal.mjs";

const MOST = 64; // dimensions to place, and parameters
const SPLITS = 32;
const ONE = constantPolynomial(1n);

const occurring = (f) => [...f.keys()].flatMap(wordOf);

// f with t replaced by g.
function substitute(f, t, g, work) {
  if (!occurring(f).includes(t)) return f;
  let sum = new Map();
  for (const [key, c] of f) {
    const word = wordOf(key);
    let term = new Map([[keyOf(word.filter((x) => x !== t)), c]]);
    for (const x of word) {
      if (x !== t) continue;
      work.spend(50 * term.size * g.size);
      term = times(term, g);
    }
    sum = plus(sum, term);
  }
  return sum;
}

const substituteRow = (row, t, g, work) =>
  new Map([...row].map(([cell, f]) => [cell, substitute(f, t, g, work)]).filter(([, f]) => f.size));

// The first equation with a parameter in a term c t and in no other term, and its smallest such parameter.
function linearPlace(equations) {
  for (const f of equations) {
    const letters = occurring(f);
    const found = [...f.keys()].map(wordOf)
      .filter((word) => word.length === 1 && letters.filter((x) => x === word[0]).length === 1)
      .map(([t]) => t);
    if (found.length) return [f, Math.min(...found)];
  }
  return null;
}

// A branch: rows that were chosen, equations that hold, polynomials that do not vanish. Null stands for one without a point.
function solve(branch, work) {
  let { rows, equations, nonzero } = branch;
  for (;;) {
    equations = equations.map((f) => withoutFactors(f, nonzero)).filter((f) => f.size);
    if (equations.some(isConstant) || nonzero.some((f) => !f.size)) return null;
    const place = linearPlace(equations);
    if (place === null) return { ...branch, rows, equations, nonzero };
    const [equation, t] = place;
    const rest = new Map(equation);
    rest.delete(String(t));
    const g = scaled(rest, negate(inverse(equation.get(String(t)))));
    work.spend(20 * (equations.length + rows.length));
    equations = equations.filter((f) => f !== equation).map((f) => substitute(f, t, g, work));
    rows = rows.map(({ pivot, weight, row }) => ({ pivot, weight, row: substituteRow(row, t, g, work) }));
    nonzero = nonzero.map((f) => substitute(f, t, g, work)).filter((f) => !f.size || !isConstant(f));
  }
}

export class Replay {
  constructor({ r, rho, weights, raising, dimensions }, pair, tensor, work) {
    const [p, q] = pair.factors;
    const third = 3 - p - q;
    Object.assign(this, { r, pair, work, at: 0, found: [] });
    this.sizes = [dimensions[p], dimensions[q]];
    this.operators = raising.map((operator) => [operator[p], operator[q]]);
    this.slices = this.basisOfSlices(tensor, p, q, third, dimensions[third]);
    this.weightOf = (cell) => {
      const [i, j] = wordOf(cell);
      return keyOf(weights[p][i].map((x, k) => x + weights[q][j][k]));
    };
    this.groups = this.groupsOf(rho);
  }

  refuse(code, message, at = this.at) {
    return rejected(code, `${this.pair.pointer}/leaves/${at}`, message);
  }

  // The reduced echelon basis of the span of the slices, by pivot; rows are Maps from a cell to a constant polynomial.
  basisOfSlices(tensor, p, q, third, count) {
    const slices = range(count).map(() => new Map());
    for (const [key, value] of tensor) {
      const word = wordOf(key);
      slices[word[third]].set(`${word[p]},${word[q]}`, constantPolynomial(value));
    }
    const basis = new Map();
    const clear = (row, pivot, by) => (row.has(pivot) ? addRow(row, scaled(row.get(pivot), -1n), by, this.work) : row);
    for (const slice of slices) {
      let row = slice;
      for (const [pivot, by] of basis) row = clear(row, pivot, by);
      if (!row.size) continue;
      const pivot = [...row.keys()].map(wordOf).sort(compareWords).map(keyOf)[0];
      row = addRow(new Map(), constantPolynomial(inverse(row.get(pivot).get(""))), row, this.work);
      for (const [other, old] of basis) basis.set(other, clear(old, pivot, row));
      basis.set(pivot, row);
    }
    return new Map([...basis].sort(([a], [b]) => compareWords(wordOf(a), wordOf(b))));
  }

  // The cells that are no pivots, by weight.
  groupsOf(rho) {
    const groups = new Map();
    for (let i = 0; i < this.sizes[0]; i += 1) {
      for (let j = 0; j < this.sizes[1]; j += 1) {
        const cell = `${i},${j}`;
        if (this.slices.has(cell)) continue;
        const weight = this.weightOf(cell);
        if (!groups.has(weight)) groups.set(weight, []);
        groups.get(weight).push(cell);
      }
    }
    const height = (weight) => wordOf(weight).reduce((sum, x, i) => sum + x * rho[i], 0);
    return [...groups]
      .map(([weight, cells]) => ({ weight, cells }))
      .sort((a, b) => height(b.weight) - height(a.weight) || compareWords(wordOf(a.weight), wordOf(b.weight)));
  }

  // The spaces that no proof refutes, as rows [pivot, Map from a cell to a rational].
  candidates() {
    const { leaves, pointer } = this.pair;
    const k = this.r - this.slices.size;
    if (k > MOST) throw undecided("limit-apolar", `${pointer}/leaves`, `${k} dimensions to place`);
    if (k >= 0) this.place(0, k, { rows: [], equations: [], nonzero: [], parameters: 0 });
    if (this.at < leaves.length) throw this.refuse("leaves", "there is no leaf for this proof");
    return this.found;
  }

  place(from, k, branch) {
    if (k === 0) {
      this.leaf(branch, 0);
      return;
    }
    let left = this.groups.slice(from).reduce((sum, { cells }) => sum + cells.length, 0);
    for (let w = from; w < this.groups.length && left >= k; w += 1) {
      const { weight, cells } = this.groups[w];
      for (let d = 1; d <= Math.min(cells.length, k); d += 1) {
        for (const chosen of subsets(cells.length, d)) {
          this.work.spend(100 * d * cells.length);
          const next = this.chosen(branch, weight, cells, chosen);
          if (next !== null) this.place(w + 1, k - d, next);
        }
      }
      left -= cells.length;
    }
  }

  // The branch with rows of one weight more: pivots at the chosen cells, parameters at the later ones.
  chosen(branch, weight, cells, pivots) {
    let { parameters } = branch;
    const added = pivots.map((i) => {
      const row = new Map([[cells[i], ONE]]);
      for (let j = i + 1; j < cells.length; j += 1) {
        if (pivots.includes(j)) continue;
        if (parameters >= MOST) throw undecided("limit-parameters", `${this.pair.pointer}/leaves`, "too many parameters");
        row.set(cells[j], new Map([[String(parameters), 1n]]));
        parameters += 1;
      }
      return { pivot: cells[i], weight, row };
    });
    const rows = [...branch.rows, ...added];
    const equations = [...branch.equations];
    for (const { row } of added) for (const operator of this.operators) equations.push(...this.remainder(row, operator, branch.rows));
    return solve({ ...branch, rows, equations, parameters }, this.work);
  }

  // What is left of the image of a row modulo the slices and the rows, in the order of the cells.
  remainder(row, [onFirst, onSecond], rows) {
    let image = new Map();
    for (const [cell, f] of row) {
      const [i, j] = wordOf(cell);
      const add = (place, x) => (image = addRow(image, constantPolynomial(x), new Map([[place, f]]), this.work));
      for (const [to, from, x] of onFirst) if (from === i) add(`${to},${j}`, x);
      for (const [to, from, x] of onSecond) if (from === j) add(`${i},${to}`, x);
    }
    const clear = (pivot, by) => {
      if (image.has(pivot)) image = addRow(image, scaled(image.get(pivot), -1n), by, this.work);
    };
    for (const [pivot, by] of this.slices) clear(pivot, by);
    for (const { pivot, row: by } of rows) clear(pivot, by);
    return [...image].sort(([a], [b]) => compareWords(wordOf(a), wordOf(b))).map(([, f]) => f);
  }

  // Looks at the next proof; `branch` is null where the equations contradict each other.
  leaf(branch, depth) {
    const { leaves, pointer } = this.pair;
    const proof = leaves[this.at];
    if (proof === undefined) throw rejected("leaves", `${pointer}/leaves`, "there are more leaves than proofs");
    if ((branch === null) !== (proof === "empty")) {
      throw this.refuse("empty", branch === null ? "the equations of this leaf contradict each other" : "the leaf is not seen to be empty");
    }
    if (typeof proof === "object") {
      this.split(branch, proof.split, depth);
      return;
    }
    if (proof === "candidate") {
      if (branch.rows.some(({ row }) => [...row.values()].some((f) => !isConstant(f)))) throw this.refuse("parameters", "a candidate has no parameters");
      const plain = ([pivot, row]) => [pivot, new Map([...row].map(([cell, f]) => [cell, f.get("")]))];
      this.found.push([...[...this.slices].map(plain), ...branch.rows.map(({ pivot, row }) => plain([pivot, row]))]);
    }
    if (proof === "210" || proof === "120") {
      const on = proof === "210" ? 0 : 1;
      if (!(this.rank(branch, on) > this.r * (this.sizes[on] - 1))) throw this.refuse("rank", "the rank does not refute this leaf");
    }
    this.at += 1;
  }

  split(branch, f, depth) {
    if (depth >= SPLITS) throw undecided("limit-splits", `${this.pair.pointer}/leaves/${this.at}`, "too many nested splits");
    const present = new Set([...branch.rows.flatMap(({ row }) => [...row.values()]), ...branch.equations].flatMap(occurring));
    const used = occurring(f);
    if (!used.length || used.some((t) => !present.has(t))) throw this.refuse("split", "a split is in parameters of its leaf, and not constant");
    this.at += 1;
    this.leaf(solve({ ...branch, equations: [...branch.equations, f] }, this.work), depth + 1);
    this.leaf(solve({ ...branch, nonzero: [...branch.nonzero, f] }, this.work), depth + 1);
  }

  // Rank of E (x) P -> exterior square of P (x) Q, or the same with the roles exchanged, at every point of the branch.
  rank(branch, on) {
    const rows = [];
    for (const row of [...this.slices.values(), ...branch.rows.map(({ row }) => row)]) {
      for (let k = 0; k < this.sizes[on]; k += 1) {
        const image = new Map();
        for (const [cell, f] of row) {
          const word = wordOf(cell);
          const [x, other] = [word[on], word[1 - on]];
          if (x < k) image.set(keyOf([x, k, other]), f);
          if (x > k) image.set(keyOf([k, x, other]), scaled(f, -1n));
        }
        this.work.spend(20 * image.size);
        rows.push(image);
      }
    }
    return rankEverywhere(rows, branch.nonzero, this.work);
  }
}
