from __future__ import annotations

import pytest

from inkframe.errors import InvalidArgument
from inkframe.vocabulary import Vocabulary
from inkframe.widgets.form_fields import ChipsField, ChoiceField, CreativityField, choice_fields, text_field
from inkframe.workflows.plans import ALL

OPTIONS = [("none", ""), ("Anime", "anime"), ("Sketch", "sketch")]


def chips(given):
    code = {"Anime": "anime"}.get
    return ChipsField(
        "style",
        OPTIONS,
        given,
        default=[None],
        code=lambda value: code(value, value),
        read=lambda c: c or None,
    )


@pytest.mark.parametrize(
    ("given", "argument"),
    [
        ([None], None),
        ("Anime", "anime"),
        (["sketch", "anime", "sketch"], ["sketch", "anime"]),
        ([None, "anime"], [None, "anime"]),
        (ALL, ["anime", "sketch"]),
        ([], []),
    ],
)
def test_chosen_values_are_an_argument(given, argument):
    """One value is written as it is, several as a list, and the default is left out."""
    assert chips(given).argument == argument


def test_a_field_takes_what_it_can_show():
    """A setting of a record is taken over only where the field has it."""
    [style] = choice_fields(Vocabulary(styles=["anime"]), {"style": None}, nothing="none")
    assert [style.takes(value) for value in (None, "anime", "oil")] == [True, True, False]
    assert not ChoiceField("size", "Size", [("small", 1)], 1).takes(None)
    assert [text_field("name", "Name").takes(value) for value in (None, "")] == [False, True]
    creativity = CreativityField(Vocabulary(), "Imaginative")
    assert [creativity.takes(value) for value in (None, 0.25, 0.3)] == [False, True, False]
    assert creativity.value == 1.0


def test_a_setting_that_a_service_lacks_has_no_field():
    """Without values there is nothing to choose from, and a value is refused."""
    lacks = Vocabulary(filters=[])
    assert choice_fields(lacks, {"filter": None}) == []
    with pytest.raises(InvalidArgument, match="filter='sepia'"):
        choice_fields(lacks, {"filter": "sepia"})


@pytest.mark.parametrize(
    ("required", "value", "argument"), [(False, "", None), (False, "a", "a"), (True, "", "")]
)
def test_an_optional_text_is_left_out_where_it_is_empty(required, value, argument):
    """An empty text is no value of an optional field; one that is required is refused by its field."""
    assert text_field("notes", "Notes", value, required=required).argument == argument


def test_a_required_field_says_that_it_is_empty():
    """Blanks are nothing; what is wrong is known by the field's name."""
    field = text_field("name", "Name", " ", required=True)
    assert field.problems() == {"name": "Name is required."}
    field.value = "Boats"
    assert field.problems() == {}
