"""Verified products from a file on the command line: a scheme in any format, or one of our certificates."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rankproof.cli.files import is_certificate
from rankproof.cli.schemes import Wanted, verify_scheme_file
from rankproof.errors import FormatError, UsageError

if TYPE_CHECKING:
    from rankproof.formats.listing import Products

_KEYS_NAMED = 12


class NotVerified(FormatError):
    """The products of a file are not what they are said to be; the exit status is that of the verdict."""

    def __init__(self, sentence: str, status: int) -> None:
        super().__init__(sentence)
        self.exit_status = status


@dataclass(frozen=True)
class Verified:
    """Products that the verifier accepted.

    Attributes
    ----------
    label
        The file, and the key inside the file.
    products
        The products with their target.
    data
        The bytes of the certificate that the verifier accepted.
    convention
        How the file numbers its entries; empty for our own files.
    """

    label: str
    products: Products
    data: bytes
    convention: str = ""

    @property
    def key(self) -> str:
        """Key inside the file; empty where it holds one scheme."""
        return self.label.partition(":")[2]


def verified_products(path: Path, wanted: Wanted, key: str | None = None) -> list[Verified]:
    """Every scheme of a file that the verifier accepts, or the one of a key.

    Parameters
    ----------
    path
        A scheme file or a certificate.
    wanted
        Target, ring and values of symbols for a scheme.
    key
        Which scheme of a file of several.

    Raises
    ------
    NotVerified
        If a scheme is not accepted.
    FormatError, UsageError
        If the file cannot be read, or holds no scheme of that key.
    """
    if is_certificate(path):
        if wanted.target is not None or wanted.ring is not None or key is not None:
            raise UsageError(
                f"{path} is a certificate, which states its target and ring itself; leave the options away"
            )
        return [_of_certificate(path)]
    from rankproof.formats.listing import Products

    rows = verify_scheme_file(path, wanted, key=key)
    found: list[Verified] = []
    for row in rows:
        match = None if row.scheme is None else row.scheme.match
        if row.status or match is None or row.scheme is None or row.scheme.data is None:
            raise NotVerified(f"{row.label}: {row.word.lower()}, {row.reason}", row.status or 1)
        products = Products(match.target, match.proof, match.scheme.label)
        found.append(Verified(row.label, products, row.scheme.data, match.convention))
    return found


def one(found: list[Verified], path: Path) -> Verified:
    """The only scheme of a file.

    Raises
    ------
    UsageError
        If there are several: the sentence names them.
    """
    if len(found) == 1:
        return found[0]
    raise UsageError(
        f"{path} holds {len(found)} schemes; choose one with --scheme: {_listed([v.key for v in found])}"
    )


def _of_certificate(path: Path) -> Verified:
    from rankproof.certificate.document import Certificate
    from rankproof.formats.listing import Products
    from rankproof.problem.decomposition import BorderFamily
    from rankproof.show.steps import explicit_units
    from rankproof.verifier import verify_bytes

    data = path.read_bytes()
    verdict = verify_bytes(data)
    if not verdict.ok:
        raise NotVerified(f"{path}: {verdict.word.lower()}, {verdict.message}", verdict.exit_status)
    certificate = Certificate.from_bytes(data)
    proofs = [
        found
        for step in certificate.steps
        if step.claim.units == "product" and (found := explicit_units(certificate, step)) is not None
    ]
    if not proofs:
        raise FormatError(f"{path} writes down no products of vectors; only such certificates are schemes")
    # An exact decomposition says more than a family, and a shorter one more than a longer one.
    proof = min(proofs, key=lambda found: (isinstance(found, BorderFamily), len(found)))
    return Verified(str(path), Products(certificate.target, proof, path.name), data)


def _listed(keys: list[str]) -> str:
    more = f" and {len(keys) - _KEYS_NAMED} more" if len(keys) > _KEYS_NAMED else ""
    return " ".join(keys[:_KEYS_NAMED]) + more
