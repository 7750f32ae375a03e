"""A service with several keys: each shows the records of its account only."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from tests.services.transport import FaultyTransport

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.services.exchange import Fault, Reply, SeenRequest
    from tests.services.faulty_service import FaultyService

__all__ = ["Accounts"]


class Accounts:
    """Several services at one address.

    Args:
        services: The service of each key; two keys of one account have the same.
    """

    def __init__(self, services: dict[str, FaultyService]) -> None:
        self.services = services
        self.transport = FaultyTransport(self, next(iter(services.values())).clock)

    def answer(self, request: SeenRequest) -> tuple[Reply, Fault]:
        """Return the reply of the account of a request, and its fault."""
        service = self.services[request.headers["authorization"].removeprefix("Bearer ")]
        headers = {**request.headers, "authorization": f"Bearer {service.key}"}
        return service.answer(replace(request, headers=headers))

    @contextmanager
    def serve(self) -> Iterator[str]:
        """Serve on a local port in real time; yield the base URL."""
        from tests.services.server import serving

        with serving(self) as address:
            yield address
