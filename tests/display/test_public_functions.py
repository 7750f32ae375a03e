"""What all public functions of the package have: defaults, and errors that say what to pass instead."""

import inspect
import struct

import pandas as pd
import pytest

from inkframe.display.comparison import compare
from inkframe.display.console import progress_bar
from inkframe.display.figure import fetch_thumbnails
from inkframe.display.files import document_file, file_name, open_file, picture_file, saved_picture
from inkframe.display.fragments import document_bundle, image_bundle
from inkframe.display.gallery import gallery, read, report_html
from inkframe.display.picture import check_picture, load_picture, refuse_large
from inkframe.display.sheet import Typeface, contact_sheet
from inkframe.display.tables import table
from inkframe.errors import InkframeError

DEFAULTS = {
    "compare": "fetch=None, similarity=None, service=''",
    "contact_sheet": "rows=None, columns=None, font=None, size=256, progress=True",
    "document_bundle": "service=''",
    "document_file": "service=''",
    "fetch_thumbnails": "size=144, max_bytes=3000, service='', cache=None, progress=True",
    "file_name": "taken=None",
    "gallery": "columns=None, size=160, caption=None, group_by=None, service='', cache=None, progress=True",
    "image_bundle": "service=''",
    "load_picture": "size=None",
    "picture_file": "service=''",
    "progress_bar": "leave=True",
    "read": "layout='accordion', service=''",
    "report_html": "fetch=None, title='Report', service='', made=None, progress=True",
    "saved_picture": "service=''",
    "table": "thumbnails=None, rows=100, service=''",
}


def test_defaults(image, picture):
    """Arguments that are left out have these values."""
    found = {}
    calls = [
        contact_sheet([image], lambda _: picture(1, 16), rows="style", columns="medium"),
        compare([image] * 2, lambda _: picture(1, 16)),
        document_bundle({}),
        document_file({}),
        [*fetch_thumbnails([], None)],
        file_name(1, "", ".png"),
        gallery([], None),
        image_bundle({}, "No picture."),
        load_picture(picture(1, 16)),
        picture_file(image, picture(1, 16)),
        progress_bar(False, 1, "", ""),
        read([]),
        report_html([image]),
        saved_picture(image, picture(1, 16), ".png"),
        table(pd.DataFrame()),
    ]
    assert len(calls) == len(DEFAULTS)
    for name in DEFAULTS:
        parameters = inspect.signature(globals()[name]).parameters.values()
        defaults = [f"{each.name}={each.default!r}" for each in parameters if each.default is not each.empty]
        found[name] = ", ".join(defaults)
    assert found == DEFAULTS


def test_messages(image, document, picture, tmp_path, recorded):
    """Arguments out of range, pictures that are refused, and files of others."""
    path = tmp_path / "notes.md"
    path.write_text("text")
    whole = picture(1, 16)
    sized = whole[:16] + struct.pack(">II", 6_000, 4_001) + whole[24:]
    none = whole[:16] + struct.pack(">II", 0, 4) + whole[24:]
    calls = {
        "rows": lambda: table(pd.DataFrame(), rows=0),
        "layout": lambda: read([document], layout="book"),
        "columns": lambda: gallery([image], None, columns=0),
        "more columns": lambda: gallery([image], None, columns=25),
        "size": lambda: gallery([image], None, size=47),
        "larger size": lambda: gallery([image], None, size=513),
        "field": lambda: gallery([image], None, caption="color"),
        "group": lambda: gallery([image], None, group_by="color"),
        "one record": lambda: compare([image]),
        "thirteen records": lambda: compare([image] * 13),
        "two collections": lambda: compare([document, image]),
        "no pictures": lambda: compare([image, image]),
        "font": lambda: Typeface("no-such-font.ttf", [], 12),
        **{
            f"caption {pattern}": lambda pattern=pattern: gallery(
                [{"name": "a"}], lambda _: whole, caption=pattern
            )
            for pattern in ("{odd}", "{", "{}", "{name[5]}", "{name.odd}", "{name:d}")
        },
        "blp": lambda: saved_picture(image, whole, ".blp"),
        "xbm": lambda: saved_picture(image, whole, ".xbm"),
        "suffix": lambda: saved_picture(image, whole, ".txt"),
        "file": lambda: open_file(path),
        "bytes": lambda: check_picture(bytes(50_600_001)),
        "pixels": lambda: check_picture(sized),
        "no width": lambda: check_picture(none),
        "more": lambda: check_picture(whole + b" \0\t\r\n" * 300 + b"x"),
        "large": lambda: refuse_large(6_000, 4_001),
    }
    found = {}
    for name, call in calls.items():
        with pytest.raises(InkframeError) as caught:
            call()
        found[name] = [type(caught.value).__name__, *str(caught.value).split("\n")]
    recorded("messages", found)
    refuse_large(6_000, 4_000)
    assert check_picture(whole + b" \0\t\r\n" * 300).end == len(whole)
