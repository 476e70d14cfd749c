// The named targets of docs/targets.md: for each its number of parameters, their least value, and its expansion into the factors of
// the space and [word, coefficient] pairs; a word may come more than once.

import { permutations, range, subsets } from "./combinatorics.mjs";

const cube = (n) => [[n, 1], [n, 1], [n, 1]];

function leibniz(n, signed) {
  return [...permutations(n)].map((columns) => {
    const inversions = columns.reduce((sum, c, i) => sum + columns.slice(i + 1).filter((d) => d < c).length, 0);
    return [columns, signed && inversions % 2 ? -1 : 1];
  });
}

const ofMatrix = (pairs, n) => pairs.map(([columns, sign]) => [columns.map((j, i) => i * n + j), sign]);
const smallCoppersmithWinograd = (q) =>
  range(q).flatMap((k) => [[[0, k + 1, k + 1], 1], [[k + 1, 0, k + 1], 1], [[k + 1, k + 1, 0], 1]]);

function quaternions() {
  const pairs = [[[0, 0, 0], 1]];
  for (const u of [1, 2, 3]) pairs.push([[0, u, u], 1], [[u, 0, u], 1], [[u, u, 0], -1]);
  for (const [a, b, c] of [[1, 2, 3], [2, 3, 1], [3, 1, 2]]) pairs.push([[a, b, c], 1], [[b, a, c], -1]);
  return pairs;
}

function skewCoppersmithWinograd(q) {
  const half = q / 2;
  return range(q).flatMap((k) => {
    const i = k + 1;
    const [partner, sign] = i <= half ? [i + half, 1] : [i - half, -1];
    return [[[0, i, i], 1], [[i, 0, i], 1], [[i, partner, 0], sign]];
  });
}

function upperTriangular(n) {
  const place = (i, j) => i * n - (i * (i - 1)) / 2 + j - i;
  const pairs = [];
  for (let i = 0; i < n; i += 1)
    for (let j = i; j < n; j += 1) for (let k = j; k < n; k += 1) pairs.push([[place(i, j), place(j, k), place(i, k)], 1]);
  return pairs;
}

const entry = (least, most, lowest, factors, pairs) => ({ least, most, lowest, factors, pairs });

export const NAMED = new Map(Object.entries({
  matmul: entry(3, 3, 1, (n, m, p) => [[n * m, 1], [m * p, 1], [n * p, 1]], (n, m, p) =>
    range(n).flatMap((i) => range(m).flatMap((j) => range(p).map((k) => [[i * m + j, j * p + k, i * p + k], 1])))),
  det: entry(1, 1, 1, (n) => [[n * n, n]], (n) => ofMatrix(leibniz(n, true), n)),
  perm: entry(1, 1, 1, (n) => [[n * n, n]], (n) => ofMatrix(leibniz(n, false), n)),
  det_tensor: entry(1, 1, 2, (n) => range(n).map(() => [n, 1]), (n) => leibniz(n, true)),
  perm_tensor: entry(1, 1, 2, (n) => range(n).map(() => [n, 1]), (n) => leibniz(n, false)),
  monomial: entry(1, 64, 1, (...e) => [[e.length, e.reduce((a, b) => a + b, 0)]], (...e) =>
    [[e.flatMap((count, i) => new Array(count).fill(i)), 1]]),
  elementary: entry(2, 2, 1, (d, n) => [[n, d]], (d, n) => [...subsets(n, d)].map((word) => [word, 1])),
  power_sum: entry(2, 2, 1, (d, n) => [[n, d]], (d, n) => range(n).map((i) => [new Array(d).fill(i), 1])),
  W: entry(1, 1, 2, (k) => range(k).map(() => [2, 1]), (k) => range(k).map((i) => [range(k).map((j) => (i === j ? 1 : 0)), 1])),
  GHZ: entry(1, 1, 2, (k) => range(k).map(() => [2, 1]), (k) => range(2).map((i) => [new Array(k).fill(i), 1])),
  unit: entry(1, 2, 1, (r, k = 3) => range(k).map(() => [r, 1]), (r, k = 3) => range(r).map((i) => [new Array(k).fill(i), 1])),
  polymul: entry(2, 2, 1, (n, m) => [[n, 1], [m, 1], [n + m - 1, 1]], (n, m) =>
    range(n).flatMap((i) => range(m).map((j) => [[i, j, i + j], 1]))),
  complex_product: entry(0, 0, 1, () => cube(2), () => [[[0, 0, 0], 1], [[1, 1, 0], -1], [[0, 1, 1], 1], [[1, 0, 1], 1]]),
  quaternion_product: entry(0, 0, 1, () => cube(4), quaternions),
  coppersmith_winograd: entry(1, 1, 1, (q) => cube(q + 2), (q) =>
    [...smallCoppersmithWinograd(q), [[0, 0, q + 1], 1], [[0, q + 1, 0], 1], [[q + 1, 0, 0], 1]]),
  small_coppersmith_winograd: entry(1, 1, 1, (q) => cube(q + 1), smallCoppersmithWinograd),
  skew_coppersmith_winograd: entry(1, 1, 2, (q) => cube(q + 1), skewCoppersmithWinograd),
  dicke: entry(2, 2, 1, (k, n) => range(n).map(() => [2, 1]), (k, n) =>
    [...subsets(n, k)].map((ones) => [range(n).map((i) => (ones.includes(i) ? 1 : 0)), 1])),
  truncated_polynomials: entry(1, 1, 1, cube, (n) => range(n).flatMap((i) => range(n - i).map((j) => [[i, j, i + j], 1]))),
  cyclic_convolution: entry(1, 1, 1, cube, (n) => range(n).flatMap((i) => range(n).map((j) => [[i, j, (i + j) % n], 1]))),
  upper_triangular: entry(1, 1, 1, (n) => cube((n * (n + 1)) / 2), upperTriangular),
}));
