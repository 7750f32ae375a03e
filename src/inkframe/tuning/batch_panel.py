"""What the tuner and the grid of looks share: a plan, its cost, its run, and rating before anything is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from functools import partial
from typing import Any

import ipywidgets
import pandas as pd

from inkframe.client import Client
from inkframe.creating.create_many import Batch
from inkframe.creating.identity import Identity
from inkframe.creating.rows import Row
from inkframe.deciding.rating_panel import RatingPanel
from inkframe.display.markup import counted, tag
from inkframe.errors import InvalidArgument
from inkframe.widgets.field_panel import FieldPanel, paid
from inkframe.widgets.panel import Question, button, client_name, own_vocabulary, show, styled, write_call

__all__ = ["BatchPanel"]


class BatchPanel(FieldPanel):
    """A plan that is run: many creations that differ in their settings.

    Created records are kept as long as the panel, so that no row is created twice.

    Args:
        client: The service's client.
        parts: The fields of the plan.
        shown: Where its outcome is shown.
        beside: What is shown beside the buttons.

    Attributes:
        cost: What the next press of the button costs.
        blind: What hides the outcome of a run that is rated first, and rates it.
    """

    #: What a person can do with the outcome.
    _next = ""
    #: Returns the rows of a plan; the arguments are the fields.
    _make_plan: Callable[..., pd.DataFrame]

    def __init__(
        self,
        client: Client,
        parts: Iterable[Any],
        shown: Sequence[ipywidgets.Widget],
        beside: Sequence[ipywidgets.Widget] = (),
    ) -> None:
        #: The rows tried so far, by identity.
        self._tried: dict[Identity, Row] = {}
        #: The run that is shown; None before the first one.
        self._batch: Batch | None = None
        self.cost = ipywidgets.HTML()
        self.blind = BlindRun(shown, self._show_outcome, self._rated)
        self.question = Question()
        self.blind_button = button("Create and rate blind", partial(self._clicked, blind=True))
        super().__init__(
            client,
            parts,
            beside=[self.cost, *beside, self.blind_button],
            span=12,
            below=[self.question, self.blind, self.blind.outcome],
        )
        self.observe(lambda _: self._count(), "busy")

    @property
    def rows(self) -> list[Row]:
        """The rows of the run that is shown, and what became of each."""
        return [] if self._batch is None else self._batch.rows

    def submit(self, confirm: int | None = None, *, blind: bool = False) -> Future[pd.DataFrame]:
        """Create what the plan has and is not there yet, in a thread.

        Args:
            confirm: The number of creations, which a service at an address asks for past 25; the button asks
                for a second press instead.
            blind: Whether to hide the outcome until it is rated and revealed in ``blind.panel``.

        Returns:
            A future of the plan's frame with what became of each row. It holds an ``InvalidArgument`` where
            fields lack something or the number is not confirmed; nothing is sent then.
        """
        return self._create_some(lambda _row: True, confirm, blind=blind)

    def _size(self) -> int:
        """Return the number of creations that the fields ask for."""
        raise NotImplementedError

    def _plan(self) -> pd.DataFrame:
        """Return every creation that the fields ask for.

        Raises:
            InvalidArgument: A value is invalid.
        """
        return self._make_plan(**self.arguments, vocabulary=self._client.vocabulary, quiet=True)

    def _written(self, client: str) -> dict[str, Any]:
        """Return the arguments of the plan as the code has them."""
        return self.arguments | {"vocabulary": own_vocabulary(self._client.vocabulary, client)}

    def _compared(self) -> list[str]:
        """Return the settings that vary in the run that is shown."""
        raise NotImplementedError

    def _show_rows(self, rows: Sequence[Row]) -> None:
        """Show the rows that the fields ask for."""

    def _begun(self) -> None:
        """Show the rows of a run that begins."""
        self._show_rows(self.rows)

    def _draw_row(self, row: Row) -> None:
        """Draw a row that has begun or ended."""

    def _ended_run(self) -> None:
        """Show what can be shown only once all rows are there."""

    def _counted(self, rows: Sequence[Row]) -> None:
        """Note which rows the fields ask for."""

    def _rated(self) -> None:
        """Note that a text of a blind run was rated."""

    def _refresh(self) -> None:
        client, size = client_name(self._client), self._size()
        plan = write_call(f"ink.{self._make_plan.__name__}", self._written(client))
        confirm = f", confirm={size}" if self._asks_twice(size) else ""
        run = f"{client}.{self._spec.name}.create_many(plan{confirm})"
        self.code = f"import inkframe as ink\n\nplan = {plan}\nruns = {run}"
        self._count()

    def _count(self) -> None:
        """Show how many creations the next press makes."""
        self._again = {}
        size, batch = self._size(), None if self._problems() else self._planned()
        rows = [] if batch is None else batch.rows
        missing = sum(row.record is None for row in rows) if rows else size
        count = size if batch is None else paid(batch, rows)
        if not self.busy and not self.blind.is_on:
            self._show_rows(rows)
        self.button.disabled = self.blind_button.disabled = self.busy or not missing
        creations = counted(count, self._spec.noun)
        self.button.description = f"Create {creations}"
        if size and not count:
            is_lost = batch is not None and any(batch.earlier.create_of(row).step == "search" for row in rows)
            words = ("Search for {}" if is_lost else "Show {} created earlier") if missing else "All created"
            self.button.description = words.format(counted(missing, self._spec.noun))
        cost = f"Will create {creations} ({self._collection.service})" if count else ""
        cost += "; asks for confirmation" if self._asks_twice(count) else ""
        self.cost.value = str(tag("span", cost if size else self._missing(), class_="ink-hint"))
        self._counted(rows)

    def _problems(self) -> dict[str, str]:
        found = super()._problems()
        if not found and not self._size():
            found = {"": self._missing()}
        if not found:
            try:
                self._planned()
            except InvalidArgument as error:
                found = {"name": str(error).replace("\n", " ")}
        return found

    def _missing(self) -> str:
        """Return the hint for fields without a value where the plan needs one."""
        empty = [name for name, value in self.arguments.items() if value == []]
        return f"Select at least one {' and one '.join(empty)}."

    def _planned(self) -> Batch:
        """Return the rows that the fields ask for, with what is known of them.

        Raises:
            InvalidArgument: A row is invalid.
        """
        batch: Batch = self._collection.batch(self._plan(), None, stopped=self._cancelled)
        batch.take_over(self._tried)
        return batch

    def _create_some(
        self, wanted: Callable[[Row], bool], confirm: int | None = None, *, blind: bool = False
    ) -> Future[pd.DataFrame]:
        """Create those rows of the plan that are wanted and not there yet."""
        if (refusal := self._refusal()) is not None:
            return refusal
        batch = self._planned()
        waiting = [row for row in batch.rows if row.record is None and wanted(row)]
        return self._create_rows(
            batch,
            waiting,
            confirm,
            again={"blind": blind},
            begun=partial(self._begin_run, batch, blind=blind),
            shown=self._end_run,
            told=partial(self._tell_run, batch, waiting, blind=blind),
        )

    def _begin_run(self, batch: Batch, *, blind: bool) -> None:
        """Show the rows of a run, or hide them."""
        self._batch = batch
        self.blind.begin(blind=blind)
        if not blind:
            self._begun()
            self.blind.note_shown(row.record.id for row in batch.rows if row.record is not None)

    def _end_run(self) -> None:
        self._renew_frame()
        if self.blind.is_on:
            try:
                self.blind.rate(self.frame, self._compared())
            except InvalidArgument:  # there is nothing to rate: what went wrong is shown
                self.blind.end()

    def _tell_run(self, batch: Batch, rows: Sequence[Row], *, blind: bool) -> Any:
        if not blind:
            self._ended_run()
        is_made = any(row.record is not None for row in rows)
        self._tell(batch, rows, *[self._next] * (is_made and not blind))
        # A person presses a button instead of the argument that the error names.
        if gone := [row for row in rows if "; fresh=True" in str(row.error)]:
            reason = str(gone[0].error).partition("; fresh=True")[0]
            text = f"{counted(len(gone), batch.noun)} skipped: the first was {reason}."
            self.question.ask(text, {"Let them be created again": partial(self._let_create, *gone)})
        return self.frame

    def _row_changed(self, row: Row) -> None:
        if row.record is not None or row.status in ("failed", "unknown"):
            self._tried[row.identity] = row
        if row.record is not None:
            self.record = row.record
        self._show_change(row)

    def _show_change(self, row: Row) -> None:
        """Draw a row that has begun or ended, unless the outcome is hidden."""
        if not self.blind.is_on:
            self.blind.note_shown([row.record.id] if row.record is not None else [])
            self._draw_row(row)

    def _show_outcome(self) -> None:
        """Show a run that was hidden."""
        self._begun()
        for row in self.rows:
            self._show_change(row)
        self._ended_run()

    def _look_for(self, row: Row) -> Future[Any]:
        """Check whether a row was created after all, or is finished by now; never create it."""

        def look() -> Any:
            if row.record is not None:
                self._renew_record(row, self._collection.get(row.record))
                is_there = row.status == "created"
                self.say("" if is_there else f"The {self._spec.noun} is not finished yet.")
            elif self._batch is not None:
                self._batch.look_for(row)
            self._show_row(row)
            self._count()
            if row.status == "unknown":
                text = f"It is unclear whether it was created: {row.error}."
                self.question.ask(text, {"Let it be created again": partial(self._let_create, row)})
            return row.record

        return self._aside(look)

    def _let_create(self, *rows: Row) -> None:
        """Let the next press create rows that may have been created, or were deleted, since a person decided so."""
        for row in rows:
            if self._batch is not None:
                self._batch.let_create(row)
            self._show_row(row)
        self._count()

    def _update(self, row: Row, **fields: Any) -> Future[Any]:
        """Update a created record while other work continues, and show the result."""

        def change() -> Any:
            self.record = row.record = self._collection.update(row.record, **fields)
            self._show_row(row)
            return row.record

        return self._aside(change)

    def _show_row(self, row: Row) -> None:
        self._renew_frame()
        self._show_change(row)

    def _renew_frame(self) -> None:
        if self._batch is not None:
            self.frame = self._batch.frame()


class BlindRun(ipywidgets.VBox):  # type: ignore[misc]  # ipywidgets carries no types
    """The place of a rating panel, and what it keeps hidden until Reveal.

    Args:
        outputs: What shows the outcome of a run.
        reveal: Called once the outcome can be shown.
        rated: Called after each rating.

    Attributes:
        outcome: The box of the outputs.
        is_on: Whether the outcome is hidden.
        panel: The rating panel, once there is something to rate.
    """

    def __init__(
        self, outputs: Sequence[ipywidgets.Widget], reveal: Callable[[], Any], rated: Callable[[], Any]
    ) -> None:
        super().__init__()
        styled(self, "ink-outcome")
        # The outputs themselves may hide in their own ways.
        self.outcome = styled(ipywidgets.VBox(list(outputs)), "ink-outcome")
        self._reveal, self._rated = reveal, rated
        self._seen: set[Any] = set()
        self.is_on = False
        self.panel: RatingPanel | None = None

    def begin(self, *, blind: bool) -> None:
        """Hide the outcome of the run that begins, or show it."""
        if self.panel is not None:
            self.panel.close()
        self.panel, self.is_on = None, blind
        self.set_trait("children", [])
        show(self.outcome, shown=not blind)

    def note_shown(self, ids: Iterable[Any]) -> None:
        """Note that these records are shown with their settings, so that no rating of them is blind any more."""
        if not self.is_on:
            self._seen |= set(ids)

    def rate(self, frame: pd.DataFrame, by: Sequence[str]) -> None:
        """Have the outcome rated.

        Args:
            frame: The outcome.
            by: The settings that vary.
        """
        self.panel = RatingPanel(frame, by=by, per_group=len(frame))
        self.panel.mark_seen(self._seen)
        self.panel.observe(lambda _: self.end(), "revealed")
        self.panel.observe(lambda _: self._rated(), "frame")
        self.set_trait("children", [self.panel])

    def end(self) -> None:
        """Show the outcome, below its ratings."""
        self.is_on = False
        show(self.outcome)
        self._reveal()
