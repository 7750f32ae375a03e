"""Rows of any number in one window, such as the records of a gallery, with pictures that come as they are looked at."""

from __future__ import annotations

import threading
from collections import defaultdict
from contextlib import closing
from functools import partial
from os.path import commonprefix
from typing import TYPE_CHECKING, Any, Final

import anywidget
import traitlets

from inkframe.display.figure import about, fetch_thumbnails, title
from inkframe.display.fragments import tile
from inkframe.display.markup import Html, cut
from inkframe.schema import DOCUMENTS, IMAGES
from inkframe.widgets.panel import front, script

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Mapping, Sequence

    Record = Mapping[str, Any]

__all__ = ["RecentThumbnails", "RecordGallery", "Rows", "ThumbnailLoader", "send_pictures", "short_names"]

#: Pictures that are wanted at once: those on the screen. More would only come later.
MOST_AT_ONCE: Final = 24
#: Rows that are sent to the page at once.
MOST_ROWS: Final = 200
#: The keys of every gallery and list, and what they ask for.
ACTS: Final = {
    "Enter": "open",
    "f": "favorite",
    "d": "delete",
    "Delete": "delete",
    "r": "rename",
    "F2": "rename",
    "l": "large",
}
#: Characters of a name below a picture: two lines.
MOST_OF_NAME: Final = 42
#: The fewest characters in which names differ visibly.
LEAST_OF_NAME: Final = 9

#: Pixels of the longest side: twice the width of a tile, for sharp screens.
SIZE: Final = 320
#: The most bytes of a small picture.
BYTES: Final = 24_000
#: Pixels of the longest side of a large picture, and its most bytes.
LARGE, LARGE_BYTES = 1_280, 400_000
#: Bytes of small pictures that are kept.
KEPT_BYTES: Final = 16_000_000


class Rows(anywidget.AnyWidget):
    """Rows of any number in one window, drawn here as they are looked at; keys and clicks come as calls of ``acted``.

    Args:
        draw: Returns the rows between two places as safe HTML, where each thing that can be chosen has a ``data-key``.
        acted: Called with what is asked for, the keys that are chosen on the page, and the message.
        want: Called with the keys of pictures that are not on the page yet, and whether large ones are meant.
        **traits: What it begins with.
    """

    _esm = script("rows", "large")
    _css = front("rows.css")

    #: The keys of all rows, and the first rows as HTML.
    ids: traitlets.List[str] = traitlets.List().tag(sync=True)
    first: traitlets.List[str] = traitlets.List().tag(sync=True)
    #: Counted up when other rows are shown.
    version = traitlets.Int().tag(sync=True)
    shape = traitlets.Enum(("gallery", "list", "table", "looks"), "list").tag(sync=True)
    #: The headings of a table or a grid of looks as HTML, and the widths of the columns of a table as in styles.
    head = traitlets.Unicode().tag(sync=True)
    columns = traitlets.Unicode().tag(sync=True)
    #: The keys of what is chosen, whether it is shown or not.
    chosen: traitlets.List[str] = traitlets.List().tag(sync=True)
    #: The least width of a tile in CSS pixels.
    size = traitlets.Int(160).tag(sync=True)
    #: The longest names, which may need a second line.
    longest: traitlets.List[str] = traitlets.List().tag(sync=True)
    #: What the rows are, for assistive technology.
    label = traitlets.Unicode().tag(sync=True)
    #: What each key asks for, and ``click``.
    acts: traitlets.Dict[str, str] = traitlets.Dict().tag(sync=True)
    #: The text where there is no row.
    empty = traitlets.Unicode("Nothing matches.").tag(sync=True)

    #: How many rows are sent before they are asked for.
    ahead = 30

    def __init__(
        self,
        draw: Callable[[int, int], Sequence[Html]],
        acted: Callable[[str, list[str], Mapping[str, Any]], Any],
        want: Callable[..., Any] | None = None,
        **traits: Any,
    ) -> None:
        super().__init__(**traits)
        self._draw, self._acted, self._want = draw, acted, want
        self._places: dict[str, int] = {}
        self._lock = threading.RLock()  # rows are shown from several threads
        self.on_msg(self._on_message)

    def lay_out(self, ids: Iterable[str], **traits: Any) -> None:
        """Show other rows, given their keys, and what else changes with them."""
        with self._lock, self.hold_sync():
            self.ids = list(ids)
            self._places = {key: at for at, key in enumerate(self.ids)}
            for name, value in traits.items():
                setattr(self, name, value)
            self.first = list(self._draw(0, self.ahead))
            self.version += 1

    def renew(self, key: str) -> None:
        """Show one row as it is now, if it is shown; all others stay as they are."""
        with self._lock:
            if (at := self._places.get(key)) is not None:
                html = self._send_rows(at, at + 1)
                if at < len(self.first):  # a page that is opened later begins with them
                    self.first = [*self.first[:at], *html, *self.first[at + 1 :]]

    def save(self, name: str, mime: str, data: bytes) -> None:
        """Send a file to the page, as a download of the browser."""
        self.send({"kind": "save", "name": name, "type": mime}, [data])

    def _send_rows(self, begin: int, end: int) -> list[Html]:
        # Only these rows are sent to the browser, not ten thousand.
        rows = list(self._draw(begin, min(end, begin + MOST_ROWS)))
        self.send({"kind": "rows", "version": self.version, "from": begin, "rows": rows})
        return rows

    def _on_message(self, _widget: object, message: Mapping[str, Any], _buffers: object) -> None:
        kind, keys = message.get("kind"), [str(key) for key in message.get("keys") or ()]
        if kind == "window":
            if message.get("version") == self.version:
                self._send_rows(max(0, int(message["from"])), int(message["to"]))
        elif kind == "want":
            if self._want:
                self._want(keys[:MOST_AT_ONCE], large=bool(message.get("large")))
        elif kind in {"star", "rename", "column", *self.acts, *self.acts.values()}:
            self._acted(str(kind), keys, message)


class RecordGallery(Rows):
    """Records as a gallery of pictures, or as a list.

    Keys: arrows move what is chosen, with Ctrl the cursor alone, Space chooses, Enter opens, l shows large, f marks as
    favorite, r renames, d deletes. Nothing is changed here.

    Args:
        acted: Called with ``open``, ``favorite``, ``star``, ``rename`` or ``delete``, the keys, and the message.
        fetch: Returns the picture file of a record; called from two threads. None for a list without pictures.
        label: What the gallery holds, for assistive technology.
    """

    #: The keys of records that are to be deleted.
    leaving: Container[str] = ()

    def __init__(
        self,
        acted: Callable[[str, list[str], Mapping[str, Any]], Any],
        fetch: Callable[[Record], bytes] | None,
        *,
        label: str,
    ) -> None:
        self.thumbnails = ThumbnailLoader(fetch, partial(send_pictures, self)) if fetch else None
        self._records: list[Record] = []
        self._short: dict[str, str] = {}
        super().__init__(
            lambda begin, end: [self._tile(record) for record in self._records[begin:end]],
            acted,
            self.thumbnails.want if self.thumbnails else None,
            shape="gallery" if fetch else "list",
            label=label,
            acts=ACTS,
        )

    def small(self, records: Sequence[Record]) -> list[bytes | str]:
        """Return the small picture of each record, or the reason why it is missing; nothing for a list."""
        return list(self.thumbnails.pictures(records)) if self.thumbnails else []

    def show(self, records: Sequence[Record]) -> None:
        """Show these records instead of those before, given their columns by name."""
        self._records = list(records)
        self._short = short_names(map(title, records), MOST_OF_NAME)
        if self.thumbnails:
            self.thumbnails.show(records)
        longest = sorted(self._short.values(), key=len)[-3:]
        self.lay_out([str(record["id"]) for record in records], longest=longest)

    def show_changed(self, record: Record) -> None:
        """Show one record as it is now."""
        key = str(record["id"])
        if (at := self._places.get(key)) is not None:
            self._records[at] = record
            self.renew(key)

    def _tile(self, record: Record) -> Html:
        name = title(record)
        words = about(record, of=IMAGES.name if self.thumbnails else DOCUMENTS.name)
        short = self._short.get(name) or cut(name, MOST_OF_NAME)
        return tile(record, words, short, leaving=str(record["id"]) in self.leaving)


def send_pictures(
    widget: anywidget.AnyWidget, made: Mapping[str, bytes | str], *, large: bool = False
) -> None:
    """Send pictures by key to the page of a widget, or the reason where there is none."""
    reasons = {key: picture for key, picture in made.items() if isinstance(picture, str)}
    buffers = [picture for picture in made.values() if isinstance(picture, bytes)]
    widget.send({"kind": "pictures", "keys": list(made), "reasons": reasons, "large": large}, buffers)


class ThumbnailLoader:
    """Draws the pictures that are shown now.

    Args:
        fetch: Returns the picture file of a record; called from two threads.
        deliver: Called with pictures by key, or the reason where there is none, and whether they are large.
    """

    def __init__(self, fetch: Callable[[Record], bytes], deliver: Callable[..., Any]) -> None:
        self._fetch, self._deliver = fetch, deliver
        self._recent = RecentThumbnails()
        self._records: dict[str, Record] = {}
        self._wanted: Sequence[str] = ()

    def show(self, records: Sequence[Record]) -> None:
        """Take these records instead of those before; none of their pictures is wanted yet."""
        self._records = {str(record["id"]): record for record in records}
        self._wanted = ()

    def want(self, keys: Sequence[str], *, large: bool = False) -> None:
        """Create these pictures, and no longer small ones that were wanted before and are not begun."""
        wanted = [key for key in keys if key in self._records]
        self._wanted = self._wanted if large else wanted
        threading.Thread(
            target=self._work, args=(wanted, large), name="inkframe-thumbnails", daemon=True
        ).start()

    def pictures(self, records: Sequence[Record], *, large: bool = False) -> Any:
        """Return a picture for each record, in their order; where one fails, the reason."""
        small: Any = {
            "size": SIZE,
            "max_bytes": BYTES,
            "cache": self._recent,
        }  # it gets and puts as the one on disk
        options = {"size": LARGE, "max_bytes": LARGE_BYTES} if large else small
        return fetch_thumbnails(records, self._fetch, progress=False, **options)

    def _work(self, wanted: Sequence[str], large: bool) -> None:
        records = self._records
        shown = [records[key] for key in wanted if key in records]
        with closing(self.pictures(shown, large=large)) as pictures:
            for record, picture in zip(shown, pictures, strict=False):
                self._deliver({str(record["id"]): picture}, large=large)
                if not large and wanted is not self._wanted:
                    return


class RecentThumbnails:
    """Small pictures in memory, the least recently used going first.

    Args:
        most: The most bytes kept.
    """

    def __init__(self, most: int = KEPT_BYTES) -> None:
        self._most, self._lock = most, threading.Lock()
        self._kept: dict[str, bytes] = {}

    def get(self, key: str) -> bytes | None:
        """Return the picture under a key, or None."""
        if (data := self._kept.get(key)) is not None:
            self.put(key, data)
        return data

    def put(self, key: str, data: bytes) -> None:
        """Keep a picture under a key."""
        with self._lock:
            self._kept.pop(key, None)
            self._kept[key] = data
            while sum(map(len, self._kept.values())) > self._most:
                del self._kept[next(iter(self._kept))]


def short_names(names: Iterable[str], limit: int) -> dict[str, str]:
    """Return a short form of at most ``limit`` characters by name.

    Names that would look the same lose what they have in common in the middle instead of what makes them different:
    ``A quiet harbor at dawn, 1`` and ``…, 2`` become ``A quiet…1`` and ``A quiet…2``.

    Args:
        names: The names; repeated ones count once.
        limit: The maximum number of characters.
    """
    short = {name: cut(name, limit) for name in names}
    same: dict[str, list[str]] = defaultdict(list)
    for name, form in short.items():
        same[form].append(name)
    for group in same.values():
        head = group[0][: limit // 3].rstrip() + "…"
        if len(group) > 1 and limit - len(head) >= LEAST_OF_NAME // 2:
            shared = commonprefix(group)  # noqa: RUF071  # these are no paths
            start = shared.rfind(" ") + 1 or len(shared)
            rests = short_names([name[start:] for name in group], limit - len(head))
            short |= {name: head + rests[name[start:]] for name in group}
    return short
