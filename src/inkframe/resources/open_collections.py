"""The collections of open clients, found for the frames fetched by them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from inkframe.errors import InvalidArgument
from inkframe.frames import differing, origin
from inkframe.listing.session import open_sessions
from inkframe.resources.documents import Documents
from inkframe.resources.images import Images

if TYPE_CHECKING:
    import pandas as pd

    from inkframe.resources.collection import Collection

__all__ = ["COLLECTIONS", "collection_of"]

#: The class of each collection by name.
COLLECTIONS: Final[dict[str, type[Collection[Any]]]] = {each.spec.name: each for each in (Images, Documents)}


def collection_of(frame: pd.DataFrame, name: str, method: str | None = None) -> Any:
    """Return the collection that a frame was fetched from, or the only open one of its service.

    Args:
        frame: The frame.
        name: The required collection of its records.
        method: The method to call, named in the error; None if records can be used instead of the frame.

    Raises:
        InvalidArgument: The frame is of another collection, or there is not exactly one matching client.
    """
    came = origin(frame)
    held = came.get("collection")
    if held not in {None, name}:
        raise InvalidArgument(f"{method or 'This call'} needs a frame of {name}; this is a frame of {held}.")
    sessions = open_sessions()
    same = [session for session in sessions.values() if differing(came, session.source) is None]
    session = sessions.get(came.get("client", "")) or (same[0] if len(same) == 1 else None)
    if session is not None:
        return session.collections.get(name) or COLLECTIONS[name](session)
    why = "no client of its service is open" if not same else f"{len(same)} clients match"
    write = f"client.{name}.{method}(frame)" if method else f"client.{name}.get(id) for each id"
    raise InvalidArgument(f"The client of this frame is unknown: {why}.\nWrite {write}.")
