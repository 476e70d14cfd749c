"""The kinds of failure a caller can meet, split by who has to act.

Every message is a sentence for a person: what was asked, where it went wrong and how to repair it. `exit_status` is the
process status the command line gives when the error reaches it.
"""

from __future__ import annotations


class RankproofError(Exception):
    """Any failure that rankproof reports in words."""

    exit_status: int = 70


class UsageError(RankproofError):
    """An option or an argument is wrong: the caller repairs the call."""

    exit_status = 2


class NumberTooLong(UsageError):
    """A number has more digits than a certificate may hold; who makes bounds does without this one."""


class TargetError(RankproofError):
    """The text, array or file given as a target is not one: the caller repairs the target."""

    exit_status = 3


class FormatError(RankproofError):
    """Somebody's file cannot be read in the format it claims to have."""

    exit_status = 3


class NothingProved(RankproofError):
    """The methods ran and no bound came out within the budget."""

    exit_status = 4


class WorkerLost(RankproofError):
    """A process or a machine that did part of the work is gone; what it had finished is kept."""


class SelfCheckFailed(RankproofError):
    """The verifier refused what the prover made: a defect of rankproof, never of the input."""

    exit_status = 70
