"""``frame.ink``: what a collection does, said of a frame that came from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inkframe.client import Client, open_clients
from inkframe.errors import InvalidArgument
from inkframe.frames import ATTRIBUTE, origin
from inkframe.resources.selection import holds

if TYPE_CHECKING:
    from os import PathLike
    from pathlib import Path

    import pandas as pd

    from inkframe.display import Gallery, View
    from inkframe.resources.documents import Documents
    from inkframe.resources.images import Images

__all__ = ["Accessor", "client_of"]


class Accessor:
    """The methods under ``frame.ink``; each that asks a service exists on its collection too.

    Args:
        frame: The frame; it was fetched by a client that is still open.
    """

    def __init__(self, frame: pd.DataFrame) -> None:
        self._frame = frame

    def gallery(self, **options: Any) -> Gallery:
        """Show the images as a wall; options as in ``client.images.gallery``."""
        collection: Images = client_of(self._frame, "images", "gallery").images
        return collection.gallery(self._frame, **options)

    def read(self, **options: Any) -> View:
        """Show the documents in full; options as in ``client.documents.read``."""
        collection: Documents = client_of(self._frame, "documents", "read").documents
        return collection.read(self._frame, **options)

    def table(self, *, rows: int = 100) -> View:
        """Show the frame with small pictures in its cells and long texts folded.

        Args:
            rows: The most rows.
        """
        if holds(self._frame) == "documents":
            from inkframe.display import table

            return table(self._frame, rows=rows, service=str(origin(self._frame).get("service", "")))
        images = client_of(self._frame, "images", "table").images
        return images.table(self._frame, rows=rows)

    def to_csv(
        self,
        path: str | PathLike[str],
        *,
        neutralize: bool = True,
        overwrite: bool = False,
        **options: Any,
    ) -> Path:
        """Write the frame as CSV in which a spreadsheet shows every text and calculates none.

        A text that begins like a formula gets an apostrophe in front; numbers stay as they are. It needs no
        client, and writes any frame.

        Args:
            path: The file.
            neutralize: False writes every text as it is.
            overwrite: Whether a file that is there is replaced.
            options: As in ``DataFrame.to_csv``, such as ``sep`` or ``encoding``.

        Returns:
            The path written.

        Raises:
            InvalidArgument: The file is there already.
        """
        from pathlib import Path

        from inkframe.display import neutralize_formulas, write_file

        target = Path(path).expanduser()
        frame = neutralize_formulas(self._frame) if neutralize else self._frame
        encoding = options.pop("encoding", "utf-8")
        text: str = frame.to_csv(**options)
        return write_file(target.parent, target.name, text.encode(encoding), overwrite=overwrite)

    def push(self, **options: Any) -> pd.DataFrame:
        """Send the edited cells; options as in ``client.images.push``."""
        held = self._frame.attrs.get(ATTRIBUTE, {}).get("collection")
        if held not in {"images", "documents"}:
            raise InvalidArgument(
                "The frame does not say what it holds.\nWrite client.images.push(frame) or client.documents.push(frame)."
            )
        client = client_of(self._frame, held, "push")
        collection: Images | Documents = client.images if held == "images" else client.documents
        return collection.push(self._frame, **options)


def client_of(frame: pd.DataFrame, collection: str, method: str | None = None) -> Client:
    """Give the client that fetched a frame, else the only one that is open on its service.

    Args:
        frame: The frame.
        collection: What it must hold.
        method: What the collection is asked to do, for the error that says what to write instead; None where
            records do instead of the frame.

    Raises:
        InvalidArgument: The frame holds something else, or several clients could be meant, or none.
    """
    came = frame.attrs.get(ATTRIBUTE, {})
    held = came.get("collection")
    if held not in {None, collection}:
        raise InvalidArgument(f"The frame holds {held}: .ink.{method}() is for {collection}.")
    clients = open_clients()
    if came.get("client") in clients:
        return clients[came["client"]]
    service = came.get("service")
    same = [client for client in clients.values() if service in {None, client.service}]
    if len(same) == 1:
        return same[0]
    why = "no client of its service is open" if not same else f"{len(same)} clients could be meant"
    write = f"client.{collection}.{method}(frame)" if method else f"client.{collection}.get(id) for each id"
    raise InvalidArgument(f"The frame does not say where it came from: {why}.\nWrite {write}.")
