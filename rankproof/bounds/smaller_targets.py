"""Bounds carried from smaller targets to a target: from its essential variables, and from parts without common variables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from rankproof.bounds.combine import Known
from rankproof.bounds.explicit import decomposition_bound, family_bound
from rankproof.bounds.method import Bound
from rankproof.certificate.claim import Claim, implied
from rankproof.certificate.encoding import decode_decomposition, decode_scalar, encode_scalar
from rankproof.exact.linear_image import Matrix, Reduction, is_matrix, restricted
from rankproof.problem.decomposition import BorderFamily, Decomposition, FamilyUnit
from rankproof.problem.field import QQ, Field, Scalar
from rankproof.problem.laurent import Laurent, as_laurent
from rankproof.problem.question import Quantity, Question
from rankproof.problem.target import Target

EXPLICIT = ("decomposition", "border-family")

COORDINATE_FREE = ("nonzero", "quadric", "flattening")
"""Rules whose witness, unless it names rows and columns, means the same for a target in its essential variables."""

NAMED = ("coprime-monomials",)
"""Rules that rest on a theorem, which no other rule may use: they carry over when variables are only left out."""


def independent_parts(target: Target) -> list[Reduction]:
    """The parts of a target without common variables, or of a tensor without common letters; none when there is one.

    A part of a map keeps the outputs in which it occurs.

    Examples
    --------
    >>> from rankproof.problem.parse import read_targets
    >>> [part.image.text for part in independent_parts(read_targets("x**2*y + z**3 + x*w**2")[0])]
    ['w**2*x + x**2*y', 'z**3']
    """
    factors = target.space.factors
    owners = [i for i, (_, power) in enumerate(factors) for _ in range(power)]
    if is_matrix(target):
        return []
    linking = range(len(factors)) if target.space.is_tensor else range(1)
    leader = {(i, x): (i, x) for i in linking for x in range(factors[i][0])}

    def find(letter: tuple[int, int]) -> tuple[int, int]:
        while leader[letter] != letter:
            leader[letter] = leader[leader[letter]]
            letter = leader[letter]
        return letter

    words = [list(zip(owners, word, strict=True)) for word, _ in target.entries]
    for word in words:
        first, *others = [letter for letter in word if letter[0] in linking]
        for letter in others:
            leader[find(letter)] = find(first)
    parts: dict[tuple[int, int], set[tuple[int, int]]] = {}
    for word in words:
        parts.setdefault(find(word[0]), set()).update(word)
    if len(parts) < 2:
        return []
    kept = [
        [sorted(x for j, x in letters if j == i) for i in range(len(factors))] for letters in parts.values()
    ]
    return [restricted(target, letters) for letters in sorted(kept)]


def carried(bound: Bound, reduction: Reduction) -> Bound | None:
    """What a bound about the image says about the target that the image is equivalent to; None when it cannot be carried."""
    size = reduction.image.space.factors[0][0]
    place = f"in {size} essential variable{'s' * (size > 1)}" if reduction.target.space.is_polynomial else ""
    reason = f"{bound.reason}, {place}" if place else bound.reason
    if bound.rule in EXPLICIT:
        return _pulled_back([(bound, reduction)], bound.claim.units, reduction.target, bound.reason)
    same = len(reduction.image.space.factors) == len(reduction.target.space.factors)
    if bound.rule in NAMED:
        return bound if same and _is_selection(reduction) else None
    if same and bound.rule in COORDINATE_FREE and "rows" not in bound.witness:
        return bound
    if bound.claim.relation == ">=":
        return Bound(bound.claim, "restriction", _restriction(bound, reduction), reason)
    parts = [_composed(part, reduction) for part in _as_parts(bound, None, reduction.image.ring)]
    return Bound(bound.claim, "sum-of-parts", {"parts": parts}, reason)


def lower_bound_by_part(bound: Bound, part: Reduction) -> Bound:
    """A lower bound about one part bounds the whole target: the other variables are set to zero."""
    reason = f"{bound.reason}, for {part.image.text} alone"
    return Bound(bound.claim, "restriction", _restriction(bound, part), reason)


def upper_bound_by_parts(
    target: Target, question: Question, parts: Sequence[tuple[Reduction, Known]]
) -> Bound | None:
    """The sum of the best upper bounds of the parts; None when one has none, or nothing expresses their sum."""
    best: list[tuple[Bound, Reduction]] = []
    for part, known in parts:
        _, bound = known.upper(question)
        if bound is None:
            return None
        best.append((bound, part))
    if all(bound.rule in EXPLICIT and _fits(bound, question.units) for bound, _ in best):
        rings = {bound.claim.over for bound, _ in best} - {QQ}
        if len(rings) <= 1:
            return _pulled_back(best, question.units, target, "")
    claims = [bound.claim for bound, _ in best]
    if any(claim.over.number_field and claim.over != question.field for claim in claims):
        return None
    # What the rule derives: a rank when all parts have one.
    values = [implied(claim, replace(question, quantity="rank"), target) for claim in claims]
    quantity: Quantity = "rank"
    if None in values:
        quantity = "border_rank"
        values = [implied(claim, replace(question, quantity=quantity), target) for claim in claims]
    if None in values or quantity not in (question.quantity, "rank"):
        return None
    parted = [_composed(p, part) for bound, part in best for p in _as_parts(bound, question, target.ring)]
    claim = Claim(quantity, question.units, question.field, "<=", sum(value or 0 for value in values))
    reason = f"{' + '.join(map(str, values))}, for parts without common variables"
    return Bound(claim, "sum-of-parts", {"parts": parted}, reason)


def _fits(bound: Bound, units: str) -> bool:
    """Whether explicit units are, or can be written as, units of a kind, one each."""
    return bound.claim.units == units or bound.claim.units == "tied"


def _pulled_back(bounds: Sequence[tuple[Bound, Reduction]], units: str, target: Target, reason: str) -> Bound:
    """All the units of explicit bounds about parts, as one explicit bound about the target."""
    found: list[Decomposition | BorderFamily] = []
    for bound, _ in bounds:
        over = bound.claim.over
        found.append(
            decode_decomposition(
                bound.witness, bound.claim.units, [over.number_field] if over.number_field else []
            )
        )
    ring = next((f.ring for f in found if f.ring != QQ), found[0].ring)
    order = max((f.order for f in found if isinstance(f, BorderFamily)), default=None)
    everything: list[FamilyUnit] = []
    for f, (_, reduction) in zip(found, bounds, strict=True):
        missing = 0 if order is None else order - (f.order if isinstance(f, BorderFamily) else 0)
        for unit in f.units:
            forms, weights = _as_units(unit, f.units_model, units, target)
            pulled = reduction.unit_back((*forms, _shifted(weights, missing)), ring)
            everything.append(pulled)
    if order is None:
        exact: Any = everything
        return decomposition_bound(target, units, ring, exact, reason)
    return family_bound(
        target, units, ring, order, everything, reason or "families of the parts, put together"
    )


def _as_units(
    unit: FamilyUnit, model: str, units: str, target: Target
) -> tuple[FamilyUnit, tuple[Scalar | Laurent, ...]]:
    """Forms and weights of a unit; the form of a tied one is repeated where other units are wanted."""
    forms = unit[:-1]
    if model != units:
        copies = target.space.form_degree if units == "split" else 2
        forms = forms * copies
    return forms, unit[-1]


def _shifted(vector: Sequence[Scalar | Laurent], power: int) -> tuple[Scalar | Laurent, ...]:
    if not power:
        return tuple(vector)
    return tuple(as_laurent(x) * Laurent.power(power) if x else x for x in vector)


def _restriction(bound: Bound, reduction: Reduction) -> dict[str, Any]:
    """Witness of the rule ``restriction``; maps are composed, so that it never stands inside itself."""
    maps, rule, witness = reduction.maps, bound.rule, bound.witness
    if rule == "restriction":
        ring = reduction.image.ring
        inner = [_decoded(rows, ring) for rows in witness["maps"]]
        maps = tuple(_product(a, b, ring) for a, b in zip(_padded(inner, maps), maps, strict=True))
        rule, witness = witness["rule"], witness["witness"]
    return {"maps": [_encoded(rows) for rows in maps], "rule": rule, "witness": witness}


def _as_parts(bound: Bound, question: Question | None, ring: Field) -> Iterator[dict[str, Any]]:
    """A bound as parts of the rule ``sum-of-parts``, with matrices where the file has lists."""
    if bound.rule == "sum-of-parts":
        for part in bound.witness["parts"]:
            yield {**part, **{key: [_decoded(m, ring) for m in part[key]] for key in ("maps", "back")}}
        return
    part: dict[str, Any] = {"maps": None, "back": None, "rule": bound.rule, "witness": bound.witness}
    if question is not None and bound.claim.units != question.units:
        part["units"] = bound.claim.units
    if question is not None and bound.claim.over != question.field:
        part["over"] = bound.claim.over.name
    yield part


def _composed(part: dict[str, Any], reduction: Reduction) -> dict[str, Any]:
    """A part of the image as a part of the target."""
    ring = reduction.image.ring
    maps, back = reduction.maps, reduction.back
    if part["maps"] is not None:
        maps = tuple(_product(a, b, ring) for a, b in zip(_padded(part["maps"], maps), maps, strict=True))
        back = tuple(_product(b, a, ring) for a, b in zip(_padded(part["back"], back), back, strict=True))
    return {**part, "maps": [_encoded(rows) for rows in maps], "back": [_encoded(rows) for rows in back]}


def _padded(matrices: Sequence[Matrix], like: Sequence[Matrix]) -> list[Matrix]:
    """One matrix a factor: an image with a single output has lost the factor of the outputs, which stays as it is."""
    return [*matrices, *[()] * (len(like) - len(matrices))]


def _product(a: Matrix, b: Matrix, ring: Field) -> Matrix:
    if not a or not b:
        return a or b
    columns = list(zip(*b, strict=True))
    return tuple(
        tuple(ring.reduce(sum(x * y for x, y in zip(row, column, strict=True) if x)) for column in columns)
        for row in a
    )


def _is_selection(reduction: Reduction) -> bool:
    """Whether the target has unused variables and is its image otherwise."""
    return all(
        [x for x in line if x] == [1]
        for rows in reduction.back
        for line in [*zip(*rows, strict=True), *(row for row in rows if any(row))]
    )


def _encoded(rows: Matrix) -> list[list[Any]]:
    return [[encode_scalar(x) for x in row] for row in rows]


def _decoded(rows: Sequence[Sequence[Any]], ring: Field) -> Matrix:
    return tuple(tuple(decode_scalar(x, ring) for x in row) for row in rows)
