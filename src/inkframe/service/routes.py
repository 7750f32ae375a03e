"""The WSGI application: the key check, and the routes of the interface for lists, single records and pictures."""

from __future__ import annotations

from hmac import compare_digest
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

import falcon
import orjson

from inkframe.service.collections import KEY, LONGEST_KEY, REPLAYED, StoredCollection, now
from inkframe.service.form_rules import Invalid, add_error_handlers, read_fields
from inkframe.service.store import Pool, Query, read_identity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


__all__ = [
    "Application",
    "create_app",
]


class HealthRoute:
    """The health route: whether the service can read its library, and the library's identity. Needs no key.

    Args:
        pool: The library.
    """

    PATH = "/health"

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    def on_get(self, _request: falcon.Request, response: falcon.Response) -> None:
        """Return the status, after reading one row of the library."""
        response.data = orjson.dumps({"status": "ok", "library": read_identity(self._pool)})


FORM = "application/x-www-form-urlencoded"
#: The largest accepted form, in bytes.
FORM_LIMIT = 8 * 1024 * 1024
#: The most fields of a form.
MOST_FIELDS = 64
#: The most digits of an id that fits SQLite's integers.
ID_DIGITS = 18


class Application(falcon.App[falcon.Request, falcon.Response]):
    """A Falcon application that also accepts ``HEAD``, and paths as text, as in process, instead of bytes in Latin-1."""

    def __call__(self, env: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answer a request."""
        path = env["PATH_INFO"]
        if not path.isascii():
            env["PATH_INFO"] = _tunneled(path)
        is_head = env["REQUEST_METHOD"] == "HEAD"
        env["REQUEST_METHOD"] = "GET" if is_head else env["REQUEST_METHOD"]
        body = super().__call__(env, start_response)
        return [] if is_head else body


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
        if request.path != HealthRoute.PATH:
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
    app.req_options.strip_url_path_trailing_slash = True
    for collection in collections:
        app.add_route(collection.path, ListRoute(collection))
        app.add_route(f"{collection.path}/{{id}}", RecordRoute(collection))
        if collection.spec.has_picture:
            app.add_route(f"{collection.path}/{{id}}/picture", PictureRoute(collection))
    app.add_route(HealthRoute.PATH, HealthRoute(pool))
    add_error_handlers(app)
    return app


def _tunneled(path: str) -> str:
    try:
        path.encode("latin-1").decode()
    except UnicodeError:
        return path.encode("utf-8", "replace").decode("latin-1")
    return path


class ListRoute:
    """The route of a collection: List and Store.

    Args:
        collection: The collection to serve.
    """

    def __init__(self, collection: StoredCollection) -> None:
        self._collection = collection
        self._rules = collection.listing

    def on_get(self, request: falcon.Request, response: falcon.Response) -> None:
        """Return one page of records."""
        values = read_fields(self._rules, request.params)
        page, per_page = values["page"], values["per_page"]
        query = Query(
            filters={
                rule.name: values[rule.name] for rule in self._collection.filters if rule.name in values
            },
            search=values.get("search", ""),
            search_by=values["search_by"],
            sort_by=values["sort_by"],
            descending=values["sort"] == "desc",
            limit=per_page,
            offset=(page - 1) * per_page,
        )
        records, total = self._collection.records.page(query)
        last = max(1, -(-total // per_page))
        # A list whose filter was set by default shows what the collection holds besides.
        held = {
            name: {default: 0} | self._collection.records.counts(name)
            for name, default in self._collection.spec.filter_defaults.items()
            if page == 1 and name not in request.params
        }
        whole = {
            "facets": {
                name: [{"value": value, "count": count} for value, count in sorted(counts.items())]
                for name, counts in held.items()
            },
            "collection_total": max((sum(counts.values()) for counts in held.values()), default=0),
        }
        response.data = orjson.dumps(
            {
                "data": records,
                "links": self._links(request.query_string, page, last),
                "meta": {
                    "current_page": page,
                    "last_page": last,
                    "per_page": per_page,
                    "total": total,
                    **(whole if held else {}),
                    "from": query.offset + 1 if records else None,
                    "to": query.offset + len(records) if records else None,
                },
            }
        )

    def on_post(self, request: falcon.Request, response: falcon.Response) -> None:
        """Create a record."""
        values = read_fields(self._collection.creates, read_form(request))
        record, is_replayed = self._collection.create(values, read_key(request))
        response.set_header(REPLAYED, "true" if is_replayed else "false")
        response.status = falcon.HTTP_201
        response.location = f"{self._collection.path}/{record['id']}"
        response.data = orjson.dumps({"data": record})

    def _links(self, query: str, page: int, last: int) -> dict[str, str | None]:
        """Return the links to other pages, with the other query parameters."""
        kept = "".join(f"{part}&" for part in query.split("&") if part and not part.startswith("page="))
        start = f"{self._collection.path}?{kept}page="
        return {
            "first": f"{start}1",
            "last": f"{start}{last}",
            "prev": f"{start}{min(page - 1, last)}" if page > 1 else None,
            "next": f"{start}{page + 1}" if page < last else None,
        }


class RecordRoute:
    """The route of one record: Show, Update and Delete.

    Args:
        collection: The collection of the record.
    """

    def __init__(self, collection: StoredCollection) -> None:
        self._collection = collection
        self._noun = collection.spec.noun

    def on_get(self, _request: falcon.Request, response: falcon.Response, id: str) -> None:
        """Return the record."""
        self._reply(response, id, self._collection.records.get(read_id(id, self._noun)))

    def on_patch(self, request: falcon.Request, response: falcon.Response, id: str) -> None:
        """Update only the fields that were sent."""
        number = read_id(id, self._noun)
        values = read_fields(self._collection.updates, read_form(request))
        records = self._collection.records
        record = records.update(number, {**values, "updated_at": now()}) if values else records.get(number)
        self._reply(response, id, record)

    on_put = on_patch

    def on_delete(self, _request: falcon.Request, response: falcon.Response, id: str) -> None:
        """Delete the record."""
        if not self._collection.records.delete(read_id(id, self._noun)):
            raise missing(id, self._noun)
        response.status = falcon.HTTP_204

    def _reply(self, response: falcon.Response, id: str, record: dict[str, Any] | None) -> None:
        if record is None:
            raise missing(id, self._noun)
        response.data = orjson.dumps({"data": record})


class PictureRoute:
    """The route of a record's picture.

    Args:
        collection: The collection of the record.
    """

    def __init__(self, collection: StoredCollection) -> None:
        self._collection = collection

    def on_get(self, request: falcon.Request, response: falcon.Response, id: str) -> None:
        """Return the PNG. Pictures never change and ids are never reused, so caches may keep it."""
        noun = self._collection.spec.noun
        found = self._collection.records.picture(read_id(id, noun))
        if found is None:
            raise missing(id, noun)
        png, digest = found
        response.etag = digest
        response.set_headers(
            {
                "Cache-Control": "private, max-age=31536000, immutable",
                "Content-Security-Policy": "default-src 'none'; sandbox",
                "X-Content-Type-Options": "nosniff",
            }
        )
        if any(known in ("*", digest) for known in request.if_none_match or ()):
            response.status = falcon.HTTP_304
            return
        response.content_type = falcon.MEDIA_PNG
        response.data = png


def read_form(request: falcon.Request) -> dict[str, str]:
    """Return the fields of a form body, the last of each name.

    Raises:
        HTTPUnsupportedMediaType: The body is not declared to be a form.
        HTTPContentTooLarge: It is too large.
        HTTPUnprocessableEntity: It is not in UTF-8, or has too many fields.
    """
    if (request.content_type or "").partition(";")[0].strip().lower() != FORM:
        raise falcon.HTTPUnsupportedMediaType(
            description=f"The Content-Type must be {FORM}, got {request.content_type or 'none'}."
        )
    if (request.content_length or 0) > FORM_LIMIT:
        raise falcon.HTTPContentTooLarge(
            description=f"The form must have at most {FORM_LIMIT} bytes, got {request.content_length}."
        )
    try:
        body = request.bounded_stream.read().decode()
        return dict(parse_qsl(body, keep_blank_values=True, errors="strict", max_num_fields=MOST_FIELDS))
    except UnicodeDecodeError:
        raise falcon.HTTPUnprocessableEntity(description="The form must be UTF-8 text.") from None
    except ValueError:
        raise falcon.HTTPUnprocessableEntity(
            description=f"The form must have at most {MOST_FIELDS} fields."
        ) from None


def read_key(request: falcon.Request) -> str | None:
    """Return the ``Idempotency-Key`` of a create, or None.

    Raises:
        Invalid: It is too long.
    """
    key = request.get_header(KEY, default="").strip()
    if len(key) > LONGEST_KEY:
        raise Invalid({KEY: [f"The {KEY} must have at most {LONGEST_KEY} characters, got {len(key)}."]})
    return key or None


def read_id(id: str, noun: str) -> int:
    """Return an id as a number; raise 404 for a text that cannot be one."""
    if id.isascii() and id.isdigit() and len(id) <= ID_DIGITS and not id.startswith("0"):
        return int(id)
    raise missing(id, noun)


def missing(id: str, noun: str) -> falcon.HTTPNotFound:
    """Build the error for a record that does not exist."""
    return falcon.HTTPNotFound(description=f"There is no {noun} {id[:40]}.")
