"""A service whose replies are a function of the request, and what a frame says of its listing."""

import httpx
from tests.services import VirtualClock

import inkframe

__all__ = ["Answers", "facts"]


class Answers:
    """A service whose replies are given.

    Args:
        answer: Returns the reply, or is the only one; data is the body of one with status 200.

    Attributes:
        requests: The requests so far.
    """

    def __init__(self, answer):
        self.answer = answer
        self.requests = []

    def __call__(self, request):
        """Return the reply to a request."""
        self.requests.append(request)
        found = self.answer(request) if callable(self.answer) else self.answer
        return found if isinstance(found, httpx.Response) else httpx.Response(200, json=found)

    @property
    def sent(self):
        """The method and the address of each request."""
        return [f"{each.method} {each.url.raw_path.decode()}" for each in self.requests]

    @property
    def queries(self):
        """The parameters of each request."""
        return [dict(each.url.params) for each in self.requests]

    @property
    def deadlines(self):
        """The seconds that each request may take."""
        return [each.extensions["timeout"]["read"] for each in self.requests]

    def client(self, key="key", **options):
        """Return a new client, which waits for nothing."""
        transport = httpx.MockTransport(self)
        transport.clock = VirtualClock()
        options = {"transport": transport, "max_retries": 0} | options
        return inkframe.Client("https://service.test", key, **options)

    def calls(self, **options):
        """Return the operations on the images of a new client."""
        return self.client(**options).images._calls


def facts(frame):
    """Return the completeness of a frame and the reasons for it."""
    said = frame.attrs["inkframe"]
    return said["completeness"], said["reasons"]
