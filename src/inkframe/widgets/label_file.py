"""Labels of records, saved in the file of ratings as they are given and shown again later."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from inkframe.errors import InvalidArgument
from inkframe.frames.ratings import Judgment, RatingsFile, record_key, user_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inkframe.widgets.frame_source import FrameSource

__all__ = ["LABEL", "restore_labels", "save_label"]

#: The column of labels, and the question under which the file has them.
LABEL: Final = "label"
QUESTION: Final = "Label"


def save_label(source: FrameSource, positions: Sequence[int], value: str | None) -> None:
    """Save the label of some rows; None takes it away.

    Raises:
        ConfigurationError: The file cannot be written.
    """
    file = RatingsFile()
    for id, made in _identities(source, positions):
        plain = id.item() if isinstance(id, np.generic) else id
        known = plain if isinstance(plain, int | str) else str(plain)
        file.add(
            Judgment(
                known,
                user_name(),
                "labels",
                QUESTION,
                service=source.service,
                collection=source.spec.name,
                content=made,
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
    identities = _identities(source, range(len(source.frame)))
    places = {(record_key(source.spec.name, id), made): at for at, (id, made) in enumerate(identities)}
    try:
        judgments, _, _ = RatingsFile().read()
    except InvalidArgument:
        return []  # the first label that is given says that the file cannot be used
    given: dict[int, Any] = {}
    for each in judgments:
        at = places.get((record_key(each.collection, each.id), each.content))
        if at is not None and each.question == QUESTION and each.service == source.service:
            given[at] = each.value
    labels = list(dict.fromkeys(value for value in given.values() if isinstance(value, str)))
    for label in labels:
        source.set(LABEL, [at for at, value in given.items() if value == label], label)
    return labels


def _identities(source: FrameSource, positions: Sequence[int]) -> list[tuple[Any, str]]:
    """Return the ids of some rows with the time each was created: local libraries share their ids."""
    rows = source.frame.iloc[list(positions)]
    times = rows["created_at"].astype("str") if "created_at" in rows.columns else [""] * len(rows)
    return list(zip(rows.index, times, strict=True))
