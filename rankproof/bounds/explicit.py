"""From explicit units to bounds: normal forms of linear forms, merging, and the exact check of every decomposition."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Any, cast

from rankproof.bounds.method import Bound
from rankproof.certificate.claim import Claim
from rankproof.certificate.encoding import decode_decomposition, encode_decomposition, encode_scalar
from rankproof.errors import SelfCheckFailed
from rankproof.exact.contraction import contraction
from rankproof.exact.flattening import denominators_of, prime_with_root, residue
from rankproof.exact.matrix_factorisation import rank_factorisation
from rankproof.problem.decomposition import BorderFamily, Decomposition, ExactUnit, FamilyUnit
from rankproof.problem.field import CC, QQ, RR, Algebraic, Field, Scalar, gf
from rankproof.problem.space import Word
from rankproof.problem.target import Target

Vector = tuple[Scalar, ...]

WORTH_REDUCING = 1_000
"""Units times coefficients of the target from which a sum over a number field is checked modulo a prime only."""


def direction(vector: Sequence[Scalar], ring: Field) -> tuple[Vector, Scalar]:
    """The representative of a vector up to scale, and c with vector = c * representative.

    Rational vectors become coprime integers, the first of them positive; over other fields the first non-zero coordinate is 1.

    Examples
    --------
    >>> from rankproof.problem.field import QQ
    >>> direction((0, Fraction(-2, 3), 4), QQ)
    ((0, 1, -6), Fraction(-2, 3))
    """
    if not ring.characteristic and set(map(type, vector)) == {int}:
        # Nearly all vectors: no fractions are made.
        whole = cast(Sequence[int], vector)
        content = gcd(*whole) * (1 if next(x for x in whole if x) > 0 else -1)
        return tuple(x // content for x in whole), content
    reduced = [ring.reduce(x) for x in vector]
    first = next(x for x in reduced if x)
    if ring.characteristic or any(isinstance(x, Algebraic) for x in reduced):
        inverse = ring.inverse(first)
        return tuple(ring.reduce(x * inverse) for x in reduced), first
    rationals = [Fraction(x) for x in reduced]  # type: ignore[arg-type]
    denominator = lcm(*(x.denominator for x in rationals))
    integers = [int(x * denominator) for x in rationals]
    content = gcd(*integers) * (1 if first > 0 else -1)  # type: ignore[operator]
    return tuple(x // content for x in integers), ring.reduce(Fraction(content, denominator))


class MergedUnits:
    """Units collected by their forms: proportional forms are one entry, and its weights are added.

    Parameters
    ----------
    ring
        Exact field of the coordinates.
    powers
        The powers of the forms: (d,) for tied units, (d - k, k) for mixed ones.
    outputs
        Length of the weight vectors.
    """

    def __init__(self, ring: Field, powers: Sequence[int], outputs: int) -> None:
        self.ring, self.powers, self.outputs = ring, tuple(powers), outputs
        self._weights: dict[tuple[Vector, ...], list[Scalar]] = {}

    def add(self, forms: Sequence[Sequence[Scalar]], weights: Sequence[Scalar], factor: Scalar = 1) -> None:
        """Add factor * weights * product of the powers of the forms."""
        scale: Scalar = factor
        normal: list[Vector] = []
        for form, power in zip(forms, self.powers, strict=True):
            if not any(self.ring.reduce(x) for x in form):
                return
            vector, c = direction(form, self.ring)
            normal.append(vector)
            scale = self.ring.reduce(scale * c**power)
        total = self._weights.setdefault(tuple(normal), [0] * self.outputs)
        for j, w in enumerate(weights):
            if w:
                total[j] = self.ring.reduce(total[j] + scale * w)

    def has(self, forms: Sequence[Sequence[Scalar]]) -> bool:
        """Whether units with these forms, up to scale, are present already."""
        return tuple(direction(form, self.ring)[0] for form in forms) in self._weights

    def units(self) -> list[ExactUnit]:
        """One unit for every entry whose weights did not cancel."""
        return [(*forms, tuple(w)) for forms, w in self._weights.items() if any(w)]


class Detectors:
    """Untied units collected by their detector a: the sum of all w (x) b with one a is a matrix, whose rank counts.

    Parameters
    ----------
    ring
        Exact field of the coordinates.
    degree
        Degree d of a^(d-1) b.
    """

    def __init__(self, ring: Field, degree: int) -> None:
        self.ring, self.degree = ring, degree
        self._values: dict[Vector, dict[int, dict[int, Scalar]]] = {}

    def __len__(self) -> int:
        return len(self._values)

    def __contains__(self, a: Sequence[Scalar]) -> bool:
        return direction(a, self.ring)[0] in self._values

    def add(
        self, a: Sequence[Scalar], b: Sequence[Scalar], weights: Sequence[Scalar], factor: Scalar = 1
    ) -> None:
        """Add factor * weights * a^(d-1) * b."""
        vector, c = direction(a, self.ring)
        scale = self.ring.reduce(factor * c ** (self.degree - 1))
        matrix = self._values.setdefault(vector, {})
        for i, x in enumerate(b):
            for j, w in enumerate(weights):
                if x and w:
                    row = matrix.setdefault(i, {})
                    row[j] = self.ring.reduce(row.get(j, 0) + scale * x * w)

    def units(self, variables: int, outputs: int) -> list[ExactUnit]:
        """For every detector as many units as the rank of its matrix of values."""
        found: list[ExactUnit] = []
        for a, matrix in self._values.items():
            rows = {i: kept for i, row in matrix.items() if (kept := {j: x for j, x in row.items() if x})}
            for b, w in rank_factorisation(rows, self.ring):
                found.append((a, dense(b, variables), dense(w, outputs)))
        return found


def known_decompositions(known: Iterable[Bound], units_model: str, ring: Field) -> list[Decomposition]:
    """Explicit decompositions among the bounds, shortest first, into these units over this ring."""
    found = [
        decode_decomposition(bound.witness, units_model, [ring.number_field] if ring.number_field else [])
        for bound in known
        if bound.rule == "decomposition" and bound.claim.units == units_model and bound.claim.over == ring
    ]
    return sorted((f for f in found if isinstance(f, Decomposition)), key=len)


def explicit_decompositions(bounds: Iterable[Bound]) -> list[Decomposition]:
    """The decompositions among bounds, whatever their units and rings."""
    found = [
        decode_decomposition(b.witness, b.claim.units, [f] if (f := b.claim.over.number_field) else [])
        for b in bounds
        if b.rule == "decomposition"
    ]
    return [f for f in found if isinstance(f, Decomposition)]


def explicit_families(bounds: Iterable[Bound]) -> list[BorderFamily]:
    """The border families among bounds, whatever their units and rings."""
    found = [
        decode_decomposition(b.witness, b.claim.units, [f] if (f := b.claim.over.number_field) else [])
        for b in bounds
        if b.rule == "border-family"
    ]
    return [f for f in found if isinstance(f, BorderFamily)]


def known_forms(known: Iterable[Bound], units_model: str, ring: Field) -> list[Vector]:
    """First forms of the units of the known decompositions, up to scale."""
    found = known_decompositions(known, units_model, ring)
    return list(dict.fromkeys(direction(unit[0], ring)[0] for f in found for unit in f.units))


def dense(sparse: dict[int, Scalar], length: int) -> Vector:
    """Vector with the given non-zero coordinates."""
    return tuple(sparse.get(i, 0) for i in range(length))


def coordinate_vector(i: int, length: int) -> tuple[int, ...]:
    """The vector with 1 at place i and 0 elsewhere."""
    return tuple(int(k == i) for k in range(length))


def decomposition_bound(
    target: Target, units_model: str, ring: Field, units: Iterable[ExactUnit], reason: str = ""
) -> Bound:
    """Upper bound from explicit units, after a check that they sum to the target: exact, or for long sums modulo a prime.

    Raises
    ------
    SelfCheckFailed
        If they do not: the method that made them is at fault.
    """
    found = Decomposition.of(units_model, list(units), ring)
    if rest := _residual(found, target):
        word, c = min(rest.items())
        raise SelfCheckFailed(
            f"a decomposition into {units_model} units misses {target.text} by {c} at {list(word)}"
        )
    claim = Claim("rank", units_model, ring, "<=", len(found))
    return Bound(
        claim, "decomposition", encode_decomposition(found), reason or explicit_reason(target, len(found))
    )


def _residual(found: Decomposition, target: Target) -> dict[Word, Scalar]:
    """What is left of the target; over QQ some multiple of it, because integers are several times faster than fractions."""
    if found.ring.number_field is not None and _agrees_modulo_a_prime(found, target):
        return {}
    last = [x for unit in found.units for x in unit[-1]]
    if found.ring != QQ or target.ring != QQ or not all(isinstance(x, int | Fraction) for x in last):
        return found.residual(target)
    # Every unit is linear in its last vector, and so is the sum in all of them together.
    common = lcm(*(Fraction(x).denominator for x in last))  # type: ignore[arg-type]
    scaled = [(*unit[:-1], tuple(x * common for x in unit[-1])) for unit in found.units]
    entries = {word: c * common for word, c in target.entries}
    # The text of the target is kept: the coefficients of the multiple may be too long to print.
    multiple = Target.from_entries(target.space, entries, QQ, target.variables, text=target.text)
    return Decomposition.of(found.units_model, scaled, QQ).residual(multiple)


def _agrees_modulo_a_prime(found: Decomposition, target: Target) -> bool:
    """Whether a long sum over a number field is the target at a root modulo a prime; the verifier computes it exactly."""
    if len(found) * target.space.dimension < WORTH_REDUCING:
        return False
    coordinates = [x for unit in found.units for vector in unit for x in vector]
    numbers = [*coordinates, *(c for _, c in target.entries)]
    p, root = prime_with_root(found.ring.number_field, {q for x in numbers for q in denominators_of(x)})
    units = [tuple(tuple(residue(x, p, root) for x in vector) for vector in unit) for unit in found.units]
    entries = {word: residue(c, p, root) for word, c in target.entries}
    reduced = Target.from_entries(target.space, entries, gf(p), target.variables, text=target.text)
    return not Decomposition.of(found.units_model, units, gf(p)).residual(reduced)


def family_bound(
    target: Target, units_model: str, ring: Field, order: int, units: Sequence[FamilyUnit], reason: str
) -> Bound:
    """Upper bound on a border rank from explicit units in eps, after an exact check.

    Raises
    ------
    SelfCheckFailed
        If the units do not degenerate to the target.
    """
    found = BorderFamily(units_model, ring, order, tuple(units))
    if rest := found.residual(target):
        word, c = min(rest.items())
        raise SelfCheckFailed(
            f"a border family of {units_model} units misses {target.text} by {c} at {list(word)}"
        )
    claim = Claim("border_rank", units_model, ring, "<=", len(found))
    return Bound(claim, "border-family", encode_decomposition(found), reason)


def near_bound(
    target: Target, units_model: str, field: Field, units: Sequence[Sequence[Sequence[complex]]]
) -> Bound | None:
    """Upper bound over RR or CC from approximate units near which there are exact ones; None when none are seen to be there."""
    if target.ring != QQ or field not in (RR, CC):
        return None
    powers = () if units_model == "product" else unit_powers(units_model, target.space.form_degree)
    box = contraction(target, powers, units)
    if box is None:
        return None

    def written(x: Any) -> Any:
        return [encode_scalar(y) for y in x] if isinstance(x, tuple) else encode_scalar(x)

    witness = {
        "bits": box.bits,
        "units": [[[written(x) for x in vector] for vector in unit] for unit in box.units],
        "free": [list(place) for place in box.free],
        "radius": encode_scalar(box.radius),
    }
    claim = Claim("rank", units_model, field, "<=", len(box.units))
    kind = "complex" if field == CC else "real"
    return Bound(claim, "real-solution", witness, f"{len(box.units)} {kind} units near approximate ones")


def unit_powers(units_model: str, degree: int) -> tuple[int, ...]:
    """Exponents of the linear forms of a polynomial unit."""
    if units_model == "split":
        return (1,) * degree
    k = (
        {"tied": 0, "untied": 1}.get(units_model)
        if ":" not in units_model
        else int(units_model.partition(":")[2])
    )
    return (degree - k, k) if k else (degree,)


def explicit_reason(target: Target, count: int) -> str:
    """What is said of an explicit decomposition: the target itself, or how many units it has."""
    return f"{target.text} itself" if count == 1 else f"an explicit sum of {count} units"
