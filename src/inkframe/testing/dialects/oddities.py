"""Services that tell nothing about further pages, or do not keep to what they tell.

The first six say ``{"data": […]}`` and no more, and differ in what a page behind the last one is.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from inkframe.testing.dialects.laravel import RESOURCE
from inkframe.testing.wire_dialect import Paging, WireDialect

__all__ = ["ODD"]

SILENT: Final = WireDialect(
    name="past_end_empty",
    about="no word about pages; a page too far is empty",
    listing={"data": "$rows"},
    paging=Paging(past_end="empty"),
)
#: Half of Laravel's envelope: a total and a last page, so that a walk knows where it should end.
COUNTED: Final = {
    "data": "$rows",
    "meta": {"total": "$total", "last_page": "$last_number", "current_page": "$number"},
}

ODD: Final = (
    SILENT,
    replace(
        SILENT,
        name="past_end_missing",
        about="no word about pages; a page too far is 404",
        paging=Paging(past_end="not found"),
    ),
    replace(
        SILENT,
        name="past_end_last",
        about="no word about pages; a page too far is the last one",
        paging=Paging(past_end="last page"),
    ),
    replace(
        SILENT,
        name="past_end_first",
        about="no word about pages; a page too far is the first one",
        paging=Paging(past_end="first page"),
    ),
    replace(
        SILENT,
        name="past_end_null",
        about="no word about pages; a page too far is null",
        paging=Paging(past_end="null"),
    ),
    replace(
        SILENT,
        name="page_ignored",
        about="no word about pages; every page is the first one",
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
        about="ten records on a page, whatever is asked",
        ignores=("per_page",),
    ),
    replace(
        RESOURCE,
        name="size_clamped",
        about="at most 25 records on a page, whatever is asked",
        paging=Paging(largest=25),
    ),
    replace(
        RESOURCE,
        name="sort_ignored",
        about="newest first, whatever is asked",
        ignores=("sort", "sort_by"),
    ),
    replace(
        RESOURCE,
        name="names_unstable",
        about="records of the same name in another order each time",
        stable_names=False,
    ),
    replace(
        RESOURCE,
        name="template_ignored",
        about="every document, whichever template is asked for",
        ignores=("template_id",),
        record=replace(RESOURCE.record, omits=("template_id",)),
    ),
    replace(
        RESOURCE,
        name="template_unlimited",
        about="documents of every template where none is asked for",
        usual_template=None,
    ),
    replace(
        RESOURCE,
        name="list_brief",
        about="lists leave out what a single record has",
        record=replace(RESOURCE.record, list_omits=("prompt", "result", "description")),
    ),
)
