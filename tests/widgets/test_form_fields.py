import pytest

from inkframe.creating.plans import ALL
from inkframe.errors import InvalidArgument
from inkframe.vocabulary import Vocabulary
from inkframe.widgets.fields import (
    ChipsField,
    TemplateField,
    choice_field,
    choice_fields,
    creativity_field,
    integer_field,
    text_field,
)

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
    assert not choice_field("size", "Size", [("small", 1)], 1).takes(None)
    assert [text_field("name", "Name").takes(value) for value in (None, "")] == [False, True]
    creativity = creativity_field(Vocabulary(), "Imaginative")
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


@pytest.mark.parametrize(
    ("typed", "value", "mistake"),
    [
        (" 7 ", 7, ""),
        ("-12", -12, ""),
        ("", None, "Seed is required."),
        ("1.5", None, "Seed must be an integer, got 1.5."),
        ("seven", None, "Seed must be an integer, got seven."),
    ],
)
def test_an_integer_that_is_typed(typed, value, mistake):
    """It is sent as an integer; other text is refused at the field, and nothing only where it is required."""
    field = integer_field("seed", "Seed", 3, required=True)
    assert (field.value, field.argument, field.mistake()) == (3, 3, "")
    field.control.value = typed
    assert (field.value, field.argument, field.mistake()) == (value, value, mistake)
    assert [field.takes(each) for each in (None, 4, "4", 4.0, True)] == [True, True, False, False, False]
    assert integer_field("seed", "Seed").problems() == {}


def test_a_template_that_is_typed():
    """Each stage of typing: the template, the mistake, the problem that is shown, and the calls."""
    field = TemplateField(Vocabulary(), "All templates")
    chosen, found = [], {}
    field.on_change(lambda name: chosen.append((name, field.value)))
    for typed in ("", "Blog t", "Blog titel", "zzzz", " blog TITLE ", "Blog title", "FAQ", " "):
        field.control.value = typed
        found[typed] = (field.value, field.mistake(), field.problem)
    no = "There is no template “{}”. Did you mean {}?".format
    titel, half = no("Blog titel", "Blog title"), found["Blog t"]
    assert (half[0], half[1].startswith("There is no template “Blog t”. Did you mean "), half[2]) == (
        None,
        True,
        "",
    )
    assert found == {
        "": (None, "", ""), "Blog t": half, "Blog titel": (None, titel, titel),
        "zzzz": (None, "There is no template “zzzz”.", "There is no template “zzzz”."), " blog TITLE ": ("Blog title", "", ""),
        "Blog title": ("Blog title", "", ""), "FAQ": ("FAQ", "", ""), " ": (None, "", ""),
    }  # fmt: skip
    assert chosen == [("template", "Blog title"), ("template", "FAQ"), ("template", None)]
    assert field.control.placeholder == "All templates. Type to search 52 templates."
    field.value = 16
    assert (field.value, field.control.value) == ("FAQ", "FAQ")
    field.value = None
    assert (field.value, field.control.value, field.control.description) == (None, "", "Template")


def test_a_problem_is_shown_below_its_field():
    """With a class for the field, as safe HTML; both go with the problem."""
    field = text_field("name", "Name", "Boats", hint="A name", span=4)
    field.problem = "<b> is no name."
    shown = field.children[1].value
    assert shown == '<div class="ink-why" role="alert">&lt;b&gt; is no name.</div>'
    assert field._dom_classes == ("ink-field", "ink-field-name", "ink-span-4", "ink-wrong")
    field.problem = ""
    assert (field.children[1].value, "ink-wrong" in field._dom_classes) == ("", False)
    control = field.control
    assert (type(control).__name__, control.value, control.description, control.placeholder) == (
        "Text",
        "Boats",
        "Name",
        "A name",
    )
    long = text_field("text", "Text", lines=3)
    assert (type(long.control).__name__, long.control.rows, long._dom_classes[2]) == (
        "Textarea",
        3,
        "ink-span-6",
    )
    assert field.fields == {"name": field}


def test_choices_by_words_and_code():
    """A choice takes its code, its words or None, and shows None as its own option."""
    [style] = choice_fields(Vocabulary(), {"style": "Anime"}, nothing="Any", span=6)
    assert (style.value, style.argument, style.control.description) == ("anime", "anime", "Style")
    assert style.control.options[0] == ("Any", "")
    style.value = None
    assert (style.value, style.argument, style.control.value) == (None, None, "")
    style.value = "Pop art"
    assert style.value == "pop_art"
    assert style._dom_classes == ("ink-field", "ink-field-style", "ink-span-6")
    [size] = choice_fields(Vocabulary(), {"resolution": "512x512"})
    assert [code for _, code in size.control.options] == ["256x256", "512x512", "1024x1024"]
    plain = choice_field("size", "Size", [("small", 1), ("none", None)], None)
    assert (plain.value, plain.takes(None), plain.takes(2), plain._dom_classes[2]) == (
        None,
        True,
        False,
        "ink-span-3",
    )
    levels = creativity_field(Vocabulary(), 0.25)
    assert levels.control.options[0] == ["0", "Repetitive"]
    levels.value = "Creative"
    assert (levels.value, levels.control.value, levels.control.label, levels._dom_classes[2]) == (
        0.75,
        ["0.75"],
        "Creativity",
        "ink-span-9",
    )
    field = chips(["sketch", None])
    assert (field.control.value, field.value, field.control.label) == (
        ["sketch", ""],
        ["sketch", None],
        "Style",
    )
    assert field.control.options == [["", "none"], ["anime", "Anime"], ["sketch", "Sketch"]]
    assert field._dom_classes[2] == "ink-span-12"
