"""A typeface for text in pictures: which one, which characters it lacks, how lines break in it."""

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

#: Spelled otherwise where the typeface has no glyph for them.
_PLAINER = {"×": "x", "–": "-", "—": "-", "\u2032": "'", "\u00a0": " "}


class Typeface:
    """A typeface at a size, for certain texts.

    Without a font it is the one that Pillow carries (Aileron, basic Latin); where that lacks a character
    and matplotlib is installed, the one that matplotlib carries (DejaVu Sans).

    Args:
        font: A font file, the name of an installed one such as ``DejaVuSans.ttf``, a loaded font, or None.
        texts: What is to be drawn.
        size: Pixels.

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
        """Say which characters are left out, where there are any."""
        gone = [character for character in self.missing if character not in _PLAINER]
        if gone:
            more = f" and {len(gone) - 20} more" if len(gone) > 20 else ""
            warnings.warn(
                f"{self.font.getname()[0]} has no glyph for {' '.join(gone[:20])}{more}; they are left out.\n"
                "Pass font= with a font file that has them.",
                stacklevel=caller_level(),
            )

    def spell(self, text: str) -> str:
        """Give a text without the characters that cannot be drawn; a few are spelled plainer instead."""
        letters = (_PLAINER.get(c, "") if c in self.missing else c for c in _composed(text))
        return " ".join("".join(letters).split())

    def width(self, text: str) -> float:
        """Give the pixels a spelled text takes on one line."""
        return self.font.getlength(text)

    def lines(self, text: str, width: int, most: int) -> list[str]:
        """Break a text into lines, the last one with an ellipsis where more would follow.

        Args:
            text: The text.
            width: Pixels that a line may take.
            most: The most lines.
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
            room = width - self.width("…")
            found[-1] = found[-1][: self._fitting(found[-1], room)].rstrip() + "…"
        return found

    def _fitting(self, text: str, width: float) -> int:
        """Give how many characters of a text fit a width, at least one."""
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
                f"font={str(font)!r} cannot be read.\nGive the path of a TrueType or OpenType font file."
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
    """Give the characters a font has no glyph for: those it draws like one that no font has."""
    nothing = _shape(font, "\uffff")
    characters = {c for text in texts for c in _composed(text[:4_000]) if not c.isspace()}
    return sorted(c for c in characters | {"…"} if _shape(font, c) == nothing)


def _composed(text: str) -> str:
    # Joiners, direction marks and variation selectors have no shape of their own.
    return "".join(
        c for c in unicodedata.normalize("NFC", text) if unicodedata.category(c) not in ("Cf", "Mn")
    )


def _shape(font: FreeTypeFont, character: str) -> tuple[tuple[int, int], bytes]:
    mask = font.getmask(character)
    return mask.size, bytes(mask)
