"""Records as one file to be downloaded."""

from __future__ import annotations

import zipfile
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final

from inkframe.display import file_name
from inkframe.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["pack"]

#: What a browser is handed at most: it goes through the notebook's connection in one message.
MOST_BYTES: Final = 100_000_000
MIME: Final = {".png": "image/png", ".md": "text/markdown"}


def pack(
    records: Iterable[Any], write: Callable[[Any], tuple[str, bytes]], collection: str
) -> tuple[str, str, bytes]:
    """Give a file's name, media type and content: one record's own, or an archive of several.

    Args:
        records: The records.
        write: Gives a record's ending and content.
        collection: ``images`` or ``documents``.

    Raises:
        InvalidArgument: Together they are too large to be handed to a browser.
    """
    taken: set[str] = set()
    files: list[tuple[str, str, bytes]] = []
    for record in records:
        ending, data = write(record)
        files.append((file_name(record.id, record.name, ending, taken), MIME[ending], data))
        if sum(len(data) for _, _, data in files) > MOST_BYTES:
            raise InvalidArgument(
                f"That is more than {MOST_BYTES // 1_000_000} MB, too much for one download.\n"
                f'Choose fewer, or run client.{collection}.download(frame, "folder") in a cell.'
            )
    if len(files) == 1:
        return files[0]
    with BytesIO() as packed:
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, _, data in files:
                archive.writestr(name, data)
        return f"inkframe-{collection}.zip", "application/zip", packed.getvalue()
