"""``Sheet``: a table whose columns are written and drawn from prompts, to read, edit, approve and make again."""

from __future__ import annotations

import re
import threading
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

import ipywidgets
import pandas as pd

from inkframe.client import Client
from inkframe.creating.columns import MOST_EXAMPLES, Column, write_column
from inkframe.creating.journal import journal_of
from inkframe.display.console import variable_name
from inkframe.display.markup import counted
from inkframe.errors import InkframeError, InvalidArgument
from inkframe.resources.accessor import Accessor
from inkframe.resources.records import values_of
from inkframe.resources.views import view_columns
from inkframe.schema import DOCUMENTS, IMAGES, RESOURCES
from inkframe.system.files import read_lines
from inkframe.system.processes import append_line
from inkframe.widgets.field_panel import FieldPanel
from inkframe.widgets.fields import FormField, choice_field, choice_fields, creativity_field, text_field
from inkframe.widgets.panel import button, client_name, later, show, styled
from inkframe.widgets.record_reader import RecordReader
from inkframe.widgets.sheet_table import APPROVED, KEYS, PromptBox, SheetTable, put_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from inkframe.creating.rows import Row
    from inkframe.display.view import View

__all__ = ["Sheet"]

#: The media type of an Excel file.
EXCEL: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
#: The rows of the saved table, and those of a preview.
SAVED: Final = 20
FIRST: Final = 3
#: Seconds after the last change of a field before the creates are counted.
PAUSE: Final = 0.3


class Sheet(FieldPanel):
    """A table whose generated columns grow: from a prompt, in the background, a few first, then the rest.

    Keys in the table: arrows move, Enter reads whole, e edits the text (which is sent to the service), r makes it anew, a
    approves, x rejects. A click on the head of a generated column brings its prompt back.

    Args:
        client: The service's client.
        frame: The table; it is not changed. Columns that another service generated are only shown.
        prompt: The prompt, in which ``{product}`` calls the column ``product``.
        into: The name of the column.
        journal: The journal file; by default one for this service.
        confirm: The number of creates, for more than 25 on a service that bills; else the button asks.

    Attributes:
        frame: The table with all generated columns, and what was approved.
        code: The lines that do the same.

    Raises:
        InvalidArgument: The frame is none.

    Example:
        >>> products = pd.DataFrame({"product": ["a kettle", "a lamp"]})
        >>> sheet = ink.Sheet(client, products, prompt="Describe {product} in one sentence.")
        >>> sheet.preview(1).result()["text_status"].tolist()
        ['created', 'waiting']
    """

    _spec = DOCUMENTS
    _working = "Creating"
    #: Whether to say where the table is; a panel that shows this one has the table itself.
    says_place = True

    def __init__(
        self,
        client: Client,
        frame: pd.DataFrame,
        *,
        prompt: str = "",
        into: str = "text",
        journal: str | None = None,
        confirm: int | None = None,
    ) -> None:
        self._source_name = variable_name(frame, "frame")
        self._journal, self._confirm = journal, confirm or 0
        #: The values of the fields for each column that was filled here, and the lines that filled them.
        self._filled: dict[str, dict[str, Any]] = {}
        self._lines: list[str] = []
        #: The texts that were edited while a job ran, by position and column.
        self._edits: dict[tuple[int, str], str] = {}
        #: Held while the frame is changed, which a job, an edit and a key do in threads of their own.
        self._changing = threading.Lock()
        self._opened = 0, ""
        self._turn: object = None
        #: Whether the columns were looked for that earlier sheets of this table created.
        self._looked = False
        vocabulary, fetch = client.vocabulary, client.images.picture_of_row
        self.table = SheetTable(frame, client.documents.source, self._act, fetch)
        fields = [
            FormField("prompt", PromptBox(value=prompt, columns=[*self.table.own]), span=12, required=True),
            choice_field(
                "kind", "Creates", [("Texts", DOCUMENTS.name), ("Pictures", IMAGES.name)], DOCUMENTS.name
            ),
            text_field("into", "Column", into, span=3, required=True),
            text_field("name", "Names", span=6, hint="By default the first column of texts"),
            creativity_field(vocabulary, 0.5),
            *choice_fields(vocabulary, {"resolution": vocabulary.usual("resolution")}),
            *choice_fields(vocabulary, dict.fromkeys([*IMAGES.settings][1:]), nothing="None"),
        ]
        self.preview_button = button(f"Preview {FIRST}", partial(self._clicked, preview=FIRST))
        self.filter = ipywidgets.Dropdown(description="Show", options=[("All rows", "")])
        self.filter.observe(lambda _: self.table.show(self.filter.value, self._into), "value")
        self.examples = ipywidgets.Checkbox(description="Use approved as examples", indent=False)
        self.examples.observe(lambda _: self._refresh(), "value")
        tools = [self.filter, self.examples, button("Download Excel", self.download, "ink-small")]
        bar = styled(ipywidgets.HBox(tools), "ink-row", "ink-sheet-bar")
        self.reader = RecordReader(client.service, fetch=fetch, save=self._save, hides=True)
        super().__init__(
            client,
            fields,
            beside=[self.preview_button],
            span=12,
            below=[bar, self.table, self.reader],
        )
        styled(self, "ink-wide-panel")
        self.fields["kind"].on_change(lambda _: self._rename())
        for each in (self.button, self.preview_button):
            ipywidgets.dlink((self, "busy"), (each, "disabled"))
        self._take(lambda frame: frame)

    @property
    def approved(self) -> pd.DataFrame:
        """The rows whose cell in the current column is approved."""
        return self.table.frame.iloc[self._approved()]

    def _approved(self) -> list[int]:
        return [at for at, mark in enumerate(self.table.marks(self._into)) if mark]

    @property
    def _into(self) -> str:
        return str(self.fields["into"].value).strip()

    @property
    def _hidden(self) -> set[str]:
        """The settings of the other collection."""
        return {*IMAGES.settings, *DOCUMENTS.settings} - {*self._spec.settings}

    def _values(self) -> dict[str, Any]:
        """Return the values of the fields that are shown."""
        return {name: field.value for name, field in self.fields.items() if name not in self._hidden}

    def _call(self, values: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
        """Return what creates a column with these values of the fields, and its arguments but for the frame."""
        collection = getattr(self._client, values["kind"])
        spec = collection.spec
        given = {name: value for name, value in values.items() if name in spec.settings}
        given |= {
            spec.source: values["prompt"],
            "into": values["into"].strip(),
            "name": values["name"] or None,
        }
        return collection.draw if spec.has_picture else collection.write, given | {"journal": self._journal}

    def _column(self, values: Mapping[str, Any], **how: Any) -> Column:
        """Return the creates of a column with these values of the fields."""
        call, given = self._call(values)
        column: Column = call.__self__.column(call, self.table.frame, **given, **how)
        return column

    def _examples(self) -> dict[str, Any]:
        """Return the mask of the approved rows, if they are used as examples."""
        approved = self._approved()[:MOST_EXAMPLES]
        if not self.examples.value or not approved or self._spec.has_picture:
            return {}
        return {"examples": [at in approved for at in range(len(self.table.frame))]}

    def preview(self, n: int = FIRST) -> Future[pd.DataFrame]:
        """Create the first records that the column lacks, in a thread.

        Args:
            n: Their number.

        Returns:
            A future of the frame.
        """
        return self.submit(preview=n)

    def submit(self, confirm: int | None = None, *, preview: int | None = None) -> Future[pd.DataFrame]:
        """Create all records that the column lacks, in a thread.

        Args:
            confirm: The number of creates, for more than 25 on a service that bills.
            preview: Create so many of them at most.

        Returns:
            A future of the frame. It holds an ``InvalidArgument`` where fields lack something or the number is not
            confirmed; nothing is sent then.
        """
        how = {} if preview is None else {"preview": preview}
        return self._fill(self._values(), how | self._examples(), confirm)

    def _fill(self, values: dict[str, Any], how: Mapping[str, Any], confirm: int | None) -> Future[Any]:
        if how.get("preview") != 0 and (refusal := self._refusal()) is not None:
            return refusal
        try:
            with self._changing:  # what is edited from now on is not known to the column
                self._edits.clear()
                column = self._column(values, **how)
        except InvalidArgument as error:
            return self._refuse(error, {"prompt": str(error).replace("\n", " ")})
        rows, line = column.batch.rows, self._line(values, how)
        return self._create_rows(
            column.batch,
            rows,
            confirm,
            begun=partial(self._begin_run, column),
            shown=partial(self._end_run, column, values, line),
            told=partial(self._tell_run, column),
        )

    def _begin_run(self, column: Column) -> None:
        self._take(partial(self._filled_by, column, []))
        self.table.live = column.into, {row.label: row for row in column.batch.rows}

    def _end_run(self, column: Column, values: dict[str, Any], line: str) -> None:
        """Show what was created, also before a failure."""
        self._filled[column.into] = values
        # A preview is part of what follows it.
        others = (each for each in self._lines if re.sub(r", preview=\d+", "", each) != line)
        self._lines = [*others, line]
        if (file := self._memory) is not None:
            with suppress(OSError):
                append_line(file, {"table": [*self.table.own], "into": column.into, "values": values})
        self.table.live = "", {}
        self._take(partial(self._filled_by, column, column.batch.rows))

    def _tell_run(self, column: Column) -> Any:
        notes = [f"The table is {variable_name(self, 'sheet')}.frame.", *column.notes][not self.says_place :]
        self._tell(column.batch, column.batch.rows, f"{KEYS}.", *(note.split("\n")[0] for note in notes))
        self._keep_copy()
        return self.frame

    def _filled_by(self, column: Column, rows: Sequence[Row], now: pd.DataFrame) -> pd.DataFrame:
        """Return the frame with a column as it is now; what was approved or edited meanwhile stays."""
        marks = {f"{name}": each for name, each in now.items() if f"{name}".endswith(APPROVED)}
        frame = column.frame_of(rows).assign(**marks)
        for (at, into), text in self._edits.items():
            frame = put_text(frame, at, into, text)
        return frame

    def _row_changed(self, row: Row) -> None:
        self.table.renew(str(row.label))

    # --- what is shown ---

    def _take(self, change: Callable[[pd.DataFrame], pd.DataFrame]) -> pd.DataFrame:
        """Change the frame, count the statuses, show it, and return it."""
        with self._changing:
            self.table.frame = frame = change(self.table.frame)
        self.frame = self.table.frame
        chosen, counts = self.filter.value, self.table.states(self._into).value_counts(sort=False)
        options = {f"{name} ({count:,})": name for name, count in counts.items()}
        self.filter.options = [("All rows", ""), *options.items()]
        self.filter.value = chosen if chosen in options.values() else ""
        self.table.show(self.filter.value, self._into)
        self._refresh()
        return frame

    # --- what a person does ---

    def _act(self, kind: str, at: int, into: str) -> None:
        """Do what a key in the table asks for."""
        acts: dict[str, Callable[[], Any]] = {
            "column": lambda: self._put(self._filled.get(into, {})),
            "open": partial(self.read, at, into),
            "edit": partial(self.read, at, into, edits=True),
            "again": partial(self.again, at, into),
            "approve": partial(self.mark, at, into, approved=True),
            "reject": partial(self.mark, at, into, approved=False),
        }
        if kind in acts and into in self.table.generated and 0 <= at < len(self.table.frame):
            acts[kind]()

    def mark(self, at: int, into: str | None = None, *, approved: bool) -> None:
        """Approve or reject a cell; done twice, it is undone.

        Args:
            at: The position of the row.
            into: The column; by default the current one.
            approved: Whether it is approved.
        """
        self._take(lambda _: self.table.marked(at, into or self._into, approved=approved))

    def again(self, at: int, into: str | None = None) -> Future[pd.DataFrame]:
        """Create the record of a cell anew, in a thread.

        Args:
            at: The position of the row.
            into: The column; by default the current one.
        """
        into = into or self._into
        if (values := self._filled.get(into)) is None:
            unknown = f"The prompt of {into!r} is not known. Write it above, with this column."
            problem = self.table.foreign(into) or unknown
            return self._refuse(InvalidArgument(problem), {"prompt": problem})
        mask = [place == at for place in range(len(self.table.frame))]
        examples = self._examples() if into == self._into else {}
        return self._fill(values, {"where": mask, "again": mask} | examples, None)

    def read(self, at: int, into: str | None = None, *, edits: bool = False) -> Future[Any]:
        """Show the record of a cell as a whole, or its text in a field.

        Args:
            at: The position of the row.
            into: The column; by default the current one.
            edits: Whether to edit the text.
        """
        into = into or self._into
        spec = self.table.generated.get(into)
        id = None if spec is None else self.table.cell(at, into)[1]
        if spec is None or id is None:
            problem = self.table.foreign(into) or f"Row {at} has nothing in {into!r} yet."
            return self._refuse(InvalidArgument(problem), {})

        def show_record() -> Any:
            self.record = record = getattr(self._client, spec.name).get(id)
            self._opened = at, into
            self.reader.show(values_of(record))
            if edits and not spec.has_picture:
                self.reader.edit()
            self.bring_into_view(self.reader, "ink-pane")
            return record

        return self._aside(show_record)

    def download(self) -> Future[None]:
        """Download the frame as an Excel file with its pictures, through the browser."""

        def make() -> None:
            with TemporaryDirectory() as folder:
                path = Accessor(self.frame).to_excel(
                    Path(folder) / f"{self._source_name}.xlsx", pictures=True
                )
                self.table.save(path.name, EXCEL, path.read_bytes())
            self.say(f"{path.name} downloaded by the browser.")

        return self._aside(make)

    def _save(self, id: int | str, text: str) -> None:
        """Send a text that was edited, and show it in its cell."""
        at, into = self._opened

        def edited(stored: str, frame: pd.DataFrame) -> pd.DataFrame:
            self._edits[at, into] = stored
            return put_text(frame, at, into, stored)

        def change() -> None:
            record = self._client.documents.update(id, result=text)
            self._take(partial(edited, record.result or ""))
            self.reader.renew(values_of(record), stored=True)
            self.say(f"Saved document {id}.")

        self._aside(change)

    def _put(self, values: Mapping[str, Any]) -> None:
        """Put values into the fields."""
        for name in self.fields.keys() & values:
            self.fields[name].value = values[name]

    @property
    def _memory(self) -> Path | None:
        """The file beside the journal with the fields of the columns of each table; None beside one in memory."""
        path = journal_of(self._client._session, self._journal).path  # noqa: SLF001  # that of the creates
        return path and path.with_suffix(".columns")

    def _find_columns(self) -> None:
        """Show the columns that earlier sheets of this table created; nothing is created."""
        given, file, own = self._values(), self._memory, [*self.table.own]
        lines = filter(None, read_lines(file)) if file and file.exists() else ()
        noted = {line["into"]: line["values"] for line in lines if line["table"] == own}
        for values in [*noted.values(), *[given] * bool(given["prompt"])]:
            if self._column(values, preview=0).batch.rows:
                self._fill(values, {"preview": 0}, None).result()
        if self._filled and not self.fields["prompt"].value:
            self._put([*self._filled.values()][-1])

    # --- the fields ---

    def _rename(self) -> None:
        """Name the column after what it holds, unless a person has named it."""
        if self._into in {"text", "picture"}:
            self.fields["into"].value = "picture" if self._spec.has_picture else "text"

    def _refresh(self) -> None:
        self._spec = RESOURCES[self.fields["kind"].value]
        for name, field in self.fields.items():
            show(field, shown=name not in self._hidden)
        show(self.examples, shown=not self._spec.has_picture)
        line = self._line(self._values(), self._examples())
        self.code = "\n".join([*self._lines, *([line] if line not in self._lines else [])])
        self._again = {}
        self._turn = turn = object()
        later(PAUSE, partial(self._count, turn))

    def _count(self, turn: object) -> None:
        """Show how many records the next press creates or finds, unless a field was changed meanwhile."""
        if not (self._looked or self._under_way or self.table.generated):
            self._looked = True
            with suppress(
                InkframeError, OSError, KeyError, TypeError
            ):  # a service that is away, a damaged file
                self._find_columns()
        words, frame, into, values = "Create", self.table.frame, self._into, self._values()
        with suppress(InkframeError):
            batch = self._column(values, **self._examples()).batch
            made = frame[into].count() if into in frame and into in self.table.generated else 0
            words = "All created" if 0 < made == len(frame) else f"{made:,} of {len(frame):,} created"
            words = f"Find {counted(len(batch.rows), batch.noun)}" if batch.rows else words
            words = f"Create {counted(batch.new, batch.noun)}" if batch.new else words
        if turn is not self._turn:
            return
        self.button.disabled = self.busy or words == "All created"
        if words != self.button.description:
            self.button.description = words
            self._ended = (-inf, "")  # a press of what it says now is no second half of a double click

    def _line(self, values: Mapping[str, Any], how: Mapping[str, Any]) -> str:
        """Return the line that creates a column with these values of the fields."""
        call, given = self._call(values)
        frame, ids, written = self._source_name, f"{given['into']}_id", {}
        for name in ("where", "again", "examples"):
            if name in how and ids in self.table.frame:
                chosen = self.table.frame.loc[how[name], ids].dropna().tolist()
                written[name] = f"{frame}[{ids!r}].isin({chosen})"
        collection = f"{client_name(self._client)}.{call.__self__.resource}"
        return write_column(call, collection, frame, given | {"preview": how.get("preview") or None}, written)

    def _saved_view(self) -> View:
        """Return the table as it is saved in the notebook."""
        return view_columns(self.frame, SAVED)

    def _ipython_display_(self) -> None:
        super()._ipython_display_()
        self._keep_copy()
