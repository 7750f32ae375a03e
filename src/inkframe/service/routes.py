"""The addresses of the interface: lists, single records, pictures."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

import falcon
import orjson

from inkframe.service.collections import now
from inkframe.service.form_rules import read_fields
from inkframe.service.openapi import describe
from inkframe.service.store import Query, read_identity

if TYPE_CHECKING:
    from inkframe.service.collections import StoredCollection
    from inkframe.service.store import Pool

__all__ = ["Description", "Health", "Listing", "Picture", "Single"]

FORM = "application/x-www-form-urlencoded"
#: The largest form that is read, in bytes.
FORM_LIMIT = 8 * 1024 * 1024
#: SQLite's largest id has this many digits.
ID_DIGITS = 18


class Listing:
    """A collection: List and Store.

    Args:
        collection: Which one.
    """

    def __init__(self, collection: StoredCollection) -> None:
        self._collection = collection
        self._rules = collection.listing

    def on_get(self, request: falcon.Request, response: falcon.Response) -> None:
        """List."""
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
        first = query.offset + 1 if records else None
        response.data = orjson.dumps(
            {
                "data": records,
                "links": self._links(request.query_string, page, last),
                "meta": {
                    "current_page": page,
                    "last_page": last,
                    "per_page": per_page,
                    "total": total,
                    "from": first,
                    "to": query.offset + len(records) if records else None,
                },
            }
        )

    def on_post(self, request: falcon.Request, response: falcon.Response) -> None:
        """Store."""
        record = self._collection.create(read_fields(self._collection.creates, read_form(request)))
        response.status = falcon.HTTP_201
        response.location = f"{self._collection.path}/{record['id']}"
        response.data = orjson.dumps({"data": record})

    def _links(self, query: str, page: int, last: int) -> dict[str, str | None]:
        """Give the addresses of other pages, with all that was asked for."""
        kept = "".join(f"{part}&" for part in query.split("&") if part and not part.startswith("page="))
        start = f"{self._collection.path}?{kept}page="
        return {
            "first": f"{start}1",
            "last": f"{start}{last}",
            "prev": f"{start}{min(page - 1, last)}" if page > 1 else None,
            "next": f"{start}{page + 1}" if page < last else None,
        }


class Single:
    """One record: Show, Update and Delete.

    Args:
        collection: Whose record.
    """

    def __init__(self, collection: StoredCollection) -> None:
        self._collection = collection

    def on_get(self, _request: falcon.Request, response: falcon.Response, id: str) -> None:
        """Show."""
        self._reply(response, id, self._collection.records.get(self._number(id)))

    def on_patch(self, request: falcon.Request, response: falcon.Response, id: str) -> None:
        """Update what is sent, and nothing else."""
        number = self._number(id)
        values = read_fields(self._collection.updates, read_form(request))
        records = self._collection.records
        record = records.update(number, {**values, "updated_at": now()}) if values else records.get(number)
        self._reply(response, id, record)

    on_put = on_patch

    def on_delete(self, _request: falcon.Request, response: falcon.Response, id: str) -> None:
        """Delete."""
        if not self._collection.records.delete(self._number(id)):
            raise self._missing(id)
        response.status = falcon.HTTP_204

    def _reply(self, response: falcon.Response, id: str, record: dict[str, Any] | None) -> None:
        if record is None:
            raise self._missing(id)
        response.data = orjson.dumps({"data": record})

    def _number(self, id: str) -> int:
        return read_id(id, self._collection.spec.noun)

    def _missing(self, id: str) -> falcon.HTTPNotFound:
        return missing(id, self._collection.spec.noun)


class Picture:
    """The picture of a record.

    Args:
        collection: Whose picture.
    """

    def __init__(self, collection: StoredCollection) -> None:
        self._collection = collection

    def on_get(self, request: falcon.Request, response: falcon.Response, id: str) -> None:
        """Return the PNG. A picture never changes and its id is never used again, so caches may keep it."""
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


class Health:
    """Whether the service is up and can read its library, and which library it is; needs no key.

    Args:
        pool: The library.
    """

    PATH = "/health"

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    def on_get(self, _request: falcon.Request, response: falcon.Response) -> None:
        """Read one row of the library."""
        response.data = orjson.dumps({"status": "ok", "library": read_identity(self._pool)})


class Description:
    """The OpenAPI description of the service; needs no key.

    Args:
        collections: What it serves.
    """

    PATH = "/openapi.json"

    def __init__(self, collections: tuple[StoredCollection, ...]) -> None:
        self._collections = collections

    @cached_property
    def _text(self) -> bytes:
        # Most services in process are never asked for it.
        return orjson.dumps(describe(self._collections))

    def on_get(self, _request: falcon.Request, response: falcon.Response) -> None:
        """Give it."""
        response.data = self._text


def read_form(request: falcon.Request) -> dict[str, str]:
    """Give the fields of a form body, the last of each name.

    Raises:
        HTTPUnsupportedMediaType: The body is not declared to be a form.
        HTTPContentTooLarge: It is too large.
        HTTPUnprocessableEntity: It is not in UTF-8.
    """
    if (request.content_type or "").partition(";")[0].strip().lower() != FORM:
        sent = f"not {request.content_type}" if request.content_type else "but the request has none"
        raise falcon.HTTPUnsupportedMediaType(description=f"The Content-Type must be {FORM}, {sent}.")
    if (request.content_length or 0) > FORM_LIMIT:
        raise falcon.HTTPContentTooLarge(
            description=f"The form has {request.content_length} bytes; at most {FORM_LIMIT} are read."
        )
    try:
        body = request.bounded_stream.read().decode()
        return dict(parse_qsl(body, keep_blank_values=True, errors="strict"))
    except UnicodeDecodeError:
        raise falcon.HTTPUnprocessableEntity(description="The form is not text in UTF-8.") from None


def read_id(id: str, noun: str) -> int:
    """Give an id as a number; what cannot be one is a record that does not exist."""
    if id.isascii() and id.isdigit() and len(id) <= ID_DIGITS and not id.startswith("0"):
        return int(id)
    raise missing(id, noun)


def missing(id: str, noun: str) -> falcon.HTTPNotFound:
    """Build the error for a record that does not exist."""
    return falcon.HTTPNotFound(description=f"There is no {noun} {id[:40]}.")
