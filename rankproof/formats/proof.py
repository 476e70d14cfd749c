"""From a matched scheme to a certificate."""

from __future__ import annotations

from rankproof.certificate.claim import Claim
from rankproof.certificate.document import Certificate, Step
from rankproof.certificate.encoding import encode_decomposition
from rankproof.certificate.producer import program_version
from rankproof.formats.match import Match
from rankproof.problem.field import CC, RR
from rankproof.problem.question import Quantity, Question


def to_certificate(match: Match) -> Certificate:
    """Certificate of the bound that a matched scheme proves.

    An exact scheme proves an upper bound on the rank, a family one on the border rank; over QQ the bound is
    also stated over RR and CC, over a number field over CC, and over RR when a real root is chosen; over GF(p) it says
    nothing about other fields. The certificate states no lower bound.

    Parameters
    ----------
    match
        What `rankproof.formats.match` found.

    Returns
    -------
    Certificate
        With one step, and equal for equal schemes: neither time nor place enters.
    """
    quantity: Quantity = "border_rank" if match.kind == "border" else "rank"
    rule = "border-family" if match.kind == "border" else "decomposition"
    claim = Claim(quantity, "product", match.ring, "<=", match.terms)
    step = Step(rule, claim, (), encode_decomposition(match.proof))
    fields = [match.ring, *(field for field in (RR, CC) if field.includes(match.ring))]
    producer = {
        "program": "rankproof",
        "version": program_version(),
        "source": match.scheme.label,
        "convention": match.convention,
    }
    return Certificate.build(
        match.target, [step], [Question("product", field, quantity) for field in fields], producer
    )
