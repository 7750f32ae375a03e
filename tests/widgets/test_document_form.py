from dataclasses import replace

import pytest

from inkframe import DocumentForm
from inkframe.errors import InvalidArgument
from inkframe.vocabulary import compose_prompt


def test_a_missing_field_of_the_template_is_refused_in_place(client, engine):
    """What a template requires is asked for at its own field before anything is sent."""
    form = DocumentForm(client, name="Title", template="Blog title")
    with pytest.raises(InvalidArgument, match="Topic of the post is required"):
        form.submit().result(30)
    assert form.fields["template.topic"].problem
    assert engine.requests == []


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
