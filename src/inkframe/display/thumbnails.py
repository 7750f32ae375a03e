"""Fetch and scale pictures in two threads, in order, and cache them on disk between calls."""

from __future__ import annotations

import hashlib
import json
from contextlib import closing
from typing import TYPE_CHECKING, Any, TypeVar

from inkframe.display.console import progress_bar
from inkframe.display.figure import value
from inkframe.display.markup import line, plain, without_marks
from inkframe.display.picture import load_picture, read_header, small_copy
from inkframe.errors import InkframeError
from inkframe.http.worker_pool import WorkerPool
from inkframe.schema import IMAGES

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping, Sequence

    from PIL import Image

    from inkframe.files import FileCache

    Made = TypeVar("Made")

__all__ = ["fetch_scaled", "fetch_thumbnails", "picture_key"]

#: Pixels and bytes of a picture in a cell: twice its width on the page, at most 4 kB as base64.
THUMBNAIL_PIXELS, THUMBNAIL_BYTES = 144, 3_000
#: Decoding PNG takes nearly all the time. Two threads are twice as fast; more do not help on two cores.
_THREADS = 2
#: A progress bar is shown for more pictures than this.
_WITHOUT_BAR = 20
#: The fields that identify a picture. Its name and address may change.
_IDENTITY = ("id", *(field.name for field in IMAGES.fields if not (field.update or field.type == "picture")))


def fetch_thumbnails(
    records: Sequence[Mapping[str, Any]],
    fetch: Callable[[Mapping[str, Any]], bytes],
    *,
    size: int = THUMBNAIL_PIXELS,
    max_bytes: int = THUMBNAIL_BYTES,
    service: str = "",
    cache: FileCache | None = None,
    progress: bool = True,
) -> Generator[bytes | str, None, None]:
    """Yield a small picture for each record, in order, or the reason if it fails.

    Only a few pictures are fetched ahead, so a caller can stop early.

    Args:
        records: The images.
        fetch: Returns the picture file of a record; called from two threads at once.
        size: The longest side in pixels; by default that of a cell of ``table``.
        max_bytes: The maximum number of bytes of one small picture.
        service: The name of the service, which separates equal ids in the cache.
        cache: The cache of small pictures between calls.
        progress: Whether to show a progress bar for more than 20 pictures.
    """

    def make(record: Mapping[str, Any]) -> bytes | str:
        key = picture_key(record, service, size, max_bytes)
        if kept := _kept(cache, key):
            return kept
        try:
            small = small_copy(fetch(record), size, max_bytes)
        except InkframeError as error:
            return str(error)
        if cache is not None and isinstance(small, bytes):
            cache.put(key, small)
        return small

    return _made_of(records, make, progress=progress)


def fetch_scaled(
    records: Sequence[Mapping[str, Any]],
    fetch: Callable[[Mapping[str, Any]], bytes | str],
    *,
    size: int,
    progress: bool,
) -> Generator[Image.Image | str, None, None]:
    """Yield each record's picture scaled down, in order, or the reason if it fails.

    Args:
        records: The images.
        fetch: Returns the picture file of a record, or a text; called from two threads at once.
        size: The longest side in pixels.
        progress: Whether to show a progress bar for more than 20 pictures.
    """

    def make(record: Mapping[str, Any]) -> Image.Image | str:
        try:
            found = fetch(record)
            return without_marks(plain(found)) if isinstance(found, str) else load_picture(found, size)
        except InkframeError as error:
            return line(error)

    return _made_of(records, make, progress=progress)


def _kept(cache: FileCache | None, key: str) -> bytes | None:
    """Return a cached picture, or None if it is missing or damaged."""
    found = cache.get(key) if cache is not None else None
    try:
        return found if found and read_header(found).end == len(found) else None
    except InkframeError:
        return None


def _made_of(
    records: Sequence[Mapping[str, Any]], make: Callable[[Mapping[str, Any]], Made], *, progress: bool
) -> Generator[Made, None, None]:
    """Yield what is made of each record, in order, with a progress bar if there are many."""
    total = len(records)
    with (
        closing(WorkerPool(make, _THREADS).run(records)) as pictures,
        progress_bar(progress and total > _WITHOUT_BAR, total, "Pictures", "pictures", leave=False) as bar,
    ):
        for picture in pictures:
            bar.update()
            yield picture


def picture_key(record: Mapping[str, Any], *settings: object) -> str:
    """Return the cache key of a record's thumbnail.

    Args:
        record: The image's columns by name.
        settings: What else identifies the thumbnail: the service, the size.
    """
    own = [value(record, field) for field in _IDENTITY]
    # Beside columns of a person's own, only its location tells a picture from an earlier one with its id.
    own += [] if any(own[1:]) else [value(record, IMAGES.generated)]
    parts = [str(part) for part in (*own, *settings)]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
