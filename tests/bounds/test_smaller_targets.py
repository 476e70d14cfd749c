"""Essential variables and parts without common variables: bounds are carried over, and certificates say so."""

from __future__ import annotations

import random

import pytest

from rankproof.bounds.smaller_targets import independent_parts
from rankproof.exact.linear_image import essential
from rankproof.problem.field import CC, QQ, RR, Field, gf
from rankproof.problem.parse import read_targets
from rankproof.problem.space import Space
from rankproof.problem.target import Target
from rankproof.prove import Proof, certify


def intervals(proof: Proof) -> dict[tuple[str, str, str], tuple[int, int | None]]:
    return {(a.units, a.field.name, a.quantity): (a.lower, a.upper) for a in proof.answers}


@pytest.mark.parametrize(
    ("text", "image"),
    [
        ("(x + y)**3*(y + z)**2", "x**3*z**2"),
        ("(x + y + z)**4", "x**4"),
        ("x**2*y; 2*x**2*y; z**3", "x**2*y; z**3"),
        ("x*(y + z); x*(y + z)", "x*y"),
    ],
)
def test_essential_variables_and_outputs(text: str, image: str) -> None:
    found = essential(read_targets(text)[0])
    assert found is not None
    assert found.image.text == image


@pytest.mark.parametrize("text", ["x**2*y + z**3", "x**2; x*y", "matmul(2,2,2)", "x**3"])
def test_a_target_that_uses_everything_stays(text: str) -> None:
    assert essential(read_targets(text)[0]) is None


def test_the_maps_of_a_reduction_lead_there_and_back() -> None:
    generator = random.Random(1)
    for _ in range(20):
        k, n, d = generator.randint(1, 3), generator.randint(3, 5), generator.randint(2, 4)
        forms = [tuple(generator.randint(-2, 2) for _ in range(n)) for _ in range(k)]
        target = sum_of_powers(forms, d)
        found = essential(target)
        if found is None:
            assert k >= n
            continue
        assert found.image.space.variables_count <= k
        back = sum_of_powers(
            [tuple(row[r] for row in found.back[0]) for r in range(found.image.space.variables_count)], d
        )
        assert back.space == target.space
        # Every power in the image is a power in the target.
        pulled = [found.unit_back((form, (1,)), QQ)[0] for form in reduced(forms, found.maps[0])]
        assert [tuple(form) for form in pulled] == forms


def sum_of_powers(forms: list[tuple[int, ...]], d: int) -> Target:
    names = [f"x{i}" for i in range(len(forms[0]))]
    terms = [
        "(" + "+".join(f"({c})*{x}" for c, x in zip(form, names, strict=True)) + f")**{d}"
        for form in forms
        if any(form)
    ]
    target = read_targets(" + ".join(f"{k + 2}*{term}" for k, term in enumerate(terms)) or "x0**2")[0]
    place = {name: i for i, name in enumerate(names)}
    used = [place[name] for name in target.variable_names()]
    entries = {tuple(used[x] for x in word): c for word, c in target.entries}
    return Target.from_entries(Space.form(len(names), target.space.form_degree), entries)


def reduced(forms: list[tuple[int, ...]], rows: object) -> list[tuple[int, ...]]:
    kept = [row.index(1) for row in rows]  # type: ignore[attr-defined]
    return [tuple(form[x] for x in kept) for form in forms]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("x**2*y + z**2*w", ["x**2*y", "w*z**2"]),
        ("x*y*z + u*v*w + t**3", ["t**3", "u*v*w", "x*y*z"]),
        ("x**2 + y*z; y**2; u**2", ["u**2", "x**2", "y*z; y**2"]),
        ("x**2*y + y**3", []),
    ],
)
def test_parts_without_common_variables(text: str, parts: list[str]) -> None:
    assert sorted(part.image.text for part in independent_parts(read_targets(text)[0])) == sorted(parts)


def test_parts_of_tensors_share_no_letter() -> None:
    target = Target.from_entries(Space.tensor(2, 3, 2), {(0, 0, 0): 1, (0, 1, 0): 2, (1, 2, 1): 3})
    assert [part.image.space.factors for part in independent_parts(target)] == [
        ((1, 1), (2, 1), (1, 1)),
        ((1, 1), (1, 1), (1, 1)),
    ]
    assert independent_parts(read_targets("W(3)")[0]) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # x^3 z^2 in other variables: real roots, and an apolar operator of degree 3 with a repeated root.
        (
            "(x + y)**3*(y + z)**2",
            {
                ("tied", "RR", "rank"): (5, 5),
                ("tied", "CC", "rank"): (4, 4),
                ("tied", "CC", "border_rank"): (3, 3),
                ("untied", "CC", "rank"): (3, 3),
            },
        ),
        # x^2 y^2 needs the square root of 3.
        ("(x + y)**2*(y + z)**2", {("untied", "QQ", "rank"): (3, 3), ("untied", "RR", "rank"): (2, 2)}),
        ("x*(y + z); x*(y + z)", {("untied", "QQ", "rank"): (1, 1), ("tied", "QQ", "rank"): (2, 2)}),
    ],
)
def test_hidden_forms_are_bounded_like_what_they_are(
    text: str, expected: dict[tuple[str, str, str], tuple[int, int]]
) -> None:
    proof = certify(read_targets(text)[0], budget=20)
    assert proof.verdict.word == "VERIFIED"
    found = intervals(proof)
    assert {question: found[question] for question in expected} == expected


def test_sums_of_two_forms_without_units_are_bounded_by_parts() -> None:
    """Over CC a general binary sextic is a sum of 4 powers, at the roots of many quartics."""
    text = "x**6 + 2*x**5*y - 3*x**2*y**4 + 5*x*y**5 + y**6"
    other = text.replace("x", "z").replace("y", "w")
    proof = certify(read_targets(f"{text} + 2*({other})")[0], units=("tied",), fields=(CC,), budget=20)
    assert intervals(proof) == {("tied", "CC", "rank"): (8, 8), ("tied", "CC", "border_rank"): (8, 8)}
    assert "sum-of-parts" in {step.rule for step in proof.certificate.steps}


@pytest.mark.parametrize("field", [QQ, RR, gf(7)])
def test_explicit_units_of_parts_are_put_together(field: Field) -> None:
    proof = certify(read_targets("x**2*y + z**2*w + u**3")[0], units=("tied",), fields=(field,), budget=20)
    assert intervals(proof)["tied", field.name, "rank"][1] == 7
    assert "decomposition" in {step.rule for step in proof.certificate.steps}


def test_a_part_bounds_the_whole() -> None:
    """A real form of degree 7 with 7 real roots, and a power of another variable."""
    roots = "*".join(f"(x - {k}*y)" for k in range(1, 8))
    proof = certify(read_targets(f"{roots} + z**7")[0], units=("tied",), fields=(RR,), budget=20)
    assert intervals(proof)["tied", "RR", "rank"][0] >= 7
