"""The OpenAI engine in the service."""

from contextlib import closing

import pytest

import inkframe as ink
from inkframe.service import Service
from inkframe.service.engines import Engine, Unavailable, WriteRequest, find_engine

IMAGE = {"name": "Harbor", "description": "a harbor", "resolution": "256x256"}
DOCUMENT = {"name": "Kettle", "prompt": "about a kettle"}


@pytest.fixture
def client(settings, connect):
    with Service(engine="openai") as service, connect(service) as made:
        yield made


def test_it_is_found_by_its_name(settings):
    """It is an engine, not a demo, and its repr names the endpoint."""
    with closing(find_engine("openai")) as found:
        assert isinstance(found, Engine)
        assert (found.name, found.is_stand_in) == ("openai", False)
        assert repr(found).startswith("<OpenAI: scribe and painter (pictures) at 127.0.0.1:")
    settings(text_model=None)
    with closing(find_engine("openai")) as found:
        assert repr(found).startswith("<OpenAI: painter (pictures) at ")


def test_records_have_the_results_of_the_model(client, server):
    """Pictures and texts are stored as from any engine."""
    image = client.post("/api/v1/images", data=IMAGE).json()["data"]
    assert client.get(image["url"]).content.startswith(b"\x89PNG")
    document = client.post("/api/v1/documents", data=DOCUMENT | {"creativity": "0"}).json()["data"]
    assert document["result"] == server.text
    assert server.requests[-1][2]["temperature"] == 0


@pytest.mark.parametrize(
    ("path", "form", "field"),
    [("/api/v1/images", IMAGE, "description"), ("/api/v1/documents", DOCUMENT, "prompt")],
)
def test_a_refusal_names_the_declined_field(client, server, refused_with, path, form, field):
    """The response is a 422 with the model's reason, and nothing is stored."""
    server.faults = [refused_with(400, "Not this.", code="content_policy_violation")]
    reply = client.post(path, data=form)
    assert reply.status_code == 422
    assert reply.json()["errors"] == {field: ["The model refused: Not this."]}
    assert client.get(path).json()["meta"]["total"] == 0


@pytest.mark.parametrize(
    ("fault", "status", "wait"),
    [
        ((429, {"Retry-After": "7"}, {}), 429, "7"),
        ((429, {"Retry-After": "0.2"}, {}), 429, "1"),
        ((500, {}, {}), 502, None),
        ((503, {"Retry-After": "3"}, {}), 503, "3"),
        ((401, {}, {}), 503, None),
        ("break", 502, None),
    ],
)
def test_failures_have_their_status(client, server, fault, status, wait):
    """A failure of the endpoint is not a crash, and nothing is stored."""
    server.faults = [fault]
    reply = client.post("/api/v1/documents", data=DOCUMENT)
    assert (reply.status_code, reply.headers.get("Retry-After")) == (status, wait)
    assert reply.json()["message"].endswith("Nothing was stored.")
    assert client.get("/api/v1/documents").json()["meta"]["total"] == 0


def test_a_client_gets_the_errors_of_the_package(settings, server, refused_with):
    """A refusal is a ValidationFailed with its field; a rate limit is waited for and retried."""
    with ink.connect(library=":memory:", engine="openai") as client:
        server.faults = [refused_with(400, "Not this.", code="content_policy_violation")]
        with pytest.raises(ink.ValidationFailed) as caught:
            client.documents.create(name="Kettle", prompt="about a kettle")
        assert caught.value.fields == {"prompt": ["The model refused: Not this."]}
        server.faults = [(429, {"retry-after-ms": "0"}, {})]
        assert client.documents.create(name="Kettle", prompt="about a kettle").result == server.text


def test_a_sample_asks_no_model(settings, server):
    """Examples come from the demo engine, since nobody pays for a sample."""
    with Service(engine="openai") as service:
        service.sample(images=1, documents=1)
        assert not service.is_empty()
    assert server.requests == []


def test_the_service_closes_the_engine_that_it_found(engine, server):
    """Connections close with the service, but an engine passed by the caller stays open."""
    with Service(engine=engine):
        pass
    assert engine.write(WriteRequest("about a kettle")) == server.text
    with Service(engine="openai") as service:
        found = service.engine
    with pytest.raises(Unavailable, match="could not be reached"):
        found.write(WriteRequest("about a kettle"))
