"""The base class of browsers: filters, pages, a gallery, and the selected record."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import ipywidgets

from inkframe.resources.records import values_of
from inkframe.resources.selection import rows_of
from inkframe.widgets.call_source import client_name
from inkframe.widgets.controls import show, styled
from inkframe.widgets.filter_bar import FilterBar
from inkframe.widgets.page_source import PageSource
from inkframe.widgets.pager import Pager
from inkframe.widgets.record_actions import Action, RecordActions
from inkframe.widgets.record_gallery import RecordGallery
from inkframe.widgets.record_panel import RecordPanel

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from concurrent.futures import Future

    import pandas as pd

    from inkframe.client import Client
    from inkframe.resources.records import Document, Image
    from inkframe.schema import ResourceSpec
    from inkframe.widgets.fields import FormField
    from inkframe.widgets.form import Form

__all__ = ["Browser"]


class Browser(RecordPanel):
    """Records of one collection: filtered, paged, chosen and changed.

    Args:
        client: The service's client.
        fields: The collection's own filters.
        given: The keywords that the browser's own signature does not name: what the filters begin with.
        per_page: Records on a page; None for all.
        fetch: Returns the picture file of a record; called from two threads. None for records without pictures.
        more: The collection's own actions.
        beside: What is shown beside the gallery, where it is wide enough.
        under: What is shown under the gallery.

    Attributes:
        filters: What is listed.
        pager: Which page is shown.
        form: The form that took over the settings of a record, once one did.
    """

    #: The collection.
    _spec: ResourceSpec
    #: The form that takes over the settings of a record.
    _make_form: Callable[[Client], Form[Any]]
    #: Called with a record whose settings are reused, instead of opening a form of this browser.
    on_again: Callable[[Any], Any] | None = None

    def __init__(
        self,
        client: Client,
        fields: Sequence[FormField],
        given: Mapping[str, Any],
        per_page: int | None,
        *,
        fetch: Callable[[Mapping[str, Any]], bytes] | None = None,
        more: Sequence[Action] = (),
        beside: Sequence[ipywidgets.Widget] = (),
        under: Sequence[ipywidgets.Widget] = (),
    ) -> None:
        self.collection = getattr(client, self._spec.name)
        self._source = PageSource(self.collection)
        self.records: dict[str, dict[str, Any]] = {}
        self.filters = FilterBar(fields, self._spec.search_by, given)
        label = self._spec.name.capitalize()
        self.gallery = RecordGallery(self._acted, fetch, label=label)
        self.pager = Pager(per_page, self._turn_page)
        self.actions = RecordActions(
            self,
            content=self._content,
            more=[*more, Action("Reuse settings", "u", self._again, most=1)],
        )
        self.form: Form[Any] | None = None
        self._form_place = styled(ipywidgets.Box(), "ink-gone")
        shelf = styled(ipywidgets.Box([self.gallery, *beside]), "ink-shelf")
        actions = (self.actions.bar, self.actions.question)
        below = [*actions, shelf, self.pager, self.actions.compared, *under, self._form_place]
        super().__init__(client, [self.filters], below, beside=[self.pager.count])
        self.gallery.observe(lambda _: self._choose(), "chosen")
        self.filters.on_change(self._filter)
        self._turn_page()

    def _show_record(self, record: Any, *, opened: bool) -> None:
        """Show a record that was chosen, or opened."""
        raise NotImplementedError

    def _content(self, record: Any) -> bytes:
        """Return the content of a record's file."""
        raise NotImplementedError

    def submit(self) -> Future[pd.DataFrame]:
        """List the records again, in a thread; the future returns the frame of the page."""
        self._turn = object()
        return self.queue(partial(self._list, self._turn), "Listing")

    def _list(self, turn: object) -> Any:
        if turn is self._turn or self.frame is None:  # else a later listing waits behind this one
            self._clear_problems()
            found = self._source.find(self.filters.query(), self.pager.per_page, self.pager.page)
            records = rows_of(found.frame)
            self.records = {str(record["id"]): record for record in records}
            # The count last: whoever reads it finds its records.
            self.gallery.show(records, frozenset(self.actions.pending.ids))
            self.pager.show(found, self.filters.order_words())
            self.frame = found.frame
            self._refresh()
            self._copy_soon()
        return self.frame

    @property
    def selection(self) -> pd.DataFrame:
        """The records that are selected, as a frame."""
        rows: pd.DataFrame = self.frame.loc[[self.records[key]["id"] for key in self.chosen_keys]]
        return rows

    def removed(self, keys: Sequence[str]) -> None:
        """List again after all queued work."""
        del keys  # others take their places
        self.queue(self._source.forget, "Listing")
        self.submit()

    def _filter(self) -> None:
        self.pager.page = 1
        self._source.forget()
        if not self.filters.mistake():
            self._turn_page()

    def _turn_page(self) -> None:
        self._refresh()
        self.submit()

    def _refresh(self) -> None:
        collection = f"{client_name(self._client)}.{self._spec.name}"
        query = self.filters.query()
        self.code = self._source.code(collection, query, self.pager.per_page, self.pager.page)

    def _choose(self) -> None:
        """Note what is chosen; a single record is fetched."""
        keys = list(self.gallery.chosen)
        self.actions.allow(len(keys))
        show(self.actions.compared, shown=False)
        if len(keys) == 1:
            self.queue(lambda: self._fetch(*keys) if self.gallery.chosen == keys else None, "Fetching")

    def _fetch(self, key: str, *, opened: bool = False) -> Any:
        record = self.collection.get(self.records[key]["id"])
        self.record = record
        self._show_record(record, opened=opened)
        return record

    def _acted(self, kind: str, keys: list[str], message: Mapping[str, Any]) -> None:
        """Run the action that the gallery requested."""
        key = str(message.get("key"))
        if kind == "open":
            if key in self.records:
                self.queue(lambda: self._fetch(key, opened=True), "Fetching")
        elif len(kind) == 1 and keys != list(self.gallery.chosen):
            # What is selected is still on its way from the page; a single record is fetched first.
            self.gallery.chosen = keys
            self.queue(lambda: self.actions.act(kind, keys, message), "Fetching")
        else:
            self.actions.act(kind, keys, message)

    def replace(self, record: Image | Document, fields: Iterable[str]) -> None:
        """Show a record as it is now, where it is shown."""
        self._source.forget()
        key = str(record.id)
        self.records[key] = values_of(record)
        self.gallery.renew(self.records[key], leaving=key in self.actions.pending)
        frame = self.frame.copy()
        for name in fields:
            frame.loc[self.records[key]["id"], name] = getattr(record, name)
        self.frame = frame
        self.record = record
        self.say(f"“{record.name or record.id}” updated.")

    def _again(self) -> None:
        """Fill a form with the settings of the record."""
        if self.record is None:
            return
        if self.on_again is not None:
            self.on_again(self.record)
            return
        if self.form is None:
            self.form = self._make_form(self._client)
            self._form_place.children = [self.form]
            show(self._form_place)
        self.form.again(self.record)
