"""Ranks of all catalecticants of a form, from the form to the ranks, against Macaulay2."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from benchmarks import macaulay2
from benchmarks.measure import Row, best, row
from benchmarks.targets import PRIME, generic, named
from rankproof.exact.flattening import flattening_rank
from rankproof.problem.target import Target

SUITE = "catalecticants"

NAMED = ("det(3)", "perm(3)", "det(4)", "perm(4)", "elementary(3,7)", "monomial(1,2,3)", "monomial(6,6,6)")
LARGE = ("det(5)", "perm(5)", "elementary(6,11)")
GENERIC = ((3, 4), (3, 6), (3, 8), (4, 4), (4, 6), (4, 8))
LARGE_GENERIC = ((6, 6), (5, 8), (4, 10))


def rows(quick: bool) -> Iterator[Row]:
    """Forms of the literature and forms with random coefficients."""
    names = NAMED[:3] if quick else NAMED + LARGE
    forms = {name: named(name) for name in names}
    for n, d in GENERIC[:1] if quick else GENERIC + LARGE_GENERIC:
        forms[f"generic({n},{d})"] = generic(n, d)
    orders = {name: range(1, form.space.form_degree // 2 + 1) for name, form in forms.items()}
    theirs: dict[str, tuple[float, str]] = {}
    if macaulay2.installed():
        scripts = (macaulay2.catalecticants(name, form, orders[name]) for name, form in forms.items())
        theirs = macaulay2.run("".join(scripts))
    for name, form in forms.items():
        ranks = _ranks(form, orders[name])
        seconds = best(partial(_ranks, form, orders[name]), 5)
        for field in macaulay2.FIELDS:
            time, result = theirs.get(f"{name}/{field}", (None, ""))
            said = str(ranks).replace("[", "{").replace("]", "}")
            if result and result != said:
                raise ArithmeticError(f"{name}: ranks {said} here and {result} in Macaulay2")
            yield row(
                SUITE,
                name,
                form.space.form_degree,
                seconds,
                f"Macaulay2 {field}",
                time,
                most_ratio=1,
                note=f"ranks {ranks}",
            )


def _ranks(form: Target, orders: Iterable[int]) -> list[int]:
    return [flattening_rank(form, (s,), PRIME).rank for s in orders]
