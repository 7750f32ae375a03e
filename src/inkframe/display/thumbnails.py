"""Small pictures: fetched and scaled by two threads, in order, and kept on disk between calls."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from inkframe.concurrency.limiter import Limiter
from inkframe.concurrency.worker_pool import WorkerPool
from inkframe.display.console import progress_bar
from inkframe.display.picture_header import read_header
from inkframe.display.plain_text import line, plain, without_marks
from inkframe.display.record_facts import value
from inkframe.errors import InkframeError
from inkframe.schema import IMAGES

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Mapping, Sequence

    from PIL import Image


__all__ = ["ThumbnailCache", "fetch_scaled", "fetch_thumbnails", "picture_key"]

Made = TypeVar("Made")

#: Decoding PNG takes nearly all the time; two threads do it twice as fast, more gain nothing on two cores.
_THREADS = 2
#: From this many on, a bar shows how far it is.
_WITHOUT_BAR = 20


def fetch_thumbnails(
    records: Sequence[Mapping[str, Any]],
    fetch: Callable[[Mapping[str, Any]], bytes],
    *,
    size: int = 144,
    max_bytes: int = 3_000,
    service: str = "",
    cache: ThumbnailCache | None = None,
    progress: bool = True,
) -> Generator[bytes | str, None, None]:
    """Give a small picture for each record, in their order; where one fails, the reason.

    Pictures are fetched only a few ahead of what is taken, so a caller that has enough stops early.

    Args:
        records: The images.
        fetch: Gives the picture file of a record; called from two threads at once.
        size: The longest side in pixels; by default what a cell of ``table`` shows.
        max_bytes: The most bytes of one small picture.
        service: Whose records these are; keeps equal ids of two services apart in the cache.
        cache: Where small pictures are kept between calls.
        progress: Whether a bar is shown for more than 20 pictures.
    """

    def make(record: Mapping[str, Any]) -> bytes | str:
        from inkframe.display.picture import small_copy

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

    with closing(WorkerPool(make, Limiter(_THREADS)).run(records)) as pictures:
        yield from _counted(pictures, len(records), shown=progress)


def fetch_scaled(
    records: Sequence[Mapping[str, Any]],
    fetch: Callable[[Mapping[str, Any]], bytes | str],
    *,
    size: int,
    progress: bool = True,
) -> Generator[Image.Image | str, None, None]:
    """Give each record's picture scaled down, in their order; where one fails, the reason.

    Args:
        records: The images.
        fetch: Gives the picture file of a record, or a text, which stays one; called from two threads at once.
        size: The longest side in pixels.
        progress: Whether a bar is shown for more than 20 pictures.
    """

    def make(record: Mapping[str, Any]) -> Image.Image | str:
        from inkframe.display.picture import load_picture

        try:
            found = fetch(record)
            return without_marks(plain(found)) if isinstance(found, str) else load_picture(found, size)
        except InkframeError as error:
            return line(error)

    with closing(WorkerPool(make, Limiter(_THREADS)).run(records)) as pictures:
        yield from _counted(pictures, len(records), shown=progress)


def _kept(cache: ThumbnailCache | None, key: str) -> bytes | None:
    """Give a kept picture that is still a picture."""
    found = cache.get(key) if cache is not None else None
    try:
        return found if found and read_header(found).end == len(found) else None
    except InkframeError:
        return None


def _counted(pictures: Iterator[Made], total: int, *, shown: bool) -> Iterator[Made]:
    """Yield pictures while a bar counts them, where there are many."""
    with progress_bar(shown and total > _WITHOUT_BAR, total, "Pictures", "pictures", leave=False) as bar:
        for picture in pictures:
            bar.update()
            yield picture


#: What makes a picture the same picture. The name may change without it; its address may too.
_IDENTITY = ("id", *(field.name for field in IMAGES.fields if not (field.update or field.type == "picture")))


def picture_key(record: Mapping[str, Any], *settings: object) -> str:
    """Give the key under which a record's thumbnail is kept.

    Args:
        record: The image's columns by name.
        settings: What else decides how the thumbnail looks: the service, the size.
    """
    parts = [str(value(record, field)) for field in _IDENTITY] + [str(setting) for setting in settings]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


class ThumbnailCache:
    """A folder of small pictures, bounded, the least recently used going first.

    Several processes may use one folder at once: a file appears whole or not at all, and one that is gone
    is simply not found. What cannot be written is not kept; showing pictures never fails for it.

    Args:
        folder: Where the files are; made, for its user alone, when the first one is kept.
        max_bytes: The most bytes kept; past it, the oldest go until a tenth is free.
    """

    def __init__(self, folder: str | os.PathLike[str], max_bytes: int = 100_000_000) -> None:
        self._folder = Path(folder)
        self._max_bytes = max_bytes
        self._size: int | None = None

    def get(self, key: str) -> bytes | None:
        """Give what is kept under a key, or None; what is asked for counts as used."""
        path = self._folder / key
        try:
            data = path.read_bytes()
        except OSError:
            return None
        with suppress(OSError):
            os.utime(path)
        return data

    def put(self, key: str, data: bytes) -> None:
        """Keep a small picture under a key."""
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            descriptor, name = tempfile.mkstemp(dir=self._folder, suffix=".part")
            try:
                with os.fdopen(descriptor, "wb") as file:
                    file.write(data)
                Path(name).replace(self._folder / key)
            except BaseException:
                Path(name).unlink(missing_ok=True)
                raise
            self._size = self._measure() if self._size is None else self._size + len(data)
            if self._size > self._max_bytes:
                self._shrink()

    def _measure(self) -> int:
        return sum(size for _, size, _ in self._files())

    def _files(self) -> list[tuple[float, int, str]]:
        """Give the time of last use, size and path of each file, as far as they are still there."""
        found = []
        with os.scandir(self._folder) as entries:
            for entry in entries:
                with suppress(OSError):
                    state = entry.stat(follow_symlinks=False)
                    found.append((state.st_mtime, state.st_size, entry.path))
        return found

    def _shrink(self) -> None:
        """Delete the least recently used until a tenth of the room is free."""
        files = sorted(self._files())
        size = sum(each for _, each, _ in files)
        for _, each, path in files:
            if size <= 0.9 * self._max_bytes:
                break
            with suppress(OSError):
                Path(path).unlink()
            size -= each
        self._size = size
