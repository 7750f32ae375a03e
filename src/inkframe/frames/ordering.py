"""Sort a whole listing here and not on the service, which may sort by its own rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["key_of", "row_order"]


def key_of(index: pd.Index, sort_by: str) -> str | None:
    """Return the column to sort by, or None for the ids themselves."""
    if sort_by == "name":
        return "name"
    return None if index.dtype == np.int64 else "created_at"


def row_order(frame: pd.DataFrame, sort_by: str, sort: str) -> np.ndarray | None:
    """Return the positions of a frame's rows in order, or None if they are in order already.

    Equal rows keep their order.

    Args:
        frame: A frame with at least the column to sort by, its records in the order of arrival.
        sort_by: ``id`` or ``name``. String ids are sorted by the time of creation.
        sort: ``asc`` or ``desc``.
    """
    key = key_of(frame.index, sort_by)
    values = frame.index if key is None else frame[key]
    keys = values.str.casefold().fillna("") if key == "name" else values.to_numpy()
    # Reversed twice, so that equal rows keep their order.
    order = np.asarray((keys if sort == "asc" else keys[::-1]).argsort(kind="stable"))
    if sort == "desc":
        order = len(order) - 1 - order[::-1]
    return None if np.array_equal(order, np.arange(len(frame))) else order
