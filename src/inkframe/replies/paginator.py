"""Pages of a list: detection of the last one, parameters of the next one, and reliability of totals.

Nothing is sent here. A search for the second page is a generator that yields the parameters of a page; it
receives the page, or the error of the service.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final, TypeVar

from inkframe.errors import NotFound, ValidationFailed
from inkframe.replies.dialect import Dialect
from inkframe.replies.list_reply import ListReply
from inkframe.replies.paging_style import candidates, learn_paging, next_parameters, page_parameters
from inkframe.schema import PAGE_SIZES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inkframe.replies.columns import Columns
    from inkframe.replies.dialect import Paging

__all__ = ["DEFAULT_SIZE", "Page", "Paginator", "Steps"]

#: The default page size of the interface.
DEFAULT_SIZE: Final = PAGE_SIZES[0]

Result = TypeVar("Result")
Parameters = Mapping[str, str]
#: A generator that yields the parameters of a page and receives the page.
Steps = Generator[Parameters, "Page", Result]


@dataclass(slots=True)
class Page:
    """One page of a collection.

    Args:
        reply: The page and its description by the service.
        columns: Its records.
        asked: The parameters that were sent.
        headers: The headers of the reply.
        is_doubtful: Whether its total may be only the number of records on this full page.
    """

    reply: ListReply
    columns: Columns
    asked: dict[str, str]
    headers: Mapping[str, str]
    is_doubtful: bool = False

    @property
    def asked_size(self) -> int:
        """The requested number of records."""
        return int(self.asked.get("per_page", DEFAULT_SIZE))

    @property
    def size(self) -> int:
        """The number of records on a page, judged by this one."""
        return self.reply.size or len(self.columns.ids)

    def emptied(self) -> Page:
        """Return a page past the end of the same list."""
        reply = ListReply([], self.reply.total, self.reply.last_page)
        return Page(reply, self.columns.take([]), self.asked, self.headers)


class Paginator:
    """The state of paging in one collection.

    Args:
        dialect: The response format, updated with what pages show.
    """

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        #: The most records on any page so far, a lower bound of the page size.
        self._fullest = 0
        #: Whether totals count the whole list, not the page; None until a reply shows it.
        self._totals_hold: bool | None = None
        #: The most records of a first page after which no second page was found.
        self._led_nowhere = 0

    @property
    def has_places(self) -> bool:
        """Whether pages can be requested by position, if known."""
        return self.dialect.paging in {"number", "offset"}

    @property
    def is_chained(self) -> bool:
        """Whether each page leads to the next."""
        return self.dialect.paging in {"cursor", "after"}

    def take(self, page: Page) -> None:
        """Update the knowledge of totals and page sizes from a page."""
        reply, count = page.reply, len(page.columns.ids)
        if self._totals_hold is False:
            reply.total = None
        elif reply.total is not None and reply.total > count:
            self._totals_hold = True
        has_only_total = reply.last_page is reply.next is reply.more is None
        page.is_doubtful = has_only_total and reply.total == count >= DEFAULT_SIZE and not self._totals_hold
        self._fullest = max(self._fullest, count)

    def learn(self, reply: ListReply, asked: Mapping[str, str]) -> None:
        """Learn the paging of the service from a first page."""
        learn_paging(reply, asked, self.dialect)

    def is_last(self, page: Page) -> bool:
        """Return whether a first page reports, or shows by its length, that no page follows.

        ``ends`` sends a request if the page is not conclusive.
        """
        reply = page.reply
        count = len(reply.records)
        if reply.next is not None or reply.more:
            return False
        if reply.more is False or count == 0:
            return True
        if reply.last_page is not None and reply.last_page > (self.dialect.first_page or 1):
            # Despite the total, since some services count only the page.
            return reply.total is not None and reply.total <= count < page.asked_size
        if reply.total is not None:
            return reply.total <= count and not page.is_doubtful
        if reply.last_page is not None:
            return True
        # A short page may have the maximum size of the service, unless another was longer.
        return count < min(page.asked_size, self._fullest)

    def at(self, index: int, size: int) -> Parameters:
        """Return the parameters of a page by position, from 0; the first page has none.

        Args:
            index: The position.
            size: The number of records on a page.
        """
        return page_parameters(self.dialect, index, size) if index else {}

    def after(self, page: Page) -> Parameters | None:
        """Return the parameters of the page after another by its token; None at the end."""
        return next_parameters(page.reply, page.asked, self.dialect)

    def ends(self, first: Page) -> Steps[bool]:
        """Return whether no page follows the first, requesting a second one if the total is doubtful."""
        if not first.is_doubtful:
            return self.is_last(first)
        second = yield from self.second(first)
        if second is None:
            return len(first.columns.ids) < first.asked_size
        return not second.columns.ids

    def second(self, first: Page) -> Steps[Page | None]:
        """Find the second page and learn the paging of the service.

        Returns:
            The page, empty if nothing follows; None if no attempt returned a different page than the first.
        """
        dialect = self.dialect
        if self.is_last(first):
            return first.emptied()
        if dialect.paging == "none":
            return None
        for paging, name in self._worth_trying(first):
            trial = Dialect(
                paging=paging,
                page_parameter=name,
                first_page=dialect.first_page,
                size_parameter=dialect.size_parameter,
                id_name=dialect.id_name,
            )
            page = yield from self._try(first, trial)
            if page is not None:
                if page.columns.ids:
                    dialect.learn(paging=paging, page_parameter=name, first_page=trial.first_page)
                    self._count_anew(first, page)
                return page
        self._led_nowhere = max(self._led_nowhere, len(first.columns.ids))
        if dialect.page_parameter is None and len(first.columns.ids) >= first.asked_size:
            dialect.learn(paging="none")
        return None

    def _count_anew(self, *pages: Page) -> None:
        """Discard totals that count only pages, after a page followed a supposedly complete one."""
        if pages[0].is_doubtful:
            self._totals_hold = False
            for page in pages:
                page.reply.total, page.is_doubtful = None, False

    def _worth_trying(self, first: Page) -> list[tuple[Paging, str]]:
        """Return the paging styles to try for a second page: all of them once if a second page is likely."""
        reply, count = first.reply, len(first.columns.ids)
        ways = candidates(reply, self.dialect)
        follows = reply.more or reply.next is not None or (reply.total or 0) > count
        untried = count > self._led_nowhere and (follows or count >= DEFAULT_SIZE)
        return ways if untried else ways[:1]

    def _try(self, first: Page, trial: Dialect) -> Steps[Page | None]:
        """Request a second page with one paging style; return None if it is the first page again."""
        is_guess = trial.page_parameter != self.dialect.page_parameter
        if trial.paging in {"cursor", "after"}:
            extra = next_parameters(first.reply, first.asked, trial)
            page = (yield from self._another(first, extra)) if extra else None
            # A parameter "after" may be a filter by date, so an empty reply proves nothing.
            is_proof = trial.paging == "cursor" or not is_guess
            return page if is_proof or page is None or page.columns.ids else None
        if trial.paging == "number" and isinstance(first.reply.next, int):
            trial.learn(first_page=min(max(first.reply.next - 1, 0), 1))
        if trial.paging == "number" and trial.first_page is None and first.reply.total is not None:
            # Page 1 is the first page if counting starts at 1, the second if it starts at 0.
            page = yield from self._another(first, {trial.page_parameter or "page": "1"})
            trial.first_page = 1 if page is None else 0
            if page is not None:
                return page
        page = yield from self._another(first, page_parameters(trial, 1, first.size))
        if trial.paging == "offset" and is_guess and page is not None and not page.columns.ids:
            return page if (yield from self._shifts(first, trial)) else None
        return page

    def _shifts(self, first: Page, trial: Dialect) -> Steps[bool]:
        """Return whether an offset parameter that led past the end also leads to the last record."""
        ids, name = first.columns.ids, trial.page_parameter or "offset"
        shifted = yield {name: str(len(ids) - 1)}
        found = shifted.columns.ids == ids[-1:] != ids
        if found:
            self.dialect.learn(paging="offset", page_parameter=name)
        return found

    def _another(self, first: Page, extra: Parameters) -> Steps[Page | None]:
        """Request a page; return None if it is the first again, an empty page if there is none."""
        try:
            page = yield extra
        except NotFound:
            page = first.emptied()
        except ValidationFailed:
            return None
        if not page.columns.ids:
            # Records may have been deleted; a parameter that is known to work is not the reason.
            totals = (total for total in (page.reply.total, first.reply.total, 0) if total is not None)
            more = first.reply.more or next(totals) > len(first.columns.ids)
            return None if more and self.dialect.page_parameter is None else page
        return page if _leads_on(first, page) else None


def _leads_on(first: Page, page: Page) -> bool:
    """Return whether a page differs from the first, which may have changed and been returned again."""
    before, ids = first.columns.ids, page.columns.ids
    by_id = (first.asked.get("sort_by"), first.asked.get("sort")) == ("id", "asc")
    numbers = [id for id in (*before, *ids) if isinstance(id, int)]
    if (
        by_id
        and len(before) > 1
        and len(numbers) == len(before) + len(ids)
        and _increases(numbers[: len(before)])
    ):
        # By id ascending, the next page has larger ids.
        return min(numbers[len(before) :]) > numbers[len(before) - 1]
    shared = set(before).intersection(ids)
    return len(shared) < len(set(ids)) and 2 * len(shared) <= len(before)


def _increases(numbers: Sequence[int]) -> bool:
    """Return whether the numbers are strictly increasing."""
    return all(a < b for a, b in pairwise(numbers))
