"""What may be said of a file: the verifier's verdict, or NOT VERIFIED and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from rankproof.show.quantities import printable


class Verdict(Protocol):
    """The verdict as the verifier returns it; nothing in this package imports the verifier."""

    @property
    def word(self) -> str: ...
    @property
    def ok(self) -> bool: ...
    @property
    def sha256(self) -> str: ...
    @property
    def code(self) -> str: ...
    @property
    def pointer(self) -> str: ...
    @property
    def message(self) -> str: ...
    @property
    def theorems(self) -> tuple[str, ...]: ...
    @property
    def claim_hash(self) -> str: ...


@dataclass(frozen=True)
class Recorded:
    """That the verifier accepted a file, as it was written down when it did."""

    sha256: str
    claim_hash: str
    word: str = "VERIFIED"
    ok: bool = True
    code: str = ""
    pointer: str = ""
    message: str = ""
    theorems: tuple[str, ...] = ()


def objection(verdict: Verdict | None) -> str:
    """Why a file is NOT VERIFIED; empty when the verifier accepted it.

    Parameters
    ----------
    verdict
        On the very bytes that are shown; ``None`` when the verifier was not asked.
    """
    if verdict is None:
        return "the verifier was not asked"
    if verdict.ok:
        return ""
    if verdict.code:
        return printable(f"{verdict.word}: {verdict.code} at {verdict.pointer or '/'}: {verdict.message}")
    return f"{verdict.word} on {', '.join(verdict.theorems)}, which the reader has not accepted"
