"""Names of matrix entries: ``a12``, ``b_3_10``, ``c[1,2]``, or one number for all entries, as in ``a7``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rankproof.errors import FormatError
from rankproof.formats.arithmetic import Form
from rankproof.formats.scheme import Factor

_NAME = re.compile(r"([A-Za-z]+)_?[\[{]?(\d+(?:[_,]\s*\d+)*)[\]}]?")
_LONGEST_INDEX = 4


@dataclass(frozen=True)
class Entry:
    """A name taken apart.

    Attributes
    ----------
    letter
        Of the matrix, in lower case.
    digits
        The numbers that are written apart; one string of digits where nothing separates them.
    """

    letter: str
    digits: tuple[str, ...]


def entry_of(name: str) -> Entry | None:
    """The entry that a name stands for; None when it is the name of no entry.

    Examples
    --------
    >>> entry_of("a12"), entry_of("B_3_10")
    (Entry(letter='a', digits=('12',)), Entry(letter='b', digits=('3', '10')))
    """
    found = _NAME.fullmatch(name)
    if found is None:
        return None
    digits = tuple(part.strip() for part in re.split("[_,]", found[2]))
    if max(map(len, digits)) > _LONGEST_INDEX:
        return None
    return Entry(found[1].lower(), digits)


def factors_of(columns: Sequence[Sequence[Form]], where: str) -> tuple[Factor, Factor, Factor]:
    """Factor matrices of three lists of linear forms, in matrix entries numbered by row and column or by one number.

    Parameters
    ----------
    columns
        For U, V and W, one linear form a product.
    where
        How errors call the file.

    Raises
    ------
    FormatError
        If the numbering is ambiguous, or the names of a factor belong to several matrices.
    """
    names = [sorted({name for form in forms for name in form}) for forms in columns]
    entries = [[_known(name, where) for name in group] for group in names]
    single = _is_single(entries, where)
    U, V, W = (
        _factor(forms, dict(zip(group, found, strict=True)), single, where)
        for forms, group, found in zip(columns, names, entries, strict=True)
    )
    return U, V, W


def _known(name: str, where: str) -> Entry:
    entry = entry_of(name)
    if entry is None:
        raise FormatError(f"{where}: {name} is not the name of a matrix entry such as a12")
    return entry


def _is_single(groups: Iterable[Iterable[Entry]], where: str) -> bool:
    """Whether one number stands for an entry, as in a7 and a12 of one file; the whole file decides."""
    entries = [entry for group in groups for entry in group]
    lengths = {len(entry.digits[0]) for entry in entries if len(entry.digits) == 1}
    if any(len(entry.digits) > 2 for entry in entries):
        raise FormatError(f"{where}: an entry of a matrix has two indices")
    if any(len(entry.digits) == 2 for entry in entries):
        if lengths - {2}:
            raise FormatError(f"{where}: some entries have one index and others two")
        return False
    if lengths <= {2}:
        return False
    if 1 in lengths:
        return True
    example = next(e for e in entries if len(e.digits[0]) > 2)
    name, digits = example.letter, example.digits[0]
    raise FormatError(
        f"{where}: {name}{digits} may be row {digits[0]}, column {digits[1:]} or row {digits[:-1]}, column {digits[-1]};"
        f" write {name}{digits[0]}_{digits[1:]}, or use a format of factor matrices"
    )


def _factor(forms: Sequence[Form], entries: dict[str, Entry], single: bool, where: str) -> Factor:
    letters = {entry.letter for entry in entries.values()}
    if len(letters) > 1:
        raise FormatError(
            f"{where}: one factor has entries of several matrices: {', '.join(sorted(letters))}"
        )
    indices = {name: _indices(entry, single) for name, entry in entries.items()}
    # Programmers count from 0, mathematicians from 1.
    base = 0 if any(0 in pair for pair in indices.values()) else 1
    height = max((i for i, _ in indices.values()), default=0) + 1 - base
    width = max((j for _, j in indices.values()), default=0) + 1 - base
    places = {name: (i - base) * width + j - base for name, (i, j) in indices.items()}
    if single:
        height, places = 1, {name: j - base for name, (_, j) in indices.items()}
    vectors = [sorted((places[name], x) for name, x in form.items()) for form in forms]
    return Factor.of_vectors(height * width, vectors)


def _indices(entry: Entry, single: bool) -> tuple[int, int]:
    """Row and column of an entry; a single number is a column of one row."""
    if len(entry.digits) == 2:
        return int(entry.digits[0]), int(entry.digits[1])
    (digits,) = entry.digits
    return (1, int(digits)) if single else (int(digits[0]), int(digits[1]))
