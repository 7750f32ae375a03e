"""Plans: every combination of settings as rows, to inspect and edit before anything is sent."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any, Final

from inkframe.display.console import notice
from inkframe.display.markup import counted
from inkframe.errors import InvalidArgument, checked, nearest
from inkframe.schema import DOCUMENTS, IMAGES, RESOURCES, ResourceSpec
from inkframe.versions import as_texts, text_type
from inkframe.vocabulary import Template, Vocabulary, compose_prompt
from inkframe.vocabulary.arguments import check_integer, check_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import pandas as pd

    from inkframe.vocabulary.names import Filter, Medium, Resolution, Style

__all__ = ["ALL", "plan_documents", "plan_images"]


class All:
    """The type of ``ink.ALL``: every value of the vocabulary."""

    def __repr__(self) -> str:
        return "ink.ALL"


#: Every value that the vocabulary has.
ALL: Final = All()

PLACEHOLDER: Final = re.compile(r"\{(\w*)\}")
#: Between the values of several variables in a case.
CASE: Final = " · "
#: Columns of plans that variables cannot replace, besides the fields of records.
OWN: Final = frozenset(
    {"variant", "case", "repeat", "number", "prompt_template", "id", "status", "error", "seconds"}
)


@checked
def plan_documents(
    prompt: str | Iterable[str] | Mapping[str, str],
    *,
    name: str,
    creativity: float | str | Iterable[float | str] | All = ALL,
    template: int | str | Template | Iterable[int | str | Template] | All | None = None,
    variables: Mapping[str, Any] | None = None,
    repeats: int = 1,
    vocabulary: Vocabulary | None = None,
    quiet: bool = False,
) -> pd.DataFrame:
    """Return a row for each combination of prompt, variables, template and creativity, with repeats.

    Prints the number of rows, how they came about, and which verdicts a comparison of them allows.

    Args:
        prompt: The instructions, or the topic for a template. Several, as a list or a mapping from labels,
            become the column ``variant``: the label, or the number in the list.
        name: A pattern for the names, with ``{variant}``, ``{case}``, the variables, ``{creativity}``,
            ``{template}``, ``{repeat}`` and ``{number}`` (of the row) as placeholders.
        creativity: A step or label, several, or ``ink.ALL``.
        template: A template that builds the prompt, several, ``ink.ALL``, or None for the prompt itself.
        variables: Values by name, which fill ``{product}`` in prompts and names; each is a column of its own.
            ``{variant}`` and ``{case}`` can be filled in, too; other braces stay as they are.
        repeats: The number of rows for each combination.
        vocabulary: The allowed values; by default those of the interface.
        quiet: Whether to print nothing.

    Returns:
        A DataFrame with name, prompt, creativity, prompt_template, the variables, variant, case and repeat;
        nothing is sent. ``case`` has the values of the variables, else the prompt where there is only one:
        what variants, templates and levels are compared within.

    Raises:
        InvalidArgument: A value is not allowed, a variable is not used, or the pattern has an unknown
            placeholder.

    Example:
        >>> plan = ink.plan_documents({"plain": "Write about {product}.", "warm": "Write warmly about {product}."},
        ...     variables={"product": ["a kettle", "a lamp"]}, name="{product} {variant} {creativity} {repeat}")
        >>> runs = client.documents.create_many(plan)
    """
    known = Vocabulary() if vocabulary is None else vocabulary
    cells = _cells("prompt", prompt, variables)
    varied = {
        "text": cells,
        "template": _given("template", template, known.all_templates, known.template),
        "creativity": _given("creativity", creativity, known.codes("creativity"), known.creativity),
    }
    prompts = {
        (cell, form): cell.text if form is None else compose_prompt(form, cell.text, vocabulary=known)
        for cell, form in product(cells, varied["template"])
    }
    rows = [
        {
            "name": row["name"],
            "prompt": prompts[row["text"], row["template"]],
            "creativity": float(row["creativity"]),
            "prompt_template": row["template"] and row["template"].label,
            **row["text"].columns,
            "repeat": row["repeat"],
        }
        for row in _combinations(name, varied, repeats)
    ]
    types = {"prompt": text_type(), "creativity": "float64", "prompt_template": text_type()}
    return _plan(rows, types, varied, DOCUMENTS, quiet=quiet)


@checked
def plan_images(
    description: str | Iterable[str] | Mapping[str, str],
    *,
    name: str,
    resolution: Resolution | str | Iterable[Resolution | str] | All,
    style: Style | str | Iterable[Style | str | None] | All | None = None,
    medium: Medium | str | Iterable[Medium | str | None] | All | None = None,
    filter: Filter | str | Iterable[Filter | str | None] | All | None = None,
    variables: Mapping[str, Any] | None = None,
    repeats: int = 1,
    vocabulary: Vocabulary | None = None,
    quiet: bool = False,
) -> pd.DataFrame:
    """Return a row for each combination of description, variables and looks, with repeats.

    Prints the number of rows, how they came about, and which verdicts a comparison of them allows.

    Args:
        description: The description of the pictures. Several, as a list or a mapping from labels, become the
            column ``variant``: the label, or the number in the list.
        name: A pattern for the names, with ``{variant}``, ``{case}``, the variables, ``{resolution}``,
            ``{style}``, ``{medium}``, ``{filter}``, ``{repeat}`` and ``{number}`` (of the row) as placeholders.
        resolution: A resolution, several, or ``ink.ALL``.
        style: A style, several, ``ink.ALL``, or None for none.
        medium: A medium, several, ``ink.ALL``, or None for none.
        filter: A filter, several, ``ink.ALL``, or None for none.
        variables: Values by name, which fill ``{subject}`` in descriptions and names; each is a column of its
            own. ``{variant}`` and ``{case}`` can be filled in, too; other braces stay as they are.
        repeats: The number of rows for each combination.
        vocabulary: The allowed values; by default those of the interface.
        quiet: Whether to print nothing.

    Returns:
        A DataFrame with name, description, resolution, style, medium, filter, the variables, variant, case and
        repeat; nothing is sent.

    Raises:
        InvalidArgument: A value is not allowed, a variable is not used, or the pattern has an unknown
            placeholder.
    """
    known = Vocabulary() if vocabulary is None else vocabulary
    cells = _cells("description", description, variables)
    looks = {"resolution": resolution, "style": style, "medium": medium, "filter": filter}
    varied = {"text": cells} | {
        field: _given(field, given, known.codes(field), partial(known.code, field))
        for field, given in looks.items()
    }
    rows = [
        {
            "name": row["name"],
            "description": row["text"].text,
            **{field: row[field] for field in looks},
            **row["text"].columns,
            "repeat": row["repeat"],
        }
        for row in _combinations(name, varied, repeats)
    ]
    return _plan(rows, dict.fromkeys(("description", *looks), text_type()), varied, IMAGES, quiet=quiet)


@dataclass(frozen=True, eq=False, slots=True)
class _PlanCell:
    """One prompt or description of a plan.

    Args:
        text: The text with its variables filled in.
        columns: The variables, the variant and the case.
    """

    text: str
    columns: dict[str, Any]


def _cells(
    field: str, given: str | Iterable[str] | Mapping[str, str], variables: Mapping[str, Any] | None
) -> list[_PlanCell]:
    """Return every text with every combination of variables."""
    if isinstance(given, str) or not hasattr(given, "__iter__"):
        variants: dict[str | None, str] = {None: check_text(field, given)}
    else:
        named = given.items() if isinstance(given, Mapping) else enumerate(given, start=1)
        variants = {str(label): check_text(field, text) for label, text in named}
    if not variants:
        raise InvalidArgument(f"{field} must be a text, a list or a mapping of texts, got {given!r}.")
    if not isinstance(variables, Mapping | None):
        raise InvalidArgument(
            f"variables must be a mapping from names to values, got {type(variables).__name__}.\n"
            f"Pass such as variables={{'product': ['a kettle', 'a lamp']}}."
        )
    found = {placeholder for text in variants.values() for placeholder in PLACEHOLDER.findall(text)}
    values = {name: _values(field, name, value, found) for name, value in (variables or {}).items()}
    cells = []
    for chosen in product(*values.values()):
        own = dict(zip(values, chosen, strict=True))
        for label, text in variants.items():
            alone = "" if label is not None else text
            case = CASE.join(map(str, chosen)) if values else alone
            columns = own | ({} if label is None else {"variant": label}) | {"case": case}
            cells.append(_PlanCell(_filled(text, columns), columns))
    return cells


def _filled(text: str, words: Mapping[str, Any]) -> str:
    """Fill in words between braces; other braces stay."""
    return PLACEHOLDER.sub(lambda found: str(words.get(found[1], found[0])), text)


def _values(field: str, name: str, given: Any, placeholders: Collection[str]) -> list[Any]:
    """Return the values of a variable, checked and without duplicates."""
    if name in OWN or any(name in spec.columns for spec in RESOURCES.values()) or not name.isidentifier():
        raise InvalidArgument(
            f"variables cannot have {name!r}: it is a column of plans or records, or not a name.\n"
            "Rename it, in the texts too."
        )
    if name not in placeholders:
        close = nearest(name, placeholders)
        hint = f"Did you mean {{{close}}}?" if close else f"Write {{{name}}} where it goes, or leave it out."
        raise InvalidArgument(f"variables has {name!r}, but {field} has no {{{name}}}.\n{hint}")
    several = not isinstance(given, str) and hasattr(given, "__iter__")
    values = list(dict.fromkeys(given if several else [given]))
    if not values or any(isinstance(value, str) and not value.strip() for value in values) or None in values:
        raise InvalidArgument(f"variables[{name!r}] must be a value or a list of values, got {given!r}.")
    return values


def _plan(
    rows: list[dict[str, Any]],
    types: Mapping[str, Any],
    varied: Mapping[str, list[Any]],
    spec: ResourceSpec,
    *,
    quiet: bool,
) -> pd.DataFrame:
    """Return the rows of a plan, and print how many there are and what they would create."""
    import pandas as pd

    from inkframe.analysis.intervals import outlook

    plan = as_texts(pd.DataFrame(rows)).astype({"name": text_type(), **types, "case": text_type()})
    if not quiet:
        columns = varied["text"][0].columns.keys() - {"case"}
        sizes = {name: plan[name].nunique() for name in plan.columns if name in columns}
        sizes |= {name: len(values) for name, values in varied.items() if name != "text"}
        sizes["repeat"] = int(plan["repeat"].max())
        factors = " × ".join(f"{name} {size}" for name, size in sizes.items() if size > 1)
        new = len(plan.drop_duplicates([name for name in plan.columns if name not in {*columns, "case"}]))
        same = f" ({len(plan) - new:,} equal to earlier rows)" if new < len(plan) else ""
        said = f"{counted(len(plan), 'row')}{f' ({factors})' if factors else ''}; create_many would create {counted(new, spec.noun)}{same}."
        noun = "picture" if spec.has_picture else "text"
        # What can be compared; variables are what it is compared within.
        compared = [name for name in ("variant", *varied) if sizes.get(name, 1) > 1]
        notice(
            "\n".join([said, *(f"{name}: {outlook(len(plan) // sizes[name], noun)}." for name in compared)])
        )
    return plan


def _combinations(pattern: str, varied: Mapping[str, list[Any]], repeats: int) -> Iterator[dict[str, Any]]:
    """Yield a named row for each combination of values, with repeats."""
    counts = range(1, check_integer("repeats", repeats) + 1)
    for number, (*values, repeat) in enumerate(product(*varied.values(), counts), start=1):
        chosen = dict(zip(varied, values, strict=True))
        cell = chosen["text"]
        words = {
            field: getattr(each, "label", each) or "" for field, each in chosen.items() if each is not cell
        }
        words |= cell.columns
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
