"""What the apolar lower bounds have in common: how operators are written, and how much of the verifier's time they cost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from math import comb
from typing import Any

from rankproof.bounds.method import Bound, best_known
from rankproof.certificate.encoding import encode_scalar
from rankproof.exact.apolarity import Form, macaulay_degree
from rankproof.exact.flattening import flattening_entries
from rankproof.problem.field import CC, Field, Scalar
from rankproof.problem.question import Quantity, Question
from rankproof.problem.space import Word
from rankproof.problem.target import Target

MAX_WORK = 6_000_000
"""Operations of the exact elimination of one catalecticant: the verifier does some millions a second."""

MAX_COLUMNS = 2500
"""Columns of a Macaulay matrix."""

MAX_MONOMIAL_COLUMNS = 30_000
"""The same, when all forms are monomials and the elimination is trivial."""


def complex_only(target: Target, question: Question) -> Field | None:
    """Over CC in characteristic 0; nothing over finite fields."""
    return CC if not question.field.characteristic and not target.ring.characteristic else None


def scheme_length(units: str) -> int:
    """Length of the scheme of one unit: a point for tied units, k + 1 for a^(d-k) b^k."""
    if units == "tied":
        return 1
    return 2 if units == "untied" else int(units.partition(":")[2]) + 1


def lower_so_far(known: Sequence[Bound], units: str, field: Field, quantity: Quantity, target: Target) -> int:
    """Best lower bound so far; 0 when there is none."""
    return best_known(known, Question(units, field, quantity), ">=", target) or 0


def upper_so_far(known: Sequence[Bound], units: str, field: Field, target: Target) -> int | None:
    """Best upper bound on the rank so far."""
    return best_known(known, Question(units, field, "rank"), "<=", target)


def is_affordable(target: Target) -> bool:
    """Whether the verifier can eliminate all catalecticants exactly in a few seconds."""
    n, d = target.space.variables_count, target.space.form_degree
    half = d // 2
    side = comb(n + half - 1, half)
    orders = (half, *(0 for _ in target.space.factors[1:]))
    fill = min(side, 1 + flattening_entries(target, orders) // side)
    return side**2 * fill <= MAX_WORK


def encode_form(form: Mapping[Word, Scalar]) -> list[Any]:
    """A form of a witness."""
    return [[list(word), encode_scalar(x)] for word, x in sorted(form.items())]


def operator_text(form: Mapping[Word, Scalar], target: Target) -> str:
    """A short operator in words, with capital letters for the derivatives; empty when it is long."""
    names = [name.upper() for name in target.variable_names()]
    if len(form) > 4:
        return ""
    text = ""
    for word, x in sorted(form.items()):
        powers = [(names[i], word.count(i)) for i in dict.fromkeys(word)]
        monomial = "*".join(name if e == 1 else f"{name}**{e}" for name, e in powers)
        sign, size = ("-", -x) if not hasattr(x, "field") and x < 0 else ("+", x)  # type: ignore[operator]
        term = monomial if size == 1 else f"{size}*{monomial}"
        text = f"{text} {sign} {term}" if text else (f"-{term}" if sign == "-" else term)
    return text


def linear_forms(n: int, most: int) -> Iterator[Form]:
    """Linear forms with coefficients 0, 1 and -1, sparse ones first, up to sign; at most so many."""
    given = 0
    for size in range(1, n + 1):
        for places in combinations(range(n), size):
            for signs in range(2 ** (size - 1)):
                if given == most:
                    return
                given += 1
                yield {(i,): -1 if k and signs >> (k - 1) & 1 else 1 for k, i in enumerate(places)}


def common_zero_degree(forms: Sequence[Mapping[Word, int]], n: int, p: int) -> int | None:
    """Macaulay degree that shows, modulo p, that forms of one degree have no common zero; None when there is none to be had."""
    if not forms:
        return None
    e = len(next(iter(forms[0])))
    monomial = all(len(form) == 1 for form in forms)
    columns = MAX_MONOMIAL_COLUMNS if monomial else MAX_COLUMNS
    return macaulay_degree(forms, n, p, n * (e - 1) + 1, columns)


def pure_powers(forms: Iterable[Form], n: int) -> list[Form]:
    """The pure powers X_i^e among forms, if there is one of every variable; else an empty list."""
    found = {word[0]: form for form in forms if len(form) == 1 for word in form if len(set(word)) == 1}
    return [found[i] for i in range(n)] if len(found) == n else []
