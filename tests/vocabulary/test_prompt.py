"""Test composing prompts from templates, and reading them back."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.cases import cases

from inkframe.errors import InvalidArgument
from inkframe.vocabulary import Field, Template, Vocabulary, compose_prompt, read_prompt
from inkframe.vocabulary.vocabulary import read_templates

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
    """A prompt has the opening, the filled fields in the template's order, and the rules as a list."""
    prompt = compose_prompt("faq", "a rooftop solar kit", facts="10 years", audience="home owners")
    opening, fields, rules = prompt.split("\n\n")
    assert opening == FAQ.opening
    assert fields.splitlines() == [
        "Product or subject: a rooftop solar kit",
        "Who asks: home owners",
        "Facts for the answers: 10 years",
    ]
    assert rules.splitlines() == ["Rules:", *(f"- {rule}" for rule in FAQ.rules)]


def test_every_template_takes_plain_text_and_returns_it():
    """Each of the 52 templates takes plain text, and its prompt is recognized."""
    for template in read_templates():
        prompt = compose_prompt(template.id, "a small harbor")
        assert {prompt} == {compose_prompt(each, "a small harbor") for each in (template.label, template)}
        assert Vocabulary().template_of(prompt) == template
        assert read_prompt(prompt) == (template, {template.subject.name: "a small harbor"})


def test_every_field_of_every_template_is_read_back():
    """All fields with awkward values are read back unchanged."""
    for template in read_templates():
        values = {field.name: AWKWARD[n % len(AWKWARD)] for n, field in enumerate(template.fields)}
        assert read_prompt(compose_prompt(template, **values)) == (template, values)


@cases("value", AWKWARD)
def test_awkward_values_stay_unchanged(value):
    """Braces, quotes, percent signs and forged lines are read back unchanged."""
    assert read_prompt(compose_prompt(FAQ, "kettle", audience=value))[1] == {
        "topic": "kettle",
        "audience": value,
    }
    prompt = compose_prompt("Content summary", value, focus=value)
    assert value in prompt
    assert read_prompt(prompt)[1] == {"source": value, "focus": value}


@pytest.mark.integration
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
    """Any value is read back: unchanged if verbatim, else without its outer spaces."""
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
    """A verbatim text is unchanged, and its fence is longer than any fence within it."""
    source = "  \n````\n{code} %s\n```\nRules:\n- none\n\n  "
    prompt = compose_prompt("Content rewrite", source, tone="formal")
    assert prompt.endswith(f"\n\nSource text:\n`````\n{source}\n`````")
    assert read_prompt(prompt)[1] == {"source": source, "tone": "formal"}


def test_two_verbatim_texts_do_not_mix():
    """Each block is read under its own label, even if one contains the other's label and fence."""
    fields = (Field("old", "Old text", verbatim=True), Field("new", "New text", verbatim=True))
    vocabulary = Vocabulary(templates=[Template(1, "Compare", fields=fields)])
    values = {"old": "New text:\n```\nforged\n```", "new": "Old text:\n```\nforged\n```"}
    assert read_prompt(compose_prompt(1, vocabulary=vocabulary, **values), vocabulary)[1] == values


@pytest.mark.parametrize(
    ("value", "text"),
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
def test_values_of_other_types_become_text(value, text):
    """Numbers become text, and lists are joined with commas."""
    assert read_prompt(compose_prompt(FAQ, "kettle", audience=value))[1]["audience"] == text


@pytest.mark.parametrize("value", [None, "", "  \n ", float("nan"), []])
def test_empty_values_count_as_missing(value):
    """A blank value adds no line, and does not count for a required field."""
    assert compose_prompt(FAQ, "kettle", audience=value) == compose_prompt(FAQ, "kettle")
    with pytest.raises(InvalidArgument, match="requires 'topic'"):
        compose_prompt(FAQ, topic=value)


def test_the_error_lists_all_missing_and_all_known_fields():
    """The error lists every missing field and every field of the template."""
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
    assert first == "The template 'Recipe' requires 'dish', 'portions'."
    assert "dish (required), portions (required), diet" in third


def test_an_unknown_field_is_refused_with_the_nearest_one():
    """A misspelled keyword is an error that names the nearest field."""
    with pytest.raises(InvalidArgument, match="'audience'") as caught:
        compose_prompt(FAQ, "kettle", audiance="cooks")
    assert len(str(caught.value).splitlines()) == 3
    with pytest.raises(InvalidArgument, match="no field 'zz', 'yy'"):
        compose_prompt(FAQ, "kettle", zz=1, yy=2)


def test_text_and_the_field_it_fills_are_not_both_accepted():
    """Passing the subject twice is an error; passing it once either way gives the same prompt."""
    with pytest.raises(InvalidArgument, match="twice"):
        compose_prompt(FAQ, "kettle", topic="teapot")
    assert compose_prompt(FAQ, topic="kettle") == compose_prompt(FAQ, "kettle")


def test_an_unknown_template_is_refused():
    """An unknown template is an error with the nearest label."""
    with pytest.raises(InvalidArgument, match="'FAQ'"):
        compose_prompt("FQA", "kettle")


def test_another_vocabulary_is_used():
    """Labels and first lines of another deployment are used to compose and to read."""
    vocabulary = Vocabulary(templates={3: "Haiku"})
    prompt = compose_prompt("haiku", "autumn", vocabulary=vocabulary, tone="quiet")
    assert prompt == "Write in this form: Haiku.\n\nTopic: autumn\nTone: quiet"
    assert read_prompt(prompt, vocabulary) == (vocabulary.template(3), {"topic": "autumn", "tone": "quiet"})
    assert read_prompt(prompt) == (None, {})


@pytest.mark.parametrize("prompt", ["", "A kettle.", "Topic: kettle", "Rules:\n- short"])
def test_a_plain_prompt_has_no_template_and_no_fields(prompt):
    """A prompt without a known first line has no template and no fields."""
    assert read_prompt(prompt) == (None, {})


def test_a_prompt_that_was_edited_by_hand_is_still_read():
    """Unindented further lines belong to the field above; remarks after an empty line do not."""
    prompt = f"{FAQ.opening}\nProduct or subject: a kettle\nthat whistles\n\nMake it short.\nWho asks: cooks\nRules:\n- x"
    assert read_prompt(prompt) == (FAQ, {"topic": "a kettle\nthat whistles", "audience": "cooks"})
