// docs/rules/cover.md, section 3: no space that is a little larger is spanned by matrices of rank one.

import { Subspace, lines, transposed } from "../finite.mjs";
import { rejected } from "../refusal.mjs";

// The rows of independent positions that determine all others, in all matrices at once.
function withoutSuperfluousColumns(matrices, p) {
  const space = new Subspace(p, matrices.flat());
  const kept = [...space.rows.keys()].sort((a, b) => a - b);
  return matrices.map((matrix) => matrix.map((row) => kept.map((j) => row[j])));
}

export function exhausted(basis, added, p, pointer, work) {
  const narrow = withoutSuperfluousColumns(basis, p);
  const matrices = withoutSuperfluousColumns(narrow.map(transposed), p).map(transposed);
  const [m, n] = [matrices[0].length, matrices[0][0].length];
  const size = matrices.length + added;
  if (size > m * n) throw rejected("no-room", pointer, `there are only ${m * n} independent matrices`);
  const space = new Subspace(p, matrices.map((x) => x.flat()));
  // All matrices of rank one up to scale, with their classes modulo the space.
  const ones = [];
  const classes = new Map();
  for (const column of lines(m, p)) {
    for (const row of lines(n, p)) {
      work.spend(10 * m * n * matrices.length);
      const one = column.flatMap((c) => row.map((x) => (c * x) % p));
      const rest = space.reduce(one);
      ones.push({ one, rest });
      const line = new Subspace(p, [rest]);
      if (line.dimension) classes.set(line.key, rest);
    }
  }
  const list = [...classes.values()];
  const tried = new Set();
  const search = (quotient, from) => {
    if (quotient.dimension === added) {
      if (tried.has(quotient.key)) return;
      tried.add(quotient.key);
      const span = new Subspace(p);
      for (const { one, rest } of ones) {
        work.spend(3 * (added + 1));
        if (quotient.contains(rest)) span.add(one);
      }
      if (span.dimension === size) throw rejected("spanned", pointer, "a space of this dimension is spanned by matrices of rank one");
      return;
    }
    for (let i = from; i < list.length; i += 1) {
      work.spend(5 * m * n);
      const larger = quotient.copy();
      if (larger.add(list[i])) search(larger, i + 1);
    }
  };
  search(new Subspace(p), 0);
  return size + 1;
}
