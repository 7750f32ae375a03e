"""Every text of a view is cut at its limit, whichever field it comes from."""

import re

import pandas as pd
import pytest

from inkframe.display import figure as words_of
from inkframe.display.comparison import compare
from inkframe.display.fragments import document_bundle, image_bundle, none_tag
from inkframe.display.gallery import gallery, read, report_html
from inkframe.display.markup import line
from inkframe.display.tables import table
from inkframe.errors import UnexpectedReply

pytestmark = pytest.mark.integration

#: The letter that fills each field.
FIELDS = {
    "id": "i", "name": "n", "description": "d", "resolution": "r", "style": "s", "medium": "m", "filter": "f",
    "template": "t", "prompt": "p", "creativity": "c", "result": "w", "created_at": "k",
}  # fmt: skip


@pytest.fixture
def images():
    """Return images whose fields are far too long, one of them a favorite."""
    names = ("id", "name", "description", "resolution", "style", "medium", "filter", "created_at")
    image = {name: FIELDS[name] * 3_000 for name in names}
    return [image, {**image, "name": "N" * 3_000, "description": "D" * 3_000, "favorite": True}]


@pytest.fixture
def documents():
    """Return documents whose fields are far too long, with the same and with different prompts."""
    names = ("id", "name", "template", "prompt", "creativity", "result", "created_at")
    document = {name: FIELDS[name] * 70_000 for name in names}
    return [document, {**document, "name": "N" * 3_000, "result": "W" * 70_000, "prompt": "P" * 70_000}]


def runs(text):
    """Return the letters that a text repeats, each with the number of its repetitions."""
    text = re.sub(r"base64,[A-Za-z0-9+/=]+", "", text)
    return " ".join(f"{found[1]}{len(found[0])}" for found in re.finditer(r"([A-Za-z])\1{9,}", text))


def view_of(view):
    return [runs(view.html), runs(view.text)]


def test_limits_of_facts(images, documents, recorded):
    """Names, settings, ids and times have limits of their own."""
    for name, record in {"image": images[0], "document": documents[0]}.items():
        texts = [words_of.words(record, field) for field in record]
        facts = [text for _, text in words_of.facts(record, "v" * 300)]
        texts += [
            words_of.entry("Image", record),
            words_of.row(record, "said"),
            words_of.look(record),
            *facts,
        ]
        texts += [
            words_of.look(record, brief=True),
            words_of.summary(record, "v" * 300),
            words_of.alt(record),
        ]
        recorded(name, [runs(text) for text in texts])


def test_limits_of_galleries(images, picture, recorded):
    """Captions of a field, a pattern and a function, descriptions, and reasons of missing pictures."""
    captions = {"look": None, "field": "style", "pattern": "{style} {name}", "function": lambda _: "z" * 999}
    for name, caption in captions.items():
        view = gallery(images, lambda _: picture(1), caption=caption, service="v" * 300, progress=False)
        recorded(f"gallery by {name}", view_of(view))

    def refuse(_):
        raise UnexpectedReply("y" * 999)

    view = gallery(images, refuse, group_by="style", progress=False)
    recorded("gallery of reasons", [*view_of(view), runs(" ".join(view.failures.values()))])
    with pytest.raises(ValueError, match="cannot be filled in") as caught:
        gallery([{**images[0], "q" * 99: 1}], refuse, caption="{", progress=False)
    recorded("fields", runs(str(caught.value)))


def test_limits_of_figures_and_reports(images, documents, picture, recorded):
    """One image, reasons, and a page of images and documents."""
    for name, found in (("figure", image_bundle(images[0], picture(1), service="v" * 300)),
                        ("reason", image_bundle(images[0], "y" * 999 + "\nmore"))):  # fmt: skip
        recorded(name, {kind: runs(found[kind]) for kind in ("text/html", "text/plain")})
    recorded(
        "brief reason", [runs(str(none_tag("y" * 999, brief=True))), runs(str(none_tag("y\n" + "z" * 999)))]
    )
    page = report_html([*images, *documents], lambda _: picture(1), title="u" * 999, service="v" * 300)
    recorded("report", runs(re.sub(r"<(script|style)>.*?</\1>", "", page, flags=re.DOTALL)))


def test_limits_of_documents(documents, recorded):
    """One document, several folded and open ones."""
    found = document_bundle(documents[0], service="v" * 300)
    recorded("bundle", {kind: runs(found[kind]) for kind in ("text/html", "text/plain")})
    for layout in ("accordion", "page"):
        recorded(f"one, {layout}", view_of(read(documents[:1], layout=layout, service="v" * 300)))
        recorded(f"two, {layout}", view_of(read(documents, layout=layout)))


def test_limits_of_comparisons(images, documents, picture, recorded):
    """Documents with one prompt and with two, and images."""
    recorded("documents", view_of(compare(documents, service="v" * 300)))
    recorded("one prompt", view_of(compare([documents[0], documents[0] | {"name": "other"}])))
    recorded("images", view_of(compare(images, lambda _: picture(1), service="v" * 300)))


def test_limits_of_tables(recorded):
    """Columns and rows, names of columns, labels of rows, folded and broken texts."""
    texts = ["a" * 18, "b" * 19, "c" * 110, "d" * 111, "e" * 6_000, "f" * 6_001]
    frame = pd.DataFrame({"g" * 99: texts}, index=pd.Index(["h" * 99, *range(5)], name="j" * 99))
    view = table(frame, service="v" * 300)
    recorded("texts", view_of(view))
    recorded("classes", re.findall(r'<td[^>]*class="([^"]*)"', view.html))
    wide = pd.DataFrame(1, index=range(101), columns=range(61))
    for rows, columns, options in (
        (101, 61, {}),
        (100, 60, {}),
        (101, 3, {"rows": 101}),
        (3, 61, {"rows": 2}),
    ):
        view = table(wide.iloc[:rows, :columns], **options)
        head, _, rest = view.text.partition("\n")
        recorded(
            f"{rows} by {columns}", [head, line(rest, 30), view.html.count("<tr"), view.html.count("<td")]
        )
