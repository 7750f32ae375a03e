"""Compare the saved outputs of notebooks with those of a run by their texts, or save those of the run.

Times, ids, digests and pictures are left aside, and what a panel creates in threads, whose ids differ.
"""

import re
from base64 import b64decode, b64encode
from copy import deepcopy
from html import unescape
from io import BytesIO
from itertools import zip_longest

import nbformat
from PIL import Image

__all__ = ["first_stale", "save_outputs", "with_pauses", "without_pauses"]

WIDGET = "application/vnd.jupyter.widget-view+json"
#: What panels create in several threads at once has its ids in any order.
CREATING = "CreativityTuner"
#: The most pixels of a side of a saved chart, and of a saved picture.
CHART, PICTURE = 1300, 256
#: The cell that waits until panels have written their previews, and how its id begins.
PAUSE, PAUSED = (
    """import threading

while busy := [each for each in threading.enumerate() if isinstance(each, threading.Timer) or "inkframe" in each.name]:
    busy[0].join()
""",
    "pause-for-previews",
)
ASIDE = re.compile(
    r"""<(style|script)\b.*?</\1> | <[^>]*>
    | \b\d{4}-\d\d-\d\d (?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)? (?:Z|[+-]\d\d:\d\d)?
    | \b\d\d?\ [A-Z][a-z]{2}\ \d{4},\ \d\d:\d\d\ UTC
    | \b[\d.,]+\ (?:s|ms|seconds?|minutes?)\b
    | \b[0-9a-f]{8}-[0-9a-f-]{27}\b | \b[0-9a-f]{12,}\b
    | \bhttp://127\.0\.0\.1:\d+""",
    re.DOTALL | re.VERBOSE,
)
EMBEDDED = re.compile(r"(?<=data:image/)(png|jpeg|webp)(;base64,)([A-Za-z0-9+/=]+)")


def normalized(text):
    """Return the lines of a text or of HTML without what differs from run to run."""
    lines = unescape(ASIDE.sub(" ", text)).splitlines()
    return [" ".join(line.split()) for line in lines if line.strip()]


def lines_of(outputs):
    """Return the lines that the outputs of a cell are compared by: their types, and their texts."""
    lines, printed, creates = [], "", False
    for output in outputs:
        if output.output_type == "stream":
            printed += output.text
            continue
        lines.append(" ".join(sorted(output.data)))
        if not creates:
            lines += normalized(output.data.get("text/plain", ""))
            lines += normalized(output.data.get("text/html", ""))
        creates = WIDGET in output.data and output.data["text/plain"].startswith(CREATING)
    return [*normalized(printed), *lines]


def first_stale(name, saved, run):
    """Return where the saved outputs of a notebook differ first from those of a run; None if they do not."""
    for at, (cell, now) in enumerate(zip(saved.cells, run.cells, strict=True)):
        both = zip_longest(*(lines_of(each.get("outputs", [])) for each in (cell, now)))
        for before, after in both:
            if before != after:
                return f"{name}, cell {at}: saved {before!r}, a run gives {after!r}"
    return None


def with_pauses(notebook):
    """Return a copy with a pause after each cell of code: nbclient drops what is sent between two cells."""
    copy = deepcopy(notebook)
    copy.cells = [
        each
        for at, cell in enumerate(copy.cells)
        for each in (cell, nbformat.v4.new_code_cell(PAUSE, id=f"{PAUSED}-{at}"))
        if each is cell or cell.cell_type == "code"
    ]
    return copy


def without_pauses(notebook, places):
    """Return a notebook that ran with pauses as if there had been none, with other words for these paths."""
    text = nbformat.writes(notebook)
    for place, shown in places.items():
        text = text.replace(place, shown)
    made = nbformat.reads(text, as_version=4)
    made.cells = [cell for cell in made.cells if not cell.id.startswith(PAUSED)]
    return made


def save_outputs(path, saved, run):
    """Write the outputs of a run into the file of a notebook, with smaller pictures.

    Args:
        path: The file.
        saved: The notebook, which keeps all but its outputs.
        run: The same notebook after a run.
    """
    code = [cell for cell in saved.cells if cell.cell_type == "code"]
    done = [cell for cell in run.cells if cell.cell_type == "code"]
    for count, (cell, now) in enumerate(zip(code, done, strict=True), 1):
        cell.execution_count, cell.outputs = count, [_smaller(output, count) for output in now.outputs]
    nbformat.write(saved, path)


def _smaller(output, count):
    if output.output_type == "execute_result":
        output.execution_count = count
    for kind, value in output.get("data", {}).items():
        if kind in ("image/png", "image/jpeg"):
            output.data[kind] = _small_picture(kind.removeprefix("image/"), value)
        elif kind == "text/html":
            output.data[kind] = EMBEDDED.sub(
                lambda found: found[1] + found[2] + _small_picture(found[1], found[3]), value
            )
    return output


def _small_picture(kind, encoded):
    """Return a picture with fewer pixels and colors, or of low quality, where that is smaller."""
    picture, file = Image.open(BytesIO(b64decode(encoded))), BytesIO()
    if kind == "png":  # a chart, which is transparent
        picture = picture.convert("RGBA")
        picture.thumbnail((CHART, CHART))
        picture.quantize(24, Image.Quantize.FASTOCTREE).save(file, "PNG", optimize=True)
    else:
        picture.thumbnail((PICTURE, PICTURE))
        picture.save(file, kind, quality=40)
    return min(b64encode(file.getvalue()).decode(), encoded, key=len)
