// docs/rules/binary.md: one form in two variables.

import { ceilingOf } from "../claims.mjs";
import { countWords, keyOf, range, wordOf, words } from "../combinatorics.mjs";
import { determinant } from "../determinants.mjs";
import { commonDivisor, countRealRoots, degree, derivative, trimmed } from "../fields.mjs";
import { checkEmbedding, linearPart, primitivePart, readRoot, reducePolynomial } from "../integers.mjs";
import { diagonal, exactRank } from "../linear.mjs";
import { QQ, accumulate, add, denominator, inverse, inverseModulo, isZero, multiply, negate, numerator, rational, readRational, sign, subtract } from "../numbers.mjs";
import { apply, checkNoCommonZero, outputsOf, readOperator } from "../operators.mjs";
import { plus, scaled, times } from "../parametric.mjs";
import { isPrime } from "../primes.mjs";
import { anisotropicDimension } from "../quadratic.mjs";
import { SAFE, integer, keys, sequence, show, string } from "../reading.mjs";
import { LIMITS, Work, rejected, undecided, unreadable } from "../refusal.mjs";
import { readPrime } from "./flattening.mjs";
import { fieldRefused } from "./over.mjs";

const hypothesis = (context, message, ...path) =>
  rejected("hypothesis", path.length ? context.witness(...path) : context.pointer, message);

function requireUnits(context, ...names) {
  if (!names.includes(context.units.name)) throw hypothesis(context, `this argument is about ${names.join(" and ")} units`);
}

function requireField(context, ...names) {
  if (!names.includes(context.over)) throw fieldRefused(context);
}

// The form by its coefficients: f[i] stands at x^i y^(d-i).
function coefficients(form, d) {
  const f = new Array(d + 1).fill(0n);
  for (const [key, c] of form) f[wordOf(key).filter((i) => i === 0).length] = c;
  return f;
}

// A basis of the operators of degree r that kill the form, each by its coefficients at X^i Y^(r-i).
function killing(form, d, r, work) {
  const unknowns = [...words(2, r)];
  const columns = unknowns.map((word) => apply(new Map([[keyOf(word), 1n]]), form, work));
  const equations = new Map();
  columns.forEach((image, j) => {
    for (const [key, x] of image) {
      if (!equations.has(key)) equations.set(key, new Array(unknowns.length).fill(0n));
      equations.get(key)[j] = x;
    }
  });
  return kernel([...equations.values()], unknowns.length, work).map((v) => {
    const h = new Array(r + 1).fill(0n);
    v.forEach((x, j) => (h[unknowns[j].filter((i) => i === 0).length] = x));
    return h;
  });
}

// Basis of the vectors that all rows kill.
export function kernel(rows, size, work) {
  const m = rows.map((row) => [...row]);
  const pivots = [];
  for (let c = 0; c < size; c += 1) {
    const r = pivots.length;
    const found = m.findIndex((row, i) => i >= r && !isZero(row[c]));
    if (found < 0) continue;
    [m[r], m[found]] = [m[found], m[r]];
    const scale = inverse(m[r][c]);
    m[r] = m[r].map((x) => multiply(x, scale));
    m.forEach((row, i) => {
      if (i === r || isZero(row[c])) return;
      work.spend(size);
      const factor = negate(row[c]);
      m[i] = row.map((x, k) => add(x, multiply(factor, m[r][k])));
    });
    pivots.push(c);
  }
  return range(size).filter((c) => !pivots.includes(c)).map((free) => {
    const v = new Array(size).fill(0n);
    v[free] = 1n;
    pivots.forEach((c, r) => (v[c] = negate(m[r][free])));
    return v;
  });
}

// g of least degree r_1 that kills the form, and r_2; used only if r_1 < r_2.
function leastOperator(form, d, context, work) {
  for (let r = 1; ; r += 1) {
    const basis = killing(form, d, r, work);
    if (!basis.length) continue;
    if (r >= d + 2 - r) throw hypothesis(context, "no operator of small degree kills the form");
    return { g: basis[0], r2: d + 2 - r };
  }
}

const affinePart = (g) => trimmed(g); // g(x, 1)
const multiplicityOfY = (g) => g.length - trimmed(g).length;
const hasRepeatedFactor = (g) =>
  multiplicityOfY(g) > 1 || (degree(affinePart(g)) > 0 && degree(commonDivisor(affinePart(g), derivative(affinePart(g)))) > 0);

function squarefree(f) {
  if (degree(f) < 1) return f;
  const g = commonDivisor(f, derivative(f));
  if (degree(g) < 1) return f;
  const rest = [...f];
  const quotient = [];
  while (rest.length >= g.length) {
    const c = rest.at(-1);
    quotient.unshift(c);
    const shift = rest.length - g.length;
    g.forEach((b, j) => (rest[shift + j] = subtract(rest[shift + j], multiply(c, b))));
    rest.pop();
  }
  return trimmed(quotient);
}

function isRealRooted(g) {
  const f = squarefree(affinePart(g));
  return degree(f) < 1 || countRealRoots(f) === degree(f);
}

// The largest multiplicity of a linear factor of a form.
function largestMultiplicity(g) {
  let largest = multiplicityOfY(g);
  let m = 0;
  for (let f = affinePart(g); degree(f) > 0; f = commonDivisor(f, derivative(f))) m += 1;
  largest = Math.max(largest, m);
  return largest;
}

const ARGUMENTS = {
  "repeated-factor": {
    derive(_, form, d, context, work) {
      requireField(context, "CC");
      requireUnits(context, "tied");
      const { g, r2 } = leastOperator(form, d, context, work);
      if (!hasRepeatedFactor(g)) throw hypothesis(context, "the operator of least degree has no repeated factor");
      return context.claim("rank", ">=", r2);
    },
  },
  "non-real-root": {
    derive(_, form, d, context, work) {
      requireField(context, "RR");
      requireUnits(context, "tied");
      const { g, r2 } = leastOperator(form, d, context, work);
      if (isRealRooted(g)) throw hypothesis(context, "the operator of least degree has real factors only");
      return context.claim("border_rank", ">=", r2);
    },
  },
  "not-split": {
    keys: [["prime"], ["root"]],
    read([primeNode, root], context) {
      const { prime } = readPrime(primeNode, undefined, context);
      return { prime: BigInt(prime), root: readRoot(root, context) };
    },
    derive({ prime, root }, form, d, context, work) {
      const number = (context.rings.get(context.over)?.field ?? null) !== null;
      if (context.over !== "QQ" && !number) throw fieldRefused(context);
      checkRoot(root, prime, context);
      requireUnits(context, "tied");
      const { g, r2 } = leastOperator(form, d, context, work);
      const integers = primitivePart(g);
      let f = reducePolynomial(integers, prime);
      // What is left after all linear factors have been divided out, with repetition; Y is linear too.
      for (let part = degree(f) > 0 ? linearPart(f, prime) : [1n]; degree(part) > 0; part = degree(f) > 0 ? linearPart(f, prime) : [1n]) f = quotientModulo(f, part, prime);
      if (degree(f) < 1) throw hypothesis(context, "the operator splits modulo the prime", "prime");
      return context.claim("border_rank", ">=", r2);
    },
  },
  "real-rooted": {
    derive(_, form, d, context) {
      requireField(context, "RR");
      requireUnits(context, "tied", "untied");
      const f = coefficients(form, d);
      if (!isRealRooted(f)) throw hypothesis(context, "not all roots of the target are real");
      const tied = context.units.name === "tied";
      const largest = largestMultiplicity(f);
      if (largest > (tied ? d - 1 : d - 2)) throw hypothesis(context, "a root has too large a multiplicity");
      return context.claim(largest === 1 ? "border_rank" : "rank", ">=", tied ? d : ceilingOf(d, 2));
    },
  },
  hessian: {
    keys: [["degree", "points"], []],
    read([degreeNode, nodes], context) {
      const r = integer(degreeNode, context.witness("degree"), 2, LIMITS.degree);
      const points = sequence(nodes, context.witness("points"), 1, 64).map((node, i) => {
        const here = context.witness("points", i);
        const [p, q, c] = sequence(node, here, 3, 3).map((x, k) => readRational(x, `${here}/${k}`));
        if (sign(c) <= 0) throw unreadable("out-of-range", `${here}/2`, "a weight is positive");
        return [p, q, c];
      });
      return { r, points };
    },
    derive({ r, points }, form, d, context, work) {
      requireField(context, "RR");
      requireUnits(context, "tied");
      if (r > d) throw hypothesis(context, "every operator of a larger degree kills the form", "degree");
      const basis = killing(form, d, r, work);
      const matrix = basis.map(() => new Array(basis.length).fill(0n));
      for (const [p, q, c] of points) {
        // Values at the point of the second derivatives of every basis operator.
        const seconds = basis.map((h) => {
          const at = (a, b) => h.reduce((sum, x, i) => {
            const j = r - i;
            if (i < a || j < b) return sum;
            let scale = 1n;
            for (let k = 0; k < a; k += 1) scale *= BigInt(i - k);
            for (let k = 0; k < b; k += 1) scale *= BigInt(j - k);
            return add(sum, multiply(multiply(x, scale), multiply(powerOf(p, i - a), powerOf(q, j - b))));
          }, 0n);
          return [at(2, 0), at(1, 1), at(0, 2)];
        });
        seconds.forEach(([xx, xy, yy], i) => seconds.forEach(([uu, uv, vv], j) => {
          const polar = subtract(multiply(add(multiply(xx, vv), multiply(uu, yy)), rational(1n, 2n)), multiply(xy, uv));
          matrix[i][j] = add(matrix[i][j], multiply(c, polar));
        }));
      }
      const entries = diagonal(matrix, work);
      if (entries.length < basis.length || entries.some((x) => sign(x) < 0)) {
        throw rejected("not-definite", context.witness("points"), "the sum of Hessians is not positive definite");
      }
      return context.claim("border_rank", ">=", r + 1);
    },
  },
  squares: {
    keys: [["degree", "macaulay", "prime"], []],
    read([degreeNode, macaulay, prime], context) {
      const w = integer(degreeNode, context.witness("degree"), 1, LIMITS.degree);
      return { w, macaulay: integer(macaulay, context.witness("macaulay"), 2, LIMITS.degree), ...readPrime(prime, undefined, context) };
    },
    derive(data, form, d, context, work) {
      requireField(context, "CC");
      requireUnits(context, "untied");
      if (2 * data.w > d) throw hypothesis(context, "2w is at most d", "degree");
      const forms = squareEquations(form, data.w, work).map((quadric) => [quadric, 2]);
      checkNoCommonZero(forms, data.w + 1, QQ, data.macaulay, data, context, context.witness("macaulay"), work);
      return context.claim("border_rank", ">=", data.w + 1);
    },
  },
  "distinct-squares": {
    keys: [["degree", "power"], []],
    read([degreeNode, powerNode], context) {
      const w = integer(degreeNode, context.witness("degree"), 2, LIMITS.degree);
      return { w, power: integer(powerNode, context.witness("power"), 1, LIMITS.degree) };
    },
    derive({ w, power }, form, d, context, work) {
      // The discriminant is written out as a polynomial in w + 1 unknowns.
      if (w > 5) throw undecided("limit-degree", context.witness("degree"), `a discriminant of degree ${w}; at most 5`);
      requireField(context, "CC");
      requireUnits(context, "untied");
      if (2 * w > d) throw hypothesis(context, "2w is at most d", "degree");
      const top = (2 * w - 2) * power;
      if (top > LIMITS.degree || countWords(w + 1, top) > BigInt(LIMITS.dimension)) throw undecided("limit-dimension", context.witness("power"), "too many monomials");
      let wanted = new Map([["", 1n]]);
      const discriminant = discriminantOf(range(w + 1).map((j) => new Map([[String(j), 1n]])), work);
      for (let k = 0; k < power; k += 1) wanted = times(wanted, discriminant);
      const rows = [];
      for (const quadric of squareEquations(form, w, work)) {
        for (const factor of words(w + 1, top - 2)) rows.push(times(quadric, new Map([[keyOf(factor), 1n]])));
      }
      const without = exactRank(rows.map((row) => new Map(row)), work);
      if (exactRank([...rows, wanted].map((row) => new Map(row)), work) !== without) {
        throw rejected("not-in-ideal", context.witness("power"), "the power of the discriminant is not in the ideal");
      }
      return context.claim("rank", ">=", w + 1);
    },
  },
  discriminant: {
    keys: [["degree", "operators", "constant", "square_root"], []],
    read([degreeNode, nodes, constant, root], context) {
      const w = integer(degreeNode, context.witness("degree"), 2, 5);
      const operators = sequence(nodes, context.witness("operators"), 1).map((node, i) =>
        readOperator(node, context.witness("operators", i), context.target.space.variables, w, QQ));
      return {
        w, operators,
        constant: readRational(constant, context.witness("constant")),
        root: readOperator(root, context.witness("square_root"), operators.length, w - 1, QQ),
      };
    },
    derive({ w, operators, constant, root }, form, d, context, work) {
      requireField(context, "QQ", "RR");
      requireUnits(context, "tied");
      const square = sign(constant) >= 0 && (context.over === "RR" || isSquare(constant));
      if (square) throw hypothesis(context, "the constant is a square", "constant");
      operators.forEach((g, i) => {
        if (apply(g, form, work).size) throw rejected("not-apolar", context.witness("operators", i), "the operator does not kill the form");
      });
      const all = killing(form, d, w, work).length;
      if (exactRank(operators.map((g) => new Map(g)), work) !== operators.length || operators.length !== all) {
        throw rejected("incomplete", context.witness("operators"), "the operators are not a basis of all that kill the form");
      }
      const general = range(w + 1).map((i) => {
        const sum = new Map();
        operators.forEach((g, k) => {
          for (const [key, c] of g) if (wordOf(key).filter((x) => x === 0).length === i) accumulate(sum, String(k), c);
        });
        return sum;
      });
      const difference = plus(discriminantOf(general, work), scaled(times(root, root), negate(constant)));
      if (difference.size) throw rejected("not-a-square", context.witness("square_root"), "the discriminant is not the constant times the square");
      return context.claim("rank", ">=", w + 1);
    },
  },
  anisotropic: {
    keys: [["degree", "point"], ["place", "root"]],
    read([degreeNode, pointNode, placeNode, root], context) {
      const w = integer(degreeNode, context.witness("degree"), 2, LIMITS.degree);
      const point = sequence(pointNode, context.witness("point"), 2, 2).map((x, i) => BigInt(integer(x, context.witness("point", i), 1 - SAFE, SAFE - 1)));
      if (!point[0] && !point[1]) throw unreadable("out-of-range", context.witness("point"), "the point is not zero");
      let place = null;
      if (placeNode !== undefined) {
        if (!isPrime(integer(placeNode, context.witness("place"), 2, SAFE - 1))) throw unreadable("not-prime", context.witness("place"), "no prime");
        place = BigInt(placeNode);
      }
      return { w, point, place, root: readRoot(root, context) };
    },
    derive: deriveAnisotropic,
  },
};

function checkRoot(root, place, context) {
  const field = context.rings.get(context.over)?.field ?? null;
  if ((field === null) !== (root === null)) throw rejected("root", context.witness(), "a root is given exactly for a claim over a number field");
  if (field !== null) checkEmbedding(root, place, context);
}

const powerOf = (x, k) => range(k).reduce((product) => multiply(product, x), 1n);

const isSquare = (x) => [numerator(x), denominator(x)].every((n) => {
  if (n < 0n) return false;
  let root = BigInt(Math.floor(Math.sqrt(Number(n))));
  while (root * root > n) root -= 1n;
  while ((root + 1n) * (root + 1n) <= n) root += 1n;
  return root * root === n;
});

// The exact quotient of f by g modulo p.
function quotientModulo(f, g, p) {
  const rest = [...f];
  const quotient = new Array(f.length - g.length + 1).fill(0n);
  const lead = inverseModulo(g.at(-1), p);
  for (let k = quotient.length - 1; k >= 0; k -= 1) {
    const c = (rest[k + g.length - 1] * lead) % p;
    quotient[k] = c;
    g.forEach((b, j) => (rest[k + j] = (((rest[k + j] - c * b) % p) + p) % p));
  }
  return quotient;
}

// The coefficients of h^2 applied to the form, quadratic forms in the w + 1 coefficients h_j at X^j Y^(w-j).
function squareEquations(form, w, work) {
  const monomial = (j) => [...new Array(j).fill(0), ...new Array(w - j).fill(1)];
  const equations = new Map();
  for (const i of range(w + 1)) {
    for (const j of range(w + 1)) {
      const word = [...monomial(i), ...monomial(j)].sort((a, b) => a - b);
      for (const [key, x] of apply(new Map([[keyOf(word), 1n]]), form, work)) {
        if (!equations.has(key)) equations.set(key, new Map());
        accumulate(equations.get(key), keyOf([i, j].sort((a, b) => a - b)), x);
      }
    }
  }
  return [...equations.values()].filter((quadric) => quadric.size);
}

// The discriminant of h = sum of c_i X^i Y^(w-i), c_i polynomials: the resultant of h_X and h_Y, normalised so that it is
// c_w^(2w-2) times the product of the squared differences of the roots.
function discriminantOf(c, work) {
  const w = c.length - 1;
  const resultant = (coefficients) => {
    const hx = range(w).map((i) => scaled(coefficients[i + 1], BigInt(i + 1))); // at X^i Y^(w-1-i)
    const hy = range(w).map((i) => scaled(coefficients[i], BigInt(w - i)));
    const size = 2 * (w - 1);
    const matrix = range(size).map((row) => range(size).map((column) => {
      const f = row < w - 1 ? hx : hy;
      const shift = row < w - 1 ? row : row - (w - 1);
      return f[column - shift] ?? new Map();
    }));
    return determinant(matrix, work);
  };
  // The value at prod (X - i Y), i < w, fixes the factor.
  let sample = [1n];
  for (const i of range(w)) {
    const next = new Array(sample.length + 1).fill(0n);
    sample.forEach((x, k) => {
      next[k + 1] += x;
      next[k] -= BigInt(i) * x;
    });
    sample = next;
  }
  const constant = (x) => (x ? new Map([["", x]]) : new Map());
  const value = w > 1 ? resultant(sample.map(constant)).get("") : 1n;
  let wanted = 1n;
  for (const i of range(w)) for (const j of range(i)) wanted *= BigInt(i - j) ** 2n;
  return scaled(resultant(c), rational(wanted, value));
}

// docs/rules/binary.md, section 8.
function deriveAnisotropic({ w, point, place, root }, form, d, context, work) {
  const { over, units } = context;
  const number = (context.rings.get(over)?.field ?? null) !== null;
  if (!(over === "RR" && place === null) && !((over === "QQ" || number) && place !== null)) throw fieldRefused(context);
  requireUnits(context, "tied", "untied");
  const tied = units.name === "tied";
  const m = tied ? w : 2 * w;
  if (m > d) throw hypothesis(context, "the degree is too large", "degree");
  if (place !== null) checkRoot(root, place, context);
  // Coordinates u = p_0 x + p_1 y and v; U, V dual to u, v. With v = s x + t y and det = p_0 t - p_1 s: x = (t u - p_1 v)/det, ...
  const [p0, p1] = point;
  const [s, t] = p0 ? [0n, 1n] : [1n, 0n];
  const det = p0 * t - p1 * s;
  const x = [rational(t, det), rational(-p1, det)];
  const y = [rational(-s, det), rational(p0, det)];
  const inUV = substituted(form, x, y);
  // f = sum of f_k U^(m-k) V^k kills F: one equation for every monomial of degree d - m.
  const equations = new Map();
  for (const k of range(m + 1)) {
    const operator = new Map([[keyOf([...new Array(m - k).fill(0), ...new Array(k).fill(1)]), 1n]]);
    for (const [key, value] of apply(operator, inUV, work)) {
      if (!equations.has(key)) equations.set(key, new Array(m + 1).fill(0n));
      equations.get(key)[k] = value;
    }
  }
  // Combinations of the equations in which only f_0, f_1, f_2 occur.
  const rows = [...equations.values()];
  const tails = range(m - 2).map((k) => rows.map((row) => row[k + 3]));
  const conditions = kernel(tails, rows.length, work).map((combination) => range(3).map((k) =>
    rows.reduce((sum, row, i) => add(sum, multiply(combination[i], row[k])), 0n)));
  const echelon = reducedFromTheEnd(conditions);
  const main = echelon.find((c) => !isZero(c[2]));
  const plane = echelon.find((c) => isZero(c[2]) && !isZero(c[1]));
  if (main === undefined || (tied && plane === undefined)) throw hypothesis(context, "the conditions at the point are missing", "point");
  if (echelon.some((c) => isZero(c[2]) && isZero(c[1]) && !isZero(c[0]))) return context.claim("rank", ">=", w + 1);
  // Homogeneous in r_0, r_1, ..., r_w.
  const size = w + 1;
  const q = range(size).map(() => new Array(size).fill(0n));
  const addTo = (i, j, value) => {
    const half = multiply(value, i === j ? 1n : rational(1n, 2n));
    q[i][j] = add(q[i][j], half);
    if (i !== j) q[j][i] = add(q[j][i], half);
  };
  const [c0, c1, c2] = main;
  addTo(0, 0, c0);
  for (let i = 1; i < size; i += 1) {
    addTo(0, i, multiply(c1, tied ? -1n : -2n));
    if (!tied) addTo(i, i, c2);
    for (let j = i + 1; j < size; j += 1) addTo(i, j, multiply(c2, tied ? 1n : 4n));
  }
  let basis = range(size).map((i) => range(size).map((j) => (i === j ? 1n : 0n)));
  if (plane !== undefined) {
    const form = [plane[0], ...new Array(w).fill(multiply(plane[1], tied ? -1n : -2n))];
    basis = kernel([form], size, work);
  }
  const gram = basis.map((v) => basis.map((u) => {
    let sum = 0n;
    v.forEach((a, i) => u.forEach((b, j) => (sum = add(sum, multiply(multiply(a, b), q[i][j])))));
    return sum;
  }));
  const entries = diagonal(gram, work);
  const anisotropic = place === null
    ? entries.every((e) => sign(e) > 0) || entries.every((e) => sign(e) < 0)
    : anisotropicDimension(entries, place) === entries.length;
  const radical = kernel(gram, gram.length, work).map((v) => range(size).map((k) => v.reduce((sum, a, i) => add(sum, multiply(a, basis[i][k])), 0n)));
  const equalRoots = radical.every((v) => v.slice(1).every((x) => isZero(subtract(x, v[1]))));
  if (!anisotropic || !equalRoots) throw rejected("isotropic", context.witness(), "the condition on the roots is not anisotropic");
  return context.claim("rank", ">=", w + 1);
}

// Echelon form of triples by their last coordinates first.
function reducedFromTheEnd(rows) {
  const done = [];
  let rest = rows;
  for (const k of [2, 1, 0]) {
    const pivot = rest.find((row) => !isZero(row[k]));
    if (pivot === undefined) continue;
    done.push(pivot);
    rest = rest.filter((row) => row !== pivot).map((row) => {
      const factor = negate(multiply(row[k], inverse(pivot[k])));
      return row.map((x, i) => add(x, multiply(factor, pivot[i])));
    });
  }
  return done;
}

// F with x and y replaced by linear forms in u and v.
function substituted(form, x, y) {
  const linear = (c) => new Map([["0", c[0]], ["1", c[1]]].filter(([, value]) => !isZero(value)));
  let total = new Map();
  for (const [key, value] of form) {
    let term = new Map([["", value]]);
    for (const letter of wordOf(key)) term = times(term, linear(letter === 0 ? x : y));
    total = plus(total, term);
  }
  return total;
}

export const binary = {
  read(witness, context) {
    const name = witness instanceof Map ? string(witness.get("argument"), context.witness("argument")) : "";
    if (!Object.hasOwn(ARGUMENTS, name)) throw unreadable("unknown-argument", context.witness("argument"), `${show(name)} is no argument`);
    const argument = ARGUMENTS[name];
    const [required, optional] = argument.keys ?? [[], []];
    const [, ...values] = keys(witness, context.witness(), ["argument", ...required], optional);
    return { argument, data: argument.read?.(values, context) ?? null };
  },
  derive({ argument, data }, context) {
    const { space, ring } = context.target;
    if (space.factors.length !== 1 || space.variables !== 2 || !context.units.powers.length) throw hypothesis(context, "the rule is about one form in two variables");
    if (ring.name !== "QQ") throw hypothesis(context, "the target has rational coefficients");
    const [form] = outputsOf(context.target);
    return argument.derive(data, form, space.formDegree, context, new Work(context.pointer));
  },
};
