"""Rows of plain values from a frame, records, or ids."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeGuard

from inkframe.errors import InvalidArgument
from inkframe.frames import identified, origin
from inkframe.resources.records import TypedRecord, picture_source, values_of
from inkframe.schema import RESOURCES
from inkframe.vocabulary.arguments import check_id, short

if TYPE_CHECKING:
    import pandas as pd

    from inkframe.schema import ResourceSpec

__all__ = ["held_by", "is_frame", "other_records", "read_ids", "row_of", "rows_of"]

#: Columns of only one collection, which identify frames without provenance.
OWN_COLUMNS: Final = {
    spec.name: spec.columns.keys()
    - {column for other in RESOURCES.values() if other is not spec for column in other.columns}
    for spec in RESOURCES.values()
}


def read_ids(spec: ResourceSpec, record_type: type, given: Any) -> list[int | str]:
    """Return the ids of a frame, of records, or given ids.

    Args:
        spec: The collection.
        record_type: The class of its records.
        given: The frame, or the records or ids.

    Raises:
        InvalidArgument: It is none of these, or of another collection.
    """
    if is_frame(given):
        if origin(given).get("collection") not in {None, spec.name}:
            raise other_records(spec, origin(given).get("collection"))
        found: list[int | str] = identified(given).index.tolist()
        return found
    if isinstance(given, str | bytes) or not hasattr(given, "__iter__"):
        raise InvalidArgument(
            f"ids must be a list of ids, got {short(given)}.\nUse delete() for a single id."
        )
    return [check_id(each, record_type) for each in given]


def other_records(spec: ResourceSpec, held: str | None) -> InvalidArgument:
    """Return the error for a frame of another collection."""
    return InvalidArgument(
        f"A frame of {spec.name} is needed; this is a frame of {held}.\n"
        f"Use client.{held}; the collections have separate ids."
    )


def held_by(frame: pd.DataFrame) -> str | None:
    """Return the collection of the records of a frame, by its provenance or its columns."""
    said = origin(frame).get("collection")
    columns = set(frame.columns)
    seen = [name for name, own in OWN_COLUMNS.items() if own & columns]
    return said or (seen[0] if len(seen) == 1 else None)


def is_frame(given: object) -> TypeGuard[pd.DataFrame]:
    """Return whether an object is a DataFrame, without importing pandas for records and ids."""
    return hasattr(given, "columns") and hasattr(given, "index")


def rows_of(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a frame, with None for missing values.

    Raises:
        InvalidArgument: The frame has no ids, or a row has none.
    """
    frame = identified(frame, distinct=False)
    found: list[dict[str, Any]] = [{"id": id} for id in frame.index.tolist()]
    for name in frame.columns:
        column = frame[name]
        for row, value, missing in zip(found, column.astype(object), column.isna(), strict=True):
            row[name] = None if missing else value
    return found


def row_of(record: TypedRecord) -> dict[str, Any]:
    """Return the values of a record by name, with the picture if the record contains it."""
    found = values_of(record)
    source = picture_source(record)
    return found | {"picture_url": source} if source else found
