"""Quadratic forms given as weighted sums of products of linear forms, too many to expand one by one."""

from __future__ import annotations

from collections.abc import Sequence

import flint


def expanded(
    left: Sequence[Sequence[int]], right: Sequence[Sequence[int]], weights: Sequence[int]
) -> dict[tuple[int, int], int]:
    """Coefficients of the form ``sum over l of weights[l] (left[l] . x) (right[l] . x)``.

    Parameters
    ----------
    left, right
        Coefficients of the linear forms, one row a form.
    weights
        One integer a product.

    Returns
    -------
    dict
        For every monomial x_i x_j with i <= j its coefficient, when that is not zero, in increasing order.

    Examples
    --------
    >>> expanded([[1, 2]], [[3, -6]], [1])
    {(0, 0): 3, (1, 1): -12}
    """
    scaled = [[w * x for x in row] for w, row in zip(weights, right, strict=True)]
    product = (flint.fmpz_mat([list(row) for row in left]).transpose() * flint.fmpz_mat(scaled)).tolist()
    n = len(product)
    entries = {
        (i, j): int(product[i][j] + product[j][i]) if i != j else int(product[i][i])
        for i in range(n)
        for j in range(i, n)
    }
    return {word: value for word, value in entries.items() if value}


def expanded_together(
    left: Sequence[Sequence[int]], right: Sequence[Sequence[int]], weights: Sequence[Sequence[int]]
) -> list[dict[tuple[int, int], int]]:
    """The same for many lists of weights: every product is expanded once, so that the variables should be few.

    Examples
    --------
    >>> expanded_together([[1, 2]], [[3, -6]], [[1], [2]])
    [{(0, 0): 3, (1, 1): -12}, {(0, 0): 6, (1, 1): -24}]
    """
    n = len(left[0])
    words = [(i, j) for i in range(n) for j in range(i, n)]
    products = [
        [a[i] * b[j] + a[j] * b[i] if i != j else a[i] * b[i] for i, j in words]
        for a, b in zip(left, right, strict=True)
    ]
    return [
        {word: value for word, value in zip(words, row, strict=True) if value}
        for row in combined(products, weights)
    ]


def combined(matrix: Sequence[Sequence[int]], vectors: Sequence[Sequence[int]]) -> list[list[int]]:
    """Product ``vectors @ matrix`` over the integers.

    Examples
    --------
    >>> combined([[1, 2], [3, 4]], [[1, -1]])
    [[-2, -2]]
    """
    product = flint.fmpz_mat([list(v) for v in vectors]) * flint.fmpz_mat([list(row) for row in matrix])
    return [[int(x) for x in row] for row in product.tolist()]
