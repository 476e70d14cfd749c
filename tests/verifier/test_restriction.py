"""The rules restriction and sum-of-parts: images against sympy, and no false bound about sums of few units."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from itertools import combinations_with_replacement, product
from typing import Any

import pytest
import sympy

from rankproof.verifier.claims import Claim
from rankproof.verifier.refusal import Rejected, Unreadable
from rankproof.verifier.rules import RULES, quadric, restriction, sum_of_parts
from rankproof.verifier.rules.rule import Context
from rankproof.verifier.scalars import QQ, Ring
from rankproof.verifier.targets import Space, Target, Word, finite_field
from rankproof.verifier.units import read_units

Entries = Mapping[Word, int]


def context(space: Space, entries: Entries, units: str, over: str, relation: str = ">=") -> Context:
    ring = finite_field(over) or QQ
    return Context(
        Target(space, ring, dict(entries)), read_units(units, "", space), over, relation, {}, (), "/steps/0"
    )


def matrix(generator: random.Random, rows: int, columns: int, p: int) -> list[list[int]]:
    low, high = (0, p - 1) if p else (-2, 2)
    return [[generator.randint(low, high) for _ in range(columns)] for _ in range(rows)]


def polynomial(
    entries: Entries, factors: list[tuple[int, int]], names: list[list[sympy.Symbol]]
) -> sympy.Expr:
    owners = [i for i, (_, d) in enumerate(factors) for _ in range(d)]
    return sympy.Add(
        *(
            c * sympy.prod(names[i][x] for i, x in zip(owners, word, strict=True))
            for word, c in entries.items()
        )
    )


@pytest.mark.parametrize("p", [0, 3])
def test_an_image_is_a_substitution(p: int) -> None:
    generator = random.Random(p)
    ring = Ring(f"GF({p})", prime=p) if p else QQ
    for _ in range(30):
        factors = generator.choice([[(3, 3)], [(2, 4)], [(2, 2), (3, 1)], [(2, 1), (3, 1), (2, 1)]])
        space = Space(tuple(factors))
        words = [word for word in all_words(factors) if generator.random() < 0.6] or [all_words(factors)[0]]
        entries = {word: generator.randint(1, p - 1 if p else 5) for word in words}
        maps = [
            None if generator.random() < 0.2 else matrix(generator, generator.randint(1, n), n, p)
            for n, _ in factors
        ]
        image = restriction.transformed(
            entries,
            maps,
            factors,
            ring,
            context(space, entries, "split" if len(factors) < 3 else "product", "CC"),
        )
        sizes = [(n if m is None else len(m), d) for m, (n, d) in zip(maps, factors, strict=True)]
        new = [[sympy.Symbol(f"y{i}_{j}") for j in range(k)] for i, (k, _) in enumerate(sizes)]
        letters = [
            new[i]
            if m is None
            else [sympy.Add(*(m[j][x] * new[i][j] for j in range(len(m)))) for x in range(n)]
            for i, (m, (n, _)) in enumerate(zip(maps, factors, strict=True))
        ]
        difference = sympy.Poly(
            polynomial(entries, factors, letters) - polynomial(image, sizes, new),
            *[y for row in new for y in row],
        )
        assert all(c % p == 0 if p else c == 0 for c in difference.coeffs())


def all_words(factors: list[tuple[int, int]]) -> list[Word]:
    pieces = [list(combinations_with_replacement(range(n), d)) for n, d in factors]
    return [tuple(x for piece in chosen for x in piece) for chosen in product(*pieces)]


def derived(derive: Callable[[Any, Context], Claim], data: Any, asked: Context) -> Claim | str:
    """The claim, or the code of the refusal."""
    try:
        return derive(data, asked)
    except Rejected as refusal:
        return refusal.code


INNER: dict[str, dict[str, object]] = {
    "flattening": {"orders": [1], "prime": 1048573},
    "nonzero": {},
    "quadric": {},
}


@pytest.mark.parametrize("over", ["CC", "RR", "GF(3)", "GF(7)"])
@pytest.mark.parametrize("name", ["tied", "untied", "split"])
def test_no_bound_exceeds_the_number_of_units(name: str, over: str) -> None:
    generator = random.Random(f"{name} {over}")
    p = int(over[3:-1]) if over.startswith("GF") else 0
    proved, tight = 0, 0
    while proved < 60:
        n, d = generator.randint(1, 4), generator.choice([2, 2, 3])
        space, count = Space(((n, d),)), generator.randint(1, 4)
        units = read_units(name, "", space)
        vectors = [
            [matrix(generator, 1, length, p)[0] for length in units.lengths(space)] for _ in range(count)
        ]
        entries = {word: x % p if p else x for word, x in units.sum(vectors, space)}
        entries = {word: x for word, x in entries.items() if x}
        if not entries:
            continue
        rule = generator.choice(["flattening", "nonzero"] + ["quadric"] * 2 * (d == 2))
        witness = dict(INNER[rule])
        if rule == "flattening":
            witness = {"orders": [1], "prime": p or 1048573}
        node = {"maps": [matrix(generator, generator.randint(1, n), n, p)], "rule": rule, "witness": witness}
        asked = context(space, entries, name, over)
        claim = derived(restriction.derive, restriction.read(node, asked), asked)
        if isinstance(claim, str):
            assert claim in ("image-vanishes", "field", "hypothesis")
            # Over RR the other rules say nothing.
            proved += over == "RR" and rule != "quadric"
            continue
        assert claim.value <= count
        proved += 1
        tight += claim.value == count
    assert tight or over == "RR"


@pytest.mark.parametrize("p", [3, 5])
def test_no_sum_of_parts_is_below_the_width_of_a_quadratic_form(p: int) -> None:
    """Forms are pulled back from parts; over finite fields the width of a quadratic form is known exactly."""
    generator = random.Random(p)
    proved, tight = 0, 0
    while proved < 40:
        n = generator.randint(2, 4)
        space, name = Space(((n, 2),)), generator.choice(["tied", "untied"])
        change = matrix(generator, n, n, p)
        inverse = inverted(change, p)
        if inverse is None:
            continue
        cut = generator.randint(1, n - 1)
        blocks = [list(range(cut)), list(range(cut, n))]
        hidden = {
            w: generator.randint(1, p - 1) for b in blocks for w in all_words([(n, 2)]) if set(w) <= set(b)
        }
        ring = finite_field(f"GF({p})") or QQ
        asked = context(space, hidden, name, f"GF({p})", "<=")
        target = restriction.transformed(hidden, [change], [(n, 2)], ring, asked)
        if not target:
            continue
        asked = context(space, target, name, f"GF({p})", "<=")
        parts = [
            {
                "maps": [[inverse[i] for i in block]],
                "back": [[[change[j][i] for i in block] for j in range(n)]],
                "rule": "quadric",
                "witness": {},
            }
            for block in blocks
        ]
        claim = derived(sum_of_parts.derive, sum_of_parts.read({"parts": parts}, asked), asked)
        if isinstance(claim, str):
            assert claim == "image-vanishes"
            continue
        exact = quadric.derive(None, asked).value
        assert claim.value >= exact
        proved += 1
        tight += claim.value == exact
    assert tight > 10


def inverted(rows: list[list[int]], p: int) -> list[list[int]] | None:
    found = sympy.Matrix(rows)
    if found.det() % p == 0:
        return None
    return [[int(x) for x in row] for row in found.inv_mod(p).tolist()]


def test_rules_that_rest_on_theorems_are_not_asked() -> None:
    assert {"nonzero", "decomposition", "binary"} <= set(restriction.OTHERS)
    resting = {name for name, rule in RULES.items() if rule.theorems or rule.premises}
    assert "coprime-monomials" in resting
    assert not resting & set(restriction.OTHERS)
    assert not {"restriction", "sum-of-parts"} & set(restriction.OTHERS)
    asked = context(Space(((2, 2),)), {(0, 1): 1}, "tied", "CC")
    with pytest.raises(Unreadable):
        restriction.read({"maps": [[]], "rule": "coprime-monomials", "witness": {}}, asked)
