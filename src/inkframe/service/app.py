"""The WSGI application: routes and the key check."""

from __future__ import annotations

from hmac import compare_digest
from typing import TYPE_CHECKING, Any

import falcon

from inkframe.service.error_responses import add_error_handlers
from inkframe.service.routes import HealthRoute, ListRoute, OpenApiRoute, PictureRoute, RecordRoute

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from inkframe.service.collections import StoredCollection
    from inkframe.service.store import Pool

__all__ = ["Application", "create_app"]

#: Paths that need no key, since they reveal no records.
OPEN = (HealthRoute.PATH, OpenApiRoute.PATH)


class Application(falcon.App[falcon.Request, falcon.Response]):
    """A Falcon application that also accepts paths as text, as in process, instead of bytes in Latin-1."""

    def __call__(self, env: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answer a request."""
        path = env["PATH_INFO"]
        if not path.isascii():
            env["PATH_INFO"] = _tunneled(path)
        return super().__call__(env, start_response)


class KeyCheck:
    """Middleware that rejects every request without the key, before routing.

    Args:
        key: The key.
    """

    def __init__(self, key: str) -> None:
        self._key = key.encode()

    def process_request(self, request: falcon.Request, _response: falcon.Response) -> None:
        """Raise 401 unless the request has the key; keys are compared in constant time."""
        scheme, _, token = request.env.get("HTTP_AUTHORIZATION", "").partition(" ")
        sent = token.strip().encode("utf-8", "surrogateescape")
        if compare_digest(sent, self._key) and scheme.lower() == "bearer":
            return
        if request.path not in OPEN:
            problem = "is not valid" if token else "is missing"
            raise falcon.HTTPUnauthorized(
                description=f"The key {problem}. Send the header: Authorization: Bearer <key>",
                challenges=("Bearer",),
            )


def create_app(collections: tuple[StoredCollection, ...], pool: Pool, key: str) -> Application:
    """Return the application.

    Args:
        collections: The collections to serve.
        pool: The library.
        key: The key that every request must send.
    """
    app = Application(middleware=[KeyCheck(key)])
    for collection in collections:
        app.add_route(collection.path, ListRoute(collection))
        app.add_route(f"{collection.path}/{{id}}", RecordRoute(collection))
        if collection.spec.has_picture:
            app.add_route(f"{collection.path}/{{id}}/picture", PictureRoute(collection))
    app.add_route(HealthRoute.PATH, HealthRoute(pool))
    app.add_route(OpenApiRoute.PATH, OpenApiRoute(collections))
    add_error_handlers(app)
    return app


def _tunneled(path: str) -> str:
    try:
        path.encode("latin-1").decode()
    except UnicodeError:
        return path.encode("utf-8", "replace").decode("latin-1")
    return path
