"""The same name in every room: rules, their pages, their corpus, and the methods that use them."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import pytest

from rankproof.bounds import LOWER, UPPER
from rankproof.problem.library import NAMED
from rankproof.problem.units import UNITS
from rankproof.show.explanations import EXPLANATIONS
from rankproof.verifier import verify_bytes
from rankproof.verifier.rules import RULES

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
CORPUS = ROOT / "tests" / "corpus"
PACKAGE = ROOT / "rankproof"

# How many corpus files a rule needs. Two refusals: a false claim, and a true claim with a wrong witness.
CORPUS_NEEDS = {"accept": 1, "reject": 2}


def missing_of_a_rule(rule: str, docs: Path = DOCS, corpus: Path = CORPUS) -> list[str]:
    """What the documentation and the corpus lack for a rule of the verifier."""
    missing = []
    if not (docs / "rules" / f"{rule}.md").is_file():
        missing.append(f"docs/rules/{rule}.md")
    for kind, needed in CORPUS_NEEDS.items():
        found = len(list((corpus / kind / rule).glob("*.json")))
        if found < needed:
            missing.append(f"tests/corpus/{kind}/{rule}: {found} of {needed} files")
    return missing


def homeless(names: Collection[str], folder: Path, suffix: str) -> set[str]:
    """Files of a room that no entry of its table names, and entries without a file."""
    files = {path.stem for path in folder.glob(f"*{suffix}")} - {"__init__", "model", "index"}
    return files ^ {name.replace("-", "_") if suffix == ".py" else name for name in names}


@pytest.mark.parametrize("rule", sorted(RULES))
def test_a_rule_has_a_page_and_a_corpus(rule: str) -> None:
    assert missing_of_a_rule(rule) == []


@pytest.mark.parametrize("rule", sorted(RULES))
def test_a_rule_has_its_own_file_in_the_verifier(rule: str) -> None:
    assert (PACKAGE / "verifier" / "rules" / f"{rule.replace('-', '_')}.py").is_file()


def test_the_pages_and_corpus_folders_name_existing_rules() -> None:
    assert {page.stem for page in (DOCS / "rules").glob("*.md")} - {"index"} == set(RULES)
    for kind in CORPUS_NEEDS:
        folders = {folder.name for folder in (CORPUS / kind).iterdir() if folder.is_dir()}
        # A folder that is not a rule's tests the document around the steps.
        assert set(RULES) <= folders, kind


@pytest.mark.parametrize("method", [*LOWER, *UPPER], ids=lambda method: f"{method.side}-{method.name}")
def test_a_method_names_an_existing_rule(method) -> None:
    assert method.rule in RULES


@pytest.mark.parametrize("method", LOWER, ids=lambda method: method.name)
def test_a_lower_bound_has_the_same_name_in_four_rooms(method) -> None:
    assert method.rule.replace("-", "_") == method.name.replace("-", "_")
    assert missing_of_a_rule(method.rule) == []


@pytest.mark.parametrize(("side", "table"), [("lower", LOWER), ("upper", UPPER)])
def test_every_file_of_methods_is_in_its_table(side: str, table) -> None:
    assert homeless([method.name for method in table], PACKAGE / "bounds" / side, ".py") == set()
    assert len({method.name for method in table}) == len(table)


def test_every_unit_model_has_a_file_and_a_page() -> None:
    names = {name.partition(":")[0] for name in UNITS}
    assert homeless(names, PACKAGE / "problem" / "units", ".py") == set()
    assert homeless(names, DOCS / "units", ".md") == set()


def test_the_index_of_rules_lists_every_rule() -> None:
    index = (DOCS / "rules" / "index.md").read_text(encoding="utf-8")
    assert [rule for rule in sorted(RULES) if f"]({rule}.md)" not in index] == []


def test_every_rule_is_explained_to_the_readers_of_pages() -> None:
    """A new rule gets two or three sentences in `rankproof.show.explanations`: why it proves anything."""
    assert set(RULES) - set(EXPLANATIONS) == set()
    assert set(EXPLANATIONS) - set(RULES) == set()


def test_every_named_target_is_documented() -> None:
    page = (DOCS / "targets.md").read_text(encoding="utf-8")
    assert [name for name in NAMED if f"`{name}" not in page] == []


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("accept", {"VERIFIED", "CONDITIONAL"}),
        ("reject", {"REJECTED"}),
        ("unreadable", {"UNREADABLE"}),
    ],
)
def test_every_corpus_file_stands_in_the_folder_of_its_verdict(kind: str, words: set[str]) -> None:
    wrong = {
        str(path.relative_to(CORPUS)): verdict.word
        for path in sorted((CORPUS / kind).rglob("*.json"))
        if (verdict := verify_bytes(path.read_bytes(), weights=[str(CORPUS / "weights")])).word not in words
    }
    assert wrong == {}


# Controls


def test_a_rule_without_page_or_corpus_is_noticed(tmp_path: Path) -> None:
    rule = sorted(RULES)[0]
    assert len(missing_of_a_rule("no-such-rule")) == 1 + len(CORPUS_NEEDS)
    assert missing_of_a_rule(rule, docs=tmp_path) == [f"docs/rules/{rule}.md"]
    (tmp_path / "accept" / rule).mkdir(parents=True)
    assert len(missing_of_a_rule(rule, corpus=tmp_path)) == len(CORPUS_NEEDS)


def test_a_file_outside_its_table_and_an_entry_without_file_are_noticed(tmp_path: Path) -> None:
    (tmp_path / "__init__.py").touch()
    (tmp_path / "known_one.py").touch()
    assert homeless(["known-one"], tmp_path, ".py") == set()
    (tmp_path / "stray.py").touch()
    assert homeless(["known-one"], tmp_path, ".py") == {"stray"}
    assert homeless(["known-one", "stray", "absent"], tmp_path, ".py") == {"absent"}
