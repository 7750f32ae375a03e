"""Near duplicates among the records of a library, and their plot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from inkframe.analysis.charts import SERIES, chart, figure, plain, theme
from inkframe.analysis.similarity import UNIT, link, medoids, merge, signatures, similarity_of_pairs
from inkframe.analysis.validation import (
    Pictures,
    align_vectors,
    annotate,
    attribute,
    each_picture,
    left_out,
    require,
    result_of,
    share,
    texts,
)
from inkframe.errors import checked, options_of
from inkframe.frames import ids_of_pictures

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray


__all__ = [
    "VECTOR_THRESHOLD",
    "SmallCopies",
    "near_duplicates",
    "pair_similarity",
    "plot_near_duplicates",
    "similar_pairs",
    "small_copies",
]

#: The default thresholds for texts, for pictures and for vectors: that of communities in sentence-transformers.
TEXT_THRESHOLD, PICTURE_THRESHOLD, VECTOR_THRESHOLD = 0.9, 0.95, 0.75
UNITS: Final = {
    "group": "number, largest group first",
    "size": "records in the group",
    "representative": "id",
    "is_representative": "true or false",
}
#: Groups with at least this many records are counted together.
MANY: Final = 8
#: Pixels along a side of the small copy, and of the picture it is made from: a JPEG that is decoded smaller differs.
SIDE, DECODED = 9, 256
#: A picture with a smaller standard deviation, as a share of the full range, is plain: it has nothing to correlate.
PLAIN: Final = 0.01
#: Pictures are different if their colors, relative to their brightness, differ by more than this on average.
COLOR_TOLERANCE: Final = 0.15
#: Pictures that are compared with all others at once.
BLOCK: Final = 512


@checked
def near_duplicates(
    frame: pd.DataFrame,
    threshold: float | None = None,
    *,
    column: str | None = None,
    pictures: Pictures | None = None,
    vectors: Any = None,
    random_state: int = 0,
) -> pd.DataFrame:
    """Find near duplicates and group them.

    Texts are compared by the words and word pairs that they share, as ``pairwise_similarity`` has it. Candidates come from MinHash and are then compared exactly: no pair below the threshold
    counts, and at least 99 of 100 pairs at the threshold are found. Pictures are compared by the
    correlation of copies of 9 by 9 pixels, and must have similar colors: copies that were resized, recompressed or
    made brighter are found, and so are slightly cropped ones. With ``vectors`` texts are compared by the cosine of their
    vectors, so that a text in other words is found.

    Each record of a group is a near duplicate of at least one other. The representative is the record that is
    most similar to all of the group, or the first of equal ones.

    Args:
        frame: Documents, or images if ``pictures`` is passed.
        threshold: The least similarity of near duplicates, above 0 and at most 1. The default is 0.9 for
            texts, 0.95 for pictures and 0.75 for vectors.
        column: The column of texts; by default the generated one, or ``result``, with ``vectors`` also the description
            and settings of images. With ``pictures`` their generated column.
        pictures: Bytes or PIL pictures by id, as a mapping, a Series or a function of the id. If passed,
            pictures are compared instead of texts.
        vectors: A function from a list of texts to an array with a row for each, or such an array or frame. If passed,
            meanings are compared instead of words. The threshold depends on the model: paraphrases have cosines from
            about 0.7 in small sentence models, and unrelated texts have them in some others.
        random_state: Seed of the permutations.

    Returns:
        The records with a duplicate, by group, the representative first. The index is that of the frame. The
        columns are group, size, representative (its id), is_representative and similarity (to the
        representative, 0 to 1; missing for the representative itself). Without duplicates there are no rows.

    Raises:
        InvalidArgument: The column is missing or does not hold text, the threshold is not between 0 and 1, or
            a picture cannot be read.

    Example:
        >>> doubles = near_duplicates(documents)
        >>> documents.drop(doubles.index[~doubles["is_representative"]])
    """
    usual = (
        PICTURE_THRESHOLD if pictures is not None else TEXT_THRESHOLD if vectors is None else VECTOR_THRESHOLD
    )
    level = share("threshold", usual if threshold is None else threshold)
    require(frame)
    if pictures is not None:
        positions, copies = small_copies(ids_of_pictures(frame, column), pictures)
        pairs, unit = similar_pairs(copies, level), "correlation of small copies, 0 to 1"
        return _joined(frame, positions, copies.shapes, [pairs], unit=unit, what="a picture")
    if vectors is not None:
        values, present = align_vectors(frame, vectors, column)
        rows, unit = values[present], "cosine of the vectors, 0 to 1"
        rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), np.finfo(np.float32).tiny)
        pairs_of_blocks = _close(rows, level, np.zeros(len(rows), bool))
        return _joined(frame, np.flatnonzero(present), rows, pairs_of_blocks, unit=unit, what="a vector")
    return _of_texts(frame, column, level, random_state)


def _of_texts(frame: pd.DataFrame, column: str | None, threshold: float, random_state: int) -> pd.DataFrame:
    values, present = texts(frame, column)
    signed = signatures(values, random_state)
    usable = np.flatnonzero(present & (signed.sizes > 0))
    # Texts with the same words and word pairs are compared as one, so that many copies take no time.
    _, first, copy_of = np.unique(signed.exact[usable], return_index=True, return_inverse=True)
    labels = merge(np.arange(len(frame)), np.column_stack([usable, usable[first][copy_of]]))
    labels = link(values, signed.minima, labels, usable[first], threshold)
    members = _members(labels)
    chosen = members[medoids(labels[members], signed.minima[:, members])]
    similarity = similarity_of_pairs(values, np.column_stack([members, chosen]))
    result = _result(frame, labels, members, chosen, similarity)
    return annotate(result, UNITS | {"similarity": UNIT}, left_out(usable.size, frame, "words"))


def _joined(
    frame: pd.DataFrame,
    positions: NDArray[np.int64],
    shapes: NDArray[np.float32],
    pairs: Iterable[NDArray[np.int64]],
    *,
    unit: str,
    what: str,
) -> pd.DataFrame:
    """Return the groups of records that pairs join, with the one in the middle of each.

    Args:
        frame: The records.
        positions: Those that have a shape.
        shapes: Their shapes, rows of length 1.
        pairs: Pairs of places among the shapes.
        unit: The unit of their similarity.
        what: What the other records lack.
    """
    labels = np.arange(len(frame))
    for some in pairs:
        labels = merge(labels, positions[some])
    members = _members(labels)
    places, chosen = np.searchsorted(positions, members), np.empty(len(members), np.int64)
    for label in np.unique(labels[members]):
        group = np.flatnonzero(labels[members] == label)
        own = shapes[places[group]]
        chosen[group] = group[(own @ own.sum(axis=0)).argmax()]
    similarity = pair_similarity(shapes, places, places[chosen])
    result = _result(frame, labels, members, members[chosen], similarity)
    return annotate(result, UNITS | {"similarity": unit}, left_out(positions.size, frame, what))


def _members(labels: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.flatnonzero(np.bincount(labels, minlength=labels.size)[labels] > 1)


def _result(
    frame: pd.DataFrame,
    labels: NDArray[np.int64],
    members: NDArray[np.int64],
    chosen: NDArray[np.int64],
    similarity: NDArray[np.float64],
) -> pd.DataFrame:
    group = labels[members]
    sizes = np.bincount(group, minlength=len(frame))[group]
    order = np.lexsort((members, -similarity, chosen != members, group, -sizes))
    members, chosen = members[order], chosen[order]
    return pd.DataFrame(
        {
            "group": pd.factorize(group[order])[0].astype(np.int64) + 1,
            "size": sizes[order],
            "representative": frame.index.take(chosen),
            "is_representative": chosen == members,
            "similarity": np.where(chosen == members, np.nan, similarity[order]),  # not that with itself
        },
        index=frame.index.take(members),
    )


class SmallCopies:
    """Small copies of pictures, by which resized, recompressed and brightened pictures are recognized.

    Two pictures are compared by the correlation of their copies of 9 by 9 pixels in three colors, which does not
    depend on brightness and contrast, and by their colors relative to their brightness. Measured on drawn pictures,
    this finds the copies that a difference hash misses where neighboring areas are equally bright.

    Args:
        copies: Pixels of shape (pictures, side, side, 3), 0 to 1.

    Attributes:
        shapes: The copies centered by color and of length 1; zero for plain pictures.
        colors: The copies relative to their brightness.
    """

    def __init__(self, copies: NDArray[np.floating]) -> None:
        centered = (copies - copies.mean(axis=(1, 2), keepdims=True)).reshape(-1, SIDE * SIDE * 3)
        lengths = np.linalg.norm(centered, axis=1, keepdims=True)
        is_plain = lengths < PLAIN * np.sqrt(SIDE * SIDE * 3)
        self.shapes = np.where(is_plain, 0, centered / np.maximum(lengths, 1e-9)).astype(np.float32)
        flat = copies.reshape(-1, SIDE * SIDE * 3)
        self.colors = (flat / np.maximum(flat.mean(axis=1, keepdims=True), PLAIN)).astype(np.float32)


def pair_similarity(
    shapes: NDArray[np.float32], one: NDArray[np.int64], other: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the product of pairs of rows of length 1, 0 to 1; 1 for two that are zero, such as plain pictures."""
    both = shapes[one].any(axis=1) | shapes[other].any(axis=1)
    return np.where(both, np.einsum("ij,ij->i", shapes[one], shapes[other]).clip(0, 1), 1.0).astype(
        np.float64
    )


def small_copies(ids: pd.Index, pictures: Pictures | None) -> tuple[NDArray[np.int64], SmallCopies]:
    """Build the small copies of pictures.

    Returns:
        The positions of the ids that have a picture, and the copies.
    """
    from PIL.Image import Resampling

    found = {
        position: np.asarray(picture.resize((SIDE, SIDE), Resampling.BOX), np.float32) / 255
        for position, picture in each_picture(ids, pictures, DECODED)
    }
    copies = np.array([*found.values()], np.float32).reshape(-1, SIDE, SIDE, 3)
    return np.array([*found], np.int64), SmallCopies(copies)


def similar_pairs(copies: SmallCopies, threshold: float) -> NDArray[np.int64]:
    """Find the pairs of pictures that are similar enough in shape and color, in constant memory.

    Returns:
        Two columns of positions, the smaller first.
    """
    found = [np.empty((0, 2), np.int64)]
    is_plain = np.asarray(~copies.shapes.any(axis=1))
    for pairs in _close(copies.shapes, threshold, is_plain):
        apart = np.abs(copies.colors[pairs[:, 0]] - copies.colors[pairs[:, 1]]).mean(axis=1)
        found.append(pairs[apart <= COLOR_TOLERANCE])
    return np.concatenate(found)


def _close(
    shapes: NDArray[np.float32], threshold: float, is_plain: NDArray[np.bool_]
) -> Iterator[NDArray[np.int64]]:
    """Yield the pairs of rows of length 1 that are similar enough, or both plain, in constant memory."""
    for start in range(0, len(shapes), BLOCK):
        close = shapes[start : start + BLOCK] @ shapes[start:].T >= threshold - 1e-6
        both_plain = is_plain[start : start + BLOCK, None] & is_plain[None, start:]
        yield np.column_stack(np.nonzero(np.triu(close | both_plain, 1))) + start


@checked
@options_of(near_duplicates)
def plot_near_duplicates(
    duplicates: pd.DataFrame, threshold: float | None = None, **options: Any
) -> chart.Chart:
    """Plot the sizes of the groups of near duplicates, and the similarity of their records.

    Args:
        duplicates: Documents or images, or the result of ``near_duplicates``.
        threshold: As in ``near_duplicates``, for documents or images.
        options: Further arguments of ``near_duplicates``.

    Raises:
        InvalidArgument: The frame is neither.
        ConfigurationError: matplotlib is not installed.
    """
    duplicates = result_of(near_duplicates, duplicates, ["is_representative"], threshold, **options)
    sizes = duplicates.loc[duplicates["is_representative"], "size"].clip(upper=MANY).value_counts()
    others = duplicates.loc[~duplicates["is_representative"], "similarity"].to_numpy()
    words = f"{int(sizes.sum()):,} groups of near duplicates; {others.size:,} records can be dropped"
    chart = figure(2.9, words, words)
    left, right = chart.subplots(1, 2)
    names = [str(size) if size < MANY else f"{MANY}+" for size in range(2, MANY + 1)]
    drawn = left.bar(
        names, [int(sizes.get(size, 0)) for size in range(2, MANY + 1)], color=SERIES[0], width=0.7
    )
    left.bar_label(
        drawn, labels=[f"{n:,}" if n else "" for n in drawn.datavalues], color=theme().text, fontsize=9
    )
    left.margins(y=0.14)
    plain(left, "Size of groups", x="records in a group", y="groups")
    right.hist(
        others, bins=np.linspace(others.min() if others.size else 0.0, 1, 21), color=SERIES[1], rwidth=0.9
    )
    right.locator_params(axis="x", nbins=6)
    units = attribute(duplicates, "analysis").get("units", {})
    plain(right, "Similarity to the representative", x=str(units.get("similarity", "0 to 1")), y="records")
    return chart
