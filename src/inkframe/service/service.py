"""The service as one object: a library, an engine, a key, the application over them, and example records.

The example records depend only on the seed and on ``sample.toml``, not on a clock: the same seed fills an empty
library with the same records every time.
"""

from __future__ import annotations

import random
import secrets
import tomllib
from datetime import UTC, datetime, timedelta
from functools import cache, cached_property
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from inkframe.errors import ConfigurationError, InvalidArgument
from inkframe.schema import IMAGES as IMAGE_FIELDS
from inkframe.service.collections import EngineRunner, Made, StoredCollection, stored_collections, timestamp
from inkframe.service.engines import Engine, at_once, find_engine, is_billed
from inkframe.service.form_rules import as_service_errors
from inkframe.service.routes import Application, create_app
from inkframe.service.store import Pool, Query, open_library, read_identity
from inkframe.service.store.pool import MEMORY
from inkframe.system.files import tilde
from inkframe.vocabulary import Field, Template, Vocabulary, compose_prompt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from types import TracebackType

    Values = dict[str, Any]

__all__ = ["DOCUMENTS", "IMAGES", "Service", "fill"]

#: Every look at least once.
IMAGES = 28
#: Two of each template.
DOCUMENTS = 104
#: Records per transaction: few enough that other writers do not wait for long.
CHUNK = 50
#: The engine of examples, so that nobody pays for them.
DEMO: Final = "offline"
#: The time of the first records, and the time span of all of them.
START = datetime(2025, 1, 6, 7, 30, tzinfo=UTC)
SPAN = timedelta(days=182)
#: The filters of images in turn; most have none. The number of turns has no common divisor with the numbers
#: of styles, mediums and scenes, so that a large sample has every combination.
FILTERS = (None, 0, None, None, 1, None, None, 2, None)
LARGER = 5


class Service:
    """A content-generation service on a library of its own.

    Args:
        library: The SQLite file of the library, created if it does not exist; ``":memory:"`` for one that is
            lost when the service is closed.
        engine: An engine, or the name of an installed one. The default is ``INKFRAME_ENGINE``,
            else ``offline``.
        key: The key that every request must send; random by default.
        vocabulary: The allowed values; those of the interface by default.
        background: Whether the engine runs at a lower priority than lists, on Linux; for a service with other users.
        models: The models of the engine ``openai``: ``model`` and ``image_model``.

    Attributes:
        app: The WSGI application.
        engine: The engine in use.
        key: The key in use.
        library: The library as it was given.
        pool: The connections to it.

    Raises:
        ConfigurationError: The library or the engine cannot be used, or the key is empty.

    Example:
        >>> import httpx
        >>> with Service() as service:
        ...     client = httpx.Client(transport=httpx.WSGITransport(app=service.app), base_url="http://local")
    """

    def __init__(
        self,
        library: str | Path = MEMORY,
        *,
        engine: str | Engine | None = None,
        key: str | None = None,
        vocabulary: Vocabulary | None = None,
        background: bool = False,
        models: Mapping[str, str] | None = None,
    ) -> None:
        if key is not None and (not key.strip() or not key.isascii() or not key.isprintable()):
            raise ConfigurationError("key must be printable ASCII text and not empty.")
        self.library = library
        self.key = secrets.token_urlsafe(32) if key is None else key
        given = None if engine is None or isinstance(engine, str) else engine
        self.engine = given or find_engine(engine if isinstance(engine, str) else None, **(models or {}))
        # The caller's engine may be in use elsewhere.
        self._close_engine = None if given else getattr(self.engine, "close", None)
        self._vocabulary = vocabulary or Vocabulary()
        self.pool = open_library(library)
        runner = EngineRunner(self.engine, background=background)
        self._collections = stored_collections(self.pool, runner, self._vocabulary)
        for collection in self._collections.values():
            collection.store_kept()
        self.app: Application = create_app(tuple(self._collections.values()), self.pool, self.key)

    @cached_property
    def identity(self) -> str:
        """The unique identity of this library, which changes when its file is created again."""
        return read_identity(self.pool)

    def asked(self) -> int:
        """Return how often an engine that is billed was asked and did not decline, whatever became of it."""
        return sum(len(collection.asked) for collection in self._collections.values() if self.is_billed)

    @property
    def read_only(self) -> bool:
        """Whether the library cannot be written, so that nothing can be created, updated or deleted."""
        return self.pool.read_only

    def is_empty(self) -> bool:
        """Return whether the library has no records."""
        return not any(collection.records.page(Query())[1] for collection in self._collections.values())

    def sample(
        self,
        images: int = IMAGES,
        documents: int = DOCUMENTS,
        seed: int = 0,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        """Fill the library with example records; the same arguments give an empty library the same records.

        The demo engine draws and writes them, whatever the engine of the service is.

        Args:
            images: The number of images to draw.
            documents: The number of documents to write; 52 or more include every template.
            seed: Chooses other subjects and dates.
            progress: Called with the number of records created so far and in all.

        Raises:
            InvalidArgument: A number is negative.
            ServerError: The engine failed, or the library cannot be written.
        """
        if images < 0 or documents < 0:
            raise InvalidArgument(f"images and documents must be 0 or greater, got {images} and {documents}.")
        with as_service_errors():
            self.pool.check_writable()
            counts = {"images": images, "documents": documents}
            demo = stored_collections(self.pool, EngineRunner(find_engine(DEMO)), self._vocabulary)
            fill(self.pool, demo, self._vocabulary, counts, seed, progress)

    @property
    def engine_label(self) -> str:
        """The engine as people know it: the demo engine, or the label or name of another."""
        return "demo engine" if self.engine.is_stand_in else getattr(self.engine, "label", self.engine.name)

    @property
    def is_billed(self) -> bool:
        """Whether what the engine makes may be charged."""
        return is_billed(self.engine)

    @property
    def at_once(self) -> int:
        """How many creates a batch sends at once; 1 for the demo engine, which threads only slow down.

        Another engine has two at least, of which one may wait: a batch on the thread of its caller could not be cancelled.
        """
        return 1 if self.engine.is_stand_in else max(2, at_once(self.engine))

    def close(self) -> None:
        """Close the library, and the engine unless the caller passed it. A library in memory is lost."""
        self.pool.close()
        if self._close_engine:
            self._close_engine()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        place = "in memory" if str(self.library) == MEMORY else tilde(Path(self.library))
        mode = ", read-only" if self.read_only else ""
        return f"<Service: library {place}{mode}, {self.engine_label}>"


def fill(
    pool: Pool,
    collections: Mapping[str, StoredCollection],
    vocabulary: Vocabulary,
    counts: Mapping[str, int],
    seed: int,
    progress: Callable[[int, int], None] | None,
) -> None:
    """Create the records and store them in chunks.

    Args:
        pool: The library.
        collections: Its collections.
        vocabulary: The values to choose from.
        counts: The number of records of each collection.
        seed: Chooses other subjects and dates.
        progress: Called with the number of records created so far and in all.
    """
    done = 0

    def make(collection: StoredCollection, values: Values) -> Made:
        nonlocal done
        made = collection.make(values)
        done += 1
        if progress:
            progress(done, sum(counts.values()))
        return made

    for name, count in counts.items():
        wanted = WANTED[name](vocabulary, count, random.Random(f"{name} {seed}"))
        while chunk := [make(collections[name], values) for values in islice(wanted, CHUNK)]:
            with pool.writing() as connection:
                for made in chunk:
                    collections[name].records.insert(connection, made.values, made.picture)


def _images(vocabulary: Vocabulary, count: int, chance: random.Random) -> Iterator[Values]:
    """Yield the values of each image: the looks in turn, most of them at the smallest resolution."""
    scenes, times = _data()["scene"], _data()["times"]
    looks: dict[str, Sequence[str]] = {name: vocabulary.codes(name) for name in IMAGE_FIELDS.choices}
    looks |= {name: chance.sample(codes, len(codes)) for name, codes in looks.items() if name != "resolution"}
    for number, moment in enumerate(_moments(count, chance)):
        scene = scenes[number % len(scenes)]
        round_ = number // len(scenes)
        repeats, turn = divmod(round_ - 1, len(times))
        time = f", {times[turn]}" if round_ else ""
        again = f" {repeats + 1}" if repeats > 0 else ""
        turns = {"resolution": int(number % LARGER == LARGER - 1), "filter": FILTERS[number % len(FILTERS)]}
        yield {
            "name": f"{scene['name']}{time}{again}",
            "description": f"{scene['description']}{time}",
            **{name: _turn(codes, turns.get(name, number)) for name, codes in looks.items()},
            **_kept(moment, chance),
        }


def _documents(vocabulary: Vocabulary, count: int, chance: random.Random) -> Iterator[Values]:
    """Yield the values of each document: the templates in turn, with a different subject each time."""
    subjects, templates = _data()["subject"], vocabulary.all_templates
    steps = vocabulary.codes("creativity")
    first = chance.randrange(len(subjects))
    for number, moment in enumerate(_moments(count, chance)):
        round_, place = divmod(number, len(templates))
        subject = subjects[(first + place + 5 * round_) % len(subjects)]
        again = f" {round_ // len(subjects) + 1}" if round_ >= len(subjects) else ""
        template = templates[place]
        yield {
            "name": f"{subject['title']}: {template.label}{again}",
            "prompt": _prompt(template, subject, chance),
            "creativity": float(steps[(number + round_) % len(steps)]),
            **_kept(moment, chance),
        }


def _prompt(template: Template, subject: Mapping[str, str], chance: random.Random) -> str:
    """Return a prompt for a subject: the required fields of the template, and most of the optional ones."""
    fields: dict[str, Any] = {
        field.name: _value(field, subject, chance)
        for field in template.fields
        if field.required or chance.random() < 0.75
    }
    return compose_prompt(template, **fields)


def _value(field: Field, subject: Mapping[str, str], chance: random.Random) -> str:
    patterns = _data()["fields"].get(field.name, ["{topic}"])
    return str(chance.choice(patterns)).format_map(subject)


def _moments(count: int, chance: random.Random) -> Iterator[datetime]:
    """Yield increasing creation times, unevenly spread over the span."""
    for number in range(count):
        yield START + SPAN * ((number + chance.random()) / count)


def _kept(moment: datetime, chance: random.Random) -> Values:
    """Return the values that do not come from the engine; favorites were updated up to three days later."""
    favorite = chance.random() < 0.2
    changed = moment + timedelta(hours=chance.uniform(1, 72)) if favorite else moment
    return {"favorite": int(favorite), "created_at": timestamp(moment), "updated_at": timestamp(changed)}


def _turn(codes: Sequence[str], number: int | None) -> str | None:
    return None if number is None or not codes else codes[number % len(codes)]


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath("sample.toml").read_text(encoding="utf-8"))


#: The generator of values for each collection.
WANTED: Final = {"images": _images, "documents": _documents}
