"""Bulk creation in the background: its state, its end, and several at once."""

import asyncio
import random
import re
import threading
from collections import Counter
from io import BytesIO
from types import SimpleNamespace

import httpx
import pytest
from PIL import Image
from tests.services import Faults, FaultyService, VirtualClock
from tests.waiting import until

import inkframe as ink
from inkframe.creating.job import MOST, Job
from inkframe.creating.journal import Journal

PLAN = ink.plan_documents("About a kettle", name="Kettle {number}", creativity=0.5, repeats=12)


@pytest.fixture
def service():
    return FaultyService(images=0, documents=0)


@pytest.fixture
def client(service):
    with ink.Client(service.base_url, service.key, transport=service.transport) as client:
        yield client


@pytest.fixture
def answer(service):
    """Return a function that lets another one answer requests; it is called with the request and what answers it."""

    def put(handle):
        before = service.transport.handle_request
        service.transport.handle_request = lambda request: handle(request, before)

    return put


class Gate:
    """Keeps back the replies of a service until it is opened; ``reached`` is set with the first one.

    Args:
        service: The service.
        free: The number of creations before it closes.
    """

    def __init__(self, service, free=0):
        self.opened, self.reached = threading.Event(), threading.Event()
        self.free, self.answer = free, service.transport.handle_request
        service.transport.handle_request = self.handle_request

    def handle_request(self, request):
        """Answer a request; wait with one that creates."""
        self.free -= request.method == "POST"
        if request.method == "POST" and self.free < 0:
            self.reached.set()
            assert self.opened.wait(60)
        return self.answer(request)

    def submit(self, client, rows=PLAN, **options):
        """Return a job that has reached the gate."""
        job = client.documents.submit_many(rows, **options)
        assert self.reached.wait(30)
        return job


IMAGES = [{"name": f"{n}", "description": "d", "resolution": "256x256"} for n in range(8)]


def refusing(*numbers, fault="too_large"):
    """Return what refuses some of the creates."""
    return Faults(script=dict.fromkeys(numbers, fault), where=lambda request: request.method == "POST")


@pytest.mark.integration
def test_a_job_ends_with_the_frame_of_create_many(client, service):
    """The result has the same rows and columns as ``create_many``; run again, all of them exist."""
    job = client.documents.submit_many(PLAN)
    runs = job.result(timeout=30)
    assert (job.done(), job.cancelled(), job.exception()) == (True, False, None)
    assert runs["status"].tolist() == ["created"] * 12
    again = client.documents.create_many(PLAN)
    assert list(again.columns) == list(runs.columns)
    assert again["id"].tolist() == runs["id"].tolist() == job.frame["id"].tolist()
    assert service.generations == 12
    assert repr(job).startswith("<job: 12 of 12 documents · in ")


def test_what_create_many_refuses_is_refused_in_the_cell(client, service):
    """Invalid rows, missing confirmations and limits raise before a job exists."""
    with pytest.raises(ink.InvalidArgument, match="row 0: name"):
        client.documents.submit_many([{"name": "", "prompt": "p"}])
    many = ink.plan_documents("p", name="n {number}", repeats=6)
    with pytest.raises(ink.InvalidArgument, match="confirm=30"):
        client.documents.submit_many(many)
    assert (len(client.jobs), service.requests) == (0, [])


@pytest.mark.integration
def test_its_frame_is_there_at_any_moment(client, service):
    """While it runs, rows that are there have their values, and others no status."""
    gate = Gate(service, free=5)
    job = gate.submit(client)
    assert not job.done()
    with pytest.raises(TimeoutError):
        job.result(timeout=0)
    until(lambda: len(service.documents) == 5)
    frame = job.frame
    assert len(frame) == 12
    assert frame["status"].isna().sum() >= 7
    assert "left" in job.line or "0 of 12" in job.line
    gate.opened.set()
    assert job.result(30)["status"].notna().all()


@pytest.mark.integration
@pytest.mark.parametrize("end", ["cancel", "close"])
def test_what_is_under_way_is_awaited(client, service, end):
    """After a cancellation nothing more is sent, what is under way is kept, and the result is an error; closing cancels, too."""
    gate = Gate(service, free=3)
    job = gate.submit(client)
    if end == "cancel":
        assert (job.cancel(), job.cancelled(), job.done()) == (True, True, False)
        assert "cancelled, waiting" in job.line
        gate.opened.set()
    else:
        threading.Thread(target=lambda: (until(job.cancelled), gate.opened.set())).start()
        client.close()
        assert (job.done(), job.cancelled()) == (True, True)
    with pytest.raises(ink.BatchCancelled):
        job.result(timeout=30)
    statuses = Counter(job.frame["status"])
    assert statuses["created"] == service.generations < 12
    assert statuses["created"] + statuses["skipped"] == 12
    assert not job.cancel()


class CallingClock(VirtualClock):
    """A clock that calls a function when somebody waits for the first time."""

    call = staticmethod(lambda: None)

    def sleep(self, seconds):
        """Advance the clock; the first time, call the function."""
        super().sleep(seconds)
        call, self.call = self.call, lambda: None
        call()


@pytest.mark.integration
@pytest.mark.parametrize("end", ["cancel", "close"])
def test_creates_that_wait_to_be_sent_end_at_once(service, end, tmp_path):
    """After a push-back, neither a create that is to be sent again nor others that wait are sent once it ended."""
    clock = service.clock = service.transport.clock = CallingClock()
    service.plan(refusing(1, fault="limited"))
    client = ink.Client(service.base_url, service.key, transport=service.transport, timeout=90)
    closing, path = threading.Thread(target=client.close), tmp_path / "journal.jsonl"

    def cancel():
        client.jobs[0].cancel()

    def close():
        closing.start()
        until(client.jobs[0].cancelled)

    clock.call = cancel if end == "cancel" else close
    job = client.documents.submit_many(PLAN, journal=path)
    with pytest.raises(ink.BatchCancelled):
        job.result(30)
    sent = [request for request in service.requests if request.method == "POST"]
    assert len(sent) - 1 == service.generations < 12
    # Threads that are past the last check send what they have.
    assert sum(request.time > 0 for request in sent) < 4
    counts = Counter(job.frame["status"])
    assert (counts["created"], counts["skipped"]) == (service.generations, 12 - service.generations)
    assert client.created == service.generations
    if end == "close":
        closing.join(30)
    else:
        client.close()
    with ink.Client(service.base_url, service.key, transport=service.transport) as again:
        assert again.documents.create_many(PLAN, journal=path)["id"].notna().all()
    assert service.generations == 12


@pytest.mark.integration
def test_a_cancelled_job_goes_on(client, service):
    """``result`` and ``await`` raise an error with the frame and the way on; ``resume`` creates the rest only."""
    gate = Gate(service, free=3)
    job = gate.submit(client, [*PLAN.to_dict("records"), PLAN.iloc[0].to_dict()])
    job.cancel()
    gate.opened.set()
    with pytest.raises(
        ink.BatchCancelled, match=r"\d of 13 documents are there\.\nCall job\.resume\(\)"
    ) as caught:
        asyncio.run(_await(job))
    assert isinstance(job.exception(), ink.InkframeError)
    first = caught.value.frame
    assert first["status"].value_counts()["created"] == service.generations < 12
    assert job.resume() is job
    frame = job.result(30)
    assert (job.cancelled(), job.state, service.generations) == (False, "done", 12)
    assert frame["status"].tolist() == [*["created"] * 12, "skipped"]
    there = first["id"].notna()
    assert frame["id"][there].tolist() == first["id"][there].tolist()
    assert job.resume().result(30)["id"].tolist() == frame["id"].tolist()
    assert service.generations == 12


@pytest.mark.integration
def test_resuming_keeps_the_limit_of_creates(service):
    """What was confirmed stays confirmed, but a limit that is exceeded meanwhile refuses the rest, unsent."""
    options = {"transport": service.transport, "create_limit": 40}
    many = ink.plan_documents("p", name="n {number}", creativity=0.5, repeats=30)
    with ink.Client(service.base_url, service.key, **options) as client:
        gate = Gate(service, free=3)
        job = gate.submit(client, many, confirm=30)
        job.cancel()
        gate.opened.set()
        job.wait()
        client.documents.create_many(
            ink.plan_documents("q", name="q {number}", creativity=0.5, repeats=20), progress=False
        )
        sent = service.generations
        with pytest.raises(ink.InvalidArgument, match="create_limit=40"):
            job.resume()
        assert (job.state, service.generations) == ("cancelled", sent)


@pytest.mark.integration
def test_it_can_be_awaited(client):
    """``await job`` returns the frame; a task that is cancelled while it waits does not end the job."""

    async def work():
        job = client.documents.submit_many(PLAN)
        impatient = asyncio.ensure_future(_await(job))
        await asyncio.sleep(0)
        impatient.cancel()
        return await job

    assert asyncio.run(work())["status"].tolist() == ["created"] * 12


async def _await(job):
    return await job


def test_an_error_of_the_whole_job_is_in_the_result(client, tmp_path, full_disk):
    """A journal that cannot be written is an error of ``result`` and ``exception``, not lost in the thread."""
    path = tmp_path / "journal.jsonl"
    client.documents.create_many(PLAN[:1], journal=path)
    with full_disk(path, 5):
        job = client.documents.submit_many(PLAN, journal=path)
        with pytest.raises(ink.ConfigurationError, match="cannot be written"):
            job.result(30)
    assert isinstance(job.exception(), ink.ConfigurationError)
    assert client.jobs.frame["state"].tolist() == ["failed"]


@pytest.mark.integration
def test_a_frame_that_cannot_be_made_ends_the_job(client, monkeypatch):
    """An error behind the last row is that of the job, too, so that nobody waits in vain."""
    monkeypatch.setattr("inkframe.creating.create_many.outcomes", None)
    with pytest.raises(TypeError, match="not callable"):
        client.documents.submit_many(PLAN[:1]).result(5)


def test_jobs_are_listed_and_unseen_failures_told_once(client, service, capsys):
    """The table has a row for each job; the next submission reports a failure that was not read."""
    assert repr(client.jobs) == "No jobs so far."
    service.plan(refusing(1))
    client.documents.submit_many(PLAN[:3]).wait()
    capsys.readouterr()
    client.images.list()
    assert capsys.readouterr().out == ""
    second = client.documents.submit_many(PLAN[3:4])
    assert "Job 1 ended: 1 of 3 rows failed. See client.jobs." in capsys.readouterr().out
    second.result(30)
    client.documents.submit_many(PLAN[4:5]).result(30)
    assert "ended" not in capsys.readouterr().out
    frame = client.jobs.frame
    assert frame["error"].fillna("").tolist() == ["1 of 3 rows failed", "", ""]
    assert frame[["rows", "created", "failed"]].to_numpy().tolist() == [[3, 2, 1], [1, 1, 0], [1, 1, 0]]
    assert frame.index.tolist() == [1, 2, 3]
    assert client.jobs[0].frame["status"].value_counts()["failed"] == 1
    assert "<td>documents</td>" in client.jobs._repr_html_()


LOOKS = {
    "result": lambda job: job.result(30),
    "exception": lambda job: job.exception(30),
    "await": lambda job: asyncio.run(_await(job)),
    "display": lambda job: job._ipython_display_(),
}


@pytest.mark.integration
@pytest.mark.parametrize("look", LOOKS)
def test_a_failure_that_was_seen_is_not_told(client, service, capsys, look):
    """Whoever has the result, the error or the line of a job knows of its failures."""
    service.plan(refusing(1))
    job = client.documents.submit_many(PLAN[:3])
    job.wait()
    LOOKS[look](job)
    capsys.readouterr()
    client.documents.submit_many(PLAN[3:4]).wait()
    assert "ended" not in capsys.readouterr().out


@pytest.mark.integration
def test_the_limit_counts_over_all_jobs(service):
    """A job that would exceed the limit together with those that run is refused."""
    gate = Gate(service)
    with ink.Client(service.base_url, service.key, transport=service.transport, create_limit=15) as client:
        first = gate.submit(client)
        with pytest.raises(ink.InvalidArgument, match="create_limit=15 is exceeded"):
            client.images.submit_many(IMAGES[:4])
        third = client.documents.submit_many(PLAN[:3].assign(name=["a", "b", "c"]))  # none counts twice
        gate.opened.set()
        assert (first.result(30)["status"] == "created").all()
        assert (third.result(30)["status"] == "created").all()
        assert (first.remaining, third.remaining, client.created) == (0, 0, 15)


@pytest.mark.integration
def test_several_jobs_share_the_concurrency(service, answer):
    """Jobs at the same time never have more creates in flight than the client's concurrency."""
    inside, most, together = set(), [], threading.Barrier(3, timeout=60)

    def handle(request, reply):
        if request.method == "POST":
            inside.add(id(request))
            most.append(len(inside))
            together.wait()
            inside.discard(id(request))
        return reply(request)

    answer(handle)
    with ink.Client(service.base_url, service.key, transport=service.transport, concurrency=3) as client:
        plans = [PLAN.assign(name=[f"{n} {name}" for name in PLAN["name"]]) for n in range(3)]
        for job in [client.documents.submit_many(plan) for plan in plans]:
            assert (job.result(30)["status"] == "created").all()
    assert max(most) == 3
    assert service.generations == 36


@pytest.mark.integration
def test_many_jobs_leave_nothing_behind(client):
    """Ended jobs leave no thread, and only the last ones are kept."""
    before = set(threading.enumerate())
    for _ in range(30):
        client.documents.submit_many(PLAN[:1]).result(30)
    jobs = list(client.jobs)
    for job in jobs:
        job.wait()
    assert set(threading.enumerate()) - before == set()
    assert client.jobs.frame.index.tolist() == list(range(10, 31))


def test_what_a_job_shows_is_bounded(client, monkeypatch):
    """Its newest records, or all; those of a large job are the last ones, at most a hundred, and a line that says so."""
    job = client.images.submit_many(IMAGES)
    job.result(60)
    assert [job.view(more=more).html.count("<img") for more in (False, True)] == [6, 8]
    assert MOST == 100
    monkeypatch.setattr("inkframe.creating.job.MOST", 5)
    shown = job.view(more=True)
    assert shown.html.count("<img") == 5
    _, bound, count, *records = shown.text.splitlines()
    assert bound == "The last 5 of 8 images; job.frame has all."
    assert count == "5 pictures · https://service.test"
    assert len({line.split()[0] for line in records}) == len(records) == 5


@pytest.mark.integration
def test_all_of_a_large_job_is_at_most_one_megabyte(client, service, answer):
    """Of 101 pictures that compress badly, or of long texts, the page receives a hundred in one megabyte."""
    file = BytesIO()
    Image.frombytes("RGB", (256, 256), random.Random(0).randbytes(196_608)).save(file, "PNG")
    picture = httpx.Response(200, content=file.getvalue())
    answer(lambda request, reply: picture if request.url.path.endswith(".png") else reply(request))
    rows = [IMAGES[0] | {"name": f"{n}", "description": "d" * 300} for n in range(101)]
    images = client.images.submit_many(rows, confirm=101)
    images.result(120)
    assert images.view(more=True).html.count("<img") == 100
    rows = [{"name": f"{n}", "prompt": "p"} for n in range(101)]
    client.documents.create_many(rows, confirm=101, progress=False)
    for record in service.documents.values():
        record["result"] = "The *quiet* kettle & its lid. " * 1000
    documents = client.documents.submit_many(rows, confirm=101)
    documents.result(120)
    for job in (images, documents):
        shown = job.view(more=True)._repr_mimebundle_()
        assert 300_000 < sum(len(text.encode()) for text in shown.values()) < 1_000_000


@pytest.mark.integration
def test_the_outcome_of_a_job_can_be_rated(client):
    """What varies is compared; records that the job has shown are not rated blind."""
    plan = ink.plan_documents("About a kettle", name="Kettle {creativity} {repeat}", repeats=2)
    job = client.documents.submit_many(plan)
    job.result(30)
    panel = job._view._endings["Rate blind"]()
    assert len(panel.frame) == 10
    panel.rate(3)
    panel.reveal()
    assert panel.ratings["blind"].tolist() == [True]
    assert panel.ratings["creativity"].notna().all()
    job.view(more=True)
    seen = job._view._endings["Rate blind"]()
    seen.rate(3)
    assert not seen.ratings["blind"].iloc[-1]


@pytest.mark.integration
def test_costs_that_the_service_reports_are_columns_and_in_the_line(answer, client):
    """Credits and prices in replies to creates have a column each, and their sum is in the job's line."""

    def handle(request, reply):
        response = reply(request)
        if request.method == "POST":
            response.headers.update({"X-Credits-Used": "2.5", "X-Credits-Remaining": "90"})
        return response

    answer(handle)
    job = client.documents.submit_many(PLAN[:4])
    runs = job.result(30)
    assert runs["credits"].tolist() == [2.5] * 4
    assert runs["credits_left"].tolist() == [90.0] * 4
    assert "price" not in runs
    assert list(runs.columns[-7:-4]) == ["credits", "credits_left", "edited"]
    assert job.line.endswith("credits 10 · 90 credits left")
    assert client.documents.create_many(runs)["status"].tolist() == ["existing"] * 4


def test_every_outcome_is_counted_in_the_line_and_in_the_table(client, service, monkeypatch):
    """Lost replies count as failed at the end only; what was skipped, cost and went wrong is told."""
    monkeypatch.setattr("inkframe.creating.job.time", SimpleNamespace(monotonic=lambda: 9.0))
    batch, rows = client.documents.batch(PLAN[:7], Journal()), []
    job = client.jobs.start(Job(batch, rows))
    job.wait()
    gate, other = Gate(service), client.documents.batch(PLAN[7:8], Journal())
    under_way = [*other.rows]
    running = Job(other, under_way).start()
    assert gate.reached.wait(30)
    statuses = ("created", "pending", "existing", "failed", "unknown", "skipped", "")
    for row, status in zip(batch.rows, statuses, strict=True):
        row.status = status
        row.error = {"existing": "kept", "failed": "bad", "unknown": "lost", "skipped": "bad"}.get(status)
    batch.rows[0].costs = {"credits": 2.5, "price": 1234.5, "credits_left": 7.0}
    batch.rows[1].costs = {"credits": 1.0, "credits_left": 6.0}
    batch.rows[5].sent = 1.0
    rows += batch.rows
    under_way[:] = batch.rows
    costs = "credits 3.5 · price 1,234.5 · 6 credits left"
    ended = f"in 0 s · 2 failed · 1 skipped · {costs}"
    assert repr(job) == f"<job: 3 of 7 documents · {ended}>"
    assert (job.hint, job.failure, job.state, job.remaining) == (ended, "2 of 7 rows failed", "done", 0)
    assert client.jobs.frame.drop(columns="seconds").to_dict("index") == {
        1: {
            "state": "done", "records": "documents", "rows": 7, "created": 2, "existing": 1, "failed": 2,
            "error": "2 of 7 rows failed",
        }
    }  # fmt: skip
    view = job.view(more=True)
    line = f"3 of 7 documents · {ended}"
    assert view.text == f"{line}\n2 × bad\n1 × lost"
    assert re.sub("<style>.*?</style>", "", view.html) == (
        f'<div class="inkframe mathjax_ignore tex2jax_ignore"><p class="ink-meta" role="status">{line}</p>'
        '<p class="ink-meta" dir="auto">2 × bad</p><p class="ink-meta" dir="auto">1 × lost</p></div>'
    )
    assert job.view(more=False).text == line
    assert (running.line, running.state, running.remaining, running.failure) == (
        f"3 of 7 · 1 failed · {costs}", "running", 1, ""
    )  # fmt: skip
    batch.rows[0].seconds = batch.rows[6].seconds = 1.0
    assert running.hint == f"0 s left · 1 failed · {costs}"
    assert running.cancel()
    assert running.line == f"3 of 7 · cancelled, waiting for what is under way · 1 failed · {costs}"
    assert (running.state, running.cancelled(), job.cancel(), job.cancelled()) == (
        "cancelled", True, False, False
    )  # fmt: skip
    gate.opened.set()
