"""Every file of the corpus gets the verdict it must get, for the reason it must have."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest
from corpus.judging import EXIT_STATUS, Demand, Verifier, everything, expectations, files, limits, wrong_rules
from corpus.make import contents, found, write
from corpus.recipes import CASES
from mutation.checker import codes_of, in_use, sources

from rankproof.verifier import verify_bytes

UNREACHABLE = {
    "ring": "the kernel refuses such questions with the code field before a target is reduced",
    "root-at-end": "an irreducible polynomial of degree at least 2 has no rational root",
}
"""Codes of refusals that stand behind other refusals."""


@pytest.fixture(scope="module")
def verifier() -> Verifier:
    return Verifier()


@pytest.mark.parametrize("demand", everything(), ids=lambda demand: demand.name)
def test_the_verdict_and_its_reason(verifier: Verifier, demand: Demand) -> None:
    assert verifier.find(demand) == demand.finding


def test_the_files_are_those_that_the_script_writes() -> None:
    wanted, present = contents(CASES), found()
    assert sorted(wanted) == sorted(present), "run: python -m tests.corpus.make"
    assert [path for path, data in wanted.items() if present[path] != data] == []


def test_the_script_writes_what_differs_and_removes_what_it_does_not_make(tmp_path: Path) -> None:
    stray = tmp_path / "accept" / "nonzero" / "stray.json"
    stray.parent.mkdir(parents=True)
    stray.write_bytes(b"{}")
    assert write(tmp_path) == (len(contents(CASES)), 1)
    assert not stray.exists()
    (tmp_path / "expected.json").write_bytes(b"{}")
    assert write(tmp_path) == (1, 0)
    assert found(tmp_path) == found()


def codes_in_the_source() -> set[str]:
    return {
        code
        for file in in_use()
        for node in ast.walk(sources()[file])
        if isinstance(node, ast.Call)
        for code in codes_of(sources()[file], node)
    }


def test_every_code_is_the_reason_of_some_refusal() -> None:
    codes = codes_in_the_source()
    met = {demand.finding[1] for demand in (*files(), *limits(), *wrong_rules(), *expectations())}
    assert codes - met == set(UNREACHABLE)
    # The kernel's verdict on expectations is made without an exception.
    assert met - codes == {"", "expectation"}


def test_codes_are_words() -> None:
    assert all(code.replace("-", "").isalpha() and code == code.lower() for code in codes_in_the_source())


def refused_after_reading() -> list[Demand]:
    return [demand for demand in files() if demand.finding[1] and demand.finding[2]]


@pytest.mark.parametrize("demand", refused_after_reading(), ids=lambda demand: demand.name)
def test_a_pointer_leads_to_a_place_in_the_file(demand: Demand) -> None:
    node = json.loads(demand.data)
    *path, last = demand.finding[2].split("/")[1:]
    for part in path:
        node = node[int(part)] if isinstance(node, list) else node[part.replace("~1", "/").replace("~0", "~")]
    # A missing key is looked for in an object that is there.
    if isinstance(node, list):
        assert int(last) < len(node)
    else:
        assert isinstance(node, dict)


@pytest.mark.parametrize("demand", files(), ids=lambda demand: demand.name)
def test_a_verdict_is_complete(demand: Demand) -> None:
    verdict = verify_bytes(demand.data)
    assert verdict.exit_status == EXIT_STATUS[verdict.word]
    assert verdict.ok == (verdict.word == "VERIFIED")
    assert bool(verdict.code) == bool(verdict.message) == (not verdict.statements) == (not verdict.claim_hash)
    assert verdict.message.isascii()
    assert verdict.message.isprintable()
    assert len(verdict.message) < 400
    if verdict.statements:
        tree = json.loads(demand.data)
        stated = [{"upper": None, **answer} for answer in tree["conclusion"]]
        assert [dict(answer) for answer in verdict.conclusion] == stated
        for answer in stated:
            lines = [line for line in verdict.statements if line.startswith(f"{answer['units']} ")]
            assert any(answer["field"] in line and str(answer["lower"]) in line for line in lines)


@pytest.mark.parametrize("kind", ["accept", "reject", "unreadable"])
def test_every_folder_has_files(kind: str) -> None:
    names = [demand.name for demand in files()]
    for rule in ("nonzero", "decomposition", "border-family", "flattening", "quadric", "coprime-monomials"):
        assert (
            sum(name.startswith(f"{kind}/{rule}/") for name in names)
            >= {"accept": 2, "reject": 3, "unreadable": 1}[kind]
        )
