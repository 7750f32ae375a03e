"""Single pages of the lists of one collection: asked for, read, and judged."""

from __future__ import annotations

from contextlib import suppress
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from inkframe.errors import NotFound, UnexpectedReply
from inkframe.http.body import parse_json
from inkframe.http.encoding import encode_query, wire_text
from inkframe.http.error_replies import spoken_refusal
from inkframe.replies.dialect import Dialect
from inkframe.replies.list_reply import ListReply, read_list
from inkframe.replies.paging_style import learn_paging
from inkframe.replies.record_reply import Columns, is_rounded, read_columns, refuse_blank
from inkframe.replies.vocabulary_decoder import Labels

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from inkframe.concurrency.cancellation import CancelScope
    from inkframe.http.encoding import Parameter
    from inkframe.http.response import Reply
    from inkframe.http.sender import Conversation
    from inkframe.replies.resource_spec import Kind
    from inkframe.vocabulary import Vocabulary

__all__ = ["DEFAULT_SIZE", "Page", "Pages", "without_errors"]

#: What a service gives when the size is not asked for, by the interface.
DEFAULT_SIZE = 10
#: The list parameters that do not narrow it.
ORDER = frozenset({"sort", "sort_by", "per_page"})


@dataclass(slots=True)
class Page:
    """One page of a collection.

    Args:
        reply: The page as the service described it.
        columns: Its records.
        asked: The parameters that were sent.
        headers: The headers of the reply.
        is_doubtful: Whether its total may be the number of the records on it, since they fill it.
    """

    reply: ListReply
    columns: Columns
    asked: dict[str, str]
    headers: Mapping[str, str]
    is_doubtful: bool = False

    @property
    def asked_size(self) -> int:
        """How many records were asked for."""
        return int(self.asked.get("per_page", DEFAULT_SIZE))


class Pages:
    """A collection as far as pages of its lists are asked for one by one.

    Args:
        conversation: What sends the requests.
        kind: Images or documents.
        vocabulary: Gives the values that the service allows, by which labels are read.
    """

    def __init__(self, conversation: Conversation, kind: Kind, vocabulary: Callable[[], Vocabulary]) -> None:
        self.conversation = conversation
        self.kind = kind
        self.dialect = Dialect()
        self._vocabulary = vocabulary
        self._labels: Labels | None = None
        #: The most records that any page has shown: a service gives at least that many at a time.
        self._fullest = 0
        #: Whether a page was given in full, so that the collection is known to be there.
        self._was_listed = False
        #: Whether totals count the whole, and not the page; None until a reply shows it.
        self._totals_hold: bool | None = None
        # Locations of the embedded service lead nowhere outside of this process: left as they are.
        self._address = None if conversation.in_process else conversation.address

    def page(
        self,
        query: Mapping[str, Parameter],
        extra: Mapping[str, str] | None = None,
        *,
        tries: int | None = None,
        seconds: float | None = None,
        scope: CancelScope | None = None,
    ) -> Page:
        """Ask for one page.

        Args:
            query: The list parameters of the interface.
            extra: Parameters that choose the page.
            tries: How often to try at most.
            seconds: The deadline.
            scope: What cancels it.

        Raises:
            UnexpectedReply: The reply is no list.
            InkframeError: Whatever else went wrong.
        """
        asked = {name: wire_text(value) for name, value in query.items()} | dict(extra or {})
        limits: dict[str, Any] = {"tries": tries, "seconds": seconds, "scope": scope}
        size_name = self.dialect.size_parameter
        if size_name and "per_page" in asked:
            asked.setdefault(size_name, asked["per_page"])
        try:
            reply = self.conversation.send(
                "GET", f"/{self.kind.resource}", query=encode_query(asked), **limits
            )
        except NotFound:
            if extra or not self._may_be_empty(query, extra, limits):
                raise
            return self.nothing(asked)
        is_null = reply.body.strip() == b"null"
        if reply.status == 204 or (is_null and self._may_be_empty(query, extra, limits)):
            return self.nothing(asked, None if extra else 0)
        listed = self._read_list(reply)
        if not extra:
            learn_paging(listed, asked, self.dialect)
        columns = self._columns(listed.records)
        refuse_blank(listed.records, columns, self.kind)
        self._was_listed = True
        count = len(columns.ids)
        page = Page(listed, columns, asked, reply.headers)
        page.is_doubtful = self._doubts(page)
        self._fullest = max(self._fullest, count)
        is_short = count < int(asked.get("per_page", 0)) and not self.is_last(page)
        if is_short and not extra and size_name != self.dialect.size_parameter:
            return self.page(query, **limits)
        return page

    def nothing(self, asked: dict[str, str], total: int | None = 0) -> Page:
        """Give a page without records, of a list of so many."""
        return Page(ListReply([], total=total), self._columns([]), asked, {})

    def _may_be_empty(
        self, query: Mapping[str, Parameter], extra: Mapping[str, str] | None, limits: dict[str, Any]
    ) -> bool:
        """Whether a list that is not there, or null, is one of nothing, since the whole collection is there."""
        if not extra and query.keys() <= ORDER:
            return False
        if not self._was_listed:
            with suppress(NotFound):
                self.page({}, **limits)
        return self._was_listed

    def _doubts(self, page: Page) -> bool:
        """Whether a page's total may be the number of its records; one that is known to be is left out."""
        reply, count = page.reply, len(page.columns.ids)
        if self._totals_hold is False:
            reply.total = None
        elif reply.total is not None and reply.total > count:
            self._totals_hold = True
        says_no_more = reply.last_page is reply.next is reply.more is None
        return says_no_more and reply.total == count >= DEFAULT_SIZE and not self._totals_hold

    def _read_list(self, reply: Reply) -> ListReply:
        self._refuse_spoken(reply, lambda raw, known: read_list(raw, {}, self.kind, known).records)
        listed = read_list(reply.value, reply.headers, self.kind, self.dialect)
        if any(is_rounded(record, self.kind) for record in listed.records[:1] + listed.records[-1:]):
            exact = parse_json(reply.body, exactly=True)
            listed = read_list(exact, reply.headers, self.kind, self.dialect)
        return listed

    def _refuse_spoken(self, reply: Reply, find: Callable[[Any, Dialect], list[dict[str, Any]]]) -> None:
        """Raise what a reply of success says went wrong, unless it shows what was asked for."""
        spoken = spoken_refusal(reply.value, self.conversation.key)
        if spoken is None:
            return
        with suppress(UnexpectedReply):
            # An error may have an id of its own, or be told about a record that has an error of its own.
            found = find(without_errors(reply.value), copy(self.dialect))
            if any(not self.kind.readers.keys().isdisjoint(record) for record in found):
                return
        raise spoken

    def _empty(self, page: Page) -> Page:
        reply = ListReply([], page.reply.total, page.reply.last_page)
        return Page(reply, self._columns([]), page.asked, page.headers)

    def is_last(self, page: Page) -> bool:
        """Whether a first page says, or shows by being short, that nothing follows it.

        ``ends`` also asks, where the page leaves it in doubt.
        """
        reply = page.reply
        count = len(reply.records)
        if reply.next is not None or reply.more:
            return False
        if reply.more is False or count == 0:
            return True
        if reply.last_page is not None and reply.last_page > (self.dialect.first_page or 1):
            # Whatever the total says: some services count the page and not the whole.
            return reply.total is not None and reply.total <= count < page.asked_size
        if reply.total is not None:
            return reply.total <= count and not page.is_doubtful
        if reply.last_page is not None:
            return True
        # A page that is short may be as long as the service makes them, unless another was longer.
        return count < min(page.asked_size, self._fullest)

    def _columns(self, records: Sequence[dict[str, Any]]) -> Columns:
        vocabulary = self._vocabulary()
        if self._labels is None or self._labels.vocabulary is not vocabulary:
            self._labels = Labels(vocabulary)
        return read_columns(records, self.kind, self.dialect, self._labels, self._address)


def without_errors(value: Any) -> Any:
    """Give a reply without what it says went wrong."""
    return {key: inner for key, inner in value.items() if key not in {"error", "errors"}}
