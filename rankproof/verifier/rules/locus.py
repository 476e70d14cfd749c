"""Rule ``locus``: common zeros of the higher partial derivatives bound the number of detectors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .. import limits
from ..claims import AT_LEAST, BORDER, Claim
from ..forms import Polynomial, check_no_common_zero, derivatives, outputs, read_form
from ..reading import integer, keys, sequence
from ..refusal import Rejected, Unreadable
from ..targets import factor_dimension
from ..units import check_operations
from .flattening import image_modulo, read_prime
from .over import ring_of_lower_bound
from .rule import Context, Rule


@dataclass(frozen=True)
class Section:
    """Linear forms to add, the degree in which everything is spanned, and the prime (with the image of a)."""

    added: list[Polynomial]
    degree: int
    prime: int
    root: int | None


def read(witness: Any, context: Context) -> Section:
    nodes, degree, prime, root = keys(witness, context.witness(), ("added", "degree", "prime"), ("root",))
    if not context.units.powers:
        raise Unreadable("units-do-not-fit", f"{context.pointer}/claim/units", "the rule is about forms and maps")
    n = context.target.space.variables
    added: list[Polynomial] = []
    for i, node in enumerate(sequence(nodes, context.witness("added"), most=n)):
        added.append(read_form(node, context.witness("added", i), n, 1, context.target.ring))
    integer(degree, context.witness("degree"), 1, limits.DEGREE)
    prime, root = read_prime(prime, root, context)
    return Section(added, degree, prime, root)


def derive(section: Section, context: Context) -> Claim:
    ring = ring_of_lower_bound(context)
    if ring.prime and ring.prime != section.prime:
        raise Rejected("prime", context.witness("prime"), f"over {ring.name} the prime is {ring.prime}")
    target = context.target.over(ring)
    n, d = target.space.variables, target.space.form_degree
    order = order_of_partials(context)
    check_operations(
        factor_dimension(n, order) * len(target.entries) * d, limits.OPERATIONS, context.pointer
    )
    partials: list[Polynomial] = []
    for row in derivatives(outputs(target), order):
        by_output: dict[int, Polynomial] = {}
        for (output, word), value in row.items():
            by_output.setdefault(output, {})[word] = value
        partials.extend(by_output.values())
    forms = [*partials, *section.added]
    degrees = [d - order] * len(partials) + [1] * len(section.added)
    images = [image_modulo(form, ring, section.prime, section.root, context) for form in forms]
    check_no_common_zero(images, degrees, n, section.degree, section.prime, context.witness("degree"))
    return Claim(BORDER, context.units.name, context.over, AT_LEAST, n - len(section.added))


def order_of_partials(context: Context) -> int:
    """Order of the partial derivatives all of which a unit makes a multiple of its detector."""
    name, d = context.units.name, context.target.space.form_degree
    if name == "split":
        return 0
    # w a^(d-k) b^k: after d-k-1 derivatives a factor a is left.
    k = {"tied": 0, "untied": 1}.get(name, context.units.powers[-1])
    if d < k + 1:
        raise Rejected("hypothesis", context.pointer, f"{name} units need degree at least {k + 1} here")
    return d - k - 1


RULE = Rule(read, derive)
