"""Envelopes of services without a framework: has_more lists, the resource's own name, nested lists."""

from tests.services.error_forms import ERROR_FORMS
from tests.services.framework_forms import NODE
from tests.services.wire_dialect import Answer, Links, Paging, RecordForm, WireDialect

STRIPE = WireDialect(
    "stripe",
    "Stripe: has_more, and the last id to continue after",
    {"object": "list", "url": "$path", "has_more": "$has_more", "data": "$rows"},
    paging=Paging(by="after", parameter="starting_after", size="limit", unreadable="not found"),
    record=RecordForm(
        extra={"object": "$singular"}, created="created", updated="", time_form="seconds", id_form="hex"
    ),
    created=Answer(200),
    deleted=Answer(body={"id": "$id", "object": "$singular", "deleted": True}),
    errors=ERROR_FORMS["stripe"],
    forms=NODE,
    update_methods=("PUT", "PATCH", "POST"),
)

PLAIN = (
    STRIPE,
    STRIPE.like(
        "openai",
        "OpenAI: has_more, first_id and last_id; pictures in base64",
        listing={
            "object": "list",
            "data": "$rows",
            "first_id": "$first_id",
            "last_id": "$last_id",
            "has_more": "$has_more",
        },
        paging=Paging(by="after", parameter="after", size="limit", unreadable="not found"),
        record=RecordForm(
            picture="b64_json", picture_form="base64", created="created", updated="", time_form="seconds"
        ),
    ),
    WireDialect(
        "resource_name",
        "the list under the resource's own name; records have a key called data",
        {"$collection": "$rows", "count": "$count", "total_count": "$total", "page": "$number"},
        record=RecordForm(
            id_name="_id",
            id_form="hex",
            picture="path",
            picture_form="path",
            time_form="milliseconds",
            extra={"data": {"items": [1, 2], "total": 2}, "items": []},
        ),
        shown=Answer(body={"$singular": "$record"}),
        created=Answer(201, {"$singular": "$record"}),
        updated=Answer(body={"message": "Saved.", "$singular": "$record"}),
        deleted=Answer(body={"success": True}),
        errors=ERROR_FORMS["error_fields"],
        forms=NODE,
    ),
    WireDialect(
        "nested_rows",
        "the list one level down, its total beside it",
        {
            "success": True,
            "rows": {"data": "$rows", "total": "$total", "per_page": "$size", "current_page": "$number"},
        },
        record=RecordForm(boolean_form="numbers", time_form="space", picture="image"),
        shown=Answer(body={"success": True, "row": "$record"}),
        created=Answer(body={"success": True, "row": "$record"}),
        updated=Answer(body={"success": True}),
        deleted=Answer(body={"success": True}),
        errors=ERROR_FORMS["success_false"],
    ),
    WireDialect(
        "nested_response",
        "a response with nodes and the query of the next page",
        {
            "status": "ok",
            "response": {"nodes": "$rows", "total": "$total", "next": "$next_url", "pages": "$pages"},
        },
        links=Links(form="query"),
        paging=Paging(parameter="p", size="n"),
        record=RecordForm(time_form="seconds", picture="file"),
        shown=Answer(body={"status": "ok", "response": "$record"}),
        created=Answer(body={"status": "ok", "response": {"id": "$id"}}),
        updated=Answer(body={"status": "ok", "response": "$record"}),
        deleted=Answer(body={"status": "ok", "response": None}),
        errors=ERROR_FORMS["google"],
        forms=NODE,
    ),
)
