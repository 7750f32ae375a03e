"""The most requests of a call, on services whose lists never end, repeat themselves or lie."""

from __future__ import annotations

import itertools

import httpx
import pytest
from tests.answering import Answers

import inkframe as ink

#: What a list says: a function of its number from 1, its page and the number of its records.
WORDS = {
    "nothing": lambda *_: {},
    "more": lambda *_: {"has_more": True},
    "the end": lambda *_: {"has_more": False},
    "a total": lambda *_: {"total": 257},
    "a far too large total": lambda *_: {"total": 10**9},
    "the total of a page": lambda _, page, count: {"total": count, "page": page},
    "a million pages": lambda _, page, __: {"page": page, "last_page": 10**6},
    "a new token": lambda number, *_: {"next_cursor": f"t{number}"},
    "one token": lambda *_: {"next_cursor": "abc"},
    "a new link": lambda number, *_: {"next": f"/api/v1/images?page={number + 1}"},
}
#: The ids of a list by its number from 1 and its size.
IDS = {
    "endless": lambda number, size: range(number * 1000, number * 1000 + size),
    "endless and falling": lambda number, size: range(
        10**9 - number * 1000, 10**9 - number * 1000 - size, -1
    ),
    "the same": lambda _, size: range(1, size + 1),
    "the same and one more": lambda number, size: [*range(1, size), number * 1000],
    "texts": lambda number, size: [f"x{number * 1000 + each}" for each in range(size)],
    "nothing more": lambda number, size: range(1, size + 1) if number == 1 else [],
}


class Service(Answers):
    """A service that lists images and documents in one way, and fails to create."""

    def __init__(self, ids, words, size):
        super().__init__(self.reply)
        self.ids, self.words, self.size = IDS[ids], WORDS[words], size
        self.lists = 0

    def reply(self, request):
        """Return a list, any record by its id, or a failure."""
        asked = dict(request.url.params)
        if request.method == "POST":
            return httpx.Response(500, json={"message": "Try later."})
        if not request.url.path.endswith(("/images", "/documents")):
            return self.row(request.url.path.rpartition("/")[2], 1)
        self.lists += 1
        ids = self.ids(self.lists, min(self.size, int(asked.get("per_page", 10))))
        rows = [self.row(id, int(asked.get("template_id", 1))) for id in ids]
        page = int(asked["page"]) if asked.get("page", "").isdecimal() else 1
        return {"data": rows, **self.words(self.lists, page, len(rows))}

    def row(self, id, template):
        """Return a record of either collection."""
        fields = {"description": "d", "prompt": "p", "creativity": 0.5, "result": "r"}
        return {"id": id, "name": f"Kettle {id}", "template_id": template} | fields


SERVICES = [
    (*each, (3, 20, 100)[number % 3])
    for number, each in enumerate(itertools.product(IDS, WORDS))
    if number % 2
]


@pytest.mark.parametrize(("ids", "words", "size"), SERVICES)
def test_no_call_sends_more_than_its_bound(ids, words, size):
    """A listing to a limit of 50 takes at most 60 requests, a check 40, and the search for a lost create 20."""
    service = Service(ids, words, size)
    for collection, sort in (("images", "desc"), ("documents", "desc"), ("documents", "asc")):
        with service.client() as client:
            before = len(service.requests)
            getattr(client, collection).all(limit=50, sort=sort)
            sent = len(service.requests) - before
            assert sent <= 60, (collection, sort)
    with service.client() as client:
        before = len(service.requests)
        client.check()
        assert len(service.requests) - before <= 40
        before = len(service.requests)
        with pytest.raises(ink.OutcomeUnknown) as unknown:
            client.documents.create(name="Lost", prompt="A kettle.")
        assert len(service.requests) - before <= 1 + 20 + 1
        before = len(service.requests)
        unknown.value.reconcile()
        assert len(service.requests) - before <= 20
