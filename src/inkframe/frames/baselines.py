"""Frames as they were fetched, to find the user's edits and the changes that others made meanwhile.

The kept frames are copies on write. They share the memory of the user's frame, and only an edited column is
stored twice.
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

#: The number of unreferenced frames that are kept.
MOST: Final = 32
#: The maximum of their bytes in total.
LARGEST: Final = 512 * 2**20
#: Rows up to which a frame is a page, whose size is negligible beside that of a library.
PAGE: Final = 1000


@dataclass(slots=True)
class Unbuilt:
    """A frame that is built on demand.

    Args:
        build: Builds the frame.
        attrs: The attrs of the frame.
    """

    build: Callable[[], pd.DataFrame]
    attrs: dict[Any, Any]

    def frame(self) -> pd.DataFrame:
        """Build the frame."""
        frame = self.build()
        frame.attrs = self.attrs
        return frame


class Baselines:
    """Fetched frames by the random id of their fetch, for every client of this process.

    A frame that is still referenced shares its memory and costs nothing. Of the others, the latest are kept.

    Args:
        most: How many frames are kept that nothing references any more.
        largest: The maximum of their bytes in total. The latest frame is kept whatever its size.
    """

    def __init__(self, most: int = MOST, largest: int = LARGEST) -> None:
        self._most = most
        self._largest = largest
        self._kept: dict[str, pd.DataFrame | Unbuilt] = {}
        self._held: dict[str, weakref.ref[pd.DataFrame]] = {}
        self._sizes: dict[str, int] = {}
        self._threshold = most
        self._lock = threading.RLock()

    def keep(self, frame: pd.DataFrame, build: Callable[[], pd.DataFrame] | None = None) -> None:
        """Keep a frame in its present state under the id of its fetch.

        Args:
            frame: The frame, with ids as its index.
            build: Builds the same frame again. It is called only if the frame is needed, since few pages are
                edited.
        """
        if build is None:
            self.restore(frame, frame)
            return
        key = origin(frame)["baseline"]
        with self._lock:
            self._kept[key] = Unbuilt(build, {ATTRIBUTE: dict(frame.attrs[ATTRIBUTE])})
            self._held[key] = weakref.ref(frame)
            if len(self._kept) > self._threshold:
                self._forget()

    def restore(self, frame: pd.DataFrame, baseline: pd.DataFrame) -> None:
        """Keep the state of a frame before it was edited; rows that are known already stay as they are.

        Args:
            frame: The user's frame.
            baseline: The known rows of the frame as they were fetched.
        """
        key = origin(frame)["baseline"]
        kept = _copied(frame) if frame is baseline else _sharing(baseline, frame)
        kept.attrs = {ATTRIBUTE: dict(frame.attrs[ATTRIBUTE])}
        with self._lock:
            known = self.find(key)
            self._kept.pop(key, None)
            if known is not None:
                kept = pd.concat([known, kept[~kept.index.isin(known.index)]])
                kept.attrs = known.attrs
                self._sizes.pop(key, None)
            self._kept[key] = kept
            self._held[key] = weakref.ref(frame)
            # Checking all frames for each page of a stream would take longer than reading the pages.
            if len(self._kept) > self._threshold or len(kept) > PAGE:
                self._forget()

    def clear(self) -> None:
        """Forget every frame, as a new process has none."""
        with self._lock:
            for table in (self._kept, self._held, self._sizes):
                table.clear()

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
        self._threshold = len(self._kept) + self._most // 4

    def _size(self, key: str) -> int:
        """Return about how many bytes a frame takes, nearly all of it text."""
        frame = self._kept[key]
        if isinstance(frame, Unbuilt) or len(frame) <= PAGE:
            return 0
        if key not in self._sizes:
            texts = sum(column.array.nbytes for _, column in frame.items() if column.dtype == "str")
            self._sizes[key] = texts + 64 * len(frame)
        return self._sizes[key]

    def find(self, key: object) -> pd.DataFrame | None:
        """Return the frame of a fetch by its id, or None."""
        if not isinstance(key, str):
            return None
        with self._lock:
            found = self._kept.get(key)
            if isinstance(found, Unbuilt):
                found = self._kept[key] = found.frame()
            return found

    def covering(self, client: str, collection: str, ids: pd.Index) -> pd.DataFrame | None:
        """Return the latest frame of a client and collection that has all of these ids, or None.

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
        """Update a kept frame with the values that the service has now.

        Args:
            key: The id of the fetch; an unknown one changes nothing.
            values: For each column, the new values by the records' ids.
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
    """Return a copy on write without attrs, which pandas would copy deeply."""
    attrs, frame.attrs = frame.attrs, {}
    kept = frame.copy(deep=False)
    frame.attrs = attrs
    return kept


def _sharing(baseline: pd.DataFrame, frame: pd.DataFrame) -> pd.DataFrame:
    """Return a baseline that shares the memory of a frame's equal columns."""
    if not baseline.index.equals(frame.index):
        return baseline.copy(deep=False)
    equal = {
        name: frame[name]
        for name in baseline.columns
        if name in frame.columns
        and baseline[name].dtype == frame[name].dtype
        and same(frame[name], baseline[name]).all()
    }
    return baseline.assign(**equal)


#: The baselines of this process, for all clients: files and joined frames know their fetch, but not its
#: client.
BASELINES: Final = Baselines()
