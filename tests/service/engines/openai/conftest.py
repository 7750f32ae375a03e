"""A local OpenAI-compatible endpoint that validates requests strictly and fails on demand."""

import base64
import json
import threading
from contextlib import ExitStack, closing, contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO

import pytest
from PIL import Image

from inkframe.service.engines.openai import OpenAI

KEY = "sk-canary-4f9Qx7Lm2Zt8"
PARAMETERS = {
    "/v1/images/generations": {"model", "prompt", "n", "size", "response_format"},
    "/v1/chat/completions": {"model", "messages", "temperature", "stream", "max_tokens", "seed"},
}
SIZES = {"256x256", "512x512", "1024x1024", "1536x1024"}


class Server(ThreadingHTTPServer):
    """Responds by the protocol and records every request; each entry of ``faults`` is sent first, once."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.origin = f"http://127.0.0.1:{self.server_address[1]}"
        self.requests = []
        self.peers = []
        self.faults = []
        self.key = KEY
        self.models = ["scribe"]
        self.text = "# Kettle\n\nIt boils."
        self.finish_reason = "stop"
        self.usage = None
        self.refused = set()
        self.begun = threading.Semaphore(0)
        self.going = threading.Event()
        self.going.set()
        self.as_url = None
        self.released = threading.Event()

    def picture(self, size="64x64", form="PNG"):
        """Return a picture file: red on the left, blue on the right."""
        width, height = map(int, size.split("x"))
        image = Image.new("RGB", (width, height), (200, 30, 30))
        image.paste((20, 40, 220), (width // 2, 0, width, height))
        with BytesIO() as file:
            image.save(file, form)
            return file.getvalue()

    def answer(self, path, headers, body):
        """Return status, headers and body for a request."""
        if path == "/pictures/1.png":
            return 200, {"Content-Type": "image/png"}, self.picture()
        if self.key and headers.get("Authorization") != f"Bearer {KEY}":
            return error(401, f"Incorrect API key provided: {KEY[:8]}.", code="invalid_api_key")
        if path == "/v1/models":
            return 200, {}, {"object": "list", "data": [{"id": model} for model in self.models]}
        if path not in PARAMETERS:
            return error(404, "Unknown address")
        if unknown := set(body) & self.refused or set(body) - PARAMETERS[path] - {"max_completion_tokens"}:
            return error(400, f"Unknown parameter: {unknown}", param=unknown.pop())
        return self.drawn(body) if "images" in path else self.written(body)

    def drawn(self, body):
        """Return the response to a request for a picture."""
        if body["size"] not in SIZES:
            return error(400, f"Invalid size {body['size']}", param="size", code="invalid_value")
        if self.as_url:
            return 200, {}, {"created": 1, "data": [{"url": self.as_url}]}
        data = base64.b64encode(self.picture(body["size"])).decode()
        return 200, {}, {"created": 1, "data": [{"b64_json": data}]}

    def written(self, body):
        """Return the response to a request for a text."""
        if not 0 <= body["temperature"] <= 2 or body["stream"]:
            return error(400, "Invalid temperature", param="temperature")
        message = {"role": "assistant", "content": self.text}
        choice = {"index": 0, "message": message, "finish_reason": self.finish_reason}
        self.begun.release()
        self.going.wait(60)
        return 200, {}, {"object": "chat.completion", "choices": [choice], "usage": self.usage}


def error(status, message, **more):
    """Return an error of the protocol."""
    return status, {}, {"error": {"message": message, "type": "invalid_request_error", **more}}


class Handler(BaseHTTPRequestHandler):
    """Passes HTTP requests to the server."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self):
        """Respond to a request with a body."""
        self.reply(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

    def do_GET(self):
        """Respond to a request without a body."""
        self.reply({})

    def reply(self, body):
        """Send the next fault, or the response."""
        self.server.requests.append((self.path, dict(self.headers), body))
        self.server.peers.append(self.client_address)
        fault = self.server.faults.pop(0) if self.server.faults else None
        if fault == "hang":
            self.server.released.wait(60)
            self.close_connection = True
            return
        if fault == "break":
            self.close_connection = True
            return
        status, headers, content = fault or self.server.answer(self.path, self.headers, body)
        data = content if isinstance(content, bytes) else json.dumps(content).encode()
        with suppress(ConnectionError):  # a client that left
            self.send(status, headers, data)

    def send(self, status, headers, data):
        """Send a response."""
        self.send_response(status)
        for name, value in ({"Content-Type": "application/json"} | headers).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        """Log nothing."""


@contextmanager
def serving():
    """Run a server."""
    made = Server()
    thread = threading.Thread(target=made.serve_forever, args=(0.005,), daemon=True)
    thread.start()
    try:
        yield made
    finally:
        made.released.set()
        made.going.set()
        made.shutdown()
        made.server_close()
        thread.join()


@pytest.fixture
def server():
    with serving() as made:
        yield made


@pytest.fixture
def unset(monkeypatch, server):
    """Leave the address, the key and the models unset, with the server on a port that is searched; it wants no key."""
    server.key = None
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("INKFRAME_OPENAI_PORTS", str(server.server_address[1]))
    return monkeypatch


@pytest.fixture
def another(unset, server):
    """Return a second server on a port that is searched."""
    with serving() as made:
        made.key, made.models = None, ["poet"]
        ports = [each.server_address[1] for each in (server, made)]
        unset.setenv("INKFRAME_OPENAI_PORTS", ", ".join(map(str, ports)))
        yield made


@pytest.fixture
def key():
    return KEY


@pytest.fixture
def refused_with():
    return error


@pytest.fixture
def settings(monkeypatch, server):
    """Configure the engine for the server; return a function that changes or removes a setting."""

    def change(**values):
        for name, value in values.items():
            variable = f"INKFRAME_OPENAI_{name.upper()}"
            if value is None:
                monkeypatch.delenv(variable)
            else:
                monkeypatch.setenv(variable, value)

    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    change(base_url=server.origin, api_key=KEY, text_model="scribe", image_model="painter")
    return change


@pytest.fixture
def open_engine(settings):
    """Return a function that creates an engine with the current settings."""
    with ExitStack() as opened:
        yield lambda: opened.enter_context(closing(OpenAI()))


@pytest.fixture
def engine(open_engine):
    return open_engine()
