"""The page on soundness lists the trusted base as it is."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

from rankproof.verifier.rules import RULES

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def trusted_base() -> ModuleType:
    spec = importlib.util.spec_from_file_location("trusted_base", ROOT / "docs" / "trusted_base.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_table_of_the_trusted_base_is_up_to_date(trusted_base: ModuleType) -> None:
    page = (ROOT / "docs" / "soundness.md").read_text(encoding="utf-8")
    assert trusted_base.table(ROOT / "rankproof") in page, "run: python docs/trusted_base.py"


def test_what_one_rule_rests_on_is_up_to_date(trusted_base: ModuleType) -> None:
    page = (ROOT / "docs" / "soundness.md").read_text(encoding="utf-8")
    rules = trusted_base.rules_table(ROOT / "rankproof")
    assert rules in page, "run: python docs/trusted_base.py"
    assert {line.split("]")[0].lstrip("| [") for line in rules.splitlines()[2:]} == set(RULES)


def test_what_is_reached_is_imported_directly_or_not(trusted_base: ModuleType, tmp_path: Path) -> None:
    for name, text in (("a", "from .b import x"), ("b", "from . import c"), ("c", "import json"), ("d", "")):
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    a, b, c = (tmp_path / f"{name}.py" for name in "abc")
    assert trusted_base.reached({a}, set()) == {a, b, c}
    assert trusted_base.reached({a}, {b}) == {a}


def test_the_readme_states_the_size_of_the_trusted_base(trusted_base: ModuleType) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "lines of code" in readme
    assert trusted_base.with_size(readme, ROOT / "rankproof") == readme, "run: python docs/trusted_base.py"


def test_lines_of_code_leave_out_blank_lines_comments_and_docstrings(
    trusted_base: ModuleType, tmp_path: Path
) -> None:
    path = tmp_path / "module.py"
    path.write_text('"""One.\n\nTwo."""\n\n# why\nx = 1\ny = """not\na docstring"""\n', encoding="utf-8")
    assert trusted_base.lines_of_code(path) == 3
    assert trusted_base.first_line(path) == "One"


def test_a_changed_file_changes_the_table(trusted_base: ModuleType, tmp_path: Path) -> None:
    folder = tmp_path / "verifier"
    folder.mkdir()
    (folder / "kernel.py").write_text("x = 1\n", encoding="utf-8")
    before = trusted_base.table(tmp_path)
    (folder / "kernel.py").write_text("x = 1\ny = 2\n", encoding="utf-8")
    assert trusted_base.table(tmp_path) != before


def test_every_theorem_that_the_verifier_knows_is_listed_and_no_other() -> None:
    page = (ROOT / "docs" / "soundness.md").read_text(encoding="utf-8")
    section = page.partition("## Theorems relied on")[2].partition("\n## ")[0]
    listed = set(re.findall(r"^\| \[([a-z-]+)\].* \| `([^`]+)` \|", section, flags=re.MULTILINE))
    assert listed == {(name, theorem) for name, rule in RULES.items() for theorem in rule.theorems}
