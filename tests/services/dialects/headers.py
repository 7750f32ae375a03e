"""Bare arrays with totals and further pages in headers, and the envelope of json-server 1.x.

Sources: typicode/json-server 0.17 and 1.x, davidcelis/api-pagination, ddnexus/pagy.
"""

from tests.services.error_forms import ERROR_FORMS
from tests.services.framework_forms import NODE
from tests.services.framework_forms import RAILS as FORMS
from tests.services.wire_dialect import Answer, Paging, RecordForm, WireDialect

RAILS = WireDialect(
    "rails_headers",
    "Rails with api-pagination",
    "$rows",
    listing_headers={"Total": "$total", "Per-Page": "$size", "Link": "$link_header"},
    record=RecordForm(picture="image_url", time_form="utc"),
    errors=ERROR_FORMS["success_false"],
    forms=FORMS,
)
JSON_SERVER = WireDialect(
    "json_server_0",
    "json-server 0.17",
    "$rows",
    listing_headers={"X-Total-Count": "$total", "Link": "$link_header"},
    paging=Paging(parameter="_page", size="_limit"),
    record=RecordForm(
        picture="src", picture_form="relative", time_form="milliseconds", created="createdAt", updated=""
    ),
    deleted=Answer(body={}),
    errors=ERROR_FORMS["json_server_0"],
    forms=NODE,
)

HEADERS = (
    JSON_SERVER,
    JSON_SERVER.like(
        "json_server_1",
        "json-server 1.x: items and next are numbers; a page past the end is the last one",
        listing={
            "first": "$first_number",
            "prev": "$previous_number",
            "next": "$next_number",
            "last": "$last_number",
            "pages": "$pages",
            "items": "$total",
            "data": "$rows",
        },
        listing_headers={},
        paging=Paging(parameter="_page", size="_per_page", past_end="last page"),
        record=RecordForm(id_form="text", picture_form="path", created="createdAt", updated="updatedAt"),
        deleted=Answer(body="$record"),
        errors=ERROR_FORMS["json_server"],
    ),
    RAILS,
    RAILS.like(
        "rails_pagy",
        "Rails with pagy",
        listing_headers={
            "current-page": "$number",
            "page-limit": "$size",
            "total-pages": "$pages",
            "total-count": "$total",
            "link": "$link_header",
        },
        record=RecordForm(picture="file.url", boolean_form="digits", id_form="padded"),
        errors=ERROR_FORMS["error_number"],
    ),
)
