"""The browser's part of a rating panel: the next items and the keys, without anything that names a group."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Final

import anywidget
import traitlets

from inkframe.display.markup import folded_prose, line, tag
from inkframe.display.picture import small_copy
from inkframe.errors import InkframeError
from inkframe.widgets.front import script, sheet

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from inkframe.deciding.rating_items import Content, Item

__all__ = ["QUEUED", "RatingStage"]

#: Items in the browser beside the one that is shown, so that a busy kernel stops no one.
QUEUED: Final = 5
#: Pixels of the longest side of a picture, and its most bytes.
SIZE: Final = 1024
BYTES: Final = 250_000


class RatingStage(anywidget.AnyWidget):
    """One item at a time on a page.

    Messages from the page are ``ready`` once it listens, and ``rate``, ``undo``, ``skip`` and ``reveal``. Each of
    these has a number, which comes back once what it says is on the disk.

    Args:
        heard: Called with each message of the page.
        left_out: Called with an item whose picture cannot be shown, and the error.
        fetch: Returns the picture file of a record; None for texts.
        traits: The traits below.
    """

    _esm = script("rating")
    _css = sheet("rating")

    #: ``scale``, ``pairs`` or ``labels``.
    mode = traitlets.Unicode().tag(sync=True)
    question = traitlets.Unicode().tag(sync=True)
    #: The choices: a value, and the label of its button.
    choices: traitlets.List[list[Any]] = traitlets.List().tag(sync=True)
    #: A note for the rater, such as that a picture shows its style.
    note = traitlets.Unicode().tag(sync=True)
    #: Whether there are groups to be revealed.
    has_groups = traitlets.Bool().tag(sync=True)
    #: The results as HTML, once they are revealed.
    results = traitlets.Unicode().tag(sync=True)

    def __init__(
        self,
        heard: Callable[[Mapping[str, Any]], Any],
        left_out: Callable[[Item, Exception], Any],
        fetch: Callable[[Mapping[str, Any]], bytes] | None,
        **traits: Any,
    ) -> None:
        self._left_out, self._fetch = left_out, fetch
        self._feeder: threading.Thread | None = None
        # First, since the page may answer before this returns.
        self.on_msg(lambda _widget, message, _buffers: heard(message))
        super().__init__(**traits)

    def feed(self, items: Sequence[tuple[Item, str, list[str]]], **more: Any) -> None:
        """Send items one by one, in their order; pictures are fetched in a thread.

        Args:
            items: Items with their case and the groups of their parts, empty where they are not shown.
            more: What the page has to know beside.
        """
        if not items:
            return
        before = self._feeder

        def send() -> None:
            if before is not None:
                before.join()
            for item, case, groups in items:
                try:
                    shown = [self.content(content) for content in item.contents]
                except InkframeError as error:
                    self._left_out(item, error)
                    continue
                parts = [_prose(each) if isinstance(each, str) else "" for each in shown]
                pictures = [each for each in shown if isinstance(each, bytes)]
                told = {"token": item.token, "parts": parts, "case": line(case, 300), "groups": groups}
                self.send({"kind": "item", "item": told, **more}, pictures)

        if self._fetch is None:
            send()
        else:
            self._feeder = threading.Thread(target=send, name="inkframe-rating", daemon=True)
            self._feeder.start()

    def content(self, content: Content) -> str | bytes:
        """Return a text, or a copy of a picture without its metadata, which may hold its prompt."""
        if self._fetch is None:
            return content.text
        small = small_copy(self._fetch(content.record), SIZE, BYTES)
        if isinstance(small, str):
            raise InkframeError(small)
        return small


def _prose(text: str) -> str:
    return str(tag("div", folded_prose(text), class_="ink-prose", dir="auto"))
