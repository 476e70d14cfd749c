// node cli.mjs [--json] [--accept-theorem NAME] [--] FILE...: the verdicts and exit statuses of rankproof verify, by the second verifier.

import { readFileSync } from "node:fs";
import { verify } from "./kernel.mjs";

const WORST_FIRST = [70, 1, 3, 4, 5, 0];

function verdictOn(path) {
  let bytes;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    return { verdict: "UNREADABLE", exit: 3, code: "no-file", pointer: "", message: error.message, conclusion: [], claim: "", sha256: "" };
  }
  try {
    return verify(bytes, accepted);
  } catch (error) {
    const message = `${error.name}: ${error.message}; this is a bug in the verifier and proves nothing`;
    return { verdict: "ERROR", exit: 70, code: "internal", pointer: "", message, conclusion: [], claim: "", sha256: "" };
  }
}

const accepted = [];
const words = process.argv.slice(2).filter((word, i, all) => {
  if (word.startsWith("--accept-theorem=")) accepted.push(word.slice("--accept-theorem=".length));
  else if (all[i - 1] === "--accept-theorem") accepted.push(word);
  else return word !== "--accept-theorem";
  return false;
});
const json = words.includes("--json");
const files = words.filter((word) => !word.startsWith("--"));
if (!files.length) {
  console.error("usage: node cli.mjs [--json] FILE...");
  process.exit(2);
}
const statuses = new Set();
for (const file of files) {
  const verdict = verdictOn(file);
  statuses.add(verdict.exit);
  if (json) console.log(JSON.stringify({ schema: "rankproof/verdict/1", file, ...verdict }));
  else console.log(`${verdict.verdict}  ${file}  ${verdict.code ? `${verdict.code} at ${verdict.pointer || "/"}: ${verdict.message}` : verdict.claim}`);
}
process.exitCode = WORST_FIRST.find((status) => statuses.has(status)) ?? 0;
