"""The order of a whole listing, made here and not by the service, which may sort by its own rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

__all__ = ["in_order", "key_of", "rearranged", "row_order"]

#: Rows that are moved at a time.
MOVED: Final = 400


def in_order(frame: pd.DataFrame, sort_by: str, sort: str) -> pd.DataFrame:
    """Give a frame of a collection sorted.

    Args:
        frame: The frame, its records in the order of their arrival.
        sort_by: ``id`` or ``name``. Text ids have no order of their own: they go by their time of creation.
        sort: ``asc`` or ``desc``.
    """
    order = row_order(frame, sort_by, sort)
    return frame if order is None else frame.iloc[order]


def key_of(index: pd.Index, sort_by: str) -> str | None:
    """Give the column that decides the order, or None where the ids themselves do."""
    if sort_by == "name":
        return "name"
    return None if index.dtype == np.int64 else "created_at"


def row_order(frame: pd.DataFrame, sort_by: str, sort: str) -> np.ndarray | None:
    """Give the positions of a frame's rows in order, or None where they are in order.

    Args:
        frame: A frame with at least the column of ``key_of``.
        sort_by: As in ``in_order``.
        sort: As in ``in_order``.
    """
    key = key_of(frame.index, sort_by)
    if key is None:
        order = np.argsort(frame.index.to_numpy(), kind="stable")
    elif key == "name":
        order = frame["name"].str.casefold().fillna("").argsort(kind="stable").to_numpy()
    else:
        order = np.argsort(frame[key].to_numpy(), kind="stable")
    if sort == "desc":
        order = order[::-1]
    return None if np.array_equal(order, np.arange(len(frame))) else order


def rearranged(chunks: list[pa.Array], order: np.ndarray, pool: pa.MemoryPool) -> list[pa.Array]:
    """Give the rows of chunks in another order, some at a time; the list of chunks is used up.

    Each chunk is let go of with its last row, so that little is held twice where rows that stand near each
    other stay near: a listing that is turned round, or several that are merged.

    Args:
        chunks: The chunks, which nobody else should hold.
        order: The position of each row among those of all chunks.
        pool: Where the memory comes from.
    """
    starts = np.cumsum([0, *map(len, chunks)])
    homes = np.searchsorted(starts, order, side="right") - 1
    last = np.zeros(len(chunks), dtype=np.int64)
    np.maximum.at(last, homes, np.arange(len(order)))
    moved: list[pa.Array] = []
    for begin in range(0, len(order), MOVED):
        here = slice(begin, begin + MOVED)
        moved.append(_gathered(chunks, homes[here], order[here] - starts[homes[here]], pool))
        for home in np.unique(homes[here]):
            if last[home] < begin + MOVED:
                chunks[home] = None
    return moved


def _gathered(
    chunks: Sequence[pa.Array], homes: np.ndarray, rows: np.ndarray, pool: pa.MemoryPool
) -> pa.Array:
    """Give one row of a chunk after the other."""
    by_home = np.argsort(homes, kind="stable")
    used, begins = np.unique(homes[by_home], return_index=True)
    parts = [
        pc.take(chunks[home], taken, memory_pool=pool)
        for home, taken in zip(used, np.split(rows[by_home], begins[1:]), strict=True)
    ]
    if len(parts) == 1:
        return parts[0]
    back = np.empty_like(by_home)
    back[by_home] = np.arange(len(by_home))
    return pc.take(pa.concat_arrays(parts, memory_pool=pool), back, memory_pool=pool)
