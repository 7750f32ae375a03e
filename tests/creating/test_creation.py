"""Creates: which record a reply is accepted as, and how one that finishes later is followed."""

import itertools
import threading
from urllib.parse import parse_qsl

import httpx
import pytest
from tests.cases import cases
from tests.services import VirtualClock

import inkframe

HOST = "https://service.test"
SENT = {"name": "Harbor at dawn, two boats", "prompt": "Write about the harbor at dawn.", "creativity": 0.25}
FOREIGN = {
    "id": 2,
    "name": "Desk lamp",
    "prompt": "Product text for a lamp",
    "creativity": 0.25,
    "result": "It glows.",
}


class Transport(httpx.BaseTransport):
    """A service whose replies are scripted: by path for reads, and in turn for creates.

    Args:
        created: The reply to a create, or a function of the sent fields.
        reads: The replies to reads by path; a list is used in turn, its last reply again.
    """

    def __init__(self, created, reads=None):
        self.clock = VirtualClock()
        self.created = created
        self.reads = {
            path: each if isinstance(each, list) else [each] for path, each in (reads or {}).items()
        }
        self.sent = []
        self.origins = set()

    def handle_request(self, request):
        """Return the reply to a request."""
        self.sent.append(f"{request.method} {request.url.raw_path.decode()}")
        self.origins.add((request.url.scheme, request.url.netloc))
        if request.method == "POST":
            fields = dict(parse_qsl(request.content.decode()))
            return self.created(fields) if callable(self.created) else self.created
        replies = self.reads.get(request.url.raw_path.decode())
        if replies is None:
            return httpx.Response(404, json={"message": "No such thing."})
        return replies.pop(0) if len(replies) > 1 else replies[0]

    @property
    def polls(self):
        """The reads so far."""
        return [each.removeprefix("GET ") for each in self.sent if each.startswith("GET")]

    def client(self, **options):
        """Return a client of this service."""
        return inkframe.Client(HOST, "key", transport=self, max_retries=0, **options)

    def create(self, **more):
        """Return a document that a new client creates."""
        return self.client().documents.create(**SENT | more)


def reply(status=201, json=None, **headers):
    return httpx.Response(
        status, json=json, headers={name.replace("_", "-"): value for name, value in headers.items()}
    )


def record(id=8, **more):
    return {"id": id, **SENT, "result": "Boats leave.", **more}


DOCUMENT = "/api/v1/documents/8"


# Which record a reply is accepted as


@pytest.mark.parametrize(
    "wrap", [lambda made: made, lambda made: {"data": made}, lambda made: {"document": made}]
)
def test_another_record_is_not_taken_for_the_new_one(wrap):
    """A create that is answered with a record of other fields has an unknown outcome."""
    service = Transport(reply(json=wrap(FOREIGN)))
    with pytest.raises(inkframe.OutcomeUnknown) as caught:
        service.create()
    assert len(str(caught.value).splitlines()) == 3


def test_equal_settings_do_not_identify_a_record():
    """Settings have few values, so that another record often has the same ones."""
    image = {"name": "Harbor", "description": "a harbor", "resolution": "512x512", "style": "anime"}
    other = image | {"id": 2, "name": "Lamp", "description": "a lamp"}
    with pytest.raises(inkframe.OutcomeUnknown):
        Transport(reply(json=other)).client().images.create(**image)


def test_one_foreign_record_is_not_created_three_times():
    """Rows of a batch that are answered with the same record are created at most once."""
    service = Transport(
        reply(json=record(2)), {"/api/v1/documents?sort_by=id&sort=desc&per_page=100": reply(200, [])}
    )
    rows = [SENT | {"repeat": number} for number in (1, 2, 3)]
    runs = service.client().documents.create_many(rows, progress=False)
    assert runs["status"].tolist().count("created") <= 1
    assert runs["id"].dropna().is_unique
    assert service.sent.count("POST /api/v1/documents") == 3


@pytest.mark.parametrize("read", ["get", "list", "all"])
def test_a_record_that_was_received_before_is_not_new(read):
    """The id of a record that the client fetched or listed before cannot be that of a new one."""
    text = "The reply leads to document 8, which existed before."
    reads = {"/api/v1/documents/8": reply(200, record())}
    transport = Transport(reply(json=record()), reads)
    shown = transport.handle_request
    transport.handle_request = lambda request: (
        reply(200, [record()])
        if request.method == "GET" and request.url.path.endswith("documents")
        else shown(request)
    )
    documents = transport.client().documents
    getattr(documents, read)(*([8] if read == "get" else []))
    with pytest.raises(inkframe.OutcomeUnknown, match=f"\n{text}\n"):
        documents.create(**SENT)


def test_an_id_is_new_again_after_its_record_was_deleted():
    """Some services use the id of a deleted record again."""
    ids = itertools.count(8)

    def handle(request):
        next(ids)
        return httpx.Response(204) if request.method == "DELETE" else reply(json=record())

    documents = inkframe.Client(HOST, "key", transport=httpx.MockTransport(handle)).documents
    documents.delete(documents.create(**SENT))
    assert documents.create(**SENT).id == 8
    with pytest.raises(inkframe.OutcomeUnknown):
        documents.create(**SENT)


def test_creates_at_the_same_time_are_given_each_record_once():
    """Of creates in several threads that are answered with one record, one is created."""
    service = Transport(reply(json=record()))
    documents, outcomes = service.client().documents, []

    def create():
        try:
            outcomes.append(documents.create(**SENT).id)
        except inkframe.OutcomeUnknown:
            outcomes.append(None)

    threads = [threading.Thread(target=create) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes, key=str) == [8] + [None] * 7


@pytest.mark.parametrize(
    "stored",
    [
        {"name": "Harbor at dawn"},
        {"name": "Harbor at d…"},
        {"name": "harbor-at-dawn-two-boats"},
        {"name": "HARBOR AT DAWN, TWO BOATS"},
        {"name": "Harbor at dawn, two boats (2)"},
        {"prompt": "<p>Write about the harbor at dawn.</p>"},
        {"creativity": 0.3},
        {"creativity": 0},
        {"name": "Document 8"},
        {"name": "Document 8", "prompt": "write about the harbor at dawn", "creativity": 1},
    ],
)
def test_a_value_that_the_service_changed_is_still_the_record(stored, capsys):
    """Normalized, truncated and rounded values are those of the new record, and the difference is printed."""
    service = Transport(reply(json=record(**stored)))
    assert service.create().id == 8
    said = capsys.readouterr().out
    assert all(name in said for name in stored)
    assert service.sent == ["POST /api/v1/documents"]


def test_a_value_that_the_service_kept_is_not_mentioned(capsys):
    """Outer white space and line ends, which services change, are not reported."""
    Transport(reply(json=record(prompt=SENT["prompt"]))).create(prompt=f" {SENT['prompt']}\r\n")
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    "body",
    [{"id": 8}, {"uuid": 8}, {"data": {"id": 8}}, {"documentId": 8, "message": "created"}, {"insertedId": 8},
     {"id": 8, "links": {"rel": "next"}}, {"url": f"{HOST}{DOCUMENT}"}, {"data": {"self": DOCUMENT}}],
)  # fmt: skip
def test_a_create_that_shows_only_an_id_is_fetched(body):
    """An id under any name that records use for it, or a link to the record, leads to the record."""
    service = Transport(reply(json=body), {DOCUMENT: reply(200, record())})
    made = service.create()
    assert (made.id, made.result) == (8, "Boats leave.")
    assert service.polls == [DOCUMENT]


def test_the_name_of_the_id_is_that_of_the_list():
    """An id under a pinned name is fetched as well."""
    service = Transport(
        reply(json={"reference": "k8"}), {"/api/v1/documents/k8": reply(200, record(reference="k8"))}
    )
    documents = service.client().documents
    documents.dialect = inkframe.Dialect(id_name="reference")
    assert documents.create(**SENT).id == "k8"


def test_an_incomplete_record_without_a_sent_field_is_fetched():
    """A reply that shows nothing that was sent says nothing about whose record it is."""
    short = {"id": 8, "status": "queued", "created_at": "2026-11-22T08:00:00Z"}
    service = Transport(reply(json=short), {DOCUMENT: reply(200, record())})
    assert service.create().name == SENT["name"]
    foreign = Transport(reply(json=short), {DOCUMENT: reply(200, FOREIGN | {"id": 8})})
    with pytest.raises(inkframe.OutcomeUnknown):
        foreign.create()


def test_an_operation_beside_an_id_is_not_followed():
    """The record of an id is fetched at once, unless the service says that it is created later."""
    body = {"id": 8, "status_url": "/jobs/5"}
    reads = {"/jobs/5": reply(200, {"status": "ok", "result": record()}), DOCUMENT: reply(200, record())}
    for created, polls in (
        (reply(201, body), [DOCUMENT]),
        (reply(202, body), ["/jobs/5"]),
        (reply(201, {"status_url": "/jobs/5"}), ["/jobs/5"]),
        (reply(299, {"status_url": "/jobs/5"}), ["/jobs/5"]),
        (reply(201, {"id": 8, "job": {"state": "failed"}}), [DOCUMENT]),
    ):
        service = Transport(created, reads)
        assert service.create().id == 8
        assert service.polls == polls


def test_the_record_that_an_operation_shows_has_every_text_that_was_sent():
    """One of the same name may be what the operation was started from."""
    other = reply(200, {"status": "ok", "result": record(prompt="Write about a lamp.")})
    with pytest.raises(inkframe.OutcomeUnknown):
        Transport(reply(202, None, Location="/jobs/5"), {"/jobs/5": other}).create()


def test_long_ids_are_cut_in_messages():
    """Of the id of a record that existed before, 80 characters are told, with its quotes."""
    id = "k" * 79
    service = Transport(reply(json=record(id)), {f"/api/v1/documents/{id}": reply(200, record(id))})
    client = service.client()
    client.documents.get(id)
    with pytest.raises(inkframe.OutcomeUnknown) as unknown:
        client.documents.create(**SENT)
    assert str(unknown.value).split("\n")[1] == (
        f"The reply leads to document '{'k' * 78}…, which existed before."
    )


def test_where_the_record_stands_is_learned():
    """The keys that lead to the record of the first create are remembered."""
    client = Transport(reply(json={"data": {"document": record()}})).client()
    client.documents.create(**SENT)
    assert client.documents.dialect.record_at == ("data", "document")


def test_the_fields_of_a_new_record_are_those_that_the_service_shows():
    """An update whose reply has them all is complete, without another read."""
    service = Transport(reply(json=record()), {DOCUMENT: reply(200, record(name="Pier"))})
    documents = service.client().documents
    documents.create(**SENT)
    assert documents.update(8, name="Pier").name == "Pier"
    assert service.sent == ["POST /api/v1/documents", f"PATCH {DOCUMENT}"]


def test_an_error_of_a_service_in_a_reply_of_success_is_told():
    """Its first line is that of the error, which is also the cause."""
    with pytest.raises(inkframe.OutcomeUnknown) as unknown:
        Transport(reply(200, {"code": 500, "message": "It failed."})).create()
    assert str(unknown.value) == (
        "The outcome of the create is unknown (status 200).\n"
        "It failed.\n"
        "Call .reconcile() on this error: it searches for the record and never creates one."
    )
    assert (type(unknown.value.__cause__), unknown.value.is_confirmed) == (inkframe.ServerError, False)


def test_every_id_of_a_reply_is_tried():
    """After one that cannot be fetched, or leads to another record, the next one is; the first error is told."""
    body = {"document_id": 7, "see": DOCUMENT}
    for other in (reply(404, {"message": "No such thing."}), reply(200, FOREIGN | {"id": 7})):
        service = Transport(reply(json=body), {"/api/v1/documents/7": other, DOCUMENT: reply(200, record())})
        assert service.create().id == 8
        assert service.polls == ["/api/v1/documents/7", DOCUMENT]
    with pytest.raises(inkframe.OutcomeUnknown) as unknown:
        Transport(reply(json={"document_id": 7})).create()
    assert str(unknown.value) == (
        "The outcome of the create is unknown (status 201).\n"
        "There is no document 7.\n"
        "Call .reconcile() on this error: it searches for the record and never creates one."
    )
    foreign = Transport(
        reply(json={"document_id": 7}), {"/api/v1/documents/7": reply(200, FOREIGN | {"id": 7})}
    )
    with pytest.raises(inkframe.OutcomeUnknown) as unknown:
        foreign.create()
    assert str(unknown.value).split("\n")[1] == (
        "The reply contains no document in which the sent fields can be recognized."
    )


@pytest.mark.parametrize(
    ("created", "is_sure"),
    [
        (reply(201, {"id": 8}), True),
        (reply(200, {"document_id": 8}), True),
        (reply(202, {"document_id": 8}), False),
        (reply(201, None, Location=DOCUMENT), True),
        (reply(201, {"see": DOCUMENT}), False),
        (reply(202, {"see": DOCUMENT}), False),
        (reply(202, None, Location="/jobs/200"), True),
        (reply(202, None, Location="/jobs/202"), True),
        (reply(202, None, Location="/jobs/see"), False),
    ],
)
def test_a_record_that_differs_counts_only_where_the_id_is_sure(created, is_sure):
    """The id of a job, and other links, may lead to another record, so that its texts must all be those sent."""
    done = {"status": "done", "document_id": 8}
    reads = {
        "/jobs/200": reply(200, done),
        "/jobs/202": reply(202, done),
        "/jobs/see": reply(200, {"status": "done", "see": DOCUMENT}),
    }
    assert Transport(created, reads | {DOCUMENT: reply(200, record())}).create().id == 8
    changed = Transport(created, reads | {DOCUMENT: reply(200, record(prompt="Write about a lamp."))})
    if is_sure:
        assert changed.create().prompt == "Write about a lamp."
    else:
        with pytest.raises(inkframe.OutcomeUnknown):
            changed.create()


@cases(
    "body",
    [
        {"request_id": 2, "message": "created"},
        {"operation": {"id": 2}},
        {"job": {"id": 2, "status": "done"}, "status": "done"},
        {"meta": {"id": 2}},
        {"trace": {"uuid": 2}},
        {"id": 2, "object": "request"},
    ],
)
@cases("status", [201, 202])
def test_the_id_of_a_request_or_an_operation_is_not_that_of_a_record(body, status):
    """Document 2, which another user created from a similar prompt, is not taken for the new one."""
    similar = FOREIGN | ({"prompt": SENT["prompt"]} if status == 202 or "object" not in body else {})
    service = Transport(reply(status, body), {"/api/v1/documents/2": reply(200, similar)})
    with pytest.raises(inkframe.OutcomeUnknown):
        service.create()


def test_a_picture_is_not_read_as_an_operation():
    """The location of a picture in a reply without a known id is not requested."""
    service = Transport(reply(json={"reference": 8, **SENT, "url": f"{HOST}/pictures/8.png"}))
    with pytest.raises(inkframe.OutcomeUnknown, match="can be recognized"):
        service.create()
    assert not [path for path in service.polls if "pictures" in path]


def test_the_id_in_the_query_of_the_location_is_fetched():
    """A create that is answered by the filter of its record, as by PostgREST, leads to the record."""
    created = httpx.Response(201, headers={"Location": "/documents?id=eq.8"})
    service = Transport(created, {DOCUMENT: reply(200, record())})
    assert service.create().id == 8
    assert service.polls == [DOCUMENT]


def test_the_record_is_found_beside_the_request():
    """A reply with an id and a name of its own contains the record under another key."""
    body = {
        "id": "request-5",
        "name": "CreateDocument",
        "result": record(),
        "project": {"id": 3, "name": "Boats"},
    }
    service = Transport(reply(json=body))
    assert service.create().id == 8
    assert service.client().describe() is not None


@pytest.mark.parametrize("key", ["data", "document", "documents", "resource"])
def test_keys_around_a_new_record(key):
    """Under a name of the collection, or a usual one, a text that the service changed is still the record's."""
    changed = record(prompt="Write about a lamp.")
    assert Transport(reply(json={key: changed})).create().id == 8
    with pytest.raises(inkframe.OutcomeUnknown):
        Transport(reply(json={f"{key}_of_project": changed})).create()


def test_another_resource_in_the_reply_is_not_the_record():
    """A project of the same name, in a reply without the record, is not taken for it."""
    body = {"status": "queued", "project": {"id": 3, "name": SENT["name"]}}
    with pytest.raises(inkframe.OutcomeUnknown):
        Transport(reply(json=body)).create()


# Creates that finish later


STARTS = [
    ({"Location": "/api/v1/operations/5"}, None),
    ({"Location": f"{HOST}/api/v1/operations/5"}, {"id": "5", "status": "queued"}),
    ({"Operation_Location": "/api/v1/operations/5", "Location": DOCUMENT}, None),
    ({"Azure_AsyncOperation": f"{HOST}/api/v1/operations/5"}, None),
    ({"Link": '</api/v1/operations/5>; rel="status"'}, {"message": "accepted"}),
    ({}, {"id": 5, "status_url": "/api/v1/operations/5"}),
    ({}, {"statusUrl": f"{HOST}/api/v1/operations/5"}),
    ({}, {"job": {"id": 5, "state": "queued", "href": "/api/v1/operations/5"}}),
    ({}, {"_links": {"monitor": {"href": "/api/v1/operations/5"}}}),
    ({}, {"links": [{"rel": "status", "href": "/api/v1/operations/5"}]}),
]
ENDS = [
    reply(200, {"status": "succeeded", "document_id": 8}),
    reply(200, {"status": "Completed", "result": record()}),
    reply(200, {"id": 5, "state": "done", "result": {"id": 8}}),
    reply(200, {"done": True, "response": record()}),
    reply(200, {"status": "succeeded", "resourceLocation": f"{HOST}{DOCUMENT}"}),
    reply(201, {"status": "ok"}, Location=DOCUMENT),
    reply(303, None, Location=DOCUMENT),
    reply(200, record()),
]


@cases(
    ("headers", "body", "end"),
    [(*start, ENDS[0]) for start in STARTS] + [(*STARTS[0], end) for end in ENDS],
)
def test_an_operation_is_followed_to_the_record(headers, body, end):
    """An operation is read from wherever it is until it is done, and its record is returned."""
    pending = [reply(200, {"id": 5, "status": "running"}), reply(202, None, Retry_After="7"), reply(202, {})]
    service = Transport(
        reply(202, body, **headers), {"/api/v1/operations/5": [*pending, end], DOCUMENT: reply(200, record())}
    )
    made = service.create()
    assert (made.id, made.result) == (8, "Boats leave.")
    shows_it = end in (ENDS[1], ENDS[3], ENDS[7])
    assert service.polls == ["/api/v1/operations/5"] * 4 + ([] if shows_it else [DOCUMENT])
    assert service.origins == {("https", b"service.test")}
    assert 7 in service.clock.slept


def test_an_operation_outside_of_the_interface_is_followed():
    """The address of an operation is used unchanged, with its query, on the same host only."""
    service = Transport(
        reply(202, None, Location="/jobs/5?view=full"),
        {
            "/jobs/5?view=full": reply(200, {"status": "succeeded", "document_id": 8}),
            DOCUMENT: reply(200, record()),
        },
    )
    assert service.create().id == 8
    for foreign in ("https://elsewhere.test/jobs/5", "http://service.test/jobs/5", "//elsewhere.test/jobs/5"):
        service = Transport(reply(202, None, Location=foreign))
        with pytest.raises(inkframe.OutcomeUnknown):
            service.create()
        assert service.sent == ["POST /api/v1/documents"]


def test_the_requested_wait_is_kept():
    """``Retry-After`` of each reply decides when the operation is read again."""
    running = {"status": "running"}
    service = Transport(
        reply(202, None, Location="/jobs/5", Retry_After="3"),
        {
            "/jobs/5": [
                reply(200, running, Retry_After="11"),
                reply(200, running, Retry_After="0.5"),
                reply(200, {"status": "ok", "result": record()}),
            ]
        },
    )
    service.create()
    assert service.clock.slept == [3, 11, 0.5]


def test_the_last_read_of_an_operation_ends_with_the_create():
    """It gets the time that is left."""
    service = Transport(
        reply(202, None, Location="/jobs/5", Retry_After="179"),
        {"/jobs/5": reply(200, {"status": "ok", "result": record()})},
    )
    limits = []
    handle = service.handle_request
    service.handle_request = lambda request: limits.append(request.extensions["timeout"]) or handle(request)
    service.create()
    assert [each["read"] for each in limits] == [180.0, 1.0]


def test_the_record_ends_the_wait_and_the_last_address_counts():
    """A record in a reply is enough, whatever its state; an operation may move to another address."""
    service = Transport(
        reply(202, None, Location="/jobs/5"),
        {"/jobs/5": reply(200, {"status": "running", "result": record()})},
    )
    assert service.create().id == 8
    assert service.polls == ["/jobs/5"]
    running = {"status": "running"}
    service = Transport(
        reply(202, None, Location="/jobs/5"),
        {
            "/jobs/5": reply(200, running | {"status_url": "/jobs/6"}),
            "/jobs/6": [reply(200, running), reply(200, {"status": "ok", "result": record()})],
        },
    )
    assert service.create().id == 8
    assert service.polls == ["/jobs/5", "/jobs/6", "/jobs/6"]
    assert service.clock.slept == [0.5, 0.75, 1.125]


@pytest.mark.parametrize("asked", ["0", "-5", "0.001", "Thu, 01 Jan 1970 00:00:00 GMT"])
def test_no_operation_is_read_without_pause(asked):
    """A wait of almost nothing, requested again and again, does not flood the service until the deadline."""
    running = reply(200, {"status": "running"}, Retry_After=asked)
    service = Transport(reply(202, None, Location="/jobs/5", Retry_After=asked), {"/jobs/5": running})
    with pytest.raises(inkframe.OutcomeUnknown, match="did not finish"):
        service.create()
    assert min(service.clock.slept) == 0.5
    assert len(service.polls) < 60


def test_an_operation_that_does_not_finish_is_unknown():
    """The deadline of a create ends the wait, and the outcome is unknown, not failed."""
    service = Transport(reply(202, None, Location="/jobs/5"), {"/jobs/5": reply(200, {"status": "running"})})
    with pytest.raises(inkframe.OutcomeUnknown, match="did not finish"):
        service.create()
    assert 150 < service.clock.now() <= 180
    assert len(service.polls) < 60


@pytest.mark.parametrize(("asked", "polls"), [("179", 1), ("180", 0), ("181", 0)])
def test_nothing_is_read_at_or_after_the_deadline(asked, polls):
    """A wait that lasts until the deadline of the create ends it without another read."""
    finished = reply(200, {"status": "ok", "result": record()})
    service = Transport(reply(202, None, Location="/jobs/5", Retry_After=asked), {"/jobs/5": finished})
    if polls:
        assert service.create().id == 8
    else:
        with pytest.raises(inkframe.OutcomeUnknown, match="did not finish"):
            service.create()
    assert len(service.polls) == polls


UNSAFE = "unsafe prompt\nThe service reported this error with status 200."


@pytest.mark.parametrize(
    ("end", "text"),
    [
        ({"status": "failed", "error": {"message": "unsafe prompt"}}, UNSAFE),
        ({"state": "Canceled"}, "The service accepted the create and reports that it failed."),
        ({"done": True, "error": {"code": 3, "message": "unsafe prompt"}}, UNSAFE),
    ],
)
def test_an_operation_that_failed_is_open(end, text):
    """A create that the service gave up may have happened, and the error has the service's message."""
    service = Transport(reply(202, {}, Location="/jobs/5"), {"/jobs/5": reply(200, end)})
    with pytest.raises(inkframe.OutcomeUnknown) as unknown:
        service.create()
    assert str(unknown.value.__cause__) == text


def test_messages_of_operations_in_full():
    """An operation that failed without a reason, or is not JSON, is named."""
    failed = reply(200, {"status": "failed"})
    with pytest.raises(inkframe.OutcomeUnknown) as unknown:
        Transport(reply(202, {}, Location="/jobs/5"), {"/jobs/5": failed}).create()
    assert unknown.value.__cause__.status == 200
    assert str(unknown.value.__cause__) == "The service accepted the create and reports that it failed."
    page = httpx.Response(200, text="<html>")
    with pytest.raises(inkframe.OutcomeUnknown) as unknown:
        Transport(reply(202, {}, Location="/jobs/5"), {"/jobs/5": page}).create()
    assert str(unknown.value).split("\n")[:2] == [
        "The outcome of the create is unknown (status 202).",
        "service.test returned an operation that is not JSON.",
    ]


@pytest.mark.parametrize(
    "end", [reply(404), reply(500), reply(200, {"status": "succeeded"}), httpx.Response(200, text="<html>")]
)
def test_an_operation_without_a_record_is_unknown(end):
    """An operation that disappears, fails to answer or names no record leaves the outcome unknown."""
    service = Transport(reply(202, {}, Location="/jobs/5"), {"/jobs/5": end})
    with pytest.raises(inkframe.OutcomeUnknown):
        service.create()


def test_the_record_of_an_operation_must_be_the_new_one():
    """An operation that leads to a record of others has an unknown outcome."""
    service = Transport(
        reply(202, {}, Location="/jobs/5"),
        {
            "/jobs/5": reply(200, {"status": "ok", "document_id": 2}),
            "/api/v1/documents/2": reply(200, FOREIGN),
        },
    )
    with pytest.raises(inkframe.OutcomeUnknown):
        service.create()


def test_a_wait_for_an_operation_ends_when_the_client_is_closed():
    """After closing the client nothing more is read, and the outcome is unknown."""
    service = Transport(reply(202, None, Location="/jobs/5"), {"/jobs/5": reply(200, {"status": "running"})})
    client = service.client()
    sleep = service.clock.sleep
    service.clock.sleep = lambda seconds: (
        sleep(seconds),
        client.close() if len(service.polls) == 3 else None,
    )
    with pytest.raises(inkframe.OutcomeUnknown, match="closed"):
        client.documents.create(**SENT)
    assert len(service.polls) == 3


def test_a_record_that_is_still_generated_is_returned():
    """A reply that shows the record is accepted at once; its text can be awaited."""
    service = Transport(reply(202, record(result=None, status="queued"), Location="/jobs/5"))
    assert service.create().result is None
    assert service.polls == []
