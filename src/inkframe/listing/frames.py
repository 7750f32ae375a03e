"""Listings of one collection as frames: one page, or every record."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from inkframe.errors import ListingInterrupted
from inkframe.frames import ATTRIBUTE
from inkframe.listing.completeness import Completeness
from inkframe.listing.frame_maker import FrameMaker
from inkframe.listing.interrupts import uninterrupted
from inkframe.listing.pages import nth_page
from inkframe.listing.queries import MultiQuery, Progress
from inkframe.listing.refetch import with_details
from inkframe.schema import DEFAULT_SIZE
from inkframe.vocabulary.arguments import check_integer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import pandas as pd

    from inkframe.listing.session import SessionCalls
    from inkframe.replies.columns import Page

__all__ = ["list_all", "list_page", "list_pages"]

#: The most requests in flight if each page becomes a separate frame.
STREAMED: Final = 6


def list_page(calls: SessionCalls, query: dict[str, Any], page: int | None) -> pd.DataFrame:
    """Return one page as the service returns it, and print the filters that it ignores.

    Args:
        calls: The collection.
        query: The list parameters.
        page: The number of the page, from 1.
    """
    number = 1 if page is None else check_integer("page", page)
    maker = FrameMaker(calls)
    found = nth_page(calls, query, number)
    columns = found.columns
    check = maker.filter_check([query])
    check.matching(columns)
    frame, build = maker.of_page(maker.completed(columns, query))
    # A full page whose total equals its size may be one of many.
    is_open = found.is_doubtful and len(columns.ids) >= found.asked_size
    total = None if is_open else found.reply.total
    completeness = Completeness("page", [*check.reasons], total)
    if number > 1:
        _judge_page(completeness, found, number, query)
    maker.warn(check, "a page also has other records")
    shown = query if page is None else {**query, "page": number}
    maker.describe(frame, shown, completeness, columns.absent, build)
    _warn_of_gap(calls, completeness, len(columns.ids))
    return frame


def _judge_page(completeness: Completeness, page: Page, number: int, query: Mapping[str, Any]) -> None:
    """Add the reason for a page that cannot be the one with a number."""
    size = int(query.get("per_page", DEFAULT_SIZE))
    before = (number - 1) * size
    total, count = page.reply.total, len(page.columns.ids)
    if total is None:
        return
    if not count and total > before:
        completeness.miss(f"page {number} has no records although the service reports {total:,}")
    elif count and total <= before and count == size:
        completeness.reasons.append(
            f"page {number} is past the end of {total:,} records: the service repeats another"
        )


def list_pages(calls: SessionCalls, queries: Sequence[dict[str, Any]]) -> Iterator[pd.DataFrame]:
    """Yield the records of several queries, one frame per page; the last has the reasons of the listing."""
    maker = FrameMaker(calls)
    # Building a frame takes a while, so that more pages would only occupy memory.
    listing = MultiQuery(calls, queries, concurrency=min(calls.session.width, STREAMED))
    check = maker.filter_check(queries)
    count = 0
    held: pd.DataFrame | None = None
    for found, query in listing.pages():
        count += len(found.ids)
        columns = check.matching(found)
        maker.warn(check)
        if not columns.ids:
            continue
        if held is not None:
            yield held
        held, build = maker.of_page(maker.completed(columns, query))
        # The total is known from the start if there is one listing.
        total = listing.completeness.total if len(queries) == 1 else None
        maker.describe(held, query, Completeness("page", [*check.reasons], total), columns.absent, build)
    _warn_of_gap(calls, listing.completeness, count)
    if held is not None:
        held.attrs[ATTRIBUTE]["reasons"] += listing.completeness.reasons
        yield held


def list_all(
    calls: SessionCalls,
    queries: Sequence[dict[str, Any]],
    shown: dict[str, Any],
    *,
    limit: int | None,
    details: bool,
    progress: Progress,
) -> pd.DataFrame:
    """Return the records of several queries as one frame, without duplicates.

    Args:
        calls: The collection.
        queries: The list parameters of each listing.
        shown: The list parameters for the provenance, including the order.
        limit: The maximum number of records.
        details: Whether to fetch each record for the columns that lists omit.
        progress: Shows the progress.

    Raises:
        ListingInterrupted: An interrupt ended it; ``frame`` has the records so far.
    """
    if limit is not None:
        check_integer("limit", limit)
    sort_by, sort = shown.get("sort_by", "id"), shown.get("sort", "desc")
    early = limit is not None and (sort_by, sort) == ("id", "desc") and len(queries) == 1
    maker = FrameMaker(calls)
    listing = MultiQuery(
        calls, queries, newest_first=early, concurrency=calls.session.width, progress=progress
    )
    builder = maker.builder(turned=sort == "desc" and not early)
    absent: tuple[str, ...] = ()
    check = maker.filter_check(queries)
    count = 0
    was_interrupted = False
    try:
        for found, query in listing.pages():
            count += len(found.ids)
            columns = check.matching(found)
            if details and columns.absent:
                columns = with_details(calls, columns, calls.session.width)
            columns = maker.completed(columns, query)
            with uninterrupted():
                maker.add(builder, columns)
            absent = columns.absent
            if early and builder.count >= (limit or 0):
                break
        else:
            _warn_of_gap(calls, listing.completeness, count)
    except KeyboardInterrupt:
        was_interrupted = True
        listing.completeness.lower("best-effort", "the listing was interrupted")
    maker.warn(check)
    for reason in check.reasons:
        listing.completeness.lower("verified", reason)
    frame = builder.finish(sort_by, sort)
    if limit is not None and (len(frame) > limit or (early and len(frame) == limit)):
        frame = frame.head(limit)
        listing.completeness.lower("best-effort", f"stopped at limit={limit}")
    maker.describe(frame, shown, listing.completeness, absent)
    if was_interrupted:
        raise ListingInterrupted(
            f"{len(frame):,} {calls.spec.name} so far, in the attribute frame. Run again to list all.", frame
        )
    return frame


def _warn_of_gap(calls: SessionCalls, completeness: Completeness, count: int) -> None:
    """Print a warning if records are known to be missing."""
    if completeness.gap is None:
        return
    total = completeness.total
    reported = (
        f"reports {total:,} {calls.spec.name} and returned"
        if (total or 0) > count
        else f"has more {calls.spec.name} than the"
    )
    if completeness.gap.startswith("the service reports"):
        calls.session.say(f"{calls.session.host}{completeness.gap.removeprefix('the service')}.")
    else:
        calls.session.say(f"{calls.session.host} {reported} {count:,}: {completeness.gap}.")
