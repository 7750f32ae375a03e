"""Pictures as arguments: bytes or PIL images by id, or a function that returns them."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import pandas as pd

from inkframe.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PIL.Image import Image

__all__ = ["Pictures", "each_picture"]

#: Bytes or ``PIL.Image`` by id, as a mapping, a Series, or a function of the id.
Pictures = Mapping[Any, Any] | pd.Series | Callable[[Any], Any]


def each_picture(ids: pd.Index, pictures: Pictures | None, side: int) -> Iterator[tuple[int, Image]]:
    """Yield the pictures of some records, one in memory at a time.

    Args:
        ids: The ids, which are the index of a frame of images.
        pictures: The source of the pictures. Missing ones and None are skipped.
        side: The side in pixels that is needed: a JPEG is decoded no larger than necessary.

    Yields:
        The position of the id, and its picture in RGB, on white if it is transparent.

    Raises:
        InvalidArgument: There is no source of pictures, or a value is not a picture.
    """
    if not (callable(pictures) or isinstance(pictures, Mapping | pd.Series)):
        raise InvalidArgument(
            f"pictures must be a dict, a Series or a function of the id, got {type(pictures).__name__}.\n"
            "Its values must be bytes or PIL images, such as\n"
            "pictures=lambda id: client.images.get(id).picture."
        )
    for position, key in enumerate(ids):
        value = pictures(key) if callable(pictures) else pictures.get(key)
        if value is not None and value is not pd.NA:
            yield position, _opened(value, key, side)


def _opened(value: Any, key: object, side: int) -> Image:
    from PIL import Image

    try:
        picture = (
            Image.open(io.BytesIO(value)) if isinstance(value, bytes | bytearray | memoryview) else value
        )
        if picture.format == "JPEG" and picture is not value:
            picture.draft("RGB", (2 * side, 2 * side))
        if picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info:
            layer = picture.convert("RGBA")
            picture = Image.alpha_composite(Image.new("RGBA", layer.size, "white"), layer)
        return picture.convert("RGB")
    except (AttributeError, OSError, SyntaxError, TypeError, ValueError) as error:
        raise InvalidArgument(
            f"The picture of {key!r} cannot be read.\n"
            f"Pass the bytes of a picture file or a PIL image, got {type(value).__name__}."
        ) from error
