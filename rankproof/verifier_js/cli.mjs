// node cli.mjs [--json] [--accept-theorem NAME] [--weights PLACE] [--] FILE...: the verdicts and exit statuses of rankproof verify, by the second verifier.
// node cli.mjs --batch: the same about certificates from standard input, one a line in base64, as JSON.

import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { verify } from "./verify.mjs";

const WORST_FIRST = [70, 1, 3, 4, 5, 0];

const accepted = [];
const places = []; // files and folders in which weights are looked for
const words = process.argv.slice(2).filter((word, i, all) => {
  if (all[i - 1] === "--weights") places.push(word);
  if (word === "--weights" || all[i - 1] === "--weights") return false;
  if (word.startsWith("--accept-theorem=")) accepted.push(word.slice("--accept-theorem=".length));
  else if (all[i - 1] === "--accept-theorem") accepted.push(word);
  else return word !== "--accept-theorem";
  return false;
});

function verdictOn(path) {
  let bytes;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    return { verdict: "UNREADABLE", exit: 3, code: "no-file", pointer: "", message: error.message, conclusion: [], theorems: [], claim: "", sha256: "" };
  }
  return verify(bytes, accepted, findIn([...places, dirname(path)]));
}

// The bytes of the file with a hash: one of those that are given, or one in a folder under its name.
const findIn = (folders) => ({ file, sha256 }) => {
  for (const place of folders) {
    const path = statSync(place, { throwIfNoEntry: false })?.isDirectory() ? join(place, file) : place;
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) continue;
    const bytes = readFileSync(path);
    if (createHash("sha256").update(bytes).digest("hex") === sha256) return bytes;
  }
  return null;
};

const asLine = (file, verdict) => JSON.stringify({ schema: "rankproof/verdict/1", file, ...verdict });

async function batch() {
  let number = 0;
  for await (const line of createInterface({ input: process.stdin })) {
    process.stdout.write(`${asLine(String(number), verify(Buffer.from(line, "base64"), accepted, findIn(places)))}\n`);
    number += 1;
  }
}

function main(files, json) {
  if (!files.length) {
    console.error("usage: node cli.mjs [--json] FILE... | node cli.mjs --batch");
    return 2;
  }
  const statuses = new Set();
  for (const file of files) {
    const verdict = verdictOn(file);
    statuses.add(verdict.exit);
    if (json) console.log(asLine(file, verdict));
    else console.log(`${verdict.verdict}  ${file}  ${verdict.code ? `${verdict.code} at ${verdict.pointer || "/"}: ${verdict.message}` : verdict.claim}`);
  }
  return WORST_FIRST.find((status) => statuses.has(status)) ?? 0;
}

if (words.includes("--batch")) await batch();
else process.exitCode = main(words.filter((word) => !word.startsWith("--")), words.includes("--json"));
