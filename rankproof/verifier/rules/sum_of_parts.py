"""Rule ``sum-of-parts``: the target is a sum of forms or tensors that come from smaller ones, which other rules bound."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ..claims import AT_MOST, BORDER, RANK, Claim, Consequences, Question
from ..reading import MISSING, keys, sequence, show, string
from ..refusal import Rejected, Unreadable
from ..scalars import Number
from ..targets import Word
from ..units import read_units
from .restriction import Image, Map, derive_image, read_image, read_maps, ring_of, transformed
from .rule import Context, Rule


@dataclass(frozen=True)
class Part:
    """An image of the target, the question that the other rule is asked about it, and the maps that lead back."""

    image: Image
    context: Context
    back: list[Map]


def read_part(node: Any, context: Context, k: int) -> Part:
    maps, back, rule, witness, units, over = keys(
        node, context.witness("parts", k), ("maps", "back", "rule", "witness"), ("units", "over")
    )
    question = context
    if units is not MISSING:
        here = context.witness("parts", k, "units")
        question = replace(question, units=read_units(string(units, here), here, context.target.space))
    if over is not MISSING:
        here = context.witness("parts", k, "over")
        if string(over, here) not in ("QQ", "RR", "CC"):
            raise Unreadable("unknown-field", here, f"{show(over)} is not QQ, RR or CC")
        question = replace(question, over=over)
    image = read_image(maps, rule, witness, question, "parts", k)
    sizes = [n for n, _ in context.target.space.factors]
    return Part(image, question, read_maps(back, [n for n, _ in image.factors], sizes, context, "parts", k, "back"))


def read(witness: Any, context: Context) -> list[Part]:
    (nodes,) = keys(witness, context.witness(), ("parts",))
    nodes = sequence(nodes, context.witness("parts"), least=1)
    return [read_part(node, context, k) for k, node in enumerate(nodes)]


def derive(parts: list[Part], context: Context) -> Claim:
    if context.relation != AT_MOST:
        raise Rejected("hypothesis", context.pointer, "a sum of parts bounds from above")
    ring = ring_of(context)
    rest: dict[Word, Number] = dict(context.target.over(ring).entries)
    found: list[tuple[int | None, int]] = []
    for part in parts:
        claim, mapped = derive_image(part.image, context.target.over(ring_of(part.context)).entries, part.context)
        found.append(_said(claim, context))
        for word, value in transformed(mapped, part.back, part.image.factors, ring, context).items():
            rest[word] = ring.reduce(rest.get(word, 0) - value)
    word = min((word for word, value in rest.items() if value != 0), default=None)
    if word is not None:
        message = f"the parts do not sum to the target at {context.target.place(word)}"
        raise Rejected("parts-miss-target", context.witness("parts"), message)
    ranks = [rank for rank, _ in found if rank is not None]
    if len(ranks) == len(found):
        return Claim(RANK, context.units.name, context.over, AT_MOST, sum(ranks))
    return Claim(BORDER, context.units.name, context.over, AT_MOST, sum(border for _, border in found))


def _said(claim: Claim, context: Context) -> tuple[int | None, int]:
    """What a claim about a part says about rank (None: nothing) and border rank in the units and field of the step."""
    real = {
        name: ring.number_field.real_root is not None
        for name, ring in context.rings.items()
        if ring.number_field is not None
    }
    consequences = Consequences(context.target, real)
    consequences.add(claim, 0)
    rank = consequences.upper(Question(context.units.name, context.over, RANK))
    border = consequences.upper(Question(context.units.name, context.over, BORDER))
    if border is None:
        message = f"{claim} of a part says nothing about {context.units.name} units over {context.over}"
        raise Rejected("hypothesis", context.pointer, message)
    return None if rank is None else int(rank.value), int(border.value)


RULE = Rule(read, derive)
