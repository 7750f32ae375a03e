"""Draw a contact sheet: pictures or texts in rows and columns with headings, as one image."""

from __future__ import annotations

import unicodedata
import warnings
from bisect import bisect_right
from collections import Counter
from importlib.util import find_spec
from math import isqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PIL import Image, ImageChops, ImageDraw, ImageFont, ImageOps

from inkframe.display.console import notice
from inkframe.display.figure import fetch_scaled, headings, require, words
from inkframe.errors import InvalidArgument, caller_level

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Record = Mapping[str, Any]

    Cells = Mapping[tuple[str, str], tuple[Image.Image | str, int]]

__all__ = ["Typeface", "contact_sheet"]

_PAPER, _TEXT, _SOFT, _LINE, _WASH = "#ffffff", "#1d1c1a", "#6d6a63", "#dedbd4", "#f6f5f2"
_MARGIN, _GAP, _RADIUS = 32, 14, 10
_MOST_PIXELS = 64_000_000
#: Columns side by side; further ones go into bands below, each with all rows.
_MOST_COLUMNS = 8
#: Pixels of a page or cell in which a sheet is read, and the least size of its letters there.
_READ_AT, _LEGIBLE = 900, 12
#: Replacements for characters that the typeface lacks.
_REPLACEMENTS = {"×": "x", "–": "-", "—": "-", "\u2032": "'", "\u00a0": " "}


def contact_sheet(
    records: Sequence[Record],
    fetch: Callable[[Record], bytes | str],
    *,
    rows: str | None = None,
    columns: str | None = None,
    font: str | Path | ImageFont.FreeTypeFont | None = None,
    size: int = 256,
    progress: bool = True,
) -> Image.Image:
    """Draw pictures in rows and columns with headings.

    If several records share a cell, the first one is shown, and a note in its corner counts the others. The
    headings are large enough to be read where the whole sheet is 900 pixels wide; columns that would not leave
    room for that continue in bands below, and a printed line says how many.

    Args:
        records: The images, or documents.
        fetch: Returns the picture file of a record, called from two threads at once. It may return a text
            instead, for a sheet of documents. If a picture is refused, the cell has the reason.
        rows: The field of the rows, such as ``medium``. Without it, or without ``columns``, records are numbered
            there; without both they are in their order, from left to right.
        columns: The field of the columns, such as ``style``.
        font: A font file or a loaded font, for text that the bundled typeface cannot draw. Characters that
            the typeface lacks are left out, and a warning lists them.
        size: The side of a cell in pixels, 64 to 1024.
        progress: Whether to show a progress bar for more than 20 pictures.

    Returns:
        An RGB image, to save with ``save("sheet.png")`` or ``save("sheet.pdf")``.

    Raises:
        InvalidArgument: There are no records, a field is missing, the font cannot be read, or the sheet would
            have more than 64 million pixels. It is raised before any picture is fetched.
    """
    cells = _cells(records, rows, columns)
    down, across = _checked_headings(records, cells, rows, columns, size)
    face, wide = _fitting(font, down, across, size)
    members: dict[tuple[str, str], list[Record]] = {}
    for cell, record in zip(cells, records, strict=True):
        members.setdefault(cell, []).append(record)
    firsts = [several[0] for several in members.values()]
    contents = list(fetch_scaled(firsts, fetch, size=size, progress=progress))
    texts = [content for content in contents if isinstance(content, str)]
    if texts:
        face = Typeface(font, [*down, *across, *texts], face.size)
    face.warn()
    if len(across) > wide:
        bands = -(-len(across) // wide)
        notice(f"{len(across)} columns in {bands} bands of at most {wide}, so that headings are legible.")
    pairs = zip(members.items(), contents, strict=True)
    return _draw(
        {cell: (content, len(several)) for (cell, several), content in pairs}, down, across, face, size, wide
    )


def _cells(records: Sequence[Record], rows: str | None, columns: str | None) -> list[tuple[str, str]]:
    """Return the headings of the row and the column of each record; numbers where there is no field for them."""
    number, met = len(records), Counter[str]()
    if rows is None and columns is None:
        wide = min(_MOST_COLUMNS, isqrt(max(number - 1, 0)) + 1)
        firsts = [at - at % wide for at in range(number)]
        return [
            (f"{first + 1}–{min(first + wide, number)}", str(at - first + 1))
            for at, first in enumerate(firsts)
        ]
    found = []
    for record in records:
        down, across = (None if field is None else words(record, field) for field in (rows, columns))
        met[down or across or ""] += 1
        nth = str(met[down or across or ""])
        found.append((nth if rows is None else down or "", nth if columns is None else across or ""))
    return found


def _checked_headings(
    records: Sequence[Record],
    cells: Sequence[tuple[str, str]],
    rows: str | None,
    columns: str | None,
    size: int,
) -> tuple[list[str], list[str]]:
    """Return the headings of the rows and of the columns, after checking the arguments of ``contact_sheet``."""
    if not records:
        raise InvalidArgument(
            "A contact sheet needs at least one record, got none.\nPass images or documents."
        )
    if not 64 <= size <= 1024:
        raise InvalidArgument(f"size must be 64 to 1024, got {size}.\nPass the side of a cell in pixels.")
    for field in filter(None, (rows, columns)):
        require(records, field)
    down, across = (
        [*dict.fromkeys(cell[at] for cell in cells)] if field is None else headings(records, field)
        for at, field in enumerate((rows, columns))
    )
    count = len(down) * len(across)
    if count * size * size > _MOST_PIXELS:
        raise InvalidArgument(
            f"A sheet of {len(down)} by {len(across)} cells of {size} pixels is too large.\n"
            f"Pass fewer records, or size={max(64, int((_MOST_PIXELS / count) ** 0.5))} or less."
        )
    return down, across


def _fitting(
    font: str | Path | ImageFont.FreeTypeFont | None, down: Sequence[str], across: Sequence[str], size: int
) -> tuple[Typeface, int]:
    """Return a typeface that is legible on the sheet, and the number of columns in a band.

    There are as many columns as leave room for the longest word of a heading.
    """
    headings = [*down, *across]
    for wide in range(min(_MOST_COLUMNS, len(across)), 0, -1):
        extent = (wide + 1) * (size + _GAP) + 2 * _MARGIN
        face = Typeface(font, headings, max(13, size // 15, round(_LEGIBLE * extent / _READ_AT)))
        if all(face.width(word) <= size for heading in headings for word in face.spell(heading).split()):
            break
    return face, wide


def _draw(
    cells: Cells,
    down: Sequence[str],
    across: Sequence[str],
    face: Typeface,
    size: int,
    wide: int,
) -> Image.Image:
    aside = min(size, round(max(face.width(face.spell(heading)) for heading in down)) + 1)
    bands = [across[at : at + wide] for at in range(0, len(across), wide)]
    above = [max(len(face.lines(heading, size, 3)) for heading in band) for band in bands]
    line, step = round(1.35 * face.size), size + _GAP
    heights = [lines * line + _GAP + len(down) * step for lines in above]
    left = _MARGIN + aside + _GAP
    extent = (
        left + wide * step - _GAP + _MARGIN,
        2 * _MARGIN - _GAP + sum(heights) + (len(bands) - 1) * line,
    )
    sheet = Image.new("RGB", extent, _PAPER)
    draw = ImageDraw.Draw(sheet)
    top = _MARGIN
    for band, lines, height in zip(bands, above, heights, strict=True):
        first = top + lines * line + _GAP
        for at, heading in enumerate(band):
            broken = face.lines(heading, size, 3)
            for number, text in enumerate(broken):
                place = (left + at * step + size / 2, top + (lines - len(broken) + number) * line)
                draw.text(place, text, _SOFT, face.font, anchor="ma")
        for row, heading in enumerate(down):
            middle = first + row * step + size / 2
            broken = face.lines(heading, aside, 3)
            for number, text in enumerate(broken):
                shift = (number - (len(broken) - 1) / 2) * line
                draw.text((left - _GAP, middle + shift), text, _SOFT, face.font, anchor="rm")
            for column, other in enumerate(band):
                content, count = cells.get((heading, other), (None, 0))
                sheet.paste(_tile(content, count, face, size), (left + column * step, first + row * step))
        top += height + line
    return sheet


def _tile(content: Image.Image | str | None, count: int, face: Typeface, size: int) -> Image.Image:
    """Draw one cell: a picture, a text, a reason, or the outline of an empty cell."""
    tile = Image.new("RGB", (size, size), _PAPER)
    draw = ImageDraw.Draw(tile)
    if content is None:
        draw.rounded_rectangle((0, 0, size - 1, size - 1), _RADIUS, outline=_LINE)
    elif isinstance(content, str):
        draw.rounded_rectangle((0, 0, size - 1, size - 1), _RADIUS, fill=_WASH)
        height = round(1.4 * face.size)
        for at, text in enumerate(face.lines(content, size - 2 * _GAP, (size - 2 * _GAP) // height)):
            draw.text((_GAP, _GAP + at * height), text, _TEXT, face.font)
    else:
        picture = ImageOps.contain(content.convert("RGBA"), (size, size))
        place = ((size - picture.width) // 2, (size - picture.height) // 2)
        tile.paste(picture, place, _rounded(picture))
    if count > 1:
        _count(draw, f"+{count - 1}", face, size)
    return tile


def _rounded(image: Image.Image) -> Image.Image:
    """Return the mask of an image with rounded corners, drawn at twice its size for smooth edges."""
    mask = Image.new("L", (2 * image.width, 2 * image.height))
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, mask.width - 1, mask.height - 1), 2 * _RADIUS, fill=255)
    return ImageChops.multiply(mask.resize(image.size), image.getchannel("A"))


def _count(draw: ImageDraw.ImageDraw, text: str, face: Typeface, size: int) -> None:
    width, height = face.width(text) + 12, face.size + 8
    corner = (size - width - 8, size - height - 8)
    draw.rounded_rectangle((*corner, size - 8, size - 8), height / 2, fill=_PAPER)
    draw.text((corner[0] + width / 2, corner[1] + height / 2), text, _TEXT, face.font, anchor="mm")


class Typeface:
    """A typeface in a size, for certain texts.

    The default font is the one bundled with Pillow (Aileron, basic Latin). If it lacks a character and
    matplotlib is installed, it is the one bundled with matplotlib (DejaVu Sans).

    Args:
        font: A font file, the name of an installed font such as ``DejaVuSans.ttf``, a loaded font, or None.
        texts: The texts to draw.
        size: The font size in pixels.

    Raises:
        InvalidArgument: The font cannot be read.
    """

    def __init__(
        self, font: str | Path | ImageFont.FreeTypeFont | None, texts: Sequence[str], size: int
    ) -> None:
        self.font = _load(font, size)
        self.missing = _lacking(self.font, texts)
        wider = _wider() if self.missing and font is None else None
        if wider:
            self.font = _load(wider, size)
            self.missing = _lacking(self.font, texts)
        self.size = size

    def warn(self) -> None:
        """Warn about characters that are left out, if there are any."""
        gone = [character for character in self.missing if character not in _REPLACEMENTS]
        if gone:
            more = f" and {len(gone) - 20} more" if len(gone) > 20 else ""
            warnings.warn(
                f"{self.font.getname()[0]} has no glyph for {' '.join(gone[:20])}{more}; they are left out.\n"
                "Pass font= with a font file that has them.",
                stacklevel=caller_level(),
            )

    def spell(self, text: str) -> str:
        """Return a text without characters that cannot be drawn; a few are replaced by similar ones."""
        letters = (_REPLACEMENTS.get(c, "") if c in self.missing else c for c in _composed(text))
        return " ".join("".join(letters).split())

    def width(self, text: str) -> float:
        """Return the width in pixels of a text on one line."""
        return self.font.getlength(text)

    def lines(self, text: str, width: int, most: int) -> list[str]:
        """Break a text into lines; the last one ends in an ellipsis if more would follow.

        Args:
            text: The text.
            width: The maximum width of a line in pixels.
            most: The maximum number of lines.
        """
        waiting = self.spell(text[:4_000])
        found: list[str] = []
        while waiting and len(found) < most:
            fits = self._fitting(waiting, width)
            space = waiting.rfind(" ", 0, fits + 1)
            end = fits if fits == len(waiting) or space <= 0 else space
            found.append(waiting[:end].rstrip())
            waiting = waiting[end:].lstrip()
        if waiting and found:
            remaining = width - self.width("…")
            found[-1] = found[-1][: self._fitting(found[-1], remaining)].rstrip() + "…"
        return found

    def _fitting(self, text: str, width: float) -> int:
        """Return how many characters of a text fit in a width, at least one."""
        fitting = bisect_right(range(2, len(text) + 1), width, key=lambda size: self.width(text[:size]))
        return fitting + 1


def _load(font: str | Path | ImageFont.FreeTypeFont | None, size: int) -> ImageFont.FreeTypeFont:
    if isinstance(font, ImageFont.FreeTypeFont):
        return font.font_variant(size=size)
    if font is not None:
        try:
            return ImageFont.truetype(str(font), size)
        except OSError:
            raise InvalidArgument(
                f"font={str(font)!r} cannot be read.\nPass the path of a TrueType or OpenType font file."
            ) from None
    own = ImageFont.load_default(size)
    if isinstance(own, ImageFont.FreeTypeFont):
        return own
    raise InvalidArgument(
        "This Pillow was built without FreeType, which draws text.\nInstall Pillow from a wheel."
    )


def _wider() -> Path | None:
    spec = find_spec("matplotlib")
    path = Path(spec.origin).parent / "mpl-data/fonts/ttf/DejaVuSans.ttf" if spec and spec.origin else None
    return path if path and path.is_file() else None


def _lacking(font: ImageFont.FreeTypeFont, texts: Sequence[str]) -> list[str]:
    """Return the characters that a font lacks: those it draws like a character that no font has."""
    nothing = _shape(font, "\uffff")
    characters = {c for text in texts for c in _composed(text[:4_000]) if not c.isspace()}
    return sorted(c for c in characters | {"…"} if _shape(font, c) == nothing)


def _composed(text: str) -> str:
    # Joiners, direction marks and variation selectors have no glyph.
    return "".join(
        c for c in unicodedata.normalize("NFC", text) if unicodedata.category(c) not in ("Cf", "Mn")
    )


def _shape(font: ImageFont.FreeTypeFont, character: str) -> tuple[tuple[int, int], bytes]:
    mask = font.getmask(character)
    return mask.size, bytes(mask)
