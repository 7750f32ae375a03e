"""Recognition of created records: which sent fields a record shows, and how they differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inkframe.replies.same_content import is_version, same_content

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inkframe.schema import ResourceSpec

__all__ = ["differences", "is_recognized", "with_unsent"]


def is_recognized(
    spec: ResourceSpec, fields: Mapping[str, Any], shown: Mapping[str, Any], *, wholly: bool
) -> bool:
    """Return whether a record may be the one that was created with some fields, at least one of them shown.

    Settings have few values, so that another record often has the same ones: they count only if the record does
    not show the text that it was generated from.

    Args:
        spec: The collection.
        fields: The fields that were sent.
        shown: The values of the record; None is not shown.
        wholly: Whether every shown text must be recognized, and the source be among them.
    """
    texts = [name for name in ("name", spec.source) if name in fields and shown.get(name) is not None]
    recognized = [name for name in texts if is_version(fields[name], shown[name])]
    if wholly:
        return spec.source in recognized and recognized == texts
    settings = () if shown.get(spec.source) is not None else spec.settings
    return bool(recognized) or any(is_version(fields.get(name), shown.get(name)) for name in settings)


def differences(fields: Mapping[str, Any], shown: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a record that differ from those that were sent, by field."""
    return {
        name: shown[name] for name, value in fields.items() if same_content(value, shown[name]) == "other"
    }


def with_unsent(spec: ResourceSpec, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a create with None for each optional one that was not sent."""
    optional = (name for name, field in spec.creates.items() if field.create == "optional")
    return {**dict.fromkeys(optional), **fields}
