"""The actions of an explorer: labels, searches, and actions on the selected records."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import ipywidgets
import numpy as np

from inkframe.deciding.rating_panel import RatingPanel
from inkframe.display.files import document_file, picture_file
from inkframe.display.markup import counted
from inkframe.exploring.outliers import FINDS, MORE_LIKE_THIS, more_like
from inkframe.frames import neutralize_formulas
from inkframe.resources.records import values_of
from inkframe.widgets.controls import button, show, styled
from inkframe.widgets.record_actions import Action, RecordActions

if TYPE_CHECKING:
    from concurrent.futures import Future

    from inkframe.exploring.explorer import Explorer

__all__ = ["ExplorerActions"]


class ExplorerActions(RecordActions):
    """Buttons for the selection: labels, finding, comparing, rating, files, and changes through the client.

    Args:
        panel: The explorer.
    """

    def __init__(self, panel: Explorer) -> None:
        self._explorer = panel
        self._labels = styled(ipywidgets.HBox(), "ink-row")
        more = [Action(MORE_LIKE_THIS, "m", self.find_more, most=1)]
        if panel.collection is not None and not panel.source.spec.has_picture:
            more.append(Action("Edit text", "e", panel.reader.edit, most=1))
        more += [
            Action("Rate blind", "b", self._rate),
            Action("Save as CSV", "v", self._save),
            Action("Copy ids", "i", self._copy_ids),
        ]
        super().__init__(panel, content=self._file, more=more)
        digits = {str(number): f"label {number}" for number in range(10)}
        # A new dictionary: changes within one do not reach the page.
        panel.gallery.acts = {**panel.gallery.acts, "n": "next hit", "p": "previous hit", **digits}
        self.own_label = ipywidgets.Text(placeholder="Own label", continuous_update=False)
        self.own_label.observe(lambda change: self._add_label(change["new"]), "value")
        self._placed = styled(ipywidgets.Box(), "ink-gone")
        picks = [
            button("Select all shown", panel.choose_shown, "ink-small"),
            button("Select none", lambda: panel.choose([]), "ink-small"),
        ]
        finds = [button(name, partial(self.find, name), "ink-small") for name in FINDS]
        top = styled(ipywidgets.HBox([*picks, _title("Find"), *finds]), "ink-row")
        #: The controls above the list, and below it.
        self.above = [top, self.bar, self._labels, self.question]
        self.below = [self.compared, self._placed]
        self.show_labels()

    def allow(self, count: int) -> None:
        """Enable the buttons that make sense for so many rows."""
        super().allow(count)
        for each in self._labels.children[1:-1]:
            each.disabled = not count

    def show_labels(self) -> None:
        """Show a button for each label, with its key."""
        made = [
            button(f"{number}  {label}", partial(self._explorer.label, label), "ink-small")
            for number, label in enumerate(self._explorer.labels, 1)
        ]
        gone = button("0  no label", lambda: self._explorer.label(None), "ink-small")
        self._labels.children = [_title("Label"), *made, gone, self.own_label]
        self.allow(len(self._explorer.chosen_keys))

    def find(self, what: str) -> Future[Any]:
        """Find groups, near duplicates or outliers in what is shown, in a thread; they become columns.

        Args:
            what: ``Topics``, ``Clusters``, ``Near duplicates`` or ``Outliers``.
        """
        panel, among = self._explorer, np.sort(self._explorer.positions)

        def work() -> None:
            panel.show_found(FINDS[what](panel.source, among))

        return panel.queue(work, f"Finding {what.lower()}")

    def find_more(self) -> Future[Any]:
        """Sort the records that are closest to the selected one first, in a thread."""
        panel = self._explorer
        [at] = panel.source.positions(panel.chosen_keys[:1])
        return panel.queue(lambda: panel.show_found(more_like(panel.source, at)), "Comparing texts")

    def _add_label(self, label: str) -> None:
        if label.strip():
            self.own_label.value = ""
            self._explorer.label(label.strip())

    def _rate(self) -> None:
        self._placed.children = [RatingPanel(self._explorer.selection)]
        show(self._placed)

    def _save(self) -> None:
        rows = self._explorer.selection
        text = neutralize_formulas(rows).to_csv(lineterminator="\r\n")
        name = "inkframe-selection.csv"
        self._explorer.gallery.save(name, "text/csv", text.encode("utf-8-sig", "replace"))
        self._explorer.say(f"{counted(len(rows), 'record')} downloaded by the browser.")

    def _copy_ids(self) -> None:
        keys = self._explorer.chosen_keys
        self._explorer.gallery.send({"kind": "copy", "text": ", ".join(keys)})
        self._explorer.say(f"{counted(len(keys), 'id')} copied.")

    def _file(self, record: Any) -> bytes:
        source, values = self._explorer.source, values_of(record)
        if source.spec.has_picture:
            return picture_file(values, record.picture_bytes, service=source.service)
        return document_file(values, service=source.service)


def _title(words: str) -> ipywidgets.HTML:
    return ipywidgets.HTML(f'<span class="ink-hint">{words}</span>')
