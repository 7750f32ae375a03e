"""What the two browsers share: filters, pages, a gallery, and what is done to the records that are chosen."""

from __future__ import annotations

import threading
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import ipywidgets

from inkframe.display.plain_text import counted
from inkframe.errors import InkframeError, NotFound
from inkframe.resources.records import values_of
from inkframe.resources.selection import rows_of
from inkframe.widgets.call_source import client_name
from inkframe.widgets.controls import show, styled
from inkframe.widgets.page_source import Found, PageSource
from inkframe.widgets.pager import Pager
from inkframe.widgets.panel import Panel
from inkframe.widgets.question import Question
from inkframe.widgets.record_actions import ActionRow, PendingDeletes, pack

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    import pandas as pd

    from inkframe.client import Client
    from inkframe.resources.records import Document, Image
    from inkframe.widgets.filter_bar import FilterBar
    from inkframe.widgets.form import Form
    from inkframe.widgets.record_gallery import RecordGallery

__all__ = ["Browser"]

#: Seconds for which the page must stand still before its static copy is made.
STILL: Final = 1.0


class Browser(Panel):
    """Records of one collection: filtered, paged, chosen and changed.

    Everything that asks the service goes through one thread, in order, so that a change is seen by the
    listing that follows it.

    Args:
        client: The service's client.
        filters: What is listed.
        gallery: Where the records are shown.
        per_page: Records on a page; None for all.
        beside: What stands beside the gallery, where there is room.
        under: What stands under the buttons.
    """

    #: What one record is called.
    _noun = "record"
    #: What takes over the settings of a record: a form of this browser's own unless the studio sets another.
    on_again: Callable[[Any], Any] | None = None

    def __init__(
        self,
        client: Client,
        filters: FilterBar,
        gallery: RecordGallery,
        per_page: int | None,
        *,
        beside: Sequence[ipywidgets.Widget] = (),
        under: Sequence[ipywidgets.Widget] = (),
    ) -> None:
        self._filters, self._gallery, self._pager = filters, gallery, Pager(per_page, self._turn_page)
        self._source = PageSource(self._collection_of(client))
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=f"inkframe-{type(self).__name__}")
        self._waiting = 0
        self._turn = 0
        self._records: dict[str, dict[str, Any]] = {}
        self._pending = PendingDeletes()
        self._question, self._form_place = Question(), styled(ipywidgets.Box(), "ink-gone")
        self._actions = self._make_actions()
        box = styled(ipywidgets.Box([gallery, *beside]), "ink-shelf")
        super().__init__(
            client,
            [filters],
            [box, self._pager, self._actions, self._question, *under, self._form_place],
        )
        gallery.observe(lambda _: self._choose(), "chosen")
        filters.on_change(self._filter)
        self._refresh()
        self.submit()

    def _status_row(self) -> ipywidgets.Widget:
        return styled(ipywidgets.HBox([self.status, self._pager.count]), "ink-top")

    @staticmethod
    def _collection_of(client: Client) -> Any:
        raise NotImplementedError

    def _make_form(self) -> Form:
        """Give a new form for the settings of a record."""
        raise NotImplementedError

    def _show_record(self, record: Any, *, opened: bool) -> None:
        """Show a record that was chosen, or opened."""
        raise NotImplementedError

    def _file(self, record: Any) -> tuple[str, bytes]:
        """Give a record's file: its ending and its content."""
        raise NotImplementedError

    def _copy_of(self, records: Sequence[dict[str, Any]]) -> Mapping[str, Any]:
        """Give a static view of records."""
        raise NotImplementedError

    @property
    def _collection(self) -> Any:
        return self._collection_of(self._client)

    # --- listing ---

    def submit(self) -> Future[pd.DataFrame]:
        """List again what the filters say, in a thread; gives a future of the page's frame."""
        self._turn += 1
        return self._queue(partial(self._list, self._turn), "Listing")

    def _list(self, turn: int) -> Any:
        if turn == self._turn or self.frame is None:  # else a later listing waits behind this one
            self._clear_problems()
            found = self._source.find(self._filters.query(), self._pager.per_page, self._pager.page)
            self._take(found)
        return self.frame

    def _take(self, found: Found) -> None:
        records = rows_of(found.frame)
        self._records = {str(record["id"]): record for record in records}
        self._pager.show(found, self._filters.order_words())
        self._gallery.show(records, frozenset(self._pending.ids))
        self.frame = found.frame
        self._refresh()
        self._copy_soon()

    def _filter(self) -> None:
        self._pager.page = 1
        self._source.forget()
        if not self._filters.mistake():
            self._turn_page()

    def _turn_page(self) -> None:
        self._refresh()
        self.submit()

    def _refresh(self) -> None:
        collection = f"{client_name(self._client)}.{self._collection.resource}"
        query = self._filters.query()
        self.code = self._source.code(collection, query, self._pager.per_page, self._pager.page)

    def _queue(self, work: Callable[[], Any], working: str, *, total: int = 0) -> Future[Any]:
        """Have work done after all that was asked for before."""
        with self._lock:
            self._waiting += 1
        self.busy = True

        def run() -> Any:
            self._cancelled.clear()
            state = {"done": 0, "total": total, "cancels": total > 1, "working": working}
            self.status.set_state(state)
            try:
                return work()
            except Exception as error:
                self._fail(error)
                raise
            finally:
                with self._lock:
                    self._waiting -= 1
                    idle = not self._waiting
                self.status.working = ""
                if idle:
                    self.busy = False

        return self._thread.submit(run)

    # --- one record or several ---

    def _choose(self) -> None:
        """Take note of what is chosen; a single record is fetched."""
        keys = list(self._gallery.chosen)
        self._actions.allow(len(keys))
        if len(keys) == 1:
            self._queue(lambda: self._fetch(keys[0]) if self._gallery.chosen == keys else None, "Reading")

    def _fetch(self, key: str, *, opened: bool = False) -> Any:
        record = self._collection.get(self._records[key]["id"])
        self.record = record
        self._show_record(record, opened=opened)
        return record

    def _acted(self, kind: str, keys: list[str], message: Mapping[str, Any]) -> None:
        """Do what was asked for on the gallery."""
        key = str(message.get("key"))
        if kind == "open" and key in self._records:
            self._queue(lambda: self._fetch(key, opened=True), "Reading")
        elif kind == "favorite":
            self.favorite(keys)
        elif kind == "rename" and keys:
            self._change(keys, "Renaming", name=str(message.get("name", "")))
        elif kind == "delete":
            self.stage(keys)

    def favorite(self, keys: Sequence[str]) -> Future[Any]:
        """Mark records as favourites; where all of them are, take the mark away.

        Args:
            keys: Ids as text.
        """
        wanted = not all(self._records[key].get("favorite") is True for key in keys)
        return self._change(keys, "Marking", favorite=wanted)

    def _change(self, keys: Sequence[str], working: str, **fields: Any) -> Future[Any]:
        def change() -> None:
            for done, key in enumerate(keys, 1):
                if self._cancelled.is_set():
                    break
                self._replace(self._collection.update(self._records[key]["id"], **fields), fields)
                self.status.done = done

        return self._queue(change, working, total=len(keys) if len(keys) > 1 else 0)

    def _replace(self, record: Image | Document, fields: Mapping[str, Any]) -> None:
        """Show a record as it is now, where it stands."""
        self._source.forget()
        key = str(record.id)
        self._records[key] = values_of(record)
        self._gallery.renew(self._records[key], leaving=key in self._pending)
        frame = self.frame.copy()
        for name in fields:
            frame.loc[self._records[key]["id"], name] = getattr(record, name)
        self.frame = frame
        self.record = record
        self.say(f"“{record.name or record.id}” is changed.")

    # --- deletion: noted, taken back, carried out ---

    def stage(self, keys: Sequence[str]) -> None:
        """Note records to be deleted; nothing is deleted yet. Those that all were noted before are kept again.

        Args:
            keys: Ids as text.
        """
        self._pending.note({key: self._records[key]["id"] for key in keys})
        self._after_staging(keys)

    def undo(self) -> None:
        """Take the last deletion that was noted back."""
        self._after_staging(self._pending.undo())

    def delete_staged(self) -> Future[Any]:
        """Delete all that was noted, in a thread; this cannot be undone."""
        ids = self._pending.ids

        def delete() -> None:
            self._source.forget()
            try:
                for done, (key, id) in enumerate(ids.items(), 1):
                    if self._cancelled.is_set():
                        break
                    with suppress(NotFound):  # it is gone, which is what was wanted
                        self._collection.delete(id)
                    self._pending.drop([key])
                    self.status.done = done
            finally:
                self.say(f"{counted(len(ids) - len(self._pending), self._noun)} deleted.")
                self._ask_about_staged()

        future = self._queue(delete, "Deleting", total=len(ids))
        self.submit()
        return future

    def _after_staging(self, keys: Sequence[str]) -> None:
        for key in keys:
            if key in self._records:
                self._gallery.renew(self._records[key], leaving=key in self._pending)
        self._ask_about_staged()

    def _ask_about_staged(self) -> None:
        count = len(self._pending)
        if not count:
            self._question.close_question()
            return
        text = f"{counted(count, self._noun)} to be deleted. Nothing is deleted yet."
        self._question.ask(text, {"Undo": self.undo, f"Delete {count} for good": self.delete_staged})

    # --- the row of buttons ---

    def _make_actions(self) -> ActionRow:
        return ActionRow(
            {
                "★ Favourite": lambda: self.favorite(self._gallery.chosen),
                "Rename": self._gallery.begin_rename,
                **self._more_actions(),
                "Again with these settings": self._again,
                "Download": lambda: self.download(self._gallery.chosen),
                "Delete": lambda: self.stage(self._gallery.chosen),
            },
            single=("Rename", *self._more_actions(), "Again with these settings"),
        )

    def _more_actions(self) -> dict[str, Callable[[], Any]]:
        return {}

    def _again(self) -> None:
        """Hand the settings of the record to a form."""
        if self.record is None:
            return
        if self.on_again is not None:
            self.on_again(self.record)
            return
        if not self._form_place.children:
            self._form_place.children = [self._make_form()]
            show(self._form_place)
        self._form_place.children[0].again(self.record)

    def download(self, keys: Sequence[str]) -> Future[Any]:
        """Hand records to the person as a file, several as an archive.

        Args:
            keys: Ids as text.
        """

        def fetched() -> Iterator[Image | Document]:
            for done, key in enumerate(keys, 1):
                if self._cancelled.is_set():
                    return
                yield self._collection.get(self._records[key]["id"])
                self.status.done = done

        def make() -> None:
            file = pack(fetched(), self._file, self._collection.resource)
            if self._cancelled.is_set():
                self.say("The download was cancelled.")
                return
            self._gallery.save(*file)
            self.say(f"{counted(len(keys), self._noun)} handed to the browser.")

        return self._queue(make, "Fetching", total=len(keys) if len(keys) > 1 else 0)

    # --- what the cell keeps ---

    def _copy_soon(self) -> None:
        """Make the static copy once the page stands still."""
        if self._static.is_placed:
            timer = threading.Timer(STILL, self._copy, (self._turn,))
            timer.daemon = True
            timer.start()

    def _copy(self, turn: int) -> None:
        if turn == self._turn:
            try:
                self._static.replace(self._copy_of(list(self._records.values())))
            except InkframeError as error:
                self._fail(error)

    def _ipython_display_(self) -> None:
        super()._ipython_display_()
        self._copy_soon()
