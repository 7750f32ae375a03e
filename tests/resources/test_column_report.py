"""Reports of texts and pictures beside a person's own columns."""

import re

import pandas as pd
import pytest

import inkframe as ink
from inkframe.frames import ATTRIBUTE, COLUMNS

pytestmark = pytest.mark.integration
HOSTILE = "<img src=x onerror=alert(1)>"


@pytest.fixture
def client():
    """Return a client of a service in memory."""
    with ink.connect(library=":memory:") as client:
        yield client


@pytest.fixture
def table(client):
    """Return a table of three products with texts and pictures, of which the last has none."""
    names = ["Quiet Kettle", "Desk Lamp"]
    texts = [client.documents.create(name=name, prompt=f"About the {name}.") for name in names]
    looks = {"resolution": "256x256", "style": "retro"}
    pictures = [client.images.create(name=name, description=name, **looks) for name in names]
    frame = pd.DataFrame({"product": [*names, HOSTILE], "price": [30, 45, 15]}, index=[4, 4, 5])
    frame["text"] = ["**A kettle** that is quiet.", f"# Lamp\n\n{HOSTILE}", None]
    frame["text_id"] = pd.array([*(each.id for each in texts), None], "Int64")
    frame["text_status"], frame["text_error"] = (
        ["created", "edited", "failed"],
        [None, None, f"refused {HOSTILE}"],
    )
    frame["picture"] = [*(each.picture_url for each in pictures), None]
    frame["picture_id"] = pd.array([*(each.id for each in pictures), None], "Int64")
    frame["picture_status"], frame["picture_error"] = "created", None
    came = client.documents.all().attrs[ATTRIBUTE]
    frame.attrs = {ATTRIBUTE: {name: came[name] for name in ("service", "library", "client") if name in came}}
    frame.attrs[COLUMNS] = {"text": "documents", "picture": "images"}
    return frame


def test_generated_columns_stand_beside_ones_own(table, tmp_path):
    """Texts are rendered and pictures are thumbnails; ids and states are left out, and errors where there are none."""
    html = ink.report(table, tmp_path / "a.html", title="Products").read_text("utf-8")
    assert re.findall(r'role="columnheader">(.*?)<span', html) == [
        "product",
        "price",
        "text",
        "text_error",
        "picture",
    ]
    assert "<strong>A kettle</strong>" in html
    assert re.findall(r'<img src="data:image/jpeg;base64,[^"]*" alt="([^"]*)"', html) == [
        "Quiet Kettle",
        "Desk Lamp",
    ]
    assert "3 rows · local demo service" in html
    assert html.count("<img") == 2
    assert html.count("&lt;img src=x onerror=alert(1)&gt;") >= 3


def test_a_picture_that_is_missing_has_its_reason(client, table, tmp_path):
    """The reason stands in the cell, and a report of texts alone needs no client."""
    client.images.delete(int(table["picture_id"].iloc[1]))
    html = ink.report(table, tmp_path / "a.html").read_text("utf-8")
    assert html.count("<img") == 1
    assert "There is no image 2." in html
    client.close()
    texts = table.drop(columns="picture_id")
    assert "<strong>A kettle</strong>" in ink.report(texts, tmp_path / "b.html").read_text("utf-8")
    with pytest.raises(ink.InvalidArgument, match="client of this frame is unknown"):
        ink.report(table, tmp_path / "c.html")


def test_columns_of_any_name_are_shown(table, tmp_path):
    """Names that are no texts and names that appear twice are the columns of the report."""
    table[5] = pd.to_datetime("2026-01-05", utc=True)
    table.insert(0, "price", "a price in words", allow_duplicates=True)
    html = ink.report(table, tmp_path / "a.html").read_text("utf-8")
    assert re.findall(r'role="columnheader">(.*?)<span', html)[:3] == ["price", "product", "price"]
    assert "5 Jan 2026" in html
    assert html.count(">a price in words</td>") == 3
