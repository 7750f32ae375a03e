"""The widgets of ``Sheet``: a table of any number of rows, and a field whose text calls its columns."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import anywidget
import traitlets

from inkframe.creating.columns import EDITED, ENDINGS
from inkframe.creating.table import GivenTable, as_text
from inkframe.display.markup import cut
from inkframe.display.view import answer_at_once
from inkframe.frames import column_source, differing, generated_columns, plain
from inkframe.schema import RESOURCES
from inkframe.widgets.panel import script, sheet
from inkframe.widgets.record_gallery import ThumbnailLoader

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import pandas as pd

    from inkframe.creating.rows import Row

__all__ = ["KEYS", "PromptBox", "SheetRows", "SheetTable", "put_text"]

#: Rows, and pictures, that are sent to the page at once.
MOST_ROWS: Final = 60
#: The characters of one cell, and the own columns that are shown.
MOST_OF_CELL: Final = 400
MOST_COLUMNS: Final = 8
#: What is approved (True) or rejected (False), as a class of the style sheet and in words.
MARKS: Final = {True: ("approved", "approved"), False: ("wrong", "rejected")}
WRONG: Final = frozenset({"failed", "unknown"})
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
    """The rows of a table; only those in view are on the page.

    Args:
        rows: Returns the rows between two places of the table.
        acted: Called with ``open``, ``edit``, ``again``, ``approve``, ``reject`` or ``column``, the position of the row
            and the name of the column.
        fetch: Returns the picture file of a record; called from two threads.
    """

    _esm = script("sheet_table", "blobs")
    _css = sheet("record_gallery") + sheet("sheet_table")

    #: The name of each column, and its kind: ``own``, ``text`` or ``picture``.
    columns: traitlets.List[list[str]] = traitlets.List().tag(sync=True)
    count = traitlets.Int().tag(sync=True)
    #: Counted up when other rows are shown.
    version = traitlets.Int().tag(sync=True)
    label = traitlets.Unicode(f"Rows of the table. {KEYS}.").tag(sync=True)

    def __init__(
        self,
        rows: Callable[[int, int], list[Any]],
        acted: Callable[[str, int, str], Any],
        fetch: Callable[[Mapping[str, Any]], bytes],
    ) -> None:
        super().__init__()
        self._rows, self._acted = rows, acted
        self.thumbnails = ThumbnailLoader(fetch, self._deliver)
        self.on_msg(self._on_message)
        answer_at_once(self)

    def renew(self, place: int) -> None:
        """Show one row as it is now."""
        self._send_rows(place, place + 1)

    def _send_rows(self, begin: int, end: int) -> None:
        rows = self._rows(begin, min(end, begin + MOST_ROWS))
        self.send({"kind": "rows", "version": self.version, "from": begin, "rows": rows})

    def _deliver(self, made: Mapping[str, bytes | str]) -> None:
        reasons = {key: small for key, small in made.items() if isinstance(small, str)}
        buffers = [small for small in made.values() if isinstance(small, bytes)]
        self.send({"kind": "pictures", "keys": list(made), "reasons": reasons}, buffers)

    def _on_message(self, _widget: object, message: Mapping[str, Any], _buffers: object) -> None:
        kind = message.get("kind")
        if kind == "window":
            self._send_rows(max(0, int(message["from"])), int(message["to"]))
        elif kind == "want":
            self.thumbnails.want([str(key) for key in message["keys"]][:MOST_ROWS])
        elif kind in {"open", "edit", "again", "approve", "reject", "column"}:
            row = message["row"]
            if row is None and message["version"] == self.version:
                [[row, *_]] = self._rows(int(message["at"]), int(message["at"]) + 1) or [[None]]
            if row is not None:
                self._acted(str(kind), int(row), str(message["column"]))


class SheetRows:
    """What the table shows: a frame with its generated columns, what is approved, and the rows of a job that runs.

    Args:
        given: The frame of the user.
        source: The service whose generated columns are worked on.

    Attributes:
        frame: The frame with its generated columns.
        own: The words for the columns that are only shown: those of the user, and of other services.
        live: The column that a job fills, and its rows by position.
        shown: The positions of the rows that are shown.
    """

    def __init__(self, given: pd.DataFrame, source: Mapping[str, str]) -> None:
        table = GivenTable("frame", given)
        self._source = source
        self.frame = table.frame.copy()
        made = {f"{name}{ending}" for name in generated_columns(self.frame) for ending in ENDINGS}
        made |= self.generated.keys()
        #: Each of them can be called by its own word.
        own = [word for word, [at, *others] in table.places.items() if at >= 0 and not others]
        self.own = [word for word in own if word not in made][:MOST_COLUMNS]
        self.live: tuple[str, Mapping[int, Row]] = "", {}
        self.shown: list[int] = []
        #: What is approved (True) and rejected (False), by column and position.
        self._marks: dict[str, dict[int, bool]] = {}

    @property
    def generated(self) -> dict[str, str]:
        """The collection of each generated column of the service."""
        found = generated_columns(self.frame)
        return {name: spec.name for name, spec in found.items() if self.foreign(name) is None}

    def foreign(self, name: str) -> str | None:
        """Return why a column is not worked on, which another service generated; None for others."""
        if (different := differing(column_source(self.frame, name), self._source)) is None:
            return None
        field, (there, here) = different
        return f"{name!r} is of {field} {there}, and not of {here}. Open a Sheet with its client."

    @property
    def columns(self) -> list[list[str]]:
        """The name and the kind of each column that is shown."""
        kinds = {
            name: "picture" if RESOURCES[held].has_picture else "text"
            for name, held in self.generated.items()
        }
        return [*([name, "own"] for name in self.own), *([name, kind] for name, kind in kinds.items())]

    @property
    def pictures(self) -> list[dict[str, Any]]:
        """The id and the location of each picture."""
        names = [name for name, kind in self.columns if kind == "picture"]
        pairs = (
            pair
            for name in names
            for pair in zip(self._values(f"{name}_id"), self._values(name), strict=True)
        )
        return [{"id": id, "picture_url": place} for id, place in pairs if place is not None]

    def _values(self, name: str) -> list[Any]:
        return [*plain(self.frame[name])]

    def id(self, at: int, into: str) -> int | str | None:
        """Return the id of the record of a cell, or None."""
        row = self.live[1].get(at) if into == self.live[0] else None
        found: int | str | None = self._values(f"{into}_id")[at]
        return row.record.id if row is not None and row.record is not None else found

    def mark(self, at: int, into: str, *, approved: bool) -> None:
        """Approve or reject a cell; done twice, it is undone."""
        marks = self._marks.setdefault(into, {})
        if marks.pop(at, None) is not approved:
            marks[at] = approved

    def approved(self, into: str) -> list[int]:
        """Return the positions of the cells of a column that are approved."""
        marks = self._marks.get(into, {})
        return sorted(at for at in marks if marks[at])

    def with_marks(self) -> pd.DataFrame:
        """Return the frame, with a column of what is approved beside each generated one that has any."""
        import pandas as pd

        frame = self.frame.copy()
        for into, marks in self._marks.items():
            frame[f"{into}_approved"] = pd.array([marks.get(at) for at in range(len(frame))], dtype="boolean")
        return frame

    def _states(self, into: str) -> list[set[str]]:
        """Return the words for the state of each cell of a column, which may be approved, too."""
        marks = self._marks.get(into, {})
        states = self._values(f"{into}_status") if into in self.generated else [None] * len(self.frame)
        return [
            {state, MARKS[marks[at]][1] if at in marks else None} - {None} for at, state in enumerate(states)
        ]

    def counts(self, into: str) -> Counter[str]:
        """Return how many cells of a column have each state."""
        return Counter(state for states in self._states(into) for state in sorted(states))

    def choose(self, state: str, into: str) -> None:
        """Show the rows whose cell of a column has a state; all rows if it is empty."""
        states = self._states(into)
        self.shown = [at for at in range(len(self.frame)) if not state or state in states[at]]

    def window(self, begin: int, end: int) -> list[Any]:
        """Return the rows between two places: the position, the cells, and the state of each."""
        table = GivenTable("frame", self.frame)
        own, made = [table.column(name, "frame") for name in self.own], self.generated
        return [
            [
                at,
                [*(_words(column.iloc[at]) for column in own), *(self._cell(at, name) for name in made)],
                [*([] for _ in own), *(self._state(at, name) for name in made)],
            ]
            for at in self.shown[begin:end]
        ]

    def _cell(self, at: int, name: str) -> str:
        """Return the text of a cell, or the key of its picture."""
        row = self.live[1].get(at) if name == self.live[0] else None
        is_picture = RESOURCES[self.generated[name]].has_picture
        if row is not None and row.record is not None:
            return _words(row.record.id if is_picture else row.record.result)
        return _words(self.frame[f"{name}_id" if is_picture else name].iloc[at])

    def _state(self, at: int, name: str) -> list[str]:
        """Return the class and the words of the state of a cell."""
        row = self.live[1].get(at) if name == self.live[0] else None
        state, error = (_words(self.frame[f"{name}{ending}"].iloc[at]) for ending in ("_status", "_error"))
        if row is not None:
            state, error = row.status or ("waiting" if row.sent is None else "under way"), row.error or ""
        mark = self._marks.get(name, {}).get(at)
        kind, words = ("wrong" if state in WRONG else "state", state) if mark is None else MARKS[mark]
        return [kind, f"{words}: {error}" if error else words]


def put_text(frame: pd.DataFrame, at: int, into: str, text: str) -> None:
    """Put a text that a person edited into a frame of its own."""
    names = [*frame.columns]
    frame.iloc[at, names.index(into)] = text
    frame.iloc[at, names.index(f"{into}_status")] = EDITED


def _words(value: Any) -> str:
    """Return a value of a cell as a text; nothing for a missing one."""
    import pandas as pd

    is_missing = pd.api.types.is_scalar(value) and pd.isna(value)
    return "" if is_missing else cut(HEADING.sub("", as_text(value)), MOST_OF_CELL)
