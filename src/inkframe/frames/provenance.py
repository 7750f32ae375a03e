"""Provenance: a small dictionary in a frame's attrs that describes the fetch, not later edits."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd

__all__ = ["ATTRIBUTE", "LOCAL_SERVICE", "differing", "origin", "provenance"]

ATTRIBUTE: Final = "inkframe"
#: The name of the embedded service in frames, captions and messages.
LOCAL_SERVICE: Final = "local demo service"
#: Names of services in frames that release 0.1 saved, and their names now.
RENAMED: Final = {"local stand-in": LOCAL_SERVICE}


def provenance(
    *,
    source: Mapping[str, str],
    client: str,
    collection: str,
    query: Mapping[str, Any],
    total: int | None,
    completeness: str,
    reasons: Sequence[str] = (),
    absent: Sequence[str] = (),
    assumed: Sequence[str] = (),
) -> dict[str, Any]:
    """Return the provenance of a frame, as plain JSON without secrets.

    Args:
        source: The ``service``, its base address or ``local demo service``, and the identity of a local ``library``.
        client: The random id of the client that fetched.
        collection: ``images`` or ``documents``.
        query: The list parameters.
        total: How many records matched, if the service reports it.
        completeness: ``page``, ``exact``, ``verified`` or ``best-effort``.
        reasons: Why the completeness is not better.
        absent: Columns that the service does not show.
        assumed: What is not certain about the values; the key is left out if there is nothing.
    """
    assumptions = {"assumed": list(assumed)} if assumed else {}
    return {
        **source,
        "collection": collection,
        "query": dict(query),
        "fetched_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "total": total,
        "completeness": completeness,
        "reasons": list(reasons),
        "absent": list(absent),
        **assumptions,
        "client": client,
        "baseline": uuid4().hex,
    }


def origin(frame: pd.DataFrame) -> dict[str, Any]:
    """Return the provenance of a frame, or an empty dictionary."""
    came = frame.attrs.get(ATTRIBUTE)
    if not isinstance(came, dict):
        return {}
    renamed = RENAMED.get(str(came.get("service")))
    return came | {"service": renamed} if renamed else came


def differing(*origins: Mapping[str, Any]) -> tuple[str, list[str]] | None:
    """Return the field in which frames are of different sources, and its values; None if they are of one.

    A frame without a field fits any other: only local libraries have an identity.
    """
    for field in ("collection", "service", "library"):
        values = list(dict.fromkeys(str(each[field]) for each in origins if each.get(field) is not None))
        if len(values) > 1:
            return field, values
    return None
