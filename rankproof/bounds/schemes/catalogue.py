"""Schemes by name, for people who want one to start from."""

from __future__ import annotations

from collections.abc import Callable

from rankproof.bounds.schemes import classical
from rankproof.bounds.schemes.models import MODELS
from rankproof.errors import UsageError
from rankproof.exact.polynomial_products import polynomial_product, truncated_product
from rankproof.exact.tensor_sums import TensorSum, over
from rankproof.problem.field import QQ, Field

_CLASSICAL: dict[str, Callable[[], TensorSum]] = {
    "strassen": classical.strassen,
    "winograd": classical.winograd,
    "laderman": classical.laderman,
    "bini": classical.bini,
}

_WITH_PARAMETERS: dict[str, Callable[..., TensorSum]] = {
    "karatsuba": lambda ring: polynomial_product(2, 2, ring),
    "toom_cook": lambda n, m, ring: polynomial_product(n, m, ring),
    "truncated_product": lambda n, ring: truncated_product(n, ring),
    "schonhage": lambda k, n, ring: over(classical.schonhage(k, n), ring),
}


def known_scheme(name: str, *parameters: int, ring: Field = QQ, border: bool = False) -> TensorSum:
    """A short sum of product units that has a name, or the shortest at hand for a named tensor.

    Parameters
    ----------
    name
        ``strassen``, ``winograd`` (2 x 2 matrices), ``laderman`` (3 x 3), ``bini`` (3 x 2 by 2 x 2, a border family);
        ``karatsuba``, ``toom_cook`` with the numbers of coefficients, ``truncated_product`` with the number of coefficients;
        ``schonhage`` with the lengths of a column and a row, a border family for two maps at once; or
        a target of the library such as ``matmul``, ``polymul``, ``quaternion_product``, ``W``, ``coppersmith_winograd``.
    parameters
        Of the target.
    ring
        Exact field of the coordinates.
    border
        Whether a border family will do.

    Returns
    -------
    Decomposition or BorderFamily
        Product units; their sum, or limit, is the tensor.

    Raises
    ------
    UsageError
        If nothing has that name, or there is no scheme for these parameters over this field.

    Examples
    --------
    >>> import rankproof as rp
    >>> len(rp.known_scheme("matmul", 4, 4, 4)), len(rp.known_scheme("coppersmith_winograd", 6, border=True))
    (49, 8)
    >>> rp.known_scheme("laderman").residual(rp.parse("matmul(3,3,3)"))
    {}
    """
    if name in _CLASSICAL and not parameters:
        return over(_CLASSICAL[name](), ring)
    if name in _WITH_PARAMETERS:
        return _WITH_PARAMETERS[name](*parameters, ring=ring)
    models = {model.name: model for model in MODELS if model.build is None}
    if name not in models:
        raise UsageError(
            f"no scheme is called {name!r}; there are {', '.join([*_CLASSICAL, *_WITH_PARAMETERS, *models])}"
        )
    model = models[name]
    model.target(parameters)
    found = [side(parameters, ring) for side in ((model.family,) if border else ()) + (model.scheme,)]
    sums = [total for total in found if total is not None]
    if not sums:
        kind = "scheme or border family" if border else "scheme"
        raise UsageError(f"there is no {kind} of its own for {model.target(parameters).text} over {ring}")
    return min(sums, key=len)
