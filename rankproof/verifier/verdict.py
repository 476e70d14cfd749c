"""From bytes to a verdict."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .document import read_document
from .kernel import check, written_quantity
from .reading import parse
from .refusal import Refusal
from .rules import RULES, Rule
from .statement import statements, unmet
from .targets import written

VERIFIED = 0
REJECTED = 1
USAGE = 2
UNREADABLE = 3
UNDECIDED = 4
CONDITIONAL = 5
INTERNAL = 70


@dataclass(frozen=True)
class Verdict:
    """What the verifier says about one file. Only ``exit_status`` 0 means proved.

    ``word`` is VERIFIED, CONDITIONAL (on the named ``theorems``), REJECTED, UNREADABLE, UNDECIDED or ERROR. A refusal
    has a ``code``, a JSON ``pointer`` and a ``message``; a proof has ``statements`` and a ``claim_hash``.
    """

    word: str
    exit_status: int
    sha256: str
    code: str = ""
    pointer: str = ""
    message: str = ""
    statements: tuple[str, ...] = ()
    conclusion: tuple[Mapping[str, Any], ...] = ()
    theorems: tuple[str, ...] = ()
    claim_hash: str = ""

    @property
    def ok(self) -> bool:
        """Whether everything the certificate states is proved, without conditions."""
        return self.exit_status == VERIFIED


def verify_bytes(
    data: bytes,
    *,
    accept_theorems: Collection[str] = (),
    expect: str | None = None,
    weights: Sequence[str] = (),
    rules: Mapping[str, Rule] = RULES,
) -> Verdict:
    """Verdict on the bytes of a certificate.

    Parameters
    ----------
    data
        The file as it was read.
    accept_theorems
        Names of published theorems that the reader accepts as axioms.
    expect
        A statement or a claim hash; a valid certificate of anything else is rejected.
    weights
        Files of weights, or folders that hold them; only read when the target is a block of a file with a given hash.
    rules
        The table of rules; another one only in tests.

    Raises
    ------
    BadExpectation
        If ``expect`` is neither a statement nor a claim hash.
    """
    sha256 = hashlib.sha256(data).hexdigest()
    try:
        proved = check(read_document(parse(data), weights), rules)
    except Refusal as refusal:
        return Verdict(
            refusal.word, refusal.exit_status, sha256, refusal.code, refusal.pointer, refusal.message
        )
    except RecursionError:
        return Verdict("UNDECIDED", UNDECIDED, sha256, "limit-recursion", "", "the file is nested too deeply")
    if expect is not None:
        reason = unmet(expect, proved.document, proved.claim_hash)
        if reason is not None:
            message = f"the certificate is valid and states something else: {reason}"
            return Verdict("REJECTED", REJECTED, sha256, "expectation", "", message)
    open_theorems = tuple(name for name in proved.theorems if name not in accept_theorems)
    return Verdict(
        "CONDITIONAL" if open_theorems else "VERIFIED",
        CONDITIONAL if open_theorems else VERIFIED,
        sha256,
        statements=statements(proved.document),
        conclusion=tuple(
            {
                "units": answer.question.units,
                "field": answer.question.field,
                "quantity": written_quantity(answer.question.quantity),
                "lower": written(answer.lower),
                "upper": None if answer.upper is None else written(answer.upper),
            }
            for answer in proved.document.conclusion
        ),
        theorems=proved.theorems,
        claim_hash=proved.claim_hash,
    )
