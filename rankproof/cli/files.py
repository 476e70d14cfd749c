"""Names of the files a command writes, and what it may overwrite."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from rankproof.errors import RankproofError, UsageError

if TYPE_CHECKING:
    from rankproof.problem.target import Target

MAX_STEM = 60
"""Longest name made from a target, without its extension: readable in a listing, and safe on every file system."""

_MARK = b'"rankproof-certificate"'
# The canonical form has the format's name in its first line; a certificate by another program may have it later.
_MARK_WITHIN = 1 << 16


def file_name(text: str, extension: str = ".json") -> str:
    """A safe file name for a target.

    Parameters
    ----------
    text
        What the target is called.
    extension
        With its dot.

    Returns
    -------
    str
        Letters, digits and ``+ - _ .``, starting with a letter, a digit or ``_``. A text too long for a name is cut,
        and told apart from others with the same beginning by a hash.

    Examples
    --------
    >>> file_name("x**2*y"), file_name("matmul(2,2,3)"), file_name("x**2 - 1/2*y**2; x*y")
    ('x2y.json', 'matmul-2-2-3.json', 'x2-1_2y2_xy.json')
    >>> file_name("(x + y)**3")
    'x+y_3.json'
    """
    stem = re.sub(r"[\s*]+", "", text)
    # The parameters of a name are separate words; parentheses in a polynomial only need to leave a trace.
    stem = re.sub(r"[(),]+", "-" if re.fullmatch(r"\w+\([\d,]*\)", stem) else "_", stem)
    stem = re.sub(r"[^A-Za-z0-9+._-]", "_", stem).strip(".-_")
    if not re.match(r"[A-Za-z0-9_]", stem):
        stem = f"_{stem}"
    if len(stem) > MAX_STEM:
        stem = f"{stem[: MAX_STEM - 9].rstrip('.-+_')}-{_digest(text)}"
    return stem + extension


def free_name(path: Path, target: Target) -> Path:
    """The path, or one with another name when it holds a certificate of another target.

    Parameters
    ----------
    path
        A name made from the text of the target, which other targets may share: ``x2`` is ``x**2`` or ``x*2``.
    target
        What the certificate is going to be about.
    """
    if not path.is_file() or not is_certificate(path) or _is_about(path, target):
        return path
    return path.with_name(f"{path.stem}-{_digest(target.text)}{path.suffix}")


def _is_about(path: Path, target: Target) -> bool:
    from rankproof.certificate.document import Certificate

    try:
        return Certificate.from_bytes(path.read_bytes()).target == target
    except RankproofError:
        return False  # a broken certificate may be about anything, and is somebody's to repair


def _digest(text: str) -> str:
    import hashlib

    return hashlib.sha256(text.encode()).hexdigest()[:8]


def is_certificate(path: Path) -> bool:
    """Whether a file says near its beginning that it is a rankproof certificate, right or wrong."""
    with path.open("rb") as file:
        return _MARK in file.read(_MARK_WITHIN)


def check_writable(path: Path) -> None:
    """Make sure, before a long search, that a certificate may be written to a path.

    Parameters
    ----------
    path
        Where it is to go.

    Raises
    ------
    UsageError
        If the folder is missing, or the file exists and is no certificate of ours.
    """
    if not path.parent.is_dir():
        raise UsageError(
            f"{path}: the folder {path.parent} does not exist; create it, or choose another file with -o"
        )
    if not path.exists():
        return
    if path.is_dir():
        raise UsageError(f"{path} is a folder; give the name of a file with -o")
    if path.is_file() and not is_certificate(path):
        raise UsageError(
            f"{path} exists and is not a rankproof certificate; choose another file with -o, or remove it first"
        )
