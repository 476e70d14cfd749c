"""From a matched scheme to a certificate."""

from __future__ import annotations

from collections.abc import Mapping

from rankproof.certificate.claim import Claim
from rankproof.certificate.document import Certificate, Step
from rankproof.certificate.encoding import encode_decomposition
from rankproof.certificate.producer import program_version
from rankproof.formats.match import Match
from rankproof.problem.decomposition import BorderFamily, Decomposition
from rankproof.problem.field import CC, RR
from rankproof.problem.question import Quantity, Question
from rankproof.problem.target import Target


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
    told = {"source": match.scheme.label, "convention": match.convention}
    return certificate_of(match.target, match.proof, told)


def certificate_of(
    target: Target, proof: Decomposition | BorderFamily, told: Mapping[str, str]
) -> Certificate:
    """Certificate of the bound that products prove.

    Parameters
    ----------
    target, proof
        What the products add up to, and the products.
    told
        Words for the producer, such as where the products come from; empty ones are left out.
    """
    is_family = isinstance(proof, BorderFamily)
    quantity: Quantity = "border_rank" if is_family else "rank"
    rule = "border-family" if is_family else "decomposition"
    claim = Claim(quantity, "product", proof.ring, "<=", len(proof))
    step = Step(rule, claim, (), encode_decomposition(proof))
    fields = [proof.ring, *(field for field in (RR, CC) if field.includes(proof.ring))]
    producer = {
        "program": "rankproof",
        "version": program_version(),
        **{key: word for key, word in told.items() if word},
    }
    return Certificate.build(
        target, [step], [Question("product", field, quantity) for field in fields], producer
    )
