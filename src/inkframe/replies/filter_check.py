"""What a listing is narrowed to, held against the records that come."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from inkframe.replies.record_reply import Columns
    from inkframe.schema import ResourceSpec
    from inkframe.vocabulary import Vocabulary

__all__ = ["FilterCheck"]


class FilterCheck:
    """Leaves out records that a service gives although they are not what was asked for.

    Only what a record shows counts against it: a value of the vocabulary that is another one. A value that the
    vocabulary does not know may be the service's own word for what was asked for. A record without a value goes
    only once others have shown that the service does not filter by it; a favourite that is not shown is none,
    since services leave out what is false.

    Args:
        queries: The list parameters of all the lists together.
        spec: The collection.
        vocabulary: The values that the service allows.

    Attributes:
        ignored: The filters by which the service does not filter, as an argument calls them.
    """

    def __init__(
        self, queries: Iterable[Mapping[str, Any]], spec: ResourceSpec, vocabulary: Vocabulary
    ) -> None:
        self.ignored: list[str] = []
        self._vocabulary = vocabulary
        self._asked: dict[str, set[Any]] = {}
        for query in queries:
            for field in query.keys() & {*spec.filters, "favorite"}:
                self._asked.setdefault(field, set()).add(query[field])

    @property
    def reasons(self) -> list[str]:
        """Say by what the service does not filter."""
        return [f"the service does not filter by {field}" for field in self.ignored]

    def matching(self, columns: Columns) -> Columns:
        """Give the records of a page that do not contradict what was asked for."""
        rows = list(range(len(columns.ids)))
        for field, asked in self._asked.items():
            values = columns.known[field]
            shown = set(values)
            other = self._other(field, shown - asked)
            if field == "favorite" and asked == {True} and shown != {None}:
                other.add(None)
            name = field.removesuffix("_id")
            if name not in self.ignored:
                if other.isdisjoint(shown):
                    continue
                self.ignored.append(name)
            if asked != {False}:
                other.add(None)
            rows = [row for row in rows if values[row] not in other]
        return columns if len(rows) == len(columns.ids) else columns.take(rows)

    def _other(self, field: str, values: set[Any]) -> set[Any]:
        """Give those of some values that the vocabulary knows, and that are therefore no other word for what was asked."""
        if not values or field == "favorite":
            return values - {None}
        if field == "template_id":
            return {value for value in values if self._vocabulary.template_label(value) is not None}
        return values.intersection(self._vocabulary.codes(field))
