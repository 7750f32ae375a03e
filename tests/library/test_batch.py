"""Bulk creation: checked first, paid for once, resumed after anything."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap

import pandas as pd
import pytest

import inkframe
from inkframe.library.plans import plan_documents, plan_images
from inkframe.testing import Faults, FaultyService


@pytest.fixture
def service():
    return FaultyService(images=0, documents=0)


@pytest.fixture
def client(service):
    with inkframe.Client(service.base_url, service.key, transport=service.transport) as client:
        yield client


PLAN = plan_documents("About a kettle", name="Kettle {creativity} {repeat}", repeats=2)


def test_the_same_rows_come_back_whole(service, client):
    """Rows and index as given, every field of the record, then id, status, error and seconds."""
    plan = PLAN.assign(note="mine").set_index(pd.Index(list("abcdefghij")))
    runs = client.documents.create_many(plan)
    assert list(runs.index) == list(plan.index)
    assert list(runs.columns[-4:]) == ["id", "status", "error", "seconds"]
    assert (runs["note"] == "mine").all()
    assert (runs["status"] == "created").all()
    assert runs["result"].notna().all()
    assert sorted(runs["id"]) == sorted(service.documents)


def test_running_again_creates_nothing(service, client, capsys):
    """A cell that is run again finds its rows in the journal."""
    client.documents.create_many(PLAN)
    again = client.documents.create_many(PLAN)
    assert (again["status"] == "existing").all()
    assert again["result"].notna().all()
    assert service.generations == 10
    with inkframe.Client(service.base_url, service.key, transport=service.transport) as another:
        assert (another.documents.create_many(PLAN)["status"] == "existing").all()
    assert service.generations == 10
    assert "10 creations on service.test; journal: " in capsys.readouterr().out


def test_fresh_creates_again_and_repeats_stay_apart(service, client):
    """``fresh=True`` is another payment; the same content with another repeat is another row."""
    rows = [{"name": "a", "prompt": "p", "repeat": 1}, {"name": "a", "prompt": "p", "repeat": 2}]
    assert client.documents.create_many(rows)["id"].nunique() == 2
    assert client.documents.create_many(rows, fresh=True)["id"].nunique() == 2
    assert service.generations == 4
    twice = client.documents.create_many([{"name": "b", "prompt": "p"}] * 2)
    assert twice["status"].tolist() == ["created", "skipped"]


def test_every_row_is_checked_before_any_is_sent(service, client):
    """One row that will not do stops all, and is named."""
    rows = [
        {"name": "a", "description": "x", "resolution": "512x512"},
        {"name": "b", "description": "x", "resolution": "5"},
    ]
    with pytest.raises(inkframe.InvalidArgument, match="row 1: resolution='5'"):
        client.images.create_many(rows)
    assert service.requests == []


def test_a_misspelt_column_is_refused_and_others_pass(service, client):
    """``desciption`` is refused; a column of one's own comes back and is not sent."""
    with pytest.raises(inkframe.InvalidArgument, match="looks like the field 'description'"):
        client.images.create_many([{"name": "a", "desciption": "x", "resolution": "512x512"}])
    runs = client.images.create_many([{"name": "a", "description": "x", "resolution": "512x512", "shelf": 3}])
    assert runs["shelf"].tolist() == [3]
    assert "shelf" not in service.requests[-1].form


def test_many_creations_need_their_number(service, client):
    """More than 25 on a service at an address are confirmed by how many they are."""
    plan = plan_images("x", name="x {number}", resolution="256x256", repeats=26)
    for confirm in (None, 25, True):
        with pytest.raises(inkframe.InvalidArgument, match="confirm=26"):
            client.images.create_many(plan, confirm=confirm)
    assert service.generations == 0
    assert (client.images.create_many(plan, confirm=26)["status"] == "created").all()


def test_a_limit_on_creations_holds(service):
    """What would pass the limit is refused as a whole."""
    with inkframe.Client(
        service.base_url, service.key, transport=service.transport, create_limit=5
    ) as client:
        with pytest.raises(inkframe.InvalidArgument, match="create_limit=5"):
            client.documents.create_many(PLAN)
        client.documents.create_many(PLAN[:5])
        with pytest.raises(inkframe.InvalidArgument, match="create_limit=5"):
            client.documents.create(name="n", prompt="p")
    assert service.generations == 5


def test_failed_rows_are_sent_again_by_a_mask(service, client):
    """What failed says why, and nothing else is sent the second time."""
    service.plan(Faults(script={2: "too_large"}, where=lambda request: request.method == "POST"))
    runs = client.documents.create_many(PLAN)
    failed = runs[runs["status"] == "failed"]
    assert len(failed) == 1
    assert failed["error"].notna().all()
    service.plan(None)
    assert (client.documents.create_many(failed)["status"] == "created").all()
    assert service.generations == 10


def test_lost_answers_are_looked_for_and_never_sent_blindly(service, client):
    """In any weather, running until all is there makes exactly as many as there are rows."""
    for seed in range(8):
        service.plan(Faults.weather(0.3, seed=seed))
        runs = client.documents.create_many(PLAN)
    service.plan(None)
    runs = client.documents.create_many(PLAN)
    assert runs["status"].isin(["created", "existing"]).all()
    assert service.generations == 10


def test_a_record_that_was_deleted_is_not_paid_for_again(client):
    """What the journal knows and the service no longer has is skipped, with the reason."""
    runs = client.documents.create_many(PLAN[:2])
    client.documents.delete(int(runs["id"].iloc[0]))
    again = client.documents.create_many(PLAN[:2])
    assert again["status"].tolist() == ["skipped", "existing"]
    assert "fresh=True" in again["error"].iloc[0]


def test_ensure_creates_once(service, client):
    """The same name and settings give the same record, also from a client that has no journal of it."""
    first = client.documents.ensure(name="Kettle", prompt=inkframe.compose_prompt("FAQ", "kettles"))
    assert (
        client.documents.ensure(name="Kettle", prompt=inkframe.compose_prompt("FAQ", "kettles")).id
        == first.id
    )
    os.environ["INKFRAME_HOME"] += "-other"
    with inkframe.Client(service.base_url, service.key, transport=service.transport) as another:
        found = another.documents.ensure(name=" Kettle ", prompt=inkframe.compose_prompt("FAQ", "kettles"))
        assert found.id == first.id
        assert another.documents.ensure(name="Kettle", prompt="something else").id != first.id
    assert service.generations == 2


def test_ensure_says_why_a_name_is_no_match(capsys):
    """A list that leaves the prompt out is completed from the record; a service that never shows it is told on."""
    service = FaultyService("list_brief", images=0, documents=0)
    with inkframe.Client(service.base_url, service.key, transport=service.transport) as client:
        made = client.documents.create(name="Kettle", prompt="About a kettle")
        assert client.documents.ensure(name="Kettle", prompt="About a kettle").id == made.id
        for record in service.documents.values():
            record["prompt"] = None
        os.environ["INKFRAME_HOME"] += "-other"
    with inkframe.Client(service.base_url, service.key, transport=service.transport) as client:
        assert client.documents.ensure(name="Kettle", prompt="About a kettle").id != made.id
    assert "a name alone is no match" in capsys.readouterr().out


RESUMED = """
    import sys, inkframe
    from inkframe.library.plans import plan_documents
    client = inkframe.connect(library=sys.argv[1])
    plan = plan_documents("About a kettle", name="Kettle {number}", creativity=0.5, repeats=120)
    print("ready", flush=True)
    runs = client.documents.create_many(plan, progress=False)
    print("done", runs["status"].isin(["created", "existing"]).all(), flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="kills with a signal")
def test_a_killed_run_is_resumed(tmp_path):
    """``kill -9`` at some moment of a run, then the same cell again: exactly as many records as rows."""
    library = tmp_path / "library.db"
    script = tmp_path / "resumed.py"
    script.write_text(textwrap.dedent(RESUMED), encoding="utf-8")
    command = [sys.executable, str(script), str(library)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        journals = tmp_path / "home" / "journals"
        while process.poll() is None and sum(path.stat().st_size for path in journals.glob("*")) < 6000:
            pass
        process.send_signal(signal.SIGKILL)
    assert subprocess.run(command, check=True, capture_output=True, text=True).stdout.endswith("done True\n")
    with inkframe.connect(library=library) as client:
        assert len(client.documents.all()) == 120
