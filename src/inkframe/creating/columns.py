"""Columns from prompts: a text or a picture for each row of a table, beside its own columns.

A row is its name, its filled prompt and its settings. What was created for it is known by the journal of bulk
creates, so that a column costs once what ``create_many`` of the same rows would. Records that replace others
(``again``) have the identity of their row with another number, and those with examples that with a hash of these.
"""

from __future__ import annotations

import hashlib
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
from inkframe.creating.rows import STATUSES, id_of, id_values
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
    from collections.abc import Callable, Mapping, Sequence

    from inkframe.creating.create_many import Batch
    from inkframe.creating.rows import Row
    from inkframe.listing.session import SessionCalls

__all__ = [
    "EDITED",
    "MOST_EXAMPLES",
    "Column",
    "named",
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
        names: The words of each pattern of names that rows may have been created with, if none was given.

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
        names: Sequence[Sequence[str]] = (),
    ) -> None:
        self._calls, self._method, self._given, self._client = calls, call, given, client
        self.spec = calls.spec
        self.notes: list[str] = []
        self.into = check_text("into", given["into"])
        self._table = GivenTable("frame", given["frame"])
        self._frame = self._table.frame
        self._journal = journal_of(calls.session, given["journal"])
        self._owner = partial(self._journal.owner, calls.spec.name)
        self._settings = {name: given[name] for name in given if name in {*calls.spec.settings, "template"}}
        prompt = check_text(self.spec.source, given[self.spec.source])
        self.names = names if given["name"] else self._table.default_names(self.into, prompt)
        self.name = given["name"] or pattern_of(self.names[0])
        self._values = cache(lambda word: self._table.column(word, "name").tolist())
        texts = {self.spec.source: [prompt], "name": [self.name]} | {
            name: [value] for name, value in self._settings.items() if isinstance(value, str)
        }
        beside = {self.spec.source: ["case"], "name": [*self._settings, "case", "repeat", "number"]}
        self._used = self._table.used(texts, beside)
        if self.into in self._used:
            raise InvalidArgument(
                f"{{{self.into}}} is the column to fill, and cannot be used to fill it.\n"
                "Pass another name as into=…"
            )
        source = {**calls.session.source, "collection": self.spec.name}
        if (different := differing(column_source(self._frame, self.into), source)) is not None:
            field, (there, here) = different
            of = "" if field == "collection" else f"records of {field} "
            raise InvalidArgument(
                f"The column {self.into!r} holds {of}{there}, and cannot hold {of}{here}.\n"
                "Pass another name as into=…"
            )
        #: The positions of the columns in the frame, if they are there, and their values.
        self._at = {ending: self._table.place(f"{self.into}{ending}") for ending in ("", *ENDINGS)}
        own = [f"{self.into}{ending}" for ending, at in self._at.items() if at is not None]
        is_own = bool(own) and self._at["_status"] is None and not column_source(self._frame, self.into)
        if is_own and not given.get("overwrite"):
            raise InvalidArgument(
                f"The column {own[0]!r} is your own, and would be filled.\n"
                "Pass another name as into=…, or overwrite=True to replace the whole column."
            )
        self._now: dict[str, list[Any]] = {
            ending: [None] * len(self._frame) if at is None or is_own else plain(self._frame.iloc[:, at])
            for ending, at in self._at.items()
        }
        self._now["_id"], self._now["_error"] = list(map(id_of, self._now["_id"])), [None] * len(self._frame)
        if not (self.spec.has_picture or column_source(self._frame, self.into)):  # which files lose
            self._now[""] = as_made(calls, self._journal, self._now["_id"], self._now[""])
        self._now[""] = [str(each) if str(each or "").strip() else None for each in self._now[""]]
        kept = BASELINES.find(column_source(self._frame, self.into).get("baseline"))
        created = [
            pair
            for at, pair in enumerate(zip(self._now["_id"], self._now[""], strict=True))
            if self._is_as_created(at)
        ]
        #: The id and the content of each record as it was fetched or created, by the text of the id, which a cast makes of it.
        self._fetched: dict[str, tuple[Any, Any]] = {
            str(id): (id, cell)
            for id, cell in [*created, *({} if kept is None else kept[self.spec.generated].to_dict()).items()]
        }
        self._now["_id"] = [self._fetched.get(str(id), (id, None))[0] for id in self._now["_id"]]
        self._where = _mask("where", given["where"], self._frame, otherwise=True)
        self.batch = self._read(partial(new_batch, journal=self._journal))
        self.batch.as_frame, self.batch.call = self.frame_of, self._call
        self.batch.earlier.remedy = "again= creates {} anew"
        self.batch.earlier.unknown = f'frame[frame["{self.into}_status"] == "unknown"]'
        #: The pattern of names with which the journal knows rows, else that of this column.
        self.known_name = given["name"] or self._known_name() or self.name
        #: The first row that has its own record in the frame, by content; then others, as they are created.
        self._holders = {
            row.identity.content: row.label for row in reversed(self.batch.rows) if self._has_own(row)
        }
        self._select()

    def _read(self, new_batch: Callable[..., Batch]) -> Batch:
        """Return the batch of all rows that lack nothing, so that numbers are the same whatever rows are filled."""
        lacks = np.zeros(len(self._frame), bool)
        for word, column in self._used.items():
            missing = np.array(lacking(column), bool)
            lacks |= missing
            if (left := self._where & missing).any():
                self.notes.append(f"Left out: {word!r} is missing in {name_rows(self._frame.index, left)}.")
            for at in np.flatnonzero(left).tolist():
                self._now["_status"][at], self._now["_error"][at] = "skipped", f"{word!r} is missing"
        try:
            return self._numbered(new_batch, ~lacks)
        except InvalidArgument:
            return self._numbered(new_batch, ~lacks & self._where)  # unless the mistake is in these

    def _numbered(self, new_batch: Callable[..., Batch], chosen: np.ndarray) -> Batch:
        """Return the batch of some rows, labeled by their positions, each with its number among equal ones."""
        rows = self._fields(self._frame[chosen])
        # Levels of the index may have the names of fields.
        equal = rows.reset_index(drop=True).groupby(rows.columns.tolist(), dropna=False, sort=False)
        rows["repeat"] = equal.cumcount().to_numpy() + 1
        batch = new_batch(rows)
        for row, at in zip(batch.rows, np.flatnonzero(chosen).tolist(), strict=True):
            row.label = at
        return batch

    def _known_name(self) -> str | None:
        """Return the first pattern of names with which the journal knows a row; None if it knows none."""
        contents = self._journal.contents
        named = (
            pattern_of(words)
            for words in (self.names if contents else ())
            if any(
                self.batch.identify(self._called(row, words)).content in contents for row in self.batch.rows
            )
        )
        return next(named, None)

    def _called(self, row: Row, words: Sequence[str]) -> dict[str, Any]:
        """Return the fields of a row with the name that a pattern gives it."""
        return {
            **row.fields,
            "name": " ".join(
                part for word in words for part in as_text(self._values(word)[row.label]).split()
            ),
        }

    def _has_own(self, row: Row) -> bool:
        """Return whether a row has its own record in the frame, created with any number and name, which it then has, too.

        Its record showed what the row has now, though a name that nobody gave does not count; or, where a service changes
        values, it was created for the row under one of its names.
        """
        entry = self._journal.known(owner := self._owner(self._now["_id"][row.label]))
        if owner is None or entry is None:
            return False
        shown, wanted = entry.shown or {}, marks(row.fields)
        other = {name for name in self.spec.creates if shown.get(name) != wanted.get(name)}
        if owner.content == row.identity.content or other <= ({"name"} if self.names else set()):
            row.identity = self._journal.latest(Identity(owner.content))
            return True
        for fields in (row.fields, *(self._called(row, words) for words in self.names)):
            contents = enumerate(self.batch.identify(fields, repeat).content for repeat in count(1))
            near = takewhile(lambda each: each[0] < MOST_EQUAL or each[1] in self._journal.contents, contents)
            if any(content == owner.content for _, content in near):
                row.identity, row.fields = self._journal.latest(Identity(owner.content)), fields
                return True
        return False

    def _select(self) -> None:
        """Find out which rows are created or fetched, and what becomes of the others."""
        again = _mask("again", self._given["again"], self._frame, otherwise=False)
        if again.any() and self._at["_id"] is None:
            raise InvalidArgument(
                f"again needs the column {self.into}_id with the records to replace, which the frame lacks.\n"
                "Pass the frame that write() or draw() returned."
            )
        examples, approved = self._examples()
        again &= ~np.array(approved, bool)
        needed = []
        chosen = [row for row in self.batch.rows if self._where[row.label]]
        for row in chosen:
            at = row.label
            self._now["_status"][at] = None if again[at] else self._state(at, row)
            if self._now["_status"][at] is None:
                # A record that the journal does not know, as in a new home, is fetched.
                row.identity, row.id = (
                    self._identity(at, row, examples, is_again=again[at]),
                    None if again[at] or self._owner(self._now["_id"][at]) else self._now["_id"][at],
                )
                needed.append(row)
        if edited := sum(self._now["_status"][row.label] == EDITED for row in chosen):
            self.notes.append(f"{counted(edited, 'cell')} of {self.into!r} edited by hand, left unchanged.")
        new = [row.label for row in needed if not self.batch.is_known(row)]
        preview = self._given["preview"]
        later = set(new[len(new) if preview is None else check_integer("preview", preview, least=0) :])
        for at in later:
            self._now["_status"][at] = WAITING if self._now[""][at] is None else STALE
        self.batch.rows = [row for row in needed if row.label not in later]
        if replaced := sum(self._now["_id"][at] is not None and at not in later for at in new):
            self.notes.append(
                f"{counted(replaced, self.spec.noun)} replaced in the frame; the service keeps the earlier ones."
            )
        if later:
            self.notes.append(
                f"{counted(len(later), 'row')} left for later.\nTo create the rest:\n{self._call(len(later))}"
            )

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

    def _examples(self) -> tuple[str, Sequence[bool]]:
        """Return what follows the prompts of new rows, and which rows are approved.

        Raises:
            InvalidArgument: The examples are too many, or one has no text.
        """
        given = self._given.get("examples")
        if given is None:
            return "", [False] * len(self._frame)
        mask = None if hasattr(given, "columns") else _mask("examples", given, self._frame, otherwise=False)
        frame = given if mask is None else self._frame[mask]
        is_right = 0 < len(frame) <= MOST_EXAMPLES and self.into in frame
        if not is_right or any(lacking(frame[self.into])):
            raise InvalidArgument(
                f"examples must be 1 to {MOST_EXAMPLES} rows with a text in {self.into!r}, got {counted(len(frame), 'row')}.\n"
                "Choose the most telling ones of those that have one."
            )
        known = frame[f"{self.into}_id"].tolist() if f"{self.into}_id" in frame else []
        ids = {str(id_of(each)) for each in known} - {"None"}
        approved = [str(own) in ids for own in self._now["_id"]] if mask is None else mask.tolist()
        pairs = zip(self._fields(frame)[self.spec.source], frame[self.into], strict=True)
        return "\n\n".join(
            ["", INTRODUCTION, *(f"Case: {case}\nText: {text}" for case, text in pairs)]
        ), approved

    def _state(self, at: int, row: Row) -> str | None:
        """Return the state of a row whose cell stays as it is; None if it is created or fetched."""
        if self._now[""][at] is None:
            return None
        if self._now["_id"][at] is None or self._is_as_created(at) is False:
            return EDITED
        owner = self._owner(self._now["_id"][at])
        return "existing" if owner is None or owner.content == row.identity.content else None

    def _is_as_created(self, at: int) -> bool | None:
        """Return whether a cell has what was created for it; None if the journal does not know."""
        entry = self._journal.find(self._owner(self._now["_id"][at]))
        name, cell = self.spec.generated, str(self._now[""][at])
        # In a file, a formula has an apostrophe.
        created = [marks({name: each})[name] for each in (cell, cell.removeprefix("'"))]
        return entry.shown.get(name) in created if entry is not None and entry.shown else None

    def _identity(self, at: int, row: Row, examples: str, *, is_again: bool) -> Identity:
        """Return the identity of the record of a row; one that is created with examples gets them."""
        journal, owner = self._journal, self._owner(self._now["_id"][at])
        if self._holders.setdefault(row.identity.content, at) != at:
            numbered = (self.batch.identify(row.fields, repeat) for repeat in count(1))
            row.identity = journal.latest(
                next(each for each in numbered if each.content not in self._holders)
            )
            self._holders[row.identity.content] = at
        content = row.identity.content
        if not is_again:
            if owner is not None and owner.content == content:
                return owner  # an emptied cell
            if journal.known(row.identity) is not None:
                return row.identity
            for each, made in journal.creates(content, examples=True):
                if made.id is not None and made.is_own:
                    return journal.last(each)
        first = Identity(content)
        if examples:
            row.fields[self.spec.source] += examples
            first = Identity(content, 0, hashlib.sha256(examples.encode()).hexdigest()[:16])
        last = journal.last(first)
        entry, before = journal.find(last), journal.find(owner)
        is_later = entry is not None and not entry.is_open and (before is None or entry.order > before.order)
        if not is_again or is_later:
            return last
        return journal.next([first], last.number + 1)[0]

    def _call(self, confirm: int) -> str:
        """Return the line of code that fills the whole column.

        Args:
            confirm: The number of creates.
        """
        billed = {"confirm": str(confirm)} if self._calls.session.creations_are_billed else {}
        written = {
            name: variable_name(self._given[name], name)
            for name in FRAMES
            if self._given.get(name) is not None
        } | billed
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
        generated = self.spec.generated
        now = {ending: [*values] for ending, values in self._now.items()}
        for row in rows:
            at, entry = row.label, self._journal.find(row.identity)
            is_edited = generated in (row.edited or "").split(", ")
            now["_status"][at], now["_error"][at] = EDITED if is_edited else row.status or None, row.error
            if row.record is not None:
                now[""][at], now["_id"][at] = getattr(row.record, generated), row.record.id
                self._fetched[str(row.record.id)] = row.record.id, now[""][at]
            elif row.status == "skipped" and entry is not None and now["_id"][at] is None:
                now["_id"][at] = entry.id  # of a record that is not there, so that ``again`` can replace it
        columns = {
            "": pd.array(now[""], dtype=text_type()),
            "_id": id_values(now["_id"]),
            "_status": pd.Categorical(now["_status"], categories=[*STATUSES, EDITED, STALE, WAITING]),
            "_error": pd.array(now["_error"], dtype=text_type()),
        }
        replaced = {at for at in self._at.values() if at is not None}
        others = [at for at in range(self._frame.shape[1]) if at not in replaced]
        frame = self._frame.iloc[:, others].copy()
        first = min(replaced, default=len(others))
        for ending, values in reversed(columns.items()):
            # A name of one level has empty ones below it.
            levels = (f"{self.into}{ending}", *[""] * (frame.columns.nlevels - 1))
            frame.insert(first, levels if len(levels) > 1 else levels[0], values)
        session = self._calls.session
        own = {**session.source, "client": session.id}
        # Anything else may have attrs with these names, too.
        before = {name: value for name, value in frame.attrs.items() if isinstance(value, dict)}
        known = before.get(ATTRIBUTE, own)
        is_other = "collection" not in known and differing(known, session.source) is not None
        came = {**own, "collection": self.spec.name}
        fetched = {
            str(id): (id, None) for id, cell in zip(now["_id"], now[""], strict=True) if cell is None
        } | self._fetched
        if fetched.keys() >= {*map(str, now["_id"])} - {str(None)}:
            came["baseline"] = uuid4().hex
            texts = pd.DataFrame([*fetched.values()], columns=["id", generated], dtype=object).astype(
                {generated: text_type()}
            )
            BASELINES.keep(frame, identified(texts.dropna(subset="id")), came)
        frame.attrs |= {
            ATTRIBUTE: {} if is_other else known,  # columns of several services have no client in common
            COLUMNS: before.get(COLUMNS, {}) | {self.into: self.spec.name},
            SOURCES: before.get(SOURCES, {}) | {self.into: came},
        }
        return frame


def named(new_column: Callable[..., Column], given: Mapping[str, Any]) -> Column:
    """Return a column of the arguments of a call whose names are those with which its rows were created."""
    column = new_column(given)
    known = {**given, "name": column.known_name}
    return column if column.known_name == column.name else new_column(known, names=column.names)


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
    if given is None or isinstance(given, bool):
        return np.full(len(frame), otherwise if given is None else given)
    is_other = isinstance(given, pd.Series) and not given.index.equals(frame.index)
    with suppress(TypeError, ValueError):  # of another length, or of other values
        if not is_other:
            mask = pd.Series(list(given), frame.index, "boolean")
            return mask.to_numpy(dtype=bool, na_value=False)
    kind = f"a {type(given).__name__} {'with another index' if is_other else 'of other values'}"
    raise InvalidArgument(
        f"{name} must be True or False for each of {counted(len(frame), 'row')}, got {kind}.\n"
        f"Make it of a column: {name}=frame['price'] > 10."
    )
