"""What the tuner and the grid of looks share: a plan, its cost, its run, and what comes of it."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any, Final

import ipywidgets

from inkframe.client import STAND_IN
from inkframe.display import tag
from inkframe.display.text import counted
from inkframe.errors import InvalidArgument, OutcomeUnknown
from inkframe.library.batch import UNCONFIRMED
from inkframe.widgets.calls import client_name
from inkframe.widgets.field_panel import FieldPanel
from inkframe.widgets.run import Run, frame_of_rows, rows_of_plan

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import Future

    import pandas as pd

    from inkframe.client import Client
    from inkframe.widgets.run import Row

__all__ = ["Trial"]

#: Creations under way at once: a local engine has two places, a service is asked more.
LOCAL: Final = 2
REMOTE: Final = 4


class Trial(FieldPanel):
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
        #: The rows tried so far, by what makes them what they are.
        self._made: dict[tuple[Any, ...], Row] = {}
        #: What may have been made although no answer came.
        self._lost: dict[tuple[Any, ...], OutcomeUnknown] = {}
        self._plan_shown: pd.DataFrame | None = None
        self._rows: list[Row] = []
        self._armed: int | None = None
        self._counting = threading.Lock()
        self._cost = ipywidgets.HTML()
        super().__init__(client, controls, press=[self._cost], span=12, below=shown)
        self.observe(lambda _: self._count(), "busy")

    @property
    def _collection(self) -> Any:
        raise NotImplementedError

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
        plan = self._plan()
        rows = self._known(rows_of_plan(self._collection, plan))
        waiting = [row for row in rows if row.record is None and row.status != "unknown" and wanted(row)]
        if self._asks_twice(len(waiting)) and confirm != len(waiting):
            return self._ask_again(len(waiting))
        self._armed = None
        self._plan_shown, self._rows = plan, rows
        self._begun()
        return self._begin(lambda: self._run(waiting), self._working, total=len(waiting), cancels=True)

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

    def _run(self, waiting: Sequence[Row]) -> Any:
        at_once = LOCAL if self._client.service == STAND_IN else REMOTE
        run = Run(self._collection.create, self._cancelled, self._changed)
        run.run(waiting, at_once)
        self._renew_frame()
        self._ended_run()
        made = sum(row.record is not None for row in waiting)
        rest = "" if made == len(waiting) else f", {len(waiting) - made} not made"
        self._say(f"{counted(made, self._noun)} made{rest}.")
        self._lost |= {self._key(row): e for row, e in run.failures if isinstance(e, OutcomeUnknown)}
        if run.failures:
            self._fail(run.failures[0][1])
            self._foot.alert = f"{len(run.failures)} of {len(waiting)} failed. The first: {self._foot.alert}"
        return self.frame

    def _changed(self, row: Row) -> None:
        """Take note of a row that has begun or ended; called from the thread that makes it."""
        if row.record is not None or row.status in ("failed", "unknown"):
            self._made[self._key(row)] = row
        if row.record is not None:
            self.record = row.record
        if row.status and row.status != "skipped":
            with self._counting:
                self._foot.done += 1
        self._row_changed(row)

    def _key(self, row: Row) -> tuple[Any, ...]:
        """Give what makes a row what it is: everything but its name."""
        return (*sorted((name, value) for name, value in row.fields.items() if name != "name"), row.repeat)

    def _known(self, rows: Sequence[Row]) -> list[Row]:
        """Give the rows: those that were made before as they were made, those that failed with the reason."""
        found = []
        for row in rows:
            seen = self._made.get(self._key(row), row)
            if seen.status == "failed":
                row.status, row.error = seen.status, seen.error
                seen = row
            found.append(seen)
        return found

    def _renew_frame(self) -> None:
        if self._plan_shown is not None:
            self.frame = frame_of_rows(self._collection, self._plan_shown, self._rows)

    def _count(self) -> None:
        """Say how many creations the next press makes."""
        self._armed = None
        count = size = self._size()
        if size and not self._lacks():
            try:
                rows = self._known(rows_of_plan(self._collection, self._plan()))
                count = sum(row.record is None and row.status != "unknown" for row in rows)
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
        """Look whether a row was made after all; never makes it."""

        def look() -> Any:
            found: Any = self._lost[self._key(row)].reconcile()
            row.record = found
            row.status, row.error = ("created", None) if row.record else ("skipped", None)
            if row.record is None:
                self._made.pop(self._key(row), None)
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
