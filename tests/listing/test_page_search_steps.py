"""Whole searches for a second page, step by step, on services that page in their own ways; nothing is sent.

The recordings have every attempt, the page that was found, and what was learned. After an intended change, record
again and review the diff before committing it::

    INKFRAME_RECORD_GOLDENS=1 pytest tests/listing/test_page_search_steps.py
"""

from __future__ import annotations

from dataclasses import dataclass

from inkframe.errors import ServiceError
from inkframe.listing.page_search import second_page
from inkframe.listing.paging import Paginator, Probes, learn_paging
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
    """Return the steps of a search, the page it found, and what it learned."""
    paginator = Paginator(Dialect(**dict(pinned)), probes or Probes(), ORIGIN)
    paginator.dialect.learn(**dict(known))
    lines = []
    for _ in range(1 + again):
        first = service.answer(dict(asked) | dict(query))
        paginator.observe(first)
        learn_paging(first.reply, first.asked, paginator.dialect)
        steps = second_page(paginator, first, dict(query))
        answer, error = None, None
        while True:
            try:
                ask = steps.throw(error) if error else steps.send(answer)
            except StopIteration as end:
                found, was_compared = end.value
                break
            sent = dict(ask.parameters) if ask.alone else {**asked, **dict(query), **ask.parameters}
            shown = " ".join(f"{name}={value}" for name, value in ask.parameters.items()) + (
                " alone" if ask.alone else ""
            )
            answer, error = None, None
            try:
                answer = service.answer(sent)
                paginator.observe(answer)
                lines.append(f"{shown}: {answer.columns.ids[:1]} to {answer.columns.ids[-1:]}")
            except ServiceError as refused:
                error = refused
                lines.append(f"{shown}: {refused.status}")
        ids = None if found is None else found.columns.ids
        assert not ids or ids == service.second(first), service
        lines.append(f"found {ids if ids is None else (ids[:1], ids[-1:])} compared {was_compared}")
        lines.append(
            f"total {first.reply.total} doubtful {first.is_doubtful} linked {bool(found and found.is_linked)}"
        )
    probes = paginator.probes
    lines.append(
        f"learned {paginator.dialect.facts()} understood {paginator.is_understood} linked {sorted(paginator.linked)}"
    )
    lines.append(f"probes {probes.left} {probes.style} {probes.first_page} failed {probes.failed}")
    return lines


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
    "a last page of 1": Service(facts=(("last_page", 1),)),
    "a hundred": Service(count=230, most=100),
    "no records, more": Service(count=0, facts=(("more", True),)),
    "offset from 1": Service(by="offset", name="offset", base=1, gap=3, facts=(("offset", 1),)),
    "number from 0 and a next number": Service(base=0, shows=("next",)),
    "nothing, one short page": Service(by="nothing", count=7),
    "nothing, refused, one short page": Service(by="nothing", count=7, strangers="refused"),
    "number with every second page": Service(shows=("page",), step=2),
    "number with the same page": Service(facts=(("current_page", 1),)),
}


def test_searches_take_the_steps_that_were_recorded(recorded):
    """Each service is searched in both orders, with a filter, twice, with pins, and after others of the client."""
    found = {}
    for name, service in SERVICES.items():
        found[name] = searched(service, again=True)
        found[f"{name}, ascending"] = searched(service, asked=USUAL | {"sort": "asc"})
        found[f"{name}, filtered"] = searched(service, query={"style": "ink"}.items())
    for name, pins in (
        ("number", {"page_parameter": "page"}),
        ("number", {"page_parameter": "page", "paging": "number", "first_page": 1}),
        ("number from 0", {"page_parameter": "page", "first_page": 0}),
        ("number", {"page_parameter": "leaf"}),
        ("number", {"paging": "offset"}),
        ("number", {"paging": "none"}),
        ("number", {"first_page": 0}),
        ("offset", {"page_parameter": "offset", "paging": "offset"}),
        ("token", {"page_parameter": "nexttoken", "paging": "cursor"}),
        ("after", {"page_parameter": "after", "paging": "after"}),
        ("link", {"page_parameter": "leaf"}),
        ("leaf", {"page_parameter": "leaf", "size_parameter": "limit"}),
    ):
        found[f"{name}, pinned {pins}"] = searched(SERVICES[name], pinned=pins.items())
    for name, learned in (
        ("link", {"page_parameter": "leaf"}),
        ("link", {"page_parameter": "leaf", "paging": "number", "first_page": 1}),
        ("link of another name", {"page_parameter": "leaf"}),
        ("number", {"page_parameter": "leaf"}),
        ("number", {"page_parameter": "page"}),
        ("number from 0", {"page_parameter": "page", "first_page": 0}),
        ("leaf, refused", {"page_parameter": "page"}),
        ("leaf, filter", {"page_parameter": "page"}),
    ):
        found[f"{name}, learned {learned}"] = searched(SERVICES[name], known=learned.items())
    for names in (
        ("number from 0", "number from 0"),
        ("number from 0", "number"),
        ("offset from 1", "offset from 1", "offset"),
        ("offset", "number, one short page", "number"),
        ("nothing, one short page", "number"),
        ("nothing", "number", "offset"),
        ("token called cursor", "token called cursor", "after"),
        ("leaf, filter", "offset, filter", "number"),
    ):
        probes = Probes()
        found[" then ".join(names)] = [searched(SERVICES[name], probes=probes) for name in names]
    found["a hundred, asked for 100"] = searched(SERVICES["a hundred"], asked=USUAL | {"per_page": "100"})
    recorded("searches", found)
