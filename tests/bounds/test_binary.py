"""Forms in two variables: known widths, fields on which they depend, and bounds that random sums never contradict."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest

from rankproof.bounds.lower import binary
from rankproof.bounds.method import Bound, Budget
from rankproof.bounds.upper import apolar_form
from rankproof.certificate.document import Certificate
from rankproof.exact.binary import Form, product_of
from rankproof.problem.field import CC, QQ, RR, Algebraic, Field
from rankproof.problem.parse import read_targets
from rankproof.problem.question import Question
from rankproof.problem.space import Space
from rankproof.problem.target import Target
from rankproof.prove import certify
from rankproof.verifier import verify_bytes

SECONDS = 40.0
"""More than enough: a search ends when the interval is closed."""


def values(text: str, units: str, fields: str) -> dict[str, tuple[int, int | None]]:
    """The interval of every field, and of the border rank over RR and CC, of a certificate that verifies."""
    chosen = tuple(Field.parse(field) for field in fields.split())
    proof = certify(read_targets(text)[0], units=(units,), fields=chosen, budget=SECONDS)
    assert proof.verdict.ok
    return {
        ("border " if answer.quantity == "border_rank" else "") + str(answer.field): (
            answer.lower,
            answer.upper,
        )
        for answer in proof.answers
    }


def exactly(**known: int) -> dict[str, tuple[int, int]]:
    """Closed intervals; ``border_RR`` is the border rank over RR."""
    return {name.replace("_", " "): (value, value) for name, value in known.items()}


@pytest.mark.parametrize("d", range(3, 13))
def test_a_tangent_has_tied_width_d_and_border_width_2(d: int) -> None:
    expected = exactly(QQ=d, RR=d, CC=d, border_RR=2, border_CC=2)
    assert values(f"x**{d - 1}*y", "tied", "QQ RR CC") == expected
    assert values(f"x**{d - 1}*y", "untied", "QQ RR CC") == exactly(
        QQ=1, RR=1, CC=1, border_RR=1, border_CC=1
    )


@pytest.mark.parametrize(
    ("text", "tied", "untied"),
    [
        ("x**2*y**2", {"QQ": 4, "RR": 4, "CC": 3}, {"QQ": 3, "RR": 2, "CC": 2}),
        ("x**3*y**2", {"QQ": 5, "RR": 5, "CC": 4}, {"QQ": 3, "RR": 3, "CC": 3, "border CC": 2}),
        ("x**4*y**2", {"QQ": 6, "RR": 6, "CC": 5}, {"QQ": 4, "RR": 3, "CC": 3, "border CC": 2}),
        ("x**3*y**3", {"QQ": 6, "RR": 6, "CC": 4}, {"QQ": 3, "RR": 3, "CC": 3, "border CC": 2}),
        ("x**5*y**2", {"QQ": 7, "RR": 7, "CC": 6}, {"QQ": 4, "RR": 4, "CC": 3}),
        ("x*(x**2 - y**2)", {"QQ": 3, "RR": 3, "CC": 2, "border RR": 3}, {"QQ": 2, "RR": 2, "CC": 2}),
        ("x*(x**2 + y**2)", {"QQ": 3, "RR": 2, "CC": 2}, {"QQ": 2, "RR": 2, "CC": 2}),
        ("(x**2 + y**2)**2", {"QQ": 4, "RR": 3, "CC": 3}, {"RR": 3, "CC": 2}),
        ("(x**2 + 3*y**2)**2", {"QQ": 3, "RR": 3, "CC": 3}, {"RR": 3, "CC": 2}),
        ("(x**2 + y**2)**3", {"QQ": 4, "RR": 4, "CC": 4}, {"RR": 4, "CC": 3}),
        ("x**4 + 6*x**2*y**2 + y**4", {"QQ": 2, "RR": 2, "CC": 2}, {"QQ": 2, "RR": 2, "CC": 2}),
        ("x**5 - 10*x**3*y**2 + 5*x*y**4", {"RR": 5, "CC": 2}, {}),
        ("x**3 - 3*x*y**2", {"QQ": 3, "RR": 3, "CC": 2}, {"QQ": 2, "RR": 2, "CC": 2}),
        ("x*y*(x - y)", {"QQ": 3, "RR": 3, "CC": 2}, {"QQ": 2, "RR": 2, "CC": 2}),
    ],
)
def test_known_widths(text: str, tied: dict[str, int], untied: dict[str, int]) -> None:
    for units, known in (("tied", tied), ("untied", untied)):
        if known:
            found = values(text, units, "QQ RR CC")
            assert {name: found[name] for name in known} == {name: (v, v) for name, v in known.items()}


@pytest.mark.parametrize(
    ("text", "units", "known"),
    [
        ("3*x**5 - 20*x**3*y**2 + 10*x*y**4", "tied", {"QQ(i)": 3, "QQ(sqrt(-2))": 4, "QQ": 5, "RR": 5}),
        ("x**3*y**2", "tied", {"QQ(i)": 4, "QQ(sqrt(-2))": 4, "QQ(sqrt(-7))": 5}),
        ("x**2*y**2", "untied", {"QQ(sqrt(3))": 2, "QQ(sqrt(2))": 3, "QQ": 3}),
        ("x**2*y**2", "tied", {"QQ(sqrt(-3))": 3, "QQ(i)": 4}),
        ("x*(x**2 + y**2)", "tied", {"QQ(sqrt(3))": 2, "QQ(sqrt(5))": 3}),
        ("x*y*(x - y)", "tied", {"QQ(sqrt(-3))": 2, "QQ(i)": 3}),
        ("x**3*y**3", "tied", {"QQ(i)": 4}),
        ("x**3 - 2*y**3", "tied", {"QQ(t**3-2)": 2}),
    ],
)
def test_the_width_depends_on_the_number_field(text: str, units: str, known: dict[str, int]) -> None:
    found = values(text, units, " ".join(known))
    names = {field: str(Field.parse(field)) for field in known}
    assert {field: found[names[field]] for field in known} == {field: (v, v) for field, v in known.items()}


# Random sums

EXTENSIONS = [
    Field.parse(f"QQ({text})") for text in ("sqrt(2)", "sqrt(3)", "sqrt(5)", "i", "sqrt(-3)", "sqrt(-7)")
]


class RandomSum:
    """A sum of units over QQ, pairs of conjugate units over one quadratic field, and limits of colliding units.

    Attributes
    ----------
    form
        The sum.
    width
        Number of units; of the border rank only, if some of them are limits.
    fields
        Over which fields there are so many units.
    """

    def __init__(self, units: str, chance: random.Random) -> None:
        self.units, self.chance = units, chance
        self.degree = chance.randint(1, 8)
        self.width, self.is_limit, self.extension = 0, False, None
        self.form: Form = (0,) * (self.degree + 1)
        self._points = [self._vector(2), self._vector(2), (1, 0), (0, 1)]
        most = chance.randint(1, 5)
        while self.width < most:
            room = most - self.width
            kind = chance.random()
            if kind < 0.25 and room >= 2:
                self._add_conjugates()
            elif kind < 0.45 and room >= 2:
                self._add_limit(chance.randint(2, min(room, 3)))
            else:
                self._add(self._unit(self._point(), self._point()), 1)

    def fields(self) -> set[Field]:
        if self.extension is None:
            return {QQ, RR, CC, *EXTENSIONS}
        real = self.extension.number_field is not None and self.extension.number_field.real_root is not None
        return {CC, self.extension} | ({RR} if real else set())

    def _vector(self, size: int) -> tuple[int, int]:
        while True:
            vector = (self.chance.randint(-size, size), self.chance.randint(-size, size))
            if any(vector):
                return vector

    def _point(self) -> tuple[int, int]:
        # Points repeat, so that units coincide, are parallel, or lie at infinity.
        return self.chance.choice(self._points) if self.chance.random() < 0.5 else self._vector(3)

    def _unit(self, a: Sequence, b: Sequence) -> Form:
        d = self.degree
        return product_of([a] * d if self.units == "tied" else [a] * (d - 1) + [b])

    def _add(self, form: Form, count: int) -> None:
        c = self.chance.choice([1, -1, 2, -3, Fraction(1, 2)])
        self.form = tuple(x + c * y for x, y in zip(self.form, form, strict=True))
        self.width += count

    def _add_conjugates(self) -> None:
        self.extension = self.extension or self.chance.choice(EXTENSIONS)
        root = self.extension.number_field.generator()
        a, b = (
            tuple(x + y * root for x, y in zip(self._vector(2), self._vector(1), strict=True))
            for _ in range(2)
        )
        weight = self.chance.randint(-1, 1) + root
        unit = [weight * c for c in self._unit(a, b)]
        self._add(tuple(c + conjugate(c) for c in unit), 2)

    def _add_limit(self, count: int) -> None:
        # Powers of count neighbours of a span, in the limit, what is divisible by a^(d - count + 1).
        order = count - 1 if self.units == "tied" else 2 * count - 1
        if order <= self.degree:
            a = self._point()
            self._add(
                product_of([a] * (self.degree - order) + [self._vector(3) for _ in range(order)]), count
            )
            self.is_limit = True


def conjugate(x: int | Fraction | Algebraic) -> int | Fraction | Algebraic:
    if not isinstance(x, Algebraic):
        return x
    return x.field.element((x.coefficients[0], -x.coefficients[1]))


def target_of(form: Form) -> Target:
    d = len(form) - 1
    return Target.from_entries(
        Space.form(2, d), {(0,) * (d - j) + (1,) * j: c for j, c in enumerate(form) if c}
    )


def verified(target: Target, bound: Bound) -> bool:
    claim = bound.claim
    question = Question(claim.units, claim.over, claim.quantity)
    return verify_bytes(Certificate.build(target, [bound], [question], {"program": "test"}).to_bytes()).ok


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("units", ["tied", "untied"])
def test_no_bound_exceeds_the_number_of_units_of_a_random_sum(units: str, seed: int, monkeypatch) -> None:
    monkeypatch.setattr(binary, "COLUMNS", 300)
    chance = random.Random(f"{units} {seed}")
    for _ in range(10):
        total = RandomSum(units, chance)
        if not any(total.form):
            continue
        target = target_of(total.form)
        for field in (QQ, RR, CC, total.extension or chance.choice(EXTENSIONS)):
            for bound in binary.find(target, units, field, Budget(SECONDS), np.random.default_rng(0), ()):
                claim = bound.claim
                if claim.over in total.fields() and not (total.is_limit and claim.quantity == "rank"):
                    assert claim.value <= total.width, (total.form, bound)
                if chance.random() < 0.1:
                    assert verified(target, bound), (total.form, bound)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("units", ["tied", "untied"])
def test_bounds_from_above_and_below_agree_with_each_other(units: str, seed: int) -> None:
    chance = random.Random(f"both {units} {seed}")
    for _ in range(4):
        form = RandomSum(units, chance).form
        if not any(form):
            continue
        target = target_of(form)
        for field in (QQ, CC, RR, chance.choice(EXTENSIONS)):
            upper = apolar_form.find(target, units, field, Budget(0.5), np.random.default_rng(0), ())
            lower = binary.find(target, units, field, Budget(SECONDS), np.random.default_rng(0), upper)
            for bound in [*upper, *lower]:
                assert verified(target, bound), (form, bound)
            question = {(b.claim.over, b.claim.quantity): b.claim.value for b in upper}
            for bound in lower:
                most = question.get((bound.claim.over, bound.claim.quantity))
                assert most is None or bound.claim.value <= most, (form, bound)
