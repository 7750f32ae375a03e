"""Small copies of many pictures: fetched and scaled on two threads, in order, no further than needed."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any, TypeVar

from inkframe.concurrency.limiter import Limiter
from inkframe.concurrency.worker_pool import WorkerPool
from inkframe.display.cache import picture_key
from inkframe.display.picture_header import read_header
from inkframe.display.plain_text import line, plain, without_marks
from inkframe.errors import InkframeError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Mapping, Sequence

    from PIL import Image

    from inkframe.display.cache import ThumbnailCache

__all__ = ["fetch_scaled", "fetch_thumbnails"]

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
        yield from _bar(pictures, len(records), shown=progress)


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
        yield from _bar(pictures, len(records), shown=progress)


def _kept(cache: ThumbnailCache | None, key: str) -> bytes | None:
    """Give a kept picture that is still a picture."""
    found = cache.get(key) if cache is not None else None
    try:
        return found if found and read_header(found).end == len(found) else None
    except InkframeError:
        return None


def _bar(pictures: Iterator[Made], total: int, *, shown: bool) -> Iterator[Made]:
    if not shown or total <= _WITHOUT_BAR:
        yield from pictures
        return
    from inkframe.display.progress import progress_bar

    with progress_bar(total, "Pictures", "pictures", leave=False) as bar:
        for picture in pictures:
            bar.update()
            yield picture
