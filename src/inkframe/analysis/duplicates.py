"""Near duplicates among the records of a library."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import pandas as pd

from inkframe.analysis.minhash import link, medoids, merge, signatures
from inkframe.analysis.picture_copies import similar_pairs, small_copies
from inkframe.analysis.similarity import UNIT, similarity_of_pairs
from inkframe.analysis.validation import annotate, left_out, require, share, texts
from inkframe.signatures import checked

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from inkframe.analysis.picture_input import Pictures

__all__ = ["near_duplicates"]

#: The default thresholds for texts and for pictures.
TEXT_THRESHOLD, PICTURE_THRESHOLD = 0.9, 0.95
UNITS: Final = {
    "group": "number, largest group first",
    "size": "records in the group",
    "representative": "id",
    "is_representative": "true or false",
}


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
    if pictures is None:
        level = share("threshold", TEXT_THRESHOLD if threshold is None else threshold)
        require(frame, column)
        return _of_texts(frame, column, level, random_state)
    level = share("threshold", PICTURE_THRESHOLD if threshold is None else threshold)
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
