"""From a file to certificates that the verifier accepts."""

from __future__ import annotations

from pathlib import Path

import pytest
from formats.small_schemes import BINI, BINI_SCALED, as_npz, as_text, schoolbook, strassen
from formats.test_match import characteristic_two

from rankproof.errors import FormatError, TargetError, UsageError
from rankproof.formats import FORMATS, read_schemes, verify_input
from rankproof.verifier import verify_bytes


@pytest.fixture
def write(tmp_path: Path):
    def write(content: str | bytes, name: str = "smirnov999-1-approx") -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


def conclusions(data: bytes | None) -> list[tuple]:
    assert data is not None
    verdict = verify_bytes(data)
    assert verdict.word == "VERIFIED", verdict
    return [
        tuple(answer[key] for key in ("units", "field", "quantity", "lower", "upper"))
        for answer in verdict.conclusion
    ]


def test_an_exact_scheme_becomes_a_verified_bound_on_the_rank_over_q_r_and_c(write) -> None:
    (found,) = verify_input(write(as_text(strassen())))
    assert (found.label, found.target, found.terms) == ("smirnov999-1-approx", "matmul(2,2,2)", 7)
    assert (found.ring, found.convention, found.kind) == ("ZZ", "row-major, third factor C", "exact")
    assert (found.problem, found.note) == (None, "")
    assert conclusions(found.data) == [("product", field, "rank", 0, 7) for field in ("QQ", "RR", "CC")]


@pytest.mark.parametrize("text, ring", [(BINI, "ZZ"), (BINI_SCALED, "QQ")])
def test_a_family_becomes_a_verified_bound_on_the_border_rank_and_says_so(
    write, text: str, ring: str
) -> None:
    (found,) = verify_input(write(text), "matmul(3,2,2)")
    assert (found.terms, found.ring, found.kind) == (10, ring, "border")
    assert "a border rank, not a rank" in found.note
    assert conclusions(found.data) == [
        ("product", field, "border_rank", 0, 10) for field in ("QQ", "RR", "CC")
    ]


def test_a_scheme_over_gf_2_becomes_a_verified_bound_there_only(write) -> None:
    (found,) = verify_input(write(as_npz(_2_2_2=characteristic_two())))
    assert (found.label, found.ring) == ("smirnov999-1-approx:2,2,2", "GF(2)")
    assert "does not hold over ZZ" in found.note
    assert conclusions(found.data) == [("product", "GF(2)", "rank", 0, 7)]
    (refused,) = verify_input(write(as_npz(_2_2_2=characteristic_two())), ring="QQ")
    assert refused.data is None
    assert "where 0 is expected" in (refused.problem or "")


def test_only_schemes_of_the_asked_dimensions_are_looked_at(write) -> None:
    path = write(as_npz(_2_2_2=strassen(), _1_2_3=schoolbook(1, 2, 3), _3_2_1=schoolbook(3, 2, 1)))
    assert [found.label[-5:] for found in verify_input(path, "matmul(2,1,3)")] == ["1,2,3", "3,2,1"]
    assert len(verify_input(path)) == 3
    refused = verify_input(path, "matmul(5,5,5)")
    assert len(refused) == 3
    assert all("in no order the same" in (found.problem or "") and found.data is None for found in refused)


def test_sizes_of_no_matrix_product_are_those_of_polynomials_or_ask_for_a_target(write) -> None:
    karatsuba = as_text([[[1, 1, 0], [0, 1, 1]], [[1, 1, 0], [0, 1, 1]], [[1, 0, 0], [-1, 1, -1], [0, 0, 1]]])
    (found,) = verify_input(write(karatsuba))
    assert found.target == "polymul(2,2)"
    assert conclusions(found.data)[0] == ("product", "QQ", "rank", 0, 3)
    (found,) = verify_input(write("1\n0\n#\n1\n0\n#\n1\n0\n"))
    assert found.data is None
    assert "name the target" in (found.problem or "")
    (found,) = verify_input(write("1 1 0\n1 0 1\n#\n1 0 1\n0 1 1\n#\n0 -1 1\n1 0 0\n"), "W(3)")
    assert found.data is None
    assert "W(3)" in (found.problem or "")


def test_equal_schemes_give_equal_bytes(write) -> None:
    path = write(BINI)
    assert verify_input(path)[0].data == verify_input(path)[0].data


def test_products_that_vanish_are_noted(write) -> None:
    padded = [[[*row, 0] for row in factor.tolist()] for factor in strassen()]
    (found,) = verify_input(write(as_text(padded)))
    assert found.terms == 7
    assert found.note == "of 8 products in the file 7 are not zero"


def test_arguments_are_checked_before_the_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        verify_input(tmp_path / "absent", None, "GF(6)")
    with pytest.raises(TargetError):
        verify_input(tmp_path / "absent", "matmul(2,2)")
    with pytest.raises(FormatError, match="cannot be read"):
        verify_input(tmp_path / "absent")


def test_the_format_is_recognised_by_content(write) -> None:
    (from_text,) = read_schemes(write(as_text(strassen()), "strassen.npz"))
    (from_archive,) = read_schemes(write(as_npz(_2_2_2=strassen()), "strassen.txt"))
    assert [f.vectors for f in from_text.factors] == [f.vectors for f in from_archive.factors]
    assert (from_text.format, from_archive.format) == ("fast-matmul", "alphatensor")


@pytest.mark.parametrize("content", [b"", b"\n\n", b"{}", b"hello world", b"\x93NUMPY", b"\0\1\2"])
def test_unknown_files_are_refused_with_the_known_formats(write, content: bytes) -> None:
    with pytest.raises(FormatError, match="no known format of schemes") as refusal:
        read_schemes(write(content))
    assert all(format.name in str(refusal.value) for format in FORMATS)
