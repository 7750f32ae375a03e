from dataclasses import replace

import pytest
from tests.services import Faults

from inkframe import ImageForm
from inkframe.errors import InkframeError, InvalidArgument, PermissionDenied, ValidationFailed
from inkframe.schema import IMAGES, FieldSpec
from inkframe.vocabulary import Vocabulary

LOOK = {"resolution": "256x256", "style": "pop_art", "medium": "ink", "filter": "sepia"}


def fields_of(image):
    return {
        name: getattr(image, name)
        for name in ("name", "description", "resolution", "style", "medium", "filter")
    }


def test_code_follows_the_fields(client):
    """Every change of a field is in the code at once; what is none is left out."""
    form = ImageForm(client, name="Boats", description="two boats", style="Anime")
    assert 'style="anime"' in form.code
    form.fields["style"].value = None
    form.fields["medium"].value = "chalk"
    assert form.code == (
        'client.images.create(\n    name="Boats",\n    description="two boats",\n    resolution="512x512",\n'
        '    medium="chalk",\n)'
    )


def test_a_field_of_type_integer_has_a_control(client, monkeypatch):
    """It is there as soon as the collection has it, with its default, and is written as a number."""
    seed = FieldSpec("seed", "integer", "The seed.", create="optional", default=3)
    monkeypatch.setattr(ImageForm, "_spec", replace(IMAGES, fields=(*IMAGES.fields, seed)))
    form = ImageForm(client, name="Boats", description="two boats")
    assert form.arguments["seed"] == 3
    form.fill(seed=7)
    assert "    seed=7,\n" in form.code
    form.fields["seed"].control.value = "x"
    with pytest.raises(InvalidArgument, match="Seed must be an integer, got x"):
        form.submit().result(30)
    form.fill(seed=None)
    assert "seed" not in form.arguments


def test_missing_fields_are_refused_in_place(client, engine):
    """Each field that lacks something says so, nothing is sent, and typing takes the message away."""
    form = ImageForm(client, name=" ")
    with pytest.raises(InvalidArgument, match="Name is required"):
        form.submit().result(30)
    assert form.fields["name"].problem == "Name is required."
    assert form.fields["description"].problem == "Description is required."
    assert set(form.status.problems) == {"name", "description"}
    form.fields["name"].value = "Boats"
    assert form.fields["name"].problem == ""
    assert set(form.status.problems) == {"description"}
    assert engine.requests == []


def test_the_services_own_refusal_stands_at_its_field(misbehaving):
    """What the service says of a field is shown at that field, and what was typed is still there."""
    offered = Vocabulary(styles=["anime"])
    client, service = misbehaving(vocabulary=offered)
    form = ImageForm(client, name="Boats", description="two boats", style="pop_art")
    with pytest.raises(ValidationFailed):
        form.submit().result(30)
    assert "style" in form.fields["style"].problem
    assert form.status.alert == ""
    assert form.fields["style"].value == "pop_art"
    assert service.generations == 0


def test_a_form_creates_in_a_job_of_its_client(misbehaving, capsys):
    """Each press is a job of one row; a failure that the form shows is not told at the next job."""
    refused = Faults(script={1: "forbidden"}, where=lambda request: request.method == "POST")
    client, _ = misbehaving(faults=refused, images=0)
    form = ImageForm(client, name="Boats", description="two boats")
    with pytest.raises(PermissionDenied):
        form.submit().result(30)
    form.submit().result(30)
    assert client.jobs.frame[["rows", "created", "failed"]].to_numpy().tolist() == [[1, 0, 1], [1, 1, 0]]
    assert "ended" not in capsys.readouterr().out


def test_a_creation_that_waits_to_be_sent_can_be_cancelled(misbehaving):
    """While the service asks to wait, Cancel ends the creation, and the form says that nothing was created."""
    busy = Faults(script={1: "limited"}, where=lambda request: request.method == "POST")
    client, service = misbehaving(faults=busy, images=0)
    form = ImageForm(client, name="Boats", description="two boats")
    sleep = service.clock.sleep
    service.clock.sleep = lambda seconds: (form.cancel(), sleep(seconds))
    with pytest.raises(InkframeError, match="No image was created: the run was stopped"):
        form.submit().result(30)
    assert form.status.alert.startswith("No image was created")
    assert service.generations == client.created == 0
    service.clock.sleep = sleep
    assert form.submit().result(30).name == "Boats"


def test_a_form_says_that_a_creation_is_awaited(client, engine):
    """There is nothing to stop once an image is asked for: no Cancel is offered, and the status says why."""
    engine.gate.clear()
    form = ImageForm(client, name="Boats", description="two boats")
    future = form.submit()
    assert engine.begun.acquire(timeout=30)
    form.cancel()
    assert (form.status.cancels, form.status.hint) == (False, "Sent. Waiting for the reply.")
    engine.gate.set()
    assert future.result(30).name == "Boats"


def test_a_picture_made_in_the_background_is_awaited(misbehaving):
    """Where a service draws after it has answered, the form shows the image once its picture is there."""
    client, _ = misbehaving(background=20.0, images=0)
    form = ImageForm(client, name="Boats", description="two boats")
    assert form.submit().result(30).picture_url
    assert "data:image/" in form.result.value


def test_frame_holds_all_that_the_form_made(client):
    """The frame has a row for each image, typed like the frames of the collection."""
    form = ImageForm(client, name="Boats", description="two boats", **LOOK)
    first, second = form.submit().result(30), form.submit().result(30)
    assert list(form.frame.index) == [first.id, second.id]
    assert form.frame.dtypes.equals(client.images.list().dtypes)


def test_settings_of_a_record_fill_an_untouched_form(client):
    """A form in which nothing was typed takes over the settings of a record at once."""
    made = ImageForm(client, name="Boats", description="two boats", **LOOK).submit().result(30)
    form = ImageForm(client)
    form.again(made)
    assert form.arguments == {"name": "Boats", "description": "two boats", **LOOK}


def test_settings_of_a_record_never_overwrite_what_was_typed(client):
    """A form that holds something typed asks first, and keeps it if that is the answer."""
    made = ImageForm(client, name="Boats", description="two boats").submit().result(30)
    form = ImageForm(client)
    form.fields["name"].value = "Mine"
    form.again(made)
    assert form.fields["name"].value == "Mine"
    form.question.children[2].click()
    assert (form.fields["name"].value, form.question.is_open) == ("Mine", False)
    form.again(made)
    form.question.children[1].click()
    assert form.fields["name"].value == "Boats"


def test_problems_of_the_service_at_their_fields(client):
    """Those of known fields are shown there; any other one makes the whole error be shown too."""
    form, moved = ImageForm(client, name="Boats", description="two boats"), []
    form.fields["style"].control.send = moved.append
    known = ValidationFailed("Refused.", status=422, fields={"style": ["No.", "Never."]})
    form._fail(known)
    assert (form.fields["style"].problem, form.status.alert, form.error) == ("No. Never.", "", known)
    assert (form.status.problems, moved) == ({"style": "No. Never."}, [{"do": "focus"}])
    other = ValidationFailed("Refused.", status=422, fields={"style": ["No."], "shade": ["Odd."]})
    form._fail(other)
    assert (form.fields["style"].problem, form.status.alert, form.error) == ("No.", str(other), other)
    form._fail(InvalidArgument("Wrong."))
    assert (form.fields["style"].problem, form.status.problems, form.status.alert) == ("", {}, "Wrong.")


def test_three_problems_are_in_the_error(client):
    """The error names the first ones; the status has those that belong to no field."""
    form = ImageForm(client)
    many = {"name": "One.", "description": "Two.", "": "Three.", "other": "Four."}
    form._problems = lambda: many
    error = form.submit().exception(1)
    assert (str(error), form.error) == ("One.\nTwo.\nThree.", error)
    assert (form.status.alert, form.status.problems) == ("Three. Four.", many)
    assert not form.busy
