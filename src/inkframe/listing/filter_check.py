"""The filters of a listing, compared with the records that the service returns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from inkframe.replies.columns import Columns, Page
    from inkframe.schema import ResourceSpec
    from inkframe.vocabulary import Vocabulary

__all__ = ["FilterCheck", "keeps_filters"]

#: List parameters that are no fields of a record.
ORDER: Final = frozenset({"sort", "sort_by", "per_page", "search_by"})


def keeps_filters(first: Page, page: Page, query: Mapping[str, Any]) -> bool:
    """Return whether a page that was requested by a link still has the filters of the first page.

    Args:
        first: The first page.
        page: A further page.
        query: The list parameters.
    """
    if first.claimed == page.claimed is not None and page.claimed > len(first.columns.ids):
        return True
    asked = {name: value for name, value in query.items() if name not in ORDER}
    # A token may stand for the filters.
    has_token = any(not text.isdecimal() for name, text in page.asked.items() if name not in {*ORDER, *asked})
    for name, value in asked.items():
        if _matches(page, name, value, query):
            continue
        # A service may ignore a filter on every page, or not show the field.
        is_shown = name != "search" and any(shown is not None for shown in first.columns.known[name])
        is_sent = has_token or any(name in sent for sent in page.asked)
        if _matches(first, name, value, query) or not (is_shown or is_sent):
            return False
    return True


def _matches(page: Page, name: str, value: Any, query: Mapping[str, Any]) -> bool:
    """Return whether every record shows the value of a filter."""
    if name == "search":
        texts = page.columns.known[query.get("search_by", "name")]
        return all(str(value).casefold() in str(text or "").casefold() for text in texts)
    return set(page.columns.known[name]) == {value}


class FilterCheck:
    """Removes records that a service returns although they do not match the filters.

    A record is removed if it has a different value of the vocabulary. An unknown value may be the name that
    the service uses for the requested one, so it is kept. A record without a value is removed only after
    other records have shown that the service does not filter by the field. A missing ``favorite`` counts as
    false, since services omit false values.

    Args:
        queries: The list parameters of all lists.
        spec: The collection.
        vocabulary: The values that the service allows.

    Attributes:
        ignored: The filters that the service ignores, by argument name.
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
        """The reasons for the completeness of the listing."""
        return [f"the service does not filter by {field}" for field in self.ignored]

    def matching(self, columns: Columns) -> Columns:
        """Return the records of a page that do not contradict the filters."""
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
        """Return the values in the vocabulary, which are therefore not synonyms of a requested value."""
        if not values or field == "favorite":
            return values - {None}
        if field == "template_id":
            return {value for value in values if self._vocabulary.template_label(value) is not None}
        return values.intersection(self._vocabulary.codes(field))
