"""The collection that comes with the project: its page is true, and it holds what the plan says and nothing else."""

from __future__ import annotations

from pathlib import Path

from rankproof.collection.build import INDEX, asked, read_index, sha256_of
from rankproof.collection.page import PAGE, page
from rankproof.collection.plan import PLAN, read_plan
from rankproof.verifier import verify_bytes

ROOT = Path(__file__).parents[2] / "certificates"


def test_the_page_says_what_is_in_the_files() -> None:
    assert (ROOT / PAGE).read_text(encoding="utf-8") == page(ROOT, read_plan(ROOT / PLAN), read_index(ROOT))


def test_every_file_is_in_the_plan_and_every_entry_of_the_plan_is_proved() -> None:
    planned = {entry.path: asked(entry) for family in read_plan(ROOT / PLAN) for entry in family.entries}
    files = {path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*") if path.is_file()}
    assert files - {PAGE, PLAN, INDEX} == set(planned)
    assert {path: record.asked for path, record in read_index(ROOT).items()} == planned


def test_a_sample_of_the_files_is_verified_and_says_what_the_record_says() -> None:
    # All of them are verified by `rankproof collection verify`.
    for path, record in sorted(read_index(ROOT).items())[::8]:
        data = (ROOT / path).read_bytes()
        if record.verify < 0.5:
            verdict = verify_bytes(data)
            assert verdict.ok, path
            assert (verdict.claim_hash, sha256_of(data)) == (record.claim, record.sha256)
