"""A service with several keys: each shows the records of its account only."""

from contextlib import contextmanager
from dataclasses import replace

from tests.services.transport import FaultyTransport


class Accounts:
    """Several services at one address.

    Args:
        services: The service of each key; two keys of one account have the same.
    """

    def __init__(self, services):
        self.services = services
        self.transport = FaultyTransport(self, next(iter(services.values())).clock)

    def answer(self, request):
        """Return the reply of the account of a request, and its fault."""
        service = self.services[request.headers["authorization"].removeprefix("Bearer ")]
        headers = {**request.headers, "authorization": f"Bearer {service.key}"}
        return service.answer(replace(request, headers=headers))

    @contextmanager
    def serve(self):
        """Serve on a local port in real time; yield the base URL."""
        from tests.services.server import serving

        with serving(self) as address:
            yield address
