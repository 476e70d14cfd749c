"""A page in a real browser: it verifies itself, and a page that somebody changed is refused.

Needs Chromium; skipped where there is none. RANKPROOF_CHROMIUM names another program.
"""

from __future__ import annotations

import html
import os
import re
import shutil
import subprocess
from dataclasses import dataclass

import pytest
from hostile import HOSTILE, hostile_bytes

from rankproof import certify, verify
from rankproof.certificate.document import Certificate
from rankproof.show.html import certificate as page
from rankproof.show.html import page_script, page_style

pytestmark = pytest.mark.external

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def browser() -> str:
    found = os.environ.get("RANKPROOF_CHROMIUM") or next(filter(None, map(shutil.which, _NAMES)), None)
    if found is None:
        pytest.skip("Chromium is not installed; RANKPROOF_CHROMIUM names a program")
    return found


@dataclass(frozen=True)
class Seen:
    """What stands in a page after its scripts have run."""

    document: str

    @property
    def answer(self) -> str:
        found = re.search(r'<div id="answer"([^>]*)>(.*?)</div>', self.document, re.DOTALL)
        assert found is not None
        return html.unescape(re.sub(r"<[^>]*>", " ", found[2]))

    @property
    def kind(self) -> str:
        found = re.search(r'<div id="answer"[^>]*class="(\w*)"', self.document)
        return "" if found is None else found[1]


@pytest.fixture(scope="module")
def data() -> bytes:
    return certify("x**2*y**2", budget=2).certificate.to_bytes()


def tampered(data: bytes) -> bytes:
    """One byte changed: the first coordinate of a unit."""
    place = data.index(b'"units": [[[') + len(b'"units": [[[')
    place = next(k for k in range(place, len(data)) if data[k : k + 1].isdigit())
    digit = b"7" if data[place : place + 1] != b"7" else b"5"
    return data[:place] + digit + data[place + 1 :]


@pytest.fixture(scope="module")
def seen(data: bytes, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Seen]:
    """All pages, opened at the same time: a browser takes a second to start."""
    program = browser()
    folder = tmp_path_factory.mktemp("pages")
    shown = Certificate.from_bytes(data)
    whole = page(shown, verify(data), data)
    inside = html.escape(data.decode(), quote=False)
    hostile = Certificate.from_bytes(hostile_bytes(data))
    pages = {
        "verify": whole,
        "spoil": whole,
        "quiet": whole,
        "tampered": whole.replace(inside, html.escape(tampered(data).decode(), quote=False)),
        "hostile": page(hostile, None, hostile_bytes(data), file=HOSTILE),
        "shared": page(shown, verify(data), data, shared="./"),
        # A script that somebody adds is not the one that the policy allows.
        "injected": whole.replace("<main>", '<main><script>document.title = "owned";</script>'),
    }
    (folder / "page.js").write_text(page_script(), encoding="utf-8")
    (folder / "page.css").write_text(page_style(), encoding="utf-8")
    running = {}
    for name, text in pages.items():
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
        mark = {"spoil": "#spoil", "quiet": ""}.get(name, "#verify")
        options = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            f"--user-data-dir={folder / f'{name}.profile'}",
        ]
        running[name] = subprocess.Popen(
            [
                program,
                *options,
                "--virtual-time-budget=10000",
                "--dump-dom",
                f"file://{folder / name}.html{mark}",
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    return {name: Seen(process.communicate(timeout=120)[0].decode()) for name, process in running.items()}


def test_the_page_verifies_itself(seen: dict[str, Seen], data: bytes) -> None:
    verdict = verify(data)
    for name in ("verify", "shared"):
        assert seen[name].kind == "verified"
        assert seen[name].answer.split()[0] == "VERIFIED"
        assert f"claim {verdict.claim_hash}" in seen[name].answer
        assert f"sha256 {verdict.sha256} (the sha256 stated above)" in seen[name].answer


def test_one_changed_byte_is_refused_with_the_code_of_the_verifier(
    seen: dict[str, Seen], data: bytes
) -> None:
    verdict = verify(tampered(data))
    assert verdict.word == "REJECTED"
    assert seen["tampered"].kind == "refused"
    assert re.match(rf"\s*REJECTED\s+{verdict.code} at {verdict.pointer}", seen["tampered"].answer)
    assert "not the sha256 stated above" in seen["tampered"].answer


def test_the_falsified_conclusion_is_refused(seen: dict[str, Seen]) -> None:
    assert seen["spoil"].kind == "refused"
    assert "conclusion-differs at /conclusion/0/lower" in seen["spoil"].answer
    assert "raised from 4 to 5" in seen["spoil"].answer


def test_nothing_is_said_before_somebody_asks(seen: dict[str, Seen]) -> None:
    assert seen["quiet"].answer.strip() == ""
    assert '<div id="controls">' in seen["quiet"].document


def test_no_script_but_the_verifier_runs(seen: dict[str, Seen]) -> None:
    for name in ("hostile", "injected"):
        assert "<title>owned" not in seen[name].document
    assert seen["injected"].kind == "verified"
    assert seen["hostile"].kind == "refused"
    assert "unknown-rule" in seen["hostile"].answer
