"""Where the endpoint is, which model it has, and which key it gets, where they are not set."""

import socket

import pytest

import inkframe as ink
from inkframe.errors import ConfigurationError
from inkframe.service.engines import WriteRequest
from inkframe.service.engines.openai import OpenAI
from inkframe.service.engines.openai.settings import find_place, read_settings

OWN, SHARED = "sk-own-4f9Qx7Lm2Zt8", "sk-shared-8tZ2mL7xQ9f4"


def reason():
    """Return the error of settings that leave it open which server or model is meant."""
    with pytest.raises(ConfigurationError) as caught:
        read_settings()
    assert str(caught.value).count("\n") <= 2
    return str(caught.value)


def test_the_only_server_and_its_only_model_are_taken(unset, server):
    """No setting is needed; the model that is listed writes."""
    found = read_settings()
    assert (found.place.base_url, found.text_model, found.image_model) == (
        f"{server.origin}/v1",
        "scribe",
        "",
    )
    assert [path for path, *_ in server.requests] == ["/v1/models"]


def test_a_server_that_was_found_gets_no_key(unset, server):
    """Neither the search nor a request has one, whatever keys are set."""
    unset.setenv("INKFRAME_OPENAI_API_KEY", OWN)
    unset.setenv("OPENAI_API_KEY", SHARED)
    engine = OpenAI()
    assert engine.write(WriteRequest("about a kettle")) == server.text
    engine.close()
    assert len(server.requests) == 2
    assert not any("Authorization" in headers for _, headers, _ in server.requests)
    assert not engine.is_billed


def test_several_models_are_listed_with_the_line_to_write(unset, server):
    """The line names the first one; a model that is named is taken without a question."""
    server.models = ["scribe", "poet", "nomic-embed-text"]
    assert reason().split(":", 1)[1] == (
        f"{server.origin.rpartition(':')[2]} has several models: scribe, poet.\n"
        'Name one: ink.connect(engine="openai", model="scribe")'
    )
    assert read_settings("poet").text_model == "poet"
    server.models = [f"model {number}" for number in range(20)]
    assert "model 7 and 12 more." in reason()


def test_a_model_for_vectors_does_not_write(unset, server):
    """It is not counted; where there is no other, the error says what to do."""
    server.models = ["scribe", "text-embedding-small"]
    assert read_settings().text_model == "scribe"
    server.models = ["text-embedding-small"]
    assert "has no model that writes" in reason()


def test_several_servers_are_listed_with_the_line_to_write(unset, server, another):
    """A model tells them apart; so does an address."""
    hosts = [each.origin.removeprefix("http://") for each in (server, another)]
    text = reason()
    assert f"answer on this machine: {hosts[0]} (scribe); {hosts[1]} (poet)." in text
    assert (
        f'ink.connect(engine="openai", model="scribe"), or by its address: INKFRAME_OPENAI_BASE_URL={server.origin}/v1'
        in text
    )
    assert read_settings("poet").place.base_url == f"{another.origin}/v1"
    another.models = ["nomic-embed-text"]
    assert find_place(model="nomic-embed-text").base_url == f"{another.origin}/v1"
    unset.setenv("INKFRAME_OPENAI_BASE_URL", server.origin)
    assert read_settings().text_model == "scribe"


@pytest.mark.parametrize("name", ["a\u202eb", "two\nlines", "x" * 300, "sk-own-4f9Q", None, 7])
def test_a_name_that_is_not_fit_to_be_shown_is_no_model(unset, server, name):
    """It is long, has control characters, or has a part of the key."""
    unset.setenv("INKFRAME_OPENAI_BASE_URL", server.origin)
    unset.setenv("INKFRAME_OPENAI_API_KEY", OWN)
    server.models = [name, "scribe"]
    assert read_settings().text_model == "scribe"


@pytest.mark.parametrize("what", ["nothing", "silence", "another program", "an error"])
def test_without_a_server_the_error_says_what_to_start(unset, server, what):
    """A port that is closed, silent, or that of another program has no server."""
    if what == "silence":
        server.faults = ["hang"]
    elif what == "another program":
        server.faults = [(200, {}, {"data": {"id": "scribe"}})]
    elif what == "an error":
        server.faults = [(503, {}, {"error": {"message": "Loading model"}})]
    else:
        with socket.create_server(("127.0.0.1", 0)) as closed:
            unset.setenv("INKFRAME_OPENAI_PORTS", str(closed.getsockname()[1]))
    text = reason()
    assert "none answers on this machine at ports" in text
    assert "Start one, such as: ollama run" in text


def test_a_server_that_asks_for_a_key_is_named(unset, server):
    """It gets none by itself; the error has the settings that send it there, and with these it is used."""
    server.faults = [(401, {}, {"error": {"message": "Invalid API key"}})]
    unset.setenv("INKFRAME_OPENAI_API_KEY", OWN)
    host = server.origin.removeprefix("http://")
    assert reason() == (
        f"{host} answers on this machine, and asks for a key.\n"
        f"If it is your model server, set INKFRAME_OPENAI_BASE_URL={server.origin}/v1 and INKFRAME_OPENAI_API_KEY."
    )
    unset.setenv("INKFRAME_OPENAI_BASE_URL", server.origin)
    assert read_settings().text_model == "scribe"


@pytest.mark.parametrize("ports", ["", "all", "8080;8000", "-1"])
def test_ports_must_be_numbers(unset, server, ports):
    """An invalid list is named; an empty one stands for the usual ports."""
    unset.setenv("INKFRAME_OPENAI_PORTS", ports or "x")
    assert "INKFRAME_OPENAI_PORTS must be ports, such as 11434,8080" in reason()


def test_with_an_image_model_alone_no_text_model_is_sought(unset, server):
    """A server with many models is taken, since none of them has to be chosen."""
    server.models = ["scribe", "poet"]
    unset.setenv("INKFRAME_OPENAI_BASE_URL", server.origin)
    found = read_settings(image_model="painter")
    assert (found.text_model, found.image_model, server.requests) == ("", "painter", [])


def test_an_endpoint_that_does_not_list_its_models_needs_a_name(unset, server):
    """The error has the line that connects without asking it."""
    unset.setenv("INKFRAME_OPENAI_BASE_URL", server.origin)
    server.faults = [(404, {}, {})]
    assert 'To connect without asking it: ink.connect(engine="openai", model="…")' in reason()
    assert read_settings("scribe").text_model == "scribe"


@pytest.mark.parametrize(
    ("variables", "base_url", "key"),
    [
        ({"INKFRAME_OPENAI_BASE_URL": "https://a.example", "OPENAI_BASE_URL": "https://b.example"}, "", OWN),
        ({"OPENAI_BASE_URL": "https://b.example"}, "", OWN),
        ({"OPENAI_BASE_URL": "https://b.example", "INKFRAME_OPENAI_API_KEY": ""}, "", SHARED),
        ({"INKFRAME_OPENAI_BASE_URL": "https://a.example", "INKFRAME_OPENAI_API_KEY": ""}, "", ""),
        (
            {
                "INKFRAME_OPENAI_BASE_URL": "https://a.example",
                "OPENAI_BASE_URL": "https://b.example",
                "INKFRAME_OPENAI_API_KEY": "",
            },
            "",
            "",
        ),
        (
            {"INKFRAME_OPENAI_BASE_URL": "https://api.openai.com/v1", "INKFRAME_OPENAI_API_KEY": ""},
            "",
            SHARED,
        ),
        ({"INKFRAME_OPENAI_BASE_URL": "http://api.openai.com/v1", "INKFRAME_OPENAI_API_KEY": ""}, "", ""),
        (
            {"INKFRAME_OPENAI_BASE_URL": "https://api.openai.com.b.example", "INKFRAME_OPENAI_API_KEY": ""},
            "",
            "",
        ),
        ({"INKFRAME_OPENAI_BASE_URL": "https://a.example"}, "https://a.example/v2", OWN),
        ({"INKFRAME_OPENAI_BASE_URL": "https://a.example"}, "https://b.example", ""),
        ({"INKFRAME_OPENAI_BASE_URL": "https://a.example"}, "https://api.openai.com/v1", SHARED),
        ({}, "https://c.example", OWN),
    ],
)
def test_a_key_goes_to_its_own_address_only(unset, variables, base_url, key):
    """The address of this package wins; its key and the shared one each have their addresses, given ones included."""
    for name, value in {"INKFRAME_OPENAI_API_KEY": OWN, "OPENAI_API_KEY": SHARED, **variables}.items():
        unset.setenv(name, value)
    place = find_place(base_url)
    assert place.key.use(str) == key
    first = base_url or variables.get("INKFRAME_OPENAI_BASE_URL") or variables["OPENAI_BASE_URL"]
    assert place.base_url.startswith(first)


@pytest.mark.parametrize(
    ("variables", "is_billed"),
    [
        ({}, False),
        ({"INKFRAME_OPENAI_API_KEY": OWN}, True),
        ({"INKFRAME_OPENAI_BILLED": "1"}, True),
        ({"INKFRAME_OPENAI_BASE_URL": "http://192.168.1.7:8000"}, True),
        ({"INKFRAME_OPENAI_BASE_URL": "http://192.168.1.7:8000", "INKFRAME_OPENAI_BILLED": "0"}, False),
        ({"INKFRAME_OPENAI_BASE_URL": "http://[::1]:8000"}, False),
    ],
)
def test_what_is_billed(unset, server, variables, is_billed):
    """A model on this machine is not, unless it has a key or a setting says so; any other one is."""
    unset.setenv("INKFRAME_OPENAI_BASE_URL", server.origin)
    for name, value in variables.items():
        unset.setenv(name, value)
    assert read_settings("scribe").is_billed == is_billed


def test_models_are_those_of_the_engine_openai(unset):
    """For another engine, or an address, they are refused with the line to write."""
    with pytest.raises(
        ConfigurationError, match="model must come with engine='openai', got the engine 'offline'"
    ):
        ink.connect(library=":memory:", model="scribe")
    with pytest.raises(ConfigurationError, match="image_model= is for the local service"):
        ink.connect("https://content.example.com", "k" * 20, image_model="painter")
    with pytest.raises(ink.InvalidArgument, match="model must be"):
        ink.connect(library=":memory:", engine="openai", model=7)
