"""What one page says about the pages after it, and the parameters by which they are requested."""

import pytest
from tests.cases import cases

from inkframe.listing.paging import (
    PageRequest,
    Paginator,
    Probes,
    learn_paging,
    link_parameters,
    next_parameters,
)
from inkframe.replies.columns import Columns, Page
from inkframe.replies.dialect import Dialect
from inkframe.replies.list_reply import ListReply

ORIGIN = "https://content.example.com"
NEXT = f"{ORIGIN}/api/v1/images?page=2"


def page(count, *, asked=None, **facts):
    """Return a page of so many records, with what its reply says."""
    ids = list(range(1, count + 1))
    return Page(ListReply([{"id": id} for id in ids], **facts), Columns(ids, {}, {}), asked or {}, {})


def taken(*pages, **options):
    """Return a paginator that has taken pages."""
    paginator = Paginator(Dialect(**options), Probes(), ORIGIN)
    for each in pages:
        paginator.observe(each)
    return paginator


@cases(
    ("count", "facts", "is_last"),
    [
        (0, {}, True),
        (0, {"next": NEXT}, False),
        (0, {"more": True}, False),
        (0, {"more": False}, True),
        (3, {"next": NEXT}, False),
        (3, {"next": 2}, False),
        (3, {"more": True}, False),
        (3, {"more": False}, True),
        (3, {"more": False, "total": 9}, False),
        (3, {"total": 3, "more": False}, True),
        (3, {"total": 2, "more": False}, True),
        (3, {"total": 4}, False),
        (3, {"last_page": 1, "current_page": 1, "total": 3}, True),
        (3, {"last_page": 1, "current_page": 1}, True),
        (3, {"last_page": 2, "total": 3}, False),
        (3, {"last_page": 2}, False),
        (3, {}, False),
    ],
)
def test_a_first_page_says_whether_it_is_the_last(count, facts, is_last):
    """A link comes before a number of pages, that before a total, and that before a flag; without any, it may go on."""
    first = page(count, **facts)
    assert taken(first).is_last(first) is is_last


def test_a_page_shorter_than_another_is_the_last():
    """A page says without words that it is the last if the service has sent a longer one, and fewer than asked for."""
    paginator = taken(page(4))
    short, full = page(3), page(4)
    for each in (short, full):
        paginator.observe(each)
    assert (paginator.is_last(short), paginator.is_last(full)) == (True, False)
    asked = page(3, asked={"per_page": "3"})
    paginator.observe(asked)
    assert not paginator.is_last(asked)


def test_the_first_number_decides_which_page_is_the_last():
    """Where pages are numbered from 0, a last page with the number 1 is the second."""
    first = page(3, last_page=1, current_page=0)
    assert not taken(first, first_page=0).is_last(first)
    assert taken(page(3, last_page=0), first_page=0).is_last(page(3, last_page=0))


@cases(
    ("count", "asked", "facts", "is_doubtful"),
    [
        (10, {}, {"total": 10}, True),
        (10, {}, {"total": 11}, False),
        (10, {}, {"total": 9}, False),
        (10, {}, {"total": 10, "more": False}, True),
        (9, {}, {"total": 9, "more": False}, False),
        (10, {}, {"total": 10, "next": NEXT}, False),
        (0, {}, {"total": 0}, False),
        (3, {}, {"total": 3, "size": 3}, True),
        (3, {}, {"last_page": 1}, True),
        (3, {}, {"last_page": 1, "current_page": 1}, False),
        (3, {}, {"last_page": 2}, False),
        (0, {}, {"last_page": 1}, False),
        (10, {}, {"total": 10, "last_page": 1}, True),
        (9, {}, {"total": 9, "last_page": 1}, True),
        (9, {}, {"total": 9, "last_page": 1, "size": 9}, True),
        (10, {}, {"total": 10, "last_page": 1, "current_page": 1}, True),
        (9, {}, {"total": 9, "last_page": 1, "current_page": 1}, False),
        (25, {"per_page": "25"}, {"total": 25, "last_page": 1}, True),
        (9, {}, {"total": 9, "last_page": 1, "current_page": 0}, True),
        (9, {}, {"total": 8, "last_page": 1}, False),
        (9, {}, {"total": 9, "last_page": 2}, False),
    ],
)
def test_a_total_that_equals_a_full_page_is_doubtful(count, asked, facts, is_doubtful):
    """It may be the number of records on the page, and what a full page says of its end is not believed at once."""
    each = page(count, asked=asked, **facts)
    taken(each)
    assert each.is_doubtful is is_doubtful


@pytest.mark.parametrize(
    ("first", "shown", "is_doubtful"), [(0, None, True), (1, None, False), (1, 0, True), (0, 1, False)]
)
def test_a_last_page_of_1_is_the_only_one_if_the_first_is_1(first, shown, is_doubtful):
    """The page says its number, or it is known from others."""
    each = page(9, total=9, last_page=1, current_page=shown)
    taken(each, first_page=first)
    assert each.is_doubtful is is_doubtful


def test_totals_that_count_something_else_are_disregarded():
    """Those of pages everywhere, those of the collection in filtered lists only; what was claimed stays known."""
    first, second = page(2, total=2), page(2, total=2)
    paginator = taken(first)
    paginator.disregard(first, second)
    assert (first.reply.total, second.reply.total, first.is_doubtful) == (None, None, False)
    third = page(2, total=9)
    paginator.observe(third)
    assert (third.reply.total, third.claimed) == (None, 9)
    paginator = taken(size_parameter="limit")
    paginator.counts_everything, paginator.everything = True, 9
    pages = [page(2, asked=asked, total=9) for asked in
             ({}, {"sort": "asc", "sort_by": "id", "per_page": "10", "limit": "10"}, {"style": "anime"})]  # fmt: skip
    for each in pages:
        paginator.observe(each)
    assert [each.reply.total for each in pages] == [9, 9, None]
    assert [paginator.is_filtered(each) for each in pages] == [False, False, True]


@cases(
    ("count", "facts", "says_more"),
    [
        (3, {}, False),
        (3, {"total": 3}, False),
        (3, {"total": 4}, True),
        (3, {"last_page": 1}, False),
        (3, {"last_page": 2}, True),
        (3, {"more": True}, True),
        (3, {"more": False}, False),
        (3, {"next": 0}, True),
        (3, {"next": NEXT}, True),
    ],
)
def test_a_first_page_may_say_that_more_follow(count, facts, says_more):
    """By a flag, a link, a total or a number of pages."""
    assert page(count, **facts).says_more is says_more


def test_the_sizes_of_a_page():
    """The asked size is 10 unless given, and the size of a page is what the service says, else its records."""
    assert (page(3).asked_size, page(3, asked={"per_page": "50"}).asked_size) == (10, 50)
    assert (page(3).size, page(3, size=25).size) == (3, 25)
    empty = page(3, total=9, last_page=2, more=True, next=NEXT).emptied()
    assert (empty.columns.ids, empty.reply.total, empty.reply.last_page) == ([], 9, 2)
    assert (empty.reply.records, empty.reply.more, empty.reply.next) == ([], None, None)


def test_a_client_has_six_probes():
    """Each paginator shares them with the others of its client."""
    shared = Probes()
    assert (shared.left, shared.style, shared.first_page, shared.failed) == (6, None, None, {})
    assert Paginator(Dialect(), shared, ORIGIN).probes is shared


@pytest.mark.parametrize(
    ("paging", "has_places", "is_chained"),
    [
        (None, False, False),
        ("number", True, False),
        ("offset", True, False),
        ("cursor", False, True),
        ("after", False, True),
        ("none", False, False),
    ],
)
def test_the_kinds_of_paging(paging, has_places, is_chained):
    """Pages have places by number and offset, and lead to each other by tokens and ids."""
    paginator = taken(paging=paging)
    assert (paginator.has_places, paginator.is_chained, paginator.is_understood) == (
        has_places,
        is_chained,
        False,
    )
    # Without paging there is no parameter of pages.
    assert paging == "none" or taken(paging=paging, page_parameter="p").is_understood


@cases(
    ("options", "facts", "asked", "parameters"),
    [
        ({"paging": "cursor"}, {"next": "abc"}, {}, {"cursor": "abc"}),
        ({"paging": "cursor", "page_parameter": "t"}, {"next": 7}, {}, {"t": "7"}),
        ({"paging": "cursor", "page_parameter": "t"}, {"next": "abc"}, {"t": "abc"}, None),
        ({"paging": "cursor", "page_parameter": "t"}, {"next": f"{ORIGIN}/?t=xy&u=1"}, {}, {"t": "xy"}),
        ({"paging": "cursor", "page_parameter": "t"}, {"next": f"{ORIGIN}/?u=1"}, {}, None),
        (
            {"paging": "cursor", "page_parameter": "t"},
            {"next": "/a?t=xy", "token": "next"},
            {},
            {"t": "/a?t=xy"},
        ),
        ({"paging": "cursor", "page_parameter": "t"}, {"next": "/a?t=xy"}, {"t": "x0"}, {"t": "xy"}),
        ({"paging": "cursor", "page_parameter": "t"}, {"next": "/a?t=xy"}, {"t": "xy"}, None),
        ({"paging": "cursor"}, {}, {}, None),
        ({"paging": "after", "page_parameter": "after"}, {}, {}, {"after": "3"}),
        ({"paging": "after", "page_parameter": "after"}, {"more": True}, {}, {"after": "3"}),
        ({"paging": "after", "page_parameter": "after"}, {"more": False}, {}, None),
        ({"paging": "after", "page_parameter": "after"}, {}, {"after": "3"}, None),
    ],
)
def test_the_next_page_is_requested_by_its_token(options, facts, asked, parameters):
    """By the token of the reply, also that in an address, or by the last id; never again by the same one."""
    dialect = Dialect(**options)
    dialect.learn(id_name="id")
    each = page(3, asked=asked, **facts)
    assert next_parameters(each.reply, asked, dialect) == parameters
    assert Paginator(dialect, Probes(), ORIGIN).after(each) == (
        None if parameters is None else PageRequest(parameters)
    )
    assert next_parameters(page(0, **facts).reply, asked, Dialect(paging="after")) is None


@cases(
    ("next", "parameters"),
    [
        (f"{ORIGIN}/x?page=2&q=", {"page": "2", "q": ""}),
        ("/x?page=2", {"page": "2"}),
        ("?page=2", {"page": "2"}),
        ("//content.example.com/x?page=2", {"page": "2"}),
        (f"{ORIGIN}/x?page=2{{&sort}}", {"page": "2"}),
        ("https://other.example.com/x?page=2", {}),
        ("http://content.example.com/x?page=2", {}),
        ("https://[bad/x?page=2", {}),
        ("/x?" + "&".join(f"a{n}=1" for n in range(101)), {}),
        ("abc", {}),
        (2, {}),
        (None, {}),
    ],
)
def test_the_parameters_of_a_link_are_those_of_this_service(next, parameters):
    """A link to another origin, one that is no address, and one with too many parameters have none."""
    assert link_parameters(ListReply([], next=next), ORIGIN) == parameters
    assert link_parameters(ListReply([], next=next, token="next"), ORIGIN) == {}


def test_a_linked_page_leads_on_by_its_link():
    """Until the link is the one that led to it."""
    paginator, each = taken(), page(2, next="/x?page=3")
    each.is_linked = True
    assert paginator.after(each) == PageRequest({"page": "3"}, alone=True)
    each.asked = {"page": "3"}
    assert paginator.after(each) is None
    each.reply.next = None
    assert paginator.after(each) is None


def test_paging_that_is_known_is_not_learned_again():
    """A link with other parameters changes nothing, nor does a token that looks like one."""
    dialect = Dialect()
    dialect.learn(paging="offset", page_parameter="skip")
    learn_paging(ListReply([], next="/x?page=2", current_page=1), {}, dialect)
    assert (dialect.paging, dialect.page_parameter, dialect.first_page) == ("offset", "skip", None)
    dialect = Dialect()
    learn_paging(ListReply([], next="/x?page=2", token="next"), {}, dialect)
    assert dialect.paging is None


def test_a_base_that_is_known_is_not_replaced():
    """The number that a page says may be the same on each."""
    dialect = Dialect()
    dialect.learn(paging="number", page_parameter="page", first_page=0)
    learn_paging(ListReply([], current_page=1), {}, dialect)
    assert dialect.first_page == 0


def test_a_link_or_a_word_leaves_no_doubt():
    """Where a reply has a link or says that more follows, or another page did, a full page is believed."""
    for facts in ({"next": NEXT}, {"more": True}):
        each = page(10, total=10, last_page=1, **facts)
        paginator = taken(each)
        assert not each.is_doubtful
        last = page(10, total=10, more=False)
        paginator.observe(last)
        assert not last.is_doubtful


def test_a_total_proves_no_word_for_the_end():
    """It may be a constant, so that what a full page says of its end stays doubtful after a larger total."""
    last = page(10, total=10, more=False)
    taken(page(9, total=10), last)
    assert last.is_doubtful


def test_an_end_that_was_refuted_is_not_believed_again():
    """Once another page followed the last one, such words of other pages are dropped."""
    first, later = page(10, more=False, last_page=1, total=10), page(10, more=False)
    paginator = taken(first)
    paginator.disregard(first, ends=True)
    paginator.observe(later)
    assert [(each.reply.more, each.reply.last_page, each.reply.total) for each in (first, later)] == [
        (None,) * 3
    ] * 2
    assert not paginator.is_last(later)


def test_a_last_page_is_counted_as_the_first():
    """A last page of 1 is not the first where pages begin at 0, and one of 0 is not the last where nothing is known."""
    table = [(None, 1, True), (None, 2, False), (1, 1, True), (0, 0, True), (0, 1, True)]
    assert [
        (first, last, taken(first_page=first).is_last(page(3, last_page=last))) for first, last, _ in table
    ] == table
