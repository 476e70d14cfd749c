// The kernel: derive every claim, compare it with the claim stated, and require the conclusion to follow.

import { Consequences, compare, isFloor, mayAsk } from "./claims.mjs";
import { readDocument } from "./document.mjs";
import { written } from "./numbers.mjs";
import { parse, show } from "./reading.mjs";
import { Refusal, rejected, unreadable } from "./refusal.mjs";
import { RULES } from "./rules/index.mjs";
import { ascii, sha256 } from "./sha256.mjs";
import { finiteField } from "./targets.mjs";

// Verdict on the bytes of a certificate: schema rankproof/verdict/1 without the name of a file.
// `accepted`: names of published theorems that the reader takes as axioms. `weights`: finds the bytes of a file, as in verify.mjs.
export function verify(bytes, accepted = [], weights = () => null) {
  const empty = { code: "", pointer: "", message: "", conclusion: [], theorems: [], claim: "", sha256: sha256(bytes) };
  try {
    const document = readDocument(parse(bytes), weights);
    const theorems = check(document);
    const open = theorems.some((name) => !accepted.includes(name));
    const conclusion = document.conclusion.map(({ units, field, quantity, lower, upper }) => ({
      units,
      field,
      quantity: isFloor(quantity) ? JSON.parse(quantity) : quantity,
      lower: asJson(lower),
      upper: upper === undefined ? null : asJson(upper),
    }));
    return { ...empty, verdict: open ? "CONDITIONAL" : "VERIFIED", exit: open ? 5 : 0, conclusion, theorems, claim: claimHash(document) };
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    const { word, exitStatus, code, pointer, message } = refusal;
    return { ...empty, verdict: word, exit: exitStatus, code, pointer, message };
  }
}

// A bound as it stands in a file.
const text = (value) => (typeof value === "number" ? String(value) : written(value));
const asJson = (value) => JSON.parse(text(value));

// The theorems that the conclusion rests on; a refusal says the first thing that is wrong.
function check(document) {
  const contexts = document.steps.map((step) => new Context(step, document));
  // Every witness is read before anything is derived: an unreadable file is never called rejected.
  const witnesses = document.steps.map((step, i) => {
    const rule = RULES.get(step.rule);
    if (rule === undefined) throw unreadable("unknown-rule", `${step.pointer}/rule`, `no rule is named ${show(step.rule)}`);
    return rule.read(step.witness, contexts[i]);
  });
  const real = new Map();
  for (const [name, ring] of document.rings) if (ring.field !== null) real.set(name, ring.field.realRoot !== null);
  const consequences = new Consequences(document.target, real);
  const used = new Set();
  document.steps.forEach((step, i) => {
    const rule = RULES.get(step.rule);
    checkPremises(step, i, rule.premises ?? 0);
    for (const premise of step.premises) used.add(premise);
    checkField(document.target, step.claim.over, real, `${step.pointer}/claim/over`);
    const derived = rule.derive(witnesses[i], contexts[i]);
    const { claim } = step;
    if (["quantity", "units", "over", "relation"].some((key) => derived[key] !== claim[key]) || compare(derived.value, claim.value) !== 0) {
      throw rejected("claim-differs", `${step.pointer}/claim`, `the rule proves ${inWords(derived)}; the file claims ${inWords(step.claim)}`);
    }
    consequences.add(derived, i);
  });
  const deciding = new Set();
  for (const answer of document.conclusion) {
    checkField(document.target, answer.field, real, `${answer.pointer}/field`);
    for (const step of checkAnswer(answer, consequences)) deciding.add(step);
  }
  document.steps.forEach((step, i) => {
    if (!used.has(i) && !deciding.has(i)) {
      throw rejected("unused-step", step.pointer, "no later step and no bound of the conclusion needs this step");
    }
  });
  // A Set grows while it is walked through: premises of premises are reached.
  const theorems = new Set();
  for (const i of deciding) {
    for (const name of RULES.get(document.steps[i].rule).theorems ?? []) theorems.add(name);
    for (const premise of document.steps[i].premises) deciding.add(premise);
  }
  return [...theorems].sort();
}

const inWords = ({ quantity, units, over, relation, value }) => `${units} ${quantity} over ${over} ${relation} ${text(value)}`;

// What a rule may look at. Units, field and relation are copied from the claim of the step: they tell the rule which claim to derive.
export class Context {
  constructor(step, document) {
    this.target = document.target;
    this.rings = document.rings;
    this.units = step.units;
    this.over = step.claim.over;
    this.relation = step.claim.relation;
    this.quantity = step.claim.quantity;
    this.floor = step.floor; // loss, width and scale when the claim is about a floor, else null
    this.premises = step.premises.filter((i) => i < document.steps.length).map((i) => document.steps[i].claim);
    this.pointer = step.pointer;
    this.inside = [];
  }

  // The same question asked by another rule about another target, whose witness stands inside this one.
  about(target, changes, ...path) {
    return Object.assign(Object.create(Context.prototype), this, { target, inside: [...this.inside, ...path] }, changes);
  }

  witness(...path) {
    return [this.pointer, "witness", ...this.inside, ...path].join("/");
  }

  claim(quantity, relation, value, over = this.over) {
    return { quantity, units: this.units.name, over, relation, value };
  }
}

function checkField(target, name, real, pointer) {
  if (!mayAsk(target, name, real)) throw rejected("field", pointer, `a target over ${target.ring.name} has no meaning over ${name}`);
  const finite = finiteField(name);
  if (finite !== null) target.over(finite);
}

function checkPremises(step, index, count) {
  step.premises.forEach((premise, i) => {
    if (premise >= index) throw rejected("premise-order", `${step.pointer}/premises/${i}`, "a premise is an earlier step");
  });
  if (step.premises.length !== count) {
    throw rejected("premise-count", `${step.pointer}/premises`, `the rule takes ${count} premises, not ${step.premises.length}`);
  }
}

function checkAnswer(answer, consequences) {
  const { units, field, quantity, pointer } = answer;
  const lower = consequences.lower(units, field, quantity);
  const least = lower?.value ?? (isFloor(quantity) ? 0n : 0);
  if (compare(answer.lower, least) !== 0) {
    throw rejected("conclusion-differs", `${pointer}/lower`, `the steps prove >= ${text(least)}, not ${text(answer.lower)}`);
  }
  const upper = consequences.upper(units, field, quantity);
  if ((answer.upper === undefined) !== (upper === undefined) || (upper && compare(answer.upper, upper.value) !== 0)) {
    throw rejected("conclusion-differs", `${pointer}/upper`, `the steps prove <= ${upper ? text(upper.value) : "nothing"}`);
  }
  if (lower && upper && compare(lower.value, upper.value) > 0) throw rejected("contradiction", pointer, "two rules contradict each other");
  return [lower, upper].filter(Boolean).map(({ step }) => step);
}

// sha256 of the statement. docs/format.md, section Identity.
function claimHash(document) {
  const { target, rings, conclusion } = document;
  const fields = new Set([target.ring.name, ...conclusion.map((answer) => answer.field)]);
  const order = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
  const answers = [...conclusion]
    .sort((a, b) => order(a.units, b.units) || order(a.field, b.field) || order(a.quantity, b.quantity))
    .map((a) => {
      const upper = a.upper === undefined ? "" : `,"upper":${text(a.upper)}`;
      const quantity = isFloor(a.quantity) ? a.quantity : `"${a.quantity}"`;
      return `{"field":"${a.field}","lower":${text(a.lower)},"quantity":${quantity},"units":"${a.units}"${upper}}`;
    });
  const declared = [...fields]
    .sort(order)
    .filter((name) => rings.get(name)?.field)
    .map((name) => {
      const { field } = rings.get(name);
      const root = field.realRoot === null ? "" : `"real_root":[${field.realRoot.map((x) => `"${written(x).replaceAll('"', "")}"`)}],`;
      return `{"minimal_polynomial":[${field.minimalPolynomial}],${root}"symbol":"${field.symbol}"}`;
    });
  const { entries, ring, space } = target.canonical;
  const numbers = declared.length ? `"number_fields":[${declared}],` : "";
  const statement = `{"conclusion":[${answers}],"target":{"entries":${entries},${numbers}"ring":${ring},"space":${space}}}`;
  return sha256(ascii(statement));
}

