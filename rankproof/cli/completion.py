"""``rankproof completion``: what a shell needs to complete commands, options and names of files."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from rankproof.cli.command import Command
from rankproof.errors import UsageError

_DESCRIPTION = """\
Print a script with which a shell completes commands and options when Tab is
pressed. It is made from the options themselves by shtab (extra 'completion')."""

_EXAMPLES = """\
examples:
  rankproof completion bash > ~/.local/share/bash-completion/completions/rankproof
  rankproof completion zsh > ~/.zfunc/_rankproof

exit status:
  0  printed      2  wrong usage, or shtab is not installed"""

_SHELLS = ("bash", "zsh", "tcsh")


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument("shell", metavar="SHELL", choices=_SHELLS, help="bash, zsh or tcsh")


def _run(arguments: Namespace) -> int:
    from rankproof.cli import build_parser

    try:
        import shtab
    except ImportError:
        raise UsageError("completion needs shtab: pip install 'rankproof[completion]'") from None
    print(shtab.complete(build_parser(), shell=arguments.shell), end="")
    return 0


COMMAND = Command(
    name="completion",
    summary="print a script that makes a shell complete commands",
    description=_DESCRIPTION,
    examples=_EXAMPLES,
    configure=_configure,
    run=_run,
)
