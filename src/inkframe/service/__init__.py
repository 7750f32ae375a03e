"""The embedded service: the whole interface as a WSGI application, without a network."""

from inkframe.service.service import Service

__all__ = ["Service"]
