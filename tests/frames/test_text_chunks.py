"""Texts in Arrow's memory: large chunks apart from others, and rows in another order."""

from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest

from inkframe.frames import build as text_chunks
from inkframe.frames.build import APART, MOVED, apart, rearranged, text_chunk


@pytest.mark.parametrize("values", [[], [None], ["a", None, ""], ["x" * (APART - 1)]])
def test_small_chunks_stay_where_they_are(values):
    """A chunk below the bound is returned itself, also without any text."""
    chunk = text_chunk(values)
    assert chunk.to_pylist() == values
    assert apart(chunk) is chunk


@pytest.mark.parametrize("values", [["x" * APART], ["é" * APART, None, "", "b"]])
def test_large_chunks_get_their_own_memory(values):
    """A chunk of the bound or more is copied, with the same texts and missing values."""
    chunk = text_chunk(values)
    copy = apart(chunk)
    assert copy.equals(chunk)
    assert copy.type == chunk.type == pa.large_string()
    assert copy.buffers()[2].address != chunk.buffers()[2].address


@pytest.mark.parametrize("count", [0, 1, MOVED, MOVED + 1, 3 * MOVED + 7])
def test_rows_are_rearranged(count):
    """Every row is at its new place, in pieces of a bounded size, and the list of chunks is emptied."""
    values = [None if at % 7 == 0 else f"text {at}" for at in range(count)]
    cuts = [0, count // 3, count // 3, count // 2, count]
    chunks = [text_chunk(values[begin:end]) for begin, end in pairwise(cuts)]
    order = np.random.default_rng(0).permutation(count)
    moved = rearranged(chunks, order)
    assert [value for part in moved for value in part.to_pylist()] == [values[at] for at in order]
    assert all(len(part) <= MOVED for part in moved)
    assert all(chunk is None or len(chunk) == 0 for chunk in chunks)


def test_a_chunk_is_freed_after_its_last_row(monkeypatch):
    """While rows keep near their place, chunks that are done are freed before the last ones are read."""
    monkeypatch.setattr(text_chunks, "MOVED", 10)
    chunks = [text_chunk([f"{at}"] * 10) for at in range(4)]
    left, collect = [], text_chunks._collected

    def collected(sources, *rows):
        left.append(sum(chunk is not None for chunk in sources))
        return collect(sources, *rows)

    monkeypatch.setattr(text_chunks, "_collected", collected)
    rearranged(chunks, np.arange(40))
    assert left == [4, 3, 2, 1]
