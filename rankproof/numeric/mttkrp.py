"""Matricised tensor times Khatri-Rao product (MTTKRP), one mode at a time and for all modes of a sweep by a dimension tree."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from rankproof.numeric.factors import Array

Update = Callable[[int, Array], Array]


def khatri_rao(matrices: Sequence[Array]) -> Array:
    """Column-wise Kronecker product, the first matrix slowest.

    Parameters
    ----------
    matrices
        Shapes (n_i, r), at least one.

    Returns
    -------
    Array
        Shape (product of the n_i, r).
    """
    result = matrices[0]
    for matrix in matrices[1:]:
        result = (result[:, None] * matrix[None]).reshape(-1, matrix.shape[1])
    return result


def mttkrp(tensor: Array, matrices: Sequence[Array], mode: int) -> Array:
    """Contraction of a tensor with the columns of all factor matrices but one.

    Parameters
    ----------
    tensor
        Order k, shape (n_1, ..., n_k).
    matrices
        Factor matrices, shapes (n_i, r).
    mode
        The one that is left out.

    Returns
    -------
    Array
        Shape (n_mode, r): for every column the tensor contracted with this column of every other matrix.

    Examples
    --------
    >>> A, B, C = np.eye(2), np.eye(2), np.ones((1, 2))
    >>> mttkrp(np.arange(4.0).reshape(2, 2, 1), [A, B, C], 0)
    array([[0., 1.],
           [2., 3.]])
    """
    before, after = matrices[:mode], matrices[mode + 1 :]
    rows = int(np.prod(tensor.shape[:mode], dtype=int))
    # The side with more entries is summed by one matrix product, the other one column by column.
    if after and (not before or tensor.size // rows >= rows * tensor.shape[mode]):
        partial = tensor.reshape(rows * tensor.shape[mode], -1) @ khatri_rao(after)
        if not before:
            return partial
        return _sum_rows(partial.reshape(rows, tensor.shape[mode], -1), khatri_rao(before))
    partial = khatri_rao(before).T @ tensor.reshape(rows, -1)
    partial = np.ascontiguousarray(partial.T).reshape(tensor.shape[mode], -1, partial.shape[0])
    return _sum_columns(partial, khatri_rao(after)) if after else partial[:, 0]


def sweep(tensor: Array, matrices: list[Array], update: Update, count: int = 1) -> None:
    """Replace one factor matrix after another, so many times, sharing the contractions with the others.

    Parameters
    ----------
    tensor
        Order k.
    matrices
        Factor matrices, replaced in place.
    update
        Called with a mode and its MTTKRP, at the matrices as they are by then; returns the new matrix.
    count
        Number of sweeps.

    Notes
    -----
    A binary tree of sets of modes: half of the modes are contracted by one matrix product, and what is left serves all modes of
    the other half [1]_. A sweep takes two products with the whole tensor, for every order, instead of one a mode. At order 3 the
    tensor contracted with one matrix serves the two updates that follow, also across the end of a sweep: three products for two
    sweeps.

    References
    ----------
    .. [1] A.-H. Phan, P. Tichavský, A. Cichocki, "Fast alternating LS algorithms for high order CANDECOMP/PARAFAC tensor
       factorizations", IEEE Trans. Signal Process. 61 (2013), 4834-4846.
    """
    k = tensor.ndim
    if k == 1:
        for _ in range(count):
            matrices[0] = update(0, tensor[:, None] * np.ones(matrices[0].shape[1]))
        return
    if k == 3:
        _turns(tensor, matrices, update, 3 * count)
        return
    cut = _middle(tensor.shape)
    left = tensor.reshape(int(np.prod(tensor.shape[:cut], dtype=int)), -1)
    for _ in range(count):
        _descend(left @ khatri_rao(matrices[cut:]), list(range(cut)), matrices, update)
        _descend(left.T @ khatri_rao(matrices[:cut]), list(range(cut, k)), matrices, update)


def _turns(tensor: Array, matrices: list[Array], update: Update, updates: int) -> None:
    """At order 3: contract the mode before, update a mode and the one after it, and so on."""
    for done in range(0, updates, 2):
        mode, after, before = done % 3, (done + 1) % 3, (done + 2) % 3
        left = min(mode, after)
        partial = _contracted(tensor, matrices[before], before)
        columns = _sum_columns if mode == left else _sum_rows
        matrices[mode] = update(mode, columns(partial, matrices[after]))
        if done + 1 < updates:
            columns = _sum_columns if after == left else _sum_rows
            matrices[after] = update(after, columns(partial, matrices[mode]))


def _contracted(tensor: Array, matrix: Array, mode: int) -> Array:
    """A tensor of order 3 contracted with the columns of one matrix, which are the last index of what comes out."""
    if mode == 1:
        return np.matmul(tensor.transpose(0, 2, 1), matrix)
    kept = tensor.shape[1:] if mode == 0 else tensor.shape[:2]
    flat = tensor.reshape(tensor.shape[0], -1).T if mode == 0 else tensor.reshape(-1, tensor.shape[2])
    return (flat @ matrix).reshape(*kept, -1)


def _descend(partial: Array, modes: list[int], matrices: list[Array], update: Update) -> None:
    """Update the modes of a set, given the tensor contracted with all others: shape (their indices, r)."""
    if len(modes) == 1:
        matrices[modes[0]] = update(modes[0], partial)
        return
    cut = _middle([matrices[m].shape[0] for m in modes])
    first, second = modes[:cut], modes[cut:]
    rows = int(np.prod([matrices[m].shape[0] for m in first], dtype=int))
    shaped = partial.reshape(rows, -1, partial.shape[1])
    _descend(_sum_columns(shaped, khatri_rao([matrices[m] for m in second])), first, matrices, update)
    _descend(_sum_rows(shaped, khatri_rao([matrices[m] for m in first])), second, matrices, update)


def _sum_columns(partial: Array, columns: Array) -> Array:
    return np.einsum("abr,br->ar", partial, columns)


def _sum_rows(partial: Array, rows: Array) -> Array:
    return np.einsum("abr,ar->br", partial, rows)


def _middle(dimensions: Sequence[int]) -> int:
    """Where to cut so that both sides have about as many entries; of two equal places the later one."""
    sizes = np.log(dimensions).cumsum()
    gaps = np.abs(sizes[:-1] - sizes[-1] / 2).round(9)
    return len(gaps) - int(np.argmin(gaps[::-1]))


__all__ = ["khatri_rao", "mttkrp", "sweep"]
