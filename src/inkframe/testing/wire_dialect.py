"""A wire dialect: everything about a service that the interface leaves open, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from inkframe.testing.error_forms import ERROR_FORMS, ErrorForm
from inkframe.testing.framework_forms import LARAVEL, FormRules
from inkframe.testing.json_pattern import Pattern

__all__ = ["Answer", "Links", "Paging", "RecordForm", "WireDialect"]

PastEnd: TypeAlias = Literal["empty", "null", "not found", "last page", "first page"]
#: A dictionary of headers whose values are patterns.
Headers: TypeAlias = Mapping[str, Pattern]


@dataclass(frozen=True, kw_only=True)
class Paging:
    """How further pages are asked for.

    Args:
        by: ``number`` of the page, ``offset`` of its first record, an opaque ``cursor``, the id ``after``
            which it begins, or ``nothing``: every reply is the whole list.
        parameter: The query parameter that says where a page begins.
        first: The number of the first page.
        size: A second name for ``per_page``, which is always understood.
        usual: Records on a page where nobody says how many.
        largest: The most records on a page; a larger wish is answered with this many.
        sizes: The only sizes that are accepted; empty for any.
        past_end: The answer to a page behind the last one.
        unreadable: The answer to a page number that is none, or too small.
    """

    by: Literal["number", "offset", "cursor", "after", "nothing"] = "number"
    parameter: str = "page"
    first: int = 1
    size: str = "per_page"
    usual: int = 10
    largest: int = 100
    sizes: tuple[int, ...] = ()
    past_end: PastEnd = "empty"
    unreadable: Literal["first page", "not found", "refused"] = "first page"


@dataclass(frozen=True, kw_only=True)
class Links:
    """How addresses of further pages and records are written.

    Args:
        form: A whole URL, only its path and query, only its query, a URL that says http, or another host's.
        keep_query: Whether the filters, the order and the page size of the request are in it.
        suffix: What stands behind it, such as ``{&sort}`` in a URI template.
    """

    form: Literal["absolute", "path", "query", "insecure", "elsewhere"] = "absolute"
    keep_query: bool = True
    suffix: str = ""


@dataclass(frozen=True, kw_only=True)
class RecordForm:
    """How one record is written.

    Args:
        id_name: What the identifier is called.
        id_form: ``number`` 17, ``text`` "17", ``padded`` "000017", ``uuid``, or ``hex`` (24 digits).
        picture: What the picture's place is called; ``image.url`` stands for an object within the record.
        picture_form: A whole URL, a path from ``/``, a path without it, another host's URL, a data URI, or
            the bytes in base64.
        created: What the time of creation is called; ``""`` for not at all.
        updated: What the time of the last change is called; ``""`` for not at all.
        time_form: ISO 8601 with ``Z`` and microseconds, with a numeric ``zone``, without one (``naive``),
            with a ``space`` instead of the T, or epoch ``seconds`` or ``milliseconds``.
        boolean_form: true and false, 1 and 0, or "1" and "0".
        decimal_form: 0.5 or "0.50".
        omits: Fields that are not sent.
        list_omits: Fields that only a single record has.
        extra: More fields; a pattern that may use ``$id``, ``$url``, ``$singular`` and ``$collection``.
        wrap: What stands around the fields; a pattern that may also use ``$fields``.
        id_inside: Whether the id is among the fields too, and not only in ``wrap``.
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
    omits: tuple[str, ...] = ()
    list_omits: tuple[str, ...] = ()
    extra: Mapping[str, Pattern] = field(default_factory=dict)
    wrap: Pattern = "$fields"
    id_inside: bool = True


@dataclass(frozen=True, kw_only=True)
class Answer:
    """The answer to an operation on one record.

    Args:
        status: The HTTP status.
        body: A pattern that may use ``$record``, ``$id``, ``$url`` and ``$singular``; None for no body.
        headers: Patterns by name.
    """

    status: int = 200
    body: Pattern = "$record"
    headers: Headers = field(default_factory=dict)


NO_CONTENT: Final = Answer(status=204, body=None)


@dataclass(frozen=True, kw_only=True)
class WireDialect:
    """Everything about a service that the interface leaves open.

    A new one is made from an old one with ``dataclasses.replace``.

    Args:
        name: Its name in the table of dialects.
        about: Which servers speak it.
        listing: The body of a list. Patterns may use ``$rows``, ``$total``, ``$size``, ``$count``, ``$start``,
            ``$number``, ``$last_number``, ``$pages``, ``$next_number``, ``$previous_number``, ``$next_url``,
            ``$next_link`` and so on: the properties of ``list_page.ListPage``.
        listing_headers: Headers of a list, as patterns.
        headers: Headers of every reply.
        paging: How further pages are asked for.
        links: How addresses are written.
        record: How one record is written.
        shown: The answer to a show.
        created: The answer to a create.
        updated: The answer to an update.
        deleted: The answer to a delete.
        errors: The shape of its errors.
        forms: How it reads forms.
        numbers: Whether totals and page numbers come as numbers, as texts, or twice in an array.
        content_type: The type of its replies.
        ascii_json: Whether letters beyond ASCII are escaped in JSON.
        ignores: Query parameters that it does not know.
        usual_template: The template a document list is limited to where none is named; None for no limit.
        stable_names: Whether records of the same name come in the same order each time.
        update_methods: The methods it takes for an update.
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
