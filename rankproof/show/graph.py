"""The proof graph: steps, what they rest on, and the statements that they decide."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import networkx as nx

from rankproof.certificate.document import Certificate
from rankproof.errors import UsageError
from rankproof.problem.question import Floor
from rankproof.show.plots import figure_of, save
from rankproof.show.quantities import interval, printable, quantity_in_words
from rankproof.show.reasons import Statement, statements

BOX_WIDTH, BOX_HEIGHT = 250, 46
"""Size of a box, in pixels."""

_GAP_X, _GAP_Y, _MARGIN = 70, 14, 6
_LONGEST = 36


@dataclass(frozen=True)
class Box:
    """A node with its place: a step, or a statement of the conclusion."""

    name: str
    head: str
    body: str
    kind: str
    x: float
    y: float


@dataclass(frozen=True)
class Graph:
    """Boxes and the arrows between them, left to right."""

    boxes: tuple[Box, ...]
    arrows: tuple[tuple[str, str], ...]
    width: float
    height: float


def proof_graph(shown: Certificate) -> Graph:
    """Lay out the steps of a certificate, premises to the left of what uses them, the conclusion at the right."""
    concluded = statements(shown)
    graph: Any = nx.DiGraph()
    graph.add_nodes_from(f"step-{k}" for k in range(len(shown.steps)))
    for k, step in enumerate(shown.steps):
        # The file may be wrong: what is no earlier step is no arrow, so that there are no circles.
        graph.add_edges_from((f"step-{q}", f"step-{k}") for q in step.premises if 0 <= q < k)
    layers = {node: k for k, layer in enumerate(nx.topological_generations(graph)) for node in layer}
    last = max(layers.values(), default=0) + 1
    for k, statement in enumerate(concluded):
        graph.add_node(f"statement-{k}")
        layers[f"statement-{k}"] = last
        graph.add_edges_from((f"step-{q}", f"statement-{k}") for q in statement.steps)
    texts = {f"step-{k}": _step_text(shown, k) for k in range(len(shown.steps))}
    texts |= {f"statement-{k}": _statement_text(statement) for k, statement in enumerate(concluded)}
    return _placed(graph, layers, texts)


def _placed(graph: Any, layers: dict[str, int], texts: dict[str, tuple[str, str]]) -> Graph:
    """One column a layer, in the middle; a box is as far down as what it rests on lets expect."""
    order = {node: float(k) for k, node in enumerate(graph)}
    for node in graph:
        if before := list(graph.predecessors(node)):
            order[node] = sum(order[q] for q in before) / len(before)
    columns = [
        sorted((n for n in graph if layers[n] == layer), key=lambda n: order[n])
        for layer in sorted(set(layers.values()))
    ]
    tallest = max(map(len, columns))
    pitch = BOX_HEIGHT + _GAP_Y
    boxes = tuple(
        Box(
            node,
            *texts[node],
            "step" if node.startswith("step") else "statement",
            x * (BOX_WIDTH + _GAP_X) + _MARGIN,
            (y + (tallest - len(column)) / 2) * pitch + _MARGIN,
        )
        for x, column in enumerate(columns)
        for y, node in enumerate(column)
    )
    width = len(columns) * (BOX_WIDTH + _GAP_X) - _GAP_X + 2 * _MARGIN
    return Graph(boxes, tuple(graph.edges), width, tallest * pitch - _GAP_Y + 2 * _MARGIN)


def _step_text(shown: Certificate, index: int) -> tuple[str, str]:
    claim = shown.steps[index].claim
    relation = "≥" if claim.relation == ">=" else "≤"
    body = f"{claim.units} {quantity_in_words(claim.quantity)} {relation} {claim.value} over {claim.over}"
    return f"step {index}: {printable(shown.steps[index].rule)}", body


def _statement_text(statement: Statement) -> tuple[str, str]:
    width = quantity_in_words(statement.quantity)
    value = interval(statement.lower, statement.upper)
    what = (
        f"{width} {value}"
        if value.startswith(">") or isinstance(statement.quantity, Floor)
        else f"{width} = {value}"
    )
    return f"{statement.units} {what}", f"over {', '.join(statement.fields)}"


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


# SVG

STYLE = """\
.graph rect { fill: none; stroke: currentColor; stroke-width: 1; rx: 6; }
.graph .statement rect { stroke-width: 2.5; }
.graph text { fill: currentColor; font: 13px system-ui, sans-serif; }
.graph .head { font-weight: 600; }
.graph path { fill: none; stroke: currentColor; stroke-width: 1.2; opacity: .7; }
.graph marker path { fill: currentColor; stroke: none; }"""


def svg(graph: Graph, *, links: bool = False) -> str:
    """The graph as an SVG element, in the colour of the text around it.

    Parameters
    ----------
    graph
        What to draw.
    links
        Whether a box leads to the element of the page with the same name.
    """
    width, height = f"{graph.width:.0f}", f"{graph.height:.0f}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="graph" role="img" aria-labelledby="graph-title" '
        f'width="{width}" height="{height}" viewBox="0 0 {width} {height}">',
        '<title id="graph-title">Proof graph: steps at the left, what they prove at the right</title>',
        '<defs><marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" '
        'orient="auto-start-reverse"><path d="M0 0L10 5L0 10z"/></marker></defs>',
    ]
    by_name = {box.name: box for box in graph.boxes}
    for start, end in graph.arrows:
        a, b = by_name[start], by_name[end]
        x1, y1, x2, y2 = a.x + BOX_WIDTH, a.y + BOX_HEIGHT / 2, b.x, b.y + BOX_HEIGHT / 2
        bend = _GAP_X * 0.6
        parts.append(
            f'<path d="M{x1:.0f} {y1:.0f}C{x1 + bend:.0f} {y1:.0f} {x2 - bend:.0f} {y2:.0f} {x2:.0f} {y2:.0f}" '
            'marker-end="url(#arrow)"/>'
        )
    for box in graph.boxes:
        drawn = (
            f'<g class="{box.kind}"><title>{escape(f"{box.head}. {box.body}")}</title>'
            f'<rect x="{box.x:.0f}" y="{box.y:.0f}" width="{BOX_WIDTH}" height="{BOX_HEIGHT}"/>'
            f'<text class="head" x="{box.x + 10:.0f}" y="{box.y + 19:.0f}">{escape(_cut(box.head))}</text>'
            f'<text x="{box.x + 10:.0f}" y="{box.y + 37:.0f}">{escape(_cut(box.body))}</text></g>'
        )
        parts.append(f'<a href="#{box.name}">{drawn}</a>' if links else drawn)
    return "\n".join([*parts, "</svg>"])


def draw(shown: Certificate, path: Path) -> None:
    """Write the proof graph as a picture.

    Parameters
    ----------
    shown
        Whose steps are drawn.
    path
        Its ending chooses the format: .svg, .png, .pdf; all but .svg need matplotlib.

    Raises
    ------
    UsageError
        If the folder cannot be written to, matplotlib is not installed, or it does not know the format.
    """
    graph = proof_graph(shown)
    if path.suffix == ".svg":
        inside = f"<style>svg {{ color: #111; background: #fff; }}\n{STYLE}</style>"
        written = svg(graph).replace("<defs>", f"{inside}<defs>", 1)
        try:
            path.write_text(f"{written}\n", encoding="utf-8")
        except OSError as error:
            raise UsageError(f"cannot write {path}: {error.strerror}; choose another place") from error
        return
    figure: Any = figure_of(graph.width / 80, graph.height / 80)
    axis = figure.add_subplot()
    axis.set_xlim(0, graph.width)
    axis.set_ylim(graph.height, 0)
    axis.set_axis_off()
    by_name = {box.name: box for box in graph.boxes}
    for start, end in graph.arrows:
        a, b = by_name[start], by_name[end]
        axis.annotate(
            "",
            (b.x, b.y + BOX_HEIGHT / 2),
            (a.x + BOX_WIDTH, a.y + BOX_HEIGHT / 2),
            arrowprops={"arrowstyle": "-|>", "color": "0.4"},
        )
    for box in graph.boxes:
        bold = 2.2 if box.kind == "statement" else 1.0
        corner = (box.x, box.y)
        axis.add_patch(_rectangle(corner, bold))
        # A dollar sign would start mathematics.
        axis.text(
            box.x + 10, box.y + 17, _cut(box.head), fontsize=9, weight="bold", va="center", parse_math=False
        )
        axis.text(box.x + 10, box.y + 34, _cut(box.body), fontsize=9, va="center", parse_math=False)
    save(figure, path)


def _rectangle(corner: tuple[float, float], linewidth: float) -> Any:
    from importlib import import_module

    patches = import_module("matplotlib.patches")
    return patches.Rectangle(corner, BOX_WIDTH, BOX_HEIGHT, fill=False, linewidth=linewidth)


__all__ = ["Graph", "STYLE", "draw", "proof_graph", "svg"]
