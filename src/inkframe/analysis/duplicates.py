"""Near duplicates among the records of a library, and their plot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from inkframe.analysis.charts import SERIES, chart, figure, plain, theme
from inkframe.analysis.similarity import UNIT, link, medoids, merge, signatures, similarity_of_pairs
from inkframe.analysis.validation import (
    Pictures,
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

if TYPE_CHECKING:
    from numpy.typing import NDArray


__all__ = ["SmallCopies", "near_duplicates", "plot_near_duplicates", "similar_pairs", "small_copies"]

#: The default thresholds for texts and for pictures.
TEXT_THRESHOLD, PICTURE_THRESHOLD = 0.9, 0.95
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
    column: str = "result",
    pictures: Pictures | None = None,
    random_state: int = 0,
) -> pd.DataFrame:
    """Find near duplicates and group them.

    Texts are compared by the words and word pairs that they share, as ``pairwise_similarity`` has it. Candidates come from MinHash and are then compared exactly: no pair below the threshold
    counts, and at least 99 of 100 pairs at the threshold are found. Pictures are compared by the
    correlation of copies of 9 by 9 pixels, and must have similar colors: copies that were resized, recompressed or
    made brighter are found, and so are slightly cropped ones.

    Each record of a group is a near duplicate of at least one other. The representative is the record that is
    most similar to all of the group, or the first of equal ones.

    Args:
        frame: Documents, or images if ``pictures`` is passed.
        threshold: The least similarity of near duplicates, above 0 and at most 1. The default is 0.9 for
            texts and 0.95 for pictures.
        column: The column of texts.
        pictures: Bytes or PIL pictures by id, as a mapping, a Series or a function of the id. If passed,
            pictures are compared instead of texts.
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
    usual = TEXT_THRESHOLD if pictures is None else PICTURE_THRESHOLD
    level = share("threshold", usual if threshold is None else threshold)
    if pictures is None:
        return _of_texts(frame, column, level, random_state)
    require(frame)
    return _of_pictures(frame, pictures, level)


def _of_texts(frame: pd.DataFrame, column: str, threshold: float, random_state: int) -> pd.DataFrame:
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
    units = UNITS | {"similarity": UNIT}
    return annotate(result, units, left_out(usable.size, frame, "words"))


def _of_pictures(frame: pd.DataFrame, pictures: Pictures, threshold: float) -> pd.DataFrame:
    positions, copies = small_copies(frame.index, pictures)
    labels = merge(np.arange(len(frame)), positions[similar_pairs(copies, threshold)])
    members = _members(labels)
    places = np.searchsorted(positions, members)
    chosen = np.empty(len(members), np.int64)
    for label in np.unique(labels[members]):
        group = np.flatnonzero(labels[members] == label)
        shapes = copies.shapes[places[group]]
        chosen[group] = group[(shapes @ shapes.sum(axis=0)).argmax()]
    similarity = copies.similarity(places, places[chosen])
    result = _result(frame, labels, members, members[chosen], similarity)
    units = UNITS | {"similarity": "correlation of small copies, 0 to 1"}
    return annotate(result, units, left_out(positions.size, frame, "a picture"))


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
        count = len(copies)
        centered = (copies - copies.mean(axis=(1, 2), keepdims=True)).reshape(count, SIDE * SIDE * 3)
        lengths = np.linalg.norm(centered, axis=1, keepdims=True)
        is_plain = lengths < PLAIN * np.sqrt(SIDE * SIDE * 3)
        self.shapes = np.where(is_plain, 0, centered / np.maximum(lengths, 1e-9)).astype(np.float32)
        flat = copies.reshape(count, SIDE * SIDE * 3)
        self.colors = (flat / np.maximum(flat.mean(axis=1, keepdims=True), PLAIN)).astype(np.float32)

    def similarity(self, one: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the correlation of pairs of pictures, 0 to 1; 1 for two plain ones."""
        both = self.shapes[one].any(axis=1) | self.shapes[other].any(axis=1)
        found = np.einsum("ij,ij->i", self.shapes[one], self.shapes[other]).astype(np.float64)
        return np.where(both, np.clip(found, 0, 1), 1.0)


def small_copies(ids: pd.Index, pictures: Pictures | None) -> tuple[NDArray[np.int64], SmallCopies]:
    """Build the small copies of pictures.

    Returns:
        The positions of the ids that have a picture, and the copies.
    """
    from PIL.Image import Resampling

    positions, copies = [], []
    for position, picture in each_picture(ids, pictures, DECODED):
        positions.append(position)
        copies.append(np.asarray(picture.resize((SIDE, SIDE), Resampling.BOX), np.float32) / 255)
    return np.array(positions, np.int64), SmallCopies(np.array(copies, np.float32).reshape(-1, SIDE, SIDE, 3))


def similar_pairs(copies: SmallCopies, threshold: float) -> NDArray[np.int64]:
    """Find the pairs of pictures that are similar enough in shape and color, in constant memory.

    Returns:
        Two columns of positions, the smaller first.
    """
    found = [np.empty((0, 2), np.int64)]
    shapes = copies.shapes
    is_plain: NDArray[np.bool_] = np.asarray(~shapes.any(axis=1))
    for start in range(0, len(shapes), BLOCK):
        block = slice(start, start + BLOCK)
        close = shapes[block] @ shapes[start:].T >= threshold - 1e-6
        close |= is_plain[block, None] & is_plain[None, start:]
        one, other = np.nonzero(np.triu(close, 1))
        apart = np.abs(copies.colors[start + one] - copies.colors[start + other]).mean(axis=1)
        found.append(np.column_stack([one, other])[apart <= COLOR_TOLERANCE] + start)
    return np.concatenate(found)


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
    unit = str(attribute(duplicates, "analysis").get("units", {}).get("similarity", "0 to 1"))
    plain(right, "Similarity to the representative", x=unit, y="records")
    return chart
