"""Every lower bound against the truth: over small fields all widths are found by adding units until everything is reached."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement, product
from types import MappingProxyType

import numpy as np
import pytest
from mutation.oracle.closure import units_factor

from rankproof.verifier.claims import Consequences
from rankproof.verifier.refusal import Refusal
from rankproof.verifier.rules import RULES, Context
from rankproof.verifier.scalars import Ring
from rankproof.verifier.targets import Space, Target
from rankproof.verifier.units import Units, read_units

Factors = tuple[tuple[int, int], ...]
UNREACHED = 10**6
"""Width of what no sum of units reaches: x y in squares over GF(2)."""


@cache
def words(factors: Factors) -> tuple[tuple[int, ...], ...]:
    parts = [list(combinations_with_replacement(range(n), d)) for n, d in factors]
    return tuple(tuple(x for part in choice for x in part) for choice in product(*parts))


def all_units(factors: Factors, model: Units, p: int) -> Iterator[tuple[int, ...]]:
    """Coefficients of every unit over GF(p): scalars stand in the last vector only, and factors in one order."""
    *firsts, last = model.lengths(Space(factors))
    if model.name == "split":
        chosen: Iterator[tuple[tuple[int, ...], ...]] = combinations_with_replacement(
            points(firsts[0], p), len(firsts)
        )
    else:
        chosen = product(*(points(n, p) for n in firsts))
    for vectors in chosen:
        for weights in product(range(p), repeat=last):
            total = dict(model.sum([[list(v) for v in (*vectors, weights)]], Space(factors)))
            yield tuple(total.get(word, 0) % p for word in words(factors))


def points(n: int, p: int) -> list[tuple[int, ...]]:
    """Vectors of GF(p)^n whose first coordinate that is not zero is 1."""
    return [v for v in product(range(p), repeat=n) if next((x for x in v if x), 0) == 1]


@cache
def widths(factors: Factors, name: str, p: int) -> np.ndarray:
    """Width of every target by the number that its coefficients spell in base p."""
    size = len(words(factors))
    digits = p ** np.arange(size)
    units = np.array(
        sorted({u for u in all_units(factors, read_units(name, "", Space(factors)), p) if any(u)})
    )
    found = np.full(p**size, UNREACHED)
    found[0] = 0
    layer = np.array([0])
    width = 0
    while len(layer):
        width += 1
        coefficients = layer[:, None] // digits % p
        reached: set[int] = set()
        for unit in units:
            sums = (coefficients + unit) % p @ digits
            reached.update(sums[found[sums] > width].tolist())
        layer = np.array(sorted(reached))
        if len(layer):
            found[layer] = width
    return found


SPACES: list[tuple[Factors, int]] = [
    (((2, 2),), 2),
    (((3, 2),), 2),
    (((3, 2),), 3),
    (((2, 2),), 7),
    (((2, 3),), 2),
    (((2, 3),), 3),
    (((2, 3),), 5),
    (((3, 3),), 2),
    (((2, 4),), 2),
    (((2, 4),), 3),
    (((2, 4),), 5),
    (((2, 5),), 3),
    (((2, 2), (2, 1)), 2),
    (((2, 2), (2, 1)), 3),
    (((2, 3), (2, 1)), 2),
    (((2, 1), (2, 1), (2, 1)), 2),
    (((2, 1), (2, 1), (2, 1)), 3),
    (((2, 1), (2, 1), (3, 1)), 2),
    (((3, 1), (3, 1)), 2),
]


def models(factors: Factors) -> list[str]:
    space = Space(factors)
    found = ["product"] if space.is_tensor else []
    if space.is_polynomial:
        found += ["tied", "untied", "split", *(f"mixed:{k}" for k in range(1, space.form_degree // 2 + 1))]
    return found


def target(factors: Factors, p: int, number: int) -> Target:
    entries = {w: c for k, w in enumerate(words(factors)) if (c := int(number // p**k % p))}
    return Target(Space(factors), Ring(f"GF({p})", prime=p), entries)


def witnesses(rule: str, factors: Factors, p: int, rng: random.Random) -> Iterator[dict[str, object]]:
    """Recipes of a rule: all small ones, or some at random."""
    powers = [d for _, d in factors]
    n = factors[0][0]
    if rule in ("nonzero", "quadric"):
        yield {}
    elif rule == "flattening":
        for orders in product(*(range(d + 1) for d in powers)):
            yield {"orders": list(orders), "prime": p}
    elif rule == "koszul":
        for factor in range(len(factors)):
            lowered = [d - (i == factor) for i, d in enumerate(powers)]
            for orders in product(*(range(d + 1) for d in lowered)):
                for wedge in range(factors[factor][0]):
                    yield {"factor": factor, "wedge": wedge, "orders": list(orders), "prime": p}
    elif rule == "locus":
        for added in range(n):
            forms = [
                [[[i], c] for i in range(n) if (c := rng.randrange(p))] or [[[0], 1]] for _ in range(added)
            ]
            yield {"added": forms, "degree": rng.randrange(1, 5), "prime": p}
    elif rule == "dropped-slices" and len(factors) > 1:
        for _ in range(3):
            yield dropped_slices([n for n, _ in factors], p, rng)
    elif rule == "alder-strassen" and len({n for n, _ in factors}) == 1:
        for nilpotent, element in product((False, True), repeat=2):
            vectors = [[rng.randrange(p) for _ in range(n)] for _ in range(4)]
            more = {"element": vectors[3]} if element else {}
            yield {
                "factors": rng.sample(range(3), 3),
                "left": vectors[0],
                "right": vectors[1],
                "nilpotent": [vectors[2]] if nilpotent else [],
                **more,
            }
    elif rule == "pencil":
        for factor, (n, _) in enumerate(factors):
            lowered = [d - (i == factor) for i, d in enumerate(powers)]
            for argument in ("outside", "border", "double"):
                yield {
                    "factor": factor,
                    "orders": [rng.randint(0, d) for d in lowered],
                    "argument": argument,
                    "polynomial": [*(rng.randrange(p) for _ in range(rng.randint(1, 3))), 1],
                    "slices": [[rng.randrange(p) for _ in range(n)] for _ in range(2)],
                }


def dropped_slices(sizes: list[int], p: int, rng: random.Random) -> dict[str, object]:
    """Drops at random, with combinations whose coefficients are polynomials in the parameters."""
    parameters = 0

    def combination(n: int) -> object:
        if rng.random() < 0.5:
            return rng.randrange(n)
        found = []
        for i in rng.sample(range(n), rng.randint(1, n)):
            words = {
                tuple(sorted(rng.randrange(parameters) for _ in range(rng.randint(0, 2))))
                if parameters
                else ()
                for _ in range(2)
            }
            found.append([i, [[list(word), rng.randrange(1, p)] for word in sorted(words)]])
        return found

    drops = []
    for _ in range(rng.randint(0, 3)):
        factor = rng.randrange(len(sizes))
        n = sizes[factor]
        dropped = [combination(n) for _ in range(rng.randint(0, n - 1))]
        kept = [combination(n) for _ in range(rng.randint(1, n))]
        drops.append({"factor": factor, "dropped": dropped, "kept": kept})
        sizes[factor] = len(kept)
        parameters += len(dropped) * len(kept)
    return {"drops": drops, "rows": sorted(rng.sample(range(len(sizes)), rng.randint(1, len(sizes) - 1)))}


LOWER_BOUNDS = [
    "nonzero",
    "quadric",
    "flattening",
    "koszul",
    "locus",
    "pencil",
    "dropped-slices",
    "alder-strassen",
]


@pytest.mark.parametrize("rule", LOWER_BOUNDS)
@pytest.mark.parametrize(("factors", "p"), SPACES, ids=str)
def test_no_lower_bound_over_a_finite_field_exceeds_the_width(rule: str, factors: Factors, p: int) -> None:
    rng = random.Random(repr((rule, factors, p)))
    count = p ** len(words(factors))
    numbers = range(1, count) if count < 130 else rng.sample(range(1, count), 128)
    field = f"GF({p})"
    for name in models(factors):
        truth = widths(factors, name, p)
        for number in numbers:
            subject = target(factors, p, number)
            for witness in witnesses(rule, factors, p, rng):
                context = Context(
                    subject,
                    read_units(name, "", subject.space),
                    field,
                    ">=",
                    MappingProxyType({}),
                    (),
                    "/steps/0",
                )
                try:
                    claim = RULES[rule].derive(RULES[rule].read(witness, context), context)
                except Refusal:
                    continue
                assert (claim.units, claim.over, claim.relation) == (name, field, ">=")
                assert claim.value <= truth[number], (dict(subject.entries), name, witness)


@pytest.mark.parametrize(
    ("factors", "p"), [(f, p) for f, p in SPACES if f[0][1] == 2 and len(f) == 1 and p > 2], ids=str
)
def test_the_rule_quadric_gives_the_width_itself(factors: Factors, p: int) -> None:
    for name in models(factors):
        truth = widths(factors, name, p)
        rng = random.Random(p)
        for number in rng.sample(range(1, len(truth)), min(200, len(truth) - 1)):
            subject = target(factors, p, number)
            for relation in (">=", "<="):
                context = Context(
                    subject,
                    read_units(name, "", subject.space),
                    f"GF({p})",
                    relation,
                    MappingProxyType({}),
                    (),
                    "/steps/0",
                )
                claim = RULES["quadric"].derive(None, context)
                assert claim.value == truth[number]
                assert claim.quantity == ("border_rank" if relation == ">=" else "rank")


@pytest.mark.parametrize(("factors", "p"), [(f, p) for f, p in SPACES if Space(f).is_polynomial], ids=str)
def test_the_inequalities_between_units_hold_for_every_target(factors: Factors, p: int) -> None:
    names = models(factors)
    table = Consequences(target(factors, p, 1), {})._inequalities(f"GF({p})", "rank")
    for small, large, factor in table:
        assert np.all(
            (widths(factors, large, p) == UNREACHED)
            | (widths(factors, small, p) <= factor * widths(factors, large, p))
        ), (small, large)
    # The documentation's table has the same rows (rows that follow from others aside).
    d = Space(factors).form_degree
    for small, large in product(names, repeat=2):
        factor = units_factor(small, large, "rank", d, p)
        if small != large and factor is not None and "product" not in (small, large):
            assert np.all(widths(factors, small, p) <= factor * widths(factors, large, p))


def test_flattenings_are_sharp_somewhere() -> None:
    truth = widths(((2, 3),), "tied", 5)
    context = Context(
        target(((2, 3),), 5, 5),
        read_units("tied", "", Space(((2, 3),))),
        "GF(5)",
        ">=",
        MappingProxyType({}),
        (),
        "/steps/0",
    )
    claim = RULES["flattening"].derive(
        RULES["flattening"].read({"orders": [1], "prime": 5}, context), context
    )
    # x^2 y: the border rank is 2, the rank 3.
    assert (claim.value, truth[5]) == (2, 3)


def test_no_inequality_with_a_good_characteristic_holds_without_it() -> None:
    # x y over GF(2) is one product of forms and no sum of squares.
    xy = 2  # words (0,0), (0,1), (1,1): the second digit
    assert widths(((2, 2),), "untied", 2)[xy] == 1
    assert widths(((2, 2),), "tied", 2)[xy] == UNREACHED
    # Over GF(3) x^2 y is no sum of cubes.
    assert widths(((2, 3),), "tied", 3)[3] == UNREACHED


def test_widths_of_tensors_over_two_elements_are_the_known_ones() -> None:
    # The largest rank of a 2 x 2 x 2 tensor is 3, and of a 2 x 2 x 3 tensor 4 over GF(2) and 3 over larger fields.
    assert widths(((2, 1), (2, 1), (2, 1)), "product", 2).max() == 3
    assert widths(((2, 1), (2, 1), (2, 1)), "product", 3).max() == 3
    assert widths(((2, 1), (2, 1), (3, 1)), "product", 2).max() == 3
