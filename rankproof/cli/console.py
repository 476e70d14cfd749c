"""The two consoles: results on stdout, everything else on stderr."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

# Without a terminal there is no width to ask for; 80 columns fit a mail, a log and a side-by-side diff.
_PIPED_WIDTH = 80

# A command that answers within this many seconds shows no progress: it would only flicker.
_PROGRESS_DELAY = 1.0


def output() -> Console:
    """The console for results.

    Markup, emoji and highlighting are off: ``[1, 0]`` and ``:x:`` are mathematics here.
    """
    return _console(stderr=False)


def diagnostics() -> Console:
    """The console for progress and timing."""
    return _console(stderr=True)


def _console(*, stderr: bool) -> Console:
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() or "COLUMNS" in os.environ else _PIPED_WIDTH
    return Console(stderr=stderr, width=width, markup=False, emoji=False, highlight=False)


def write(console: Console, renderable: RenderableType) -> None:
    """Print without cropping, and into a pipe without the blanks that rich pads lines of tables with.

    Those blanks do no harm on a terminal, but a pipe may lead to a file, a diff or a test.
    """
    if console.is_terminal:
        console.print(renderable, crop=False)
        return
    with console.capture() as capture:
        console.print(renderable, crop=False)
    console.file.write("".join(f"{line.rstrip()}\n" for line in capture.get().splitlines()))


@contextmanager
def progress(wanted: bool = True) -> Iterator[Callable[[str], None] | None]:
    """A line on stderr that says what is being done, while it is being done.

    Yields
    ------
    Callable or None
        To be called with each new line; ``None`` when stderr is no terminal or nothing is wanted.
    """
    if not wanted or not sys.stderr.isatty():
        yield None
        return
    status = diagnostics().status("working", spinner="line")
    timer = Timer(_PROGRESS_DELAY, status.start)
    timer.daemon = True
    timer.start()

    def say(line: str) -> None:
        from rich.text import Text

        status.update(Text(line, overflow="ellipsis", no_wrap=True))

    try:
        yield say
    finally:
        timer.cancel()
        timer.join()  # the display may be starting at this very moment; stop it only after it started
        status.stop()
