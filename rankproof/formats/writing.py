"""The formats that schemes are written in, and the one function that writes them all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rankproof.errors import UsageError
from rankproof.formats import alphatensor, fast_matmul, json_matrices, latex, macaulay2, product_lines
from rankproof.formats.listing import Products
from rankproof.formats.proof import certificate_of


@dataclass(frozen=True)
class Writer:
    """A format that products are written in.

    Attributes
    ----------
    name
        Name on the command line.
    summary
        One line for a list of formats.
    suffix
        Of the files that are written in this format unless another one is asked for; empty when none is.
    write
        The bytes of a file; raises UsageError when the format has no spelling for the products.
    """

    name: str
    summary: str
    suffix: str
    write: Callable[[Products], bytes]


def _certificate(products: Products) -> bytes:
    return certificate_of(products.target, products.proof, {"source": products.source}).to_bytes()


WRITERS: tuple[Writer, ...] = (
    Writer("certificate", "our certificate, which the verifier checks", ".json", _certificate),
    Writer(product_lines.NAME, product_lines.SUMMARY, ".exp", product_lines.write),
    Writer(
        "npz", "numpy .npz without pickles: arrays u, v, w, columns are products", ".npz", alphatensor.write
    ),
    Writer(json_matrices.NAME, json_matrices.SUMMARY, "", json_matrices.write),
    Writer(fast_matmul.NAME, fast_matmul.SUMMARY, ".txt", fast_matmul.write),
    Writer(macaulay2.NAME, macaulay2.SUMMARY, ".m2", macaulay2.write),
    Writer(latex.NAME, latex.SUMMARY, ".tex", latex.write),
)


def writer_of(name: str | None, file_name: str) -> Writer:
    """The writer of a format, or of a file name where no format is asked for.

    Raises
    ------
    UsageError
        If there is none.
    """
    if name is not None:
        for writer in WRITERS:
            if writer.name == name:
                return writer
        raise UsageError(
            f"no format {name!r} is written; there are {', '.join(writer.name for writer in WRITERS)}"
        )
    for writer in WRITERS:
        if writer.suffix and file_name.lower().endswith(writer.suffix):
            return writer
    known = ", ".join(f"{writer.suffix} ({writer.name})" for writer in WRITERS if writer.suffix)
    raise UsageError(
        f"{file_name} does not say which format to write; name one with --format, or use an ending: {known}"
    )
