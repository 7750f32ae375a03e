"""What the tuner and the grid of looks share: a plan, its cost, its run, and what comes of it."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any, Final

import ipywidgets

from inkframe.client import STAND_IN
from inkframe.display import tag
from inkframe.display.plain_text import counted
from inkframe.errors import InkframeError, InvalidArgument
from inkframe.widgets.call_source import client_name
from inkframe.widgets.field_panel import FieldPanel
from inkframe.workflows.create_many import IN_FLIGHT, UNCONFIRMED, Batch
from inkframe.workflows.create_rows import is_finished
from inkframe.workflows.journal import Journal

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import Future

    import pandas as pd

    from inkframe.client import Client
    from inkframe.workflows.create_rows import Row

__all__ = ["BatchPanel"]

#: Creations under way at once where the service is local: its engine has two places.
LOCAL: Final = 2
#: Failures in a row after which nothing more is begun: what ails one then ails all, and each may cost.
MOST_FAILURES: Final = 3


class BatchPanel(FieldPanel):
    """A plan that is run: many creations that differ in their settings.

    What was made stays at hand for as long as the panel does, so that the same row is not made twice.

    Args:
        client: The service's client.
        controls: What the plan is made of.
        shown: Where its outcome is shown.
        noun: What it makes: ``image`` or ``document``.
        working: What the service does meanwhile, such as ``Drawing``.
    """

    def __init__(
        self,
        client: Client,
        controls: Sequence[ipywidgets.Widget],
        shown: Sequence[ipywidgets.Widget],
        noun: str,
        working: str,
    ) -> None:
        self._noun, self._working = noun, working
        #: What the panel knows of its creations, by everything that makes them what they are but their names.
        self._journal = Journal()
        #: The rows tried so far, by their identity.
        self._tried: dict[str, Row] = {}
        #: The rows of the run that is shown.
        self._batch: Batch | None = None
        self._armed: int | None = None
        self._counting = threading.Lock()
        self._cost = ipywidgets.HTML()
        super().__init__(client, controls, press=[self._cost], span=12, below=shown)
        self.observe(lambda _: self._count(), "busy")

    @property
    def _collection(self) -> Any:
        raise NotImplementedError

    @property
    def _rows(self) -> list[Row]:
        return [] if self._batch is None else self._batch.rows

    def _plan(self) -> pd.DataFrame:
        """Give every creation that the controls ask for."""
        raise NotImplementedError

    def _size(self) -> int:
        """Give the number of creations that the controls ask for."""
        raise NotImplementedError

    def _begun(self) -> None:
        """Make room for the rows of a run that begins."""

    def _row_changed(self, row: Row) -> None:
        """Show a row that has begun or ended."""
        raise NotImplementedError

    def _ended_run(self) -> None:
        """Show what can be said only once all rows are there."""

    def _lacks(self) -> dict[str, str]:
        """Say what the fields lack that a plan needs."""
        return super()._problems()

    def _problems(self) -> dict[str, str]:
        found = self._lacks()
        if not found and not self._size():
            found = {"": "Choose at least one of each."}
        if not found:
            try:
                self._plan()
            except InvalidArgument as error:
                found = {"name": str(error).replace("\n", " ")}
        return found

    def submit(self, confirm: int | None = None) -> Future[pd.DataFrame]:
        """Create what the plan has and is not there yet, in a thread.

        Args:
            confirm: The number of creations, which a service at an address asks for past 25; the button asks
                for a second press instead.

        Returns:
            A future of the plan's frame with what became of each row. It holds an ``InvalidArgument`` where
            fields lack something or the number is not confirmed; nothing is sent then.
        """
        return self._create_some(lambda _row: True, confirm)

    def _create_some(self, wanted: Callable[[Row], bool], confirm: int | None = None) -> Future[pd.DataFrame]:
        """Create those rows of the plan that are wanted and not there yet."""
        if (under_way := self._under_way) is not None:
            return under_way
        if (refusal := self._refusal()) is not None:
            return refusal
        batch = self._planned()
        waiting = [row for row in batch.rows if row.record is None and wanted(row)]
        if self._asks_twice(len(waiting)) and confirm != len(waiting):
            return self._ask_again(len(waiting))
        self._armed = None
        self._batch = batch
        self._begun()
        return self._begin(lambda: self._run(batch, waiting), self._working, total=len(waiting), cancels=True)

    def _planned(self) -> Batch:
        """Give the rows that the controls ask for, with what is known of them.

        Raises:
            InvalidArgument: A row will not do.
        """
        batch = Batch(self._collection, self._plan(), self._journal, by_name=False, cancelled=self._cancelled)
        batch.take_over(self._tried)
        return batch

    def _write_code(self, plan: str) -> str:
        """Give the code that makes a plan and runs it."""
        size = self._size()
        confirm = f", confirm={size}" if self._asks_twice(size) else ""
        many = f"{client_name(self._client)}.{self._collection.resource}.create_many"
        return f"import inkframe as ink\n\nplan = {plan}\nruns = {many}(plan{confirm})"

    def _press(self) -> None:
        self.submit(self._armed)

    def _asks_twice(self, count: int) -> bool:
        return count > UNCONFIRMED and self._client.service != STAND_IN

    def _ask_again(self, count: int) -> Future[Any]:
        """Say what it costs, and take the next press for a yes."""
        self._armed = count
        self._button.description = f"Yes, create {count:,} {self._noun}s"
        self._ended = (time.monotonic(), self.code)
        where = f"This makes {count} creations on {self._client.service}."
        self._say(f"{where} Press again to go on.")
        return self._refuse(InvalidArgument(f"{where}\nConfirm with submit(confirm={count})."), {})

    def _run(self, batch: Batch, waiting: Sequence[Row]) -> Any:
        at_once = LOCAL if self._client.service == STAND_IN else IN_FLIGHT
        batch.look_up(waiting)  # what may have been made before is not made again
        settled = [row for row in waiting if row.status]
        for row in settled:
            self._changed(row)
        unmade = [row for row in waiting if not row.status]
        batch.make(unmade, at_once, changed=self._changed, most_failures=MOST_FAILURES)
        self._await_pending(waiting)
        self._renew_frame()
        self._ended_run()
        made = sum(row.record is not None for row in waiting)
        rest = "" if made == len(waiting) else f", {len(waiting) - made} not made"
        self._say(f"{counted(made, self._noun)} made{rest}.")
        failures = [row.cause for row in waiting if row.cause is not None]
        if failures:
            self._fail(failures[0])
            self._status.alert = f"{len(failures)} of {len(waiting)} failed. The first: {self._status.alert}"
        return self.frame

    def _await_pending(self, rows: Sequence[Row]) -> None:
        """Wait for what the service makes in the background, and show it; Cancel ends the waiting."""
        for row in rows:
            if row.status != "pending" or row.record is None:
                continue
            try:
                row.record = self._await(self._collection, row.record)
                row.status = "created" if is_finished(row.record) else "pending"
            except InkframeError as error:
                row.error, row.cause = str(error), error
            self._row_changed(row)

    def _changed(self, row: Row) -> None:
        """Take note of a row that has begun or ended; called from the thread that makes it."""
        if row.record is not None or row.status in ("failed", "unknown"):
            self._tried[row.identity] = row
        if row.record is not None:
            self.record = row.record
        if row.status and row.status != "skipped":
            with self._counting:
                self._status.done += 1
        self._row_changed(row)

    def _renew_frame(self) -> None:
        if self._batch is not None:
            self.frame = self._batch.frame()

    def _count(self) -> None:
        """Say how many creations the next press makes."""
        self._armed = None
        count = size = self._size()
        if size and not self._lacks():
            try:
                count = sum(row.record is None for row in self._planned().rows)
            except InvalidArgument:
                count = size
        self._button.disabled = self.busy or not count
        self._button.description = (
            f"Create {counted(count, self._noun)}" if count or not size else "All are made"
        )
        where = f"{counted(count, 'creation')} on {self._client.service}"
        more = "; asks twice" if self._asks_twice(count) else ""
        self._cost.value = str(tag("span", where + more if count else "", class_="ink-hint"))

    def _look_for(self, row: Row) -> Future[Any]:
        """Look whether a row was made after all, or is finished by now; never makes it."""

        def look() -> Any:
            if row.record is not None:
                row.record = self._collection.get(row.record)
                row.status = "created" if is_finished(row.record) else "pending"
                self._say("" if row.status == "created" else f"The {self._noun} is still being made.")
            elif self._batch is not None:
                self._batch.look_for(row)
            if row.record is None:
                self._tried.pop(row.identity, None)
                self._say(f"The service has no such {self._noun}. It was not made.")
            self._renew_frame()
            self._row_changed(row)
            self._count()
            return row.record

        return self._aside(look)

    def _update(self, row: Row, **fields: Any) -> Future[Any]:
        """Change a record that was made, beside whatever goes on, and show it as it is then."""

        def change() -> Any:
            row.record = self._collection.update(row.record, **fields)
            self.record = row.record
            self._renew_frame()
            self._row_changed(row)
            return row.record

        return self._aside(change)
