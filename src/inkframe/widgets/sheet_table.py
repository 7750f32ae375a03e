"""The widgets of ``Sheet``: a table of any number of rows, and a field whose text calls its columns."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import anywidget
import pandas as pd
import traitlets

from inkframe.creating.columns import EDITED
from inkframe.creating.table import GivenTable, as_text
from inkframe.display.markup import cut
from inkframe.display.view import answer_at_once
from inkframe.frames import ENDINGS, column_source, differing, generated_columns, plain, records_of, rows_of
from inkframe.widgets.panel import script, sheet
from inkframe.widgets.record_gallery import ThumbnailLoader, send_pictures

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from inkframe.creating.rows import Row
    from inkframe.schema import ResourceSpec

__all__ = ["APPROVED", "KEYS", "PromptBox", "SheetTable", "put_text"]

#: Rows, and pictures, that are sent to the page at once.
MOST_ROWS: Final = 60
#: The characters of one cell, and the own columns that are shown.
MOST_OF_CELL: Final = 400
MOST_COLUMNS: Final = 8
#: The name of the column with what is approved (True) or rejected (False), after that of the generated one.
APPROVED: Final = "_approved"
#: Its values in words.
MARKS: Final[dict[bool | None, str]] = {True: "approved", False: "rejected"}
#: The classes of states that are no usual ones.
CLASSES: Final = {"approved": "approved", "rejected": "wrong", "failed": "wrong", "unknown": "wrong"}
#: What marks a heading, which a cell has no room for.
HEADING: Final = re.compile(r"^#{1,6} ", re.MULTILINE)
KEYS: Final = "Enter reads, e edits, r makes anew, a approves, x rejects"


class PromptBox(anywidget.AnyWidget):
    """A text field in which Tab offers the columns of a table."""

    _esm = script("prompt_box", "options")

    description = traitlets.Unicode("Prompt")
    label = traitlets.Unicode("Prompt").tag(sync=True)
    value = traitlets.Unicode().tag(sync=True)
    placeholder = traitlets.Unicode().tag(sync=True)
    columns: traitlets.List[str] = traitlets.List().tag(sync=True)
    disabled = traitlets.Bool().tag(sync=True)


class SheetTable(anywidget.AnyWidget):
    """The rows of a frame with generated columns; only those in view are on the page.

    Args:
        given: The frame of the user.
        source: The service whose generated columns are worked on.
        acted: Called with ``open``, ``edit``, ``again``, ``approve``, ``reject`` or ``column``, the position of the row
            and the name of the column.
        fetch: Returns the picture file of a record; called from two threads.

    Attributes:
        frame: The frame with its generated columns, and what is approved.
        own: The columns that are only shown, by the words for them: those of the user, and of other services.
        live: The rows of a job that runs, by position, and the column that it fills.
        shown: The positions of the rows that are shown.
    """

    _esm = script("sheet_table", "blobs", "window")
    _css = sheet("record_gallery") + sheet("sheet_table")

    #: The name of each column, and its kind: ``own``, ``text`` or ``picture``.
    columns: traitlets.List[list[str]] = traitlets.List().tag(sync=True)
    count = traitlets.Int().tag(sync=True)
    #: Counted up when other rows are shown.
    version = traitlets.Int().tag(sync=True)
    label = traitlets.Unicode(f"Rows of the table. {KEYS}.").tag(sync=True)

    def __init__(
        self,
        given: pd.DataFrame,
        source: Mapping[str, str],
        acted: Callable[[str, int, str], Any],
        fetch: Callable[[Mapping[str, Any]], bytes],
    ) -> None:
        table = GivenTable("frame", given)
        self.frame = table.frame = table.frame.copy()
        self._source = source
        self.live: tuple[str, Mapping[int, Row]] = "", {}
        self.shown: list[int] = []
        made = {f"{name}{end}" for name in generated_columns(self.frame) for end in (*ENDINGS, APPROVED)}
        made |= self.generated.keys()
        # A word that several columns have calls none of them.
        own = [word for word, [at, *others] in table.places.items() if at >= 0 and not others]
        names = [word for word in own if word not in made][:MOST_COLUMNS]
        self.own = {name: table.column(name, "frame") for name in names}
        super().__init__()
        self._acted = acted
        self._thumbnails = ThumbnailLoader(fetch, partial(send_pictures, self))
        self.on_msg(self._on_message)
        answer_at_once(self)

    @property
    def generated(self) -> dict[str, ResourceSpec]:
        """The collection of each generated column of the service."""
        found = generated_columns(self.frame)
        return {name: spec for name, spec in found.items() if self.foreign(name) is None}

    def foreign(self, name: str) -> str | None:
        """Return why a column is not worked on, which another service generated; None for others."""
        if (different := differing(column_source(self.frame, name), self._source)) is None:
            return None
        field, (there, here) = different
        return f"{name!r} is of {field} {there}, and not of {here}. Open a Sheet with its client."

    def show(self, state: str, into: str) -> None:
        """Show the rows of the frame whose cell of a column has a state; all rows if it is empty."""
        made = self.generated.items()
        kinds = [[name, "picture" if spec.has_picture else "text"] for name, spec in made]
        self.columns = [*([name, "own"] for name in self.own), *kinds]
        pictures: list[Any] = [
            row
            for name, spec in made
            if spec.has_picture
            for row in rows_of(records_of(self.frame, spec.name, column=name).frame)
        ]
        self._thumbnails.show(pictures)
        states = self.states(into)
        self.shown = sorted({*states.index[states == state]}) if state else [*range(len(self.frame))]
        self.set_state({"count": len(self.shown), "version": self.version + 1})

    def marks(self, into: str) -> list[bool | None]:
        """Return what is approved (True) and rejected (False) in a column, by position."""
        marks = plain(self.frame[f"{into}{APPROVED}"]) if f"{into}{APPROVED}" in self.frame else []
        return [each if isinstance(each, bool) else None for each in marks] or [None] * len(self.frame)

    def marked(self, at: int, into: str, *, approved: bool) -> pd.DataFrame:
        """Return the frame with a cell approved or rejected; done twice, it is undone."""
        marks = self.marks(into)
        marks[at] = None if marks[at] is approved else approved
        return self.frame.assign(**{f"{into}{APPROVED}": pd.array(marks, dtype="boolean")})

    def states(self, into: str) -> pd.Series:
        """Return the words for the states of the cells of a column by position; an approved one has two."""
        states = plain(self.frame[f"{into}_status"]) if f"{into}_status" in self.frame else []
        words = [states, [MARKS.get(mark) for mark in self.marks(into)]]
        return pd.concat([pd.Series(each, dtype=object) for each in words]).dropna()

    def cell(self, at: int, name: str) -> list[Any]:
        """Return text, id, status and error of a generated cell, those of the job that runs if there are any."""
        text, id, state, error = (
            plain(self.frame[each].iloc[[at]])[0] if each in self.frame else None
            for each in (name, *(f"{name}{end}" for end in ENDINGS))
        )
        if self.live[0] == name and (row := self.live[1].get(at)) is not None:
            state, error = row.status or ("waiting" if row.sent is None else "under way"), row.error
            if row.record is not None:
                text, id = getattr(row.record, self.generated[name].generated), row.record.id
        return [text, id, state, error]

    def window(self, begin: int, end: int) -> list[Any]:
        """Return the rows between two places: the position, the cells, and the state of each."""
        made = {name: (spec, self.marks(name)) for name, spec in self.generated.items()}
        rows = []
        for at in self.shown[begin:end]:
            cells = [_words(column.iloc[at]) for column in self.own.values()]
            states: list[list[str]] = [[] for _ in cells]
            for name, (spec, marked) in made.items():
                text, id, state, error = self.cell(at, name)
                cells.append(_words(id if spec.has_picture else text))
                state = MARKS.get(marked[at], state)
                states.append([CLASSES.get(state, "state"), f"{state}: {error}" if error else state or ""])
            rows.append([at, cells, states])
        return rows

    def send_rows(self, begin: int, end: int) -> None:
        """Show the rows between two places as they are now."""
        rows = self.window(begin, min(end, begin + MOST_ROWS))
        self.send({"kind": "rows", "version": self.version, "from": begin, "rows": rows})

    def _on_message(self, _widget: object, message: Mapping[str, Any], _buffers: object) -> None:
        kind = message.get("kind")
        if kind == "window":
            self.send_rows(max(0, int(message["from"])), int(message["to"]))
        elif kind == "want":
            self._thumbnails.want([str(key) for key in message["keys"]][:MOST_ROWS])
        else:
            at = message["row"]
            if at is None and message["version"] == self.version:
                at = dict(enumerate(self.shown)).get(int(message["at"]))
            if at is not None:
                self._acted(str(kind), int(at), str(message["column"]))


def put_text(frame: pd.DataFrame, at: int, into: str, text: str) -> pd.DataFrame:
    """Return a frame with a text that a person edited."""
    frame, names = frame.copy(), [*frame.columns]
    for name, value in ((into, text), (f"{into}_status", EDITED)):
        if name in names:
            frame.iloc[at, names.index(name)] = value
    return frame


def _words(value: Any) -> str:
    """Return a value of a cell as a text; nothing for a missing one."""
    is_missing = pd.api.types.is_scalar(value) and pd.isna(value)
    return "" if is_missing else cut(HEADING.sub("", as_text(value)), MOST_OF_CELL)
