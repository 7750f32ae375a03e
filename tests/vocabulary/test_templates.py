"""Test the 52 templates: their numbers and labels, first lines, fields and rules."""

import keyword
import re
from dataclasses import astuple

import pytest
from tests.cases import cases

from inkframe.vocabulary import Field, Template, Vocabulary
from inkframe.vocabulary.vocabulary import GENERAL_FIELDS, read_templates

TEMPLATES = {template.id: template for template in read_templates()}


def test_a_template_has_what_a_prompt_needs():
    """Each template has an opening, at least three fields, one required field as subject, and a rule."""
    for template in TEMPLATES.values():
        assert re.fullmatch(r"[A-Z][^\n]{10,90}\.", template.opening)
        assert len(template.fields) >= 3
        assert sum(field.required for field in template.fields) == 1
        assert template.subject.required
        assert template.rules
        assert all(rule.endswith(".") and "\n" not in rule for rule in template.rules)


def test_field_names_can_be_keywords_of_the_call():
    """Names are identifiers that no argument of the call has; labels differ within a template."""
    for template in TEMPLATES.values():
        names = [field.name for field in template.fields]
        labels = [field.label for field in template.fields]
        assert all(name.isidentifier() and name.islower() and not keyword.iskeyword(name) for name in names)
        assert not {"template", "text", "vocabulary", "name", "prompt", "creativity"} & set(names)
        assert len(set(names)) == len(names)
        assert len(set(labels)) == len(labels)
        assert all(label[0].isupper() and ":" not in label and label != "Rules" for label in labels)
        assert all(field.hint for field in template.fields)


def test_openings_are_distinct():
    """No opening equals or begins another one."""
    openings = [template.opening for template in TEMPLATES.values()]
    assert len(set(openings)) == 52
    assert not [(a, b) for a in openings for b in openings if a != b and a.startswith(b)]


def _without_label(template):
    """Return the text of a template without the words of its label."""
    text = repr((template.opening, [astuple(field) for field in template.fields], template.rules)).casefold()
    for word in re.findall(r"\w+", template.label.casefold()):
        text = re.sub(rf"\b{word}s?\b", "", text)
    return text


def test_templates_differ_in_more_than_the_label():
    """Fields and rules differ between templates, not only the label."""
    assert len({_without_label(template) for template in TEMPLATES.values()}) == 52
    assert len({template.rules for template in TEMPLATES.values()}) == 52
    assert len({tuple(field.label for field in template.fields) for template in TEMPLATES.values()}) == 52


def test_every_template_has_a_rule_of_its_own():
    """At least one rule of each template is in no other template."""
    rules = [rule for template in TEMPLATES.values() for rule in template.rules]
    for template in TEMPLATES.values():
        assert any(rules.count(rule) == 1 for rule in template.rules), template.label


@pytest.mark.parametrize("number", [14, 15, 45])
def test_templates_that_take_a_text_keep_it_verbatim(number):
    """Content rewrite, summary and grammar take a verbatim text, and no other template does."""
    assert TEMPLATES[number].subject == Field(
        "source", "Source text", TEMPLATES[number].subject.hint, required=True, verbatim=True
    )
    assert {t.id for t in TEMPLATES.values() for f in t.fields if f.verbatim} == {14, 15, 45}


@cases(
    ("number", "rule"),
    [(20, "160 characters"), (16, "pairs of a question and its answer"), (48, "30 characters"), (48, "90 characters"),
     (43, "50 characters"), (43, "120 characters"), (17, "8 to 12"), (12, "70 characters"), (39, "60 characters")],
)  # fmt: skip
def test_rules_contain_the_limits(number, rule):
    """The rules contain the measurable limits of the template."""
    assert rule in " ".join(TEMPLATES[number].rules)


def test_a_template_of_number_and_label_has_general_fields():
    """A template with only a label has a default opening and the general fields."""
    own = Vocabulary(templates={7: "Haiku"}).template(7)
    assert own == Template(7, "Haiku")
    assert own.opening == "Write in this form: Haiku."
    assert own.fields == GENERAL_FIELDS
    assert own.subject.name == "topic"


def test_a_template_without_fields_or_required_ones_has_a_subject():
    """The first field takes the plain text if none is required; without fields, the general ones are used."""
    assert Template(7, "Haiku", fields=()).fields == GENERAL_FIELDS
    assert (
        Template(7, "Haiku", fields=(Field("season", "Season"), Field("place", "Place"))).subject.name
        == "season"
    )


def test_a_prompt_is_recognized_by_its_first_line():
    """The fixed first line identifies the template, whatever follows; other prompts have no template."""
    vocabulary = Vocabulary()
    for template in TEMPLATES.values():
        assert vocabulary.template_of(f"\n {template.opening} \nanything") == template
    assert vocabulary.template_of("A kettle.") is None
    assert vocabulary.template_of(f"Please: {TEMPLATES[16].opening}") is None
    assert vocabulary.template_of("") is None
