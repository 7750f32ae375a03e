"""``ImageBrowser`` and ``DocumentBrowser``: a library as a gallery, or as a list with a reading pane."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from functools import partial
from typing import TYPE_CHECKING, Any

import ipywidgets
import pandas as pd

from inkframe.client import Client
from inkframe.display.gallery import gallery, read
from inkframe.errors import options_of
from inkframe.frames import rows_of
from inkframe.resources.documents import Documents
from inkframe.resources.images import Images
from inkframe.resources.records import Document, Image, values_of
from inkframe.schema import DOCUMENTS, IMAGES, ResourceSpec
from inkframe.widgets.fields import FormField, TemplateField, choice_fields
from inkframe.widgets.pager import FilterBar, Pager, PageSource
from inkframe.widgets.panel import client_name, show, styled
from inkframe.widgets.record_panel import Action, RecordActions, RecordPanel
from inkframe.widgets.record_reader import RecordReader
from inkframe.widgets.rows import RecordGallery

if TYPE_CHECKING:
    from inkframe.display.view import View

__all__ = ["DocumentBrowser", "ImageBrowser"]


class Browser(RecordPanel):
    """Records of one collection: filtered, paged, chosen and changed.

    Args:
        client: The service's client.
        fields: The collection's own filters.
        given: The keywords that the browser's own signature does not name: what the filters begin with.
        per_page: Records on a page; None for all.

    Attributes:
        filters: What is listed.
        pager: Which page is shown.
        reader: The image that is opened, or where the document that is chosen is read and edited.
    """

    #: The collection.
    _spec: ResourceSpec
    #: Called with a record whose settings are reused, instead of opening a form of this browser.
    on_again: Callable[[Any], Any] | None = None

    def __init__(
        self,
        client: Client,
        fields: Sequence[FormField],
        given: Mapping[str, Any],
        per_page: int | None,
    ) -> None:
        self.collection = getattr(client, self._spec.name)
        is_read = not self._spec.has_picture  # beside the list; a picture is large once it is opened
        fetch = None if is_read else self.collection.picture_of_row
        self.reader = RecordReader(
            self.collection.service, fetch=fetch, save=self.save_text, hides=not is_read
        )
        edit = Action("Edit text", "e", lambda: self._with_selected(self.reader.edit), most=1)
        again = Action("Reuse settings", "u", lambda: self._with_selected(self._again), most=1)
        self._source = PageSource(self.collection)
        self.records: dict[str, dict[str, Any]] = {}
        self.filters = FilterBar(fields, self._spec.search_by, given)
        self.gallery = RecordGallery(self._acted, fetch, label=self._spec.name.capitalize())
        self.pager = Pager(per_page, self._turn_page)
        self.actions = RecordActions(self, more=[edit, again] if is_read else [again])
        shelf = styled(ipywidgets.Box([self.gallery, *[self.reader] * is_read]), "ink-shelf")
        below = [self.actions.bar, self.actions.question, shelf, self.pager, self.actions.compared]
        below += [*[self.reader] * (not is_read), self.actions.form_place]
        super().__init__(client, [self.filters], below, beside=[self.pager.count])
        self.gallery.observe(lambda _: self._choose(), "chosen")
        self.filters.on_change(self._filter)
        self._turn_page()

    def submit(self) -> Future[pd.DataFrame]:
        """List the records again, in a thread; the future returns the frame of the page."""
        self._turn = object()
        return self.queue(partial(self._list, self._turn), "Listing")

    def _list(self, turn: object) -> Any:
        if turn is self._turn or self.frame is None:  # else a later listing waits behind this one
            self._clear_problems()
            found = self._source.find(self.filters.query(), self.pager.per_page, self.pager.page)
            records, before = rows_of(found.frame), self.chosen_keys
            self.records = {str(record["id"]): record for record in records}
            # The count last: whoever reads it finds its records.
            self.gallery.show(records)
            self.actions.relisted()
            self.pager.show(found, self.filters.order_words())
            self.frame = found.frame
            if self.chosen_keys != before:
                self._choose()
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
        super().removed(keys)
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
        """Note what is selected; a single record is fetched."""
        keys = self.chosen_keys
        self.actions.renew()
        show(self.actions.compared, shown=False)
        if len(keys) == 1:
            self.queue(lambda: self._fetch(*keys) if self.chosen_keys == keys else None, "Fetching")

    def _fetch(self, key: str, *, opened: bool = False) -> Any:
        self.record = record = self.collection.get(self.records[key]["id"])
        if opened or not self._spec.has_picture:
            self.reader.show(values_of(record))
        else:
            self.reader.clear()
        if opened:
            self.bring_into_view(self.reader, "ink-pane")
        return record

    def _act(self, kind: str, own: list[str], message: Mapping[str, Any]) -> None:
        if kind != "open":
            super()._act(kind, own, message)
        elif own:
            self.queue(lambda: self._fetch(*own, opened=True), "Fetching")

    def _with_selected(self, act: Callable[[], Any]) -> None:
        """Do something with the record that is selected, once it is the one that was fetched."""
        keys, known = self.chosen_keys, self.record
        if known is not None and str(known.id) in (keys or [str(known.id)]):
            act()
        elif keys:
            self.queue(lambda: self._fetch(keys[0]) and act(), "Fetching")

    def replace(self, record: Image | Document, fields: Iterable[str]) -> None:
        """Show a record as it is now, where it is shown."""
        self._source.forget()
        key = str(record.id)
        self.records[key] = values_of(record)
        self.gallery.show_changed(self.records[key])
        frame = self.frame.copy()
        for name in fields:
            frame.loc[self.records[key]["id"], name] = getattr(record, name)
        self.frame = frame
        if key in (self.chosen_keys or [key]):  # else another one is selected
            self.record = record
        self.say(f"“{record.name or record.id}” updated.")

    def _again(self) -> None:
        """Fill a form with the settings of the record."""
        (self.on_again or self.actions.reuse)(self.record)

    def _saved_view(self) -> View:
        records, service = list(self.records.values()), self.collection.service
        if not self._spec.has_picture:
            return read(records, service=service)
        return gallery(records, self._small, service=service, progress=False)

    def _small(self, record: Mapping[str, Any]) -> bytes:
        """Return the small picture that the gallery has; the static copy needs no larger one."""
        [small] = self.gallery.small([record])
        return small if isinstance(small, bytes) else bytes(self.collection.picture_of_row(record))


class ImageBrowser(Browser):
    """Browse, select and change images.

    Keys in the gallery: arrows move the selection, with Shift extend it and with Ctrl move the cursor alone, Space
    selects, Enter opens, f makes a favorite, r renames, u reuses the settings, c compares, s downloads, d marks for
    deletion, z undoes that. They act on what is selected and shown, as the buttons do.

    Args:
        client: The service's client.
        per_page: 10, 25, 50 or 100 images on a page; None for all of them on one.
        **filters: Arguments of ``client.images.list``, such as ``search``, ``style`` and ``sort_by``.

    Attributes:
        reader: The image that is opened.

    Raises:
        InvalidArgument: There is no such filter, or a value is not allowed.

    Example:
        >>> ink.ImageBrowser(client, favorite=True)
    """

    _spec = IMAGES

    @options_of(Images.list, leave_out={"page"})
    def __init__(self, client: Client, *, per_page: int | None = 25, **filters: Any) -> None:
        looks = {name: filters.get(name) for name in IMAGES.filters}
        fields = choice_fields(client.vocabulary, looks, nothing="Any")
        super().__init__(client, fields, filters, per_page)


class DocumentBrowser(Browser):
    """Browse, read, select and change documents.

    Keys in the list: arrows move and read, Space selects, f makes a favorite, r renames, e edits the text, u
    reuses the settings, c compares, s downloads, d marks for deletion, z undoes that. Without a template the documents of every template are listed.

    Args:
        client: The service's client.
        per_page: 10, 25, 50 or 100 documents on a page; None for all of them on one.
        template: Only this template: a label, a number, or an ``ink.Template``.
        **filters: What else ``client.documents.list`` takes: ``search``, ``search_by``, ``favorite``,
            ``sort_by``, ``sort``; ``template_id`` is ``template`` as well.

    Attributes:
        reader: Where the document that is chosen is read and edited.

    Raises:
        InvalidArgument: There is no such filter, or a value is not allowed.

    Example:
        >>> ink.DocumentBrowser(client, template="Blog intro")
    """

    _spec = DOCUMENTS

    @options_of(Documents.list, leave_out={"page"})
    def __init__(
        self, client: Client, *, per_page: int | None = 25, template: Any = None, **filters: Any
    ) -> None:
        field = TemplateField(client.vocabulary, "All templates")
        field.value = filters.get("template_id") if template is None else template
        super().__init__(client, [field], filters, per_page)
        styled(self, "ink-reads")
