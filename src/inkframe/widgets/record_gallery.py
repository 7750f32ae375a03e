"""The gallery: any number of records in one window, with pictures that come as they are looked at."""

from __future__ import annotations

import threading
from collections import OrderedDict, defaultdict
from contextlib import closing
from functools import partial
from os.path import commonprefix
from typing import TYPE_CHECKING, Any, Final

import anywidget
import traitlets

from inkframe.display.figure import alt, fetch_thumbnails, is_favorite, look, summary, title
from inkframe.display.markup import cut
from inkframe.widgets.panel import script, sheet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    Record = Mapping[str, Any]

__all__ = ["RecentThumbnails", "RecordGallery", "ThumbnailLoader", "send_pictures", "short_names"]

#: Pictures that are wanted at once: those on the screen. More would only come later.
MOST_AT_ONCE: Final = 24
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
#: Pictures that are sent together: one line of a gallery at a time comes soonest to the eye.
SENT_TOGETHER: Final = 6
#: Bytes of small pictures that are kept.
KEPT_BYTES: Final = 16_000_000


class RecordGallery(anywidget.AnyWidget):
    """Records as a gallery of pictures, or as a list.

    Keys: arrows move what is chosen, with Ctrl the cursor alone, Space chooses, Enter opens, l shows large, f marks as
    favorite, r renames, d deletes. Each act comes as a call of ``acted`` with its kind, the keys that are chosen on the page, and
    the message; nothing is changed here.

    Args:
        acted: Called with ``open``, ``favorite``, ``star``, ``rename`` or ``delete``, the keys, and the message.
        fetch: Returns the picture file of a record; called from two threads. None for a list without pictures.
        label: What the gallery holds, for assistive technology.
    """

    _esm = script("record_gallery", "blobs", "large", "window")
    _css = sheet("record_gallery")

    #: Key, name, words below it, favorite, alternative text, whether it is to be deleted, and the short name.
    rows: traitlets.List[list[Any]] = traitlets.List().tag(sync=True)
    #: The keys of what is chosen, whether it is shown or not.
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
        self.thumbnails = ThumbnailLoader(fetch, partial(send_pictures, self)) if fetch else None
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
        self._short = short_names(names, MOST_OF_NAME)
        rows = [
            self._row(record, name, str(record["id"]) in leaving)
            for record, name in zip(records, names, strict=True)
        ]
        self._places = {row[0]: at for at, row in enumerate(rows)}
        if self.thumbnails:
            self.thumbnails.show(records)
        self.rows = rows

    def renew(self, record: Record, *, leaving: bool = False) -> None:
        """Show one record as it is now; all others stay as they are."""
        row = self._row(record, title(record), leaving)
        if (at := self._places.get(row[0])) is not None:
            # In place: only this row is sent to the browser, not ten thousand.
            self.rows[at] = row
            self.send({"kind": "row", "row": row})

    def begin_rename(self, key: str) -> None:
        """Put the cursor into the name of a tile."""
        self.send({"kind": "rename", "key": key})

    def save(self, name: str, mime: str, data: bytes) -> None:
        """Send a file to the page, as a download of the browser."""
        self.send({"kind": "save", "name": name, "type": mime}, [data])

    def _row(self, record: Record, name: str, leaving: bool) -> list[Any]:
        words = look(record, brief=True) if self.thumbnails else summary(record)
        short = self._short.get(name) or cut(name, MOST_OF_NAME)
        return [str(record["id"]), name, words, is_favorite(record), alt(record), leaving, short]

    def _deliver_large(self, key: str, picture: bytes | str) -> None:
        reason, buffers = (picture, []) if isinstance(picture, str) else (None, [picture])
        self.send({"kind": "large", "key": key, "reason": reason}, buffers)

    def _on_message(self, _widget: object, message: Mapping[str, Any], _buffers: object) -> None:
        keys = [str(key) for key in message.get("keys", ())]
        if message.get("kind") == "want" and self.thumbnails:
            self.thumbnails.want(keys[:MOST_AT_ONCE])
        elif message.get("kind") == "large" and self.thumbnails:
            self.thumbnails.enlarge(keys[0], self._deliver_large)
        elif message.get("kind") in {"open", "favorite", "star", "rename", "delete", *self.acts.values()}:
            self._acted(message["kind"], keys, message)


def send_pictures(widget: anywidget.AnyWidget, made: Mapping[str, bytes | str]) -> None:
    """Send small pictures by key to the page of a widget, or the reason where there is none."""
    reasons = {key: small for key, small in made.items() if isinstance(small, str)}
    buffers = [small for small in made.values() if isinstance(small, bytes)]
    widget.send({"kind": "pictures", "keys": list(made), "reasons": reasons}, buffers)


class ThumbnailLoader:
    """Draws the thumbnails that are shown now.

    Args:
        fetch: Returns the picture file of a record; called from two threads.
        deliver: Called with small pictures by key, or the reason where there is none.
    """

    def __init__(
        self,
        fetch: Callable[[Record], bytes],
        deliver: Callable[[Mapping[str, bytes | str]], Any],
    ) -> None:
        self._fetch, self._deliver = fetch, deliver
        self._recent = RecentThumbnails()
        self._records: dict[str, Record] = {}
        self._wanted: Sequence[str] = ()

    def show(self, records: Sequence[Record]) -> None:
        """Take these records instead of those before; none of their pictures is wanted yet."""
        self._records = {str(record["id"]): record for record in records}
        self._wanted = ()

    def want(self, keys: Sequence[str]) -> None:
        """Create these pictures, and no longer those that were wanted before and are not begun."""
        self._wanted = wanted = [key for key in keys if key in self._records]
        threading.Thread(target=self._work, args=(wanted,), name="inkframe-thumbnails", daemon=True).start()

    def enlarge(self, key: str, deliver: Callable[[str, bytes | str], Any]) -> None:
        """Create the large picture of a record that is shown, in a thread."""
        records = [self._records[key]] if key in self._records else []

        def work() -> None:
            options: Any = {"size": LARGE, "max_bytes": LARGE_BYTES, "progress": False}
            for picture in fetch_thumbnails(records, self._fetch, **options):
                deliver(key, picture)

        threading.Thread(target=work, name="inkframe-large-picture", daemon=True).start()

    def small(self, records: Sequence[Record]) -> Any:
        """Return a small picture for each record, in their order; where one fails, the reason."""
        return fetch_thumbnails(
            records,
            self._fetch,
            size=SIZE,
            max_bytes=BYTES,
            cache=self._recent,  # type: ignore[arg-type]  # it gets and puts like the one on disk
            progress=False,
        )

    def _work(self, wanted: Sequence[str]) -> None:
        records = self._records
        shown = [records[key] for key in wanted if key in records]
        made: dict[str, bytes | str] = {}
        with closing(self.small(shown)) as pictures:
            for record, picture in zip(shown, pictures, strict=False):
                made[str(record["id"])] = picture
                is_passed = wanted is not self._wanted
                if len(made) >= SENT_TOGETHER or is_passed:
                    self._deliver(made)
                    made = {}
                if is_passed:
                    return
        if made:
            self._deliver(made)


class RecentThumbnails:
    """Small pictures in memory, the least recently used going first.

    Args:
        most: The most bytes kept.
    """

    def __init__(self, most: int = KEPT_BYTES) -> None:
        self._most, self._size = most, 0
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: str) -> bytes | None:
        """Return the picture under a key, or None."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def put(self, key: str, data: bytes) -> None:
        """Keep a picture under a key."""
        with self._lock:
            self._size += len(data) - len(self._kept.pop(key, b""))
            self._kept[key] = data
            while self._size > self._most:
                self._size -= len(self._kept.popitem(last=False)[1])


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
