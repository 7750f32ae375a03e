"""Records as a frame like those that their collection gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inkframe.frames import columns_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from inkframe.resources.collection import Collection
    from inkframe.resources.records import Document, Image

__all__ = ["frame_of"]


def frame_of(collection: Collection[Any], records: Sequence[Image | Document]) -> pd.DataFrame:
    """Give records as a frame.

    Args:
        collection: Where they are from.
        records: The records, in the order of the rows.
    """
    rows: list[dict[str, Any]] = [record._values() for record in records]  # noqa: SLF001  # the same room
    columns = {name: [row[name] for row in rows] for name in columns_of(collection.resource)}
    names = dict.fromkeys(name for row in rows for name in row["extra"])
    builder = collection._builder()  # noqa: SLF001  # the one place that knows the client's categories
    builder.add(
        [row["id"] for row in rows], columns, {n: [row["extra"].get(n) for row in rows] for n in names}
    )
    return builder.finish()
