"""Plots; matplotlib is an optional extra, imported when one is drawn."""

from __future__ import annotations

import io
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankproof.certificate.whole import write_whole
from rankproof.errors import UsageError

if TYPE_CHECKING:
    from rankproof.bounds.generic import GenericWidth

MARKERS = "osD^vP*X"


def generic_widths(widths: Sequence[GenericWidth], path: Path) -> None:
    """Draw units, input projections and parameters against the number of variables, and write the picture.

    Parameters
    ----------
    widths
        Of one degree and one number of outputs. Open intervals are drawn as error bars below the upper bound.
    path
        Its ending chooses the format: .png, .pdf, .svg.

    Raises
    ------
    UsageError
        If matplotlib is not installed, or does not know the format.
    """
    figure: Any = figure_of(11, 3.6)
    axes: Any = figure.subplots(1, 3)
    kinds = list(dict.fromkeys(w.units for w in widths))
    for place, (title, each) in enumerate(
        (
            ("units", lambda w: 1),
            ("input projections", lambda w: w.projections),
            ("parameters", lambda w: w.cone),
        )
    ):
        axis = axes[place]
        for kind, marker in zip(kinds, MARKERS * len(kinds), strict=False):
            own = [w for w in widths if w.units == kind]
            below = [(w.upper - w.lower) * each(w) for w in own]
            axis.errorbar(
                [w.variables for w in own],
                [w.upper * each(w) for w in own],
                yerr=[below, [0] * len(own)],
                marker=marker,
                capsize=3,
                label=kind,
            )
        axis.set_title(title)
        axis.set_xlabel("variables")
        axis.set_xticks(sorted({w.variables for w in widths}))
        axis.set_ylim(bottom=0)
    axes[0].legend(frameon=False)
    first = widths[0]
    outputs = "" if first.outputs == 1 else f", {first.outputs} outputs"
    figure.suptitle(f"what almost all forms of degree {first.degree} need over CC{outputs}")
    save(figure, path)


def figure_of(width: float, height: float) -> Any:
    """An empty figure of so many inches."""
    return _matplotlib("matplotlib.figure").Figure(figsize=(width, height), layout="constrained")


def save(figure: Any, path: Path) -> None:
    """Write a figure; the same figure makes the same file.

    Raises
    ------
    UsageError
        If matplotlib does not know the format.
    """
    # Without a date, and with a fixed salt for the names inside.
    picture = io.BytesIO()
    dates = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
    try:
        with _matplotlib("matplotlib").rc_context({"svg.hashsalt": "rankproof"}):
            figure.savefig(picture, format=path.suffix[1:] or "png", metadata=dates.get(path.suffix))
    except ValueError as error:
        raise UsageError(f"{path}: {' '.join(str(error).split())}") from error
    write_whole(path, picture.getvalue())


def _matplotlib(module: str) -> Any:
    try:
        return import_module(module)
    except ImportError as error:
        raise UsageError("a plot needs matplotlib: pip install 'rankproof[plot]'") from error
