"""Common mistakes of new users: each error has a remedy, in at most three lines."""

import inspect
import shutil
import socket
import ssl
import subprocess
import sys
import threading
import traceback
from contextlib import suppress
from types import SimpleNamespace

import pandas as pd
import pytest
from tests.services import FaultyService, VirtualClock

import inkframe as ink
from inkframe import analysis, cli, scorers
from inkframe import client as connecting

KEY = "key-7Qd2Zr9sLw4x"
PAGE = b"<!doctype html><title>Welcome to nginx!</title><p>It works."
PAGE_REPLY = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s" % (len(PAGE), PAGE)
PLAIN_TO_TLS = b"The plain HTTP request was sent to HTTPS port"


@pytest.fixture(scope="module")
def service():
    """Yield the address of a service on a local port, with one valid key."""
    with FaultyService(images=1, documents=1, key=KEY).serve() as address:
        yield address


@pytest.fixture
def connect(request, monkeypatch):
    """Return a function that connects with a key and a virtual clock for retries."""
    monkeypatch.setattr("inkframe.http.sender.RealClock", VirtualClock)

    def make(address, key=KEY, **options):
        client = ink.connect(address, key, **options)
        request.addfinalizer(client.close)
        return client

    return make


@pytest.fixture
def server(request):
    """Return a function that starts a local server with one fixed reply and returns its port."""

    def make(reply=b"", context=None):
        listener = socket.create_server(("127.0.0.1", 0))
        request.addfinalizer(listener.close)

        def answer():
            while True:
                with suppress(OSError):  # clients of these tests make mistakes
                    caller, _ = listener.accept()
                    with caller, context.wrap_socket(caller, server_side=True) if context else caller as line:
                        line.recv(65_536)
                        line.sendall(reply)
                if listener.fileno() < 0:
                    return

        threading.Thread(target=answer, daemon=True).start()
        return listener.getsockname()[1]

    return make


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """Return a TLS context with a self-signed certificate."""
    if shutil.which("openssl") is None:
        pytest.skip("needs openssl: apt-get install openssl")
    folder = tmp_path_factory.mktemp("certificate")
    command = (
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=content.test"
    )
    files = ["-keyout", folder / "key.pem", "-out", folder / "certificate.pem"]
    subprocess.run([*command.split(), *files], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "certificate.pem", folder / "key.pem")
    return context


@pytest.fixture
def names(monkeypatch):
    """Return a function that fakes name resolution and returns the names looked up."""

    def resolve(failure=None):
        looked_up = []

        def look_up(host, port, *_arguments, **_options):
            looked_up.append(host)
            if failure is not None:
                raise failure
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

        monkeypatch.setattr(socket, "getaddrinfo", look_up)
        return looked_up

    return resolve


@pytest.fixture
def no_prompt(monkeypatch):
    """Disable the prompt for a key."""
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: False))
    monkeypatch.setattr(connecting, "_typed", {})


def said(kind, call):
    """Return the message of an error: at most three lines, without any part of the key."""
    with pytest.raises(kind) as caught:
        call()
    message = str(caught.value)
    assert len(message.splitlines()) <= 3
    printed = "".join(traceback.format_exception(caught.value)) + repr(caught.value.__dict__)
    assert not any(KEY[start : start + 6] in printed for start in range(len(KEY) - 5))
    return message


@pytest.mark.usefixtures("no_prompt")
def test_no_key():
    """1. Without a key the error has the variable to set."""
    message = said(ink.ConfigurationError, lambda: ink.connect("https://content.test"))
    assert message.splitlines() == [
        "There is no key for content.test.",
        "Set the environment variable INKFRAME_API_KEY before the notebook or program starts.",
    ]


def test_wrong_key(connect, service):
    """2. The error for an unknown key has the settings of the key."""
    wrong = KEY[::-1]
    message = said(ink.AuthenticationError, connect(service, wrong).images.list)
    assert "401" in message
    assert "Check the key: INKFRAME_API_KEY" in message
    assert wrong not in message


@pytest.mark.integration
@pytest.mark.parametrize(
    "failure",
    [
        pytest.param(socket.gaierror(-2, "Name or service not known"), id="Linux"),
        pytest.param(socket.gaierror(-2, "Name does not resolve"), id="Alpine"),
        pytest.param(socket.gaierror(8, "nodename nor servname provided, or not known"), id="macOS"),
        pytest.param(socket.gaierror(11001, "getaddrinfo failed"), id="Windows"),
    ],
)
def test_wrong_host(connect, names, failure):
    """3. The error for an unknown host has the name and what to check; it is looked up once."""
    looked_up = names(failure)
    message = said(ink.ConnectionFailed, connect("https://nowhere.invalid").images.list)
    assert "No server named 'nowhere.invalid' was found." in message
    assert "Check the spelling" in message
    assert looked_up == ["nowhere.invalid"]


def test_a_host_where_nothing_listens(connect):
    """3. The error for a port without a server has the port and what to check."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    message = said(ink.ConnectionFailed, connect(f"http://127.0.0.1:{port}").images.list)
    assert f"127.0.0.1:{port} does not answer: is the service running there?" in message
    assert "Check the address" in message


def test_a_host_that_is_another_site(connect, server):
    """3. The error for a web page has its title and describes base_url."""
    client = connect(f"http://127.0.0.1:{server(PAGE_REPLY)}")
    for call in (client.images.list, lambda: client.documents.get(1)):
        message = said(ink.UnexpectedReply, call)
        assert "a web page titled 'Welcome to nginx!' instead of JSON" in message
        assert "Check base_url: it is the address before /api/v1." in message


def test_a_create_at_another_site(connect, server):
    """3. A create at another site may have happened; the error has the method to find out."""
    client = connect(f"http://127.0.0.1:{server(PAGE_REPLY)}")
    message = said(ink.OutcomeUnknown, lambda: client.documents.create(name="a", prompt="b"))
    assert "Welcome to nginx!" in message
    assert ".reconcile()" in message


@pytest.mark.integration
@pytest.mark.filterwarnings("ignore:.* is plain http")
def test_http_to_an_https_port(connect, server, names, certificate):
    """5. The error for a connection that breaks at once suggests https, with the given port."""
    names()
    port = server(context=certificate)
    message = said(ink.ConnectionFailed, connect(f"http://content.test:{port}").images.list)
    assert f"'https://content.test:{port}'" in message


def test_http_to_a_local_https_port(connect, server, certificate):
    """5. The error suggests https on this machine too."""
    port = server(context=certificate)
    message = said(ink.ConnectionFailed, connect(f"http://127.0.0.1:{port}").images.list)
    assert f"'https://127.0.0.1:{port}'" in message


def test_http_to_a_port_that_says_so(connect, server):
    """5. Web servers that recognize the mistake return 400; the error has the corrected address."""
    port = server(b"HTTP/1.1 400 Bad Request\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n<title>%s</title>"
                  % (len(PLAIN_TO_TLS) + 15, PLAIN_TO_TLS))  # fmt: skip
    message = said(ink.InkframeError, connect(f"http://127.0.0.1:{port}").images.list)
    assert f"https://127.0.0.1:{port}" in message


@pytest.mark.filterwarnings("ignore:.* is plain http")
@pytest.mark.parametrize("method", ["list", "create"])
def test_http_that_redirects_to_https(connect, server, names, method):
    """5. A redirect to https is not followed; the error has the corrected address, and nothing is created."""
    names()
    port = server(
        b"HTTP/1.1 301 Moved\r\nLocation: https://content.test/api/v1/documents\r\nContent-Length: 0\r\n\r\n"
    )
    client = connect(f"http://content.test:{port}")
    call = {"list": client.documents.list, "create": lambda: client.documents.create(name="a", prompt="b")}[
        method
    ]
    message = said(ink.ConfigurationError, call)
    assert "The service requires https" in message
    assert "Connect to 'https://content.test'." in message


@pytest.mark.integration
def test_https_to_an_http_port(connect, service):
    """5. The error for https to a plain port has the address with http."""
    address = service.replace("http:", "https:")
    message = said(ink.ConnectionFailed, connect(address).images.list)
    assert "does not use https" in message
    assert f"Try '{service}'" in message


@pytest.mark.integration
def test_a_self_signed_certificate(connect, server, certificate):
    """5. The error for a self-signed certificate has the option for a private authority."""
    port = server(context=certificate)
    message = said(ink.ConnectionFailed, connect(f"https://127.0.0.1:{port}").images.list)
    assert "certificate of 127.0.0.1 was not accepted" in message
    assert "verify=" in message


def test_a_misspelled_style(connect, service):
    """6. The error has the nearest style and all allowed ones."""
    fields = {"name": "a", "description": "b", "resolution": "512x512"}
    message = said(ink.InvalidArgument, lambda: connect(service).images.create(**fields, style="watercolor"))
    assert message.splitlines()[0] == "style='watercolor' is invalid."
    message = said(ink.InvalidArgument, lambda: connect(service).images.list(style="popart"))
    assert "Did you mean 'pop_art' (Pop art)?" in message
    assert "Allowed: 3d_render, abstract, " in message


def test_a_creativity_between_the_steps(connect, service):
    """7. The error has the nearest step and all five with their labels."""
    message = said(
        ink.InvalidArgument, lambda: connect(service).documents.create(name="a", prompt="b", creativity=0.6)
    )
    assert message.splitlines() == [
        "creativity=0.6 is invalid.",
        "The nearest step is 0.5 (Original).",
        "Allowed: 0 (Repetitive), 0.25 (Deterministic), 0.5 (Original), 0.75 (Creative), 1 (Imaginative).",
    ]


def test_an_id_that_was_deleted(inkframe_client):
    """8. The error has the id and the method that lists the records."""
    made = inkframe_client.documents.create(name="A draft", prompt="Notes about tea.")
    inkframe_client.documents.delete(made)
    message = said(ink.NotFound, lambda: inkframe_client.documents.get(made.id))
    assert message.splitlines()[0] == f"There is no document {made.id}."
    assert f"documents/{made.id}" in message
    assert "It may have been deleted; call .list() to see the records." in message


@pytest.mark.integration
@pytest.mark.parametrize(
    "failure",
    [
        pytest.param(
            socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution"), id="no resolver"
        ),
        pytest.param(OSError(101, "Network is unreachable"), id="no route"),
    ],
)
def test_no_network(connect, names, failure):
    """9. The error without a network suggests the local service."""
    names(failure)
    message = said(ink.ConnectionFailed, connect("https://content.test").images.list)
    assert "content.test" in message
    assert "your network" in message
    assert "ink.connect() without an address works offline" in message


@pytest.mark.parametrize(
    ("command", "missing", "extra"),
    [
        pytest.param(["lab"], "jupyterlab", "lab", id="lab"),
        pytest.param(["tour"], "nbconvert", "lab", id="tour"),
        pytest.param(["serve", "--library", ":memory:"], "waitress", "serve", id="serve"),
    ],
)
def test_a_missing_extra(monkeypatch, capsys, tmp_path, command, missing, extra):
    """10. A command with missing libraries prints the command that installs them."""
    for name in [name for name in sys.modules if name.split(".")[0] == missing]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    monkeypatch.chdir(tmp_path)
    assert cli.main(command) == 1
    message = capsys.readouterr().err
    assert f'pip install "inkframe[{extra}]"' in message
    # The local service prints its key once, before it detects the missing library.
    assert len([line for line in message.splitlines() if not line.startswith("Key,")]) <= 3


#: Methods that panels call, and classes of what calls return.
NOT_CALLED = {
    "batch",
    "column",
    "file_of",
    "frame_of",
    "picture_of",
    "picture_of_row",
    "Job",
    "ServiceReport",
}


def public_calls(client):
    """Yield the public calls with arguments that are needed, by name."""
    places = {"ink": ink, "analysis": analysis, "scorers": scorers, "client": client, "images": client.images,
              "documents": client.documents, "frame.ink": client.documents.list().ink}  # fmt: skip
    for place, holder in places.items():
        for name in getattr(holder, "__all__", None) or dir(holder):
            call = getattr(holder, name)
            is_error = isinstance(call, type) and issubclass(call, BaseException)
            if name[0] == "_" or name in NOT_CALLED or not callable(call) or is_error or call is ink.ALL:
                continue
            parameters = inspect.signature(call).parameters.values()
            needed = [each for each in parameters if each.default is each.empty]
            if needed := [
                each for each in needed if each.kind not in {each.VAR_POSITIONAL, each.VAR_KEYWORD}
            ]:
                yield f"{place}.{name}", call, needed


@pytest.mark.integration
@pytest.mark.parametrize("odd", [5, None, "x", []], ids=repr)
def test_an_argument_of_another_kind(inkframe_client, odd, monkeypatch, tmp_path):
    """11. Whatever is passed for an argument that a public call needs, only errors of this package are raised."""
    monkeypatch.chdir(tmp_path)
    frame = inkframe_client.documents.all()
    valid = {"client": inkframe_client, "frame": frame, "frames": [frame], "old": frame, "edited": frame,
             "texts": ["a", "b"], "by": "creativity", "column": "result", "name": "a", "path": "a", "folder": "a"}  # fmt: skip
    others = []
    for name, call, needed in public_calls(inkframe_client):
        for target in needed:
            given = {each: odd if each is target else valid.get(each.name, odd) for each in needed}
            try:
                call(
                    *(value for each, value in given.items() if each.kind is not each.KEYWORD_ONLY),
                    **{each.name: value for each, value in given.items() if each.kind is each.KEYWORD_ONLY},
                )
            except (ink.InkframeError, FileNotFoundError) as error:
                is_told = (
                    isinstance(error, ink.InkframeError) or name == "ink.open_file"
                )  # as its docstring says
                others += [name] * (not is_told or len(str(error).splitlines()) > 3)
            except Exception as error:  # noqa: BLE001  # all others are wrong
                others.append(f"{name}({target.name}=): {error!r}")
    assert others == []


@pytest.mark.parametrize(
    "call",
    [
        lambda frame: analysis.compare_groups(frame, by="tags", column="words"),
        lambda frame: analysis.recommend(frame, by="tags", column="words"),
        lambda frame: ink.RatingPanel(frame, by="tags"),
        lambda frame: ink.plan_documents(
            "About {tags}", name="{tags}", variables={"tags": frame["tags"].tolist()}
        ),
    ],
)
def test_lists_in_cells_make_no_groups(call):
    """12. A column of lists has no values that are equal, and the error says how to make some."""
    frame = pd.DataFrame({"id": [1, 2], "result": ["a", "b"], "tags": [["warm"], ["cold"]], "words": 1.0})
    with pytest.raises(ink.InvalidArgument, match=r"got 'list'\.\nMake texts of a column"):
        call(frame)
