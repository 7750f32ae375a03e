"""The 52 templates: labels and numbers of the interface, each with a scaffold of its own."""

import keyword
import re
from dataclasses import astuple

import pytest

from inkframe.vocabulary import Field, Template, Vocabulary
from inkframe.vocabulary.templates import GENERAL_FIELDS, read_templates

LABELS = """
1 Freestyle, 2 About us, 3 Advertisement, 4 Article, 5 Blog intro, 6 Blog outline, 7 Blog outro, 8 Blog paragraph,
9 Blog post, 10 Blog section, 11 Blog talking points, 12 Blog title, 13 Call to action, 14 Content rewrite,
15 Content summary, 16 FAQ, 17 Hashtags, 18 Headline, 19 How it works, 20 Meta description, 21 Meta keywords,
22 Mission statement, 23 Newsletter, 24 Pain-Agitate-Solution, 25 Paragraph, 26 Press release, 27 Social post,
28 Social post caption, 29 Startup ideas, 30 Startup names, 31 Subheadline, 32 Testimonial, 33 Social media quote,
34 Social media bio, 35 Value proposition, 36 Video description, 37 Video script, 38 Video tags, 39 Video title,
40 Vision statement, 41 Product sheet, 42 Welcome email, 43 Push notification, 44 Blog listicle, 45 Content grammar,
46 Blog tags, 47 Pros and cons, 48 Google advertisement, 49 Facebook advertisement, 50 Job description, 51 Review,
52 Feature section
"""
TEMPLATES = {template.id: template for template in read_templates()}


def test_numbers_and_labels_are_those_of_the_interface():
    """The 52 templates stand in the interface's order under its labels."""
    listed = [entry.strip().split(" ", 1) for entry in LABELS.replace("\n", " ").split(",")]
    assert [(t.id, t.label) for t in read_templates()] == [(int(number), label) for number, label in listed]


def test_a_scaffold_has_what_a_prompt_needs():
    """An opening sentence, at least three fields, the first required one of them the subject, and a rule."""
    for template in TEMPLATES.values():
        _has_what_a_prompt_needs(template)


def _has_what_a_prompt_needs(template):
    assert re.fullmatch(r"[A-Z][^\n]{10,90}\.", template.opening)
    assert len(template.fields) >= 3
    assert sum(field.required for field in template.fields) == 1
    assert template.subject.required
    assert template.rules
    assert all(rule.endswith(".") and "\n" not in rule for rule in template.rules)


def test_field_names_can_be_keywords_of_the_call():
    """Names are Python identifiers, unlike the call's own arguments; labels can be told apart in a prompt."""
    for template in TEMPLATES.values():
        _has_names_for_a_call(template)


def _has_names_for_a_call(template):
    names = [field.name for field in template.fields]
    labels = [field.label for field in template.fields]
    assert all(name.isidentifier() and name.islower() and not keyword.iskeyword(name) for name in names)
    assert not {"template", "text", "vocabulary", "name", "prompt", "creativity"} & set(names)
    assert len(set(names)) == len(names)
    assert len(set(labels)) == len(labels)
    assert all(label[0].isupper() and ":" not in label and label != "Rules" for label in labels)
    assert all(field.hint for field in template.fields)


def test_openings_tell_the_templates_apart():
    """No two templates open with the same line, and none opens with the start of another."""
    openings = [template.opening for template in TEMPLATES.values()]
    assert len(set(openings)) == 52
    assert not [(a, b) for a in openings for b in openings if a != b and a.startswith(b)]


def _without_label(template):
    """Give a scaffold's words with the words of its own label taken out."""
    text = repr((template.opening, [astuple(field) for field in template.fields], template.rules)).casefold()
    for word in re.findall(r"\w+", template.label.casefold()):
        text = re.sub(rf"\b{word}s?\b", "", text)
    return text


def test_no_two_scaffolds_are_equal_once_the_label_is_swapped():
    """Fields and rules differ from form to form, not only the name of the form."""
    assert len({_without_label(template) for template in TEMPLATES.values()}) == 52
    assert len({template.rules for template in TEMPLATES.values()}) == 52
    assert len({tuple(field.label for field in template.fields) for template in TEMPLATES.values()}) == 52


def test_every_template_has_a_rule_that_only_its_form_has():
    """At least one rule of each template stands in no other template."""
    told = [rule for template in TEMPLATES.values() for rule in template.rules]
    for template in TEMPLATES.values():
        assert any(told.count(rule) == 1 for rule in template.rules), template.label


@pytest.mark.parametrize("number", [14, 15, 45])
def test_forms_that_work_on_a_text_keep_it_to_the_letter(number):
    """Content rewrite, summary and grammar take a source text verbatim, and only they do."""
    assert TEMPLATES[number].subject == Field(
        "source", "Source text", TEMPLATES[number].subject.hint, required=True, verbatim=True
    )
    assert {t.id for t in TEMPLATES.values() for f in t.fields if f.verbatim} == {14, 15, 45}


@pytest.mark.parametrize(
    ("number", "rule"),
    [(20, "160 characters"), (16, "pairs of a question and its answer"), (48, "30 characters"), (48, "90 characters"),
     (43, "50 characters"), (43, "120 characters"), (17, "8 to 12"), (12, "70 characters"), (39, "60 characters")],
)  # fmt: skip
def test_rules_name_the_limits_of_the_form(number, rule):
    """The measurable limits of a form stand in its rules."""
    assert rule in " ".join(TEMPLATES[number].rules)


def test_a_template_of_number_and_label_has_a_general_scaffold():
    """A deployment that names only a label still gets a prompt."""
    own = Vocabulary(templates={7: "Haiku"}).template(7)
    assert own == Template(7, "Haiku")
    assert own.opening == "Write in this form: Haiku."
    assert own.fields == GENERAL_FIELDS
    assert own.subject.name == "topic"


def test_a_template_without_fields_or_required_ones_has_a_subject():
    """The first field takes the plain text where none is required; no fields means the general ones."""
    assert Template(7, "Haiku", fields=()).fields == GENERAL_FIELDS
    assert (
        Template(7, "Haiku", fields=(Field("season", "Season"), Field("place", "Place"))).subject.name
        == "season"
    )


def test_a_prompt_is_recognised_by_its_first_line():
    """The fixed first line names the template, whatever follows; other prompts have none."""
    vocabulary = Vocabulary()
    for template in TEMPLATES.values():
        assert vocabulary.template_of(f"\n {template.opening} \nanything") == template
    assert vocabulary.template_of("A kettle.") is None
    assert vocabulary.template_of(f"Please: {TEMPLATES[16].opening}") is None
    assert vocabulary.template_of("") is None
