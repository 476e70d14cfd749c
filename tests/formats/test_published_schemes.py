"""Schemes that others published: AlphaTensor's archives and the fast-matmul collection, each with its verdict.

Shapes and ranks come from the folder's MANIFEST.tsv, where an independent exact check recorded them.
"""

from __future__ import annotations

import csv
import re
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from external import data_folder

from rankproof.errors import FormatError
from rankproof.formats import SchemeCertificate, verify_input
from rankproof.verifier import verify_bytes

pytestmark = pytest.mark.external

# Processor time of the verifier for all of AlphaTensor's schemes. The promise is 20 seconds on a quiet core; a core that is
# shared with other work takes up to twice as long for the same instructions.
VERIFIER_SECONDS = 2 * 20.0
FAST_MATMUL = "arbenson+fast-matmul/codegen/algorithms"
ALPHATENSOR = "google-deepmind+alphatensor/algorithms"


@dataclass(frozen=True)
class Published:
    file: str
    shape: str
    rank: int
    verdict: str


@cache
def manifest() -> tuple[Published, ...]:
    with (data_folder() / "MANIFEST.tsv").open(encoding="utf-8", newline="") as file:
        rows = [
            row
            for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
            if row[0].startswith(FAST_MATMUL)
        ]
    return tuple(Published(row[0], row[5], int(row[6]), row[7]) for row in rows)


def check(found: SchemeCertificate) -> tuple[str, int, str]:
    """Target, bound and quantity of what the verifier says to a scheme."""
    assert found.data is not None, found.problem
    verdict = verify_bytes(found.data)
    assert verdict.word == "VERIFIED", verdict
    answer = verdict.conclusion[0]
    return found.target, answer["upper"], answer["quantity"]


def matmul(shape: str) -> str:
    return f"matmul({shape.replace('x', ',')})"


def test_all_exact_fast_matmul_schemes_bound_the_rank() -> None:
    exact = [row for row in manifest() if row.verdict.startswith("Q:")]
    assert len(exact) == 38
    for row in exact:
        (found,) = verify_input(data_folder() / row.file)
        assert check(found) == (matmul(row.shape), row.rank, "rank"), row.file
        assert found.convention == "row-major, third factor C"


def test_all_28_families_bound_the_border_rank_also_when_asked_by_name() -> None:
    families = [row for row in manifest() if row.verdict.startswith("BORDER OK")]
    assert len(families) == 28
    for row in families:
        (found,) = verify_input(data_folder() / row.file, matmul(row.shape))
        assert check(found) == (matmul(row.shape), row.rank, "border_rank"), row.file
        assert found.kind == "border"
        assert "not a rank" in found.note


def test_the_form_with_shared_subexpressions_is_refused_at_its_ragged_row() -> None:
    with pytest.raises(FormatError, match="block 3, row 1 has 19 entries and block 1, row 1 has 15"):
        verify_input(data_folder() / FAST_MATMUL / "grey323-15-89")


def alphatensor(name: str, *arguments: str | None) -> list[SchemeCertificate]:
    return verify_input(data_folder() / ALPHATENSOR / name, *arguments)


def key(found: SchemeCertificate) -> str:
    return found.label.partition(":")[2]


@pytest.mark.slow
def test_all_113_alphatensor_schemes_hold_over_their_ring_and_verify_quickly() -> None:
    over_q, over_f2 = alphatensor("factorizations_r.npz"), alphatensor("factorizations_f2.npz")
    assert (len(over_q), len(over_f2)) == (93, 20)
    seconds = 0.0
    for found in over_q + over_f2:
        start = time.process_time()
        target, bound, quantity = check(found)
        seconds += time.process_time() - start
        assert (target, quantity) == (f"matmul({key(found)})", "rank")
        assert bound == found.terms
        assert found.convention == "row-major, third factor C^T"
    assert {found.ring for found in over_q} == {"ZZ", "QQ"}
    assert {found.ring for found in over_f2} == {"GF(2)"}
    ranks = {key(found): found.terms for found in over_q}
    # AlphaTensor (Fawzi et al., Nature 610, 2022), table of results.
    assert (ranks["3,4,5"], ranks["4,4,4"], ranks["4,5,5"], ranks["9,9,9"], ranks["11,12,12"]) == (
        47,
        49,
        76,
        498,
        990,
    )
    assert seconds < VERIFIER_SECONDS


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


def test_what_a_file_name_claims_does_not_matter(tmp_path: Path) -> None:
    renamed = tmp_path / "smirnov999-1-1"
    renamed.write_bytes((data_folder() / FAST_MATMUL / "smirnov333-20-182-approx").read_bytes())
    (found,) = verify_input(renamed)
    assert check(found) == ("matmul(3,3,3)", 20, "border_rank")
