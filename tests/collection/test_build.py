"""Building a collection: what is there stays, what says more replaces it, and an interrupted build goes on."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from rankproof.certificate.document import Certificate
from rankproof.cli import main
from rankproof.collection import build as building
from rankproof.collection.build import add, build, read_index, write_index
from rankproof.collection.check import Verifier, check
from rankproof.collection.page import page
from rankproof.collection.plan import Entry, Family, read_plan
from rankproof.errors import FormatError
from rankproof.problem.field import CC, QQ
from rankproof.problem.parse import read_targets
from rankproof.prove import certify
from rankproof.verifier import verify_bytes
from tests.blocks.small_models import llama_gguf

PLAN = """\
[monomials]
title = "Monomials"
about = "Products of powers."
[monomials.targets]
x2y = "x**2*y"
xy = { target = "x*y", units = "untied" }
[tensors.targets]
w3 = { target = "W(3)", known = "3 and 2", source = "somebody" }
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "targets.toml").write_text(PLAN, encoding="utf-8")
    return tmp_path


def families(root: Path) -> tuple[Family, ...]:
    return read_plan(root / "targets.toml")


def entries(root: Path) -> list[Entry]:
    return [entry for family in families(root) for entry in family.entries]


def words(outcomes: Iterable[building.Outcome]) -> dict[str, str]:
    return {outcome.entry.path: outcome.word for outcome in outcomes}


def test_a_second_build_asks_nothing_and_a_changed_plan_asks_what_changed(root: Path) -> None:
    everything = {"monomials/x2y.json", "monomials/xy.json", "tensors/w3.json"}
    assert words(build(root, entries(root))) == dict.fromkeys(everything, "proved")
    assert all(verify_bytes((root / path).read_bytes()).ok for path in everything)
    assert words(build(root, entries(root))) == dict.fromkeys(everything, "kept")
    plan = (root / "targets.toml").read_text(encoding="utf-8")
    (root / "targets.toml").write_text(
        plan.replace('units = "untied"', 'units = "tied,untied"'), encoding="utf-8"
    )
    assert words(build(root, entries(root)))["monomials/xy.json"] == "improved"
    assert words(build(root, entries(root))) == dict.fromkeys(everything, "kept")


def test_the_same_plan_gives_the_same_bytes_whatever_the_number_of_processes(
    root: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    build(root, entries(root))
    build(other, entries(root), processes=2)
    for entry in entries(root):
        assert (root / entry.path).read_bytes() == (other / entry.path).read_bytes()


def test_a_file_that_says_more_stays(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = entries(root)[0]
    build(root, [entry])
    before = Certificate.from_bytes((root / entry.path).read_bytes()).conclusion

    def weak(target, **asked):
        return certify(target, units=("tied",), fields=(QQ, CC), sides=("upper",))

    monkeypatch.setattr("rankproof.prove.certify", weak)
    assert words(build(root, [entry], again=True)) == {entry.path: "unchanged"}
    after = Certificate.from_bytes((root / entry.path).read_bytes()).conclusion
    assert set(after) == set(before)


def test_a_damaged_file_is_proved_again(root: Path) -> None:
    entry = entries(root)[0]
    build(root, [entry])
    good = (root / entry.path).read_bytes()
    (root / entry.path).write_bytes(good.replace(b'"value": 3', b'"value": 4', 1))
    assert not verify_bytes((root / entry.path).read_bytes()).ok
    build(root, [entry])
    assert (root / entry.path).read_bytes() == good


def test_a_build_that_is_stopped_keeps_what_it_has(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, *rest = entries(root)

    def stop(outcome: building.Outcome) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(root, entries(root), say=stop)
    assert words(build(root, entries(root))) == {first.path: "kept", **{e.path: "proved" for e in rest}}
    assert not list(root.rglob("*.partial"))


def test_a_target_that_cannot_be_proved_fails_and_the_others_go_on(root: Path) -> None:
    plan = (root / "targets.toml").read_text(encoding="utf-8")
    (root / "targets.toml").write_text(plan.replace('"x**2*y"', '"x**2*y+x"'), encoding="utf-8")
    said = words(build(root, entries(root)))
    assert said == {
        "monomials/x2y.json": "failed",
        "monomials/xy.json": "proved",
        "tensors/w3.json": "proved",
    }


def test_a_certificate_is_added_beside_what_is_there(root: Path) -> None:
    plan = (root / "targets.toml").read_text(encoding="utf-8")
    (root / "targets.toml").write_text(
        plan.replace('"x**2*y"', '{ target = "x**2*y", field = "CC" }'), encoding="utf-8"
    )
    entry = entries(root)[0]
    build(root, [entry])
    own = root / "own.json"
    own.write_bytes(certify(read_targets("x**2*y")[0], units=("split",), fields=(QQ,)).data)
    assert add(root, entry, own).word == "improved"
    stated = Certificate.from_bytes((root / entry.path).read_bytes()).conclusion
    assert {(a.units, str(a.field)) for a in stated} >= {("tied", "CC"), ("split", "QQ")}
    assert verify_bytes((root / entry.path).read_bytes()).ok
    own.write_bytes(certify(read_targets("x*y**2")[0]).data)
    with pytest.raises(FormatError, match="is about x\\*y\\*\\*2"):
        add(root, entry, own)


def test_the_record_is_read_back_and_something_else_is_refused(root: Path) -> None:
    build(root, entries(root)[:1])
    records = read_index(root)
    write_index(root, records)
    assert read_index(root) == records
    (root / "index.json").write_text('{"format": "x"}', encoding="utf-8")
    with pytest.raises(FormatError, match="is no record of a collection"):
        read_index(root)


def test_the_page_lists_every_file_and_only_what_is_verified(root: Path) -> None:
    build(root, entries(root))
    text = page(root, families(root), read_index(root))
    assert "| [`x**2*y`](monomials/x2y.json) | tied | 3 | 3 / 2 | 3 / 2 |" in text
    assert "3 files" in text
    assert "somebody" not in text, "what is closed needs no literature"
    path = root / "monomials/x2y.json"
    path.write_bytes(path.read_bytes().replace(b'"value": 3', b'"value": 4', 1))
    with pytest.raises(FormatError, match="is not the file that was verified"):
        page(root, families(root), read_index(root))


def test_the_command_builds_verifies_and_notices_a_changed_byte(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ["--root", str(root)]
    assert main(["collection", "verify", *where]) == 3
    assert main(["collection", "build", *where]) == 0
    assert (root / "README.md").is_file()
    capsys.readouterr()
    assert main(["collection", "verify", *where]) == 0
    assert "verifier.pyz: 3 of 3 files verified" in capsys.readouterr().out
    path = root / "monomials/x2y.json"
    path.write_bytes(path.read_bytes().replace(b'"value": 3', b'"value": 4', 1))
    assert main(["collection", "verify", *where]) == 1
    assert "REJECTED  monomials/x2y.json  claim-differs" in capsys.readouterr().out
    assert main(["collection", "build", *where, "--only", "nothing"]) == 2


def test_verifiers_that_differ_are_noticed(root: Path, tmp_path: Path) -> None:
    build(root, entries(root))
    liar = tmp_path / "liar.py"
    liar.write_text(
        "import json, sys\n"
        "for file in sys.argv[3:]:\n"
        "    print(json.dumps(dict(file=file, verdict='REJECTED', code='x', pointer='', message='', claim='')))\n",
        encoding="utf-8",
    )
    import sys

    ours = Verifier("ours", (sys.executable, "-m", "rankproof", "verify"))
    files = [entry.path for entry in entries(root)]
    checked = check(root, files, [ours, Verifier("liar", (sys.executable, str(liar)))])
    assert checked.divergent() == files
    assert {name for _, name, _ in checked.refused()} == {"liar"}
    assert check(root, files, [ours], processes=2).refused() == []
    with pytest.raises(FormatError, match="cannot run"):
        check(root, files, [Verifier("none", (str(tmp_path / "none"),))])
    with pytest.raises(FormatError, match="answered for 0 of 3 files"):
        check(root, files, [Verifier("mute", (sys.executable, "-c", ""))])
    assert json.loads((root / "index.json").read_bytes())["files"]


def test_floors_go_into_one_file_and_into_a_table_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "targets.toml").write_text(
        '[floors.targets]\nxyz = { target = "x*y*z", floor = "gaussian", widths = [1, 2, 3] }\n',
        encoding="utf-8",
    )
    assert words(build(tmp_path, entries(tmp_path))) == {"floors/xyz.json": "proved"}
    assert words(build(tmp_path, entries(tmp_path), again=True)) == {"floors/xyz.json": "unchanged"}
    assert verify_bytes((tmp_path / "floors/xyz.json").read_bytes()).ok
    text = page(tmp_path, families(tmp_path), read_index(tmp_path))
    # Three units come arbitrarily close with tied units and two with untied ones: there is no floor to state.
    assert "| tied | gaussian | 1: 2/3, 2: 1/3 |" in text
    assert "| untied | gaussian | 1: 1/3 |" in text
    assert "0 questions about widths, 0 of them answered by one number; 3 floors." in text


def test_a_block_is_built_and_checked_together_with_its_weights(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = llama_gguf(tmp_path / "small.gguf")
    root = tmp_path / "own"
    root.mkdir()
    sha256 = building.sha256_of(model.read_bytes())
    plan = f'[blocks]\nmodel = "small.gguf"\nsha256 = "{sha256}"\n[blocks.targets]\n'
    plan += "one = { block = 1, output = 0 }\nwhole = { block = 0 }\nmissed = { block = 0, output = 2, keep = 3 }\n"
    (root / "targets.toml").write_text(plan, encoding="utf-8")
    where = ["--root", str(root)]
    assert main(["collection", "build", *where]) == 1
    assert "give this file with --weights" in capsys.readouterr().out
    assert main(["collection", "build", *where, "--weights", str(model)]) == 0
    assert "3 proved" in capsys.readouterr().out
    assert main(["collection", "build", *where]) == 0
    assert main(["collection", "verify", *where]) == 0
    assert "3 files are about blocks of small.gguf, and were not checked" in capsys.readouterr().out
    assert main(["collection", "verify", *where, "--weights", str(model)]) == 0
    assert "3 of 3 files verified" in capsys.readouterr().out
    assert "`block 1, output 0`" in (root / "README.md").read_text(encoding="utf-8")


def test_the_weights_of_another_model_are_refused(tmp_path: Path) -> None:
    model = llama_gguf(tmp_path / "small.gguf")
    (tmp_path / "targets.toml").write_text(
        f'[blocks]\nmodel = "small.gguf"\nsha256 = "{"0" * 64}"\n[blocks.targets]\none = {{ block = 0, output = 0 }}\n',
        encoding="utf-8",
    )
    (outcome,) = build(tmp_path, entries(tmp_path), weights=[model])
    assert outcome.word == "failed"
    assert "is not the file of the plan" in outcome.message
