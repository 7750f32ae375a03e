"""Section 2.2 and 4.2 of the interface: what a document has, creativity, and the 52 templates."""

import numpy as np
import pytest

import inkframe as ink

LABELS = """
Freestyle|About us|Advertisement|Article|Blog intro|Blog outline|Blog outro|Blog paragraph|Blog post
Blog section|Blog talking points|Blog title|Call to action|Content rewrite|Content summary|FAQ|Hashtags
Headline|How it works|Meta description|Meta keywords|Mission statement|Newsletter|Pain-Agitate-Solution
Paragraph|Press release|Social post|Social post caption|Startup ideas|Startup names|Subheadline|Testimonial
Social media quote|Social media bio|Value proposition|Video description|Video script|Video tags|Video title
Vision statement|Product sheet|Welcome email|Push notification|Blog listicle|Content grammar|Blog tags
Pros and cons|Google advertisement|Facebook advertisement|Job description|Review|Feature section
"""
TEMPLATES = dict(enumerate(LABELS.strip().replace("\n", "|").split("|"), start=1))
EVERY_TEMPLATE = [pytest.param(number, label, id=f"{number} {label}") for number, label in TEMPLATES.items()]
STEPS = [
    pytest.param(0, "0", "Repetitive", id="0"),
    pytest.param(0.25, "0.25", "Deterministic", id="0.25"),
    pytest.param(0.5, "0.5", "Original", id="0.5"),
    pytest.param(0.75, "0.75", "Creative", id="0.75"),
    pytest.param(1, "1", "Imaginative", id="1"),
]
LEAST = {"name": "Kettle", "prompt": "Product text for a kettle."}


@pytest.mark.parametrize(("step", "text", "label"), STEPS)
def test_create_takes_each_step_of_creativity(client, sent, step, text, label):
    """A step goes as exactly its number, whether it is given as a number, as text or by its label."""
    for given in (step, float(step), text, label, label.upper(), np.float32(step)):
        document = client.documents.create(**LEAST, creativity=given)
        assert sent[-1].fields["creativity"] == text
        assert document.creativity == step
    assert client.documents.get(document.id).creativity == step


def test_creativity_is_always_sent(client, sent):
    """Without creativity the default of the interface, 0.5, is sent."""
    document = client.documents.create(**LEAST)
    assert sent[0].body == b"name=Kettle&prompt=Product+text+for+a+kettle.&creativity=0.5"
    assert document.creativity == 0.5


@pytest.mark.parametrize(
    "value", [0.6, -0.25, 1.25, 2, "0.6", "Wild", True, np.True_, None, float("nan"), [0.5]], ids=repr
)
def test_creativity_off_the_scale_is_refused(client, sent, value):
    """Anything but the five steps is refused with the steps and their words; nothing is sent."""
    with pytest.raises(ink.InvalidArgument) as caught:
        client.documents.create(**LEAST, creativity=value)
    message = str(caught.value)
    assert repr(value) in message
    assert "creativity" in message
    assert all(word in message for word in ("Repetitive", "Imaginative"))
    assert len(message.splitlines()) <= 3
    assert sent == []


@pytest.mark.parametrize(("number", "label"), EVERY_TEMPLATE)
def test_list_filters_by_template(reader, asked, library, number, label):
    """A template is asked for by number, label, object or the service's own name, always as ``template_id``."""
    matching = [document.id for document in reversed(library.documents) if document.template_id == number]
    template = next(t for t in reader.vocabulary.all_templates if t.id == number)
    assert isinstance(template, ink.Template)
    for given in (
        {"template": label},
        {"template": label.upper()},
        {"template": number},
        {"template": template},
        {"template_id": number},
        {"template": label, "template_id": number},
    ):
        frame = reader.documents.list(**given)
        assert asked[-1].query == f"template_id={number}"
        assert frame.index.tolist() == matching[:10]
    assert set(frame["template_id"]) == {number}
    assert set(frame["template"]) == {label}
    assert len(matching) == (109 if number == 1 else 1)


def test_the_vocabulary_has_the_templates_of_the_interface_and_no_others(client):
    """Numbers and labels are those of section 2.2."""
    shown = client.vocabulary.templates
    assert dict(zip(shown["code"], shown["label"], strict=True)) == TEMPLATES


def test_without_a_template_the_service_lists_freestyle(reader, asked, library, capsys):
    """The default of the interface is left to the service, and said in one line, once for each client."""
    frame = reader.documents.list()
    assert asked[0].query == ""
    assert set(frame["template"]) == {"Freestyle"}
    assert frame.attrs["inkframe"]["total"] == sum(d.template_id == 1 for d in library.documents)
    printed = capsys.readouterr().out
    assert len(printed.splitlines()) == 1
    assert "Freestyle" in printed
    assert "all()" in printed
    reader.documents.list()
    reader.documents.list(template="FAQ")
    assert capsys.readouterr().out == ""


def test_all_gives_every_template(reader, library):
    """A whole library is every document of every template, once."""
    frame = reader.documents.all()
    assert sorted(frame.index) == [document.id for document in library.documents]
    assert set(frame["template_id"]) == set(TEMPLATES)
    assert frame.attrs["inkframe"]["completeness"] == "exact"
    assert frame.attrs["inkframe"]["total"] == len(library.documents)


def test_all_takes_several_templates(reader, library):
    """Labels, numbers and objects mix; the whole is every document of one of them."""
    review = next(t for t in reader.vocabulary.all_templates if t.label == "Review")
    frame = reader.documents.all(template=["FAQ", 3, review])
    assert set(frame.index) == {d.id for d in library.documents if d.template_id in {16, 3, 51}}
    assert frame.attrs["inkframe"]["query"] == {"template_id": [16, 3, 51]}


@pytest.mark.parametrize("value", [0, 53, -5, 2**62], ids=str)
def test_a_template_without_a_name_is_asked_for_by_its_number(reader, asked, value):
    """A number that is none of the 52 is sent as it is, since a service may have more templates."""
    with pytest.raises(ink.ValidationFailed):
        reader.documents.list(template=value)
    assert asked[-1].query == f"template_id={value}"


@pytest.mark.parametrize("value", ["Blog introduction", 2**63, 1.5, True, "", object], ids=repr)
def test_an_unknown_template_is_refused(reader, asked, value):
    """A template that does not exist is refused with the value and where all are listed; nothing is sent."""
    with pytest.raises(ink.InvalidArgument) as caught:
        reader.documents.list(template=value)
    message = str(caught.value)
    assert repr(value) in message
    assert "client.vocabulary.templates" in message
    assert len(message.splitlines()) <= 3
    assert asked == []


def test_a_misspelled_template_is_answered_with_the_nearest(reader):
    """The nearest label is named."""
    with pytest.raises(ink.InvalidArgument, match="'Blog intro'"):
        reader.documents.list(template="Blog intros")


def test_template_and_template_id_must_agree(reader, asked):
    """Two names for one thing that contradict each other are refused."""
    with pytest.raises(ink.InvalidArgument, match="contradict"):
        reader.documents.list(template="FAQ", template_id=3)
    with pytest.raises(ink.InvalidArgument, match=r"template has 2 values"):
        reader.documents.list(template=["FAQ", "Review"])
    assert asked == []


@pytest.mark.parametrize(("number", "label"), EVERY_TEMPLATE)
def test_a_composed_prompt_is_filed_under_its_template(library, number, label):
    """The local service knows a template by the first line of its prompt; nothing extra is sent."""
    document = library.documents[number - 1]
    assert (document.template_id, document.template) == (number, label)


def test_search_in_the_result(reader, asked, library):
    """``search_by="result"`` looks in the text and not in the name or the prompt."""
    frame = reader.documents.list(search="desserts", search_by="result", per_page=100)
    assert asked[0].query == "search=desserts&search_by=result&per_page=100"
    assert frame.attrs["inkframe"]["total"] == sum(d.template_id == 1 for d in library.documents)
    assert reader.documents.list(search="stressed", search_by="result").empty
    assert reader.documents.list(search="desserts").empty
