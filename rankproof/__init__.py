"""Prove and check bounds on tensor rank, border rank and the width of polynomial layers.

Two functions carry the package: `certify` searches for bounds and writes them down as a certificate, `verify` checks
a certificate with nothing but the standard library. Every public name is loaded on first use, so that importing the
package costs nothing and checking a certificate never loads the prover.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

# Public name -> module that defines it, relative to this package.
_HOME = {
    "certify": ".api",
    "parse": ".api",
    "verify": ".api",
    "floor": ".api",
    "read_schemes": ".api",
    "Result": ".api",
    "SchemeResult": ".api",
    "Target": ".problem.target",
    "Space": ".problem.space",
    "Question": ".problem.question",
    "Floor": ".problem.question",
    "CertifiedFloor": ".floors",
    "read_targets": ".problem.parse",
    "Field": ".problem.field",
    "NumberField": ".problem.field",
    "QQ": ".problem.field",
    "RR": ".problem.field",
    "CC": ".problem.field",
    "gf": ".problem.field",
    "Decomposition": ".problem.decomposition",
    "BorderFamily": ".problem.decomposition",
    "known_scheme": ".bounds.schemes.catalogue",
    "kronecker": ".exact.tensor_sums",
    "outer_product": ".exact.tensor_sums",
    "direct_sum": ".exact.tensor_sums",
    "added": ".exact.tensor_sums",
    "permuted": ".exact.tensor_sums",
    "placed": ".exact.tensor_sums",
    "with_bases_changed": ".exact.tensor_sums",
    "lifted": ".exact.lifting",
    "interpolated": ".exact.interpolation",
    "Claim": ".certificate.claim",
    "Certificate": ".certificate.document",
    "Verdict": ".verifier",
    "RankproofError": ".errors",
    "UsageError": ".errors",
    "TargetError": ".errors",
    "FormatError": ".errors",
    "NothingProved": ".errors",
    "SelfCheckFailed": ".errors",
}

# Packages with public names of their own.
_ROOMS = ("blocks",)

__all__ = ["__version__", *_HOME]  # pyright: ignore[reportUnsupportedDunderAll]

if TYPE_CHECKING:
    from .api import Result as Result
    from .api import SchemeResult as SchemeResult
    from .api import certify as certify
    from .api import floor as floor
    from .api import parse as parse
    from .api import read_schemes as read_schemes
    from .api import verify as verify
    from .bounds.schemes.catalogue import known_scheme as known_scheme
    from .certificate.claim import Claim as Claim
    from .certificate.document import Certificate as Certificate
    from .errors import FormatError as FormatError
    from .errors import NothingProved as NothingProved
    from .errors import RankproofError as RankproofError
    from .errors import SelfCheckFailed as SelfCheckFailed
    from .errors import TargetError as TargetError
    from .errors import UsageError as UsageError
    from .exact.interpolation import interpolated as interpolated
    from .exact.lifting import lifted as lifted
    from .exact.tensor_sums import added as added
    from .exact.tensor_sums import direct_sum as direct_sum
    from .exact.tensor_sums import kronecker as kronecker
    from .exact.tensor_sums import outer_product as outer_product
    from .exact.tensor_sums import permuted as permuted
    from .exact.tensor_sums import placed as placed
    from .exact.tensor_sums import with_bases_changed as with_bases_changed
    from .floors import CertifiedFloor as CertifiedFloor
    from .problem.decomposition import BorderFamily as BorderFamily
    from .problem.decomposition import Decomposition as Decomposition
    from .problem.field import CC as CC
    from .problem.field import QQ as QQ
    from .problem.field import RR as RR
    from .problem.field import Field as Field
    from .problem.field import NumberField as NumberField
    from .problem.field import gf as gf
    from .problem.parse import read_targets as read_targets
    from .problem.question import Floor as Floor
    from .problem.question import Question as Question
    from .problem.space import Space as Space
    from .problem.target import Target as Target
    from .verifier import Verdict as Verdict


def __getattr__(name: str) -> object:
    if name in _ROOMS:
        return import_module(f".{name}", __name__)
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(home, __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME, *_ROOMS})
