from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from inkframe.errors import InvalidArgument
from inkframe.resources.records import Document, Image
from inkframe.schema import DOCUMENTS, IMAGES, FieldSpec
from inkframe.vocabulary import Vocabulary
from inkframe.vocabulary.arguments import (
    NOT_GIVEN,
    check_boolean,
    check_choice,
    check_create,
    check_id,
    check_integer,
    check_page_size,
    check_text,
    check_update,
    short,
)


def message_of(check, *arguments, **options):
    """Return the message of a failed check."""
    with pytest.raises(InvalidArgument) as caught:
        check(*arguments, **options)
    assert len(str(caught.value).splitlines()) <= 3
    return str(caught.value)


@pytest.mark.parametrize("text", ["a", " a ", "ü\n", np.str_("a")])
def test_a_text_is_unchanged(text):
    """A text is returned unchanged, as a plain str."""
    assert check_text("name", text) == text
    assert type(check_text("name", text)) is str


def test_an_empty_text_is_refused_unless_allowed():
    """A blank text is refused with a remedy; the result of a document may be empty."""
    for blank in ("", " ", "\n\t"):
        assert message_of(check_text, "name", blank) == 'name is empty.\nPass a text: name="…".'
        assert check_text("result", blank, empty=True) == blank


@pytest.mark.parametrize("value", [None, 1, b"a", ["a"], float("nan"), pd.NA], ids=repr)
def test_other_types_are_not_texts(value):
    """The message has the argument and its value."""
    expected = f'name must be a string, got {value!r}.\nPass a text: name="…".'
    assert message_of(check_text, "name", value) == expected


@pytest.mark.parametrize("value", [True, False, np.True_, np.False_], ids=repr)
def test_a_boolean_is_unchanged(value):
    """True and False are returned as a bool, also from numpy."""
    assert check_boolean("favorite", value) is bool(value)


@pytest.mark.parametrize("value", [1, 0, "1", None, "true", 1.0, pd.NA], ids=repr)
def test_other_types_are_not_booleans(value):
    """Numbers and texts are not booleans."""
    assert message_of(check_boolean, "favorite", value).startswith(f"favorite={value!r} is neither")


def test_a_choice_is_one_of_a_few():
    """An allowed value is returned; another is refused with the nearest and all allowed values."""
    assert check_choice("sort", "asc", ("desc", "asc")) == "asc"
    said = message_of(check_choice, "sort", "dsc", ("desc", "asc"))
    assert "sort='dsc'" in said
    assert "Did you mean 'desc'?" in said
    assert "Allowed: desc, asc." in said
    for value in (None, 1, ["asc"], np.array(["asc"])):
        assert "Allowed: desc, asc." in message_of(check_choice, "sort", value, ("desc", "asc"))


@pytest.mark.parametrize("value", [1, 7, np.int64(7), np.uint8(7), 2**70], ids=repr)
def test_an_integer_is_unchanged(value):
    """Integers of Python and numpy are returned as int."""
    assert check_integer("page", value) == value
    assert type(check_integer("page", value)) is int


@pytest.mark.parametrize("value", [0, -1, 1.0, "1", True, None, np.True_, np.array([1, 2])], ids=repr)
def test_other_types_and_small_numbers_are_refused(value):
    """Fractions, texts, booleans and small numbers are refused with the minimum."""
    first, second = message_of(check_integer, "page", value).split("\n")
    rule = "1 or greater" if type(value) is int else "an integer"
    assert first == f"page must be {rule}, got {value!r}."
    assert second == f"Replace page={value!r} with an integer of 1 or greater."


def test_the_least_number_can_be_another():
    """The minimum can be 0 or any other number."""
    assert check_integer("limit", 0, least=0) == 0
    assert message_of(check_integer, "n", 4, least=5) == (
        "n must be 5 or greater, got 4.\nReplace n=4 with an integer of 5 or greater."
    )


def test_page_sizes_are_those_of_the_interface():
    """There are four page sizes, and every other is refused with them."""
    assert [check_page_size(size) for size in (10, 25, 50, np.int32(100))] == [10, 25, 50, 100]
    assert message_of(check_page_size, 20).splitlines() == [
        "per_page must be 10, 25, 50 or 100, got 20.",
        "Replace per_page=20 with one of 10, 25, 50, 100.",
    ]


@pytest.mark.parametrize(
    ("given", "id"),
    [
        pytest.param(5, 5, id="a number"),
        pytest.param(np.int64(5), 5, id="numpy"),
        pytest.param("5", "5", id="a text"),
        pytest.param("x/y", "x/y", id="any text"),
        pytest.param(0, 0, id="zero"),
        pytest.param(2**80, 2**80, id="a large number"),
        pytest.param(Image(5), 5, id="an image"),
        pytest.param(Document("a"), "a", id="a document"),
    ],
)
def test_ids(given, id):
    """Numbers, texts and records are ids."""
    record_type = Document if isinstance(given, Document) else Image
    assert check_id(given, record_type) == id
    assert type(check_id(given, record_type)) is type(id)


@pytest.mark.parametrize("value", ["", None, 1.5, True, [1], b"1", Image(""), pd.Series([1])], ids=ascii)
def test_invalid_ids_are_refused(value):
    """The message describes a valid id."""
    said = message_of(check_id, value, Image)
    assert "is not a valid id.\n" in said
    assert said.endswith("an id is an integer, a non-empty string, or a record.")


def test_the_record_of_another_collection_is_not_an_id():
    """Collections have separate ids, so that the error names the collection of the record."""
    for record, other in ((Document(5, name="N"), Image), (Image(5, name="N"), Document)):
        kind, its = other.__name__.lower(), type(record).__name__
        assert message_of(check_id, record, other) == (
            f"The record must be of type {kind}, got {its}(id=5, name='N').\n"
            f"Use client.{its.lower()}s; the collections have separate ids."
        )


def test_long_values_are_cut():
    """A long value is shortened in the message."""
    said = message_of(check_text, "name", ["x" * 1000])
    assert len(said) < 150
    assert "…" in said


def test_not_given_is_false():
    """The marker of an omitted argument is false and displays its name."""
    assert not NOT_GIVEN
    assert repr(NOT_GIVEN) == "NOT_GIVEN"


def test_the_fields_of_a_create():
    """Optional fields without a value are left out, defaults are sent, and required ones must be there."""
    vocabulary = Vocabulary()
    assert check_create(DOCUMENTS, vocabulary, {"name": "N", "prompt": "p"}) == {
        "name": "N",
        "prompt": "p",
        "creativity": "0.5",
    }
    given = {"name": "N", "prompt": "p", "creativity": "Deterministic", "style": "ink"}
    assert check_create(DOCUMENTS, vocabulary, given) == {"name": "N", "prompt": "p", "creativity": "0.25"}
    image = {"name": "N", "description": "d", "resolution": "512x512"}
    assert check_create(IMAGES, vocabulary, image | {"style": "Pop art", "medium": None}) == image | {
        "style": "pop_art"
    }
    assert (
        message_of(check_create, DOCUMENTS, vocabulary, {"name": "N"})
        == 'prompt must be a string, got None.\nPass a text: prompt="…".'
    )
    assert "resolution" in message_of(check_create, IMAGES, vocabulary, {"name": "N", "description": "d"})


def test_the_fields_of_an_update():
    """A boolean must be one, and a text may be empty only where the field allows it."""
    fields = DOCUMENTS.updates
    assert check_update(fields["favorite"], np.bool_(True)) is True
    assert check_update(fields["result"], "") == ""
    assert message_of(check_update, fields["name"], "") == 'name is empty.\nPass a text: name="…".'
    assert message_of(check_update, fields["favorite"], "1").startswith("favorite='1' is neither")


@pytest.mark.parametrize("value", [3, -3, 0, np.int8(3), 3.0, np.float64(-3)], ids=repr)
def test_a_field_of_integers(value):
    """Integers of Python and numpy are accepted, also negative, and as floats, as in frames with missing values."""
    field = FieldSpec("pages", "integer", "", create="required", update=True)
    spec = replace(DOCUMENTS, fields=(*DOCUMENTS.fields, field))
    sent = check_create(spec, Vocabulary(), {"name": "a", "prompt": "b", "pages": value})
    assert sent["pages"] == check_update(field, value) == int(value)
    assert type(sent["pages"]) is type(check_update(field, value)) is int


@pytest.mark.parametrize(
    "value", [2.5, "3", True, np.True_, None, float("nan"), float("inf"), pd.NA], ids=repr
)
def test_what_is_no_integer_is_not_sent(value):
    """Everything else is refused before anything is sent."""
    message = message_of(check_update, FieldSpec("pages", "integer", ""), value)
    assert message == f"pages must be an integer, got {value!r}.\nReplace pages={value!r} with an integer."


def test_values_in_messages():
    """A value has at most 60 characters, and one of several lines only its type."""
    assert short("x" * 58) == repr("x" * 58)
    assert short("x" * 59) == repr("x" * 59)[:57] + "…"
    assert short(pd.Series([1, 2])) == "<Series>"
