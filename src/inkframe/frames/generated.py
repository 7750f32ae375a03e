"""Generated columns: texts and pictures beside a person's own columns, with the ids of their records."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from inkframe.errors import InvalidArgument
from inkframe.frames.baselines import ATTRIBUTE, COLUMNS, attribute, origin
from inkframe.schema import RESOURCES

if TYPE_CHECKING:
    from inkframe.schema import ResourceSpec

__all__ = ["generated_columns", "records_of_column"]


def generated_columns(frame: pd.DataFrame) -> dict[str, ResourceSpec]:
    """Return the collection of each generated column of a frame that has its ids beside it, as its attrs say."""
    return {
        name: RESOURCES[str(held)]
        for name, held in attribute(frame, COLUMNS).items()
        if str(held) in RESOURCES and not _lacking(frame, name)
    }


def records_of_column(frame: pd.DataFrame, column: str, spec: ResourceSpec) -> pd.DataFrame:
    """Return the records of a generated column as a frame of their collection.

    Args:
        frame: A frame with the column and its ids, which may have been read from a file.
        column: The generated column.
        spec: The collection of its records.

    Returns:
        The column ``id`` and the generated field, indexed by the number of the row; rows without an id are left out.

    Raises:
        InvalidArgument: The column or that of its ids is missing, or appears twice.
    """
    if not isinstance(frame, pd.DataFrame):
        raise InvalidArgument(
            f"Expected a DataFrame, got {type(frame).__name__}.\nPass the frame with {column!r}."
        )
    if lacking := _lacking(frame, column):
        raise InvalidArgument(
            f"A frame with the {spec.noun}s in {column!r} must have one column {lacking[0]!r}.\n"
            f"The ids of the {spec.noun}s are in {column + '_id'!r}, as write() and draw() return them."
        )
    values = {"id": frame[f"{column}_id"].array, spec.generated: frame[column].array}
    records = pd.DataFrame(values).dropna(subset="id")
    if came := origin(frame):
        records.attrs[ATTRIBUTE] = came | {"collection": spec.name}
    return records


def _lacking(frame: pd.DataFrame, column: str) -> list[str]:
    return [name for name in (column, f"{column}_id") if (frame.columns == name).sum() != 1]
