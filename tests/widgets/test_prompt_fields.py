from __future__ import annotations

from inkframe.vocabulary import Vocabulary, compose_prompt
from inkframe.widgets.prompt_fields import PromptFields


def make(**values):
    part = PromptFields(Vocabulary(), PromptFields)
    part.fill(values.pop("prompt", ""), values.pop("template", None), values)
    return part


def test_edits_are_never_overwritten_without_asking():
    """A prompt that was edited stays through another template until the question is answered."""
    part = make(template="Blog title", topic="the cello")
    part.prompt.value = "my own words"
    part.picker.control.value = "Headline"
    assert part.prompt.value == "my own words"
    part.fields["template.product"].value = "the cello"
    assert part.question.is_open
    part.question.children[2].click()
    part.fields["template.product"].value = "the viola"
    assert (part.prompt.value, part.question.is_open) == ("my own words", False)


def test_edits_are_replaced_when_that_is_the_answer():
    """Answered with Replace, the prompt is the template's, and follows its fields again."""
    part = make(template="Blog title", topic="the cello")
    part.prompt.value = "my own words"
    part.fields["template.topic"].value = "the viola"
    part.question.children[1].click()
    assert part.prompt.value == compose_prompt("Blog title", topic="the viola")
    part.fields["template.topic"].value = "the harp"
    assert part.prompt.value == compose_prompt("Blog title", topic="the harp")


def test_what_was_typed_in_a_field_comes_back_with_its_name():
    """A field that two templates share keeps its value, also through a template without it."""
    part = make(template="Blog title", topic="the cello")
    for template in ("Headline", "Blog title", "Vision statement", "Blog title"):
        part.picker.control.value = template
    assert part.fields["template.topic"].value == "the cello"


def test_half_a_name_is_no_template_yet():
    """While a template is being typed, the fields of the one before it stay."""
    part = make()
    part.picker.control.value = "Blog"
    assert part.picker.template is None
    part.picker.control.value = "blog title"
    assert part.picker.template.label == "Blog title"


def test_a_prompt_without_a_template_is_sent_as_it_is():
    """Words of one's own need no template and are not changed."""
    part = make(prompt="  two spaces before")
    assert (part.source(), part.problems()) == ("  two spaces before", {})


def test_a_prompt_that_only_begins_like_a_template_stays_whole():
    """A prompt whose template would not make it again is kept to the letter."""
    prompt = compose_prompt("Blog title", topic="the cello") + "\n\nAnd rhyme."
    part = make(prompt=prompt)
    assert part.picker.template is None
    assert part.prompt.value == prompt
