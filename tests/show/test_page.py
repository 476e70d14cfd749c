"""The page of a certificate: complete, accessible, and nothing in a certificate becomes markup."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest
from hostile import HOSTILE, hostile_bytes

from rankproof import certify, verify
from rankproof.certificate.document import Certificate
from rankproof.problem.question import Floor
from rankproof.problem.space import Space
from rankproof.problem.target import Target
from rankproof.show.explanations import EXPLANATIONS
from rankproof.show.html import certificate as page
from rankproof.show.html import page_script, page_style
from rankproof.verifier.rules import RULES

CORPUS = Path(__file__).resolve().parents[1] / "corpus"
VOID = {"meta", "br", "link", "input"}


class Reading(HTMLParser):
    """Tags with their attributes, and the text of elements that have an id."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[tuple[str, str | None]] = []
        self.texts: dict[str, str] = {}
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append((tag, dict(attrs).get("id")))

    def handle_startendtag(self, tag, attrs) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag) -> None:
        assert self.open.pop()[0] == tag

    def handle_data(self, data) -> None:
        for name in {name for _, name in self.open if name}:
            self.texts[name] = self.texts.get(name, "") + data

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


@pytest.fixture(scope="module")
def data() -> bytes:
    return certify("x**2*y**2", budget=2).certificate.to_bytes()


def made(data: bytes, **options: object) -> str:
    return page(Certificate.from_bytes(data), verify(data), data, **options)


def test_the_page_holds_the_certificate_byte_for_byte(data: bytes) -> None:
    for bytes_ in (data, b"\n" + data.replace(b"\n", b"\r\n")):
        read = Reading(made(bytes_))
        # A browser drops the line feed behind <pre>; html.parser does not.
        assert read.texts["certificate"].removeprefix("\n").encode() == bytes_
        assert read.named("body")[0]["data-sha256"] == hashlib.sha256(bytes_).hexdigest()


def test_the_page_names_its_language_and_every_part(data: bytes) -> None:
    read = Reading(made(data))
    assert read.named("html") == [{"lang": "en"}]
    assert len(read.named("h1")) == 1
    ids = [attributes["id"] for _, attributes in read.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    for section in read.named("section"):
        assert section["aria-labelledby"] in ids
    for tag, attributes in read.tags:
        if "tabindex" in attributes:
            assert attributes["aria-label"], tag
    assert all(attributes.get("type") == "button" for attributes in read.named("button"))
    assert {attributes["scope"] for attributes in read.named("th")} == {"row", "col"}
    links = [attributes["href"] or "" for attributes in read.named("a")]
    assert links
    assert all(link.startswith("#") and link[1:] in ids for link in links)
    assert re.search(r'name="viewport" content="width=device-width', made(data))


def test_headings_skip_no_level(data: bytes) -> None:
    levels = [int(tag[1]) for tag, _ in Reading(made(data)).tags if re.fullmatch(r"h[1-6]", tag)]
    assert levels[0] == 1
    assert all(b - a <= 1 for a, b in pairwise(levels))


def test_every_step_and_every_statement_is_explained(data: bytes) -> None:
    text = made(data)
    read = Reading(text)
    shown = Certificate.from_bytes(data)
    for k, step in enumerate(shown.steps):
        assert EXPLANATIONS[step.rule][:30] in read.texts[f"step-{k}"]
    assert "Over QQ and RR, f is a sum of 4 tied units and of no fewer." in read.texts["statement-0"]
    assert text.count("<math") > len(shown.steps)


def test_a_page_asks_for_nothing_from_a_network_and_allows_one_script(data: bytes) -> None:
    text = made(data)
    read = Reading(text)
    for _, attributes in read.tags:
        for name in ("src", "href", "srcset", "action", "data", "poster"):
            assert (attributes.get(name) or "#").startswith("#")
    assert not re.search(r"@import|url\(", text.partition("</style>")[0].replace("url(#arrow)", ""))
    assert len(read.named("script")) == 1
    policy = next(
        a["content"] for a in read.named("meta") if a.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy is not None
    assert policy.startswith("default-src 'none';")
    script = text.partition("<script>")[2].partition("</script>")[0]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy


def test_nothing_that_a_certificate_says_becomes_markup(data: bytes) -> None:
    bytes_ = hostile_bytes(data)
    shown = Certificate.from_bytes(bytes_)
    shown = replace(shown, target=replace(shown.target, text=HOSTILE))
    read = Reading(page(shown, verify(bytes_), bytes_, file=HOSTILE, back="index.html"))
    assert len(read.named("script")) == 1
    assert not read.named("img")
    assert not [name for _, attributes in read.tags for name in attributes if name.startswith("on")]
    assert read.texts["certificate"].removeprefix("\n").encode() == bytes_


def test_a_page_without_a_verdict_or_with_a_bad_one_says_not_verified(data: bytes) -> None:
    shown = Certificate.from_bytes(data)
    wrong = data.replace(b'"lower": 4', b'"lower": 5', 1)
    for verdict, bytes_ in ((None, data), (verify(wrong), wrong)):
        text = page(shown, verdict, bytes_)
        words = text.partition("<script>")[0]
        assert '<p class="refused"><strong>NOT VERIFIED</strong>' in words
        assert "VERIFIED" not in words.replace("NOT VERIFIED", "")


@pytest.mark.parametrize("rule", sorted(RULES))
def test_a_page_is_made_for_every_rule(rule: str) -> None:
    for file in sorted((CORPUS / "accept" / rule).glob("*.json"))[:1]:
        bytes_ = file.read_bytes()
        if b'"block"' in bytes_:
            continue  # The target is in a weights file.
        shown = Certificate.from_bytes(bytes_)
        read = Reading(page(shown, None, bytes_, most_units=3))
        assert "step-0" in read.texts


def test_a_block_of_a_weights_file_is_named_by_its_hash_and_not_written_out(data: bytes) -> None:
    told = {"block": {"file": "m.gguf", "sha256": "ab" * 32}, "directions": [0]}
    target = replace(Target.from_entries(Space.form(1, 2), {(0, 0): 1}, text="m.gguf, block 3"), block=told)
    shown = Certificate.from_bytes(certify("x*y", units="untied", field="RR").certificate.to_bytes())
    words = page(replace(shown, target=target), None, data).partition("<script>")[0]
    assert "ab" * 32 in words
    assert "1 variable" not in words
    assert "<mi>f</mi><mo>=</mo>" not in words.partition('id="proof"')[0]


def test_many_pages_share_one_script(data: bytes) -> None:
    text = made(data, shared="../", back="../index.html")
    assert '<script src="../page.js"></script>' in text
    assert '<link rel="stylesheet" href="../page.css">' in text
    assert len(text) < len(page_script()) / 4


def luminance(colour: str) -> float:
    """Relative luminance, as WCAG 2 defines it."""
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_every_colour_of_text_has_contrast_in_light_and_dark() -> None:
    light, dark = page_style().split("prefers-color-scheme: dark")
    for scheme in (light, dark):
        colours = dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", scheme))
        assert set(colours) == {"text", "soft", "page", "panel", "line", "link", "good", "bad"}
        for text in ("text", "soft", "link", "good", "bad"):
            for ground in ("page", "panel"):
                high, low = sorted((luminance(colours[text]), luminance(colours[ground])), reverse=True)
                assert (high + 0.05) / (low + 0.05) >= 4.5, (text, ground)


def test_floors_stand_in_sentences_and_need_no_table() -> None:
    for file in sorted((CORPUS / "accept" / "floor").glob("*.json"))[:1]:
        bytes_ = file.read_bytes()
        shown = Certificate.from_bytes(bytes_)
        floors = tuple(a for a in shown.conclusion if isinstance(a.quantity, Floor))
        read = Reading(page(replace(shown, conclusion=floors), verify(bytes_), bytes_))
        assert floors
        assert not read.named("table")
        assert "floor" in read.texts["statement-0"]
