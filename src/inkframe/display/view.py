"""The output of a view in a notebook: HTML, plain text, and their size in the saved file."""

from __future__ import annotations

import json
from base64 import b64encode
from typing import TYPE_CHECKING, Any, TypeVar

from inkframe.display.markup import Html

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    Entry = TypeVar("Entry")

__all__ = ["View", "data_uri", "fit", "left_out", "until_full", "weigh"]

#: The maximum bytes that one record adds to a notebook, in all its formats together.
RECORD_BYTES = 150_000
#: The maximum bytes that one view of several records adds to a notebook.
CELL_BYTES = 1_000_000


class View:
    """An object that renders inline in a notebook, and again without a kernel.

    Args:
        html: The view as self-contained HTML.
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
    """Return the bytes that a bundle adds to a saved notebook, with line breaks and indentation."""
    text = json.dumps(bundle, ensure_ascii=False)
    # nbformat stores text as a list of lines, each on its own line after eight spaces.
    return len(text.encode("utf-8", "replace")) + 12 * text.count("\\n")


def fit(build: Callable[[int], dict[str, Any]], most: int, max_bytes: int) -> dict[str, Any]:
    """Build a bundle with as much text as the size limit allows.

    Args:
        build: Returns the bundle for a maximum number of characters of each text.
        most: The initial maximum, halved until the bundle fits.
        max_bytes: The maximum size of the bundle.
    """
    bundle = build(most)
    while weigh(bundle) > max_bytes and most > 100:
        most //= 2
        bundle = build(most)
    return bundle


def until_full(entries: Iterable[Entry], text: Callable[[Entry], str], reserved: int) -> Iterator[Entry]:
    """Yield entries while a cell has space for them.

    Args:
        entries: The entries, in order.
        text: Returns the text that an entry adds to the cell.
        reserved: Bytes of the cell for everything around the entries.
    """
    left = CELL_BYTES - reserved
    for entry in entries:
        left -= weigh({"": text(entry)})
        if left < 0:
            return
        yield entry


def left_out(number: int) -> list[str]:
    """Return the note about entries that a full cell leaves out, if there are any."""
    return [f"{number:,} left out: a cell holds {CELL_BYTES // 1_000_000} MB"] if number else []


def data_uri(data: bytes, mime: str) -> Html:
    """Return bytes as a data URI for an attribute."""
    return Html(f"data:{mime};base64,{b64encode(data).decode()}")
