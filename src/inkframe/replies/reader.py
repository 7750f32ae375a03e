"""Replies of one collection as pages and records, and the operations that lead to a record."""

from __future__ import annotations

import re
from collections import deque
from contextlib import suppress
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, TypeVar
from urllib.parse import urljoin, urlsplit

from inkframe.errors import InkframeError, NotFound, UnexpectedReply
from inkframe.http.body import CONTAINERS, Path, Response, entered, parse_json, walk
from inkframe.http.error_bodies import read_message
from inkframe.http.failures import DELETED, OUTCOMES, SUCCESSES, spoken_refusal
from inkframe.http.key import Key, bare, foreign_text, plain_text, redact
from inkframe.replies.columns import Columns, Page, RoundedId, VocabularyDecoder, read_columns, refuse_blank
from inkframe.replies.dialect import ASIDE, NAMES, Dialect, Names, is_foreign, value_at
from inkframe.replies.layout import id_keys, id_name, layout_of
from inkframe.replies.list_reply import ListReply, linked_relations, read_list, shape_of
from inkframe.replies.record import (
    STATES,
    Record,
    State,
    is_awaited,
    picture_sources,
)
from inkframe.replies.values import (
    FILE,
    fold,
    id_key,
    linked_id,
    read_boolean,
    read_id,
    words_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from inkframe.http.address import Address
    from inkframe.schema import ResourceSpec
    from inkframe.vocabulary import Vocabulary

__all__ = [
    "COSTS",
    "ReplyReader",
    "State",
    "find_record",
    "linked_ids",
    "objects_in",
    "read_costs",
    "read_state",
    "state_of",
    "status_place",
]

#: The names of each cost, in bodies and in headers. A bare ``credits`` is left out, since it may be a price or a balance.
COST_NAMES: Final = {
    "credits": ("creditsused", "usedcredits", "creditscharged", "creditsspent", "creditsconsumed", "creditcost",
                "creditscost", "costcredits", "costincredits"),
    "price": ("price", "cost", "totalcost", "totalprice", "requestcost", "amountcharged", "costusd", "priceusd",
              "costinusd", "usagecost"),
    "credits_left": ("creditsleft", "creditsremaining", "remainingcredits", "creditbalance", "creditsbalance",
                     "balance", "remainingbalance"),
}  # fmt: skip
COSTS: Final = tuple(COST_NAMES)
COST_KEYS: Final = Names(
    {cost: (*names, *(f"x{name}" for name in names)) for cost, names in COST_NAMES.items()}
)

#: A number that is not negative, also in a text such as ``$0.04``.
PRICE: Final = re.compile(r"\s*+[$€£]?\s*+(\d{1,12}(?:\.\d{1,20})?(?:e-\d\d)?)\s*+(?:[A-Za-z]{3})?\s*+")

#: The number of pages whose ids are kept where records have several.
MOST_LISTED: Final = 20
#: The most objects of a reply that may be operations or have ids, and the most keys that lead to one.
MOST_OBJECTS: Final = 40
DEEPEST: Final = 4
Read = TypeVar("Read")


class ReplyReader:
    """Reads the replies of one collection.

    Args:
        spec: The collection.
        dialect: The response format, updated with every reply.
        vocabulary: Returns the allowed values, which are used to read labels.
        key: The key, which is removed from error texts.
        address: The base of relative picture locations; None leaves them unchanged.
    """

    def __init__(
        self,
        spec: ResourceSpec,
        dialect: Dialect,
        vocabulary: Callable[[], Vocabulary],
        key: Key,
        address: Address | None,
    ) -> None:
        self.spec = spec
        self.dialect = dialect
        self._vocabulary = vocabulary
        self._key = key
        self._address = address
        self._decoder: VocabularyDecoder | None = None
        self._listed: deque[list[dict[str, Any]]] = deque(maxlen=MOST_LISTED)

    def page(self, response: Response, asked: dict[str, str]) -> Page:
        """Parse one page of a list.

        Raises:
            UnexpectedReply: The reply is not a list of the collection.
            ServiceError: It reports a failure with a status of success.
        """
        return self._without_key(response, lambda response: self._page(response, asked))

    def _page(self, response: Response, asked: dict[str, str]) -> Page:
        self._refuse_failure(response, is_page=True)
        listed = read_list(response.value, response.headers, self.spec, self.dialect)
        columns = self._columns(listed.records, sent=asked)
        refuse_blank(listed.records, columns, self.spec)
        if columns.extra and len(NAMES[self.spec.name].of(listed.records[0]).get("alias", ())) > 1:
            self._listed.append(listed.records)
        return Page(listed, columns, asked, response.headers, listed.denied)

    def empty_page(self, asked: dict[str, str], total: int | None = 0) -> Page:
        """Return a page without records."""
        return Page(ListReply([], total=total), self._columns([]), asked, {})

    def record(
        self,
        response: Response,
        *,
        whole: bool = False,
        asked: int | str | None = None,
        sent: Mapping[str, Any] | None = None,
    ) -> Record:
        """Parse one record.

        Args:
            response: The reply.
            whole: Whether to reject a record without any readable field.
            asked: The id of the requested record, which a reply without an id takes.
            sent: The fields of an update, whose booleans that were just set to false may be left out.

        Raises:
            UnexpectedReply: The reply is not a record of the collection.
            ServiceError: It reports a failure with a status of success.
        """
        return self._without_key(response, lambda response: self._record(response, asked, sent, whole=whole))

    def _record(
        self, response: Response, asked: int | str | None, sent: Mapping[str, Any] | None, *, whole: bool
    ) -> Record:
        self._refuse_failure(response)
        try:
            raw = find_record(response.value, self.spec, self.dialect, asked)
        except UnexpectedReply:
            if not whole or any(
                each is not None for _, each in walk(response.value, 1) if type(each) not in CONTAINERS
            ):
                raise
            fact = f"There is no {self.spec.noun} {plain_text(str(asked), 80)}."
            raise NotFound(
                fact, status=response.status, summary=f"{fact}\nIt may have been deleted; call .list()."
            ) from None
        return self._parsed(raw, self.dialect, sent, whole=whole)

    def _parsed(
        self,
        raw: dict[str, Any],
        dialect: Dialect,
        sent: Mapping[str, Any] | None = None,
        *,
        whole: bool = False,
    ) -> Record:
        columns = self._columns([raw], dialect, sent)
        if whole:
            refuse_blank([raw], columns, self.spec)
        record = columns.record(0)
        ids = (record.id, *(read_id(raw[name]) for name in NAMES[self.spec.name].of(raw).get("alias", ())))
        record.keys = frozenset(id_key(id, self.spec) for id in ids if id is not None)
        if self.spec.has_picture:
            places = picture_sources(raw, self.spec, dialect, self._address)
            record.picture, record.further = next(iter(places), None), tuple(places[1:])
        record.finished = (
            record.picture if self.spec.has_picture else record.known[self.spec.generated]
        ) is not None
        record.awaited = not record.finished and (
            not self.spec.has_picture or is_awaited(raw, self.spec, dialect)
        )
        return record

    def id_beside(self, id: int | str) -> tuple[str, int | str] | None:
        """Return the key and the value of another id of a record that a list has shown."""
        shown = (
            {key: read_id(each[key]) for key in NAMES[self.spec.name].of(each).get("alias", ())}
            for rows in self._listed
            for each in rows
        )
        found = next((ids for ids in shown if id in ids.values()), {})
        return next(((key, other) for key, other in found.items() if other not in (None, id)), None)

    def records_in(self, response: Response) -> Iterator[tuple[bool, Record]]:
        """Yield the record of a reply, then each object that may be one, and whether it is the reply's own.

        Nothing is learned from the others, since they may be of another kind.
        """
        with suppress(RoundedId):
            yield from self._records_in(response.value)
            return
        yield from self._records_in(parse_json(response.body, exactly=True))

    def _records_in(self, value: Any) -> Iterator[tuple[bool, Record]]:
        with suppress(UnexpectedReply):
            yield True, self._parsed(find_record(value, self.spec, self.dialect), self.dialect)
        for _, each in objects_in(value):
            layout = layout_of(each, self.spec, self.dialect, [each])
            raw = {} if layout is None else layout.flat(each)
            if id_name(raw, self.spec, self.dialect.id_name or "") is not None:
                yield False, self._parsed(raw, copy(self.dialect))

    def new_ids(self, response: Response, *, with_own: bool) -> list[int | str]:
        """Return the ids in a reply that are meant to be that of a new record, that of its header ``Location`` first.

        Args:
            response: The reply.
            with_own: Whether the reply may be the record, so that its own id counts.
        """
        objects, name = objects_in(response.value), self.dialect.id_name or ""
        found = [linked_id(response.headers.get("location"), self.spec)]
        found += [each[key] for _, each in objects for key in NAMES[self.spec.name].of(each).get("new", ())]
        found += [
            each.get(name if name in each else id_name(each, self.spec) or "")
            for path, each in objects
            if (read_state(each) is None and not is_foreign(path, ASIDE) if path else with_own)
        ]
        layout = layout_of(response.value, self.spec, self.dialect) if with_own else None
        record = layout.flat(response.value) if layout and "id" not in layout.reasons else {}
        alone = id_keys(record)
        found += [record[key] for key in alone if len(alone) == 1]
        return list(dict.fromkeys(id for each in found if (id := read_id(each)) is not None))

    def refuse_failure(self, response: Response, *, is_delete: bool = False) -> None:
        """Raise the failure in a reply with a status of success, unless it contains a record.

        Args:
            response: The reply.
            is_delete: Whether it is that to a delete, which may tell that nothing was deleted.
        """
        self._without_key(
            response,
            lambda reply: self._refuse_failure(reply, successes=DELETED if is_delete else SUCCESSES),
        )

    def _refuse_failure(
        self, response: Response, *, is_page: bool = False, successes: tuple[str, ...] = SUCCESSES
    ) -> None:
        keys = response.value if isinstance(response.value, dict) else ()
        may_fail = not OUTCOMES.isdisjoint([key.lower().replace("_", "") for key in keys])
        spoken = spoken_refusal(response, self._key, successes) if may_fail else None
        shown = self.records_beside_failure(response, is_page=is_page) if spoken else []
        if spoken and all(self.spec.shown.keys().isdisjoint(record) for record in shown):
            raise spoken

    def records_beside_failure(self, response: Response, *, is_page: bool = False) -> list[dict[str, Any]]:
        """Return the records of a reply that reports a failure."""
        # An error may have an id, and a record may have a field for errors.
        rest = {
            key: inner for key, inner in entered(response.value).items() if key not in {"error", "errors"}
        }
        with suppress(UnexpectedReply):
            if is_page:
                return read_list(rest, {}, self.spec, copy(self.dialect)).records
            return [find_record(rest, self.spec, copy(self.dialect))]
        return []

    def said(self, response: Response) -> str:
        """Return the message of a reply as a sentence after another, without the key; empty if it has none."""
        message = read_message(response.value)
        return f" It says {foreign_text(message, self._key, 120)!r}." if message else ""

    def _without_key(self, response: Response, read: Callable[[Response], Read]) -> Read:
        """Remove the key from errors that describe a reply, and the frames that refer to it."""
        failure: InkframeError
        try:
            with suppress(RoundedId):
                return read(response)
            return read(replace(response, value=parse_json(response.body, exactly=True)))
        except UnexpectedReply as error:
            problem, end, remedy = redact(str(error), self._key).partition("\n")
            failure = UnexpectedReply(f"{problem}{self.said(response)}{end}{remedy}")
        except InkframeError as error:
            failure = bare(error)
        except Exception as error:  # noqa: BLE001  # whatever a service sends leads to no other error
            failure = UnexpectedReply(
                f"The reply could not be read ({type(error).__name__}).\nReport it to the service."
            )
        raise failure  # outside the handlers, so that no context has the frames

    def _columns(
        self,
        records: Sequence[dict[str, Any]],
        dialect: Dialect | None = None,
        sent: Mapping[str, Any] | None = None,
    ) -> Columns:
        vocabulary = self._vocabulary()
        if self._decoder is None or self._decoder.vocabulary is not vocabulary:
            self._decoder = VocabularyDecoder(vocabulary)
        unset = [name for name in self.spec.booleans if read_boolean(sent.get(name)) is False] if sent else ()
        return read_columns(records, self.spec, dialect or self.dialect, self._decoder, self._address, unset)


def find_record(
    value: Any, spec: ResourceSpec, dialect: Dialect, asked: int | str | None = None
) -> dict[str, Any]:
    """Find the single record in a reply, bare or wrapped.

    Args:
        value: The reply.
        spec: The collection.
        dialect: The response format, updated with the keys of the record.
        asked: The id of the requested record, for a reply that contains the record without its id.

    Raises:
        UnexpectedReply: There is none; the message has the keys and types of the reply.
    """
    pinned = value_at(value, dialect.record_at or ()) if "record_at" in dialect.pinned else None
    value = pinned if isinstance(pinned, dict) else value
    last = dialect.single
    if last is not None and not (last.at and "id" in entered(value)):
        record = last.flat(value)
        if type(record.get("id")) is int and type(record.get("name")) is str and "documentId" not in record:
            return record
    layout = layout_of(value, spec, dialect)
    if layout is not None:
        record = layout.flat(value)
        dialect.places = layout.reasons
        if id_name(record, spec, dialect.id_name or "") is not None:
            dialect.learn(record_at=layout.at)
            dialect.single = layout
            return record
        # An id that cannot be read may be that of another record, and without name and source there may be no record.
        is_unread = any(record[key] not in (None, "") for key in NAMES[spec.name].of(record).get("id", ()))
        if asked is not None and not is_unread and {"name", spec.source} & layout.reasons.keys():
            return {**record, dialect.id_key: asked}
    raise UnexpectedReply(
        f"The reply must contain one {spec.noun}, got {shape_of(value)}.\n"
        f"Check base_url, or pin the keys of the record with client.{spec.name}.dialect."
    )


def objects_in(value: Any) -> list[tuple[Path, dict[str, Any]]]:
    """Return the objects of a reply with the keys that lead to them, the outermost first."""
    return [(path, each) for path, each in walk(value) if type(each) is dict and len(path) <= DEEPEST][
        :MOST_OBJECTS
    ]


def read_costs(response: Response) -> dict[str, float]:
    """Return the costs that the reply to a create reports by column; the body counts more than the headers."""
    found: dict[str, float] = {}
    for each in (*(each for _, each in objects_in(response.value)), response.headers):
        prices = {
            cost: float(price[1])
            for cost, keys in COST_KEYS.of(each).items()
            for key in reversed(keys)  # the most likely one counts
            if (price := PRICE.fullmatch(str(each[key])))
        }
        found = prices | found
    return found


#: The headers with the address of an operation, the most specific first.
HEADERS: Final = ("operation-location", "azure-asyncoperation", "location")
#: Words in the keys of links to an operation.
WORDS: Final = frozenset({"status", "monitor", "operation", "job", "task", "poll", "polling", "progress"})
#: Further words of operations that are done, which say nothing about a record.
DONE: Final = frozenset({"ok", "created", "available"})


def _links(response: Response) -> list[tuple[str, str]]:
    """Return each link in the body of a reply with its key."""
    return [
        (path[-2] if path[-1] == "href" and len(path) > 1 else path[-1], link)
        for path, link in walk(response.value)
        if isinstance(link, str) and path and (link.startswith("/") or "://" in link)
    ]


def linked_ids(response: Response, spec: ResourceSpec) -> list[int | str]:
    """Return the ids of the records that a reply links to, that of its header ``Location`` first."""
    links = [response.headers.get("location"), *(link for _, link in _links(response))]
    return list(dict.fromkeys(id for link in links if (id := linked_id(link, spec)) is not None))


def status_place(response: Response, address: Address, spec: ResourceSpec) -> tuple[str, str] | None:
    """Return the path and the query of the operation that a reply leads to; None if there is none.

    Links to another host are ignored, since the key is sent with the request.
    """
    here, links = f"{address.origin}{address.root}/{spec.name}", _links(response)
    own = {key for keys in [NAMES[spec.name].of(key for key, _ in links).get("self", ())] for key in keys}
    for link in (
        *filter(None, map(response.headers.get, HEADERS)),
        *filter(None, map(linked_relations(response.headers).get, ("monitor", "status"))),
        *(link for key, link in links if WORDS & words_of(key)),
        *(link for key, link in links if key in own),
    ):
        with suppress(ValueError):
            target = urlsplit(urljoin(here, link))
            url = target._replace(fragment="").geturl()
            is_other = url.rstrip("/") != here and linked_id(url, spec) is None
            if address.holds(url) and is_other and not FILE.search(target.path):  # no picture
                return target.path, target.query
    return None


def state_of(response: Response) -> State:
    """Return the state of an operation; one without a state is pending if its status is 202."""
    states = [read_state(each) for _, each in objects_in(response.value)]
    return next(filter(None, states), "pending" if response.status == 202 else "done")


def read_state(value: dict[str, Any]) -> State | None:
    """Return the state of an object, as an operation has one."""
    for key in NAMES["images"].of(value).get("state", ()):
        inner = value[key]
        if fold(key) == "done" and isinstance(inner, bool):
            return "pending" if not inner else "failed" if value.get("error") else "done"
        if fold(key) != "done" and isinstance(inner, str):
            return "done" if fold(inner) in DONE else STATES.get(fold(inner), "pending")
    return None
