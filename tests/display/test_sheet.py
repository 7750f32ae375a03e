"""Test contact sheets."""

import io
import itertools
import warnings

import numpy as np
import pytest
from PIL import Image, ImageFont

from inkframe.display.sheet import contact_sheet
from inkframe.errors import InvalidArgument


def sheet_of(pairs, **options):
    """Draw a sheet of pairs of a record and its content."""
    records = [{**record, "place": place} for place, (record, _) in enumerate(pairs)]
    options = {"rows": "medium", "columns": "style", **options}
    return contact_sheet(records, lambda record: pairs[record["place"]][1], **options)


def saved(image):
    with io.BytesIO() as file:
        image.save(file, "PNG")
        return file.getvalue()


@pytest.fixture
def pictures(picture):
    """Two styles by two mediums, with one empty cell and one with two records."""
    looks = [*list(itertools.product(["retro", "anime"], ["ink", "chalk"]))[:3], ("retro", "ink")]
    return [({"style": s, "medium": m}, picture(n, 64)) for n, (s, m) in enumerate(looks)]


def dark_at(sheet, box):
    return np.asarray(sheet.crop(box).convert("L")).min() < 160


def test_pictures_are_in_rows_and_columns(pictures, capsys):
    """The sheet has a cell for each pair of values, and headings for rows and columns, and nothing is printed."""
    sheet = sheet_of(pictures, size=64)
    assert not capsys.readouterr().out
    assert sheet.mode == "RGB"
    top, left = sheet.height - 32 - 2 * 64 - 14, sheet.width - 32 - 2 * 64 - 14
    assert dark_at(sheet, (left, 0, sheet.width, top))
    assert dark_at(sheet, (0, top, left, sheet.height))
    blank = sheet.getpixel((left + 32, top + 32))
    assert blank == (255, 255, 255), (
        "anime comes first by the vocabulary, and chalk before ink: the empty place"
    )
    assert sheet.getpixel((left + 32 + 78, top + 50)) != (255, 255, 255)


def test_a_sheet_without_rows_or_columns(pictures, picture):
    """Without both, pictures are in their order, as wide as high; without one, they are numbered there."""
    whole = sheet_of(pictures, rows=None, columns=None, size=64)
    assert whole.height == sheet_of(pictures, size=64).height
    for at, (across, down) in enumerate([(1, 1), (0, 1), (1, 0), (0, 0)]):
        x, y = whole.width - 32 - 78 * across - 32, whole.height - 32 - 78 * down - 32
        alone = sheet_of(pictures[at : at + 1], rows=None, columns=None, size=64)
        shown = alone.getpixel((alone.width - 64, alone.height - 64))
        assert whole.getpixel((x, y)) == shown != (255, 255, 255)
    ten = [({"style": "retro", "medium": "ink"}, picture(1, 64))] * 10
    grid = sheet_of(ten, rows=None, columns=None, size=64)
    assert grid.height < sheet_of(ten, columns=None, rows="style", size=64).width < 10 * 78 + 64 + 200
    by_style = sheet_of(pictures, rows="style", columns=None, size=64)
    assert by_style.width > by_style.height - 64
    assert sheet_of(pictures, rows=None, columns="style", size=64).height >= by_style.height
    with pytest.raises(InvalidArgument, match="none"):
        sheet_of([], rows=None, columns=None)


@pytest.mark.integration
def test_headings_of_many_columns_are_legible(picture, capsys):
    """Where the sheet is 900 pixels wide, letters are 8 pixels high; columns that find no room are in bands below."""
    styles = [f"style {number}" for number in range(20)]
    sheet = sheet_of([({"style": style, "medium": "ink"}, picture(1, 64)) for style in styles], size=256)
    heading = sheet.crop((300, 0, sheet.width, 80)).convert("L").point(lambda shade: 255 * (shade < 160))
    _, top, _, bottom = heading.getbbox()
    assert (bottom - top) * 900 / sheet.width >= 8
    columns = (sheet.width - 64) // 270
    bands = -(-20 // columns)
    assert bands > 1
    expected = f"20 columns in {bands} bands of at most {columns}, so that headings are legible.\n"
    assert capsys.readouterr().out == expected
    assert sheet.height > bands * 256
    last = (sheet.width - 32 - 270 * columns + 14 + 128, sheet.height - 32 - 128)
    assert sheet.getpixel(last) != (255, 255, 255)


@pytest.mark.integration
def test_a_long_word_in_a_heading_gets_room(picture):
    """There are fewer columns in a band where a word of a heading would not fit above its column."""

    def width(style):
        cells = [({"style": f"{style} {n}", "medium": "ink"}, picture(1, 64)) for n in range(8)]
        return sheet_of(cells, size=128).width

    assert width("w") > width("w" * 12)


@pytest.mark.integration
def test_texts_and_reasons_are_drawn_in_their_cells():
    """A document's text is drawn in its cell, and so is the reason of a refused picture."""
    cells = [
        ({"template": "FAQ", "creativity": c}, text)
        for c, text in ((0, "word " * 200), (1, b"<svg>"), (0.5, ""))
    ]
    sheet = sheet_of(cells, rows="creativity", columns="template", size=128)
    rows = [sheet.height - 32 - 128 * (3 - n) - 14 * (2 - n) for n in range(3)]
    left = sheet.width - 32 - 128
    assert [dark_at(sheet, (left + 8, row + 8, left + 120, row + 120)) for row in rows] == [True, False, True]


def test_missing_glyphs_are_reported_not_drawn(pictures):
    """Characters that the typeface lacks are listed in a warning and left out."""
    odd = [({**record, "medium": f"{record['medium']} \u2fa1"}, data) for record, data in pictures]
    with pytest.warns(UserWarning, match="has no glyph for \u2fa1.*left out"):
        sheet = sheet_of(odd, size=64, font=ImageFont.load_default(12))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        plain = sheet_of(pictures, size=64, font=ImageFont.load_default(12))
    assert sheet.size == plain.size


def test_transparent_and_oblong_pictures_are_centered():
    """A picture keeps its aspect ratio in its cell, on white."""
    image = Image.new("RGBA", (100, 50), (255, 0, 0, 255))
    sheet = sheet_of([({"style": "anime", "medium": "ink"}, saved(image))], size=100)
    left, top = sheet.width - 132, sheet.height - 132
    assert sheet.getpixel((left + 50, top + 50)) == (255, 0, 0)
    assert sheet.getpixel((left + 50, top + 10)) == (255, 255, 255)
    clear = Image.new("RGBA", (100, 100), (0, 0, 0, 0))
    sheet = sheet_of([({"style": "anime", "medium": "ink"}, saved(clear))], size=100)
    assert sheet.getpixel((left + 50, top + 50)) == (255, 255, 255)


def test_a_heading_is_above_the_middle_of_its_column():
    """A heading is centered over the pictures of its column."""
    sheet = sheet_of(
        [({"style": "retro", "medium": "ink"}, saved(Image.new("RGB", (64, 64), "#00f")))], size=64
    )
    pixels = np.asarray(sheet)
    blue = np.argwhere((pixels == [0, 0, 255]).all(axis=2))
    above = pixels[: blue[:, 0].min() - 2]
    heading = np.argwhere(above.min(axis=2) < 160)
    assert abs((heading[:, 1].min() + heading[:, 1].max()) / 2 - blue[:, 1].mean()) <= 2


def shades(sheet, step=8):
    """Return the mean shade of each square of a sheet, from 0 (black) to 9, as lines of text."""
    grid = np.asarray(sheet.convert("L").reduce(step)) / 255 * 9
    return ["".join(map(str, row)) for row in np.round(grid).astype(int).tolist()]


def test_whole_sheet(recorded):
    """Headings, pictures, a wide picture, texts, counts, an empty cell and a second band."""
    solid = {color: saved(Image.new("RGB", (64, 64), color)) for color in ("#b04040", "#4040b0")}
    wide = saved(Image.new("RGB", (128, 32), "#40b040"))
    cells = [({"style": f"column {n}", "medium": "first row"}, solid["#b04040"]) for n in range(9)]
    cells += [
        ({"style": "column 0", "medium": "first row"}, b""),
        ({"style": "column 1", "medium": "two"}, wide),
    ]
    cells += [
        ({"style": "column 2", "medium": "two"}, "words " * 30),
        ({"style": "column 3", "medium": "two"}, b"<svg>"),
    ]
    cells += [({"style": "column 4", "medium": "two"}, solid["#4040b0"])] * 12
    sheet = sheet_of(cells, size=64)
    recorded("sheet", {"size": sheet.size, "shades": shades(sheet)})
    longer = [
        ({"style": f"a heading of several words {n}", "medium": "m" * 20}, solid["#4040b0"]) for n in "ab"
    ]
    sheet = sheet_of(longer, size=96)
    recorded("headings", {"size": sheet.size, "shades": shades(sheet)})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"size": 63}, "size must be 64 to 1024, got 63.\nPass the side of a cell in pixels."),
        ({"size": 1025}, "size must be 64 to 1024, got 1025.\nPass the side of a cell in pixels."),
        ({"rows": "color"}, "No record has the field 'color'.\nThey have: style, medium, place."),
        ({"columns": "color"}, "No record has the field 'color'.\nThey have: style, medium, place."),
        (
            {"size": 1024, "rows": "place", "columns": "place"},
            "A sheet of 8 by 8 cells of 1024 pixels is too large.\nPass fewer records, or size=1000 or less.",
        ),
    ],
)
def test_errors_have_numbers_and_remedy(options, message):
    """Impossible sizes and fields are refused before any picture is fetched."""
    cells = [({"style": "a", "medium": "b"}, pytest.fail)] * 8
    with pytest.raises(InvalidArgument) as caught:
        sheet_of(cells, **options)
    assert str(caught.value) == message


def test_a_sheet_without_records_is_refused():
    """The error says what is needed."""
    with pytest.raises(InvalidArgument) as caught:
        contact_sheet([], pytest.fail, rows="a", columns="b")
    assert (
        str(caught.value) == "A contact sheet needs at least one record, got none.\nPass images or documents."
    )


def test_colors_and_corners_of_cells():
    """An empty cell has an outline, texts a ground of their own, and pictures round corners."""
    blue = saved(Image.new("RGB", (64, 64), "#0000ff"))
    cells = [
        ({"style": "a", "medium": "i"}, blue), ({"style": "b", "medium": "i"}, ""),
        ({"style": "a", "medium": "j"}, blue), ({"style": "a", "medium": "j"}, blue),
    ]  # fmt: skip
    sheet = sheet_of(cells, size=64)
    left, top = sheet.width - 32 - 2 * 64 - 14, sheet.height - 32 - 2 * 64 - 14
    picture, text, empty = ((left, top), (left + 78, top), (left + 78, top + 78))

    def pixel(place, x, y):
        return "#{:02x}{:02x}{:02x}".format(*sheet.getpixel((place[0] + x, place[1] + y)))

    for x, y in ((32, 0), (0, 32), (63, 32), (32, 63)):
        assert [pixel(place, x, y) for place in (picture, text, empty)] == ["#0000ff", "#f6f5f2", "#dedbd4"]
    for x, y in ((0, 0), (63, 0), (0, 63), (63, 63)):
        assert {pixel(place, x, y) for place in (picture, text, empty)} == {"#ffffff"}
    assert [pixel(empty, x, y) for x, y in ((1, 32), (32, 1), (62, 32), (32, 62))] == ["#ffffff"] * 4
    rounded = [pixel(picture, at, 0) for at in range(12)]
    assert rounded[:4] == ["#ffffff"] * 4
    assert rounded[10:] == ["#0000ff"] * 2
    assert [pixel(text, at, 0) for at in range(12)].count("#f6f5f2") in (2, 3, 4, 5)
    assert [pixel(picture, x, -1) for x in (0, 32)] == [pixel(picture, 64, 32), pixel(picture, 32, 64)]
    badge = (left, top + 78)
    assert pixel(badge, 55, 55) == "#0000ff"
    shades = {pixel(badge, x, y) for x in range(30, 56) for y in range(36, 56)}
    assert {"#ffffff", "#0000ff"} < shades
    assert min(int(shade[1:3], 16) for shade in shades if shade[1:3] == shade[3:5]) < 0x60
