// docs/rules/alder-strassen.md

import { wordOf } from "../combinatorics.mjs";
import { commonDivisor, countRealRoots, degree, derivative, trimmed } from "../fields.mjs";
import { checkEmbedding, gcdModulo, multiplyModulo, powerOfX, primitivePart, readRoot, reducePolynomial, remainderModulo } from "../integers.mjs";
import { rankModulo } from "../modular.mjs";
import { add, cost, inverse, inverseModulo, isZero, modulo, multiply, negate, readNumber, subtract } from "../numbers.mjs";
import { isPrime } from "../primes.mjs";
import { integer, keys, sequence } from "../reading.mjs";
import { LIMITS, Work, rejected, undecided, unreadable } from "../refusal.mjs";
import { finiteField } from "../targets.mjs";
import { fieldRefused } from "./over.mjs";

export const alderStrassen = {
  read(witness, context) {
    const [order, left, right, nilpotent, element, placeNode, root] =
      keys(witness, context.witness(), ["factors", "left", "right", "nilpotent"], ["element", "place", "root"]);
    const { n, ring, vector, ...units } = readUnits(order, left, right, context);
    let place = null;
    if (placeNode !== undefined) {
      if (!isPrime(integer(placeNode, context.witness("place"), 2, 10_000))) throw unreadable("not-prime", context.witness("place"), "no prime");
      place = BigInt(placeNode);
    }
    sequence(nilpotent, context.witness("nilpotent"), 0, n);
    return {
      ring, n, place, ...units,
      nilpotent: nilpotent.map((node, i) => vector(node, context.witness("nilpotent", i))),
      element: element === undefined ? null : vector(element, context.witness("element")),
      root: readRoot(root, context),
    };
  },
  derive(data, context) {
    const { n, element, place, root } = data;
    checkField(data, context);
    if (element === null && (place !== null || root !== null)) throw rejected("place", context.witness(), "a place and a root belong to an element");
    const { product, space } = associativeAlgebra(data, context);
    const ideal = new Span(space);
    data.nilpotent.forEach((v, i) => {
      if (!ideal.add(v)) throw rejected("dependent", context.witness("nilpotent", i), "the vectors of the ideal are dependent");
    });
    data.nilpotent.forEach((v, i) => {
      for (let k = 0; k < n; k += 1) {
        if (!ideal.contains(product(v, unit(n, k))) || !ideal.contains(product(unit(n, k), v))) {
          throw rejected("not-an-ideal", context.witness("nilpotent", i), "a product with this vector leaves the span");
        }
      }
    });
    checkNilpotent(data, product, space, context);
    const quotient = new Span(space);
    for (const v of data.nilpotent) quotient.add(v);
    for (let i = 0; i < n; i += 1) for (let j = 0; j < i; j += 1) quotient.add(space.difference(product.basis(i, j), product.basis(j, i)));
    let t = n - quotient.size;
    if (element !== null) t = factorsOf(data, product, ideal, quotient, t, space, context);
    return context.claim("rank", ">=", 2 * n - t);
  },
};

// An N x N x N tensor, and two units that make it an algebra.
export function readUnits(order, left, right, context) {
  const { factors } = context.target.space;
  if (factors.length !== 3 || context.units.powers.length || factors.some(([n]) => n !== factors[0][0])) {
    throw unreadable("units-do-not-fit", context.pointer, "the rule is about N x N x N tensors");
  }
  const [n] = factors[0];
  sequence(order, context.witness("factors"), 3, 3).forEach((factor, i) => {
    if (order.slice(0, i).includes(integer(factor, context.witness("factors", i), 0, 2))) {
      throw unreadable("repeated", context.witness("factors", i), `factor ${factor} stands twice`);
    }
  });
  const ring = finiteField(context.over) ?? context.target.ring;
  const vector = (node, here) => sequence(node, here, n, n).map((x, i) => readNumber(x, `${here}/${i}`, ring));
  return { n, ring, vector, order, left: vector(left, context.witness("left")), right: vector(right, context.witness("right")) };
}

// The product of the algebra, after the associative law.
export function associativeAlgebra(data, context) {
  const { n, ring } = data;
  if (n ** 5 > LIMITS.operations / 20) throw undecided("limit-operations", context.pointer, `an algebra of dimension ${n}`);
  const space = new Vectors(ring, new Work(context.pointer));
  const product = algebra(data, space, context);
  for (let i = 0; i < n; i += 1) {
    for (let j = 0; j < n; j += 1) {
      for (let k = 0; k < n; k += 1) {
        if (!space.same(product(product.basis(i, j), unit(n, k)), product(unit(n, i), product.basis(j, k)))) {
          throw rejected("not-associative", context.pointer, "the product is not associative");
        }
      }
    }
  }
  return { product, space };
}

function checkField({ element }, context) {
  const { over, target } = context;
  const finite = finiteField(over);
  if (finite !== null && ["QQ", finite.name].includes(target.ring.name)) return;
  if (element === null && over === "CC" && !target.ring.prime) return;
  const numbers = over === "QQ" || over === "RR" || (context.rings.get(over)?.field ?? null) !== null;
  if (element !== null && target.ring.name === "QQ" && numbers) return;
  throw fieldRefused(context);
}

export const unit = (n, i) => Array.from({ length: n }, (_, k) => (i === k ? 1n : 0n));

// Vectors over the ring of the computation.
class Vectors {
  constructor(ring, work) {
    Object.assign(this, { ring, work });
    this.normal = ring.prime ? (x) => modulo(x, ring.prime) : (x) => x;
    this.reciprocal = ring.prime ? (x) => inverseModulo(x, ring.prime) : inverse;
  }

  combine(v, factor, w) {
    return v.map((x, k) => {
      if (isZero(w[k])) return x;
      this.work.spend(cost(w[k]) + cost(factor));
      return this.normal(add(x, multiply(factor, w[k])));
    });
  }

  difference(v, w) {
    return v.map((x, k) => this.normal(subtract(x, w[k])));
  }

  same(v, w) {
    return v.every((x, k) => isZero(this.normal(subtract(x, w[k]))));
  }

  rank(vectors) {
    const span = new Span(this);
    for (const v of vectors) span.add(v);
    return span.size;
  }
}

// A subspace in echelon form.
class Span {
  constructor(space) {
    Object.assign(this, { space, rows: new Map() });
  }

  get size() {
    return this.rows.size;
  }

  reduce(v) {
    for (const [pivot, row] of this.rows) if (!isZero(v[pivot])) v = this.space.combine(v, this.space.normal(negate(v[pivot])), row);
    return v;
  }

  contains(v) {
    return this.reduce(v).every(isZero);
  }

  // Whether the vector was new.
  add(v) {
    const rest = this.reduce(v);
    const pivot = rest.findIndex((x) => !isZero(x));
    if (pivot < 0) return false;
    const scale = this.space.reciprocal(rest[pivot]);
    this.rows.set(pivot, rest.map((x) => this.space.normal(multiply(x, scale))));
    return true;
  }
}

// The product on Z: T(x, v) * T(u, y) = T(x, y).
function algebra({ n, order, left, right }, space, context) {
  const target = context.target.over(space.ring);
  const table = Array.from({ length: n }, () => Array.from({ length: n }, () => new Array(n).fill(0n)));
  for (const [key, value] of target.entries) {
    const word = wordOf(key);
    table[word[order[0]]][word[order[1]]][word[order[2]]] = value;
  }
  const bilinear = (x, y) => {
    let sum = new Array(n).fill(0n);
    x.forEach((a, i) => y.forEach((b, j) => {
      const c = space.normal(multiply(a, b));
      if (!isZero(c)) sum = space.combine(sum, c, table[i][j]);
    }));
    return sum;
  };
  const images = (f) => Array.from({ length: n }, (_, k) => f(unit(n, k)));
  // Columns of x -> T(x, v) and of y -> T(u, y), inverted: z -> x and z -> y.
  const invert = (columns, name) => {
    const rows = Array.from({ length: n }, (_, i) => [...columns.map((column) => column[i]), ...unit(n, i)]);
    for (let c = 0; c < n; c += 1) {
      const r = rows.findIndex((row, i) => i >= c && !isZero(row[c]));
      if (r < 0) throw rejected("singular", context.witness(name), "the map is not invertible");
      [rows[c], rows[r]] = [rows[r], rows[c]];
      const scale = space.reciprocal(rows[c][c]);
      rows[c] = rows[c].map((x) => space.normal(multiply(x, scale)));
      rows.forEach((row, i) => {
        if (i !== c && !isZero(row[c])) rows[i] = space.combine(row, space.normal(negate(row[c])), rows[c]);
      });
    }
    return rows.map((row) => row.slice(n));
  };
  const apply = (matrix, z) => matrix.map((row) => row.reduce((sum, x, k) => space.normal(add(sum, multiply(x, z[k]))), 0n));
  const toY = invert(images((y) => bilinear(left, y)), "left");
  const toX = invert(images((x) => bilinear(x, right)), "right");
  const operands = Array.from({ length: n }, (_, k) => [apply(toX, unit(n, k)), apply(toY, unit(n, k))]);
  const products = operands.map(([x]) => operands.map(([, y]) => bilinear(x, y)));
  const product = (a, b) => {
    let sum = new Array(n).fill(0n);
    a.forEach((x, i) => {
      if (!isZero(x)) b.forEach((y, j) => {
        if (!isZero(y)) sum = space.combine(sum, space.normal(multiply(x, y)), products[i][j]);
      });
    });
    return sum;
  };
  product.basis = (i, j) => products[i][j];
  product.one = bilinear(left, right);
  return product;
}

function checkNilpotent({ nilpotent }, product, space, context) {
  let power = nilpotent;
  while (power.length) {
    const next = new Span(space);
    for (const a of power) for (const b of nilpotent) next.add(product(a, b));
    if (next.size === power.length) throw rejected("not-nilpotent", context.witness("nilpotent"), "no power of the ideal is zero");
    power = [...next.rows.values()];
  }
}

// Bound for the number of factors of the polynomial of z on Q = Z / (J + [Z, Z]).
function factorsOf(data, product, ideal, quotient, t, space, context) {
  const { n, element, place, root } = data;
  const here = context.witness("element");
  for (let k = 0; k < n; k += 1) {
    if (!ideal.contains(space.difference(product(element, unit(n, k)), product(unit(n, k), element)))) {
      throw rejected("not-central", here, "the element does not commute modulo the ideal");
    }
  }
  // 1, z, ..., z^(t-1) are a basis of Q, and z^t a combination of them.
  const powers = [product.one];
  while (powers.length <= t) powers.push(product(powers.at(-1), element));
  const span = new Span(space);
  for (const v of quotient.rows.values()) span.add(v);
  if (!powers.slice(0, t).every((v) => span.add(v))) throw rejected("not-generating", here, "the powers of the element do not span the quotient");
  const f = dependence(powers.map((v) => quotient.reduce(v)), t, space);
  const { over } = context;
  if (over === "QQ" || (context.rings.get(over)?.field ?? null) !== null) {
    if (place === null) throw rejected("place", context.witness(), "over this field a place is needed");
    checkEmbedding(root, place, context);
    return factorsModulo(primitivePart(f), place, here, true);
  }
  if (place !== null || root !== null) throw rejected("place", context.witness(), "over this field there is no place");
  if (space.ring.prime) return factorsModulo(f, space.ring.prime, here, false);
  if (degree(f) > 0 && degree(commonDivisor(f, derivative(f))) > 0) throw rejected("repeated-root", here, "the polynomial has a repeated root");
  const real = degree(f) > 0 ? countRealRoots(f) : 0;
  return real + (degree(f) - real) / 2;
}

// Coefficients, ascending and monic, of the relation between the first t + 1 vectors, of which the first t are independent.
function dependence(vectors, t, space) {
  const rows = vectors.map((v, i) => [...v, ...unit(t + 1, i)]);
  const width = vectors[0].length;
  const used = [];
  for (let r = 0; r < t; r += 1) {
    const c = rows[r].findIndex((x, k) => k < width && !isZero(x));
    used.push(c);
    const scale = space.reciprocal(rows[r][c]);
    for (let i = r + 1; i <= t; i += 1) {
      if (!isZero(rows[i][c])) rows[i] = space.combine(rows[i], space.normal(negate(multiply(rows[i][c], scale))), rows[r]);
    }
  }
  return trimmed(rows[t].slice(width));
}

// Number of irreducible factors modulo a prime of a polynomial without repeated roots there: dimension of {g : g^p = g}.
function factorsModulo(f, p, pointer, degreeMayFall) {
  const g = reducePolynomial(f, p);
  const falls = degreeMayFall && degree(g) < degree(f);
  const slope = reducePolynomial(g.slice(1).map((c, i) => c * BigInt(i + 1)), p);
  if (falls || (degree(g) > 0 && degree(gcdModulo(g, slope, p)) > 0)) throw rejected("repeated-root", pointer, "a repeated root modulo the prime");
  const n = degree(g);
  if (n < 1) return 0;
  const step = powerOfX(p, g, p);
  const rows = [];
  let image = [1n];
  for (let i = 0; i < n; i += 1) {
    const row = new Map();
    for (let j = 0; j < n; j += 1) {
      const x = Number(modulo((image[j] ?? 0n) - (i === j ? 1n : 0n), p));
      if (x) row.set(j, x);
    }
    rows.push(row);
    image = remainderModulo(multiplyModulo(image, step, p), g, p);
  }
  return n - rankModulo(rows, Number(p), new Work(pointer));
}
