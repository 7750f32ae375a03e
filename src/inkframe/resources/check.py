"""A check of what a service honors of the interface: at most 40 requests that read, unless writing is asked for.

``_rows`` is the table of the check: each row of the interface with its requests and its judge. A judge yields
cases as ``(condition, status, evidence)``, of which the first true one is the verdict. A row holds only if the
replies differ from those of a service that ignores it, and fails only if a record contradicts it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from textwrap import fill
from typing import TYPE_CHECKING, Any, Final

import pandas as pd

from inkframe.creating.create import Create
from inkframe.creating.rows import Row, first_line
from inkframe.display.console import notice
from inkframe.display.markup import counted, joined, line, root, tag
from inkframe.display.tables import sorted_table
from inkframe.display.view import View
from inkframe.errors import (
    AuthenticationError,
    ConnectionFailed,
    InkframeError,
    NotFound,
    OutcomeUnknown,
    PermissionDenied,
    ServiceError,
    UnexpectedReply,
    checked_calls,
)
from inkframe.http.body import encode_query
from inkframe.http.failures import spoken_refusal
from inkframe.http.key import Key, plain_text, redact
from inkframe.listing.full_listing import PAGE_SIZE, Listing
from inkframe.listing.operations import Limits
from inkframe.listing.paging import PROBES
from inkframe.replies.record import Record, compare
from inkframe.replies.values import same_content
from inkframe.schema import DEFAULT_SIZE, PAGE_SIZES, SORTS, FieldSpec
from inkframe.versions import text_type
from inkframe.vocabulary.arguments import check_create

if TYPE_CHECKING:
    from inkframe.listing.session import Session, SessionCalls
    from inkframe.replies.columns import Page

    #: A record: its id and its fields.
    Values = dict[str, Any]
    #: The records of each request for a row, which is sent as they are read.
    Pages = Iterator[list[Values]]
    #: Returns whether a record has what was asked for: ``same``, ``form``, ``other`` or ``not shown``.
    Match = Callable[[Values], str]
    #: A condition, and the status and the evidence if it is true.
    Cases = Iterable[tuple[object, str, str]]
    #: A row of the interface, its requests and its judge.
    Check = tuple[str, list[dict[str, Any]], Callable[..., Cases]]

__all__ = ["ServiceReport", "check_service"]

#: The most requests of a check that only reads, and those that one call may need besides its own.
MOST_REQUESTS: Final = 40
RESERVE: Final = 2
ONCE: Final = Limits(tries=1)
#: The page sizes that are asked for, the largest first.
ASKED_SIZES: Final = (PAGE_SIZE, PAGE_SIZES[1])
FULL: Final = {"per_page": PAGE_SIZE}
#: The number of templates that are tried until one has a document.
MOST_TEMPLATES: Final = 4
#: A word to search for, in texts without capital letters.
WORD: Final = re.compile(r"\b(?:[^\W\d_]{4,20}|\d{1,20})\b")
#: Statuses of 4xx that do not refuse the parameters of a request.
NOT_ABOUT_PARAMETERS: Final = frozenset({401, 402, 403, 407, 408, 419, 425, 429})
#: The order of the report: what has to be fixed first.
ORDER: Final = ("fails", "unknown", "holds")


@checked_calls
class ServiceReport(View):
    """A report on the rows of the interface that a service honors: ``client.check()``.

    Args:
        service: The name of the service.
        findings: Collection, row, status and evidence of each row of the interface.
        requests: The number of requests that were sent.

    Attributes:
        frame: A row for each row of the interface with collection, row, status (``holds``, ``fails`` or
            ``unknown``) and evidence.
    """

    def __init__(self, service: str, findings: Sequence[tuple[str, str, str, str]], requests: int) -> None:
        types: dict[Hashable, Any] = {
            "collection": text_type(),
            "row": text_type(),
            "status": pd.CategoricalDtype(["holds", "fails", "unknown"]),
            "evidence": text_type(),
        }
        self.frame: pd.DataFrame = pd.DataFrame(findings, columns=[*types]).astype(types)
        counts = Counter(status for _, _, status, _ in findings)
        head = joined(
            line(service, 80), *(f"{counts[each]} {each}" for each in ORDER), f"{requests} requests"
        )
        ranked = sorted(findings, key=lambda finding: ORDER.index(finding[2]))
        cells = [(status, f"{name}: {row}", evidence) for name, row, status, evidence in ranked]
        rows = [[tag("td", cell) for cell in row] for row in cells]
        above = tag("p", head, class_="ink-meta", style="margin:0 0 8px")
        html = root(above, sorted_table(["status", "row", "evidence"], [], rows), parts=("table",))
        texts = [f"{status:<8} {row}. {line(evidence, 300)}" for status, row, evidence in cells]
        super().__init__(
            html, "\n".join([head, *(fill(text, 110, subsequent_indent=" " * 9) for text in texts)])
        )


def check_service(session: Session, *, write: bool) -> ServiceReport:
    """Return a report with a finding for each row of the interface.

    Args:
        session: The session.
        write: Whether to create, update and delete one document.

    Raises:
        InkframeError: The service cannot be reached, or refuses the key.
    """
    before = session.sender.sent
    every = [_CheckState(before + MOST_REQUESTS, calls) for calls in session.calls.values()]
    key: Check = ("Authorization", [], _authorization)
    tables = [
        ("service", every[0], iter([key])),
        *((at.calls.spec.name, at, _rows(at, write=write)) for at in every),
    ]
    findings = [(name, check[0], *_verdict(at, check)) for name, at, checks in tables for check in checks]
    return ServiceReport(session.service, findings, session.sender.sent - before)


@dataclass(slots=True)
class _CheckState:
    """What is known of a collection during its check.

    Args:
        end: The number of requests of the session at which the check ends.
        calls: The collection.
        asked: The last request for a row.
        page: The last page.
        sample: The newest records.
        most: The number of records that are known to exist.
        shown: The record that was fetched, if any.
        statuses: The status of each row so far, by its name.
        made: The record that was created, if any.
    """

    end: int
    calls: SessionCalls
    asked: str = ""
    page: Page = field(init=False)
    sample: list[Values] = field(default_factory=list)
    most: int = 0
    shown: list[Values] = field(default_factory=list)
    statuses: dict[str, str] = field(default_factory=dict)
    made: list[Record] = field(default_factory=list)

    def allow(self, count: int = 1) -> None:
        """Raise InkframeError if so many calls may not be sent any more."""
        if self.calls.session.sender.sent + count + RESERVE > self.end:
            raise InkframeError(f"Not asked: the check takes at most {MOST_REQUESTS} requests.")

    def ask(self, query: Mapping[str, Any]) -> list[Values]:
        """Return the records of one page."""
        self.allow()
        self.asked = f"GET /{self.calls.spec.name}{'?' if query else ''}{encode_query(query)}"
        self.page = self.calls.page(query, limits=ONCE)
        ids, known = self.page.columns.ids, self.page.columns.known
        self.most = max(self.most, len(ids))
        return [{"id": id, **{name: known[name][row] for name in known}} for row, id in enumerate(ids)]

    def is_whole(self, rows: Sequence[Values]) -> bool:
        """Return whether a page has fewer records than a full one, so that no other follows."""
        return len(rows) < (len(self.sample) if self.most > len(self.sample) else PAGE_SIZE)


def _verdict(at: _CheckState, check: Check) -> tuple[str, str]:
    """Return status and evidence of a row: refused parameters fail, other failures of requests show nothing."""
    if at.statuses.get("List", "holds") != "holds":
        return "unknown", "The list could not be read."
    row, queries, judge = check
    at.asked = ""
    try:
        status, text = next(case[1:] for case in judge(at, map(at.ask, queries)) if case[0])
    except InkframeError as error:
        if row == "List" and isinstance(error, AuthenticationError | ConnectionFailed):
            raise
        code = error.status if isinstance(error, ServiceError) else 0
        is_refused = at.asked and 400 <= code < 500 and code not in NOT_ABOUT_PARAMETERS
        is_unlike = row == "Show" and isinstance(error, UnexpectedReply)
        status = "fails" if is_refused or is_unlike else "unknown"
        text = f"{f'status {code}: ' if code else ''}{first_line(error)}"
    at.statuses[row] = status
    evidence = f"{at.asked}: {text}" if at.asked else text
    return status, redact(evidence, at.calls.session.sender.key)


def _rows(at: _CheckState, *, write: bool) -> Iterator[Check]:
    """Yield each row with its requests and its judge, once the rows on which they depend are judged."""
    spec = at.calls.spec
    yield "List", [{}], _list
    fields = [each for each in spec.shown.values() if each.create != "no" or each.update or each.filter]
    lists: list[Check] = [
        ("parameter per_page", [{"per_page": size} for size in ASKED_SIZES], partial(_sizes, {})),
        ("default per_page", [], partial(_sizes, {DEFAULT_SIZE: at.sample})),
        ("default sort", [], lambda at, _: [(True, *_newest_first(at.sample))]),
        ("Show", [], _show),
        *((f"field {each.name}", [], partial(_field, each)) for each in fields),
        ("parameter sort", [{"sort_by": "id", "sort": sort, **FULL} for sort in SORTS], _reversal),
        ("parameter sort_by", [{"sort_by": "name", "sort": "asc", **FULL}], _names),
    ]
    yield from lists
    selections: list[Check] = [
        *(_selecting(f"parameter {name}", name, name, _filters(at, name)) for name in spec.filters),
        *((f"default {name}", [{name: value, **FULL}], partial(_default, name, value))
          for name, value in spec.filter_defaults.items()),
        _selecting("parameter favorite", "favorite", "favorite",
                   {True: partial(_has, "favorite", value=True, allowed=(True, False))}),
        _selecting("parameter search", spec.search_by[0], "search", _words(at, spec.search_by[0])),
        *(_selecting(f"search_by {name}", name, "search", _words(at, name), search_by=name) for name in spec.search_by),
        ("further pages", [{"per_page": DEFAULT_SIZE}], _further),
    ]  # fmt: skip
    yield from selections
    at.statuses.clear()  # the others do not need the list
    if write and not spec.has_picture:
        bill = ", billed by the service" if at.calls.session.creations_are_billed else ""
        notice(f"1 {spec.noun} will be created on {at.calls.session.host}{bill}, updated, and deleted.")
        yield from [("Store", [], _store), ("Update", [], _update), ("Delete", [], _delete)]
    else:
        # One text costs less than one picture.
        hint = "" if spec.has_picture else " client.check(write=True) tries it."
        text = f"Not tried, since it creates or changes {spec.name}.{hint}"
        yield from ((row, [], lambda *_: [(True, "unknown", text)]) for row in ("Store", "Update", "Delete"))


def _list(at: _CheckState, pages: Pages) -> Cases:
    at.sample = next(pages)
    total = at.page.reply.total
    at.most = max(at.most, total or 0)
    default = "".join(
        f" The default {name} is {code}." for name, code in at.calls.spec.filter_defaults.items()
    )
    yield (
        True,
        "holds",
        f"It returns {len(at.sample)} records{'' if total is None else f' of {total:,}'}.{default}",
    )


def _sizes(lists: dict[int, list[Values]], at: _CheckState, pages: Pages) -> Cases:
    """Judge pages by their requested sizes; one that is not honored is enough to fail."""
    lists = lists | dict(zip(ASKED_SIZES, pages, strict=False))
    at.sample = lists.get(PAGE_SIZE, at.sample)
    texts = {size: f"A page of {size} has {counted(len(rows), 'record')}." for size, rows in lists.items()}
    wrong = [texts[size] for size, rows in lists.items() if not min(size, at.most) <= len(rows) <= size]
    yield wrong, "fails", f"{' '.join(wrong)} There are at least {at.most:,}."
    right = [texts[size] for size, rows in lists.items() if len(rows) == size]
    yield right, "holds", " ".join(right)
    yield True, "unknown", f"The list has fewer than {min(lists)} records."


def _newest_first(rows: Sequence[Values]) -> tuple[str, str]:
    """Return whether records are ordered by creation descending, by numeric ids or else by time."""
    for name in ("id", "created_at"):
        values = [row[name] for row in rows]
        if len({*map(str, values)}) > 1 and not {str, type(None)}.intersection(map(type, values)):
            status = "holds" if values == sorted(values, reverse=True) else "fails"
            return status, f"{len(rows)} records begin with {name} {_named([*map(str, values)])}."
    return "unknown", "The records do not show when they were created."


def _show(at: _CheckState, _: Pages) -> Cases:
    yield not at.sample, "unknown", "There is no record."
    at.allow()
    listed = at.sample[0]
    at.asked = f"GET /{at.calls.spec.name}/{plain_text(str(listed['id']), 60)}"
    at.shown = [at.calls.get(listed["id"], ONCE).known]
    pairs = {name: (listed[name], at.shown[0][name]) for name in at.calls.spec.creates}
    others = [name for name, pair in pairs.items() if None not in pair and same_content(*pair) != "same"]
    yield others, "fails", f"It differs from the list in {', '.join(others)}."
    yield True, "holds", "It returns the record of the list."


def _field(spec: FieldSpec, at: _CheckState, _: Pages) -> Cases:
    """Judge whether records show a field, with values that the interface allows."""
    name = spec.name
    # Lists may leave out fields of single records.
    rows = at.sample if any(row[name] is not None for row in at.sample) else at.shown or at.sample
    yield not rows, "unknown", "There is no record."
    values = [row[name] for row in rows if row[name] is not None]
    is_hidden = not values and spec.create == "required" and not at.calls.dialect.shows(name)
    yield is_hidden, "fails", f"None of {len(rows)} records shows it. Under another name, it can be pinned."
    yield not values, "unknown", f"None of {len(rows)} records has a value."
    codes = at.calls.session.vocabulary.codes(name) if spec.type in {"choice", "number"} else ()
    allowed = [float(code) if spec.type == "number" else code for code in codes]
    wrong = [value for value in dict.fromkeys(values) if codes and value not in allowed]
    yield wrong, "fails", f"{len(wrong)} values are not in the vocabulary: {_named(wrong)}."
    yield True, "holds", f"{len(values)} of {len(rows)} records have a value."


def _reversal(at: _CheckState, pages: Pages) -> Cases:
    """Judge whether a list in ascending order is the other way round than in descending order."""
    descending, ascending = pages
    down, up = ([row["id"] for row in rows] for rows in (descending, ascending))
    text = f"asc begins with {_named(up[:1])}, desc with {_named(down[:1])}."
    yield len(down) < 2, "unknown", "There are fewer than two records."
    yield up == down, "fails", text
    yield at.is_whole(descending), "holds" if up == down[::-1] else "fails", text
    yield True, _newest_first(ascending[::-1])[0], text


def _names(_: _CheckState, pages: Pages) -> Cases:
    """Judge whether records are ordered by name, by the first letters that every alphabet has in common."""
    names = [str(row["name"]) for row in next(pages) if row["name"]]
    letters = [name[0].casefold() for name in names if name[0].isascii() and name[0].isalpha()]
    yield len(set(letters)) < 2, "unknown", "There are no two names that begin with different letters."
    # In either direction, since the direction has a row of its own.
    is_sorted = letters in (sorted(letters), sorted(letters, reverse=True))
    yield (
        True,
        "holds" if is_sorted else "fails",
        f"The first letters of names are {line(''.join(letters), 30)}.",
    )


def _selecting(row: str, name: str, parameter: str, matches: Mapping[Any, Match], **by: str) -> Check:
    """Return a row whose lists have only records that match, with a request for each value."""
    return row, [{parameter: value, **by, **FULL} for value in matches], partial(_selection, name, matches)


def _filters(at: _CheckState, name: str) -> dict[Any, Match]:
    """Return the values that a filter is asked for, each with what a record has of it."""
    default, words = at.calls.spec.filter_defaults.get(name), at.calls.session.vocabulary
    codes: Sequence[Any] = words.codes(name) if default is None else [each.id for each in words.all_templates]
    others = [code for code in codes if code != default]
    # A value that half of the records have shows the most; the default leaves out the others.
    seen = _balanced(Counter(row[name] for row in at.sample if row[name] in others), at.sample)
    most = 1 if default is None else MOST_TEMPLATES
    values = [*dict.fromkeys([*seen, *others[:: max(1, len(others) // most)]])][:most]
    if default is not None and at.calls.dialect.shows(name) is False:
        listed = [row["id"] for row in at.sample]
        return dict.fromkeys(values, lambda row: "other" if row["id"] in listed else "form")
    return {value: partial(_has, name, value=value, allowed=codes) for value in values}


def _balanced(counts: Mapping[Any, int], rows: Sequence[Values]) -> list[Any]:
    """Return values by how close they are to being on half of the records."""
    return sorted(counts, key=lambda value: abs(2 * counts[value] - len(rows)))


def _has(name: str, row: Values, *, value: Any, allowed: Sequence[Any]) -> str:
    """Return whether a record has a value; one that is not allowed may be another name of it."""
    return "same" if row[name] == value else "other" if row[name] in allowed else "not shown"


def _words(at: _CheckState, name: str) -> dict[Any, Match]:
    """Return a word that some records have in a field and others do not; else one that all have, or none."""
    texts = [str(row[name]).casefold() for row in at.sample if row[name]]
    words = dict.fromkeys(word for text in texts for word in WORD.findall(text[:1000]))
    counts = {word: sum(word in text for text in texts) for word in words}
    # A number is searched for where no word tells records apart, such as in names that are digits.
    best = sorted(
        _balanced(counts, at.sample), key=lambda word: (counts[word] == len(texts), word.isdecimal())
    )[:1]
    return {word: partial(_contains, name, word) for word in best}


def _contains(name: str, word: str, row: Values) -> str:
    """Return whether a record has a word, or another form of it, which a search may also find."""
    text = str(row[name] or "").casefold()
    if re.search(rf"\b{word}\b", text):
        return "same"
    return "not shown" if row[name] is None else "form" if word[:3] in text else "other"


def _selection(name: str, matches: Mapping[Any, Match], at: _CheckState, pages: Pages) -> Cases:
    """Judge whether lists have the records that match and no others, for each value until one shows it."""
    for (value, match), found in zip(matches.items(), pages, strict=True):
        ids = [row["id"] for row in found]
        wrong = [row["id"] for row in found if match(row) == "other"]
        what = f"{name} {value!r}"
        yield wrong, "fails", f"{len(wrong)} of {len(found)} records do not match {what}: {_named(wrong)}."
        rest = {match(row): row["id"] for row in at.sample if row["id"] not in ids}
        if "same" in rest and at.is_whole(found):
            with suppress(InkframeError):
                at.allow()
                is_still = match(at.calls.get(rest["same"], ONCE).known) == "same"
                yield is_still, "fails", f"Records that match {what} are left out: {_named([rest['same']])}."
            yield True, "unknown", "Records changed during the check."
        can_be_seen = "other" in rest and any(match(row) in {"same", "form"} for row in found)
        yield can_be_seen, "holds", f"{counted(len(found), 'record')} that match {what} listed, no others."
    yield True, "unknown", f"No two records are known to differ in {name}, so that it cannot be seen."


def _default(name: str, value: Any, at: _CheckState, pages: Pages) -> Cases:
    others = [row["id"] for row in at.sample if row[name] not in (None, value)]
    yield others, "fails", f"Without {name}, records with another one are listed: {_named(others)}."
    is_unseen = not at.sample or at.statuses[f"parameter {name}"] != "holds"
    yield is_unseen, "unknown", f"No record with another {name} is known, so that the default cannot be seen."
    found = next(pages)
    lacking = at.is_whole(found) and {row["id"] for row in at.sample} - {row["id"] for row in found}
    yield lacking, "fails", f"It does not return the records of the list without {name}."
    yield True, "holds", f"It returns the records of the list without {name}."


def _further(at: _CheckState, pages: Pages) -> Cases:
    yield at.most <= DEFAULT_SIZE, "unknown", "The list fits on one page."
    at.allow(1 + PROBES)
    first = [row["id"] for row in next(pages)]
    second = Listing(at.calls, {"per_page": DEFAULT_SIZE}, ONCE).second(at.page)
    ids, dialect = second.columns.ids if second else [], at.calls.dialect
    tried = ", ".join(f"{name}: {outcome}" for name, outcome in dialect.attempts.items())
    yield not ids, "fails", f"No parameter leads to further pages; {tried or 'none is known'}."
    shared = sorted(set(ids).intersection(first), key=str)
    yield shared, "fails", f"{dialect.page_parameter} repeats records: {_named(shared)}."
    yield True, "holds", f"{dialect.page_parameter} leads to other records."


def _authorization(at: _CheckState, _: Pages) -> Cases:
    at.allow()
    other = copy(at.calls.session.sender)
    other.key = Key("inkframe-check-of-another-key")
    with suppress(AuthenticationError, PermissionDenied):
        reply = other.send("GET", "/images", tries=1)
        yield not spoken_refusal(reply, other.key), "fails", "GET /images with a wrong key returns the list."
    yield True, "holds", "GET /images with a wrong key is refused."


def _store(at: _CheckState, _: Pages) -> Cases:
    spec, title = at.calls.spec, f"inkframe check {datetime.now(UTC):%Y-%m-%d %H:%M:%S}"
    at.asked = f"POST /{spec.name}"
    given = {"name": title, spec.source: "Write one short sentence."}
    fields = check_create(spec, at.calls.session.vocabulary, given)
    try:
        at.made = [Create(at.calls, Row(None, fields)).pay()]
    except OutcomeUnknown as error:
        yield True, "unknown", f"{first_line(error)} Look for {title!r} and delete it."
    yield from _kept(at.made[0], fields)


def _update(at: _CheckState, _: Pages) -> Cases:
    for made in at.made:
        at.asked = f"PATCH /{at.calls.spec.name}/{made.id}"
        changes: dict[str, Any] = {"name": "inkframe check, updated", "favorite": True}
        try:
            at.calls.update(made.id, changes)
            record = at.calls.get(made.id)
        except KeyboardInterrupt:
            at.calls.delete(made.id)
            raise
        yield from _kept(record, changes)
    yield True, "unknown", "Not tried, since nothing was created."


def _delete(at: _CheckState, _: Pages) -> Cases:
    for made in at.made:
        at.asked = f"DELETE /{at.calls.spec.name}/{made.id}"
        at.calls.delete(made.id)
        try:
            at.calls.get(made.id)
        except InkframeError as error:
            yield isinstance(error, NotFound), "holds", "It is gone."
            yield True, "unknown", first_line(error)
        yield True, "fails", "It can still be fetched."
    yield True, "unknown", "Not tried, since nothing was created."


def _kept(record: Record, fields: Mapping[str, Any]) -> Cases:
    """Judge whether a record shows the fields that were sent."""
    kept = compare(fields, record.known)
    for status, sameness in (("fails", {"version", "other"}), ("unknown", {"hidden"})):
        names = [name for name in fields if kept[name] in sameness]
        values = _named([record.known[name] for name in names])
        yield names, status, f"{record.id} shows {', '.join(names)} as {values}, not as sent."
    yield True, "holds", f"{record.id} has every field as it was sent."


def _named(values: Sequence[Any]) -> str:
    """Return the first of some values as text, and whether there are more."""
    return ", ".join(plain_text(repr(value), 60) for value in values[:3]) + (", …" if len(values) > 3 else "")
