"""Compare whole results with recordings: JSON files in ``recorded`` beside the tests.

A recording has everything that a person sees of one rich example: the HTML and the plain text of a view, the
cells and notes of a frame, the labels, marks and limits of a plot. After an intended change, record again and
review the diff before committing it::

    INKFRAME_RECORD_GOLDENS=1 pytest tests/display
"""

from __future__ import annotations

import difflib
import json
import os
import re
from datetime import datetime

import pandas as pd
import pytest

#: Read on import: a fixture removes all settings from the environment of a test.
RECORD = bool(os.environ.get("INKFRAME_RECORD_GOLDENS"))


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
    before, now = (text_of(value).splitlines() for value in (kept[name], json.loads(json.dumps(found))))
    changes = list(difflib.unified_diff(before, now, "recorded", "now", lineterm="", n=2))
    if changes:
        pytest.fail("\n".join([f"{path.name}: {name}", *changes[:80]]), pytrace=False)


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
    rows = zip(frame.index.tolist(), frame.itertuples(index=False, name=None), strict=True)
    return {
        "columns": {str(name): str(kind) for name, kind in frame.dtypes.items()},
        "index": [str(frame.index.name or frame.index.names), str(frame.index.dtype)],
        "rows": [data_of([id, *row]) for id, row in rows],
        "attrs": data_of(frame.attrs),
    }


def chart_data(chart):
    """Return what is drawn: texts, limits, ticks, lines and shapes, with three digits of each number."""
    from matplotlib.colors import to_hex

    def near(numbers):
        return [float(f"{number:.3g}") + 0.0 for number in numbers]

    def text(one):
        place = near(getattr(one, "xy", one.get_position()))
        return [
            one.get_text(),
            *place,
            one.get_ha(),
            one.get_va(),
            to_hex(one.get_color()),
            one.get_fontsize(),
        ]

    def shape(one):
        fill = to_hex(one.get_facecolor(), keep_alpha=True)
        box = near(one.get_path().get_extents(one.get_patch_transform()).bounds)
        return [*box, fill, to_hex(one.get_edgecolor()), near([one.get_linewidth()])[0]]

    def line(one):
        look = [
            one.get_linestyle(),
            str(one.get_marker()),
            to_hex(one.get_color()),
            near([one.get_linewidth()])[0],
        ]
        points = [near(data) for data in (one.get_xdata(), one.get_ydata())]
        return {"label": str(one.get_label()), "look": look, "points": points}

    def group(one):
        paths = [near(path.get_extents().bounds) for path in one.get_paths()]
        return [
            near(one.get_offsets().ravel()),
            paths,
            [to_hex(each, keep_alpha=True) for each in one.get_facecolor()],
        ]

    def legend(one):
        return [each.get_text() for each in one.get_texts()] if one else None

    def axes(one):
        ticks = {
            axis.axis_name: [near(axis.get_ticklocs()), [label.get_text() for label in axis.get_ticklabels()]]
            for axis in (one.xaxis, one.yaxis)
        }
        return {
            "titles": [one.get_title(), one.get_title(loc="left"), one.get_xlabel(), one.get_ylabel()],
            "limits": near([*one.get_xlim(), *one.get_ylim()]),
            "ticks": ticks,
            "texts": [text(each) for each in one.texts],
            "shapes": [shape(each) for each in one.patches],
            "lines": [line(each) for each in one.lines],
            "collections": [group(each) for each in one.collections],
            "legend": legend(one.get_legend()),
        }

    return {
        "description": chart.description,
        "titles": [chart.get_suptitle(), chart.get_supxlabel(), chart.get_supylabel()],
        "size": near(chart.get_size_inches()),
        "legends": [legend(each) for each in chart.legends],
        "axes": [axes(each) for each in chart.axes if each.get_visible()],
    }
