"""The proof graph: every step and every statement once, arrows only forward."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest

from rankproof import certify
from rankproof.certificate.document import Certificate
from rankproof.errors import UsageError
from rankproof.show.graph import BOX_HEIGHT, BOX_WIDTH, draw, proof_graph, svg
from rankproof.show.reasons import statements

CORPUS = Path(__file__).resolve().parents[1] / "corpus"


@pytest.fixture(scope="module")
def shown() -> Certificate:
    return certify("x**2*y**2", budget=2).certificate


def test_every_bound_of_the_conclusion_has_a_step_that_decides_it(shown: Certificate) -> None:
    found = statements(shown)
    assert sum(len(statement.fields) for statement in found) == len(shown.conclusion)
    for statement in found:
        assert statement.lower_step is not None
        assert statement.upper_step is not None
        assert shown.steps[statement.lower_step].claim.relation == ">="
        assert shown.steps[statement.upper_step].claim.relation == "<="
    assert {step for statement in found for step in statement.steps} == set(range(len(shown.steps)))


def test_boxes_do_not_touch_and_lie_inside_the_picture(shown: Certificate) -> None:
    graph = proof_graph(shown)
    names = [box.name for box in graph.boxes]
    assert len(set(names)) == len(names) == len(shown.steps) + len(statements(shown))
    for box in graph.boxes:
        assert 0 <= box.x <= graph.width - BOX_WIDTH
        assert 0 <= box.y <= graph.height - BOX_HEIGHT
    for k, a in enumerate(graph.boxes):
        for b in graph.boxes[:k]:
            assert abs(a.x - b.x) >= BOX_WIDTH or abs(a.y - b.y) >= BOX_HEIGHT


def test_arrows_lead_from_left_to_right_even_where_a_file_asks_for_a_circle(shown: Certificate) -> None:
    circle = tuple(replace(step, premises=(0, 1, 99)) for step in shown.steps)
    for one in (shown, replace(shown, steps=circle)):
        graph = proof_graph(one)
        x = {box.name: box.x for box in graph.boxes}
        assert graph.arrows
        assert all(x[a] < x[b] for a, b in graph.arrows)


def test_the_svg_is_xml_with_one_link_a_box_and_escaped_words(shown: Certificate) -> None:
    hostile = replace(shown, steps=tuple(replace(step, rule="</text><script>&") for step in shown.steps))
    graph = proof_graph(hostile)
    root = ET.fromstring(svg(graph, links=True))
    space = "{http://www.w3.org/2000/svg}"
    assert {link.get("href") for link in root.iter(f"{space}a")} == {f"#{box.name}" for box in graph.boxes}
    assert not list(root.iter(f"{space}script"))
    assert any("</text><script>&" in (text.text or "") for text in root.iter(f"{space}text"))


def test_a_picture_is_written_in_the_format_of_its_name(shown: Certificate, tmp_path: Path) -> None:
    draw(shown, tmp_path / "g.svg")
    draw(shown, tmp_path / "g.png")
    assert ET.parse(tmp_path / "g.svg").getroot().tag.endswith("svg")
    assert (tmp_path / "g.png").read_bytes().startswith(b"\x89PNG")
    again = tmp_path / "again.svg"
    draw(shown, again)
    assert again.read_bytes() == (tmp_path / "g.svg").read_bytes()
    for name in ("g.doc", "no/such/folder.svg"):
        with pytest.raises(UsageError, match=re.escape(name.rpartition("/")[2])):
            draw(shown, tmp_path / name)


def test_a_floor_is_decided_by_the_step_about_the_same_floor() -> None:
    file = sorted((CORPUS / "accept" / "floor").glob("*.json"))[0]
    floors = statements(Certificate.from_bytes(file.read_bytes()))
    assert any(statement.lower_step is not None for statement in floors)
