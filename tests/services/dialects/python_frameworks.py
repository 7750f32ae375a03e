"""Django REST framework's paginators, and FastAPI with fastapi-pagination.

Sources: rest_framework/pagination.py of encode/django-rest-framework, fastapi_pagination of
    uriyyo/fastapi-pagination.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tests.services import framework_forms
from tests.services.error_forms import ERROR_FORMS
from tests.services.wire_dialect import Answer, Links, Paging, RecordForm, WireDialect

__all__ = ["DJANGO", "FASTAPI"]

DRF_PAGE: Final = WireDialect(
    name="drf_page",
    about="Django REST framework, page numbers",
    listing={"count": "$total", "next": "$next_url", "previous": "$previous_url", "results": "$rows"},
    paging=Paging(past_end="not found", unreadable="not found", size="page_size"),
    record=RecordForm(picture="image", time_form="zone", decimal_form="text"),
    created=Answer(status=201, headers={"Location": "$url"}),
    errors=ERROR_FORMS["drf"],
    forms=framework_forms.DJANGO,
)

DJANGO: Final = (
    DRF_PAGE,
    replace(
        DRF_PAGE,
        name="drf_offset",
        about="Django REST framework, limit and offset",
        paging=Paging(by="offset", parameter="offset", size="limit"),
        record=RecordForm(picture="image.url", time_form="zone"),
    ),
    replace(
        DRF_PAGE,
        name="drf_cursor",
        about="Django REST framework, cursors; records have UUIDs",
        listing={"next": "$next_url", "previous": "$previous_url", "results": "$rows"},
        paging=Paging(by="cursor", parameter="cursor", size="page_size", unreadable="not found"),
        record=RecordForm(
            id_name="uuid", id_form="uuid", time_form="zone", created="created", updated="modified"
        ),
    ),
    replace(
        DRF_PAGE,
        name="drf_unpaginated",
        about="Django REST framework without pagination: every reply is the whole list",
        listing="$rows",
        paging=Paging(by="nothing"),
        record=RecordForm(picture="image", picture_form="path", time_form="zone"),
    ),
)


FASTAPI_PAGE: Final = WireDialect(
    name="fastapi_page",
    about="fastapi-pagination, Page",
    listing={"items": "$rows", "total": "$total", "page": "$number", "size": "$size", "pages": "$pages"},
    paging=Paging(size="size", usual=50, unreadable="refused"),
    links=Links(form="path"),
    record=RecordForm(picture="image_url", time_form="naive"),
    created=Answer(status=200),
    deleted=Answer(body=None),
    errors=ERROR_FORMS["fastapi"],
    forms=framework_forms.PYDANTIC,
)

FASTAPI: Final = (
    FASTAPI_PAGE,
    replace(
        FASTAPI_PAGE,
        name="fastapi_links",
        about="fastapi-pagination, UseLinks: links are paths",
        listing={
            **FASTAPI_PAGE.listing,
            "links": {
                "first": "$first_url",
                "last": "$last_url",
                "self": "$self_url",
                "next": "$next_url",
                "prev": "$previous_url",
            },
        },
        record=RecordForm(picture="src", picture_form="path", time_form="milliseconds"),
    ),
    replace(
        FASTAPI_PAGE,
        name="fastapi_header_links",
        about="fastapi-pagination, UseHeaderLinks: the Link header has paths",
        listing_headers={"Link": "$link_header"},
        record=RecordForm(picture="url", picture_form="data", time_form="utc"),
    ),
    replace(
        FASTAPI_PAGE,
        name="fastapi_offset",
        about="fastapi-pagination, LimitOffsetPage",
        listing={"items": "$rows", "total": "$total", "limit": "$size", "offset": "$start"},
        paging=Paging(by="offset", parameter="offset", size="limit", usual=50),
        record=RecordForm(id_form="uuid", time_form="naive"),
        deleted=Answer(body="$record"),
    ),
    replace(
        FASTAPI_PAGE,
        name="fastapi_cursor",
        about="fastapi-pagination, CursorPage",
        listing={
            "items": "$rows",
            "total": None,
            "current_page": "$cursor_asked",
            "current_page_backwards": None,
            "previous_page": None,
            "next_page": "$next_token",
        },
        paging=Paging(by="cursor", parameter="cursor", size="size", usual=50),
        errors=ERROR_FORMS["problem"],
    ),
)
