"""Values of a vocabulary, parsed from codes or labels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from inkframe.replies.field_names import LONGEST, fold
from inkframe.replies.values import read_each, read_text
from inkframe.schema import RESOURCES

if TYPE_CHECKING:
    from inkframe.replies.values import Reader
    from inkframe.vocabulary import Vocabulary

__all__ = ["VocabularyDecoder"]

#: The keys of a value in objects, the most likely first.
KEYS: Final = ("code", "value", "slug", "name", "label", "title")
#: The maximum number of cached values.
MOST_REMEMBERED: Final = 1000


class VocabularyDecoder:
    """Parses values by the codes and labels of a vocabulary.

    Args:
        vocabulary: The allowed values.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self._exact: dict[str, dict[Any, str | None]] = {}
        self._folded: dict[str, dict[str, Any]] = {}
        # An unknown code is kept unchanged.
        for field in (name for spec in RESOURCES.values() for name in spec.choices):
            codes = vocabulary.codes(field)
            self._exact[field] = {None: None, "": None} | {code: code for code in codes}
            labels = {fold(vocabulary.label(field, code)): code for code in codes}
            self._folded[field] = labels | {fold(code): code for code in codes}
        levels = vocabulary.codes("creativity")
        self._folded["creativity"] = {fold(vocabulary.label("creativity", c)): float(c) for c in levels}
        self._folded["template_id"] = {fold(t.label): t.id for t in vocabulary.all_templates}

    def read(self, column: str, values: list[Any], read: Reader) -> list[Any]:
        """Parse the values of a column.

        Args:
            column: Its name.
            values: The values as received.
            read: The function that parses one value of the column.
        """
        if exact := self._exact.get(column):
            try:
                return [exact[value] for value in values]
            except (KeyError, TypeError):
                return [self._code(column, value) for value in values]
        found = read_each(values, read)
        folded = self._folded.get(column)
        if folded is None or None not in found:
            return found
        return [
            folded.get(_word(raw)) if value is None else value
            for raw, value in zip(values, found, strict=True)
        ]

    def _code(self, column: str, value: Any) -> str | None:
        code = self._folded[column].get(_word(value)) or read_text(value) or None
        exact = self._exact[column]
        if isinstance(value, str) and len(value) <= LONGEST and len(exact) < MOST_REMEMBERED:
            exact[value] = code
        return code


def _word(value: Any) -> str:
    """Return the folded name of a value or an object."""
    if isinstance(value, dict):
        value = next((value[key] for key in KEYS if isinstance(value.get(key), str)), None)
    return fold(value) if isinstance(value, str) else ""
