// Words, subsets and binomials. A word is an array of indices; its key is the indices joined by commas.

export function binomial(n, k) {
  if (k < 0 || k > n) return 0n;
  let result = 1n;
  for (let i = 0; i < k; i += 1) result = (result * BigInt(n - i)) / BigInt(i + 1);
  return result;
}

// Number of words of S^power(K^dimension).
export const countWords = (dimension, power) => binomial(dimension + power - 1, power);

// Words of S^power(K^dimension) in lexicographic order.
export function* words(dimension, power, least = 0) {
  if (power === 0) {
    yield [];
    return;
  }
  for (let i = least; i < dimension; i += 1) for (const rest of words(dimension, power - 1, i)) yield [i, ...rest];
}

// Subsets of 0..n-1 with k elements, in lexicographic order.
export function* subsets(n, k, least = 0) {
  if (k === 0) {
    yield [];
    return;
  }
  for (let i = least; i <= n - k; i += 1) for (const rest of subsets(n, k - 1, i + 1)) yield [i, ...rest];
}

export function* permutations(n, taken = []) {
  if (taken.length === n) {
    yield taken;
    return;
  }
  for (let i = 0; i < n; i += 1) if (!taken.includes(i)) yield* permutations(n, [...taken, i]);
}

export const keyOf = (word) => word.join(",");
export const wordOf = (key) => (key === "" ? [] : key.split(",").map(Number));

export function compareWords(u, v) {
  for (let i = 0; i < u.length && i < v.length; i += 1) if (u[i] !== v[i]) return u[i] - v[i];
  return u.length - v.length;
}

export const range = (n) => Array.from({ length: n }, (_, i) => i);

// How often every index stands in a word.
export function exponents(word) {
  const counts = new Map();
  for (const i of word) counts.set(i, (counts.get(i) ?? 0) + 1);
  return counts;
}
