"""The base of panels that create: fields with their problems, and one way from a press to records.

A press plans rows, shows what they cost, asks again where many are billed, runs them as a job with its progress, waits
for what the service makes in the background, and says what became of them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from typing import Any, Final, TypeVar

import ipywidgets

from inkframe.client import Client
from inkframe.creating.create_many import UNCONFIRMED, Batch
from inkframe.creating.job import Job
from inkframe.creating.rows import Row, missing_words
from inkframe.display.markup import counted
from inkframe.errors import DeadlineExceeded, InkframeError, InvalidArgument, ValidationFailed
from inkframe.resources.records import is_finished
from inkframe.schema import ResourceSpec
from inkframe.widgets.fields import FormField
from inkframe.widgets.panel import Panel, button, styled

__all__ = ["FieldPanel", "paid"]

Result = TypeVar("Result")

#: The hint while the service works on what it has answered already.
IN_BACKGROUND: Final = "The service works in the background."
#: Creates under way at once in the demo engine, which has two places.
LOCAL: Final = 2
#: Seconds to wait for what the service makes in the background, and seconds after which Cancel is noticed.
AWAITED: Final = 180
NOTICED: Final = 2


class FieldPanel(Panel):
    """A panel with fields and a button, which creates records of one collection.

    The error of a field is shown below it.

    Args:
        client: The service's client.
        parts: The fields, and groups of fields, in order.
        beside: What is shown beside the button.
        span: How many of twelve columns the button takes.
        below: What is shown below the status.

    Attributes:
        button: The button.
    """

    #: The collection.
    _spec: ResourceSpec
    #: The work of the service, such as ``Drawing``.
    _working = ""
    #: The creates that are confirmed beforehand.
    _confirm = 0

    def __init__(
        self,
        client: Client,
        parts: Iterable[Any],
        *,
        beside: Sequence[ipywidgets.Widget] = (),
        span: int = 3,
        below: Iterable[ipywidgets.Widget] = (),
    ) -> None:
        self._collection: Any = getattr(client, self._spec.name)
        #: What creates records, while it does.
        self._job: Job | None = None
        #: The arguments of ``submit`` by which the next press confirms, once the button asked.
        self._again: Mapping[str, Any] = {}
        self._parts = tuple(parts)
        self.button = button("", self._clicked, "ink-go")
        row = styled(ipywidgets.HBox([*beside, self.button]), "ink-row", "ink-end", f"ink-span-{span}")
        super().__init__(client, [styled(ipywidgets.Box([*self._parts, row]), "ink-fields")], below)
        for part in self._parts:
            part.on_change(self._touch)
        self._refresh()

    @property
    def fields(self) -> dict[str, FormField]:
        """The fields by the names of what they fill in."""
        return {name: field for part in self._parts for name, field in part.fields.items()}

    @property
    def arguments(self) -> dict[str, Any]:
        """The values of the fields as arguments of the call, without optional ones that are empty."""
        fields = self.fields
        found = {name: fields[name].argument for name in self._spec.creates if name in fields}
        return {name: value for name, value in found.items() if value is not None}

    def _refresh(self) -> None:
        """Write the code for the current values of the fields."""
        raise NotImplementedError

    def _problems(self) -> dict[str, str]:
        """Return the errors before anything is sent, by the field's name."""
        return {name: text for part in self._parts for name, text in part.problems().items()}

    def _asks_twice(self, count: int) -> bool:
        """Return whether so many creates are paid for only after a second press."""
        return count > max(UNCONFIRMED, self._confirm) and self._client.creations_are_billed

    def _create_rows(
        self,
        batch: Batch,
        rows: Sequence[Row],
        confirm: int | None,
        *,
        begun: Callable[[], Any],
        again: Mapping[str, Any] = {},
        **how: Callable[..., Any],
    ) -> Future[Any]:
        """Create rows of a batch in a thread, after a second press where they are many.

        Args:
            batch: The batch.
            rows: The rows that lack a record.
            confirm: The number of creates that was confirmed.
            begun: Called at once, unless the second press is missing.
            again: Arguments of ``submit`` that the second press has too.
            how: Arguments of ``_run``.
        """
        count, self._again = paid(batch, rows), {}
        if self._asks_twice(count) and confirm != count:
            self._again = {"confirm": count, **again}
            creates = counted(count, batch.noun)
            self.button.description = f"Yes, create {creates}"
            self._ended = (time.monotonic(), self.code)  # the second half of a double click is no yes
            where = f"This creates {creates} on {self._client.service}."
            self.say(f"{where} Press again to continue.")
            return self._refuse(InvalidArgument(f"{where}\nConfirm with submit(confirm={count})."), {})
        begun()
        return self._begin(
            partial(self._run, batch, rows, **how), self._working, total=len(rows), cancels=True
        )

    def _run(
        self,
        batch: Batch,
        rows: Sequence[Row],
        *,
        told: Callable[[], Result],
        shown: Callable[[], Any] = lambda: None,
    ) -> Result:
        """Create rows, wait for what the service makes in the background, and return the result.

        Args:
            batch: The batch.
            rows: Some of its rows.
            told: Says what became of them, and returns the result.
            shown: Shows them, also what was created before a failure.
        """
        self._job = job = Job(
            batch, rows, changed=self._changed, at_once=LOCAL if self._client.is_demo else None
        )
        self._client.jobs.start(job)
        job.exception()
        self._job = None
        try:
            if not job.cancelled():
                job.result()
            self._await_pending(batch, rows)
        finally:
            shown()
        return told()

    def _changed(self, row: Row) -> None:
        """Count and show a row that has begun or ended; called from the thread that creates it."""
        if row.status and row.status != "skipped" and self.status.total:
            with self._lock:
                self.status.done += 1
                if (job := self._job) is not None:
                    self.status.hint = job.hint
        self._row_changed(row)

    def _row_changed(self, row: Row) -> None:
        """Show a row that has begun or ended."""

    def _await_pending(self, batch: Batch, rows: Sequence[Row]) -> None:
        """Wait for what the service makes in the background, and show it; Cancel ends the waiting."""
        for row in (row for row in rows if row.status == "pending"):
            self.status.set_state({"hint": IN_BACKGROUND, "cancels": True})
            collection = getattr(self._client, f"{batch.noun}s")
            try:
                for _ in range(AWAITED // NOTICED):
                    if is_finished(row.record) or self.is_cancelled:
                        break
                    with suppress(DeadlineExceeded):
                        self._renew_record(row, collection.wait(row.record, timeout=NOTICED))
            except InkframeError as error:
                row.error, row.cause = str(error), error
            self._row_changed(row)

    def _renew_record(self, row: Row, record: Any) -> None:
        row.record = record
        row.status = "created" if is_finished(record) else "pending"

    def _tell(self, batch: Batch, rows: Sequence[Row], *more: str) -> None:
        """Report how many records were created, how many were there, and what failed first."""
        earlier = sum(row.status == "existing" for row in rows)
        made = sum(row.record is not None for row in rows) - earlier
        here = f"{counted(made, batch.noun)} created" + (f", {earlier} created earlier" if earlier else "")
        words = here if made or not earlier else f"{counted(earlier, batch.noun)} created earlier"
        self.say(" ".join([f"{words}{missing_words(rows)}.", *more]))
        if failures := [row.cause for row in rows if row.cause is not None]:
            self._fail(failures[0])
            self.status.alert = f"{len(failures)} of {len(rows)} failed. The first: {self.status.alert}"

    def _press(self, **how: Any) -> None:
        self.submit(**{**self._again, **how})

    def cancel(self) -> None:
        """Cancel what has not been sent. A creation in flight is awaited and shown, since it is billed."""
        super().cancel()
        if (job := self._job) is not None:
            job.cancel()
            self.status.hint = job.hint if self.status.total else self.status.hint

    def _refusal(self) -> Future[Any] | None:
        """Return the future of what goes on, or a failed one where fields lack something; None where work can begin."""
        if self._under_way is not None or not (problems := self._problems()):
            return self._under_way
        return self._refuse(InvalidArgument("\n".join([*problems.values()][:3])), problems)

    def _refuse(self, error: InvalidArgument, problems: Mapping[str, str]) -> Future[Any]:
        self._clear_problems()
        self._point(problems)
        self.status.alert = " ".join(text for name, text in problems.items() if name not in self.fields)
        self.error = error
        refused: Future[Any] = Future()
        refused.set_exception(error)
        return refused

    def _fail(self, error: Exception) -> None:
        named = error.fields if isinstance(error, ValidationFailed) else {}
        here = {name: " ".join(messages) for name, messages in named.items() if name in self.fields}
        self._point(here)
        if here and len(here) == len(named):
            self.error = error
        else:
            super()._fail(error)

    def _point(self, problems: Mapping[str, str]) -> None:
        """Show each problem at its field, and put the cursor into the first."""
        fields = self.fields
        for name, field in fields.items():
            field.problem = problems.get(name, "")
        self.status.problems = dict(problems)  # the page links what the fields show by now
        wrong = [field for name, field in fields.items() if name in problems]
        if wrong:
            wrong[0].control.send({"do": "focus"})  # what focus() of ipywidgets 8 sends

    def _clear_problems(self) -> None:
        super()._clear_problems()
        self._point({})

    def _touch(self, name: str) -> None:
        """Note that a field was changed: its problem may be gone."""
        self.fields[name].problem = ""
        self.status.problems = {n: text for n, text in self.status.problems.items() if n != name}
        self._refresh()


def paid(batch: Batch, rows: Iterable[Row]) -> int:
    """Return the number of creates that are paid for."""
    return sum(row.record is None and not batch.is_known(row) for row in rows)
