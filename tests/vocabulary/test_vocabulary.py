"""The vocabulary: looked up by code or label, replaced, extended, shown."""

import pytest

from inkframe.errors import InvalidArgument
from inkframe.vocabulary import Choice, Template, Vocabulary
from inkframe.vocabulary.choices import read_choices

LISTS = ["resolutions", "styles", "mediums", "filters", "creativities"]


@pytest.fixture(scope="module")
def standard():
    return Vocabulary()


@pytest.mark.parametrize("field", ["resolution", "style", "medium", "filter"])
def test_every_code_and_every_label_gives_the_code(standard, field):
    """Codes and labels are accepted alike, labels in any case."""
    for choice in read_choices(f"{field}s"):
        assert standard.code(field, choice.code) == choice.code
        assert standard.code(field, choice.label.upper()) == choice.code
        assert standard.label(field, choice.code) == choice.label


@pytest.mark.parametrize(
    ("field", "value", "near"),
    [
        ("style", "pop artt", "'pop_art'"),
        ("filter", "black & white", "'grayscale'"),
        ("medium", "pensil", "'pencil'"),
    ],
)
def test_a_misspelt_value_is_refused_with_the_nearest_code(standard, field, value, near):
    """The error names the code that was probably meant, also for a misspelt label."""
    with pytest.raises(InvalidArgument, match=near) as caught:
        standard.code(field, value)
    assert len(str(caught.value).splitlines()) == 3


@pytest.mark.parametrize("value", [None, 7, True, "", ["anime"]])
def test_values_that_are_no_text_are_refused(standard, value):
    """Only text can be a code."""
    with pytest.raises(InvalidArgument):
        standard.code("style", value)


@pytest.mark.parametrize(
    ("value", "sent"),
    [(0, "0"), (0.0, "0"), ("0", "0"), (0.25, "0.25"), ("0.5", "0.5"), (0.75, "0.75"), (1, "1"), (1.0, "1"),
     ("Repetitive", "0"), ("deterministic", "0.25"), ("Original", "0.5"), ("CREATIVE", "0.75"), ("Imaginative", "1")],
)  # fmt: skip
def test_creativity_takes_a_step_its_text_or_its_label(standard, value, sent):
    """Each way to name a step gives exactly what is sent."""
    assert standard.creativity(value) == sent


def test_a_creativity_between_the_steps_is_refused_with_the_nearest_step(standard):
    """0.6 is no step; the error names 0.5 and all steps with their labels."""
    with pytest.raises(InvalidArgument, match=r"0\.5 \(Original\)") as caught:
        standard.creativity(0.6)
    assert "0.75 (Creative)" in str(caught.value)


@pytest.mark.parametrize("value", [True, None, "", float("nan"), float("inf"), -1, "warm", "imaginatve"])
def test_creativity_refuses_what_is_no_step(standard, value):
    """Booleans, missing and unknown values are no steps."""
    with pytest.raises(InvalidArgument):
        standard.creativity(value)


def test_a_misspelt_creativity_label_finds_its_step(standard):
    """The nearest label is named together with its step."""
    with pytest.raises(InvalidArgument, match=r"1 \(Imaginative\)"):
        standard.creativity("imaginatve")


@pytest.mark.parametrize("value", [16, 16.0, "16", "FAQ", " faq ", "Faq"])
def test_a_template_is_found_by_number_and_label(standard, value):
    """Numbers, numbers as text and labels in any case find the template."""
    assert standard.template(value).id == 16


def test_a_template_object_stands_for_itself(standard):
    """A template of one's own needs no vocabulary."""
    own = Template(900, "Recipe")
    assert standard.template(own) is own


@pytest.mark.parametrize("value", [0, 53, 1.5, True, None, "Blog intr", float("nan")])
def test_an_unknown_template_is_refused(standard, value):
    """What is no template is refused before anything is sent."""
    with pytest.raises(InvalidArgument):
        standard.template(value)


def test_a_misspelt_template_finds_the_nearest_label(standard):
    """The error names the label that was probably meant."""
    with pytest.raises(InvalidArgument, match="'Blog intro'"):
        standard.template("Blog intr")


def test_a_label_that_is_a_number_is_found():
    """A deployment may call a template 2030; the number of a template comes first."""
    vocabulary = Vocabulary(templates={7: "2030", 8: "7"})
    assert vocabulary.template("2030").id == 7
    assert vocabulary.template("7").id == 7


def test_template_labels_by_number(standard):
    """An unknown number has no label and raises nothing."""
    assert standard.template_label(16) == "FAQ"
    assert standard.template_label(900) is None


def test_replace_puts_a_list_in_the_place_of_another(standard):
    """Only the given list changes."""
    other = standard.replace(styles={"oil": "Oil paint"}, templates={1: "Any request"})
    assert other.codes("style") == ("oil",)
    assert other.codes("medium") == standard.codes("medium")
    assert other.template("any request").id == 1
    assert standard.codes("style")[0] == "3d_render"


def test_extend_adds_values_and_renames_those_that_are_there(standard):
    """New codes come last; a present code takes the new label and keeps its place."""
    other = standard.extend(
        styles=["oil_paint"], mediums={"ink": "India ink"}, templates={53: "Recipe", 1: "Free"}
    )
    assert other.codes("style") == (*standard.codes("style"), "oil_paint")
    assert other.label("style", "oil_paint") == "Oil paint"
    assert other.label("medium", "ink") == "India ink"
    assert other.codes("medium") == standard.codes("medium")
    assert other.template("Recipe").id == 53
    assert other.template_label(1) == "Free"


def test_an_empty_list_says_that_the_service_has_no_such_setting():
    """Every value is then refused with the advice to leave it out."""
    vocabulary = Vocabulary(styles=[], creativities=[])
    with pytest.raises(InvalidArgument, match="leave it out"):
        vocabulary.code("style", "anime")
    with pytest.raises(InvalidArgument, match="leave it out"):
        vocabulary.creativity(0.5)


def test_a_code_given_twice_is_refused():
    """A list with a code twice is a mistake, not a silent loss."""
    with pytest.raises(InvalidArgument, match="'oil' stands twice"):
        Vocabulary(styles=["oil", Choice("oil", "Oil")])
    with pytest.raises(InvalidArgument, match="5 stands twice"):
        Vocabulary(templates=[Template(5, "A"), Template(5, "B")])


def test_an_unknown_code_is_its_own_label(standard):
    """Values from a service that are not known are shown as they are."""
    assert standard.label("style", "gouache") == "gouache"
    assert standard.label("style", None) == "None"


def test_vocabularies_are_equal_by_their_values(standard):
    """Two of the same content are equal, a changed one is not."""
    assert standard == Vocabulary()
    assert standard != standard.extend(styles=["oil"])
    assert standard != "vocabulary"


@pytest.mark.parametrize("name", LISTS)
def test_each_list_shows_as_a_frame_of_code_and_label(standard, name):
    """The frames have the same columns and dtypes for every list, also an empty one."""
    frame = getattr(standard, name)
    assert list(frame.columns) == ["code", "label"]
    assert len(frame) == len(read_choices(name))
    assert frame["label"].dtype == "str"
    assert list(Vocabulary(**{name: []}).__getattribute__(name).columns) == ["code", "label"]


def test_creativities_are_numbers_and_templates_carry_fields_and_rules(standard):
    """Codes of creativity can be calculated with; templates tell what they ask for."""
    assert list(standard.creativities["code"]) == [0, 0.25, 0.5, 0.75, 1]
    frame = standard.templates
    assert list(frame.columns) == ["code", "label", "fields", "rules"]
    assert list(frame["code"]) == list(range(1, 53))
    assert "topic*" in frame.set_index("label").loc["FAQ", "fields"]


def test_a_vocabulary_shows_itself_as_text_and_as_tables(standard):
    """A notebook shows the tables, a terminal the counts."""
    assert repr(standard) == (
        "<Vocabulary: 3 resolutions, 14 styles, 11 mediums, 3 filters, 5 creativities, 52 templates>"
    )
    shown = standard._repr_html_()
    assert shown.count("<table") == 6
    assert "spray_paint" in shown
    assert "Meta description" in shown


def test_a_value_of_another_field_is_named(standard):
    """A medium that is given as a style is told where it belongs."""
    with pytest.raises(InvalidArgument, match="Did you mean medium='watercolor'?"):
        standard.code("style", "watercolour")
