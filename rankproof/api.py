"""The library's front door: `certify`, `verify` and what they return.

The prover and the verifier are imported inside the functions: checking a certificate loads no prover, and looking at
a target loads neither.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from .errors import TargetError, UsageError
from .problem.field import Field
from .problem.parse import read_targets
from .problem.target import Target
from .show.quantities import interval

if TYPE_CHECKING:
    from .bounds.method import Belief, Report
    from .certificate.document import Certificate
    from .certificate.steps import Conclusion
    from .floors import CertifiedFloor
    from .problem.decomposition import BorderFamily, Decomposition
    from .prove import Answer, Proof
    from .verifier import Verdict


@dataclass(frozen=True, repr=False)
class Result:
    """What `certify` found: answers, and the certificate that the verifier accepted.

    Attributes
    ----------
    proof
        The prover's full result, with the certificate's exact bytes.
    floors
        With ``floor=True``: the floors of smaller widths, each with ``units``, ``quantity.width`` and ``lower``, the value.
    """

    proof: Proof
    floors: tuple[Conclusion, ...] = ()

    @property
    def target(self) -> Target:
        """The target that was asked about."""
        return self.proof.target

    @property
    def answers(self) -> tuple[Answer, ...]:
        """One answer a question: units, field, quantity, lower and upper bound, and the reason for each."""
        return self.proof.answers

    @property
    def certificate(self) -> Certificate:
        """The certificate; `Certificate.write` saves it."""
        return self.proof.certificate

    @property
    def verdict(self) -> Verdict:
        """The verifier's verdict on the certificate's bytes."""
        return self.proof.verdict

    @property
    def report(self) -> Report:
        """What every method did: found, nothing found, not applicable or skipped, and why."""
        return self.proof.report

    @property
    def beliefs(self) -> tuple[Belief, ...]:
        """What floating point suggests about widths that the answers leave open; it is claimed nowhere."""
        return self.proof.beliefs

    def answer(
        self, units: str | None = None, field: str | Field | None = None, quantity: str = "rank"
    ) -> Answer:
        """Select the answer to one question.

        Parameters
        ----------
        units, field, quantity
            What to look for; ``None`` matches everything.

        Raises
        ------
        UsageError
            If no answer or more than one matches.

        Examples
        --------
        >>> import rankproof as rp
        >>> result = rp.certify("x**2*y", units="tied,untied", field="CC")
        >>> result.answer("tied", quantity="border_rank").upper
        2
        """
        wanted = None if field is None else str(field)
        found = [
            answer
            for answer in self.answers
            if (units is None or answer.units == units)
            and (wanted is None or str(answer.field) == wanted)
            and answer.quantity == quantity
        ]
        if len(found) == 1:
            return found[0]
        asked = ", ".join(f"({a.units}, {a.field}, {a.quantity})" for a in self.answers)
        raise UsageError(f"{len(found)} answers match; name one of {asked} by answer(units, field, quantity)")

    @property
    def lower(self) -> int:
        """The lower bound, when exactly one question about a rank was asked."""
        return self.answer().lower

    @property
    def upper(self) -> int | None:
        """The upper bound, when exactly one question about a rank was asked; ``None`` where none was found."""
        return self.answer().upper

    def _repr_html_(self) -> str:
        return self.certificate._repr_html_()

    def __repr__(self) -> str:
        parts = [
            f"{answer.units} {str(answer.quantity).replace('_', ' ')} over {answer.field}: "
            f"{interval(answer.lower, answer.upper)}"
            for answer in self.answers
        ]
        return f"<Result {self.target.text}: {'; '.join(parts)}>"


@dataclass(frozen=True)
class SchemeResult:
    """Somebody's scheme and what the verifier says about it.

    Attributes
    ----------
    label
        ``file:key``, or ``file`` when the file holds one scheme.
    target
        What the scheme was compared with; None when nobody named a target and the sizes determine none.
    decomposition
        The products in the target's own coordinates: a `Decomposition`, or a `BorderFamily` for a scheme that depends on
        eps; None unless the verifier accepted it. Its ``to_numpy()`` gives the factor matrices.
    convention
        The index convention of the file, in words.
    reason
        Why the scheme was not accepted, or what to know about it; empty as a rule.
    data
        The bytes of the certificate that the verifier judged; None when there was nothing to judge.
    verdict
        The verifier's verdict on these bytes; None when there are none.
    """

    label: str
    target: Target | None
    decomposition: Decomposition | BorderFamily | None
    convention: str
    reason: str
    data: bytes | None
    verdict: Verdict | None

    @property
    def ok(self) -> bool:
        """Whether the verifier accepted the scheme."""
        return self.verdict is not None and self.verdict.ok


def read_schemes(
    path: str | os.PathLike[str],
    target: object = None,
    *,
    ring: str | None = None,
    key: str | None = None,
) -> list[SchemeResult]:
    """Read and verify the schemes of a file in any of the formats of docs/formats.md.

    Parameters
    ----------
    path
        The file.
    target
        What the schemes are to decompose; by default what the file says, else the product of its sizes.
    ring
        ``ZZ``, ``QQ``, ``GF(p)`` or a number field: check over this ring only.
    key
        Read the scheme of this key only.

    Raises
    ------
    FormatError
        If the file cannot be read.
    TargetError, UsageError
        If the target, the ring or the key is none.

    Examples
    --------
    >>> import rankproof as rp
    >>> _ = Path("karatsuba.txt").write_text("m = (a1 + a2)(b1 + b2)\\nc1 = a1 b1\\nc3 = a2 b2\\nc2 = m - c1 - c3\\n")
    >>> (scheme,) = rp.read_schemes("karatsuba.txt")
    >>> scheme.ok, scheme.target.text, len(scheme.decomposition)
    (True, 'polymul(2,2)', 3)
    >>> Path("karatsuba.txt").unlink()
    """
    from .formats.checking import verify_input
    from .verifier import verify_bytes

    wanted = None if target is None else _target(target, None, False)
    results: list[SchemeResult] = []
    for found in verify_input(path, wanted, ring, key=key):
        verdict = None if found.data is None else verify_bytes(found.data)
        match = found.match
        proof = match.proof if match is not None and verdict is not None and verdict.ok else None
        about = wanted if match is None else match.target
        refused = "" if verdict is None or verdict.ok else verdict.message
        reason = found.problem or refused or found.note
        results.append(SchemeResult(found.label, about, proof, found.convention, reason, found.data, verdict))
    return results


def certify(
    target: object,
    *,
    units: str | Iterable[str] | None = None,
    field: str | Field | Iterable[str | Field] | None = None,
    border: bool = True,
    budget: float = 10,
    seed: int = 0,
    theorems: bool = False,
    floor: bool = False,
    affine: bool = False,
    progress: Callable[[str], None] | None = None,
) -> Result:
    """Search for bounds on a target and prove them.

    Parameters
    ----------
    target
        A `Target`; text such as ``"x**2*y"``, ``"x**2-y**2; 2*x*y"`` or ``"matmul(2,2,3)"``; a sympy expression or
        a list of them; an array of integers of order k, read as a tensor. Floats are refused.
    units
        Unit models, as ``"tied,untied"`` or a list. Default: tied and untied for polynomials and maps, product for
        tensors.
    field
        Fields over which the questions are asked, as ``"QQ,GF(7)"``, a `Field` or a list. Default: QQ, RR and CC
        for a rational target.
    border
        Ask about border rank too.
    budget
        Seconds for the search.
    seed
        Seed of every random choice; recorded in the certificate.
    theorems
        Allow rules that rest on a published theorem; the verdict is then CONDITIONAL and names them.
    floor
        Add the floors of all widths below the border width, as `floor` proves them: how close so few units come at most.
    affine
        Replace an inhomogeneous polynomial by its homogenisation, for units with biases.
    progress
        Called with one line of text whenever the search turns to another method.

    Returns
    -------
    Result
        With ``.answers``, ``.certificate``, ``.report``, and ``.lower`` and ``.upper`` when exactly one question
        about a rank was asked.

    Raises
    ------
    TargetError
        If the target cannot be read.
    UsageError
        If units or a field are unknown, do not fit the target, or the target falls into several degrees.
    NothingProved
        If no bound was found within the budget.

    Examples
    --------
    >>> import rankproof as rp
    >>> result = rp.certify("x**2*y", units="tied", field="CC")
    >>> result.lower, result.upper
    (3, 3)
    >>> rp.verify(result.certificate).ok
    True
    """
    from .prove import certify as prove_certify

    fields = _fields(field)
    proof = prove_certify(
        _target(target, _ring(fields), affine),
        units=_units(units),
        fields=fields,
        border=border,
        budget=budget,
        seed=seed,
        theorems=theorems,
        command="rankproof.certify",
        progress=progress,
    )
    if not floor:
        return Result(proof)
    from .floors import with_floors

    certificate, verdict, floors = with_floors(proof.certificate, seed=seed)
    longer = replace(proof, certificate=certificate, data=certificate.to_bytes(), verdict=verdict)
    return Result(longer, floors)


def floor(
    target: object,
    *,
    units: str = "tied",
    width: int,
    loss: str = "gaussian",
    scale: int | Fraction = 1,
    sharper: bool = False,
    seed: int = 0,
    affine: bool = False,
) -> CertifiedFloor:
    """Prove that no network of so many units comes closer to a target than some loss.

    Parameters
    ----------
    target
        As for `certify`; rational coefficients.
    units
        Name of a unit model.
    width
        Number of units.
    loss
        ``gaussian``: E|f - g|^2 for x ~ N(0, scale I), g any polynomial of degree at most that of the target whose part of top
        degree is a sum of units, so that biases and lower layers' terms are covered. ``uniform`` and ``rademacher``: the same
        on the cube [-s, s]^n and on {-s, s}^n, s^2 the scale. ``sphere``: on the sphere of squared radius ``scale``, without
        biases. ``frobenius``: the squared distance of the symmetric tensors.
    scale
        Square of the length by which inputs are multiplied; the variance of Gaussian inputs.
    sharper
        Search for weights of the variables that prove more. For ``uniform`` and ``rademacher`` weights are always searched for.
    seed
        Seed of that search.
    affine
        Replace an inhomogeneous polynomial by its homogenisation.

    Returns
    -------
    CertifiedFloor
        With ``.value``, an exact rational (0 when nothing is proved), and ``.certificate``.

    Raises
    ------
    TargetError, UsageError
        If the target cannot be read, or the units or the loss do not fit it.

    Examples
    --------
    >>> import rankproof as rp
    >>> found = rp.floor("x*y*z", units="tied", width=1)
    >>> found.value
    Fraction(2, 3)
    >>> rp.verify(found.certificate).statements
    ('tied gaussian floor at width 1 of x*y*z >= 2/3 over RR',)
    """
    from .floors import certified_floor, loss_named
    from .problem.question import Floor

    asked = Floor(loss_named(loss), width, Fraction(scale))
    return certified_floor(
        _target(target, None, affine), units, asked, sharper=sharper, seed=seed, command="rankproof.floor"
    )


def parse(text: str, *, ring: Field | None = None, affine: bool = False) -> Target:
    """Read one target from text.

    Parameters
    ----------
    text
        A polynomial, several separated by ``;``, or a named target such as ``matmul(2,2,3)``.
    ring
        Where the coefficients live; default QQ, or the number field of the roots that occur.
    affine
        Read an inhomogeneous polynomial as its homogenisation.

    Raises
    ------
    TargetError
        If the text is not a target, or not homogeneous; `read_targets` returns one target a degree.

    Examples
    --------
    >>> import rankproof as rp
    >>> rp.parse("x**2*y").space.degree
    3
    """
    targets = read_targets(text, affine=affine, ring=ring)
    if len(targets) != 1:
        degrees = ", ".join(str(target.space.form_degree) for target in targets)
        raise TargetError(
            f"{text} has parts of degree {degrees}; take one of read_targets(...), or affine=True for its homogenisation"
        )
    return targets[0]


def verify(
    certificate: bytes | str | os.PathLike[str] | Certificate,
    *,
    accept_theorems: Iterable[str] = (),
    expect: str | None = None,
    weights: Iterable[str | os.PathLike[str]] = (),
) -> Verdict:
    """Check a certificate with the independent verifier.

    Parameters
    ----------
    certificate
        The bytes of a certificate, the path of a file, or a `Certificate`, whose canonical bytes are checked.
    accept_theorems
        Names of published theorems to accept; a certificate that rests on others is CONDITIONAL.
    expect
        A statement that the certificate must prove; a valid certificate of something else is rejected.
    weights
        Files of weights, or their folders, for a target that is a block of a model; without them such a certificate is
        UNDECIDED.

    Returns
    -------
    Verdict
        ``verdict.ok`` is true when every statement is verified; ``verdict.statements`` says what they are.

    Raises
    ------
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> import rankproof as rp
    >>> rp.verify(b"{}").word
    'UNREADABLE'
    """
    from .verifier import verify_bytes

    if isinstance(certificate, (bytes, bytearray, memoryview)):
        read = bytes(certificate)
    elif isinstance(certificate, (str, os.PathLike)):
        read = Path(certificate).read_bytes()
    else:
        read = certificate.to_bytes()
    return verify_bytes(
        read,
        accept_theorems=frozenset(accept_theorems),
        expect=expect,
        weights=[os.fspath(path) for path in weights],
    )


def _target(target: object, ring: Field | None, affine: bool) -> Target:
    """Read whatever a caller may hand over as a target."""
    if isinstance(target, Target):
        return target
    if isinstance(target, str):
        return parse(target, ring=ring, affine=affine)
    if _is_sympy(target):
        return Target.from_sympy(target)
    if isinstance(target, Sequence) and target:
        if all(isinstance(output, str) for output in target):
            return parse("; ".join(target), ring=ring, affine=affine)
        if all(_is_sympy(output) for output in target):
            return Target.from_sympy(list(target))
    elif not hasattr(target, "shape"):
        raise TargetError(
            f"a {type(target).__name__} is not a target; give text, a Target, a sympy expression or an array of integers"
        )
    return Target.from_array(target)


def _is_sympy(value: object) -> bool:
    # Asked without importing sympy: whoever holds one of its expressions has imported it already.
    return any(kind.__module__.partition(".")[0] == "sympy" for kind in type(value).__mro__)


def _units(units: str | Iterable[str] | None) -> tuple[str, ...] | None:
    if units is None:
        return None
    names = units.split(",") if isinstance(units, str) else units
    return tuple(name.strip() for name in names)


def _fields(field: str | Field | Iterable[str | Field] | None) -> tuple[Field, ...] | None:
    if field is None:
        return None
    if isinstance(field, Field):
        return (field,)
    names = field.split(",") if isinstance(field, str) else field
    return tuple(name if isinstance(name, Field) else Field.parse(name.strip()) for name in names)


def _ring(fields: tuple[Field, ...] | None) -> Field | None:
    """The number field in which to read coefficients, where one was asked for."""
    for field in fields or ():
        if field.number_field is not None:
            return field
    return None
