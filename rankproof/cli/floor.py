"""``rankproof floor``: the least loss that so few units can reach, bounded from below and proved."""

from __future__ import annotations

import json
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from rankproof.cli import asking, numbers
from rankproof.cli.command import Command
from rankproof.cli.files import check_writable, file_name, free_name
from rankproof.errors import NothingProved, UsageError

if TYPE_CHECKING:
    from rankproof.floors import CertifiedFloor
    from rankproof.problem.target import Target

_DESCRIPTION = """\
Prove a lower bound for the loss of every network of so many units, whatever its
weights: 'my block of this width cannot do better'. At and beyond the border
width there is no such bound, since so many units come arbitrarily close; then
nothing is written."""

_EXAMPLES = """\
examples:
  rankproof floor "x*y*z" --width 1                    2/3, tied units
  rankproof floor "x*y*z" --width 1 --units untied     1/3
  rankproof floor "(x**2+y**2)**2" --width 2 --loss frobenius
  rankproof floor "x**2*y" --width 2 --weights-at 1/1000   large weights
  rankproof floor "x*y" --width 1 --scale 1/4          inputs of variance 1/4
  rankproof floor "x**2*y" --width 1 --sharper         1, and without it 2/3
  rankproof floor "x*y*z" --width 1 --loss uniform     2/135
  rankproof floor "matmul(2,2,2)" --units product --width 3 --loss frobenius

With --weights-at EPS the question is another one, for widths from the border
width to the width: sums of so many tied units come as close as one likes, and
how large do they have to be? Proved is a lower bound for the sum of |c| |a|^d
over the units c a^d of every sum within the Bombieri distance EPS.

losses (mean over the inputs of |f - g|^2; the page of the rule has them exactly):
  gaussian    x ~ N(0, scale I); g may have any terms of lower degree
  uniform     x uniform on the cube [-r, r]^n, r^2 = scale, rademacher its corners
  sphere      x uniform on the sphere of radius r, r^2 = scale
  frobenius   squared norm of the difference of the symmetric tensors

exit status:
  0  a certificate was written      2  wrong usage
  3  the target cannot be read      4  no positive floor was proved"""


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument("target", metavar="TARGET", help=asking.HELP)
    parser.add_argument(
        "--weights-at",
        metavar="EPS",
        type=_error,
        help="how large tied units have to be within this Bombieri distance of the target, instead of a loss",
    )
    parser.add_argument("--width", metavar="W", type=numbers.natural, required=True, help="how many units")
    parser.add_argument(
        "--units",
        metavar="NAME",
        default=None,
        help="tied, untied, mixed:k, split or product (default: tied)",
    )
    parser.add_argument("--loss", metavar="NAME", default=None, help="see below (default: gaussian)")
    parser.add_argument(
        "--scale", metavar="S", type=_scale, default=Fraction(1), help="squared length of inputs (default: 1)"
    )
    parser.add_argument(
        "--sharper", action="store_true", help="search for weights of the variables that prove more"
    )
    parser.add_argument(
        "--seed", metavar="N", type=numbers.seed, default=0, help="seed of that search (default: 0)"
    )
    parser.add_argument(
        "-o", dest="output", metavar="FILE", type=Path, help="the certificate (default: a name)"
    )
    parser.add_argument(
        "--no-write", action="store_true", help="write no certificate; it is checked all the same"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object (schema rankproof/floor/1)")


def _run(arguments: Namespace) -> int:
    from rankproof.floors import certified_floor, loss_named
    from rankproof.problem.question import Floor
    from rankproof.problem.units import unit_model

    targets = asking.read_target(arguments.target)
    if len(targets) > 1:
        raise UsageError("a floor is about one degree: give the terms of highest degree, which decide it")
    (asked,) = targets
    target = asked.target
    tensor = target.space.is_tensor and not target.space.is_polynomial
    units = unit_model(arguments.units or ("product" if tensor else "tied")).name
    loss = loss_named(arguments.loss or ("frobenius" if units == "product" else "gaussian"))
    floor = Floor(loss, arguments.width, arguments.scale)
    if arguments.weights_at is not None:
        if arguments.loss or arguments.scale != 1 or units != "tied":
            raise UsageError("--weights-at is about the size of tied units and takes no loss and no scale")
        floor = Floor("size", arguments.width, arguments.weights_at**2)
    path = None if arguments.no_write else _path(arguments, asked.called, target)
    found = certified_floor(
        target, units, floor, sharper=arguments.sharper, seed=arguments.seed, command=arguments.command_line
    )
    if found.certificate is None:
        said = f"no positive {floor.loss} floor is proved for {units} width {floor.width} of {target.text}: {found.reason}"
        if floor.loss not in (
            "rademacher",
            "size",
        ):  # there a network can be exact that is far from the target as a polynomial
            said += "; 'rankproof certify' says whether so many units come arbitrarily close"
        raise NothingProved(said)
    if path is not None:
        found.certificate.write(path)
    print(json.dumps(_object(found, path)) if arguments.json else _text(found, path))
    return 0


def _path(arguments: Namespace, called: str, target: Target) -> Path:
    chosen: Path | None = arguments.output
    path = chosen if chosen is not None else free_name(Path(file_name(called, "-floor.json")), target)
    check_writable(path)
    return path


def _object(found: CertifiedFloor, path: Path | None) -> dict[str, object]:
    return {
        "schema": "rankproof/floor/1",
        "target": found.target.text,
        "units": found.units,
        "width": found.floor.width,
        "loss": found.floor.loss,
        "scale": str(found.floor.scale),
        "floor": str(found.value),
        **({"error": _root(found.floor.scale)} if found.floor.loss == "size" else {}),
        "certificate": None if path is None else str(path),
        "verified": found.verdict is not None and found.verdict.ok,
    }


def _text(found: CertifiedFloor, path: Path | None) -> str:
    from rankproof.show.quantities import plural, size_in_words

    floor, value = found.floor, found.value
    if floor.loss == "size":
        return _sizes(found, path)
    scaled = "" if floor.scale == 1 else f" (scale {floor.scale})"
    about = "" if value.denominator == 1 else f" = {float(value):.6g}"
    size = size_in_words(len(found.certificate.to_bytes())) if found.certificate else ""
    lines = [
        ("target", found.target.text),
        (
            "floor",
            f"{plural(floor.width, f'{found.units} unit')}: {floor.loss} loss{scaled} >= {value}{about}",
        ),
        ("because", found.reason),
        ("wrote" if path else "not written", f"{path or ''}   {size}, checked by the verifier".strip()),
    ]
    return "\n".join(f"{label:<13}{words}" for label, words in lines)


def _sizes(found: CertifiedFloor, path: Path | None) -> str:
    from rankproof.show.quantities import plural, size_in_words

    floor, value, d = found.floor, found.value, found.target.space.form_degree
    about = "" if value.denominator == 1 else f" = {float(value):.6g}"
    size = size_in_words(len(found.certificate.to_bytes())) if found.certificate else ""
    within = f"{plural(floor.width, 'tied unit')} within {_root(floor.scale)}"
    lines = [
        ("target", found.target.text),
        ("weights", f"{within}: sum of |c| |a|^{d} over the units >= {value}{about}"),
        ("because", found.reason),
        ("wrote" if path else "not written", f"{path or ''}   {size}, checked by the verifier".strip()),
    ]
    return "\n".join(f"{label:<13}{words}" for label, words in lines)


def _root(square: Fraction) -> str:
    """The distance whose square the floor is about."""
    from math import isqrt

    return str(Fraction(isqrt(square.numerator), isqrt(square.denominator)))


def _error(text: str) -> Fraction:
    return _positive(text, "a distance", "1/1000")


def _scale(text: str) -> Fraction:
    return _positive(text, "a scale", "1/4")


def _positive(text: str, what: str, example: str) -> Fraction:
    try:
        found = Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise ArgumentTypeError(
            f"{text!r} is not {what}; give a positive rational such as {example}"
        ) from None
    if found <= 0:
        raise ArgumentTypeError(f"{text} is not positive")
    return found


COMMAND = Command(
    name="floor",
    summary="prove that so few units cannot have a smaller loss",
    description=_DESCRIPTION,
    examples=_EXAMPLES,
    configure=_configure,
    run=_run,
)
