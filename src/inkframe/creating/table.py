"""Tables whose columns texts call by name between braces."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, time
from decimal import Decimal
from typing import Any, Final

import pandas as pd

from inkframe.display.markup import counted
from inkframe.errors import InvalidArgument, nearest
from inkframe.frames import ENDINGS
from inkframe.schema import NAME
from inkframe.versions import as_texts
from inkframe.vocabulary.arguments import trimmed

__all__ = ["COLUMN", "GivenTable", "as_text", "lacking", "name_rows", "pattern_of", "text_of_0_3", "word_of"]

#: What is filled in; doubled braces are braces.
COLUMN: Final = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")
#: The types of numbers that are no Python numbers.
SHORT_FLOATS: Final = ("float16", "float32")
LONGEST_NAME: Final = NAME.longest or 255
#: What a table can be.
KINDS: Final = "a DataFrame or a list of mappings"
#: The rows that a message names.
SHOWN: Final = 5


class GivenTable:
    """A table whose columns are filled in in texts.

    Args:
        argument: The argument that it was passed as.
        given: A DataFrame, or mappings.
        wanted: What the argument can be.
        hint: What to pass instead of something else.
        has_index: Whether levels of the index can be called, too.

    Attributes:
        frame: The table.
        places: The positions of the columns by the word for each; levels of the index are negative.

    Raises:
        InvalidArgument: It is neither.
    """

    def __init__(
        self, argument: str, given: Any, wanted: str = KINDS, hint: str = "", *, has_index: bool = True
    ) -> None:
        found = frame_of(argument, given, wanted, hint)
        self.frame = given = found if found is given else as_texts(found)
        self.places: dict[str, list[int]] = {}
        for at, name in enumerate(given.columns):
            self.places.setdefault(word_of(name), []).append(at)
        for at, level in enumerate(given.index.names if has_index else (), -given.index.nlevels):
            # An index without a name is called as ``reset_index`` would.
            plain = "index" if given.index.nlevels == 1 else f"level_{at + given.index.nlevels}"
            self.places.setdefault(plain if level is None else word_of(level), [at])

    def default_names(self, into: str = "", prompt: str = "") -> list[list[str]]:
        """Return the words of each pattern of names, the default one first.

        That is the first column of texts that was not generated, else the index. Before one without a name come the
        columns of a prompt, since sorting and filtering may change it. Then follow the other columns.

        Args:
            into: The name of a generated column.
            prompt: The text that calls columns.
        """
        made = [str(name).removesuffix("_status") for name in self.frame if str(name).endswith("_status")]
        generated = {f"{name}{ending}" for name in (into, *made) for ending in ("", *ENDINGS)}
        own = {
            word: _are_names(self.frame.iloc[:, at[0]])
            for word, at in self.places.items()
            if at[0] >= 0 and len(at) == 1 and word not in generated
        }
        texts, others = ([[word] for word in own if own[word] is kind] for kind in (True, False))
        index = [word for word, [at, *_] in self.places.items() if at < 0]
        called = [each for each in others if self.frame.index.names == [None] and pattern_of(each) in prompt]
        return [*texts, *called, index, *others]

    def place(self, word: str) -> int | None:
        """Return the position of the column that a word calls, or None.

        Raises:
            InvalidArgument: There are several.
        """
        found = [at for at in self.places.get(word, []) if at >= 0]
        if len(found) > 1:
            raise InvalidArgument(
                f"The frame has {len(found)} columns {word!r}.\nRename or drop all but one."
            )
        return found[0] if found else None

    def column(self, word: str, field: str, beside: Iterable[str] = ()) -> pd.Series:
        """Return the column, or the level of the index, that a text calls by a word.

        Args:
            word: The word between braces.
            field: The argument with the text.
            beside: What else can be filled in there.

        Raises:
            InvalidArgument: There is none, or there are several.
        """
        at = self.place(word)
        if at is None and word in self.places:
            return self.frame.index.get_level_values(*self.places[word]).to_series()
        if at is None:
            known = [*self.places, *beside]
            close = nearest(word, known)
            allowed = ", ".join(f"{{{each}}}" for each in known[:12])
            hint = f"Did you mean {{{close}}}?" if close else f"Allowed: {allowed or 'none'}."
            raise InvalidArgument(
                f"{field} has the unknown placeholder {{{word}}}.\n{hint} In texts for a table, a brace is doubled: {{{{."
            )
        found = self.frame.iloc[:, at]
        # As they are shown, without the digits that they have as Python numbers.
        return found.astype(str).astype("float64") if found.dtype in SHORT_FLOATS else found

    def used(
        self, texts: Mapping[str, Iterable[str]], beside: Mapping[str, Collection[str]]
    ) -> dict[str, pd.Series]:
        """Return the columns that texts call, by word.

        Args:
            texts: The texts by the argument that has them.
            beside: What else can be filled in in the texts of an argument.

        Raises:
            InvalidArgument: A text calls what does not exist.
        """
        return {
            word: self.column(word, field, beside.get(field, ()))
            for field, several in texts.items()
            for text in several
            for found in COLUMN.finditer(text)
            if (word := found[1]) in self.places or (word is not None and word not in beside.get(field, ()))
        }


def frame_of(
    argument: str, given: Any, wanted: str = KINDS, hint: str = "", dtype: Any = None
) -> pd.DataFrame:
    """Return a DataFrame, that of another library as one of pandas, or that of mappings.

    Args:
        argument: The argument that it was passed as.
        given: A DataFrame, or mappings.
        wanted: What the argument can be.
        hint: What to pass instead of something else, on a line of its own.
        dtype: The type of the columns of mappings.

    Raises:
        InvalidArgument: It is neither.
    """
    if hasattr(given, "to_pandas"):
        given = given.to_pandas()
    if isinstance(given, pd.DataFrame):
        return given
    what = type(given).__name__
    if isinstance(given, Iterable) and not isinstance(given, str | Mapping):
        try:
            return pd.DataFrame([dict(row) for row in given], dtype=dtype)
        except (TypeError, ValueError):
            what = f"a {what} of other values"
    raise InvalidArgument(f"{argument} must be {wanted}, got {what}.{hint}")


def _are_names(column: pd.Series) -> bool:
    """Return whether the values of a column are texts that can be names."""
    values = column.astype(object).dropna()
    return pd.api.types.infer_dtype(values) == "string" and max(map(len, values), default=0) <= LONGEST_NAME


def lacking(column: pd.Series) -> list[bool]:
    """Return for each row whether a column has no value, or a blank text."""
    pairs = zip(column.tolist(), column.isna().tolist(), strict=True)
    return [is_missing or (isinstance(value, str) and not value.strip()) for value, is_missing in pairs]


def word_of(name: Any) -> str:
    """Return how a text calls a column; levels are joined by a space."""
    return " ".join(str(each) for each in name if str(each)) if isinstance(name, tuple) else str(name)


def pattern_of(words: Iterable[str]) -> str:
    """Return the text that calls columns, with a space between them."""
    return " ".join(f"{{{word}}}" for word in words)


def as_text(value: Any) -> str:
    """Return a value of a table as a text: an integer without point, a day without hours, nothing around a text."""
    if isinstance(value, float | Decimal) and value == value // 1:
        return f"{value:.0f}"
    if isinstance(value, datetime) and value is not pd.NaT and value.time() == time.min:
        return value.date().isoformat()
    if isinstance(value, Decimal):
        shortest = repr(float(value))  # as the equal float
        return shortest if Decimal(shortest) == value else f"{value.normalize():f}"
    return trimmed(str(value))


def text_of_0_3(value: Any) -> str:
    """Return a value as releases before 0.4 filled it in: as it stands in the table, with the space around it."""
    return str(value) if isinstance(value, str | Decimal) else as_text(value)


def name_rows(labels: Iterable[Any], chosen: Iterable[bool]) -> str:
    """Return how many rows are chosen, and which are the first, such as ``2 rows: 4, 9``."""
    found = [label for label, is_chosen in zip(labels, chosen, strict=True) if is_chosen]
    more = ", …" if len(found) > SHOWN else ""
    return f"{counted(len(found), 'row')}: {', '.join(map(repr, found[:SHOWN]))}{more}"
