"""Four operations on one collection, on plain values, without pandas and without output.

::

    Calls.page     GET     the list         one page of records
    Calls.get      GET     one record       the record
    Calls.update   PATCH   one record       the updated record
    Calls.delete   DELETE  one record       nothing

Creates are billed, and have a room of their own: ``inkframe.creating.create``.
"""

from __future__ import annotations

import threading
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice, repeat
from typing import TYPE_CHECKING, Any, Final

from inkframe.errors import NotFound, ServiceError, UnexpectedReply, ValidationFailed
from inkframe.http.address import record_path
from inkframe.http.body import Form, Parameter, Response, encode_form, encode_query, wire_text
from inkframe.http.key import foreign_text
from inkframe.listing.paging import (
    NOT_FILTERS,
    Paginator,
    Probes,
    find_next,
    learn_paging,
    linked_values,
    smaller_size,
)
from inkframe.replies.dialect import Dialect
from inkframe.replies.reader import ReplyReader
from inkframe.replies.record import KeptFields, Record, with_unsent
from inkframe.replies.values import id_key, same_content

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from datetime import datetime

    from inkframe.http.connections import CancelScope
    from inkframe.http.sender import Sender
    from inkframe.replies.columns import Page
    from inkframe.schema import ResourceSpec
    from inkframe.vocabulary import Vocabulary

__all__ = ["CLOCK_SKEW", "MAX_KNOWN_IDS", "PATIENT", "USUAL", "Calls", "KnownIds", "Limits"]

#: The allowed difference in seconds between the clocks of a service and this machine.
CLOCK_SKEW: Final = 300.0

#: The most records that were fetched or created whose filters are kept.
MAX_KNOWN_RECORDS: Final = 1_000
#: The most ids of replies that are kept; the ids of creates are always kept.
MAX_KNOWN_IDS: Final = 100_000


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a request.

    Args:
        tries: The maximum number of tries; by default that of the client.
        seconds: The deadline; by default that of the client.
        scope: The scope that cancels it; by default that of the current job.
        adapts: Whether the page size may be replaced by one that the service allows, since nobody asked for it.
    """

    tries: int | None = None
    seconds: float | None = None
    scope: CancelScope | None = None
    adapts: bool = False


USUAL: Final = Limits()

#: The limits of one request among many, which should not all fail for one bad reply.
PATIENT: Final = Limits(tries=8, seconds=300.0, adapts=True)


class Calls:
    """The operations on a collection.

    Args:
        sender: The sender of requests.
        spec: The collection.
        vocabulary: Returns the allowed values, which are used to read labels.
        update_method: ``PATCH`` or ``PUT``; None for ``PATCH``, or ``PUT`` if the service refuses ``PATCH``.
        probes: What other collections of the client have found about pages.

    Attributes:
        sender: The sender of requests.
        vocabulary: Returns the allowed values.
        reader: The reader of replies.
        known_ids: The ids of the records that were received.
        kept: The fields that the service was shown to keep.
        has_other_clock: Whether a new record had a time of creation before it was sent.
    """

    def __init__(
        self,
        sender: Sender,
        spec: ResourceSpec,
        vocabulary: Callable[[], Vocabulary],
        update_method: str | None,
        probes: Probes,
    ) -> None:
        self.spec = spec
        self.sender = sender
        self.vocabulary = vocabulary
        self._update_method = update_method
        self._probes = probes
        #: Whether a page was read, so that the collection exists.
        self._was_listed = False
        #: The fields of all full records so far.
        self._shown: set[str] = set()
        self.known_ids = KnownIds(spec)
        #: The templates that replies have shown.
        self.shown_values: set[Any] = set()
        self.kept = KeptFields()
        self.has_other_clock = False
        self.dialect = Dialect()

    @property
    def dialect(self) -> Dialect:
        """The response format of the service; assign another one to pin fields."""
        return self.reader.dialect

    @dialect.setter
    def dialect(self, dialect: Dialect) -> None:
        dialect.check_for(self.spec)
        # Locations of the embedded service are valid only in this process, so they stay relative.
        address = None if self.sender.in_process else self.sender.address
        self.reader = ReplyReader(self.spec, dialect, self.vocabulary, self.sender.key, address)
        self.paginator = Paginator(dialect, self._probes, self.sender.address.origin)

    def page(
        self, query: Mapping[str, Parameter], extra: Mapping[str, str] | None = None, limits: Limits = USUAL
    ) -> Page:
        """Return one page.

        Args:
            query: The list parameters of the interface.
            extra: The parameters of the page; the first page by default.
            limits: The limits of the request.

        Raises:
            UnexpectedReply: The reply is not a list.
            InkframeError: The request failed.
        """
        size = self._probes.size if limits.adapts else None
        if size is not None and "per_page" in query:
            others = {name: value for name, value in query.items() if name != "per_page"}
            query = {**others, "per_page": size} if size else others
        try:
            return self._page(query, extra, limits)
        except ValidationFailed as refused:
            smaller = smaller_size(refused, query.get("per_page"))
            if not limits.adapts or smaller is None:
                raise
            self._probes.size = smaller if size is None else 0
        return self.page(query, extra, limits)

    def _page(self, query: Mapping[str, Parameter], extra: Mapping[str, str] | None, limits: Limits) -> Page:
        asked = {
            name: wire_text(value) if isinstance(value, bool) else str(value) for name, value in query.items()
        } | dict(extra or {})
        # No variable has the dialect, which a traceback would show with the keys of replies.
        size_name = self.reader.dialect.size_parameter
        if size_name and "per_page" in asked:
            asked.setdefault(size_name, asked["per_page"])
        is_whole = not extra and query.keys() <= NOT_FILTERS
        try:
            response = self._send("GET", f"/{self.spec.name}", limits, query=encode_query(asked))
        except NotFound:
            if extra or is_whole or not self._exists(limits):
                raise
            return self.reader.empty_page(asked)
        is_null = response.body.strip() == b"null" and not is_whole
        if response.status == 204 or (is_null and self._exists(limits)):
            return self.reader.empty_page(asked, None if extra else 0)
        try:
            page = self.reader.page(response, asked)
        except UnexpectedReply:
            # An empty list may have any form; one with records shows where they are.
            if self.reader.dialect.records_at is not None or is_whole:
                raise
            self.page({}, limits=limits)
            page = self.reader.page(response, asked)
        self.known_ids.see(page.columns.ids, page.columns.known["name"])
        for name in self.spec.filter_defaults:
            # One character is found in a tenth of the time, so that only what is between the first and the last is searched.
            between = slice(max(response.body.find(b"=") - len(name), 0), response.body.rfind(b"=") + 1)
            linked = (
                linked_values(name, self.reader.dialect.records_at, response.value)
                if not extra and f"{name}=".encode() in response.body[between]
                else ()
            )
            self.shown_values.update(page.columns.known[name], page.reply.held, linked)
        self._was_listed = True
        find_next(page, self.spec.name, response.value, self.paginator)
        if not extra:
            learn_paging(page.reply, asked, self.reader.dialect)
        self.paginator.observe(page)
        shows_size_parameter = not extra and size_name != self.reader.dialect.size_parameter
        is_short = len(page.columns.ids) < int(asked.get("per_page", 0))
        if shows_size_parameter and is_short and not self.paginator.is_last(page):
            return self.page(query, limits=limits)
        return page

    def _exists(self, limits: Limits) -> bool:
        """Return whether the collection exists, so that a missing or null part of it is empty."""
        if not self._was_listed:
            with suppress(NotFound):
                self.page({}, limits=limits)
        return self._was_listed

    def get(
        self, id: int | str, limits: Limits = USUAL, *, sent: Mapping[str, Parameter] | None = None
    ) -> Record:
        """Fetch one record, by the id beside this one if the service finds it only by that.

        Args:
            id: Its id.
            limits: The limits of the request.
            sent: The fields of an update that was just sent.
        """
        try:
            response = self._send("GET", record_path(self.spec.name, id), limits)
        except NotFound:
            if (beside := self.reader.id_beside(id)) is None:
                raise
            response = self._send("GET", record_path(self.spec.name, beside[1]), limits)
            self.dialect.learn(id_name=beside[0])
        record = self.reader.record(response, whole=True, asked=id, sent=sent)
        self._refuse_another(record, id, "Nothing was read from it.")
        self._shown.update(self.spec.shown.keys() - record.absent)
        self.known_ids.see([record.id])
        self.known_ids.keep(record)
        self.shown_values.update(record.known[name] for name in self.spec.filter_defaults)
        return record

    def learn_created(self, record: Record, fields: Mapping[str, Parameter], since: float) -> None:
        """Store what a new record shows: its fields, what became of the sent ones, and the clock of the service.

        The differences of the record are the values that the service stored instead of those that were sent.
        """
        self._shown.update(self.spec.shown.keys() - record.absent)
        self.known_ids.keep(record)
        record.differences = self.kept.learn(with_unsent(self.spec, fields), record.known)
        self.learn_clock(record, since)

    def learn_clock(self, record: Record, since: float) -> None:
        """Store whether a record that was certainly created after a time shows another clock than the replies do."""
        self.has_other_clock = self.has_other_clock or self.seems_older(record.known["created_at"], since)

    def seems_older(self, made: datetime | None, since: float) -> bool:
        """Return whether a time of creation is before a time of this machine. It proves nothing: any clock may be wrong.

        Args:
            made: The time of creation that a record shows.
            since: The other time, in seconds since 1970.
        """
        if made is None or self.has_other_clock:
            return False
        return made.timestamp() < since + self.sender.clock_offset - CLOCK_SKEW

    def _refuse_another(self, record: Record, id: int | str, state: str) -> None:
        """Raise UnexpectedReply if a reply contains another record than the requested one."""
        if id_key(id, self.spec) in record.keys:
            return
        got = foreign_text(repr(record.id), self.sender.key, 80)
        raise UnexpectedReply(
            f"The reply for {self.spec.noun} {id!r} contains {self.spec.noun} {got}. {state}\n"
            "Check base_url, or pin the key of the id: "
            f"client.{self.spec.name}.dialect = ink.Dialect(id_name=…)."
        )

    def update(self, id: int | str, fields: Mapping[str, Parameter]) -> Record:
        """Update a record and return it, fetching it if the reply is incomplete.

        The differences of the record are the values that the service stored instead of those that were sent.
        """
        record = self.change(id, fields)
        if record is None or not record.absent.isdisjoint(self._shown or self.spec.shown):
            record = self.get(id, sent=fields)
        self.known_ids.keep(record)
        record.differences = self.kept.learn(fields, record.known)
        return record

    def change(self, id: int | str, fields: Mapping[str, Parameter]) -> Record | None:
        """Update a record and return it; None if the reply does not contain it.

        If the reply has other values than were sent, such as those before the update, the record is fetched.
        """
        response = self._send_update(record_path(self.spec.name, id), encode_form(fields))
        record: Record | None = None
        if response.value is not None:
            with suppress(UnexpectedReply):  # a confirmation such as {"updated": true}
                record = self.reader.record(response, asked=id, sent=fields)
        if record is None or record.absent.issuperset(self.spec.shown):
            return None  # the id alone may be that of a request
        self._refuse_another(record, id, "The update was sent; fetch the record to see what it has now.")
        if any(
            same_content(fields[name], record.known[name]) != "same" for name in fields.keys() - record.absent
        ):
            return self.get(id, sent=fields)
        return record

    def _send_update(self, path: str, form: Form) -> Response:
        method = self._update_method or self.dialect.update_method or "PATCH"
        try:
            return self._send(method, path, form=form)
        except ServiceError as refused:
            # Some services return 404 for an unknown method: "Cannot PATCH /api/v1/images/7".
            unknown = refused.status in {405, 501} or (refused.status == 404 and method in refused.message)
            if not unknown or method == "PUT" or self._update_method:
                raise
            self.dialect.learn_attempt(method, f"status {refused.status}")
        response = self._send("PUT", path, form=form)
        self.dialect.learn(update_method="PUT")
        return response

    def delete(self, id: int | str) -> None:
        """Delete a record."""
        self.reader.refuse_failure(self._send("DELETE", record_path(self.spec.name, id)), is_delete=True)
        self.known_ids.forget(id)

    def _send(
        self, method: str, path: str, limits: Limits = USUAL, *, query: str = "", form: Form | None = None
    ) -> Response:
        return self.sender.send(
            method,
            path,
            query=query,
            form=form,
            tries=limits.tries,
            seconds=limits.seconds,
            scope=limits.scope,
        )


class KnownIds:
    """The ids that a client received, in the order of the replies.

    A create may be answered with a record that existed before, or with that of another create. The id of a new
    record is in no reply that was received before the create was sent. No clock takes part, since any may be set.

    Args:
        spec: The collection.
    """

    def __init__(self, spec: ResourceSpec) -> None:
        self._spec = spec
        self._created, self._deleted = set[str](), set[str]()
        #: The mark before which each id was seen first, and its name then; the id as a text, since a number would hold
        #: the memory of its page.
        self._seen: dict[str, tuple[int, str | None]] = {}
        #: The records that were fetched or created, with the values that lists filter by.
        self._records: dict[str, dict[str, Any]] = {}
        #: The ids of records that others have deleted.
        self.gone: set[str] = set()
        self._mark, self._lock = 1, threading.Lock()

    def keep(self, record: Record) -> None:
        """Store a record that was fetched or created."""
        with self._lock:
            self._records[str(record.id)] = self.filtered(record)
            self._records = _latest(self._records, MAX_KNOWN_RECORDS)

    def filtered(self, record: Record) -> dict[str, Any]:
        """Return the values of a record that lists filter by, its name as a search."""
        names = (*self._spec.filters, *self._spec.booleans)
        return {name: record.known[name] for name in names} | {
            "search": record.known["name"],
            "search_by": "name",
        }

    def unlisted(
        self,
        listed: Collection[int | str],
        made: Iterable[int | str] | None,
        queries: Iterable[Mapping[str, Any]],
    ) -> list[str]:
        """Return the ids of known records that a listing should have and has not, the latest first.

        Args:
            listed: The ids that it has.
            made: The ids in the journal, for a listing of the whole collection; None for one with filters.
            queries: Its filters.
        """
        known = [id for id, values in [*self._records.items()] if self.matches(values, queries)]
        if names := {
            query["search"]
            for query in queries
            if query.get("search_by", "name") == "name" and "search" in query
        }:
            known += [id for id, (_, name) in [*self._seen.items()] if name in names]
        wanted = known if made is None else [*known, *self._seen, *self._created, *map(str, made)]
        texts = {*map(str, listed)}
        left = [id for id in wanted if id not in texts]
        keys = {id_key(id, self._spec) for id in listed} if left else ()
        unlisted = {key: id for id in left if (key := id_key(id, self._spec)) not in keys}
        return [id for key, id in reversed(unlisted.items()) if key not in self.gone | self._deleted]

    def matches(self, values: Mapping[str, Any], queries: Iterable[Mapping[str, Any]]) -> bool:
        """Return whether a record is known to match one of several queries; only its whole name matches a search."""
        return any(all(values.get(name) == value for name, value in query.items()) for query in queries)

    def see(self, ids: Sequence[int | str], names: Sequence[str | None] = ()) -> None:
        """Store ids of a reply.

        Args:
            ids: The ids.
            names: The names of their records, if known.
        """
        with self._lock:
            pairs = zip(map(str, ids), names or repeat(None), strict=False)
            self._seen.update({id: (self._mark, name) for id, name in pairs if id not in self._seen})
            self._seen = _latest(self._seen, MAX_KNOWN_IDS)

    def mark(self) -> int:
        """Return a mark of this moment, greater than 0: what was seen before it is known at it."""
        with self._lock:
            self._mark += 1
            return self._mark

    def is_known(self, id: int | str, mark: int) -> bool:
        """Return whether a record was created by this client, or seen before a mark."""
        return id_key(id, self._spec) in self._created or self._seen.get(str(id), (mark,))[0] < mark

    def claim(self, id: int | str, mark: int) -> bool:
        """Store the id of a created record; return False if it is known and therefore of another record.

        Args:
            id: The id.
            mark: The mark before the create was sent; 0 if that was in another process.
        """
        with self._lock:
            if self.is_known(id, mark):
                return False
            self._created.add(id_key(id, self._spec))
            return True

    def forget(self, id: int | str) -> None:
        """Remove the id of a deleted record, which some services use again."""
        with self._lock:
            self._deleted.add(id_key(id, self._spec))
            self._created.discard(id_key(id, self._spec))
            self._seen.pop(str(id), None)
            self._records.pop(str(id), None)

    def was_deleted(self, id: int | str) -> bool:
        """Return whether this client has deleted a record with this id."""
        return id_key(id, self._spec) in self._deleted


def _latest(known: dict[str, Any], most: int) -> dict[str, Any]:
    """Return what is known if that is not too much, else the later half of the most."""
    return known if len(known) <= most else dict(islice(known.items(), len(known) - most // 2, None))
