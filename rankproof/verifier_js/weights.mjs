// Tensors of weights files, exactly: GGUF (versions 2 and 3) and safetensors. docs/format.md, section Target.
// A number is a pair [m, e], meaning m 2^e, with m a BigInt.

import { undecided, rejected } from "./refusal.mjs";

const MOST_NUMBERS = 100_000_000;
const HERE = "/target/block";
const spoilt = (message) => rejected("weights", HERE, message);

// Numbers by their bytes, little-endian: sign, exponent and fraction.
function floating(bits, exponentBits, fractionBits) {
  const [f, e] = [BigInt(fractionBits), BigInt(exponentBits)];
  const fraction = bits & ((1n << f) - 1n);
  const exponent = Number((bits >> f) & ((1n << e) - 1n));
  if (exponent === 2 ** exponentBits - 1) throw spoilt("a weight is infinite or no number");
  const least = 2 - 2 ** (exponentBits - 1) - fractionBits;
  const size = exponent ? fraction | (1n << f) : fraction;
  return [bits >> (f + e) ? -size : size, least + Math.max(exponent, 1) - 1];
}

const half = (view, at) => floating(BigInt(view.getUint16(at, true)), 5, 10);
const PLAIN = {
  F16: [2, half],
  BF16: [2, (view, at) => floating(BigInt(view.getUint16(at, true)), 8, 7)],
  F32: [4, (view, at) => floating(BigInt(view.getUint32(at, true)), 8, 23)],
  F64: [8, (view, at) => floating(view.getBigUint64(at, true), 11, 52)],
};

// x q + y r, exactly; the two exponents are those of half-precision numbers.
function combined([m, e], q, [n, f] = [0n, e], r = 0) {
  const least = Math.min(e, f);
  return [((m * BigInt(q)) << BigInt(e - least)) + ((n * BigInt(r)) << BigInt(f - least)), least];
}

const nibble = (byte, high) => (high ? byte >> 4 : byte & 15);

// Blocks of 32 numbers: a scale, perhaps a minimum, perhaps a fifth bit, four bits.
const small = (hasMinimum, hasFifth) => (view, at) => {
  const [scale, minimum] = [half(view, at), hasMinimum ? half(view, at + 2) : null];
  let start = at + (hasMinimum ? 4 : 2);
  const fifth = hasFifth ? view.getUint32(start, true) : 0;
  if (hasFifth) start += 4;
  const middle = hasFifth ? 16 : 8;
  return Array.from({ length: 32 }, (_, i) => {
    const q = nibble(view.getUint8(start + (i % 16)), i >= 16) + (hasFifth ? ((fifth >>> i) & 1) * 16 : 0);
    return hasMinimum ? combined(scale, q, minimum, 1) : combined(scale, q - middle);
  });
};

const eight = (view, at) => {
  const scale = half(view, at);
  return Array.from({ length: 32 }, (_, i) => combined(scale, view.getInt8(at + 2 + i)));
};

// The j-th of eight scales and minima of six bits each, in twelve bytes.
function scaleAndMinimum(view, at, j) {
  const q = (i) => view.getUint8(at + i);
  if (j < 4) return [q(j) & 63, q(j + 4) & 63];
  return [(q(j + 4) & 15) | ((q(j - 4) >> 6) << 4), (q(j + 4) >> 4) | ((q(j) >> 6) << 4)];
}

// Blocks of 256 numbers, with a scale and a minimum for every 32.
const large = (hasFifth) => (view, at) => {
  const [scale, minimum] = [half(view, at), half(view, at + 2)];
  const low = at + 16 + (hasFifth ? 32 : 0);
  return Array.from({ length: 256 }, (_, i) => {
    const j = Math.floor(i / 32);
    const [s, m] = scaleAndMinimum(view, at + 4, j);
    const four = nibble(view.getUint8(low + 32 * Math.floor(j / 2) + (i % 32)), j % 2);
    const fifth = hasFifth ? (view.getUint8(at + 16 + (i % 32)) >> j) & 1 : 0;
    return combined(scale, s * (four + 16 * fifth), minimum, -m);
  });
};

const six = (view, at) => {
  const scale = half(view, at + 208);
  return Array.from({ length: 256 }, (_, i) => {
    const [part, quarter, l] = [Math.floor(i / 128), Math.floor((i % 128) / 32), i % 32];
    const four = nibble(view.getUint8(at + 64 * part + 32 * (quarter % 2) + l), quarter >= 2);
    const two = (view.getUint8(at + 128 + 32 * part + l) >> (2 * quarter)) & 3;
    return combined(scale, view.getInt8(at + 192 + Math.floor(i / 16)) * (four + 16 * two - 32));
  });
};

const one = ([size, read]) => [1, size, (view, at) => [read(view, at)]];

// Numbers in a block, bytes of a block, and how it is read.
const ENCODINGS = {
  F16: one(PLAIN.F16), BF16: one(PLAIN.BF16), F32: one(PLAIN.F32), F64: one(PLAIN.F64),
  Q4_0: [32, 18, small(false, false)], Q4_1: [32, 20, small(true, false)],
  Q5_0: [32, 22, small(false, true)], Q5_1: [32, 24, small(true, true)], Q8_0: [32, 34, eight],
  Q4_K: [256, 144, large(false)], Q5_K: [256, 176, large(true)], Q6_K: [256, 210, six],
};
const GGUF_TYPES = { 0: "F32", 1: "F16", 2: "Q4_0", 3: "Q4_1", 6: "Q5_0", 7: "Q5_1", 8: "Q8_0", 12: "Q4_K", 13: "Q5_K", 14: "Q6_K", 28: "F64", 30: "BF16" };
const GGUF_SIZES = { 0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8 };

class Header {
  constructor(view) {
    this.view = view;
    this.at = 8;
  }

  skip(count) {
    if (this.at + count > this.view.byteLength) throw spoilt("the header of the file is cut off");
    this.at += count;
    return this.at - count;
  }

  short() {
    return this.view.getUint32(this.skip(4), true);
  }

  long() {
    return Number(this.view.getBigUint64(this.skip(8), true));
  }

  text() {
    const length = this.long();
    const at = this.skip(length);
    return new TextDecoder().decode(new Uint8Array(this.view.buffer, this.view.byteOffset + at, length));
  }

  // Steps over a value, or returns it where it is an integer of 32 bits.
  value(type) {
    if (type === 4) return this.short();
    if (type === 8) return this.text();
    if (type === 9) {
      const inner = this.short();
      const count = this.long();
      if (inner in GGUF_SIZES) this.skip(count * GGUF_SIZES[inner]);
      else for (let i = 0; i < count; i += 1) this.value(inner);
      return null;
    }
    if (!(type in GGUF_SIZES)) throw spoilt("a key of the header has an unknown type");
    this.skip(GGUF_SIZES[type]);
    return null;
  }
}

// Tensors by name: shape with the rows first, encoding, first byte, and the number of bytes where the file states it.
function tensorsOfGguf(view) {
  const version = view.byteLength >= 8 ? view.getUint32(4, true) : 0;
  if (version !== 2 && version !== 3) throw spoilt(`version ${version} of GGUF is not read`);
  const header = new Header(view);
  const [count, pairs] = [header.long(), header.long()];
  let alignment = 32;
  for (let i = 0; i < pairs; i += 1) {
    const key = header.text();
    const value = header.value(header.short());
    if (key === "general.alignment" && Number.isInteger(value) && value > 0) alignment = value;
  }
  const found = new Map();
  for (let i = 0; i < count; i += 1) {
    const name = header.text();
    const shape = Array.from({ length: header.short() }, () => header.long()).reverse();
    const type = header.short();
    found.set(name, { shape, encoding: GGUF_TYPES[type] ?? `type ${type}`, start: header.long() });
  }
  const data = Math.ceil(header.at / alignment) * alignment;
  for (const tensor of found.values()) tensor.start += data;
  return found;
}

function tensorsOfSafetensors(view) {
  const length = view.byteLength >= 8 ? Number(view.getBigUint64(0, true)) : -1;
  if (length < 2 || 8 + length > view.byteLength) throw spoilt("the file is neither GGUF nor safetensors");
  let header;
  try {
    header = JSON.parse(new TextDecoder().decode(new Uint8Array(view.buffer, view.byteOffset + 8, length)));
  } catch {
    throw spoilt("the header of the file is no JSON");
  }
  if (header === null || typeof header !== "object" || Array.isArray(header)) throw spoilt("the header of the file is no object");
  const found = new Map();
  for (const [name, entry] of Object.entries(header)) {
    if (name === "__metadata__") continue;
    const { dtype, shape, data_offsets: offsets } = entry ?? {};
    const lists = [shape, offsets].every((list) => Array.isArray(list) && list.every((x) => Number.isSafeInteger(x) && x >= 0));
    if (typeof dtype !== "string" || !lists || offsets.length !== 2) throw spoilt(`the header describes ${name} in no known way`);
    found.set(name, { shape, encoding: dtype in PLAIN ? dtype : `type ${dtype}`, start: 8 + length + offsets[0], bytes: offsets[1] - offsets[0] });
  }
  return found;
}

// A reader of matrices of a file: rows of integers, times a power of two without a common factor 2.
export function openWeights(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isGguf = bytes.length >= 4 && [0x47, 0x47, 0x55, 0x46].every((byte, i) => bytes[i] === byte);
  const tensors = isGguf ? tensorsOfGguf(view) : tensorsOfSafetensors(view);
  return ({ tensor: name, transposed, rows }) => {
    const tensor = tensors.get(name);
    if (tensor === undefined) throw spoilt(`the file has no tensor ${name}`);
    let matrix = readMatrix(view, tensor, name);
    if (transposed) matrix = matrix[0].map((_, j) => matrix.map((row) => row[j]));
    if (rows !== null) {
      const [first, step, count] = rows;
      if (first + step * (count - 1) >= matrix.length) throw spoilt(`${name} has only ${matrix.length} rows`);
      matrix = Array.from({ length: count }, (_, k) => matrix[first + k * step]);
    }
    return integral(matrix);
  };
}

function readMatrix(view, { shape, encoding, start, bytes }, name) {
  if (shape.length !== 2) throw spoilt(`${name} has not two indices`);
  const [rows, columns] = shape;
  if (!rows || !columns) throw spoilt(`${name} is empty`);
  if (!(encoding in ENCODINGS)) throw undecided("weights", HERE, `${name} is encoded as ${encoding}`);
  if (rows * columns > MOST_NUMBERS) throw undecided("limit-entries", HERE, `${name} has ${rows * columns} numbers`);
  const [count, size, read] = ENCODINGS[encoding];
  if (columns % count) throw spoilt(`the rows of ${name} are no whole blocks`);
  const length = ((rows * columns) / count) * size;
  if (start + length > view.byteLength || (bytes !== undefined && bytes !== length)) throw spoilt(`${name} is cut off`);
  return Array.from({ length: rows }, (_, i) => {
    const row = [];
    const from = start + i * (columns / count) * size;
    for (let b = 0; b < columns / count; b += 1) row.push(...read(view, from + b * size));
    return row;
  });
}

// The largest power of two that divides an integer that is not zero.
function twos(m) {
  let count = 0;
  for (let low = BigInt.asUintN(32, m); ; low = BigInt.asUintN(32, m)) {
    if (low) return count + 31 - Math.clz32(Number(low & -low));
    m >>= 32n;
    count += 32;
  }
}

function integral(matrix) {
  let least = Infinity;
  for (const row of matrix) for (const [m, e] of row) if (m) least = Math.min(least, e + twos(m));
  return matrix.map((row) => row.map(([m, e]) => {
    if (!m) return 0n;
    const shift = BigInt(e - least);
    return shift >= 0n ? m << shift : m >> -shift;
  }));
}
