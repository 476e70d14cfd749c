"""The search for Koszul flattenings: known bounds, checked by the verifier inside `certify`."""

from __future__ import annotations

import random
from itertools import pairwise

import numpy as np
import pytest

from rankproof.bounds.koszul_shapes import candidates
from rankproof.bounds.lower import flattening, koszul
from rankproof.bounds.method import Bound, Budget
from rankproof.certificate.claim import Claim
from rankproof.certificate.document import Certificate
from rankproof.problem.field import CC, Field, gf
from rankproof.problem.parse import read_targets
from rankproof.problem.question import Question
from rankproof.problem.space import Space
from rankproof.problem.target import Target
from rankproof.verifier import verify_bytes


def found(
    target: Target, units: str, field: Field = CC, known: tuple[Bound, ...] | None = None
) -> list[Bound]:
    """What the method finds after flattenings, with time enough on a busy machine."""
    rng = np.random.default_rng(0)
    if known is None:
        known = tuple(flattening.find(target, units, field, Budget(60), rng, ()))
    return koszul.find(target, units, field, Budget(100), rng, known)


def random_map(n: int, d: int, m: int = 1) -> Target:
    generator, space = random.Random(1), Space.map(n, d, m)
    return Target.from_entries(space, {word: generator.randint(-9, 9) for word in space.words()})


@pytest.mark.parametrize(
    ("text", "units", "value"),
    [
        ("matmul(2,2,2)", "product", 6),
        ("matmul(2,2,3)", "product", 9),
        ("matmul(3,3,3)", "product", 15),
        ("matmul(4,4,4)", "product", 28),
        ("matmul(5,5,5)", "product", 45),
        ("matmul(6,6,6)", "product", 66),
        ("det(3)", "tied", 15),
        ("perm(3)", "tied", 15),
        ("x**3 + x*y**2 + x*z**2", "tied", 4),
        ("x*y*z", "tied", 4),
    ],
)
def test_known_bounds(text: str, units: str, value: int) -> None:
    (bound,) = found(read_targets(text)[0], units)
    assert bound.claim.value == value
    assert len(str(bound.witness)) < 2000


@pytest.mark.parametrize(("n", "d", "value"), [(3, 3, 4), (4, 3, 5), (5, 3, 8), (3, 5, 7)])
def test_general_forms(n: int, d: int, value: int) -> None:
    (bound,) = found(random_map(n, d), "tied")
    assert bound.claim.value == value


@pytest.mark.parametrize(
    ("text", "value", "wedges"),
    [("perm_tensor(4)", 8, 2), ("det_tensor(4)", 11, 2), ("perm_tensor(5)", 15, 3), ("det_tensor(5)", 27, 3)],
)
def test_several_wedges_for_tensors_of_higher_order(text: str, value: int, wedges: int) -> None:
    (bound,) = found(read_targets(text)[0], "product")
    assert bound.claim.value == value
    assert 1 + len(bound.witness["more"]) == wedges


def test_of_factors_that_are_alike_one_choice_is_tried() -> None:
    """The determinant changes its sign when rows are exchanged: two factors, of powers in order, and no other two."""
    shapes = [c.shape for c in candidates(read_targets("det_tensor(4)")[0], "product", CC, lambda *_: True)]
    assert {w.factor for shape in shapes for w in shape.wedges} == {0, 1}
    assert all(w.power <= v.power for shape in shapes for w, v in pairwise(shape.wedges))
    # A tensor without symmetries has them all.
    entries = {(0, 1, 2, 0): 1, (1, 0, 1, 2): 2, (2, 2, 0, 1): 3, (0, 0, 0, 0): 5, (1, 1, 2, 0): 7}
    target = Target.from_entries(Space.tensor(3, 3, 3, 3), entries)
    shapes = [c.shape for c in candidates(target, "product", CC, lambda *_: True)]
    assert {w.factor for shape in shapes for w in shape.wedges} == {0, 1, 2, 3}


@pytest.mark.parametrize(
    ("text", "value", "wedges"),
    [
        ("x*y*z*w", 8, 2),
        ("x*y*z + u*v*w", 8, 1),
        ("monomial(1,1,1,1,1)", 15, 3),
        ("x*y*z*w + s*t*u*v", 15, 2),
    ],
)
def test_several_wedges_for_forms(text: str, value: int, wedges: int) -> None:
    (bound,) = found(read_targets(text)[0], "tied")
    assert bound.claim.value == value
    assert 1 + len(bound.witness.get("more", [])) == wedges


def test_two_projected_wedges_are_among_the_cheap_candidates() -> None:
    shapes = [
        c.shape for c in candidates(read_targets("perm(4)")[0], "tied", CC, lambda _, ceiling: ceiling > 40)
    ]
    twice = [shape for shape in shapes if len(shape.wedges) == 2]
    assert (1, 5) in [tuple(w.power for w in shape.wedges if w.projection is not None) for shape in twice]


def test_a_wedge_in_the_outputs() -> None:
    cross = read_targets("b*f - c*e; c*d - a*f; a*e - b*d")[0]
    for units, value in (("tied", 9), ("untied", 5)):
        known = found(cross, units)
        assert max(b.claim.value for b in known if b.claim.units == units) == value


def test_untied_bounds_follow_from_tied_ones() -> None:
    (bound,) = found(read_targets("det(3)")[0], "untied")
    assert (bound.claim.units, bound.claim.value) == ("tied", 15)


def test_nothing_is_said_about_untied_units_in_small_characteristic() -> None:
    target = read_targets("x*y*z", ring=gf(3))[0]
    assert found(target, "untied", gf(3)) == []
    (bound,) = found(target, "tied", gf(3))
    assert (bound.claim.value, str(bound.claim.over)) == (4, "GF(3)")


@pytest.mark.parametrize("text", ["x**2*y", "matmul(2,1,2)", "W(4)", "x**2 + y**2"])
def test_nothing_is_built_where_nothing_can_be_gained(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Flattenings give the bound already, or no dimension is large enough."""
    target = read_targets(text)[0]
    monkeypatch.setattr(koszul, "koszul_rank", never)
    assert found(target, "product" if target.space.is_tensor else "tied") == []


def test_nothing_is_built_when_the_interval_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(koszul, "koszul_rank", never)
    known = tuple(
        Bound(Claim("border_rank", "tied", CC, relation, 4), "any", {}, "known") for relation in (">=", "<=")
    )
    assert found(read_targets("perm(3)")[0], "tied", known=known) == []


def never(*_: object) -> None:
    raise AssertionError("a matrix was built")


@pytest.mark.parametrize(
    ("text", "units", "value"),
    [("matmul(3,3,3)", "product", 15), ("det(3)", "tied", 15), ("x*y*z", "tied", 4)],
)
def test_the_verifier_accepts_what_is_found(text: str, units: str, value: int) -> None:
    target = read_targets(text)[0]
    certificate = Certificate.build(target, found(target, units), [Question(units, CC, "border_rank")], {})
    verdict = verify_bytes(certificate.to_bytes())
    assert verdict.word == "VERIFIED"
    assert [conclusion.lower for conclusion in certificate.conclusion] == [value]


@pytest.mark.slow
@pytest.mark.parametrize(("n", "value", "size"), [(7, 91, 2500), (8, 120, 3500)])
def test_large_matrices(n: int, value: int, size: int) -> None:
    target = read_targets(f"matmul({n},{n},{n})")[0]
    questions = [Question("product", CC, "border_rank")]
    data = Certificate.build(target, found(target, "product"), questions, {}).to_bytes()
    assert verify_bytes(data).statements == (f"product border width of {target.text} >= {value} over CC",)
    assert len(data) < size
