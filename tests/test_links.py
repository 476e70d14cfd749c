"""Links of the pages lead somewhere: files that exist, headings that are there, pictures that are shown."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "certificates/README.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
_CODE = re.compile(r"^(```|~~~).*?^\1[^\n]*$|(?<!`)(`+)(?!`).*?(?<!`)\2(?!`)", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(\s*<?([^()\s<>]*(?:\([^()\s]*\)[^()\s<>]*)*)>?(?:\s+\"[^\"]*\")?\s*\)")


def links(page: Path) -> list[str]:
    """Targets of the links and pictures of a page, outside of code."""
    # A link whose text is code is still a link: only the code goes.
    return _LINK.findall(_CODE.sub("", page.read_text(encoding="utf-8")))


@cache
def anchors(page: Path) -> frozenset[str]:
    """Names of the headings of a page, as GitHub and MyST make them."""
    text = re.sub(
        r"^(```|~~~).*?^\1[^\n]*$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL
    )
    seen: dict[str, int] = {}
    found: set[str] = set()
    for heading in re.findall(r"^#{1,6} +(.*?)\s*#*$", text, re.MULTILINE):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        name = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        found.add(name if name not in seen else f"{name}-{seen[name]}")
        seen[name] = seen.get(name, 0) + 1
    return frozenset(found)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_leads_somewhere(page: Path) -> None:
    broken: list[str] = []
    for link in links(page):
        parts = urlsplit(link)
        if parts.scheme:
            if parts.scheme != "https" or "." not in parts.netloc:
                broken.append(link)
            continue
        target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
        there = target.exists() and target.is_relative_to(ROOT)
        if there and parts.fragment:
            there = target.suffix == ".md" and parts.fragment in anchors(target)
        if not there:
            broken.append(link)
    assert broken == []


def test_there_are_links_to_check() -> None:
    assert sum(len(links(page)) for page in PAGES) > 500


def test_a_link_in_code_is_none_and_one_with_code_for_a_text_is_one(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# A `b` c: d\n`[a](b)` [`x`](gone.md) ![y](z.png)\n```\n[a](b)\n```\n", encoding="utf-8")
    assert links(page) == ["gone.md", "z.png"]
    assert anchors(page) == {"a-b-c-d"}
