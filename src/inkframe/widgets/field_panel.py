"""Panels that send what their fields say."""

from __future__ import annotations

from concurrent.futures import Future
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import ipywidgets

from inkframe.errors import DeadlineExceeded, InvalidArgument, ValidationFailed
from inkframe.widgets.controls import button, styled
from inkframe.widgets.panel import Panel
from inkframe.workflows.create_rows import is_finished

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from inkframe.client import Client
    from inkframe.widgets.form_fields import FormField

__all__ = ["FieldPanel"]

#: Seconds for which what a service makes in the background is awaited, and after how many Cancel is heard.
AWAITED: Final = 180
HEARD: Final = 2


class FieldPanel(Panel):
    """A panel with fields and a button; what is wrong with a field stands at the field.

    Args:
        client: The service's client.
        controls: The fields, in order.
        press: What stands in the row of the button, before it.
        span: How many of twelve columns that row takes.
        below: What stands below the status.
    """

    #: The fields that must hold something.
    _required: tuple[str, ...] = ()

    def __init__(
        self,
        client: Client,
        controls: Sequence[ipywidgets.Widget],
        *,
        press: Sequence[ipywidgets.Widget] = (),
        span: int = 3,
        below: Iterable[ipywidgets.Widget] = (),
    ) -> None:
        self._button = button("", self._clicked, "ink-go")
        row = styled(ipywidgets.HBox([*press, self._button]), "ink-row", "ink-end", f"ink-span-{span}")
        super().__init__(client, [styled(ipywidgets.Box([*controls, row]), "ink-fields")], below)

    def _fields(self) -> dict[str, FormField]:
        """Give the fields by the names of what they stand for."""
        raise NotImplementedError

    def _refresh(self) -> None:
        """Take account of what the fields say now."""
        raise NotImplementedError

    def _problems(self) -> dict[str, str]:
        """Say what is wrong with which field before anything is sent."""
        return {
            name: f"{field.control.description} is required."
            for name, field in self._fields().items()
            if name in self._required and not field.value.strip()
        }

    def _await(self, collection: Any, record: Any) -> Any:
        """Give a record once it is there that the service makes in the background; Cancel gives it as it is."""
        for _ in range(AWAITED // HEARD):
            if is_finished(record) or self._cancelled.is_set():
                break
            with suppress(DeadlineExceeded):
                record = collection.wait(record, timeout=HEARD)
        return record

    def _refusal(self) -> Future[Any] | None:
        """Where fields lack something, say so at them and give a future that says so too."""
        problems = self._problems()
        return (
            self._refuse(InvalidArgument("\n".join([*problems.values()][:3])), problems) if problems else None
        )

    def _refuse(self, error: InvalidArgument, problems: Mapping[str, str]) -> Future[Any]:
        self._clear_problems()
        self._point(problems)
        self._status.alert = " ".join(text for name, text in problems.items() if name not in self._fields())
        self.error = error
        refused: Future[Any] = Future()
        refused.set_exception(error)
        return refused

    def _fail(self, error: Exception) -> None:
        fields = self._fields()
        named = error.fields if isinstance(error, ValidationFailed) else {}
        here = {name: " ".join(messages) for name, messages in named.items() if name in fields}
        self._point(here)
        if here and len(here) == len(named):
            self.error = error
        else:
            super()._fail(error)

    def _point(self, problems: Mapping[str, str]) -> None:
        """Put each problem at its field, and the cursor into the first."""
        fields = self._fields()
        for name, field in fields.items():
            field.problem = problems.get(name, "")
        self._status.problems = dict(problems)
        first = next((name for name in fields if name in problems), None)
        if first is not None:
            fields[first].control.focus()

    def _clear_problems(self) -> None:
        super()._clear_problems()
        self._point({})

    def _touch(self, name: str) -> None:
        """Note that a field was changed: what was wrong with it may be right now."""
        field = self._fields().get(name)
        if field is not None:
            field.problem = ""
        self._status.problems = {n: text for n, text in self._status.problems.items() if n != name}
        self._refresh()
