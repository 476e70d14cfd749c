"""Modules become one classic script, or are refused."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from rankproof.errors import FormatError
from rankproof.show.script import FOLDER, verifier_script


def folder(tmp_path: Path, **modules: str) -> Path:
    for name, text in modules.items():
        (tmp_path / f"{name}.mjs").write_text(text, encoding="utf-8")
    return tmp_path


def test_every_module_of_the_verifier_but_those_for_node_is_in_the_script_once() -> None:
    script = verifier_script()
    names = [path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.mjs")]
    inside = [name for name in names if f"\n// {name}\n" in script]
    assert set(names) - set(inside) <= {"cli.mjs"}
    assert all(script.count(f"\n// {name}\n") == 1 for name in inside)
    assert "import(" not in script
    assert '"node:' not in script
    assert "process." not in script


@pytest.mark.external
def test_modules_keep_their_names_apart(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not installed")
    place = folder(
        tmp_path,
        a="const hidden = 1;\nexport const one = hidden;\nexport function* two() {\n  yield 2;\n}\n",
        b='import {\n  one as first,\n  two,\n} from "./a.mjs";\nconst hidden = 10;\n'
        "export class Sum {\n  value = hidden + first + [...two()][0];\n}\n",
        verify='import { Sum } from "./b.mjs";\nimport { one } from "./a.mjs";\n'
        "export const verify = () => new Sum().value + one;\n",
    )
    script = f"{verifier_script(place)}\nconsole.log(rankproofVerify());"
    done = subprocess.run([node, "-e", script], capture_output=True, text=True, check=True, timeout=30)
    assert done.stdout == "14\n"


@pytest.mark.parametrize(
    ("modules", "words"),
    [
        ({"verify": "export default 1;\n"}, "not translated"),
        ({"verify": 'export { a } from "./a.mjs";\n'}, "not translated"),
        ({"verify": 'import * as a from "./a.mjs";\nexport const verify = 1;\n'}, "not translated"),
        ({"verify": 'import { readFileSync } from "node:fs";\nexport const verify = 1;\n'}, "not translated"),
        ({"verify": "export const verify = import.meta.url;\n"}, "not translated"),
        (
            {
                "verify": 'import { b } from "./a.mjs";\nexport const verify = b;\n',
                "a": "export const a = 1;\n",
            },
            "does not export",
        ),
        (
            {
                "verify": 'import { a } from "./a.mjs";\nexport const verify = a;\n',
                "a": 'import { verify } from "./verify.mjs";\nexport const a = 1;\n',
            },
            "circle",
        ),
        ({"verify": 'import { a } from "./missing.mjs";\nexport const verify = a;\n'}, "missing.mjs"),
        ({"verify": "export const check = 1;\n"}, "does not export verify"),
        ({"verify": 'export const verify = "</script>";\n'}, "</script"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_what_cannot_be_translated_is_refused(modules: dict[str, str], words: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=words):
        verifier_script(folder(tmp_path, **modules))
