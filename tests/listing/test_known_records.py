"""The positive control: what a listing should have, and what its records show of filters, searches, sorts and content."""

import json

import httpx
import pytest
from tests.answering import Answers, facts
from tests.services import FaultyService, Paging, drawn

import inkframe as ink


def rows(ids, **fields):
    """Return images, the newest first."""
    return [
        {"id": id, "name": f"Kettle {id}", "description": "d", "resolution": "512x512"} | fields for id in ids
    ]


def connected(answer):
    """Return a client of a function from the parameters of a list to its reply; a record is missing."""

    def reply(request):
        if request.url.path.rpartition("/")[2] not in {"images", "documents"}:
            return httpx.Response(404, json={"message": "None."})
        return answer(dict(request.url.params))

    return Answers(reply).client()


class Hiding(httpx.BaseTransport):
    """A service that stores records and does not list some of them."""

    def __init__(self, count):
        words = {"data": "$rows", "page": "$number", "last_page": "$last_number"}
        self.service = FaultyService(drawn(words), images=count)
        self.hidden = set()

    def handle_request(self, request):
        """Return the reply, a list without the hidden records."""
        reply = self.service.transport.handle_request(request)
        if request.method != "GET" or not request.url.path.endswith("/images"):
            return reply
        body = json.loads(reply.read())
        body["data"] = [row for row in body["data"] if row["id"] not in self.hidden]
        return httpx.Response(200, json=body)

    def client(self):
        """Return a client."""
        return ink.Client(self.service.base_url, self.service.key, transport=self)


def ids_in(reasons):
    """Return the ids of the only reason, or of a printed line."""
    (reason,) = reasons
    assert "known records are not listed: " in reason
    return reason.rpartition(": ")[2].strip(".").split(", ")


@pytest.mark.parametrize(
    "words", [{"has_more": False}, {"has_more": False, "total": "$size"}, {"last_page": 1, "page": 1}]
)
@pytest.mark.parametrize("parameter", ["page", "leaf"])
@pytest.mark.parametrize("size", [100, 20])
def test_a_full_page_that_says_it_is_the_last_is_looked_at_from_the_other_end(words, parameter, size):
    """100 or 20 of 257 records are not exact, whatever the page says."""
    service = FaultyService(
        drawn({"data": "$rows", **words}, paging=Paging(parameter=parameter, largest=size)),
        images=257,
    )
    with service.client() as client:
        frame = client.images.all()
    assert facts(frame)[0] == "best-effort"
    assert len(frame) == (257 if parameter == "page" else 2 * size)


@pytest.mark.parametrize(
    ("said", "before"),
    [({"per_page": "$size"}, None), ({}, {"per_page": 50})],
    ids=["it says its size", "two sizes asked"],
)
def test_a_page_of_the_size_of_the_service_is_full(said, before):
    """Where a reply says the size, or another size that was asked for brought as many records."""
    words = {"data": "$rows", "has_more": False, **said}
    dialect = drawn(words, paging=Paging(largest=33))
    service = FaultyService(dialect, images=2570)
    with service.client() as client:
        if before is not None:
            assert len(client.images.list(**before)) == 33
        frame = client.images.all()
    assert (len(frame), facts(frame)[0]) == (2570, "best-effort")


def test_a_small_list_takes_one_request():
    """A page that is shorter than any service makes them is not doubted, also after a list of as many records."""
    with connected(lambda _: {"data": rows(range(7, 0, -1)), "has_more": False}) as client:
        client.images.list()
        before = client._session.sender.sent
        assert facts(client.images.all()) == ("exact", [])
        assert client._session.sender.sent == before + 1


def test_an_id_that_comes_twice_counts_once():
    """A total is compared with the distinct ids."""
    with connected(lambda _: {"data": rows([9, 8, 8, 7]), "total": 4, "has_more": False}) as client:
        frame = client.images.all()
    assert len(frame) == 3
    assert facts(frame) == ("best-effort", ["the service reports 4 records and returned 3"])


def test_an_ignored_search_is_said(capsys):
    """Rows that have nothing of what was searched for are kept, and never exact."""
    with connected(
        lambda _: {"data": rows(range(9, 0, -1)), "total": 9, "last_page": 1, "page": 1}
    ) as client:
        for found in (client.images.all(search="harbor"), client.images.list(search="harbor")):
            level, reasons = facts(found)
            assert (len(found), level in {"verified", "page"}) == (9, True)
            assert reasons == ["the service does not search by name"]
        assert facts(client.images.all(search="kettles"))[0] == "exact"
    assert "service.test does not search by name: records without it are listed." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("query", "by", "is_said"),
    [
        ({"sort": "asc"}, "id", True),
        ({"sort_by": "name"}, "name", True),
        ({"sort_by": "name", "sort": "asc"}, "name", False),
        ({"sort": "desc"}, "id", False),
        ({}, "id", False),
    ],
)
def test_an_ignored_sort_is_said_of_a_page(query, by, is_said, capsys):
    """By numeric ids, or the first letters of names, if it was asked for."""
    named = [
        row | {"name": name} for row, name in zip(rows([3, 2, 1]), ("apple", "Brook", "canal"), strict=True)
    ]
    with connected(lambda _: {"data": named, "total": 3}) as client:
        reasons = facts(client.images.list(**query))[1]
    assert reasons == ([f"the service does not sort by {by}"] if is_said else [])
    assert ("does not sort" in capsys.readouterr().out) == is_said


def test_records_that_this_client_made_are_looked_for(capsys):
    """A listing without four records that it has just created is best-effort, with their ids, and a line is printed."""
    hiding = Hiding(5)
    with hiding.client() as client:
        assert facts(client.images.all())[0] == "exact"
        for name in "abcd":
            client.images.create(name=name, description="d", resolution="512x512", style="anime")
        assert facts(client.images.all())[0] == "exact"
        hiding.hidden = {6, 7, 8, 9}
        for query in ({}, {"style": "anime"}):
            level, reasons = facts(client.images.all(**query))
            assert (level, sorted(ids_in(reasons))) == ("best-effort", ["6", "7", "8", "9"])
        assert sorted(ids_in([capsys.readouterr().out.splitlines()[-1]])) == ["6", "7", "8", "9"]
        client.images.delete(9)
        assert sorted(ids_in(facts(client.images.all())[1])) == ["6", "7", "8"]
        assert facts(client.images.all(style="sketch"))[0] == "exact"
        del hiding.service.images[8]
        assert sorted(ids_in(facts(client.images.all())[1])) == ["6", "7"]


@pytest.mark.parametrize("way", ["made", "fetched", "renamed", "listed"])
def test_a_search_for_a_known_name_finds_it(way, capsys):
    """A record whose name is what was searched for is looked for, unless it was renamed or another filter excludes it."""
    hiding = Hiding(5)
    with hiding.client() as client:
        name = "zebra"
        if way == "made":
            client.images.create(name=name, description="d", resolution="512x512")
        elif way == "renamed":
            client.images.update(5, name=name)
        elif way == "fetched":
            name = client.images.get(5).name
        else:
            name = client.images.all()["name"].loc[5]
        hiding.hidden = {6 if way == "made" else 5}
        id = max(hiding.hidden)
        unlisted = ("best-effort", [f"known records are not listed: {id}"])
        assert facts(client.images.all(search=name)) == unlisted
        assert capsys.readouterr().out.splitlines()[-1] == f"service.test lists 0 images: {unlisted[1][0]}."
        shown = hiding.service.images[id]
        other = next(each for each in ("anime", "retro") if each != shown["style"])
        assert facts(client.images.all(search=name, style=other)) == ("exact", [])
        shown["name"] = "quagga"
        assert facts(client.images.all(search=name)) == ("exact", [])


def test_records_in_the_journal_are_looked_for(tmp_path, monkeypatch):
    """A program that starts again knows what an earlier one has made."""
    monkeypatch.setenv("INKFRAME_HOME", str(tmp_path))
    hiding = Hiding(5)
    with hiding.client() as client:
        client.images.create(name="a", description="d", resolution="512x512")
    hiding.hidden = {6}
    with hiding.client() as client:
        assert facts(client.images.all()) == ("best-effort", ["known records are not listed: 6"])


def test_a_list_without_templates_that_looks_for_records_adds_no_total(capsys):
    """A document that this client fetched and no list has is said of as many documents as the lists have."""
    row = {"prompt": "p", "creativity": 0.5, "template_id": 1}

    def answer(request):
        if request.url.path.endswith("/9"):
            return {"id": 9, "name": "n", **row}
        found = [{"id": id, "name": f"n{id}", **row} for id in (2, 1)]
        found = found if request.url.params.get("template_id", "1") == "1" else []
        return {"data": found, "total": len(found), "current_page": 1, "last_page": 1}

    with Answers(answer).client() as client:
        client.documents.get(9)
        frame = client.documents.all()
    assert (len(frame), frame.attrs["inkframe"]["total"]) == (2, 2)
    assert "lists 2 documents: known records are not listed: 9" in capsys.readouterr().out


def test_many_known_records_that_are_gone_cost_ten_requests():
    """A library that others have emptied is listed as verified at most."""
    service = FaultyService(images=60)
    with service.client() as client:
        client.images.all()
        service.images.clear()
        before = len(service.requests)
        level, reasons = facts(client.images.all())
    assert (level, reasons) == ("verified", ["50 records that were known before are not listed any more"])
    assert len(service.requests) == before + 1 + 10


def test_records_without_content_are_said(capsys):
    """A list of other things, whose rows show none of the fields that every record has, is never exact."""
    bare = [{"id": id, "style": "ink", "favorite": True} for id in (3, 2, 1)]
    with connected(lambda _: {"data": bare, "total": 3, "last_page": 1, "page": 1}) as client:
        level, reasons = facts(client.images.all())
        assert (level, reasons) == (
            "best-effort",
            ["the records show none of name and description and resolution"],
        )
        assert facts(client.images.list())[1] == reasons
        [*_, last] = client.images.pages()
        assert facts(last)[1] == reasons
    assert capsys.readouterr().out.count("show none of name") == 3


@pytest.mark.parametrize("total", ["$size", 10])
def test_a_page_after_a_total_of_one_page_is_no_page_past_the_end(total):
    """Where a list goes on, its total counts something else, and the page is not another one again."""
    listing = {"data": "$rows", "total": total}
    service = FaultyService(drawn(listing), images=40)
    with service.client() as client:
        for page in (2, 3):
            found = client.images.list(page=page)
            assert (len(found), facts(found)[1]) == (10, [])


@pytest.mark.parametrize("query", [{}, {"style": "anime"}, {"favorite": True}])
def test_a_limit_bounds_the_requests_of_an_endless_service(query):
    """Pages without an end, with rows of any order and filter, take at most 60 requests for 50 records."""
    asked = []

    def answer(parameters):
        asked.append(parameters)
        page = int(parameters.get("page", 1))
        return {"data": rows([page * 7 % 1000 + page * 1000], style="sketch"), "has_more": True, "page": page}

    with connected(answer) as client:
        assert len(client.images.all(limit=50, **query)) <= 50
    assert len(asked) <= 60


def test_templates_that_replies_show_are_listed():
    """A template of a facet, of a link, of a record, and none at all: each is listed, though no vocabulary has it."""
    documents = [
        {"id": id, "name": f"n{id}", "prompt": "p", "creativity": 0.5, "template_id": template}
        for id, template in enumerate([1, 1, 4, 53, 60, 60, None, 77], 1)
    ]

    def answer(request):
        if (id := request.url.path.rpartition("/")[2]) != "documents":
            return documents[int(id) - 1]
        template = request.url.params.get("template_id")
        wanted = {1, None} if template is None else {int(template)}
        found = [each for each in documents if each["template_id"] in wanted][::-1]
        body = {"data": found, "total": len(found), "last_page": 1, "page": 1}
        if template is None:
            body["facets"] = {"template_id": [{"value": 53, "count": 1}]}
            body["see"] = ["https://service.test/api/v1/documents?template_id=60"]
        return body

    with Answers(answer).client() as client:
        client.documents.get(8)
        frame = client.documents.all()
        assert sorted(frame.index) == [1, 2, 3, 4, 5, 6, 7, 8]
        assert facts(frame) == (
            "verified",
            ["a record under a template that no reply shows would not be listed"],
        )
        assert sum(len(page) for page in client.documents.pages()) == 8
