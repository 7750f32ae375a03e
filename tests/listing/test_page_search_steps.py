"""Whole searches for a second page on services that page in their own ways, without a network."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from tests.cases import cases

from inkframe.errors import ServiceError
from inkframe.listing.page_search import PageSearch
from inkframe.listing.paging import PROBES, Paginator, Probes, learn_paging
from inkframe.replies.columns import Columns, Page
from inkframe.replies.dialect import Dialect
from inkframe.replies.list_reply import ListReply

ORIGIN = "https://content.example.com"
USUAL = {"sort_by": "id", "sort": "desc", "per_page": "10"}


@dataclass(frozen=True)
class Service:
    """A service of numbered records.

    Args:
        by: How it pages: ``number``, ``offset``, ``token``, ``after`` or ``nothing``.
        name: The parameter of the page.
        base: The number of the first page, or the offset of the first record.
        count: The number of records.
        most: The number of records on a page.
        gap: The difference of the ids of two records.
        shows: What it says about a page.
        strangers: What becomes of other parameters: ``ignored``, ``refused`` or ``filter``.
        behind: What comes behind the last page: ``empty``, ``first``, or a status.
        ordered: Whether it sorts.
        step: The difference of the numbers that two pages say.
        facts: What it says on every page.
    """

    by: str = "number"
    name: str = "page"
    base: int = 1
    count: int = 25
    most: int = 10
    gap: int = 1
    shows: tuple[str, ...] = ()
    strangers: str = "ignored"
    behind: str | int = "empty"
    ordered: bool = True
    step: int = 1
    facts: tuple = ()

    def answer(self, parameters):
        """Return the page for the parameters of a request."""
        ids = [self.gap * number for number in range(1, self.count + 1)]
        if parameters.get("sort") == "desc" or not self.ordered:
            ids.reverse()
        strangers = parameters.keys() - {*USUAL, self.name, "style"}
        if strangers and self.strangers == "refused":
            raise ServiceError("Unknown parameter.", status=422)
        place = parameters.get(self.name)
        start = self._start(place, ids)
        rows = [] if strangers and self.strangers == "filter" else ids[start : start + self.most]
        if not rows and start and self.behind == "first":
            start, rows = 0, ids[: self.most]
        if not rows and start and isinstance(self.behind, int):
            raise ServiceError("There is no such page.", status=self.behind)
        reply = ListReply([{"id": id} for id in rows], **self._facts(start, len(rows)) | dict(self.facts))
        return Page(reply, Columns(rows, {}, {}), dict(parameters), {}, claimed=reply.total)

    def second(self, first):
        """Return the ids of the second page."""
        ids = first.columns.ids
        number = ids[-1] if self.by == "after" else self.base + (1 if self.by == "number" else len(ids))
        return self.answer({**first.asked, self.name: str(number)}).columns.ids

    def _start(self, place, ids):
        if place is None or self.by == "nothing":
            return 0
        if self.by == "after":
            return ids.index(int(place)) + 1 if int(place) in ids else 0
        number = int(place.removeprefix("t")) if place.removeprefix("t").isdecimal() else self.base
        return max(number - self.base, 0) * (self.most if self.by == "number" else 1)

    def _facts(self, start, rows):
        number, end = start // self.most + self.base, start + rows
        link = f"{ORIGIN}/api/v1/images?{self.name}={number + 1}&sort=desc"
        known = {
            "total": {"total": self.count, "described": True},
            "page": {"current_page": self.base + self.step * (number - self.base)},
            "last": {"last_page": -(-self.count // self.most)},
            "offset": {"offset": start},
            "more": {"more": end < self.count},
            "next": {"next": number + 1 if end < self.count else None},
            "link": {"next": link if end < self.count else None},
            "token": {"next": f"t{end}" if end < self.count else None, "token": "nexttoken" if end < self.count else None},
        }  # fmt: skip
        return {name: value for each in self.shows for name, value in known[each].items()}


def searched(service, *, pinned=(), known=(), query=(), again=False, asked=USUAL, probes=None):
    """Return what searches found, ``second``, ``end`` or None, one for each."""
    paginator = Paginator(Dialect(**dict(pinned)), probes or Probes(), ORIGIN)
    paginator.dialect.learn(**dict(known))
    results, requests = [], []

    def send(request):
        requests.append(request)
        parameters = request.parameters
        sent = dict(parameters) if request.alone else {**asked, **dict(query), **parameters}
        answer = service.answer(sent)
        paginator.observe(answer)
        return answer

    for _ in range(1 + again):
        first = service.answer(dict(asked) | dict(query))
        paginator.observe(first)
        learn_paging(first.reply, first.asked, paginator.dialect)
        requests.clear()
        found = PageSearch(paginator, first, dict(query), send).second()
        assert len(requests) <= PROBES + 4
        ids = None if found is None else found.columns.ids
        assert not ids or ids == service.second(first), service
        assert ids != [] or len(first.columns.ids) == service.count, service
        results.append(None if ids is None else "second" if ids else "end")
    return results


SERVICES = {
    "number": Service(),
    "number from 0": Service(base=0),
    "number from 0 and a page": Service(base=0, shows=("page",)),
    "number with a page": Service(shows=("page", "total")),
    "number and a last page": Service(shows=("last",)),
    "number and a next number": Service(shows=("next",)),
    "number, ids with gaps": Service(gap=3),
    "number from 0, ids with gaps": Service(base=0, gap=3),
    "number from 0, two pages": Service(base=0, count=17, gap=3),
    "number, one full page": Service(count=10),
    "number from 0, one full page": Service(base=0, count=10),
    "number, one short page": Service(count=7),
    "number, no records": Service(count=0),
    "number, 404 behind": Service(count=10, behind=404),
    "number, 400 behind": Service(count=10, behind=400),
    "number, first page behind": Service(count=10, behind="first"),
    "pageNumber": Service(name="pageNumber"),
    "leaf": Service(name="leaf", shows=("total",)),
    "leaf, refused": Service(name="leaf", shows=("total",), strangers="refused"),
    "leaf, filter": Service(name="leaf", shows=("total",), strangers="filter"),
    "offset": Service(by="offset", name="offset", base=0, shows=("total",)),
    "offset, refused": Service(by="offset", name="offset", base=0, strangers="refused"),
    "offset, filter": Service(by="offset", name="offset", base=0, strangers="filter"),
    "offset with gaps": Service(by="offset", name="skip", base=0, gap=3),
    "offset with its place": Service(by="offset", name="offset", base=0, gap=3, shows=("offset",)),
    "offset, one full page": Service(by="offset", name="offset", base=0, count=10),
    "offset, eleven": Service(by="offset", name="offset", base=0, count=11, gap=3),
    "page is an offset": Service(by="offset", name="page", base=0, gap=3),
    "token": Service(by="offset", name="nexttoken", base=0, shows=("token",)),
    "token called cursor": Service(by="offset", name="cursor", base=0, shows=("token",), strangers="filter"),
    "after": Service(by="after", name="after", shows=("more",)),
    "after without more": Service(by="after", name="starting_after"),
    "nothing": Service(by="nothing"),
    "nothing, more": Service(by="nothing", shows=("more",), facts=(("more", True),)),
    "nothing, refused": Service(by="nothing", shows=("total",), strangers="refused"),
    "link": Service(shows=("link",)),
    "link of another name": Service(name="seite", shows=("link", "total")),
    "a total of the page": Service(facts=(("total", 10),)),
    "a hundred": Service(count=230, most=100),
    "no records, more": Service(count=0, facts=(("more", True),)),
    "offset from 1": Service(by="offset", name="offset", base=1, gap=3, facts=(("offset", 1),)),
    "number from 0 and a next number": Service(base=0, shows=("next",)),
    "nothing, one short page": Service(by="nothing", count=7),
    "nothing, refused, one short page": Service(by="nothing", count=7, strangers="refused"),
    "number with every second page": Service(shows=("page",), step=2),
    "number with the same page": Service(facts=(("current_page", 1),)),
}


#: Services whose only page is not shown to be the only one, and those whose parameter cannot be guessed.
UNFOUND = ("number from 0, one full page", "number, 400 behind", "number, first page behind", "pageNumber", "leaf",
           "leaf, refused", "leaf, filter", "page is an offset", "token", "nothing", "nothing, more", "nothing, refused",
           "no records, more", "nothing, one short page", "nothing, refused, one short page")  # fmt: skip


@pytest.mark.parametrize("name", SERVICES)
def test_a_second_page_is_found_or_none_is_called_one(name):
    """Each service is searched in both orders, with a filter, and twice; no other page is taken for the second."""
    service = SERVICES[name]
    found = searched(service, again=True)
    found += searched(service, asked=USUAL | {"sort": "asc"})
    found += searched(service, query={"style": "ink"}.items())
    expected = None if name in UNFOUND else "second" if service.count > service.most else "end"
    assert found == [expected] * 4


@cases(
    ("name", "pins", "found"),
    [
        ("number", {"page_parameter": "page"}, True),
        ("number", {"page_parameter": "page", "paging": "number", "first_page": 1}, True),
        ("number from 0", {"page_parameter": "page", "first_page": 0}, True),
        ("number", {"page_parameter": "leaf"}, False),
        ("number", {"paging": "offset"}, False),
        ("number", {"paging": "none"}, False),
        ("number", {"first_page": 0}, True),
        ("offset", {"page_parameter": "offset", "paging": "offset"}, True),
        ("token", {"page_parameter": "nexttoken", "paging": "cursor"}, True),
        ("after", {"page_parameter": "after", "paging": "after"}, True),
        ("link", {"page_parameter": "leaf"}, True),
        ("leaf", {"page_parameter": "leaf", "size_parameter": "limit"}, True),
    ],
)
def test_pins_come_first(name, pins, found):
    """A pinned parameter is tried alone, and a link of the service where it leads nowhere."""
    assert searched(SERVICES[name], pinned=pins.items()) == ["second" if found else None]


@cases(
    ("name", "learned", "found"),
    [
        ("link", {"page_parameter": "leaf"}, True),
        ("link", {"page_parameter": "leaf", "paging": "number", "first_page": 1}, True),
        ("link of another name", {"page_parameter": "leaf"}, True),
        ("number", {"page_parameter": "leaf"}, True),
        ("number", {"page_parameter": "page"}, True),
        ("number from 0", {"page_parameter": "page", "first_page": 0}, True),
        ("leaf, refused", {"page_parameter": "page"}, False),
        ("leaf, filter", {"page_parameter": "page"}, False),
    ],
)
def test_what_was_learned_may_be_wrong(name, learned, found):
    """A learned parameter that leads nowhere gives way to the others."""
    assert searched(SERVICES[name], known=learned.items()) == ["second" if found else None]


@cases(
    ("names", "found"),
    [
        (("number from 0", "number from 0"), ["second"] * 2),
        (("number from 0", "number"), ["second"] * 2),
        (("offset from 1", "offset from 1", "offset"), ["second", "second", None]),
        (("offset", "number, one short page", "number"), ["second", None, None]),
        (("nothing, one short page", "number"), [None, "second"]),
        (("nothing", "number", "offset"), [None] * 3),
        (("token called cursor", "token called cursor", "after"), ["second"] * 3),
        (("leaf, filter", "offset, filter", "number"), [None] * 3),
    ],
)
def test_collections_share_what_was_found(names, found):
    """What one collection of a client has found is tried first for the others, within the same number of guesses."""
    probes = Probes()
    assert [each for name in names for each in searched(SERVICES[name], probes=probes)] == found


def test_a_hundred_records_are_asked_for():
    """The second page of the largest size is found at once."""
    assert searched(Service(count=230, most=100), asked=USUAL | {"per_page": "100"}) == ["second"]
