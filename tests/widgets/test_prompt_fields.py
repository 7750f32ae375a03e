import pytest

from inkframe.errors import InvalidArgument
from inkframe.vocabulary import Vocabulary, compose_prompt
from inkframe.widgets.forms import PromptFields


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


def test_templates_of_ones_own():
    """The prompt of a template that only this vocabulary has, and its code, which passes the vocabulary on."""
    part = PromptFields(Vocabulary(templates={7: "Haiku"}), PromptFields)
    part.fill("", "Haiku", {})
    for name, field in part.fields.items():
        if name.startswith("template."):
            field.value = "the sea"
    assert "the sea" in part.prompt.value
    assert "vocabulary=my.vocabulary" in part.source("my")


def test_an_emptied_prompt_follows_its_template_again():
    """Nothing is lost by replacing it, so nothing is asked."""
    part = make(template="Blog title", topic="the cello")
    part.prompt.value = ""
    assert not part.is_edited
    part.fields["template.topic"].value = "the viola"
    assert part.prompt.value == compose_prompt("Blog title", topic="the viola")


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


def shown(part):
    """Return each field with its control and its classes, what is hidden, and what comes of it."""
    fields = [
        [name, type(field.control).__name__, getattr(field.control, "description", field.control._trait_values.get("label")),
         getattr(field.control, "placeholder", ""), getattr(field.control, "rows", 1), field.value, field.required, list(field._dom_classes)]
        for name, field in part.fields.items()
    ]  # fmt: skip
    kinds = [[type(each).__name__, *each._dom_classes] for each in part.children]
    question = [
        getattr(each, "value", each.get_state().get("description")) for each in part.question.children
    ]
    return {
        "fields": fields, "parts": kinds, "note": part.children[1].value, "problems": part.problems(), "source": part.source("my"),
        "edited": part.is_edited, "question": question,
    }  # fmt: skip


def test_whole_fields(recorded):
    """The fields of each kind of template, their prompt and its code; then edited, and asked to replace it."""
    vocabulary, found = Vocabulary(), {"nothing": shown(make())}
    kinds = {}
    for template in vocabulary.all_templates:
        kind = tuple(sorted({(each.required, each.verbatim) for each in template.fields}))
        kinds.setdefault(kind, template)
    for template in kinds.values():
        part = make(template=template)
        found[f"{template.label}, empty"] = shown(part)
        for name, field in part.fields.items():
            if name.startswith("template."):
                field.value = f"the {name.partition('.')[2]}"
        found[template.label] = shown(part)
    heard = []
    part = make(template="Blog title", topic="the cello")
    part.on_change(heard.append)
    part.prompt.value += " Now."
    part.fields["template.topic"].value = "the viola"
    found["edited"] = shown(part)
    part.picker.value = None
    found["no template"] = shown(part) | {"heard": heard}
    recorded("fields", found)


def test_fields_that_are_filled_again():
    """A prompt that a template made shows that template; a value without a field is refused by name."""
    prompt = compose_prompt("Blog title", topic="the cello")
    part = make(prompt=prompt)
    assert (part.picker.value, part.fields["template.topic"].value, part.is_edited) == (
        "Blog title",
        "the cello",
        False,
    )
    part.fill("my own words", "Blog title", {"topic": 7})
    assert (part.prompt.value, part.fields["template.topic"].value, part.is_edited) == (
        "my own words",
        "7",
        True,
    )
    part.fill(prompt, "Headline", {})
    assert (part.picker.value, part.prompt.value, part.is_edited) == ("Headline", prompt, True)
    part.fill("", "Blog title", {})
    part.prompt.value += " Now."
    part.fields["template.topic"].value = "8"
    assert part.question.is_open
    part.fill("", None, {})
    assert (part.picker.value, part.prompt.value, part.question.is_open) == (None, "", False)
    part.fill("", "Blog title", {})
    assert part.fields["template.topic"].value == "8"
    with pytest.raises(InvalidArgument) as caught:
        part.fill("", "Blog title", {"topik": "x"})
    assert str(caught.value) == "PromptFields() got an unexpected keyword 'topik'.\nDid you mean 'topic'?"
