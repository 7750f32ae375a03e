"""The studio notebook as a web page for people without Jupyter."""

from __future__ import annotations

import re
import shutil

import pytest
from playwright.sync_api import expect

import inkframe

pytestmark = pytest.mark.browser

#: What Voila's own page asks other hosts for, in vain.
VOILA = ("fontawesome", "mathjax")


def test_the_studio_creates_an_image_under_voila(jupyterlab, chromium_page, project, find_severe):
    """The notebook comes up as a page, an image made there is in the library, and axe finds nothing severe."""
    pytest.importorskip("voila", reason='needs Voila: pip install "inkframe[test]"')
    shutil.copyfile(project / "notebooks/studio.ipynb", jupyterlab.folder / "studio.ipynb")
    page = chromium_page()
    page.goto(f"{jupyterlab.url}/voila/render/studio.ipynb?token={jupyterlab.token}")
    page.get_by_label("Name").fill("Harbor")
    page.get_by_label("Description").fill("a harbor at dawn")
    page.get_by_role("button", name="Create image").click()
    expect(page.get_by_alt_text("Harbor: a harbor at dawn")).to_be_visible()
    page.get_by_role("tab", name="New image", exact=True).focus()
    for key in ("ArrowRight", "Enter") * 3:
        page.keyboard.press(key)
    expect(page.get_by_role("gridcell", name="Harbor").locator("img")).to_be_visible()
    for tab in ("New document", "Creativity", "Looks"):
        page.get_by_role("tab", name=tab, exact=True).click()
        expect(page.get_by_role("button", name=re.compile(r"^Create (\d|document)"))).to_be_visible()
        assert find_severe(page, ".ink-studio") == []
    with inkframe.connect(library=jupyterlab.home / "library.db") as client:
        assert list(client.images.list()["name"]) == ["Harbor"]
    assert [url for url in page.refused if not any(own in url for own in VOILA)] == []
