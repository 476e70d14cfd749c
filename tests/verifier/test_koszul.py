"""The rule koszul against sums of few units: no bound may exceed the number of units."""

from __future__ import annotations

import random

import pytest

from rankproof.verifier.refusal import Rejected
from rankproof.verifier.rules import koszul
from rankproof.verifier.rules.rule import Context
from rankproof.verifier.scalars import QQ
from rankproof.verifier.targets import Space, Target, finite_field
from rankproof.verifier.units import Units, read_units

UNITS = ("tied", "untied", "mixed:1", "mixed:2", "split", "product")


def vector(generator: random.Random, n: int) -> list[int]:
    """A vector: small, larger, of one coordinate, or zero."""
    kind = generator.randrange(4)
    if kind == 0:
        return [generator.choice([0, 1, -1]) for _ in range(n)]
    if kind == 1:
        return [generator.randint(-9, 9) for _ in range(n)]
    alone = generator.randrange(n)
    return [int(kind == 2 and i == alone) for i in range(n)]


def random_space(generator: random.Random, units: str) -> Space:
    if units == "product":
        return Space(tuple((generator.randint(1, 4), 1) for _ in range(generator.choice([2, 3, 3, 4]))))
    least = 2 * int(units[6:]) if units.startswith("mixed") else 1
    form = (generator.randint(1, 4), generator.randint(least, 5))
    m = generator.choice([1, 1, 2, 3, 4])
    return Space((form,) if m == 1 else (form, (m, 1)))


def random_sum(
    generator: random.Random, units: Units, space: Space, count: int
) -> dict[tuple[int, ...], int]:
    """A sum of so many units, among them units that share vectors with others."""
    chosen: list[list[list[int]]] = []
    for _ in range(count):
        unit = [vector(generator, n) for n in units.lengths(space)]
        if chosen and generator.random() < 0.5:
            old = generator.choice(chosen)
            unit = [a if generator.random() < 0.5 else b for a, b in zip(unit, old, strict=True)]
        if len(unit) > 2 and len(unit[0]) == len(unit[1]) and generator.random() < 0.2:
            unit[1] = unit[0]
        chosen.append(unit)
    return {word: int(x) for word, x in units.sum(chosen, space) if x}


def random_wedge(generator: random.Random, space: Space, factor: int) -> dict[str, object]:
    n = space.factors[factor][0]
    a = generator.randint(1, n)
    projection = {"projection": [vector(generator, n) for _ in range(a)]} if generator.random() < 0.7 else {}
    return {"factor": factor, "wedge": generator.randrange(a if projection else n), **projection}


def random_witness(generator: random.Random, space: Space, prime: int) -> dict[str, object]:
    """One wedge, or two or three while there are letters for them."""
    taken: list[int] = []
    for _ in range(generator.choice([1, 1, 2, 2, 3])):
        free = [i for i, (_, d) in enumerate(space.factors) if taken.count(i) < d]
        taken += generator.sample(free, 1) if free else []
    first, *more = [random_wedge(generator, space, factor) for factor in taken]
    orders = [generator.randint(0, d - taken.count(i)) for i, (_, d) in enumerate(space.factors)]
    return {**first, "orders": orders, "prime": prime, **({"more": more} if more else {})}


@pytest.mark.parametrize("characteristic", [0, 2, 3, 7])
@pytest.mark.parametrize("name", UNITS)
def test_no_bound_exceeds_the_number_of_units(name: str, characteristic: int) -> None:
    generator = random.Random(f"{name} {characteristic}")
    bounds, tight = 0, 0
    while bounds < 100:
        space = random_space(generator, name)
        units, count = read_units(name, "", space), generator.randint(1, 4)
        entries = random_sum(generator, units, space, count)
        if characteristic:
            entries = {word: x % characteristic for word, x in entries.items() if x % characteristic}
        if not entries:
            continue
        over = f"GF({characteristic})" if characteristic else "CC"
        ring = (finite_field(over) if characteristic else QQ) or QQ
        context = Context(Target(space, ring, entries), units, over, ">=", {}, (), "/steps/0")
        prime = characteristic or generator.choice([2, 3, 7, 1048573])
        try:
            recipe = koszul.read(random_witness(generator, space, prime), context)
            claim = koszul.derive(recipe, context)
        except Rejected:
            # Split units with the wedge in the form; untied and mixed ones in small characteristic.
            assert name == "split" or 0 < characteristic <= space.form_degree
            continue
        assert claim.value <= count, (space, entries, recipe)
        bounds += 1
        tight += claim.value == count
    assert tight > 0, "the rule says nothing here: what is tested?"


def test_the_wedge_table_has_the_signs_of_sorting() -> None:
    # e_1 ^ e_0 = - e_0 ^ e_1, with the pairs 01, 02, 12 numbered 0, 1, 2.
    assert koszul.wedge_table(3, 1) == [
        [(1, 0, 1), (2, 1, 1)],
        [(0, 0, -1), (2, 2, 1)],
        [(0, 1, -1), (1, 2, -1)],
    ]


@pytest.mark.parametrize("a", range(1, 6))
def test_wedging_twice_with_one_vector_is_zero(a: int) -> None:
    image = [3 * i + 1 for i in range(a)]
    for size in range(a - 1):
        once: dict[tuple[int, int], int] = {}
        for i, x in enumerate(image):
            for subset, larger, sign in koszul.wedge_table(a, size)[i]:
                once[subset, larger] = sign * x
        total: dict[tuple[int, int], int] = {}
        for i, x in enumerate(image):
            for subset, larger, sign in koszul.wedge_table(a, size + 1)[i]:
                for (start, end), value in once.items():
                    if end == subset:
                        total[start, larger] = total.get((start, larger), 0) + sign * x * value
        assert set(total.values()) == {0}
