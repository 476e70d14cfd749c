"""The field a rule concludes over, checked against the ring of the target."""

from __future__ import annotations

from ..refusal import Rejected
from ..scalars import Ring
from ..targets import finite_field
from .rule import Context


def ring_of_lower_bound(context: Context) -> Ring:
    """Exact ring in which to compute for a bound over CC (the target's own ring) or over GF(p).

    Rank rules conclude over CC, from which the other fields of characteristic 0 follow, or over one GF(p).
    """
    ring = context.target.ring
    if context.over == "CC" and not ring.prime:
        return ring
    finite = finite_field(context.over)
    if finite is not None and ring.name in ("QQ", finite.name):
        return finite
    raise field_refused(context, "CC or GF(p)")


def field_refused(context: Context, fields: str) -> Rejected:
    """The refusal of a claim over a field the rule does not conclude over."""
    message = f"this rule concludes over {fields} for a target over {context.target.ring.name}, not over {context.over}"
    return Rejected("field", f"{context.pointer}/claim/over", message)
