"""pytest fixtures for notebooks and programs that use inkframe; ``inkframe.testing`` shows them at work."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Final, Protocol

import pytest

# Whatever is imported here is loaded in every run of pytest on the machine: everything else waits for a fixture.
if TYPE_CHECKING:
    from collections.abc import Iterator

    from inkframe import Client
    from inkframe.testing import Faults, FaultyService, WireDialect

__all__ = ["Misbehaving", "inkframe_client", "inkframe_misbehaving", "inkframe_sample_client"]

#: Settings that could lead a test to a real service, which costs money.
SETTINGS: Final = ("INKFRAME_BASE_URL", "INKFRAME_API_KEY", "INKFRAME_ENGINE")


class Misbehaving(Protocol):
    """What ``inkframe_misbehaving`` gives: makes a service and a client of it."""

    def __call__(
        self,
        dialect: str | WireDialect = "laravel_resource",
        *,
        faults: Faults | None = None,
        records: int = 100,
        **options: Any,
    ) -> tuple[Client, FaultyService]:
        """Make a service and a client of it.

        Args:
            dialect: A name of ``inkframe.testing.DIALECTS`` or ``ODDITIES``, or a dialect of your own.
            faults: What goes wrong, and when.
            records: How many images, and how many documents, the service holds.
            options: Anything else that ``inkframe.testing.FaultyService`` takes.
        """
        ...


@pytest.fixture
def inkframe_client(monkeypatch: pytest.MonkeyPatch) -> Iterator[Client]:
    """Give a client of the embedded service, empty and in memory."""
    yield from _embedded(monkeypatch, sample=False)


@pytest.fixture
def inkframe_sample_client(monkeypatch: pytest.MonkeyPatch) -> Iterator[Client]:
    """Give a client of the embedded service in memory, filled with example records."""
    yield from _embedded(monkeypatch, sample=True)


@pytest.fixture
def inkframe_misbehaving() -> Iterator[Misbehaving]:
    """Give a function that makes a service, which speaks and fails as told, and a client of it."""
    from inkframe import Client
    from inkframe.testing import FaultyService

    with ExitStack() as open_clients:

        def make(
            dialect: str | WireDialect = "laravel_resource",
            *,
            faults: Faults | None = None,
            records: int = 100,
            **options: Any,
        ) -> tuple[Client, FaultyService]:
            service = FaultyService(
                dialect, faults=faults, **{"images": records, "documents": records, **options}
            )
            client = Client(service.base_url, service.key, transport=service.transport)
            return open_clients.enter_context(client), service

        yield make


def _embedded(monkeypatch: pytest.MonkeyPatch, *, sample: bool) -> Iterator[Client]:
    import inkframe

    for name in SETTINGS:
        monkeypatch.delenv(name, raising=False)
    with inkframe.connect(library=":memory:", sample=sample) as client:
        yield client
