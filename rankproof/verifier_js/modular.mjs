// Rank of a sparse matrix modulo a prime below 2^31.
//
// Column by column, Markowitz's way: of the columns with the fewest rows take one, eliminate with its shortest row. A product of two
// residues does not fit into a double, so one of them is cut into two halves of at most 16 bits.

const times = (a, b, p) => (((a * (b >>> 16)) % p) * 65536 + a * (b & 65535)) % p;

function inverse(a, p) {
  let [r, s, u, v] = [a, p, 1, 0];
  while (s) {
    const q = Math.floor(r / s);
    [r, s] = [s, r - q * s];
    [u, v] = [v, u - q * v];
  }
  return u < 0 ? u + p : u;
}

// `rows`: an array of Maps from column (anything) to a residue in 1..p-1; they are used up.
export function rankModulo(rows, p, work) {
  const columns = new Map(); // column -> set of the rows that use it
  rows.forEach((row, i) => {
    for (const column of row.keys()) {
      if (!columns.has(column)) columns.set(column, new Set());
      columns.get(column).add(i);
    }
  });
  const queue = new Queue(columns);
  let rank = 0;
  for (let column = queue.next(); column !== undefined; column = queue.next()) {
    const users = columns.get(column);
    let pivot = -1;
    for (const i of users) if (pivot < 0 || rows[i].size < rows[pivot].size) pivot = i;
    rank += 1;
    const row = rows[pivot];
    const scale = p - inverse(row.get(column), p);
    row.delete(column);
    users.delete(pivot);
    for (const c of row.keys()) {
      columns.get(c).delete(pivot);
      queue.changed(c);
    }
    for (const i of users) {
      const other = rows[i];
      const factor = times(other.get(column), scale, p);
      other.delete(column);
      work.spend(row.size + 1);
      for (const [c, x] of row) {
        const old = other.get(c);
        const value = ((old ?? 0) + times(factor, x, p)) % p;
        if (value) other.set(c, value);
        else other.delete(c);
        if (value && old === undefined) columns.get(c).add(i);
        else if (!value) {
          columns.get(c).delete(i);
          queue.changed(c);
        }
      }
    }
    columns.delete(column);
  }
  return rank;
}

// Columns by the number of their rows, the fewest first; a column whose number has changed is queued again.
class Queue {
  constructor(columns) {
    this.columns = columns;
    this.levels = [];
    this.lowest = 0;
    for (const column of columns.keys()) this.changed(column);
  }

  changed(column) {
    const count = this.columns.get(column)?.size ?? 0;
    if (!count) return;
    (this.levels[count] ??= []).push(column);
    if (count < this.lowest) this.lowest = count;
  }

  next() {
    while (this.lowest < this.levels.length) {
      const level = this.levels[this.lowest];
      if (!level?.length) {
        this.lowest += 1;
        continue;
      }
      const column = level.pop();
      const count = this.columns.get(column)?.size ?? 0;
      if (count === this.lowest) return column;
      if (count) this.changed(column); // it has more rows than when it was queued
    }
    return undefined;
  }
}
