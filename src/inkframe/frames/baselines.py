"""Frames as they were fetched, so that what was edited since can be told, and what others changed meanwhile.

What is kept are copies on write: they share the memory of the frame that a person holds, and only a column
that is edited is then there twice.
"""

from __future__ import annotations

import threading
import weakref
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import pandas as pd

from inkframe.frames.comparing import same
from inkframe.frames.provenance import ATTRIBUTE, origin

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["BASELINES", "Baselines"]

#: Frames that are kept though nobody holds them any more.
MOST: Final = 32
#: Bytes of these together.
LARGEST: Final = 512 * 2**20
#: Rows up to which a frame is a page, whose size counts for nothing beside that of a library.
PAGE: Final = 1000


@dataclass(slots=True)
class Unbuilt:
    """A frame that can be made when it is asked for.

    Args:
        build: Makes it.
        attrs: What it carries.
    """

    build: Callable[[], pd.DataFrame]
    attrs: dict[Any, Any]

    def frame(self) -> pd.DataFrame:
        """Make it."""
        frame = self.build()
        frame.attrs = self.attrs
        return frame


class Baselines:
    """Fetched frames by the random id of their fetch, for every client of this process.

    A frame that is still held shares its memory and costs nothing. Of the others the latest are kept.

    Args:
        most: How many frames are kept that nobody holds any more.
        largest: The bytes of these together; the latest is kept whatever its size.
    """

    def __init__(self, most: int = MOST, largest: int = LARGEST) -> None:
        self._most = most
        self._largest = largest
        self._kept: dict[str, pd.DataFrame | Unbuilt] = {}
        self._held: dict[str, weakref.ref[pd.DataFrame]] = {}
        self._sizes: dict[str, int] = {}
        self._crowded = most
        self._lock = threading.RLock()

    def keep(self, frame: pd.DataFrame, build: Callable[[], pd.DataFrame] | None = None) -> None:
        """Keep a frame as it is now under the id of its fetch; it has ids as its index.

        Args:
            frame: The frame.
            build: Makes the same frame once more. Pages come and go, and few are ever edited: it is called only then.
        """
        if build is None:
            self.restore(frame, frame)
            return
        key = origin(frame)["baseline"]
        with self._lock:
            self._kept[key] = Unbuilt(build, {ATTRIBUTE: dict(frame.attrs[ATTRIBUTE])})
            self._held[key] = weakref.ref(frame)
            if len(self._kept) > self._crowded:
                self._forget()

    def restore(self, frame: pd.DataFrame, baseline: pd.DataFrame) -> None:
        """Keep what a frame was before it was edited; rows that are known already stay as they are.

        Args:
            frame: The frame at hand.
            baseline: The frame as it was fetched, as far as it is known.
        """
        key = origin(frame)["baseline"]
        kept = _copied(frame) if frame is baseline else _sharing(baseline, frame)
        with self._lock:
            known = self.find(key)
            self._kept.pop(key, None)
            if known is not None:
                kept = pd.concat([known, kept[~kept.index.isin(known.index)]])
                kept.attrs = known.attrs
                self._sizes.pop(key, None)
            self._kept[key] = kept
            self._held[key] = weakref.ref(frame)
            # Pages of a stream come and go: looking through all each time would take longer than reading them.
            if len(self._kept) > self._crowded or len(kept) > PAGE:
                self._forget()

    def _forget(self) -> None:
        count = size = 0
        for key in reversed(list(self._kept)):
            if self._held[key]() is not None:
                continue
            count += 1
            size += self._size(key)
            if count > self._most or (size > self._largest and count > 1):
                for table in (self._kept, self._held, self._sizes):
                    table.pop(key, None)
        self._crowded = len(self._kept) + self._most // 4

    def _size(self, key: str) -> int:
        """Give about how many bytes a frame takes: nearly all of it is text."""
        frame = self._kept[key]
        if isinstance(frame, Unbuilt) or len(frame) <= PAGE:
            return 0
        if key not in self._sizes:
            texts = sum(column.array.nbytes for _, column in frame.items() if column.dtype == "str")
            self._sizes[key] = texts + 64 * len(frame)
        return self._sizes[key]

    def find(self, key: object) -> pd.DataFrame | None:
        """Give the frame of a fetch by its id."""
        if not isinstance(key, str):
            return None
        with self._lock:
            found = self._kept.get(key)
            if isinstance(found, Unbuilt):
                found = self._kept[key] = found.frame()
            return found

    def covering(self, client: str, collection: str, ids: pd.Index) -> pd.DataFrame | None:
        """Give the latest frame that a client fetched of a collection with all of these ids.

        Args:
            client: The client's random id.
            collection: ``images`` or ``documents``.
            ids: The ids.
        """
        with self._lock:
            latest = list(reversed(self._kept.items()))
        for key, kept in latest:
            came = kept.attrs[ATTRIBUTE]
            here = (came.get("client"), came.get("collection")) == (client, collection)
            frame = self.find(key) if here else None
            if frame is not None and ids.isin(frame.index).all():
                return frame
        return None

    def amend(self, key: object, values: Mapping[str, Mapping[Any, Any]]) -> None:
        """Note what the service is known to hold now.

        Args:
            key: The id of the fetch; nothing is noted for one that is not kept.
            values: For each column the new values by the records' ids.
        """
        with self._lock:
            frame = self.find(key)
            if frame is None or not isinstance(key, str):
                return
            frame = frame.copy(deep=False)
            for column, cells in values.items():
                amended = frame[column].copy()
                amended.loc[pd.Index(list(cells))] = list(cells.values())
                frame[column] = amended
            self._kept[key] = frame
            self._sizes.pop(key, None)

    def __len__(self) -> int:
        return len(self._kept)


def _copied(frame: pd.DataFrame) -> pd.DataFrame:
    """Give a copy on write, its attrs copied by hand: pandas would take them apart down to the last text."""
    attrs, frame.attrs = frame.attrs, {}
    kept = frame.copy(deep=False)
    frame.attrs = attrs
    kept.attrs = {ATTRIBUTE: dict(attrs[ATTRIBUTE])}
    return kept


def _sharing(baseline: pd.DataFrame, frame: pd.DataFrame) -> pd.DataFrame:
    """Give a baseline that shares the memory of a frame's columns where they are the same."""
    if not baseline.index.equals(frame.index):
        return baseline.copy(deep=False)
    alike = {
        name: frame[name]
        for name in baseline.columns
        if name in frame.columns
        and baseline[name].dtype == frame[name].dtype
        and same(frame[name], baseline[name]).all()
    }
    return baseline.assign(**alike)


#: Those of this process. One place for all clients: files and joined frames know the fetch, and no client.
BASELINES: Final = Baselines()
