"""A client with a model of one's own: named, several texts at once, none of them paid for, and dropped on demand."""

import signal
import threading

import pytest

import inkframe as ink

DOCUMENT = {"name": "Kettle", "prompt": "about a kettle"}
IMAGE = {"name": "Harbor", "description": "a harbor", "resolution": "256x256"}


def rows(count):
    return [{"name": f"Kettle {number}", "prompt": f"about kettle {number}"} for number in range(count)]


@pytest.fixture
def client(unset):
    with ink.connect(engine="openai") as client:
        yield client


def seeds(server):
    return sorted(body["seed"] for path, _, body in server.requests if path.endswith("completions"))


def test_the_client_and_its_line_name_the_model_and_its_host(unset, server, capsys):
    """So do the lines of batches and captions; frames keep the name of the service."""
    host = server.origin.removeprefix("http://")
    with ink.connect(library=":memory:", engine="openai") as client:
        assert capsys.readouterr().out == f"inkframe: local library in memory; scribe at {host}.\n"
        assert repr(client) == f"<inkframe client of local service, library in memory, scribe at {host}>"
        client.documents.create_many(rows(1))
        assert capsys.readouterr().out.startswith(f"1 creation on scribe at {host}")
        assert client.documents.list().attrs["inkframe"]["service"] == "local demo service"
        assert client.documents.service == f"scribe at {host}"
        assert not client.is_demo
    with ink.connect(library=":memory:", engine="openai", image_model="painter") as client:
        assert repr(client).endswith(f"painter (pictures) at {host}>")


def test_nothing_is_asked_before_many_texts_that_cost_nothing(client, server):
    """A batch on this machine needs no confirmation, unless a setting says that it is billed."""
    assert len(client.documents.create_many(rows(30))) == 30


def test_what_is_billed_is_confirmed(unset, server):
    """A setting makes a model on this machine one that is billed."""
    unset.setenv("INKFRAME_OPENAI_BILLED", "1")
    with (
        ink.connect(engine="openai") as client,
        pytest.raises(ink.InvalidArgument, match="confirm must be 30"),
    ):
        client.documents.create_many(rows(30))
    assert seeds(server) == []


def test_no_two_texts_of_a_library_share_a_seed(client, server, unset):
    """The same plan in a new library has the same seeds, in whichever order its texts are written."""
    client.documents.create_many(rows(6))
    client.documents.create(**DOCUMENT)
    assert seeds(server) == [1, 2, 3, 4, 5, 6, 7]
    server.requests.clear()
    with ink.connect(library=":memory:", engine="openai") as new:
        new.documents.create_many(rows(6))
    assert seeds(server) == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("at_once", [1, 4, 6])
def test_texts_are_written_at_once(unset, server, at_once):
    """As many requests as the setting says are under way, and no more."""
    unset.setenv("INKFRAME_OPENAI_AT_ONCE", str(at_once))
    server.going.clear()
    with ink.connect(engine="openai") as client:
        job = client.documents.submit_many(rows(12))
        for _ in range(at_once):
            assert server.begun.acquire(timeout=60)
        assert not server.begun.acquire(blocking=False)
        server.going.set()
        assert list(job.result()["status"].unique()) == ["created"]
        assert len(client.documents.all()) == 12


def test_tokens_are_columns_where_the_endpoint_tells_them(client, server):
    """Lists, single records and batches have them; they are absent where no text has any."""
    assert "usage.prompt_tokens" not in client.documents.create_many(rows(1))
    assert "usage.prompt_tokens" not in client.documents.list()
    server.usage = {"prompt_tokens": 12, "completion_tokens": 34, "total_tokens": 46}
    made = client.documents.create(**DOCUMENT)
    assert made.extra == {"usage.prompt_tokens": 12, "usage.completion_tokens": 34}
    runs = client.documents.create_many(rows(3))
    assert runs["usage.completion_tokens"].fillna(0).tolist() == [0, 34, 34]
    again = client.documents.create_many(runs)
    assert again["usage.completion_tokens"].fillna(0).tolist() == [0, 34, 34]
    assert client.documents.all()["usage.prompt_tokens"].count() == 3
    assert client.documents.get(made.id).name == "Kettle"


@pytest.mark.parametrize(
    "usage", [None, 7, {}, {"prompt_tokens": "12"}, {"prompt_tokens": True}, {"prompt_tokens": 2**70}]
)
def test_what_are_no_tokens_is_left_out(client, server, usage):
    """Anything but a count is not stored."""
    server.usage = usage
    assert client.documents.create(**DOCUMENT).extra == {}


@pytest.mark.parametrize("how", ["job", "interrupt", "panel"])
def test_what_is_under_way_is_dropped_on_demand(client, server, how):
    """Cancel and Ctrl-C end the requests, nothing is stored of them, and the same rows create the rest."""
    made = client.documents.create_many(rows(2))
    server.going.clear()
    while server.begun.acquire(blocking=False):
        pass

    def await_requests():
        for _ in range(4):
            assert server.begun.acquire(timeout=60)

    if how == "interrupt":

        def interrupt():
            await_requests()
            signal.raise_signal(signal.SIGINT)

        thread = threading.Thread(target=interrupt)
        thread.start()
        with pytest.raises(
            ink.BatchInterrupted, match=r"2 of 8 created\. Run again to create the rest"
        ) as caught:
            client.documents.create_many(rows(8))
        thread.join()
        frame = caught.value.frame
    elif how == "job":
        job = client.documents.submit_many(rows(8))
        await_requests()
        job.cancel()
        with pytest.raises(ink.BatchCancelled) as caught:
            job.result(60)
        frame = caught.value.frame
    else:
        tuner = ink.CreativityTuner(client, prompt="about kettles", repeats=2)
        future = tuner.submit()
        await_requests()
        tuner.cancel()
        future.result(60)
        frame = made
    assert len(frame[frame["id"].notna()]) == len(client.documents.all()) == client.created == 2
    assert set(frame["error"].dropna()) <= {"the run was stopped"}
    server.going.set()
    assert len(client.documents.all()) == 2
    assert client.documents.create_many(rows(8))["id"].nunique() == len(client.documents.all()) == 8


def test_what_is_billed_is_awaited(unset, server):
    """Cancel sends no more, and takes what was paid for."""
    unset.setenv("INKFRAME_OPENAI_BILLED", "1")
    server.going.clear()
    with ink.connect(engine="openai") as client:
        job = client.documents.submit_many(rows(8))
        for _ in range(4):
            assert server.begun.acquire(timeout=60)
        job.cancel()
        server.going.set()
        with pytest.raises(ink.BatchCancelled) as caught:
            job.result(60)
        assert caught.value.frame["status"].value_counts()["created"] == len(client.documents.all()) == 4


def test_a_text_that_was_cut_is_kept_and_says_so(client, server):
    """The text names the setting of the limit."""
    server.finish_reason = "length"
    assert client.documents.create(**DOCUMENT).result == (
        f"{server.text}\n\n*(The model stopped here, at its limit of length. INKFRAME_OPENAI_MAX_TOKENS sets it.)*"
    )


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (b"<html>", "did not return a JSON object. Check INKFRAME_OPENAI_BASE_URL: most end in /v1."),
        (b"{}", "The model returned no text."),
        (
            {"choices": [{"message": {"content": "<think>Hm"}, "finish_reason": "length"}]},
            "set INKFRAME_OPENAI_MAX_TOKENS",
        ),
        ("break", "broke during the response."),
    ],
)
@pytest.mark.parametrize("is_billed", [True, False])
def test_an_answer_without_a_text_may_have_been_charged(unset, server, answer, text, is_billed):
    """It says so where requests are billed, and is not asked again; on this machine it costs nothing and just failed."""
    unset.setenv("INKFRAME_OPENAI_BILLED", str(int(is_billed)))
    with ink.connect(engine="openai") as client:
        server.faults = [answer if answer == "break" else (200, {}, answer)]
        with pytest.raises(ink.OutcomeUnknown if is_billed else ink.ServerError) as caught:
            client.documents.create(**DOCUMENT)
        assert text in str(caught.value)
        assert ("It may have been charged. Nothing was stored." in str(caught.value)) == is_billed
        assert "try again" not in str(caught.value).lower()
        assert len([path for path, *_ in server.requests if path.endswith("completions")]) == 1


@pytest.mark.parametrize("image_model", [None, "painter"])
@pytest.mark.parametrize("status", [404, 405, 501])
def test_a_model_that_cannot_draw_says_so(unset, server, image_model, status):
    """One sentence, without advice to try again; without a model for pictures nothing is asked."""
    with ink.connect(engine="openai", model="scribe", image_model=image_model) as client:
        server.faults = [(status, {}, {"error": {"message": "File Not Found", "code": status}})]
        with pytest.raises(ink.ServiceError) as caught:
            client.images.create(**IMAGE)
    host = server.origin.removeprefix("http://")
    expected = (
        f"painter at {host} cannot draw pictures. Nothing was stored."
        if image_model
        else f"scribe at {host} draws no pictures: ink.connect(…, image_model=…) names one that does. Nothing was stored."
    )
    assert caught.value.message == expected
    assert "try again" not in str(caught.value).lower()
    assert len([path for path, *_ in server.requests if "images" in path]) == bool(image_model)


def test_an_image_model_alone_writes_no_texts(unset, server):
    """The error names the argument."""
    with (
        ink.connect(engine="openai", image_model="painter") as client,
        pytest.raises(ink.ServiceError, match=r"model=…\) names"),
    ):
        client.documents.create(**DOCUMENT)


def test_an_exhausted_quota_ends_a_batch(client, server, refused_with):
    """Waiting does not help, so that nothing else is sent."""
    server.faults = [refused_with(429, "No credit.", code="insufficient_quota")] * 4
    runs = client.documents.create_many(rows(12))
    assert runs["status"].value_counts()["created"] == 0
    assert runs["error"].str.contains("has no quota left: No credit").all()
    assert len(seeds(server)) <= 4
