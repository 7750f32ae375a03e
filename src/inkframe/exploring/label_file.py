"""Labels of records, saved in the file of ratings as they are given and shown again later."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Final

import pandas as pd

from inkframe.deciding.ratings import Judgment, RatingsFile, record_key, user_name
from inkframe.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inkframe.exploring.frame_source import FrameSource

__all__ = ["LABEL", "restore_labels", "save_label"]

#: The column of labels, and the question under which the file has them.
LABEL: Final = "label"
QUESTION: Final = "Label"
#: The columns of texts that identify a record, beside its time of creation: the first that a frame has.
TEXTS: Final = ("prompt", "description", "result")


def save_label(source: FrameSource, positions: Sequence[int], value: str | None) -> None:
    """Save the label of some rows; None takes it away.

    Raises:
        ConfigurationError: The file cannot be written.
    """
    file = RatingsFile()
    for at in positions:
        id = source.ids[at]
        file.add(
            Judgment(
                id if isinstance(id, int | str) else str(id),
                user_name(),
                "labels",
                QUESTION,
                service=source.service,
                collection=source.spec.name,
                content=" ".join(_marks(source, at)),
                value=value,
                blind=False,
            )
        )


def restore_labels(source: FrameSource) -> list[str]:
    """Add the labels that the records were given before, and return the different ones.

    Frames with a column of labels keep it; frames without provenance have no records to recognize.
    """
    if LABEL in source.frame.columns or not source.service or not source.has_ids:
        return []
    try:
        judgments, _, _ = RatingsFile().read()
    except InvalidArgument:
        return []  # the first label that is given says that the file cannot be used
    places = {record_key(source.spec.name, id): at for at, id in enumerate(source.ids)}
    given: dict[int, Any] = {}
    for each in judgments:
        at = places.get(record_key(each.collection, each.id))
        if at is None or each.question != QUESTION or each.service != source.service:
            continue
        then = dict(mark.partition(":")[::2] for mark in each.content.split())
        here = dict(mark.partition(":")[::2] for mark in _marks(source, at))
        common = [kind for kind in here if kind in then]  # the time first, which decides where both have it
        if here[common[0]] == then[common[0]] if common else not (here and then):
            given[at] = each.value
    labels = list(dict.fromkeys(value for value in given.values() if isinstance(value, str)))
    for label in labels:
        source.set(LABEL, [at for at, value in given.items() if value == label], label)
    return labels


def _marks(source: FrameSource, at: int) -> list[str]:
    """Return what a record has beside its id, which records of other local libraries share.

    A frame may lack the time, and another the text.
    """
    frame = source.frame
    marks = []
    if "created_at" in frame.columns and pd.notna(time := frame["created_at"].iloc[at]):
        marks.append(f"created:{pd.Timestamp(time).as_unit('us').value}")
    for name in TEXTS:
        if name in frame.columns and isinstance(text := frame[name].iloc[at], str):
            digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
            marks.append(f"{name}:{digest[:16]}")
            break
    return marks
