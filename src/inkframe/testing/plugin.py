"""pytest fixtures for notebooks and programs that use inkframe; ``inkframe.testing`` has examples."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Final, Protocol

import pytest

# Imports here are loaded in every run of pytest on the machine, so all others are inside of fixtures.
if TYPE_CHECKING:
    from collections.abc import Iterator

    from inkframe import Client
    from inkframe.testing import Faults, FaultyService, WireDialect

__all__ = ["Misbehaving", "inkframe_client", "inkframe_misbehaving", "inkframe_sample_client"]

#: Settings that could connect a test to a real service, which costs money.
SETTINGS: Final = ("INKFRAME_BASE_URL", "INKFRAME_API_KEY", "INKFRAME_ENGINE")


class Misbehaving(Protocol):
    """The function of ``inkframe_misbehaving``, which creates a service and a client."""

    def __call__(
        self,
        dialect: str | WireDialect = "laravel_resource",
        *,
        faults: Faults | None = None,
        records: int = 100,
        **options: Any,
    ) -> tuple[Client, FaultyService]:
        """Create a service and a client.

        Args:
            dialect: A name in ``inkframe.testing.DIALECTS`` or ``ODDITIES``, or a custom dialect.
            faults: The plan of faults.
            records: The number of images and the number of documents.
            options: Other arguments of ``inkframe.testing.FaultyService``.
        """
        ...


@pytest.fixture
def inkframe_client(monkeypatch: pytest.MonkeyPatch) -> Iterator[Client]:
    """Return a client of the embedded service, empty and in memory."""
    yield from _embedded(monkeypatch, sample=False)


@pytest.fixture
def inkframe_sample_client(monkeypatch: pytest.MonkeyPatch) -> Iterator[Client]:
    """Return a client of the embedded service in memory, with example records."""
    yield from _embedded(monkeypatch, sample=True)


@pytest.fixture
def inkframe_misbehaving() -> Iterator[Misbehaving]:
    """Return a function that creates a service with a dialect and faults, and a client."""
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
