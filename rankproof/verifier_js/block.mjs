// Targets that are blocks of weights files. docs/format.md, section Target.

import { QQ, absolute } from "./numbers.mjs";
import { SAFE, integer, isList, keys, sequence, show, string } from "./reading.mjs";
import { LIMITS, rejected, undecided, unreadable } from "./refusal.mjs";
import { sha256 } from "./sha256.mjs";
import { openWeights } from "./weights.mjs";

function readMatrix(node, pointer) {
  const [tensor, turned, rowNodes] = keys(node, pointer, ["tensor"], ["transposed", "rows"]);
  string(tensor, `${pointer}/tensor`);
  if (turned !== undefined) integer(turned, `${pointer}/transposed`, 1, 1);
  const least = [0, 1, 1];
  const rows = rowNodes === undefined
    ? null
    : sequence(rowNodes, `${pointer}/rows`, 3, 3).map((x, i) => integer(x, `${pointer}/rows/${i}`, least[i], SAFE - 1));
  return { tensor, transposed: turned !== undefined, rows };
}

// Vectors of integers; an integer stands for a unit vector.
function readVectors(node, pointer) {
  return sequence(node, pointer, 1, LIMITS.dimension).map((x, i) => {
    const here = `${pointer}/${i}`;
    if (!isList(x)) return { unit: integer(x, here, 0, SAFE - 1), pointer: here };
    const vector = sequence(x, here).map((c, k) => BigInt(integer(c, `${here}/${k}`, 1 - SAFE, SAFE - 1)));
    if (vector.every((c) => !c)) throw unreadable("zero-vector", here, "a direction is not zero");
    return { vector, pointer: here };
  });
}

function vectorOf({ unit, vector, pointer }, length) {
  if (vector !== undefined ? vector.length !== length : unit >= length) {
    throw rejected("weights", pointer, `a vector of this block has ${length} coordinates`);
  }
  return vector ?? Array.from({ length }, (_, i) => (i === unit ? 1n : 0n));
}

const scalarProduct = (u, v) => u.reduce((sum, x, i) => (x && v[i] ? sum + x * v[i] : sum), 0n);

// [factors of the space, ring, entries]; `find` returns the bytes of a file, or null.
export function readBlock(node, find) {
  const [block, directionNodes, inputNodes] = keys(node, "/target", ["block", "directions"], ["inputs"]);
  const here = "/target/block";
  const [file, hash, ...matrices] = keys(block, here, ["file", "sha256", "gate", "up", "down"]);
  if (!/^[^/\\\x00-\x1f]+$/.test(string(file, `${here}/file`)) || file === "." || file === "..") {
    throw unreadable("bad-name", `${here}/file`, `${show(file)} is no plain name of a file`);
  }
  if (!/^[0-9a-f]{64}$/.test(string(hash, `${here}/sha256`))) throw unreadable("bad-hash", `${here}/sha256`, "64 hexadecimal digits");
  const recipes = ["gate", "up", "down"].map((name, i) => readMatrix(matrices[i], `${here}/${name}`));
  const directions = readVectors(directionNodes, "/target/directions");
  const inputs = inputNodes === undefined ? null : readVectors(inputNodes, "/target/inputs");
  const bytes = find({ file, sha256: hash });
  if (bytes === null || sha256(bytes) !== hash) throw undecided("weights-needed", `${here}/sha256`, `the file ${show(file)} is needed`);
  const read = openWeights(bytes);
  let [gate, up, down] = recipes.map(read);
  const n = gate[0].length;
  if (up[0].length !== n || up.length !== gate.length || down[0].length !== gate.length) {
    throw rejected("weights", here, "the three matrices do not fit together");
  }
  if (inputs !== null) {
    const basis = inputs.map((input) => vectorOf(input, n));
    [gate, up] = [gate, up].map((rows) => rows.map((row) => basis.map((v) => scalarProduct(row, v))));
  }
  const forms = directions.map((direction) => {
    const u = vectorOf(direction, down.length);
    return quadraticForm(gate.map((_, l) => scalarProduct(u, down.map((row) => row[l]))), gate, up);
  });
  const entries = new Map();
  forms.forEach((form, k) => {
    for (const [key, c] of form) entries.set(forms.length > 1 ? `${key},${k}` : key, c);
  });
  if (!entries.size) throw rejected("weights", here, "the form is zero");
  const size = gate[0].length;
  return [forms.length > 1 ? [[size, 2], [forms.length, 1]] : [[size, 2]], QQ, entries];
}

// The sum of c_l (a_l . x) (b_l . x). The numbers of a row stand in one long integer, so that a multiple of b_l is added at once.
function quadraticForm(c, a, b) {
  const n = a[0].length;
  const most = (rows) => rows.reduce((m, row) => row.reduce((k, x) => (absolute(x) > k ? absolute(x) : k), m), 1n);
  const largest = most([c]) * most(a) * most(b) * BigInt(c.length);
  const width = largest.toString(2).length + 2;
  const shift = BigInt(width);
  const sums = new Array(n).fill(0n);
  c.forEach((weight, l) => {
    if (!weight) return;
    const packed = packedRow(b[l], width);
    a[l].forEach((x, i) => {
      if (x) sums[i] += weight * x * packed;
    });
  });
  const rows = sums.map((sum) => Array.from({ length: n }, () => {
    const low = BigInt.asIntN(width, sum);
    sum = (sum - low) >> shift;
    return low;
  }));
  const form = new Map();
  for (let i = 0; i < n; i += 1) {
    for (let j = i; j < n; j += 1) {
      const x = i === j ? rows[i][i] : rows[i][j] + rows[j][i];
      if (x) form.set(`${i},${j}`, x);
    }
  }
  return form;
}

// The sum of row[j] 2^(width j), halves first: long integers of equal length are added.
function packedRow(row, width) {
  if (row.length === 1) return row[0];
  const middle = row.length >> 1;
  return packedRow(row.slice(0, middle), width) + (packedRow(row.slice(middle), width) << BigInt(width * middle));
}
