"""The embedded service: the whole interface as a WSGI application that needs no network."""

from inkframe.service.service import Service

__all__ = ["Service"]
