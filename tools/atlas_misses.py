"""Names of the atlas's tensors in the library, and why some of their known values are not reproduced here."""

from __future__ import annotations

NAMES: dict[str, str] = {
    "unit3": "unit(3)",
    "ghz4": "GHZ(4)",
    "W3": "W(3)",
    "W4": "W(4)",
    "W5": "W(5)",
    "dicke25": "dicke(2,5)",
    "Tcw3": "small_coppersmith_winograd(3)",
    "TCW2": "coppersmith_winograd(2)",
    "TCW3": "coppersmith_winograd(3)",
    "Tskew4": "skew_coppersmith_winograd(4)",
    "alg_C": "complex_product",
    "alg_quat": "quaternion_product",
    **{f"polymul_{n}_{m}": f"polymul({n},{m})" for n, m in ((2, 2), (2, 3), (3, 3), (4, 4))},
    **{
        f"matmul_{n}{m}{p}": f"matmul({n},{m},{p})"
        for n, m, p in (
            (1, 2, 2),
            (2, 2, 2),
            (2, 2, 3),
            (2, 2, 5),
            (2, 3, 3),
            (2, 3, 4),
            (3, 3, 3),
            (4, 4, 4),
        )
    },
}

_WHY: dict[tuple[str, str], str] = {}


def why(name: str, side: str, field: str, quantity: str) -> str:
    """What is missing for a known bound, in a phrase; empty when nobody has looked into it."""
    kind = "border" if quantity == "border_rank" else "rank"
    for key in (f"{side} {kind} {field}", f"{side} {kind}", side):
        if (name, key) in _WHY:
            return _WHY[name, key]
    return ""
