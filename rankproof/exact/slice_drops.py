"""Tensors whose entries are polynomials in parameters: slices dropped, and ranks that hold for all parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from rankproof.exact.flattening import residue
from rankproof.exact.rank_mod_p import rank_mod_p
from rankproof.problem.space import Word
from rankproof.problem.target import Target

Polynomial = dict[Word, Any]
"""Coefficients by monomials, non-decreasing words of parameter numbers."""

Row = dict[Any, Polynomial]
Vector = dict[int, Polynomial]
"""A combination of slices."""

PRIME = 2**31 - 1
MAX_TERMS = 2000
"""Terms of one polynomial; beyond them a pivot is not used."""


class Residue:
    """What is left of a tensor after some drops.

    Parameters
    ----------
    entries
        Polynomials by word.
    p
        The characteristic.
    parameters
        How many there are.
    """

    def __init__(self, entries: Row, p: int, parameters: int = 0) -> None:
        self.entries, self.p, self.parameters = entries, p, parameters

    @classmethod
    def of(cls, target: Target, p: int) -> Residue:
        """A tensor with rational coefficients, or its reduction modulo p."""
        return cls({word: {(): residue(x, p, None) if p else x} for word, x in target.entries}, p)

    def slices(self, factor: int) -> dict[int, Row]:
        """The slices of a factor."""
        found: dict[int, Row] = {}
        for word, entry in self.entries.items():
            found.setdefault(word[factor], {})[word[:factor] + word[factor + 1 :]] = entry
        return found

    def drop(self, factor: int, dropped: Sequence[Vector], kept: Sequence[Vector]) -> Residue | None:
        """The tensor after a drop; None when the dropped slices are not seen to be independent."""
        slices = self.slices(factor)
        out = [self._combination(vector, slices) for vector in dropped]
        if rank_for_all_parameters(out, self.p) < len(out):
            return None
        entries: Row = {}
        number = self.parameters
        for k, vector in enumerate(kept):
            row = self._combination(vector, slices)
            for other in out:
                row = _plus(row, {(number,): -1}, other, self.p)
                number += 1
            entries |= {(*rest[:factor], k, *rest[factor:]): x for rest, x in row.items()}
        return Residue(entries, self.p, number)

    def _combination(self, vector: Vector, slices: Mapping[int, Row]) -> Row:
        row: Row = {}
        for index, polynomial in vector.items():
            row = _plus(row, polynomial, slices.get(index, {}), self.p)
        return row

    def flattening_rank(self, rows: Sequence[int]) -> int:
        """Rank of a flattening for all parameters, from below."""
        return rank_for_all_parameters(self._flattening(rows), self.p)

    def rank_at_zero(self, rows: Sequence[int]) -> int:
        """Rank of a flattening when all parameters are zero: nothing larger holds for all of them."""
        constant = [{c: x[()] for c, x in row.items() if () in x} for row in self._flattening(rows)]
        return _constant_rank(constant, self.p)

    def _flattening(self, rows: Sequence[int]) -> list[Row]:
        sides: dict[Word, Row] = {}
        for word, entry in self.entries.items():
            u = tuple(x for f, x in enumerate(word) if f in rows)
            sides.setdefault(u, {})[tuple(x for f, x in enumerate(word) if f not in rows)] = entry
        return list(sides.values())


def rank_for_all_parameters(rows: Sequence[Row], p: int) -> int:
    """Number of pivots that are constants, as many as are found; the rest of the matrix counts for nothing."""
    work = [dict(row) for row in rows if row]
    rank = 0
    while True:
        if all(not word for row in work for x in row.values() for word in x):
            return rank + _constant_rank([{c: x[()] for c, x in row.items()} for row in work], p)
        places = [(len(row), i, c) for i, row in enumerate(work) for c, x in row.items() if x.keys() == {()}]
        if not places:
            return rank
        _, i, column = min(places)
        pivot = work.pop(i)
        rank += 1
        unit = pivot[column][()]
        inverse = pow(unit, -1, p) if p else 1 / Fraction(unit)
        for j, row in enumerate(work):
            if column in row:
                factor = {word: -x * inverse for word, x in row[column].items()}
                work[j] = _plus(row, factor, pivot, p)
        work = [row for row in work if row and all(len(x) <= MAX_TERMS for x in row.values())]


def _constant_rank(rows: Sequence[Mapping[Any, Any]], p: int) -> int:
    prime = p or PRIME
    columns = {c: k for k, c in enumerate(dict.fromkeys(c for row in rows for c in row))}
    reduced = [{columns[c]: y for c, x in row.items() if (y := residue(x, prime, None))} for row in rows]
    return rank_mod_p({i: row for i, row in enumerate(reduced) if row}, prime).rank


def _plus(left: Row, factor: Polynomial, right: Row, p: int) -> Row:
    result = dict(left)
    for column, entry in right.items():
        total = dict(result.pop(column, {}))
        for u, x in factor.items():
            for v, y in entry.items():
                word = tuple(sorted(u + v)) if u and v else u or v
                value = total.get(word, 0) + x * y
                total[word] = value % p if p else value
        if total := {word: x for word, x in total.items() if x}:
            result[column] = total
    return result
