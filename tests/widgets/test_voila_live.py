"""The studio as a web page for people without Jupyter."""

import os
import re
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager

import pytest
from playwright.sync_api import expect
from tests.waiting import LIMIT

import inkframe

pytestmark = pytest.mark.browser

#: What Voila's own page asks other hosts for, in vain.
VOILA = ("fontawesome", "mathjax")
TABS = ("New image", "New document", "From a table", "Images", "Documents", "Creativity", "Looks", "Rate")
#: Words of programs that a shop person does not know.
UNKNOWN = re.compile(
    r"\b(frames?|records?|cases?|baselines?|journals?|client|cells?|notebook|python|row \d+ \(counted)\b",
    re.IGNORECASE,
)
#: All that a page says, also to assistive technology.
SAID = """() => [document.body.innerText, ...[...document.querySelectorAll('.ink-studio *')].filter(each => each.checkVisibility()).flatMap(each =>
  [...each.attributes].filter(one => /^(aria-label|placeholder|title|alt)$/.test(one.name)).map(one => one.value))].join("\\n")"""


@contextmanager
def served(folder, *options):
    """Run ``inkframe studio`` on a free port, and yield its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    command = [sys.executable, "-m", "inkframe", "studio", "--no-browser", "--port", port, *options]
    folders = dict.fromkeys(
        ("JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"), str(folder / "jupyter")
    )
    environment = os.environ | folders | {"INKFRAME_HOME": str(folder / "home")}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    with subprocess.Popen(command, cwd=folder, env=environment, start_new_session=True, **pipes) as process:
        try:
            for line in process.stdout:
                if found := re.match(r"http://localhost:\d+/", line):
                    yield found[0]
                    break
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            process.communicate(timeout=LIMIT)


def test_two_visitors_at_once(tmp_path, chromium_page, find_severe):
    """Each creates an image on a page without code, sees it without scrolling, and finds that of the other."""
    library = tmp_path / "shop.db"
    with served(tmp_path, "--library", str(library)) as address:
        pages = [chromium_page(viewport={"width": 1400, "height": 900}) for _ in range(2)]
        for page in pages:
            page.goto(address)
        for page, name in zip(pages, ("Harbor", "Kettle"), strict=True):
            page.get_by_label("Name").fill(name)
            page.get_by_label("Description").fill(f"a {name.lower()} at dawn")
        for page in pages:
            page.get_by_role("button", name="Create image").click()
        for page, name in zip(pages, ("Harbor", "Kettle"), strict=True):
            picture = page.get_by_alt_text(f"{name}: a {name.lower()} at dawn")
            expect(picture).to_be_in_viewport(ratio=1)
            assert page.evaluate("() => scrollY") == 0
            expect(page.get_by_text(re.compile(r"^Image \d+ created\.$"))).to_be_visible()
            expect(page.locator(".ink-code").first).to_be_hidden()
        page = pages[0]
        page.get_by_role("tab", name="Images", exact=True).click()
        for name in ("Harbor", "Kettle"):
            expect(page.get_by_role("gridcell", name=name).locator("img")).to_be_visible()
        for tab in TABS:
            page.get_by_role("tab", name=tab, exact=True).click()
            expect(page.locator(".ink-studio button:visible").first).to_be_visible()
            assert find_severe(page, ".ink-studio") == []
            assert UNKNOWN.findall(page.evaluate(SAID)) == []
        assert [url for url in page.refused if not any(own in url for own in VOILA)] == []
    with inkframe.connect(library=library) as client:
        assert sorted(client.images.list()["name"]) == ["Harbor", "Kettle"]


def test_a_table_of_a_shop(tmp_path, chromium_page):
    """A file is opened, said to be so large, and shown before anything is created; the words are those of a shop."""
    (tmp_path / "shop.csv").write_text("sku;product;price\n" + "007;kettle;12,50\n008;lamp;7\n" * 20)
    with served(tmp_path, "--library", str(tmp_path / "shop.db")) as address:
        page = chromium_page(viewport={"width": 1400, "height": 900})
        page.goto(address)
        page.get_by_role("tab", name="From a table").click()
        with page.expect_file_chooser() as chooser:
            page.get_by_role("button", name="Open a file").click()
        chooser.value.set_files(tmp_path / "shop.csv")
        expect(page.get_by_text("shop.csv: 40 rows, 3 columns")).to_be_visible()
        expect(page.get_by_role("gridcell", name="007").first).to_be_in_viewport()
        page.get_by_label("Prompt").fill("Describe ")
        page.keyboard.press("Tab")
        page.get_by_role("option", name="product").click()
        page.keyboard.type(" in one sentence.")
        expect(page.get_by_label("Prompt")).to_have_value("Describe {product} in one sentence.")
        page.get_by_role("button", name="Preview 3").click()
        expect(page.get_by_text(re.compile("3 .*created")).first).to_be_visible()
        assert UNKNOWN.findall(page.evaluate(SAID)) == []
