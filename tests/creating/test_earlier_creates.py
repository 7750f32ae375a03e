"""Rows that were sent earlier: which may be created, and what is known of the others."""

import threading

import pytest
from tests.services import Faults, FaultyService, one_list

import inkframe as ink
from inkframe.creating.earlier_creates import EarlierCreates
from inkframe.creating.identity import Identity
from inkframe.creating.journal import Journal
from inkframe.creating.rows import Row


@pytest.fixture
def service():
    return FaultyService(images=0, documents=3)


@pytest.fixture
def journal():
    return Journal()


@pytest.fixture
def earlier(service, journal):
    with service.client() as client:
        yield EarlierCreates(client.documents._calls, journal, threading.Event())


def row(identity):
    return Row(
        0, {"name": identity, "prompt": "About a kettle", "creativity": 0.5}, identity=Identity(identity)
    )


def test_the_last_line_of_a_row_decides(earlier, journal):
    """A create may have happened while its outcome is open; it is known once its record has an id."""
    found = {"none": earlier.create_of(row("none")).step}
    for state, id in (("sent", None), ("unknown", None), ("created", 2), ("failed", None), ("deleted", None)):
        journal.note(Identity(state), state, id, collection="documents")
        found[state] = earlier.create_of(row(state)).step
    assert found == {
        "none": "send",
        "sent": "search",
        "unknown": "search",
        "created": "show",
        "failed": "send",
        "deleted": "send",
    }


def test_rows_that_another_program_settled_meanwhile(earlier, journal, service):
    """A record that another program created is fetched; what failed there or has no line is left for the next run."""
    journal.note(Identity("created"), "created", 2, collection="documents")
    journal.note(Identity("failed"), "failed", collection="documents")
    journal.note(Identity("deleted"), "deleted", collection="documents")
    rows = [row(name) for name in ("created", "failed", "deleted", "none")]
    earlier.search(rows)
    assert [(each.status, each.record and each.record.id) for each in rows] == [
        ("existing", 2),
        ("", None),
        ("", None),
        ("", None),
    ]
    assert [(request.method, request.path) for request in service.requests] == [
        ("GET", "/api/v1/documents/2")
    ]


def test_nothing_is_fetched_after_a_stop(service):
    """Once the run was stopped, rows with a record stay as they are, without a request."""
    with service.client() as client:
        client.documents.create_many(ROWS[:2], progress=False)
        batch, before = client.documents.batch(ROWS[:2], None), len(service.requests)
        batch.stopped.set()
        batch.create_rows(batch.rows)
    assert [(each.status, each.error) for each in batch.rows] == [("skipped", "the run was stopped")] * 2
    assert len(service.requests) == before


ROWS = [{"name": f"Kettle {n}", "prompt": f"Text {n} about a kettle"} for n in range(4)]


def creates(service):
    """Return the names in the creates so far."""
    return [request.form["name"] for request in service.requests if request.method == "POST"]


@pytest.fixture
def empty():
    return one_list()


def test_a_search_for_one_row_without_a_result_is_an_error(service):
    """A form that looks for its record shows why there is none, and the row stays unknown."""
    service.lose("lost_reply")
    with service.client() as client:
        batch = client.documents.batch(ROWS[:1], Journal())
        service.between_replies(
            lambda service: service.plan(Faults({"forbidden": 1.0})) if service.generations else None
        )
        batch.create_rows(batch.rows, 1)
        with pytest.raises(ink.PermissionDenied):
            batch.look_for(batch.rows[0])
    assert batch.rows[0].status == "unknown"


@pytest.mark.integration
@pytest.mark.parametrize("failing", ["per_page", "search="])
def test_a_search_that_fails_leaves_a_row_unknown(clocks, failing):
    """Where the newest records, or those with the name, cannot be read, a lost row is not sent again."""
    service = FaultyService(images=130, documents=0)
    rows = [{"name": "Kettle 0", "description": "a kettle", "resolution": "256x256"}]
    service.lose("lost_request")
    service.run(rows, collection="images")
    clocks.let_pass()
    service.plan(Faults({"forbidden": 1.0}, where=lambda request: failing in request.target))
    with service.client() as client:
        batch = client.images.batch(rows, None)
        batch.create_rows(batch.rows, 1)
        assert batch.rows[0].status == "unknown"
        with pytest.raises(ink.PermissionDenied):
            batch.look_for(batch.rows[0])
    assert creates(service) == ["Kettle 0"]


@pytest.mark.integration
def test_a_result_shows_nothing_of_what_the_service_keeps(clocks):
    """The values of a result are those that were stored: equal ones do not prove that the service keeps what is sent."""
    service = one_list(stores=lambda fields: fields | {"name": "Document"})
    runs = service.run(ROWS[:1])
    with service.client() as client:
        assert client.documents.create_many(runs, progress=False)["status"].tolist() == ["existing"]
        service.lose("lost_reply")
        client.documents.create_many(ROWS[1:2], progress=False)
        service.plan(None)
        clocks.let_pass()
        again = client.documents.create_many(ROWS[1:2], progress=False)
    assert again["status"].tolist() == ["unknown"]
    assert service.generations == 2


@pytest.mark.integration
def test_the_id_of_a_result_decides(empty, home):
    """A result shows its own records, though its plan was created once more without the journal."""
    rows = [{"name": "Harbor", "description": "a harbor", "resolution": "256x256"}]
    found = []
    with empty.client() as client:
        first = client.images.create_many(rows, progress=False)
    for path in (home / "journals").glob("*.jsonl"):
        path.unlink()
    for given in (rows, first):
        is_fresh = given is rows
        empty.images[1]["created_at"] -= 60
        with empty.client() as client:
            found += (
                client.images.create_many(given, fresh=is_fresh, progress=False)[["id", "edited"]]
                .fillna("")
                .to_numpy()
                .tolist()
            )
    assert found == [[2, ""], [1, ""]]
    assert empty.generations == 2


def test_rows_that_another_program_is_creating_are_left_to_it_after_a_stop(service, journal):
    """Once the run was stopped, nothing waits for the rows of another program, and none of them is sent."""
    stop = threading.Event()
    stop.set()
    with service.client() as client, journal.claim([Identity("open")]):
        earlier = EarlierCreates(client.documents._calls, journal, stop)
        earlier.search([row("open")])
    assert service.requests == []


def test_rows_after_an_error_of_all_are_told_without_a_request(service):
    """Where the key is refused, the other known rows have its error, and each is reported."""
    seen, rows = [], [row | {"name": f"{number}"} for number in range(3) for row in ROWS]
    service.run(rows)
    before = len(service.requests)
    service.plan(Faults({"unauthenticated": 1.0}))
    with service.client() as client:
        batch = client.documents.batch(rows, None)
        batch.create_rows(batch.rows, changed=lambda each: seen.append(each.identity))
    assert len(service.requests) - before < len(rows)
    assert sorted(seen) == sorted(each.identity for each in batch.rows)
    assert {each.status for each in batch.rows} == {"existing"}
    assert all("401" in each.error for each in batch.rows)


@pytest.mark.integration
def test_pages_without_known_records_are_not_read(empty):
    """A few rows in a large library are fetched one by one after a look at its newest page."""
    rows = [{"name": f"Kettle {number}", "prompt": "About a kettle"} for number in range(21)]
    empty.run(rows)
    for number in range(400):
        empty.insert("documents", name=f"Lamp {number}", prompt="A lamp")
    before = len(empty.requests)
    assert set(empty.run(rows)["status"]) == {"existing"}
    assert len([each for each in empty.requests[before:] if each.path.endswith("/documents")]) <= 2


@pytest.mark.integration
def test_what_a_page_leaves_out_is_fetched():
    """Known rows whose texts the list does not show are as complete as before, and not edited."""
    service = FaultyService("list_brief", images=0, documents=0)
    rows = [{"name": f"Kettle {number}", "prompt": "About a kettle"} for number in range(21)]
    before, after = service.run(rows), service.run(rows)
    assert after["result"].notna().all()
    assert after["result"].tolist() == before["result"].tolist()
    assert after["edited"].isna().all()


def test_a_record_of_another_account_needs_its_marks(service, path):
    """An id that another key has noted without what it showed may be that of another record in this account."""
    Journal(path, account=lambda _: "theirs").note(Identity("theirs"), "created", 2, collection="documents")
    journal, known = Journal(path, account=lambda _: "mine"), row("theirs")
    with service.client() as client:
        EarlierCreates(client.documents._calls, journal, threading.Event()).show(known)
    assert known.status == "skipped"
    assert known.error.startswith("created as 2 with another key, which may be of another account")


@pytest.mark.integration
def test_what_was_edited_before_the_text_came_stays_edited():
    """A text that is generated later is noted beside what the record showed when it was new."""
    service = one_list(background=60)
    assert service.run(ROWS[:1])["status"].tolist() == ["pending"]
    service.documents[1]["name"] = "Mine"
    service.clock.advance(61)
    for _ in range(2):
        assert service.run(ROWS[:1])["edited"].tolist() == ["name"]
    service.documents[1]["result"] = "Mine, too"
    assert service.run(ROWS[:1])["edited"].tolist() == ["name, result"]
    assert service.generations == 1
