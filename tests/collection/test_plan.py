"""The plan of a collection: what is read from it, and one sentence for everything that cannot be."""

from __future__ import annotations

from pathlib import Path

import pytest

from rankproof.collection.plan import BUDGET, Entry, read_plan
from rankproof.errors import FormatError
from rankproof.problem.field import RR, gf
from rankproof.problem.space import Space


def plan(folder: Path, text: str) -> tuple[Entry, ...]:
    path = folder / "targets.toml"
    path.write_text(text, encoding="utf-8")
    return tuple(entry for family in read_plan(path) for entry in family.entries)


def test_defaults_of_a_family_give_way_to_those_of_a_target(tmp_path: Path) -> None:
    first, second = plan(
        tmp_path,
        '[a]\nunits = "tied"\nbudget = 3\n[a.targets]\nx2y = "x**2*y"\n'
        'xy = { target = "x*y", units = "untied,split", field = "RR,GF(5)", budget = 7.5 }\n',
    )
    assert (first.units, first.fields, first.budget) == (("tied",), None, 3.0)
    assert (second.units, second.fields, second.budget) == (("untied", "split"), (RR, gf(5)), 7.5)
    assert second.path == "a/xy.json"
    assert second.command == 'rankproof certify "x*y" --units untied,split --field "RR,GF(5)" --budget 7.5'


def test_commas_in_the_name_of_a_field_do_not_separate(tmp_path: Path) -> None:
    (entry,) = plan(tmp_path, '[a.targets]\nx = { target = "x**2", field = "QQ,QQ(zeta3**2+zeta3+1)" }\n')
    assert [field.name[:2] for field in entry.fields or ()] == ["QQ", "QQ"]
    assert entry.budget == BUDGET


def test_a_tensor_without_a_name_is_its_shape_and_entries(tmp_path: Path) -> None:
    (entry,) = plan(
        tmp_path, "[a.targets]\nt = { shape = [2, 3, 2], entries = [[0, 2, 1, 5], [1, 0, 0, -1]] }\n"
    )
    target = entry.target()
    assert target.space == Space.tensor(2, 3, 2)
    assert sorted(int(str(value)) for _, value in target.entries) == [-1, 5]


def test_a_bias_asks_about_the_homogenised_polynomial(tmp_path: Path) -> None:
    (entry,) = plan(tmp_path, '[a.targets]\nx = { target = "x**2+x", bias = true }\n')
    assert entry.target().space.variables_count == 2


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("[a", "is not TOML"),
        ('[A.targets]\nx = "x"', "'A' is no name of a family"),
        ('[a.targets]\nX = "x"', r"'X' is no name of a target of \[a\]"),
        ("[a]\ntitle = 'no targets'", r"add \[a.targets\]"),
        ('[a]\ntargts = 1\n[a.targets]\nx = "x"', "'targts' is not among"),
        ("[a.targets]\nx = {}", "no target is given"),
        ("[a.targets]\nx = 3", "expected a table"),
        ('[a.targets]\nx = { target = "x", budget = "soon" }', "'soon' is no number of seconds"),
        ('[a.targets]\nx = { target = "x", bias = 1 }', "neither true nor false"),
        ('[a.targets]\nx = { target = "x", units = "thyed" }', "thyed"),
        ('[a.targets]\nx = { target = "x", known = "7" }', "a known value needs its source"),
        ("[a.targets]\nx = { shape = [2], entries = [[0.5]] }", "is no list of integers"),
        ('[a.targets]\nx = { target = "x", floor = "gaussian" }', "a floor needs a loss and widths"),
        ('[a.targets]\nx = { target = "x", floor = "normal", widths = [1] }', "'normal' is none of"),
        ("[a.targets]\nx = { block = 3 }", "a block needs the model of its family"),
        ("[a.targets]\nx = { block = -1 }", "numbers from 0"),
    ],
)
def test_what_is_wrong_with_a_plan_is_said_in_one_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(FormatError, match=sentence) as error:
        plan(tmp_path, text)
    assert "targets.toml" in str(error.value)
    assert "\n" not in str(error.value)


def test_a_target_that_is_none_names_its_entry(tmp_path: Path) -> None:
    bad, mixed, tensor = plan(
        tmp_path,
        '[a.targets]\nbad = "x**"\nmixed = "x**2+x"\ntensor = { shape = [2, 2], entries = [[0, 5, 1]] }\n',
    )
    for entry in (bad, mixed, tensor):
        with pytest.raises(FormatError, match=entry.path):
            entry.target()


def test_floors_are_every_loss_at_every_width(tmp_path: Path) -> None:
    (entry,) = plan(
        tmp_path,
        '[a]\nfloor = "gaussian, frobenius"\nwidths = [1, 2]\n[a.targets]\nx2y = { target = "x**2*y", widths = [1, 3] }\n',
    )
    assert [(floor.loss, floor.width) for floor in entry.floors] == [
        ("frobenius", 1),
        ("frobenius", 3),
        ("gaussian", 1),
        ("gaussian", 3),
    ]


def test_there_is_a_plan_or_one_sentence_about_it(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="a collection has a plan"):
        read_plan(tmp_path / "targets.toml")
