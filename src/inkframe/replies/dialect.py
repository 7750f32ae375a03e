"""What was learned about how a service answers, per collection; any of it can be pinned."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Literal

from inkframe.signatures import checked_calls

__all__ = ["Dialect", "Paging"]

#: How further pages are asked for; "none" is a service that gives the same page whatever is asked.
Paging = Literal["number", "offset", "cursor", "after", "none"]


@checked_calls
@dataclass(slots=True)
class Dialect:
    """How a collection of a service answers where the interface is silent.

    Every field starts as None, which means "not learned yet". What is given here is pinned: it is
    believed instead of learned.

    Args:
        records_at: The keys that lead to the records of a list, such as ``("data",)``; ``()`` is a bare list.
        record_at: The keys that lead to a single record; ``()`` is a bare record.
        paging: How further pages are asked for.
        page_parameter: The name of the parameter that asks for them, such as ``page`` or ``offset``.
        first_page: The number of the first page, 0 or 1.
        size_parameter: The name of the page size, where it is not ``per_page``.
        id_name: The key of a record's id.
        picture_name: The key of an image's picture location, dotted where it is within objects: ``image.url``.
        created_name: The key of the time of creation.
        updated_name: The key of the time of the last change.
        default_template: Whether a document list without ``template_id`` holds Freestyle documents only.
        filters_templates: Whether ``template_id`` narrows a document list at all.
        update_method: The method of an update, where it is not ``PATCH``.

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
        """Note facts; what is pinned stays."""
        for name, value in facts.items():
            if value is not None and name not in self.pinned:
                setattr(self, name, value)

    def facts(self) -> dict[str, object]:
        """Give what is known, by name."""
        known = {each.name: getattr(self, each.name) for each in fields(self) if each.init}
        return {name: value for name, value in known.items() if value is not None}
