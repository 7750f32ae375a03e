from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from inkframe.calls.arguments import (
    NOT_GIVEN,
    check_boolean,
    check_choice,
    check_id,
    check_integer,
    check_page_size,
    check_text,
)
from inkframe.errors import InvalidArgument
from inkframe.resources.records import Document, Image


def message_of(check, *arguments, **options):
    """Give what a check says when it refuses."""
    with pytest.raises(InvalidArgument) as caught:
        check(*arguments, **options)
    assert len(str(caught.value).splitlines()) <= 3
    return str(caught.value)


@pytest.mark.parametrize("text", ["a", " a ", "ü\n", np.str_("a")])
def test_a_text_is_kept_as_it_is(text):
    """A text is given back unchanged, as a plain str."""
    assert check_text("name", text) == text
    assert type(check_text("name", text)) is str


def test_an_empty_text_is_refused_unless_it_will_do():
    """A blank text is refused with the line to write; a document's result may be empty."""
    for blank in ("", " ", "\n\t"):
        assert message_of(check_text, "name", blank) == 'name is empty.\nGive a text: name="…".'
        assert check_text("result", blank, empty=True) == blank


@pytest.mark.parametrize("value", [None, 1, b"a", ["a"], float("nan"), pd.NA], ids=repr)
def test_what_is_no_text_is_refused(value):
    """The message has the argument and its value."""
    assert message_of(check_text, "name", value).startswith(f"name={value!r} is no text.")


@pytest.mark.parametrize("value", [True, False, np.True_, np.False_], ids=repr)
def test_a_truth_is_kept(value):
    """True and False are given back as Python's own, also from numpy."""
    assert check_boolean("favorite", value) is bool(value)


@pytest.mark.parametrize("value", [1, 0, "1", None, "true", 1.0, pd.NA], ids=repr)
def test_what_is_no_truth_is_refused(value):
    """Numbers and texts are not taken for truths."""
    assert message_of(check_boolean, "favorite", value).startswith(f"favorite={value!r} is neither")


def test_a_choice_is_one_of_a_few():
    """A value of the list is given back; another is refused with the nearest and all that there are."""
    assert check_choice("sort", "asc", ("desc", "asc")) == "asc"
    said = message_of(check_choice, "sort", "dsc", ("desc", "asc"))
    assert "sort='dsc'" in said
    assert "Did you mean 'desc'?" in said
    assert "Allowed: desc, asc." in said
    for value in (None, 1, ["asc"]):
        assert "Allowed: desc, asc." in message_of(check_choice, "sort", value, ("desc", "asc"))


@pytest.mark.parametrize("value", [1, 7, np.int64(7), np.uint8(7), 2**70], ids=repr)
def test_a_whole_number_is_kept(value):
    """Python's and numpy's integers are given back as Python's own."""
    assert check_integer("page", value) == value
    assert type(check_integer("page", value)) is int


@pytest.mark.parametrize("value", [0, -1, 1.0, "1", True, None, np.True_, np.array([1, 2])], ids=repr)
def test_what_is_no_whole_number_is_refused(value):
    """Fractions, texts, truths and what is too small are refused with the least that will do."""
    assert message_of(check_integer, "page", value).endswith("Give a whole number from 1.")


def test_the_least_number_can_be_another():
    """Where nothing at all is allowed, the least is 0."""
    assert check_integer("limit", 0, least=0) == 0
    assert "from 5" in message_of(check_integer, "limit", 4, least=5)


def test_page_sizes_are_those_of_the_interface():
    """There are four, and every other is refused with them."""
    assert [check_page_size(size) for size in (10, 25, 50, np.int32(100))] == [10, 25, 50, 100]
    assert "per_page=20" in message_of(check_page_size, 20)
    assert "Allowed: 10, 25, 50, 100." in message_of(check_page_size, 20)


@pytest.mark.parametrize(
    ("given", "id"),
    [
        pytest.param(5, 5, id="a number"),
        pytest.param(np.int64(5), 5, id="numpy"),
        pytest.param("5", "5", id="a text"),
        pytest.param("x/y", "x/y", id="any text"),
        pytest.param(0, 0, id="nothing"),
        pytest.param(2**80, 2**80, id="a large number"),
        pytest.param(Image(5), 5, id="an image"),
        pytest.param(Document("a"), "a", id="a document"),
    ],
)
def test_ids(given, id):
    """Numbers, texts and records are ids."""
    assert check_id(given) == id
    assert type(check_id(given)) is type(id)


@pytest.mark.parametrize("value", ["", None, 1.5, True, [1], b"1", Image(""), pd.Series([1])], ids=ascii)
def test_what_is_no_id_is_refused(value):
    """The message says what an id is."""
    assert "is no id." in message_of(check_id, value)


def test_long_values_are_cut():
    """A value of any length is quoted in part."""
    said = message_of(check_text, "name", ["x" * 1000])
    assert len(said) < 150
    assert "…" in said


def test_not_given_is_no_value():
    """What was left out is false and shows itself by its name."""
    assert not NOT_GIVEN
    assert repr(NOT_GIVEN) == "NOT_GIVEN"
