"""The search for lost creates: what proves that a record is not there, and which record is the one."""

import itertools
import json
import time

import httpx
import pytest
from tests.services import FaultyService, one_list

import inkframe as ink
from inkframe.creating.create import Create
from inkframe.creating.rows import Row

HARBOR = {"name": "The Old Harbor", "description": "a harbor at dawn", "resolution": "256x256"}
LAMP = {"name": "The Desk Lamp", "description": "a lamp on a desk", "resolution": "512x512"}
KETTLE = {"name": "The Quiet Kettle", "prompt": "Text about a kettle.", "creativity": "0.5"}


@pytest.mark.integration
@pytest.mark.parametrize("dialect", ["laravel_simple", "laravel_resource", "template_unlimited"])
@pytest.mark.parametrize("collection", ["images", "documents"])
def test_a_page_that_is_not_the_last_proves_nothing(clocks, oldest_first, dialect, collection):
    """On a service that lists the oldest records first a lost one is found, or unknown, with and without totals."""
    rows = [LAMP, HARBOR] if collection == "images" else [KETTLE | {"name": "Lamp"}, KETTLE]
    service = FaultyService(dialect, images=130, documents=130)
    for record in service.documents.values():
        record["template_id"] = 1
    service.intercept(oldest_first)
    service.run(rows[:1], collection=collection)
    service.run(rows[1:], "lost_reply", collection=collection)
    clocks.let_pass()
    assert service.run(rows[1:], collection=collection)["status"].tolist() == ["existing"]
    assert service.generations == 2


@pytest.mark.integration
def test_two_equal_rows_have_two_records(clocks):
    """A record that was found for one of two lost rows with the same content is not that of the other."""
    service = one_list()
    rows = [KETTLE | {"repeat": repeat} for repeat in (1, 2)]
    service.run(rows, "lost_reply", "lost_request")
    clocks.let_pass()
    runs = service.run(rows)
    assert sorted(runs["status"]) == ["existing", "unknown"]
    assert service.generations == 1


@pytest.mark.integration
def test_a_changed_record_needs_no_field_that_was_not_sent(clocks):
    """A lost image without a style is found by the change that the service is known to make."""
    service = FaultyService(images=0, documents=0, stores=lambda row: row | {"name": row["name"].upper()})
    service.run([LAMP], collection="images")
    service.run([HARBOR], "lost_reply", collection="images")
    clocks.let_pass()
    assert service.run([LAMP, HARBOR], collection="images")["status"].tolist() == ["existing", "existing"]
    assert service.generations == 2


@pytest.mark.integration
def test_a_changed_record_that_hides_a_field_is_unknown(clocks):
    """A record with the name as the service changes names, and without its text, may be that of somebody else."""
    service = one_list(record={"omits": ("prompt",)}, stores=lambda row: row | {"name": row["name"].upper()})
    service.run([KETTLE | {"name": "Lamp"}])
    service.run([KETTLE], "lost_reply")
    clocks.let_pass()
    runs = service.run([KETTLE | {"name": "Lamp"}, KETTLE])
    assert runs["status"].tolist() == ["existing", "unknown"]
    assert service.generations == 2


@pytest.mark.integration
@pytest.mark.parametrize("hidden", ["prompt", "creativity"])
@pytest.mark.parametrize("other", ["of one run", "of another run", "with another name"])
def test_a_record_that_hides_what_differs_is_not_taken_for_one_of_two_creates(clocks, hidden, other):
    """Of two lost creates with one name, of which the service does not show what differs, neither takes the record."""
    service = one_list(record={"omits": (hidden,)})
    named = KETTLE["name"] if other != "with another name" else "Lamp"
    rows = [
        KETTLE,
        KETTLE | {"name": named, hidden: {"prompt": "Text about a lamp.", "creativity": "1"}[hidden]},
    ]
    service.lose("lost_request", "lost_reply")
    for each in [rows[:1], rows[1:]] if other == "of another run" else [rows]:
        service.run(each)
    service.plan(None)
    clocks.let_pass()
    runs = service.run(rows)
    wanted = ["existing", "unknown"] if other == "with another name" else ["unknown", "unknown"]
    assert sorted(runs["status"]) == wanted
    assert service.generations == 1


@pytest.mark.integration
def test_a_record_that_this_client_has_read_before_is_not_the_lost_one():
    """An equal record without a time that is not among the newest is known by its id."""
    service = one_list(record={"created": "", "updated": ""})
    first = service.insert("documents", **KETTLE)["id"]
    for number in range(120):
        service.insert("documents", name=f"Lamp {number}", prompt="A lamp")
    service.lose("lost_request")
    with service.client() as client:
        assert client.documents.get(first).name == KETTLE["name"]
        runs = client.documents.create_many([KETTLE], progress=False)
    assert runs["status"].tolist() == ["unknown"]


@pytest.mark.integration
@pytest.mark.parametrize("other", ["in another form", "with another name"])
def test_a_record_as_it_was_sent_is_before_one_in_another_form(other):
    """A record in another form is no doubt beside one as it was sent, and one with another name is another."""
    is_changing = [True]
    service = one_list(stores=lambda row: row | {"name": row["name"].upper()} if is_changing else row)
    rows = [KETTLE | {"name": "Lamp"}, KETTLE]
    service.run(rows[:1])
    if other == "in another form":
        is_changing.clear()
    service.lose("lost_reply")
    name = KETTLE["name"].upper() if other == "in another form" else "Draft 7"
    others = [{**KETTLE, "name": name, "creativity": 0.5, "created_at": time.time()}]
    service.between_replies(
        lambda service: service.generations == 2 and others and service.insert("documents", **others.pop())
    )
    runs = service.run(rows)
    assert runs["status"].tolist() == ["existing", "created"]
    assert runs["id"].iloc[1] == service.created[-1][1]
    assert service.generations == 2


@pytest.mark.integration
def test_a_record_with_the_name_and_another_text_is_another(clocks):
    """Where lists show no text, the whole record tells that it is that of somebody else, whatever its time."""
    service = FaultyService("list_brief", images=0, documents=0)
    rows = [LAMP, HARBOR]
    service.run(rows[:1], collection="images")
    service.run(rows[1:], "lost_request", collection="images")
    unsent = dict.fromkeys(("style", "medium", "filter"))
    other = HARBOR | unsent | {"description": "Another harbor", "created_at": time.time() - 7200}
    service.insert("images", **other)
    clocks.let_pass()
    assert service.run(rows, collection="images")["status"].tolist() == ["existing", "unknown"]
    assert service.generations == 1


@pytest.mark.integration
def test_an_empty_page_with_a_total_proves_nothing(clocks):
    """A service that lists none of the records that it counts does not show that a lost one is not there."""
    service = FaultyService(images=0, documents=0)
    service.lose("lost_reply")

    @service.intercept
    def answered(request, answer):
        response = answer(request)
        if request.method == "GET":
            return httpx.Response(200, json={"data": [], "total": 1})
        return response

    service.run([HARBOR], collection="images")
    service.plan(None)
    clocks.let_pass()
    assert service.run([HARBOR], collection="images")["status"].tolist() == ["unknown"]
    assert service.generations == 1


@pytest.mark.integration
def test_a_record_in_another_form_may_have_the_id_of_one_of_ours(clocks):
    """On a service that was emptied, an id of another create is given again: its record may be the lost one."""

    def service(ahead, text):
        def stores(fields):
            return fields | {"created_at": time.time() + ahead, "prompt": text.format(fields["prompt"])}

        return one_list(stores=stores)

    service(-3600, "{}").run([KETTLE | {"name": "Lamp"}])
    emptied = service(0, "<p>{}</p>")
    emptied.run([KETTLE], "lost_reply")
    clocks.let_pass()
    assert emptied.run([KETTLE])["status"].tolist() == ["unknown"]
    assert emptied.generations == 1


@pytest.mark.integration
@pytest.mark.parametrize(
    ("other", "doubt"),
    [
        ({}, "is equal, but its time is before that of the request"),
        ({"prompt": KETTLE["prompt"].upper()}, "may be the record in another form: name="),
    ],
    ids=["known", "unknown"],
)
def test_an_older_record_in_another_form_is_not_the_lost_one(clocks, other, doubt):
    """A record as the service is known to change records, but of a time before the request, is not taken."""
    service = one_list(stores=lambda row: row | {"name": row["name"].upper()})
    rows = [KETTLE | {"name": "Lamp"}, KETTLE]
    service.run(rows[:1])
    service.run(rows[1:], "lost_request")
    older = {"name": KETTLE["name"].upper(), "creativity": 0.5, "created_at": time.time() - 7200}
    service.insert("documents", **KETTLE | older | other)
    clocks.let_pass()
    runs = service.run(rows)
    assert runs["status"].tolist() == ["existing", "unknown"]
    assert doubt in runs["error"].iloc[1]
    assert service.generations == 1


def test_a_record_in_another_form_is_not_taken_beside_one_that_may_be_it(clocks):
    """A record as the service is known to change records is in doubt where another may be the lost one, too."""
    service = FaultyService(images=0, documents=0, stores=lambda row: row | {"name": row["name"].upper()})
    service.run([KETTLE | {"name": "Lamp"}])
    service.lose("lost_reply")
    service.between_replies(
        lambda _: (
            len(service.documents) == 2
            and service.insert(
                "documents",
                name=KETTLE["name"].upper(),
                prompt=KETTLE["prompt"].upper(),
                creativity=0.5,
                template_id=1,
            )
        )
    )
    runs = service.run([KETTLE | {"name": "Lamp"}, KETTLE])
    assert runs["status"].tolist() == ["existing", "unknown"]
    assert runs["error"].iloc[1] == "document 2 may be the record in another form"
    assert [request.target for request in service.requests].count("/api/v1/documents/3") == 1


def test_a_record_that_another_create_takes_meanwhile_belongs_to_it():
    """A record that the reply of another create names while it is looked at is left to that one."""
    service = FaultyService(images=0, documents=0)
    service.lose("lost_reply")
    with service.client() as client:
        known = client.documents._calls.known_ids

        @service.between_replies
        def take(_):
            if service.requests[-1].target.endswith("/documents/1"):
                known.claim(1, 0)

        runs = client.documents.create_many([KETTLE], progress=False)
    assert runs[["status", "error"]].values.tolist() == [["unknown", "document 1 belongs to another create"]]
    assert service.generations == 1


def test_a_search_ends_with_the_record():
    """A lost create whose record is on the first page costs that page and the record, and no further request."""
    service = FaultyService(images=0, documents=0)
    service.lose("lost_reply")
    assert service.run([KETTLE])["status"].tolist() == ["created"]
    sent = [f"{request.method} {request.target.partition('?')[0]}" for request in service.requests]
    assert sent[sent.index("POST /api/v1/documents") + 1 :] == [
        "GET /api/v1/documents",
        "GET /api/v1/documents/1",
    ]


def test_a_service_that_refuses_large_pages_is_searched():
    """A lost create is found in a page of the size that the service allows."""
    service = FaultyService(images=0, documents=0)
    refusal = httpx.Response(422, json={"errors": {"per_page": ["must be at most 25"]}})
    service.intercept(lambda sent, answer: refusal if "per_page=100" in str(sent.url) else answer(sent))
    service.lose("lost_reply")
    assert service.run([KETTLE])["status"].tolist() == ["created"]


def test_one_list_shows_that_nothing_is_equal_where_templates_filter_nothing():
    """A service that was seen to ignore templates is asked for one page before a new record is ensured."""
    service = FaultyService("template_ignored", images=0, documents=6)
    for record in service.documents.values():
        record["template_id"] = 1
    with service.client() as client:
        client.documents.ensure(**KETTLE)
        before = len(service.requests)
        client.documents.ensure(**KETTLE | {"name": "Lamp"})
    assert [request.method for request in service.requests[before:]] == ["GET", "POST"]


@pytest.mark.parametrize("shown", [[], [2]], ids=["none", "one"])
def test_a_last_page_that_shows_less_than_its_total_proves_nothing(shown):
    """A record that a list counts and does not show is searched for by its name before one is ensured."""
    service = FaultyService(images=0, documents=0)
    service.insert("images", **HARBOR, style=None, medium=None, filter=None)
    service.insert("images", **LAMP)

    @service.intercept
    def answered(request, answer):
        reply = answer(request)
        if "search" in request.url.params or request.url.path.endswith("/1"):
            return reply
        body = json.loads(reply.read())
        return httpx.Response(200, json=body | {"data": [row for row in body["data"] if row["id"] in shown]})

    with service.client() as client:
        assert client.images.ensure(**HARBOR).id == 1
    assert service.generations == 0


@pytest.mark.parametrize(
    ("template", "later", "requests"), [(3, 0, 5), (1, 130, 55)], ids=["newest", "older"]
)
def test_a_search_for_an_equal_record_ends_with_it(template, later, requests):
    """A record is ensured without a request for each further template, or for its name in each."""
    service = FaultyService(images=0, documents=250)
    service.insert("documents", **KETTLE | {"creativity": 0.5}, template_id=template)
    for number in range(later):
        service.insert("documents", name=f"Lamp {number}", prompt="A lamp", creativity=0.5, template_id=1)
    with service.client() as client:
        assert client.documents.ensure(**KETTLE).id == 251
    assert (len(service.requests), service.generations) == (requests, 0)


@pytest.mark.parametrize("lost", [1, 3, 4])
def test_a_create_is_sent_again_with_its_key_where_keys_are_kept(lost):
    """Where its key settles it, a create without a reply is sent at most three times again, each after a wait."""
    service = FaultyService(images=0, documents=0)
    service.lose(*["lost_request"] * lost)
    began = service.clock.now()
    with service.client() as client:
        client.documents.dialect = ink.Dialect(idempotent=True)
        if lost < 4:
            assert client.documents.create(**KETTLE).id == 1
        else:
            with pytest.raises(ink.OutcomeUnknown):
                client.documents.create(**KETTLE)
    sent = [request for request in service.requests if request.method == "POST"]
    assert (len(sent), len({request.headers["idempotency-key"] for request in sent})) == (min(lost + 1, 4), 1)
    assert sent[-1].time - began >= sum((0.5, 2.0, 5.0)[:lost])


def test_an_unedited_record_of_another_create_is_no_doubt():
    """A record that shows what this account sent with another name is not the one that is ensured."""
    service = FaultyService(images=0, documents=0)
    with service.client() as client:
        made = client.documents.create(**KETTLE)
        assert client.documents.ensure(**KETTLE | {"name": KETTLE["name"].upper()}).id != made.id
    assert service.generations == 2


def test_a_lost_create_is_searched_by_name_in_few_templates():
    """Of the requests of one search, five are for the name: one without a template, and those of four."""
    service = FaultyService(images=0, documents=0)
    service.lose("lost_request")
    assert service.run([KETTLE])["status"].tolist() == ["unknown"]
    assert sum("search=" in request.target for request in service.requests) == 5


def test_a_key_settles_a_create_for_less_than_a_day(clocks):
    """Where a service keeps keys, an open create is sent again with its key only as long as it is kept."""
    service = FaultyService(images=0, documents=0)
    with service.client() as client:
        client.images.dialect = ink.Dialect(idempotent=True)
        steps = []
        for age in (79_000, 86_400):
            sent = Create(client.images._calls, Row(0, {}))
            sent.note("sent", key="key")
            clocks.let_pass(age)
            steps.append(sent.step)
        assert steps == ["repeat", "search"]


@pytest.mark.parametrize("lie", ["names are not listed", "the search is endless"])
def test_ensure_takes_a_bounded_number_of_requests(lie):
    """Whatever lists show, ensure takes at most twice the lists and 60 requests; beyond them, it creates nothing."""
    hidden = ("name", "prompt", "creativity") if lie == "names are not listed" else ()
    service, numbers = one_list(400, record={"list_omits": hidden}), itertools.count(1000)

    @service.intercept
    def answered(request, answer):
        if lie == "names are not listed" or "search" not in request.url.params:
            return answer(request)
        rows = [{"id": next(numbers), "name": "The Quiet Kettle", "prompt": "A lamp"} for _ in range(100)]
        service.requests.append(request)
        return httpx.Response(200, json={"data": rows, "meta": {"total": 10**9, "last_page": 10**7}})

    with service.client() as client:
        with pytest.raises(
            ink.OutcomeUnknown, match="It is unclear whether .* has document 'The Quiet Kettle'"
        ) as doubted:
            client.documents.ensure(**KETTLE)
        lists = len(client.vocabulary.templates)
    assert "the search was not complete" in str(doubted.value).lower()
    assert 60 < len(service.requests) <= 2 * lists + 64
    assert service.generations == 0


@pytest.mark.parametrize("others", [0, 1])
def test_ensure_asks_once_where_a_page_has_the_whole_collection(others):
    """Where a reply counts the collection by templates, and has as many records, nothing else is asked before the create."""
    service = FaultyService(images=0, documents=0)
    service.insert("documents", name="Lamp", prompt="A lamp", creativity=0.5, template_id=1)

    @service.intercept
    def answered(request, answer):
        reply = answer(request)
        if request.method != "GET" or "template_id" in request.url.params:
            return reply
        body = json.loads(reply.read())
        counts = [{"value": 1, "count": 1}, *[{"value": 3, "count": 1}] * others]
        told = {"collection_total": len(counts), "facets": {"template_id": counts}}
        return httpx.Response(200, json=body | {"meta": body["meta"] | told})

    with service.client() as client:
        client.documents.ensure(**KETTLE)
    methods = [request.method for request in service.requests]
    assert methods[::-1][:2] == ["POST", "GET"]
    assert (len(methods) == 2) is (not others)
