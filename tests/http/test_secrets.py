"""A canary key, searched for in every output: plain, encoded or in part."""

import base64
import copy
import io
import json
import logging
import pickle
import sys
import warnings
from contextlib import suppress
from urllib.parse import quote

import httpx
import pytest
from tests.answering import Answers
from tests.services import Fault, Faults, FaultyService

import inkframe

from .canary import CANARY, everything_about, holds_canary, reachable


@pytest.fixture
def service():
    return FaultyService(key=CANARY, images=30, documents=30)


@pytest.fixture
def client(service):
    with inkframe.Client(service.base_url, CANARY, transport=service.transport) as client:
        yield client


def test_no_object_shows_it(client):
    """The key is not in repr, str, format or vars of the public objects and their attributes."""
    things = [client, client.images, client.documents, client.describe(), client.vocabulary, client.images.get(1),
              client.documents.get(1), client._session.sender.key]  # fmt: skip
    assert not holds_canary("".join(text for thing in things for text in reachable(thing)))


def test_no_copy_or_pickle_holds_it(client):
    """Clients and keys cannot be pickled; pickled records have no client; copies show nothing."""
    for thing in (client, client._session.sender.key):
        with pytest.raises(TypeError):
            pickle.dumps(thing)
    image = client.images.get(1)
    assert not holds_canary(pickle.dumps(image).decode("latin-1"))
    assert not holds_canary(repr(vars(copy.copy(image))))
    assert not holds_canary(repr(copy.deepcopy(client._session.sender.key)))


def test_no_frame_or_output_holds_it(client):
    """The key is not in frames, their attrs, or anything that a notebook saves."""
    frame = client.images.all()
    shown = [frame.to_json(date_format="iso"), json.dumps(frame.attrs), frame.to_html(), frame.to_csv()]
    records = (client.images.get(1), client.documents.get(1))
    shown.extend(json.dumps(record._repr_mimebundle_(), default=repr) for record in records)
    shown.append(client.describe()._repr_html_())
    assert not holds_canary("".join(shown))


def test_no_record_holds_it_that_a_service_repeats(tmp_path):
    """A record that repeats the key has ``[key]`` in its place: in reprs, frames and saved files; other words stay."""
    shown = {"id": 1, "name": f"n {CANARY}", "prompt": "p", "creativity": 0, "user": {"token": CANARY}}
    service = Answers(lambda request: shown if request.url.path.endswith("/1") else [shown])
    with service.client(CANARY) as client:
        record, frame = client.documents.get(1), client.documents.list(template=1)
        saved = inkframe.save(frame, tmp_path / "frame.ink").read_bytes()
        assert not holds_canary(repr(record) + frame.to_csv() + saved.decode("latin-1"))
        assert record.name == "n [key]"
    with service.client("word") as client:
        assert client.documents.get(1).name == f"n {CANARY}"


@pytest.mark.parametrize("fault", ["server_error", "unauthenticated", "lost_reply", "html", "login", "wrong_json",
                                   "deep_json", "slow_body", "gzip_bomb", "limited_huge"])  # fmt: skip
def test_no_error_or_log_holds_it(service, client, fault, caplog):
    """The key is not in messages, attributes, tracebacks with locals, or DEBUG logs of all loggers."""
    caplog.set_level(logging.DEBUG)
    service.plan(Faults(rates={fault: 1.0}))
    for call in (
        client.images.list,
        lambda: client.documents.create(name="n", prompt="p"),
        lambda: client.images.update(1, name="x"),
    ):
        with pytest.raises(inkframe.InkframeError) as caught:
            call()
        assert not holds_canary(everything_about(caught.value))
    assert not holds_canary(caplog.text)


@pytest.mark.parametrize(
    ("status", "headers", "body"),
    [
        (301, {"Location": f"/{CANARY}?k={CANARY}"}, {}),
        (303, {"Location": f"/{CANARY}?k={CANARY}"}, {}),
        (202, {"Location": f"/{CANARY}?k={CANARY}"}, {}),
        (202, {}, {"status_url": f"/{CANARY}"}),
        (200, {}, {"id": CANARY, "name": "A", "prompt": "p", "result": "r"}),
        (200, {}, {"id": 2, "name": CANARY, "prompt": CANARY, "result": "r"}),
    ],
)
@pytest.mark.parametrize("end", [301, 404, 500, 202])
def test_no_reply_that_has_it_shows_it(status, headers, body, end):
    """The addresses and the record of a reply are in no traceback with locals."""

    def handle(request):
        if CANARY in str(request.url):
            return httpx.Response(end, headers=headers, json={"message": "m"})
        return httpx.Response(status, headers=headers, json=body)

    with Answers(handle).client(CANARY, max_retries=3) as client:
        errors = []
        for call in (
            lambda: client.documents.get(1),
            lambda: client.documents.update(1, name="x"),
            lambda: client.documents.create(name="n", prompt="q", creativity=0),
        ):
            try:
                call()
            except inkframe.InkframeError as error:
                errors.append(everything_about(error))
        assert errors
        assert not holds_canary("".join(errors))


def test_no_ipython_traceback_shows_it(service, client):
    """The key is not in Plain, Context and Verbose tracebacks of IPython, which print locals."""
    ultratb = pytest.importorskip("IPython.core.ultratb")
    service.plan(Faults(rates={"lost_reply": 1.0}))
    for mode in ("Plain", "Context", "Verbose"):
        try:
            client.documents.create(name="n", prompt="p")
        except inkframe.InkframeError:
            kind, error, trace = sys.exc_info()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                shown = ultratb.FormattedTB(mode=mode).text(kind, error, trace)
        # The source shown contains the name of the canary, not its value.
        assert not holds_canary(shown)


def test_it_is_sent_to_its_own_origin_only(service, client):
    """Redirects, next links and pictures on other hosts never receive the key."""
    client.images.all()
    assert all(request.origin == service.base_url for request in service.requests)
    assert all(request.headers["authorization"] == f"Bearer {CANARY}" for request in service.requests)


def test_debug_logs_over_a_socket_do_not_show_it(service):
    """The DEBUG logs of httpcore and httpx do not contain the key."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    root = logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        with service.serve() as address, inkframe.Client(address, CANARY) as client:
            client.images.list()
    finally:
        root.removeHandler(handler)
        root.setLevel(before)
    assert "httpcore" in stream.getvalue() or "send_request" in stream.getvalue()
    assert not holds_canary(stream.getvalue())


@pytest.mark.parametrize("status", [200, 302, 500])
def test_debug_logs_of_a_service_that_repeats_it_do_not_show_it(status, caplog):
    """The log records of the HTTP library do not contain the key that the headers of a reply repeat in any form."""
    forms = [CANARY, quote(CANARY, safe="").replace("z", "%7A"), base64.b64encode(CANARY.encode()).decode()]
    headers = {f"x-echo-{at}": form for at, form in enumerate([*forms, CANARY.encode().hex()])}
    fault = Fault(name="echo", status=status, headers={**headers, "location": f"/login/{CANARY}"})
    service = FaultyService(key=CANARY, images=3, faults=Faults(rates={fault: 1.0}))
    caplog.set_level(logging.DEBUG)
    with service.serve() as address, inkframe.Client(address, CANARY, max_retries=0) as client:
        with suppress(inkframe.InkframeError):
            client.images.list()
    assert "x-echo-0" in caplog.text
    assert not holds_canary(caplog.text)


def test_log_records_of_others_stay_as_they_are(caplog):
    """A record without the key keeps its text, and one that cannot be written is left to its handler."""
    caplog.set_level(logging.DEBUG)
    for name in ("httpx", "httpcore.http11", "httpcore.connection"):
        logging.getLogger(name).info("HTTP Request: %s %d", "GET", 200)
    assert [record.getMessage() for record in caplog.records] == ["HTTP Request: GET 200"] * 3


CELLS = (
    "%xmode Verbose\nimport inkframe as ink\nclient = ink.connect()\nclient",
    "client.images.get(1)",
    "client.images.gallery(client.images.list())",
    "client.documents.all()",
    "client.describe()",
    "client.images.get('no such id')",
    "client.documents.create(name='n', prompt='p')",
    "import ipywidgets\nipywidgets.VBox([ipywidgets.Label(repr(client))])",
)


@pytest.mark.notebook
def test_no_saved_notebook_holds_it(service, monkeypatch):
    """The key is not in the saved outputs, tracebacks and widget state of an executed notebook."""
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    cells = [nbformat.v4.new_code_cell(source) for source in CELLS]
    notebook = nbformat.v4.new_notebook(cells=cells)
    creates = Faults(rates={"lost_reply": 1.0}, where=lambda request: request.method == "POST")
    service.plan(creates)
    with service.serve() as address:
        monkeypatch.setenv("INKFRAME_BASE_URL", address)
        monkeypatch.setenv("INKFRAME_API_KEY", CANARY)
        nbclient.NotebookClient(
            notebook, timeout=600, startup_timeout=600, kernel_name="python3", allow_errors=True
        ).execute()
    saved = nbformat.writes(notebook)
    assert "OutcomeUnknown" in saved
    assert "NotFound" in saved
    assert not holds_canary(saved)
