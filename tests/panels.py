import struct
import threading
import zlib

import httpx
import ipywidgets
import numpy as np
import pytest
from tests.waiting import LIMIT, until
from tests.widgets.outline import Outline

from inkframe.client import NOWHERE, Client
from inkframe.service import Service

#: The fixtures, which a folder's conftest takes all together.
__all__ = [
    "client",
    "closed_widgets",
    "engine",
    "eventually",
    "library",
    "outline",
    "press",
    "quick_engine",
    "raising",
    "send",
    "settle",
    "small_png",
    "static_copy",
]


def png(shade=120, side=8):
    """A small gray picture."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = zlib.compress((b"\0" + bytes([shade]) * side) * side)
    head = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def is_shown(widget):
    """Return whether a widget is not hidden."""
    return "ink-gone" not in widget._dom_classes


class QuickEngine:
    """Draws and writes at once, or after it is released."""

    name = "quick"
    is_stand_in = True

    def __init__(self):
        self.requests = []
        self.begun = threading.Semaphore(0)
        self.gate = threading.Event()
        self.gate.set()

    def draw(self, request):
        """Draw a picture in a different shade each time."""
        self._wait(request)
        return png(len(self.requests) % 250)

    def write(self, request):
        """Return a text that begins differently each time."""
        self._wait(request)
        return f"Text {len(self.requests)} about {request.prompt}. " + "It is plain and short. " * 3

    def _wait(self, request):
        self.requests.append(request)
        self.begun.release()
        assert self.gate.wait(LIMIT)


@pytest.fixture(scope="session")
def quick_engine():
    """Return an engine that draws and writes at once."""
    return QuickEngine()


@pytest.fixture
def engine():
    """Return the engine of ``client``; clear its gate to block creations."""
    return QuickEngine()


@pytest.fixture
def client(engine):
    """Return a client of the embedded service with a quick engine and an empty library in memory."""
    with Service(":memory:", engine=engine) as service:
        transport = httpx.WSGITransport(app=service.app)
        with Client(NOWHERE, service.key, transport=transport, _embedded=service) as client:
            yield client
            engine.gate.set()


@pytest.fixture
def library(client):
    """Return a client of a library with a dozen images and a few documents of three templates."""
    for number, style in enumerate(["anime", "sketch", "retro"] * 4, 1):
        client.images.create(
            name=f"Image {number}", description="two boats", resolution="256x256", style=style
        )
    for number, opening in enumerate(
        ["", "Write the title of a blog post.\n\n", "Write an article for a magazine.\n\n"]
    ):
        client.documents.create(name=f"Document {number}", prompt=f"{opening}about {number}")
    return client


@pytest.fixture(autouse=True)
def closed_widgets():
    """No widget outlives its test."""
    yield
    ipywidgets.Widget.close_all()


@pytest.fixture(autouse=True)
def raising(monkeypatch):
    """What a message or a press calls fails the test with its error, which ipywidgets would only log."""

    def call(dispatcher, *given, **named):
        for callback in dispatcher.callbacks:
            callback(*given, **named)

    monkeypatch.setattr(ipywidgets.CallbackDispatcher, "__call__", call)


@pytest.fixture
def eventually():
    """Return a function that waits until a condition is true that another thread fulfills."""
    return until


@pytest.fixture
def settle(eventually):
    """Return a function that waits until a panel has finished its work, and shows it."""

    def wait(panel):
        name = f"inkframe-{type(panel).__name__}"
        eventually(lambda: not panel.busy and name not in [each.name for each in threading.enumerate()])

    return wait


@pytest.fixture
def send():
    """Return a function that sends a widget a message as a page would."""
    return lambda widget, kind, **content: widget._handle_custom_msg({"kind": kind, **content}, [])


@pytest.fixture
def press():
    """Return a function that presses a button of a browser."""

    def find_and_click(browser, label):
        next(each for each in browser.actions.buttons if each.description.startswith(label)).click()

    return find_and_click


@pytest.fixture
def static_copy(monkeypatch, eventually):
    """Return a function that shows a browser in a cell and returns the HTML that the cell keeps."""

    def show(browser):
        kept = []
        monkeypatch.setattr("inkframe.widgets.record_panel.STILL", 0)
        monkeypatch.setattr("inkframe.widgets.panel.display", lambda *_, **__: None)
        monkeypatch.setattr(
            "inkframe.display.view.display", lambda bundle, **_: kept.append(bundle["text/html"])
        )
        browser._ipython_display_()
        eventually(lambda: len(kept) == 2)  # at first there is nothing to keep
        return kept

    return show


@pytest.fixture
def small_png():
    """Return the bytes of a small picture."""
    return png()


@pytest.fixture
def outline(monkeypatch, tmp_path):
    """Return a function that begins the outline of a panel."""
    sent = []
    send = ipywidgets.Widget.send

    def told(widget, content, buffers=None):
        is_map = type(widget).__name__ == "RecordMap"
        points = np.float32 if content.get("kind") == "points" else np.uint8
        values = [np.frombuffer(each, points).tolist() for each in buffers or ()] if is_map else []
        sent.append((type(widget).__name__, [content, *values] if is_map else content))
        send(widget, content, buffers)

    monkeypatch.setattr(ipywidgets.Widget, "send", told)
    monkeypatch.setenv("INKFRAME_HOME", str(tmp_path))
    return lambda panel: Outline(panel, tmp_path, sent)
