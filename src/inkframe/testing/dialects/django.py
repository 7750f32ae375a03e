"""Django REST framework's paginators. Source: rest_framework/pagination.py of encode/django-rest-framework."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from inkframe.testing.dialect import Answer, Paging, RecordForm, WireDialect
from inkframe.testing.error_forms import ERROR_FORMS
from inkframe.testing.form import DJANGO as FORMS

__all__ = ["DJANGO"]

PAGE: Final = WireDialect(
    name="drf_page",
    about="Django REST framework, page numbers",
    listing={"count": "$total", "next": "$next_url", "previous": "$previous_url", "results": "$rows"},
    paging=Paging(past_end="not found", unreadable="not found", size="page_size"),
    record=RecordForm(picture="image", time_form="zone", decimal_form="text"),
    created=Answer(status=201, headers={"Location": "$url"}),
    errors=ERROR_FORMS["drf"],
    forms=FORMS,
)

DJANGO: Final = (
    PAGE,
    replace(
        PAGE,
        name="drf_offset",
        about="Django REST framework, limit and offset",
        paging=Paging(by="offset", parameter="offset", size="limit"),
        record=RecordForm(picture="image.url", time_form="zone"),
    ),
    replace(
        PAGE,
        name="drf_cursor",
        about="Django REST framework, cursors; records have UUIDs",
        listing={"next": "$next_url", "previous": "$previous_url", "results": "$rows"},
        paging=Paging(by="cursor", parameter="cursor", size="page_size", unreadable="not found"),
        record=RecordForm(
            id_name="uuid", id_form="uuid", time_form="zone", created="created", updated="modified"
        ),
    ),
    replace(
        PAGE,
        name="drf_unpaginated",
        about="Django REST framework without a paginator: every reply is the whole list",
        listing="$rows",
        paging=Paging(by="nothing"),
        record=RecordForm(picture="image", picture_form="path", time_form="zone"),
    ),
)
