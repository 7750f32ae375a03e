"""The collections of the service: how each reads requests, creates records with the engine and stores them.

What an engine makes may be paid for. A create is noted in the library before its engine is asked, and what a billed engine
returns is kept in a file beside the library until it is stored.
"""

from __future__ import annotations

import os
import sqlite3
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from functools import partial
from hashlib import blake2b
from secrets import token_hex
from typing import TYPE_CHECKING, Any, Final, TypeVar

import orjson
from falcon import HTTPConflict

from inkframe.schema import (
    DEFAULT_SIZE,
    DOCUMENTS,
    PAGE_SIZES,
    RESOURCES,
    SORT_FIELDS,
    SORTS,
    ResourceSpec,
)
from inkframe.service.engines import (
    DrawRequest,
    Engine,
    Refused,
    Text,
    Unavailable,
    WriteRequest,
    at_once,
    is_billed,
)
from inkframe.service.form_rules import (
    EngineFailed,
    FormRule,
    Invalid,
    choice,
    failure,
    field_rule,
    text,
    whole,
)
from inkframe.service.store import Closed, Pool, RecordTable, Table
from inkframe.service.store.record_table import (
    CLAIMED,
    TOKENS,
    find_creation,
    forget_claim,
    note_creation,
)
from inkframe.system.files import FileCache
from inkframe.system.processes import SharedLocks

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from inkframe.vocabulary import Vocabulary

    Request = TypeVar("Request")
    Product = TypeVar("Product")

__all__ = [
    "KEY",
    "LONGEST_KEY",
    "MAKERS",
    "REPLAYED",
    "TABLES",
    "EngineRunner",
    "Made",
    "StoredCollection",
    "now",
    "stored_collections",
    "template_number",
    "timestamp",
]

PREFIX: Final = "/api/v1"
#: The header by which another try of a create is recognized.
KEY: Final = "Idempotency-Key"
#: The header of the reply to a create: whether an earlier request with its key created the record.
REPLAYED: Final = "Idempotent-Replayed"
#: The most characters of one.
LONGEST_KEY: Final = 255
#: Seconds that a request waits for another one with its key, and the seconds between two looks.
WAIT = 60.0
PAUSE = 0.05
#: A set event: a lock is taken now or not at all.
NOW: Final = threading.Event()
NOW.set()
#: The statuses of an engine that declined a request and charged nothing for it.
UNCHARGED: Final = frozenset({402, 405, 422, 429, 503})
#: The template of a prompt that does not start with the first line of any template.
FREESTYLE: Final[int] = DOCUMENTS.columns["template_id"].filter_default

#: What is added to the niceness of an engine in the background, beside which lists are to be answered at once.
NICENESS = 10
PNG = b"\x89PNG\r\n\x1a\n"


#: The table of each collection.
TABLES: Final = {
    name: Table(
        name,
        columns=(
            "id",
            *("url" if field.type == "picture" else name for name, field in spec.shown.items()),
            *(() if spec.has_picture else TOKENS),
        ),
        computed={"url": f"'{PREFIX}/{name}/' || id || '/picture'"} if spec.has_picture else {},
        booleans=spec.booleans,
    )
    for name, spec in RESOURCES.items()
}


@dataclass(frozen=True, slots=True)
class Made:
    """The result of an engine for the values of a request.

    Args:
        values: The values of the new record.
        picture: Its picture as PNG, where it has one.
    """

    values: Mapping[str, Any]
    picture: bytes | None = None


class StoredCollection:
    """A collection of the interface: its rules, its records, and how to create one.

    Args:
        spec: Its fields.
        pool: The library.
        vocabulary: The allowed values.
        make: Creates a record from the values of a request.
        is_billed: Whether what the engine makes may be paid for.

    Attributes:
        path: The path of its list.
        records: The stored records.
        creates: The rules of Store.
        updates: The rules of Update.
        filters: The rules of the filters of List.
        asked: The keys for which the engine was asked, without those that it declined.
    """

    def __init__(
        self,
        spec: ResourceSpec,
        pool: Pool,
        vocabulary: Vocabulary,
        make: Callable[[Mapping[str, Any]], Made],
        *,
        is_billed: bool = False,
    ) -> None:
        self.spec = spec
        self.make = make
        self.path = f"{PREFIX}/{spec.name}"
        self.records = RecordTable(pool, TABLES[spec.name])
        self._pool = pool
        self._is_billed = is_billed
        self.asked: list[str] = []
        file = pool.file
        self._locks = SharedLocks(file and file.with_name(f"{file.name}-creates"))
        #: What was made and is not stored yet: in memory, and if it may be billed in files that outlive the process.
        self._held: dict[str, bytes] = {}
        self._folder = file and file.with_name(f"{file.name}-kept") / spec.name
        rule = partial(field_rule, vocabulary=vocabulary)
        self.creates = tuple(
            replace(
                rule(field),
                required=field.create == "required" and field.default is None,
                default=field.default,
            )
            for field in spec.creates.values()
        )
        self.updates = tuple(rule(field) for field in spec.updates.values())
        self.filters = tuple(
            replace(
                rule(field),
                default=field.filter_default,
                read=rule(field).read if field.filter_default is None else partial(self._number, rule(field)),
            )
            for field in spec.fields
            if field.filter
        )

    def _number(self, rule: FormRule, value: str) -> int:
        """Read a number of the vocabulary, or another one that records have, such as imported ones."""
        try:
            return int(rule.read(value))
        except ValueError:
            if value not in (held := {str(number): number for number in self.records.counts(rule.name)}):
                raise
            return held[value]

    @property
    def listing(self) -> tuple[FormRule, ...]:
        """The rules of List."""
        return (
            text("search", blank=True),
            choice("search_by", self.spec.search_by, default=self.spec.search_by[0]),
            *self.filters,
            choice("sort_by", SORT_FIELDS, default=SORT_FIELDS[0]),
            choice("sort", SORTS, default=SORTS[0]),
            choice("per_page", [str(size) for size in PAGE_SIZES], int, default=DEFAULT_SIZE),
            whole("page", minimum=1, default=1),
        )

    def create(self, values: Mapping[str, Any], key: str | None = None) -> tuple[dict[str, Any], bool]:
        """Create a record from the values of a request and store it.

        Of the requests with one key, also in other processes, one asks the engine and the others wait for it.

        Args:
            values: The values.
            key: The ``Idempotency-Key``; another request with it gets the record that the first one created.

        Returns:
            The record, and whether an earlier request with the key created it.

        Raises:
            Invalid: The key was sent with other values.
            HTTPConflict: The record that the key created was deleted, another request with the key is under way,
                or one ended without a result that may be billed.
            EngineFailed: The engine failed, or what it made is kept since the library cannot be written.
        """
        self._pool.check_writable()  # before an engine draws in vain
        digest = blake2b(orjson.dumps(values, option=orjson.OPT_SORT_KEYS), digest_size=12).hexdigest()
        key = key or token_hex(16)
        mark = blake2b(f"{self.spec.name} {key}".encode(), digest_size=12)
        ends = time.monotonic() + WAIT
        while time.monotonic() < ends:
            with self._locks.hold(int.from_bytes(mark.digest()), NOW) as is_held:
                if is_held:
                    return self._create(values, key, digest, mark.hexdigest())
            time.sleep(PAUSE)
        raise HTTPConflict(
            description=f"Another request with this {KEY} is still under way. Send it again later.",
            headers={"Retry-After": "5"},
        )

    def _create(
        self, values: Mapping[str, Any], key: str, digest: str, mark: str
    ) -> tuple[dict[str, Any], bool]:
        """Create a record while no other request with its key can."""
        self.store_kept(mark)
        with self._pool.reading() as connection:
            id, sent = find_creation(connection, self.spec.name, key) or (None, digest)
            if sent != digest:
                raise Invalid({KEY: [f"The {KEY} was sent before with other fields."]})
            if id:
                return self._existing(self.records.read(connection, id), id), True
        # A request that ended after its claim, as by the end of its process. Whether the engine charged for it is not
        # known: only a request with another key asks the engine again.
        if self._is_billed and id == CLAIMED:
            raise HTTPConflict(
                description=f"The engine was asked for this {KEY} before, and its result was lost; it may have been"
                f" charged. Send another {KEY} to ask the engine again."
            )
        with self._pool.writing() as connection:
            note_creation(connection, self.spec.name, key, CLAIMED, digest, now())
        self.asked.append(key)
        try:
            made = self.make(values)
        except Exception as error:
            if not isinstance(error, EngineFailed) or error.status in UNCHARGED:
                self.asked.remove(key)
                with suppress(sqlite3.Error, Closed), self._pool.writing() as connection:
                    forget_claim(connection, self.spec.name, key)
            raise
        noted = {"key": key, "digest": digest, "moment": now(), "values": made.values}
        content = b"\n".join([orjson.dumps(noted), made.picture or b""])
        self._held[mark] = content
        if self._folder and self._is_billed:
            FileCache(self._folder, sys.maxsize).put(mark, content)
        return self._store(mark, content), False

    def store_kept(self, mark: str = "") -> None:
        """Store what was made while the library could not be written, as far as it can be now.

        Args:
            mark: The name of the caller's own result, whose failure is raised.
        """
        files = {path.name: path for path in self._folder.glob("*")} if self._folder else {}
        for name in sorted(self._held | files, key=lambda name: name != mark):
            try:
                # The request that has just made it, here or in another process, stores it itself.
                with self._locks.hold(int(name, 16), NOW) as is_left:
                    if is_left or name == mark:
                        self._store(name, self._held.get(name) or files[name].read_bytes())
            except EngineFailed:
                if name == mark:
                    raise
                return  # the next one would have to wait as long
            except (OSError, ValueError, KeyError, HTTPConflict):
                continue  # one that is damaged or just stored does not stop the others

    def _store(self, mark: str, content: bytes) -> dict[str, Any]:
        """Store a kept result, which another process may have stored meanwhile, and return its record.

        Raises:
            EngineFailed: It cannot be stored now.
        """
        head, _, picture = content.partition(b"\n")
        noted = orjson.loads(head)
        key, moment = noted["key"], noted["moment"]
        try:
            with self._pool.writing() as connection:
                id, _ = find_creation(connection, self.spec.name, key) or (CLAIMED, "")
                if id == CLAIMED:
                    values = {**noted["values"], "created_at": moment, "updated_at": moment}
                    made = picture if self.spec.has_picture else None
                    id = self.records.insert(connection, values, made)["id"]
                    note_creation(connection, self.spec.name, key, id, noted["digest"], moment)
        except (sqlite3.Error, Closed) as error:
            # Not a failure of the service, after which a client may take the create for certainly not done.
            raise EngineFailed(
                f"{failure(error)[1].partition('. ')[0].rstrip('.')}. The {self.spec.noun} was made and is kept"
                f" until it can be stored. To get it, send the same {KEY} again.",
                409,
                retry_after=1,
            ) from error
        self._held.pop(mark, None)
        if self._folder:
            (self._folder / mark).unlink(missing_ok=True)
        return self._existing(self.records.get(id), id)

    def _existing(self, record: dict[str, Any] | None, id: int) -> dict[str, Any]:
        if record is None:
            raise HTTPConflict(description=f"The {self.spec.noun} {id} of this {KEY} was deleted.")
        return record


def stored_collections(
    pool: Pool, runner: EngineRunner, vocabulary: Vocabulary
) -> dict[str, StoredCollection]:
    """Return the collections of a library by name."""
    return {
        name: StoredCollection(
            spec,
            pool,
            vocabulary,
            partial(MAKERS[name], pool, runner, vocabulary),
            is_billed=is_billed(runner.engine),
        )
        for name, spec in RESOURCES.items()
    }


def draw_image(_pool: Pool, runner: EngineRunner, _vocabulary: Vocabulary, values: Mapping[str, Any]) -> Made:
    """Draw the picture of an image."""
    asked: dict[str, Any] = {field.name: values.get(field.name) for field in fields(DrawRequest)}
    return Made(values, runner.draw(DrawRequest(**asked)))


def write_document(
    pool: Pool, runner: EngineRunner, vocabulary: Vocabulary, values: Mapping[str, Any]
) -> Made:
    """Write the text of a document."""
    template = template_number(vocabulary, values["prompt"])
    request = WriteRequest(values["prompt"], values["creativity"], template, _next_take(pool))
    made = runner.write(request)
    tokens = {name: made.usage.get(name) for name in TOKENS}
    return Made({**values, "template_id": template, "result": str(made), **tokens})


def template_number(vocabulary: Vocabulary, prompt: str) -> int:
    """Return the number of the template whose first line starts a prompt, or that of Freestyle."""
    template = vocabulary.template_of(prompt)
    return template.id if template else FREESTYLE


def _next_take(pool: Pool) -> int:
    """Return a number that this library has not returned before, even if nothing was stored with it."""
    with pool.writing() as connection:
        sql = "UPDATE counters SET value = value + 1 WHERE name = 'take' RETURNING value"
        ((take,),) = connection.execute(sql).fetchall()
    return int(take)


class EngineRunner:
    """Runs an engine, a few requests at a time.

    Args:
        engine: The engine that draws and writes.
        background: Whether it runs on threads of lower priority, on Linux, instead of the callers' threads.
    """

    def __init__(self, engine: Engine, *, background: bool = False) -> None:
        self.engine = engine
        self._background = background and sys.platform == "linux"
        self._free = threading.BoundedSemaphore(at_once(engine))

    def draw(self, request: DrawRequest) -> bytes:
        """Return the picture as PNG bytes.

        Raises:
            EngineFailed: The engine raised, or returned something else.
        """
        picture = self._made(self.engine.draw, request, "picture", "description")
        if not isinstance(picture, bytes) or not picture.startswith(PNG):
            raise self._failed("picture", "it returned no PNG")
        return picture

    def write(self, request: WriteRequest) -> Text:
        """Return the text, with the tokens that it took where the engine tells them.

        Raises:
            EngineFailed: The engine raised, or returned something else.
        """
        text = self._made(self.engine.write, request, "text", "prompt")
        if not isinstance(text, str):
            raise self._failed("text", "it returned no text")
        # Half a surrogate pair cannot be stored.
        return Text(text.encode("utf-8", "replace").decode(), getattr(text, "usage", {}))

    def _made(
        self, make: Callable[[Request], Product], request: Request, product: str, field: str
    ) -> Product:
        """Call the engine; turn its exceptions into the errors that the service responds with."""
        with self._free:
            try:
                return _in_background(make, request) if self._background else make(request)
            except Refused as refusal:
                raise EngineFailed(str(refusal), 422, field=refusal.field or field) from refusal
            except Unavailable as trouble:
                raise EngineFailed(
                    self._told(str(trouble), trouble.status), trouble.status, retry_after=trouble.retry_after
                ) from trouble
            except Exception as error:
                raise self._failed(product, type(error).__name__) from error

    def _failed(self, product: str, reason: str) -> EngineFailed:
        text = f"The engine {self.engine.name!r} failed to create a {product}: {reason}."
        return EngineFailed(self._told(text, 500))

    def _told(self, problem: str, status: int) -> str:
        """Return a problem with what follows from it."""
        charged = " It may have been charged." if is_billed(self.engine) and status not in UNCHARGED else ""
        return f"{problem}{charged} Nothing was stored."


#: The functions that generate a record from the values of a request, by collection.
MAKERS: Final[dict[str, Callable[[Pool, EngineRunner, Vocabulary, Mapping[str, Any]], Made]]] = {
    "images": draw_image,
    "documents": write_document,
}


def timestamp(moment: datetime) -> str:
    """Return a time as stored in records: ISO 8601 in UTC, so that text order is time order."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def now() -> str:
    """Return the current time as stored in records."""
    return timestamp(datetime.now(UTC))


def _in_background(make: Callable[[Request], Product], request: Request) -> Product:
    """Call the engine on a thread of lower priority, which is made for the call: it cannot raise it again."""
    # On Linux, each thread has a priority of its own.
    with ThreadPoolExecutor(1, initializer=os.nice, initargs=(NICENESS,)) as thread:
        return thread.submit(make, request).result()
