"""Formats with a specification: Spring Data, HAL, JSON:API 1.1, OData 4.01."""

from tests.services.error_forms import ERROR_FORMS
from tests.services.framework_forms import SPRING as FORMS
from tests.services.wire_dialect import NO_CONTENT, Answer, Links, Paging, RecordForm, WireDialect, wrapped

LOCATED = Answer(201, headers={"Location": "$url"})
SPRING = WireDialect(
    "spring",
    "Spring Data, Page: the first page is 0",
    {
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
JSONAPI = WireDialect(
    "jsonapi",
    "JSON:API, links as texts",
    {
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
    **wrapped({"data": "$record"}, Location="$url"),
    errors=ERROR_FORMS["jsonapi"],
    content_type="application/vnd.api+json",
    forms=FORMS,
)

HYPERMEDIA = (
    SPRING,
    SPRING.like(
        "hal",
        "HAL, as Spring HATEOAS writes it: addresses are templates",
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
        created=Answer(201, None, headers={"Location": "$url"}),
        updated=NO_CONTENT,
        errors=ERROR_FORMS["problem_map"],
        content_type="application/hal+json",
    ),
    JSONAPI,
    JSONAPI.like(
        "jsonapi_objects",
        "JSON:API, links as objects, offsets",
        listing={
            "data": "$rows",
            "links": {"self": "$self_link", "next": "$next_link"},
            "meta": {"page": {"total": "$total"}},
        },
        paging=Paging(by="offset", parameter="page[offset]", size="page[limit]"),
        deleted=Answer(body={"meta": {"deleted": True}}),
    ),
    WireDialect(
        "odata",
        "OData 4: the total only on request",
        {
            "@odata.context": "$metadata_url",
            "@odata.count?": "$counted",
            "value": "$rows",
            "@odata.nextLink?": "$next_url",
        },
        paging=Paging(by="offset", parameter="$skip", size="$top"),
        record=RecordForm(time_form="zone", picture="src", created="created", updated="modified"),
        created=LOCATED,
        updated=NO_CONTENT,
        errors=ERROR_FORMS["odata"],
        forms=FORMS,
    ),
)
