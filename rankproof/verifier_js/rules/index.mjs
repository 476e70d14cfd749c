// The rules, by name.

import { apolarLength, definiteApolar, locus, tBound } from "./apolarity.mjs";
import { borderFamily, decomposition } from "./decomposition.mjs";
import { droppedSlices } from "./dropped_slices.mjs";
import { flattening } from "./flattening.mjs";
import { OTHERS, restriction, sumOfParts } from "./images.mjs";
import { koszul } from "./koszul.mjs";
import { nonzero } from "./nonzero.mjs";
import { quadric } from "./quadric.mjs";
import { signature } from "./signature.mjs";
import { coprimeMonomials, hessianAtAZero } from "./simple.mjs";
import { apolarForm, conjugateUnits, kroneckerForm } from "./upper.mjs";

export const RULES = new Map(Object.entries({
  nonzero,
  decomposition,
  "border-family": borderFamily,
  "conjugate-units": conjugateUnits,
  "apolar-form": apolarForm,
  "kronecker-form": kroneckerForm,
  flattening,
  koszul,
  quadric,
  signature,
  "hessian-at-a-zero": hessianAtAZero,
  locus,
  "apolar-length": apolarLength,
  "definite-apolar": definiteApolar,
  "t-bound": tBound,
  "coprime-monomials": coprimeMonomials,
  "dropped-slices": droppedSlices,
}));

for (const [name, rule] of RULES) OTHERS.set(name, rule);
RULES.set("restriction", restriction);
RULES.set("sum-of-parts", sumOfParts);
