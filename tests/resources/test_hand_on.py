"""Tables with generated texts and pictures that are handed on as Excel files, and come back."""

import openpyxl
import pandas as pd
import pytest
from tests.services import FaultyService

import inkframe as ink
from inkframe.display.markup import unmarked
from inkframe.frames import BASELINES

pytestmark = pytest.mark.integration
PRODUCTS = pd.DataFrame({"product": ["Quiet Kettle", "Desk Lamp", "Wool Rug"], "price": [30.0, 45.5, 120.0]})
MARKED = "# Kettle\n\nA **quiet** kettle, *very* `plain`.\n\n* Boils\n* Pours"
PLAIN = "Kettle\n\nA quiet kettle, very plain.\n\n- Boils\n- Pours"
BESIDE = ["text_id", "text_status", "text_error", "picture_id", "picture_status", "picture_error"]


def filled(client, products=PRODUCTS, **given):
    """Return a table with texts, of which the first has marks, and pictures."""
    frame = client.documents.write(products, "Describe {product}.", **given)
    return client.images.draw(frame, "A photo of {product}.", resolution="256x256", **given)


@pytest.fixture
def client():
    """Return a client of a local service, whose documents have the marks of Markdown."""
    with ink.connect(library=":memory:") as client:
        yield client


@pytest.fixture
def billed():
    """Return a service whose creates are billed."""
    return FaultyService(images=3, documents=3)


def client_of(service):
    """Return a client of a service in memory."""
    return ink.Client(service.base_url, service.key, transport=service.transport)


def sheet_of(path):
    """Return the only sheet of an Excel file."""
    return openpyxl.load_workbook(path).active


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        (MARKED, PLAIN),
        ("A line.\nAnother  \nlast\n\n1. one\n   - deep\n2) two\n\n> said", "A line.\nAnother\nlast\n\n1. one\n   - deep\n2) two\n\nsaid"),
        ("| a | b |\n|---|---|\n| 1 | **2** |", "a | b\n\n1 | 2"),
        ("See [the shop](https://a.test) or <https://b.test>, <c@d.test> ~~x~~", "See the shop (https://a.test) or https://b.test, c@d.test x"),
        ("```py\nx = '*a*'\n```\n\n***\n\n![A *dog*](u) \\*esc\\* &amp; <b>", "x = '*a*'\n\nA *dog* *esc* & <b>"),
        ("snake_case and 2 * 3 * 4\n\nB", "snake_case and 2 * 3 * 4\n\nB"),
        ("", ""),
        ("[" * 5_000, "[" * 5_000),
    ],
)  # fmt: skip
def test_markdown_as_plain_text(text, plain):
    """Marks are gone, lines stay, lists have hyphens or numbers, and links their addresses."""
    assert unmarked(text) == plain
    assert unmarked(plain) == plain or "*" in plain


@pytest.mark.parametrize("pictures", [True, False])
def test_the_file_is_for_people(client, tmp_path, pictures):
    """Texts have no marks, ids, statuses and errors are the last columns, and no path stands under a picture."""
    frame = filled(client)
    assert frame["text"].str.contains("#").any()
    before = frame.copy()
    sheet = sheet_of(frame.ink.to_excel(tmp_path / "a", pictures=pictures))
    assert [cell.value for cell in sheet[1]] == ["product", "price", "text", "picture", *BESIDE]
    assert [cell.value for cell in sheet["C"][1:]] == [unmarked(each) for each in frame["text"]]
    assert [cell.value for cell in sheet["D"][1:]] == ([None] * 3 if pictures else frame["picture"].tolist())
    assert [each.anchor._from.col for each in sheet._images] == [3, 3, 3] * pictures
    pd.testing.assert_frame_equal(frame, before)
    own = pd.DataFrame({"text_id": ["# 1"], "text": ["# mine"]})
    assert [cell.value for cell in sheet_of(own.ink.to_excel(tmp_path / "b"))[2]] == ["# 1", "# mine"]


@pytest.mark.parametrize("known", [True, False])
def test_only_edited_cells_are_sent(client, tmp_path, known):
    """A text whose marks are missing is unchanged, and an edited one replaces the text as it stands in the file."""
    frame = filled(client)
    client.documents.update(int(frame["text_id"][0]), result=MARKED)
    texts = [client.documents.get(int(id)).result for id in frame["text_id"]]
    BASELINES.clear()
    listed = client.documents.all() if known else None
    frame["text"] = texts
    back = pd.read_excel(frame.ink.to_excel(tmp_path / "a", pictures=True))
    assert back["text"][0] == PLAIN
    assert client.documents.push(back, column="text").empty
    back.loc[0, "text"] = PLAIN.replace("quiet", "loud")
    sent = client.documents.push(back, column="text")
    assert sent[["old", "new", "outcome"]].to_numpy().tolist() == [[MARKED, back["text"][0], "changed"]]
    stored = [client.documents.get(int(id)).result for id in frame["text_id"]]
    assert stored == [back["text"][0], *texts[1:]]
    assert listed is None or len(listed) == 3


def test_a_listing_keeps_its_marks(client, tmp_path):
    """A frame of documents is written as it is, so that removed marks are an edit."""
    client.documents.create(name="Kettle", prompt="About a kettle.").update(result=MARKED)
    back = pd.read_excel(client.documents.all().ink.to_excel(tmp_path / "a"))
    assert back["result"].tolist() == [MARKED]
    assert client.documents.push(back.assign(result=PLAIN), dry_run=True)["new"].tolist() == [PLAIN]


@pytest.mark.parametrize("home", ["same", "new"])
def test_what_comes_back_is_written_again_with_its_marks(client, tmp_path, home):
    """Texts that were not edited have their marks again and count as there, and an edited one stays; nothing is sent."""
    frame = filled(client, journal=tmp_path / "same")
    back = pd.read_excel(frame.ink.to_excel(tmp_path / "a", pictures=True))
    back.loc[1, "text"] = "My own lamp."
    again = filled(client, back, journal=tmp_path / home)
    assert again["text"].tolist() == [frame["text"][0], "My own lamp.", frame["text"][2]]
    statuses = ["existing", "edited" if home == "same" else "existing", "existing"]
    assert again["text_status"].tolist() == statuses
    for name in ("text_id", "picture", "picture_id"):
        assert again[name].tolist() == frame[name].tolist()
    assert client.created == 6
    assert client.documents.push(again, column="text")["new"].tolist() == ["My own lamp."]
    back.loc[0, "product"] = "Loud Kettle"
    changed = filled(client, back, journal=tmp_path / "same")
    assert changed["text_status"].tolist()[0] == changed["picture_status"].tolist()[0] == "created"


@pytest.mark.parametrize("home", ["same", "new"])
def test_nothing_is_paid_for_again(billed, tmp_path, home):
    """On a service that bills, rows with ids are fetched though their cells are empty, in a new home, too."""
    with client_of(billed) as client:
        frame = filled(client, journal=tmp_path / "same")
        back = pd.read_excel(frame.ink.to_excel(tmp_path / "a", pictures=True))
        assert back["picture"].isna().all()
        back.loc[0, "text"] = None
    with client_of(billed) as client:
        again = filled(client, back, journal=tmp_path / home)
        assert billed.generations == 6
        for name in ("text", "text_id", "picture", "picture_id"):
            assert again[name].tolist() == frame[name].tolist()
        assert set(again["picture_status"]) == {"existing"}


def test_a_record_that_is_gone_is_not_paid_for_again(billed, tmp_path):
    """A row whose picture was deleted is skipped with the reason, and keeps its id, so that ``again`` can replace it."""
    with client_of(billed) as client:
        frame = filled(client, journal=tmp_path / "same")
        client.images.delete(int(frame["picture_id"][1]))
        for home in ("same", "new"):
            back = pd.DataFrame(frame.assign(picture=None).to_dict("list"))
            again = filled(client, back, journal=tmp_path / home)
            assert again["picture_status"].tolist() == ["existing", "skipped", "existing"]
            assert again["picture_id"].tolist() == frame["picture_id"].tolist()
            assert "again= creates it anew" in again["picture_error"][1]
        assert billed.generations == 6


def test_what_comes_back_has_its_pictures(client, tmp_path):
    """Views, reports and a second file show the pictures of a frame that was read back, whatever its column is called."""
    frame = filled(client).rename(columns=lambda name: name.replace("picture", "photo"))
    frame.attrs["columns"] = {"text": "documents", "photo": "images"}
    back = pd.read_excel(frame.ink.to_excel(tmp_path / "a", pictures=True))
    # Where other clients are open, the frame needs its own.
    back.attrs = {name: each for name, each in frame.attrs.items() if name != "columns"}
    assert back["photo"].isna().all()
    assert ink.report(back, tmp_path / "a.html").read_text("utf-8").count("<img") == 3
    assert len(sheet_of(back.ink.to_excel(tmp_path / "b", pictures=True))._images) == 3


def test_a_long_table_comes_back(client, tmp_path):
    """Of more rows than are read one by one, texts without their marks count as unchanged, too."""
    frame = client.documents.write(
        pd.DataFrame({"product": [f"Kettle {at}" for at in range(24)]}), "Describe {product}."
    )
    back = pd.read_excel(frame.ink.to_excel(tmp_path / "a"))
    BASELINES.clear()
    assert client.documents.push(back, column="text").empty
    for home in ("new", None):
        again = client.documents.write(back, "Describe {product}.", journal=home and tmp_path / home)
        assert again["text"].tolist() == frame["text"].tolist()
    assert client.created == 24


@pytest.mark.browser
def test_a_report_shows_its_pictures_in_a_narrow_window(chromium_page, client, tmp_path):
    """At 900 and 400 pixels the pictures are inside the window, beside or above a text that is read without scrolling."""
    frame = filled(
        client, PRODUCTS.assign(maker="Alba and Sons of Birmingham", place="Shelf 12 of the back room")
    )
    back = pd.read_excel(frame.ink.to_excel(tmp_path / "a", pictures=True))
    broad = filled(client, PRODUCTS.assign(**{f"code {number}": "400000000000000001" for number in range(6)}))
    for number, given in enumerate([frame, back, broad]):
        path = ink.report(given, tmp_path / f"{number}.html")
        for width in (900, 400):
            page = chromium_page(viewport={"width": width, "height": 800})
            page.goto(path.as_uri())
            pictures = [each.bounding_box() for each in page.locator(".ink-pic").all()]
            texts = [each.bounding_box() for each in page.locator("td > .ink-prose").all()]
            assert len(pictures) == len(texts) == 3
            for picture, text in zip(pictures, texts, strict=True):
                assert (picture["width"], picture["height"]) == (120, 120)
                assert 0 <= picture["x"] <= width - 120
                is_beside = picture["x"] >= text["x"] + text["width"]
                assert is_beside or picture["y"] + 120 <= text["y"]
                assert text["x"] + text["width"] <= width
