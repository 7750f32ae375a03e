"""The response format of a service, learned per collection; every field can be pinned."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Literal

from inkframe.signatures import checked_calls

__all__ = ["Dialect", "Paging"]

#: How further pages are requested; "none" is a service that returns the same page for every request.
Paging = Literal["number", "offset", "cursor", "after", "none"]


@checked_calls
@dataclass(slots=True)
class Dialect:
    """The response format of a collection, where the interface does not define it.

    Every field starts as None, which means "not learned yet". Arguments are pinned: they are used instead of
    learned values.

    Args:
        records_at: The keys that lead to the records of a list, such as ``("data",)``; ``()`` is a bare list.
        record_at: The keys that lead to a single record; ``()`` is a bare record.
        paging: How further pages are requested.
        page_parameter: The parameter that selects a page, such as ``page`` or ``offset``.
        first_page: The number of the first page, 0 or 1.
        size_parameter: The parameter of the page size, if it is not ``per_page``.
        id_name: The key of a record's id.
        picture_name: The key of the picture location of an image, dotted if nested: ``image.url``.
        created_name: The key of the time of creation.
        updated_name: The key of the time of the last change.
        default_template: Whether a document list without ``template_id`` contains Freestyle documents only.
        filters_templates: Whether ``template_id`` filters a document list.
        update_method: The method of an update, if it is not ``PATCH``.

    Example:
        >>> client.documents.dialect = ink.Dialect(paging="offset", page_parameter="skip")
    """

    records_at: tuple[str, ...] | None = None
    record_at: tuple[str, ...] | None = None
    paging: Paging | None = None
    page_parameter: str | None = None
    first_page: int | None = None
    size_parameter: str | None = None
    id_name: str | None = None
    picture_name: str | None = None
    created_name: str | None = None
    updated_name: str | None = None
    default_template: bool | None = None
    filters_templates: bool | None = None
    update_method: str | None = None
    pinned: frozenset[str] = field(default=frozenset(), init=False)

    def __post_init__(self) -> None:
        given = {each.name for each in fields(self) if each.init and getattr(self, each.name) is not None}
        self.pinned = frozenset(given)

    def learn(self, **facts: object) -> None:
        """Store learned facts, except for pinned fields."""
        for name, value in facts.items():
            if value is not None and name not in self.pinned:
                setattr(self, name, value)

    def facts(self) -> dict[str, object]:
        """Return the known facts by name."""
        known = {each.name: getattr(self, each.name) for each in fields(self) if each.init}
        return {name: value for name, value in known.items() if value is not None}
