"""Records as services write them: ids, booleans, times and pictures in a dialect's form."""

from __future__ import annotations

import base64
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from inkframe.testing.identity import write_id
from inkframe.testing.json_pattern import fill
from inkframe.testing.page import ELSEWHERE
from inkframe.testing.picture import draw

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inkframe.testing.dialect import RecordForm
    from inkframe.testing.interface_fields import Collection

__all__ = ["PICTURES", "show"]

#: Pictures stand under this word in the path, as ``pictures/17.png``.
PICTURES: Final = "pictures"
#: Fields of a record that are written in a form of their own.
OWN_FORM: Final = frozenset({"id", "created_at", "updated_at"})
TIME_FORMATS: Final = {
    "utc": "%Y-%m-%dT%H:%M:%S.%fZ",
    "zone": "%Y-%m-%dT%H:%M:%S+00:00",
    "naive": "%Y-%m-%dT%H:%M:%S",
    "space": "%Y-%m-%d %H:%M:%S",
}


def show(
    record: Mapping[str, Any],
    collection: Collection,
    form: RecordForm,
    *,
    origin: str,
    url: str,
    listed: bool = False,
    expires: int | None = None,
    ready: bool = True,
) -> Any:
    """Write a record as the dialect shows it.

    Args:
        record: The record as the store holds it.
        collection: The collection it is of.
        form: How the dialect writes records.
        origin: Scheme, host and port of the service.
        url: The record's own address.
        listed: Whether it stands in a list.
        expires: The clock's reading at which the picture's address ends.
        ready: Whether the picture or the text is there yet.
    """
    left_out = {*form.omits, *(form.list_omits if listed else ())}
    fields: dict[str, Any] = {form.id_name: write_id(form.id_form, record["id"])} if form.id_inside else {}
    for name, value in record.items():
        if name not in OWN_FORM and name not in left_out:
            fields[name] = _value(value, form)
    if collection.name == "images":
        _place(fields, form.picture, _picture(record["id"], form, origin, expires) if ready else None)
    elif not ready and "result" in fields:
        fields["result"] = None
    for name, moment in ((form.created, record["created_at"]), (form.updated, record["updated_at"])):
        if name:
            fields[name] = write_time(moment, form.time_form)
    words = {"fields": fields, "id": write_id(form.id_form, record["id"]), "url": url}
    words |= {"singular": collection.singular, "collection": collection.name}
    fields.update(fill(form.extra, words.__getitem__))
    return fill(form.wrap, words.__getitem__)


def write_time(moment: float, form: str) -> Any:
    """Write a moment, given in epoch seconds."""
    if form == "seconds":
        return int(moment)
    if form == "milliseconds":
        return round(moment * 1000)
    return datetime.fromtimestamp(moment, UTC).strftime(TIME_FORMATS[form])


def _value(value: Any, form: RecordForm) -> Any:
    if isinstance(value, bool) and form.boolean_form != "words":
        return int(value) if form.boolean_form == "numbers" else str(int(value))
    if isinstance(value, float) and form.decimal_form == "text":
        return f"{value:.2f}"
    return value


@lru_cache(maxsize=256)
def _embedded(number: int) -> str:
    return base64.b64encode(draw(number)).decode()


def _picture(number: int, form: RecordForm, origin: str, expires: int | None) -> str:
    if form.picture_form == "base64":
        return _embedded(number)
    if form.picture_form == "data":
        return f"data:image/png;base64,{_embedded(number)}"
    path = f"{PICTURES}/{number}.png" + (f"?expires={expires}" if expires is not None else "")
    prefix = {"absolute": f"{origin}/", "path": "/", "relative": "", "elsewhere": f"{ELSEWHERE}/"}
    return prefix[form.picture_form] + path


def _place(fields: dict[str, Any], name: str, value: Any) -> None:
    *outer, inner = name.split(".")
    for part in outer:
        fields = fields.setdefault(part, {})
    fields[inner] = value
