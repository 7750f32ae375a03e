"""A service without faults: the five operations on plain dictionaries, in any wire dialect."""

import random
import time

from tests.services.error_forms import Refusal, error_reply
from tests.services.example_records import example, sample
from tests.services.exchange import Reply, html_reply, json_reply
from tests.services.framework_forms import read_form, validate
from tests.services.interface_fields import COLLECTIONS, IMAGES
from tests.services.json_pattern import fill
from tests.services.list_page import ListPage, write_address
from tests.services.list_query import (
    begin,
    behind,
    cursor,
    is_understood,
    page_size,
    read_cursor,
    resumed,
    select,
    without_page,
)
from tests.services.written_record import PICTURES, at_uri, draw, read_id, show, write_id

FORBIDDEN = 403
NOT_FOUND = 404
NOT_ALLOWED = 405
UNAUTHENTICATED = 401


class ReferenceService:
    """A service without faults.

    Args:
        dialect: Its dialect.
        counts: The initial number of records by collection; none by default.
        key: The API key that it accepts.
        vocabulary: The values of the deployment; a look without values is not a field.
        clock: Its clock.
        seed: The seed of the records.
        background: Seconds until the picture or text of a new record is available.
        picture_lifetime: Seconds for which a picture's address is valid; None for always.
        stores: Returns the fields of a create or an update as they are stored, such as with a shorter name; None for
            unchanged.
    """

    def __init__(
        self,
        dialect,
        counts,
        *,
        key,
        vocabulary,
        clock,
        seed=0,
        background=0.0,
        picture_lifetime=None,
        stores=None,
    ):
        self.dialect = dialect
        self.records = {name: sample(name, counts.get(name, 0), seed, vocabulary) for name in COLLECTIONS}
        self.created = []
        self._key = key
        self._vocabulary = vocabulary
        self._clock = clock
        self._background = background
        self._picture_lifetime = picture_lifetime
        self._stores = stores or dict
        self._chance = random.Random(f"new/{seed}")
        self._newest = {name: counts.get(name, 0) for name in COLLECTIONS}
        self._ready = {}

    def reply(self, request):
        """Return the reply to a request."""
        try:
            reply = self._route(request)
        except Refusal as refusal:
            reply = self.refuse(refusal, request)
        return reply.plus(**self.dialect.headers)

    def refuse(self, refusal, request):
        """Return an error reply in the form of the dialect."""
        return error_reply(self.dialect.errors, refusal, path=request.path, wants_json=request.wants_json)

    def insert(self, name, /, **fields):
        """Insert a new record into a collection; missing values are generated."""
        store = self.records[name]
        number = max(self._newest[name], max(store, default=0)) + 1
        self._newest[name] = number
        store[number] = example(name, number, self._vocabulary, self._chance) | fields | {"id": number}
        return store[number]

    def show(self, name, number, request, *, listed=False):
        """Return a record as it is sent to clients."""
        lifetime = self._picture_lifetime
        return show(
            self.records[name][number],
            COLLECTIONS[name],
            self.dialect.record,
            origin=request.origin,
            url=self._url(name, number, request),
            listed=listed,
            expires=None if lifetime is None else int(self._clock.now() + lifetime),
            ready=self._clock.now() >= self._ready.get((name, number), 0.0),
        )

    def _route(self, request):
        match request.segments:
            case (*_, word, file) if word == PICTURES:
                return self._picture(file, request)
            case ("login",):
                return html_reply(200, "Log in")
            case ("api", "v1", name) if name in COLLECTIONS:
                self._authenticate(request)
                return self._many(COLLECTIONS[name], request)
            case ("api", "v1", name, identifier) if name in COLLECTIONS:
                self._authenticate(request)
                number = read_id(self.dialect.record.id_form, identifier)
                if number is None or number not in self.records[name]:
                    raise Refusal(NOT_FOUND)
                return self._one(COLLECTIONS[name], number, request)
            case _:
                raise Refusal(NOT_FOUND)

    def _authenticate(self, request):
        if request.headers.get("authorization") != f"Bearer {self._key}":
            raise Refusal(UNAUTHENTICATED)

    def _many(self, collection, request):
        if request.method == "GET":
            return self._list(collection, request)
        if request.method == "POST":
            return self._create(collection, request)
        raise Refusal(NOT_ALLOWED)

    def _one(self, collection, number, request):
        if request.method == "GET":
            return self._answer(self.dialect.shown, collection, number, request)
        if request.method in self.dialect.update_methods:
            return self._update(collection, number, request)
        if request.method == "DELETE":
            reply = self._answer(self.dialect.deleted, collection, number, request)
            del self.records[collection.name][number]
            return reply
        raise Refusal(NOT_ALLOWED)

    def _list(self, collection, request):
        dialect = self.dialect
        asked = {name: text for name, text in request.query.items() if text and name not in dialect.ignores}
        asked = dict(resumed(dialect.paging, asked))
        records = self.records[collection.name]
        found, order, descending = select(collection, records, asked, dialect, self._chance)
        found = found if is_understood(collection, dialect.paging, asked) else []
        size = len(found) or 1 if dialect.paging.by == "nothing" else page_size(dialect.paging, asked)

        def after(text):
            key = (
                read_cursor(text) if dialect.paging.by == "cursor" else self._key_of(text, asked, collection)
            )
            return None if key is None else behind(key, found, order, descending=descending)

        start = begin(dialect.paging, asked, found, size, after)
        chosen = found[start : start + size]
        missing = not chosen and start > 0 and dialect.paging.past_end == "null"
        rows = [self.show(collection.name, record["id"], request, listed=True) for record in chosen]
        kept = [without_page(dialect.paging, asked)] if dialect.paging.alone else []
        ids = [write_id(dialect.record.id_form, record["id"]) for record in chosen]
        page = ListPage(
            dialect=dialect,
            request=request,
            rows=None if missing else rows,
            start=start,
            size=size,
            total=len(found),
            everything=len(records),
            collection=collection.name,
            next_cursor=cursor([*order(chosen[-1]), *kept]) if chosen else None,
            first_id=ids[0] if ids else None,
            last_id=ids[-1] if ids else None,
        )
        return self._json(200, fill(dialect.listing, page.look_up), dialect.listing_headers, page.look_up)

    def _key_of(self, identifier, asked, collection):
        number = read_id(self.dialect.record.id_form, identifier)
        if number is None or asked.get("sort_by", "id") != "name":
            return None if number is None else (number,)
        record = self.records[collection.name].get(number)
        return (record["name"], number) if record else None

    def _create(self, collection, request):
        rules = self.dialect.forms
        values = validate(collection, read_form(request, rules), rules, self._vocabulary, creating=True)
        values = self._unsent(collection) | self._stores(values)
        values = {field: pattern.format(**values) for field, pattern in collection.generated.items()} | values
        now = time.time()
        record = self.insert(
            collection.name, **{"favorite": False, "created_at": now, "updated_at": now} | values
        )
        place = (collection.name, record["id"])
        self.created.append(place)
        self._ready[place] = self._clock.now() + self._background
        return self._answer(self.dialect.created, collection, record["id"], request)

    def _unsent(self, collection):
        """Return the values of a new record that no create sends, or need not send."""
        absent = {name for name in collection.choices if not self._vocabulary.codes(name)}
        values = {name: value for name, value in collection.optional.items() if name not in absent}
        if "template_id" in collection.filters:
            values["template_id"] = self.dialect.usual_template or 1
        return values

    def _update(self, collection, number, request):
        rules = self.dialect.forms
        values = validate(collection, read_form(request, rules), rules, self._vocabulary, creating=False)
        self.records[collection.name][number].update(self._stores(values), updated_at=time.time())
        return self._answer(self.dialect.updated, collection, number, request)

    def _picture(self, file, request):
        stem, _, kind = file.partition(".")
        number = read_id("number", stem)
        if kind != "png" or number not in self.records[IMAGES.name]:
            raise Refusal(NOT_FOUND)
        until = request.query.get("expires", "")
        if self._picture_lifetime is not None and not (until.isdecimal() and self._clock.now() < int(until)):
            raise Refusal(FORBIDDEN)
        return Reply(200, (("Content-Type", "image/png"),), draw(number))

    def _url(self, name, number, request):
        identifier = write_id(self.dialect.record.id_form, number)
        return write_address(self.dialect.links, request, f"/api/v1/{name}/{identifier}")

    def _answer(self, answer, collection, number, request):
        words = {
            "record": self.show(collection.name, number, request),
            "id": write_id(self.dialect.record.id_form, number),
            "url": self._url(collection.name, number, request),
            "filter_url": f"/{collection.name}?id=eq.{write_id(self.dialect.record.id_form, number)}",
            "singular": collection.singular,
            "collection": collection.name,
            "at_uri": at_uri(collection.name, write_id(self.dialect.record.id_form, number)),
        }
        body = fill(answer.body, words.__getitem__)
        reply = self._json(answer.status, body, answer.headers, words.__getitem__)
        return Reply(reply.status, reply.headers[1:]) if answer.body is None else reply

    def _json(self, status, body, patterns, look_up):
        values = {name: fill(pattern, look_up) for name, pattern in patterns.items()}
        headers = {name: str(value) for name, value in values.items() if value is not None}
        dialect = self.dialect
        return json_reply(
            status, body, headers, content_type=dialect.content_type, ascii_only=dialect.ascii_json
        )
