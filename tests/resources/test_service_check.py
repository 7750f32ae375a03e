"""The check of a service: each row fails where the service does not honor it, and only there."""

import json
from dataclasses import replace

import httpx
import pytest
from tests.services import FaultyService
from tests.services.dialects.laravel import RESOURCE
from tests.services.wire_dialect import Paging

import inkframe as ink

TRIED = ("Store", "Update", "Delete")


def checked(dialect=RESOURCE, *, images=120, documents=900, write=False, **options):
    """Return the report of a service in a dialect, and the service."""
    service = FaultyService(dialect, images=images, documents=documents, **options)
    with ink.Client(service.base_url, service.key, transport=service.transport) as client:
        return client.check(write=write), service


def having(report, status):
    """Return the rows with a status, apart from those that write."""
    frame = report.frame[report.frame["status"] == status]
    return {
        f"{name}: {row}"
        for name, row in zip(frame["collection"], frame["row"], strict=True)
        if row not in TRIED
    }


@pytest.mark.parametrize("name", ["laravel_resource", "drf_offset", "jsonapi", "stripe", "openai", "odata"])
def test_a_service_of_the_interface(name):
    """Nothing fails on a service that honors the interface, and the check only reads, with at most 40 requests."""
    report, service = checked(name)
    assert having(report, "fails") == set()
    assert len(having(report, "holds")) >= 40
    assert {request.method for request in service.requests} == {"GET"}
    assert len(service.requests) <= 40


@pytest.mark.parametrize("names", ["{}", "Bild {}", "Löffel {}"])
def test_records_whose_names_differ_in_a_number(names):
    """The search is seen where names are digits, or one word with a number."""
    client = ink.connect(library=":memory:", engine="offline")
    for number in range(101, 125):
        client.documents.create(
            name=names.format(number), prompt=f"A text about {'a kettle' if number % 2 else 'the lamp'}."
        )
    rows = client.check().frame.set_index(["collection", "row"])
    assert rows.loc[("documents", "parameter search"), "status"] == "holds"
    assert rows.loc[("documents", "search_by name"), "status"] == "holds"


@pytest.mark.parametrize(
    ("ignored", "rows"),
    [
        ("style", {"images: parameter style"}),
        ("filter", {"images: parameter filter"}),
        ("resolution", {"images: parameter resolution"}),
        ("favorite", {"images: parameter favorite", "documents: parameter favorite"}),
        ("search_by", {"documents: search_by result"}),
        ("per_page", {"images: parameter per_page", "documents: parameter per_page"}),
        ("sort", {"images: parameter sort", "documents: parameter sort"}),
        ("sort_by", {"images: parameter sort_by", "documents: parameter sort_by"}),
        ("template_id", {"documents: parameter template_id", "documents: default template_id"}),
    ],
)
def test_an_ignored_parameter_fails(ignored, rows):
    """A service that ignores one parameter fails in its row, and in no other."""
    report, service = checked(replace(RESOURCE, ignores=(ignored,)))
    assert having(report, "fails") == rows
    assert len(service.requests) <= 40
    evidence = report.frame.loc[report.frame["status"] == "fails", "evidence"]
    assert evidence.str.len().between(20, 500).all()


def test_a_service_without_further_pages_fails():
    """A service that ignores the page fails with what was tried, within the number of requests."""
    report, service = checked(replace(RESOURCE, ignores=("page",)))
    assert having(report, "fails") >= {"images: further pages"}
    assert "documents: further pages" not in having(report, "holds")
    assert len(service.requests) <= 40


def test_an_ignored_search_fails_for_each_field():
    """A service that ignores the search fails in its row and in those of the fields."""
    report, _ = checked(replace(RESOURCE, ignores=("search",)))
    rows = {"parameter search", "search_by name"}
    assert having(report, "fails") >= {f"{name}: {row}" for name in ("images", "documents") for row in rows}


@pytest.mark.parametrize(
    ("dialect", "row"),
    [
        (replace(RESOURCE, usual_template=None), "documents: default template_id"),
        (replace(RESOURCE, paging=Paging(usual=20)), "images: default per_page"),
        (replace(RESOURCE, paging=Paging(largest=50)), "images: parameter per_page"),
        (replace(RESOURCE, record=replace(RESOURCE.record, omits=("description",))), "images: field description"),
        (replace(RESOURCE, record=replace(RESOURCE.record, omits=("template_id",)), ignores=("template_id",)),
         "documents: parameter template_id"),
    ],
)  # fmt: skip
def test_another_default_or_field_fails(dialect, row):
    """A service with another default, a smaller page or without a required field fails in that row."""
    assert row in having(checked(dialect)[0], "fails")


@pytest.mark.parametrize(
    ("dialect", "options", "rows"),
    [
        pytest.param("list_brief", {}, {"images: field description"}, id="only single records show it"),
        pytest.param(replace(RESOURCE, listing={"data": "$rows"}), {"images": 60, "documents": 0},
                     {"images: default per_page", "images: parameter per_page"}, id="the longest page is a total"),
        pytest.param(replace(RESOURCE, paging=Paging(largest=10)), {"images": 200, "documents": 0},
                     {"images: parameter favorite", "images: parameter sort"}, id="older records are on further pages"),
        pytest.param("drf_cursor", {"images": 40, "documents": 0}, {"images: default sort", "images: parameter sort"},
                     id="times order ids that are texts"),
        pytest.param(replace(RESOURCE, record=replace(RESOURCE.record, omits=("template_id",))), {},
                     {"documents: parameter template_id"}, id="lists do not show templates"),
    ],
)  # fmt: skip
def test_a_service_that_shows_it_elsewhere_holds(dialect, options, rows):
    """What a list does not show by itself is judged by other replies, and is no contradiction."""
    assert rows <= having(checked(dialect, **options)[0], "holds")


def test_what_cannot_be_seen_is_unknown():
    """Without records, or without a record of a style, the rows about them are unknown."""
    report, _ = checked(images=0, documents=0)
    assert having(report, "fails") == set()
    assert having(report, "holds") == {"service: Authorization", "images: List", "documents: List"}
    short = checked(replace(RESOURCE, listing={"data": "$rows"}), images=8, documents=0)[0]
    assert "images: default per_page" in having(short, "unknown")
    service = FaultyService(images=40)
    for image in service.images.values():
        image["style"] = None
    with ink.Client(service.base_url, service.key, transport=service.transport) as client:
        assert {"images: parameter style", "images: field style"} <= having(client.check(), "unknown")


def altered(answer, **options):
    """Return a client of the service whose replies a function may replace, and the requests."""
    service = FaultyService(images=30, documents=30)
    seen = []

    def reply(request):
        seen.append(request.method)
        other = answer(request)
        return service.transport.handle_request(request) if other is None else other

    transport = httpx.MockTransport(reply)
    return ink.Client(service.base_url, service.key, transport=transport, **options), service, seen


def judged(client, row, collection="images", **options):
    """Return the status and the evidence of a row in the report of a client, which is closed."""
    with client:
        frame = client.check(**options).frame
    return frame.set_index(["collection", "row"]).loc[(collection, row)]


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        *((status, "fails") for status in (400, 405, 409, 422, 499)),
        *((status, "unknown") for status in (401, 402, 403, 408, 425, 429, 500, 503)),
    ],
)
def test_a_refused_parameter_fails_and_a_failure_shows_nothing(status, expected):
    """A parameter that is refused fails with the message; an error of the service leaves it unknown."""

    def answer(request):
        if "style" in request.url.params:
            return httpx.Response(status, json={"message": "no such parameter"})
        return None

    row = judged(altered(answer)[0], "parameter style")
    assert row["status"] == expected
    assert f"status {status}: no such parameter" in row["evidence"]


@pytest.mark.parametrize(
    ("shown", "status"), [({"name": "Another"}, "fails"), ({"name": None}, "holds"), ({"id": 999}, "fails")]
)
def test_a_single_record_that_differs_from_the_list_fails(shown, status):
    """Another value than in the list, or another record, is a contradiction; a missing value is not."""

    def answer(request):
        *_, last = request.url.path.split("/")
        if not last.isdecimal():
            return None
        raw = json.loads(service.transport.handle_request(request).read())
        raw["data"].update(shown)
        return httpx.Response(200, json=raw)

    client, service, _ = altered(answer)
    found = judged(client, "Show")
    assert found["status"] == status
    assert "name" not in shown or status == "holds" or "differs from the list in name" in found["evidence"]


def test_pages_that_overlap_fail():
    """A page that repeats records of the one before is a contradiction."""
    rows = [
        {"id": id, "name": f"N{id}", "description": "d", "resolution": "256x256"} for id in range(40, 0, -1)
    ]

    def answer(request):
        size, page = int(request.url.params.get("per_page", 10)), int(request.url.params.get("page", 1))
        start = (page - 1) * (size - 3)
        return httpx.Response(
            200, json={"data": rows[start : start + size], "total": 40, "current_page": page}
        )

    transport = httpx.MockTransport(answer)
    client = ink.Client("https://service.test", "key", transport=transport, max_retries=0)
    found = judged(client, "further pages")
    assert found["status"] == "fails"
    assert "page repeats records: 31, 32, 33." in found["evidence"]


def test_records_that_change_during_the_check_are_no_contradiction():
    """A record that is left out because it has changed meanwhile proves nothing."""

    def answer(request):
        if request.url.params.get("favorite") == "1":
            for image in service.images.values():
                image["favorite"] = False

    client, service, _ = altered(answer)
    with client:
        assert "images: parameter favorite" in having(client.check(), "unknown")


def test_a_service_that_accepts_any_key_fails():
    """A list for a wrong key is a contradiction."""
    service = FaultyService(images=30)

    def reply(request):
        request.headers["Authorization"] = f"Bearer {service.key}"
        return service.transport.handle_request(request)

    with ink.Client(service.base_url, service.key, transport=httpx.MockTransport(reply)) as client:
        assert "service: Authorization" in having(client.check(), "fails")


def test_a_wrong_key_and_a_wrong_address_are_errors():
    """A service that cannot be asked at all is an error and not a report."""
    service = FaultyService(images=3)
    with ink.Client(service.base_url, "wrong-key-123456", transport=service.transport) as client:
        with pytest.raises(ink.AuthenticationError):
            client.check()


def test_a_document_is_created_updated_and_deleted(capsys):
    """With write=True the cost is printed first, and the document is gone afterwards."""
    report, service = checked(write=True)
    assert capsys.readouterr().out.count("1 document will be created on") == 1
    frame = report.frame[report.frame["collection"] == "documents"].set_index("row")
    assert frame.loc[list(TRIED), "status"].tolist() == ["holds"] * 3
    assert service.generations == 1
    assert len(service.documents) == 900
    assert sorted(r.method for r in service.requests if r.method != "GET") == ["DELETE", "PATCH", "POST"]
    images = report.frame[report.frame["collection"] == "images"].set_index("row")
    assert images.loc[list(TRIED), "status"].tolist() == ["unknown"] * 3


@pytest.mark.parametrize(
    ("method", "response", "row", "status"),
    [
        ("POST", httpx.Response(422, json={"message": "no"}), "Store", "fails"),
        ("PATCH", httpx.Response(403, json={"message": "no"}), "Update", "unknown"),
        ("PATCH", httpx.Response(200, json={"ok": True}), "Update", "fails"),
        ("DELETE", httpx.Response(204), "Delete", "fails"),
        ("DELETE", httpx.Response(403, json={"message": "no"}), "Delete", "unknown"),
    ],
)
def test_a_write_that_is_not_honored(method, response, row, status):
    """A write that is refused or has no effect fails, and what was created is deleted."""
    client, service, seen = altered(
        lambda request: response if request.method == method else None, max_retries=0
    )
    found = judged(client, row, "documents", write=True)
    assert found["status"] == status, found["evidence"]
    assert ("DELETE" in seen) == (method != "POST")
    if method == "PATCH":
        assert len(service.documents) == 30


def test_a_field_that_is_not_shown_after_an_update_is_unknown():
    """A record without a field that was sent does not show that it was stored."""

    def answer(request):
        id = request.url.path.rpartition("/")[2]
        if request.method == "GET" and id.isdecimal():
            return httpx.Response(200, json={"id": int(id), "name": "inkframe check, updated", "prompt": "x"})
        return None

    found = judged(altered(answer)[0], "Update", "documents", write=True)
    assert found["status"] == "unknown", found["evidence"]


def test_write_must_be_a_boolean():
    """A value that is not a boolean is refused before anything is sent."""
    service = FaultyService()
    with ink.Client(service.base_url, service.key, transport=service.transport) as client:
        with pytest.raises(ink.InvalidArgument, match="write"):
            client.check(write="no")
    assert service.requests == []


def test_a_limit_of_creates_is_kept():
    """With create_limit=0 the document is not created."""
    service = FaultyService(images=3, documents=3)
    client = ink.Client(service.base_url, service.key, transport=service.transport, create_limit=0)
    found = judged(client, "Store", "documents", write=True)
    assert service.generations == 0
    assert "create_limit=0" in found["evidence"]


def test_the_evidence_of_a_row_has_its_own_request_only():
    """A row that is judged from earlier replies, or is not tried, names no request of another row."""
    frame = checked(images=60, documents=0)[0].frame
    images = frame[frame["collection"] == "images"].set_index("row")["evidence"]
    quiet = images.index.str.startswith(("default", "field", *TRIED))
    assert not images[quiet].str.startswith("GET").any()
    assert images[~quiet].str.startswith("GET /images").all()
    assert images["default per_page"] == "A page of 10 has 10 records."


def edited(edit):
    """Return the report of a service whose lists of images a function may edit, with 30 images."""

    def answer(request):
        if not request.url.path.endswith("/images"):
            return None
        reply = service.transport.handle_request(request)
        raw = json.loads(reply.read())
        if reply.status_code == 200:
            raw["data"] = edit(dict(request.url.params), raw["data"])
        return httpx.Response(reply.status_code, json=raw)

    client, service, _ = altered(answer)
    with client:
        return client.check().frame.query("collection == 'images'").set_index("row")


def another_name(query, rows):
    """Show a style under another name in the first of the records that are filtered by it."""
    return [{**rows[0], "style": "Its label, translated"}, *rows[1:]] if "style" in query else rows


def another_form(query, rows):
    """List a record with another form of the word that is searched for."""
    word = query.get("search")
    return [*rows, {**rows[0], "id": 999, "name": f"{word[:3]}lier"}] if word else rows


def of_another(query, rows):
    """List a record that matches a search in nothing."""
    return [*rows, {**rows[0], "id": 999, "name": "?"}] if "search" in query else rows


@pytest.mark.parametrize(
    ("row", "status", "edit"),
    [
        ("parameter style", "fails", lambda query, rows: rows[1:] if "style" in query else rows),
        ("parameter style", "fails", lambda query, rows: [] if "style" in query else rows),
        ("parameter style", "holds", another_name),
        ("parameter search", "fails", lambda query, rows: rows[1:] if "search" in query else rows),
        ("parameter search", "holds", another_form),
        ("parameter search", "fails", of_another),
        ("default sort", "fails", lambda query, rows: rows if "sort" in query else rows[::-1]),
        ("parameter sort", "fails", lambda query, rows: rows[1:] if query.get("sort") == "asc" else rows),
        ("parameter sort_by", "holds", lambda query, rows: rows[::-1] if query.get("sort_by") == "name" else rows),
        ("parameter sort_by", "fails", lambda query, rows: rows[9:] + rows[:9] if query.get("sort_by") == "name" else rows),
        ("parameter sort_by", "unknown", lambda _, rows: [{**row, "name": "One name"} for row in rows]),
        ("parameter search", "unknown", lambda _, rows: [{**row, "name": "One name"} for row in rows]),
        ("parameter search", "unknown", lambda _, rows: [{**row, "name": "7"} for row in rows]),
        ("field style", "fails", lambda _, rows: [{**row, "style": "unknown look"} for row in rows]),
        ("field style", "unknown", lambda _, rows: [{**row, "style": None} for row in rows if not row["style"]]),
        ("parameter per_page", "fails", lambda query, rows: rows[:10] if query.get("per_page") == "25" else rows),
        ("parameter per_page", "fails", lambda query, rows: rows[:1] * 26 if query.get("per_page") == "25" else rows),
        ("default per_page", "fails", lambda query, rows: rows if "per_page" in query else rows[:9]),
    ],
)  # fmt: skip
def test_what_the_records_of_a_list_show(row, status, edit):
    """A record that contradicts a row is a failure; another name of a value or form of a word is not."""
    found = edited(edit).loc[row]
    assert found["status"] == status, found["evidence"]


def test_evidence_names_few_values():
    """Of many records that contradict a row, three are named."""
    report, _ = checked(replace(RESOURCE, ignores=("style",)))
    evidence = report.frame.set_index("row").loc["parameter style", "evidence"]
    assert evidence.endswith(", ….")
    assert evidence.split(": ")[-1].count(",") == 3


def test_an_interrupt_leaves_no_document_behind():
    """After Ctrl-C in the update, the document that was created is deleted."""

    def answer(request):
        if request.method == "PATCH":
            raise KeyboardInterrupt

    client, service, seen = altered(answer)
    with client, pytest.raises(KeyboardInterrupt):
        client.check(write=True)
    assert seen[-2:] == ["PATCH", "DELETE"]
    assert len(service.documents) == 30
