// The rules, by name.

import { alderStrassen } from "./alder_strassen.mjs";
import { apolarLength, definiteApolar, locus, tBound } from "./apolarity.mjs";
import { binary } from "./binary.mjs";
import { borderApolarity } from "./border_apolarity.mjs";
import { borderFamily, decomposition } from "./decomposition.mjs";
import { cover } from "./cover.mjs";
import { divisionAlgebra } from "./division_algebra.mjs";
import { droppedSlices } from "./dropped_slices.mjs";
import { flattening } from "./flattening.mjs";
import { OTHERS, restriction, sumOfParts } from "./images.mjs";
import { floor } from "./floor.mjs";
import { independentCombination } from "./independent_combination.mjs";
import { inertia, inertiaFloor } from "./inertia.mjs";
import { koszul } from "./koszul.mjs";
import { kruskal } from "./kruskal.mjs";
import { landsbergTeitler, landsbergTeitlerTwice } from "./landsberg_teitler.mjs";
import { nonzero } from "./nonzero.mjs";
import { outputSubstitution } from "./output_substitution.mjs";
import { pencil } from "./pencil.mjs";
import { quadric } from "./quadric.mjs";
import { realPlaneCubic } from "./real_plane_cubic.mjs";
import { realSolution } from "./real_solution.mjs";
import { signature } from "./signature.mjs";
import { coprimeMonomials, hessianAtAZero } from "./simple.mjs";
import { sizeFloor } from "./size_floor.mjs";
import { substitution } from "./substitution.mjs";
import { tangent } from "./tangent.mjs";
import { apolarForm, conjugateUnits, kroneckerForm } from "./upper.mjs";

export const RULES = new Map(Object.entries({
  nonzero,
  decomposition,
  "border-family": borderFamily,
  "conjugate-units": conjugateUnits,
  "apolar-form": apolarForm,
  "kronecker-form": kroneckerForm,
  "real-solution": realSolution,
  flattening,
  koszul,
  quadric,
  inertia,
  signature,
  "hessian-at-a-zero": hessianAtAZero,
  locus,
  binary,
  "apolar-length": apolarLength,
  "definite-apolar": definiteApolar,
  "t-bound": tBound,
  "coprime-monomials": coprimeMonomials,
  "landsberg-teitler": landsbergTeitler,
  "landsberg-teitler-twice": landsbergTeitlerTwice,
  "division-algebra": divisionAlgebra,
  "dropped-slices": droppedSlices,
  "alder-strassen": alderStrassen,
  cover,
  "border-apolarity": borderApolarity,
  kruskal,
  pencil,
  "independent-combination": independentCombination,
  substitution,
  "output-substitution": outputSubstitution,
  tangent,
  "real-plane-cubic": realPlaneCubic,
}));

// What another rule says about an image may not rest on premises or on a published theorem.
for (const [name, rule] of RULES) if (!rule.premises && !rule.theorems) OTHERS.set(name, rule);
RULES.set("floor", floor);
RULES.set("inertia-floor", inertiaFloor);
RULES.set("size-floor", sizeFloor);
RULES.set("restriction", restriction);
RULES.set("sum-of-parts", sumOfParts);
