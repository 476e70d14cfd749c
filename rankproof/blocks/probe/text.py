"""Text, cut into windows of tokens: one window a document as long as there are documents enough."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rankproof.errors import FormatError, UsageError

# Windows of at least so many documents are needed before documents, rather than windows, are resampled.
FEWEST_DOCUMENTS = 8


@dataclass(frozen=True)
class Windows:
    """Windows of equal length, in the order of the corpus.

    Attributes
    ----------
    ids
        Shape (windows, length), the tokens.
    documents
        Shape (windows,): number of the document a window comes from; windows of one file number themselves.
    resampled
        ``"document"`` or ``"window"``: what a bootstrap may resample.
    """

    ids: np.ndarray
    documents: np.ndarray
    resampled: str

    def __len__(self) -> int:
        return len(self.ids)

    def taken(self, which: np.ndarray) -> Windows:
        """The windows with these numbers."""
        return Windows(self.ids[which], self.documents[which], self.resampled)


def read_documents(paths: Sequence[Path], *, tagged: bool = False) -> list[str]:
    """Texts of files; a folder stands for the files in it.

    Parameters
    ----------
    paths
        Files and folders, each file one document.
    tagged
        Whether words carry their part of speech as ``word/tag``, which is cut off.

    Raises
    ------
    UsageError
        If a path does not exist.
    FormatError
        If a file is not text.
    """
    files: list[Path] = []
    for path in paths:
        if not path.exists():
            raise UsageError(f"{path} does not exist; --text takes files of plain text, or a folder of them")
        if path.is_dir():
            files += sorted(p for p in path.iterdir() if p.is_file() and not p.name.startswith("."))
        else:
            files.append(path)
    return [_text(path, tagged) for path in files]


def _text(path: Path, tagged: bool) -> str:
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise FormatError(f"{path} is not UTF-8 text: {error.reason} at byte {error.start}") from error
    return " ".join(word.rpartition("/")[0] or word for word in text.split()) if tagged else text


def cut(
    documents: Sequence[str], encode: Callable[[str], Sequence[int]], *, count: int, length: int
) -> Windows:
    """Windows from the beginnings of documents spread evenly over the corpus, then from their second pieces, and so on.

    Parameters
    ----------
    documents
        In corpus order.
    encode
        The tokenizer.
    count
        Number of windows.
    length
        Tokens in a window, at least 2.

    Raises
    ------
    UsageError
        If the text is too short.
    """
    pieces: list[list[Sequence[int]]] = []
    total = 0
    spread = _spread(len(documents), count)
    for number in spread:
        ids = encode(documents[number])
        whole = [ids[i : i + length] for i in range(0, len(ids) - length + 1, length)]
        pieces.append(whole)
        total += len(whole)
        if len(spread) < len(documents) and len(pieces) >= count and total >= count:
            break
    if total < count:
        raise UsageError(
            f"the text gives {total} windows of {length} tokens and {count} were asked for; give more text or ask for fewer rows"
        )
    taken: list[tuple[int, int]] = []
    depth = 0
    while len(taken) < count:
        taken += [(d, depth) for d, whole in enumerate(pieces) if len(whole) > depth]
        depth += 1
    taken = sorted(taken[:count], key=lambda at: (spread[at[0]], at[1]))
    ids = np.array([pieces[d][i] for d, i in taken], dtype=np.int64)
    used = np.array([d for d, _ in taken])
    if len(set(used.tolist())) >= FEWEST_DOCUMENTS:
        return Windows(ids, used, "document")
    return Windows(ids, np.arange(count), "window")


def _spread(available: int, count: int) -> list[int]:
    """Numbers of documents, the evenly spaced first, the others after them as a reserve."""
    if available <= count:
        return list(range(available))
    chosen = [i * available // count for i in range(count)]
    return chosen + sorted(set(range(available)) - set(chosen))


def deal(windows: Windows, shares: Sequence[int]) -> list[Windows]:
    """Split windows into disjoint roles, each spread evenly over the corpus and no document in two roles.

    Parameters
    ----------
    windows
        At least ``sum(shares)`` of them.
    shares
        Number of windows of each role.

    Notes
    -----
    The windows are walked in corpus order and each goes to the role that is furthest behind its share. Where documents
    gave several windows, they go together, so a role may get a few windows more or less than asked.
    """
    total = sum(shares)
    got = [0] * len(shares)
    roles: list[list[int]] = [[] for _ in shares]
    assigned: dict[int, int] = {}
    for number in range(len(windows)):
        document = int(windows.documents[number])
        if document not in assigned:
            done = number + 1
            assigned[document] = max(
                range(len(shares)), key=lambda r: (shares[r] * done / total - got[r], -r)
            )
        roles[assigned[document]].append(number)
        got[assigned[document]] += 1
    return [windows.taken(np.array(role, dtype=np.int64)) for role in roles]


def thinned(windows: Windows, count: int) -> Windows:
    """So many of the windows, evenly spaced; all of them when there are no more."""
    if count >= len(windows):
        return windows
    return windows.taken(np.arange(count) * len(windows) // count)
