// The certificate as data: docs/format.md, read literally.

import { evaluate, countRealRoots, isIrreducible, NumberField } from "./fields.mjs";
import { absolute, isZero, QQ, readRational, Ring, sign, subtract, written } from "./numbers.mjs";
import { increasing, integer, isObject, keys, sequence, show, string } from "./reading.mjs";
import { LIMITS, undecided, unreadable } from "./refusal.mjs";
import { finiteField, readTarget } from "./targets.mjs";
import { readUnits } from "./units.mjs";

const MOST = 2 ** 53 - 1;

export function readDocument(tree, weights) {
  // Format and version come first: the keys of another version may differ.
  if (tree.get("format") !== "rankproof-certificate") throw unreadable("unknown-format", "/format", "this is not a certificate");
  if (tree.get("version") !== 1) throw unreadable("unknown-version", "/version", "this verifier reads version 1");
  const required = ["format", "version", "target", "steps", "conclusion", "producer"];
  const [, , targetNode, stepNodes, conclusionNode, producer, fieldNodes] = keys(tree, "", required, ["number_fields"]);
  if (!isObject(producer)) throw unreadable("wrong-type", "/producer", "the producer is an object");
  const rings = readNumberFields(fieldNodes);
  const target = readTarget(targetNode, rings, weights);
  const used = new Set([target.ring.name]);
  const field = (node, pointer) => readField(node, pointer, rings, used);
  const steps = sequence(stepNodes, "/steps", 1).map((node, i) => readStep(node, `/steps/${i}`, target, field));
  const conclusion = readConclusion(conclusionNode, target, field);
  [...rings.keys()].slice(1).forEach((name, i) => {
    if (!used.has(name)) throw unreadable("unused-field", `/number_fields/${i}`, `${name} is declared and never used`);
  });
  return { rings, target, steps, conclusion };
}

function readNumberFields(node) {
  const rings = new Map([["QQ", QQ]]);
  if (node === undefined) return rings;
  sequence(node, "/number_fields", 1).forEach((declaration, i) => {
    const here = `/number_fields/${i}`;
    const [symbol, polynomial, root] = keys(declaration, here, ["symbol", "minimal_polynomial"], ["real_root"]);
    if (!/^[a-z][a-z0-9_]{0,15}$/.test(string(symbol, `${here}/symbol`))) {
      throw unreadable("bad-name", `${here}/symbol`, `${show(symbol)} is not a symbol`);
    }
    const name = `QQ(${symbol})`;
    if (rings.has(name)) throw unreadable("repeated", `${here}/symbol`, `${name} is declared twice`);
    const f = readMinimalPolynomial(polynomial, `${here}/minimal_polynomial`);
    const interval = root === undefined ? null : readRealRoot(root, f, `${here}/real_root`);
    rings.set(name, new Ring(name, { field: new NumberField(symbol, f, interval) }));
  });
  return rings;
}

export function readMinimalPolynomial(node, pointer) {
  const f = sequence(node, pointer, 3).map((x, i) => {
    const c = readRational(x, `${pointer}/${i}`);
    if (typeof c !== "bigint") throw unreadable("wrong-type", `${pointer}/${i}`, "a minimal polynomial has integer coefficients");
    return c;
  });
  if (f.length > LIMITS.fieldDegree + 1) throw undecided("limit-field-degree", pointer, `degree ${f.length - 1}`);
  if (f.some((c) => absolute(c) >= 10n ** 100n)) throw undecided("limit-digits", pointer, "coefficients of more than 100 digits");
  if (f.at(-1) !== 1n) throw unreadable("not-monic", pointer, "the leading coefficient of a minimal polynomial is 1");
  if (!isIrreducible(f, pointer)) throw unreadable("reducible", pointer, "the polynomial is reducible over the rationals");
  return f;
}

function readRealRoot(node, f, pointer) {
  const [low, high] = sequence(node, pointer, 2, 2).map((x, i) => readRational(x, `${pointer}/${i}`));
  if (sign(subtract(high, low)) <= 0) throw unreadable("empty-interval", pointer, "the interval is [l, u] with l < u");
  if (isZero(evaluate(f, low)) || isZero(evaluate(f, high))) throw unreadable("root-at-end", pointer, "a root at an end");
  if (countRealRoots(f, low, high) !== 1) throw unreadable("not-isolating", pointer, "not exactly one real root in the interval");
  return [low, high];
}

function readField(node, pointer, rings, used) {
  const name = string(node, pointer);
  if (name !== "RR" && name !== "CC" && !rings.has(name) && finiteField(name) === null) {
    throw unreadable("unknown-field", pointer, `${show(name)} is not QQ, RR, CC, GF(p) or a declared field`);
  }
  used.add(name);
  return name;
}

const LOSSES = ["frobenius", "gaussian", "sphere", "uniform", "rademacher", "size"];

// A quantity is a string: rank, border_rank, or the JSON text of a floor with its keys sorted, so that equal ones are equal strings.
function readQuantity(node, pointer) {
  if (!isObject(node)) {
    if (node !== "rank" && node !== "border_rank") throw unreadable("unknown-quantity", pointer, `${show(node)} is no quantity`);
    return { name: node, floor: null };
  }
  const [loss, widthNode, scaleNode] = keys(node, pointer, ["floor", "width"], ["scale"]);
  if (!LOSSES.includes(loss)) throw unreadable("unknown-loss", `${pointer}/floor`, `${show(loss)} is no loss`);
  const width = integer(widthNode, `${pointer}/width`, 0, MOST);
  const scale = scaleNode === undefined ? 1n : readRational(scaleNode, `${pointer}/scale`);
  if (scaleNode !== undefined && (sign(scale) <= 0 || scale === 1n || loss === "frobenius")) {
    throw unreadable("out-of-range", `${pointer}/scale`, "a scale is positive, not 1, and not for frobenius");
  }
  const middle = scaleNode === undefined ? "" : `"scale":${written(scale)},`;
  return { name: `{"floor":"${loss}",${middle}"width":${width}}`, floor: { loss, width: BigInt(width), scale } };
}

// The value of a width, or of a floor.
function readValue(node, pointer, { floor }) {
  if (floor === null) return integer(node, pointer, 0, MOST);
  const value = readRational(node, pointer);
  if (sign(value) < 0) throw unreadable("out-of-range", pointer, "a floor is not negative");
  return value;
}

function readStep(node, here, target, readFieldName) {
  const [rule, claim, premises, witness] = keys(node, here, ["rule", "claim", "premises", "witness"]);
  const at = `${here}/claim`;
  const [quantityNode, unitsNode, overNode, relation, value] = keys(claim, at, ["quantity", "units", "over", "relation", "value"]);
  const quantity = readQuantity(quantityNode, `${at}/quantity`);
  const units = readUnits(string(unitsNode, `${at}/units`), `${at}/units`, target.space);
  const over = readFieldName(overNode, `${at}/over`);
  if (relation !== ">=" && relation !== "<=") throw unreadable("wrong-type", `${at}/relation`, `${show(relation)} is not >= or <=`);
  const number = readValue(value, `${at}/value`, quantity);
  increasing(premises, `${here}/premises`, 0, MOST);
  const stated = { quantity: quantity.name, units: units.name, over, relation, value: number };
  return { rule: string(rule, `${here}/rule`), claim: stated, floor: quantity.floor, units, premises, witness, pointer: here };
}

function readConclusion(node, target, readFieldName) {
  const seen = new Set();
  return sequence(node, "/conclusion", 1).map((entry, i) => {
    const here = `/conclusion/${i}`;
    const [unitsNode, fieldNode, quantityNode, lower, upper] = keys(entry, here, ["units", "field", "quantity", "lower"], ["upper"]);
    const units = readUnits(string(unitsNode, `${here}/units`), `${here}/units`, target.space).name;
    const field = readFieldName(fieldNode, `${here}/field`);
    const quantity = readQuantity(quantityNode, `${here}/quantity`);
    const question = `${units} ${field} ${quantity.name}`;
    if (seen.has(question)) throw unreadable("repeated", here, "the same question is answered twice");
    seen.add(question);
    const least = readValue(lower, `${here}/lower`, quantity);
    const most = upper === undefined ? undefined : readValue(upper, `${here}/upper`, quantity);
    return { units, field, quantity: quantity.name, lower: least, upper: most, pointer: here };
  });
}
