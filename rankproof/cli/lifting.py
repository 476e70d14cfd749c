"""``rankproof search --lift``: a scheme over a finite field, lifted to the rationals."""

from __future__ import annotations

import json
from argparse import Namespace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankproof import __version__
from rankproof.errors import NothingProved, UsageError

if TYPE_CHECKING:
    from rankproof.cli.asking import Asked
    from rankproof.problem.decomposition import Decomposition
    from rankproof.prove import Proof


def modular_scheme(arguments: Namespace, asked: Asked) -> tuple[Decomposition, str]:
    """The decomposition over a finite field that ``--lift`` names, and where it is from.

    Raises
    ------
    UsageError
        If there is no such file or scheme, or it holds in characteristic 0 already.
    FormatError
        If it is no scheme of the target.
    """
    from rankproof.cli.products import one, verified_products
    from rankproof.cli.schemes import Wanted
    from rankproof.problem.decomposition import Decomposition

    file: Path = arguments.lift
    if not file.is_file():
        raise UsageError(f"there is no file {file}")
    found = one(verified_products(file, Wanted(target=asked.target), arguments.scheme), file)
    proof = found.products.proof
    if not isinstance(proof, Decomposition) or not proof.ring.characteristic:
        raise UsageError(f"{found.label} holds over {proof.ring} already; check it with 'rankproof verify'")
    return proof, found.label


def lifted_to_the_rationals(asked: Asked, modular: Decomposition, label: str) -> Decomposition:
    """The scheme over QQ.

    Raises
    ------
    NothingProved
        If no rational scheme with these residues was found.
    """
    from rankproof.exact.lifting import lifted

    found = lifted(modular, asked.target)
    if found is None:
        raise NothingProved(
            f"{label}: no rational scheme was found that is congruent to these {len(modular)} products over"
            f" {modular.ring}; there may be none"
        )
    return found


def as_json(
    asked: Asked, modular: Decomposition, found: Decomposition, proof: Proof, path: Path | None
) -> str:
    """The JSON object of ``--json`` with ``--lift``, schema ``rankproof/lift/1``."""
    said: dict[str, Any] = {
        "schema": "rankproof/lift/1",
        "target": asked.target.text,
        "from": str(modular.ring),
        "width": len(found),
        "ring": str(found.ring),
        "certificate": None if path is None else str(path),
        "verified": proof.verdict.ok,
        "version": __version__,
    }
    return json.dumps(said)


def show(asked: Asked, modular: Decomposition, label: str, found: Decomposition) -> None:
    """Print what was lifted."""
    from rich.console import Group
    from rich.text import Text

    from rankproof.cli.console import output, write
    from rankproof.show.answers import labelled, target_line

    lines = [
        target_line(asked.target),
        labelled("from", Text(f"{len(modular)} products over {modular.ring}, {label}")),
        labelled("lifted", Text(f"{len(found)} products over {found.ring}, {_heights(found)}")),
        Text(),
    ]
    write(output(), Group(*lines))


def _heights(found: Decomposition) -> str:
    """How large the coordinates are."""
    numbers = [Fraction(str(x)) for unit in found.units for vector in unit for x in vector]
    numerator, denominator = max(abs(x.numerator) for x in numbers), max(x.denominator for x in numbers)
    if denominator == 1:
        return f"integer coordinates up to {numerator}"
    return f"coordinates with numerators up to {numerator} and denominators up to {denominator}"


__all__ = ["as_json", "lifted_to_the_rationals", "modular_scheme", "show"]
