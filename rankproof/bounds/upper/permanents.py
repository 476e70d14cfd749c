"""Permanents by Glynn's formula, which has 2^(n-1) products of linear forms."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations, product

import numpy as np

from rankproof.bounds.explicit import Vector, decomposition_bound
from rankproof.bounds.method import Bound, Budget, Method, best_known, ring_of
from rankproof.bounds.upper.monomials import TERMS_PER_SECOND
from rankproof.bounds.upper.multilinear import expanded_products
from rankproof.problem.field import Field, Scalar
from rankproof.problem.question import Question
from rankproof.problem.target import Target

MAX_ORDER = 5
"""The permanent of order n has n! terms, and its decomposition into powers 4^(n-1) units."""


def find(
    target: Target, units: str, field: Field, budget: Budget, rng: np.random.Generator, known: Sequence[Bound]
) -> list[Bound]:
    r"""Glynn's products, expanded into units, when that is shorter than what is known.

    Notes
    -----
    .. math:: 2^{n-1} \operatorname{perm}(x) = \sum_{\varepsilon} \varepsilon_2 \cdots \varepsilon_n
              \prod_j \sum_i \varepsilon_i x_{ij}, \qquad \varepsilon_1 = 1.

    References
    ----------
    Glynn, *The permanent of a square matrix*, European Journal of Combinatorics 31 (2010).
    """
    n = target.space.degree
    if (
        units in ("tied", "untied")
        and 4 ** (n - 1) * target.space.dimension > TERMS_PER_SECOND * budget.left()
    ):
        budget.remark(f"the permanent of order {n} takes too long to expand in the time left")
        return []
    most = best_known(known, Question(units, field, "rank"), "<=", target)
    scale: Scalar = field.reduce(next(c for _, c in target.entries))
    for _ in range(n - 1):
        scale = field.reduce(scale * field.inverse(2))
    products: list[tuple[list[Vector], Vector]] = []
    for signs in product((1, -1), repeat=n - 1):
        signed = (1, *signs)
        forms: list[Vector] = []
        for j in range(n):
            # The matrix is square: summing over rows or over columns gives the same polynomial.
            form = [0] * (n if units == "product" else n * n)
            form[slice(None) if units == "product" else slice(j, None, n)] = signed
            forms.append(tuple(map(field.reduce, form)))
        products.append((forms, (field.reduce(int(np.prod(signs)) * scale),)))
    if units == "product":
        found = [(tuple(field.reduce(w * x) for x in forms[0]), *forms[1:]) for forms, (w,) in products]
    else:
        found = expanded_products(products, units, n, n * n, 1, field)
    if most is not None and len(found) >= most:
        return []
    return [decomposition_bound(target, units, field, found, f"Glynn's {len(products)} products")]


def is_permanent(target: Target) -> bool:
    """Whether a form is a multiple of the permanent of its variables row by row, or a tensor of that in the rows."""
    space = target.space
    n = space.degree
    if not 2 < n <= MAX_ORDER:
        return False
    words = set(permutations(range(n)))
    if space.factors == ((n * n, n),):
        words = {tuple(i * n + j for i, j in enumerate(image)) for image in words}
    elif space.factors != ((n, 1),) * n:
        return False
    return words == {word for word, _ in target.entries} and len({c for _, c in target.entries}) == 1


def _works_over(target: Target, question: Question) -> Field | None:
    ring = ring_of(target, question)
    if ring is None or question.quantity != "rank" or not is_permanent(target):
        return None
    p = ring.characteristic
    return (
        ring if p == 0 or p > (2 if question.units in ("split", "product") else target.space.degree) else None
    )


METHOD = Method(
    name="permanents",
    rule="decomposition",
    side="upper",
    summary="permanents by Glynn's formula",
    units=("tied", "untied", "split", "product"),
    tier="A",
    fields="QQ (so RR, CC), QQ(a), GF(p)",
    works_over=_works_over,
    find=find,
)
