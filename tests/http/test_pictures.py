"""Pictures by location: those of the service with the key, others without it, none from private hosts."""

import base64
import gc
import http.server
import threading
from contextlib import contextmanager

import httpx
import pytest
from tests.answering import Answers
from tests.services import FaultyService

import inkframe
from inkframe.http.pictures import PictureFetcher, is_picture

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
    return PictureFetcher(client._session.sender, hosts)


def test_data_uris_and_base64(client):
    """A record may contain the picture itself."""
    packed = base64.b64encode(PNG).decode()
    assert pictures(client).fetch(f"data:image/png;base64,{packed}") == PNG
    assert pictures(client).fetch(packed) == PNG


@pytest.mark.parametrize("head", ["", "data:image/png;base64,"])
def test_a_large_picture_in_base64_is_refused(client, head, monkeypatch):
    """A picture of the greatest size is decoded; one that is larger is refused before it is decoded."""
    monkeypatch.setattr("inkframe.http.pictures.LARGEST_PICTURE", 300)
    largest = PNG.ljust(300, b"\0")
    assert pictures(client).fetch(head + base64.b64encode(largest).decode()) == largest
    for more in (b"\0", b"\0" * 60):
        with pytest.raises(inkframe.UnexpectedReply) as refused:
            pictures(client).fetch(head + base64.b64encode(largest + more).decode())
        assert str(refused.value) == "The picture is larger than 0 MB.\nIt is not displayed."


@pytest.mark.parametrize("source", ["http://127.0.0.1:9/a.png", "http://localhost:9/a.png", "http://[::1]:9/a.png",
                                    "http://0x7f.1:9/a.png", "http://2130706433:9/a.png"])  # fmt: skip
def test_private_hosts_are_refused(client, source):
    """Loopback in any spelling is refused, unless it is the host of the service or an allowed host."""
    with pytest.raises(inkframe.InkframeError):
        pictures(client).fetch(source)


@pytest.mark.integration
def test_the_address_of_the_open_connection_is_judged(client, monkeypatch):
    """A name may lead elsewhere by the time it is connected, so that the address is taken from the connection."""
    judged = []
    monkeypatch.setattr("inkframe.http.pictures.is_public", lambda host: judged.append(host) or True)
    with elsewhere(lambda _: (200, {}, PNG)) as (address, _):
        assert pictures(client).fetch(f"{address.replace('127.0.0.1', 'localhost')}/a.png") == PNG
    assert judged == ["127.0.0.1"]


@pytest.mark.integration
@pytest.mark.filterwarnings("error")
def test_nothing_is_sent_to_a_private_server(client):
    """The address of the connection is checked before anything is sent, and the connection is closed."""
    with elsewhere(lambda _: (200, {}, PNG)) as (address, seen):
        with pytest.raises(inkframe.UnexpectedReply, match="private network"):
            pictures(client).fetch(f"{address}/a.png")
        assert seen == []
        assert pictures(client, ["127.0.0.1"]).fetch(f"{address}/a.png") == PNG
    assert all("authorization" not in {name.lower() for name in headers} for headers in seen)
    gc.collect()  # warns of open sockets


@pytest.mark.integration
def test_redirects_are_bounded_and_never_leave_https(client):
    """Five redirects are followed, a loop is not, and https never becomes http."""
    with elsewhere(lambda _: (302, {"Location": "/again"}, b"")) as (address, seen):
        with pytest.raises(inkframe.UnexpectedReply, match="redirects more than 5"):
            pictures(client, ["127.0.0.1"]).fetch(f"{address}/a.png")
        assert len(seen) == 6
    service = FaultyService(images=3)
    with service.client() as secure:
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
    with service.client() as client:
        image = client.images.get(1)
        service.clock.advance(3600)
        assert is_picture(image.picture_bytes)


@pytest.mark.parametrize("found", ["/c/1.png", "/b/1.png", "/a/1.png"])
def test_the_next_location_of_a_picture_is_tried(found):
    """If a location of a picture is not found, the others that its record shows are tried, each once."""
    record = {"id": 1, "name": "N", "description": "d", "image_url": "https://service.test/a/1.png",
              "file_url": "/b/1.png", "thumbnail_url": "/c/1.png"}  # fmt: skip

    def answer(request):
        if request.url.path.startswith("/api"):
            return record
        return httpx.Response(200 if request.url.path == found else 404, content=PNG)

    service = Answers(answer)
    with service.client() as client:
        assert client.images.get(1).picture_bytes == PNG
    tried = [request.url.path for request in service.requests if request.url.path.endswith(".png")]
    assert tried == ["/a/1.png", "/b/1.png", "/c/1.png"][: len(tried)]
    assert tried[-1] == found


BAD = [
    "http://[::1",
    "http://[half/a.png",
    "https://xn--/a.png",
    "https://a..b/a.png",
    f"https://{'x' * 80}.test/a.png",
    "https://\u2603\ufe0f\u200d.test/a.png",
    "https://host:port/a.png",
    "https://host:99999999/a.png",
    "https://no such host/a.png",
    "https://nowhere.invalid/a.png",
    "//[::1/a.png",
    "ftp://service.test/a.png",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "http:///a.png",
    "https://a.test/\x00.png",
    "data:image/png;base64,???",
    "not base64 at all",
    "\ud800",
]


@pytest.mark.integration
@pytest.mark.parametrize("proxy", [None, "http://127.0.0.1:9", "socks9://x", "http://[half"])
@pytest.mark.parametrize("source", BAD)
def test_a_bad_location_is_one_of_our_errors(client, monkeypatch, source, proxy):
    """Whatever is wrong with a location, fetching it raises an error of this package only."""
    if proxy:
        monkeypatch.setenv("all_proxy", proxy)
    with pytest.raises(inkframe.InkframeError) as caught:
        pictures(client).fetch(source)
    assert len(str(caught.value).splitlines()) <= 3


@pytest.mark.integration
def test_a_bad_location_spoils_its_own_record_only(client, tmp_path):
    """A gallery and a download show the other pictures, and a line for the one that cannot be fetched."""
    images = client.images.list()
    good = images["picture_url"].iloc[0]
    for source in BAD[:-1:3]:
        images["picture_url"] = [good, source, good]
        files = client.images.download(images, tmp_path / "files", overwrite=True)
        assert files["error"].notna().tolist() == [False, True, False], source
        shown = str(client.images.gallery(images)._repr_mimebundle_())
        assert shown.count("<img") == 2, source


NUMBERS = ["127.0.0.1", "0177.0.0.1", "0x7f000001", "2130706433", "127.1", "0", "10.1.2.3", "172.16.0.1", "192.168.1.1",
           "169.254.169.254", "169.254.170.2", "100.100.100.200", "168.63.129.16", "192.0.0.192", "[::1]", "[::]",
           "[::127.0.0.1]", "[::ffff:10.0.0.1]", "[64:ff9b::10.0.0.1]", "[64:ff9b:1::1]", "[2002:7f00:1::]",
           "[2002:a9fe:a9fe::1]", "[2001:0:808:808::f5ff:fffe]", "[fec0::1]", "[fe80::1]", "[fd00:ec2::254]",
           "[2606:4700::5efe:10.0.0.1]", "[ff02::1]"]  # fmt: skip


@pytest.mark.parametrize("proxy", ["http_proxy", "https_proxy", "all_proxy", "ftp_proxy", "no_proxy", None])
def test_private_numbers_are_refused_without_connecting(client, monkeypatch, proxy):
    """Every spelling of a private address is refused before a connection, whatever variables are set."""
    if proxy:
        monkeypatch.setenv(proxy, "http://127.0.0.1:9")
    for number in NUMBERS:
        with pytest.raises(
            inkframe.UnexpectedReply, match="inside a private network|must have a web address"
        ):
            pictures(client).fetch(f"http://{number}/a.png")


@pytest.mark.parametrize("proxy", ["https_proxy", "ftp_proxy", "no_proxy"])
def test_the_peer_decides_unless_this_address_has_a_proxy(client, monkeypatch, proxy):
    """A proxy for other addresses does not turn the check of the connection off."""
    monkeypatch.setenv(proxy, "http://127.0.0.1:9")
    with elsewhere(lambda _: (200, {}, PNG)) as (address, seen):
        port = address.rpartition(":")[2]
        with pytest.raises(inkframe.UnexpectedReply, match="private network"):
            pictures(client).fetch(f"http://localhost:{port}/a.png")
        assert seen == []
        assert pictures(client, ["LOCALHOST."]).fetch(f"http://localhost:{port}/a.png") == PNG


def test_a_proxy_is_used_for_listed_hosts_only(client, monkeypatch):
    """Through a proxy only the host of the service and listed hosts are fetched; nothing else is sent to it."""
    with elsewhere(lambda _: (200, {}, PNG)) as (proxy, seen):
        monkeypatch.setenv("http_proxy", proxy)
        with pytest.raises(inkframe.UnexpectedReply, match=r"picture_hosts=\['cdn.test'\]"):
            pictures(client).fetch("http://cdn.test/a.png?signature=1")
        assert seen == []
        assert pictures(client, ["cdn.test"]).fetch("http://cdn.test/a.png") == PNG
        assert pictures(client).fetch("http://service.test:81/a.png") == PNG
        assert [headers["Host"] for headers in seen] == ["cdn.test", "service.test:81"]


@pytest.mark.integration
def test_redirects_are_checked_like_locations(client):
    """A host that is allowed cannot redirect to one that is not, nor to an address that is invalid."""
    for target in ("http://127.1:9/a.png", "http://[::1", "file:///etc/passwd"):
        with elsewhere(lambda _, target=target: (302, {"Location": target}, b"")) as (address, _):
            with pytest.raises(inkframe.UnexpectedReply, match="private network|web address"):
                pictures(client, ["localhost"]).fetch(address.replace("127.0.0.1", "localhost"))


@pytest.mark.parametrize("hosts", ["cdn.test", ["https://cdn.test"], ["cdn.test:443"], ["a/b"], [5], [""]])
def test_picture_hosts_are_names(client, hosts):
    """Anything but a list of host names is refused when the client is constructed."""
    with pytest.raises(inkframe.ConfigurationError, match="picture_hosts must be a list of host names"):
        pictures(client, hosts)


def test_the_key_and_signatures_are_not_shown(client):
    """Errors show neither the query of a location nor a part of the key in it."""
    key = client._session.sender.key.bearer().partition(" ")[2]
    for source in (f"ftp://a.test/{key}", f"http://{key}.invalid/a.png", "ftp://a.test/a.png?signature=1234"):
        with pytest.raises(inkframe.InkframeError) as caught:
            pictures(client).fetch(source)
        assert key not in str(caught.value)
        assert "1234" not in str(caught.value)
