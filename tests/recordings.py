"""Compare whole results with recordings: JSON files in ``recorded`` beside the tests.

A recording has everything that a person sees of one rich example: the HTML and the plain text of a view, the
cells and notes of a frame, the labels, marks and limits of a plot. After an intended change, record again and
review the diff before committing it::

    INKFRAME_RECORD_GOLDENS=1 pytest tests/display
"""

import difflib
import json
import os
import re
from datetime import datetime

import ipywidgets
import pandas as pd
import pytest

from inkframe.versions import as_texts

from .cases import type_name
from .drawings import chart_data

#: Read on import: a fixture removes all settings from the environment of a test.
RECORD = bool(os.environ.get("INKFRAME_RECORD_GOLDENS"))
#: Lines of outlines that ipywidgets 7 does not have.
OTHERWISE = re.compile(r"\. selected_index=|\. _?titles=")


@pytest.fixture
def recorded(request):
    """Return a function that compares a result with the recording of a name."""
    folder, stem = request.path.parent / "recorded", request.path.stem.removeprefix("test_")
    return lambda name, found: compare(folder / f"{stem}.json", name, data_of(found))


def compare(path, name, found):
    """Compare plain data with the recording of that name, or record it."""
    kept = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    if RECORD:
        kept[name] = found
        path.parent.mkdir(exist_ok=True)
        path.write_text(text_of(dict(sorted(kept.items()))) + "\n", encoding="utf-8")
        return
    assert name in kept, f"{path.name} has no recording of {name}"
    both = (kept[name], json.loads(json.dumps(found)))
    before, now = (text_of(told(value)).splitlines() for value in both)
    changes = list(difflib.unified_diff(before, now, "recorded", "now", lineterm="", n=2))
    if changes:
        pytest.fail("\n".join([f"{path.name}: {name}", *changes[:80]]), pytrace=False)


def told(value):
    """Return a recording without what ipywidgets 7 does differently: it names tabs elsewhere."""
    if isinstance(value, list) and not hasattr(ipywidgets.Tab, "titles"):
        return [each for each in value if not OTHERWISE.search(str(each))]
    return value


def text_of(value, indent=""):
    """Return indented JSON with one line for each row of a frame and each short value."""
    line = json.dumps(value, ensure_ascii=False)
    is_row = isinstance(value, list) and not any(isinstance(each, dict | list) for each in value)
    is_row = is_row and not all(isinstance(each, str) for each in value)
    if len(line) <= (320 if is_row else 110) or not isinstance(value, dict | list):
        return line
    inner = indent + " "
    if isinstance(value, dict):
        parts = [
            f"{json.dumps(str(name), ensure_ascii=False)}: {text_of(item, inner)}"
            for name, item in value.items()
        ]
    else:
        parts = [text_of(item, inner) for item in value]
    opened, closed = "{}" if isinstance(value, dict) else "[]"
    return f"{opened}\n{inner}" + f",\n{inner}".join(parts) + f"\n{indent}{closed}"


def html_lines(html):
    """Return HTML with a line for each element, without shared style sheets, scripts and compressed pictures."""
    html = re.sub(r"<(style|script)>.*?</\1>", r"<\1/>", str(html), flags=re.DOTALL)
    html = re.sub(r"base64,[A-Za-z0-9+/=]+", "base64,…", html)
    return re.sub(r"sha256-[A-Za-z0-9+/=]+", "sha256-…", html).replace("><", ">\n<").split("\n")


def data_of(value):
    """Return a result as plain data, with six digits of each number."""
    if hasattr(value, "html") and hasattr(value, "text"):
        return {"text": value.text.split("\n"), "html": html_lines(value.html)}
    if isinstance(value, str):
        return html_lines(value) if value.startswith("<") else value
    if isinstance(value, dict):
        return {
            str(name): html_lines(item) if name == "text/html" else data_of(item)
            for name, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [data_of(item) for item in value]
    if isinstance(value, pd.DataFrame):
        return frame_data(value)
    if hasattr(value, "get_axes"):
        return chart_data(value)
    return data_of(value.tolist()) if hasattr(value, "tolist") else plain_data(value)


def plain_data(value):
    """Return one value as JSON data, with six digits of a number."""
    if isinstance(value, datetime):
        return value.isoformat()
    if value is None or pd.isna(value):
        return None
    return float(f"{value:.6g}") + 0.0 if isinstance(value, float) else value


def frame_data(frame):
    """Return the columns with their types, the index, the cells and the notes of a frame."""
    cut_from = getattr(frame, "_is_copy", None)
    assert cut_from is None or cut_from() is None, "pandas 2 would warn of an edit of this frame"
    rows = zip(frame.index.tolist(), frame.itertuples(index=False, name=None), strict=True)
    return {
        "columns": {str(name): type_name(kind) for name, kind in frame.dtypes.items()},
        "index": [
            str(frame.index.name or frame.index.names),
            type_name(as_texts(frame.index.to_frame()).dtypes.iloc[0]),
        ],
        "rows": [data_of([id, *row]) for id, row in rows],
        "attrs": data_of(frame.attrs),
    }
