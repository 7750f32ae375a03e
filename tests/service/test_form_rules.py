"""The parameters of requests: which texts are accepted, as which values, and the errors of the others."""

import pytest

from inkframe.schema import RESOURCES, FieldSpec
from inkframe.service.form_rules import FormRule, Invalid, choice, field_rule, flag, read_fields, text, whole
from inkframe.vocabulary import Vocabulary

WORDS = Vocabulary()
LONG = "x" * 60


def read(rule, value):
    """Return the value of a parameter, or the message about it."""
    try:
        return read_fields([rule], {rule.name: value})[rule.name]
    except Invalid as error:
        return error.errors[rule.name]


@pytest.mark.parametrize(
    ("rule", "values"),
    [
        (lambda: text("a"), {" b ": " b ", "": ["The a must not be empty."], " \n": ["The a must not be empty."], "x" * 999: "x" * 999}),
        (lambda: text("a", blank=True), {"": "", "  ": "  "}),
        (lambda: text("a", longest=3), {" bcd ": "bcd", "b" * 4: ["The a must have at most 3 characters, got 4."],
                                " ": ["The a must not be empty."]}),
        (lambda: text("a", longest=3, blank=True), {" ": ""}),
        (lambda: choice("a", ["one", "two"]), {
            "two": "two", "tow": ["The a must be one of one, two, got 'tow'. Did you mean two?"],
            LONG: [f"The a must be one of one, two, got '{LONG[:56]}…."],
            LONG[:59]: [f"The a must be one of one, two, got '{LONG[:56]}…."],
            LONG[:58]: [f"The a must be one of one, two, got '{LONG[:58]}'."],
        }),
        (lambda: choice("a", []), {"one": ["The a must be omitted, got 'one'."]}),
        (lambda: choice("a", ["10", "25"], int), {"25": 25, "25.0": ["The a must be one of 10, 25, got '25.0'. Did you mean 25?"]}),
        (lambda: choice("a", ["0", "0.5"], float), {"0.50": 0.5, "5e-1": 0.5, "0.6": ["The a must be one of 0, 0.5, got '0.6'. Did you mean 0.5?"],
                                            "x": ["The a must be one of 0, 0.5, got 'x'."]}),
        (lambda: whole("a"), {"0": 0, "007": 7, "9007199254740991": 2**53 - 1,
            "9007199254740992": ["The a must be an integer, 0 or greater, got '9007199254740992'."],
            "-1": ["The a must be an integer, 0 or greater, got '-1'."], "٣": ["The a must be an integer, 0 or greater, got '٣'."],
            "": ["The a must be an integer, 0 or greater, got ''."]}),
        (lambda: field_rule(FieldSpec("a", "integer", ""), WORDS), {"0": 0, "-12": -12, "9007199254740992":
            ["The a must be an integer, got '9007199254740992'."], "1.0": ["The a must be an integer, got '1.0'."],
            "--1": ["The a must be an integer, got '--1'."], "": ["The a must be an integer, got ''."]}),
        (lambda: whole("a", minimum=1), {"1": 1, "0": ["The a must be an integer, 1 or greater, got '0'."]}),
        (lambda: flag("a"), {"1": True, "0": False, "true": True, "false": False,
                     "yes": ["The a must be one of 1, 0, true, false, got 'yes'."]}),
    ],
)  # fmt: skip
def test_what_a_parameter_accepts(rule, values):
    """The values as they are stored, and the whole message for any other one."""
    found = {value: read(rule(), value) for value in values}
    assert found == values
    assert {value: type(each) for value, each in found.items()} == {
        value: type(each) for value, each in values.items()
    }


def test_all_parameters_of_a_request():
    """The last of repeated values counts, what is missing has its default, and all errors come together."""
    rules = [
        FormRule("must", str, required=True), whole("page", minimum=1, default=1), choice("size", ["10"], int, default=10),
        text("name"), flag("favorite"),
    ]  # fmt: skip
    assert read_fields(rules, {"must": ["a", "b", "c"], "other": "x"}) == {"must": "c", "page": 1, "size": 10}
    assert read_fields(rules, {"must": "", "page": "3", "name": "n"}) == {
        "must": "", "page": 3, "size": 10, "name": "n"
    }  # fmt: skip
    with pytest.raises(Invalid) as caught:
        read_fields(rules, {"page": "0", "name": "", "favorite": "1"})
    assert caught.value.errors == {
        "must": ["The must is required."],
        "page": ["The page must be an integer, 1 or greater, got '0'."],
        "name": ["The name must not be empty."],
    }


def test_the_rule_of_each_field():
    """The values of a vocabulary are choices of its type; the others follow the type of the field."""
    fields = {field.name: field for spec in RESOURCES.values() for field in spec.fields}
    sent = {"template_id": "16", "creativity": "0.25", "style": "anime", "favorite": "1", "result": ""}
    found = {name: read(field_rule(fields[name], WORDS), value) for name, value in sent.items()}
    assert found == {"template_id": 16, "creativity": 0.25, "style": "anime", "favorite": True, "result": ""}
    for name in ("template_id", "creativity", "style"):
        (message,) = read(field_rule(fields[name], WORDS), "other")
        assert f"The {name} must be one of {', '.join(map(str, WORDS.codes(name)))}, got" in message
    longest = fields["name"].longest
    assert read(field_rule(fields["name"], WORDS), "x" * longest) == "x" * longest
    for value in ("", "x" * (longest + 1)):
        assert isinstance(read(field_rule(fields["name"], WORDS), value), list)
