// docs/rules/division-algebra.md

import { diagonal } from "../linear.mjs";
import { add, inverse, isZero, multiply, negate, sign, subtract } from "../numbers.mjs";
import { keys } from "../reading.mjs";
import { Work, rejected } from "../refusal.mjs";
import { associativeAlgebra, readUnits } from "./alder_strassen.mjs";
import { fieldRefused } from "./over.mjs";

export const divisionAlgebra = {
  read(witness, context) {
    const [order, left, right, trace] = keys(witness, context.witness(), ["factors", "left", "right", "trace"]);
    const units = readUnits(order, left, right, context);
    return { ...units, trace: units.vector(trace, context.witness("trace")) };
  },
  derive(data, context) {
    const { n, trace } = data;
    if (context.over !== "RR" || context.target.ring.name !== "QQ") throw fieldRefused(context);
    const { product, space } = associativeAlgebra(data, context);
    const indices = [...Array(n).keys()];
    if (indices.every((i) => indices.every((j) => space.same(product.basis(i, j), product.basis(j, i))))) {
      throw rejected("commutative", context.pointer, "the algebra is commutative");
    }
    const here = context.witness("trace");
    const place = product.one.findIndex((x) => !isZero(x));
    // t(y) x + t(x) y - xy - yx for two basis elements: this number times one.
    const number = (i, j) => {
      const value = product.basis(i, j).map((x, k) => negate(add(x, product.basis(j, i)[k])));
      value[i] = add(value[i], trace[j]);
      value[j] = add(value[j], trace[i]);
      const times = multiply(value[place], inverse(product.one[place]));
      if (value.some((x, k) => !isZero(subtract(x, multiply(times, product.one[k]))))) {
        throw rejected("not-a-trace", here, `basis elements ${i} and ${j} give no multiple of one`);
      }
      return times;
    };
    const squares = diagonal(indices.map((i) => indices.map((j) => number(i, j))), new Work(here));
    if (squares.length < n || squares.some((x) => sign(x) <= 0)) {
      throw rejected("not-definite", here, "the form is not positive definite");
    }
    return context.claim("rank", ">=", 2 * n);
  },
};
