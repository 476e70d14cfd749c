"""The site of a collection: a page a certificate, a list that is a plain table, and filters where scripts run."""

from __future__ import annotations

import html
import os
import re
import shutil
import subprocess
from pathlib import Path
from urllib.parse import quote

import pytest

from rankproof import verify
from rankproof.cli import main

PLAN = """\
[forms]
title = "Forms & more"
targets = { x2y = "x**2*y", square = "x**2" }
[maps]
units = "tied"
field = "QQ"
budget = 1
[maps.targets]
cmul = "a*c-b*d; a*d+b*c"
open = { target = "matmul(2,2,3)", units = "product", field = "CC", known = "11 <b>", source = "somebody" }
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("collection")
    (root / "targets.toml").write_text(PLAN, encoding="utf-8")
    assert main(["collection", "build", "--root", str(root)]) == 0
    assert main(["collection", "page", "--root", str(root), "--html", str(root / "site")]) == 0
    return root / "site"


def test_every_certificate_has_a_page_and_the_list_leads_there(site: Path) -> None:
    text = (site / "index.html").read_text(encoding="utf-8")
    links = set(re.findall(r'<a href="([^"]*)"', text))
    assert links == {"forms/x2y.html", "forms/square.html", "maps/cmul.html", "maps/open.html"}
    for link in links:
        page = (site / link).read_text(encoding="utf-8")
        data = (site.parent / link.replace(".html", ".json")).read_bytes()
        assert html.escape(data.decode(), quote=False) in page
        assert verify(data).claim_hash in page
        assert 'href="../index.html"' in page
        for needed in re.findall(r'(?:src|href)="(\.\./[^"#]+)"', page):
            assert (site / link).parent.joinpath(needed).is_file()


def test_the_list_is_a_table_without_scripts_and_escapes_what_the_plan_says(site: Path) -> None:
    text = (site / "index.html").read_text(encoding="utf-8")
    # Two kinds of units of two forms, one of the map, one of the tensor.
    assert text.count("<tr data-units") == 6
    assert '<form id="filters" role="search" hidden>' in text
    assert "11 &lt;b&gt; (somebody)" in text
    assert "Forms &amp; more" in text
    assert "<b>" not in text


def test_a_changed_file_gets_no_page(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = site.parent / "forms/x2y.json"
    before = file.read_bytes()
    file.write_bytes(before + b" ")
    try:
        assert (
            main(["collection", "page", "--root", str(site.parent), "--html", str(site.parent / "other")])
            == 3
        )
    finally:
        file.write_bytes(before)
    assert "not the file that was verified" in capsys.readouterr().err


@pytest.mark.external
def test_the_list_is_searched_filtered_and_sorted_in_a_browser(site: Path, tmp_path: Path) -> None:
    names = ("chromium", "chromium-browser", "google-chrome", "chrome")
    program = os.environ.get("RANKPROOF_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if program is None:
        pytest.skip("Chromium is not installed; RANKPROOF_CHROMIUM names a program")
    asked = {
        "search=Forms&units=tied&field=RR": ["x2y", "square"],
        "open=yes&units=product": ["open"],
        "rule=binary": ["x2y", "x2y"],
        # Column 2 is the width over QQ: by number, and the tensor, which has none, at the end.
        "sort=2": ["x2y", "square", "square", "x2y", "cmul", "open"],
    }
    running = {}
    for k, question in enumerate(asked):
        options = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / str(k)}"]
        address = f"file://{quote(str(site / 'index.html'))}#{question}"
        running[question] = subprocess.Popen(
            [program, *options, "--virtual-time-budget=5000", "--dump-dom", address],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    for question, process in running.items():
        document = process.communicate(timeout=120)[0].decode()
        rows = re.findall(r'<tr data-units[^>]*>.*?<a href="\w+/(\w+)\.html"', document)
        hidden = [bool(re.search(r'hidden=""', row)) for row in re.findall(r"<tr data-units[^>]*>", document)]
        assert [name for name, gone in zip(rows, hidden, strict=True) if not gone] == asked[question], (
            question
        )
        assert f"{hidden.count(False)} of 6 lines" in document
