"""The five operations on one collection, without pandas: parameters in, plain values out."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from inkframe.errors import (
    InkframeError,
    InvalidArgument,
    NotFound,
    OutcomeUnknown,
    UnexpectedReply,
    ValidationFailed,
)
from inkframe.wire.address import record_path
from inkframe.wire.body import parse_json
from inkframe.wire.dialect import Dialect
from inkframe.wire.encoding import encode_form, encode_query, wire_text
from inkframe.wire.lists import ListReply, read_list
from inkframe.wire.paging import candidates, following, learn_paging, page_parameters
from inkframe.wire.records import Columns, find_record, is_rounded, picture_source, read_columns
from inkframe.wire.refusals import spoken_refusal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inkframe.wire.conversation import Conversation
    from inkframe.wire.dialect import Paging
    from inkframe.wire.encoding import Parameter
    from inkframe.wire.fields import Kind
    from inkframe.wire.reply import Reply
    from inkframe.wire.watchdog import Scope

__all__ = ["Page", "Record", "Resource"]

#: What a service gives when the size is not asked for, by the interface.
DEFAULT_SIZE = 10


@dataclass(slots=True)
class Page:
    """One page of a collection.

    Args:
        reply: The page as the service described it.
        columns: Its records.
        asked: The parameters that were sent.
        headers: The headers of the reply.
    """

    reply: ListReply
    columns: Columns
    asked: dict[str, str]
    headers: Mapping[str, str]


@dataclass(slots=True)
class Record:
    """One record.

    Args:
        id: Its id.
        known: The value of each column of the collection.
        extra: Whatever else the service sent.
        picture: Where its picture is, or the picture itself as a data URI or base64.
    """

    id: int | str
    known: dict[str, Any]
    extra: dict[str, Any]
    picture: str | None = None


class Resource:
    """A collection of a service.

    Args:
        conversation: What sends the requests.
        kind: Images or documents.
        update_method: ``PATCH`` or ``PUT``.
    """

    def __init__(self, conversation: Conversation, kind: Kind, update_method: str = "PATCH") -> None:
        self.conversation = conversation
        self.kind = kind
        self.dialect = Dialect()
        self._update_method = update_method
        # Locations of the embedded service lead nowhere outside of this process: left as they are.
        self._address = None if conversation.in_process else conversation.address

    def page(
        self,
        query: Mapping[str, Parameter],
        extra: Mapping[str, str] | None = None,
        *,
        tries: int | None = None,
        seconds: float | None = None,
        scope: Scope | None = None,
    ) -> Page:
        """Ask for one page.

        Args:
            query: The list parameters of the interface.
            extra: Parameters that choose the page.
            tries: How often to try at most.
            seconds: The deadline.
            scope: What cancels it.

        Raises:
            UnexpectedReply: The reply is no list.
            InkframeError: Whatever else went wrong.
        """
        asked = {name: wire_text(value) for name, value in query.items()} | dict(extra or {})
        reply = self.conversation.send(
            "GET",
            f"/{self.kind.resource}",
            query=encode_query(asked),
            tries=tries,
            seconds=seconds,
            scope=scope,
        )
        listed = self._read_list(reply)
        if not extra:
            learn_paging(listed, asked, self.dialect)
        columns = read_columns(listed.records, self.kind, self.dialect, self._address)
        return Page(listed, columns, asked, reply.headers)

    def _read_list(self, reply: Reply) -> ListReply:
        self._refuse_spoken(reply)
        listed = read_list(reply.value, reply.headers, self.kind, self.dialect)
        if any(is_rounded(record, self.kind) for record in listed.records[:1] + listed.records[-1:]):
            exact = parse_json(reply.body, exactly=True)
            listed = read_list(exact, reply.headers, self.kind, self.dialect)
        return listed

    def _refuse_spoken(self, reply: Reply) -> None:
        spoken = spoken_refusal(reply.value, self.conversation.key)
        if spoken is not None:
            raise spoken

    def nth_page(self, query: Mapping[str, Parameter], number: int) -> Page:
        """Ask for a page by its number, from 1, whatever the service calls it.

        Raises:
            InvalidArgument: The service gives the same page whatever is asked.
        """
        if number == 1:
            return self.page(query)
        if self.dialect.paging in {"number", "offset"} and self.dialect.page_parameter:
            size = int(query.get("per_page", DEFAULT_SIZE))
            return self._past_the_end(query, page_parameters(self.dialect, number - 1, size))
        first = self.page(query)
        second = self.second_page(query, first)
        if second is None:
            raise InvalidArgument(
                f"page={number}: this service gives the same page whatever page is asked for.\n"
                f"Pin the parameter if you know it: client.{self.kind.resource}.dialect."
            )
        if not second.columns.ids:
            return second
        if number > 2 and self.dialect.paging in {"number", "offset"}:
            size = first.reply.size or len(first.columns.ids)
            return self._past_the_end(query, page_parameters(self.dialect, number - 1, size))
        page = second
        for _ in range(number - 2):
            extra = following(page.reply, page.asked, self.dialect)
            if extra is None:
                return self._empty(first)
            page = self.page(query, extra)
        return page

    def _past_the_end(self, query: Mapping[str, Parameter], extra: Mapping[str, str]) -> Page:
        """Ask for a page that may not be there; some services answer 404 behind the last one."""
        try:
            return self.page(query, extra)
        except NotFound:
            return self._empty(self.page(query))

    def _empty(self, page: Page) -> Page:
        reply = ListReply([], page.reply.total, page.reply.last_page)
        return Page(reply, read_columns([], self.kind, self.dialect), page.asked, page.headers)

    def is_last(self, page: Page) -> bool:
        """Whether a first page says, or shows by being short, that nothing follows it."""
        reply = page.reply
        count = len(reply.records)
        if reply.next is not None or reply.more:
            return False
        if reply.more is False or count == 0:
            return True
        if reply.total is not None:
            return reply.total <= count
        if reply.last_page is not None:
            return reply.last_page <= (self.dialect.first_page or 1)
        # Services that cap the page size do so at a round number.
        return count < _asked_size(page) and count % 5 != 0

    def second_page(self, query: Mapping[str, Parameter], first: Page, **limits: Any) -> Page | None:
        """Ask for the second page, learning on the way how this service wants to be asked.

        Returns:
            The page, empty where nothing follows; None where nothing that was tried gives another page
            than the first.
        """
        dialect = self.dialect
        if self.is_last(first):
            return self._empty(first)
        if dialect.paging == "none":
            return None
        size = first.reply.size or len(first.columns.ids)
        for paging, name in self._worth_trying(first, size):
            trial = Dialect(
                paging=paging,
                page_parameter=name,
                first_page=dialect.first_page,
                size_parameter=dialect.size_parameter,
                id_name=dialect.id_name,
            )
            page = self._try_paging(query, first, trial, size, limits)
            if page is not None:
                if page.columns.ids:
                    dialect.learn(paging=paging, page_parameter=name, first_page=trial.first_page)
                return page
        if dialect.page_parameter is None and len(first.columns.ids) >= _asked_size(first):
            dialect.learn(paging="none")
        return None

    def _worth_trying(self, first: Page, size: int) -> list[tuple[Paging, str]]:
        """Give the ways of asking for a second page, no more of them than there may be pages."""
        reply = first.reply
        ways = candidates(reply, self.dialect)
        if not reply.described:
            return ways[:1]
        pages = reply.last_page or (-(-reply.total // size) if reply.total else 4)
        return ways[: max(pages - 1, 1)]

    def _try_paging(
        self, query: Mapping[str, Parameter], first: Page, trial: Dialect, size: int, limits: dict[str, Any]
    ) -> Page | None:
        if trial.paging in {"cursor", "after"}:
            extra = following(first.reply, first.asked, trial)
            return self._another(query, extra, first, limits) if extra else None
        if trial.paging == "number" and isinstance(first.reply.next, int):
            trial.learn(first_page=min(max(first.reply.next - 1, 0), 1))
        if trial.paging == "number" and trial.first_page is None and first.reply.total is not None:
            # Page 1 again: the same page where counting starts at 1, the second where it starts at 0.
            page = self._another(query, {trial.page_parameter or "page": "1"}, first, limits)
            trial.first_page = 1 if page is None else 0
            if page is not None:
                return page
        return self._another(query, page_parameters(trial, 1, size), first, limits)

    def _another(
        self, query: Mapping[str, Parameter], extra: Mapping[str, str], first: Page, limits: dict[str, Any]
    ) -> Page | None:
        """Ask for a page; None where it is the first again, empty where the service says there is none."""
        try:
            page = self.page(query, extra, **limits)
        except NotFound:
            page = self._empty(first)
        except ValidationFailed:
            return None
        if not page.columns.ids:
            more = first.reply.more or (first.reply.total or 0) > len(first.columns.ids)
            return None if more else page
        return None if set(page.columns.ids) <= set(first.columns.ids) else page

    def get(self, id: int | str, **limits: Any) -> Record:
        """Ask for one record."""
        reply = self.conversation.send("GET", record_path(self.kind.resource, id), **limits)
        return self._record(reply)

    def create(self, fields: Mapping[str, Parameter]) -> Record:
        """Make a record; sent once, unless it was certainly not received.

        A record whose reply shows little more than an id is asked for.
        """
        reply = self.conversation.send("POST", f"/{self.kind.resource}", form=encode_form(fields))
        location = reply.headers.get("location", "")
        if reply.value is None and location:
            return self.get(unquote(location.rstrip("/").rpartition("/")[2]))
        try:
            record = self._record(reply)
        except UnexpectedReply as error:
            reason = str(error).partition("\n")[0]
            raise OutcomeUnknown(
                f"The service took the create, but its answer shows no {self.kind.noun}.\n{reason}\n"
                "Call .reconcile() on this error: it looks for the record and never makes one."
            ) from error
        if all(record.known[name] is None for name in fields):
            with suppress(InkframeError):  # it was made, whatever becomes of looking at it
                return self.get(record.id)
        return record

    def update(self, id: int | str, fields: Mapping[str, Parameter]) -> Record:
        """Change a record; it is asked for where the reply does not show it."""
        return self.change(id, fields) or self.get(id)

    def change(self, id: int | str, fields: Mapping[str, Parameter]) -> Record | None:
        """Change a record; None where the reply does not show it."""
        path = record_path(self.kind.resource, id)
        reply = self.conversation.send(self._update_method, path, form=encode_form(fields))
        if reply.value is None:
            return None
        try:
            return self._record(reply)
        except UnexpectedReply:
            return None  # a confirmation such as {"updated": true}

    def delete(self, id: int | str) -> None:
        """Delete a record."""
        reply = self.conversation.send("DELETE", record_path(self.kind.resource, id))
        if reply.value is not None:
            self._refuse_spoken(reply)

    def _record(self, reply: Reply) -> Record:
        self._refuse_spoken(reply)
        raw = find_record(reply.value, self.kind, self.dialect)
        if is_rounded(raw, self.kind):
            raw = find_record(parse_json(reply.body, exactly=True), self.kind, self.dialect)
        columns = read_columns([raw], self.kind, self.dialect, self._address)
        picture = None
        if "picture_url" in self.kind.readers:
            picture = picture_source(raw, self.kind, self.dialect, self._address)
        known = {name: values[0] for name, values in columns.known.items()}
        extra = {name: values[0] for name, values in columns.extra.items()}
        return Record(columns.ids[0], known, extra, picture)


def _asked_size(page: Page) -> int:
    return int(page.asked.get("per_page", DEFAULT_SIZE))
