"""Formats with a specification: Spring Data, HAL, JSON:API 1.1, OData 4.01."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tests.services.error_forms import ERROR_FORMS
from tests.services.framework_forms import SPRING as FORMS
from tests.services.wire_dialect import Answer, Links, Paging, RecordForm, WireDialect

__all__ = ["HYPERMEDIA"]

LOCATED: Final = Answer(status=201, headers={"Location": "$url"})
SPRING: Final = WireDialect(
    name="spring",
    about="Spring Data, Page: the first page is 0",
    listing={
        "content": "$rows",
        "pageable": {"pageNumber": "$number", "pageSize": "$size", "offset": "$start", "paged": True},
        "totalElements": "$total",
        "totalPages": "$pages",
        "last": "$is_last",
        "first": "$is_first",
        "size": "$size",
        "number": "$number",
        "numberOfElements": "$count",
        "sort": {"sorted": True, "unsorted": False, "empty": False},
        "empty": "$is_empty",
    },
    paging=Paging(first=0, size="size", usual=20),
    record=RecordForm(created="createdAt", updated="updatedAt", time_form="naive", picture="imageUrl"),
    created=LOCATED,
    errors=ERROR_FORMS["problem"],
    forms=FORMS,
)
JSONAPI: Final = WireDialect(
    name="jsonapi",
    about="JSON:API, links as texts",
    listing={
        "jsonapi": {"version": "1.1"},
        "data": "$rows",
        "links": {"self": "$self_url", "first": "$first_url", "last": "$last_url", "next?": "$next_url"},
        "meta": {"total": "$total"},
    },
    paging=Paging(parameter="page[number]", size="page[size]"),
    record=RecordForm(
        id_form="text",
        wrap={"type": "$collection", "id": "$id", "attributes": "$fields", "links": {"self": "$url"}},
        id_inside=False,
    ),
    shown=Answer(body={"data": "$record"}),
    created=Answer(status=201, body={"data": "$record"}, headers={"Location": "$url"}),
    updated=Answer(body={"data": "$record"}),
    errors=ERROR_FORMS["jsonapi"],
    content_type="application/vnd.api+json",
    forms=FORMS,
)

HYPERMEDIA: Final = (
    SPRING,
    replace(
        SPRING,
        name="hal",
        about="HAL, as Spring HATEOAS writes it: addresses are templates",
        listing={
            "_embedded": {"$collection": "$rows"},
            "_links": {"self": "$self_link", "next?": "$next_link", "last": "$last_link"},
            "page": {"size": "$size", "totalElements": "$total", "totalPages": "$pages", "number": "$number"},
        },
        links=Links(suffix="{&sort}"),
        record=RecordForm(
            extra={"version": 3, "_links": {"self": {"href": "$url"}}},
            created="createdAt",
            updated="updatedAt",
            time_form="zone",
        ),
        created=Answer(status=201, body=None, headers={"Location": "$url"}),
        updated=Answer(status=204, body=None),
        errors=ERROR_FORMS["problem_map"],
        content_type="application/hal+json",
    ),
    JSONAPI,
    replace(
        JSONAPI,
        name="jsonapi_objects",
        about="JSON:API, links as objects, offsets",
        listing={
            "data": "$rows",
            "links": {"self": "$self_link", "next": "$next_link"},
            "meta": {"page": {"total": "$total"}},
        },
        paging=Paging(by="offset", parameter="page[offset]", size="page[limit]"),
        deleted=Answer(body={"meta": {"deleted": True}}),
    ),
    WireDialect(
        name="odata",
        about="OData 4: the total only on request",
        listing={
            "@odata.context": "$metadata_url",
            "@odata.count?": "$counted",
            "value": "$rows",
            "@odata.nextLink?": "$next_url",
        },
        paging=Paging(by="offset", parameter="$skip", size="$top"),
        record=RecordForm(time_form="zone", picture="src", created="created", updated="modified"),
        created=LOCATED,
        updated=Answer(status=204, body=None),
        errors=ERROR_FORMS["odata"],
        forms=FORMS,
    ),
)
