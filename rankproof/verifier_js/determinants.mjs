// Determinants of matrices whose entries are polynomials: expansion by rows, subdeterminants remembered by their columns.

import { plus, scaled, times } from "./parametric.mjs";

// `matrix[i][j]`: a polynomial, an empty Map for zero; modulo p when p is not 0.
export function determinant(matrix, work, p = 0n) {
  const size = matrix.length;
  // Sparse rows first: fewer subdeterminants are met. An odd permutation of the rows changes the sign.
  const order = matrix.map((row, i) => [row.filter((f) => f.size).length, i]).sort((a, b) => a[0] - b[0] || a[1] - b[1]).map(([, i]) => i);
  let sign = 1n;
  order.forEach((i, a) => order.slice(a + 1).forEach((j) => {
    if (j < i) sign = -sign;
  }));
  // From the last row up: for every set of columns the determinant of the rows from here on.
  let known = new Map([["", new Map([["", 1n]])]]);
  for (let k = size - 1; k >= 0; k -= 1) {
    const row = matrix[order[k]];
    const next = new Map();
    for (const [key, minor] of known) {
      const columns = key === "" ? [] : key.split(",").map(Number);
      row.forEach((f, j) => {
        if (!f.size || columns.includes(j)) return;
        work.spend(100 * f.size * minor.size);
        const before = columns.filter((c) => c < j).length;
        const term = times(before % 2 ? scaled(f, p ? p - 1n : -1n) : f, minor, p);
        const larger = [...columns, j].sort((a, b) => a - b).join(",");
        next.set(larger, next.has(larger) ? plus(next.get(larger), term, p) : term);
      });
    }
    known = next;
  }
  const full = known.get(Array.from({ length: size }, (_, j) => j).join(",")) ?? new Map();
  return sign < 0n ? scaled(full, p ? p - 1n : -1n) : full;
}
