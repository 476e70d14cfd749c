"""What one unit is: its vectors, and the polynomial or tensor it stands for.

A unit is a list of vectors: for forms and maps the linear forms and then the weights of the outputs, for tensors one
vector a factor. Coordinates may be rationals, algebraic numbers or Laurent polynomials: expansion only adds and
multiplies.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import comb
from typing import Any, Callable, Sequence

from .reading import show
from .refusal import Undecided, Unreadable
from .targets import Space, Word

Vector = Sequence[Any]

_MIXED = re.compile(r"mixed:([1-9][0-9]{0,2})")


@dataclass(frozen=True)
class Units:
    """A unit model on forms of one degree d, or on tensors.

    ``powers`` are the exponents of the linear forms: a^d is (d,), a^(d-1) b is (d-1, 1), l1...ld is (1, ..., 1).
    It is empty for ``product`` units.
    """

    name: str
    powers: tuple[int, ...]

    def lengths(self, space: Space) -> list[int]:
        """Length of every vector of a unit."""
        if not self.powers:
            return [dimension for dimension, _ in space.factors]
        return [space.variables] * len(self.powers) + [space.outputs]

    def add(self, vectors: Sequence[Vector], space: Space, total: dict[Word, Any]) -> None:
        """Add one unit to a sum given by its coefficients."""
        if not self.powers:
            _add_outer_product(vectors, total)
            return
        form: dict[Word, Any] = {(): 1}
        for vector, power in zip(vectors, self.powers):
            support = [(i, x) for i, x in enumerate(vector) if x != 0]
            for _ in range(power):
                form = _times(form, support)
        if len(space.factors) == 1:
            _accumulate(total, form, vectors[-1][0], ())
            return
        for output, weight in enumerate(vectors[-1]):
            _accumulate(total, form, weight, (output,))

    def operations(self, vectors: Sequence[Vector]) -> int:
        """Estimate of the multiplications needed to expand one unit."""
        sizes = [sum(1 for x in vector if x != 0) for vector in vectors]
        if not self.powers:
            product = 1
            for size in sizes:
                product *= size
            return product
        joint = len({i for vector in vectors[:-1] for i, x in enumerate(vector) if x != 0})
        degree = sum(self.powers)
        return (comb(joint + degree - 1, degree) if joint else 1) * (joint + sizes[-1] + 1)


def _add_outer_product(vectors: Sequence[Vector], total: dict[Word, Any]) -> None:
    partial: list[tuple[Word, Any]] = [((), 1)]
    for vector in vectors[:-1]:
        support = [((i,), x) for i, x in enumerate(vector) if x != 0]
        partial = [(word + index, value * x) for word, value in partial for index, x in support]
    last = [((i,), x) for i, x in enumerate(vectors[-1]) if x != 0]
    for word, value in partial:
        for index, x in last:
            key = word + index
            total[key] = total.get(key, 0) + value * x


def _times(form: dict[Word, Any], linear: list[tuple[int, Any]]) -> dict[Word, Any]:
    product: dict[Word, Any] = {}
    for word, value in form.items():
        for variable, x in linear:
            key = tuple(sorted((*word, variable)))
            product[key] = product.get(key, 0) + value * x
    return product


def _accumulate(total: dict[Word, Any], form: dict[Word, Any], weight: Any, output: Word) -> None:
    if weight != 0:
        for word, value in form.items():
            key = word + output
            total[key] = total.get(key, 0) + weight * value


def read_units(name: str, pointer: str, space: Space) -> Units:
    """The unit model of this name on this space, or a refusal."""
    mixed = _MIXED.fullmatch(name)
    if name not in ("tied", "untied", "split", "product") and mixed is None:
        raise Unreadable("unknown-units", pointer, f"no units are named {show(name)}")
    if name == "product":
        if not space.is_tensor:
            raise Unreadable("units-do-not-fit", pointer, "product units need a tensor: every power is 1")
        return Units(name, ())
    if not space.is_polynomial:
        raise Unreadable("units-do-not-fit", pointer, f"{name} units need a form or a polynomial map")
    d = space.form_degree
    if mixed is not None:
        k = int(mixed[1])
        if 2 * k > d:
            raise Unreadable("units-do-not-fit", pointer, f"mixed:{k} needs degree at least {2 * k}; it is {d}")
        return Units(name, (d - k, k))
    powers: dict[str, Callable[[], tuple[int, ...]]] = {
        "tied": lambda: (d,),
        "untied": lambda: (d - 1, 1),
        "split": lambda: (1,) * d,
    }
    return Units(name, powers[name]())


def check_operations(operations: int, limit: int, pointer: str) -> None:
    """Refuse work beyond the declared limit before it is begun."""
    if operations > limit:
        raise Undecided("limit-operations", pointer, f"about {operations} operations; at most {limit}")
