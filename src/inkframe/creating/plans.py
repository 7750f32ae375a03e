"""Plans: every combination of settings as rows, to inspect and edit before anything is sent."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from functools import cache, partial
from itertools import product
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from inkframe.creating.rows import OLDER
from inkframe.creating.table import COLUMN, GivenTable, as_text, lacking, name_rows, pattern_of, text_of_0_3
from inkframe.display.console import notice
from inkframe.display.markup import counted
from inkframe.errors import InvalidArgument, WrongKeyword, checked, nearest
from inkframe.schema import DOCUMENTS, IMAGES, RESOURCES, ResourceSpec
from inkframe.versions import as_texts, text_type
from inkframe.vocabulary import Template, Vocabulary, compose_prompt
from inkframe.vocabulary.arguments import check_integer, check_text
from inkframe.vocabulary.names import Filter, Medium, Resolution, Style

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


__all__ = ["ALL", "plan_documents", "plan_images"]


class All:
    """The type of ``ink.ALL``: every value of the vocabulary."""

    def __repr__(self) -> str:
        return "ink.ALL"


#: Every value that the vocabulary has.
ALL: Final = All()

#: What is filled in in the texts of variables.
PLACEHOLDER: Final = re.compile(r"\{(\w*)\}")
#: Between the values of several variables in a case.
CASE: Final = " · "
#: Columns of plans and of records, which variables cannot replace.
OWN: Final = frozenset(
    {"variant", "case", "repeat", "number", "prompt_template", "id", "status", "error", "seconds"}
).union(*(spec.columns for spec in RESOURCES.values()))
#: What variables can be.
KINDS: Final = "a mapping from names to values, a DataFrame or a list of mappings"
PIECES: Final = "Pass such as variables={'product': ['a kettle', 'a lamp']}."
#: Before the name of a column of a table that plans have, too.
GIVEN: Final = "given."


@checked
def plan_documents(
    prompt: str | Iterable[str] | Mapping[str, str],
    *,
    name: str | None = None,
    creativity: float | str | Iterable[float | str] | All = ALL,
    template: int | str | Template | Iterable[int | str | Template] | All | None = None,
    variables: Mapping[str, Any] | pd.DataFrame | Iterable[Mapping[str, Any]] | None = None,
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
            ``{template}``, ``{repeat}`` and ``{number}`` (of the row) as placeholders. With a table, by default its
            first column of texts, or the index, and what varies.
        creativity: A step or label, several, or ``ink.ALL``.
        template: A template that builds the prompt, several, ``ink.ALL``, or None for the prompt itself.
        variables: Values by name, in every combination, or a table whose rows are the cases: a DataFrame, or a
            list of mappings. ``{product}`` is filled in in prompts and names, and as the value of template and
            creativity, such as ``template="{template}"``. Values are columns of the plan; a table keeps its index and
            all columns, a column such as ``name``, which plans have, too, as ``given.name``. ``{variant}`` and
            ``{case}`` can be filled in, too. Other braces stay as they are; with a table, write them ``{{`` and ``}}``.
        repeats: The number of rows for each combination.
        vocabulary: The allowed values; by default those of the interface.
        quiet: Whether to print nothing.

    Returns:
        A DataFrame with name, prompt, creativity, prompt_template, the variables, variant, case and repeat;
        nothing is sent. ``case`` has the values of the variables, else the prompt where there is only one:
        what variants, templates and levels are compared within.

    Raises:
        InvalidArgument: A value is not allowed, a variable is not used, the pattern has an unknown placeholder, or
            a column that is used has a missing value, or does not exist.

    Example:
        >>> plan = ink.plan_documents({"plain": "Write about {product}.", "warm": "Write warmly about {product}."},
        ...     variables={"product": ["a kettle", "a lamp"]}, name="{product} {variant} {creativity} {repeat}")
        >>> runs = client.documents.create_many(plan)
        >>> products = pd.DataFrame({"product": ["a kettle", "a lamp"], "price": [40, 25]})
        >>> plan = ink.plan_documents("Write about {product}, {price} euros.", variables=products, name="{product}")
    """
    known = Vocabulary() if vocabulary is None else vocabulary
    checks = {"template": known.template, "creativity": known.creativity}
    settings = {
        "template": _given("template", template, known.all_templates, known.template),
        "creativity": _given("creativity", creativity, known.codes("creativity"), known.creativity),
    }
    layout = _Layout("prompt", prompt, name, settings, checks, variables, repeats)
    forms = layout.columns["template"]
    layout.columns["prompt_template"] = [form and form.label for form in forms]
    compose = cache(lambda form, text: text if form is None else compose_prompt(form, text, vocabulary=known))
    for texts in filter(None, (layout.columns, layout.older)):
        texts["prompt"] = list(map(compose, forms, texts["prompt"]))
    types = {"prompt": text_type(), "creativity": "float64", "prompt_template": text_type()}
    return layout.plan(types, DOCUMENTS, quiet=quiet)


@checked
def plan_images(
    description: str | Iterable[str] | Mapping[str, str],
    *,
    name: str | None = None,
    resolution: Resolution | str | Iterable[Resolution | str] | All,
    style: Style | str | Iterable[Style | str | None] | All | None = None,
    medium: Medium | str | Iterable[Medium | str | None] | All | None = None,
    filter: Filter | str | Iterable[Filter | str | None] | All | None = None,
    variables: Mapping[str, Any] | pd.DataFrame | Iterable[Mapping[str, Any]] | None = None,
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
            ``{style}``, ``{medium}``, ``{filter}``, ``{repeat}`` and ``{number}`` (of the row) as placeholders. With a
            table, by default as in ``plan_documents``.
        resolution: A resolution, several, or ``ink.ALL``.
        style: A style, several, ``ink.ALL``, or None for none.
        medium: A medium, several, ``ink.ALL``, or None for none.
        filter: A filter, several, ``ink.ALL``, or None for none.
        variables: Values by name, or a table, as in ``plan_documents``; ``{subject}`` is filled in in descriptions and
            names, and as the value of resolution, style, medium and filter.
        repeats: The number of rows for each combination.
        vocabulary: The allowed values; by default those of the interface.
        quiet: Whether to print nothing.

    Returns:
        A DataFrame with name, description, resolution, style, medium, filter, the variables, variant, case and
        repeat; nothing is sent.

    Raises:
        InvalidArgument: A value is not allowed, a variable is not used, the pattern has an unknown placeholder, or
            a column that is used has a missing value, or does not exist.
    """
    known = Vocabulary() if vocabulary is None else vocabulary
    looks = {"resolution": resolution, "style": style, "medium": medium, "filter": filter}
    checks = {field: partial(known.code, field) for field in looks}
    settings = {
        field: _given(field, given, known.codes(field), checks[field]) for field, given in looks.items()
    }
    layout = _Layout("description", description, name, settings, checks, variables, repeats)
    return layout.plan(dict.fromkeys(("description", *looks), text_type()), IMAGES, quiet=quiet)


class _Layout:
    """The rows of a plan: the cases, each with every variant, every combination of settings, and its repeats.

    Args:
        source: The field of the text.
        given: The text, or several.
        name: The pattern of the names.
        settings: The values of each setting, and texts that each case fills in.
        checks: Returns a checked value of each setting.
        variables: The variables or the table.
        repeats: The number of rows for each combination.

    Attributes:
        columns: The values of each row: name, text and settings.
        older: The names and texts of release 0.3, which filled in values with the space around them; empty if equal.
    """

    def __init__(
        self,
        source: str,
        given: str | Iterable[str] | Mapping[str, str],
        name: str | None,
        settings: Mapping[str, list[Any]],
        checks: Mapping[str, Callable[[Any], Any]],
        variables: Any,
        repeats: int,
    ) -> None:
        variants = _variants(source, given)
        labeled = [] if None in variants else ["variant"]
        self._table: GivenTable | None = None
        if not isinstance(variables, Mapping | None):
            self._table = GivenTable("variables", variables, KINDS, f"\n{PIECES}")
        if name is None and self._table is not None:
            several = [each for each, values in settings.items() if len(values) > 1]
            varied = [*labeled, *several, *["repeat"] * (repeats != 1)]
            name = pattern_of([*self._table.default_names()[0], *varied])
        if name is None:
            raise WrongKeyword(
                "A plan requires 'name', unless variables is a table.\nPass a pattern such as name=\"Kettle {creativity} {repeat}\"."
            )
        texts = {source: [*variants.values()], "name": [check_text("name", name)]} | {
            field: [each for each in values if _is_pattern(each)] for field, values in settings.items()
        }
        #: What can be filled in besides the variables, or the columns of the table.
        beside = {source: [*labeled, "case"], "name": [*settings, *labeled, "case", "repeat", "number"]}
        if self._table is None:
            self._read_values(source, texts, beside["name"], variables or {})
        else:
            self._read_table(texts, beside, self._table)
        cases = self._cases(variants, name)
        counts = [len(cases), len(variants), *map(len, settings.values()), check_integer("repeats", repeats)]
        self._sizes |= dict(zip(["variant", *settings, "repeat"], counts[1:], strict=True))
        self._at, picked, *picks, repeat = np.indices(counts).reshape(len(counts), -1).tolist()
        #: The columns behind those of the variables, or of the table.
        self._ends: dict[str, list[Any]] = (
            {"variant": [[*variants][each] for each in picked]} if labeled else {}
        )
        self._ends |= {"case": [cases[at] for at in self._at], "repeat": [each + 1 for each in repeat]}
        self.columns: dict[str, list[Any]] = {
            field: [
                self._chosen(checks[field], values[each], at) if _is_pattern(values[each]) else values[each]
                for at, each in zip(self._at, chosen, strict=True)
            ]
            for (field, values), chosen in zip(settings.items(), picks, strict=True)
        }
        labels = {
            field: [getattr(each, "label", each) or "" for each in self.columns[field]] for field in settings
        }
        beside_name = labels | self._ends | {"number": [*range(1, len(self._at) + 1)]}
        beside_text = {each: self._ends[each] for each in beside[source]}

        def filled(by_case: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
            words = {word: [values[at] for at in self._at] for word, values in by_case.items()}
            named, called = beside_name | words, beside_text | words
            names = (self._fill(name, named, row) for row in range(len(self._at)))
            return {
                "name": [" ".join(each.split()) for each in names],
                source: [self._fill(texts[source][each], called, row) for row, each in enumerate(picked)],
            }

        self.columns |= filled(self._words)
        self.older = filled(self._older) if self._older != self._words else {}

    def _read_values(
        self, source: str, texts: Mapping[str, list[str]], beside: Sequence[str], variables: Mapping[str, Any]
    ) -> None:
        """Read variables, in every combination."""
        found = {word for several in texts.values() for text in several for word in PLACEHOLDER.findall(text)}
        values = {name: _values(source, name, each, found) for name, each in variables.items()}
        pattern, known = texts["name"][0], [*values, *beside]
        for word in PLACEHOLDER.findall(pattern):
            if word not in known:
                close = nearest(word, known)
                hint = f"Did you mean {{{close}}}? " if close else ""
                allowed = ", ".join(f"{{{each}}}" for each in known)
                raise InvalidArgument(
                    f"name has the unknown placeholder {{{word}}}, got {pattern!r}.\n{hint}Allowed: {allowed}."
                )
        self._labels = list(product(*values.values()))
        self._own = {name: [label[at] for label in self._labels] for at, name in enumerate(values)}
        self._given = as_texts(pd.DataFrame(self._own, index=range(len(self._labels))))
        self._words = self._older = {name: list(map(str, each)) for name, each in self._own.items()}
        self._sizes = {name: len(each) for name, each in values.items()}

    def _read_table(
        self, texts: Mapping[str, list[str]], beside: Mapping[str, Sequence[str]], table: GivenTable
    ) -> None:
        """Read the columns of a table that texts call."""
        self._given, self._labels = table.frame, table.frame.index.tolist()
        used = table.used(texts, beside)
        for word, column in used.items():
            if any(empty := lacking(column)):
                raise InvalidArgument(
                    f"{word!r} is missing in {name_rows(self._labels, empty)}.\nFill it in, or drop these rows."
                )
        self._own = {word: column.tolist() for word, column in used.items()}
        self._words, self._older = (
            {word: list(map(text, values)) for word, values in self._own.items()}
            for text in (as_text, text_of_0_3)
        )
        for word, values in self._words.items():
            check_text(f"The column {word!r}", "".join(values), empty=True)
        self._sizes = {"row": len(self._labels)}

    def _cases(self, variants: Mapping[str | None, str], name: str) -> list[str]:
        """Return what each case is compared as: its variables, else the prompt where there is only one."""
        if self._table is None:
            cases = zip(*self._words.values(), strict=True)
            return [CASE.join(each) for each in cases] or [variants.get(None, "")]
        # What the texts call, so that rows which differ only in settings are one.
        texts = (*variants.values(), name)
        called = [each for word, each in self._words.items() if any(f"{{{word}}}" in text for text in texts)]
        return [CASE.join(each) for each in zip(*called, strict=True)] or list(map(str, self._labels))

    def _fill(self, pattern: str, words: Mapping[str, Sequence[Any]], row: int) -> str:
        """Fill in the text of a row; what is unknown stays."""

        def fill(found: re.Match[str]) -> str:
            if found[1] in words:
                return str(words[found[1]][row])
            return found[0] if found[1] is not None else found[0][0]

        return (PLACEHOLDER if self._table is None else COLUMN).sub(fill, pattern)

    def _chosen(self, check: Callable[[Any], Any], pattern: str, at: int) -> Any:
        """Return the value of a setting that a case fills in.

        Raises:
            InvalidArgument: It is not allowed; the message has the row.
        """
        own = self._own.get(pattern.strip()[1:-1])
        try:
            return check(self._fill(pattern, self._words, at) if own is None else own[at])
        except InvalidArgument as error:
            raise InvalidArgument(f"row {self._labels[at]!r}: {error}") from None

    def plan(self, types: Mapping[str, Any], spec: ResourceSpec, *, quiet: bool) -> pd.DataFrame:
        """Return the plan, and print how many rows it has and what they would create.

        Args:
            types: The columns of the fields with their types, but for the name.
            spec: The collection.
            quiet: Whether to print nothing.
        """
        types = {"name": text_type(), **types}
        made = as_texts(pd.DataFrame({each: self.columns[each] for each in types} | self._ends))
        made = made.astype({**types, "case": text_type(), "repeat": "int64"})
        given = self._given.iloc[self._at]
        if self._table is None:
            given = given.reset_index(drop=True)
        names = [f"{GIVEN}{each}" if str(each) in OWN else each for each in given.columns]
        parts = [made[[*types]], given, made[[*self._ends]]]
        plan = pd.concat([each.set_axis(given.index) for each in parts], axis=1)
        plan.columns = pd.Index([*types, *names, *self._ends], tupleize_cols=False)
        if self.older:
            plan.attrs[OLDER] = {
                each: dict(zip(self.columns[each], self.older[each], strict=True)) for each in self.older
            }
        if not quiet:
            self._say(len(plan), len(made.drop_duplicates([*types, "repeat"])), spec)
        return plan

    def _say(self, count: int, new: int, spec: ResourceSpec) -> None:
        """Print how many rows there are, how they came about, and which verdicts they allow."""
        from inkframe.analysis.intervals import outlook

        sizes = {name: size for name, size in self._sizes.items() if size > 1}
        factors = " × ".join(f"{name} {size:,}" for name, size in sizes.items())
        same = f" ({count - new:,} equal to earlier rows)" if new < count else ""
        said = f"{counted(count, 'row')}{f' ({factors})' if factors else ''}; create_many would create {counted(new, spec.noun)}{same}."
        cases, noun = len({*self._ends["case"]}), "picture" if spec.has_picture else "text"
        # What can be compared; variables are what it is compared within.
        compared = [name for name in sizes if name in {"variant", "template", *spec.settings}]
        notice(
            "\n".join(
                [said, *(f"{name}: {outlook(count // sizes[name], cases, noun)}." for name in compared)]
            )
        )


def _variants(field: str, given: str | Iterable[str] | Mapping[str, str]) -> dict[str | None, str]:
    """Return the texts by label; None is that of one text."""
    if isinstance(given, str) or not hasattr(given, "__iter__"):
        return {None: check_text(field, given)}
    named = given.items() if isinstance(given, Mapping) else enumerate(given, start=1)
    variants: dict[str | None, str] = {str(label): check_text(field, text) for label, text in named}
    if not variants:
        raise InvalidArgument(f"{field} must be a text, a list or a mapping of texts, got {given!r}.")
    return variants


def _values(field: str, name: str, given: Any, placeholders: Collection[str]) -> list[Any]:
    """Return the values of a variable, checked and without duplicates."""
    if name in OWN or not name.isidentifier():
        raise InvalidArgument(
            f"variables cannot have {name!r}: it is a column of plans or records, or not a name.\n"
            "Rename it, in the texts too."
        )
    if name not in placeholders:
        close = nearest(name, placeholders)
        hint = f"Did you mean {{{close}}}?" if close else f"Write {{{name}}} where it goes, or leave it out."
        raise InvalidArgument(f"variables has {name!r}, but {field} has no {{{name}}}.\n{hint}")
    values = _several(given)
    if not values or any(isinstance(value, str) and not value.strip() for value in values) or None in values:
        raise InvalidArgument(f"variables[{name!r}] must be a value or a list of values, got {given!r}.")
    return values


def _several(given: Any) -> list[Any]:
    """Return one or several values as a list without duplicates."""
    is_one = isinstance(given, str) or not hasattr(given, "__iter__")
    return list(dict.fromkeys([given] if is_one else given))


def _given(field: str, value: Any, every: Iterable[Any], check: Callable[[Any], Any]) -> list[Any]:
    """Return the values of an argument, checked and without duplicates; those that cases fill in as they are."""
    if isinstance(value, All):
        return list(every)
    found = _several(each if each is None or _is_pattern(each) else check(each) for each in _several(value))
    if not found:
        raise InvalidArgument(f"{field} is an empty list.\nPass a value, or ink.ALL for every value.")
    return found


def _is_pattern(value: Any) -> bool:
    """Return whether each case fills in a setting."""
    return isinstance(value, str) and "{" in value
