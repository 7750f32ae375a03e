"""Which records a frame holds: one rule for every view, panel, measure, download and push.

They are those of its generated column of a collection, which has their ids beside it; without one, those of the
index named ``id``, or of a column ``id``.
"""

from __future__ import annotations

from numbers import Integral
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pandas as pd

from inkframe.errors import InvalidArgument
from inkframe.frames.baselines import ATTRIBUTE, COLUMNS, SOURCES, attribute, fit_int64, origin, plain
from inkframe.schema import DOCUMENTS, IMAGES, RESOURCES, ResourceSpec
from inkframe.versions import text_type

if TYPE_CHECKING:
    from collections.abc import Sequence


__all__ = [
    "ENDINGS",
    "Records",
    "check_frames",
    "column_source",
    "generated_columns",
    "held_by",
    "identified",
    "ids_of_pictures",
    "is_own_table",
    "kind_of",
    "of_column",
    "records_of",
    "rows_of",
    "text_column",
]

#: The names of the columns beside a generated one, after its own.
ENDINGS: Final = ("_id", "_status", "_error")
#: How the location of a picture begins.
LOCATIONS: Final = ("http://", "https://", "/", "data:")
#: Columns of only one collection, which identify frames without provenance.
OWN_COLUMNS: Final = {
    spec.name: spec.columns.keys()
    - {column for other in RESOURCES.values() if other is not spec for column in other.columns}
    for spec in RESOURCES.values()
}
#: Below this, every whole number is an exact float.
EXACT: Final = 2.0**53


class Records(NamedTuple):
    """The records of a frame.

    Attributes:
        spec: Their collection.
        column: The generated column that they are of; empty if each row is a record.
        places: The positions of their rows in the frame; rows whose record is missing are left out.
        frame: Their values by id, with the provenance of their collection; the columns that a person has beside a
            generated one, too.
    """

    spec: ResourceSpec
    column: str
    places: list[int]
    frame: pd.DataFrame


def generated_columns(frame: pd.DataFrame) -> dict[str, ResourceSpec]:
    """Return the collection of each generated column of a frame that has its ids beside it.

    The attrs say it; joins and files lose them, but keep what stands beside the column.
    """
    found = {
        name: (
            IMAGES
            if name == "picture"
            # Where all are empty beside ids, a file has pictures over them.
            or str(
                next(iter(frame[name].dropna()), "/" if frame[f"{name}_id"].notna().any() else "")
            ).startswith(LOCATIONS)
            else DOCUMENTS
        ).name
        for name in frame.columns
        if isinstance(name, str) and f"{name}_id" in frame and not _lacking(frame, name, ENDINGS)
    }
    return {
        name: RESOURCES[str(held)]
        for name, held in (found | attribute(frame, COLUMNS)).items()
        if isinstance(name, str) and str(held) in RESOURCES and not _lacking(frame, name)
    }


def column_source(frame: pd.DataFrame, column: str) -> dict[str, Any]:
    """Return the collection of a generated column and where it came from; nothing for other columns."""
    if (held := str(attribute(frame, COLUMNS).get(column))) not in RESOURCES:
        return {}
    came = attribute(frame, SOURCES).get(column)
    is_ours = isinstance(came, dict) and all(isinstance(value, str) for value in came.values())
    return {**((is_ours and came) or origin(frame)), "collection": held}


def is_own_table(frame: pd.DataFrame) -> bool:
    """Return whether the rows are a person's own, with records only in generated columns."""
    made, said = generated_columns(frame).values(), origin(frame).get("collection")
    return bool(made) and (said is None or RESOURCES[said] in made)


def held_by(frame: pd.DataFrame) -> str | None:
    """Return the collection of the rows of a frame, by its provenance or its columns."""
    said = origin(frame).get("collection")
    seen = [name for name, own in OWN_COLUMNS.items() if not own.isdisjoint(frame.columns)]
    return said or (seen[0] if len(seen) == 1 else None)


def kind_of(frame: pd.DataFrame, *collections: str, column: str | None = None) -> tuple[ResourceSpec, str]:
    """Return the collection that a frame holds, and its generated column; empty if each row is a record.

    Args:
        frame: Any frame.
        collections: The collections that can be used, the preferred one first; by default documents, then images.
        column: The generated column to use, where a frame has several.

    Raises:
        InvalidArgument: It is not a DataFrame, holds no record of these collections, or has several generated
            columns of one.
    """
    check_frames(frame)
    made, said = generated_columns(frame), origin(frame).get("collection")
    wanted = [RESOURCES[name] for name in collections or (DOCUMENTS.name, IMAGES.name)]
    if column is not None:
        spec, name = made.get(column, wanted[0]), column
    else:
        named = ((spec, _only(made, spec)) for spec in wanted)
        spec, name = next((each for each in named if each[1]), (wanted[0], ""))
        if not name:
            # Beside generated columns of other collections, the index is a person's own.
            held = next(iter(made.values())).name if made and not said else held_by(frame)
            spec = RESOURCES[held or spec.name]
    if spec not in wanted:
        raise InvalidArgument(
            f"A frame of {wanted[0].name} is needed; this is a frame of {spec.name}.\n"
            f"Use client.{spec.name}; the collections have separate ids."
        )
    return spec, name


def records_of(
    frame: pd.DataFrame, *collections: str, column: str | None = None, distinct: bool = False
) -> Records:
    """Return the records that a frame holds; arguments as in ``kind_of``.

    Args:
        frame: Any frame.
        collections: The collections that can be used.
        column: The generated column to use.
        distinct: Whether each record must be in one row only.

    Raises:
        InvalidArgument: It holds none of these, or an id is missing, invalid or repeated.
    """
    spec, name = kind_of(frame, *collections, column=column)
    rows = of_column(frame, name, spec) if name else frame
    is_known = rows["id"].notna().to_numpy() if _has_column(rows) else np.ones(len(rows), bool)
    found = identified(rows if is_known.all() else rows[is_known], distinct=distinct)
    return Records(spec, name, np.flatnonzero(is_known).tolist(), found)


def check_frames(*frames: object) -> None:
    """Raise an ``InvalidArgument`` for what is no DataFrame."""
    if others := [type(each).__name__ for each in frames if not isinstance(each, pd.DataFrame)]:
        raise InvalidArgument(f"Expected a DataFrame, got {others[0]}.\nPass a DataFrame with ids.")


def text_column(frame: pd.DataFrame, column: str | None = None) -> str:
    """Return the column of texts that is measured: the given one, the only generated one, or that of documents.

    Raises:
        InvalidArgument: The frame has several generated columns of texts.
    """
    made = generated_columns(frame) if isinstance(frame, pd.DataFrame) else {}
    return column or _only(made, DOCUMENTS) or DOCUMENTS.generated


def ids_of_pictures(frame: pd.DataFrame, column: str | None = None) -> pd.Index:
    """Return the id of the picture of each row, None for rows without one; labels of the index where there are no ids.

    Args:
        frame: A frame of images.
        column: The generated column of pictures, where it has several.
    """
    if "id" not in frame and IMAGES not in generated_columns(frame).values():
        return frame.index
    _, _, places, records = records_of(frame, IMAGES.name, column=column)
    found = dict(zip(places, records.index.tolist(), strict=True))
    ids: pd.Index = pd.Index([found.get(at) for at in range(len(frame))], dtype=object)
    return ids


def _only(made: dict[str, ResourceSpec], spec: ResourceSpec) -> str:
    """Return the generated column of a collection; empty if there is none."""
    names = [name for name, of in made.items() if of is spec]
    if len(names) > 1:
        raise InvalidArgument(
            f"The frame has {len(names)} columns of generated {spec.name}: {', '.join(map(repr, names))}.\n"
            f"Pass column={names[0]!r}."
        )
    return "".join(names)


def _lacking(frame: pd.DataFrame, column: str, endings: Sequence[str] = ENDINGS[:1]) -> list[str]:
    """Return which columns a generated one lacks, itself and those beside it, of which there must be one each."""
    return [name for name in (column, *map(column.__add__, endings)) if (frame.columns == name).sum() != 1]


def of_column(frame: pd.DataFrame, column: str, spec: ResourceSpec) -> pd.DataFrame:
    """Return the rows of a frame as the records of a generated column, with their ids in the column ``id``.

    They keep what a person has beside it, and are named as ``write`` and ``draw`` do by default.

    Raises:
        InvalidArgument: The column or that of its ids is missing, or appears twice.
    """
    if lacking := _lacking(frame, column):
        raise InvalidArgument(
            f"A frame with the {spec.noun}s in {column!r} must have one column {lacking[0]!r}.\n"
            f"The ids of the {spec.noun}s are in {column + '_id'!r}, as write() and draw() return them."
        )
    made = {f"{name}{ending}" for name in generated_columns(frame) for ending in ("", *ENDINGS)}
    texts = (
        values
        for name, values in frame.items()
        if name not in made and pd.api.types.infer_dtype(values.dropna()) == "string"
    )
    beside = {"id", column, f"{column}_id", *(each for each in made if each.endswith(ENDINGS))}
    # Series, since pandas would read arrays of texts as Arrow, which refuses some.
    parts = {spec.generated: frame[column], "id": frame[f"{column}_id"]}
    if "name" not in frame:
        parts["name"] = next(texts, pd.Series([*map(str, frame.index)], frame.index, dtype=object))
    rows = frame.drop(
        columns=[name for name in frame if name in beside or not isinstance(name, str)]
    ).reset_index(drop=True)
    rows = rows.assign(**{name: values.reset_index(drop=True) for name, values in parts.items()})
    came = column_source(frame, column) or origin(frame)
    rows.attrs = {ATTRIBUTE: came | {"collection": spec.name}} if came else {}
    return rows


def _has_column(frame: pd.DataFrame) -> bool:
    """Return whether the ids are in a column: one that was created with a status says more than the index."""
    return "id" in frame.columns and (frame.index.name != "id" or "status" in frame.columns)


def identified(frame: pd.DataFrame, *, distinct: bool = True) -> pd.DataFrame:
    """Return a frame whose rows are records with their ids as the index: int64 if all are integers, else strings.

    Args:
        frame: A frame whose index is named ``id``, or that has a column ``id``.
        distinct: Whether each id must appear in one row only.

    Raises:
        InvalidArgument: It has no ids, or an id is missing, invalid or repeated.
    """
    check_frames(frame)
    is_column = _has_column(frame)
    if not is_column and frame.index.name != "id":
        raise InvalidArgument(
            "The frame has no ids of records.\n"
            "Pass a frame of a client, what write() or draw() returned, or add the ids as a column 'id'."
        )
    ids = _checked(pd.Index(frame["id"]) if is_column else frame.index)
    if distinct and not ids.is_unique:
        repeated = ids[ids.duplicated()].tolist()[0]
        raise InvalidArgument(f"The id {repeated!r} appears in more than one row.\nKeep one of the rows.")
    rows = frame.drop(columns="id") if is_column else frame
    return rows if ids is rows.index else rows.set_axis(ids, axis=0)


def _checked(ids: pd.Index) -> pd.Index:
    if ids.dtype == np.int64 or (ids.dtype == text_type() and not ids.hasnans and "" not in ids):
        return ids if ids.name == "id" else ids.rename("id")
    values = [_id(value, row) for row, value in enumerate(ids)]
    if fit_int64(values):
        return pd.Index(np.array(values, dtype=np.int64), name="id")
    return pd.Index([*map(str, values)], text_type(), name="id")


def _id(value: Any, row: int) -> int | str:
    # An outer join or a file with missing values turns integers into floats.
    is_whole = isinstance(value, float) and value.is_integer() and abs(value) < EXACT
    if (is_whole or isinstance(value, Integral)) and not isinstance(value, bool):
        return int(value)
    if isinstance(value, str) and value:
        return value
    is_missing = pd.api.types.is_scalar(value) and pd.isna(value)
    problem = (
        " has no id.\nDrop it: frame.dropna(subset='id')."
        if is_missing
        else f": {value!r} is not a valid id.\nAn id is an integer or a string."
    )
    raise InvalidArgument(f"Row {row} (counted from 0){problem}")


def rows_of(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a frame whose rows are records, with None for missing values.

    Raises:
        InvalidArgument: The frame has no ids, or a row has none.
    """
    frame = identified(frame, distinct=False)
    columns: dict[Any, list[Any]] = {"id": []}
    columns |= {name: plain(values) for name, values in frame.items()} | {"id": frame.index.tolist()}
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
