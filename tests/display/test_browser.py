"""Test every view in a real browser: it runs and fetches nothing, and it looks as expected.

Screenshots of each view, light and dark, are written to the folder in ``SCREENSHOTS``, else to a temporary
one.
"""

import itertools
import os
from pathlib import Path

import pandas as pd
import pytest
from PIL import Image, ImageStat

from inkframe.display.comparison import compare
from inkframe.display.fragments import document_bundle, image_bundle
from inkframe.display.gallery import gallery, read, report_html
from inkframe.display.tables import table

pytestmark = pytest.mark.browser

STYLES = ["anime", "pop_art", "origami", "retro", "watercolor", "sketch"]
LETTER = (
    """Morning begins before the whistle. Light finds the steel, the steel keeps the light, and the first cup
is ready while the street is still deciding whether to wake.

## What it does

One liter, *four minutes*, **no fuss**: a kettle that does one thing and lets you do the rest.

- brushed steel that stays cool, as [the sheet](https://content.invalid/sheet) says
- a lid that closes with a sound like a full stop

> It hums, but only when it is happy.

| part | weight |
|---|---|
| body | 420 g |
| lid | 60 g |

"""
    + "The kettle waits on the stove and says nothing at all until it must. It has learned that from the cat. "
    * 14
)


@pytest.fixture(scope="module")
def browser(chromium):
    """A headless browser."""
    sync_api = pytest.importorskip(
        "playwright.sync_api", reason='needs Playwright: pip install "inkframe[test]"'
    )
    options = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
    with sync_api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=options)
        yield opened
        opened.close()


@pytest.fixture
def watched(browser):
    """A page without a network, with a list of dialogs, requests and popups."""
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.happened = []
    page.on("dialog", lambda dialog: (page.happened.append(f"dialog {dialog.message}"), dialog.dismiss()))
    page.on("request", lambda request: page.happened.append(request.url[:80]))
    page.on("popup", lambda popup: page.happened.append(f"popup {popup.url}"))
    yield page
    context.close()


#: Opens all details, and sends each element the events that handlers wait for.
PROVOKE = """() => {
  for (const each of document.querySelectorAll("details")) each.open = true;
  for (const each of document.body.querySelectorAll("*"))
    for (const kind of ["mouseover", "mouseenter", "focus", "load", "error", "toggle", "animationstart"])
      each.dispatchEvent(new Event(kind));
  return window.ran ?? null;
}"""
#: The elements and attributes of the page, as the browser parsed it.
MADE_OF = """() => ({
  elements: [...new Set([...document.querySelectorAll("*")].map(each => each.localName))],
  attributes: [...new Set([...document.body.querySelectorAll("*")].flatMap(each => each.getAttributeNames()))],
})"""


def harmless(url):
    return url.startswith(("file:", "data:image/jpeg;base64,", "data:image/webp;base64,", "about:blank"))


def test_hostile_views_run_and_fetch_nothing(watched, hostile, hostile_views, tmp_path):
    """No view opens a dialog, sends a request, runs a script or has an unknown element."""
    path = tmp_path / "view.html"
    frame = {"html", "head", "meta", "title", "body"}
    *views, (_, report), (_, columns) = hostile_views
    parts = "".join(f"<section title='{name}'>{html}</section>" for name, html in views)
    for page in (f"<!doctype html><meta charset=utf-8><title>views</title>{parts}", report, columns):
        path.write_text(page, "utf-8")
        watched.goto(path.as_uri())
        assert watched.evaluate(PROVOKE) is None
        made = watched.evaluate(MADE_OF)
        assert set(made["elements"]) <= hostile.ELEMENTS | frame
        assert set(made["attributes"]) <= hostile.ATTRIBUTES
        assert [each for each in watched.happened if not harmless(each)] == []


def test_a_click_enlarges_a_picture(watched, picture, image, tmp_path):
    """A picture of a gallery opens large with its facts and closes again, by mouse and by keyboard."""
    records = [{**image, "id": number} for number in range(6)]
    shown = gallery(records, lambda record: picture(record["id"], 512)).html
    # As in JupyterLab's own style sheet, where a list of this width moves below the picture.
    around = "<style>.jp-OutputArea-output dl { width: 100%; overflow: hidden }</style><div class=jp-OutputArea-output>"
    show(watched, around + shown, tmp_path)
    first = watched.locator(".ink-shot").first
    closed = first.locator("img").bounding_box()["width"]
    first.locator("img").click()
    assert first.locator("img").bounding_box()["width"] > 2 * closed
    picture_at, facts_at = (first.locator(each).bounding_box() for each in ("img", ".ink-facts"))
    assert facts_at["x"] >= picture_at["x"] + picture_at["width"]
    assert facts_at["y"] < picture_at["y"] + picture_at["height"]
    watched.keyboard.press("Enter")
    assert first.locator("img").bounding_box()["width"] == closed


def test_a_report_sorts_its_tables(watched, picture, image, tmp_path):
    """The choices of a heading sort by its column, in both orders, without a script."""
    records = [{**image, "id": number, "name": name} for number, name in ((2, "b"), (10, "a"), (1, "c"))]
    path = tmp_path / "report.html"
    path.write_text(report_html(records, lambda _: picture()), "utf-8")
    watched.goto(path.as_uri())

    def column(at):
        cells = watched.locator(f".ink-table tbody td:nth-child({at})").all()
        return [cell.inner_text() for cell in sorted(cells, key=lambda cell: cell.bounding_box()["y"])]

    for order, at, expected in (
        ("name, ascending", 2, ["a", "b", "c"]),
        ("id, ascending", 1, ["1", "2", "10"]),
        ("id, descending", 1, ["10", "2", "1"]),
    ):
        watched.locator(f"label[title='Sort by {order}']").click()
        assert column(at) == expected
    assert [each for each in watched.happened if not harmless(each)] == []


def test_screenshots_of_each_view(browser, views, tmp_path):
    """Each view fits a page of normal and of narrow width, in a light and in a dark theme."""
    folder = Path(os.environ.get("SCREENSHOTS") or tmp_path)
    folder.mkdir(parents=True, exist_ok=True)
    for scheme, width in itertools.product(("light", "dark"), (1000, 380)):
        context = browser.new_context(
            color_scheme=scheme, viewport={"width": width, "height": 300}, offline=True
        )
        page = context.new_page()
        for name, html in views.items():
            show(page, html, tmp_path)
            page.add_style_tag(content=f"body {{ background: {'#fff' if scheme == 'light' else '#16171a'} }}")
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (
                f"{name} is wider than {width}"
            )
            path = folder / f"{name}-{scheme}{'' if width == 1000 else '-narrow'}.png"
            page.screenshot(path=path, full_page=True)
            with Image.open(path) as shot:
                corner = ImageStat.Stat(shot.convert("L").crop((0, 0, 12, 12))).mean[0]
            assert (corner > 200) is (scheme == "light"), name
        context.close()


def show(page, html, folder):
    path = folder / "view.html"
    page_of = (
        html
        if html.startswith("<!doctype")
        else f"<!doctype html><meta charset=utf-8><body style='margin:20px'>{html}"
    )
    path.write_text(page_of, "utf-8")
    page.goto(path.as_uri())


@pytest.fixture
def views(picture, image, document):
    """Return each view with typical records."""
    images = [
        {
            **image,
            "id": n + 1,
            "name": f"Picture {n}",
            "style": STYLES[n % 6],
            "medium": ("ink", "chalk", None)[n % 3],
            "favorite": n % 5 == 0,
        }
        for n in range(12)
    ]
    letter = {**document, "result": LETTER}
    texts = {
        0.25: "The kettle boils one liter in four minutes. It is made of steel.",
        0.5: "One liter in four minutes, in brushed steel that stays cool to the touch.",
        1: "Morning begins before the whistle. Steel keeps the light; the first cup is already yours.",
    }
    runs = [
        {**document, "id": n, "creativity": c, "result": t, "favorite": c == 0.5}
        for n, (c, t) in enumerate(texts.items(), 1)
    ]

    def fetch(record):
        return picture(record["id"], 512)

    frame = pd.DataFrame(images[:4]).set_index("id")
    small = {1: picture(1), 2: picture(2), 3: "The picture is gone (404).", 4: picture(4)}
    shown = str(gallery(images, fetch, service="local demo service").html)
    return {
        "image": image_bundle(image, picture(12, 768), service="local demo service")["text/html"],
        "image-failed": image_bundle(image, b"<svg/>", service="local demo service")["text/html"],
        "document": document_bundle(letter, service="local demo service")["text/html"],
        "gallery": shown,
        "gallery-open": shown.replace('<details class="ink-shot"', '<details open class="ink-shot"', 1),
        "gallery-grouped": str(gallery(images, fetch, group_by="medium", size=110).html),
        "compare-documents": str(compare(runs, service="local demo service").html),
        "compare-images": str(
            compare([images[0], {**images[1], "description": "a harbor at dusk"}], fetch).html
        ),
        "read": str(read([letter, *runs], service="local demo service").html),
        "read-page": str(read(runs, layout="page", service="local demo service").html),
        "table": str(table(frame, small, service="local demo service").html),
        "table-texts": str(table(pd.DataFrame([letter, *runs]).set_index("id")).html),
        "report": report_html(
            [*images, letter, *runs], fetch, title="Harbors and kettles", service="local demo service"
        ),
    }
