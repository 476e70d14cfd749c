"""Rule ``division-algebra``: a tensor that is the product of a real division algebra that does not commute (quaternions)."""

from __future__ import annotations

from typing import Any

from ..claims import AT_LEAST, RANK, Claim
from ..quadratic import diagonalise_exact
from ..reading import keys
from ..refusal import Rejected
from .alder_strassen import Products, Span, Units, Vector, algebra, read_units, read_vector
from .over import field_refused
from .rule import Context, Rule


def read(witness: Any, context: Context) -> tuple[Units, Vector]:
    order, left, right, trace = keys(witness, context.witness(), ("factors", "left", "right", "trace"))
    return read_units(order, left, right, context), read_vector(trace, context.witness("trace"), context)


def derive(data: tuple[Units, Vector], context: Context) -> Claim:
    units, trace = data
    ring = context.target.ring
    if context.over != "RR" or ring.number_field is not None or ring.prime:
        raise field_refused(context, "RR, for rational coefficients,")
    products, one = algebra(units, context, ring)
    n = len(one)
    if all(products[i][j] == products[j][i] for i in range(n) for j in range(i)):
        raise Rejected("commutative", context.pointer, "the algebra is commutative")
    diagonal: list[Any] = diagonalise_exact(norm(trace, products, one, context))
    if len(diagonal) < n or min(diagonal) <= 0:
        raise Rejected("not-definite", context.witness("trace"), "x (t(x) - x) is no positive definite form")
    return Claim(RANK, "product", context.over, AT_LEAST, 2 * n)


def norm(trace: Vector, products: Products, one: Vector, context: Context) -> list[Vector]:
    """Twice the form N with x (t(x) - x) = N(x) one: an x with N(x) not zero has an inverse."""
    n = len(one)
    line = Span(context.target.ring, [one])
    form: list[Vector] = []
    for i in range(n):
        form.append([])
        for j in range(n):
            value = [-x - y for x, y in zip(products[i][j], products[j][i], strict=True)]
            value[i] += trace[j]
            value[j] += trace[i]
            rest, times = line.reduced(value)
            if any(x != 0 for x in rest):
                raise Rejected(
                    "not-a-trace",
                    context.witness("trace"),
                    f"basis elements {i} and {j} give no multiple of one",
                )
            form[i].append(times[0])
    return form


RULE = Rule(read, derive)
