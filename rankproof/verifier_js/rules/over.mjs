// The field a rule concludes over, checked against the ring of the target.

import { rejected } from "../refusal.mjs";
import { finiteField } from "../targets.mjs";

export const fieldRefused = (context) =>
  rejected("field", `${context.pointer}/claim/over`, `for a target over ${context.target.ring.name} this rule does not conclude over ${context.over}`);

// The ring in which to compute for a bound over CC (that of the target) or over GF(p).
export function ringOfLowerBound(context) {
  const { ring } = context.target;
  if (context.over === "CC" && !ring.prime) return ring;
  const finite = finiteField(context.over);
  if (finite !== null && (ring.name === "QQ" || ring.name === finite.name)) return finite;
  throw fieldRefused(context);
}
