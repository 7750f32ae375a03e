"""The hosts that pictures may be fetched from."""

import pytest

from inkframe.service.engines import DrawRequest, Unavailable
from inkframe.service.engines.openai.endpoint import check_place, refuse_private


class Stream:
    """A connection to an address."""

    def __init__(self, number):
        self._number = number

    def close(self):
        """Close nothing."""

    def get_extra_info(self, name):
        """Return the address of the other end."""
        return (self._number, 443) if name == "server_addr" else None


@pytest.mark.parametrize(
    "url", ["http://cdn.example.com/a.png", "ftp://a/b", "https://u:p@a/b", "file:///etc"]
)
def test_only_https_elsewhere(url):
    """Pictures without an https address are not fetched."""
    with pytest.raises(Unavailable, match="https"):
        check_place(url)


@pytest.mark.parametrize(
    "number", ["127.0.0.1", "10.1.2.3", "169.254.169.254", "::1", "fd00::1", "::ffff:10.0.0.1"]
)
def test_a_private_address_is_not_fetched_from(number, monkeypatch):
    """The connection is closed before anything is sent."""
    monkeypatch.setattr("inkframe.service.engines.openai.endpoint.getproxies", dict)
    with pytest.raises(Unavailable, match="private"):
        refuse_private("connection.connect_tcp.complete", {"return_value": Stream(number)})


def test_a_public_address_is_fetched_from(monkeypatch):
    """Public addresses are allowed."""
    monkeypatch.setattr("inkframe.service.engines.openai.endpoint.getproxies", dict)
    check_place("https://pictures.example.com/a.png?signature=x")
    refuse_private("connection.connect_tcp.complete", {"return_value": Stream("93.184.215.14")})
    refuse_private("connection.connect_tcp.started", {})


def test_an_endpoint_cannot_send_the_engine_into_the_network(engine, server, monkeypatch):
    """A picture on this machine, but not at the endpoint, is not requested, and the key is not sent."""
    monkeypatch.setattr("inkframe.service.engines.openai.endpoint.getproxies", dict)
    for location in (
        "http://127.0.0.1:9/a.png",
        server.origin.replace("http://127.0.0.1", "https://localhost"),
    ):
        server.as_url = f"{location}/a.png"
        with pytest.raises(Unavailable, match="not fetched"):
            engine.draw(DrawRequest("d", "256x256"))
    assert {path for path, *_ in server.requests} == {"/v1/images/generations"}
