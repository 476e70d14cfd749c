"""Every format by a small scheme in it: what it reads to, and what is refused in which words."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from formats.small_schemes import as_npz, as_text, schoolbook, strassen, transposed
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rankproof.errors import FormatError, TargetError
from rankproof.formats import FORMATS, SchemeCertificate, Source, verify_input
from rankproof.formats.arithmetic import square_root
from rankproof.formats.reading import find_format
from rankproof.problem.field import Scalar
from rankproof.verifier import verify_bytes

Give = Callable[..., SchemeCertificate]


@pytest.fixture
def give(tmp_path: Path) -> Give:
    """Write files and verify the first one."""

    def given(
        text: str | bytes,
        name: str = "scheme.txt",
        target: str | None = None,
        symbols: Mapping[str, Scalar] | None = None,
        **others: str,
    ) -> SchemeCertificate:
        for other, content in {**others, name: text}.items():
            (tmp_path / other).write_bytes(content if isinstance(content, bytes) else content.encode())
        (found,) = verify_input(tmp_path / name, target, None, symbols)
        if found.data is not None:
            assert verify_bytes(found.data).word == "VERIFIED"
        return found

    return given


def facts(found: SchemeCertificate) -> tuple[str, str, int, str, str]:
    assert found.problem is None, found.problem
    return found.format, found.target, found.terms, found.ring, found.convention


A, B, C = strassen()
C_T = transposed(C, 2, 2)
ROW, COLUMN = "row-major, third factor C^T", "row-major, third factor C"


def product_lines(third: np.ndarray = C_T) -> str:
    """Strassen's scheme as one product a line."""
    lines = []
    for columns in zip(A.T, B.T, third.T, strict=True):
        forms = []
        for letter, column in zip("abc", columns, strict=True):
            names = [f"{letter}{i // 2 + 1}{i % 2 + 1}" for i in range(4)]
            forms.append("(" + " + ".join(f"{x}*{n}" for x, n in zip(column, names, strict=True) if x) + ")")
        lines.append("*".join(forms))
    return "\n".join(lines)


def braces(opening: str, closing: str) -> str:
    """Strassen's scheme as triples of matrices."""

    def matrix(column: np.ndarray) -> str:
        rows = ", ".join(opening + ", ".join(map(str, row)) + closing for row in column.reshape(2, 2))
        return f"{opening}{rows}{closing}"

    triples = (
        opening + ", ".join(map(matrix, t)) + closing
        for t in zip(A.T, B.T, transposed(C, 2, 2).T, strict=True)
    )
    return opening + ",\n ".join(triples) + closing


# Text with products


def test_lines_of_products_with_numbers_everywhere(give: Give) -> None:
    assert facts(give(product_lines())) == ("exp", "matmul(2,2,2)", 7, "ZZ", ROW)
    spelled = product_lines().splitlines()
    # Of the second line: the same product with blanks, a bare entry, a quotient behind and a sign in front.
    spelled[1] = "-(3*(-a21 - a22)) b11 (2 c12 - 2c22)/6"
    assert facts(give("# a comment\n\n" + "\n".join(spelled) + "\n")) == (
        "exp",
        "matmul(2,2,2)",
        7,
        "ZZ",
        ROW,
    )


def test_decimals_and_complex_numbers_are_exact(give: Give) -> None:
    lines = product_lines().splitlines()
    lines[1] = "(0.5*a21 + 0.5*a22)*(b11)*(2.0*c12 - 2.0*c22)"
    # The denominators cancel within the product.
    assert facts(give("\n".join(lines)))[3] == "ZZ"
    lines[1] = "(0.5j*a21 + 0.5j*a22)*(b11)*(-2j*c12 + 2j*c22)"
    assert facts(give("\n".join(lines)))[3] == "QQ(i)"
    lines[1] = "(sqrt(2)*a21 + sqrt(2)*a22)*(1/2*b11)*(sqrt(2)*c12 - sqrt(2)*c22)"
    assert facts(give("\n".join(lines)))[3] == "QQ(sqrt2)"
    lines[1] = "(sqrt(2)*a21 + sqrt(3)*a22)*(b11)*(c12)"
    with pytest.raises(FormatError, match=r"coefficients in QQ\(sqrt2\) and in QQ\(sqrt3\)"):
        give("\n".join(lines))


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("(a11 + b21)*(a12 + b11)*(c11)", "mixes entries of A AND B: a scheme for entries that commute"),
        (
            "(a11)*(a12)*(c11)",
            "two forms of one product are in entries of A: a scheme for entries that commute",
        ),
        ("(a11)*(b11)", "a product of 2 linear forms"),
        ("(a11)*(b11)*(c11)*(d11)", "a product of 4 linear forms"),
        ("(a11)*(b11)*(c11) + (a12)*(b21)*(c11)", "a sum of 2 products"),
        ("(a11 + 1)*(b11)*(c11)", "a sum of 2 products"),
        ("(a11)*(b11)*(c11", "')' is missing"),
        ("(a11)*(b11)*(c11)/0", "divides by zero"),
        ("(a11)*(b11)*(c11)/a11", "a number is expected where a variable stands"),
        ("(a11)*(b11)*(cosine)", "cosine is not the name of a matrix entry"),
        ("(a11)*(b11)*(c11) = 0", "cannot read"),
        ("(a11)*(b11)*(c11**99)", "an exponent is a small integer"),
    ],
)
def test_lines_that_are_no_products_of_three_forms(give: Give, line: str, complaint: str) -> None:
    with pytest.raises(FormatError, match="line 2.*" + complaint.replace("(", r"\(").replace(")", r"\)")):
        give(f"(a11)*(b11)*(c11)\n{line}\n")


def test_winograd_s_products_of_commuting_entries_are_refused_at_once(give: Give) -> None:
    with pytest.raises(FormatError, match="Winograd"):
        give("(a11 + b21)*(a12 + b11)\n")


def test_names_with_two_digits_a_side(give: Give) -> None:
    wide = "\n".join(f"a1_{j}*b{j}_1*c1_1" for j in range(1, 13))
    assert facts(give(wide))[1:3] == ("matmul(1,12,1)", 12)
    bracketed = "\n".join(f"a[1,{j}]*b[{j}, 1]*c_{{1,1}}" for j in range(1, 13))
    assert facts(give(bracketed))[1] == "matmul(1,12,1)"
    with pytest.raises(FormatError, match="a110 may be row 1, column 10 or row 11, column 0; write a1_10"):
        give(wide.replace("_", ""))
    single = "\n".join(f"a{j}*b{j}*c1" for j in range(1, 13))
    assert facts(give(single))[1:3] == ("matmul(1,12,1)", 12)
    from_zero = "\n".join(f"a0{j}*b{j}0*c00" for j in range(3))
    assert facts(give(from_zero))[1:3] == ("matmul(1,3,1)", 3)


# Text with matrices


def test_nested_braces(give: Give) -> None:
    assert facts(give(braces("{", "}"))) == ("mathematica", "matmul(2,2,2)", 7, "ZZ", ROW)
    first = "{{{1, 0}, {0, 1}}, {{1, 0}, {0, 1}}"
    halves = braces("{", "}").replace(first, "{{{1/2, 0}, {0, 1/2}}, {{2, 0}, {0, 2}}", 1)
    assert halves != braces("{", "}")
    assert facts(give(f"S = {halves};"))[1:4] == ("matmul(2,2,2)", 7, "ZZ")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("{{{{1}}, {{1}}}}", "three matrices A, B, C are expected"),
        ("{{{{1}}, {{1}}, {{1, 2}, {3}}}}", "row 2: 2 numbers are expected"),
        ("{{{{1}}, {{1}}, {{1}}}, {{{1}}, {{1}}, {{1, 0}}}}", "product 2: a 1x2 matrix where the first"),
        ("{{{{1}}, {{1}}, {{1 2}}}}", "an operator is missing before a number"),
        ("{{{{1}}, {{1}}, {{1}}}", "do not match"),
        ("{{{{1}}, {{1}}, {{1,}}}}", "is not expected where it stands"),
        ("{{{{x}}, {{1}}, {{1}}}}", "x has no value"),
    ],
)
def test_broken_braces(give: Give, text: str, complaint: str) -> None:
    with pytest.raises(FormatError, match=complaint):
        give(text)


def maple() -> str:
    def matrix(column: np.ndarray) -> str:
        return f"Matrix(2, 2, {json.dumps(column.reshape(2, 2).tolist())})"

    triads = (f"Triad([{', '.join(map(matrix, t))}])" for t in zip(A.T, B.T, C_T.T, strict=True))
    return (
        "A:=Matrix(2, 2, [[A_1_1,A_1_2],[A_2_1,A_2_2]]):\n"
        f"Tensor:=TriadSet([{', '.join(triads)}]):\nmap(expand,A.B-add(op([1,i,1,1],Tensor),i=1..7));\n"
    )


def test_maple_s_triads(give: Give) -> None:
    assert facts(give(maple())) == ("maple", "matmul(2,2,2)", 7, "ZZ", ROW)
    with pytest.raises(FormatError, match="triad 1: three matrices"):
        give(maple().replace("Triad([Matrix(2, 2,", "Triad([Matrix(", 1))
    with pytest.raises(FormatError, match="triad 1: a matrix does not have the 3x2 entries"):
        give(maple().replace("Triad([Matrix(2, 2,", "Triad([Matrix(3, 2,", 1))
    with pytest.raises(FormatError, match="7 triads begin and 6 can be read"):
        give("Triad(".join(maple().rsplit("Triad([", 1)))


def bini_table() -> str:
    rows = [
        f"{k} ; {' '.join(map(str, c))} ; {' '.join(map(str, a))} ; {' '.join(map(str, b))}"
        for k, (a, b, c) in enumerate(zip(A.T, B.T, C.T, strict=True), 1)
    ]
    return "#\n# Solution\n#\nBini 2 2 2 7\n\nproduct Gamma         Alpha         Beta\n" + "\n".join(rows)


def test_bini_tables(give: Give) -> None:
    assert facts(give(bini_table())) == ("bini", "matmul(2,2,2)", 7, "ZZ", COLUMN)
    with pytest.raises(FormatError, match="announces 8 products and lists 7"):
        give(bini_table().replace("2 2 2 7", "2 2 2 8"))
    with pytest.raises(FormatError, match="a vector has 4 coordinates and 6 are announced"):
        give(bini_table().replace("Bini 2 2 2 7", "Bini 2 2 3 7"))


def brent_equations(*, spoiled: bool = False) -> str:
    lines = []
    for i, j, k in np.ndindex(4, 4, 4):
        a, b, c = A[i], B[j], C[k]
        digits = "".join(f"{x // 2 + 1}{x % 2 + 1}" for x in (i, j, k))
        triples = [
            f"[ {x}* {y}*{z}]" if x * y * z else f" {x}*{y}* {z} " for x, y, z in zip(a, b, c, strict=True)
        ]
        lines.append(f"{digits}: {'+'.join(triples)} = 1 1x")
    if spoiled:
        lines[-1] = lines[-1].replace(" 0*", " 1*", 1)
    return "     2   4\n ------\n" + "\n".join(lines) + "\n ------\nErrors: 9\n"


def test_brent_s_equations(give: Give) -> None:
    assert facts(give(brent_equations())) == ("brent", "matmul(2,2,2)", 7, "ZZ", COLUMN)
    with pytest.raises(FormatError, match="disagrees with another equation"):
        give(brent_equations(spoiled=True))
    over_two = "111111: [111]+ 000  = 1\n"
    assert give(over_two).terms == 1


def program(assign: str = "=") -> str:
    lines = []
    for t, (a, b) in enumerate(zip(A.T, B.T, strict=True), 1):
        left, right = (
            " + ".join(f"{x}*{letter}{i // 2 + 1}{i % 2 + 1}" for i, x in enumerate(column) if x)
            for letter, column in (("a", a), ("b", b))
        )
        lines.append(f"P{t} {assign} ({left}) * ({right});")
    for k, row in enumerate(C):
        total = " + ".join(f"{x}*P{t}" for t, x in enumerate(row, 1) if x)
        lines.append(f"c{k // 2 + 1}{k % 2 + 1} {assign} {total};")
    return "\n".join(lines)


def test_programs(give: Give) -> None:
    assert facts(give(program())) == ("program", "matmul(2,2,2)", 7, "ZZ", COLUMN)
    assert facts(give("# Yacas\n" + program(":=") + "\nSimplify(c11 - (a11*b11 + a12*b21));"))[2] == 7
    # Karatsuba with sums that are named first and products inside a result.
    karatsuba = "s = a1 + a2\nt = b1 + b2\np = a1 b1\nq = a2 b2\nc1 = p\nc2 = (s)(t) - p - q\nc3 = q\n"
    assert facts(give(karatsuba))[1:4] == ("polymul(2,2)", 3, "ZZ")


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("m2 = m1 * b1", "a product is multiplied once more"),
        ("m2 = (a1 + b1)*(b1)", "multiplies entries of AB and B: a scheme for entries that commute"),
        ("m2 = a1 * a1", "multiplies entries of A and A: a scheme for entries that commute"),
        ("m2 = a1 * b1 * b1", "a product of 3 sums"),
        ("m2 = m7", "m7 is used before it has a value"),
        ("m2 = a1 + 1", "a constant 1 is added"),
        ("m2 = m1 + a1", "products and matrix entries are added"),
        ("m1 = a1 * b1", "m1 has a value already"),
        ("a1 = b1", "a1 has a value already"),
        ("c2 = a1", "the result c2 is not a sum of products"),
        ("print(m1)", "is not an assignment"),
    ],
)
def test_programs_that_are_not_bilinear(give: Give, line: str, complaint: str) -> None:
    with pytest.raises(FormatError, match=complaint):
        give(f"m1 = (a1)(b1)\n{line}\nc1 = m1\n")


def test_a_program_without_results_is_none(give: Give) -> None:
    with pytest.raises(FormatError, match="no product, or no result"):
        give("m1 = (a1)(b1)\n")


def matlab(scale: str = "") -> str:
    def rows(matrix: np.ndarray) -> str:
        return "\n".join("   ".join(map(str, row)) for row in matrix)

    A1, A2 = A[:, :3], A[:, 3:]
    return (
        f"A1 = [\n{rows(A1)}\n]\n\nA2 = [ % the rest\n{rows(A2)}\n];\nA={scale}[A1,A2]\n"
        f"B = [\n{rows(B)}\n]\nC = [\n{rows(C_T)}\n]\n"
    )


def test_matlab_text(give: Give) -> None:
    assert facts(give(matlab())) == ("matlab", "matmul(2,2,2)", 7, "ZZ", ROW)
    doubled = matlab("1/2*").replace("C = [", "C = 2*[")
    assert facts(give(doubled))[1:4] == ("matmul(2,2,2)", 7, "ZZ")
    columns = "A = [1 0; 0 1]\nB = A(:,[2,1])\nB = B(:,[2,1:1])\nC = A\n"
    assert facts(give(columns, target="unit(2,3)"))[2] == 2


def test_symbols_are_1_or_what_a_person_says(give: Give) -> None:
    text = "syms a b real\nA = [a, 0; 0, b/(2*a)]\nB = [1/a, 0; 0, 2*a]\nC = [1, 0; 0, b^2/b^3]\n"
    found = give(text, target="unit(2,3)")
    assert facts(found)[2:4] == (2, "ZZ")
    assert found.note == "with a = 1, b = 1; --let chooses other values"
    chosen = give(text, target="unit(2,3)", symbols={"a": Fraction(3), "b": square_root(5)})
    assert facts(chosen)[2:4] == (2, "QQ(sqrt5)")
    assert chosen.note == ""


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("A = [1 0; 0]\nB = A\nC = A\n", "row 2 of the matrix has 1 entries"),
        ("A = [1 0; 0 1]\nB = A\n", "assigns no matrices A, B and C"),
        ("A = [1 0]\nB = [1 0]\nC = [1]\n", "2, 2 and 1 columns"),
        ("A = [1 0]\nB = X\nC = A\n", "'X' is not a matrix assigned before"),
        ("A = [1 0]\nB = A(:,[1:3])\nC = A\n", "a column is chosen that the matrix does not have"),
        ("A = [1 0]\nclear all\n", "is not an assignment"),
        ("A = [z 0]\nB = A\nC = A\n", "z has no value"),
        ("A = [1; 0]\nB = [1]\nX = [A,B]\nC = A\n", "different numbers of rows"),
    ],
)
def test_matlab_text_that_is_not_understood(give: Give, text: str, complaint: str) -> None:
    with pytest.raises(FormatError, match=complaint):
        give(text)


# JSON


def json_matrices(**changes: object) -> str:
    value = {
        "n": [2, 2, 2],
        "m": 99,
        "multiplications": ["m1 = nonsense"],
        "u": A.T.tolist(),
        "v": B.T.tolist(),
    }
    return json.dumps({**value, "w": C_T.T.tolist(), **changes})


def test_json_with_matrices_ignores_its_own_claims(give: Give) -> None:
    assert facts(give(json_matrices())) == ("json", "matmul(2,2,2)", 7, "ZZ", ROW)
    halves = [[f"{x}/2" for x in row] for row in A.T.tolist()]
    doubled = (2 * B.T).tolist()
    assert facts(give(json_matrices(u=halves, v=doubled)))[1:4] == ("matmul(2,2,2)", 7, "ZZ")
    decimals = json_matrices(u=[[0.5 * x for x in row] for row in A.T.tolist()], v=doubled)
    assert facts(give(decimals))[1:4] == ("matmul(2,2,2)", 7, "ZZ")


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"u": [[1, 0], [1]]}, "u, row 2 has 1 entries and row 1 has 2"),
        ({"u": []}, "u is not a matrix"),
        ({"u": [[1, 0, 0, "None"]] * 7}, "None has no value"),
        ({"u": [[True, 0, 0, 1]] * 7}, "True is not a number"),
        ({"u": [["one", 0, 0, 1]] * 7}, "one has no value"),
        ({"u": [[1, 0, 0, 1]]}, "1, 7 and 7 rows"),
    ],
)
def test_json_with_broken_matrices(give: Give, changes: dict[str, object], complaint: str) -> None:
    with pytest.raises(FormatError, match=complaint):
        give(json_matrices(**changes))


# Winograd's variant of Strassen's scheme with 15 additions, as a straight-line program.
WINOGRAD = {
    "n": [2, 2, 2],
    "u_fresh": [[[2, 1], [3, 1]], [[0, -1], [4, 1]]],
    "u": [[[4, 1]], [[5, 1]], [[0, 1], [2, -1]], [[0, 1]], [[1, 1]], [[1, 1], [5, -1]], [[3, 1]]],
    "v_fresh": [[[1, 1], [0, -1]], [[3, 1], [4, -1]]],
    "v": [[[4, 1]], [[5, 1]], [[3, 1], [1, -1]], [[0, 1]], [[2, 1]], [[3, 1]], [[5, 1], [2, -1]]],
    "w_fresh": [[[1, 1], [3, 1]], [[7, 1], [2, 1]], [[7, 1], [0, 1]]],
    "w": [[[3, 1], [4, 1]], [[9, 1], [5, 1]], [[8, 1], [6, -1]], [[8, 1], [0, 1]]],
}


def as_program(value: Mapping[str, object]) -> str:
    def terms(sums: list[list[list[int]]]) -> list[list[dict[str, int]]]:
        return [[{"index": i, "value": x} for i, x in total] for total in sums]

    return json.dumps({key: item if key == "n" else terms(item) for key, item in value.items()})  # type: ignore[arg-type]


def test_a_straight_line_program_is_expanded(give: Give) -> None:
    format, target, terms, ring, _ = facts(give(as_program(WINOGRAD)))
    assert (format, target, terms, ring) == ("json-program", "matmul(2,2,2)", 7, "ZZ")


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"u_fresh": [[[5, 1]], [[0, 1]]]}, "the index 5 names none of the 4 values before it"),
        ({"n": [2, 2]}, "is not the shape"),
        ({"v": WINOGRAD["v"][:-1]}, "u has 7 products and v has 6"),
    ],
)
def test_programs_that_use_what_is_not_there(give: Give, changes: dict[str, object], complaint: str) -> None:
    with pytest.raises(FormatError, match=complaint):
        give(as_program({**WINOGRAD, **changes}))


def sparse(tensor: np.ndarray) -> list[list[int]]:
    return [[*map(int, word), int(tensor[tuple(word)])] for word in np.argwhere(tensor)]


def json_terms(scale: int = 1) -> dict[str, object]:
    terms = [np.einsum("i,j,k", *t) for t in zip(A.T, B.T, C.T, strict=True)]
    return {"T": sparse(sum(terms)), "S": scale, "terms": [sparse(scale * t) for t in terms]}  # type: ignore[arg-type]


def test_terms_written_out_are_taken_apart(give: Give) -> None:
    assert facts(give(json.dumps(json_terms()))) == ("json-terms", "matmul(2,2,2)", 7, "ZZ", COLUMN)
    assert facts(give(json.dumps(json_terms(6))))[3] == "ZZ"
    other = json_terms()
    other["T"] = [[0, 0, 0, 4], *other["T"][1:]]  # type: ignore[index]
    assert give(json.dumps(other)).data is None


def test_a_term_of_rank_two_is_no_product(give: Give) -> None:
    value = json_terms()
    value["terms"] = [[[0, 0, 0, 1], [1, 1, 1, 1]]]
    with pytest.raises(FormatError, match="term 0 has not rank one"):
        give(json.dumps(value))
    value["terms"] = [[[0, 0, 0, 1], [0, 0, 0, 1]]]
    with pytest.raises(FormatError, match="given twice"):
        give(json.dumps(value))


# Numpy, notebooks and sparse matrices


def notebook(*cells: str) -> str:
    value = {"cells": [{"cell_type": "code", "source": cell.splitlines(keepends=True)} for cell in cells]}
    return json.dumps({**value, "metadata": {}, "nbformat": 4})


def array(matrix: np.ndarray) -> str:
    with np.printoptions(threshold=10**6):
        return f"np.array({np.array2string(matrix, separator=', ')}, dtype=np.float32)"


def test_a_notebook_is_read_as_text(give: Give) -> None:
    cell = f"#@title Data\ndecomposition_222 = ({array(-0.5 * A)}, {array(-1.0 * B)}, {array(2.0 * C_T)})\n"
    found = give(notebook("import os; os.abort()", cell), "results.ipynb")
    assert facts(found) == ("alphaevolve", "matmul(2,2,2)", 7, "ZZ", ROW)
    assert found.label == "results.ipynb:decomposition_222"
    turned = f"decomposition_222 = ({array(0.5j * A)}, {array(-1j * B)}, {array(2.0 * C_T)})"
    assert facts(give(notebook(turned), "results.ipynb"))[3] == "QQ(i)"


@pytest.mark.parametrize(
    ("cell", "complaint"),
    [
        ("decomposition_1 = (np.array([[1]]), np.array([[1]]))", "array 3 of three"),
        ("decomposition_1 = (np.array([[f(1)]]), np.array([[1]]), np.array([[1]]))", "array 1 of three"),
        ("decomposition_1 = (np.array([[x]]), np.array([[1]]), np.array([[1]]))", "'x' is not a number"),
        (
            "decomposition_1 = (np.array([[1, 2], [3]]), np.array([[1]]), np.array([[1]]))",
            "different lengths",
        ),
        ("decomposition_1 = (np.array([[1, 2]]), np.array([[1]]), np.array([[1]]))", "2, 1 and 1 columns"),
        ("print('decomposition_1')", "assigns no decomposition"),
    ],
)
def test_notebooks_without_a_decomposition(give: Give, cell: str, complaint: str) -> None:
    with pytest.raises(FormatError, match=complaint):
        give(notebook(cell), "results.ipynb")


def sms(matrix: np.ndarray | list[list[str]], *comments: str) -> str:
    rows = np.asarray(matrix, dtype=object)
    entries = [f"{i + 1} {j + 1} {x}" for (i, j), x in np.ndenumerate(rows) if str(x) != "0"]
    head = [f"# {comment}" for comment in comments]
    return "\n".join([*head, f"{rows.shape[0]} {rows.shape[1]} R", *entries, "0 0 0"]) + "\n"


def triple(name: str, L: np.ndarray, R: np.ndarray, P: np.ndarray, *comments: str) -> dict[str, str]:
    return {f"{name}_{side}.sms": sms(m, *comments) for side, m in zip("LRP", (L, R, P), strict=True)}


def give_triple(give: Give, files: dict[str, str], first: str, **options: object) -> SchemeCertificate:
    return give(
        files[first], first, **{name: text for name, text in files.items() if name != first}, **options
    )


def test_three_sparse_matrices(give: Give) -> None:
    files = triple("2x2x2_7_any", A.T, B.T, C)
    for name in files:
        found = give_triple(give, files, name)
        assert facts(found) == ("plinopt", "matmul(2,2,2)", 7, "ZZ", COLUMN)
        assert found.label == "2x2x2_7_any_{L,R,P}.sms"


def test_placeholders_for_roots(give: Give, tmp_path: Path) -> None:
    turned = [[f"{2026 * x}/3" if x else "0" for x in row] for row in A.T]
    third = [[f"{1013 * int(x)}/2" if x else "0" for x in row] for row in C]
    files = {
        "s_L.sms": sms(turned, "1013 is a placeholder for sqrt(3)"),
        "s_R.sms": sms(B.T),
        "s_P.sms": sms(third, "1013 is a placeholder for sqrt(3)"),
    }
    # (2/3 sqrt 3)(1/2 sqrt 3) = 1
    assert facts(give_triple(give, files, "s_L.sms"))[2:4] == (7, "QQ(sqrt3)")
    letters = [[f"{x}*2/3*X" if x else "0" for x in row] for row in A.T]
    (tmp_path / "s_L.sms").write_text(sms(letters))
    with pytest.raises(FormatError, match="X has no value; give it one, as in --let X=1"):
        verify_input(tmp_path / "s_R.sms")
    (told,) = verify_input(tmp_path / "s_R.sms", symbols={"X": square_root(3)})
    assert facts(told)[2:4] == (7, "QQ(sqrt3)")


def test_an_imaginary_placeholder(give: Give) -> None:
    files = {
        "s_L.sms": sms([["1013", "0"], ["0", "1"]], "1013 is a placerholder for a square root of -1"),
        "s_R.sms": sms([["-1013", "0"], ["0", "1"]], "1013 is a placerholder for a square root of -1"),
        "s_P.sms": sms([["1", "0"], ["0", "1"]]),
    }
    assert facts(give_triple(give, files, "s_L.sms", target="unit(2,3)"))[3] == "QQ(i)"


def test_a_sparse_part_needs_its_change_of_basis(give: Give) -> None:
    basis = np.array([[1, 1, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
    inverse = np.array([[1, -1, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
    sparse_part = triple("2x2x2_7_any-ALT", A.T @ inverse, B.T, inverse @ C)
    change = triple("2x2x2_7_any-CoB", basis, np.eye(4, dtype=int), basis)
    with pytest.raises(FormatError, match="is no scheme without its change of basis; 2x2x2_7_any-CoB_L.sms"):
        give_triple(give, sparse_part, "2x2x2_7_any-ALT_R.sms")
    for first in ("2x2x2_7_any-ALT_R.sms", "2x2x2_7_any-CoB_P.sms"):
        found = give_triple(give, {**sparse_part, **change}, first)
        assert facts(found) == ("plinopt", "matmul(2,2,2)", 7, "ZZ", COLUMN)


@pytest.mark.parametrize(
    ("name", "changes", "complaint"),
    [
        ("2x2T_3+2_any", {}, "recursive calls, in which a product also stands for its transpose"),
        ("x", {"_P": sms(C, "P4 in fact means P4+P4^T")}, "recursive calls"),
        ("x", {"_R": sms(B.T).replace("0 0 0", "")}, "x_R.sms ends without the line 0 0 0"),
        ("x", {"_R": sms(B.T).replace("1 1 1", "1 9 1")}, "entry 1 9 is outside the matrix or given twice"),
        ("x", {"_R": sms(B.T).replace("7 4 R", "seven four R")}, "is not the line 'rows columns R'"),
        ("x", {"_R": sms(B.T[:6])}, "L and R have 7 and 6 rows and P has 7 columns"),
    ],
)
def test_sparse_matrices_that_are_no_scheme(
    give: Give, name: str, changes: dict[str, str], complaint: str
) -> None:
    files = triple(name, A.T, B.T, C)
    files.update({f"{name}{side}.sms": text for side, text in changes.items()})
    with pytest.raises(FormatError, match=complaint.replace("(", r"\(")):
        give_triple(give, files, f"{name}_L.sms")


def test_a_missing_matrix_is_named(give: Give) -> None:
    with pytest.raises(FormatError, match="x_R.sms is missing beside x_L.sms"):
        give(sms(A.T), "x_L.sms")


L3 = np.array([[1, 0], [1, 1], [0, 1]])


def test_products_of_polynomials_with_and_without_a_modulus(give: Give) -> None:
    full = triple("1o1o2_3_any", L3, L3, np.array([[1, 0, 0], [-1, 1, -1], [0, 0, 1]]))
    assert facts(give_triple(give, full, "1o1o2_3_any_L.sms"))[1:3] == ("polymul(2,2)", 3)
    short = triple("1o1o1_3_any", L3, L3, np.array([[1, 0, 0], [-1, 1, -1]]))
    assert facts(give_triple(give, short, "1o1o1_3_any_L.sms"))[1] == "2 lowest coefficients of polymul(2,2)"
    # x^2 = x + 1 over GF(2)
    field = triple(
        "1o1o1_F4_any", L3, L3, np.array([[1, 0, 1], [-1, 1, 0]]), "F4 as polynomials modulo 1+X+X^2"
    )
    found = give_triple(give, field, "1o1o1_F4_any_L.sms")
    assert facts(found)[1:4] == ("polymul(2,2) modulo x**2 + x + 1", 3, "GF(2)")
    rational = triple("1o1o1_any", L3, L3, np.array([[1, 0, -1], [-1, 1, -2]]), "mod 1+X+X^2")
    assert facts(give_triple(give, rational, "1o1o1_any_L.sms"))[3] == "ZZ"
    unknown = give_triple(
        give, triple("1o1o1_S4_any", L3, L3, np.array([[1, 0, 1], [-1, 1, 0]])), "1o1o1_S4_any_L.sms"
    )
    assert unknown.is_consistent
    assert unknown.note.endswith("nothing is proved")


def flip_cpd_row(*factors: np.ndarray, denominator: int = 1) -> bytes:
    """One row of numerators and denominators."""
    numbers = [
        x
        for factor in factors
        for x in np.stack([factor.T, np.full(factor.T.shape, denominator)], -1).ravel()
    ]
    path = Path("row.npy")
    np.save(path, np.array([numbers], dtype=np.int64))
    return path.read_bytes()


def test_flip_cpd_s_arrays(give: Give, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    name = "gg-222-rank99-rec-0-0-0-z.npy"
    assert facts(give(flip_cpd_row(A, B, C), name)) == ("flip-cpd", "matmul(2,2,2)", 7, "ZZ", COLUMN)
    assert facts(give(flip_cpd_row(2 * A, 2 * B, 2 * C, denominator=2), name))[3] == "ZZ"
    with pytest.raises(
        FormatError, match="168 numbers are not divided into products of vectors with 3, 4, 4"
    ):
        give(flip_cpd_row(A, B, C), "sg-222-rank7-z.npy")
    with pytest.raises(FormatError, match="no known format"):
        give(flip_cpd_row(A, B, C), "strassen.npy")
    with pytest.raises(FormatError, match="code 'pmc' of no product"):
        give(flip_cpd_row(A, B, C), "pmc-222-rank7-z.npy")


def test_structured_products_by_their_text(give: Give) -> None:
    # (a1 a2; a2 a3) times its skew-symmetric neighbour (0 b1; -b1 0)
    text = "m1 = (a1)(b1)\nm2 = (a2)(b1)\nm3 = (a3)(b1)\n\nc1 = -m2\nc2 = m1\nc3 = -m3\nc4 = m2\n"
    found = give(text, "sk-222-rank3-z.txt")
    assert facts(found)[1:3] == ("symmetric times skew-symmetric, 2x2x2", 3)
    wrong = give(text.replace("c1 = -m2", "c1 = m2"), "sk-222-rank3-z.txt")
    assert wrong.ring == "GF(2)"
    assert "does not hold over ZZ" in wrong.note
    # Upper triangle of X times a transposed X, without the first and the last result; c1 is zero.
    part = "m1 = a1 b3\nm2 = a2 b4\nc1 = 0\nc2 = m1 + m2\nc3 = 0\n"
    assert facts(give(part, "gt-222c-rank2-z.txt"))[1] == (
        "general times transposed general, 2x2x2 without the first and last entry"
    )


def test_symmetric_decompositions_without_a_target(give: Give, tmp_path: Path) -> None:
    # x + y and x, y, xy: two sums of cubes that are equal modulo 2.
    rows = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=bool)
    same = rows[[2, 0, 1]]
    other = np.array([[1, 1, 0], [0, 1, 0], [0, 0, 1]], dtype=bool)
    agreeing = as_npz(circuit=[rows, same])
    found = give(agreeing, "circuits.npz")
    assert (found.format, found.target, found.terms, found.ring) == ("alphatensor-quantum", "", 3, "GF(2)")
    assert found.is_consistent
    assert found.note.startswith("2 decompositions add up to the same tensor")
    assert found.note.endswith("nothing is proved")
    disagreeing = give(as_npz(circuit=[rows, other]), "circuits.npz")
    assert not disagreeing.is_consistent
    assert "circuit#1 and circuits.npz:circuit#2 add up to different tensors over GF(2)" in (
        disagreeing.problem or ""
    )
    (tmp_path / "circuits.npz").write_bytes(as_npz(circuit=[rows]))
    (named,) = verify_input(tmp_path / "circuits.npz", "unit(3,3)")
    assert verify_bytes(named.data or b"").statements == ("product width of unit(3,3) in 0..3 over GF(2)",)


def test_the_sum_itself_can_be_the_target(tmp_path: Path) -> None:
    rows = np.array([[1, 1, 0], [0, 1, 0], [0, 1, 1]], dtype=bool)
    path = tmp_path / "circuits.npz"
    path.write_bytes(as_npz(circuit=[rows, rows[[1, 2, 0]], rows[:, [1, 2, 0]]]))
    found = verify_input(path, "sum", key="circuit#1")[0]
    verdict = verify_bytes(found.data or b"")
    assert (verdict.word, verdict.conclusion[0]["upper"], verdict.conclusion[0]["field"]) == (
        "VERIFIED",
        3,
        "GF(2)",
    )
    assert found.match is not None
    # The carried tensor is the target of the other decompositions: the second is the first in another order.
    accepted = [one.data is not None for one in verify_input(path, found.match.target)]
    assert accepted == [True, True, False]
    text = tmp_path / "difference.exp"
    text.write_text("a1*b1*c1\n-a1*b1*c1\n")
    with pytest.raises(TargetError, match="zero"):
        verify_input(text, "sum")
    text.write_text("1/2*a1*b1*c1\na2*b2*c2\n")
    (rational,) = verify_input(text, "sum")
    assert verify_bytes(rational.data or b"").conclusion[0]["field"] == "QQ"
    assert rational.match is not None
    assert rational.match.target.as_dict() == {(0, 0, 0): Fraction(1, 2), (1, 1, 1): 1}


def test_plain_arrays_with_a_denominator(give: Give, tmp_path: Path) -> None:
    np.savez(tmp_path / "plain.npz", u=A, v=B, w=6 * C_T, denominator=np.array(6))
    assert facts(verify_input(tmp_path / "plain.npz")[0])[1:4] == ("matmul(2,2,2)", 7, "ZZ")
    np.savez(tmp_path / "plain.npz", u=A, v=B)
    with pytest.raises(FormatError, match="has no array w"):
        verify_input(tmp_path / "plain.npz")
    np.savez(tmp_path / "plain.npz", u=A, v=B, w=C_T, denominator=np.array(0))
    with pytest.raises(FormatError, match="not one positive integer"):
        verify_input(tmp_path / "plain.npz")


# All formats

SAMPLES: dict[str, bytes] = {
    "lines.exp": product_lines().encode(),
    "braces.m": braces("{", "}").encode(),
    "triads.mpl": maple().encode(),
    "table.txt": bini_table().encode(),
    "equations.txt": brent_equations().encode()[:1500],
    "program.txt": program().encode(),
    "matlab.txt": matlab("1/2*").encode(),
    "matrices.json": json_matrices().encode(),
    "reduced.json": as_program(WINOGRAD).encode(),
    "terms.json": json.dumps(json_terms()).encode(),
    "blocks": as_text(strassen()).encode(),
    "arrays.npz": as_npz(_2_2_2=strassen()),
    "s_L.sms": sms(A.T, "1013 is a placeholder for sqrt(3)").encode(),
}


@pytest.mark.parametrize("name", SAMPLES)
@given(data=st.data())
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_damaged_file_is_read_or_refused_and_never_a_breakdown(
    name: str, data: st.DataObject, tmp_path: Path
) -> None:
    content = bytearray(SAMPLES[name])
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content)))
        length = data.draw(st.integers(0, 6))
        content[at : at + length] = data.draw(
            st.text("0123456789+-*/()[]{},;:=abcmPX. \n^", max_size=4)
        ).encode()
    for other in ("s_R.sms", "s_P.sms"):
        (tmp_path / other).write_text(sms(B.T if "R" in other else C))
    source = Source(name, bytes(content), tmp_path)
    format = find_format(source)
    try:
        schemes = [] if format is None else format.read(source)
    except FormatError:
        return
    for scheme in schemes:
        assert scheme.terms <= scheme.listed
        assert scheme.ring_name


@pytest.mark.parametrize(
    "content",
    [
        b"# A comment and no scheme\n",
        b"#!/usr/bin/env python\nimport json\nprint(1)\n",
        b"MIT License\n\nCopyright (c) 2024\n",
        b'{"cells": []}',
        b'{"schema": "flip-graph/v1", "nodes": []}',
        b"| a | b |\n| --- | --- |\n",
        b"x = 1\n",
        b"a11\n",
    ],
)
def test_other_files_belong_to_no_format(content: bytes) -> None:
    assert find_format(Source("README", content)) is None


def test_every_format_has_a_name_of_its_own() -> None:
    assert len({format.name for format in FORMATS}) == len(FORMATS) == 16


def test_the_schoolbook_scheme_in_one_direction_only(give: Give) -> None:
    """Sizes 2x3 and 3x1: nothing is square, so that every convention is another tensor."""
    a, b, c = schoolbook(2, 3, 1)
    lines = [
        f"a{np.flatnonzero(a[:, t])[0] // 3 + 1}{np.flatnonzero(a[:, t])[0] % 3 + 1}*b{np.flatnonzero(b[:, t])[0] + 1}1"
        f"*c1{np.flatnonzero(c[:, t])[0] + 1}"
        for t in range(6)
    ]
    assert facts(give("\n".join(lines)))[1] == "matmul(2,3,1)"
