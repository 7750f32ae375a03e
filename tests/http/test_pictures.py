"""Pictures by location: those of the service with the key, others without it, none from private hosts."""

from __future__ import annotations

import base64
import http.server
import threading
from contextlib import contextmanager

import httpx
import pytest

import inkframe
from inkframe.http.pictures import PictureFetcher, is_picture
from inkframe.testing import FaultyService

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


@contextmanager
def elsewhere(answer):
    """Yield the address of a server on another port of this machine, and the headers it received."""
    seen = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            seen.append(dict(self.headers))
            status, headers, body = answer(self.path)
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", seen
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def client():
    service = FaultyService(images=3)
    with inkframe.Client("http://service.test", service.key, transport=service.transport) as client:
        yield client


def pictures(client, hosts=()):
    return PictureFetcher(client._session.conversation, hosts)


def test_data_uris_and_base64(client):
    """A record may contain the picture itself."""
    packed = base64.b64encode(PNG).decode()
    assert pictures(client).fetch(f"data:image/png;base64,{packed}") == PNG
    assert pictures(client).fetch(packed) == PNG


@pytest.mark.parametrize("source", ["http://127.0.0.1:9/a.png", "http://localhost:9/a.png", "http://[::1]:9/a.png",
                                    "http://0x7f.1:9/a.png", "http://2130706433:9/a.png"])  # fmt: skip
def test_private_hosts_are_refused(client, source):
    """Loopback in any spelling is refused, unless it is the host of the service or an allowed host."""
    with pytest.raises(inkframe.InkframeError):
        pictures(client).fetch(source)


def test_nothing_is_sent_to_a_private_server(client):
    """The address of the connection is checked before anything is sent."""
    with elsewhere(lambda _: (200, {}, PNG)) as (address, seen):
        with pytest.raises(inkframe.UnexpectedReply, match="private network"):
            pictures(client).fetch(f"{address}/a.png")
        assert seen == []
        assert pictures(client, ["127.0.0.1"]).fetch(f"{address}/a.png") == PNG
    assert all("authorization" not in {name.lower() for name in headers} for headers in seen)


def test_redirects_are_bounded_and_never_leave_https(client):
    """Five redirects are followed, a loop is not, and https never becomes http."""
    with elsewhere(lambda _: (302, {"Location": "/again"}, b"")) as (address, seen):
        with pytest.raises(inkframe.UnexpectedReply, match="redirects more than 5"):
            pictures(client, ["127.0.0.1"]).fetch(f"{address}/a.png")
        assert len(seen) == 6
    service = FaultyService(images=3)
    with inkframe.Client(service.base_url, service.key, transport=service.transport) as secure:
        with pytest.raises(inkframe.UnexpectedReply, match="https"):
            pictures(secure).fetch("http://elsewhere.test/a.png")


@pytest.mark.parametrize(
    "body", [b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"<html>", b"%!PS-Adobe", b"%PDF-1.7", b""]
)
def test_other_formats_are_refused(client, body):
    """Only PNG, JPEG, WEBP and GIF are accepted, by their first bytes and not by their name."""
    with elsewhere(lambda _: (200, {"Content-Type": "image/png"}, body)) as (address, _):
        with pytest.raises(inkframe.UnexpectedReply, match="must be PNG, JPEG, WEBP or GIF, got"):
            pictures(client, ["127.0.0.1"]).fetch(f"{address}/a.png")


def test_signatures():
    """The first bytes of each accepted format are recognized."""
    assert is_picture(PNG)
    assert is_picture(b"\xff\xd8\xff\xe0")
    assert is_picture(b"GIF89a")
    assert is_picture(b"RIFF....WEBP")
    assert not is_picture(b"RIFF....WAVE")


def test_an_expired_address_is_refreshed_once():
    """After 403, 404 or 410 the record of a picture is fetched once more."""
    service = FaultyService(images=3, picture_lifetime=60)
    with inkframe.Client(service.base_url, service.key, transport=service.transport) as client:
        image = client.images.get(1)
        service.clock.advance(3600)
        assert is_picture(image.picture_bytes)


@pytest.mark.parametrize("found", ["/c/1.png", "/b/1.png", "/a/1.png"])
def test_the_next_location_of_a_picture_is_tried(found):
    """If a location of a picture is not found, the others that its record shows are tried, each once."""
    record = {"id": 1, "name": "N", "description": "d", "image_url": "https://service.test/a/1.png",
              "file_url": "/b/1.png", "thumbnail_url": "/c/1.png"}  # fmt: skip
    seen = []

    def answer(request):
        seen.append(request.url.path)
        if request.url.path.startswith("/api"):
            return httpx.Response(200, json=record)
        return httpx.Response(200 if request.url.path == found else 404, content=PNG)

    transport = httpx.MockTransport(answer)
    with inkframe.Client("https://service.test", "key", transport=transport, max_retries=0) as client:
        assert client.images.get(1).picture_bytes == PNG
    tried = [path for path in seen if path.endswith(".png")]
    assert tried == ["/a/1.png", "/b/1.png", "/c/1.png"][: len(tried)]
    assert tried[-1] == found
