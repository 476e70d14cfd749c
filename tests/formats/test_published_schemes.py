"""Schemes that others published, in every format, each with the verdict that an independent exact check recorded.

Files, shapes, ranks and verdicts come from the folder's MANIFEST.tsv. The verdict compared with it is the verifier's.
"""

from __future__ import annotations

import csv
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from external import data_folder

from rankproof.errors import FormatError
from rankproof.formats import Match, SchemeCertificate, infer_target, match_target, read_schemes, verify_input
from rankproof.formats.proof import to_certificate
from rankproof.verifier import verify_bytes

pytestmark = pytest.mark.external

# Processor time of the verifier for all of AlphaTensor's schemes: 8 s on a quiet core; a core that is shared with other
# work takes up to twice as long for the same instructions.
VERIFIER_SECONDS = 2 * 10.0
FAST_MATMUL = "arbenson+fast-matmul/codegen/algorithms"
ALPHATENSOR = "google-deepmind+alphatensor/algorithms"
FLIP_CPD = "khoruzhii+flip-cpd/data/schemes_paper/"
PLINOPT = "jgdumas+plinopt/data"
QUANTUM = "google-deepmind+alphatensor_quantum/decompositions"


@dataclass(frozen=True)
class Published:
    """A line of the manifest."""

    file: str
    shape: str
    rank: str
    verdict: str
    notes: str

    @property
    def path(self) -> Path:
        """The file, or one of the three files, or the file that holds the scheme."""
        return data_folder() / self.file.partition("#decomposition")[0].replace("{L,R,P}", "P")


@cache
def manifest() -> tuple[Published, ...]:
    with (data_folder() / "MANIFEST.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))[1:]
    return tuple(Published(row[0], row[5], row[6], row[7], row[8]) for row in rows)


def lines(folder: str) -> list[Published]:
    return [row for row in manifest() if row.file.startswith(folder)]


@cache
def findings(path: Path) -> tuple[SchemeCertificate, ...]:
    return tuple(verify_input(path))


def check(found: SchemeCertificate) -> tuple[str, int, str]:
    """Target, bound and quantity of what the verifier says to a scheme."""
    assert found.data is not None, found.problem
    verdict = verify_bytes(found.data)
    assert verdict.word == "VERIFIED", verdict
    answer = verdict.conclusion[0]
    return found.target, answer["upper"], answer["quantity"]


def matmul(shape: str) -> str:
    return f"matmul({shape.replace('x', ',')})"


def agrees(row: Published, found: SchemeCertificate) -> None:
    """The verdict of the manifest for one scheme of a matrix product, word by word."""
    ring, _, convention = row.verdict.partition(":")
    quantity = "border_rank" if ring.startswith("BORDER") else "rank"
    assert check(found) == (matmul(row.shape), int(row.rank), quantity), row
    third = {"C^T": "C^T", "C": "C"}[convention]
    assert found.convention == f"row-major, third factor {third}", row
    rings = {"Q": ("ZZ", "QQ"), "BORDER OK": ("ZZ", "QQ"), "Q(i)": ("QQ(i)",), "Q(sqrt3)": ("QQ(sqrt3)",)}
    assert found.ring in rings[ring], row
    if ring == "Q" and "den=1" in row.notes.replace(" ", ";").split(";"):
        assert found.ring == "ZZ", row


# Whole collections


def test_the_manifest_lists_every_collection() -> None:
    assert len(manifest()) == 178
    covered = (FAST_MATMUL, ALPHATENSOR, FLIP_CPD, PLINOPT, QUANTUM, "dronperminov", "thatnealpatel")
    rest = [row.file for row in manifest() if not row.file.startswith(covered)]
    assert all(file.startswith("google-deepmind+alphaevolve") for file in rest)


def test_fast_matmul_exact_schemes_and_families() -> None:
    rows = [row for row in lines(FAST_MATMUL) if row.verdict != "ERROR"]
    assert len(rows) == 66
    for row in rows:
        (found,) = findings(row.path)
        agrees(row, found)
        assert (found.kind == "border") == row.verdict.startswith("BORDER")
        assert ("not a rank" in found.note) == (found.kind == "border")


def test_perminov_s_json_programs_braces_and_maple() -> None:
    rows = lines("dronperminov")
    assert len(rows) == 29
    for row in rows:
        (found,) = findings(row.path)
        agrees(row, found)
    assert {findings(row.path)[0].format for row in rows} == {"json", "json-program", "mathematica", "maple"}


def test_alphaevolve_s_notebook() -> None:
    rows = lines("google-deepmind+alphaevolve")
    found = {scheme.label.partition(":")[2]: scheme for scheme in findings(rows[0].path)}
    assert len(found) == len(rows) == 15
    for row in rows:
        agrees(row, found[row.file.partition("#")[2]])


def test_plinopt_s_schemes_for_matrices() -> None:
    rows = [row for row in lines(PLINOPT) if re.fullmatch(r"Q(\(sqrt3\))?:C", row.verdict)]
    assert len(rows) == 22
    for row in rows:
        agrees(row, *findings(row.path))


def test_plinopt_s_schemes_for_polynomials() -> None:
    for row in lines(PLINOPT):
        degrees = re.fullmatch(r"poly deg (\d),(\d)->(\d)", row.shape)
        if degrees is None or row.verdict.startswith("reduction"):
            continue
        (found,) = findings(row.path)
        target, bound, quantity = check(found)
        assert (bound, quantity) == (int(row.rank), "rank")
        modulo = re.match(r"F(\d)\[X\]", row.verdict)
        assert found.ring == (f"GF({modulo[1]})" if modulo else found.ring)
        assert found.ring in ("ZZ", "QQ") or modulo
        first, second, result = map(int, degrees.groups())
        product = f"polymul({first + 1},{second + 1})"
        assert target.startswith(product) or target == f"{result + 1} lowest coefficients of {product}"
        assert (result == first + second) == (target == product)


def test_the_polynomial_schemes_that_the_manifest_leaves_open() -> None:
    """It found no modulus for these five; two can be decided, and three have no target in any file."""
    rows = {row.path.name: row for row in lines(PLINOPT) if row.verdict.startswith("reduction")}
    (karatsuba,) = findings(rows.pop("3o3o3_F81-Karatsuba-9-21_P.sms").path)
    assert check(karatsuba) == ("polymul(4,4) modulo x**4 + x**3 + x**2 + x + 1", 9, "rank")
    assert karatsuba.ring == "GF(3)"
    (part,) = findings(rows.pop("2o2o2_4_partSP_P.sms").path)
    assert part.data is None
    assert "a comment in it says: First 4 columns (non-recurisve calls)" in (part.problem or "") or (
        "First 4 rows" in (part.problem or "")
    )
    assert sorted(rows) == ["3o3o3_S81_8_22_P.sms", "4o4o4_S243_10-43_P.sms", "4o4o4_S32_13_#2_P.sms"]
    for row in rows.values():
        (found,) = findings(row.path)
        assert found.is_consistent
        assert "multiplication table of the semifield" in found.note


@pytest.mark.parametrize("suffix", ["npy", "txt"])
def test_flip_cpd_s_structured_products(suffix: str) -> None:
    (row,) = [row for row in lines(FLIP_CPD) if row.file == FLIP_CPD]
    files = sorted((data_folder() / FLIP_CPD).glob(f"*.{suffix}"))
    assert len(files) == int(row.rank) == 165
    for path in files:
        (found,) = findings(path)
        target, bound, quantity = check(found)
        assert (bound, quantity) == (int(re.findall(r"rank(\d+)", path.name)[0]), "rank"), path
        # The manifest's check knew no packed layout for two upper triangular matrices: it left exactly these unmatched.
        assert ("upper triangular times upper triangular" in target) == path.name.startswith("uu"), path
    assert "'ok': 153, 'bad': 12" in row.verdict
    assert sum(path.name.startswith("uu") for path in files) == 12
    for row in lines(FLIP_CPD):
        if row.file != FLIP_CPD:
            assert check(findings(row.path)[0])[1] == int(row.rank)


def test_both_spellings_of_flip_cpd_give_one_decomposition() -> None:
    for path in sorted((data_folder() / FLIP_CPD).glob("*-333-*.npy")):
        numbers, text = (verify_input(path.with_suffix(suffix))[0].match for suffix in (".npy", ".txt"))
        assert numbers is not None
        assert text is not None
        assert sorted(numbers.proof.units) == sorted(text.proof.units), path


def test_the_terms_of_laderman_s_scheme_have_rank_one() -> None:
    (row,) = lines("thatnealpatel")
    (found,) = findings(row.path)
    assert check(found) == ("matmul(3,3,3)", 23, "rank")
    assert found.convention == "row-major, third factor C"


@pytest.mark.parametrize(
    "name",
    [
        "binary_addition",
        "multiplication_finite_fields_no_gadgets",
        pytest.param("benchmarks_no_gadgets", marks=pytest.mark.slow),
    ],
)
def test_alphatensor_quantum_s_decompositions_agree_and_prove_nothing(name: str) -> None:
    (row,) = [row for row in lines(QUANTUM) if row.path.stem == name]
    found = findings(row.path)
    assert len(found) == int(row.rank.split()[0])
    assert f"ok={len(found)} bad=0" in row.verdict
    assert all(one.is_consistent and one.note.endswith("nothing is proved") for one in found)
    sizes = {one.label.partition(":")[2]: f"{one.terms}x{one.sizes[0]}" for one in found}
    listed = [note.split(":") for note in row.notes.split() if re.fullmatch(r"\w+:\d+x\d+", note)]
    assert listed
    assert all(sizes[circuit] == shape for circuit, shape in listed)


def alphatensor(name: str, *arguments: str | None) -> list[SchemeCertificate]:
    return verify_input(data_folder() / ALPHATENSOR / name, *arguments)


def key(found: SchemeCertificate) -> str:
    return found.label.partition(":")[2]


def held(found: list[SchemeCertificate]) -> Iterator[float]:
    """Seconds that the verifier takes for each of AlphaTensor's schemes, which it must accept."""
    for one in found:
        start = time.process_time()
        target, bound, quantity = check(one)
        yield time.process_time() - start
        assert (target, quantity) == (f"matmul({key(one)})", "rank")
        assert bound == one.terms
        assert one.convention == "row-major, third factor C^T"


def test_alphatensor_s_schemes_over_gf_2() -> None:
    found = alphatensor("factorizations_f2.npz")
    assert len(found) == 20
    assert sum(held(found)) < VERIFIER_SECONDS
    assert {one.ring for one in found} == {"GF(2)"}


def test_alphatensor_s_small_schemes_over_the_rationals() -> None:
    schemes = read_schemes(data_folder() / ALPHATENSOR / "factorizations_r.npz")
    assert len(schemes) == 93
    for scheme in (scheme for scheme in schemes if max(scheme.sizes) <= 25):
        target = infer_target(scheme)
        assert target is not None
        assert target.text == f"matmul({scheme.key})"
        found = match_target(scheme, target)
        assert isinstance(found, Match)
        verdict = verify_bytes(to_certificate(found).to_bytes())
        assert verdict.conclusion[0]["upper"] == scheme.terms


@pytest.mark.slow
def test_all_93_schemes_of_alphatensor_over_the_rationals_verify_quickly() -> None:
    found = alphatensor("factorizations_r.npz")
    assert len(found) == 93
    assert sum(held(found)) < VERIFIER_SECONDS
    assert {one.ring for one in found} == {"ZZ", "QQ"}
    ranks = {key(one): one.terms for one in found}
    # AlphaTensor (Fawzi et al., Nature 610, 2022), table of results.
    expected = {"3,4,5": 47, "4,4,4": 49, "4,5,5": 76, "9,9,9": 498, "11,12,12": 990}
    assert {shape: ranks[shape] for shape in expected} == expected


# Traps: files that look like schemes


def test_the_form_with_shared_subexpressions_is_refused_at_its_ragged_row() -> None:
    with pytest.raises(FormatError, match="block 3, row 1 has 19 entries and block 1, row 1 has 15"):
        verify_input(data_folder() / FAST_MATMUL / "grey323-15-89")


@pytest.mark.parametrize("shape, rank", [("4,4,4", 47), ("5,5,5", 96)])
def test_the_records_over_gf_2_are_refused_over_the_integers(shape: str, rank: int) -> None:
    (refused,) = alphatensor("factorizations_f2.npz", f"matmul({shape})", "ZZ")
    assert refused.data is None
    assert re.search(
        r"is not matmul\(.*\) over ZZ: in the closest convention \(row-major, third factor C\^T\) the coefficient of"
        r" a\(1,1\)\*b\(1,1\) in c\(1,\d\) \(entry \(0, 0, \d\)\) is 2 where 0 is expected, and in all \d+ entries are wrong",
        refused.problem or "",
    )
    (accepted,) = alphatensor("factorizations_f2.npz", f"matmul({shape})", "GF(2)")
    assert check(accepted) == (f"matmul({shape})", rank, "rank")


def test_a_placeholder_read_as_an_integer_fails_and_as_a_root_holds(tmp_path: Path) -> None:
    for side in "LRP":
        text = (data_folder() / PLINOPT / f"2x2x2_7_DPS-accurate_{side}.sms").read_text()
        kept = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
        (tmp_path / f"dps_{side}.sms").write_text(kept)
    (refused,) = verify_input(tmp_path / "dps_L.sms")
    assert refused.data is None
    from rankproof.formats.arithmetic import square_root

    (accepted,) = verify_input(tmp_path / "dps_L.sms", symbols={"1013": square_root(3)})
    assert check(accepted) == ("matmul(2,2,2)", 7, "rank")
    assert accepted.ring == "QQ(sqrt3)"


def test_a_sparse_part_is_no_scheme_without_its_change_of_basis_and_is_one_with_it(tmp_path: Path) -> None:
    rows = [
        row for row in lines(PLINOPT) if row.verdict == "SKIP" and row.shape.startswith("change of basis")
    ]
    assert len(rows) == 8
    for row in rows:
        name = row.path.name
        (found,) = findings(row.path)
        shape, rank = name.split("_")[:2]
        assert check(found) == (matmul(shape), int(rank), "rank")
        (tmp_path / name).write_bytes(row.path.read_bytes())
        with pytest.raises(FormatError, match="no scheme without"):
            verify_input(tmp_path / name)


def test_recursive_schemes_for_a_matrix_times_its_transpose_are_refused_with_the_reason() -> None:
    rows = [row for row in lines(PLINOPT) if row.verdict == "SKIP" and row.shape == "?"]
    assert len(rows) == 2
    for row in rows:
        with pytest.raises(
            FormatError, match="recursive calls, in which a product also stands for its transpose"
        ):
            verify_input(row.path)


def test_incomplete_schemes_say_which_file_is_missing() -> None:
    rows = [row for row in lines(PLINOPT) if row.verdict == "INCOMPLETE"]
    assert len(rows) == 2
    for row in rows:
        with pytest.raises(FormatError, match=r"_L\.sms is missing beside"):
            verify_input(row.path)


def test_families_stay_border_ranks_also_when_a_rank_is_asked_for_by_name() -> None:
    for row in lines(FAST_MATMUL)[:3]:
        (found,) = verify_input(row.path, matmul(row.shape))
        assert check(found) == (matmul(row.shape), int(row.rank), "border_rank")


def test_what_a_file_name_claims_does_not_matter(tmp_path: Path) -> None:
    renamed = tmp_path / "smirnov999-1-1"
    renamed.write_bytes((data_folder() / FAST_MATMUL / "smirnov333-20-182-approx").read_bytes())
    (found,) = verify_input(renamed)
    assert check(found) == ("matmul(3,3,3)", 20, "border_rank")
