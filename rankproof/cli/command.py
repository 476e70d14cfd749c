"""What a command is: its place in the help, its options and what it does."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Command:
    """One command of the program.

    Attributes
    ----------
    name
        The word a person types.
    summary
        One line for ``rankproof --help``, lower case and without a full stop.
    description
        The paragraph above the options in ``rankproof NAME --help``.
    examples
        The epilog: commands that work when pasted, one a line, and the exit statuses.
    configure
        Adds the options to the command's parser.
    run
        Does the work and returns the exit status. What it needs it imports inside, so that the help and the other
        commands start at once.
    """

    name: str
    summary: str
    description: str
    examples: str
    configure: Callable[[ArgumentParser], None]
    run: Callable[[Namespace], int]
