"""A typeface for text in pictures: the choice of the font, missing characters and line breaks."""

from __future__ import annotations

import unicodedata
import warnings
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from inkframe.errors import InvalidArgument
from inkframe.signatures import caller_level

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PIL.ImageFont import FreeTypeFont

__all__ = ["Typeface"]

#: Replacements for characters that the typeface lacks.
_REPLACEMENTS = {"×": "x", "–": "-", "—": "-", "\u2032": "'", "\u00a0": " "}


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

    def __init__(self, font: str | Path | FreeTypeFont | None, texts: Sequence[str], size: int) -> None:
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
        low, high = 1, len(text)
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self.width(text[:middle]) <= width else (low, middle - 1)
        return low


def _load(font: str | Path | FreeTypeFont | None, size: int) -> FreeTypeFont:
    from PIL import ImageFont

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


def _lacking(font: FreeTypeFont, texts: Sequence[str]) -> list[str]:
    """Return the characters that a font lacks: those it draws like a character that no font has."""
    nothing = _shape(font, "\uffff")
    characters = {c for text in texts for c in _composed(text[:4_000]) if not c.isspace()}
    return sorted(c for c in characters | {"…"} if _shape(font, c) == nothing)


def _composed(text: str) -> str:
    # Joiners, direction marks and variation selectors have no glyph.
    return "".join(
        c for c in unicodedata.normalize("NFC", text) if unicodedata.category(c) not in ("Cf", "Mn")
    )


def _shape(font: FreeTypeFont, character: str) -> tuple[tuple[int, int], bytes]:
    mask = font.getmask(character)
    return mask.size, bytes(mask)
