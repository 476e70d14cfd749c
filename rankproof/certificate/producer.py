"""Who made a certificate: words for people, never read by the verifier."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import Any


def producer(command: str, seed: int, seconds: float) -> dict[str, Any]:
    """Producer entry of a certificate.

    Parameters
    ----------
    command
        What was asked, as a person would type it.
    seed
        Seed of the search.
    seconds
        How long the search took. Recorded in whole milliseconds, because certificates hold no floats.

    Examples
    --------
    >>> producer("rankproof certify 'x**2*y'", 0, 0.41)["milliseconds"]
    410
    """
    return {
        "program": "rankproof",
        "version": program_version(),
        "command": command,
        "seed": seed,
        "milliseconds": round(seconds * 1000),
    }


def program_version() -> str:
    """Version of the installed package; ``unknown`` when it runs from a bare source tree."""
    try:
        return version("rankproof")
    except PackageNotFoundError:
        return "unknown"
