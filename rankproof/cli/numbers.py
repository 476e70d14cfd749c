"""Options that are numbers: what argparse calls to read them, with one sentence for what is none."""

from __future__ import annotations

from argparse import ArgumentTypeError

_MOST = 10**9


def positive(text: str) -> int:
    """A count of at least one thing.

    Examples
    --------
    >>> positive("23")
    23
    """
    if not (text.isascii() and text.isdigit() and 0 < int(text) < _MOST):
        raise ArgumentTypeError(f"{text!r} is not a positive integer")
    return int(text)


def natural(text: str) -> int:
    """A count or index that may be 0.

    Examples
    --------
    >>> natural("0")
    0
    """
    if not (text.isascii() and text.isdigit() and int(text) < _MOST):
        raise ArgumentTypeError(f"{text!r} is not a natural number")
    return int(text)


def seed(text: str) -> int:
    """The seed of a random generator, of any size.

    Examples
    --------
    >>> seed("12345678901234567890")
    12345678901234567890
    """
    if not (text.isascii() and text.isdigit()):
        raise ArgumentTypeError(f"{text!r} is not a seed; give an integer that is not negative")
    return int(text)


def seconds(text: str) -> float:
    """A time that is not zero.

    Examples
    --------
    >>> seconds("0.5")
    0.5
    """
    try:
        value = float(text)
    except ValueError:
        raise ArgumentTypeError(f"{text!r} is not a number of seconds") from None
    if not 0 < value < _MOST:
        raise ArgumentTypeError(f"{text} is not a positive number of seconds")
    return value


__all__ = ["natural", "positive", "seconds", "seed"]
