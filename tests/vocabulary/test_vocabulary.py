"""Test the vocabulary: looking up, replacing, extending and showing values."""

import numpy as np
import pytest

from inkframe.errors import InvalidArgument
from inkframe.versions import text_type
from inkframe.vocabulary import Choice, Template, Vocabulary
from inkframe.vocabulary.vocabulary import read_choices

LISTS = ["resolutions", "styles", "mediums", "filters", "creativities"]


@pytest.fixture(scope="module")
def standard():
    return Vocabulary()


@pytest.mark.parametrize("field", ["resolution", "style", "medium", "filter"])
def test_codes_and_labels_are_accepted(standard, field):
    """Codes and labels return the code, labels in any case."""
    for choice in read_choices(f"{field}s"):
        assert standard.code(field, choice.code) == choice.code
        assert standard.code(field, choice.label.upper()) == choice.code
        assert standard.label(field, choice.code) == choice.label


@pytest.mark.parametrize("value", [None, 7, True, "", ["anime"]])
def test_values_that_are_not_strings_are_refused(standard, value):
    """Only a string can be a code."""
    with pytest.raises(InvalidArgument):
        standard.code("style", value)


@pytest.mark.parametrize("value", [16, 16.0, "16", "FAQ", " faq ", "Faq"])
def test_a_template_is_found_by_number_and_label(standard, value):
    """Numbers, numbers as text and labels in any case find the template."""
    assert standard.template(value).id == 16


@pytest.mark.parametrize(
    ("value", "number"),
    [
        *(("FAQ", 16), ("16", 16), (16.0, 16), (60, 60), (np.int64(60), 60), (60.0, 60), ("60", 60)),
        *(
            ("Template 60", 60),
            (-5, -5),
            (0, 0),
            (2**62 + 1, 2**62 + 1),
            (-(2**63), -(2**63)),
            (2**63 - 1, 2**63 - 1),
        ),
    ],
)
def test_the_number_of_a_template_for_lists(standard, value, number):
    """A template without a label has its number, or the label that frames show for it."""
    assert standard.template_number(value) == number


@pytest.mark.parametrize(
    "value", [1.5, "1.5", True, None, "Blog intr", "Template", 2**63, -(2**63) - 1, "6 0", "²"]
)
def test_what_is_no_number_of_a_template_is_refused(standard, value):
    """The error is that of an unknown template."""
    with pytest.raises(InvalidArgument, match=r"client\.vocabulary\.templates"):
        standard.template_number(value)


def test_a_template_object_is_returned(standard):
    """A template object is returned unchanged, also if the vocabulary does not have it."""
    own = Template(900, "Recipe")
    assert standard.template(own) is own


@pytest.mark.parametrize("value", [0, 53, 1.5, True, None, "Blog intr", float("nan")])
def test_an_unknown_template_is_refused(standard, value):
    """A value that is not a template is refused."""
    with pytest.raises(InvalidArgument):
        standard.template(value)


def test_a_label_that_is_a_number_is_found():
    """A label may be a number such as 2030; the number of a template takes precedence."""
    vocabulary = Vocabulary(templates={7: "2030", 8: "7"})
    assert vocabulary.template("2030").id == 7
    assert vocabulary.template("7").id == 7
    assert vocabulary.template_number("2030") == 7


def test_template_labels_by_number(standard):
    """An unknown number returns None."""
    assert standard.template_label(16) == "FAQ"
    assert standard.template_label(900) is None


def test_replace_replaces_only_the_given_lists(standard):
    """Only the given lists change."""
    other = standard.replace(styles={"oil": "Oil paint"}, templates={1: "Any request"})
    assert other.codes("style") == ("oil",)
    assert other.codes("medium") == standard.codes("medium")
    assert other.template("any request").id == 1
    assert standard.codes("style")[0] == "3d_render"


def test_extend_adds_values_and_changes_labels(standard):
    """New codes come last; an existing code takes the new label and keeps its position."""
    other = standard.extend(
        styles=["oil_paint"], mediums={"ink": "India ink"}, templates={53: "Recipe", 1: "Free"}
    )
    assert other.codes("style") == (*standard.codes("style"), "oil_paint")
    assert other.label("style", "oil_paint") == "Oil paint"
    assert other.label("medium", "ink") == "India ink"
    assert other.codes("medium") == standard.codes("medium")
    assert other.template("Recipe").id == 53
    assert other.template_label(1) == "Free"


def test_an_empty_list_allows_no_value():
    """Every value is refused, with the advice to leave the setting out."""
    vocabulary = Vocabulary(styles=[], creativities=[])
    with pytest.raises(InvalidArgument, match="leave it out"):
        vocabulary.code("style", "anime")
    with pytest.raises(InvalidArgument, match="leave it out"):
        vocabulary.creativity(0.5)


def test_a_code_given_twice_is_refused():
    """A list with a repeated code or number is an error."""
    with pytest.raises(InvalidArgument, match="'oil' appears twice in styles"):
        Vocabulary(styles=["oil", Choice("oil", "Oil")])
    with pytest.raises(InvalidArgument, match="template 5 appears twice"):
        Vocabulary(templates=[Template(5, "A"), Template(5, "B")])


def test_an_unknown_code_is_its_own_label(standard):
    """Unknown values are shown as they are."""
    assert standard.label("style", "gouache") == "gouache"
    assert standard.label("style", None) == "None"


def test_vocabularies_are_equal_by_their_values(standard):
    """Vocabularies with the same values are equal; a changed one is not."""
    assert standard == Vocabulary()
    assert standard != standard.extend(styles=["oil"])
    assert standard != "vocabulary"


@pytest.mark.parametrize("name", LISTS)
def test_each_list_shows_as_a_frame_of_code_and_label(standard, name):
    """The frames have the same columns and dtypes for every list, also for an empty one."""
    frame = getattr(standard, name)
    assert list(frame.columns) == ["code", "label"]
    assert len(frame) == len(read_choices(name))
    assert frame["label"].dtype == text_type()
    assert list(Vocabulary(**{name: []}).__getattribute__(name).columns) == ["code", "label"]


def test_creativities_are_numbers_and_templates_have_fields_and_rules(standard):
    """Codes of creativity are numbers; templates have their fields and rules."""
    assert list(standard.creativities["code"]) == [0, 0.25, 0.5, 0.75, 1]
    frame = standard.templates
    assert list(frame.columns) == ["code", "label", "fields", "rules"]
    assert list(frame["code"]) == list(range(1, 53))
    assert "topic*" in frame.set_index("label").loc["FAQ", "fields"]


def test_a_vocabulary_renders_as_text_and_as_tables(standard):
    """A notebook shows the tables, and a terminal shows the counts."""
    assert repr(standard) == (
        "<Vocabulary: 3 resolutions, 14 styles, 11 mediums, 3 filters, 5 creativities, 52 templates>"
    )
    shown = standard._repr_html_()
    assert shown.count("<table") == 6
    assert "spray_paint" in shown
    assert "Meta description" in shown


def test_a_value_of_another_field_is_named(standard):
    """A medium passed as a style is an error that names the right field."""
    with pytest.raises(InvalidArgument, match="Did you mean medium='watercolor'?"):
        standard.code("style", "watercolor")
