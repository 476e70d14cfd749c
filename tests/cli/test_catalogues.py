"""``rankproof methods`` and ``rankproof targets``."""

from __future__ import annotations

import json

import pytest

from rankproof.bounds import LOWER, UPPER
from rankproof.cli import main
from rankproof.problem.library import NAMED
from rankproof.verifier import RULES


def test_every_method_and_rule_is_in_the_catalogue(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["methods"]) == 0
    text = capsys.readouterr().out
    assert max(len(line) for line in text.splitlines()) <= 80
    words = " ".join(text.split())
    for method in (*LOWER, *UPPER):
        assert f"  {method.name} " in text
        assert method.summary in words
        assert method.rule in text
    for name, rule in RULES.items():
        assert f"  {name} " in text
        assert all(theorem in words for theorem in rule.theorems)


def test_every_method_is_an_object(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["methods", "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["name"] for row in rows] == [method.name for method in (*LOWER, *UPPER)]
    assert {row["bound"] for row in rows} == {"lower", "upper"}
    assert {row["schema"] for row in rows} == {"rankproof/method/1"}
    assert set(rows[0]) == {"schema", "name", "bound", "units", "fields", "tier", "rule", "summary"}


def test_every_named_target_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["targets"]) == 0
    words = " ".join(capsys.readouterr().out.split())
    for named in NAMED.values():
        assert named.signature in words
        assert named.summary in words
    assert main(["targets", "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["name"] for row in rows] == list(NAMED)
