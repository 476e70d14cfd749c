"""Damaged certificates are refused, or still true."""

from __future__ import annotations

import json
from dataclasses import replace
from math import prod

import numpy as np
import pytest
from corpus.judging import accepted, files

from mutation.__main__ import campaign
from mutation.attacked import WITHSTOOD, attack
from mutation.certificates import WITHIN_REACH, Damager, Tally, accepted_files
from mutation.damage import damaged_trees
from mutation.oracle import FALSE, TRUE, UNKNOWN, judge
from mutation.oracle.tensors import all_ranks
from rankproof.verifier import RULES

ACCEPTED = [(demand.name, demand.data) for demand in files() if demand.name.startswith("accept/")]


def is_within_reach(data: bytes) -> bool:
    tree = json.loads(data)
    return "block" not in tree["target"] and {step["rule"] for step in tree["steps"]} <= WITHIN_REACH


def test_no_damaged_certificate_is_accepted_and_false() -> None:
    damager = Damager()
    for name, data in accepted_files(ACCEPTED):
        damager.damage(name, data, most=40, bytewise=4)
    print(damager.tally.line())
    assert damager.tally.findings == []
    assert damager.tally.counts["refused"] > 5_000
    assert damager.tally.counts[TRUE] > 200
    assert damager.tally.counts["repaired"] > 100


@pytest.mark.slow
def test_no_certificate_damaged_at_any_node_is_accepted_and_false() -> None:
    damager = Damager()
    for name, data in accepted_files(ACCEPTED):
        damager.damage(name, data)
    print(damager.tally.line())
    assert damager.tally.findings == []


@pytest.mark.parametrize("name", [name for name, data in accepted_files(ACCEPTED) if is_within_reach(data)])
def test_the_oracle_knows_that_an_accepted_file_is_true(name: str) -> None:
    assert judge(json.loads(dict(ACCEPTED)[name])) == (TRUE, "")


# Controls: the oracle must be able to say no.


@pytest.mark.parametrize(
    ("path", "pointer", "bound", "value"),
    [
        ("decomposition/x2y-three-cubes", 0, "upper", 1),
        ("decomposition/strassen", 0, "upper", 3),
        ("flattening/x2y", 0, "lower", 4),
        ("quadric/sum-untied-cc", 0, "lower", 2),
        ("quadric/sum-untied-gf3", 0, "upper", 1),
        ("quadric/three-squares-minus-at-3", 0, "upper", 2),
        ("quadric/arf-one-modulo-2", 0, "upper", 1),
        ("quadric/positive-root-over-rr", 0, "upper", 1),
        ("coprime-monomials/xyz-and-uvw", 0, "upper", 7),
        ("border-family/x2y-tangent", 0, "lower", 3),
    ],
)
def test_the_oracle_finds_a_false_bound_false(path: str, pointer: int, bound: str, value: int) -> None:
    tree = json.loads(accepted(path))
    tree["conclusion"][pointer][bound] = value
    if path == "flattening/x2y":
        # Above what is known, and below every upper bound: only an upper bound makes it false.
        assert judge(tree)[0] == UNKNOWN
        tree["steps"].append(json.loads(accepted("decomposition/x2y-three-cubes"))["steps"][0])
    assert judge(tree)[0] == FALSE


@pytest.mark.parametrize(
    "name",
    [
        "border-apolarity/a-binary-cubic",
        "border-apolarity/a-flattening-of-larger-rank",
        "border-apolarity/a-skew-tensor-with-a-split",
        "border-apolarity/the-product-of-2x2-matrices",
        "border-apolarity/three-pairs-and-their-triples",
        "border-apolarity/xyz",
        "cover/a-branch",
        "cover/a-map-that-transposes",
        "cover/field-with-eight-elements",
        "cover/four-lines-over-gf-3",
        "cover/points-in-one-orbit",
        "cover/polymul-over-gf-3",
        "cover/product-in-a-column",
        "cover/rational-coefficients",
        "cover/strassen-by-planes",
        "cover/strassen-exhausted",
        "cover/superfluous-rows",
    ],
)
def test_the_oracle_knows_that_border_apolarity_and_covers_can_prove_no_more(name: str) -> None:
    # So a mutant of one of these files that proves more is found.
    tree = json.loads(accepted(name))
    assert judge(tree)[0] != FALSE
    tree["conclusion"][0]["lower"] += 1
    assert judge(tree)[0] == FALSE


@pytest.mark.parametrize(("shape", "p"), [((2, 2, 2), 2), ((2, 2, 2), 3), ((2, 2, 3), 2)])
def test_the_ranks_that_the_oracle_searches_for_are_those_of_sums(
    shape: tuple[int, int, int], p: int
) -> None:
    # Subadditive, one for products of vectors, and the largest ranks are 3 for 2x2x2 and 2x2x3 tensors.
    ranks = all_ranks(shape, p)
    rng = np.random.default_rng(p)
    powers = p ** np.arange(prod(shape))
    digits = np.arange(len(ranks))[:, None] // powers % p
    for _ in range(300):
        i, j = rng.integers(len(ranks), size=2)
        assert ranks[(digits[i] + digits[j]) % p @ powers] <= ranks[i] + ranks[j]
    assert np.count_nonzero(ranks == 1) == prod(p**n - 1 for n in shape) // (p - 1) ** 2
    assert ranks.max() == 3


@pytest.mark.slow
def test_no_damaged_certificate_by_border_apolarity_or_covers_is_accepted_and_false() -> None:
    damager = Damager()
    for name, data in accepted_files(ACCEPTED):
        if name.startswith(("accept/border-apolarity/", "accept/cover/")):
            damager.damage(name, data)
    print(damager.tally.line())
    assert damager.tally.findings == []
    assert damager.tally.counts[TRUE] > 200


def test_the_oracle_finds_nonsense_false() -> None:
    for name in ("fields/reducible-sophie-germain", "fields/interval-with-two-roots", "fields/not-monic"):
        data = next(demand.data for demand in files() if demand.name == f"unreadable/{name}.json")
        assert judge(json.loads(data))[0] == FALSE, name


def test_a_verifier_that_proves_too_much_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    # x^2 + y^2 is one product over CC. Who forgets that a flattening may have rank 2 on a product proves two.
    rule = RULES["flattening"]
    doubled = replace(rule, derive=lambda w, c: replace(rule.derive(w, c), value=2 * rule.derive(w, c).value))
    monkeypatch.setitem(RULES, "flattening", doubled)
    tree = json.loads(next(d.data for d in files() if d.name.endswith("/x2-plus-y2-untied-over-cc.json")))
    damager = Damager()
    damager.run("a wrong divisor", json.dumps(tree).encode(), tree)
    assert damager.tally.counts[FALSE] == 1
    tree["steps"][0]["claim"]["value"] = tree["conclusion"][0]["lower"] = 3
    damager.run("a wrong claim too", json.dumps(tree).encode(), tree)
    assert (damager.tally.counts["repaired"], damager.tally.counts[FALSE]) == (1, 2)
    assert len(damager.tally.findings) == 2


def test_a_campaign_reaches_its_number_of_mutants_and_depends_on_its_seed_alone() -> None:
    chosen = [(name, data) for name, data in ACCEPTED if name.startswith("accept/nonzero/")][:2]
    tallies = [campaign(chosen, 60, seed) for seed in (1, 1, 2)]
    assert all(tally.mutants >= 120 and tally.findings == [] for tally in tallies)
    assert tallies[0].codes == tallies[1].codes != tallies[2].codes
    both = Tally()
    for tally in tallies[:2]:
        both.merge(tally)
    assert (both.files, both.mutants) == (4, 2 * tallies[0].mutants)


def test_pairs_of_damaged_places_are_readable_more_often_than_not() -> None:
    damager = Damager()
    damager.damage("once", accepted("decomposition/x2y-three-cubes"), most=0, bytewise=0)
    damager.more("twice", 60)
    unreadable = sum(
        damager.tally.codes[code] for code in ("wrong-type", "null", "float", "boolean", "unknown-key")
    )
    assert damager.tally.mutants >= 60
    assert unreadable <= 6


def test_every_node_is_damaged() -> None:
    tree = json.loads(accepted("border-family/x2y-tangent"))
    descriptions = [how for how, _ in damaged_trees(tree, ())]
    for pointer in (
        "/steps/0/witness/units/0/0/1/eps/0/0",
        "/steps/0/premises",
        "/target/entries/0/0/2",
        "/version",
        "/",
    ):
        assert sum(how.startswith(f"{pointer} ") for how in descriptions) >= 7, pointer
    assert len(set(descriptions)) > 1_000


# Floating point, where the oracle knows nothing.


@pytest.mark.parametrize(
    ("path", "answer", "value", "verdict"),
    [
        ("floor/xyz-tied", 0, None, WITHSTOOD),
        ("floor/xyz-tied", 0, 1, FALSE),
        ("binary/x2y-tied", 0, None, WITHSTOOD),
        ("binary/x2y-tied", 0, 4, FALSE),
    ],
)
def test_floating_point_contradicts_what_is_false_and_nothing_else(
    path: str, answer: int, value: int | None, verdict: str
) -> None:
    tree = json.loads(accepted(path))
    if value is not None:
        tree["conclusion"][answer]["lower"] = value
    assert attack(tree)[0] == verdict
