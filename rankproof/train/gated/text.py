"""Text that ships with Python itself: the reference pages that ``help()`` prints."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module

import torch
from torch import Tensor

from rankproof.errors import UsageError

_SPLITS = {"training": (0.0, 0.8), "validation": (0.8, 0.9), "test": (0.9, 1.0)}


@dataclass(frozen=True)
class Corpus:
    """Bytes of a text as numbers below the size of its alphabet.

    Attributes
    ----------
    tokens
        All of them, in order.
    alphabet
        How many different bytes there are.
    sha256
        Of the bytes: another version of Python has other pages, and so other losses.
    """

    tokens: Tensor
    alphabet: int
    sha256: str

    def split(self, name: str) -> Tensor:
        """The contiguous part for training, validation or test."""
        first, last = (int(part * len(self.tokens)) for part in _SPLITS[name])
        return self.tokens[first:last]


@lru_cache(maxsize=1)
def corpus() -> Corpus:
    """The reference pages of this Python, in alphabetical order of their titles.

    Raises
    ------
    UsageError
        If this Python comes without them.
    """
    try:
        topics: dict[str, str] = import_module("pydoc_data.topics").topics
    except ImportError as error:
        raise UsageError(
            "this Python comes without its reference pages (module pydoc_data); install its full standard library"
        ) from error
    text = "\n".join(topics[title] for title in sorted(topics)).encode("utf-8")
    letters = sorted(set(text))
    place = torch.zeros(256, dtype=torch.long)
    place[letters] = torch.arange(len(letters))
    numbers = place[torch.frombuffer(bytearray(text), dtype=torch.uint8).long()]
    return Corpus(numbers, len(letters), hashlib.sha256(text).hexdigest())


__all__ = ["Corpus", "corpus"]
