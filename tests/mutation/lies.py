"""``python -m tests.mutation.lies``: what a clever liar would write, for every rule, and with which code it is refused.

Every lie is told with accepted certificates of the corpus: the rule's witness stays as good as it was, and one thing that
it does not prove is claimed, or one thing on which it rests is made false. Prints a table of rules and lies.
"""

from __future__ import annotations

import copy
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

TESTS = Path(__file__).resolve().parents[1]
if str(TESTS) not in sys.path:
    sys.path.insert(0, str(TESTS))

from corpus.judging import WEIGHTS, files  # noqa: E402

from mutation.by_hand import BY_HAND  # noqa: E402
from mutation.certificates import repaired, states_no_more  # noqa: E402
from mutation.damage import nodes  # noqa: E402
from mutation.oracle import TRUE, judge  # noqa: E402
from rankproof.verifier import RULES, verify_bytes  # noqa: E402

Tree = dict[str, Any]
FILES_A_RULE = 8
HOLDS = "holds"
"""A lie that happens to be true: the rule proves what was claimed."""

FALSE = "ACCEPTED"


def told(tree: Tree, **claim: Any) -> Tree:
    """The certificate with its last step, and the answer that says the same, claiming something else."""
    lied = copy.deepcopy(tree)
    step = lied["steps"][-1]["claim"]
    names = {"units": "units", "over": "field", "quantity": "quantity"}
    for answer in lied["conclusion"]:
        if all(answer[names[key]] == step[key] for key in names):
            answer.update({names[key]: value for key, value in claim.items() if key in names})
    step.update(claim)
    return lied


def wrong_field(tree: Tree, _: Tree) -> Iterator[Tree]:
    """A lower bound over a larger field than the rule's, an upper bound over a smaller one."""
    claim = tree["steps"][-1]["claim"]
    order = ["QQ", "RR", "CC"]
    at = order.index(claim["over"]) if claim["over"] in order else None
    if at is not None:
        for field in order[at + 1 :] if claim["relation"] == ">=" else order[:at]:
            yield told(tree, over=field)


def wrong_characteristic(tree: Tree, _: Tree) -> Iterator[Tree]:
    """What is proved in one characteristic, claimed in another."""
    for field in ("GF(2)", "GF(3)", "GF(1000003)", "CC"):
        over = tree["steps"][-1]["claim"]["over"]
        if field != over and ("GF" in field or "GF" in over):
            yield told(tree, over=field)


def border_for_rank(tree: Tree, _: Tree) -> Iterator[Tree]:
    """A lower bound for the rank sold as one for the border rank, and an upper bound the other way."""
    claim = tree["steps"][-1]["claim"]
    if claim["relation"] == ">=" and claim["quantity"] == "rank":
        yield told(tree, quantity="border_rank")
    if claim["relation"] == "<=" and claim["quantity"] == "border_rank":
        yield told(tree, quantity="rank")


def other_units(tree: Tree, _: Tree) -> Iterator[Tree]:
    """A lower bound for more powerful units, an upper bound for less powerful ones."""
    claim = tree["steps"][-1]["claim"]
    order = ["tied", "untied", "mixed:2", "mixed:3", "split", "product"]
    if claim["units"] in order:
        at = order.index(claim["units"])
        for units in order[at + 1 :] if claim["relation"] == ">=" else order[:at]:
            yield told(tree, units=units)


def one_more(tree: Tree, _: Tree) -> Iterator[Tree]:
    """The bound itself, better by one."""
    claim = tree["steps"][-1]["claim"]
    value, better = claim["value"], 1 if claim["relation"] == ">=" else -1
    if type(value) is int:
        lied = told(tree, value=value + better)
        for answer in lied["conclusion"]:
            for side in ("lower", "upper"):
                if answer.get(side) == value and side == ("lower" if better > 0 else "upper"):
                    answer[side] = value + better
        yield lied


def parallel_units(tree: Tree, _: Tree) -> Iterator[Tree]:
    """The first unit of a witness stands twice, or a later one becomes parallel to it."""
    units = tree["steps"][-1]["witness"].get("units")
    if isinstance(units, list) and len(units) > 1:
        for changed in ([*units, units[0]], [units[0], *units[:-1]], [units[0], units[0], *units[2:]]):
            lied = copy.deepcopy(tree)
            lied["steps"][-1]["witness"]["units"] = changed
            yield lied


def empty_sets(tree: Tree, _: Tree) -> Iterator[Tree]:
    """Every list of the witness in turn is empty: "for all" over nothing."""
    for path, node in nodes(tree["steps"][-1]["witness"]):
        if isinstance(node, list) and node and path:
            lied = copy.deepcopy(tree)
            _put(lied["steps"][-1]["witness"], path, [])
            yield lied


def reducible_polynomials(tree: Tree, _: Tree) -> Iterator[Tree]:
    """Every minimal polynomial becomes (t - 1)(t - 2); a field that has none gets it."""
    for path, node in nodes(tree):
        if path and path[-1] == "minimal_polynomial" and isinstance(node, list):
            lied = copy.deepcopy(tree)
            _put(lied, path, [2, -3, 1])
            yield lied
    lied = copy.deepcopy(tree)
    if "number_fields" not in lied and "ring" in lied["steps"][-1]["witness"]:
        lied["number_fields"] = [{"symbol": "a", "minimal_polynomial": [2, -3, 1]}]
        lied["steps"][-1]["witness"]["ring"] = "QQ(a)"
        yield lied


def complex_root_as_real(tree: Tree, _: Tree) -> Iterator[Tree]:
    """A root of t^2 + 1 between 0 and 1, and claims over RR."""
    if "block" in tree["target"] or "GF" in tree["steps"][-1]["claim"]["over"]:
        return
    lied = told(tree, over="RR")
    lied["number_fields"] = [
        {"symbol": "i", "minimal_polynomial": [1, 0, 1], "real_root": [0, 1]},
        *(d for d in tree.get("number_fields", ()) if d["symbol"] != "i"),
    ]
    if "ring" in lied["steps"][-1]["witness"]:
        lied["steps"][-1]["witness"]["ring"] = "QQ(i)"
    yield lied


def singular_maps(tree: Tree, _: Tree) -> Iterator[Tree]:
    """Every matrix of the witness loses rank: its first row stands in all places, or all its rows are zero."""
    for path, node in nodes(tree["steps"][-1]["witness"]):
        if path and _is_matrix(node) and path[0] != "units":
            for rows in ([node[0]] * len(node), [[0] * len(node[0])] * len(node)):
                lied = copy.deepcopy(tree)
                _put(lied["steps"][-1]["witness"], path, rows)
                if rows != node:
                    yield lied


def _is_matrix(node: Any) -> bool:
    return (
        isinstance(node, list)
        and len(node) > 1
        and all(isinstance(row, list) and row and all(type(x) is int for x in row) for row in node)
        and len({len(row) for row in node}) == 1
    )


def prime_in_a_denominator(tree: Tree, _: Tree) -> Iterator[Tree]:
    """The target divided by the prime modulo which it is looked at."""
    primes = {node for path, node in nodes(tree["steps"][-1]["witness"]) if path and path[-1] == "prime"}
    over = tree["steps"][-1]["claim"]["over"]
    primes |= {int(over[3:-1])} if over.startswith("GF(") else set()
    entries = tree["target"].get("entries")
    for p in sorted(p for p in primes if type(p) is int):
        if entries and type(entries[0][1]) is int and entries[0][1] % p and tree["target"]["ring"] == "QQ":
            lied = copy.deepcopy(tree)
            lied["target"]["entries"][0][1] = f"{entries[0][1]}/{p}"
            yield lied


def huge_exponents(tree: Tree, _: Tree) -> Iterator[Tree]:
    """Degrees, orders and dimensions of 10^9."""
    for path, node in nodes(tree["steps"][-1]["witness"]):
        if (
            path
            and type(node) is int
            and path[-1] in ("degree", "order", "power", "wedge", "bits", "half", "macaulay")
        ):
            lied = copy.deepcopy(tree)
            _put(lied["steps"][-1]["witness"], path, 10**9)
            yield lied
    if "space" in tree["target"]:
        lied = copy.deepcopy(tree)
        lied["target"]["space"][0] = [10**9, 10**9]
        yield lied


def deep_nesting(tree: Tree, _: Tree) -> Iterator[bytes]:
    """A witness a hundred thousand lists deep."""
    text = json.dumps({**tree, "steps": [{**tree["steps"][-1], "witness": "HERE"}]})
    yield text.replace('"HERE"', "[" * 100_000 + "]" * 100_000).encode()


def many_digits(tree: Tree, _: Tree) -> Iterator[bytes]:
    """A number of a million digits in the claim, and one in quotes in the target."""
    lied = copy.deepcopy(tree)
    lied["steps"][-1]["claim"]["value"] = "HERE"
    yield json.dumps(lied).replace('"HERE"', "9" * 1_000_000).encode()
    if "entries" in tree["target"]:
        lied = copy.deepcopy(tree)
        lied["target"]["entries"][0][1] = "9" * 1_000_000
        yield json.dumps(lied).encode()


def colliding_names(tree: Tree, _: Tree) -> Iterator[Tree]:
    """Two variables of one name, two fields of one symbol, a field named like a variable."""
    variables = tree["target"].get("variables")
    if variables and len(variables) > 1:
        lied = copy.deepcopy(tree)
        lied["target"]["variables"] = [variables[0]] * len(variables)
        yield lied
    lied = copy.deepcopy(tree)
    field = {"symbol": "a", "minimal_polynomial": [-2, 0, 1]}
    lied["number_fields"] = [*tree.get("number_fields", [field]), tree.get("number_fields", [field])[0]]
    yield lied


def mixed_up_order(tree: Tree, _: Tree) -> Iterator[Tree]:
    """The entries of the target in another order, and the letters of one word."""
    entries = tree["target"].get("entries")
    if entries and len(entries) > 1:
        lied = copy.deepcopy(tree)
        lied["target"]["entries"] = entries[::-1]
        yield lied
    for i, (word, _value) in enumerate(entries or ()):
        if len(tree["target"]["space"]) == 1 and word != word[::-1]:
            lied = copy.deepcopy(tree)
            lied["target"]["entries"][i][0] = word[::-1]
            yield lied
            return


def swapped_targets(tree: Tree, other: Tree) -> Iterator[Tree]:
    """The proof of one target under another target."""
    if tree["target"] != other["target"]:
        yield {**tree, "target": other["target"]}


def larger_image(tree: Tree, _: Tree) -> Iterator[Tree]:
    """The claim made about the image under x -> 10 x, with what the rule proves there written into it."""
    factors = tree["target"].get("space")
    step = tree["steps"][-1]
    if factors and len(tree["steps"]) == 1:
        n = factors[0][0]
        maps = [[[10 * (i == j) for j in range(n)] for i in range(n)], *([] for _ in factors[1:])]
        witness = {"maps": maps, "rule": step["rule"], "witness": step["witness"]}
        lied = {**tree, "steps": [{**step, "rule": "restriction", "witness": witness}]}
        yield repaired(lied) or lied


def _put(tree: Any, path: tuple[str | int, ...], value: Any) -> None:
    for key in path[:-1]:
        tree = tree[key]
    tree[path[-1]] = value


LIES: dict[str, Callable[[Tree, Tree], Iterator[Tree | bytes]]] = {
    function.__name__.replace("_", " "): function
    for function in (
        one_more,
        wrong_field,
        wrong_characteristic,
        border_for_rank,
        other_units,
        parallel_units,
        empty_sets,
        reducible_polynomials,
        complex_root_as_real,
        singular_maps,
        prime_in_a_denominator,
        huge_exponents,
        deep_nesting,
        many_digits,
        colliding_names,
        mixed_up_order,
        swapped_targets,
        larger_image,
    )
}


def honest(rule: str) -> list[Tree]:
    """Accepted files of the corpus that end with the rule, the short ones."""
    found = [
        demand.data
        for demand in files()
        if demand.name.startswith(f"accept/{rule}/") and len(demand.data) < 6000
    ]
    trees = [json.loads(data) for data in found]
    return [tree for tree in trees if tree["steps"][-1]["rule"] == rule][:FILES_A_RULE]


def answers(rule: str, lie: str, trees: list[Tree]) -> dict[str, int]:
    """How often the lie is answered with which code; `HOLDS` when it is accepted and true."""
    found: dict[str, int] = {}
    for tree, other in zip(trees, [*trees[1:], trees[0]] if trees else [], strict=True):
        for lied in LIES[lie](tree, other):
            data = lied if isinstance(lied, bytes) else json.dumps(lied).encode()
            verdict = verify_bytes(data, weights=[WEIGHTS])
            code = verdict.code
            if verdict.word in ("VERIFIED", "CONDITIONAL"):
                assert not isinstance(lied, bytes)
                true = (
                    states_no_more(lied, tree) or all(s in BY_HAND for s in verdict.statements) or _true(lied)
                )
                code = HOLDS if true else FALSE
            found[code] = found.get(code, 0) + 1
    return found


def _true(tree: Tree) -> bool:
    if "block" in tree["target"] or any(
        isinstance(answer["quantity"], dict) for answer in tree["conclusion"]
    ):
        return False
    return judge(tree)[0] == TRUE


def table() -> dict[str, dict[str, dict[str, int]]]:
    """Answers by rule and lie."""
    honestly = {rule: honest(rule) for rule in RULES}
    return {rule: {lie: answers(rule, lie, honestly[rule]) for lie in LIES} for rule in RULES}


def main() -> int:
    """Print the table."""
    found = table()
    for rule, row in found.items():
        print(rule)
        for lie, codes in row.items():
            if codes:
                print(f"  {lie:22} " + ", ".join(f"{code} {n}" for code, n in sorted(codes.items())))
    lies = sum(n for row in found.values() for codes in row.values() for n in codes.values())
    accepted = sum(codes.get(FALSE, 0) for row in found.values() for codes in row.values())
    print(
        f"{len(found)} rules, {len(LIES)} lies, {lies} certificates, {accepted} accepted and not known to be true"
    )
    return int(bool(accepted))


if __name__ == "__main__":
    sys.exit(main())
