import getpass
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import httpx
import pytest
from tests.cases import cases

import inkframe as ink
from inkframe import client as connecting
from inkframe.client import connect, library_path
from inkframe.service import Service

ADDRESS = "https://content.example.com"
KEY = "key-7Qd2Zr9sLw4x"


@pytest.fixture(autouse=True)
def nothing_typed(monkeypatch):
    """Forget typed keys and disable the prompt."""
    monkeypatch.setattr(connecting, "_typed", {})
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: False))


@pytest.fixture
def asked():
    """Return the list of requests to the service."""
    return []


@pytest.fixture
def transport(asked):
    """Return a transport to an empty service that records requests."""

    def answer(request):
        asked.append(request)
        return httpx.Response(200, json={"data": [], "meta": {"total": 0}})

    return httpx.MockTransport(answer)


@pytest.fixture
def bearer(asked, transport):
    """Return a function that connects and returns the address and the key of its first request."""

    def make(*arguments, **options):
        with connect(*arguments, transport=transport, **options) as client:
            client.images.list()
        request = asked[-1]
        return str(request.url), request.headers["Authorization"].removeprefix("Bearer ")

    return make


@pytest.fixture
def typist(monkeypatch):
    """Answer prompts with a key, and return the list of prompts."""
    questions = []

    def answer(question):
        questions.append(question)
        return f" {KEY}\n"

    monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: True))
    monkeypatch.setattr(getpass, "getpass", answer)
    return questions


def message_of(*arguments, **options):
    """Return the message of a failed connect: at most three lines, without the key."""
    with pytest.raises(ink.ConfigurationError) as caught:
        connect(*arguments, **options)
    message = str(caught.value)
    assert len(message.splitlines()) <= 3
    assert KEY not in message
    return message


@pytest.mark.integration
def test_without_an_address_it_is_the_local_service(capsys, home):
    """Without settings the embedded service opens the library of the user and prints one line."""
    with connect() as client:
        client.documents.create(name="Kept", prompt="Notes about tea.")
        assert repr(client).startswith("<inkframe client of local demo service, library ")
    (line,) = capsys.readouterr().out.splitlines()
    assert line.endswith("; demo engine.")
    assert (home / "library.db").exists()
    assert "library.db" in line
    with connect() as client:
        assert client.documents.list(template=1)["name"].tolist() == ["Kept"]


@pytest.mark.integration
def test_a_library_in_memory_is_gone_when_it_is_closed(capsys, home):
    """``:memory:`` writes no file, and each client has a separate library."""
    with connect(library=":memory:") as first, connect(library=":memory:") as second:
        first.documents.create(name="Here", prompt="Notes about tea.")
        assert second.documents.list(template=1).empty
    assert not home.exists()
    assert "in memory" in capsys.readouterr().out


@pytest.mark.integration
def test_a_library_at_a_path(tmp_path, home):
    """A Path or str sets the file of the library, and its folder is created."""
    for library in (tmp_path / "a" / "mine.db", str(tmp_path / "b" / "mine.db")):
        with connect(library=library):
            assert Path(library).exists()
    assert not home.exists()


def test_the_path_of_the_library(monkeypatch, tmp_path, home):
    """The library is at ``INKFRAME_LIBRARY``, under ``INKFRAME_HOME``, or in the data folder of the user."""
    assert library_path() == home / "library.db"
    monkeypatch.setenv("INKFRAME_LIBRARY", str(tmp_path / "one.db"))
    assert library_path() == tmp_path / "one.db"
    monkeypatch.setenv("INKFRAME_LIBRARY", "~/one.db")
    assert library_path() == Path.home() / "one.db"
    monkeypatch.delenv("INKFRAME_LIBRARY")
    monkeypatch.delenv("INKFRAME_HOME")
    assert library_path().parts[-2:] == ("inkframe", "library.db")
    assert library_path().is_relative_to(Path.home())


@pytest.mark.integration
def test_a_sample_fills_an_empty_library_once(tmp_path, monkeypatch):
    """``sample=True`` fills an empty library, and does not change one with records."""
    filled = []
    monkeypatch.setattr(Service, "sample", lambda self: filled.append(self.library))
    library = tmp_path / "library.db"
    with connect(library=library, sample=True) as client:
        assert filled == [library]
        client.documents.create(name="Mine", prompt="Notes about tea.")
    with connect(library=library, sample=True), connect(library=":memory:"):
        assert filled == [library]


@pytest.mark.integration
def test_an_unused_key_is_reported(monkeypatch, capsys):
    """A key variable without an address is reported as not used."""
    monkeypatch.setenv("INKFRAME_API_KEY", KEY)
    connect(library=":memory:").close()
    (line,) = capsys.readouterr().out.splitlines()
    assert "INKFRAME_API_KEY is set but not used: no INKFRAME_BASE_URL." in line
    assert KEY not in line


def test_a_key_without_an_address_is_an_error():
    """A key argument without an address is an error, since the local service needs no key."""
    message = message_of(api_key=KEY)
    assert "no address" in message
    assert "INKFRAME_BASE_URL" in message


@pytest.mark.integration
def test_the_address_is_an_argument_or_a_setting(monkeypatch, bearer):
    """The argument takes precedence over ``INKFRAME_BASE_URL``."""
    assert bearer(ADDRESS, KEY) == (f"{ADDRESS}/api/v1/images", KEY)
    monkeypatch.setenv("INKFRAME_BASE_URL", "https://set.example.com")
    assert bearer(api_key=KEY) == ("https://set.example.com/api/v1/images", KEY)
    assert bearer(ADDRESS, KEY) == (f"{ADDRESS}/api/v1/images", KEY)
    assert bearer(base_url="https://other.example.com", api_key=KEY)[0].startswith(
        "https://other.example.com/"
    )


@pytest.mark.parametrize(
    ("pasted", "used"),
    [
        ("https://content.example.com/", "https://content.example.com/api/v1/images"),
        ("https://content.example.com/api/v1", "https://content.example.com/api/v1/images"),
        ("https://content.example.com/api/v1/", "https://content.example.com/api/v1/images"),
        ("  https://content.example.com  ", "https://content.example.com/api/v1/images"),
        ("HTTPS://Content.Example.com", "https://content.example.com/api/v1/images"),
        ("https://content.example.com:443", "https://content.example.com/api/v1/images"),
        ("https://content.example.com:8443/a/b/", "https://content.example.com:8443/a/b/api/v1/images"),
        ("https://content.example.com/a/api/v1", "https://content.example.com/a/api/v1/images"),
        ("http://[::1]:8000", "http://[::1]:8000/api/v1/images"),
        ("https://bücher.example", "https://xn--bcher-kva.example/api/v1/images"),
    ],
)
def test_pasted_addresses(bearer, pasted, used):
    """A trailing slash and ``/api/v1`` are dropped; paths, ports and names are kept."""
    assert bearer(pasted, KEY)[0] == used


@cases(
    ("pasted", "said"),
    [
        ("content.example.com", "'https://content.example.com'"),
        ("localhost:8765", "'https://localhost:8765'"),
        ("ftp://content.example.com", "base_url must be a web address, got"),
        ("https://", "base_url must be a web address, got"),
        ("https://content.example.com:port", "base_url must be a web address, got"),
        ("https://[half", "base_url must be a web address, got"),
        ("https://me:password@content.example.com", "INKFRAME_API_KEY"),
        ("https://content.example.com?key=secret", "Remove everything after the path"),
        ("https://content.example.com/#top", "Remove everything after the path"),
    ],
)
def test_invalid_addresses(pasted, said):
    """Invalid addresses are refused with an example or with the corrected one."""
    message = message_of(pasted, KEY)
    assert said in message
    assert "password" not in message.replace("user name or password", "")


@pytest.mark.parametrize(
    "setting", [{"library": ":memory:"}, {"sample": True}, {"engine": "offline"}], ids=str
)
def test_local_settings_and_an_address_contradict_each_other(monkeypatch, setting):
    """Arguments of the local service are an error together with an address."""
    (name,) = setting
    assert f"{name}= is for the local service" in message_of(ADDRESS, KEY, **setting)
    monkeypatch.setenv("INKFRAME_BASE_URL", ADDRESS)
    assert "INKFRAME_BASE_URL" in message_of(**setting)


def test_the_key_is_read_from_the_environment(monkeypatch, bearer):
    """The key is in ``INKFRAME_API_KEY`` or another variable; an argument takes precedence."""
    monkeypatch.setenv("INKFRAME_API_KEY", f"{KEY}\n")
    monkeypatch.setenv("MY_KEY", "another-key-of-mine")
    assert bearer(ADDRESS)[1] == KEY
    assert bearer(ADDRESS, key_env="MY_KEY")[1] == "another-key-of-mine"
    assert bearer(ADDRESS, "the-given-key")[1] == "the-given-key"


def test_the_key_is_read_from_the_secrets_of_colab(monkeypatch, bearer):
    """In Colab the secrets are read after the environment."""
    userdata = SimpleNamespace(get={"INKFRAME_API_KEY": KEY}.__getitem__)
    package = ModuleType("google")
    package.colab = ModuleType("google.colab")
    package.colab.userdata = userdata
    monkeypatch.setitem(sys.modules, "google", package)
    monkeypatch.setitem(sys.modules, "google.colab", package.colab)
    assert bearer(ADDRESS)[1] == KEY
    assert "MY_KEY" in message_of("https://other.example.com", key_env="MY_KEY")
    monkeypatch.setenv("INKFRAME_API_KEY", "from-the-environment")
    assert bearer(ADDRESS)[1] == "from-the-environment"


@pytest.mark.integration
def test_the_key_is_prompted_for_once_per_address(bearer, typist):
    """If input is possible, the key is prompted for once, hidden, and remembered for the address."""
    assert bearer(ADDRESS)[1] == KEY
    assert bearer(f"{ADDRESS}/api/v1/")[1] == KEY
    assert typist == ["API key for content.example.com: "]
    bearer("https://other.example.com:8443")
    assert typist[1:] == ["API key for other.example.com:8443: "]


@pytest.mark.integration
def test_a_refused_key_is_prompted_for_again(typist, asked):
    """A typed key that the service refuses is forgotten; one that it takes is kept, also after another refusal."""

    def answer(request):
        asked.append(request)
        return httpx.Response(401 if len(asked) == 1 else 200, json={"data": [], "meta": {"total": 0}})

    transport = httpx.MockTransport(answer)
    with connect(ADDRESS, transport=transport) as client, pytest.raises(ink.AuthenticationError):
        client.images.list()
    for _ in range(2):
        with connect(ADDRESS, transport=transport) as client:
            client.images.list()
    assert len(typist) == 2


def test_without_a_key_the_error_has_the_variable(typist, monkeypatch):
    """Without input the error has the variable to set, and there is no prompt."""
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: False))
    assert "no key for content.example.com" in message_of(ADDRESS)
    assert "MY_KEY" in message_of(ADDRESS, key_env="MY_KEY")
    assert typist == []


@pytest.mark.parametrize("answer", ["", "  ", "two words"])
def test_an_invalid_typed_key(typist, monkeypatch, answer):
    """An invalid typed key is refused, and the next call prompts again."""
    monkeypatch.setattr(getpass, "getpass", lambda _: answer)
    message_of(ADDRESS)
    monkeypatch.setattr(getpass, "getpass", lambda question: typist.append(question) or KEY)
    connect(ADDRESS).close()
    assert len(typist) == 1


@pytest.mark.integration
def test_an_unknown_engine_is_refused(monkeypatch):
    """An unknown engine is refused with the installed ones."""
    assert "Did you mean offline?" in message_of(library=":memory:", engine="ofline")
    monkeypatch.setenv("INKFRAME_ENGINE", "nonsense")
    message = message_of(library=":memory:")
    assert "'nonsense'" in message
    assert "offline" in message


@pytest.mark.integration
def test_options_reach_the_client(transport, capsys):
    """Other arguments of ``ink.Client`` are passed on, for a remote and for the local service."""
    with connect(ADDRESS, KEY, transport=transport, create_limit=3, timeout=7) as client:
        facts = client.describe().facts["service"]
        assert facts["create_limit"] == 3
        assert facts["timeouts"] == {"connect": 5.0, "read": 7, "create": 7}
    assert capsys.readouterr().out == ""
    with (
        connect(library=":memory:", create_limit=0) as client,
        pytest.raises(ink.InvalidArgument, match="create_limit=0"),
    ):
        client.documents.create(name="a", prompt="b")
    with pytest.raises(TypeError, match="tiemout"):
        connect(ADDRESS, KEY, tiemout=7)
