"""The second verifier, written from docs/format.md alone, gives the verdicts of the first."""

from __future__ import annotations

import json
import random
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from corpus.judging import WEIGHTS, files
from verifier_js.divergences import compare, mutants
from verifier_js.second import program, second_verdicts

from rankproof.collection.check import SECOND
from rankproof.verifier import verify_bytes

ROOT = Path(__file__).resolve().parents[2]

LIMITS_OF_ITS_OWN = {
    "undecided/apolar-form/long-coefficients.json",
    "undecided/binary/long-coefficients.json",
    "undecided/conjugate-units/long-coefficients.json",
    "undecided/kronecker-form/wide-blocks.json",
    "undecided/locus/too-many-multiples.json",
    "undecided/output-substitution/minors-of-size-64.json",
    "undecided/pencil/long-coefficients.json",
}
"""Files that the first verifier gives up for their size, and the second reads to the end: docs/divergences.md."""


def test_every_file_of_the_corpus_has_its_verdict_and_code() -> None:
    demands = files()
    assert len(demands) > 1_900
    divergent: dict[str, str] = {}
    for demand, said in zip(
        demands, second_verdicts((d.data for d in demands), weights=Path(WEIGHTS)), strict=True
    ):
        word, code, _ = demand.finding
        if (said["verdict"], said["code"]) != (word, code):
            divergent[demand.name] = f"{said['verdict']} {said['code']}, not {word} {code}: {said['message']}"
    assert {name: why for name, why in divergent.items() if name not in LIMITS_OF_ITS_OWN} == {}
    assert set(divergent) == LIMITS_OF_ITS_OWN


def test_statements_and_their_hashes_are_the_same() -> None:
    accepted = [demand for demand in files() if demand.name.startswith("accept/")]
    for demand, said in zip(
        accepted, second_verdicts((d.data for d in accepted), weights=Path(WEIGHTS)), strict=True
    ):
        verdict = verify_bytes(demand.data, weights=[WEIGHTS])
        assert (said["claim"], said["sha256"]) == (verdict.claim_hash, verdict.sha256), demand.name
        assert said["conclusion"] == [dict(answer) for answer in verdict.conclusion], demand.name
        assert tuple(said["theorems"]) == tuple(verdict.theorems), demand.name


def test_files_and_exit_statuses(tmp_path: Path) -> None:
    good = ROOT / "tests" / "corpus" / "accept" / "flattening" / "x2y.json"
    bad = tmp_path / "bad.json"
    bad.write_bytes(good.read_bytes().replace(b'"lower": ', b'"lower": 1'))
    gone = str(tmp_path / "gone.json")

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([*program(), *words], capture_output=True, text=True, check=False)

    done = run("--json", "--", str(good), str(bad), gone)
    said = [json.loads(line) for line in done.stdout.splitlines()]
    assert [one["verdict"] for one in said] == ["VERIFIED", "REJECTED", "UNREADABLE"]
    assert [one["file"] for one in said] == [str(good), str(bad), gone]
    assert [one["exit"] for one in said] == [0, 1, 3]
    assert done.returncode == 1
    assert run(str(good)).returncode == 0
    assert run(gone).returncode == 3
    assert run().returncode == 2
    assert run(str(good)).stdout.startswith(f"VERIFIED  {good}  ")


def test_weights_are_found(tmp_path: Path) -> None:
    path = ROOT / "tests" / "corpus" / "accept" / "block" / "a-product.json"
    target = json.loads(path.read_text())["target"]["block"]
    weights = Path(WEIGHTS, target["file"])

    def exit_status(*words: str) -> int:
        return subprocess.run([*program(), *words], capture_output=True, check=False).returncode

    assert exit_status(str(path)) == 4
    assert exit_status("--weights", str(weights), str(path)) == 0
    assert exit_status("--weights", WEIGHTS, "--", str(path)) == 0
    (tmp_path / "a.json").write_bytes(path.read_bytes())
    (tmp_path / target["file"]).write_bytes(weights.read_bytes())
    assert exit_status(str(tmp_path / "a.json")) == 0
    (tmp_path / target["file"]).write_bytes(b"GGUF")
    assert exit_status(str(tmp_path / "a.json")) == 4


def test_only_the_command_line_needs_node() -> None:
    modules = sorted(SECOND.parent.rglob("*.mjs"))
    assert len(modules) > 30
    for path in modules:
        source = path.read_text(encoding="ascii")
        if path != SECOND:
            assert '"node:' not in source, path
            assert "process." not in source, path


def test_a_theorem_can_be_accepted() -> None:
    path = next((ROOT / "tests" / "corpus" / "accept" / "coprime-monomials").glob("*.json"))
    name = json.loads(
        subprocess.run([*program(), "--json", str(path)], capture_output=True, check=False).stdout
    )["theorems"][0]
    done = subprocess.run([*program(), "--accept-theorem", name, str(path)], check=False)
    assert done.returncode == 0


@pytest.mark.parametrize("data", [b"", b"[]", b"\xff", b'{"format": "rankproof-certificate", "version": 2}'])
def test_what_is_no_certificate_is_unreadable(data: bytes) -> None:
    (said,) = second_verdicts([data])
    assert (said["verdict"], said["code"]) == (verify_bytes(data).word, verify_bytes(data).code)


def test_damaged_certificates_get_the_same_verdict() -> None:
    small = [(d.name, d.data) for d in files() if d.name.startswith("accept/") and len(d.data) < 3_000]
    chosen = random.Random(0).sample(small, 60)
    counts, found = compare(mutants(chosen, 8, seed=0), 120)
    assert found == []
    assert counts["mutants"] > 400
    assert counts["both VERIFIED"] > 10
    assert sum(n for what, n in counts.items() if what.startswith("allowed")) < 20


def test_a_divergence_is_found() -> None:
    data = next(d.data for d in files() if d.name == "accept/flattening/x2y.json")
    wrong = replace(verify_bytes(data), word="REJECTED", code="claim-differs")
    counts, found = compare(iter([("x2y", data, verify_bytes(data)), ("a lie", data, wrong)]), 120)
    assert counts["divergences"] == len(found) == 1
    assert found[0].startswith("a lie: REJECTED claim-differs")
