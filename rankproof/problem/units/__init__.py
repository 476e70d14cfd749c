"""What counts as one unit: one file a model, and the table of all of them."""

from __future__ import annotations

from rankproof.errors import UsageError
from rankproof.problem.space import MAX_DEGREE
from rankproof.problem.units.mixed import Mixed
from rankproof.problem.units.model import UnitModel
from rankproof.problem.units.product import Product
from rankproof.problem.units.split import Split
from rankproof.problem.units.tied import Tied
from rankproof.problem.units.untied import Untied

UNITS: dict[str, UnitModel] = {
    model.name: model
    for model in (Tied(), Untied(), *(Mixed(k) for k in range(1, MAX_DEGREE // 2 + 1)), Split(), Product())
}


def unit_model(name: str) -> UnitModel:
    """Unit model of a name: tied, untied, mixed:k, split or product.

    Raises
    ------
    UsageError
        If there is no such model.
    """
    try:
        return UNITS[name]
    except KeyError:
        raise UsageError(
            f"{name!r} is not a kind of unit; choose tied, untied, mixed:k (for instance mixed:2), split or product"
        ) from None


__all__ = ["UNITS", "UnitModel", "unit_model"]
