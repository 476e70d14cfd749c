"""Binary forms from below: which operators cannot split over a field, and conditions on their roots."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from math import isqrt
from typing import Any

import numpy as np

from rankproof.bounds.binary import BinaryForm, analysed, is_binary
from rankproof.bounds.method import Bound, Budget, Method, best_known
from rankproof.bounds.operators import encode_form
from rankproof.certificate.claim import Claim
from rankproof.certificate.encoding import encode_scalar
from rankproof.exact.binary import apolar_basis, factored, is_real_rooted, is_squarefree, linear_factors
from rankproof.exact.binary_conditions import (
    discriminant_power,
    discriminant_square,
    hessian_weights,
    local_root,
    macaulay_degree,
    root_form,
    splits_modulo,
    square_quadrics,
)
from rankproof.exact.hilbert import REAL, anisotropic_dimension, relevant_places
from rankproof.problem.field import CC, QQ, RR, Field
from rankproof.problem.question import Quantity, Question
from rankproof.problem.target import Target
from rankproof.problem.univariate import is_prime

PRIME = 2**31 - 1
"""For ranks modulo a prime."""

COLUMNS = 1500
"""Side of the matrices in which an ideal is examined."""

EXACT_COLUMNS = 600
"""The same where the ideal is examined over QQ."""

SHARE = 0.3
"""Part of the time left that all arguments together may take."""

MOST_DISCRIMINANT = 5
"""Degree up to which the verifier expands discriminants."""

PRIMES = tuple(p for p in range(2, 1000) if is_prime(p))


class Search:
    """The bounds found for one kind of units at one field; only those that improve on what is known are kept."""

    def __init__(
        self, target: Target, units: str, field: Field, budget: Budget, known: Sequence[Bound]
    ) -> None:
        self.target, self.units, self.field, self.budget = target, units, field, budget
        self.binary: BinaryForm = analysed(target)
        self.found: list[Bound] = []
        self._known = known

    def lower(self, quantity: Quantity = "rank") -> int:
        """The best lower bound so far."""
        question = Question(self.units, self.field, quantity)
        return best_known([*self._known, *self.found], question, ">=", self.target) or 0

    def upper(self) -> int:
        """The best upper bound so far, or one that always holds."""
        d = self.binary.degree
        known = best_known(self._known, Question(self.units, self.field, "rank"), "<=", self.target)
        most = d if self.units == "tied" else d // 2 + 1
        return most if known is None else min(most, known)

    def add(self, quantity: Quantity, over: Field, value: int, witness: dict[str, Any], reason: str) -> None:
        """Keep a bound if it improves on the known ones."""
        if value > self.lower(quantity):
            claim = Claim(quantity, self.units, over, ">=", value)
            self.found.append(Bound(claim, "binary", witness, reason))


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    """Bounds over the field and over those that contain it, by every argument that applies."""
    budget = budget.share(SHARE * budget.left())
    search = Search(target, units, field, budget, known)
    arguments: list[Callable[[Search], None]] = [_repeated] if units == "tied" else [_squares]
    if RR.includes(field):
        arguments += [_real_rooted]
        arguments += [_not_real] if units == "tied" else []
        arguments += [_definite, *([_hessian] if units == "tied" else [])]
    if field.is_exact:
        arguments += [_not_split] if units == "tied" else []
        arguments += [_anisotropic]
    if units == "tied" and field in (QQ, RR):
        arguments += [_discriminant]
    if units == "untied":
        arguments += [_distinct_squares]
    for argument in arguments:
        if budget.exhausted():
            budget.remark("out of time before every argument was tried")
            break
        if search.lower() < search.upper() or field in (RR, CC):
            argument(search)
    return search.found


def _repeated(search: Search) -> None:
    binary = search.binary
    if binary.least < binary.other and not is_squarefree(binary.generator):
        reason = f"the operator of degree {binary.least} that kills it has a repeated factor"
        search.add("rank", CC, binary.other, {"argument": "repeated-factor"}, reason)


def _not_real(search: Search) -> None:
    binary = search.binary
    if binary.least < binary.other and not is_real_rooted(binary.generator):
        reason = f"the operator of degree {binary.least} that kills it has roots that are not real"
        search.add("border_rank", RR, binary.other, {"argument": "non-real-root"}, reason)


def _real_rooted(search: Search) -> None:
    form, d = search.binary.form, search.binary.degree
    if not is_real_rooted(form):
        return
    tied = search.units == "tied"
    largest = max(multiplicity for _, multiplicity in factored(form))
    if largest > (d - 1 if tied else d - 2):
        return
    distinct = is_squarefree(form)
    reason = f"all {d} roots are real" + (" and distinct" if distinct else "")
    value = d if tied else (d + 1) // 2
    search.add("border_rank" if distinct else "rank", RR, value, {"argument": "real-rooted"}, reason)


def _hessian(search: Search) -> None:
    """From small degrees on: where real-rooted operators are not excluded, they exist in higher degrees as well."""
    best: tuple[int, list[list[Any]]] | None = None
    for r in range(max(search.lower("border_rank"), 2), min(search.upper(), search.binary.degree + 1)):
        points = None if search.budget.exhausted() else hessian_weights(search.binary.moments, r)
        if not points:
            break
        best = r, [list(point) for point in points]
    if best is not None:
        r, weights = best
        reason = f"a positive sum of Hessians on the operators of degree {r} that kill it: none has real roots only"
        search.add("border_rank", RR, r + 1, {"argument": "hessian", "degree": r, "points": weights}, reason)


def _not_split(search: Search) -> None:
    binary = search.binary
    if binary.least >= binary.other or binary.other <= search.lower("border_rank"):
        return
    if linear_factors(binary.generator, search.field) is not None:
        return
    for p in PRIMES:
        if splits_modulo(binary.generator, p):
            continue
        root = _root(search.field, p)
        if root is not None:
            reason = f"the operator of degree {binary.least} that kills it does not split modulo {p}"
            search.add(
                "border_rank",
                search.field,
                binary.other,
                {"argument": "not-split", "prime": p} | root,
                reason,
            )
            return


def _root(field: Field, p: int) -> dict[str, int] | None:
    """The entry of a witness that embeds the field into the p-adic numbers, if it can be embedded."""
    if field.number_field is None:
        return {}
    root = local_root(field.number_field.minimal_polynomial, p)
    return None if root is None else {"root": root}


def _points(binary: BinaryForm) -> Iterator[tuple[int, int]]:
    """Linear forms at which conditions on roots may concentrate: factors of the form, coordinates, poles of the operator."""
    forms = [(s, t) for factor, _ in factored(binary.form) if len(factor) == 2 for s, t in [factor]]
    forms += [(1, 0), (0, 1)]
    forms += [(t, -s) for factor, _ in factored(binary.generator) if len(factor) == 2 for s, t in [factor]]
    yield from dict.fromkeys(forms)


def _degrees(search: Search) -> Iterator[int]:
    d = search.binary.degree
    most = d if search.units == "tied" else d // 2
    yield from range(min(search.upper() - 1, most), max(search.lower(), 2) - 1, -1)


def _definite(search: Search) -> None:
    """Over the real numbers."""
    squared = search.units == "untied"
    for w in _degrees(search):
        for point in () if search.budget.exhausted() else _points(search.binary):
            form = root_form(search.binary.form, point, w, squared)
            if form is True or (form and form.is_definite):
                reason = f"the roots of an operator of degree {w} would be zeros of a definite form"
                witness = {"argument": "anisotropic", "degree": w, "point": list(point)}
                search.add("rank", RR, w + 1, witness, reason)
                return


def _anisotropic(search: Search) -> None:
    """Over QQ or a number field, at a prime."""
    squared = search.units == "untied"
    for w in _degrees(search):
        for point in () if search.budget.exhausted() else _points(search.binary):
            form = root_form(search.binary.form, point, w, squared)
            if form is False:
                continue
            found = _place(search, () if form is True else form.diagonal)
            if found is not None:
                reason = f"the roots of an operator of degree {w} would be zeros of a form anisotropic at {found['place']}"
                witness = {"argument": "anisotropic", "degree": w, "point": list(point)} | found
                search.add("rank", search.field, w + 1, witness, reason)
                return


def _place(search: Search, diagonal: Sequence[Any]) -> dict[str, int] | None:
    """A prime where the form is anisotropic and into whose numbers the field embeds."""
    places = [p for p in PRIMES if p < 200]
    if diagonal:
        if len(diagonal) > 4:
            return None
        special = [p for p in relevant_places(diagonal, search.budget.share(1.0).left()) if p != REAL]
        places = [p for p in dict.fromkeys([*special, *places]) if p < 2**53]
    for p in places:
        if (
            anisotropic_dimension(diagonal, p) == len(diagonal)
            and (root := _root(search.field, p)) is not None
        ):
            return {"place": p} | root
    return None


def _discriminant(search: Search) -> None:
    """Over QQ and RR: the discriminants of the operators that kill it are a number times squares."""
    for w in _degrees(search):
        basis = apolar_basis(search.binary.moments, w, QQ) if w <= MOST_DISCRIMINANT else []
        if not basis or len(basis) > 3 or search.budget.exhausted():
            continue
        found = discriminant_square(basis)
        if found is None:
            continue
        c, root = found
        if c < 0 or (
            search.field == QQ and isqrt(c.numerator * c.denominator) ** 2 != c.numerator * c.denominator
        ):
            witness = {
                "argument": "discriminant",
                "degree": w,
                "operators": [
                    encode_form({(0,) * (w - j) + (1,) * j: x for j, x in enumerate(g) if x}) for g in basis
                ],
                "constant": encode_scalar(QQ.reduce(c)),
                "square_root": encode_form({word: QQ.reduce(x) for word, x in root.items()}),
            }
            reason = f"the discriminants of the operators of degree {w} that kill it are {c} times squares"
            search.add("rank", search.field, w + 1, witness, reason)
            return


def _squares(search: Search) -> None:
    binary = search.binary
    # As many quadrics as coefficients are needed to have no common zero.
    for w in range(binary.degree // 3, 0, -1):
        if w + 1 <= search.lower("border_rank") or search.budget.exhausted():
            return
        degree = _macaulay_of_squares(tuple(binary.moments), w)
        if degree is not None:
            reason = f"no operator of degree {w} kills it when squared"
            witness = {"argument": "squares", "degree": w, "macaulay": degree, "prime": PRIME}
            search.add("border_rank", CC, w + 1, witness, reason)
            return


@lru_cache(maxsize=256)
def _macaulay_of_squares(moments: tuple[int, ...], w: int) -> int | None:
    return macaulay_degree(square_quadrics(moments, w), w + 1, PRIME, COLUMNS)


def _distinct_squares(search: Search) -> None:
    binary = search.binary
    for w in range(min(search.upper() - 1, 5, (binary.degree - 1) // 2), max(search.lower(), 2) - 1, -1):
        if search.budget.exhausted():
            return
        power = discriminant_power(square_quadrics(binary.moments, w), w, EXACT_COLUMNS)
        if power is not None:
            reason = f"every operator of degree {w} that kills it when squared has a repeated factor"
            witness = {"argument": "distinct-squares", "degree": w, "power": power}
            search.add("rank", CC, w + 1, witness, reason)
            return


def _works_over(target: Target, question: Question) -> Field | None:
    field = question.field
    return field if not field.characteristic and is_binary(target) else None


METHOD = Method(
    name="binary",
    rule="binary",
    side="lower",
    summary="binary forms: operators that kill the form cannot split over the field",
    units=("tied", "untied"),
    tier="A",
    fields="QQ, QQ(a), RR, CC",
    works_over=_works_over,
    find=find,
)
