"""Plans: every combination of settings as rows, to inspect and edit before anything is sent."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import islice, product, repeat
from typing import TYPE_CHECKING, Any, Final

from inkframe.creating.table import COLUMN, GivenTable, as_text, is_table, lacking, name_rows
from inkframe.display.console import notice
from inkframe.display.markup import counted
from inkframe.errors import InvalidArgument, checked, nearest
from inkframe.schema import DOCUMENTS, IMAGES, RESOURCES, ResourceSpec
from inkframe.versions import as_texts, text_type
from inkframe.vocabulary import Template, Vocabulary, compose_prompt
from inkframe.vocabulary.arguments import check_integer, check_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import pandas as pd

    from inkframe.vocabulary.names import Filter, Medium, Resolution, Style

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
#: Columns of plans that variables cannot replace, besides the fields of records.
OWN: Final = frozenset(
    {"variant", "case", "repeat", "number", "prompt_template", "id", "status", "error", "seconds"}
)
#: Before the name of a column of a table that plans have, too.
GIVEN: Final = "given."


@checked
def plan_documents(
    prompt: str | Iterable[str] | Mapping[str, str],
    *,
    name: str,
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
            ``{template}``, ``{repeat}`` and ``{number}`` (of the row) as placeholders.
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
    settings = {
        "template": _given("template", template, known.all_templates, known.template),
        "creativity": _given("creativity", creativity, known.codes("creativity"), known.creativity),
    }
    layout = _Layout("prompt", prompt, name, settings, variables, repeats)
    templates = layout.columns["template"]
    composed = {
        (text, form): text if form is None else compose_prompt(form, text, vocabulary=known)
        for text, form in dict.fromkeys(zip(layout.columns["prompt"], templates, strict=True))
    }
    columns = {
        "name": layout.columns["name"],
        "prompt": [composed[each] for each in zip(layout.columns["prompt"], templates, strict=True)],
        "creativity": list(map(float, layout.columns["creativity"])),
        "prompt_template": [form and form.label for form in templates],
    }
    types = {"prompt": text_type(), "creativity": "float64", "prompt_template": text_type()}
    return layout.plan(columns, types, DOCUMENTS, quiet=quiet)


@checked
def plan_images(
    description: str | Iterable[str] | Mapping[str, str],
    *,
    name: str,
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
            ``{style}``, ``{medium}``, ``{filter}``, ``{repeat}`` and ``{number}`` (of the row) as placeholders.
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
    settings = {
        field: _given(field, given, known.codes(field), partial(known.code, field))
        for field, given in looks.items()
    }
    layout = _Layout("description", description, name, settings, variables, repeats)
    columns = {field: layout.columns[field] for field in ("name", "description", *looks)}
    return layout.plan(columns, dict.fromkeys(("description", *looks), text_type()), IMAGES, quiet=quiet)


@dataclass(frozen=True, slots=True)
class _Pattern:
    """A setting that each case fills in.

    Args:
        text: The text with placeholders.
        check: Returns a checked value.
    """

    text: str
    check: Callable[[Any], Any]


class _Layout:
    """The rows of a plan: the cases, each with every variant, every combination of settings, and its repeats.

    Args:
        source: The field of the text.
        given: The text, or several.
        name: The pattern of the names.
        settings: The values of each setting.
        variables: The variables or the table.
        repeats: The number of rows for each combination.

    Attributes:
        columns: The values of each row: name, text and settings.
    """

    def __init__(
        self,
        source: str,
        given: str | Iterable[str] | Mapping[str, str],
        name: str,
        settings: Mapping[str, list[Any]],
        variables: Any,
        repeats: int,
    ) -> None:
        variants = _variants(source, given)
        check_text("name", name)
        self._settings, self._repeats = settings, check_integer("repeats", repeats)
        self._variants = variants
        patterns = {
            field: [each.text for each in values if isinstance(each, _Pattern)]
            for field, values in settings.items()
        }
        labeled = [] if None in variants else ["variant"]
        self._beside = [*settings, *labeled, "case", "repeat", "number"]
        texts: dict[str, Iterable[str]] = {source: variants.values(), "name": [name], **patterns}
        self._read(source, texts, labeled, variables)
        # The case of a table is what its texts call, so that rows which differ only in settings are one.
        shown = [
            values
            for word, values in self._own.items()
            if self._table is None or any(f"{{{word}}}" in text for text in (*variants.values(), name))
        ]
        if self._own or self._table is not None:
            self._case = [CASE.join(map(self._text, each)) for each in zip(*shown, strict=True)]
            self._case = self._case or list(map(str, self._labels))
        else:
            self._case = [next(iter(variants.values())) if None in variants else ""]
        combinations: list[tuple[Any, ...]] = list(
            product(variants, *(range(len(each)) for each in settings.values()), range(1, repeats + 1))
        )
        of_case = {
            label: self._fill(
                text, {"case": self._case} | ({} if label is None else {"variant": repeat(label)})
            )
            for label, text in variants.items()
        }
        chosen = {field: [self._chosen(value) for value in values] for field, values in settings.items()}
        self.at = [at for at in range(self._count) for _ in combinations]
        self.labels = [label for label, *_ in combinations] * self._count
        self.columns: dict[str, list[Any]] = {
            source: [of_case[label][at] for at in range(self._count) for label, *_ in combinations]
        }
        for place, field in enumerate(settings, start=1):
            values = chosen[field]
            self.columns[field] = [
                values[each[place]][at] for at in range(self._count) for each in combinations
            ]
        self.columns["repeat"] = [number for *_, number in combinations] * self._count
        self.columns["name"] = self._names(name)

    def _read(
        self, source: str, texts: dict[str, Iterable[str]], labeled: Sequence[str], variables: Any
    ) -> None:
        """Read the variables, or the columns of the table that are used."""
        self._table: GivenTable | None = None
        self._labels: Sequence[Any] = ()
        if isinstance(variables, Mapping | None):
            found = {
                word for several in texts.values() for text in several for word in PLACEHOLDER.findall(text)
            }
            values = {name: _values(source, name, each, found) for name, each in (variables or {}).items()}
            cases = list(product(*values.values()))
            self._count, self._labels = len(cases), cases
            self._own = {name: [case[at] for case in cases] for at, name in enumerate(values)}
            return
        if not is_table(variables):
            raise InvalidArgument(
                "variables must be a mapping from names to values, a DataFrame or a list of mappings, got"
                f" {type(variables).__name__}.\nPass such as variables={{'product': ['a kettle', 'a lamp']}}."
            )
        self._table = table = GivenTable("variables", variables)
        used = table.used(texts.pop(source), source, [*labeled, "case"])
        used |= table.used(texts.pop("name"), "name", self._beside)
        for field, several in texts.items():
            used |= table.used(several, field)
        self._count, self._labels = len(table.frame), table.frame.index.tolist()
        for word, column in used.items():
            if any(empty := lacking({word: column}, self._count)):
                raise InvalidArgument(
                    f"{word!r} is missing in {name_rows(self._labels, empty)}.\nFill it in, or drop these rows."
                )
        self._own = {word: column.tolist() for word, column in used.items()}

    def _text(self, value: Any) -> str:
        return str(value) if self._table is None else as_text(value)

    def _fill(
        self, pattern: str, words: Mapping[str, Iterable[Any]], at: Sequence[int] | None = None
    ) -> list[str]:
        """Fill in a text for each case, or for rows of the plan; what is unknown stays."""
        parts: list[Iterable[str]] = []
        end = 0
        for found in (PLACEHOLDER if self._table is None else COLUMN).finditer(pattern):
            parts.append(repeat(pattern[end : found.start()]))
            end, word = found.end(), found[1]
            if word in self._own:
                texts = list(map(self._text, self._own[word]))
                parts.append(texts if at is None else [texts[each] for each in at])
            elif word in words:
                parts.append(map(str, words[word]))
            else:
                parts.append(repeat(found[0] if word is not None else found[0][0]))
        parts.append(repeat(pattern[end:]))
        count = self._count if at is None else len(at)
        return ["".join(each) for each in islice(zip(*parts, strict=False), count)]

    def _chosen(self, value: Any) -> Sequence[Any]:
        """Return the value of a setting for each case.

        Raises:
            InvalidArgument: A value is not allowed; the message has the row.
        """
        if not isinstance(value, _Pattern):
            return [value] * self._count
        word = value.text.strip()[1:-1]
        values = self._own[word] if word in self._own else self._fill(value.text, {})
        checked: dict[str, Any] = {}
        for at, each in enumerate(values):
            if (text := as_text(each)) not in checked:
                try:
                    checked[text] = value.check(each)
                except InvalidArgument as error:
                    raise InvalidArgument(f"row {self._labels[at]!r}: {error}") from None
        return [checked[as_text(each)] for each in values]

    def _names(self, pattern: str) -> list[str]:
        """Return the name of each row.

        Raises:
            InvalidArgument: The pattern has a placeholder that nothing fills.
        """
        if self._table is None:
            known = [
                *self._settings,
                *self._own,
                *(word for word in self._beside if word not in self._settings),
            ]
            for word in PLACEHOLDER.findall(pattern):
                if word not in known:
                    close = nearest(word, known)
                    hint = f"Did you mean {{{close}}}? " if close else ""
                    allowed = ", ".join(f"{{{each}}}" for each in known)
                    raise InvalidArgument(
                        f"name has the unknown placeholder {{{word}}}, got {pattern!r}.\n{hint}Allowed: {allowed}."
                    )
        words: dict[str, Iterable[Any]] = {
            field: [getattr(each, "label", each) or "" for each in self.columns[field]]
            for field in self._settings
        }
        words |= {"case": [self._case[at] for at in self.at], "repeat": self.columns["repeat"]}
        words |= {"number": range(1, len(self.at) + 1), "variant": self.labels}
        return [" ".join(each.split()) for each in self._fill(pattern, words, self.at)]

    def plan(
        self, columns: dict[str, list[Any]], types: Mapping[str, Any], spec: ResourceSpec, *, quiet: bool
    ) -> pd.DataFrame:
        """Return the plan, and print how many rows it has and what they would create.

        Args:
            columns: The columns of the fields.
            types: The types of these columns, but of the name.
            spec: The collection.
            quiet: Whether to print nothing.
        """
        import pandas as pd

        from inkframe.analysis.intervals import outlook

        ends = {"case": [self._case[at] for at in self.at], "repeat": self.columns["repeat"]}
        if None not in self._variants:
            ends = {"variant": self.labels} | ends
        own = (
            {}
            if self._table is not None
            else {name: [values[at] for at in self.at] for name, values in self._own.items()}
        )
        plan = as_texts(pd.DataFrame(columns | own | ends))
        plan = plan.astype({"name": text_type(), **types, "case": text_type(), "repeat": "int64"})
        new = len(plan.drop_duplicates([*columns, "repeat"]))
        if self._table is not None:
            taken = {*plan.columns, *OWN, *(name for each in RESOURCES.values() for name in each.columns)}
            given = self._table.frame.iloc[self.at]
            names = [f"{GIVEN}{each}" if str(each) in taken else each for each in given.columns]
            parts = [plan[[*columns]], given, plan[[*ends]]]
            plan = pd.concat([each.set_axis(given.index) for each in parts], axis=1)
            plan.columns = pd.Index([*columns, *names, *ends], dtype=object, tupleize_cols=False)
            plan.attrs = {}
        if not quiet:
            self._say(len(plan), new, spec, outlook)
        return plan

    def _say(self, count: int, new: int, spec: ResourceSpec, outlook: Callable[[int, str], str]) -> None:
        """Print how many rows there are, how they came about, and which verdicts they allow."""
        if self._table is None:
            sizes = {name: len(set(values)) for name, values in self._own.items()}
        else:
            sizes = {"row": self._count}
        sizes |= {} if None in self._variants else {"variant": len(self._variants)}
        sizes |= {name: len(values) for name, values in self._settings.items()} | {"repeat": self._repeats}
        factors = " × ".join(f"{name} {size:,}" for name, size in sizes.items() if size > 1)
        same = f" ({count - new:,} equal to earlier rows)" if new < count else ""
        said = f"{counted(count, 'row')}{f' ({factors})' if factors else ''}; create_many would create {counted(new, spec.noun)}{same}."
        noun = "picture" if spec.has_picture else "text"
        # What can be compared; variables are what it is compared within.
        compared = [name for name in ("variant", *self._settings) if sizes.get(name, 1) > 1]
        notice("\n".join([said, *(f"{name}: {outlook(count // sizes[name], noun)}." for name in compared)]))


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


def _given(field: str, value: Any, every: Iterable[Any], check: Callable[[Any], Any]) -> list[Any]:
    """Return the values of an argument, checked and without duplicates; those that cases fill in as they are."""
    if isinstance(value, All):
        return list(every)

    def read(each: Any) -> Any:
        if isinstance(each, str) and "{" in each:
            return _Pattern(each, check)
        return None if each is None else check(each)

    several = not isinstance(value, str) and hasattr(value, "__iter__")
    found = list(dict.fromkeys(map(read, value if several else [value])))
    if not found:
        raise InvalidArgument(f"{field} is an empty list.\nPass a value, or ink.ALL for every value.")
    return found
