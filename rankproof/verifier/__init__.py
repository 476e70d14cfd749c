"""The verifier: the only part of rankproof that must be trusted.

It reads a certificate (docs/format.md), derives every claim again with exact arithmetic, and says what is proved.
Standard library only, relative imports only; it never searches and shares no code with the prover. It also runs alone:
``python -I -S verifier.pyz FILE``.
"""

from __future__ import annotations

from .rules import RULES
from .statement import BadExpectation
from .verdict import Verdict, verify_bytes

__all__ = ["RULES", "BadExpectation", "Verdict", "verify_bytes"]
