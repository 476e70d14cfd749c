"""A verifier with one check disabled is noticed by the corpus."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from corpus.judging import Demand, Finding, disagreements, everything, files

from mutation import checker
from mutation.checker import Loaded, Mutant, first_disagreement
from mutation.equivalent import EQUIVALENT, EQUIVALENT_BRANCHES, SHIFTED
from rankproof.verifier.document import read_document
from rankproof.verifier.reading import parse
from rankproof.verifier.refusal import Refusal

KINDS = [checker.refusals_disabled, checker.conditions_weakened, checker.boundaries_moved]


def test_the_verifier_itself_satisfies_every_demand() -> None:
    with Loaded(None) as loaded:
        assert list(disagreements(loaded.verifier.find, everything())) == []


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_no_check_can_be_disabled_unnoticed(kind: Callable[[], Iterator[Mutant]]) -> None:
    demands = everything()
    mutants = list(kind())
    survivors = [
        str(mutant)
        for mutant in mutants
        if mutant.key not in EQUIVALENT and not first_disagreement(mutant, demands)
    ]
    print(f"{len(mutants)} mutants, {len(survivors)} survive")
    assert survivors == []


@pytest.mark.slow
def test_no_branch_of_a_deciding_module_can_be_forced_unnoticed() -> None:
    demands = everything()
    mutants = [mutant for mutant in checker.branches_forced() if mutant.key not in EQUIVALENT_BRANCHES]
    assert [str(mutant) for mutant in mutants if not first_disagreement(mutant, demands)] == []


def test_every_equivalent_mutant_exists() -> None:
    keys = {mutant.key for kind in (*KINDS, checker.branches_forced) for mutant in kind()}
    assert [key for key in (*EQUIVALENT, *EQUIVALENT_BRANCHES) if key not in keys] == []
    places = {mutant.place for mutant in checker.constants_shifted()}
    assert [place for place in SHIFTED if place not in places] == []


@pytest.mark.slow
def test_no_constant_can_be_off_by_one_unnoticed() -> None:
    demands = everything()
    mutants = [m for m in checker.constants_shifted() if m.place not in SHIFTED]
    assert len(mutants) > 300
    assert [str(mutant) for mutant in mutants if not first_disagreement(mutant, demands)] == []


@pytest.mark.slow
def test_equivalent_mutants_are_not_noticed() -> None:
    demands = everything()
    mutants = [mutant for kind in KINDS for mutant in kind() if mutant.key in EQUIVALENT]
    noticed = {str(mutant): found for mutant in mutants if (found := first_disagreement(mutant, demands))}
    assert noticed == {}


# Controls: checkers that are wrong in the simplest ways must fail the same comparison.


def always_accept(demand: Demand) -> Finding:
    return "VERIFIED", "", ""


def always_refuse(demand: Demand) -> Finding:
    return "REJECTED", "claim-differs", "/steps/0/claim"


def parse_only(demand: Demand) -> Finding:
    """Reads the file as the verifier does, and believes it."""
    try:
        read_document(parse(demand.data))
    except Refusal as refusal:
        return refusal.word, refusal.code, refusal.pointer
    return "VERIFIED", "", ""


def word_only(demand: Demand) -> Finding:
    """The right word for every file, and never the reason."""
    return demand.finding[0], "", ""


@pytest.mark.parametrize(
    ("control", "least"), [(always_accept, 600), (always_refuse, 700), (parse_only, 200), (word_only, 600)]
)
def test_a_control_checker_fails(control: Callable[[Demand], Finding], least: int) -> None:
    assert len(list(disagreements(control, files()))) >= least
