"""Chunks of text columns, which take nearly all the memory of a library: store no text twice for long."""

from __future__ import annotations

import mmap
from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["apart", "rearranged", "text_chunk"]

#: The system's allocator: Arrow's own keeps the memory that many small arrays free.
POOL: Final = pa.system_memory_pool()
#: Rows that are moved at a time.
MOVED: Final = 400
#: Bytes of text from which a chunk gets its own memory.
APART: Final = 65_536


def text_chunk(values: Sequence[str | None]) -> pa.Array:
    """Return strings as an Arrow array."""
    return pa.array(values, pa.large_string(), memory_pool=POOL)


def apart(chunk: pa.Array) -> pa.Array:
    """Return a chunk in its own memory, which returns to the system as soon as the chunk is freed.

    Otherwise it would leave a gap in shared memory, and sorting the rows of a library would take twice its
    memory.
    """
    validity, offsets, text = chunk.buffers()
    if text is None or len(text) < APART:
        return chunk
    memory = mmap.mmap(-1, len(text))
    memory[:] = text
    return pa.Array.from_buffers(chunk.type, len(chunk), [validity, offsets, pa.py_buffer(memory)])


def rearranged(chunks: list[pa.Array], order: np.ndarray) -> list[pa.Array]:
    """Return the rows of chunks in another order, some at a time. The list of chunks is emptied.

    Each chunk is freed after its last row. If neighboring rows stay near each other, as in merged listings,
    little is stored twice.

    Args:
        chunks: The chunks; the caller should keep no other reference to them.
        order: The position of each row among those of all chunks.
    """
    starts = np.cumsum([0, *map(len, chunks)])
    sources = np.searchsorted(starts, order, side="right") - 1
    last = np.zeros(len(chunks), dtype=np.int64)
    np.maximum.at(last, sources, np.arange(len(order)))
    moved: list[pa.Array] = []
    for begin in range(0, len(order), MOVED):
        here = slice(begin, begin + MOVED)
        moved.append(_collected(chunks, sources[here], order[here] - starts[sources[here]]))
        for source in np.unique(sources[here]):
            if last[source] < begin + MOVED:
                chunks[source] = None
    return moved


def _collected(chunks: Sequence[pa.Array], sources: np.ndarray, rows: np.ndarray) -> pa.Array:
    """Return rows of several chunks as one chunk, each row by its chunk and its position there."""
    by_source = np.argsort(sources, kind="stable")
    used, begins = np.unique(sources[by_source], return_index=True)
    parts = [
        pc.take(chunks[source], taken, memory_pool=POOL)
        for source, taken in zip(used, np.split(rows[by_source], begins[1:]), strict=True)
    ]
    back = np.empty_like(by_source)
    back[by_source] = np.arange(len(by_source))
    return pc.take(pa.concat_arrays(parts), back, memory_pool=POOL)
