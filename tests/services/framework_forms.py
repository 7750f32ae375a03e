"""The rules of web frameworks for forms: trimming, booleans, and invalid values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from tests.services.error_forms import INVALID, Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tests.services.exchange import SeenRequest
    from tests.services.interface_fields import InterfaceCollection

    from inkframe import Vocabulary

__all__ = ["DJANGO", "LARAVEL", "NODE", "PYDANTIC", "RAILS", "SPRING", "FormRules", "read_form", "validate"]

UNSUPPORTED: Final = 415
#: Fields whose values a deployment lists; a deployment without a list does not have the field.


@dataclass(frozen=True, kw_only=True)
class FormRules:
    """The rules of one framework for the fields of a form.

    Args:
        true: Words for true.
        false: Words for false; any other word is rejected.
        trims: Whether values are stripped.
        blank: The meaning of an empty value: null, rejected, or an empty text.
        other_types: The result of a body that is not urlencoded: ignored, or rejected with 415.
        lower: Whether booleans are case-insensitive.
        required: The message for a missing field.
        boolean: The message for an invalid boolean.
        choice: The message for an invalid choice.
    """

    true: tuple[str, ...]
    false: tuple[str, ...]
    trims: bool = False
    blank: Literal["null", "refused", "kept"] = "kept"
    other_types: Literal["unseen", "refused"] = "refused"
    lower: bool = True
    required: str = "This field is required."
    boolean: str = "Must be a valid boolean."
    choice: str = "Not a valid choice."

    def as_boolean(self, text: str) -> bool:
        """Parse a boolean.

        Raises:
            ValueError: The word is not a boolean of the framework.
        """
        word = text.lower() if self.lower else text
        if word in self.true:
            return True
        if word in self.false:
            return False
        raise ValueError(self.boolean)


#: The rule ``boolean`` accepts exactly true, false, 0, 1, "0" and "1", so only two texts.
LARAVEL: Final = FormRules(
    true=("1",),
    false=("0",),
    trims=True,
    blank="null",
    other_types="unseen",
    lower=False,
    required="The {field} field is required.",
    boolean="The {field} field must be true or false.",
    choice="The selected {field} is invalid.",
)
DJANGO: Final = FormRules(
    true=("t", "y", "yes", "true", "on", "1"),
    false=("f", "n", "no", "false", "off", "0"),
    trims=True,
    blank="refused",
    choice="Not a valid choice.",
)
PYDANTIC: Final = FormRules(
    true=("1", "on", "t", "true", "y", "yes"),
    false=("0", "off", "f", "false", "n", "no"),
    blank="null",
    required="Field required",
    boolean="Input should be a valid boolean, unable to interpret input",
    choice="Input should be one of the allowed values",
)
RAILS: Final = FormRules(
    true=("1", "t", "true", "on"),
    false=("0", "f", "false", "off", ""),
    required="can't be blank",
    choice="is not included in the list",
)
SPRING: Final = FormRules(
    true=("true", "on", "yes", "1"),
    false=("false", "off", "no", "0"),
    required="must not be blank",
    choice="must be one of the allowed values",
)
NODE: Final = FormRules(true=("true", "1"), false=("false", "0", ""), required="is required")


def read_form(request: SeenRequest, rules: FormRules) -> dict[str, str | None]:
    """Return the fields of a form as the framework passes them to the application.

    Raises:
        Refusal: The framework does not accept the type of the body.
    """
    unreadable = request.content_type not in {"", "application/x-www-form-urlencoded"}
    if request.body and unreadable and rules.other_types == "refused":
        raise Refusal(UNSUPPORTED, f'Unsupported media type "{request.content_type}" in request.')
    return {name: _plain(value, rules) for name, value in request.form.items()}


def _plain(text: str, rules: FormRules) -> str | None:
    text = text.strip() if rules.trims else text
    return None if not text and rules.blank == "null" else text


def validate(
    collection: InterfaceCollection,
    fields: Mapping[str, str | None],
    rules: FormRules,
    vocabulary: Vocabulary,
    *,
    creating: bool,
) -> dict[str, Any]:
    """Return the values to store; fields that the operation does not have are ignored.

    Raises:
        Refusal: A field is missing or invalid; the error names every such field.
    """
    known = (*collection.required, *collection.optional) if creating else collection.editable
    known = tuple(name for name in known if name not in collection.choices or vocabulary.codes(name))
    readers = _readers(collection, rules, vocabulary)
    values: dict[str, Any] = {}
    problems: dict[str, list[str]] = {}
    for name in known:
        needed = name == "name" or (creating and name in collection.required)
        text = fields.get(name)
        if name in fields or (creating and needed):
            try:
                values[name] = _value(name, text, readers.get(name, str), rules, needed=needed)
            except ValueError as problem:
                problems[name] = [str(problem).format(field=name)]
    if problems:
        raise Refusal(INVALID, fields=problems)
    return values


def _value(
    name: str, text: str | None, reader: Callable[[str], Any], rules: FormRules, *, needed: bool
) -> Any:
    if not text and name == "favorite":
        return reader("")
    if not text:
        if needed or rules.blank == "refused":
            raise ValueError(rules.required)
        return text if name == "result" else None
    return reader(text)


def _readers(
    collection: InterfaceCollection, rules: FormRules, vocabulary: Vocabulary
) -> dict[str, Callable[[str], Any]]:
    def choice(field: str) -> Callable[[str], str]:
        def read(text: str) -> str:
            if text not in vocabulary.codes(field):
                raise ValueError(rules.choice)
            return text

        return read

    def creativity(text: str) -> float:
        steps = {float(code) for code in vocabulary.codes("creativity")}
        try:
            number = float(text)
        except ValueError:
            raise ValueError(rules.choice) from None
        if number not in steps:
            raise ValueError(rules.choice)
        return number

    choices = {name: choice(name) for name in collection.choices}
    return {**choices, "favorite": rules.as_boolean, "creativity": creativity}
