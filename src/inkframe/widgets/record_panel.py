"""The base class of browsers and the explorer: a gallery, and a queue of work on the selected records."""

from __future__ import annotations

import threading
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final, Protocol

from inkframe.display.view import folded
from inkframe.errors import InkframeError
from inkframe.widgets.panel import Panel

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence, Sized

    import ipywidgets
    import pandas as pd

    from inkframe.client import Client
    from inkframe.display.view import View
    from inkframe.widgets.record_actions import RecordActions
    from inkframe.widgets.record_gallery import RecordGallery
    from inkframe.widgets.record_reader import RecordReader

__all__ = ["RecordPanel"]

#: Seconds for which the page must stand still before its static copy is written.
STILL: Final = 1.0


class Records(Protocol):
    """The values of records by key: their ids as text."""

    def __contains__(self, key: Any, /) -> bool: ...

    def __getitem__(self, key: str, /) -> Mapping[str, Any]: ...


class RecordPanel(Panel):
    """A gallery of records to browse, select and change.

    Everything that asks the service goes through one thread, in order, so that a change is seen by the
    listing that follows it.

    Attributes:
        gallery: Where the records are shown and selected.
        actions: What can be done to the records that are selected.
        reader: Where a record is read.
        records: The values of the records.
        collection: Their collection; None without a client.
    """

    gallery: RecordGallery
    actions: RecordActions
    reader: RecordReader
    records: Records
    collection: Any

    def __init__(
        self,
        client: Client | None,
        above: Iterable[ipywidgets.Widget],
        below: Iterable[ipywidgets.Widget],
        *,
        beside: Sequence[ipywidgets.Widget] = (),
    ) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=f"inkframe-{type(self).__name__}")
        self._waiting = 0
        #: What is shown now; a new one with each listing and page.
        self._turn = object()
        super().__init__(client, above, below, beside=beside)

    @property
    def chosen_keys(self) -> list[str]:
        """The keys of the records that are selected."""
        return list(self.gallery.chosen)

    @property
    def selection(self) -> pd.DataFrame:
        """The records that are selected, as a frame."""
        raise NotImplementedError

    def replace(self, record: Any, fields: Iterable[str]) -> None:
        """Show a record as it is now, given the fields that were changed."""
        raise NotImplementedError

    def removed(self, keys: Sequence[str]) -> None:
        """Show what is left after records were deleted."""
        raise NotImplementedError

    def _static_view(self) -> View:
        """Return a view of what is shown that needs no kernel."""
        raise NotImplementedError

    def save_text(self, id: int | str, text: str) -> None:
        """Store a text that was edited, and show the record as it is then."""

        def change() -> None:
            record = self.collection.update(id, result=text)
            self.replace(record, ["result"])
            self.reader.saved(self.records[str(record.id)])

        self.queue(change, "Saving")

    def queue(self, work: Callable[[], Any], working: str, *, steps: Sized = ()) -> Future[Any]:
        """Do work after all that was asked for before; several steps are counted, and can be cancelled."""
        total = len(steps) if len(steps) > 1 else 0
        with self._lock:
            self._waiting += 1
        self.busy = True

        def run() -> Any:
            if self._under_way is None:  # else the status is that of other work
                self._cancelled.clear()
                self.status.begin(working, total=total, cancels=bool(total))
            try:
                return self._reported(work)
            finally:
                with self._lock:
                    self._waiting -= 1
                    idle = not self._waiting and self._under_way is None
                if self._under_way is None:
                    self.status.working = ""
                if idle:
                    self.busy = False

        return self._thread.submit(run)

    def _copy_soon(self) -> None:
        """Write the static copy once the page stands still."""
        if self._static.is_placed:
            timer = threading.Timer(STILL, self._copy, (self._turn,))
            timer.daemon = True
            timer.start()

    def _copy(self, turn: object) -> None:
        if turn is self._turn:
            try:
                self._static.replace(folded(self._static_view()))
            except InkframeError as error:
                self._fail(error)

    def _ipython_display_(self) -> None:
        super()._ipython_display_()
        self._copy_soon()
