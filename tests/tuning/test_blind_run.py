import json
import re

import pytest
from tests.panels import is_shown

from inkframe import CreativityTuner, LookGrid


@pytest.fixture
def tuner(client):
    """Return a tuner of two levels that has created its documents to be rated blind."""
    tuner = CreativityTuner(client, prompt="About a kettle", creativity=[0, "Imaginative"], repeats=2)
    tuner.submit(blind=True).result(30)
    return tuner


def state_of(widget):
    """Return all that a widget and those inside it hold for the page."""
    inner = [state_of(child) for child in getattr(widget, "children", ())]
    return json.dumps([{k: v for k, v in widget.get_state().items() if k != "children"}, *inner], default=str)


def test_the_tuner_hides_texts_and_curve_until_reveal(tuner):
    """What was created is rated by its level first; the cards and the curve come with Reveal."""
    panel = tuner.blind.panel
    assert len(panel.session.left) == 4
    assert not is_shown(tuner.blind.outcome)
    assert tuner.texts.cards == {}
    assert "It is plain and short" not in state_of(tuner)
    while panel.session.left:
        panel.rate(3)
    assert panel.ratings["blind"].all()
    panel.reveal()
    assert is_shown(tuner.blind.outcome)
    assert len(tuner.texts.cards) == 4
    assert "It is plain and short" in tuner.texts.cards[0.0, 1].content
    assert 'role="img"' in tuner.texts.curve.value
    assert set(panel.reveal()["creativity"]) == {0.0, 1.0}


def test_texts_that_were_shown_are_not_blind(client):
    """Of texts that a run before had shown under their level, a rating is not blind; new ones are."""
    tuner = CreativityTuner(client, prompt="About a kettle", creativity=[0, 1], repeats=1)
    tuner.submit().result(30)
    shown = {row.record.id for row in tuner.rows}
    tuner.fields["repeats"].value = 3
    tuner.submit(blind=True).result(30)
    assert not is_shown(tuner.blind.outcome)
    panel = tuner.blind.panel
    while panel.session.left:
        panel.rate(3)
    ratings = panel.ratings.set_index("id")["blind"]
    assert {id for id, blind in ratings.items() if not blind} == shown


def test_another_language_shows_nothing_early(tuner, eventually):
    """A field that measures the texts anew leaves them hidden."""
    tuner.fields["language"].value = None
    tuner.fields["repeats"].value = 3
    assert not is_shown(tuner.blind.outcome)
    assert tuner.texts.curve.value == ""


def test_a_further_run_that_is_not_blind_shows_everything(tuner):
    """The rating panel goes, and all texts are there."""
    tuner.fields["repeats"].value = 3
    tuner.submit().result(30)
    assert tuner.blind.children == ()
    assert is_shown(tuner.blind.outcome)
    assert len(tuner.texts.cards) == 6


def test_nothing_to_rate_shows_what_went_wrong(client, engine):
    """Where every creation failed, the cards say so at once."""
    tuner = CreativityTuner(client, prompt="About a kettle", creativity=0, repeats=1)
    engine.write = lambda _request: 1 / 0
    tuner.submit(blind=True).result(30)
    assert tuner.blind.panel is None
    assert is_shown(tuner.blind.outcome)
    assert tuner.status.alert


def test_the_button_rates_blind(client, settle):
    """The second button creates the same, hidden."""
    tuner = CreativityTuner(client, prompt="About a kettle", creativity=[0, 1], repeats=1)
    button = tuner.blind_button
    assert (button.description, button.disabled) == ("Create and rate blind", False)
    button.click()
    settle(tuner)
    assert tuner.blind.panel is not None
    assert button.disabled
    tuner.fields["repeats"].value = 2
    tuner.button.click()
    settle(tuner)
    assert tuner.blind.panel is None


def test_a_second_press_stays_blind(client, settle, monkeypatch):
    """Where the service asks twice, the press that confirms creates blind too, whichever button it is."""
    monkeypatch.setattr(type(client), "creations_are_billed", True)
    tuner = CreativityTuner(client, prompt="About a kettle", creativity=[0, 1], repeats=14)
    tuner.blind_button.click()
    assert tuner.button.description == "Yes, create 28 documents"
    monkeypatch.setattr("inkframe.widgets.panel.DOUBLE_CLICK", 0)
    tuner.button.click()
    settle(tuner)
    assert tuner.blind.panel is not None


def test_the_look_grid_hides_its_pictures_until_reveal(client):
    """Pictures are rated by the looks that vary, without their cells; the grid comes with Reveal."""
    grid = LookGrid(
        client, description="two boats", resolution="256x256", style=["anime", "sketch"], medium="ink"
    )
    grid.submit(blind=True).result(30)
    panel = grid.blind.panel
    assert not is_shown(grid.blind.outcome)
    assert set(re.findall(r"ink-look-(\w+)", "".join(grid.pictures.first))) == {"empty"}
    assert panel.stage.note == "The picture itself shows its style."
    assert isinstance(panel.item, bytes)
    while panel.session.left:
        panel.rate(4)
    panel.reveal()
    assert is_shown(grid.blind.outcome)
    assert set(re.findall(r"ink-look-(\w+)", "".join(grid.pictures.first))) == {"done"}
    assert set(panel.reveal()["style"]) == {"anime", "sketch"}
