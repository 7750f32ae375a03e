"""Prompts from templates, and templates and fields from prompts."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inkframe.errors import InvalidArgument
from inkframe.vocabulary import Field, Template, Vocabulary, compose_prompt, read_prompt
from inkframe.vocabulary.templates import read_templates

FAQ = Vocabulary().template("FAQ")
AWKWARD = [
    "{braces} {0} {} %s %(name)s",
    "\"quotes\" 'and' `ticks` ```fences```",
    "two\nlines\n\nand a paragraph",
    "Rules:\n- none",
    "first\nAudience: forged\nRules:\n- forged",
    "tabs\tand\r\nreturns",
    "Der Hafen \u2013 日本の茶 🎉 \u2028 e\u0301",
    "- * # > 1. | <b>",
    "trailing backslash \\",
    ":",
]


def test_a_prompt_reads_from_opening_to_rules():
    """Opening, filled fields in the scaffold's order, then the rules as a list."""
    prompt = compose_prompt("faq", "a rooftop solar kit", facts="10 years", audience="home owners")
    opening, fields, rules = prompt.split("\n\n")
    assert opening == FAQ.opening
    assert fields.splitlines() == [
        "Product or subject: a rooftop solar kit",
        "Who asks: home owners",
        "Facts for the answers: 10 years",
    ]
    assert rules.splitlines() == ["Rules:", *(f"- {rule}" for rule in FAQ.rules)]


def test_every_template_takes_plain_text_and_gives_it_back():
    """Text alone fills each of the 52; the prompt is recognised as that template."""
    for template in read_templates():
        _takes_plain_text(template)


def _takes_plain_text(template):
    prompt = compose_prompt(template.id, "a small harbour")
    assert (
        prompt
        == compose_prompt(template.label, "a small harbour")
        == compose_prompt(template, "a small harbour")
    )
    assert Vocabulary().template_of(prompt) == template
    assert read_prompt(prompt) == (template, {template.subject.name: "a small harbour"})


def test_every_field_of_every_template_comes_back():
    """Filling all fields with awkward values loses nothing."""
    for template in read_templates():
        values = {field.name: AWKWARD[n % len(AWKWARD)] for n, field in enumerate(template.fields)}
        assert read_prompt(compose_prompt(template, **values)) == (template, values)


@pytest.mark.parametrize("value", AWKWARD)
def test_awkward_values_survive_to_the_letter(value):
    """Braces, quotes, percent signs and forged lines neither change nor break a prompt."""
    assert read_prompt(compose_prompt(FAQ, "kettle", audience=value))[1] == {
        "topic": "kettle",
        "audience": value,
    }
    prompt = compose_prompt("Content summary", value, focus=value)
    assert value in prompt
    assert read_prompt(prompt)[1] == {"source": value, "focus": value}


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(read_templates()),
    st.lists(
        st.text(st.sampled_from("ab: -`\n\r{}%'\"#é\tRules") | st.characters(), max_size=40),
        min_size=7,
        max_size=7,
    ),
)
def test_any_values_make_the_round_trip(template, texts):
    """Whatever the fields hold is read back: to the letter where verbatim, else without its outer spaces."""
    values = {field.name: text for field, text in zip(template.fields, texts, strict=False)}
    values[template.subject.name] += "x"
    kept = {
        f.name: values[f.name] if f.verbatim else values[f.name].strip()
        for f in template.fields
        if f.name in values
    }
    prompt = compose_prompt(template, **values)
    assert read_prompt(prompt) == (template, {name: value for name, value in kept.items() if value.strip()})


def test_a_source_text_is_kept_byte_for_byte():
    """Outer spaces, fences and braces of a verbatim text stay; the fence around it is longer than any within."""
    source = "  \n````\n{code} %s\n```\nRules:\n- none\n\n  "
    prompt = compose_prompt("Content rewrite", source, tone="formal")
    assert prompt.endswith(f"\n\nSource text:\n`````\n{source}\n`````")
    assert read_prompt(prompt)[1] == {"source": source, "tone": "formal"}


def test_two_verbatim_texts_do_not_mix():
    """Each block is read under its own label, even if one holds the other's label and fence."""
    fields = (Field("old", "Old text", verbatim=True), Field("new", "New text", verbatim=True))
    vocabulary = Vocabulary(templates=[Template(1, "Compare", fields=fields)])
    values = {"old": "New text:\n```\nforged\n```", "new": "Old text:\n```\nforged\n```"}
    assert read_prompt(compose_prompt(1, vocabulary=vocabulary, **values), vocabulary)[1] == values


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (3, "3"),
        (0, "0"),
        (2.5, "2.5"),
        (["a", "b"], "a, b"),
        (("x", 1), "x, 1"),
        (True, "True"),
        ("  x ", "x"),
    ],
)
def test_values_of_other_types_become_text(value, told):
    """Numbers become their text, lists are joined with commas."""
    assert read_prompt(compose_prompt(FAQ, "kettle", audience=value))[1]["audience"] == told


@pytest.mark.parametrize("value", [None, "", "  \n ", float("nan"), []])
def test_empty_values_count_as_not_given(value):
    """A blank field leaves no line behind, and does not fill a required one."""
    assert compose_prompt(FAQ, "kettle", audience=value) == compose_prompt(FAQ, "kettle")
    with pytest.raises(InvalidArgument, match="still needs topic"):
        compose_prompt(FAQ, topic=value)


def test_missing_fields_are_all_named_with_what_there_is():
    """The error lists every missing field, and every field of the template."""
    own = Template(
        60,
        "Recipe",
        fields=(
            Field("dish", "Dish", required=True),
            Field("portions", "Portions", required=True),
            Field("diet", "Diet"),
        ),
    )
    with pytest.raises(InvalidArgument) as caught:
        compose_prompt(own, diet="vegan")
    first, _, third = str(caught.value).splitlines()
    assert "dish, portions" in first
    assert "dish (required), portions (required), diet" in third


def test_an_unknown_field_is_refused_with_the_nearest_one():
    """A misspelt keyword is an error that names the field that was probably meant."""
    with pytest.raises(InvalidArgument, match="'audience'") as caught:
        compose_prompt(FAQ, "kettle", audiance="cooks")
    assert len(str(caught.value).splitlines()) == 3
    with pytest.raises(InvalidArgument, match="no field 'zz', 'yy'"):
        compose_prompt(FAQ, "kettle", zz=1, yy=2)


def test_text_and_the_field_it_fills_are_not_both_taken():
    """The subject given twice is a mistake; given once by either way it is the same prompt."""
    with pytest.raises(InvalidArgument, match="twice"):
        compose_prompt(FAQ, "kettle", topic="teapot")
    assert compose_prompt(FAQ, topic="kettle") == compose_prompt(FAQ, "kettle")


def test_an_unknown_template_is_refused():
    """Templates are checked like every other value."""
    with pytest.raises(InvalidArgument, match="'FAQ'"):
        compose_prompt("FQA", "kettle")


def test_a_vocabulary_of_ones_own_is_asked():
    """Labels and first lines of another deployment work for composing and reading."""
    vocabulary = Vocabulary(templates={3: "Haiku"})
    prompt = compose_prompt("haiku", "autumn", vocabulary=vocabulary, tone="quiet")
    assert prompt == "Write in this form: Haiku.\n\nTopic: autumn\nTone: quiet"
    assert read_prompt(prompt, vocabulary) == (vocabulary.template(3), {"topic": "autumn", "tone": "quiet"})
    assert read_prompt(prompt) == (None, {})


@pytest.mark.parametrize("prompt", ["", "A kettle.", "Topic: kettle", "Rules:\n- short"])
def test_a_plain_prompt_has_no_template_and_no_fields(prompt):
    """Only a known first line makes a prompt a composed one."""
    assert read_prompt(prompt) == (None, {})


def test_a_prompt_that_was_edited_by_hand_is_still_read():
    """Unindented further lines belong to the field above, remarks after an empty line to none."""
    prompt = f"{FAQ.opening}\nProduct or subject: a kettle\nthat whistles\n\nMake it short.\nWho asks: cooks\nRules:\n- x"
    assert read_prompt(prompt) == (FAQ, {"topic": "a kettle\nthat whistles", "audience": "cooks"})
