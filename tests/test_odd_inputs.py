"""What a person tries first: one variable, degree one, long numbers, many terms, high degrees; all answered, and right."""

from __future__ import annotations

import re
from fractions import Fraction

import numpy as np
import pytest

from rankproof.bounds.binary import analysed, tied_operator
from rankproof.bounds.method import Budget
from rankproof.errors import TargetError, UsageError
from rankproof.problem.field import CC, QQ, RR, Field
from rankproof.problem.parse import read_targets
from rankproof.problem.target import Target
from rankproof.prove import Proof, certify

LONG = "1" + "234567890" * 11
"""A number of 100 digits."""


def ask(text: str, budget: float = 3, **options: object) -> Proof:
    proof = certify(read_targets(text)[0], budget=budget, **options)  # type: ignore[arg-type]
    assert proof.verdict.word == "VERIFIED"
    return proof


def intervals(proof: Proof) -> dict[tuple[str, str, str], tuple[int, int | None]]:
    return {(a.units, a.field.name, a.quantity): (a.lower, a.upper) for a in proof.answers}


@pytest.mark.parametrize(
    "text", ["x", "x**5", "x**64", "x+2*y-3*z", "(x+y)**30", f"{LONG}*x**3", f"x**3/{LONG}", "-x**2"]
)
def test_one_power_is_one_unit(text: str) -> None:
    assert set(intervals(ask(text)).values()) == {(1, 1)}


def test_linear_maps_have_the_rank_of_their_matrix() -> None:
    assert set(intervals(ask("x; y; x+y")).values()) == {(2, 2)}
    assert set(intervals(ask("x+y; 2*x+2*y")).values()) == {(1, 1)}


def test_coefficients_of_a_hundred_digits() -> None:
    found = intervals(ask(f"{LONG}*x**3 + {LONG}*y**3 + x**2*y"))
    assert found["tied", "QQ", "rank"] == (3, 3)
    assert found["tied", "RR", "rank"] == found["tied", "CC", "rank"] == (2, 2)
    found = intervals(ask(f"x**2*y/{LONG} + {LONG}*z**3", units=("tied",), fields=(QQ,)))
    assert found["tied", "QQ", "rank"] == (4, 4)
    found = intervals(ask(f"{LONG}*x**2 - y**2/{LONG}", units=("untied",)))
    assert found["untied", "QQ", "rank"] == (1, 1)


GENERAL = " + ".join(f"{(7 * i) % 11 - 5 or 1}*x**{30 - i}*y**{i}" for i in range(31))


@pytest.mark.parametrize(
    ("text", "field", "lower", "upper"),
    [
        ("x**15*y**15", CC, 16, 16),
        ("x**15*y**15", RR, 30, 30),
        (GENERAL, CC, 16, 16),
    ],
)
def test_binary_forms_of_degree_thirty(text: str, field: Field, lower: int, upper: int) -> None:
    proof = ask(text, 1.5, units=("tied",), fields=(field,), border=False)
    assert intervals(proof) == {("tied", field.name, "rank"): (lower, upper)}


def test_over_the_rationals_the_degree_is_enough() -> None:
    operator = tied_operator(analysed(read_targets(GENERAL)[0]), 30, QQ, Budget(20), np.random.default_rng(0))
    assert operator is not None
    assert len(set(operator.factors)) == 30


def test_thirty_terms_in_six_variables() -> None:
    terms = (f"{(7 * i) % 11 - 5 or 1}*x{i % 6}*x{(i * i + 1) % 6}*x{(3 * i + 2) % 6}" for i in range(30))
    found = intervals(ask(" + ".join(terms), units=("untied",), fields=(RR,)))
    lower, upper = found["untied", "RR", "rank"]
    assert 3 <= lower <= (upper or 0) <= 5


HUNDREDS = " + ".join(
    f"{10**99 + 7 * i * i + 3 * j}*x{i}*x{j}" if i < j else f"{10**99 + i}*x{i}**2"
    for i in range(24)
    for j in range(i, 24)
)


def test_hundreds_of_terms_with_coefficients_of_a_hundred_digits() -> None:
    (target,) = read_targets(HUNDREDS)
    assert len(target.entries) == 300
    assert min(value for _, value in target.entries) >= 10**99
    found = intervals(certify(target, budget=3, units=("tied",), fields=(CC,), border=False))
    lower, upper = found["tied", "CC", "rank"]
    assert lower == 24
    assert upper in (None, 24)


@pytest.mark.parametrize(
    "text", ["lambda**2*x", "if**3 + None*is**2", "True*class", "import*def*x", "inf*nan", "I**2*e"]
)
def test_words_of_python_are_names_of_variables(text: str) -> None:
    (target,) = read_targets(text)
    names = set(re.findall(r"[A-Za-z]+", text))
    assert set(target.variables or ()) == names


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("α*x**2", "the character 'α' at position 1"),
        ("x²", "the character '²'"),
        ("x·y", "the character '·'"),
        ("−x", "the character '−'"),
        ("2x", r"write 2\*x for 2x"),
        ("x^2", r"write x\*\*2 for x\^2"),
        ("x-x", "give a target that is not zero"),
        ("0; 0", "give a target that is not zero"),
        ("7", "is constant"),
        ("", "the text is empty"),
        ("1/x", "divide by numbers only"),
        ("x**0.5", "not a whole number"),
        ("(" * 5000 + "x" + ")" * 5000, "nested more than 50 deep"),
        ("x**1000000000", "powers go up to 64"),
        ("10**5000*x", "powers go up to 64"),
        ("1e5*x", "is a float"),
        ("x[1]", r"the character '\['"),
        ("det(100)", "100! terms"),
    ],
)
def test_what_is_no_target_is_one_clear_sentence(text: str, said: str) -> None:
    with pytest.raises(TargetError, match=said) as raised:
        read_targets(text)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("text", ["x**2*y", "(x+2*y-z)**2*(x-y+3*z) + 0*t", "x*y*0 + z**3"])
def test_targets_that_use_fewer_variables_than_they_name(text: str) -> None:
    found = intervals(ask(text, 1, units=("tied",), fields=(CC,), border=False))
    assert found["tied", "CC", "rank"] in ((3, 3), (1, 1))


UNIT = np.zeros((2, 2, 2), dtype=int)
UNIT[0, 0, 0] = UNIT[1, 1, 1] = 1


@pytest.mark.parametrize("kind", ["int8", "uint8", "int16", "uint64", "int64", "bool", "object"])
def test_arrays_of_every_kind_of_integers_are_one_tensor(kind: str) -> None:
    assert Target.from_array(UNIT.astype(kind)) == Target.from_array(UNIT)


def test_extreme_integers_keep_their_value() -> None:
    assert Target.from_array(np.array([[2**64 - 1, 0], [0, 1]], dtype=np.uint64)).entries[0][1] == 2**64 - 1
    assert Target.from_array(np.array([[-128, 0], [0, 1]], dtype=np.int8)).entries[0][1] == -128
    mixed = np.array([[np.int8(-3), np.uint64(2**63)], [Fraction(1, 3), 10**100]], dtype=object)
    assert [value for _, value in Target.from_array(mixed).entries] == [-3, 2**63, Fraction(1, 3), 10**100]


def test_the_order_of_an_array_in_memory_does_not_matter() -> None:
    a = np.arange(24).reshape(2, 3, 4)
    assert Target.from_array(np.asfortranarray(a)) == Target.from_array(a)
    assert Target.from_array(a[:, ::-1, ::2]) == Target.from_array(a[:, ::-1, ::2].copy())
    assert Target.from_array(a.T) == Target.from_array(a.T.tolist())


@pytest.mark.parametrize("shape", [(1,), (3,), (1, 1), (1, 1, 1), (2, 1, 3)])
def test_single_modes_have_rank_one(shape: tuple[int, ...]) -> None:
    proof = certify(Target.from_array(np.ones(shape, dtype=int)), budget=1)
    assert set(intervals(proof).values()) == {(1, 1)}


@pytest.mark.parametrize(
    ("array", "said"),
    [
        (np.zeros((2, 0, 3), int), "at least one axis and one entry"),
        (np.array(3), "at least one axis"),
        (np.zeros((2, 2), int), "not zero"),
        (UNIT * 1.0, "float64 entries, which are not exact"),
        (np.array([[0.5, 0], [0, 1]], dtype=object), "0.5 is a float"),
        (np.array([[None, 0], [0, 1]], dtype=object), "None is not an exact number"),
        (np.array(["x"]), "not exact"),
        ([[1, 0], [0]], "all rows of one length"),
        (np.ma.masked_array([[1, 5], [0, 1]], mask=[[0, 1], [0, 0]]), "masked entries"),
        (np.array([[np.nan, 1]]), "NaN"),
        ({}, "at least one axis"),
    ],
    ids=repr,
)
def test_what_is_no_tensor_is_one_clear_sentence(array: object, said: str) -> None:
    with pytest.raises(TargetError, match=said):
        Target.from_array(array)


@pytest.mark.parametrize("denominators", [0, -1, 0.5, 1.5, "2", None])
def test_a_common_denominator_is_a_positive_integer(denominators: object) -> None:
    with pytest.raises(UsageError, match="a positive integer"):
        Target.from_array(UNIT, denominators=denominators)  # type: ignore[arg-type]
    assert Target.from_array(UNIT, denominators=np.int64(2)) == Target.from_array(UNIT, denominators=2)  # type: ignore[arg-type]


def test_what_numpy_makes_an_array_of_is_an_array() -> None:
    scipy = pytest.importorskip("scipy.sparse")
    assert Target.from_array(scipy.eye(2, dtype=int)) == Target.from_array([[1, 0], [0, 1]])
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    assert Target.from_array(pandas.DataFrame([[1, 0], [0, 1]])) == Target.from_array([[1, 0], [0, 1]])


def test_tensors_of_torch() -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed")
    two = Target.from_array([[1, 0], [0, 1]])
    assert Target.from_array(torch.eye(2, dtype=torch.int8)) == two
    assert Target.from_array(torch.eye(3, dtype=torch.int64).t()[:2, :2]) == two
    for made in (torch.eye(2), torch.eye(2, requires_grad=True), torch.eye(2, dtype=torch.bfloat16)):
        with pytest.raises(TargetError, match="exact"):
            Target.from_array(made)


def test_expressions_of_sympy() -> None:
    sympy = pytest.importorskip("sympy")
    x, y = sympy.symbols("x y")
    one = Target.from_sympy(x**2 * y / 3)
    assert Target.from_sympy(sympy.Poly(x**2 * y / 3)) == one
    assert Target.from_sympy(sympy.Poly(x**2 * y / 3, x)) == one
    assert Target.from_sympy([sympy.Poly(x**2, x, y), x * y]) == Target.from_sympy([x**2, x * y])
    assert Target.from_sympy(sympy.sqrt(2) * x**2).ring.name == "QQ(sqrt2)"
    rational = np.array([[sympy.Rational(1, 2), 0], [0, sympy.Integer(1)]], dtype=object)
    assert Target.from_array(rational) == Target.from_array([[1, 0], [0, 2]], denominators=2)


def test_what_sympy_writes_but_means_otherwise_is_refused() -> None:
    sympy = pytest.importorskip("sympy")
    x, real = sympy.Symbol("x"), sympy.Symbol("x", real=True)
    wrong = [
        (x**2 + real * x, "two different symbols are called x"),
        (sympy.Symbol("x*y") ** 2, "cannot name a variable"),
        (sympy.Symbol("a + b") * x, "cannot name a variable"),
        (sympy.Symbol("complex_product"), "cannot name a variable"),
        (sympy.Symbol("α") ** 2, "cannot name a variable"),
        (sympy.Poly(x**2 + 7, modulus=5), "modulo 5"),
        (sympy.pi * x, "not an algebraic number"),
        (sympy.Float(0.5) * x, "is a float"),
        (sympy.sqrt(x), "square root"),
        (1 / x, "divide by numbers only"),
        (x - x, "not zero"),
    ]
    for expression, said in wrong:
        with pytest.raises(TargetError, match=said):
            Target.from_sympy(expression)
