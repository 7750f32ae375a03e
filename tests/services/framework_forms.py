"""The rules of web frameworks for forms: trimming, booleans, and invalid values."""

from dataclasses import dataclass
from typing import Literal

from tests.services.error_forms import INVALID, Refusal

UNSUPPORTED = 415


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

    def as_boolean(self, text):
        """Return a boolean of the framework."""
        word = text.lower() if self.lower else text
        if word in self.true:
            return True
        if word in self.false:
            return False
        raise ValueError(self.boolean)


#: The rule ``boolean`` accepts exactly true, false, 0, 1, "0" and "1", so only two texts.
LARAVEL = FormRules(
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
DJANGO = FormRules(
    true=("t", "y", "yes", "true", "on", "1"),
    false=("f", "n", "no", "false", "off", "0"),
    trims=True,
    blank="refused",
    choice="Not a valid choice.",
)
PYDANTIC = FormRules(
    true=("1", "on", "t", "true", "y", "yes"),
    false=("0", "off", "f", "false", "n", "no"),
    blank="null",
    required="Field required",
    boolean="Input should be a valid boolean, unable to interpret input",
    choice="Input should be one of the allowed values",
)
RAILS = FormRules(
    true=("1", "t", "true", "on"),
    false=("0", "f", "false", "off", ""),
    required="can't be blank",
    choice="is not included in the list",
)
SPRING = FormRules(
    true=("true", "on", "yes", "1"),
    false=("false", "off", "no", "0"),
    required="must not be blank",
    choice="must be one of the allowed values",
)
NODE = FormRules(true=("true", "1"), false=("false", "0", ""), required="is required")


def read_form(request, rules):
    """Return the fields of a form as the framework passes them to the application."""
    unreadable = request.content_type not in {"", "application/x-www-form-urlencoded"}
    if request.body and unreadable and rules.other_types == "refused":
        raise Refusal(UNSUPPORTED, f'Unsupported media type "{request.content_type}" in request.')
    return {name: _plain(value, rules) for name, value in request.form.items()}


def _plain(text, rules):
    text = text.strip() if rules.trims else text
    return None if not text and rules.blank == "null" else text


def validate(collection, fields, rules, vocabulary, *, creating):
    """Return the values to store; fields that the operation does not have are ignored, a refusal names all invalid ones."""
    known = (*collection.required, *collection.optional) if creating else collection.editable
    known = tuple(name for name in known if name not in collection.choices or vocabulary.codes(name))
    readers = _readers(collection, rules, vocabulary)
    values = {}
    problems = {}
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


def _value(name, text, reader, rules, *, needed):
    if not text and name == "favorite":
        return reader("")
    if not text:
        if needed or rules.blank == "refused":
            raise ValueError(rules.required)
        return text if name == "result" else None
    return reader(text)


def _readers(collection, rules, vocabulary):
    def choice(field):
        def read(text):
            if text not in vocabulary.codes(field):
                raise ValueError(rules.choice)
            return text

        return read

    def creativity(text):
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
