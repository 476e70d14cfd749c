"""The command line: one file a command, and the table that says which commands there are.

To add a command, write ``rankproof/cli/<name>.py`` with a ``COMMAND`` and add its line to `COMMANDS`.
"""

from __future__ import annotations

import os
import shlex
import sys
from argparse import Action, ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Sequence

from rankproof import __version__
from rankproof.cli import (
    block,
    bundle,
    certify,
    collection,
    completion,
    convert,
    degenerate,
    experiment,
    floor,
    generic,
    methods,
    probe,
    search,
    show,
    targets,
    train,
    verify,
)
from rankproof.cli.command import Command
from rankproof.errors import RankproofError

COMMANDS: tuple[Command, ...] = (
    certify.COMMAND,
    verify.COMMAND,
    show.COMMAND,
    search.COMMAND,
    degenerate.COMMAND,
    floor.COMMAND,
    convert.COMMAND,
    bundle.COMMAND,
    generic.COMMAND,
    block.COMMAND,
    train.COMMAND,
    probe.COMMAND,
    experiment.COMMAND,
    methods.COMMAND,
    targets.COMMAND,
    collection.COMMAND,
    completion.COMMAND,
)

_DESCRIPTION = """\
Prove and check bounds on tensor rank, border rank and the width of polynomial layers.
Every answer comes with a certificate that a small independent verifier checks."""

_EXAMPLES = """\
examples:
  rankproof certify "x**2*y"                how many units x**2*y needs, proved
  rankproof verify x2y.json                 check the certificate that wrote
  rankproof show x2y.json                   read it: every step, every decomposition

'rankproof COMMAND --help' shows the options of a command and more examples."""

_INTERRUPTED = 130  # 128 + SIGINT, the shell's own convention
_PIPE_CLOSED = 141  # 128 + SIGPIPE
_INTERNAL_ERROR = 70


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command.

    Parameters
    ----------
    argv
        The words after the program's name; ``sys.argv[1:]`` when absent.

    Returns
    -------
    int
        The exit status. Nothing but success is 0; 2 is a usage error, 70 a defect of rankproof. The command's help
        lists its others.

    Examples
    --------
    >>> from rankproof.cli import main
    >>> main(["no-such-command"])
    2
    """
    words = list(sys.argv[1:] if argv is None else argv)
    parser = build_parser()
    try:
        arguments = parser.parse_args([_shield(word) for word in words])
    except SystemExit as stop:  # argparse has already printed the help or the usage error
        return stop.code if isinstance(stop.code, int) else 2
    if arguments.command is None:
        parser.print_help(sys.stderr)
        return 2
    arguments.command_line = shlex.join(["rankproof", *words])
    return _run(arguments.command, arguments)


class _Help(RawDescriptionHelpFormatter):
    """Help with the summaries of all commands beside their names: argparse forgets that names of commands are indented."""

    def add_argument(self, action: Action) -> None:
        """Make room for one more argument, or for the names of the commands."""
        self._indent()
        super().add_argument(action)
        self._dedent()


def build_parser() -> ArgumentParser:
    """The parser of the whole command line, one subparser for each line of `COMMANDS`."""
    parser = ArgumentParser(
        prog="rankproof",
        description=_DESCRIPTION,
        epilog=_EXAMPLES,
        formatter_class=_Help,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"rankproof {__version__}")
    parser.set_defaults(command=None)
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND")
    for command in COMMANDS:
        subparser = subparsers.add_parser(
            command.name,
            help=command.summary,
            description=command.description,
            epilog=command.examples,
            formatter_class=RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        subparser.set_defaults(command=command)
        command.configure(subparser)
    return parser


def _run(command: Command, arguments: Namespace) -> int:
    try:
        status = command.run(arguments)
        # Inside the try: a reader that went away shows itself when the buffer is written.
        sys.stdout.flush()
        return status
    except RankproofError as error:
        return _fail(str(error), error.exit_status, arguments)
    except KeyboardInterrupt:
        return _fail("interrupted; nothing more was written", _INTERRUPTED, arguments)
    except BrokenPipeError:
        # What is left in the buffer would raise again when Python closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _PIPE_CLOSED
    except OSError as error:
        named = f"{error.filename}: " if error.filename is not None else ""
        return _fail(f"{named}{error.strerror or error}", 3, arguments)
    except MemoryError:
        return _fail("out of memory; ask about fewer units or a smaller target", _INTERNAL_ERROR, arguments)
    except Exception as error:
        summary = " ".join(str(error).split()) or "no message"
        return _fail(
            f"{type(error).__name__}: {summary}; this is a bug in rankproof", _INTERNAL_ERROR, arguments
        )


def _fail(sentence: str, status: int, arguments: Namespace) -> int:
    """Say on stderr why the command failed, with the traceback where it was asked for."""
    if os.environ.get("RANKPROOF_DEBUG") or (
        status == _INTERNAL_ERROR and getattr(arguments, "verbose", False)
    ):
        import traceback

        traceback.print_exc()
    print(f"rankproof: {sentence}", file=sys.stderr)
    return status


def _shield(word: str) -> str:
    """Keep a target such as ``-x**2*y`` from being read as an option.

    argparse takes every word that begins with ``-`` for an option; no option of ours holds a ``*``, and the parser of
    targets ignores the space put before it.
    """
    return f" {word}" if word.startswith("-") and not word.startswith("--") and "*" in word else word


__all__ = ["COMMANDS", "Command", "build_parser", "main"]
