"""The program around the commands: help, errors, exit statuses, and what is imported."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from rankproof import __version__, cli
from rankproof.cli import COMMANDS, Command, main
from rankproof.errors import NothingProved, SelfCheckFailed, TargetError, UsageError
from rankproof.verifier.cli import parser as verifier_parser

HEAVY = ("rich", "numpy", "sympy", "flint", "networkx", "scipy", "numba", "cvxpy", "matplotlib", "torch")


def program(*words: str, **options) -> subprocess.CompletedProcess[str]:
    """Run the real program in a process of its own."""
    command = [sys.executable, "-m", "rankproof", *words]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL, **options
    )


def failing(error: BaseException) -> tuple[Command, ...]:
    """A table with one command that raises."""

    def run(arguments) -> int:
        raise error

    def configure(parser) -> None:
        parser.add_argument("-v", dest="verbose", action="store_true")

    return (Command("fail", "", "", "", configure, run),)


def test_the_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    text = capsys.readouterr().out
    for command in COMMANDS:
        assert f"    {command.name} " in text
        assert command.summary in text


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_the_help_of_a_command_has_examples_and_fits_on_80_columns(
    command: Command, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert main([command.name, "--help"]) == 0
    text = capsys.readouterr().out
    assert "examples:" in text
    assert f"rankproof {command.name}" in text
    assert [line for line in text.splitlines() if len(line) > 82] == []


@pytest.mark.parametrize("words", [["--help"], ["verify", "--help"], ["certify", "--help"], ["--version"]])
def test_the_help_loads_nothing_heavy(words: list[str]) -> None:
    script = (
        "import sys; from rankproof.cli import main; main(sys.argv[1:]); "
        f"print([name for name in {HEAVY} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script, *words], capture_output=True, text=True, timeout=60)
    assert done.stderr.splitlines()[-1] == "[]"


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"rankproof {__version__}\n"


def test_without_a_command_the_help_goes_to_stderr_and_the_status_is_2(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main([]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "commands:" in printed.err


@pytest.mark.parametrize("words", [["prove"], ["certify"], ["certify", "x", "--no-such-option"], ["verify"]])
def test_a_wrong_command_line_has_status_2(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert "usage:" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (UsageError("wrong"), 2),
        (TargetError("wrong"), 3),
        (NothingProved("wrong"), 4),
        (SelfCheckFailed("wrong"), 70),
    ],
)
def test_a_failure_in_words_is_one_sentence_on_stderr_with_its_own_status(
    error: Exception, status: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cli, "COMMANDS", failing(error))
    assert main(["fail"]) == status
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == "rankproof: wrong\n"


def test_an_unexpected_error_is_called_a_bug_and_has_status_70(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cli, "COMMANDS", failing(ZeroDivisionError("division\nby zero")))
    assert main(["fail"]) == 70
    assert capsys.readouterr().err == (
        "rankproof: ZeroDivisionError: division by zero; this is a bug in rankproof\n"
    )


@pytest.mark.parametrize("how", ["option", "environment"])
def test_the_traceback_of_a_bug_can_be_asked_for(
    how: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cli, "COMMANDS", failing(ZeroDivisionError("by zero")))
    if how == "environment":
        monkeypatch.setenv("RANKPROOF_DEBUG", "1")
    assert main(["fail", *(["-v"] if how == "option" else [])]) == 70
    assert "Traceback" in capsys.readouterr().err


def test_an_interrupt_has_the_status_of_the_shell(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cli, "COMMANDS", failing(KeyboardInterrupt()))
    assert main(["fail"]) == 130
    assert capsys.readouterr().err.startswith("rankproof: interrupted")


def test_a_file_that_cannot_be_read_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "no-such-file.json"]) == 3
    assert capsys.readouterr().err == "rankproof: no-such-file.json: No such file or directory\n"


def test_the_status_of_the_process_is_the_status_of_the_command(tmp_path: Path) -> None:
    assert program("--version").returncode == 0
    assert program("certify", "x^2", cwd=tmp_path).returncode == 3
    assert program("verify", str(tmp_path)).returncode == 3


def test_a_reader_that_goes_away_is_no_error_message() -> None:
    script = f"{sys.executable} -m rankproof targets | true; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    # The reader may have been slower than the writer.
    assert done.stdout.strip() in {"0", "141"}


def test_verify_offers_every_option_of_the_verifier_run_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "--help"]) == 0
    text = capsys.readouterr().out
    options = [word for word in verifier_parser().format_help().split() if word.startswith("--")]
    assert len(set(options)) >= 4
    assert [option for option in options if option.strip(",]") not in text] == []


def test_checking_a_certificate_loads_nothing_heavy(tmp_path: Path) -> None:
    path = tmp_path / "x2y.json"
    assert main(["certify", "x**2*y", "-o", str(path), "-q"]) == 0
    script = (
        "import sys; from rankproof.cli import main; status = main(['verify', sys.argv[1]]); "
        f"heavy = [name for name in {(*HEAVY, 'rankproof.prove', 'rankproof.bounds')} if name in sys.modules]; "
        "print(heavy); sys.exit(status)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(path)], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == "[]"
