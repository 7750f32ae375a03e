"""The ids of records that cannot be those of a new one."""

from __future__ import annotations

import threading
from array import array
from itertools import islice, repeat
from typing import TYPE_CHECKING, Final

from inkframe.replies.identity import id_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from inkframe.schema import ResourceSpec

__all__ = ["MOST", "KnownIds"]

#: The most ids of replies that are kept; those of creates are always kept.
MOST: Final = 100_000


class KnownIds:
    """The ids that a client received, each with the time at which it was first seen.

    A create may be answered with a record that existed before, or with that of another create. The id of a new
    record is in no reply that was received before the create was sent.

    Args:
        spec: The collection.
    """

    def __init__(self, spec: ResourceSpec) -> None:
        self._spec = spec
        self._created: set[str] = set()
        self._seen: dict[str, float] = {}
        #: The numbers among the ids of replies since the last question, and the time of each. Lists of them would
        #: hold the memory of a library's pages, whose values lie between them.
        self._numbers = array("q")
        self._times = array("d")
        self._lock = threading.Lock()

    def see(self, ids: Sequence[int | str], time: float) -> None:
        """Store ids of a reply.

        Args:
            ids: The ids.
            time: The time of the reply, in seconds since 1970.
        """
        with self._lock:
            try:
                numbers: array[int] = array("q", ids)  # type: ignore[arg-type]
            except (TypeError, OverflowError):
                self._merge()
                self._note(zip(ids, repeat(time)))
                return
            # Most listings are never followed by a create, so that nothing is compared until then.
            self._numbers += numbers
            self._times += array("d", [time]) * len(numbers)
            if len(self._numbers) > 2 * MOST:
                del self._numbers[:-MOST], self._times[:-MOST]

    def _merge(self) -> None:
        self._note(zip(self._numbers, self._times, strict=True))
        del self._numbers[:], self._times[:]

    def _note(self, seen: Iterable[tuple[int | str, float]]) -> None:
        for id, time in seen:
            self._seen.setdefault(str(id), time)
        if len(self._seen) > MOST:
            self._seen = dict(islice(self._seen.items(), len(self._seen) - MOST // 2, None))

    def is_known(self, id: int | str, since: float) -> bool:
        """Return whether a record was created by this client, or seen before a time."""
        with self._lock:
            self._merge()
            return self._is_known(id, since)

    def was_seen(self, id: int | str, since: float) -> bool:
        """Return whether a record was seen before a time."""
        with self._lock:
            self._merge()
            return self._seen.get(str(id), since) < since

    def claim(self, id: int | str, since: float) -> bool:
        """Store the id of a created record; return False if it is known and therefore of another record.

        Args:
            id: The id.
            since: The time at which the create was sent, in seconds since 1970.
        """
        with self._lock:
            self._merge()
            if self._is_known(id, since):
                return False
            self._created.add(id_key(id, self._spec))
            return True

    def _is_known(self, id: int | str, since: float) -> bool:
        return id_key(id, self._spec) in self._created or self._seen.get(str(id), since) < since

    def forget(self, id: int | str) -> None:
        """Remove the id of a deleted record, which some services use again."""
        with self._lock:
            self._merge()
            self._created.discard(id_key(id, self._spec))
            self._seen.pop(str(id), None)
