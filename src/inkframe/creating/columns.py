"""Columns from prompts: a text or a picture for each row of a table, beside its own columns.

A row is its name, its filled prompt and its settings. What was created for it is known by the journal of bulk
creates, so that a column costs once what ``create_many`` of the same rows would. Records that replace others
(``again``) have the identity of their row with another number, and those with examples that with a hash of these.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from inspect import signature
from itertools import count, takewhile
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

import numpy as np
import pandas as pd

from inkframe.creating.identity import Identity, marks
from inkframe.creating.journal import journal_of
from inkframe.creating.plans import plan_documents, plan_images
from inkframe.creating.rows import STATUSES, Row, id_of, id_values
from inkframe.creating.table import GivenTable, as_text, lacking, name_rows, pattern_of
from inkframe.display.console import notice, variable_name
from inkframe.display.markup import counted
from inkframe.errors import InvalidArgument
from inkframe.frames import (
    ATTRIBUTE,
    BASELINES,
    COLUMNS,
    ENDINGS,
    SOURCES,
    column_source,
    differing,
    identified,
    plain,
)
from inkframe.versions import text_type
from inkframe.vocabulary.arguments import check_integer, check_text, short

if TYPE_CHECKING:
    from inkframe.creating.create_many import Batch
    from inkframe.listing.session import SessionCalls

__all__ = [
    "EDITED",
    "MOST_EXAMPLES",
    "Column",
    "write_column",
]

#: What a column can be besides the statuses of a batch.
EDITED: Final = "edited"
STALE, WAITING = "stale", "waiting"
#: Arguments with a value for each row, or with rows.
FRAMES: Final = frozenset({"where", "again", "examples"})
#: The most examples of a prompt.
MOST_EXAMPLES: Final = 8
#: The numbers of equal rows among which that of a record is looked for, though others may not be created yet.
MOST_EQUAL: Final = 10
#: What follows a prompt with examples.
INTRODUCTION: Final = "These are approved examples of other cases. Write in their manner."


class Column:
    """The creates of one column of a frame; the frame is not changed.

    Args:
        calls: The collection.
        new_batch: Prepares a bulk creation.
        call: The call, ``write`` or ``draw``.
        given: Its arguments by name.
        client: The client, whose name the printed lines have.
        as_made: Returns texts of a file as they were created.

    Attributes:
        spec: The collection.
        into: The name of the column.
        batch: The bulk creation of the rows that are not there.
        notes: What is left as it is, and why, a line each.

    Raises:
        InvalidArgument: An argument is not allowed, or does not fit the frame; nothing was sent.
    """

    def __init__(
        self,
        calls: SessionCalls,
        new_batch: Callable[..., Batch],
        call: Callable[..., Any],
        given: Mapping[str, Any],
        client: object,
        as_made: Callable[..., list[Any]],
    ) -> None:
        self._calls, self._method, self._given, self._client = calls, call, dict(given), client
        self.spec = calls.spec
        self.into = check_text("into", given["into"])
        self._table = GivenTable("frame", given["frame"])
        self._frame = self._table.frame
        self._journal = journal_of(calls.session, given["journal"])
        self._source = {**calls.session.source, "client": calls.session.id}
        self._came = {**self._source, "collection": calls.spec.name}
        self._settings = {name: given[name] for name in given if name in {*calls.spec.settings, "template"}}
        self._where = _mask("where", given["where"], self._frame, otherwise=True)
        prompt = check_text(self.spec.source, given[self.spec.source])
        #: The words of each pattern of names that rows may have been created with, if none was given.
        self._names = [] if given["name"] else self._table.default_names(self.into, prompt)
        self._texts = cache(lambda word: [as_text(each) for each in self._table.column(word, "name")])
        new_batch = partial(new_batch, journal=self._journal)
        self.batch = self._read(new_batch, given["name"] or pattern_of(self._names[0]))
        known = next(filter(self._knows, self._names), None)
        if known is not None and pattern_of(known) != self.name:
            self._given["name"] = pattern_of(known)
            self.batch = self._read(new_batch, self._given["name"])
        self.batch.frame, self.batch.call = lambda: self.frame_of(self.batch.rows), self._call
        self.batch.earlier.remedy = "again= creates {} anew"
        self.batch.earlier.unknown = f'frame[frame["{self.into}_status"] == "unknown"]'
        self._read_cells(as_made)
        self._select()

    def _read(self, new_batch: Callable[..., Batch], name: str) -> Batch:
        """Return the batch of all rows that lack nothing, so that numbers are the same whatever rows are filled.

        Args:
            new_batch: Prepares a bulk creation.
            name: The pattern of names.

        Raises:
            InvalidArgument: A text calls what does not exist, or the column itself.
        """
        self.name = name
        texts = {self.spec.source: [self._given[self.spec.source]], "name": [name]} | {
            field: [value] for field, value in self._settings.items() if isinstance(value, str)
        }
        beside = {self.spec.source: ["case"], "name": [*self._settings, "case", "repeat", "number"]}
        used = self._table.used(texts, beside)
        if self.into in used:
            raise InvalidArgument(
                f"{{{self.into}}} is the column to fill, and cannot be used to fill it.\n"
                "Pass another name as into=…"
            )
        #: Which rows lack each column that is used.
        self._lacks = {word: np.array(lacking(column), bool) for word, column in used.items()}
        whole = ~np.any([np.zeros(len(self._frame), bool), *self._lacks.values()], axis=0)
        try:
            batch = new_batch(self._fields(self._frame[whole]))
        except InvalidArgument:
            whole &= self._where  # unless the mistake is in these
            batch = new_batch(self._fields(self._frame[whole]))
        for row, at in zip(batch.rows, np.flatnonzero(whole).tolist(), strict=True):
            row.label = at
        return batch

    def _knows(self, words: Sequence[str]) -> bool:
        """Return whether the journal knows a row by the name that a pattern gives it."""
        contents, named = self._journal.contents, (self._called(row, words) for row in self.batch.rows)
        return bool(contents) and any(
            next(self.batch.identities(fields)).content in contents for fields in named
        )

    def _called(self, row: Row, words: Sequence[str]) -> dict[str, Any]:
        """Return the fields of a row with the name that a pattern gives it."""
        name = " ".join(self._texts(word)[row.label] for word in words)
        return row.fields | {"name": " ".join(name.split())}

    def _read_cells(self, as_made: Callable[..., list[Any]]) -> None:
        """Read what the column has now, and which of it is known as it was fetched or created.

        Raises:
            InvalidArgument: The column is that of another service, or a person's own.
        """
        frame, came = self._frame, column_source(self._frame, self.into)
        if (different := differing(came, self._came)) is not None:
            field, (there, here) = different
            of = "" if field == "collection" else f"records of {field} "
            raise InvalidArgument(
                f"The column {self.into!r} holds {of}{there}, and cannot hold {of}{here}.\n"
                "Pass another name as into=…"
            )
        #: The positions of the columns in the frame, if they are there, and their values.
        self._at = {ending: self._table.place(f"{self.into}{ending}") for ending in ("", *ENDINGS)}
        own = [f"{self.into}{ending}" for ending, at in self._at.items() if at is not None]
        is_own = bool(own) and self._at["_status"] is None and not came
        if is_own and not self._given.get("overwrite"):
            raise InvalidArgument(
                f"The column {own[0]!r} is your own, and would be filled.\n"
                "Pass another name as into=…, or overwrite=True to replace the whole column."
            )
        self._now: dict[str, list[Any]] = {
            ending: [None] * len(frame) if at is None or is_own else plain(frame.iloc[:, at])
            for ending, at in (self._at | {"_error": None}).items()
        }
        kept = BASELINES.find(came.get("baseline"))
        texts = {} if kept is None else kept[self.spec.generated].to_dict()
        ids = {str(id): id for id in texts}  # which a cast may have changed
        self._now["_id"] = [ids.get(str(id), id) for id in map(id_of, self._now["_id"])]
        if not (self.spec.has_picture or came):  # which files lose
            self._now[""] = as_made(self._calls, self._journal, self._now["_id"], self._now[""])
        self._now[""] = [str(each) if str(each or "").strip() else None for each in self._now[""]]
        #: The create of each record.
        self._owners = [self._journal.owner(self.spec.name, id) for id in self._now["_id"]]
        #: The content of each record as it was fetched or created, by id.
        self._fetched: dict[Any, Any] = {
            id: cell
            for at, (id, cell) in enumerate(zip(self._now["_id"], self._now[""], strict=True))
            if self._is_as_created(at)
        } | texts
        for word, missing in self._lacks.items():
            for at in np.flatnonzero(self._where & missing).tolist():
                self._now["_status"][at], self._now["_error"][at] = "skipped", f"{word!r} is missing"

    def _has_own(self, row: Row) -> bool:
        """Return whether a row has its own record in the frame, created with any number and name, which it then has, too.

        Its record showed what the row has now, though a name that nobody gave does not count; or, where a service changes
        values, it was created for the row under one of its names.
        """
        owner = self._owners[row.label]
        if owner is None or (entry := self._journal.known(owner)) is None:
            return False
        shown, wanted = entry.shown or {}, marks(row.fields)
        other = {name for name in self.spec.creates if shown.get(name) != wanted.get(name)}
        if owner.content == row.identity.content or other <= ({"name"} if self._names else set()):
            row.identity = owner
            return True
        for fields in (row.fields, *(self._called(row, words) for words in self._names)):
            contents = enumerate(each.content for each in self.batch.identities(fields, count(1)))
            near = takewhile(lambda each: each[0] < MOST_EQUAL or each[1] in self._journal.contents, contents)
            if any(content == owner.content for _, content in near):
                row.identity, row.fields = owner, fields
                return True
        return False

    def _select(self) -> None:
        """Find out which rows are created or fetched, and what becomes of the others."""
        self._again = _mask("again", self._given["again"], self._frame, otherwise=False)
        if self._again.any() and self._at["_id"] is None:
            raise InvalidArgument(
                f"again needs the column {self.into}_id with the records to replace, which the frame lacks.\n"
                "Pass the frame that write() or draw() returned."
            )
        examples, approved = self._examples()
        self._again &= ~approved
        statuses, equal = self._now["_status"], dict[Any, Iterator[Identity]]()
        # The first row that has its own record in the frame, by content; then others, as they are created.
        holders = {row.identity.content: row.label for row in reversed(self.batch.rows) if self._has_own(row)}
        for row in self.batch.rows:
            at, state = row.label, self._state(row)
            numbered = equal.setdefault(
                tuple(row.fields.values()), self.batch.identities(row.fields, count(1))
            )
            # Rows that are not filled now have their numbers, too, so that these stay the same.
            while state != "existing" and holders.setdefault(row.identity.content, at) != at:
                row.identity = self._journal.latest(next(numbered))
            if self._where[at]:
                statuses[at] = state
        chosen = [row for row in self.batch.rows if self._where[row.label]]
        needed = [row for row in chosen if statuses[row.label] is None]
        for row in needed:
            self._identify(row, examples)
        new = [row.label for row in needed if not self.batch.is_known(row)]
        preview = self._given["preview"]
        later = {*new[len(new) if preview is None else check_integer("preview", preview, least=0) :]}
        for at in later:
            statuses[at] = WAITING if self._now[""][at] is None else STALE
        self.batch.rows = [row for row in needed if row.label not in later]
        edited = sum(statuses[row.label] == EDITED for row in chosen)
        replaced = sum(self._now["_id"][at] is not None and at not in later for at in new)
        left = {word: self._where & missing for word, missing in self._lacks.items()}
        notes = [
            *(
                (rows.any(), f"Left out: {word!r} is missing in {name_rows(self._frame.index, rows)}.")
                for word, rows in left.items()
            ),
            (edited, f"{counted(edited, 'cell')} of {self.into!r} edited by hand, left unchanged."),
            (
                replaced,
                f"{counted(replaced, self.spec.noun)} replaced in the frame; the service keeps the earlier ones.",
            ),
            (
                later,
                f"{counted(len(later), 'row')} left for later.\nTo create the rest:\n{self._call(len(later))}",
            ),
        ]
        self.notes = [note for is_needed, note in notes if is_needed]

    def _fields(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Return the fields of the record of each row of a frame."""
        plan = plan_images if self.spec.has_picture else plan_documents
        planned = plan(
            **{self.spec.source: self._given[self.spec.source], "name": self.name, "variables": frame},
            **self._settings,
            vocabulary=self._calls.session.vocabulary,
            quiet=True,
        )
        if len(planned) != len(frame):
            raise InvalidArgument(
                f"Each setting of a column must be one value, got {short(self._settings)}.\n"
                "Write several columns, each with its own into=…, or plan the rows."
            )
        return planned[[*self.spec.creates]]

    def _examples(self) -> tuple[str, np.ndarray]:
        """Return what follows the prompts of new rows, and which rows are approved.

        Raises:
            InvalidArgument: The examples are too many, or one has no text.
        """
        given: Any = self._given.get("examples")
        is_frame = hasattr(given, "columns")
        known = given.get(f"{self.into}_id", pd.Series()).tolist() if is_frame else []
        ids = {str(id_of(each)) for each in known} - {"None"}
        mask = [str(own) in ids for own in self._now["_id"]] if is_frame else given
        approved = _mask("examples", mask, self._frame, otherwise=False)
        if given is None:
            return "", approved
        frame = given if is_frame else self._frame[approved]
        if not 0 < len(frame) <= MOST_EXAMPLES or self.into not in frame or any(lacking(frame[self.into])):
            raise InvalidArgument(
                f"examples must be 1 to {MOST_EXAMPLES} rows with a text in {self.into!r}, got {counted(len(frame), 'row')}.\n"
                "Choose the most telling ones of those that have one."
            )
        pairs = zip(self._fields(frame)[self.spec.source], frame[self.into], strict=True)
        return "\n\n".join(
            ["", INTRODUCTION, *(f"Case: {case}\nText: {text}" for case, text in pairs)]
        ), approved

    def _state(self, row: Row) -> str | None:
        """Return the state of a row whose cell stays as it is; None if it is created or fetched."""
        at = row.label
        if self._again[at] or self._now[""][at] is None:
            return None
        if self._now["_id"][at] is None or self._is_as_created(at) is False:
            return EDITED
        return "existing" if self._owners[at] in {None, row.identity} else None

    def _is_as_created(self, at: int) -> bool | None:
        """Return whether a cell has what was created for it; None if the journal does not know."""
        entry = self._journal.find(self._owners[at])
        name, cell = self.spec.generated, str(self._now[""][at])
        # In a file, a formula has an apostrophe.
        created = [marks({name: each})[name] for each in (cell, cell.removeprefix("'"))]
        return entry.shown.get(name) in created if entry is not None and entry.shown else None

    def _identify(self, row: Row, examples: str) -> None:
        """Set what is created or fetched for a row; what is created with examples gets them."""
        at, journal, content = row.label, self._journal, row.identity.content
        owner, is_again = self._owners[at], self._again[at]
        # A record that the journal does not know, as in a new home, is fetched.
        row.id = None if is_again or owner else self._now["_id"][at]
        made = [row.identity] + [
            journal.last(each)
            for each, entry in journal.creates(content, examples=True)
            if entry.id is not None and entry.is_own
        ]
        known = [each for each in made if journal.known(each) is not None]
        if known and not is_again:
            row.identity = known[0]
            return
        row.fields[self.spec.source] += examples
        first = Identity(content, 0, examples and hashlib.sha256(examples.encode()).hexdigest()[:16])
        last = journal.last(first)
        entry, before = journal.find(last), journal.find(owner)
        # One whose program was killed is looked for; of one that was not found, a person wants another.
        is_later = (
            entry is not None
            and (entry.state == "sent" or not entry.is_open)
            and (before is None or entry.order > before.order)
        )
        row.identity = last if is_later or not is_again else journal.next([first], last.number + 1)[0]

    def _call(self, confirm: int) -> str:
        """Return the line of code that fills the whole column.

        Args:
            confirm: The number of creates.
        """
        written = {
            name: variable_name(self._given[name], name)
            for name in FRAMES
            if self._given.get(name) is not None
        } | ({"confirm": str(confirm)} if self._calls.session.creations_are_billed else {})
        return write_column(
            self._method,
            f"{variable_name(self._client, 'client')}.{self.spec.name}",
            variable_name(self._given["frame"], "frame"),
            {**self._given, "preview": None},
            written,
        )

    def announced(self) -> Batch:
        """Print what is left as it is, and return the bulk creation of the records that the frame lacks."""
        if self.notes:
            notice("\n".join(self.notes))
        return self.batch

    def frame_of(self, rows: Sequence[Row]) -> pd.DataFrame:
        """Return the caller's frame with the column as it is now.

        Args:
            rows: The rows of the batch.
        """
        generated, now = self.spec.generated, {ending: [*values] for ending, values in self._now.items()}
        for row in rows:
            at, entry = row.label, self._journal.find(row.identity)
            is_edited = generated in (row.edited or "").split(", ")
            now["_status"][at], now["_error"][at] = EDITED if is_edited else row.status or None, row.error
            if row.record is not None:
                now[""][at], now["_id"][at] = getattr(row.record, generated), row.record.id
                self._fetched[row.record.id] = now[""][at]
            elif row.status == "skipped" and entry is not None and now["_id"][at] is None:
                now["_id"][at] = entry.id  # of a record that is not there, so that ``again`` can replace it
        columns = {
            "": pd.array(now[""], dtype=text_type()),
            "_id": id_values(now["_id"]),
            "_status": pd.Categorical(now["_status"], categories=[*STATUSES, EDITED, STALE, WAITING]),
            "_error": pd.array(now["_error"], dtype=text_type()),
        }
        others = [at for at in range(self._frame.shape[1]) if at not in self._at.values()]
        frame = self._frame.iloc[:, others].copy()
        first = min((at for at in self._at.values() if at is not None), default=len(others))
        for ending, values in reversed(columns.items()):
            # A name of one level has empty ones below it.
            levels = (f"{self.into}{ending}", *[""] * (frame.columns.nlevels - 1))
            frame.insert(first, levels if len(levels) > 1 else levels[0], values)
        fetched = self._fetched | {
            id: None
            for id, cell in zip(now["_id"], now[""], strict=True)
            if id is not None and cell is None and id not in self._fetched
        }
        is_known = fetched.keys() >= {*now["_id"]} - {None}
        came = self._came | ({"baseline": uuid4().hex} if is_known else {})
        if is_known:
            texts = pd.Series(fetched, dtype=text_type()).rename_axis("id").to_frame(generated)
            BASELINES.keep(frame, identified(texts), came)
        # Anything else may have attrs with these names, too.
        before = {name: value for name, value in frame.attrs.items() if isinstance(value, dict)}
        known = before.get(ATTRIBUTE, self._source)
        is_other = "collection" not in known and differing(known, self._source) is not None
        frame.attrs |= {
            ATTRIBUTE: {} if is_other else known,  # columns of several services have no client in common
            COLUMNS: before.get(COLUMNS, {}) | {self.into: self.spec.name},
            SOURCES: before.get(SOURCES, {}) | {self.into: came},
        }
        return frame


def write_column(
    call: Callable[..., Any],
    collection: str,
    frame: str,
    given: Mapping[str, Any],
    written: Mapping[str, str],
) -> str:
    """Return the line of code that fills a column.

    Args:
        call: ``write`` or ``draw``.
        collection: The code of its collection.
        frame: The name of the frame.
        given: The arguments of the call by name; those with their default are left out.
        written: The code of further arguments, and of those with a value for each row.
    """
    defaults = {name: known.default for name, known in list(signature(call).parameters.items())[1:]}
    source, *others = (name for name in defaults if name not in {"confirm", "progress", *written})
    values = {name: repr(given[name]) for name in others if given.get(name, defaults[name]) != defaults[name]}
    options = [f"{name}={value}" for name, value in (values | dict(written)).items()]
    return f"{frame} = {collection}.{call.__name__}({', '.join([frame, repr(given[source]), *options])})"


def _mask(name: str, given: Any, frame: pd.DataFrame, *, otherwise: bool) -> np.ndarray:
    """Return which rows a mask selects.

    Raises:
        InvalidArgument: It is no mask over the frame.
    """
    given = otherwise if given is None else given
    is_other = isinstance(given, pd.Series) and not given.index.equals(frame.index)
    with suppress(TypeError, ValueError):  # of another length, or of other values
        if not is_other:
            mask = given if isinstance(given, bool) else list(given)
            return pd.Series(mask, frame.index, "boolean").to_numpy(dtype=bool, na_value=False)
    what = "with another index" if is_other else "of other values"
    raise InvalidArgument(
        f"{name} must be True or False for each of {counted(len(frame), 'row')}, got a {type(given).__name__} {what}.\n"
        f"Make it of a column: {name}=frame['price'] > 10."
    )
