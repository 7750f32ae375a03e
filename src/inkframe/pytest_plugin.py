"""pytest fixtures for notebooks and programs that use inkframe.

The embedded service, and the same with faults at chosen requests::

    def test_favorites_are_counted(inkframe_client):
        inkframe_client.documents.create(name="Kettle", prompt="Product text for a kettle")
        assert len(favorites(inkframe_client)) == 0

    def test_a_lost_reply_is_billed_once(inkframe_misbehaving):
        client, requests = inkframe_misbehaving({1: "lost_reply"})
        with pytest.raises(inkframe.OutcomeUnknown):
            client.documents.create(name="Kettle", prompt="Product text for a kettle")
        assert requests == ["POST /api/v1/documents"]
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Final, Literal, Protocol

import pytest

# Imports here are loaded in every run of pytest on the machine, so all others are inside of fixtures.
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import httpx

    from inkframe import Client

__all__ = ["Misbehaving", "PlannedFault", "inkframe_client", "inkframe_misbehaving"]

#: Settings that could connect a test to a real service, which costs money.
SETTINGS: Final = ("INKFRAME_BASE_URL", "INKFRAME_API_KEY", "INKFRAME_ENGINE")

#: A status to reply with instead, or a connection that is refused, or lost after the request was handled.
PlannedFault = int | Literal["refused", "lost_reply"]


class Misbehaving(Protocol):
    """The function of ``inkframe_misbehaving``, which opens a client."""

    def __call__(
        self, faults: Mapping[int, PlannedFault], *, sample: bool = False
    ) -> tuple[Client, list[str]]:
        """Open a client whose requests fail by plan.

        Args:
            faults: Faults by the number of the request, from 1 and with retries: a status such as 503,
                ``"refused"`` (not received) or ``"lost_reply"`` (handled, but without a reply).
            sample: Whether the service has example records.

        Returns:
            The client, to which the service is a remote one, and the list of its requests so far.

        Raises:
            InvalidArgument: There is no such fault.
        """
        ...


@pytest.fixture
def inkframe_client(monkeypatch: pytest.MonkeyPatch) -> Iterator[Client]:
    """Return a client of the embedded service, empty and in memory."""
    import inkframe

    for name in SETTINGS:
        monkeypatch.delenv(name, raising=False)
    with inkframe.connect(library=":memory:") as client:
        yield client


@pytest.fixture
def inkframe_misbehaving() -> Iterator[Misbehaving]:
    """Return a function that opens a client of a service in memory that fails by plan."""
    import httpx

    from inkframe import Client, InvalidArgument
    from inkframe.service import Service

    with ExitStack() as opened:

        def make(faults: Mapping[int, PlannedFault], *, sample: bool = False) -> tuple[Client, list[str]]:
            for fault in faults.values():
                if not isinstance(fault, int) and fault not in {"refused", "lost_reply"}:
                    raise InvalidArgument(
                        f"A fault must be a status, 'refused' or 'lost_reply', got {fault!r}."
                    )
            service = opened.enter_context(Service(engine="offline"))
            if sample:
                service.sample()
            served = httpx.WSGITransport(app=service.app)
            requests: list[str] = []

            def answer(request: httpx.Request) -> httpx.Response:
                requests.append(f"{request.method} {request.url.path}")
                fault = faults.get(len(requests))
                if fault == "refused":
                    raise httpx.ConnectError("Connection refused")
                if isinstance(fault, int):
                    return httpx.Response(fault, json={"message": "A planned fault."})
                reply = served.handle_request(request)
                if fault == "lost_reply":
                    raise httpx.ReadError("Connection reset by peer")
                return reply

            transport = httpx.MockTransport(answer)
            return opened.enter_context(
                Client("https://service.test", service.key, transport=transport)
            ), requests

        yield make
