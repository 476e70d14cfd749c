"""What is written in a format is read back as the same products, and what a format cannot say is refused."""

from __future__ import annotations

import io
import json
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import sympy
from formats.small_schemes import BINI, schoolbook, strassen
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rankproof.errors import UsageError
from rankproof.formats import Source, infer_target, match_target
from rankproof.formats.finding import Match
from rankproof.formats.listing import Products
from rankproof.formats.reading import find_format, read_schemes
from rankproof.formats.writing import WRITERS, writer_of
from rankproof.problem.decomposition import BorderFamily, Decomposition
from rankproof.problem.field import QQ, Field, NumberField, Scalar, gf, number
from rankproof.problem.laurent import Laurent
from rankproof.problem.library import named
from rankproof.problem.space import Space
from rankproof.problem.target import Target

I = number(NumberField.sqrt(-1, "i"))
ROOT = number(NumberField.sqrt(3, "sqrt3"))
READABLE = ("exp", "npz", "json", "fast-matmul")


def products(*factors: np.ndarray, target: Target | None = None, ring: Field = QQ) -> Products:
    proof = Decomposition.from_numpy(*factors, ring=ring)
    if target is None:
        target = proof.target(Space.tensor(*(len(factor) for factor in factors)))
    return Products(target, proof, "here")


def written(found: Products, format: str) -> bytes:
    return writer_of(format, "").write(found)


def read_back(data: bytes, target: Target, ring: str | None = None) -> Decomposition | BorderFamily:
    source = Source("file", data)
    format = find_format(source)
    assert format is not None
    (scheme,) = format.read(source)
    found = match_target(scheme, target, ring)
    assert isinstance(found, Match), found.reason
    return found.proof


STRASSEN = products(*strassen(), target=named("matmul", 2, 2, 2))


@pytest.mark.parametrize("format", READABLE)
def test_strassen_s_scheme_comes_back(format: str) -> None:
    assert read_back(written(STRASSEN, format), STRASSEN.target) == STRASSEN.proof


@pytest.mark.parametrize("format", READABLE)
@pytest.mark.parametrize("shape", [(1, 2, 3), (2, 3, 1), (3, 1, 2), (1, 1, 11), (2, 1, 1)])
def test_rectangles_come_back_with_the_right_side_up(format: str, shape: tuple[int, int, int]) -> None:
    target = named("matmul", *shape)
    found = products(*schoolbook(*shape), target=target)
    source = Source("file", written(found, format))
    reader = find_format(source)
    assert reader is not None
    (scheme,) = reader.read(source)
    matched = match_target(scheme, target)
    assert isinstance(matched, Match)
    assert matched.proof == found.proof
    # The shape can be read off the sizes, but for shapes that others share.
    inferred = infer_target(scheme)
    assert inferred is not None
    assert inferred.name is not None


coefficients = st.sampled_from([0, 0, 1, -1, 2, Fraction(1, 2), Fraction(-3, 4)])


@st.composite
def sums(draw: st.DrawFn) -> Products:
    dims, r = draw(st.tuples(*[st.integers(1, 3)] * 3)), draw(st.integers(1, 3))
    # A last product that mentions every entry keeps the sizes.
    units = [[draw(st.lists(coefficients, min_size=n, max_size=n)) for n in dims] for _ in range(r)]
    units.append([[1] * n for n in dims])
    proof = Decomposition.of("product", [unit for unit in units if all(map(any, unit))])
    sum_ = proof.expand(Space.tensor(*dims))
    assume(sum_)
    return Products(Target.from_entries(Space.tensor(*dims), sum_), proof)


@pytest.mark.parametrize("format", READABLE)
@given(found=sums())
@settings(max_examples=30)
def test_every_rational_sum_of_products_comes_back(format: str, found: Products) -> None:
    assert not read_back(written(found, format), found.target).residual(found.target)


def test_certificates_come_back_through_the_prover_s_reader() -> None:
    from rankproof.certificate.document import Certificate, decode_decomposition

    certificate = Certificate.from_bytes(written(STRASSEN, "certificate"))
    (step,) = certificate.steps
    assert certificate.target == STRASSEN.target
    assert decode_decomposition(dict(step.witness), "product") == STRASSEN.proof
    assert certificate.producer["source"] == "here"


def turned(ring: Field, x: Scalar) -> Products:
    """Strassen's scheme with the first product divided by a number in one vector and multiplied by it in another."""
    A, B, C = (factor.astype(object) for factor in strassen())
    A[:, 0] *= x
    C[:, 0] = [c / x if isinstance(c, int) and c else c for c in C[:, 0]]
    return products(A, B, C, target=named("matmul", 2, 2, 2), ring=ring)


@pytest.mark.parametrize(
    ("ring", "coordinates"),
    [(I, (1, 2)), (I, (0, Fraction(1, 2))), (ROOT, (Fraction(-2, 3), 5)), (ROOT, (0, -1))],
)
def test_roots_are_written_as_text(ring: Field, coordinates: tuple[Fraction, Fraction]) -> None:
    assert ring.number_field is not None
    found = turned(ring, ring.number_field.element(coordinates))
    assert read_back(written(found, "exp"), found.target) == found.proof
    for format in ("npz", "json", "fast-matmul"):
        with pytest.raises(UsageError, match="has rational ones"):
            written(found, format)
    assert b"sqrt3" in written(found, "macaulay2") or ring == I
    assert b"\\sqrt{3}" in written(found, "latex") or b"\\mathrm{i}" in written(found, "latex")


def test_a_root_of_a_cubic_has_no_spelling_in_text() -> None:
    field = NumberField.from_polynomial((-2, 0, 0, 1), "t")
    found = turned(number(field), field.generator())
    with pytest.raises(UsageError, match="has square roots only"):
        written(found, "exp")
    assert b"toField(QQ[t]/(-2 + 1*t^3))" in written(found, "macaulay2")


def bini() -> Products:
    (scheme,) = find_format(Source("f", BINI.encode())).read(Source("f", BINI.encode()))  # type: ignore[union-attr]
    found = match_target(scheme, named("matmul", 3, 2, 2))
    assert isinstance(found, Match)
    return Products(found.target, found.proof)


def test_families_are_written_where_eps_has_a_spelling() -> None:
    found = bini()
    assert read_back(written(found, "fast-matmul"), found.target) == found.proof
    for format in ("npz", "json", "exp"):
        with pytest.raises(UsageError, match="depend on eps"):
            written(found, format)
    assert rb"\varepsilon^{-1}" in written(found, "latex")


def test_every_laurent_polynomial_of_the_text_format_comes_back() -> None:
    x = 1 - Laurent.power(1, Fraction(3, 2)) + Laurent.power(-2, -1) + Laurent.power(3, 5)
    unit = ((x,), (Laurent.power(2),), (Fraction(-1, 2),))
    family = BorderFamily("product", QQ, 0, (unit,))
    target = Target.from_entries(Space.tensor(1, 1, 1), {(0, 0, 0): Fraction(1, 2)})
    assert not family.residual(target)
    back = read_back(written(Products(target, family), "fast-matmul"), target)
    assert not back.residual(target)


def test_over_gf_p_the_numbers_are_written_as_they_are() -> None:
    A, B, C = (factor % 3 for factor in strassen())
    found = products(A, B, C, target=named("matmul", 2, 2, 2), ring=gf(3))
    for format in READABLE:
        assert read_back(written(found, format), found.target, "GF(3)") == found.proof
    assert b"ZZ/3[" in written(found, "macaulay2")
    assert json.loads(written(found, "json"))["z2"] is False
    two = products(A % 2, B % 2, C % 2, target=named("matmul", 2, 2, 2), ring=gf(2))
    assert json.loads(written(two, "json"))["z2"] is True


def test_arrays_hold_no_pickle(tmp_path: Path) -> None:
    half = products(
        np.array([[Fraction(1, 2)]], dtype=object),
        np.array([[Fraction(1, 3)]], dtype=object),
        np.array([[5]]),
    )
    with np.load(io.BytesIO(written(half, "npz")), allow_pickle=False) as archive:
        assert {key: archive[key].tolist() for key in archive} == {
            "u": [[1]],
            "v": [[1]],
            "w": [[5]],
            "denominator": 6,
        }
    long = products(np.array([[2**70]], dtype=object), np.array([[1]]), np.array([[1]]))
    with pytest.raises(UsageError, match="64 bits"):
        written(long, "npz")
    assert read_back(written(long, "json"), long.target) == long.proof


def evaluated(script: str) -> dict[str, object]:
    """A Macaulay2 script of ours, read by sympy: its products and its target."""
    names = {
        f"{x}_({i},{j})": sympy.Symbol(f"{x}{i}{j}") for x in "abc" for i in range(1, 4) for j in range(1, 4)
    }

    def value(text: str) -> sympy.Expr:
        for name in names:
            text = text.replace(name, str(names[name]))
        return sympy.sympify(text.replace("^", "**"), rational=True)

    rows = re.findall(r"^  \{(.*)\},?$", script, re.MULTILINE)
    target = re.search(r"^T = (.*);$", script, re.MULTILINE)
    assert target is not None
    # Entries hold no comma but the one of an index.
    parts = [re.split(r", (?![0-9])", row) for row in rows]
    return {"products": [[value(x) for x in row] for row in parts], "target": value(target[1])}


def test_the_macaulay2_script_says_what_it_checks() -> None:
    script = written(STRASSEN, "macaulay2").decode()
    found = evaluated(script)
    total = sum(sympy.prod(row) for row in found["products"])  # type: ignore[union-attr]
    assert sympy.expand(total - found["target"]) == 0  # type: ignore[operator]
    assert script.endswith("assert(S == T)\n")
    assert script.count("{") == script.count("}")


def test_the_macaulay2_script_of_a_family_is_polynomial_in_eps() -> None:
    script = written(bini(), "macaulay2").decode()
    assert "eps^-" not in script
    found = evaluated(script)
    total = sum(sympy.prod(row) for row in found["products"])  # type: ignore[union-attr]
    eps = sympy.Symbol("eps")
    power = re.search(r"eps\^(\d+)\*T\) % ideal\(eps\^(\d+)\)", script)
    assert power is not None
    assert int(power[2]) == int(power[1]) + 1
    rest = sympy.Poly(sympy.expand(total - eps ** int(power[1]) * found["target"]), eps)  # type: ignore[operator]
    assert all(exponent > int(power[1]) for (exponent,), _ in rest.terms())


def test_latex_lists_products_and_results() -> None:
    text = written(STRASSEN, "latex").decode()
    assert r"m_{1} &= \left(a_{11} + a_{22}\right) \left(b_{11} + b_{22}\right) \\" in text
    assert r"c_{22} &= m_{1} - m_{2} + m_{3} + m_{6} \\" in text
    assert text.count(r"\begin{align*}") == text.count(r"\end{align*}") == 2


def test_the_header_states_convention_and_additions() -> None:
    lines = written(STRASSEN, "exp").decode().splitlines()
    assert lines[0] == "# matmul(2,2,2): 7 products over ZZ"
    assert lines[1] == "# matrices row by row, third factor C^T; 18 additions"
    assert "third factor C;" in written(STRASSEN, "fast-matmul").decode()


def test_other_units_have_no_scheme_format() -> None:
    square = Decomposition.of("tied", [[[1, 1], [1]]])
    with pytest.raises(UsageError, match="only products of three vectors"):
        Products(square.target(Space.form(2, 2)), square)


def test_the_ending_chooses_the_format() -> None:
    for writer in WRITERS:
        if writer.suffix:
            assert writer_of(None, f"some.file{writer.suffix.upper()}") is writer
        assert writer_of(writer.name, "x") is writer
    with pytest.raises(UsageError, match="does not say which format"):
        writer_of(None, "scheme")
    with pytest.raises(UsageError, match="no format 'xml' is written; there are certificate, exp"):
        writer_of("xml", "x")


def test_every_written_format_is_recognised_as_itself(tmp_path: Path) -> None:
    names = {"exp": "exp", "npz": "alphatensor", "json": "json", "fast-matmul": "fast-matmul"}
    for format, name in names.items():
        path = tmp_path / "file"
        path.write_bytes(written(STRASSEN, format))
        assert [scheme.format for scheme in read_schemes(path)] == [name]
