"""List parameters from the arguments of lists, checked with the schema and the vocabulary."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from inkframe.errors import InvalidArgument
from inkframe.schema import SORT_FIELDS, SORTS
from inkframe.vocabulary.arguments import check_boolean, check_choice, check_page_size, check_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from inkframe.schema import FieldSpec, ResourceSpec
    from inkframe.vocabulary import Vocabulary

__all__ = ["read_filters", "read_query", "shown_filters", "single_values"]

Filters = dict[str, tuple[Any, ...]]


#: The check of each list parameter that every collection has.
CHECKS: Final[dict[str, Callable[[ResourceSpec, str, Any], Any]]] = {
    "search": lambda _, name, value: check_text(name, value),
    "search_by": lambda spec, name, value: check_choice(name, value, spec.search_by),
    "favorite": lambda _, name, value: check_boolean(name, value),
    "sort_by": lambda _, name, value: check_choice(name, value, SORT_FIELDS),
    "sort": lambda _, name, value: check_choice(name, value, SORTS),
    "per_page": lambda _, __, value: check_page_size(value),
}


def read_query(spec: ResourceSpec, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the list parameters that every collection has; None is not sent.

    Args:
        spec: The collection.
        given: The arguments of a call by name; filters of the collection are ignored.

    Raises:
        InvalidArgument: A value is not allowed.
    """
    return {
        name: check(spec, name, given[name]) for name, check in CHECKS.items() if given.get(name) is not None
    }


def read_filters(spec: ResourceSpec, vocabulary: Vocabulary, given: Mapping[str, Any]) -> Filters:
    """Return the values of each given filter.

    Args:
        spec: The collection.
        vocabulary: The allowed values.
        given: The arguments of a call by name.

    Raises:
        InvalidArgument: A value is not allowed, or two arguments for the same filter contradict each other.
    """
    found: Filters = {}
    for name, arguments in spec.arguments.items():
        values = {
            argument: _values(spec.columns[name], argument, given[argument], vocabulary)
            for argument in arguments
            if given.get(argument) is not None
        }
        if len(set(values.values())) > 1:
            said = " and ".join(f"{argument}={given[argument]!r}" for argument in values)
            raise InvalidArgument(f"{said} contradict each other.\nPass one of them.")
        if values:
            found[name] = next(iter(values.values()))
    return found


def _values(field: FieldSpec, argument: str, given: Any, vocabulary: Vocabulary) -> tuple[Any, ...]:
    """Return the values of a filter, checked and without duplicates."""
    values = [given] if isinstance(given, str) or not hasattr(given, "__iter__") else [*given]
    name = argument.removesuffix("_id")
    if not values:
        raise InvalidArgument(f"{name} is an empty list.\nOmit it to list every {name}.")
    if field.type == "choice":
        return tuple(dict.fromkeys(vocabulary.code(field.name, value) for value in values))
    return tuple(dict.fromkeys(vocabulary.template(value).id for value in values))


def single_values(filters: Filters) -> dict[str, Any]:
    """Return filters with one value each.

    Raises:
        InvalidArgument: A filter has several.
    """
    for name, values in filters.items():
        if len(values) != 1:
            raise InvalidArgument(
                f"{name.removesuffix('_id')} has {len(values)} values, but list() accepts one.\n"
                "Use all() for several."
            )
    return {name: values[0] for name, values in filters.items()}


def shown_filters(filters: Filters) -> dict[str, Any]:
    """Return filters for the provenance of a frame."""
    return {name: values[0] if len(values) == 1 else [*values] for name, values in filters.items()}
