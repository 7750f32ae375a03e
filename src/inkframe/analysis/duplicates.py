"""Records of a library that say, or show, nearly the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import pandas as pd

from inkframe.analysis.columns import annotate, require, share, texts
from inkframe.analysis.grouping import groups, representatives
from inkframe.analysis.minhash import SHINGLE, candidates, jaccard, signatures
from inkframe.analysis.perceptual import alike, fingerprints

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from inkframe.analysis.pictures import Pictures

__all__ = ["near_duplicates"]

#: What counts as nearly the same where nothing is said: of texts, and of pictures.
TEXT_THRESHOLD, PICTURE_THRESHOLD = 0.8, 0.9
UNITS: Final = {
    "group": "number, largest group first",
    "size": "records in the group",
    "representative": "id",
    "is_representative": "true or false",
}


def near_duplicates(
    frame: pd.DataFrame,
    threshold: float | None = None,
    *,
    column: str = "result",
    pictures: Pictures | None = None,
    random_state: int = 0,
) -> pd.DataFrame:
    """Find records that are nearly the same, and group them.

    Texts are compared by the share of their sequences of three words that they have in common
    (Jaccard similarity; capitals and punctuation do not count). Candidates come from MinHash and are
    then compared exactly: no pair below the threshold is found, and at least 99 of 100 at it are.
    Pictures are compared by the share of equal bits of a perceptual hash, and must be alike in colour.

    A group holds every record that is a near duplicate of some other in it. Its representative is the
    record with most near duplicates; of equal ones, the first in the frame.

    Args:
        frame: Documents, or images where ``pictures`` is given.
        threshold: Similarity from which records are duplicates, above 0 and at most 1. Without it 0.8
            for texts and 0.9 for pictures.
        column: The column of texts.
        pictures: Bytes or PIL pictures by id, as a mapping, a Series or a function of the id. With it
            pictures are compared, not texts.
        random_state: Seed of the permutations.

    Returns:
        The records that have a duplicate, by group, the representative first. The index is that of the
        frame; columns are group, size, representative (its id), is_representative and similarity
        (to the representative, 0 to 1). No rows where nothing is duplicated.

    Raises:
        InvalidArgument: The column is missing or no text, the threshold is not between 0 and 1, or a
            picture cannot be read.

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
    # Texts with the same shingles are one text from here on, so that a thousand copies are no crowd.
    _, first, copy_of = np.unique(signed.exact[usable], return_index=True, return_inverse=True)
    pairs = candidates(signed.minima[:, usable[first]], threshold)
    pairs = usable[first][pairs]
    pairs = pairs[jaccard(values, pairs) >= threshold]
    copies = np.column_stack([usable, usable[first][copy_of]])
    pairs = np.concatenate([pairs, copies[copies[:, 0] != copies[:, 1]]])
    group = groups(len(frame), pairs)
    chosen = representatives(group, pairs)
    members = np.flatnonzero(np.bincount(group, minlength=len(frame))[group] > 1)
    similarity = jaccard(values, np.column_stack([members, chosen[members]]))
    note = (
        f"{len(frame) - usable.size} records without words were left out." if usable.size < len(frame) else ""
    )
    return _result(
        frame, group, chosen, members, similarity, f"Jaccard of {SHINGLE}-word shingles, 0 to 1", note
    )


def _of_pictures(frame: pd.DataFrame, pictures: Pictures, threshold: float) -> pd.DataFrame:
    positions, words, colours = fingerprints(frame.index, pictures)
    found, _ = alike(words, colours, threshold)
    pairs = positions[found]
    group = groups(len(frame), pairs)
    chosen = representatives(group, pairs)
    members = np.flatnonzero(np.bincount(group, minlength=len(frame))[group] > 1)
    at = np.searchsorted(positions, [members, chosen[members]])
    similarity = 1 - np.bitwise_count(words[at[0]] ^ words[at[1]]).sum(axis=1) / 128
    missing = len(frame) - positions.size
    note = f"{missing} records without a picture were left out." if missing else ""
    return _result(frame, group, chosen, members, similarity, "equal bits of the hash, 0 to 1", note)


def _result(
    frame: pd.DataFrame,
    group: NDArray[np.int64],
    chosen: NDArray[np.int64],
    members: NDArray[np.int64],
    similarity: NDArray[np.float64],
    unit: str,
    note: str,
) -> pd.DataFrame:
    sizes = np.bincount(group, minlength=len(frame))[group]
    leads = chosen == np.arange(len(frame))
    order = np.lexsort((members, -similarity, ~leads[members], group[members], -sizes[members]))
    members, similarity = members[order], similarity[order]
    numbers = pd.factorize(group[members])[0] + 1
    result = pd.DataFrame(
        {
            "group": numbers.astype(np.int64),
            "size": sizes[members],
            "representative": frame.index.take(chosen[members]),
            "is_representative": leads[members],
            "similarity": similarity,
        },
        index=frame.index.take(members),
    )
    return annotate(result, UNITS | {"similarity": unit}, note)
