"""What can be done to the rows that are chosen in an explorer."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import ipywidgets

from inkframe.display.plain_text import counted
from inkframe.errors import NotFound
from inkframe.frames import neutralize_formulas
from inkframe.views import compare
from inkframe.widgets.controls import Question, button, show, styled
from inkframe.widgets.rating_panel import RatingPanel

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inkframe.widgets.explorer import Explorer

__all__ = ["ExplorerActions"]


class ExplorerActions(ipywidgets.VBox):  # type: ignore[misc]  # ipywidgets carries no types
    """Buttons for the selection: labels, comparing, rating, files, and changes through the client.

    Args:
        panel: The explorer.

    Attributes:
        question: Asks before records are deleted.
    """

    def __init__(self, panel: Explorer) -> None:
        self._panel = panel
        self.question = Question()
        self._label_row = styled(ipywidgets.HBox(), "ink-row")
        self._own = ipywidgets.Text(placeholder="Own label", continuous_update=False)
        self._own.observe(lambda change: self._add_label(change["new"]), "value")
        self._count = ipywidgets.HTML()
        self._compared = styled(ipywidgets.HTML(), "ink-gone")
        self._placed = styled(ipywidgets.Box(), "ink-gone")
        self._all = button("Select all shown", panel.choose_shown, "ink-small")
        self._none = button("Select none", lambda: panel.choose([]), "ink-small")
        self._compare = button("Compare", self._compare_rows, "ink-small", disabled=True)
        acts = {"Rate blind": self._rate, "Save as CSV": self._save, "Copy ids": self._copy_ids}
        self._plain = [button(label, act, "ink-small", disabled=True) for label, act in acts.items()]
        changes = {"★ Favorite": self._favorite, "Delete": self._ask} if panel.source.collection else {}
        self._changes = [button(label, act, "ink-small", disabled=True) for label, act in changes.items()]
        buttons = [self._all, self._none, self._compare, *self._plain, *self._changes, self._count]
        super().__init__(
            [
                self._label_row,
                styled(ipywidgets.HBox(buttons), "ink-row"),
                self.question,
                self._compared,
                self._placed,
            ]
        )
        self.show_labels()

    @property
    def leaving(self) -> frozenset[str]:
        """The keys of the rows that are to be deleted."""
        return frozenset(self._panel.chosen_keys) if self.question.is_open else frozenset()

    def allow(self, count: int) -> None:
        """Enable the buttons that make sense for so many rows."""
        self._compare.disabled = not 2 <= count <= 12  # what compare takes
        for each in (*self._plain, *self._changes, *self._label_row.children[:-1]):
            each.disabled = not count
        self._count.value = f"{counted(count, 'record')} selected" if count else ""
        if self.question.is_open:
            self.question.close_question()

    def show_labels(self) -> None:
        """Show a button for each label, with its key."""
        made = [
            button(f"{number}  {label}", partial(self._panel.label, label), "ink-small")
            for number, label in enumerate(self._panel.labels, 1)
        ]
        gone = button("0  no label", lambda: self._panel.label(None), "ink-small")
        self._label_row.children = [*made, gone, self._own]
        self.allow(len(self._panel.chosen_keys))

    def act(self, kind: str, keys: Sequence[str], message: Mapping[str, Any]) -> None:
        """Do what was asked for by a key in the list."""
        del message
        self._panel.choose(self._panel.source.positions(keys))
        if self._panel.source.collection is None and kind != "open":
            self._panel.say("This needs the client that the frame was fetched by.")
        elif kind == "favorite":
            self._favorite()
        elif kind == "delete":
            self._ask()

    def _add_label(self, label: str) -> None:
        if label.strip():
            self._own.value = ""
            self._panel.label(label.strip())

    def _compare_rows(self) -> None:
        rows = self._panel.selection

        def show_compared() -> None:
            self._compared.value = compare(rows)._repr_mimebundle_()["text/html"]
            show(self._compared)

        self._panel.work(show_compared, "Comparing")

    def _rate(self) -> None:
        self._placed.children = [RatingPanel(self._panel.selection)]
        show(self._placed)

    def _save(self) -> None:
        text = neutralize_formulas(self._panel.selection).to_csv(lineterminator="\r\n")
        self._panel.gallery.save("inkframe-selection.csv", "text/csv", text.encode("utf-8-sig", "replace"))
        self._panel.say(f"{counted(len(self._panel.selection), 'record')} downloaded by the browser.")

    def _copy_ids(self) -> None:
        ids = self._panel.selection.index
        self._panel.gallery.send({"kind": "copy", "text": ", ".join(map(str, ids))})
        self._panel.say(f"{counted(len(ids), 'id')} copied.")

    def _favorite(self) -> None:
        """Mark the selection as favorites; where all of them are, unmark them."""
        panel = self._panel
        keys, rows = panel.chosen_keys, panel.source.rows(panel.source.positions(panel.chosen_keys))
        wanted = not all(rows[key].get("favorite") is True for key in keys)

        def change() -> None:
            for key in panel.steps(keys):
                record = panel.source.collection.update(rows[key]["id"], favorite=wanted)
                panel.changed("favorite", panel.source.positions([key]), record.favorite)
            panel.say(f"{counted(len(keys), 'record')} {'marked' if wanted else 'unmarked'}.")

        panel.work(change, "Marking", len(keys))

    def _ask(self) -> None:
        noun = counted(len(self._panel.chosen_keys), self._panel.source.spec.noun)
        answers = {"Keep": lambda: None, "Delete permanently": self._delete}
        self.question.ask(f"Delete {noun} from the service? This cannot be undone.", answers)
        show(self.question)

    def _delete(self) -> None:
        panel = self._panel
        keys, rows = panel.chosen_keys, panel.source.rows(panel.source.positions(panel.chosen_keys))

        def delete() -> None:
            gone: list[str] = []
            try:
                for key in panel.steps(keys):
                    with suppress(NotFound):  # it is gone, which is what was wanted
                        panel.source.collection.delete(rows[key]["id"])
                    gone.append(key)
            finally:
                panel.removed(gone)
                panel.say(f"{counted(len(gone), panel.source.spec.noun)} deleted.")

        panel.work(delete, "Deleting", len(keys))
