"""Vectors in files: directions of outputs, and bases of subspaces of inputs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rankproof.errors import FormatError


def vectors_of_file(path: Path) -> NDArray[np.generic]:
    """Rows of numbers of a .npy file, or of the lines of a text file.

    Parameters
    ----------
    path
        An array of one or two indices, or numbers separated by blanks or commas; a column of numbers is one vector.

    Returns
    -------
    ndarray
        One vector a row.

    Raises
    ------
    FormatError
        If the file holds something else.
    """
    try:
        if path.suffix == ".npy":
            array = np.load(path, allow_pickle=False)
        else:
            lines = [line.replace(",", " ").split() for line in path.read_text(encoding="utf-8").splitlines()]
            array = np.array([[float(x) for x in line] for line in lines if line])
    except (ValueError, EOFError) as error:
        raise FormatError(f"{path} holds no rows of numbers: {error}") from None
    if array.ndim not in (1, 2) or not array.size:
        raise FormatError(
            f"{path} holds an array of shape {array.shape}; a vector, or one vector a row, is needed"
        )
    return array.reshape(1, -1) if array.ndim == 1 or array.shape[1] == 1 else array
