"""Certificates put together from parts of others: what every check sees is nearly right."""

from __future__ import annotations

import copy
import functools
import json
import random
from collections import defaultdict
from typing import Any

from corpus.judging import files
from mutation.damage import Path, _replacements, nodes

from rankproof.verifier import RULES

LONGEST = 20_000
"""Bytes of the files that parts are taken from."""

VOCABULARY = (
    ("QQ", "RR", "CC", "GF(2)", "GF(3)", "GF(7)", "GF(2147483647)", "QQ(a)", "QQ(i)"),
    ("tied", "untied", "split", "product", "mixed:1", "mixed:2", "mixed:3"),
    ("rank", "border_rank"),
    (">=", "<="),
    tuple(RULES),
)

NASTY: tuple[Any, ...] = (
    *(-1, 0, 1, 2, 3, 64, 65, 4096, 4097, 2**31 - 1, 2**31, 2**53 - 1, 2**53, -(2**53)),
    *("1/2", "-1/3", "0", "0/1", "1/0", "9" * 4000, "9" * 4001, "1/" + "7" * 3999, ""),
    *([], {}, [[]], [0, 1], ["1/2", 1], {"eps": [[1, 1]]}, {"eps": [[-4096, 1], [4096, 1]]}, None, True, 0.5),
)


@functools.cache
def trees() -> tuple[dict[str, Any], ...]:
    """The accepted, rejected and undecided files of the corpus that are not long."""
    wanted = ("accept/", "reject/", "undecided/")
    short = (d.data for d in files() if d.name.startswith(wanted) and len(d.data) <= LONGEST)
    return tuple(tree for tree in map(json.loads, short) if isinstance(tree, dict))


def shape(path: Path) -> tuple[str, ...]:
    """Where a node stands, whatever its number in a list."""
    return tuple("#" if isinstance(key, int) else key for key in path)


@functools.cache
def parts() -> dict[tuple[str, ...], list[Any]]:
    """Nodes of the corpus by where they stand; of each place and text one."""
    found: dict[tuple[str, ...], dict[str, Any]] = defaultdict(dict)
    for tree in trees():
        for path, node in nodes(tree):
            found[shape(path)][json.dumps(node, sort_keys=True)[:200]] = node
    return {place: list(values.values()) for place, values in found.items()}


def changed(tree: Any, rng: random.Random) -> Any:
    """A copy of a tree with one node replaced: by one that stands at such a place elsewhere, by damage, or by something nasty."""
    places = [path for path, _ in nodes(tree) if path and path[0] != "producer"]
    if not places:
        return tree
    # Every depth is as likely as any other: most nodes are coordinates.
    depth = rng.choice(sorted({len(path) for path in places}))
    path = rng.choice([path for path in places if len(path) == depth])
    result = copy.deepcopy(tree)
    parent = result
    for key in path[:-1]:
        parent = parent[key]
    node, kind = parent[path[-1]], rng.random()
    if kind < 0.75:
        known = parts().get(shape(path))
        parent[path[-1]] = copy.deepcopy(rng.choice(known)) if known else rng.choice(NASTY)
    elif kind < 0.95 and not (isinstance(node, str) and len(node) > 300):
        choices = [value for _, value in _replacements(node, VOCABULARY)]
        parent[path[-1]] = copy.deepcopy(rng.choice(choices))
    else:
        parent[path[-1]] = copy.deepcopy(rng.choice(NASTY))
    return result


def grafted(rng: random.Random) -> bytes:
    """A certificate of the corpus with one to four nodes replaced."""
    tree = rng.choice(trees())
    for _ in range(rng.randrange(1, 5)):
        tree = changed(tree, rng)
    return json.dumps(tree).encode()
