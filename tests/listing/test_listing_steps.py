"""Whole listings while records are added, deleted and changed: what is listed, the level, and what is printed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import httpx
import pytest
from tests.answering import Answers

from inkframe.listing.full_listing import FullListing

pytestmark = pytest.mark.integration


@dataclass
class Library:
    """A service of images that changes while it is read.

    Args:
        count: The number of images at the start.
        says: What it says about a page: ``total``, ``first`` for a total on the first page only, ``never more``, ``last``, ``more``, ``next``, ``number``, ``cursor``, ``link``.
        by: The parameter of its pages: ``page``, ``offset``, ``after`` an id, a ``cursor``, or an unchanged ``link``.
        total: The difference of its total from the number of images.
        most: The largest page.
        changes: What happens before a request, by its number from 1: ``add``, or ``delete`` or ``restore`` with ids.
        refused: The pages that are refused, with their status.
        lost: The pages that are empty.
        behind: What comes behind the last page: ``empty``, ``last``, or ``first``.
        text: Whether ids are texts.
    """

    count: int = 430
    says: tuple = ("total",)
    by: str = "page"
    total: int = 0
    most: int = 100
    changes: dict = field(default_factory=dict)
    refused: dict = field(default_factory=dict)
    lost: tuple = ()
    behind: str = "empty"
    text: bool = False

    def __post_init__(self):
        self.ids = list(range(1, self.count + 1))
        self.highest = self.count
        self.lines = []

    def change(self, what, amount):
        """Add images at the end, or delete or restore some of them."""
        if what == "add":
            self.ids += range(self.highest + 1, self.highest + amount + 1)
            self.highest += amount
        elif what == "restore":
            self.ids = sorted({*self.ids, *amount})
        else:
            self.ids = [id for id in self.ids if id not in amount]

    def __call__(self, request):
        """Return the reply to a request for the list, or for one image."""
        if (id := request.url.path.rpartition("/")[2]) != "images":
            is_there = int(id.strip("i")) in self.ids
            return httpx.Response(
                200 if is_there else 404, json=self.row(int(id.strip("i"))) if is_there else {}
            )
        asked = dict(request.url.params)
        order, place = asked.get("sort", "desc"), asked.get(self.by, "first")
        self.lines.append(f"{asked.get('sort', 'any')} {place}{' style' if 'style' in asked else ''}")
        for what, amount in self.changes.get(len(self.lines), ()):
            self.change(what, amount)
        ids = self.ids[::-1] if order == "desc" else self.ids
        size = min(int(asked.get("per_page", 10)), self.most)
        start = self.start(place, order, size)
        if (order, start // size + 1) in self.refused or (self.by == "link" and start and len(asked) > 1):
            return httpx.Response(self.refused.get((order, start // size + 1), 400), json={"message": "No."})
        pages = -(-len(ids) // size)
        if start >= len(ids) and self.behind != "empty":
            start = 0 if self.behind == "first" else (pages - 1) * size
        page, has_more = start // size + 1, start + size < len(ids)
        rows = [] if (order, page) in self.lost else ids[start : start + size]
        said = {
            "total": len(ids) + self.total,
            "last_page": pages,
            "has_more": has_more,
            "next": page + 1 if has_more else None,
            "current_page": page,
            "next_cursor": f"c{ids[start + size - 1]}"
            if has_more
            else "c0"
            if self.behind == "first"
            else None,
            "next_url": f"/api/v1/images?link={page + 1}" if has_more else None,
        }
        names = {
            "total": "total",
            "first": "total",
            "never more": "has_more",
            "last": "last_page",
            "more": "has_more",
            "next": "next",
            "number": "current_page",
            "cursor": "next_cursor",
            "link": "next_url",
        }
        described = {names[each]: said[names[each]] for each in self.says}
        if start and "first" in self.says:
            described["total"] = None
        if "never more" in self.says:
            described["has_more"] = False
        return httpx.Response(200, json={"data": [self.row(id) for id in rows]} | described)

    def start(self, place, order, size):
        """Return the number of images before a page."""
        if place == "first":
            return 0
        if self.by in ("page", "link"):
            return size * (int(place) - 1)
        if self.by == "offset":
            return int(place)
        last = int(place.strip("ic"))
        return sum(id <= last if order == "asc" else id >= last for id in self.ids)

    def row(self, id):
        """Return one image."""
        return {"id": f"i{id:05}" if self.text else id, "name": f"n{id}", "style": "anime"}


#: Each service, the level of its listing, the number of images that it has, of those that it lacks at the end, and whether
#: records are known to be missing, or to be counted and not there, so that a line is printed.
LIBRARIES = {
    "steady": (Library(), "exact", 430, 0, False),
    "steady, one page": (Library(count=40), "exact", 40, 0, False),
    "steady, a full page": (Library(count=100), "exact", 100, 0, False),
    "steady, two pages": (Library(count=150), "exact", 150, 0, False),
    "total of one page, two pages": (Library(count=150, total=-80), "best-effort", 150, 0, False),
    "steady, full pages": (Library(count=300), "exact", 300, 0, False),
    "steady, nothing": (Library(count=0), "exact", 0, 0, False),
    "steady, small pages": (Library(count=43, most=10), "exact", 43, 0, False),
    "steady, last page": (Library(says=("total", "last", "number")), "exact", 430, 0, False),
    "steady, last page only": (Library(says=("last",)), "best-effort", 430, 0, False),
    "steady, next": (Library(says=("next",)), "verified", 430, 0, False),
    "steady, next and total": (Library(says=("next", "total")), "exact", 430, 0, False),
    "steady, more": (Library(says=("more",)), "verified", 430, 0, False),
    "steady, more, full pages": (Library(says=("more",), count=300), "verified", 300, 0, False),
    "steady, no words": (Library(says=()), "best-effort", 430, 0, False),
    "steady, no words, full page": (Library(says=(), count=100), "exact", 100, 0, False),
    "steady, no words, full pages": (Library(says=(), count=300), "best-effort", 300, 0, False),
    "steady, no words, last page again": (Library(says=(), count=230, behind="last"), "best-effort", 230, 0, False),
    "steady, no words, first page again": (Library(says=(), count=230, behind="first"), "best-effort", 230, 0, False),
    "total too large": (Library(total=7), "best-effort", 430, 0, True),
    "total far too large": (Library(total=1000), "best-effort", 430, 0, True),
    "total far too large, last page again": (Library(total=1000, behind="last"), "best-effort", 430, 0, True),
    "total too small": (Library(total=-7), "best-effort", 430, 0, False),
    "total too small by pages": (Library(total=-200), "best-effort", 430, 0, False),
    "total one too large, one page": (Library(count=40, total=1), "best-effort", 40, 0, True),
    "total one too small, one page": (Library(count=40, total=-1), "best-effort", 40, 0, False),
    "text ids": (Library(text=True), "best-effort", 430, 0, False),
    "text ids, one page": (Library(text=True, count=30), "exact", 30, 0, False),
    "added at once": (Library(changes={2: [("add", 1)]}), "verified", 431, 0, False),
    "added to a full last page": (Library(count=400, changes={3: [("add", 2)]}), "verified", 402, 0, False),
    "added late": (Library(changes={6: [("add", 3)]}), "verified", 433, 0, False),
    "added at the very end": (Library(changes={7: [("add", 3)]}), "exact", 430, 0, False),
    "added at every request": (Library(changes={number: [("add", 1)] for number in range(2, 60)}), "verified", 442, 1, False),
    "added by pages": (Library(changes={4: [("add", 150)], 8: [("add", 250)]}), "verified", 830, 0, False),
    "deleted at the start": (Library(changes={2: [("delete", {1, 2, 3})]}), "verified", 427, 0, False),
    "deleted in the middle": (Library(changes={4: [("delete", set(range(150, 180)))]}), "verified", 430, 0, False),
    "deleted by pages": (Library(changes={4: [("delete", set(range(1, 250)))]}), "verified", 381, 0, False),
    "deleted to one page": (Library(changes={3: [("delete", set(range(50, 430)))]}), "verified", 101, 0, False),
    "deleted to nothing at once": (Library(changes={2: [("delete", set(range(1, 431)))]}), "best-effort", 0, 0, False),
    "deleted to nothing": (Library(changes={3: [("delete", set(range(1, 431)))]}), "best-effort", 100, 0, False),
    "newest deleted": (Library(changes={3: [("delete", {430})]}), "verified", 429, 0, False),
    "newest deleted late": (Library(changes={6: [("delete", {429, 430})]}), "verified", 428, 0, False),
    "one added, one deleted": (Library(changes={3: [("add", 1), ("delete", {5})]}), "verified", 431, 0, False),
    "one added, one deleted late": (Library(changes={6: [("add", 1), ("delete", {5})]}), "verified", 431, 0, False),
    "one added and the newest deleted": (Library(changes={3: [("delete", {430}), ("add", 1)]}), "verified", 430, 0, False),
    "deleted at every request": (Library(changes={number: [("delete", {3 * number})] for number in range(2, 60)}), "verified", 429, 0, False),
    "added without words": (Library(says=(), changes={3: [("add", 5)]}), "best-effort", 430, 5, False),
    "deleted without words": (Library(says=(), changes={3: [("delete", set(range(1, 120)))]}), "best-effort", 311, 0, False),
    "added with next": (Library(says=("next",), changes={3: [("add", 5)], 5: [("add", 200)]}), "verified", 635, 0, False),
    "one added and taken back": (Library(changes={4: [("add", 1)], 5: [("delete", {431})]}), "verified", 430, 0, False),
    "a page is empty": (Library(lost=(("asc", 3),)), "best-effort", 330, 100, True),
    "a page is empty, without words": (Library(says=(), lost=(("asc", 3),)), "best-effort", 430, 0, False),
    "a page is missing": (Library(refused={("asc", 3): 404}), "best-effort", 330, 100, True),
    "a page is refused": (Library(refused={("asc", 3): 422}), "best-effort", 330, 100, True),
    "the last page is missing": (Library(refused={("asc", 5): 404}), "verified", 430, 0, False),
    "the second page is missing": (Library(refused={("asc", 2): 404, ("desc", 2): 404}), "best-effort", 200, 230, True),
    "no page but the first": (Library(refused={(order, page): 404 for order in ("asc", "desc") for page in range(2, 9)}), "best-effort", 200, 230, True),
    "no page but the first, all seen": (Library(count=150, refused={(order, page): 404 for order in ("asc", "desc") for page in range(2, 9)}), "best-effort", 150, 0, False),
    "no page but the first, without words": (Library(says=(), refused={(order, page): 404 for order in ("asc", "desc") for page in range(2, 9)}), "best-effort", 200, 230, False),
}  # fmt: skip


def listing(library, **query):
    """Return the ids of a listing, and its provenance."""
    library.__post_init__()
    limit = query.pop("limit", None)
    with Answers(library).client(concurrency=1) as client:
        frame = client.images.all(**query, **({"limit": limit} if limit else {}))
    came = frame.attrs["inkframe"]
    ids = [int(str(id).lstrip("i")) for id in frame.index]
    assert max(Counter(ids).values(), default=1) == 1
    if came["completeness"] in ("exact", "verified") and limit is None:
        assert set(range(1, library.count + 1)) & set(library.ids) <= set(ids)
    if came["completeness"] == "exact":
        assert came["total"] in {None, len(ids)}
    assert (came["reasons"] == []) == (came["completeness"] == "exact")
    return ids, came


@pytest.mark.parametrize("name", LIBRARIES)
@pytest.mark.parametrize(
    "query", [{}, {"style": "anime"}, {"sort": "asc"}], ids=["all", "style", "ascending"]
)
def test_a_listing_has_what_is_there(capsys, name, query):
    """No image is listed twice, and none that was there throughout is missing where the verdict says so."""
    library, *expected, is_short = LIBRARIES[name]
    ids, came = listing(library, **query)
    assert [came["completeness"], len(ids), len(set(library.ids) - set(ids))] == expected
    assert ids == sorted(ids, reverse="sort" not in query)
    # With a filter, a total may be that of the whole collection.
    assert ("service.test" in capsys.readouterr().out) == is_short or "style" in query


@pytest.mark.parametrize("name", LIBRARIES)
def test_the_newest_are_listed_first(name):
    """A limit ends a listing with the newest images, as far as pages are found."""
    library, *_ = LIBRARIES[name]
    ids, came = listing(library, limit=130)
    assert ids == sorted(ids, reverse=True)
    is_first_page_only = "page but the first" in name or name in {
        "the second page is missing",
        "deleted to nothing at once",
    }
    assert len(ids) == min(100 if is_first_page_only else 130, library.count)
    assert came["completeness"] == "best-effort" or len(ids) == library.count


def small(**options):
    """Return a library of 23 images in pages of 5."""
    return Library(**{"count": 23, "most": 5} | options)


#: The newest images are on no page by id ascending.
UNREACHED = {("asc", 4): 404, ("asc", 5): 404}
AFTER = {"by": "after", "says": ("more",)}
CURSORS = {"by": "cursor", "says": ("cursor",)}
#: Each service, how it is listed, the level, whether every image was read that matched throughout, and whether some are known
#: to be missing.
SINGLE_LISTINGS = {
    "by the last id": (small(**AFTER), {}, "verified", True, False),
    "by the last id, newest first": (small(**AFTER), {"newest_first": True}, "best-effort", False, False),
    "by the last id, with a total": (small(by="after", says=("total",), behind="first"), {}, "verified", True, False),
    "by the last id, newest deleted and others added": (small(**AFTER, changes={3: [("delete", {23})], 8: [("add", 12)]}), {}, "verified", True, False),
    "by cursors": (small(**CURSORS), {}, "best-effort", False, False),
    "by cursors that lead to the start again": (small(**CURSORS, behind="first"), {}, "best-effort", False, False),
    "by cursors, an empty page": (small(**CURSORS, lost=(("asc", 3),)), {}, "best-effort", False, False),
    "by cursors, a total too large": (small(by="cursor", says=("total", "more", "cursor"), total=40), {}, "best-effort", False, True),
    "by cursors, newest deleted": (small(**CURSORS, changes={3: [("delete", {23})]}), {}, "best-effort", False, False),
    "by offset": (small(by="offset"), {}, "exact", True, False),
    "by offset, newest first": (small(by="offset"), {"newest_first": True}, "best-effort", False, False),
    "a next page beside the word that none follows": (small(says=("never more", "next")), {"newest_first": True}, "best-effort", False, False),
    "by links": (small(by="link", says=("link",)), {}, "best-effort", False, False),
    "by links, newest first": (small(by="link", says=("link",)), {"newest_first": True}, "best-effort", False, False),
    "one full page with its number": (small(count=5, says=("number",)), {}, "exact", True, False),
    "favorites": (small(), {"query": {"favorite": 1}}, "best-effort", True, False),
    "one page of favorites": (small(count=3), {"query": {"favorite": 1}}, "exact", True, False),
    "images of a search that changes": (small(changes={3: [("delete", {3})]}), {"query": {"search": "n"}}, "best-effort", True, False),
    "two pages, a total far too large": (small(count=8, total=40), {}, "best-effort", False, True),
    "replaced before the end is read": (small(changes={3: [("delete", {3})], 14: [("delete", set(range(1, 24))), ("add", 8)]}), {}, "verified", True, False),
    "added and partly deleted at the end": (small(changes={3: [("delete", {3})], 14: [("add", 12)], 15: [("delete", set(range(31, 35)))]}), {}, "verified", True, False),
    "without words, 404 past the end": (small(says=(), count=20, refused={("asc", 5): 404, ("desc", 5): 404}), {}, "best-effort", False, False),
    "refused and added": (small(count=34, says=("more",), changes={5: [("add", 2)], 13: [("add", 1)]}, refused={("asc", 3): 410}), {}, "best-effort", False, True),
    "last page again, deleted by pages": (small(behind="last", changes={5: [("delete", set(range(1, 13)))]}), {}, "best-effort", False, False),
    "last page again, added by pages": (small(behind="last", changes={5: [("add", 12)]}), {}, "verified", True, False),
    "one restored, one deleted": (small(changes={1: [("delete", {2})], 2: [("restore", {2}), ("delete", {21})]}), {}, "verified", True, False),
    "moved to pages before": (small(changes={3: [("delete", {3})], 14: [("delete", set(range(1, 11))), ("add", 10)]}), {}, "verified", True, False),
    "newest deleted and others added": (small(changes={3: [("delete", {23})], 13: [("add", 12)]}), {}, "verified", True, False),
    "a total on the first page only": (small(says=("first",)), {}, "exact", True, False),
    "newest out of reach": (small(refused=UNREACHED), {}, "best-effort", False, True),
    "newest out of reach and replaced at each request": (small(refused=UNREACHED, changes={request: [("delete", set(range(12 * request - 98, 12 * request - 84))), ("add", 12)] for request in range(9, 34)}), {}, "best-effort", False, True),
}  # fmt: skip


@pytest.mark.parametrize("name", SINGLE_LISTINGS)
def test_a_single_listing_says_what_it_has(name):
    """Its level, and whether every image was read that matched throughout, also if others came to match."""
    library, options, *expected = SINGLE_LISTINGS[name]
    library.__post_init__()
    listing = FullListing(Answers(library).calls(), **{"query": {}} | options)
    ids = [id for columns in listing.pages() for id in columns.ids]
    found = listing.completeness
    assert len(set(ids)) == len(ids)
    assert [found.level, found.is_whole, found.gap is not None] == expected
