// docs/rules/nonzero.md

import { keys } from "../reading.mjs";
import { ringOfLowerBound } from "./over.mjs";

export const nonzero = {
  read: (witness, context) => keys(witness, context.witness(), []),
  derive(_, context) {
    context.target.over(ringOfLowerBound(context));
    return context.claim("border_rank", ">=", 1);
  },
};
