"""Services without any information about further pages, or with wrong information.

The first six send only ``{"data": […]}``, and differ in their reply to a page past the end.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tests.services.dialects.laravel import RESOURCE
from tests.services.wire_dialect import Paging, WireDialect

__all__ = ["ODD"]

SILENT: Final = WireDialect(
    name="past_end_empty",
    about="no page information; a page past the end is empty",
    listing={"data": "$rows"},
    paging=Paging(past_end="empty"),
)
#: A part of Laravel's envelope: a total and a last page, which show a client where the list should end.
COUNTED: Final = {
    "data": "$rows",
    "meta": {"total": "$total", "last_page": "$last_number", "current_page": "$number"},
}

ODD: Final = (
    SILENT,
    replace(
        SILENT,
        name="past_end_missing",
        about="no page information; a page past the end is 404",
        paging=Paging(past_end="not found"),
    ),
    replace(
        SILENT,
        name="past_end_last",
        about="no page information; a page past the end is the last one",
        paging=Paging(past_end="last page"),
    ),
    replace(
        SILENT,
        name="past_end_first",
        about="no page information; a page past the end is the first one",
        paging=Paging(past_end="first page"),
    ),
    replace(
        SILENT,
        name="past_end_null",
        about="no page information; a page past the end is null",
        paging=Paging(past_end="null"),
    ),
    replace(
        SILENT,
        name="page_ignored",
        about="no page information; every page is the first one",
        ignores=("page",),
    ),
    replace(
        RESOURCE,
        name="page_ignored_counted",
        about="a total and a last page, but every page is the first one",
        listing=COUNTED,
        ignores=("page",),
    ),
    replace(
        RESOURCE,
        name="size_ignored",
        about="always ten records per page",
        ignores=("per_page",),
    ),
    replace(
        RESOURCE,
        name="size_clamped",
        about="always at most 25 records per page",
        paging=Paging(largest=25),
    ),
    replace(
        RESOURCE,
        name="sort_ignored",
        about="always newest first",
        ignores=("sort", "sort_by"),
    ),
    replace(
        RESOURCE,
        name="names_unstable",
        about="records with the same name in another order each time",
        stable_names=False,
    ),
    replace(
        RESOURCE,
        name="template_ignored",
        about="every document, for any requested template",
        ignores=("template_id",),
        record=replace(RESOURCE.record, omits=("template_id",)),
    ),
    replace(
        RESOURCE,
        name="template_unlimited",
        about="documents of every template if none is requested",
        usual_template=None,
    ),
    replace(
        RESOURCE,
        name="list_brief",
        about="lists omit fields of single records",
        record=replace(RESOURCE.record, list_omits=("prompt", "result", "description")),
    ),
)
