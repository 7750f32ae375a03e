from dataclasses import replace

import pytest

from inkframe import DocumentForm
from inkframe.errors import InvalidArgument
from inkframe.vocabulary import Vocabulary, compose_prompt


def fields_of(document):
    return {name: getattr(document, name) for name in ("name", "prompt", "creativity")}


def run(code, client):
    """Run code as a cell would, and give the value of its last line."""
    *before, last = code.split("\n\n") if "import" in code else (code,)
    space = {"client": client}
    exec("\n".join(before), space)  # noqa: S102  # running the code is what is tested
    return eval(last, space)  # noqa: S307  # as above


@pytest.mark.parametrize(
    "fields",
    [
        {"prompt": "Write about 東京 🌊\nin two lines"},
        {"template": "Blog title", "topic": "learning the cello", "keyword": 'a "b"'},
        {"template": "Content summary", "source": "line one\n```\nline two"},
        {"template": 1, "instructions": "be short", "creativity": "Imaginative"},
    ],
)
def test_the_form_and_its_code_make_the_same_document(client, fields):
    """The button and the code create the same record, with a template and without."""
    form = DocumentForm(client, name="Draft", **fields)
    made, again = form.submit().result(30), run(form.code, client)
    assert fields_of(made) == fields_of(again)
    assert made.creativity == (1.0 if "creativity" in fields else 0.5)


def test_the_template_makes_the_prompt(client):
    """The prompt is what compose_prompt gives, and the code calls it."""
    form = DocumentForm(client, name="Title", template="Blog title", topic="the cello")
    assert form.fields["prompt"].value == compose_prompt("Blog title", topic="the cello")
    assert 'ink.compose_prompt(template="Blog title", topic="the cello")' in form.code


def test_a_missing_field_of_the_template_is_refused_in_place(client, engine):
    """What a template requires is asked for at its own field before anything is sent."""
    form = DocumentForm(client, name="Title", template="Blog title")
    with pytest.raises(InvalidArgument, match="Topic of the post is required"):
        form.submit().result(30)
    assert form.fields["template.topic"].problem
    assert engine.requests == []


def test_a_misspelled_template_is_refused_in_place(client):
    """Words that name no template are refused with the nearest one."""
    form = DocumentForm(client, name="Title", prompt="x")
    form.fields["template"].control.value = "Blog titel"
    with pytest.raises(InvalidArgument, match="Did you mean Blog title"):
        form.submit().result(30)
    assert "Blog titel" in form.fields["template"].problem


def test_a_composed_prompt_is_recognized(client):
    """The prompt of a record shows as its template with its fields, which can then be changed."""
    prompt = compose_prompt("Blog title", topic="the cello", keyword="bow")
    made = DocumentForm(client, name="Title", prompt=prompt).submit().result(30)
    form = DocumentForm(client)
    form.again(made)
    assert form.fields["template"].value == "Blog title"
    assert form.fields["template.keyword"].value == "bow"
    assert form.fields["prompt"].value == prompt


def test_a_level_that_is_none_stays_out_of_the_form(client):
    """A record of another service may have a creativity between the levels: the form keeps its own."""
    made = DocumentForm(client, name="Title", prompt="x").submit().result(30)
    form = DocumentForm(client, creativity=0.25)
    form.again(replace(made, creativity=0.3))
    assert form.arguments == {"name": "Title", "prompt": "x", "creativity": 0.25}


def test_fields_of_a_template_are_keywords(client):
    """A field of the template is taken by name; one of another template is refused with the nearest."""
    with pytest.raises(InvalidArgument, match="Did you mean 'topic'"):
        DocumentForm(client, template="Blog title", topik="x")
    with pytest.raises(InvalidArgument, match="unexpected keyword 'topic'"):
        DocumentForm(client, topic="x")


def test_templates_of_another_deployment_reach_the_code(client):
    """Code for a vocabulary of one's own hands it on, so that it finds the same template."""
    client.vocabulary = Vocabulary(templates={7: "Limerick"})
    form = DocumentForm(client, name="Verse", template="Limerick", topic="a cat")
    assert "vocabulary=client.vocabulary" in form.code
    assert fields_of(form.submit().result(30)) == fields_of(run(form.code, client))


def test_some_fields_are_filled(client):
    """The others stay; a field of a template needs its template."""
    form = DocumentForm(client, name="Kettle", prompt="about a kettle")
    form.fill(creativity="Imaginative")
    assert form.arguments == {"name": "Kettle", "prompt": "about a kettle", "creativity": 1.0}
    form.fill(name="Lamp")
    form.fill(prompt="about a lamp")
    assert form.arguments == {"name": "Lamp", "prompt": "about a lamp", "creativity": 1.0}
    with pytest.raises(InvalidArgument, match="topic"):
        form.fill(topic="lamps")
    form.fill(template="Blog title", topic="lamps")
    assert form.arguments["prompt"] == compose_prompt("Blog title", "lamps")
