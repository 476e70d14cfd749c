"""Check a file of somebody else's schemes: the one call behind ``rankproof verify FILE``."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Literal

from rankproof.errors import UsageError
from rankproof.formats.convention import conventions
from rankproof.formats.finding import Match
from rankproof.formats.match import asked_field, infer_shape, match_target
from rankproof.formats.proof import to_certificate
from rankproof.formats.reading import read_schemes
from rankproof.formats.scheme import Scheme
from rankproof.problem.field import QQ
from rankproof.problem.library import named
from rankproof.problem.parse import read_targets
from rankproof.problem.target import Target


@dataclass(frozen=True)
class SchemeCertificate:
    """The finding about one scheme of a file: a certificate for the verifier, or what is wrong.

    Attributes
    ----------
    label
        ``file:key``, or ``file`` when the file holds one scheme.
    target
        Text of the target, such as ``matmul(2,2,3)``; empty when none could be inferred.
    terms
        Number of products, counted: those that are not zero over the ring.
    ring
        ``ZZ`` (all coefficients are integers), ``QQ`` or ``GF(p)``: where the scheme holds, or where it was
        checked last.
    convention
        The index convention in words: the one that matched, or the one that came closest; empty when the
        sizes differ.
    kind
        ``exact`` when the scheme is to show a rank, ``border`` when it depends on eps and can only show a
        border rank.
    data
        Bytes of a certificate that proves the bound; None when there is a problem. They are not verified yet.
    problem
        What is wrong, as a sentence; None when nothing is.
    note
        What a person should know about a scheme that holds, as a sentence; empty as a rule.
    """

    label: str
    target: str
    terms: int
    ring: str
    convention: str
    kind: Literal["exact", "border"]
    data: bytes | None
    problem: str | None
    note: str = ""


def verify_input(
    path: str | os.PathLike[str], as_text: str | None = None, ring: str | None = None
) -> list[SchemeCertificate]:
    """Find out what the schemes of a file decompose, and write the certificates that the verifier is to check.

    Parameters
    ----------
    path
        A file in one of `rankproof.formats.FORMATS`. What its name claims is ignored.
    as_text
        The target, such as ``matmul(3,3,3)``: any tensor of order 3. By default the matrix product that the
        sizes of the factors determine. In a file of several schemes only those whose sizes fit are looked at.
    ring
        ``ZZ``, ``QQ`` or ``GF(p)``; by default QQ, then GF(2) where all coefficients are integers.

    Returns
    -------
    list of SchemeCertificate
        One a scheme, in the order of the file; never empty.

    Raises
    ------
    FormatError
        If the file cannot be read.
    TargetError, UsageError
        If `as_text` is not a target or not one of order 3, or the ring is not one of those above.
    """
    target = None if as_text is None else _target(as_text)
    if ring is not None:
        asked_field(ring)
    schemes = read_schemes(path)
    if target is None:
        return [_check(scheme, _inferred(scheme), ring) for scheme in schemes]
    fitting = [scheme for scheme in schemes if any(conventions(target, scheme.sizes))]
    # Without a single fit every scheme is reported, so that the sizes that are there can be read off.
    return [_check(scheme, target, ring) for scheme in fitting or schemes]


def _target(text: str) -> Target:
    targets = read_targets(text)
    if len(targets) != 1:
        raise UsageError(
            f"{text} is {len(targets)} targets, one a degree; a scheme is compared with one, such as matmul(2,2,3)"
        )
    return targets[0]


def _inferred(scheme: Scheme) -> Target | None:
    shape = infer_shape(scheme.sizes)
    return None if shape is None else named("matmul", *shape)


def _check(scheme: Scheme, target: Target | None, ring: str | None) -> SchemeCertificate:
    kind: Literal["exact", "border"] = "border" if scheme.is_family else "exact"
    if target is None:
        U, V, W = scheme.sizes
        problem = (
            f"{scheme.label} has factors of sizes {U}, {V}, {W}, which are those of no product of an n x m and an m x p matrix"
            " (n*m, m*p, n*p); name the target, as in --as 'polymul(2,2)'"
        )
        return SchemeCertificate(
            scheme.label, "", scheme.terms, ring or _ring_text(scheme), "", kind, None, problem
        )
    found = match_target(scheme, target, ring)
    field_text = _ring_text(scheme) if found.ring == QQ else str(found.ring)
    if not isinstance(found, Match):
        return SchemeCertificate(
            scheme.label, target.text, scheme.terms, field_text, found.convention, kind, None, found.reason
        )
    data = to_certificate(found).to_bytes()
    return SchemeCertificate(
        scheme.label,
        target.text,
        found.terms,
        field_text,
        found.convention,
        kind,
        data,
        None,
        _note(scheme, found),
    )


def _ring_text(scheme: Scheme) -> str:
    return "ZZ" if scheme.is_integral else "QQ"


def _note(scheme: Scheme, found: Match) -> str:
    notes = [found.note] if found.note else []
    if found.kind == "border":
        notes.append(
            "the products add up to the target only up to higher terms in eps: this is a border rank, not a rank"
        )
    if found.terms < len(scheme.factors[0].vectors):
        notes.append(f"of {len(scheme.factors[0].vectors)} products in the file {found.terms} are not zero")
    return "; ".join(notes)
