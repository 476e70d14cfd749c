"""What the numerics believe about widths that stay open: said beside the answers, and claimed nowhere."""

from __future__ import annotations

import json

import numpy as np
import pytest

from rankproof.bounds.explicit import decomposition_bound
from rankproof.bounds.method import Belief, Budget
from rankproof.bounds.upper.random_starts import METHOD
from rankproof.cli import main
from rankproof.exact.recover import Recovery
from rankproof.problem.field import CC, QQ, RR
from rankproof.problem.library import named
from rankproof.problem.parse import read_targets
from rankproof.prove import certify

MATMUL = named("matmul", 2, 2, 2)


def believed(monkeypatch, *, exact):
    """What the method believes about matmul(2,2,2) when the schoolbook's eight products are all that is known."""
    if not exact:
        monkeypatch.setattr("rankproof.bounds.numerical.recover", lambda *_, **__: Recovery())
    budget = Budget(60)
    schoolbook = [tuple(tuple(int(i == k) for i in range(4)) for k in word) for word, _ in MATMUL.entries]
    known = [decomposition_bound(MATMUL, "product", QQ, schoolbook)]
    found = METHOD.find(MATMUL, "product", RR, budget, np.random.default_rng(0), known)
    return found, {belief.width: belief for belief in budget.beliefs}


def test_solutions_that_could_not_be_made_exact_are_believed_and_not_claimed(monkeypatch):
    found, beliefs = believed(monkeypatch, exact=False)
    assert found == []
    assert beliefs[7].reached >= 1 and beliefs[7].residual < 1e-10
    assert beliefs[6].reached == 0 and beliefs[6].starts == 24 and beliefs[6].residual > 1e-6


def test_solutions_that_were_made_exact_are_claimed(monkeypatch):
    found, _ = believed(monkeypatch, exact=True)
    assert [(bound.claim.relation, bound.claim.value) for bound in found] == [("<=", 7)]


def test_an_open_interval_comes_with_what_the_numerics_believe():
    proof = certify(named("matmul", 2, 2, 3), border=False)
    assert {(a.lower, a.upper) for a in proof.answers} == {(10, 11)}
    assert {(b.width, b.reached) for b in proof.beliefs} == {(10, 0)}
    assert b"residual" not in proof.data and b"starts" not in proof.data


def test_about_a_closed_interval_nothing_is_believed():
    proof = certify(read_targets("x*y*z")[0], units=("tied",))
    assert all(a.lower == a.upper for a in proof.answers) and proof.beliefs == ()


def test_the_table_and_the_json_object_say_it(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    options = ("certify", "matmul(2,2,3)", "--field", "RR", "--no-border", "--no-write")
    assert main([*options]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "numerics none of" in out and "starts reaches 10 product units over RR (best residual" in out
    assert main([*options, "--json"]) == 0
    (said,) = json.loads(capsys.readouterr().out)["numerics"]
    assert (said["units"], said["field"], said["width"], said["reached"]) == ("product", "RR", 10, 0)


@pytest.mark.parametrize(
    "starts, reached, width, words",
    [
        (8, 3, 17, "3 of 8 starts reach 17 tied units over CC (residual 1e-15)"),
        (8, 1, 17, "1 of 8 starts reaches 17 tied units over CC (residual 1e-15)"),
        (24, 0, 1, "none of 24 starts reaches 1 tied unit over CC (best residual 1e-15)"),
    ],
)
def test_a_belief_in_words(starts, reached, width, words):
    assert str(Belief("tied", CC, width, starts, reached, 1e-15)) == words


def test_later_news_of_a_width_replaces_earlier():
    budget = Budget(1)
    for starts in (8, 24):
        budget.share(1).believe(Belief("tied", CC, 5, starts, 0, 0.1))
    budget.believe(Belief("tied", RR, 5, 8, 0, 0.1))
    assert [(b.field, b.starts) for b in budget.beliefs] == [(CC, 24), (RR, 8)]
