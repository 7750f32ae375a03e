"""What all public functions of the package have: defaults, and errors that say what to pass instead."""

from __future__ import annotations

import inspect
import struct

import pandas as pd
import pytest

from inkframe import display
from inkframe.display.picture_decoding import refuse_large
from inkframe.display.typeface import Typeface
from inkframe.errors import InkframeError

DEFAULTS = {
    "compare": "fetch=None, similarity=None, service=''",
    "contact_sheet": "font=None, size=256, progress=True",
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
        display.contact_sheet([image], lambda _: picture(1, 16), rows="style", columns="medium"),
        display.compare([image] * 2, lambda _: picture(1, 16)),
        display.document_bundle({}),
        display.document_file({}),
        [*display.fetch_thumbnails([], None)],
        display.file_name(1, "", ".png"),
        display.gallery([], None),
        display.image_bundle({}, "No picture."),
        display.load_picture(picture(1, 16)),
        display.picture_file(image, picture(1, 16)),
        display.progress_bar(False, 1, "", ""),
        display.read([]),
        display.report_html([image]),
        display.saved_picture(image, picture(1, 16), ".png"),
        display.table(pd.DataFrame()),
    ]
    assert len(calls) == len(DEFAULTS)
    for name in set(display.__all__) - {"Html"}:  # a kind of str
        parameters = inspect.signature(getattr(display, name)).parameters.values()
        defaults = [f"{each.name}={each.default!r}" for each in parameters if each.default is not each.empty]
        found[name] = ", ".join(defaults)
    assert {name: defaults for name, defaults in found.items() if defaults} == DEFAULTS


def test_messages(image, document, picture, tmp_path, recorded):
    """Arguments out of range, pictures that are refused, and files of others."""
    path = tmp_path / "notes.md"
    path.write_text("text")
    whole = picture(1, 16)
    sized = whole[:16] + struct.pack(">II", 6_000, 4_001) + whole[24:]
    none = whole[:16] + struct.pack(">II", 0, 4) + whole[24:]
    calls = {
        "rows": lambda: display.table(pd.DataFrame(), rows=0),
        "layout": lambda: display.read([document], layout="book"),
        "columns": lambda: display.gallery([image], None, columns=0),
        "more columns": lambda: display.gallery([image], None, columns=25),
        "size": lambda: display.gallery([image], None, size=47),
        "larger size": lambda: display.gallery([image], None, size=513),
        "field": lambda: display.gallery([image], None, caption="color"),
        "one record": lambda: display.compare([image]),
        "thirteen records": lambda: display.compare([image] * 13),
        "two collections": lambda: display.compare([document, image]),
        "no pictures": lambda: display.compare([image, image]),
        "font": lambda: Typeface("no-such-font.ttf", [], 12),
        **{
            f"caption {pattern}": lambda pattern=pattern: display.gallery(
                [{"name": "a"}], lambda _: whole, caption=pattern
            )
            for pattern in ("{odd}", "{", "{}", "{name[5]}", "{name.odd}", "{name:d}")
        },
        "blp": lambda: display.saved_picture(image, whole, ".blp"),
        "xbm": lambda: display.saved_picture(image, whole, ".xbm"),
        "suffix": lambda: display.saved_picture(image, whole, ".txt"),
        "file": lambda: display.open_file(path),
        "bytes": lambda: display.check_picture(bytes(50_600_001)),
        "pixels": lambda: display.check_picture(sized),
        "no width": lambda: display.check_picture(none),
        "more": lambda: display.check_picture(whole + b" \0\t\r\n" * 300 + b"x"),
        "large": lambda: refuse_large(6_000, 4_001),
    }
    found = {}
    for name, call in calls.items():
        with pytest.raises(InkframeError) as caught:
            call()
        found[name] = [type(caught.value).__name__, *str(caught.value).split("\n")]
    recorded("messages", found)
    refuse_large(6_000, 4_000)
    assert display.check_picture(whole + b" \0\t\r\n" * 300).end == len(whole)
