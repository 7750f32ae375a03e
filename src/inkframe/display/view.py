"""What every view gives a notebook: HTML, plain text, and their weight in the saved file."""

from __future__ import annotations

import json
from base64 import b64encode
from typing import TYPE_CHECKING, Any, TypeVar

from inkframe.display.markup import Html

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

__all__ = ["View", "data_uri", "fit", "left_out", "until_full", "weigh"]

Entry = TypeVar("Entry")

#: The most bytes that one shown record adds to a notebook, in all its formats together.
RECORD_BYTES = 150_000
#: The most bytes that one view of several records adds to a notebook.
CELL_BYTES = 1_000_000


class View:
    """Something that shows itself in a notebook, and needs no kernel to be shown again.

    Args:
        html: The view as HTML, complete in itself.
        text: The view as plain text.
    """

    def __init__(self, html: Html, text: str) -> None:
        self.html = html
        self.text = text

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, **_options: object) -> dict[str, Any]:
        return {"text/html": str(self.html), "text/plain": self.text}


def weigh(bundle: Mapping[str, object]) -> int:
    """Give the bytes a bundle adds to a saved notebook, line breaks and indentation included."""
    text = json.dumps(bundle, ensure_ascii=False)
    # nbformat stores text as a list of lines, each on a line of its own behind eight spaces.
    return len(text.encode("utf-8", "replace")) + 12 * text.count("\\n")


def fit(build: Callable[[int], dict[str, Any]], most: int, max_bytes: int) -> dict[str, Any]:
    """Build a bundle with as much text as its weight allows.

    Args:
        build: Gives the bundle for a largest number of characters of each text.
        most: The number to begin with; halved until the bundle fits.
        max_bytes: What the bundle may weigh.
    """
    bundle = build(most)
    while weigh(bundle) > max_bytes and most > 100:
        most //= 2
        bundle = build(most)
    return bundle


def until_full(entries: Iterable[Entry], text: Callable[[Entry], str], reserved: int) -> Iterator[Entry]:
    """Yield entries while a cell has space for them.

    Args:
        entries: What is shown, one after the other.
        text: Returns what an entry adds to the cell.
        reserved: Bytes of the cell that belong to what is around the entries.
    """
    left = CELL_BYTES - reserved
    for entry in entries:
        left -= weigh({"": text(entry)})
        if left < 0:
            return
        yield entry


def left_out(number: int) -> list[str]:
    """Give the note about what a full cell leaves out, where it leaves out anything."""
    return [f"{number:,} left out: a cell holds {CELL_BYTES // 1_000_000} MB"] if number else []


def data_uri(data: bytes, mime: str) -> Html:
    """Give bytes as an address that holds them, ready for an attribute."""
    return Html(f"data:{mime};base64,{b64encode(data).decode()}")
