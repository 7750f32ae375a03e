"""Panels that create records from their fields."""

from __future__ import annotations

from concurrent.futures import Future
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import ipywidgets

from inkframe.creating.job import Job
from inkframe.errors import DeadlineExceeded, InvalidArgument, ValidationFailed
from inkframe.resources.records import is_finished
from inkframe.widgets.controls import button, styled
from inkframe.widgets.panel import Panel

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from inkframe.client import Client
    from inkframe.creating.create_many import Batch
    from inkframe.creating.rows import Row
    from inkframe.schema import ResourceSpec
    from inkframe.widgets.fields import FormField

__all__ = ["FieldPanel"]

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

    def _make(self, batch: Batch, rows: Sequence[Row] | None = None, **how: Any) -> Job:
        """Run a job that creates rows, and return it once it has ended; arguments as for ``Job``."""
        job = Job(batch, rows, **how)
        self._job = job
        self._client.jobs.start(job)
        job.wait()
        self._job = None
        job.seen()
        return job

    def cancel(self) -> None:
        """Cancel what has not been sent. A creation in flight is awaited and shown, since it is billed."""
        super().cancel()
        if (job := self._job) is not None:
            job.cancel()

    def _await(self, record: Any) -> Any:
        """Return a record once the service has made it in the background; Cancel returns it as it is."""
        for _ in range(AWAITED // NOTICED):
            if is_finished(record) or self.is_cancelled:
                break
            with suppress(DeadlineExceeded):
                record = self._collection.wait(record, timeout=NOTICED)
        return record

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
            wrong[0].control.focus()

    def _clear_problems(self) -> None:
        super()._clear_problems()
        self._point({})

    def _touch(self, name: str) -> None:
        """Note that a field was changed: its problem may be gone."""
        self.fields[name].problem = ""
        self.status.problems = {n: text for n, text in self.status.problems.items() if n != name}
        self._refresh()
