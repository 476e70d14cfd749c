"""The plan of a collection: which targets, in which families, asked about in which units and fields."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rankproof.errors import FormatError, RankproofError
from rankproof.problem.field import Field
from rankproof.problem.parse import read_targets
from rankproof.problem.question import LOSSES, Floor
from rankproof.problem.space import Space
from rankproof.problem.target import Target
from rankproof.problem.units import unit_model

PLAN = "targets.toml"
"""Name of the plan in the folder of a collection."""

BUDGET = 20.0
"""Seconds for the search about one target where the plan says nothing."""

_NAME = re.compile(r"[a-z0-9][a-z0-9.+_-]*")
_FAMILY_KEYS = {"title", "about", "targets", "units", "field", "budget"}
_FLOOR_KEYS = {"floor", "widths"}
_BLOCK_KEYS = {"block", "output", "keep"}
_FAMILY_KEYS |= _FLOOR_KEYS | {"model", "sha256"}
_ENTRY_KEYS = {"target", "shape", "entries", "units", "field", "budget", "bias", "known", "source"}
_ENTRY_KEYS |= _FLOOR_KEYS | _BLOCK_KEYS


@dataclass(frozen=True)
class BlockOf:
    """A feed-forward block of a model, in one direction of the outputs or in all.

    Attributes
    ----------
    model, sha256
        Name and hash of the weights file.
    number
        Of the block, from 0.
    output
        Number of the output; None for all of them together.
    keep
        For a floor instead of widths: the number of units whose loss is bounded from below; None otherwise.
    """

    model: str
    sha256: str
    number: int
    output: int | None
    keep: int | None


@dataclass(frozen=True)
class Entry:
    """One file of a collection.

    Attributes
    ----------
    family, name
        Folder and name of the file, without its suffix.
    text
        The target as a person would type it; for a tensor without a name, the entry's own name.
    tensor
        Shape and entries of a tensor without a name: indices from 0, and the value.
    units, fields
        What is asked; ``None`` leaves it to the prover.
    budget
        Seconds for the search.
    bias
        Whether the homogenised polynomial is meant.
    known, source
        What the literature says where an interval stays open, and where it says so.
    floors
        Losses and widths, where floors are asked about and not widths.
    block
        Set where the target is a block of a weights file.
    """

    family: str
    name: str
    text: str
    units: tuple[str, ...] | None = None
    fields: tuple[Field, ...] | None = None
    budget: float = BUDGET
    bias: bool = False
    known: str = ""
    source: str = ""
    tensor: tuple[tuple[int, ...], tuple[tuple[int, ...], ...]] | None = None
    floors: tuple[Floor, ...] = ()
    block: BlockOf | None = None

    @property
    def path(self) -> str:
        """Place of the file in the collection."""
        return f"{self.family}/{self.name}.json"

    @property
    def command(self) -> str:
        """What a person would type to ask the same."""
        if self.block is not None:
            what = "--whole" if self.block.output is None else f"--outputs {self.block.output}"
            keep = "" if self.block.keep is None else f" --floor {self.block.keep}"
            return f"rankproof block {self.block.model} --block {self.block.number} {what}{keep}"
        if self.floors:
            return f"rankproof collection build --only {self.path}"
        words = ["rankproof certify", f'"{self.text}"' if self.tensor is None else f"{self.name}.tns"]
        if self.units is not None:
            words.append(f"--units {','.join(self.units)}")
        if self.fields is not None:
            words.append(f'--field "{",".join(map(str, self.fields))}"')
        words.append(f"--budget {self.budget:g}")
        return " ".join([*words, "--bias"] if self.bias else words)

    def target(self) -> Target:
        """The target.

        Raises
        ------
        FormatError
            If the text is no target, or stands for several; a block is a target only together with its weights.
        """
        if self.block is not None:
            raise FormatError(
                f"{self.path} is about a block of {self.block.model}; give this file with --weights"
            )
        if self.tensor is not None:
            shape, entries = self.tensor
            try:
                return Target.from_entries(Space.tensor(*shape), {tuple(w[:-1]): w[-1] for w in entries})
            except (RankproofError, ValueError) as error:
                raise FormatError(f"{self.path}: {error}") from error
        ring = next((field for field in self.fields or () if field.number_field is not None), None)
        try:
            found = read_targets(self.text, affine=self.bias, ring=ring)
        except RankproofError as error:
            raise FormatError(f"{self.path}: {error}") from error
        if len(found) != 1:
            raise FormatError(
                f"{self.path}: {self.text} is inhomogeneous; list its degrees one by one, or set bias"
            )
        return found[0]


@dataclass(frozen=True)
class Family:
    """Targets that belong together: a folder of the collection."""

    name: str
    title: str
    about: str
    entries: tuple[Entry, ...]


def read_plan(path: Path) -> tuple[Family, ...]:
    """The families of a plan, in its order.

    Parameters
    ----------
    path
        A file in TOML. A table a family, with ``title``, ``about``, ``units``, ``field`` and ``budget`` (defaults of its
        targets) and a table ``targets`` that gives every name a target, as text or as a table with ``target`` and, where they
        differ, ``units``, ``field``, ``budget``, ``bias``, and ``known`` with its ``source``. With ``floor`` and ``widths``
        floors are asked about; with ``block`` and ``output`` a block of the ``model`` of the family.

    Raises
    ------
    FormatError
        If there is no such file, or it is no plan; the sentence says where.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "targets.toml")
    ...     _ = path.write_text('[monomials]\\ntitle = "Monomials"\\n[monomials.targets]\\nx2y = "x**2*y"\\n')
    ...     read_plan(path)[0].entries[0].path
    'monomials/x2y.json'
    """
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise FormatError(
            f"{path}: {error.strerror}; a collection has a plan, {PLAN}, in its folder"
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FormatError(f"{path} is not TOML: {error}") from error
    try:
        return tuple(_family(name, value) for name, value in document.items())
    except RankproofError as error:
        raise FormatError(f"{path}: {error}") from error


def _family(name: str, value: Any) -> Family:
    _check_name(name, "family")
    table = _table(value, name, _FAMILY_KEYS)
    targets = table.get("targets")
    if not isinstance(targets, dict) or not targets:
        raise FormatError(f"[{name}] has no table of targets; add [{name}.targets]")
    defaults = {key: table[key] for key in _FAMILY_KEYS - {"title", "about", "targets"} if key in table}
    entries = tuple(_entry(name, key, entry, defaults) for key, entry in targets.items())
    title = _string(table, "title", name) or name.replace("-", " ").capitalize()
    return Family(name, title, " ".join(_string(table, "about", name).split()), entries)


def _entry(family: str, name: str, value: Any, defaults: dict[str, Any]) -> Entry:
    _check_name(name, f"target of [{family}]")
    where = f"{family}.targets.{name}"
    own = _table({"target": value} if isinstance(value, str) else value, where, _ENTRY_KEYS)
    table = defaults | own
    block = _block(table, where)
    text, tensor = _string(table, "target", where) or ("" if block is None else f"block {block.number}"), None
    if "shape" in table and "entries" in table and not text:
        text, tensor = (
            name,
            (_integers(table["shape"], where), tuple(_integers(e, where) for e in table["entries"])),
        )
    if not text:
        raise FormatError(
            f'{where}: no target is given; write {name} = "x**2*y", or shape and entries of a tensor'
        )
    budget, bias = table.get("budget", BUDGET), table.get("bias", False)
    if isinstance(budget, bool) or not isinstance(budget, int | float) or not 0 < budget < 1e6:
        raise FormatError(f"{where}: budget = {budget!r} is no number of seconds")
    if not isinstance(bias, bool):
        raise FormatError(f"{where}: bias = {bias!r} is neither true nor false")
    try:
        units = tuple(unit_model(word).name for word in _words(table, "units", where)) or None
        fields = tuple(Field.parse(word) for word in _words(table, "field", where)) or None
    except RankproofError as error:
        raise FormatError(f"{where}: {error}") from error
    known, source = _string(table, "known", where), _string(table, "source", where)
    if bool(known) != bool(source):
        raise FormatError(f"{where}: a known value needs its source, and a source its value")
    floors = _floors(table, where)
    return Entry(family, name, text, units, fields, float(budget), bias, known, source, tensor, floors, block)


def _floors(table: dict[str, Any], where: str) -> tuple[Floor, ...]:
    """Every loss that is named, at every width."""
    if ("floor" in table) != ("widths" in table):
        raise FormatError(
            f'{where}: a floor needs a loss and widths; write floor = "gaussian", widths = [1, 2]'
        )
    losses = _words(table, "floor", where)
    unknown = [loss for loss in losses if loss not in LOSSES]
    if unknown:
        raise FormatError(f"{where}: floor = {unknown[0]!r} is none of {', '.join(LOSSES)}")
    widths = _integers(table.get("widths", []), where)
    return tuple(Floor(loss, width) for loss in LOSSES if loss in losses for width in widths)


def _block(table: dict[str, Any], where: str) -> BlockOf | None:
    """The block that an entry asks about; the model is that of its family."""
    if "block" not in table:
        return None
    numbers = [table.get(key) for key in ("block", "output", "keep")]
    if any(n is not None and (isinstance(n, bool) or not isinstance(n, int) or n < 0) for n in numbers):
        raise FormatError(f"{where}: block, output and keep are numbers from 0")
    model, sha256 = _string(table, "model", where), _string(table, "sha256", where)
    if not model or not re.fullmatch("[0-9a-f]{64}", sha256):
        raise FormatError(f"{where}: a block needs the model of its family, and the sha256 of that file")
    return BlockOf(model, sha256, table["block"], *numbers[1:])


def _integers(value: Any, where: str) -> tuple[int, ...]:
    if not isinstance(value, list) or any(isinstance(x, bool) or not isinstance(x, int) for x in value):
        raise FormatError(
            f"{where}: {value!r} is no list of integers; shape = [2, 2], entries = [[0, 1, 5], ...]"
        )
    return tuple(value)


def _table(value: Any, where: str, keys: set[str]) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise FormatError(f"{where}: expected a table")
    unknown = sorted(set(value) - keys)
    if unknown:
        raise FormatError(f"{where}: {unknown[0]!r} is not among {', '.join(sorted(keys))}")
    return value


def _string(table: dict[str, Any], key: str, where: str) -> str:
    value = table.get(key, "")
    if not isinstance(value, str):
        raise FormatError(f"{where}: {key} = {value!r} is no text")
    return value


def _words(table: dict[str, Any], key: str, where: str) -> list[str]:
    """Names separated by the commas outside parentheses."""
    text = _string(table, key, where)
    words = [word.strip() for word in re.split(r",(?![^(]*\))", text)] if text else []
    if text and not all(words):
        raise FormatError(f"{where}: {key} = {text!r} has an empty name")
    return words


def _check_name(name: str, what: str) -> None:
    # Names become names of files and folders, on systems that do not tell x from X.
    if not _NAME.fullmatch(name):
        raise FormatError(f"{name!r} is no name of a {what}; use small letters, digits and . + _ -")
