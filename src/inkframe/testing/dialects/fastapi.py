"""FastAPI with fastapi-pagination. Source: fastapi_pagination of uriyyo/fastapi-pagination."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from inkframe.testing.dialect import Answer, Links, Paging, RecordForm, WireDialect
from inkframe.testing.error_forms import ERROR_FORMS
from inkframe.testing.form import PYDANTIC

__all__ = ["FASTAPI"]

PAGE: Final = WireDialect(
    name="fastapi_page",
    about="fastapi-pagination, Page",
    listing={"items": "$rows", "total": "$total", "page": "$number", "size": "$size", "pages": "$pages"},
    paging=Paging(size="size", usual=50, unreadable="refused"),
    links=Links(form="path"),
    record=RecordForm(picture="image_url", time_form="naive"),
    created=Answer(status=200),
    deleted=Answer(body=None),
    errors=ERROR_FORMS["fastapi"],
    forms=PYDANTIC,
)

FASTAPI: Final = (
    PAGE,
    replace(
        PAGE,
        name="fastapi_links",
        about="fastapi-pagination, UseLinks: links are paths",
        listing={
            **PAGE.listing,
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
        PAGE,
        name="fastapi_header_links",
        about="fastapi-pagination, UseHeaderLinks: the Link header holds paths",
        listing_headers={"Link": "$link_header"},
        record=RecordForm(picture="url", picture_form="data", time_form="utc"),
    ),
    replace(
        PAGE,
        name="fastapi_offset",
        about="fastapi-pagination, LimitOffsetPage",
        listing={"items": "$rows", "total": "$total", "limit": "$size", "offset": "$start"},
        paging=Paging(by="offset", parameter="offset", size="limit", usual=50),
        record=RecordForm(id_form="uuid", time_form="naive"),
        deleted=Answer(body="$record"),
    ),
    replace(
        PAGE,
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
