"""Plans: every combination of settings as rows, to inspect and edit before anything is sent."""

from __future__ import annotations

import re
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any, Final

from inkframe.calls.arguments import check_integer, check_text
from inkframe.errors import InvalidArgument
from inkframe.signatures import checked
from inkframe.spelling import nearest
from inkframe.vocabulary import Vocabulary, compose_prompt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    import pandas as pd

    from inkframe.vocabulary import Template
    from inkframe.vocabulary.names import Filter, Medium, Resolution, Style

__all__ = ["ALL", "plan_documents", "plan_images"]


class All:
    """The type of ``ink.ALL``: every value of the vocabulary."""

    def __repr__(self) -> str:
        return "ink.ALL"


#: Every value that the vocabulary has.
ALL: Final = All()

PLACEHOLDER: Final = re.compile(r"\{(\w*)\}")


@checked
def plan_documents(
    prompt: str,
    *,
    name: str,
    creativity: float | str | Iterable[float | str] | All = ALL,
    template: int | str | Template | Iterable[int | str | Template] | All | None = None,
    repeats: int = 1,
    vocabulary: Vocabulary | None = None,
) -> pd.DataFrame:
    """Return a row for each combination of creativity and template, with repeats.

    Args:
        prompt: The instructions, or the topic for a template.
        name: A pattern for the names, with ``{creativity}``, ``{template}``, ``{repeat}`` and ``{number}``
            (of the row) as placeholders.
        creativity: A step or label, several, or ``ink.ALL``.
        template: A template that builds the prompt, several, ``ink.ALL``, or None for the prompt itself.
        repeats: The number of rows for each combination.
        vocabulary: The allowed values; by default those of the interface.

    Returns:
        A DataFrame with name, prompt, creativity, prompt_template and repeat; nothing is sent.

    Raises:
        InvalidArgument: A value is not allowed, or the pattern has an unknown placeholder.

    Example:
        >>> plan = ink.plan_documents("Product text for a kettle", name="Kettle {creativity} {repeat}", repeats=3)
        >>> runs = client.documents.create_many(plan)
    """
    import pandas as pd

    known = vocabulary or Vocabulary()
    varied = {
        "template": _given("template", template, known.all_templates, known.template),
        "creativity": _given("creativity", creativity, known.codes("creativity"), known.creativity),
    }
    text = check_text("prompt", prompt)
    prompts = {
        form: text if form is None else compose_prompt(form, text, vocabulary=known)
        for form in varied["template"]
    }
    rows = [
        {
            "name": row["name"],
            "prompt": prompts[row["template"]],
            "creativity": float(row["creativity"]),
            "prompt_template": row["template"] and row["template"].label,
            "repeat": row["repeat"],
        }
        for row in _combinations(name, varied, repeats)
    ]
    types = {
        "name": "str",
        "prompt": "str",
        "creativity": "float64",
        "prompt_template": "str",
        "repeat": "int64",
    }
    return pd.DataFrame(rows, columns=list(types)).astype(types)


@checked
def plan_images(
    description: str,
    *,
    name: str,
    resolution: Resolution | str | Iterable[Resolution | str] | All,
    style: Style | str | Iterable[Style | str | None] | All | None = None,
    medium: Medium | str | Iterable[Medium | str | None] | All | None = None,
    filter: Filter | str | Iterable[Filter | str | None] | All | None = None,
    repeats: int = 1,
    vocabulary: Vocabulary | None = None,
) -> pd.DataFrame:
    """Return a row for each combination of resolution, style, medium and filter, with repeats.

    Args:
        description: The description of the pictures.
        name: A pattern for the names, with ``{resolution}``, ``{style}``, ``{medium}``, ``{filter}``,
            ``{repeat}`` and ``{number}`` (of the row) as placeholders.
        resolution: A resolution, several, or ``ink.ALL``.
        style: A style, several, ``ink.ALL``, or None for none.
        medium: A medium, several, ``ink.ALL``, or None for none.
        filter: A filter, several, ``ink.ALL``, or None for none.
        repeats: The number of rows for each combination.
        vocabulary: The allowed values; by default those of the interface.

    Returns:
        A DataFrame with name, description, resolution, style, medium, filter and repeat; nothing is sent.

    Raises:
        InvalidArgument: A value is not allowed, or the pattern has an unknown placeholder.
    """
    import pandas as pd

    known = vocabulary or Vocabulary()
    looks = {"resolution": resolution, "style": style, "medium": medium, "filter": filter}
    varied = {
        field: _given(field, given, known.codes(field), partial(known.code, field))
        for field, given in looks.items()
    }
    text = check_text("description", description)
    rows = [{**row, "description": text} for row in _combinations(name, varied, repeats)]
    types = dict.fromkeys(("name", "description", *looks), "str") | {"repeat": "int64"}
    return pd.DataFrame(rows, columns=list(types)).astype(types)


def _combinations(pattern: str, varied: Mapping[str, list[Any]], repeats: int) -> Iterator[dict[str, Any]]:
    """Yield a named row for each combination of values, with repeats."""
    counts = range(1, check_integer("repeats", repeats) + 1)
    for number, (*values, repeat) in enumerate(product(*varied.values(), counts), start=1):
        chosen = dict(zip(varied, values, strict=True))
        words = {field: getattr(value, "label", value) or "" for field, value in chosen.items()}
        name = _fill(pattern, words | {"repeat": repeat, "number": number})
        yield {"name": name, **chosen, "repeat": repeat}


def _given(field: str, value: Any, every: Iterable[Any], check: Callable[[Any], Any]) -> list[Any]:
    """Return the values of an argument, checked and without duplicates."""
    if isinstance(value, All):
        return list(every)
    several = not isinstance(value, str) and hasattr(value, "__iter__")
    found = list(dict.fromkeys(None if v is None else check(v) for v in (value if several else [value])))
    if not found:
        raise InvalidArgument(f"{field} is an empty list.\nPass a value, or ink.ALL for every value.")
    return found


def _fill(pattern: str, words: Mapping[str, object]) -> str:
    """Fill the placeholders of a pattern; unknown placeholders are refused as misspelled."""
    check_text("name", pattern)

    def word(found: re.Match[str]) -> str:
        if found[1] not in words:
            close = nearest(found[1], words)
            hint = f"Did you mean {{{close}}}? " if close else ""
            known = ", ".join(f"{{{name}}}" for name in words)
            raise InvalidArgument(
                f"name has the unknown placeholder {{{found[1]}}}, got {pattern!r}.\n{hint}Allowed: {known}."
            )
        return str(words[found[1]])

    return " ".join(PLACEHOLDER.sub(word, pattern).split())
