"""Options of the commands that work on one target, with one kind of unit, over one field."""

from __future__ import annotations

from argparse import ArgumentTypeError
from pathlib import Path
from typing import TYPE_CHECKING

from rankproof.cli.files import check_writable, file_name, free_name
from rankproof.errors import TargetError, UsageError

if TYPE_CHECKING:
    from rankproof.cli.asking import Asked
    from rankproof.problem.field import Field


def only(asked: list[Asked]) -> Asked:
    """The one target that was asked about.

    Raises
    ------
    TargetError
        If an inhomogeneous polynomial has several.
    """
    if len(asked) > 1:
        degrees = ", ".join(str(one.target.space.form_degree) for one in asked)
        raise TargetError(
            f"the polynomial has parts of degree {degrees}; ask about one homogeneous part at a time"
        )
    return asked[0]


def one_kind(option: str | None, asked: Asked) -> str:
    """The kind of unit of ``--units``; product for tensors when it is absent.

    Raises
    ------
    UsageError
        If several are named, or none for a polynomial.
    """
    from rankproof.cli.options import read_units

    named = read_units(option) or asked.units
    space, target = asked.target.space, asked.target
    if named is None and space.is_tensor and not (space.is_polynomial and target.variables):
        named = ("product",)
    if named is None or len(named) != 1:
        raise UsageError(
            "name one kind of unit with --units: tied, untied, mixed:k or split; product for tensors"
        )
    return named[0]


def one_field(option: str | None, asked: Asked) -> Field:
    """The field of ``--field``; when it is absent RR, or CC for a target without real coefficients.

    Raises
    ------
    UsageError
        If the target is over a finite field, or the field is none that floating point can search.
    """
    from rankproof.problem.field import CC, RR, Field

    ring = asked.target.ring
    if ring.characteristic:
        raise UsageError(f"the search is in floating point, and the target lives over {ring}")
    if option is None:
        return RR if RR.includes(ring) else CC
    over = Field.parse(option)
    if over not in (ring, RR, CC) or not over.includes(ring):
        raise UsageError(
            f"--field {over}: search for coordinates in {ring}, RR or CC, as far as it contains {ring}"
        )
    return over


def certificate_path(output: Path | None, asked: Asked) -> Path:
    """Where the certificate goes: what ``-o`` says, or a name made from the target.

    Raises
    ------
    UsageError
        If nothing can be written there.
    """
    path: Path = output or free_name(Path(file_name(asked.called)), asked.target)
    if output is None and asked.origin is not None and path.exists() and path.samefile(asked.origin):
        path = path.with_name(f"{path.stem}-found.json")
    check_writable(path)
    return path


def positive(text: str) -> int:
    """A positive integer of the command line."""
    if not (text.isascii() and text.isdigit() and 0 < int(text) < 10**9):
        raise ArgumentTypeError(f"{text!r} is not a positive integer")
    return int(text)


def natural(text: str) -> int:
    """A seed of the command line."""
    if not (text.isascii() and text.isdigit()):
        raise ArgumentTypeError(f"{text!r} is not a seed; give an integer that is not negative")
    return int(text)


def seconds(text: str) -> float:
    """A time of the command line."""
    try:
        value = float(text)
    except ValueError:
        raise ArgumentTypeError(f"{text!r} is not a number of seconds") from None
    if not 0 < value < 1e9:
        raise ArgumentTypeError(f"{text} is not a positive number of seconds")
    return value


__all__ = ["certificate_path", "natural", "one_field", "one_kind", "only", "positive", "seconds"]
