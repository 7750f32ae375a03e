"""``frame.ink``: what a collection does, said of a frame that came from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inkframe.client import Client, open_clients
from inkframe.errors import InvalidArgument
from inkframe.frames import ATTRIBUTE

if TYPE_CHECKING:
    import pandas as pd

    from inkframe.display import Gallery, View
    from inkframe.library import Documents, Images

__all__ = ["Accessor", "client_of"]


class Accessor:
    """The methods under ``frame.ink``; each exists on the collection too.

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
        from inkframe.display import table

        if self._frame.attrs.get(ATTRIBUTE, {}).get("collection") == "documents":
            return table(self._frame, rows=rows)
        images = client_of(self._frame, "images", "table").images
        return images.table(self._frame, rows=rows)

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


def client_of(frame: pd.DataFrame, collection: str, method: str) -> Client:
    """Give the client that fetched a frame, else the only one that is open on its service.

    Args:
        frame: The frame.
        collection: What it must hold.
        method: What is to be done, for the error that says what to write instead.

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
    raise InvalidArgument(
        f"The frame does not say where it came from: {why}.\nWrite client.{collection}.{method}(frame)."
    )
