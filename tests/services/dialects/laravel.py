"""Laravel's paginators and resources. Source: illuminate/pagination and illuminate/http of laravel/framework."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tests.services.error_forms import ERROR_FORMS
from tests.services.wire_dialect import Answer, Links, Paging, RecordForm, WireDialect

__all__ = ["LARAVEL"]

#: The default of laravel/framework: links have only the page number, unless the application appends more.
LINKS: Final = Links(keep_query=False)
PAGES: Final = Paging(sizes=(10, 25, 50, 100))
LIMITS: Final = {"X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "59"}
WRAPPED: Final = Answer(body={"data": "$record"})
META: Final = {
    "current_page": "$number",
    "from": "$first_row",
    "last_page": "$last_number",
    "links": "$page_links",
    "path": "$path_url",
    "per_page": "$size",
    "to": "$last_row",
    "total": "$total",
}
RESOURCE: Final = WireDialect(
    name="laravel_resource",
    about="Laravel, paginated API resources",
    listing={
        "data": "$rows",
        "links": {"first": "$first_url", "last": "$last_url", "prev": "$previous_url", "next": "$next_url"},
        "meta": META,
    },
    headers=LIMITS,
    paging=PAGES,
    links=LINKS,
    record=RecordForm(extra={"user": {"id": 7, "name": "Editors"}, "tags": ["draft", "2025"]}),
    shown=WRAPPED,
    created=Answer(status=201, body={"data": "$record"}),
    updated=WRAPPED,
    ascii_json=True,
)
RAW: Final = replace(
    RESOURCE,
    name="laravel",
    about="Laravel, length-aware paginator",
    listing={
        "current_page": "$number",
        "data": "$rows",
        "first_page_url": "$first_url",
        "from": "$first_row",
        "last_page": "$last_number",
        "last_page_url": "$last_url",
        "links": "$page_links",
        "next_page_url": "$next_url",
        "path": "$path_url",
        "per_page": "$size",
        "prev_page_url": "$previous_url",
        "to": "$last_row",
        "total": "$total",
    },
    record=RecordForm(picture="image", picture_form="path", boolean_form="numbers", decimal_form="text"),
    shown=Answer(),
    created=Answer(status=200),
    updated=Answer(),
    deleted=Answer(body={"message": "Deleted."}),
)

LARAVEL: Final = (
    RAW,
    RESOURCE,
    replace(
        RAW,
        name="laravel_simple",
        about="Laravel, simple paginator: no total",
        listing={
            "current_page": "$number",
            "data": "$rows",
            "first_page_url": "$first_url",
            "from": "$first_row",
            "next_page_url": "$next_url",
            "path": "$path_url",
            "per_page": "$size",
            "prev_page_url": "$previous_url",
            "to": "$last_row",
        },
        record=RecordForm(picture="path", picture_form="relative", boolean_form="digits", time_form="space"),
    ),
    replace(
        RAW,
        name="laravel_cursor",
        about="Laravel, cursor paginator",
        listing={
            "data": "$rows",
            "path": "$path_url",
            "per_page": "$size",
            "next_cursor": "$next_token",
            "next_page_url": "$next_url",
            "prev_cursor": None,
            "prev_page_url": "$previous_url",
        },
        paging=Paging(by="cursor", parameter="cursor", sizes=PAGES.sizes),
        record=RecordForm(picture="image_url"),
    ),
    replace(
        RESOURCE,
        name="laravel_jsonapi",
        about="Laravel, JSON:API resources",
        record=RecordForm(
            id_form="text",
            wrap={"id": "$id", "type": "$collection", "attributes": "$fields"},
            id_inside=False,
        ),
        errors=ERROR_FORMS["jsonapi"],
        content_type="application/vnd.api+json",
    ),
    replace(
        RESOURCE,
        name="laravel_unwrapped",
        about="Laravel, resources without wrapping",
        record=RecordForm(picture="file", boolean_form="numbers"),
        shown=Answer(),
        created=Answer(status=201),
        updated=Answer(status=204, body=None),
        deleted=Answer(body={"success": True, "message": "Deleted."}),
        errors=ERROR_FORMS["laravel_debug"],
    ),
    replace(
        RESOURCE,
        name="laravel_text_numbers",
        about="Laravel, every number of the paginator as a text",
        numbers="text",
        record=RecordForm(id_form="text", boolean_form="digits", decimal_form="text", time_form="naive"),
    ),
    replace(
        RESOURCE,
        name="laravel_merged_meta",
        about="Laravel, meta merged with itself: every number twice",
        numbers="twice",
    ),
    replace(
        RESOURCE,
        name="laravel_proxied",
        about="Laravel behind a proxy: its addresses use http",
        links=Links(form="insecure", keep_query=False),
        errors=ERROR_FORMS["login"],
    ),
    replace(
        RESOURCE,
        name="laravel_mirrored",
        about="Laravel with another host in its settings and its addresses",
        links=Links(form="elsewhere"),
        record=RecordForm(picture_form="elsewhere"),
    ),
)
