"""Chunks of a text column: nearly all the memory of a library, so that no text should be held twice for long."""

from __future__ import annotations

import mmap
from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["apart", "rearranged", "text_chunk"]

#: The system's memory: Arrow's own allocator keeps what many small arrays gave back.
POOL: Final = pa.system_memory_pool()
#: Rows that are moved at a time.
MOVED: Final = 400
#: Bytes of text from which a chunk is worth memory of its own.
APART: Final = 65_536


def text_chunk(values: Sequence[str | None]) -> pa.Array:
    """Give texts as an Arrow array."""
    return pa.array(values, pa.large_string(), memory_pool=POOL)


def apart(chunk: pa.Array) -> pa.Array:
    """Give a chunk in memory of its own, which goes back to the system the moment it is let go of.

    Between others it would leave a gap, and a library whose rows are put in another order would take the
    place of two.
    """
    validity, offsets, text = chunk.buffers()
    if text is None or len(text) < APART:
        return chunk
    memory = mmap.mmap(-1, len(text))
    memory[:] = text
    return pa.Array.from_buffers(chunk.type, len(chunk), [validity, offsets, pa.py_buffer(memory)])


def rearranged(chunks: list[pa.Array], order: np.ndarray) -> list[pa.Array]:
    """Give the rows of chunks in another order, some at a time; the list of chunks is used up.

    Each chunk is let go of with its last row, so that little is held twice where rows that stand near each
    other stay near, as when several listings are merged.

    Args:
        chunks: The chunks, which nobody else should hold.
        order: The position of each row among those of all chunks.
    """
    starts = np.cumsum([0, *map(len, chunks)])
    homes = np.searchsorted(starts, order, side="right") - 1
    last = np.zeros(len(chunks), dtype=np.int64)
    np.maximum.at(last, homes, np.arange(len(order)))
    moved: list[pa.Array] = []
    for begin in range(0, len(order), MOVED):
        here = slice(begin, begin + MOVED)
        moved.append(_gathered(chunks, homes[here], order[here] - starts[homes[here]]))
        for home in np.unique(homes[here]):
            if last[home] < begin + MOVED:
                chunks[home] = None
    return moved


def _gathered(chunks: Sequence[pa.Array], homes: np.ndarray, rows: np.ndarray) -> pa.Array:
    """Give rows of several chunks as one, each by its chunk and its position there."""
    by_home = np.argsort(homes, kind="stable")
    used, begins = np.unique(homes[by_home], return_index=True)
    parts = [
        pc.take(chunks[home], taken, memory_pool=POOL)
        for home, taken in zip(used, np.split(rows[by_home], begins[1:]), strict=True)
    ]
    back = np.empty_like(by_home)
    back[by_home] = np.arange(len(by_home))
    return pc.take(pa.concat_arrays(parts), back, memory_pool=POOL)
