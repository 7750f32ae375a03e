"""Records as rows of plain values, whatever they were given as: a frame, records, or ids."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeGuard

from inkframe.errors import InvalidArgument
from inkframe.frames import ATTRIBUTE
from inkframe.library.arguments import check_id
from inkframe.library.records import Document, Image

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pandas as pd

    from inkframe.library.collection import Collection

__all__ = ["rows", "select"]

Record = Image | Document


def select(
    collection: Collection[Any], given: pd.DataFrame | Iterable[int | str | Record] | int | str | Record
) -> list[dict[str, Any]]:
    """Give a row for each record.

    Args:
        collection: Where ids are looked up.
        given: A frame with the ids as its index or in a column ``id``, records, ids, or one of these.

    Raises:
        InvalidArgument: It is none of these.
        NotFound: An id is not there.
    """
    if is_frame(given):
        held = given.attrs.get(ATTRIBUTE, {}).get("collection", collection.resource)
        if held != collection.resource or ("prompt" in given.columns) != (collection.resource == "documents"):
            raise InvalidArgument(
                f"The frame holds no {collection.resource}.\nIts ids mean something else here."
            )
        return rows(given)
    if isinstance(given, Image | Document | str) or not hasattr(given, "__iter__"):
        given = [given]
    found: list[dict[str, Any]] = []
    for each in given:
        check_id(each, collection.record_type)
        record = each if isinstance(each, Image | Document) else collection.get(each)
        found.append(values(record))
    return found


def values(record: Record) -> dict[str, Any]:
    """Give a record's values by name, with its picture's source."""
    row = record._values()  # noqa: SLF001  # the same room
    extra: dict[str, Any] = row.pop("extra")
    return row | extra


def is_frame(given: object) -> TypeGuard[pd.DataFrame]:
    """Whether something is a DataFrame, without importing pandas for records and ids."""
    return hasattr(given, "columns") and hasattr(given, "index")


def rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Give a frame's rows; what is missing is None.

    Raises:
        InvalidArgument: The frame has no ids.
    """
    if frame.index.name != "id":
        if "id" not in frame.columns:
            raise InvalidArgument(
                "The frame has no ids: its index is not named id, and there is no column id."
            )
        frame = frame.set_index("id")
    columns = {name: frame[name].astype(object).where(frame[name].notna(), None) for name in frame.columns}
    names = list(columns)
    ids = [id if isinstance(id, str) else int(id) for id in frame.index]
    return [
        {"id": id, **dict(zip(names, row, strict=True))}
        for id, row in zip(ids, zip(*columns.values(), strict=True), strict=True)
    ]
