"""Results on stdout, progress on stderr and only on a terminal."""

from __future__ import annotations

import io
import threading

import pytest
from rich.text import Text

from rankproof.cli import console
from rankproof.cli.console import output, progress, write


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_there_is_no_progress_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with progress() as say:
        assert say is None
    assert capsys.readouterr() == ("", "")


def test_progress_appears_only_after_a_while_and_goes_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    with progress() as say:
        assert say is not None
        say("flattening [tied] over CC")
    assert terminal.getvalue() == ""
    monkeypatch.setattr(console, "_PROGRESS_DELAY", 0.0)
    with progress() as say:
        assert say is not None
        say("flattening [tied] over CC")
        started = threading.Event()
        started.wait(0.3)
    assert "flattening [tied] over CC" in terminal.getvalue()
    # The line is erased and the cursor is back.
    assert terminal.getvalue().rstrip().endswith(("\x1b[2K", "\x1b[?25h"))


def test_progress_ends_when_the_work_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("sys.stderr", Terminal())
    monkeypatch.setattr(console, "_PROGRESS_DELAY", 0.0)
    before = set(threading.enumerate())
    with pytest.raises(KeyboardInterrupt), progress():
        raise KeyboardInterrupt
    for thread in set(threading.enumerate()) - before:
        thread.join(timeout=10)
    assert set(threading.enumerate()) <= before


def test_a_pipe_gets_80_columns_unless_told_otherwise(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    assert output().width == 80
    monkeypatch.setenv("COLUMNS", "123")
    assert output().width == 123


def test_mathematics_is_not_markup_and_blanks_at_the_end_go(capsys: pytest.CaptureFixture[str]) -> None:
    write(output(), Text("[1, 0]*x :x: [bold]   \n  y   "))
    assert capsys.readouterr().out == "[1, 0]*x :x: [bold]\n  y\n"


def test_colours_are_for_terminals_and_no_color_is_honoured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    for colourless in (False, True):
        if colourless:
            monkeypatch.setenv("NO_COLOR", "1")
        terminal = Terminal()
        monkeypatch.setattr("sys.stdout", terminal)
        write(output(), Text("red", style="red"))
        assert ("\x1b[31m" in terminal.getvalue()) is not colourless
