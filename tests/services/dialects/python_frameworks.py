"""Django REST framework's paginators, and FastAPI with fastapi-pagination.

Sources: rest_framework/pagination.py of encode/django-rest-framework, fastapi_pagination of
    uriyyo/fastapi-pagination.
"""

from tests.services import framework_forms
from tests.services.error_forms import ERROR_FORMS
from tests.services.wire_dialect import Answer, Links, Paging, RecordForm, WireDialect

DRF_PAGE = WireDialect(
    "drf_page",
    "Django REST framework, page numbers",
    {"count": "$total", "next": "$next_url", "previous": "$previous_url", "results": "$rows"},
    paging=Paging(past_end="not found", unreadable="not found", size="page_size"),
    record=RecordForm(picture="image", time_form="zone", decimal_form="text"),
    created=Answer(201, headers={"Location": "$url"}),
    errors=ERROR_FORMS["drf"],
    forms=framework_forms.DJANGO,
)

DJANGO = (
    DRF_PAGE,
    DRF_PAGE.like(
        "drf_offset",
        "Django REST framework, limit and offset",
        paging=Paging(by="offset", parameter="offset", size="limit"),
        record=RecordForm(picture="image.url", time_form="zone"),
    ),
    DRF_PAGE.like(
        "drf_cursor",
        "Django REST framework, cursors; records have UUIDs",
        listing={"next": "$next_url", "previous": "$previous_url", "results": "$rows"},
        paging=Paging(by="cursor", parameter="cursor", size="page_size", unreadable="not found"),
        record=RecordForm(
            id_name="uuid", id_form="uuid", time_form="zone", created="created", updated="modified"
        ),
    ),
    DRF_PAGE.like(
        "drf_unpaginated",
        "Django REST framework without pagination: every reply is the whole list",
        listing="$rows",
        paging=Paging(by="nothing"),
        record=RecordForm(picture="image", picture_form="path", time_form="zone"),
    ),
)


FASTAPI_PAGE = WireDialect(
    "fastapi_page",
    "fastapi-pagination, Page",
    {"items": "$rows", "total": "$total", "page": "$number", "size": "$size", "pages": "$pages"},
    paging=Paging(size="size", usual=50, unreadable="refused"),
    links=Links(form="path"),
    record=RecordForm(picture="image_url", time_form="naive"),
    created=Answer(200),
    deleted=Answer(body=None),
    errors=ERROR_FORMS["fastapi"],
    forms=framework_forms.PYDANTIC,
)

FASTAPI = (
    FASTAPI_PAGE,
    FASTAPI_PAGE.like(
        "fastapi_links",
        "fastapi-pagination, UseLinks: links are paths",
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
    FASTAPI_PAGE.like(
        "fastapi_header_links",
        "fastapi-pagination, UseHeaderLinks: the Link header has paths",
        listing_headers={"Link": "$link_header"},
        record=RecordForm(picture="url", picture_form="data", time_form="utc"),
    ),
    FASTAPI_PAGE.like(
        "fastapi_offset",
        "fastapi-pagination, LimitOffsetPage",
        listing={"items": "$rows", "total": "$total", "limit": "$size", "offset": "$start"},
        paging=Paging(by="offset", parameter="offset", size="limit", usual=50),
        record=RecordForm(id_form="uuid", time_form="naive"),
        deleted=Answer(body="$record"),
    ),
    FASTAPI_PAGE.like(
        "fastapi_cursor",
        "fastapi-pagination, CursorPage",
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
