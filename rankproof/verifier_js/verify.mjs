// The second verifier: verify(certificate) -> verdict. Nothing in this folder but cli.mjs needs Node.
//
// To put it into one classic script for a page, which may not load modules from a disk: the modules import one another by relative
// paths, in no circle, by named imports alone, and export only declarations. Names of different modules may be equal. So every module
// becomes the body of a function that is called once and returns its exports, those that it imports first.

import { verify as verifyBytes } from "./kernel.mjs";

// `certificate`: a string, or the bytes as a Uint8Array. `accepted`: names of published theorems taken as axioms. `weights`: a function
// that is given the description of the file that a block target asks for, and returns its bytes or null. The answer is an object of plain values: `verdict` (VERIFIED, CONDITIONAL,
// REJECTED, UNREADABLE, UNDECIDED or ERROR), `exit` (the exit status of `rankproof verify`), `code`, `pointer`, `message`,
// `conclusion`, `theorems`, `claim` (the claim hash), `sha256`.
export function verify(certificate, accepted = [], weights = () => null) {
  const bytes = typeof certificate === "string" ? new TextEncoder().encode(certificate) : certificate;
  try {
    return verifyBytes(bytes, accepted, weights);
  } catch (error) {
    const message = `${error.name}: ${error.message}; this is a bug in the verifier and proves nothing`;
    return { verdict: "ERROR", exit: 70, code: "internal", pointer: "", message, conclusion: [], theorems: [], claim: "", sha256: "" };
  }
}
