"""Wire dialects: everything about a service that the interface does not define, as data."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from tests.services.error_forms import ERROR_FORMS, ErrorForm
from tests.services.framework_forms import LARAVEL, FormRules
from tests.services.json_pattern import Pattern

PastEnd: TypeAlias = Literal["empty", "null", "not found", "last page", "first page"]
#: A dictionary of headers whose values are patterns.
Headers: TypeAlias = Mapping[str, Pattern]


@dataclass(frozen=True, kw_only=True)
class Paging:
    """The pagination of a list.

    Args:
        by: ``number`` of the page, ``offset`` of its first record, an opaque ``cursor``, the id ``after``
            which it starts, or ``nothing``: every reply is the whole list.
        parameter: The query parameter for the start of a page.
        first: The number of the first page.
        size: A second name for ``per_page``, which is always supported.
        usual: The default page size.
        largest: The largest page size; larger values are reduced to it.
        sizes: The only accepted page sizes; empty for any.
        past_end: The reply to a page past the end.
        past_end_status: The status if such a page is ``not found``.
        unreadable: The reply to an invalid page number.
        strangers: Query parameters that the service does not know: ``ignored``, a ``filter`` that no record
            matches, or ``refused``.
        alone: Whether the parameter is refused beside other parameters.
        deepest: The number of records that pages can reach; a later page is past the end.
        lost: Positions of pages that are always past the end, counted from 0.
    """

    by: Literal["number", "offset", "cursor", "after", "nothing"] = "number"
    parameter: str = "page"
    first: int = 1
    size: str = "per_page"
    usual: int = 10
    largest: int = 100
    sizes: tuple[int, ...] = ()
    past_end: PastEnd = "empty"
    past_end_status: int = 404
    unreadable: Literal["first page", "not found", "refused"] = "first page"
    strangers: Literal["ignored", "filter", "refused"] = "ignored"
    alone: bool = False
    deepest: int | None = None
    lost: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Links:
    """The format of addresses of further pages and records.

    Args:
        form: A whole URL, only its path and query, only its query, an http URL, or another host's.
        keep_query: Whether it includes the filters, the order and the page size of the request.
        suffix: Its suffix, such as ``{&sort}`` in a URI template.
    """

    form: Literal["absolute", "path", "query", "insecure", "elsewhere"] = "absolute"
    keep_query: bool = True
    suffix: str = ""


@dataclass(frozen=True, kw_only=True)
class RecordForm:
    """The format of a record.

    Args:
        id_name: The name of the id.
        id_form: ``number`` 17, ``text`` "17", ``padded`` "000017", ``uuid``, or ``hex`` (24 digits).
        picture: The name of the picture's address; ``image.url`` is an object within the record.
        picture_form: A whole URL, a path from ``/``, a path without it, another host's URL, a data URI, or
            the bytes in base64.
        created: The name of the time of creation; ``""`` to omit it.
        updated: The name of the time of the last update; ``""`` to omit it.
        time_form: ISO 8601 with ``Z`` and microseconds, with a numeric ``zone``, without one (``naive``),
            with a ``space`` instead of the T, or epoch ``seconds`` or ``milliseconds``.
        boolean_form: true and false, 1 and 0, or "1" and "0".
        decimal_form: 0.5 or "0.50".
        value_form: Whether each field has an object with its language or its type around it.
        omits: Fields that are not sent.
        list_omits: Fields that lists omit.
        extra: More fields; a pattern that may use each field and ``$id``, ``$serial`` (its number),
            ``$url``, ``$singular``, ``$collection``.
        wrap: The envelope of the fields; a pattern that may also use ``$fields``.
        id_inside: Whether the id is also among the fields, not only in ``wrap``.
    """

    id_name: str = "id"
    id_form: Literal["number", "text", "padded", "uuid", "hex"] = "number"
    picture: str = "url"
    picture_form: Literal["absolute", "path", "relative", "elsewhere", "data", "base64"] = "absolute"
    created: str = "created_at"
    updated: str = "updated_at"
    time_form: Literal["utc", "zone", "naive", "space", "seconds", "milliseconds"] = "utc"
    boolean_form: Literal["words", "numbers", "digits"] = "words"
    decimal_form: Literal["number", "text"] = "number"
    value_form: Literal["plain", "localized", "typed"] = "plain"
    omits: tuple[str, ...] = ()
    list_omits: tuple[str, ...] = ()
    extra: Mapping[str, Pattern] = field(default_factory=dict)
    wrap: Pattern = "$fields"
    id_inside: bool = True


@dataclass(frozen=True)
class Answer:
    """The reply to an operation on one record.

    Args:
        status: The HTTP status.
        body: A pattern that may use ``$record``, ``$id``, ``$url``, ``$filter_url`` and ``$singular``; None for no body.
        headers: Patterns by name.
    """

    status: int = 200
    body: Pattern = "$record"
    headers: Headers = field(default_factory=dict)


NO_CONTENT = Answer(204, None)


@dataclass(frozen=True)
class WireDialect:
    """The behavior of a service that the interface does not define.

    Args:
        name: Its name in the table of dialects.
        about: The servers that use it.
        listing: The body of a list. Patterns may use ``$rows``, ``$total``, ``$size``, ``$count``,
            ``$start``, ``$number``, ``$last_number``, ``$pages``, ``$next_number``, ``$previous_number``,
            ``$next_url``, ``$next_link`` and so on: the properties of ``list_page.ListPage``.
        listing_headers: Headers of a list, as patterns.
        headers: Headers of every reply.
        paging: The pagination of lists.
        links: The format of addresses.
        record: The format of records.
        shown: The reply to a show.
        created: The reply to a create.
        updated: The reply to an update.
        deleted: The reply to a delete.
        errors: The shape of its errors.
        forms: The rules for forms.
        numbers: Whether totals and page numbers are numbers, texts, or two equal numbers in an array.
        content_type: The content type of its replies.
        ascii_json: Whether non-ASCII characters are escaped in JSON.
        ignores: Query parameters that it ignores.
        usual_template: The default template filter of document lists; None for no filter.
        stable_names: Whether records with the same name are always in the same order.
        update_methods: The accepted methods for an update.
    """

    name: str
    about: str
    listing: Pattern
    listing_headers: Headers = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    paging: Paging = field(default_factory=Paging)
    links: Links = field(default_factory=Links)
    record: RecordForm = field(default_factory=RecordForm)
    shown: Answer = field(default_factory=Answer)
    created: Answer = field(default_factory=lambda: Answer(status=201))
    updated: Answer = field(default_factory=Answer)
    deleted: Answer = NO_CONTENT
    errors: ErrorForm = ERROR_FORMS["laravel"]
    forms: FormRules = LARAVEL
    numbers: Literal["number", "text", "twice"] = "number"
    content_type: str = "application/json"
    ascii_json: bool = False
    ignores: tuple[str, ...] = ()
    usual_template: int | None = 1
    stable_names: bool = True
    update_methods: tuple[str, ...] = ("PUT", "PATCH")

    def like(self, name, about, **changes):
        """Return a dialect of another name that differs in a few arguments."""
        return replace(self, name=name, about=about, **changes)


def wrapped(body, created=201, **headers):
    """Return the arguments of a dialect whose single records have an envelope; headers are those of a create."""
    shown = Answer(body=body)
    return {"shown": shown, "updated": shown, "created": Answer(created, body, headers)}


def drawn(listing, **options):
    """Return a dialect that a test draws for itself."""
    return WireDialect("drawn", "", listing, **options)
