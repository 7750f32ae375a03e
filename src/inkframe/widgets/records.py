"""Records as frames and as what a notebook shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from inkframe.library import Document, Documents, Image, Images

__all__ = ["frame_of"]


def frame_of(collection: Images | Documents, records: Sequence[Image | Document]) -> pd.DataFrame:
    """Give records as a frame like those that the collection gives."""
    from inkframe.frames.schema import columns_of

    rows: list[dict[str, Any]] = [record._values() for record in records]  # noqa: SLF001  # records and frames are one house
    columns = {name: [row[name] for row in rows] for name in columns_of(collection.resource)}
    names = dict.fromkeys(name for row in rows for name in row["extra"])
    builder = collection._builder()  # noqa: SLF001  # as above: the one place that knows the client's categories
    builder.add(
        [row["id"] for row in rows], columns, {n: [row["extra"].get(n) for row in rows] for n in names}
    )
    return builder.finish()
