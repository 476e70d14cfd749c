// docs/rules/restriction.md and docs/rules/sum-of-parts.md: what another rule says about images of the target.

import { Consequences } from "../claims.mjs";
import { keyOf, wordOf } from "../combinatorics.mjs";
import { accumulate, isZero, multiply, readNumber, subtract } from "../numbers.mjs";
import { keys, sequence, show, string } from "../reading.mjs";
import { LIMITS, Work, rejected, undecided, unreadable } from "../refusal.mjs";
import { Space, Target, finiteField } from "../targets.mjs";
import { readUnits } from "../units.mjs";

// The rules that may be asked about an image; index.mjs fills it.
export const OTHERS = new Map();

const ringOf = (context) => finiteField(context.over) ?? context.target.ring;

function readMaps(node, sources, sizes, context, ...path) {
  const ring = ringOf(context);
  return sequence(node, context.witness(...path), sources.length, sources.length).map((rows, i) => {
    const here = context.witness(...path, i);
    // An empty list is the identity, which needs equal dimensions.
    const identity = sizes === null || sizes[i] === sources[i];
    if (!sequence(rows, here, identity ? 0 : 1).length) return null;
    sequence(rows, here, sizes === null ? 1 : sizes[i], sizes === null ? sources[i] : sizes[i]);
    return rows.map((row, j) =>
      sequence(row, `${here}/${j}`, sources[i], sources[i]).map((x, k) => readNumber(x, `${here}/${j}/${k}`, ring)));
  });
}

function readImage(mapsNode, ruleNode, witness, context, ...path) {
  const name = string(ruleNode, context.witness(...path, "rule"));
  const rule = OTHERS.get(name);
  if (rule === undefined) throw unreadable("unknown-rule", context.witness(...path, "rule"), `no rule named ${show(name)} bounds an image`);
  const { factors } = context.target.space;
  const maps = readMaps(mapsNode, factors.map(([n]) => n), null, context, ...path, "maps");
  const image = factors.map(([n, d], i) => [maps[i]?.length ?? n, d]);
  const inner = context.about(new Target(spaceOf(image, context), ringOf(context), new Map()), {}, ...path, "witness");
  return { maps, factors: image, rule, inner, data: rule.read(witness, inner) };
}

// The space of an image: one output is a form.
function spaceOf(factors, context) {
  const single = context.units.powers.length && factors.length === 2 && keyOf(factors[1]) === "1,1";
  return new Space(single ? factors.slice(0, 1) : factors);
}

// The image of coefficients on a space with these factors.
function mapped(entries, factors, maps, context) {
  const work = new Work(context.witness());
  // A word of degree d becomes at most (number of rows)^d words; more work than that is not begun.
  const growth = maps.reduce((size, rows, i) => size * (rows === null ? 1 : Math.min(rows.length ** factors[i][1], 1e9)), 1);
  work.spend(10 * entries.size * growth);
  let current = entries;
  const space = new Space(factors);
  maps.forEach((rows, i) => {
    if (rows === null) return;
    const columns = rows[0].map((_, x) => rows.map((row, j) => [j, row[x]]).filter(([, c]) => !isZero(c)));
    const next = new Map();
    for (const [key, value] of current) {
      const pieces = space.split(wordOf(key));
      let terms = [[[], value]];
      for (const letter of pieces[i]) {
        work.spend(50 * terms.length * columns[letter].length);
        terms = collected(terms.flatMap(([word, c]) => columns[letter].map(([j, x]) => [[...word, j].sort((a, b) => a - b), multiply(c, x)])));
      }
      for (const [word, c] of terms) accumulate(next, keyOf(pieces.flatMap((piece, k) => (k === i ? word : piece))), c);
      if (next.size > LIMITS.entries) throw undecided("limit-operations", context.witness(), "the image has too many terms");
    }
    current = next;
  });
  return current;
}

function collected(terms) {
  const sum = new Map();
  for (const [word, c] of terms) accumulate(sum, keyOf(word), c);
  return [...sum].map(([key, c]) => [wordOf(key), c]);
}

// The last letter, 0, of the single output of an image is left out, or put back.
const dropped = (entries, image, space) =>
  space.factors.length === image.length ? entries : new Map([...entries].map(([key, c]) => [key.slice(0, key.lastIndexOf(",")), c]));
const restored = (entries, image, space) =>
  space.factors.length === image.length ? entries : new Map([...entries].map(([key, c]) => [`${key},0`, c]));

function reducedEntries(entries, ring) {
  return new Map([...entries].map(([key, c]) => [key, ring.reduce(c)]).filter(([, c]) => !isZero(c)));
}

function ask(image, context) {
  if (context.floor !== null) throw rejected("quantity", `${context.pointer}/claim/quantity`, "the floor of an image is not the floor of the target");
  const ring = ringOf(context);
  const target = context.target.over(ring);
  const { space } = image.inner.target;
  const entries = reducedEntries(dropped(mapped(target.entries, target.space.factors, image.maps, context), image.factors, space), ring);
  if (!entries.size) throw rejected("image-vanishes", context.witness(), "the image of the target is zero");
  const asked = Object.assign(Object.create(Object.getPrototypeOf(image.inner)), image.inner, { target: new Target(space, ring, entries) });
  return { claim: image.rule.derive(image.data, asked), entries, space };
}

export const restriction = {
  read(witness, context) {
    const [maps, rule, inner] = keys(witness, context.witness(), ["maps", "rule", "witness"]);
    return readImage(maps, rule, inner, context);
  },
  derive(image, context) {
    const { claim } = ask(image, context);
    if (claim.relation !== ">=") throw rejected("hypothesis", context.pointer, "an image may need fewer units than the target");
    return { ...claim, units: context.units.name };
  },
};

export const sumOfParts = {
  read(witness, context) {
    const [parts] = keys(witness, context.witness(), ["parts"]);
    return sequence(parts, context.witness("parts"), 1).map((node, i) => {
      const here = context.witness("parts", i);
      const [maps, back, rule, inner, unitsNode, overNode] = keys(node, here, ["maps", "back", "rule", "witness"], ["units", "over"]);
      const units = unitsNode === undefined ? context.units : readUnits(string(unitsNode, `${here}/units`), `${here}/units`, context.target.space);
      const over = overNode === undefined ? context.over : string(overNode, `${here}/over`);
      if (overNode !== undefined && !["QQ", "RR", "CC"].includes(over)) throw unreadable("unknown-field", `${here}/over`, `${show(over)} is not QQ, RR or CC`);
      const asked = context.about(context.target, { units, over, relation: "<=" });
      const image = readImage(maps, rule, inner, asked, "parts", i);
      const sizes = context.target.space.factors.map(([n]) => n);
      const wayBack = readMaps(back, image.factors.map(([n]) => n), sizes, asked, "parts", i, "back");
      return { image, wayBack, asked };
    });
  },
  derive(parts, context) {
    if (context.relation !== "<=") throw rejected("hypothesis", context.pointer, "a sum of parts bounds from above");
    const ring = ringOf(context);
    const remaining = new Map(context.target.over(ring).entries);
    const real = new Map();
    for (const [name, { field }] of context.rings) if (field !== null) real.set(name, field.realRoot !== null);
    const bounds = [];
    for (const { image, wayBack, asked } of parts) {
      const { claim, entries, space } = ask(image, asked);
      const consequences = new Consequences(context.target, real);
      consequences.add(claim, 0);
      const said = (what) => consequences.upper(context.units.name, context.over, what)?.value;
      if (said("border_rank") === undefined) throw rejected("hypothesis", context.pointer, "the claim about a part says nothing about this question");
      bounds.push({ rank: said("rank"), border_rank: said("border_rank") });
      for (const [key, c] of mapped(restored(entries, image.factors, space), image.factors, wayBack, context)) {
        const difference = ring.reduce(subtract(remaining.get(key) ?? 0n, c));
        if (isZero(difference)) remaining.delete(key);
        else remaining.set(key, difference);
      }
    }
    if (remaining.size) throw rejected("parts-miss-target", context.witness("parts"), `the parts miss the target at ${[...remaining.keys()][0]}`);
    const quantity = bounds.some(({ rank }) => rank === undefined) ? "border_rank" : "rank";
    return context.claim(quantity, "<=", bounds.reduce((sum, bound) => sum + bound[quantity], 0));
  },
};
