"""The three ways in which the verifier says no.

Every refusal carries a stable code, a JSON pointer to the place, and a sentence.
"""

from __future__ import annotations


class Refusal(Exception):
    """A file that is not verified: why (``code``, ``message``) and where (``pointer``, RFC 6901)."""

    word = "REFUSED"
    exit_status = 70

    def __init__(self, code: str, pointer: str, message: str) -> None:
        super().__init__(f"{code} at {pointer or '/'}: {message}")
        self.code = code
        self.pointer = pointer
        self.message = message


class Unreadable(Refusal):
    """The file is not a certificate of a version this verifier reads."""

    word = "UNREADABLE"
    exit_status = 3


class Rejected(Refusal):
    """The file is a certificate, and its steps do not prove its conclusion."""

    word = "REJECTED"
    exit_status = 1


class Undecided(Refusal):
    """A declared limit was reached before the proof could be checked."""

    word = "UNDECIDED"
    exit_status = 4
