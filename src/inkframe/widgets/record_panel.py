"""The base class of browsers and the explorer: a gallery, and actions on the selected records."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from concurrent.futures import Future, wait
from contextlib import suppress
from functools import partial
from io import BytesIO
from math import inf
from typing import Any, Final, NamedTuple

import ipywidgets
import pandas as pd

from inkframe.client import Client
from inkframe.display.figure import title
from inkframe.display.files import file_name
from inkframe.display.markup import counted, first_of, spell_bytes, tag
from inkframe.errors import InkframeError, InvalidArgument, NotFound
from inkframe.resources.records import values_of
from inkframe.resources.views import compare
from inkframe.schema import RESOURCES
from inkframe.widgets.forms import DocumentForm, ImageForm
from inkframe.widgets.panel import Panel, Question, button, later, styled
from inkframe.widgets.record_reader import RecordReader
from inkframe.widgets.rows import ACTS, RecordGallery

__all__ = ["Action", "RecordActions", "RecordPanel", "pack"]

#: Seconds for which the page must stand still before its static copy is written.
STILL: Final = 1.0
#: The most records that are compared.
MOST_COMPARED: Final = 12
#: The most bytes of a download: it goes through the notebook's connection in one message.
MOST_BYTES: Final = 100_000_000
#: The media type of a file, by its ending.
MIME: Final = {".png": "image/png", ".md": "text/markdown"}
#: The form of each collection.
FORMS: Final = {"images": ImageForm, "documents": DocumentForm}
#: Keys of every gallery and list, and what they do.
MOVES: Final = {
    "Arrows": "Move the selection; with Shift extend it, with Ctrl move the cursor alone",
    "Space": "Select, or not",
    "Enter": "Open",
}
#: The hint beside the buttons while nothing is selected.
SELECT: Final = "Click to select, with Ctrl or Shift several."


class RecordPanel(Panel):
    """A gallery of records to browse, select and change.

    Everything that asks the service is done in order, so that a change is seen by the listing that follows it. No
    thread is left when all is done, and nothing more begins once the panel is closed.

    Attributes:
        gallery: Where the records are shown and selected.
        actions: What can be done to the records that are selected.
        reader: Where a record is read.
        records: The values of the records by key: their ids as text.
        collection: Their collection; None without a client.
    """

    gallery: RecordGallery
    actions: RecordActions
    reader: RecordReader
    records: Any
    collection: Any

    def __init__(
        self,
        client: Client | None,
        above: Iterable[ipywidgets.Widget],
        below: Iterable[ipywidgets.Widget],
        *,
        beside: Sequence[ipywidgets.Widget] = (),
    ) -> None:
        self._last: Future[Any] | None = None
        #: What is shown now; a new one with each listing and page.
        self._turn = object()
        super().__init__(client, above, below, beside=beside)
        self.status.key_words = self.actions.key_words

    @property
    def shown_keys(self) -> Any:
        """What has the keys of the records that are shown."""
        return self.records

    @property
    def chosen_keys(self) -> list[str]:
        """The keys of the records that are selected: those that are chosen and shown. Every action takes these."""
        shown = self.shown_keys
        return [key for key in self.gallery.chosen if key in shown]

    @property
    def selection(self) -> pd.DataFrame:
        """The records that are selected, as a frame."""
        raise NotImplementedError

    def replace(self, record: Any, fields: Iterable[str]) -> None:
        """Show a record as it is now, given the fields that were changed."""
        raise NotImplementedError

    def removed(self, keys: Sequence[str]) -> None:
        """Show what is left after records were deleted."""
        self.gallery.chosen = [key for key in self.gallery.chosen if key not in keys]

    def _acted(self, kind: str, keys: list[str], message: Mapping[str, Any]) -> None:
        """Run what a key in the gallery asks for, on the selection as a button does; a star means its own tile."""
        own = [key for key in [str(message.get("key"))] if key in self.shown_keys]
        if kind in ("star", "rename"):
            self.actions.act(kind, own, message)
        else:
            # What is chosen may still be on its way from the page; sent back, it would undo what was chosen since.
            self.gallery.set_state({"chosen": keys})
            self._act(kind, own, message)

    def _act(self, kind: str, own: list[str], message: Mapping[str, Any]) -> None:
        """Run an action on the selection, given the key of the tile at the cursor."""
        del own  # panels open it
        self.actions.act(kind, self.chosen_keys, message)

    def save_text(self, id: int | str, text: str) -> None:
        """Store a text that was edited."""
        self.change([id], "Saving", result=text)

    def change(self, ids: Sequence[int | str], working: str, **fields: Any) -> Future[None]:
        """Change fields of records after all that was asked for before, and show them as they are then."""

        def change() -> None:
            for id in self.steps(ids):
                record = self.collection.update(id, **fields)
                self.replace(record, fields)
                self.reader.renew(self.records[str(record.id)], stored="result" in fields)

        return self.queue(change, working, steps=ids)

    def queue(self, work: Callable[[], Any], working: str, *, steps: Sized = ()) -> Future[Any]:
        """Do work after all that was asked for before; several steps are counted, and can be cancelled."""
        total = len(steps) if len(steps) > 1 else 0
        future: Future[Any] = Future()
        with self._lock:
            before, self._last = self._last, future
        self.busy = True

        def run() -> Any:
            wait(filter(None, [before]))
            if self._under_way is None:  # else the status is that of other work
                self._cancelled.clear()
                self.status.begin(working, total=total, cancels=bool(total))
            try:
                if self.comm is None:
                    raise InkframeError("The panel was closed.")
                return self._reported(work)
            finally:
                if self._under_way is None:
                    self.status.working = ""
                    self.busy = self._last is not future  # whether more waits

        return self._start(run, future)

    def close(self) -> None:
        """Close the panel: what is under way ends soon, and nothing more begins."""
        if self.comm is not None:  # not one whose construction failed
            self.cancel()
            if self.gallery.thumbnails:
                self.gallery.thumbnails.show([])
        super().close()

    def _copy_soon(self) -> None:
        """Write the static copy once the page stands still."""
        turn = self._turn
        if self._static.is_placed:
            later(STILL, lambda: turn is self._turn and self._aside(self._keep_copy))

    def _ipython_display_(self) -> None:
        super()._ipython_display_()
        self._copy_soon()


class Action(NamedTuple):
    """An action on the selected records.

    Args:
        label: The words on its button.
        key: Its key in the gallery.
        act: Does it.
        least: The fewest records that it takes.
        most: The most.
    """

    label: str
    key: str
    act: Callable[[], Any]
    least: int = 1
    most: float = inf


class RecordActions:
    """The actions of a panel on the selected records.

    Args:
        panel: The panel: its gallery has the records, its status shows the progress. Without a collection no record
            can be changed.
        more: Further actions.

    Attributes:
        buttons: A button for each action.
        bar: The buttons, behind the number of selected records.
        question: Asks before records are deleted.
        pending: The records that are to be deleted by key, each behind the step in which it was marked.
        compared: The selected records side by side.
        form: The form that took over the settings of a record, once one did.
        form_place: Where it is shown.
        key_words: What each key does.
    """

    def __init__(self, panel: RecordPanel, *, more: Sequence[Action]) -> None:
        self._panel = panel
        self.question = styled(Question(), "ink-pending")
        self.pending: dict[str, tuple[object, Any]] = {}
        self.compared = styled(ipywidgets.HTML(), "ink-compared", "ink-gone")
        self.form: Any = None
        self.form_place = styled(ipywidgets.Box(), "ink-form-place", "ink-gone")
        gallery = panel.gallery
        gallery.leaving = self.pending
        self._actions = [*more, Action("Compare", "c", self.compare, least=2, most=MOST_COMPARED)]
        if panel.collection is not None:
            self._actions = [
                Action("★ Favorite", "f", lambda: self.favorite(panel.chosen_keys)),
                Action(
                    "Rename",
                    "r",
                    lambda: gallery.send({"kind": "rename", "key": panel.chosen_keys[0]}),
                    most=1,
                ),
                *self._actions,
                Action("Download", "s", lambda: self.download(panel.chosen_keys)),
                Action("Delete", "d", lambda: self.mark(panel.chosen_keys)),
            ]
        self.buttons = [
            button(f"{each.label} ({each.key})", partial(panel.when_settled, each.act), "ink-small")
            for each in self._actions
        ]
        self._count = ipywidgets.HTML()
        self.bar = styled(ipywidgets.HBox([self._count, *self.buttons]), "ink-row", "ink-actions")
        self.key_words = MOVES | ({"l": "Large view"} if gallery.thumbnails else {})
        self.key_words |= {each.key: each.label for each in self._actions} | {
            "z": "Undo the last mark for deletion"
        }
        gallery.acts = {"z": "undo"} | {each.key: each.key for each in self._actions} | ACTS
        self.allow(0)

    @property
    def _noun(self) -> str:
        return RESOURCES[self._panel.collection.resource].noun

    def renew(self) -> None:
        """Show how many records are selected and how many of them are hidden, and enable what makes sense for the rest."""
        shown = len(self._panel.chosen_keys)
        self.allow(shown, len(self._panel.gallery.chosen) - shown)

    def allow(self, count: int, hidden: int = 0) -> None:
        """Enable the buttons that make sense for so many records; those that are hidden are only counted."""
        for action, each in zip(self._actions, self.buttons, strict=True):
            each.disabled = not action.least <= count <= action.most
        words = f"{count + hidden:,} selected" if count + hidden else SELECT
        words += f", {hidden:,} hidden" if hidden else ""
        self._count.value = str(tag("span", words, class_="ink-hint", role="status"))

    def act(self, kind: str, keys: Sequence[str], message: Mapping[str, Any]) -> None:
        """Run the action that the gallery requested; a key does what its button does."""
        kind = {"favorite": "f", "delete": "d"}.get(kind, kind)
        name = str(message.get("name", ""))
        acts: dict[str, Callable[[], Any]] = {
            "star": lambda: self.favorite(keys),
            "rename": lambda: self._panel.change(self._ids(keys), "Renaming", name=name),
            "undo": self.undo,
        }
        pairs = zip(self._actions, self.buttons, strict=True)
        acts |= {action.key: action.act for action, each in pairs if not each.disabled}
        if self._panel.collection is None and kind in ("f", "star", "rename", "d"):
            self._panel.say("This needs the client that the frame was fetched by.")
        elif kind in acts:
            acts[kind]()  # at once, on the records that came with the key

    def favorite(self, keys: Sequence[str]) -> Future[Any]:
        """Mark records as favorites; where all of them are, unmark them.

        Args:
            keys: Ids as text.
        """
        wanted = not all(self._panel.records[key].get("favorite") is True for key in keys)
        return self._panel.change(self._ids(keys), "Marking", favorite=wanted)

    def _ids(self, keys: Iterable[str]) -> list[Any]:
        return [self._panel.records[key]["id"] for key in keys]

    def compare(self) -> Future[Any]:
        """Show the selected records side by side, as the service has them now."""
        panel, rows = self._panel, self._panel.selection
        ids = self._ids(panel.chosen_keys)

        def show_compared() -> None:
            known = panel.collection is not None
            view = compare([panel.collection.get(id) for id in panel.steps(ids)] if known else rows)
            self.compared.value = view._repr_mimebundle_()["text/html"]
            panel.bring_into_view(self.compared, "ink-compared")

        return panel.queue(show_compared, "Comparing", steps=ids)

    def reuse(self, record: Any) -> None:
        """Fill a form with the settings of a record, and bring it into view."""
        if self.form is None:
            self.form = FORMS[self._panel.collection.resource](self._panel.collection.client)
            self.form_place.children = [self.form]
        self.form.again(record)
        self._panel.bring_into_view(self.form_place, "ink-form-place")

    def mark(self, keys: Sequence[str]) -> None:
        """Mark records to be deleted in one step; where all of them are marked, unmark them. Nothing is deleted yet.

        Args:
            keys: Ids as text.
        """
        step = object()
        new = {key: (step, self._panel.records[key]) for key in keys if key not in self.pending}
        self.pending |= new
        self._show_pending(keys, unmarked=() if new else keys)

    def undo(self) -> None:
        """Undo the last step of marking."""
        marked = dict(self.pending)
        last = next(reversed(marked.values()), (None, None))[0]
        keys = [key for key, (step, _) in marked.items() if step is last]
        self._show_pending(keys, unmarked=keys)

    def delete_marked(self) -> Future[Any]:
        """Delete all records that are marked, in a thread; this cannot be undone."""
        marked = dict(self.pending)

        def delete() -> None:
            gone: list[str] = []
            try:
                for key in self._panel.steps(marked):
                    with suppress(NotFound):  # it is gone, which is what was wanted
                        self._panel.collection.delete(marked[key][1]["id"])
                    self.pending.pop(key, None)
                    gone.append(key)
            finally:
                self._panel.reader.forget(gone)
                self._panel.removed(gone)
                self._panel.say(f"{counted(len(gone), self._noun)} deleted.")
                self._show_pending(())

        return self._panel.queue(delete, "Deleting", steps=marked)

    def _show_pending(self, keys: Iterable[str], unmarked: Iterable[str] = ()) -> None:
        """Show which records are marked, and ask about all of them."""
        for key in unmarked:
            self.pending.pop(key, None)
        for key in keys:
            if key in self._panel.records:
                self._panel.gallery.show_changed(self._panel.records[key])
        if self.pending:
            self.relisted()
            self._panel.bring_into_view(self.question, "ink-pending")
        else:
            self.question.close_question()

    def relisted(self) -> None:
        """Ask about all records that are marked, if there are any; say how many of them are hidden now."""
        if not (marked := dict(self.pending)):
            return
        hidden = len(marked) - sum(key in self._panel.shown_keys for key in marked)
        text = f"{counted(len(marked), self._noun)} marked for deletion"
        text += f", {hidden:,} hidden" if hidden else ""
        text += f": {first_of([title(record) for _, record in marked.values()])}. Nothing is deleted yet."
        self.question.ask(text, {"Undo (z)": self.undo, "Delete permanently": self.delete_marked})

    def download(self, keys: Sequence[str]) -> Future[Any]:
        """Download records as a file, several as an archive.

        Args:
            keys: Ids as text.
        """

        def make() -> None:
            collection = self._panel.collection
            file = pack(
                map(collection.get, self._panel.steps(self._ids(keys))),
                collection.file_of,
                collection.resource,
            )
            if self._panel.is_cancelled:
                self._panel.say("The download was cancelled.")
                return
            self._panel.gallery.save(*file)
            self._panel.say(f"{counted(len(keys), self._noun)} downloaded by the browser.")

        return self._panel.queue(make, "Fetching", steps=keys)


def pack(
    records: Iterable[Any], content: Callable[[dict[str, Any]], bytes], collection: str
) -> tuple[str, str, bytes]:
    """Return the name, media type and content of a file: one record's own, or an archive of several.

    Args:
        records: The records.
        content: Returns the content of the file of a record, given its columns by name.
        collection: The name of their collection.

    Raises:
        InvalidArgument: Together they are too large to be handed to a browser.
    """
    ending = RESOURCES[collection].file_ending
    taken: set[str] = set()
    files: dict[str, bytes] = {}
    for record in records:
        files[file_name(record.id, record.name, ending, taken)] = content(values_of(record))
        if sum(map(len, files.values())) > MOST_BYTES:
            raise InvalidArgument(
                f"A download must be at most {spell_bytes(MOST_BYTES)}.\n"
                f'Select fewer records, or run client.{collection}.download(frame, "folder") in a cell.'
            )
    if len(files) == 1:
        [(name, data)] = files.items()
        return name, MIME[ending], data
    with BytesIO() as packed:
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in files.items():
                archive.writestr(name, data)
        return f"inkframe-{collection}.zip", "application/zip", packed.getvalue()
