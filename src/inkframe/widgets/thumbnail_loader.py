"""Small pictures on demand: made in the order they are looked at, dropped once they are passed."""

from __future__ import annotations

import threading
from collections import OrderedDict
from contextlib import closing
from typing import TYPE_CHECKING, Any, Final

from inkframe.display.thumbnails import fetch_thumbnails

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Record = Mapping[str, Any]

__all__ = ["RecentThumbnails", "ThumbnailLoader"]

#: Pixels of the longest side: twice the width of a tile, for sharp screens.
SIZE: Final = 320
#: The most bytes of a small picture.
BYTES: Final = 24_000
#: Pictures that are sent together: one line of a gallery at a time comes soonest to the eye.
TOGETHER: Final = 6
#: Bytes of small pictures that are kept.
KEPT_BYTES: Final = 16_000_000


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


class ThumbnailLoader:
    """Draws the thumbnails that are shown now.

    Args:
        fetch: Gives the picture file of a record; called from two threads.
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
                if len(made) >= TOGETHER or is_passed:
                    self._deliver(made)
                    made = {}
                if is_passed:
                    return
        if made:
            self._deliver(made)
