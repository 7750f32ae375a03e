"""The five operations on one collection, without pandas: parameters in, plain values out."""

from __future__ import annotations

from contextlib import suppress
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from inkframe.calls.pages import without_errors
from inkframe.calls.paginator import Succession
from inkframe.errors import (
    InkframeError,
    OutcomeUnknown,
    ServiceError,
    UnexpectedReply,
)
from inkframe.http.address import record_path
from inkframe.http.body import parse_json
from inkframe.http.encoding import encode_form, wire_text
from inkframe.replies.envelopes import made_id
from inkframe.replies.picture_location import is_awaited
from inkframe.replies.record_reply import (
    find_record,
    is_rounded,
    picture_source,
    refuse_blank,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from inkframe.http.encoding import Parameter
    from inkframe.http.response import Response
    from inkframe.http.sender import Sender
    from inkframe.replies.dialect import Dialect
    from inkframe.schema import ResourceSpec
    from inkframe.vocabulary import Vocabulary

__all__ = ["Record", "Resource"]


@dataclass(slots=True)
class Record:
    """One record.

    Args:
        id: Its id.
        known: The value of each column of the collection.
        extra: Whatever else the service sent.
        picture: Where its picture is, or the picture itself as a data URI or base64.
        absent: The columns that the reply did not show.
        awaited: Whether the service says or shows that the picture is still being made.
    """

    id: int | str
    known: dict[str, Any]
    extra: dict[str, Any]
    picture: str | None = None
    absent: frozenset[str] = frozenset()
    awaited: bool = False


class Resource(Succession):
    """A collection of a service.

    Args:
        conversation: What sends the requests.
        spec: Images or documents.
        vocabulary: Gives the values that the service allows, by which labels are read.
        update_method: ``PATCH`` or ``PUT``; if not given ``PATCH``, and ``PUT`` where the service knows no ``PATCH``.
    """

    def __init__(
        self,
        conversation: Sender,
        spec: ResourceSpec,
        vocabulary: Callable[[], Vocabulary],
        update_method: str | None = None,
    ) -> None:
        super().__init__(conversation, spec, vocabulary)
        self._update_method = update_method
        #: The columns that any whole record has shown.
        self._shown: set[str] = set()

    def _raw(self, value: Any, dialect: Dialect) -> list[dict[str, Any]]:
        return [find_record(value, self.spec, dialect)]

    def _holds_record(self, reply: Response) -> bool:
        """Whether a reply that says it failed names a record all the same, be it by its id alone."""
        with suppress(UnexpectedReply):
            return bool(self._raw(without_errors(reply.value), copy(self.dialect)))
        return False

    def get(self, id: int | str, **limits: Any) -> Record:
        """Ask for one record."""
        reply = self.conversation.send("GET", record_path(self.spec.name, id), **limits)
        record = self._record(reply, whole=True)
        self._shown.update(self.spec.shown.keys() - record.absent)
        return record

    def create(self, fields: Mapping[str, Parameter]) -> Record:
        """Make a record; sent once, unless it was certainly not received.

        A record whose reply shows little more than an id, or only where it is, is asked for.
        """
        reply = self.conversation.send("POST", f"/{self.spec.name}", form=encode_form(fields))
        made: Record | None = None
        reason: InkframeError
        try:
            made = self._record(reply)
            if any(made.known[name] is not None for name in fields):
                self._shown.update(self.spec.shown.keys() - made.absent)
                return made
        except ServiceError as refused:
            if reply.status == 200 and not self._holds_record(reply):
                raise
            reason = refused
        except UnexpectedReply as unread:
            reason = unread
        id = (self._located(reply) or made_id(reply.value)) if made is None else made.id
        if id is not None:
            try:
                return self.get(id)
            except InkframeError as error:
                if made is not None:  # it was, whatever becomes of looking at it
                    return made
                reason = error
        raise OutcomeUnknown(
            "It is not known whether the create happened: "
            f"the answer shows no {self.spec.noun} (status {reply.status}).\n"
            f"{str(reason).partition(chr(10))[0]}\n"
            "Call .reconcile() on this error: it looks for the record and never makes one."
        ) from reason

    def _located(self, reply: Response) -> str | None:
        """Give the id of the record that the reply says is somewhere, such as at ``/api/v1/images/7``."""
        path = reply.headers.get("location", "").partition("?")[0].rstrip("/")
        parent, _, id = path.rpartition("/")
        return unquote(id) if parent.rpartition("/")[2] == self.spec.name else None

    def update(self, id: int | str, fields: Mapping[str, Parameter]) -> Record:
        """Change a record; it is asked for where the reply does not show it whole."""
        record = self.change(id, fields)
        if record is None or not record.absent.isdisjoint(self._shown or self.spec.shown):
            return self.get(id)
        return record

    def change(self, id: int | str, fields: Mapping[str, Parameter]) -> Record | None:
        """Change a record; None where the reply does not show it."""
        reply = self._send_change(record_path(self.spec.name, id), encode_form(fields))
        if reply.value is None:
            return None
        try:
            record = self._record(reply)
        except UnexpectedReply:
            return None  # a confirmation such as {"updated": true}
        if str(record.id) != str(id):
            return None
        for name in fields.keys() - record.absent:
            if not _alike(fields[name], record.known[name]):
                return self.get(id)  # some services answer with the record as it was before
        return record

    def _send_change(self, path: str, form: bytes) -> Response:
        method = self._update_method or self.dialect.update_method or "PATCH"
        try:
            return self.conversation.send(method, path, form=form)
        except ServiceError as refused:
            # Some say 404 where the path is known and the method is not: "Cannot PATCH /api/v1/images/7".
            unknown = refused.status in {405, 501} or (refused.status == 404 and method in refused.message)
            if not unknown or method == "PUT" or self._update_method:
                raise
        reply = self.conversation.send("PUT", path, form=form)
        self.dialect.learn(update_method="PUT")
        return reply

    def delete(self, id: int | str) -> None:
        """Delete a record."""
        reply = self.conversation.send("DELETE", record_path(self.spec.name, id))
        self._refuse_spoken(reply, self._raw)

    def _record(self, reply: Response, *, whole: bool = False) -> Record:
        self._refuse_spoken(reply, self._raw)
        raw = find_record(reply.value, self.spec, self.dialect)
        if is_rounded(raw, self.spec):
            raw = find_record(parse_json(reply.body, exactly=True), self.spec, self.dialect)
        columns = self._columns([raw])
        if whole:
            refuse_blank([raw], columns, self.spec)
        picture, awaited = None, False
        if self.spec.has_picture:
            picture = picture_source(raw, self.spec, self.dialect, self._address)
            awaited = picture is None and is_awaited(raw, self.dialect)
        known = {name: values[0] for name, values in columns.known.items()}
        extra = {name: values[0] for name, values in columns.extra.items()}
        return Record(columns.ids[0], known, extra, picture, frozenset(columns.absent), awaited)


def _alike(sent: Parameter, shown: Parameter | None) -> bool:
    """Whether a reply shows what was sent; services trim texts, and an empty one may become null."""
    return wire_text(sent).split() == ("" if shown is None else wire_text(shown)).split()
