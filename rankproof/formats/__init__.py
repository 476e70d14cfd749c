"""Other people's schemes: read their files, find out what they decompose, and write certificates.

`read_schemes` reads a file in one of `FORMATS`; `match` decides the ring and the index convention by an exact
check; `to_certificate` writes what the verifier checks; `verify_input` does all three. Nothing that a file
claims about itself is believed.
"""

from __future__ import annotations

from rankproof.formats.checking import SchemeCertificate, verify_input
from rankproof.formats.finding import Match, Mismatch
from rankproof.formats.match import infer_shape, infer_target, match, match_target
from rankproof.formats.proof import to_certificate
from rankproof.formats.reading import FORMATS, Format, read_schemes
from rankproof.formats.scheme import Factor, Scheme
from rankproof.formats.source import Source

__all__ = [
    "FORMATS",
    "Format",
    "read_schemes",
    "Source",
    "Factor",
    "Scheme",
    "match",
    "match_target",
    "infer_shape",
    "infer_target",
    "Match",
    "Mismatch",
    "to_certificate",
    "SchemeCertificate",
    "verify_input",
]
