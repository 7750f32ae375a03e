"""Pages of a list one after another: the way to the next is known, or found by trying."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from inkframe.calls.pages import DEFAULT_SIZE, Page, Pages
from inkframe.errors import InvalidArgument, NotFound, ValidationFailed
from inkframe.replies.dialect import Dialect
from inkframe.replies.paging_style import candidates, following, page_parameters

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from inkframe.http.encoding import Parameter
    from inkframe.http.sender import Sender
    from inkframe.replies.dialect import Paging
    from inkframe.schema import ResourceSpec
    from inkframe.vocabulary import Vocabulary

__all__ = ["Succession"]


class Succession(Pages):
    """A collection as far as its lists are read page after page; arguments as in ``Pages``."""

    def __init__(
        self, conversation: Sender, spec: ResourceSpec, vocabulary: Callable[[], Vocabulary]
    ) -> None:
        super().__init__(conversation, spec, vocabulary)
        #: The most records of a first page behind which nothing that was tried showed another.
        self._led_nowhere = 0

    def nth_page(self, query: Mapping[str, Parameter], number: int) -> Page:
        """Ask for a page by its number, from 1, whatever the service calls it.

        Raises:
            InvalidArgument: No way of asking for further pages is known.
        """
        if number == 1:
            return self.page(query)
        if self.dialect.paging in {"number", "offset"} and self.dialect.page_parameter:
            size = int(query.get("per_page", DEFAULT_SIZE))
            return self._past_the_end(query, page_parameters(self.dialect, number - 1, size))
        first = self.page(query)
        second = self.second_page(query, first)
        if second is None:
            raise InvalidArgument(
                f"page={number}: no way of asking this service for further pages was found.\n"
                f"Pin the parameter if you know it: client.{self.spec.name}.dialect."
            )
        if not second.columns.ids:
            return second
        if number > 2 and self.dialect.paging in {"number", "offset"}:
            size = first.reply.size or len(first.columns.ids)
            return self._past_the_end(query, page_parameters(self.dialect, number - 1, size))
        page = second
        for _ in range(number - 2):
            extra = following(page.reply, page.asked, self.dialect)
            if extra is None:
                return self._empty(first)
            page = self.page(query, extra)
        return page

    def _past_the_end(self, query: Mapping[str, Parameter], extra: Mapping[str, str]) -> Page:
        """Ask for a page that may not be there; some services answer 404 behind the last one."""
        try:
            return self.page(query, extra)
        except NotFound:
            return self._empty(self.page(query))

    def ends(self, query: Mapping[str, Parameter], first: Page, **limits: Any) -> bool:
        """Whether nothing follows a first page; a second is asked for where its total may count the page only."""
        if not first.is_doubtful:
            return self.is_last(first)
        second = self.second_page(query, first, **limits)
        if second is None:
            return len(first.columns.ids) < first.asked_size
        return not second.columns.ids

    def second_page(self, query: Mapping[str, Parameter], first: Page, **limits: Any) -> Page | None:
        """Ask for the second page, learning on the way how this service wants to be asked.

        Returns:
            The page, empty where nothing follows; None where nothing that was tried gives another page
            than the first.
        """
        dialect = self.dialect
        if self.is_last(first):
            return self._empty(first)
        if dialect.paging == "none":
            return None
        size = first.reply.size or len(first.columns.ids)
        for paging, name in self._worth_trying(first):
            trial = Dialect(
                paging=paging,
                page_parameter=name,
                first_page=dialect.first_page,
                size_parameter=dialect.size_parameter,
                id_name=dialect.id_name,
            )
            page = self._try_paging(query, first, trial, size, limits)
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
        """Forget totals that only count pages, now that a page follows one that was said to be all."""
        if pages[0].is_doubtful:
            self._totals_hold = False
            for page in pages:
                page.reply.total, page.is_doubtful = None, False

    def _worth_trying(self, first: Page) -> list[tuple[Paging, str]]:
        """Give the ways of asking for a second page: all of them once, where there may well be one."""
        reply, count = first.reply, len(first.columns.ids)
        ways = candidates(reply, self.dialect)
        follows = reply.more or reply.next is not None or (reply.total or 0) > count
        untried = count > self._led_nowhere and (follows or count >= DEFAULT_SIZE)
        return ways if untried else ways[:1]

    def _try_paging(
        self, query: Mapping[str, Parameter], first: Page, trial: Dialect, size: int, limits: dict[str, Any]
    ) -> Page | None:
        is_guess = trial.page_parameter != self.dialect.page_parameter
        if trial.paging in {"cursor", "after"}:
            extra = following(first.reply, first.asked, trial)
            page = self._another(query, extra, first, limits) if extra else None
            # What is called "after" may be a filter by date: that nothing comes proves nothing.
            is_proof = trial.paging == "cursor" or not is_guess
            return page if is_proof or page is None or page.columns.ids else None
        if trial.paging == "number" and isinstance(first.reply.next, int):
            trial.learn(first_page=min(max(first.reply.next - 1, 0), 1))
        if trial.paging == "number" and trial.first_page is None and first.reply.total is not None:
            # Page 1 again: the same page where counting starts at 1, the second where it starts at 0.
            page = self._another(query, {trial.page_parameter or "page": "1"}, first, limits)
            trial.first_page = 1 if page is None else 0
            if page is not None:
                return page
        page = self._another(query, page_parameters(trial, 1, size), first, limits)
        if trial.paging == "offset" and is_guess and page is not None and not page.columns.ids:
            return page if self._shifts(query, first, trial, limits) else None
        return page

    def _shifts(
        self, query: Mapping[str, Parameter], first: Page, trial: Dialect, limits: dict[str, Any]
    ) -> bool:
        """Whether an offset that leads behind all records leads to the last one of them as well."""
        ids, name = first.columns.ids, trial.page_parameter or "offset"
        shifted = self.page(query, {name: str(len(ids) - 1)}, **limits)
        found = shifted.columns.ids == ids[-1:] != ids
        if found:
            self.dialect.learn(paging="offset", page_parameter=name)
        return found

    def _another(
        self, query: Mapping[str, Parameter], extra: Mapping[str, str], first: Page, limits: dict[str, Any]
    ) -> Page | None:
        """Ask for a page; None where it is the first again, empty where the service says there is none."""
        try:
            page = self.page(query, extra, **limits)
        except NotFound:
            page = self._empty(first)
        except ValidationFailed:
            return None
        if not page.columns.ids:
            # Records may have gone meanwhile; only a parameter that is not known to be read is to blame.
            totals = (total for total in (page.reply.total, first.reply.total, 0) if total is not None)
            more = first.reply.more or next(totals) > len(first.columns.ids)
            return None if more and self.dialect.page_parameter is None else page
        return page if _leads_on(first, page) else None


def _leads_on(first: Page, page: Page) -> bool:
    """Whether a page is another than the first, which may have changed since: a service may give it again."""
    before, ids = first.columns.ids, page.columns.ids
    by_id = (first.asked.get("sort_by"), first.asked.get("sort")) == ("id", "asc")
    numbers = [id for id in (*before, *ids) if isinstance(id, int)]
    if (
        by_id
        and len(before) > 1
        and len(numbers) == len(before) + len(ids)
        and _rises(numbers[: len(before)])
    ):
        # What comes behind by id ascending never stood before it.
        return min(numbers[len(before) :]) > numbers[len(before) - 1]
    shared = set(before).intersection(ids)
    return len(shared) < len(set(ids)) and 2 * len(shared) <= len(before)


def _rises(numbers: Sequence[int]) -> bool:
    """Whether each number is larger than the one before."""
    return all(a < b for a, b in pairwise(numbers))
