"""The gallery: any number of records in one window, with pictures that come as they are looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import anywidget
import traitlets

from inkframe.display.figure import alt, is_favorite, look, summary, title
from inkframe.display.markup import cut
from inkframe.widgets.front import script, sheet
from inkframe.widgets.short_names import short_names
from inkframe.widgets.thumbnail_loader import ThumbnailLoader

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Record = Mapping[str, Any]

__all__ = ["RecordGallery"]

#: Pictures in one message. All that is wanted at once is on the screen, so more would only come later.
MOST: Final = 24
#: Characters of a name below a picture: two lines.
MOST_NAME: Final = 42


class RecordGallery(anywidget.AnyWidget):
    """Records as a gallery of pictures, or as a list.

    Keys: arrows move, Space chooses, Enter opens, f marks as favorite, r renames, d deletes. Each act comes
    as a call of ``acted`` with its kind, the keys it means, and the message; nothing is changed here.

    Args:
        acted: Called with ``open``, ``favorite``, ``rename`` or ``delete``, the keys, and the message.
        fetch: Gives the picture file of a record; called from two threads. None for a list without pictures.
        label: What the gallery holds, for assistive technology.
    """

    _esm = script("blobs", "record_gallery")
    _css = sheet("record_gallery")

    #: Key, name, words below it, favorite, alternative text, whether it is to be deleted, and the short name.
    rows: traitlets.List[list[Any]] = traitlets.List().tag(sync=True)
    #: The keys of what is chosen.
    chosen: traitlets.List[str] = traitlets.List().tag(sync=True)
    shape = traitlets.Enum(("gallery", "list"), "gallery").tag(sync=True)
    #: The least width of a tile in CSS pixels.
    size = traitlets.Int(160).tag(sync=True)
    label = traitlets.Unicode().tag(sync=True)
    #: Further keys, and what each asks for.
    acts: traitlets.Dict[str, str] = traitlets.Dict().tag(sync=True)
    #: The text of an empty gallery.
    empty = traitlets.Unicode("Nothing matches.").tag(sync=True)

    def __init__(
        self,
        acted: Callable[[str, list[str], Mapping[str, Any]], Any],
        fetch: Callable[[Record], bytes] | None,
        *,
        label: str,
    ) -> None:
        super().__init__(shape="gallery" if fetch else "list", label=label)
        self._acted = acted
        self._places: dict[str, int] = {}
        self._short: dict[str, str] = {}
        self.thumbnails = ThumbnailLoader(fetch, self._deliver) if fetch else None
        self.on_msg(self._on_message)

    def small(self, records: Sequence[Record]) -> list[bytes | str]:
        """Return the small picture of each record, or the reason why it is missing; nothing for a list."""
        return list(self.thumbnails.small(records)) if self.thumbnails else []

    def show(self, records: Sequence[Record], leaving: frozenset[str] = frozenset()) -> None:
        """Show these records instead of those before.

        Args:
            records: The records' columns by name.
            leaving: The keys of those that are to be deleted.
        """
        names = [title(record) for record in records]
        self._short = short_names(names, MOST_NAME)
        rows = [
            self._row(record, name, str(record["id"]) in leaving)
            for record, name in zip(records, names, strict=True)
        ]
        self._places = {row[0]: at for at, row in enumerate(rows)}
        if self.thumbnails:
            self.thumbnails.show(records)
        self.chosen = [key for key in self.chosen if key in self._places]
        self.rows = rows

    def renew(self, record: Record, *, leaving: bool = False) -> None:
        """Show one record as it is now; all others stay as they are."""
        row = self._row(record, title(record), leaving)
        if (at := self._places.get(row[0])) is not None:
            # In place: only this row is sent to the browser, not ten thousand.
            self.rows[at] = row
            self.send({"kind": "row", "row": row})

    def begin_rename(self) -> None:
        """Put the cursor into the name of the current tile."""
        self.send({"kind": "rename"})

    def save(self, name: str, mime: str, data: bytes) -> None:
        """Send a file to the page, as a download of the browser."""
        self.send({"kind": "save", "name": name, "type": mime}, [data])

    def _row(self, record: Record, name: str, leaving: bool) -> list[Any]:
        words = look(record, brief=True) if self.thumbnails else summary(record)
        short = self._short.get(name) or cut(name, MOST_NAME)
        return [str(record["id"]), name, words, is_favorite(record), alt(record), leaving, short]

    def _deliver(self, made: Mapping[str, bytes | str]) -> None:
        reasons = {key: small for key, small in made.items() if isinstance(small, str)}
        buffers = [small for small in made.values() if isinstance(small, bytes)]
        self.send({"kind": "pictures", "keys": list(made), "reasons": reasons}, buffers)

    def _on_message(self, _widget: object, message: Mapping[str, Any], _buffers: object) -> None:
        keys = [str(key) for key in message.get("keys", ())]
        if message.get("kind") == "want" and self.thumbnails:
            self.thumbnails.want(keys[:MOST])
        elif message.get("kind") in {"open", "favorite", "rename", "delete", *self.acts.values()}:
            self._acted(message["kind"], [key for key in keys if key in self._places], message)
