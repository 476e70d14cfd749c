// The rules, by name.

import { borderFamily, decomposition } from "./decomposition.mjs";
import { flattening } from "./flattening.mjs";
import { nonzero } from "./nonzero.mjs";

export const RULES = new Map(Object.entries({
  nonzero,
  decomposition,
  "border-family": borderFamily,
  flattening,
}));
