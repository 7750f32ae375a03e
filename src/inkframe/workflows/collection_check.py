"""A check of what a service honors of the interface in one collection, by reading only."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from inkframe.calls.pages import PAGE_SIZE, Listing
from inkframe.calls.port import Limits
from inkframe.errors import AuthenticationError, ConnectionFailed, InkframeError, UnexpectedReply
from inkframe.http.encoding import encode_query
from inkframe.http.foreign_text import plain_text
from inkframe.replies.paginator import PROBES
from inkframe.replies.same_content import same_content
from inkframe.schema import PAGE_SIZES
from inkframe.workflows.findings import Finding, named, of_error
from inkframe.workflows.list_judges import (
    judge_disjoint,
    judge_field,
    judge_filter,
    judge_names,
    judge_newest_first,
    judge_reversal,
    judge_search,
    judge_sizes,
    rows_of,
    search_word,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inkframe.replies.paginator import Page
    from inkframe.schema import FieldSpec
    from inkframe.workflows.findings import Verdict
    from inkframe.workflows.list_judges import Row
    from inkframe.workflows.session import Session, SessionCalls

__all__ = ["SPENT", "Budget", "CollectionCheck"]

#: The most requests of a check that only reads, and those that one call may need besides its own.
MOST_REQUESTS: Final = 40
RESERVE: Final = 2
ONCE: Final = Limits(tries=1)
SPENT: Final[Verdict] = ("unknown", f"Not asked: the check takes at most {MOST_REQUESTS} requests.")
#: The page size that the interface uses by default, and those that are asked for, the largest first.
USUAL: Final = PAGE_SIZES[0]
ASKED_SIZES: Final = (PAGE_SIZE, PAGE_SIZES[1])
#: The value of favorite that is asked for.
FAVORITE: Final = True
#: The number of templates that are tried until one has a document.
MOST_TEMPLATES: Final = 4


class Budget:
    """The requests that a check may still send.

    Args:
        session: The session, whose requests are counted.
    """

    def __init__(self, session: Session) -> None:
        self._sender = session.conversation
        self._most = self._sender.sent + MOST_REQUESTS

    def allows(self, count: int = 1) -> bool:
        """Return whether so many calls may be sent."""
        return self._sender.sent + count + RESERVE <= self._most


class Refused(Exception):
    """A list that could not be read."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(verdict[1])
        self.verdict = verdict


class CollectionCheck:
    """The check of one collection.

    Args:
        calls: The collection.
        budget: The requests that may still be sent.
    """

    def __init__(self, calls: SessionCalls, budget: Budget) -> None:
        self._calls = calls
        self._spec = calls.spec
        self._vocabulary = calls.session.vocabulary
        self._budget = budget
        self._asked = ""
        #: The number of records by the requested page size.
        self._counts: dict[int, int] = {}
        #: The newest records, and the number of records that are known to exist.
        self._sample: list[Row] = []
        self._most = 0
        #: The fields of a single record.
        self._shown: Row = {}
        #: Whether a record is known that the default of a filter leaves out.
        self._has_others = False

    def findings(self) -> list[Finding]:
        """Return a finding for each row about the collection, apart from its writes."""
        rows = self._rows()
        first = self._verdict(self._first_list)
        found = [Finding(self._spec.name, "List", *first)]
        for row, check in rows.items():
            unread: Verdict = ("unknown", "The list could not be read.")
            verdict = self._verdict(check) if self._counts else unread
            found.append(Finding(self._spec.name, row, *verdict))
        return found

    def _rows(self) -> dict[str, Callable[[], Verdict]]:
        """Return the check of each row after the first list."""
        spec = self._spec
        codes = [name for name in spec.filters if name not in spec.filter_defaults]
        interface = [
            field for field in spec.shown.values() if field.create != "no" or field.update or field.filter
        ]
        return {
            "parameter per_page": self._page_sizes,
            "default per_page": lambda: judge_sizes({USUAL: self._counts[USUAL]}, self._most),
            "default sort": lambda: judge_newest_first(self._sample),
            "Show": self._show,
            **{f"field {field.name}": partial(self._field, field) for field in interface},
            "parameter sort": self._sort,
            "parameter sort_by": self._sort_by,
            **{f"parameter {name}": partial(self._choice, name) for name in codes},
            **{f"parameter {name}": partial(self._number, name) for name in spec.filter_defaults},
            **{f"default {name}": partial(self._default, name) for name in spec.filter_defaults},
            "parameter favorite": partial(self._filter, "favorite", FAVORITE, (True, False)),
            "parameter search": partial(self._search, spec.search_by[0], {}),
            **{
                f"search_by {name}": partial(self._search, name, {"search_by": name})
                for name in spec.search_by
            },
            "further pages": self._further,
        }

    def _verdict(self, check: Callable[[], Verdict]) -> Verdict:
        """Return the verdict of a check with the last request that it sent."""
        self._asked = ""
        try:
            status, text = check()
        except Refused as refused:
            status, text = refused.verdict
        return status, f"{self._asked}: {text}" if self._asked else text

    def _ask(self, **query: Any) -> list[Row]:
        """Return the records of one page.

        Raises:
            Refused: There is none.
        """
        return rows_of(self._page(query).columns)

    def _page(self, query: dict[str, Any]) -> Page:
        if not self._budget.allows():
            raise Refused(SPENT)
        self._asked = f"GET /{self._spec.name}{'?' if query else ''}{encode_query(query)}"
        try:
            return self._calls.page(query, limits=ONCE)
        except InkframeError as error:
            if not self._counts and isinstance(error, AuthenticationError | ConnectionFailed):
                raise
            raise Refused(of_error(error)) from None

    def _first_list(self) -> Verdict:
        page = self._page({})
        self._sample = rows_of(page.columns)
        self._counts[USUAL] = len(self._sample)
        self._most = max(len(self._sample), page.reply.total or 0)
        total = "" if page.reply.total is None else f" of {page.reply.total:,}"
        return "holds", f"It returns {len(self._sample)} records{total}."

    def _page_sizes(self) -> Verdict:
        for size in ASKED_SIZES:
            rows = self._ask(per_page=size)
            self._counts[size] = len(rows)
            self._most = max(self._most, len(rows))
            if len(rows) > len(self._sample):
                self._sample = rows
        self._asked = f"GET /{self._spec.name}?per_page={' and '.join(map(str, ASKED_SIZES))}"
        return judge_sizes({size: self._counts[size] for size in ASKED_SIZES}, self._most)

    @property
    def _size(self) -> int:
        """The number of records on a full page."""
        return self._counts.get(PAGE_SIZE, 0) if self._most > len(self._sample) else PAGE_SIZE

    def _show(self) -> Verdict:
        if not self._sample:
            return "unknown", "There is no record."
        if not self._budget.allows():
            return SPENT
        listed = self._sample[0]
        self._asked = f"GET /{self._spec.name}/{plain_text(str(listed['id']), 60)}"
        try:
            record = self._calls.get(listed["id"], ONCE)
        except UnexpectedReply as error:
            return "fails", str(error).partition("\n")[0]
        except InkframeError as error:
            return of_error(error)
        self._shown = record.known
        fields = [*self._spec.creates]
        others = [name for name in fields if None not in (listed[name], record.known[name])
                  and same_content(listed[name], record.known[name]) == "other"]  # fmt: skip
        if others:
            return "fails", f"It differs from the list in {', '.join(others)}."
        return "holds", "It returns the record of the list."

    def _field(self, field: FieldSpec) -> Verdict:
        rows = self._sample
        if all(row[field.name] is None for row in rows) and self._shown:
            rows = [self._shown]  # lists may leave out fields of single records
        allowed = self._vocabulary.codes(field.name) if field.vocabulary and field.type != "integer" else None
        steps = [float(code) for code in allowed or ()] if field.type == "number" else allowed
        return judge_field(field, rows, steps, is_shown=self._calls.dialect.shows(field.name))

    def _sort(self) -> Verdict:
        descending = self._ask(sort_by="id", sort="desc", per_page=PAGE_SIZE)
        return judge_reversal(self._ask(sort_by="id", sort="asc", per_page=PAGE_SIZE), descending, self._size)

    def _sort_by(self) -> Verdict:
        return judge_names(self._ask(sort_by="name", sort="asc", per_page=PAGE_SIZE))

    def _choice(self, name: str) -> Verdict:
        codes = self._vocabulary.codes(name)
        if not codes:
            return "unknown", f"The vocabulary has no {name}."
        counts = Counter(row[name] for row in self._sample if row[name] in codes)
        # One that half of the records have shows the most.
        value = min(counts, key=lambda code: abs(2 * counts[code] - len(self._sample)), default=codes[0])
        return self._filter(name, value, codes)

    def _filter(self, name: str, value: Any, allowed: Sequence[Any]) -> Verdict:
        found = self._ask(**{name: value}, per_page=PAGE_SIZE)
        verdict, lacking = judge_filter(found, self._sample, name, value, allowed, self._size)
        return self._confirmed(verdict, lacking, partial(_has, name, value))

    def _number(self, name: str) -> Verdict:
        """Return the verdict of a filter that has a default, so that other values are not in the sample."""
        default = self._spec.filter_defaults[name]
        codes = [template.id for template in self._vocabulary.all_templates]
        others = [code for code in codes if code != default]
        seen = [row[name] for row in self._sample if row[name] in others]
        step = max(1, len(others) // MOST_TEMPLATES)
        verdict: Verdict = ("unknown", "The vocabulary has no other value.")
        for value in list(dict.fromkeys([*seen, *others[::step]]))[:MOST_TEMPLATES]:
            found = self._ask(**{name: value}, per_page=PAGE_SIZE)
            verdict, lacking = judge_filter(found, self._sample, name, value, codes, self._size)
            if found and verdict[0] == "unknown" and self._calls.dialect.shows(name) is False:
                verdict = judge_disjoint(found, self._sample)
            self._has_others = self._has_others or verdict[0] == "holds"
            if verdict[0] != "unknown":
                return self._confirmed(verdict, lacking, partial(_has, name, value))
        return verdict

    def _default(self, name: str) -> Verdict:
        default = self._spec.filter_defaults[name]
        others = [row["id"] for row in self._sample if row[name] not in (None, default)]
        if others:
            return "fails", f"Without {name}, records with another one are listed: {named(others)}."
        if not self._has_others or not self._sample:
            return "unknown", f"No record with another {name} is known, so that the default cannot be seen."
        ids = {row["id"] for row in self._ask(**{name: default}, per_page=PAGE_SIZE)}
        if any(row["id"] not in ids for row in self._sample) and len(ids) < self._size:
            return "fails", f"It does not return the records of the list without {name}."
        return "holds", f"It returns the records of the list without {name}."

    def _search(self, name: str, by: dict[str, str]) -> Verdict:
        word = search_word(self._sample, name)
        if word is None:
            return "unknown", f"The list shows no word in {name} to search for."
        found = self._ask(search=word, **by, per_page=PAGE_SIZE)
        verdict, lacking = judge_search(found, self._sample, name, word, self._size)
        return self._confirmed(verdict, lacking, lambda row: word in str(row[name]).casefold())

    def _confirmed(self, verdict: Verdict, lacking: Sequence[Any], matches: Callable[[Row], bool]) -> Verdict:
        """Return a verdict after fetching a record that was left out, which may have changed meanwhile."""
        if not lacking:
            return verdict
        try:
            is_still = self._budget.allows() and matches(self._calls.get(lacking[0], ONCE).known)
        except InkframeError:
            is_still = False
        return verdict if is_still else ("unknown", "Records changed during the check.")

    def _further(self) -> Verdict:
        query = {"per_page": USUAL}
        if self._most <= USUAL:
            return "unknown", "All records fit on one page."
        if not self._budget.allows(1 + PROBES):
            return SPENT
        first = self._page(query)
        try:
            second = Listing(self._calls, query, ONCE).second(first)
        except InkframeError as error:
            return of_error(error)
        dialect = self._calls.dialect
        if second is None or not second.columns.ids:
            tried = ", ".join(f"{name}: {outcome}" for name, outcome in dialect.attempts.items())
            return "fails", f"No parameter leads to further pages; {tried or 'none is known'}."
        shared = set(first.columns.ids).intersection(second.columns.ids)
        if shared:
            return "fails", f"{dialect.page_parameter} repeats records: {named(sorted(shared, key=str))}."
        return "holds", f"{dialect.page_parameter} leads to other records."


def _has(name: str, value: Any, row: Row) -> bool:
    return bool(row[name] == value)
