"""TARGET on the command line: a polynomial, a named target, or a file that holds one."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from rankproof.cli.files import is_certificate
from rankproof.errors import FormatError, TargetError

if TYPE_CHECKING:
    from rankproof.problem.field import Field
    from rankproof.problem.target import Target

SUFFIXES = (
    *(".json", ".npy", ".npz", ".tns", ".txt", ".m", ".mat", ".csv", ".gz"),
    *(".exp", ".ipynb", ".mpl", ".sms"),
)
"""A word that ends like this is a file even when there is no such file: nobody's polynomial does."""

HELP = (
    'a polynomial ("x**2*y"), several separated by ";" (a polynomial map), a named target ("matmul(2,2,3)";'
    " 'rankproof targets' lists them), or a file: a certificate or target (.json), an array of integers (.npy, .npz,"
    " .tns), or a scheme of a known format, whose target is taken"
)


@dataclass(frozen=True)
class Asked:
    """One target that was asked about.

    Attributes
    ----------
    target
        The target itself.
    called
        What its certificate is named after.
    units
        The units to ask about unless others are named; ``None`` leaves it to the prover.
    origin
        The file it was read from.
    part_of
        The inhomogeneous polynomial of which it is one degree.
    homogenised
        The variable that makes it homogeneous, standing for 1 in front of the biases.
    """

    target: Target
    called: str
    units: tuple[str, ...] | None = None
    origin: Path | None = None
    part_of: str | None = None
    homogenised: str | None = None

    @property
    def note(self) -> str:
        """How the target came out of what was asked; empty when it is what was asked."""
        if self.homogenised is not None:
            return f"homogenised with {self.homogenised}, for units with biases"
        if self.part_of is not None:
            return f'one degree of "{self.part_of}"'
        return ""


def read_target(text: str, *, affine: bool = False, fields: tuple[Field, ...] | None = None) -> list[Asked]:
    """Everything that TARGET asks about.

    Parameters
    ----------
    text
        As a person typed it.
    affine
        Homogenise instead of splitting by degree.
    fields
        Those of the questions: a number field among them is where coefficients such as ``sqrt(3)`` are read.

    Returns
    -------
    list of Asked
        Several when the polynomial is inhomogeneous, the highest degree first.

    Raises
    ------
    TargetError, FormatError
        If there is no target in it.
    """
    if _names_a_file(text):
        return _read_file(Path(text), affine=affine)
    from rankproof.problem.parse import read_targets

    ring = next((field for field in fields or () if field.number_field is not None), None)
    targets = [_rational_if_possible(target) for target in read_targets(text, affine=affine, ring=ring)]
    typed = " ".join(text.split())
    asked = [Asked(target, target.text) for target in targets]
    if affine:
        return [replace(one, homogenised=one.target.variable_names()[0]) for one in asked]
    # A target that is all of what was typed keeps its text; a constant term leaves one target and another text.
    parts = len(asked) > 1 or (targets[0].name is None and targets[0].text != typed)
    return [replace(one, part_of=typed) for one in asked] if parts else asked


def _rational_if_possible(target: Target) -> Target:
    """The target over QQ when it was read over a number field that it does not need."""
    from rankproof.problem.field import QQ, Algebraic

    needs_it = target.ring.number_field is None or any(isinstance(c, Algebraic) for _, c in target.entries)
    return target if needs_it else replace(target, ring=QQ)


def _names_a_file(text: str) -> bool:
    if text.lower().endswith(SUFFIXES):
        return True
    return ("." in text or os.sep in text) and Path(text).is_file()


def _read_file(path: Path, *, affine: bool) -> list[Asked]:
    if path.suffix.lower() in (".gguf", ".safetensors"):
        raise TargetError(
            f"{path} is a file of weights; rankproof block {path.name} --block N asks about a block of it"
        )
    if not path.is_file():
        raise TargetError(f"there is no file {path}")
    if affine:
        raise TargetError(f"{path}: --bias is for polynomials given as text; write the polynomial itself")
    if path.suffix.lower() == ".json":
        target = _read_json(path)
        if target is not None:
            return [Asked(target, path.stem if target.name is None else target.text, origin=path)]
    return [_read_foreign(path)]


def _read_json(path: Path) -> Target | None:
    """The target of one of our own files; ``None`` when it is not ours."""
    import json

    from rankproof.certificate.document import Certificate, decode_target

    data = path.read_bytes()
    if is_certificate(path):
        return Certificate.from_bytes(data).target
    try:
        value = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{path} is not JSON: {error}") from error
    if isinstance(value, dict) and (
        {"space", "entries"} <= value.keys() or {"name", "parameters"} <= value.keys()
    ):
        return decode_target(value)
    return None


def _read_foreign(path: Path) -> Asked:
    from rankproof.formats.targets import read_target

    target = read_target(path)
    return Asked(target, path.stem if target.name is None else target.text, units=("product",), origin=path)
