"""Factor matrices in floating point: sums of units whose coordinates are not exact."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankproof.errors import UsageError

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Factors:
    """A sum of units in floating point; never evidence for a claim.

    Parameters
    ----------
    units_model
        Name of the unit model, which says what the vectors of a unit are.
    matrices
        One array for each vector of the model, shape (length of the vector, width): column s belongs to unit s. Real or
        complex.

    Raises
    ------
    UsageError
        If the matrices differ in width, or a number is not finite.

    Examples
    --------
    >>> xy = Factors.of_units("tied", [((1, 1), (0.25,)), ((1, -1), (-0.25,))])
    >>> xy.width, xy.unit(1)
    (2, ([1.0, -1.0], [-0.25]))
    """

    units_model: str
    matrices: tuple[Array, ...]

    def __post_init__(self) -> None:
        widths = {matrix.shape[1] for matrix in self.matrices}
        if len(widths) != 1:
            raise UsageError(f"factor matrices of one width are needed, not of {sorted(widths)}")
        if not all(np.isfinite(matrix).all() for matrix in self.matrices):
            raise UsageError("a factor matrix holds NaN or an infinity; give finite numbers")

    @classmethod
    def of_units(cls, units_model: str, units: Sequence[Sequence[Sequence[complex]]]) -> Factors:
        """Factors of units given as nested sequences of numbers."""
        if not units:
            raise UsageError("a sum of no units has no factor matrices; give at least one unit")
        columns = zip(*units, strict=True)
        matrices = tuple(np.array([[complex(x) for x in v] for v in column]).T for column in columns)
        if all(not np.imag(matrix).any() for matrix in matrices):
            matrices = tuple(np.real(matrix).copy() for matrix in matrices)
        return cls(units_model, matrices)

    @property
    def width(self) -> int:
        """Number of units."""
        return self.matrices[0].shape[1]

    @property
    def is_complex(self) -> bool:
        """Whether a matrix has a complex type."""
        return any(np.iscomplexobj(matrix) for matrix in self.matrices)

    def unit(self, s: int) -> tuple[list[Any], ...]:
        """The vectors of unit s as lists of Python numbers."""
        return tuple(matrix[:, s].tolist() for matrix in self.matrices)

    def units(self) -> list[tuple[list[Any], ...]]:
        """All units."""
        return [self.unit(s) for s in range(self.width)]


__all__ = ["Array", "Factors"]
