"""Lower bounds by contractions: what they must prove, and that sums of few units have no larger bound."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from rankproof.bounds import LOWER
from rankproof.bounds.method import Bound, Budget
from rankproof.certificate.document import Certificate
from rankproof.exact.contractions import critical_polynomials, monic, rank_at_root, slices
from rankproof.exact.substitutions import constant_combination, hyperplane
from rankproof.problem.field import CC, QQ, RR, Field, gf
from rankproof.problem.parse import read_targets
from rankproof.problem.question import Question
from rankproof.verifier import verify_bytes
from rankproof.verifier.refusal import Refusal
from rankproof.verifier.rules import RULES, Context
from rankproof.verifier.scalars import QQ as RATIONALS
from rankproof.verifier.targets import Space, Target, factor_words
from rankproof.verifier.units import read_units

METHODS = {method.name: method for method in LOWER}
CUBIC_FIELD = "a*d+2*b*f+2*c*e; a*e+b*d+2*c*f; a*f+b*e+c*d"


def found_by(name: str, text: str, units: str, field: Field) -> list[Bound]:
    target = read_targets(text)[0]
    over = METHODS[name].field_for(target, Question(units, field, "rank"))
    if over is None:
        return []
    return METHODS[name].find(target, units, over, Budget(20), np.random.default_rng(0), ())


@pytest.mark.parametrize(
    ("name", "text", "units", "field", "value"),
    [
        ("independent_combination", "a*c - b*d; a*d + b*c", "tied", RR, 6),
        ("independent_combination", "a*c - b*d; a*d + b*c", "split", RR, 3),
        ("independent_combination", "complex_product", "product", RR, 3),
        ("independent_combination", "x**2 - y**2; 2*x*y", "tied", RR, 3),
        ("independent_combination", CUBIC_FIELD, "tied", QQ, 10),
        ("independent_combination", CUBIC_FIELD, "untied", QQ, 5),
        ("independent_combination", CUBIC_FIELD, "tied", RR, 8),
        ("independent_combination", "x**3 + y**3 + z**3 + 6*x*y*z", "tied", RR, 4),
        ("independent_combination", "x*y; x*z", "tied", CC, 4),
        ("independent_combination", "x*u**2 + y*u*v + z*v**2", "tied", CC, 6),
        ("independent_combination", "x**2 + 2*y**2; x*y", "tied", QQ, 3),
        ("independent_combination", "x**2 + 2*y**2; 3*x*y", "tied", QQ, 3),
        *[
            ("landsberg_teitler_twice", f"elementary(4,{n})", "tied", CC, n * (n - 1) // 2 + 2)
            for n in (4, 5, 6, 8)
        ],
        ("landsberg_teitler_twice", "x*y*z*w + s*t*u*v", "tied", CC, 16),
        ("landsberg_teitler_twice", "det(4)", "tied", CC, 50),
        ("landsberg_teitler_twice", "x**2*y**4", "untied", CC, 3),
        ("substitution", "y*(x**2 + y*z)", "tied", CC, 5),
        ("substitution", "x**2; x*y", "tied", CC, 3),
        ("substitution", "x**2; 2*x*y; 2*x*z + y**2", "tied", CC, 5),
        ("substitution", "x**2; 2*x*y; 2*x*z + y**2", "untied", CC, 4),
        ("substitution", "x*(x**2 + y**2 + z**2 + w**2)", "tied", CC, 6),
        # The trace of the cube of a matrix: the hyperplane is no coordinate one.
        ("substitution", "a**3 + 3*a*b*c + 3*b*c*d + d**3", "tied", CC, 6),
        ("substitution", "x*(x*v + y**2 + z**2 + w**2)", "tied", CC, 9),
        ("substitution", "x**3*(x*z + y**2)", "tied", CC, 9),
        *[("substitution", f"x**{d - 1}*y", "tied", CC, d) for d in (3, 4, 6)],
        *[("hessian_at_a_zero", f"x**3 + y**3 + z**3 + {t}*x*y*z", "split", CC, 2) for t in (0, 6)],
        ("hessian_at_a_zero", "y**2*z - x**3", "split", CC, 2),
        ("hessian_at_a_zero", "x*(x*y + z**2)", "split", CC, 2),
        ("hessian_at_a_zero", "x**3 + y**3 + z**3", "split", gf(101), 2),
        ("real_plane_cubic", "x*(y**2 + z**2)", "tied", RR, 5),
        ("real_plane_cubic", "x*(x**2 - y**2 - z**2)", "tied", RR, 5),
        ("real_plane_cubic", "(x + 2*y)*((x + 2*y)**2 - (y - z)**2 - 2*z**2)", "tied", RR, 5),
        *[("substitution", f"W({k})", "product", CC, k) for k in (3, 4)],
    ],
)
def test_a_method_proves_the_bound_and_the_verifier_agrees(
    name: str, text: str, units: str, field: Field, value: int
) -> None:
    found = found_by(name, text, units, field)
    assert max(bound.claim.value for bound in found) == value
    question = Question(units, field, found[-1].claim.quantity)
    verdict = verify_bytes(Certificate.build(read_targets(text)[0], found, [question], {}).to_bytes())
    assert verdict.word == "VERIFIED", verdict.message


@pytest.mark.parametrize(
    ("name", "text", "units", "field", "most"),
    [
        # Widths at which a careless bound would be larger.
        ("independent_combination", "a*c - b*d; a*d + b*c", "tied", CC, 4),
        ("independent_combination", "complex_product", "product", CC, 2),
        ("independent_combination", "x**2 + 2*y**2; x*y", "tied", RR, 2),
        ("independent_combination", "x**3 + y**3 + z**3 + 6*x*y*z", "tied", CC, 3),
        ("landsberg_teitler_twice", "x**2*y", "tied", CC, 3),
        ("substitution", "x**3 + y**3", "tied", CC, 2),
        ("substitution", "x*y*z", "tied", CC, 4),
        ("substitution", "x**2; y**2", "tied", CC, 2),
        ("substitution", "GHZ(3)", "product", CC, 2),
        ("substitution", "x**2*y", "untied", CC, 1),
        ("hessian_at_a_zero", "x*y*z", "split", CC, 1),
        ("real_plane_cubic", "x*(x**2 + y**2 + z**2)", "tied", RR, 4),
        ("real_plane_cubic", "x**3 + y**3 - 3*y*z**2", "tied", RR, 4),
        ("real_plane_cubic", "x*y*z", "tied", RR, 4),
        ("hessian_at_a_zero", "x*y*(x - 2*y)*z", "split", CC, 1),
        ("hessian_at_a_zero", "(x + 2*y)**2*(z - w)", "split", CC, 1),
        # A product of three lines over QQ(zeta_3) only.
        ("hessian_at_a_zero", "x**3 + y**3 + z**3 - 3*x*y*z", "split", CC, 1),
        ("landsberg_teitler_twice", "x**2*y**2", "tied", CC, 3),
        ("landsberg_teitler_twice", "x**5*y", "untied", CC, 1),
    ],
)
def test_no_bound_exceeds_a_known_width(name: str, text: str, units: str, field: Field, most: int) -> None:
    assert all(bound.claim.value <= most for bound in found_by(name, text, units, field))


def test_a_pencil_is_critical_at_the_roots_of_its_determinant() -> None:
    (target,) = read_targets("x**2 + 6*y**2; 3*x*y")
    first, second = slices(target, 1, 1, (1, 0))
    # det [[2, 3t], [3t, 12]] = 24 - 9 t^2.
    (polynomial,) = critical_polynomials(first, second, np.random.default_rng(0))
    assert polynomial in ((-8, 0, 3), (8, 0, -3))
    exact, lead = monic(polynomial)
    assert exact == (-24, 0, 1)
    assert rank_at_root([first, second / lead], exact) == 1
    assert rank_at_root([first, second], exact) == 2


def test_a_hyperplane_contains_what_it_must_and_avoids_a_coordinate() -> None:
    plane = hyperplane([(1, 0, 0, -1)], (0, 1, 2, 3), 0, 4)
    assert plane == ((1, 0, 0, -1), (0, 1, 0, 0), (0, 0, 1, 0))
    assert hyperplane([(1, 0, 0, -1), (1, 0, 0, 1)], (0, 1, 2, 3), 0, 4) is None
    assert hyperplane([], (1, 3), 3, 4) == ((0, 1, 0, 0),)


def test_a_constant_minor_is_found_or_a_constant_combination_of_minors() -> None:
    def draw(entries: list[list[list[int]]], count: int) -> list[dict]:
        # Entries are polynomials in one parameter, by their coefficients.
        return [
            {
                ((i,), (j,)): value
                for i, row in enumerate(entries)
                for j, f in enumerate(row)
                if (value := sum(c * (7 * t + 3) ** e for e, c in enumerate(f)))
            }
            for t in range(count)
        ]

    rng = np.random.default_rng(0)
    (minor,) = constant_combination(lambda n: draw([[[1], [0, 1]], [[0, 1], [5, 0, 1]]], n), 2, 10, rng) or []
    assert (minor.rows, minor.columns) == (((0,), (1,)), ((0,), (1,)))
    # 1 + t and t: the first less the second.
    two = constant_combination(lambda n: draw([[[1, 1], [0, 1]]], n), 1, 10, rng) or []
    assert [(m.columns, m.multiplier) for m in two] == [(((0,),), 1), (((1,),), -1)]
    assert constant_combination(lambda n: draw([[[0, 1], [0, 0, 1]]], n), 1, 10, rng) is None


# Sums of units, degenerate ones included, against the verifier's rule with witnesses at random.

SHAPES = [
    *(("tied", ((n, d),)) for n in (2, 3, 4) for d in (2, 3, 4)),
    *(
        (units, ((n, d), (m, 1)))
        for units in ("tied", "untied", "split")
        for n in (2, 3)
        for d in (2, 3)
        for m in (2, 3)
    ),
    ("mixed:2", ((2, 4), (2, 1))),
    *(("product", tuple((n, 1) for n in dims)) for dims in ((2, 2, 2), (3, 3, 3), (2, 3, 4), (2, 2, 2, 2))),
]
POLYNOMIALS = ([1, 0, 1], [1, 1, 1], [-2, 0, 1], [-2, 0, 0, 1], [2, 0, 0, 0, 1], [1, 0, 0, 0, 1])


def vector(length: int, pool: list[list[int]], rng: random.Random) -> list[int]:
    """A new vector, a sparse one, one that occurred already, or a multiple of one."""
    same = [v for v in pool if len(v) == length]
    kind = rng.randrange(4) if same else rng.randrange(2, 4)
    if kind < 2:
        factor = rng.choice([-2, -1, 2, 3]) if kind else 1
        return [factor * x for x in rng.choice(same)]
    fresh = [rng.randint(-3, 3) if kind == 2 or rng.randrange(3) == 0 else 0 for _ in range(length)]
    pool.append(fresh)
    return fresh


def random_sum(rng: random.Random) -> tuple[str, int, Target]:
    units, factors = rng.choice(SHAPES)
    space, pool, width = Space(factors), [], rng.randint(1, 6)
    model = read_units(units, "", space)
    drawn = [[vector(n, pool, rng) for n in model.lengths(space)] for _ in range(width)]
    return units, width, Target(space, RATIONALS, {w: x for w, x in model.sum(drawn, space) if x != 0})


def operator(n: int, degree: int, rng: random.Random) -> list[list[object]]:
    words = list(factor_words(n, degree))
    chosen = sorted(rng.sample(words, min(len(words), rng.randint(1, 3))))
    return [[list(word), rng.choice([-2, -1, 1, 2, 3])] for word in chosen]


def independent_combination(
    factors: tuple[tuple[int, int], ...], rng: random.Random
) -> tuple[str, dict[str, object]]:
    place = rng.randrange(len(factors))
    n, power = factors[place]
    degree = rng.randint(1, power)
    rest = [d - degree if i == place else d for i, (_, d) in enumerate(factors)]
    over = rng.choice(["CC", "RR", "QQ"])
    witness: dict[str, object] = {
        "factor": place,
        "degree": degree,
        "covectors": [operator(n, degree, rng) for _ in range(rng.randint(1, 4))],
        "orders": [rng.randint(0, d) for d in rest],
    }
    return over, witness if over == "CC" else witness | {"minimal_polynomial": list(rng.choice(POLYNOMIALS))}


WITNESSES = {"independent-combination": independent_combination}


@pytest.mark.parametrize("rule", WITNESSES)
def test_no_sum_of_w_units_is_proved_to_need_more(rule: str) -> None:
    rng = random.Random(rule)
    counts: Counter[str] = Counter()
    for _ in range(1200):
        units, width, target = random_sum(rng)
        if not target.entries:
            continue
        over, witness = WITNESSES[rule](target.space.factors, rng)
        context = Context(
            target, read_units(units, "", target.space), over, ">=", {"QQ": RATIONALS}, (), "/steps/0"
        )
        try:
            claim = RULES[rule].derive(RULES[rule].read(witness, context), context)
        except Refusal as refusal:
            counts[refusal.code] += 1
            continue
        assert claim.value <= width, (target, over, witness)
        counts["tight" if claim.value == width else "proved"] += 1
    assert counts["proved"] > 100
    assert counts["tight"] > 20
