"""Check a file of somebody else's schemes: the one call behind ``rankproof verify FILE``."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Literal, NoReturn

from rankproof.errors import TargetError, UsageError
from rankproof.formats.agreement import disagreement
from rankproof.formats.convention import conventions
from rankproof.formats.expansion import TooLarge
from rankproof.formats.finding import Match
from rankproof.formats.match import asked_field, infer_target, match_target, sum_of_products
from rankproof.formats.proof import to_certificate
from rankproof.formats.reading import read_schemes
from rankproof.formats.scheme import Scheme
from rankproof.problem.field import QQ, Scalar
from rankproof.problem.parse import read_targets
from rankproof.problem.target import Target

SUM = "sum"
"""Stands for the tensor that the products add up to, where a target is asked for."""
_KEYS_NAMED = 12
NOTHING_PROVED = "nothing is proved"


@dataclass(frozen=True)
class SchemeCertificate:
    """The finding about one scheme of a file: a certificate for the verifier, or what is wrong.

    Attributes
    ----------
    label
        ``file:key``, or ``file`` when the file holds one scheme.
    format
        Name of the format.
    target
        Text of the target, such as ``matmul(2,2,3)``; empty when there is none.
    sizes
        Mode sizes of the tensor that the products add up to.
    terms
        Number of products, counted: those that are not zero over the ring.
    ring
        ``ZZ`` (all coefficients are integers), ``QQ``, a number field or ``GF(p)``: where the scheme holds, or where
        it was checked last.
    convention
        The index convention in words: the one that matched, or the one that came closest; empty when the
        sizes differ.
    kind
        ``exact`` when the scheme is to show a rank, ``border`` when it depends on eps and can only show a
        border rank.
    data
        Bytes of a certificate that proves the bound; None when there is a problem, or no target. They are not
        verified yet.
    problem
        What is wrong, as a sentence; None when nothing is.
    note
        What a person should know about a scheme that holds, as a sentence; empty as a rule. Without data and problem
        it says that decompositions agree, and with what.
    match
        What was found, for those who want the products themselves.
    is_undecided
        Whether the problem is that the scheme is too large to be checked.
    """

    label: str
    format: str
    target: str
    sizes: tuple[int, int, int]
    terms: int
    ring: str
    convention: str
    kind: Literal["exact", "border"]
    data: bytes | None
    problem: str | None
    note: str = ""
    match: Match | None = None
    is_undecided: bool = False

    @property
    def is_consistent(self) -> bool:
        """Whether there is no target, so that decompositions could only be compared with one another."""
        return self.data is None and self.problem is None


def verify_input(
    path: str | os.PathLike[str],
    target: Target | str | None = None,
    ring: str | None = None,
    symbols: Mapping[str, Scalar] | None = None,
    key: str | None = None,
) -> list[SchemeCertificate]:
    """Find out what the schemes of a file decompose, and write the certificates that the verifier is to check.

    Parameters
    ----------
    path
        A file in one of `rankproof.formats.FORMATS`. What its name claims is ignored.
    target
        What the schemes are to decompose, such as ``matmul(3,3,3)``: any tensor of order 3. By default what the file
        itself carries, else the product that the sizes of the factors determine. In a file of several schemes only
        those whose sizes fit are looked at. `SUM` stands for whatever the products add up to.
    ring
        ``ZZ``, ``QQ``, ``GF(p)`` or a number field; by default the one of the target or of the coefficients, then GF(2)
        where all coefficients are integers.
    symbols
        Values of symbols in the file.
    key
        Look at the scheme of this key only.

    Returns
    -------
    list of SchemeCertificate
        One a scheme, in the order of the file, never empty. Decompositions of one tensor that the file does not hold
        are one finding.

    Raises
    ------
    FormatError
        If the file cannot be read.
    TargetError, UsageError
        If the target is not one of order 3, the ring is not one of those above, or there is no scheme of that key.
    """
    wants_sum = target == SUM
    if isinstance(target, str) and not wants_sum:
        target = _target(target)
    if ring is not None:
        asked_field(ring)
    schemes = read_schemes(path, symbols)
    if key is not None:
        schemes = [scheme for scheme in schemes if scheme.key == key] or _no_such_key(schemes, key)
    if wants_sum:
        return [_check(scheme, sum_of_products(scheme, ring), ring) for scheme in schemes]
    if not isinstance(target, Target):
        return list(_by_their_own_targets(schemes, ring))
    fitting = [scheme for scheme in schemes if any(conventions(target, scheme.sizes))]
    # Without a single fit every scheme is reported, so that the sizes that are there can be read off.
    return [_check(scheme, target, ring) for scheme in fitting or schemes]


def _no_such_key(schemes: list[Scheme], key: str) -> NoReturn:
    keys = [scheme.key for scheme in schemes if scheme.key is not None]
    held = " ".join(keys[:_KEYS_NAMED]) + (" ..." if len(keys) > _KEYS_NAMED else "")
    raise UsageError(f"{schemes[0].source} holds no scheme {key!r}; it holds {held or 'one without a name'}")


def _target(text: str) -> Target:
    targets = read_targets(text)
    if len(targets) != 1:
        raise UsageError(
            f"{text} is {len(targets)} targets, one a degree; a scheme is compared with one, such as matmul(2,2,3)"
        )
    return targets[0]


def _by_their_own_targets(schemes: list[Scheme], ring: str | None) -> Iterator[SchemeCertificate]:
    for label, group in groupby(schemes, key=_circuit):
        together = list(group)
        if isinstance(together[0].about, str):
            yield _compared(label, together, together[0].about)
            continue
        for scheme in together:
            yield _check(scheme, infer_target(scheme), ring)


def _circuit(scheme: Scheme) -> str:
    """What the decompositions of one tensor are called; without their numbers."""
    return scheme.label.partition("#")[0] if isinstance(scheme.about, str) else scheme.label


def _compared(label: str, schemes: list[Scheme], why: str) -> SchemeCertificate:
    """Finding about decompositions of one tensor that the file does not hold."""
    problem = disagreement(schemes)
    count = (
        f"{len(schemes)} decompositions add up to the same tensor"
        if len(schemes) > 1
        else "one decomposition"
    )
    note = f"{count}; {why}, so {NOTHING_PROVED}" if problem is None else ""
    first = schemes[0]
    ring = str(first.ring) if first.ring else first.ring_name
    terms = min(scheme.terms for scheme in schemes)
    return SchemeCertificate(
        label, first.format, "", first.sizes, terms, ring, "", "exact", None, problem, note
    )


def _check(scheme: Scheme, target: Target | None, ring: str | None) -> SchemeCertificate:
    kind: Literal["exact", "border"] = "border" if scheme.is_family else "exact"

    def finding(
        text: str, terms: int, ring_text: str, convention: str, data: bytes | None, problem: str | None
    ) -> SchemeCertificate:
        return SchemeCertificate(
            scheme.label, scheme.format, text, scheme.sizes, terms, ring_text, convention, kind, data, problem
        )

    if target is None:
        U, V, W = scheme.sizes
        problem = (
            f"{scheme.label} has factors of sizes {U}, {V}, {W}, which are those of no product of an n x m and an m x p matrix"
            " (n*m, m*p, n*p) and of no product of two polynomials (n, m, n+m-1); name the target, as in --as 'W(3)'"
        )
        return finding("", scheme.terms, ring or scheme.ring_name, "", None, problem)
    try:
        found = match_target(scheme, target, ring)
    except (TooLarge, TargetError) as error:
        # One scheme of a file that cannot be decided, or has no value in the ring, says nothing about the others.
        undecided = finding(target.text, scheme.terms, ring or scheme.ring_name, "", None, str(error))
        return replace(undecided, is_undecided=isinstance(error, TooLarge))
    if not isinstance(found, Match):
        field_text = scheme.ring_name if found.ring == QQ else str(found.ring)
        return finding(target.text, scheme.terms, field_text, found.convention, None, found.reason)
    held = finding(
        target.text, found.terms, found.ring_name, found.convention, to_certificate(found).to_bytes(), None
    )
    return _with_note(held, scheme, found)


def _with_note(held: SchemeCertificate, scheme: Scheme, found: Match) -> SchemeCertificate:
    notes = [found.note] if found.note else []
    if scheme.remark and found.kind == "exact":
        notes.append(scheme.remark)
    if found.kind == "border":
        notes.append(
            "the products add up to the target only up to higher terms in eps: this is a border rank, not a rank"
        )
    if found.terms < scheme.listed:
        notes.append(f"of {scheme.listed} products in the file {found.terms} are not zero")
    return replace(held, note="; ".join(notes), match=found)
