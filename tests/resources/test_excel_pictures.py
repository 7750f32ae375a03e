"""Excel files with pictures in their cells."""

from base64 import b64encode
from io import BytesIO

import httpx
import openpyxl
import pandas as pd
import PIL.Image
import pytest

import inkframe as ink
from inkframe.frames import ATTRIBUTE, COLUMNS

pytestmark = pytest.mark.integration
HOSTILE = '=HYPERLINK("https://x.test")\x01\ud800'


def png(color, size=(300, 200)):
    """Return a picture of one color."""
    with BytesIO() as file:
        PIL.Image.new("RGBA", size, color).save(file, "PNG")
        return file.getvalue()


PICTURES = {"/1.png": png("red"), "/2.png": png("#0000ff40", (60, 60)), "/3.png": b"<svg/>"}


@pytest.fixture
def requests():
    """Return the paths of the requests so far."""
    return []


@pytest.fixture
def client(requests):
    """Return a client of a service with four images: opaque, transparent and small, no picture at all, and gone."""

    def answer(request):
        requests.append(request.url.path)
        if request.url.path in PICTURES:
            return httpx.Response(200, content=PICTURES[request.url.path])
        number = request.url.path.rpartition("/")[2]
        records = [{"id": at, "name": f"={at}", "style": "anime", "url": f"/{at}.png"} for at in (1, 2, 3, 4)]
        if number.isdecimal():
            return httpx.Response(200, json={"data": records[int(number) - 1]})
        if number != "images":
            return httpx.Response(404)
        return httpx.Response(200, json={"data": records, "meta": {"total": 4}})

    with ink.Client("https://a.test", "a-key-of-length", transport=httpx.MockTransport(answer)) as client:
        yield client


@pytest.fixture
def table(client):
    """Return a table of five products with pictures; the last has none."""
    frame = pd.DataFrame({"price": [1.5, 2, 3, 4, 5]}, index=[7, 7, 8, 9, 9])
    # As objects, since Arrow stores no lone surrogate.
    frame.insert(0, "product", pd.Series([*"abcd", HOSTILE], frame.index, object))
    frame["picture"] = ["/1.png", "/2.png", "/3.png", "/4.png", None]
    frame["picture_id"] = pd.array([1, 2, 3, 4, None], "Int64")
    frame["text"] = pd.Series(["one\n" + "word " * 400, HOSTILE, "x", "", None], frame.index, object)
    frame["text_id"] = pd.array([*"5678", None])
    frame.attrs = {
        ATTRIBUTE: {"service": "https://a.test", "client": client.images.list().attrs[ATTRIBUTE]["client"]}
    }
    frame.attrs[COLUMNS] = {"picture": "images", "text": "documents"}
    return frame


def pictures_of(sheet):
    """Return the cell, format, pixels and shown size of each picture of a sheet."""
    found = []
    for each in sheet._images:
        start, end = each.anchor._from, each.anchor.to
        assert (start.row, start.col) == (end.row, end.col)
        with PIL.Image.open(BytesIO(each._data())) as image:
            shown = [(end.colOff - start.colOff) // 9525, (end.rowOff - start.rowOff) // 9525]
            cell = sheet.cell(start.row + 1, start.col + 1).coordinate
            found.append((cell, image.format, max(image.size) <= 144, shown, each.anchor.editAs))
    return found


def test_thumbnails_stand_in_the_cells_of_a_generated_column(table, tmp_path, capsys):
    """A picture stands instead of its location; cells without one show it, and one line counts them."""
    sheet = openpyxl.load_workbook(table.ink.to_excel(tmp_path / "a", pictures=True)).active
    assert pictures_of(sheet) == [
        ("C2", "JPEG", True, [96, 64], "twoCell"),
        ("C3", "JPEG", True, [60, 60], "twoCell"),
    ]
    assert [(cell.value, cell.number_format) for cell in sheet["C"][1:]] == [
        (None, "General"),
        (None, "General"),
        ("/3.png", "General"),
        ("/4.png", "General"),
        (None, "General"),
    ]
    assert capsys.readouterr().out.splitlines()[-1] == (
        "3 of 5 pictures missing in a.xlsx. The picture must be PNG, JPEG, WEBP or GIF, got an SVG or HTML page."
    )


def test_texts_are_wrapped_and_rows_fit(table, tmp_path):
    """Texts are wrapped at 60 characters, rows fit their pictures and texts up to a limit, and columns have filters."""
    sheet = openpyxl.load_workbook(table.ink.to_excel(tmp_path / "a", pictures=True)).active
    assert [sheet.row_dimensions[row].height for row in range(2, 7)] == [300, 77, 15, 15, 15]
    assert {name: sheet.column_dimensions[name].width for name in "BCD"} == {"B": 9, "C": 15, "D": 60}
    assert {cell.alignment.wrap_text for row in sheet["A2:F6"] for cell in row} == {True}
    assert (sheet.freeze_panes, sheet.auto_filter.ref) == ("A2", "A1:F6")


def test_the_file_reads_back_as_without_pictures(client, table, tmp_path):
    """All but the locations is as in a file without pictures, and hostile texts are as harmless."""
    for frame in (table, client.images.list()):
        back = pd.read_excel(frame.ink.to_excel(tmp_path / "a.xlsx", pictures=True, overwrite=True))
        without = pd.read_excel(frame.ink.to_excel(tmp_path / "b.xlsx", overwrite=True))
        if "picture" in frame:
            without.loc[[0, 1], "picture"] = None
        pd.testing.assert_frame_equal(back, without)
    sheet = openpyxl.load_workbook(table.ink.to_excel(tmp_path / "c.xlsx", pictures=True)).active
    cells = [sheet["A6"], sheet["D3"]]
    assert [(cell.value, cell.data_type, cell.hyperlink) for cell in cells] == [
        (HOSTILE[:-2] + "?", "s", None)
    ] * 2
    assert client.images.push(back, dry_run=True).empty


def test_a_picture_stands_beside_the_name_of_an_image(client, tmp_path):
    """In a frame of images the name is indented, so that the picture and it are both seen."""
    frame = client.images.list()
    sheet = openpyxl.load_workbook(frame.ink.to_excel(tmp_path / "a", pictures=True)).active
    pictures = pictures_of(sheet)
    assert [cell for cell, *_ in pictures] == ["B2", "B3"]
    assert [cell.alignment.indent for cell in sheet["B"][1:]] == [12, 12, 0, 0]
    assert [cell.number_format for cell in sheet["B"][1:]] == ["General"] * 4
    numbered = frame.reset_index()
    again = openpyxl.load_workbook(numbered.ink.to_excel(tmp_path / "b", pictures=True)).active
    assert pictures_of(again) == pictures


def test_pictures_are_fetched_once(client, table, tmp_path, requests):
    """A second file takes the small pictures from the cache; another location of an id is another picture."""
    table = table.head(2)
    table.ink.to_excel(tmp_path / "a", pictures=True)
    assert sorted(requests[-2:]) == ["/1.png", "/2.png"]  # two threads
    count = len(requests)
    table.ink.to_excel(tmp_path / "b", pictures=True)
    assert len(requests) == count
    table.assign(picture="/1.png").ink.to_excel(tmp_path / "c", pictures=True)
    assert requests[count:] == ["/1.png"]


def test_a_file_is_written_wholly_or_not_at_all(table, tmp_path, requests, sample_client):
    """A text that is too long is refused before anything is fetched; without a client there is no file either."""
    count = len(requests)
    with pytest.raises(ink.InvalidArgument, match="32,767 characters"):
        table.assign(product="x" * 32_768).ink.to_excel(tmp_path / "a", pictures=True)
    assert len(requests) == count
    table.attrs[ATTRIBUTE] = {"service": "https://other.test"}
    with pytest.raises(ink.InvalidArgument, match="client of this frame is unknown"):
        table.ink.to_excel(tmp_path / "a", pictures=True)
    assert list(tmp_path.iterdir()) == []


def test_frames_without_pictures_are_only_laid_out(tmp_path):
    """A frame of documents, of anything, and an empty one get widths and filters, without a client."""
    for frame in (pd.DataFrame({"result": ["x"]}), pd.DataFrame({"a": []}), pd.DataFrame(index=[1, 2])):
        sheet = openpyxl.load_workbook(
            frame.ink.to_excel(tmp_path / "a", pictures=True, overwrite=True)
        ).active
        assert sheet._images == []
        assert sheet.auto_filter.ref == (f"A1:A{len(frame) + 1}" if len(frame.columns) else None)


def test_a_picture_in_the_record_itself_is_drawn(client, tmp_path):
    """A location that is a data URI needs no request."""
    uri = f"data:image/png;base64,{b64encode(PICTURES['/1.png']).decode()}"
    frame = client.images.list().head(1).assign(picture_url=uri, style="retro")
    sheet = openpyxl.load_workbook(frame.ink.to_excel(tmp_path / "a", pictures=True)).active
    assert len(sheet._images) == 1
