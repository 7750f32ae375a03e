"""Laravel's paginators and resources. Source: illuminate/pagination and illuminate/http of laravel/framework."""

from tests.services.error_forms import ERROR_FORMS
from tests.services.wire_dialect import NO_CONTENT, Answer, Links, Paging, RecordForm, WireDialect, wrapped

#: The default of laravel/framework: links have only the page number, unless the application appends more.
LINKS = Links(keep_query=False)
PAGES = Paging(sizes=(10, 25, 50, 100))
LIMITS = {"X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "59"}
META = {
    "current_page": "$number",
    "from": "$first_row",
    "last_page": "$last_number",
    "links": "$page_links",
    "path": "$path_url",
    "per_page": "$size",
    "to": "$last_row",
    "total": "$total",
}
RESOURCE = WireDialect(
    "laravel_resource",
    "Laravel, paginated API resources",
    {
        "data": "$rows",
        "links": {"first": "$first_url", "last": "$last_url", "prev": "$previous_url", "next": "$next_url"},
        "meta": META,
    },
    headers=LIMITS,
    paging=PAGES,
    links=LINKS,
    record=RecordForm(extra={"user": {"id": 7, "name": "Editors"}, "tags": ["draft", "2025"]}),
    **wrapped({"data": "$record"}),
    ascii_json=True,
)
RAW = RESOURCE.like(
    "laravel",
    "Laravel, length-aware paginator",
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
    created=Answer(200),
    updated=Answer(),
    deleted=Answer(body={"message": "Deleted."}),
)

LARAVEL = (
    RAW,
    RESOURCE,
    RAW.like(
        "laravel_simple",
        "Laravel, simple paginator: no total",
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
    RAW.like(
        "laravel_cursor",
        "Laravel, cursor paginator",
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
    RESOURCE.like(
        "laravel_jsonapi",
        "Laravel, JSON:API resources",
        record=RecordForm(
            id_form="text",
            wrap={"id": "$id", "type": "$collection", "attributes": "$fields"},
            id_inside=False,
        ),
        errors=ERROR_FORMS["jsonapi"],
        content_type="application/vnd.api+json",
    ),
    RESOURCE.like(
        "laravel_unwrapped",
        "Laravel, resources without wrapping",
        record=RecordForm(picture="file", boolean_form="numbers"),
        shown=Answer(),
        created=Answer(201),
        updated=NO_CONTENT,
        deleted=Answer(body={"success": True, "message": "Deleted."}),
        errors=ERROR_FORMS["laravel_debug"],
    ),
    RESOURCE.like(
        "laravel_text_numbers",
        "Laravel, every number of the paginator as a text",
        numbers="text",
        record=RecordForm(id_form="text", boolean_form="digits", decimal_form="text", time_form="naive"),
    ),
    RESOURCE.like(
        "laravel_merged_meta", "Laravel, meta merged with itself: every number twice", numbers="twice"
    ),
    RESOURCE.like(
        "laravel_proxied",
        "Laravel behind a proxy: its addresses use http",
        links=Links(form="insecure", keep_query=False),
        errors=ERROR_FORMS["login"],
    ),
    RESOURCE.like(
        "laravel_mirrored",
        "Laravel with another host in its settings and its addresses",
        links=Links(form="elsewhere"),
        record=RecordForm(picture_form="elsewhere"),
    ),
)
