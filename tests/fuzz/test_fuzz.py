"""A sample of ``python -m tests.fuzz``: nothing but a verdict comes out, and large files cost little."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fuzz.grafting import changed, grafted, trees
from fuzz.large import FILES, MOST_MEBIBYTES, measured
from rankproof.verifier import limits, verify_bytes

WORDS = {"VERIFIED", "CONDITIONAL", "REJECTED", "UNREADABLE", "UNDECIDED"}


@settings(max_examples=150)
@given(st.integers(0, 2**32))
def test_certificates_put_together_from_parts_of_others_get_a_verdict(seed: int) -> None:
    assert verify_bytes(grafted(random.Random(seed))).word in WORDS


def test_a_change_changes_a_certificate() -> None:
    rng = random.Random(0)
    assert sum(changed(tree, rng) != tree for tree in trees()[:200]) > 150


@pytest.mark.parametrize("name", FILES)
def test_a_file_made_to_cost_gets_a_verdict_at_once(name: str) -> None:
    data = FILES[name](2**16)
    start = time.process_time()
    verdict = verify_bytes(data)
    assert verdict.word in WORDS
    assert time.process_time() - start < 3


@pytest.mark.parametrize("name", ["lists, twelve deep"])
def test_a_file_of_the_largest_size_that_is_not_parsed_costs_little(name: str) -> None:
    cost = measured(FILES[name](limits.FILE_BYTES - 2000), 60)
    assert cost.status in (3, 4)
    assert cost.mebibytes < MOST_MEBIBYTES / 10
