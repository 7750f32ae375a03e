"""Services without any information about further pages, or with wrong information.

The first six send only ``{"data": […]}``, and differ in their reply to a page past the end.
"""

from dataclasses import replace

from tests.services.dialects.laravel import RESOURCE
from tests.services.wire_dialect import Paging, WireDialect

SILENT = WireDialect("past_end_empty", "no page information; past the end:", {"data": "$rows"})
#: The other replies to a page past the end.
PAST_END = {"missing": "not found", "last": "last page", "first": "first page", "null": "null"}
#: A part of Laravel's envelope: a total and a last page, which show a client where the list should end.
COUNTED = {
    "data": "$rows",
    "meta": {"total": "$total", "last_page": "$last_number", "current_page": "$number"},
}

ODD = (
    SILENT,
    *(
        SILENT.like(f"past_end_{name}", f"{SILENT.about} {name}", paging=Paging(past_end=reply))
        for name, reply in PAST_END.items()
    ),
    SILENT.like("page_ignored", "no page information; every page is the first one", ignores=("page",)),
    RESOURCE.like(
        "page_ignored_counted",
        "a total and a last page, but every page is the first one",
        listing=COUNTED,
        ignores=("page",),
    ),
    RESOURCE.like("size_ignored", "always ten records per page", ignores=("per_page",)),
    RESOURCE.like("size_clamped", "always at most 25 records per page", paging=Paging(largest=25)),
    RESOURCE.like("sort_ignored", "always newest first", ignores=("sort", "sort_by")),
    RESOURCE.like(
        "names_unstable", "records with the same name in another order each time", stable_names=False
    ),
    RESOURCE.like(
        "template_ignored",
        "every document, for any requested template",
        ignores=("template_id",),
        record=replace(RESOURCE.record, omits=("template_id",)),
    ),
    RESOURCE.like(
        "template_unlimited", "documents of every template if none is requested", usual_template=None
    ),
    RESOURCE.like(
        "list_brief",
        "lists omit fields of single records",
        record=replace(RESOURCE.record, list_omits=("prompt", "result", "description")),
    ),
)
