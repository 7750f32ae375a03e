"""Bulk creation: checked first, billed once, resumed after every failure."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
from _thread import interrupt_main
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import httpx
import pandas as pd
import pytest
from tests.services import Fault, Faults, FaultyService

import inkframe
from inkframe.creating.journal import Journal
from inkframe.creating.plans import plan_documents, plan_images


@pytest.fixture
def service():
    return FaultyService(images=0, documents=0)


@pytest.fixture
def client(service):
    with service.client() as client:
        yield client


PLAN = plan_documents("About a kettle", name="Kettle {creativity} {repeat}", repeats=2)


def test_the_given_rows_are_returned_with_the_records(service, client):
    """The result has the given rows, the fields of the records, then id, status, error and seconds."""
    plan = PLAN.assign(note="mine").set_index(pd.Index(list("abcdefghij")))
    runs = client.documents.create_many(plan)
    assert list(runs.index) == list(plan.index)
    assert list(runs.columns[-4:]) == ["id", "status", "error", "seconds"]
    assert (runs["note"] == "mine").all()
    assert (runs["status"] == "created").all()
    assert runs["result"].notna().all()
    assert sorted(runs["id"]) == sorted(service.documents)


def test_created_rows_can_be_edited_and_pushed(service, client, capsys):
    """The result knows its records as they were created: edits are sent, and changes of others are conflicts."""
    runs = client.documents.create_many(PLAN)
    first, second = runs["id"].iloc[:2]
    runs.loc[runs.index[0], "name"] = "mine"
    runs.loc[runs.index[1], "name"] = "mine too"
    service.documents[second]["name"] = "theirs"
    report = runs.ink.push().set_index("id")
    assert report["outcome"].to_dict() == {first: "changed", second: "conflict"}
    assert service.documents[first]["name"] == "mine"
    assert "No baseline" not in capsys.readouterr().out
    assert client.documents.push(runs.set_index("id").drop(second), dry_run=True).empty


def test_running_again_creates_nothing(service, client, capsys):
    """Running a cell again finds its rows in the journal."""
    client.documents.create_many(PLAN)
    again = client.documents.create_many(PLAN)
    assert (again["status"] == "existing").all()
    assert again["result"].notna().all()
    assert service.generations == 10
    assert (service.run(PLAN)["status"] == "existing").all()
    assert service.generations == 10
    assert "10 creations on service.test; run again to resume\n" in capsys.readouterr().out


def test_fresh_creates_again_and_repeats_are_distinct(service, client):
    """``fresh=True`` creates the rows again; the same content with another repeat is another row."""
    rows = [{"name": "a", "prompt": "p", "repeat": 1}, {"name": "a", "prompt": "p", "repeat": 2}]
    assert client.documents.create_many(rows)["id"].nunique() == 2
    assert client.documents.create_many(rows, fresh=True)["id"].nunique() == 2
    assert service.generations == 4
    twice = client.documents.create_many([{"name": "b", "prompt": "p"}] * 2)
    assert twice["status"].tolist() == ["created", "skipped"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"fresh": pd.Series([True])}, "fresh=.* is neither True nor False"),
        ({"fresh": pd.Series([True, False])}, "fresh=.* is neither True nor False"),
        ({"journal": 123}, "journal must be a path, got 123."),
    ],
)
def test_arguments_of_other_types_are_refused(service, client, given, message):
    """A mask is no choice for all rows, and a number is no file; nothing is sent."""
    with pytest.raises(inkframe.InvalidArgument, match=message):
        client.documents.create_many(PLAN, **given)
    assert service.generations == 0


def test_every_row_is_checked_before_any_is_sent(service, client):
    """One invalid row stops the batch and is in the message."""
    rows = [
        {"name": "a", "description": "x", "resolution": "512x512"},
        {"name": "b", "description": "x", "resolution": "5"},
    ]
    with pytest.raises(inkframe.InvalidArgument, match="row 1: resolution='5'"):
        client.images.create_many(rows)
    assert service.requests == []


def test_a_misspelled_column_is_refused_and_others_are_kept(service, client):
    """``desciption`` is refused; an additional column is returned and not sent."""
    with pytest.raises(inkframe.InvalidArgument, match="looks like the field 'description'"):
        client.images.create_many([{"name": "a", "desciption": "x", "resolution": "512x512"}])
    runs = client.images.create_many([{"name": "a", "description": "x", "resolution": "512x512", "shelf": 3}])
    assert runs["shelf"].tolist() == [3]
    assert "shelf" not in service.requests[-1].form


def test_many_creations_need_their_number(service, client):
    """More than 25 creates on a remote service need their number as confirmation."""
    plan = plan_images("x", name="x {number}", resolution="256x256", repeats=26)
    for confirm in (None, 25, True):
        with pytest.raises(
            inkframe.InvalidArgument, match=f"confirm must be 26.*got {confirm}.*\n.*confirm=26"
        ):
            client.images.create_many(plan, confirm=confirm)
    assert service.generations == 0
    assert (client.images.create_many(plan[:25])["status"] == "created").all()
    assert (client.images.create_many(plan, confirm=26, fresh=True)["status"] == "created").all()


def test_an_interrupted_cell_runs_again_unchanged(service, client):
    """The number of all rows also confirms the remaining rows."""
    plan = plan_images("a fox", name="Fox {number}", resolution="256x256", style=inkframe.ALL, repeats=3)
    client.images.create_many(plan.head(10))
    runs = client.images.create_many(plan, confirm=len(plan))
    assert (runs["status"] == "created").sum() == len(plan) - 10 > 25
    assert service.generations == len(plan)


def test_a_limit_on_creations_holds(service):
    """A batch that exceeds the limit is refused completely."""
    with service.client(create_limit=5) as client:
        with pytest.raises(inkframe.InvalidArgument, match="create_limit=5"):
            client.documents.create_many(PLAN)
        client.documents.create_many(PLAN[:5])
        with pytest.raises(inkframe.InvalidArgument, match="create_limit=5"):
            client.documents.create(name="n", prompt="p")
    assert service.generations == 5


def test_failed_rows_are_sent_again_by_a_mask(service, client, capsys):
    """Failed rows have an error, a line says how many there are, and only they are sent the second time."""
    service.plan(Faults(script={2: "too_large"}, where=lambda request: request.method == "POST"))
    runs = client.documents.create_many(PLAN)
    failed = runs[runs["status"] == "failed"]
    assert len(failed) == 1
    assert failed["error"].notna().all()
    said = f"1 row of 10 not created. Run again to send what failed. {failed['error'].iloc[0]}\n"
    assert said in capsys.readouterr().out
    service.plan(None)
    assert (client.documents.create_many(failed)["status"] == "created").all()
    assert "not created" not in capsys.readouterr().out
    assert service.generations == 10


def test_lost_creates_are_searched_for_and_never_repeated_blindly(service, client):
    """Under any faults, repeated runs create exactly one record per row."""
    for seed in range(8):
        service.plan(Faults.passing(0.3, seed=seed))
        runs = client.documents.create_many(PLAN)
    service.plan(None)
    runs = client.documents.create_many(PLAN)
    assert runs["status"].isin(["created", "existing"]).all()
    assert service.generations == 10


def test_a_deleted_record_is_not_created_again(client, capsys):
    """A row in the journal whose record was deleted is skipped with a reason, which is printed."""
    runs = client.documents.create_many(PLAN[:2])
    client.documents.delete(int(runs["id"].iloc[0]))
    again = client.documents.create_many(PLAN[:2])
    assert again["status"].tolist() == ["skipped", "existing"]
    assert (
        "1 row skipped: created before and deleted since; fresh=True creates every row again\n"
        in capsys.readouterr().out
    )
    assert "fresh=True" in again["error"].iloc[0]


@pytest.mark.parametrize("at_once", [1, 4])
def test_each_row_is_reported_at_start_and_end(client, at_once):
    """A row has no status at the start, and its record at the end."""
    batch, seen = client.documents.batch(PLAN, Journal()), []
    batch.create_rows(
        batch.rows, at_once, changed=lambda row: seen.append((row.label, row.status, row.record is None))
    )
    for row in batch.rows:
        assert [each[1:] for each in seen if each[0] == row.label] == [("", True), ("created", False)]


def test_a_row_whose_reply_was_lost_is_reported_once_it_was_searched_for(service, client):
    """It has no status at the start, and what the search has found at the end."""
    service.plan(Faults(script={2: "lost_reply"}, where=lambda request: request.method == "POST"))
    batch, seen = client.documents.batch(PLAN[:2], Journal()), []
    batch.create_rows(batch.rows, 1, changed=lambda row: seen.append((row.label, row.status)))
    assert seen == [(0, ""), (0, "created"), (1, ""), (1, "created")]


def test_a_stopped_run_searches_for_nothing(service, client):
    """A row whose reply was lost stays unknown without a search once the run was stopped."""
    service.plan(Faults({"lost_reply": 1.0}, where=lambda request: request.method == "POST"))
    batch = client.documents.batch(PLAN[:2], Journal())
    service.between_replies(lambda service: service.generations and batch.stopped.set())
    batch.create_rows(batch.rows, 1)
    assert service.requests[-1].method == "POST"
    assert [row.status for row in batch.rows] == ["unknown", "skipped"]


def test_each_run_counts_equal_errors_anew(service, client):
    """After three equal refusals have ended a run, one more does not end the next."""
    batch = client.documents.batch(PLAN, Journal())
    for script, sent in (dict.fromkeys((1, 2, 3), "forbidden"), 3), ({1: "forbidden"}, 10):
        service.plan(Faults(script=script, where=lambda request: request.method == "POST"))
        before = len(posts(service))
        batch.create_rows(batch.rows, 1)
        assert len(posts(service)) - before == sent
    assert [row.status for row in batch.rows] == ["failed"] + ["created"] * 9


def test_what_another_client_did_meanwhile_counts(service, client):
    """Repetitions of an older client are found by one that has read the journal before, and ask for no confirmation."""
    rows = [{"name": f"Kettle {number}", "prompt": "p"} for number in range(2)]
    with ExitStack() as stack:
        late, another = (stack.enter_context(service.client()) for _ in range(2))
        waiting = client.documents.batch(rows, None)
        assert [waiting.check(None), late.documents.batch(rows, None).new] == [2, 2]
        another.documents.create_many(rows[:1], fresh=True)
        another.documents.create_many(rows[1:])
        assert waiting.check(None) == 1
        assert late.documents.create_many(rows)["status"].tolist() == ["existing"] * 2
    assert service.generations == 2


def test_rows_that_another_client_creates_meanwhile_are_not_sent(service, client):
    """What is in the journal once a row has its turn was created by another, and is fetched."""
    with service.client() as another:
        faster = another.documents.batch(PLAN[:2], None)
        turn = [faster.rows]
        service.between_replies(lambda _: turn and faster.create_rows(turn.pop(), 1))
        runs = client.documents.create_many(PLAN[:2])
    assert runs["status"].tolist() == ["existing"] * 2
    assert runs["id"].tolist() == [1, 2]
    assert service.generations == 2


def test_cancelling_skips_the_remaining_rows(service, client):
    """Creates in flight are awaited and kept after a cancellation; the rest is skipped."""
    cancelled = threading.Event()
    batch = client.documents.batch(PLAN, Journal(), stopped=cancelled)
    service.between_replies(lambda service: service.generations == 4 and cancelled.set())
    batch.create_rows(batch.rows, 1)
    assert [row.status for row in batch.rows] == ["created"] * 4 + ["skipped"] * 6
    assert batch.frame()["error"].iloc[-1] == "the run was stopped"
    assert service.generations == 4


def refusal(status):
    return Fault(name=f"refusal {status}", handled=False, status=status)


def posts(service):
    return [request for request in service.requests if request.method == "POST"]


@pytest.mark.parametrize("at_once", [1, 4])
@pytest.mark.parametrize(
    ("fault", "most"),
    [
        ("unauthenticated", 1),
        (refusal(402), 1),
        (refusal(404), 1),
        ("forbidden", 3),
        ("refused", 3),
        (refusal(422), 10),
    ],
)
def test_what_concerns_all_rows_ends_a_batch(service, client, fault, most, at_once):
    """The first 401, 402 or 404, and the third equal 403 or failed connection in a row, but never a 422, end it."""
    service.plan(Faults({fault: 1.0}, where=lambda request: request.method == "POST"))
    batch = client.documents.batch(PLAN, Journal())
    batch.create_rows(batch.rows, at_once)
    failed = [row for row in batch.rows if row.status == "failed"]
    assert most <= len(failed) < most + at_once
    assert all(row.status == "skipped" for row in batch.rows if row not in failed)
    skipped = batch.frame()["error"][batch.frame()["status"] == "skipped"]
    message = batch.rows[0].error
    assert (skipped == f"not sent, after: {message}").all()
    service.plan(None)
    batch.create_rows(batch.rows, at_once)
    assert {row.status for row in batch.rows} == {"created"}


def test_errors_that_differ_do_not_end_a_batch(service, client):
    """Other outcomes in between begin the count again, and so does a 403 with another text."""
    script = {1: "forbidden", 2: "forbidden", 4: "forbidden", 5: "refused", 6: refusal(422), 7: "forbidden"}
    service.plan(Faults(script=script | {8: "forbidden"}, where=lambda request: request.method == "POST"))
    batch = client.documents.batch(PLAN, Journal())
    batch.create_rows(batch.rows, 1)
    assert "skipped" not in {row.status for row in batch.rows}


def test_replies_that_are_lost_in_a_row_end_a_batch(service, client):
    """Three creates in a row without a reply end it, since each may be billed; the next run finds them."""
    service.plan(Faults({"lost_reply": 1.0}, where=lambda request: request.method == "POST"))
    batch = client.documents.batch(PLAN, Journal())
    batch.create_rows(batch.rows, 1)
    assert [row.status for row in batch.rows] == ["unknown"] * 3 + ["skipped"] * 7
    service.plan(None)
    batch.create_rows(batch.rows, 1)
    assert [row.status for row in batch.rows] == ["existing"] * 3 + ["created"] * 7
    assert service.generations == 10


@pytest.mark.parametrize("beyond", [600, 900, 1200])
def test_a_full_disk_neither_fails_nor_repeats_a_created_row(service, client, path, full_disk, beyond):
    """If the disk is full in mid-run, what was created stays created, nothing more is sent, and nothing twice."""
    client.documents.create_many([{"name": "first", "prompt": "p"}], journal=path)
    with full_disk(path, beyond):
        runs = client.documents.create_many(PLAN, journal=path)
    assert set(runs["status"]) <= {"created", "skipped"}
    assert (runs["status"] == "created").sum() == service.generations - 1
    assert runs["error"][runs["status"] == "skipped"].str.contains("cannot be written").all()
    assert runs["id"][runs["status"] == "created"].notna().all()
    again = service.run(PLAN, journal=path)
    assert again["status"].isin(["created", "existing"]).all()
    assert service.generations == 11


def test_nothing_is_sent_after_a_result_that_was_not_noted(service, client, tmp_path, full_disk):
    """Once a created row could not be noted the batch ends, although the disk has space again."""
    path, disk = tmp_path / "journal.jsonl", ExitStack()
    batch = client.documents.batch(PLAN, Journal(path))
    service.between_replies(lambda _: disk.enter_context(full_disk(path, 0)))
    batch.create_rows(batch.rows, 1, changed=lambda row: row.seconds is not None and disk.close())
    assert [row.status for row in batch.rows] == ["created"] + ["skipped"] * 9
    assert all("cannot be written" in row.error for row in batch.rows)
    assert service.generations == 1


@pytest.mark.parametrize("before", ["documents", "images"])
def test_a_disk_that_is_full_before_the_first_create_is_an_error(service, client, path, full_disk, before):
    """The first row that cannot be noted ends the run, also where nothing else was to be noted before."""
    texts = {"prompt": "p"} if before == "documents" else {"description": "d", "resolution": "256x256"}
    getattr(client, before).create_many([{"name": "first"} | texts], journal=path)
    with full_disk(path, 5), pytest.raises(inkframe.ConfigurationError, match="Nothing was sent"):
        client.documents.create_many(PLAN, journal=path)
    batch = client.documents.batch(PLAN, path)
    with full_disk(path, 5), pytest.raises(inkframe.ConfigurationError, match="Nothing was sent"):
        batch.create_rows(batch.rows, 1)
    assert {row.status for row in batch.rows} == {"skipped"}
    assert all("cannot be written" in row.error for row in batch.rows)
    assert service.generations == 1


def test_the_key_of_a_lost_create_is_sent_again_where_keys_are_kept(service, client, path):
    """Where the service keeps keys, the next run sends a lost create again with its key; a fresh one has its own."""
    service.lose("lost_request")
    assert client.documents.create_many(PLAN[:1], journal=path)["status"].tolist() == ["unknown"]
    service.plan(None)
    client.close()
    with service.client() as another:
        another.documents.dialect = inkframe.Dialect(idempotent=True)
        assert another.documents.create_many(PLAN[:1], journal=path)["status"].tolist() == ["created"]
        another.documents.create_many(PLAN[:1], journal=path, fresh=True)
    first, again, fresh = [request.headers["idempotency-key"] for request in posts(service)]
    assert first == again != fresh
    assert first in path.read_text()


def test_a_create_that_is_stored_late_is_found(service, client):
    """A service may be at work after its reply was lost: the row is unknown until its record is there."""
    answer, late = service.transport.handle_request, []

    def handle_request(request):
        if request.method == "POST" and len(service.documents) == 4:
            late.append(request)
            raise httpx.ReadError("reset")
        return answer(request)

    service.transport.handle_request = handle_request
    runs = client.documents.create_many(PLAN[:5])
    assert sorted(runs["status"]) == ["created"] * 4 + ["unknown"]
    service.transport.handle_request = answer
    answer(late.pop())
    assert (client.documents.create_many(PLAN[:5])["status"] == "existing").all()
    assert service.generations == 5


@pytest.mark.parametrize(("collection", "most"), [("images", 80), ("documents", 160)])
@pytest.mark.parametrize("seed", range(3))
def test_bad_replies_cost_few_requests(collection, most, seed):
    """Rows whose replies were lost share one search, so that a plan needs few requests beside its creates."""
    service = FaultyService("spring", images=130, documents=130, faults=Faults.passing(0.2, seed=seed))
    row = {"prompt": "p"} if collection == "documents" else {"description": "d", "resolution": "256x256"}
    rows = [{"name": f"Kettle {number}", **row} for number in range(20)]
    with service.client() as client:
        runs = getattr(client, collection).create_many(rows)
    assert len(service.requests) <= most
    assert service.generations == runs["status"].isin(["created"]).sum() > 15


def test_edited_records_are_told(service, client):
    """A rerun names the fields that were edited since the record was created."""
    runs = client.documents.create_many(PLAN[:3])
    assert runs["edited"].isna().all()
    client.documents.update(int(runs["id"].iloc[0]), result="Edited.", favorite=True)
    client.documents.update(int(runs["id"].iloc[1]), name="Renamed")
    again = client.documents.create_many(PLAN[:3])
    assert (again["status"] == "existing").all()
    assert again["edited"].iloc[:2].tolist() == ["favorite, result", "name"]
    assert again["edited"].isna().iloc[2]
    once_more = client.documents.create_many(again)
    assert once_more["status"].tolist() == ["existing"] * 3
    assert once_more["edited"].fillna("").tolist() == ["favorite, result", "name", ""]
    assert service.generations == 3


def test_a_form_creates_another_record_with_the_same_fields(service, client):
    """What a batch has created is created once more by a form, and noted as a create of its own."""
    first = client.documents.create_many(PLAN[:1])
    batch = client.documents.batch(PLAN[:1], None, once_more=True)
    batch.create_rows(batch.rows, 1)
    assert [row.status for row in batch.rows] == ["created"]
    assert batch.rows[0].record.id != first["id"].iloc[0]
    assert batch.rows[0].seconds < 60
    assert service.generations == 2


def test_an_id_that_was_given_again_is_another_record(service, client):
    """On a service whose library began anew, the record that has the id of a row now is not taken for its record."""
    rows = PLAN[:2]
    first, second = client.documents.create_many(rows)["id"]
    fields = {"name": "Ensured", "prompt": "About a samovar", "creativity": 0.5}
    ensured = client.documents.ensure(**fields).id
    service.documents[first] |= {"name": "Other", "prompt": "Something else"}
    service.documents[second] |= {"name": "Renamed"}
    service.documents[ensured] |= {"name": "Third", "prompt": "Something else"}
    again = client.documents.create_many(rows)
    assert again["status"].tolist() == ["skipped", "existing"]
    assert again["error"].tolist()[0] == (
        f"created as {first} and a different record now; fresh=True creates it again"
    )
    assert again["edited"].iloc[1] == "name"
    assert client.documents.ensure(**fields).id not in {first, second, ensured}
    assert service.generations == 4
    assert client.documents.create_many(rows[:1], fresh=True)["status"].tolist() == ["created"]


def test_an_interrupted_fresh_run_is_resumed(service, client):
    """``fresh=True`` after an interrupt creates only the rest; after a whole run it creates all again."""
    client.documents.create_many(PLAN)
    armed = [1]
    service.between_replies(
        lambda service: armed and service.generations == 14 and armed.pop() and interrupt_main()
    )
    with pytest.raises(inkframe.BatchInterrupted):
        client.documents.create_many(PLAN, fresh=True)
    between = service.generations
    assert 14 <= between < 20
    runs = client.documents.create_many(PLAN, fresh=True)
    assert (runs["status"] == "existing").sum() == between - 10
    assert service.generations == 20
    assert (client.documents.create_many(PLAN, fresh=True)["status"] == "created").all()
    assert (client.documents.create_many(PLAN[:2], fresh=True)["status"] == "created").all()
    assert service.generations == 32


def test_an_interrupted_batch_keeps_its_rows(service, client):
    """The interrupt says how many are there, shows no frames of ours, and carries the rows."""
    armed = [True]
    service.between_replies(
        lambda service: armed and service.generations >= 3 and armed.pop() and interrupt_main()
    )
    with pytest.raises(KeyboardInterrupt) as caught:
        client.documents.create_many(PLAN)
    error = caught.value
    assert isinstance(error, inkframe.BatchInterrupted)
    created = int((error.frame["status"] == "created").sum())
    assert str(error) == f"{created} of 10 created. Run again to create the rest."
    assert error._render_traceback_() == [f"BatchInterrupted: {error}"]
    assert 3 <= created == service.generations < 10
    assert (error.frame["status"] == "skipped").sum() == 10 - created


class Interrupting:
    """An engine that is interrupted at its third text."""

    name, is_stand_in, count = "interrupting", True, 0

    def write(self, request):
        """Return a text, or raise as Ctrl-C does."""
        self.count += 1
        if self.count == 3:
            raise KeyboardInterrupt
        return request.prompt


def test_an_interrupt_of_the_local_engine_stores_nothing():
    """Creates run on the calling thread, so that Ctrl-C stops the engine; the next run creates the rest."""
    with inkframe.connect(library=":memory:", engine=Interrupting()) as client:
        with pytest.raises(inkframe.BatchInterrupted) as caught:
            client.documents.create_many(PLAN)
        assert caught.value.frame["status"].tolist() == ["created"] * 2 + ["unknown"] + ["skipped"] * 7
        assert len(client.documents.all()) == 2
        runs = client.documents.create_many(PLAN)
        assert runs["status"].tolist() == ["existing"] * 2 + ["created"] * 8
        assert len(client.documents.all()) == 10


@pytest.mark.parametrize("clients", [1, 2])
def test_threads_that_run_the_same_rows_create_each_once(service, clients):
    """Several threads, with one client or each its own, create every row once, through faults."""
    service.plan(Faults.passing(0.2, seed=3, where=lambda request: request.method == "POST"))
    opened = [service.client() for _ in range(clients)]
    with ThreadPoolExecutor(4) as pool:
        runs = list(pool.map(lambda n: opened[n % clients].documents.create_many(PLAN), range(4)))
    service.plan(None)
    final = opened[0].documents.create_many(PLAN)
    assert service.generations == 10
    assert final["status"].isin(["existing", "created"]).all()
    assert all(set(run["id"].dropna()) <= set(final["id"]) for run in runs)


def test_threads_that_ensure_the_same_record_create_it_once(service, client):
    """Several threads that want one record share it, and the key of its request is in the journal."""
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda _: client.documents.ensure(name="Kettle", prompt="p").id, range(4)))
    assert len(set(made)) == service.generations == 1


TWINS = """
    import sys, inkframe
    from inkframe.creating.plans import plan_documents
    client = inkframe.Client(sys.argv[1], sys.argv[2])
    print("ready", flush=True)
    for line in sys.stdin:
        plan = plan_documents("About a kettle", name=f"Kettle {line.strip()} {{number}}", creativity=0.5, repeats=8)
        runs = client.documents.create_many(plan, progress=False)
        print("done", line.strip(), flush=True)
"""


def test_programs_that_run_the_same_rows_create_each_once(tmp_path):
    """Two processes that run the same rows at the same moment create every row once, through lost replies."""
    script = tmp_path / "twins.py"
    script.write_text(textwrap.dedent(TWINS), encoding="utf-8")
    service = FaultyService(images=0, documents=0)
    rounds = 6
    with service.serve() as address, ExitStack() as stack:
        command = [sys.executable, str(script), address, service.key]
        options = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "bufsize": 1}
        twins = [stack.enter_context(subprocess.Popen(command, **options)) for _ in range(2)]
        waits(twins, "ready")
        for number in range(rounds):
            service.plan(
                Faults({"hung_up": 0.15}, seed=number, where=lambda request: request.method == "POST")
            )
            for twin in twins:
                twin.stdin.write(f"{number}\n")
            waits(twins, f"done {number}")
        service.plan(None)
        for number in range(rounds):
            twins[0].stdin.write(f"{number}\n")
            waits(twins[:1], f"done {number}")
        for twin in twins:
            twin.stdin.close()
    names = [document["name"] for document in service.documents.values()]
    assert len(names) == len(set(names)) == service.generations == 8 * rounds


def waits(processes, word):
    for process in processes:
        while (line := process.stdout.readline().strip()) != word:
            assert line, "the process ended"


def test_rows_of_an_earlier_batch_are_reused(service, client):
    """Equal rows of an earlier batch are reused; failed ones are tried again, and those with another name are new."""
    journal = Journal()
    service.lose("forbidden")
    first = client.documents.batch(PLAN[:3], journal)
    first.create_rows(first.rows, 1)
    second = client.documents.batch(PLAN[:4].assign(name=[*PLAN["name"][:2], "Another", "New"]), journal)
    second.take_over({row.identity: row for row in first.rows})
    assert [row.status for row in second.rows] == ["failed", "created", "", ""]
    assert second.rows[1] is first.rows[1]
    second.create_rows([row for row in second.rows if row.record is None], 1)
    assert [row.status for row in second.rows] == ["created"] * 4
    assert first.rows[0].status == "failed"
    assert service.generations == 5


def test_a_row_with_a_lost_reply_is_found_and_created_once(service, client):
    """A row is unknown after a failed search; a later search, or the next run, finds it."""
    service.plan(
        Faults(
            {"forbidden": 1.0},
            {1: "lost_reply", 2: "lost_reply"},
            where=lambda request: request.method == "POST" or service.generations == 2,
        )
    )
    batch = client.documents.batch(PLAN[:2], Journal())
    batch.create_rows(batch.rows, 1)
    assert [row.status for row in batch.rows] == ["unknown", "unknown"]
    service.plan(None)
    batch.look_for(batch.rows[0])
    batch.create_rows(batch.rows[1:], 1)
    assert {row.status for row in batch.rows} <= {"created", "existing"}
    assert service.generations == 2


def test_a_discarded_row_can_be_created_again(service, client, tmp_path):
    """A discarded row is removed from the batch and its frame; the same row can be created again."""
    journal = tmp_path / "journal.jsonl"
    batch = client.documents.batch(PLAN[:3].set_index(pd.Index([0, 0, 0])), Journal(journal))
    batch.create_rows(batch.rows, 1)
    gone = batch.rows[1]
    client.documents.delete(gone.record)
    batch.discard(gone)
    assert batch.frame()["id"].tolist() == [1, 3]
    again = client.documents.batch(PLAN[:3], Journal(journal))
    again.create_rows(again.rows, 1)
    assert [row.status for row in again.rows] == ["existing", "created", "existing"]


RESUMED = """
    import sys, inkframe
    from inkframe.creating.plans import plan_documents
    client = inkframe.connect(library=sys.argv[1])
    plan = plan_documents("About a kettle", name="Kettle {number}", creativity=0.5, repeats=120)
    print("ready", flush=True)
    runs = client.documents.create_many(plan, progress=False)
    print("done", runs["status"].isin(["created", "existing"]).all(), flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="kills with a signal")
def test_a_killed_run_is_resumed(tmp_path, home):
    """After ``kill -9`` during a run, the same cell creates exactly one record per row in total."""
    library = tmp_path / "library.db"
    script = tmp_path / "resumed.py"
    script.write_text(textwrap.dedent(RESUMED), encoding="utf-8")
    command = [sys.executable, str(script), str(library)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        journals = home / "journals"
        while process.poll() is None and sum(path.stat().st_size for path in journals.glob("*")) < 6000:
            pass
        process.send_signal(signal.SIGKILL)
    assert subprocess.run(command, check=True, capture_output=True, text=True).stdout.endswith("done True\n")
    with inkframe.connect(library=library) as client:
        assert len(client.documents.all()) == 120


@pytest.mark.parametrize("journal", ["one", "old"])
def test_the_ids_of_another_collection_do_not_hide_a_lost_record(service, client, path, journal):
    """A document whose reply was lost is found although an image has the same id."""
    image = {"name": "Harbor", "description": "a harbor", "resolution": "256x256"}
    assert client.images.create_many([image], journal=path)["id"].tolist() == [1]
    if journal == "old":  # lines of release 0.1 have no collection
        path.write_text(path.read_text().replace(', "collection": "images"', ""))
        client.close()
        client = service.client()
    service.lose("lost_reply")
    row = {"name": "Kettle", "prompt": "about a kettle"}
    made = client.documents.create_many([row], journal=path)
    assert made[["id", "status"]].to_numpy().tolist() == [[1, "created"]]
    service.lose("lost_reply")
    with pytest.raises(inkframe.OutcomeUnknown) as caught:
        client.documents.create(name="Lamp", prompt="about a lamp")
    client.images.create(**image)
    assert caught.value.reconcile().id == 2
    assert sum(request.method == "POST" for request in service.requests) == 4
