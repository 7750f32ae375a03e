"""The order of a whole listing, made here and not by the service, which may sort by its own rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["in_order"]


def in_order(frame: pd.DataFrame, sort_by: str, sort: str) -> pd.DataFrame:
    """Give a frame of a collection sorted.

    Args:
        frame: The frame, its records in the order of their arrival.
        sort_by: ``id`` or ``name``. Text ids have no order of their own: they go by their time of creation.
        sort: ``asc`` or ``desc``.
    """
    if sort_by == "name":
        order = frame["name"].str.casefold().fillna("").argsort(kind="stable").to_numpy()
    elif frame.index.dtype == np.int64:
        order = np.argsort(frame.index.to_numpy(), kind="stable")
    else:
        order = np.argsort(frame["created_at"].to_numpy(), kind="stable")
    if sort == "desc":
        order = order[::-1]
    if np.array_equal(order, np.arange(len(frame))):
        return frame
    return frame.iloc[order]
