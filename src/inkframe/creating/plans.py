"""Plans: every combination of settings as rows, to inspect and edit before anything is sent."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import product
from typing import Any, Final

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

__all__ = ["ALL", "plan_documents", "plan_images"]


class All:
    """The type of ``ink.ALL``: every value of the vocabulary."""

    def __repr__(self) -> str:
        return "ink.ALL"


#: Every value that the vocabulary has.
ALL: Final = All()

#: What is filled in in the texts of variables.
PLACEHOLDER: Final = re.compile(r"\{([^{}]*)\}")
#: Between the values of several variables in a case.
CASE: Final = " · "
#: Columns of plans and of records; others with these names get a prefix.
OWN: Final = frozenset(
    {"variant", "case", "repeat", "number", "prompt_template", "id", "status", "error", "seconds"}
).union(*(spec.columns for spec in RESOURCES.values()))
#: Before the name of a variable, or of a column of a table, that plans have, too.
GIVEN: Final = "given."
#: The types of columns that are no texts.
TYPES: Final = {"creativity": "float64", "repeat": "int64", "at": "int64"}


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
            creativity, such as ``template="{template}"``. Values are columns of the plan, one such
            as ``name``, which plans have, too, as ``given.name``; a table keeps its index and all columns. ``{variant}`` and
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
    settings = {"template": template, "creativity": creativity}
    return _Layout(DOCUMENTS, prompt, name, settings, variables, repeats, vocabulary).plan(quiet=quiet)


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
    settings = {"resolution": resolution, "style": style, "medium": medium, "filter": filter}
    return _Layout(IMAGES, description, name, settings, variables, repeats, vocabulary).plan(quiet=quiet)


class _Layout:
    """The rows of a plan: the cases, each with every variant, every combination of settings, and its repeats.

    Args:
        spec: The collection.
        given: The text, or several.
        name: The pattern of the names.
        settings: The argument of each setting.
        variables: The variables or the table.
        repeats: The number of rows for each combination.
        vocabulary: The allowed values; by default those of the interface.
    """

    def __init__(
        self,
        spec: ResourceSpec,
        given: str | Iterable[str] | Mapping[str, str],
        name: str | None,
        settings: Mapping[str, Any],
        variables: Any,
        repeats: int,
        vocabulary: Vocabulary | None,
    ) -> None:
        self._spec, self._variants = spec, _variants(spec.source, given)
        known = Vocabulary() if vocabulary is None else vocabulary
        self._compose = cache(partial(compose_prompt, vocabulary=known))
        read = {"template": known.template, "creativity": known.creativity}
        #: What returns a checked value of each setting.
        self._checks: dict[str, Callable[[Any], Any]] = {
            field: read.get(field, partial(known.code, field)) for field in settings
        }
        #: What the rows of a case differ in, and its values; those of the last one come one after the other.
        self._axes: dict[str, Sequence[Any]] = {
            "variant": [*self._variants],
            **{field: _given(known, field, value, self._checks[field]) for field, value in settings.items()},
            "repeat": range(1, check_integer("repeats", repeats) + 1),
        }
        self._is_table = not isinstance(variables, Mapping | None)
        self._table = GivenTable(
            "variables",
            variables if self._is_table else _combinations(variables or {}),
            "a mapping from names to values, a DataFrame or a list of mappings",
            "\nPass such as variables={'product': ['a kettle', 'a lamp']}.",
            has_index=self._is_table,
        )
        labeled = [] if None in self._variants else ["variant"]
        if name is None and self._is_table:
            varied = [axis for axis, values in self._axes.items() if len(values) > 1 or axis in labeled]
            name = pattern_of([*self._table.default_names()[0], *varied])
        if name is None:
            raise WrongKeyword(
                "A plan requires 'name', unless variables is a table.\nPass a pattern such as name=\"Kettle {creativity} {repeat}\"."
            )
        self._name = check_text("name", name)
        #: The columns after those of the table.
        self._ends = [*labeled, "case", "repeat"]
        #: What can be filled in besides the variables, or the columns of the table.
        self._beside = {
            spec.source: [*labeled, "case"],
            "name": [*settings, *self._ends, "number"],
        }
        self._read()

    def _read(self) -> None:
        """Read the values of each case, and what it is compared as."""
        table, source, labels = self._table, self._spec.source, self._table.frame.index.tolist()
        texts = {source: [*self._variants.values()], "name": [self._name]} | {
            field: list(filter(_is_pattern, self._axes[field])) for field in self._checks
        }
        called = {field: "".join(several) for field, several in texts.items()}
        if not self._is_table:
            _refuse_unused(source, table.places, "".join(called.values()))
            texts[source] = [pattern_of(table.places)]  # in which everything else stays
        used = table.used(texts, self._beside)
        for word, column in used.items():
            if any(empty := lacking(column)):
                raise InvalidArgument(
                    f"{word!r} is missing in {name_rows(labels, empty)}.\nFill it in, or drop these rows."
                )
            check_text(f"The column {word!r}", "".join(map(str, column)), empty=True)
        #: The texts of the values of each case by word, now and as release 0.3 filled them in.
        self._words, self._older = (
            [
                {word: text(value) for word, value in zip(used, values, strict=True)}
                for _, *values in zip(labels, *(column.tolist() for column in used.values()), strict=True)
            ]
            for text in ((as_text, text_of_0_3) if self._is_table else (str, str))
        )
        # Rows that differ only in settings are one case.
        compared = [word for word in used if f"{{{word}}}" in called[source] + called["name"]]
        alone = map(str, labels) if self._is_table else [self._variants.get(None, "")] * len(labels)
        self._cases = [
            CASE.join(words[each] for each in compared) or label
            for words, label in zip(self._words, alone, strict=True)
        ]

    def _rows(self, words: Sequence[Mapping[str, str]]) -> Iterator[dict[str, Any]]:
        """Yield the values of each row, with the texts of each case."""
        rows = product(range(len(words)), *self._axes.values())
        for number, (at, *chosen) in enumerate(rows, start=1):
            row = dict(zip(self._axes, chosen, strict=True))
            row |= {"at": at, "case": self._cases[at], "number": number}
            row |= {
                field: self._chosen(field, row[field], at)
                for field in self._checks
                if _is_pattern(row[field])
            }
            labels = {word: str(getattr(value, "label", value) or "") for word, value in row.items()}
            name, text = (
                self._fill(each, {word: labels[word] for word in self._beside[field]} | words[at])
                for field, each in (
                    ("name", self._name),
                    (self._spec.source, self._variants[row["variant"]]),
                )
            )
            form = row.get("template")
            row |= {"name": " ".join(name.split()), "prompt_template": form and form.label}
            yield row | {self._spec.source: text if form is None else self._compose(form, text)}

    def _fill(self, pattern: str, words: Mapping[str, str]) -> str:
        """Fill in a text, in which other braces stay, or doubled ones are braces for a table."""
        if self._is_table:
            return COLUMN.sub(lambda found: words.get(found[1], found[0][0]), pattern)
        return PLACEHOLDER.sub(lambda found: words.get(found[1], found[0]), pattern)

    def _chosen(self, field: str, pattern: str, at: int) -> Any:
        """Return the value of a setting that a case fills in.

        Raises:
            InvalidArgument: It is not allowed; the message has the row.
        """
        try:
            return self._checks[field](self._fill(pattern, self._words[at]))
        except InvalidArgument as error:
            raise InvalidArgument(f"row {self._table.frame.index[at]!r}: {error}") from None

    def plan(self, *, quiet: bool) -> pd.DataFrame:
        """Return the plan, and print how many rows it has and what they would create.

        Args:
            quiet: Whether to print nothing.
        """
        fields = [*self._spec.creates, *["prompt_template"] * ("template" in self._checks)]
        types = {each: TYPES.get(each, text_type()) for each in (*fields, *self._ends, "at")}
        made = pd.DataFrame(self._rows(self._words), columns=[*types]).astype(types)
        given = self._table.frame.iloc[made["at"]]
        if not self._is_table:
            given = as_texts(given.infer_objects()).reset_index(drop=True)
        names = [f"{GIVEN}{each}" if str(each) in OWN else each for each in given.columns]
        parts = [made[fields], given, made[self._ends]]
        plan: pd.DataFrame = pd.concat([each.set_axis(given.index) for each in parts], axis=1)
        plan.columns = pd.Index([*fields, *names, *self._ends], tupleize_cols=False)
        if self._older != self._words:
            older = pd.DataFrame(self._rows(self._older))
            plan.attrs[OLDER] = {
                field: dict(zip(made[field], older[field], strict=True))
                for field in ("name", self._spec.source)
            }
        if not quiet:
            self._say(made["case"].nunique(), len(made), len(made.drop_duplicates([*fields, "repeat"])))
        return plan

    def _say(self, cases: int, count: int, new: int) -> None:
        """Print how many rows there are, how they came about, and which verdicts they allow."""
        from inkframe.analysis.intervals import outlook

        given = self._table.frame
        first = {"row": len(given)} if self._is_table else given.nunique().to_dict()
        axes = {axis: len(values) for axis, values in self._axes.items()}
        sizes = {name: size for name, size in (first | axes).items() if size > 1}
        factors = " × ".join(f"{name} {size:,}" for name, size in sizes.items())
        same = f" ({count - new:,} equal to earlier rows)" if new < count else ""
        said = f"{counted(count, 'row')}{f' ({factors})' if factors else ''}; create_many would create {counted(new, self._spec.noun)}{same}."
        noun = "picture" if self._spec.has_picture else "text"
        # What can be compared; variables are what it is compared within.
        verdicts = [
            f"{name}: {outlook(count // size, cases, noun)}."
            for name, size in sizes.items()
            if name in axes and name != "repeat"
        ]
        notice("\n".join([said, *verdicts]))


def _variants(field: str, given: str | Iterable[str] | Mapping[str, str]) -> dict[str | None, str]:
    """Return the texts by label; None is that of one text."""
    if isinstance(given, str) or not hasattr(given, "__iter__"):
        return {None: check_text(field, given)}
    named = dict(given if isinstance(given, Mapping) else enumerate(given, start=1))
    if not named:
        raise InvalidArgument(f"{field} must be a text, a list or a mapping of texts, got {given!r}.")
    return {str(label): check_text(field, text) for label, text in named.items()}


def _combinations(variables: Mapping[str, Any]) -> pd.DataFrame:
    """Return every combination of the values of variables."""
    several = {name: _several(given) for name, given in variables.items()}
    for name, values in several.items():
        if not values or any(lacking(pd.Series(values, dtype=object))):
            raise InvalidArgument(
                f"variables[{name!r}] must be a value or a list of values, got {variables[name]!r}."
            )
    return pd.DataFrame([*product(*several.values())], columns=[*several], dtype=object)


def _refuse_unused(field: str, names: Iterable[str], texts: str) -> None:
    """Refuse variables that no text calls."""
    called = PLACEHOLDER.findall(texts)
    for name in names:
        if name not in called:
            close = nearest(name, called)
            hint = (
                f"Did you mean {{{close}}}?" if close else f"Write {{{name}}} where it goes, or leave it out."
            )
            raise InvalidArgument(f"variables has {name!r}, but {field} has no {{{name}}}.\n{hint}")


def _several(given: Any) -> list[Any]:
    """Return one or several values as a list without duplicates."""
    is_one = isinstance(given, str) or not hasattr(given, "__iter__")
    return list(dict.fromkeys([given] if is_one else given))


def _given(known: Vocabulary, field: str, value: Any, check: Callable[[Any], Any]) -> list[Any]:
    """Return the values of an argument, checked and without duplicates; those that cases fill in as they are."""
    if isinstance(value, All):
        return list(known.all_templates if field == "template" else known.codes(field))
    found = _several(each if each is None or _is_pattern(each) else check(each) for each in _several(value))
    if not found:
        raise InvalidArgument(f"{field} is an empty list.\nPass a value, or ink.ALL for every value.")
    return found


def _is_pattern(value: Any) -> bool:
    """Return whether each case fills in a setting."""
    return isinstance(value, str) and "{" in value
