"""``rankproof bundle --javascript`` and ``rankproof completion``: what is written does its work."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from verifier_js.second import program

from rankproof.cli import COMMANDS, main

CORPUS = Path(__file__).resolve().parents[1] / "corpus"


def test_the_second_verifier_is_one_file_that_gives_verdicts_and_statuses(tmp_path: Path) -> None:
    script = tmp_path / "verifier.js"
    assert main(["bundle", "--javascript", "-o", str(script)]) == 0
    assert main(["bundle", "--javascript", "-o", str(script)]) == 0
    node = program()[0]
    good = CORPUS / "accept" / "flattening" / "x2y.json"
    bad = tmp_path / "bad.json"
    bad.write_bytes(good.read_bytes().replace(b'"lower": ', b'"lower": 1'))

    def run(*words: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [node, str(script), *map(str, words)], capture_output=True, text=True, check=False
        )

    assert (run(good).returncode, run(good).stdout.split()[0]) == (0, "VERIFIED")
    assert (run(good, bad).returncode, run(bad).stdout.split()[0]) == (1, "REJECTED")
    assert (run(tmp_path / "gone").returncode, run().returncode) == (3, 2)


def test_a_file_that_is_no_bundled_verifier_is_not_replaced(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "verifier.js"
    other.write_text("mine", encoding="utf-8")
    assert main(["bundle", "--javascript", "-o", str(other)]) == 2
    assert "is no bundled verifier" in capsys.readouterr().err
    assert other.read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh"])
def test_a_completion_knows_every_command(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert all(command.name in script for command in COMMANDS)


def test_bash_completes_commands_and_options(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["completion", "bash"]) == 0
    script = tmp_path / "completion.bash"
    script.write_text(capsys.readouterr().out, encoding="utf-8")
    asked = f'source {script}; COMP_WORDS=(rankproof cer); COMP_CWORD=1; _shtab_rankproof; echo "${{COMPREPLY[@]}}"'
    done = subprocess.run(["bash", "-c", asked], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["certify"]
