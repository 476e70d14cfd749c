"""The JSON Schema of certificate format 1, as package data."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any


def certificate_schema() -> dict[str, Any]:
    """JSON Schema of certificate format 1.

    Notes
    -----
    It describes shapes. What a schema cannot say, such as the order of words, one spelling a number or the length of a vector,
    is in docs/format.md and is checked by the verifier.
    """
    return json.loads(
        files("rankproof.certificate.schema").joinpath("certificate-1.json").read_text(encoding="ascii")
    )
