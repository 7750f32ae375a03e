"""Whole listings, request by request, while records are added, deleted and changed, recorded as text.

The recordings have every request, the verdict and its reasons, and what is missing. After an intended change, record
again and review the diff before committing it::

    INKFRAME_RECORD_GOLDENS=1 pytest tests/workflows/test_listing_steps.py
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import httpx
import pytest

import inkframe

pytestmark = pytest.mark.integration


@dataclass
class Library:
    """A service of images that changes while it is read.

    Args:
        count: The number of images at the start.
        says: What it says about a page: ``total``, ``last``, ``more``, ``next``, ``number``.
        total: The difference of its total from the number of images.
        most: The largest page.
        changes: What happens before a request, by its number from 1: ``add`` or ``delete`` with ids.
        refused: The pages that are refused, with their status.
        lost: The pages that are empty.
        behind: What comes behind the last page: ``empty``, ``last``, or ``first``.
        text: Whether ids are texts.
    """

    count: int = 430
    says: tuple = ("total",)
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
        """Add images at the end, or delete some of them."""
        if what == "add":
            self.ids += range(self.highest + 1, self.highest + amount + 1)
            self.highest += amount
        else:
            self.ids = [id for id in self.ids if id not in amount]

    def __call__(self, request):
        """Return the reply to a list request."""
        asked = dict(request.url.params)
        page, size = int(asked.get("page", 1)), min(int(asked.get("per_page", 10)), self.most)
        order = asked.get("sort", "desc")
        self.lines.append(f"{order} {asked.get('page', 'first')}{' style' if 'style' in asked else ''}")
        for what, amount in self.changes.get(len(self.lines), ()):
            self.change(what, amount)
        if (order, page) in self.refused:
            return httpx.Response(self.refused[order, page], json={"message": "No."})
        ids = self.ids[::-1] if order == "desc" else self.ids
        pages = -(-len(ids) // size)
        if page > pages and self.behind != "empty":
            page = 1 if self.behind == "first" else pages
        rows = [] if (order, page) in self.lost else ids[(page - 1) * size : page * size]
        said = {
            "total": len(ids) + self.total,
            "last_page": pages,
            "has_more": page < pages,
            "next": page + 1 if page < pages else None,
            "current_page": page,
        }
        names = {
            "total": "total",
            "last": "last_page",
            "more": "has_more",
            "next": "next",
            "number": "current_page",
        }
        described = {names[each]: said[names[each]] for each in self.says}
        return httpx.Response(200, json={"data": [self.row(id) for id in rows]} | described)

    def row(self, id):
        """Return one image."""
        return {"id": f"i{id:05}" if self.text else id, "name": f"n{id}", "style": "anime"}


LIBRARIES = {
    "steady": Library(),
    "steady, one page": Library(count=40),
    "steady, a full page": Library(count=100),
    "steady, two pages": Library(count=150),
    "total of one page, two pages": Library(count=150, total=-80),
    "steady, full pages": Library(count=300),
    "steady, nothing": Library(count=0),
    "steady, small pages": Library(count=43, most=10),
    "steady, last page": Library(says=("total", "last", "number")),
    "steady, last page only": Library(says=("last",)),
    "steady, next": Library(says=("next",)),
    "steady, next and total": Library(says=("next", "total")),
    "steady, more": Library(says=("more",)),
    "steady, more, full pages": Library(says=("more",), count=300),
    "steady, no words": Library(says=()),
    "steady, no words, full page": Library(says=(), count=100),
    "steady, no words, full pages": Library(says=(), count=300),
    "steady, no words, last page again": Library(says=(), count=230, behind="last"),
    "steady, no words, first page again": Library(says=(), count=230, behind="first"),
    "total too large": Library(total=7),
    "total far too large": Library(total=1000),
    "total far too large, last page again": Library(total=1000, behind="last"),
    "total too small": Library(total=-7),
    "total too small by pages": Library(total=-200),
    "total one too large, one page": Library(count=40, total=1),
    "total one too small, one page": Library(count=40, total=-1),
    "text ids": Library(text=True),
    "text ids, one page": Library(text=True, count=30),
    "added at once": Library(changes={2: [("add", 1)]}),
    "added to a full last page": Library(count=400, changes={3: [("add", 2)]}),
    "added late": Library(changes={6: [("add", 3)]}),
    "added at the very end": Library(changes={7: [("add", 3)]}),
    "added at every request": Library(changes={number: [("add", 1)] for number in range(2, 60)}),
    "added by pages": Library(changes={4: [("add", 150)], 8: [("add", 250)]}),
    "deleted at the start": Library(changes={2: [("delete", {1, 2, 3})]}),
    "deleted in the middle": Library(changes={4: [("delete", set(range(150, 180)))]}),
    "deleted by pages": Library(changes={4: [("delete", set(range(1, 250)))]}),
    "deleted to one page": Library(changes={3: [("delete", set(range(50, 430)))]}),
    "deleted to nothing at once": Library(changes={2: [("delete", set(range(1, 431)))]}),
    "deleted to nothing": Library(changes={3: [("delete", set(range(1, 431)))]}),
    "newest deleted": Library(changes={3: [("delete", {430})]}),
    "newest deleted late": Library(changes={6: [("delete", {429, 430})]}),
    "one added, one deleted": Library(changes={3: [("add", 1), ("delete", {5})]}),
    "one added, one deleted late": Library(changes={6: [("add", 1), ("delete", {5})]}),
    "one added and the newest deleted": Library(changes={3: [("delete", {430}), ("add", 1)]}),
    "deleted at every request": Library(
        changes={number: [("delete", {3 * number})] for number in range(2, 60)}
    ),
    "added without words": Library(says=(), changes={3: [("add", 5)]}),
    "deleted without words": Library(says=(), changes={3: [("delete", set(range(1, 120)))]}),
    "added with next": Library(says=("next",), changes={3: [("add", 5)], 5: [("add", 200)]}),
    "one added and taken back": Library(changes={4: [("add", 1)], 5: [("delete", {431})]}),
    "a page is empty": Library(lost=(("asc", 3),)),
    "a page is empty, without words": Library(says=(), lost=(("asc", 3),)),
    "a page is missing": Library(refused={("asc", 3): 404}),
    "a page is refused": Library(refused={("asc", 3): 422}),
    "the last page is missing": Library(refused={("asc", 5): 404}),
    "the second page is missing": Library(refused={("asc", 2): 404, ("desc", 2): 404}),
    "no page but the first": Library(
        refused={(order, page): 404 for order in ("asc", "desc") for page in range(2, 9)}
    ),
    "no page but the first, all seen": Library(
        count=150,
        refused={(order, page): 404 for order in ("asc", "desc") for page in range(2, 9)},
    ),
    "no page but the first, without words": Library(
        says=(), refused={(order, page): 404 for order in ("asc", "desc") for page in range(2, 9)}
    ),
}


def listing(library, **query):
    """Return the requests of a listing, its verdict, and what is missing of the images that are there."""
    library.__post_init__()
    options = {"transport": httpx.MockTransport(library), "max_retries": 0, "concurrency": 1}
    limit = query.pop("limit", None)
    with inkframe.Client("https://service.test", "key-for-tests", **options) as client:
        frame = client.images.all(**query, **({"limit": limit} if limit else {}))
    came = frame.attrs["inkframe"]
    ids = [int(str(id).lstrip("i")) for id in frame.index]
    assert max(Counter(ids).values(), default=1) == 1
    if came["completeness"] in ("exact", "verified") and limit is None:
        steady = set(range(1, library.count + 1)) & set(library.ids)
        assert steady <= set(ids)
    if came["completeness"] == "exact":
        assert came["total"] in {None, len(ids)}
    return [
        *(" ".join(library.lines[start : start + 10]) for start in range(0, len(library.lines), 10)),
        f"{len(ids)} images, {len(set(library.ids) - set(ids))} missing, {len(set(ids) - set(library.ids))} gone",
        f"{came['completeness']}, total {came['total']}: {'; '.join(came['reasons'])}",
        f"in order {ids == sorted(ids)} or {ids == sorted(ids, reverse=True)}",
    ]


QUERIES = {
    "all": {},
    "style": {"style": "anime"},
    "ascending": {"sort": "asc"},
    "newest": {"limit": 130},
}


@pytest.mark.parametrize("name", LIBRARIES)
@pytest.mark.parametrize("kind", QUERIES)
def test_a_listing_takes_the_steps_that_were_recorded(recorded, capsys, kind, name):
    """No image is listed twice, and none that was there throughout is missing where the verdict says so."""
    steps = listing(LIBRARIES[name], **QUERIES[kind])
    printed = {line.partition(" in ")[0] for line in capsys.readouterr().out.splitlines()}
    recorded(f"{kind}: {name}", steps + sorted(printed))
