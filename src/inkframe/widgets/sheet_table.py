"""The widgets of ``Sheet``: a table of any number of rows, and a field whose text calls its columns."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

import anywidget
import pandas as pd
import traitlets

from inkframe.creating.columns import EDITED
from inkframe.creating.table import GivenTable, as_text
from inkframe.display.fragments import cell, picture_slot
from inkframe.display.markup import Html, cut, join, tag, unmarked
from inkframe.display.view import answer
from inkframe.frames import ENDINGS, column_source, differing, generated_columns, plain, records_of, rows_of
from inkframe.widgets.panel import script
from inkframe.widgets.rows import Rows, ThumbnailLoader, send_pictures

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from inkframe.creating.rows import Row
    from inkframe.schema import ResourceSpec

__all__ = ["APPROVED", "KEYS", "PromptBox", "SheetTable", "put_text"]

#: The characters of one cell, and the own columns that are shown.
MOST_OF_CELL: Final = 400
MOST_COLUMNS: Final = 8
#: The name of the column with what is approved (True) or rejected (False), after that of the generated one.
APPROVED: Final = "_approved"
#: Its values in words.
MARKS: Final[dict[bool | None, str]] = {True: "approved", False: "rejected"}
#: The classes of states that are no usual ones.
CLASSES: Final = {"approved": "approved", "rejected": "wrong", "failed": "wrong", "unknown": "wrong"}
#: The width of a column by its kind.
WIDTHS: Final = {"own": "minmax(90px, 1fr)", "text": "minmax(220px, 3fr)", "picture": "120px"}
ACTS: Final = {"Enter": "open", "e": "edit", "r": "again", "a": "approve", "x": "reject"}
KEYS: Final = "Enter reads, e edits, r makes anew, a approves, x rejects"


class PromptBox(anywidget.AnyWidget):
    """A text field in which Tab offers the columns of a table."""

    _esm = script("prompt_box")

    description = traitlets.Unicode("Prompt")
    label = traitlets.Unicode("Prompt").tag(sync=True)
    value = traitlets.Unicode().tag(sync=True)
    placeholder = traitlets.Unicode("Describe {column}. Tab offers the columns.").tag(sync=True)
    columns: traitlets.List[str] = traitlets.List().tag(sync=True)


class SheetTable(Rows):
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

    ahead = 0

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
        self.own = {
            word: table.column(word, "frame")
            for word in [each for each in own if each not in made][:MOST_COLUMNS]
        }
        self._thumbnails = ThumbnailLoader(fetch, partial(send_pictures, self))
        super().__init__(
            self._rows,
            lambda kind, _keys, message: acted(kind, int(message["key"] or 0), str(message["column"])),
            self._thumbnails.want,
            shape="table",
            acts=ACTS,
            label=f"Rows of the table. {KEYS}.",
            empty="No row has this status.",
        )
        answer(self, at_once=True)

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
        kinds = {name: "picture" if spec.has_picture else "text" for name, spec in made}
        heads = [
            tag(
                "div",
                name,
                role="columnheader",
                title=name,
                data_act="column" if name in kinds else None,
                data_column=name if name in kinds else None,
            )
            for name in (*self.own, *kinds)
        ]
        pictures: list[Any] = [
            row
            for name, spec in made
            if spec.has_picture
            for row in rows_of(records_of(self.frame, spec.name, column=name).frame)
        ]
        self._thumbnails.show(pictures)
        states = self.states(into)
        self.shown = sorted({*states.index[states == state]}) if state else [*range(len(self.frame))]
        widths = " ".join(WIDTHS[kind] for kind in (*("own" for _ in self.own), *kinds.values()))
        self.lay_out(map(str, self.shown), head=str(join(*heads)), columns=widths)

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

    def _rows(self, begin: int, end: int) -> list[Html]:
        """Return the rows between two places."""
        made = {name: (spec, self.marks(name)) for name, spec in self.generated.items()}
        return [self._row(at, made) for at in self.shown[begin:end]]

    def _row(self, at: int, made: Mapping[str, tuple[ResourceSpec, Sequence[bool | None]]]) -> Html:
        cells = [cell(_words(column.iloc[at])) for column in self.own.values()]
        for name, (spec, marked) in made.items():
            text, id, state, error = self.cell(at, name)
            state = MARKS.get(marked[at], state)
            shown = _words(id) if spec.has_picture else unmarked(_words(text)).replace("\n\n", "\n")
            words = f"{state}: {error}" if error else state or ""
            cells.append(
                cell(
                    picture_slot(shown) if spec.has_picture and shown else shown,
                    at,
                    CLASSES.get(state, "usual"),
                    words,
                )
            )
        return join(*cells)


def put_text(frame: pd.DataFrame, at: int, into: str, text: str) -> pd.DataFrame:
    """Return a frame with a text that a person edited."""
    frame, names = frame.copy(), [*frame.columns]
    for name, value in ((into, text), (f"{into}_status", EDITED)):
        if name in names:
            frame.iloc[at, names.index(name)] = value
    return frame


def _words(value: Any) -> str:
    """Return a value of a cell as a text; nothing for a missing one."""
    return "" if pd.api.types.is_scalar(value) and pd.isna(value) else cut(as_text(value), MOST_OF_CELL)
