"""The kinds of failure and the process status each of them gives."""

from __future__ import annotations

import pytest

from rankproof import errors


@pytest.mark.parametrize(
    "kind, status",
    [
        (errors.UsageError, 2),
        (errors.TargetError, 3),
        (errors.FormatError, 3),
        (errors.NothingProved, 4),
        (errors.SelfCheckFailed, 70),
        (errors.RankproofError, 70),
    ],
)
def test_a_failure_has_the_exit_status_that_the_command_line_documents(kind, status):
    assert issubclass(kind, errors.RankproofError)
    assert kind("words").exit_status == status


def test_no_failure_exits_like_success_or_like_a_rejected_certificate():
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, Exception)]
    assert {kind.exit_status for kind in kinds} & {0, 1} == set()
