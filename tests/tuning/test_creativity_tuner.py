import html
import re
import sys
from dataclasses import replace

import pandas as pd
import pytest
from tests.panels import is_shown

from inkframe import CreativityTuner
from inkframe.analysis import intervals as pair_means
from inkframe.creating.plans import ALL
from inkframe.errors import InvalidArgument

MEASURES = ["words", "distinct_words", "similarity", "reading_ease"]


@pytest.fixture
def tuner(client):
    """Return a tuner that has run two levels twice."""
    tuner = CreativityTuner(
        client, prompt="Product text for a kettle", creativity=["Imaginative", 0], repeats=2
    )
    tuner.submit().result(30)
    return tuner


def test_every_level_is_written_as_often_as_asked(client):
    """The frame has a row for each level and repeat, with the text, its measures, and what became of it."""
    tuner = CreativityTuner(client, prompt="Product text for a kettle", repeats=2, creativity=ALL)
    frame = tuner.submit().result(30)
    assert frame is tuner.frame
    assert frame.groupby("creativity")["repeat"].agg(list).to_dict() == {
        level: [1, 2] for level in (0.0, 0.25, 0.5, 0.75, 1.0)
    }
    assert set(frame["status"]) == {"created"}
    assert list(frame.columns[-4:]) == MEASURES
    assert frame[MEASURES].notna().all().all()
    assert len(client.documents.all()) == 10


def test_the_code_does_the_same(client, capsys):
    """Running the code finds the documents that the tuner made, and makes none."""
    tuner = CreativityTuner(client, template="Blog title", topic="the cello", creativity=0.25, repeats=2)
    made = tuner.submit().result(30)
    space = {"client": client}
    exec(tuner.code, space)  # noqa: S102  # running the code is what is tested
    again = space["runs"]
    columns = ["name", "prompt", "creativity", "repeat"]
    assert again[columns].equals(made[columns])
    assert list(made["prompt_template"]) == ["Blog title"] * 2
    assert again["id"].tolist() == made["id"].tolist()
    assert len(client.documents.all()) == 2
    assert "creation" not in capsys.readouterr().out


def test_what_is_there_is_not_made_again(tuner, engine):
    """A run that is complete makes nothing; more repeats make only what is missing."""
    assert (tuner.button.disabled, tuner.button.description) == (True, "All created")
    tuner.fields["repeats"].value = 3
    assert tuner.button.description == "Create 2 documents"
    assert len(tuner.submit().result(30)) == 6
    assert len(engine.requests) == 6


def test_what_was_deleted_since_is_created_again_after_a_question(tuner, client):
    """A later tuner says why it creates nothing, and after a press it creates what was deleted."""
    client.documents.delete_many(tuner.frame["id"], confirm=4)
    other = CreativityTuner(client, prompt=tuner.fields["prompt"].value, creativity=[0, 1], repeats=2)
    assert set(other.submit().result(30)["status"]) == {"skipped"}
    said, again = other.question.children
    assert re.search(r"4 documents skipped: the first was created as \d and deleted since\.<", said.value)
    again.click()
    assert other.button.description == "Create 4 documents"
    assert set(other.submit().result(30)["status"]) == {"created"}


def test_what_is_kept_is_marked_and_named(tuner, client, eventually):
    """Keeping a text makes it a favorite on the service; its name can be changed then."""
    card = tuner.texts.cards[1.0, 2]
    card.keep.click()
    eventually(lambda: tuner.frame["favorite"].sum() == 1)
    eventually(lambda: card.name in card.children)
    card.name.value = "The one"
    eventually(lambda: "The one" in list(tuner.frame["name"]))
    kept = client.documents.get(tuner.record.id)
    assert (kept.favorite, kept.name, kept.creativity) == (True, "The one", 1.0)


def test_the_rest_is_discarded_after_a_question(tuner, client, eventually):
    """What is not kept is deleted once the question is answered, and leaves frame and cards."""
    tuner.texts.cards[0.0, 1].keep.click()
    eventually(lambda: not tuner.texts.discard.disabled)
    tuner.texts.discard.click()
    first = ", ".join(f"“{row.record.name}”" for row in tuner.texts.rest)
    asked = f"Delete 3 documents from the library: {first}? This cannot be undone."
    assert html.unescape(tuner.texts.question.children[0].value) == f'<span role="alert">{asked}</span>'
    assert len(client.documents.all()) == 4
    tuner.texts.question.children[1].click()
    eventually(lambda: not tuner.busy)
    assert list(client.documents.all().index) == list(tuner.frame["id"]) == [tuner.rows[0].record.id]
    assert len(tuner.texts.cards) == 1


def test_what_is_kept_after_the_question_stays(tuner, client, eventually, settle):
    """A text that is kept while the question is open is not among those that are deleted."""
    tuner.texts.cards[0.0, 1].keep.click()
    eventually(lambda: not tuner.texts.discard.disabled)
    tuner.texts.discard.click()
    tuner.texts.cards[1.0, 1].keep.click()
    eventually(lambda: len(tuner.texts.rest) == 2)
    tuner.texts.question.children[1].click()
    settle(tuner)
    assert len(client.documents.all()) == len(tuner.texts.cards) == 2


def test_differences_are_marked_as_asked(tuner, eventually):
    """Texts are compared with the first of all, with the first of their level, or not."""
    card = tuner.texts.cards[1.0, 1]
    assert "<ins>" in card.content
    tuner.texts.marks.value = "none"
    eventually(lambda: "<ins>" not in card.content)
    tuner.texts.marks.value = "level"
    eventually(lambda: "<del>" in card.content)


def test_a_curve_with_intervals_needs_scipy(tuner, monkeypatch):
    """Without SciPy the place of the curve has the line that installs it, and nothing fails."""
    monkeypatch.setitem(sys.modules, "scipy.special", None)
    pair_means._weights.cache_clear()
    texts = [" ".join(f"{'wv'[number > at]}{number}" for number in range(20)) for at in range(4, 20)]
    tuner.texts.draw(pd.DataFrame({"prompt": "p", "creativity": 0.5, "result": texts}))
    assert "need SciPy, which is not installed." in tuner.texts.curve.value
    assert "inkframe[analysis]" in tuner.texts.curve.value


def test_cancel_keeps_what_is_under_way(client, engine):
    """After a cancel nothing new begins; what was being written is there, and a further run makes the rest."""
    engine.gate.clear()
    tuner = CreativityTuner(client, prompt="x", repeats=1)
    future = tuner.submit()
    engine.begun.acquire(timeout=30)
    tuner.cancel()
    engine.gate.set()
    frame = future.result(30)
    made = (frame["status"] == "created").sum()
    assert 1 <= made <= 2
    assert made == len(client.documents.all())
    assert set(frame["status"]) == {"created", "skipped"}
    tuner.submit().result(30)
    assert len(engine.requests) == len(client.documents.all()) == 5


def test_many_creations_on_a_service_need_a_second_press(misbehaving, monkeypatch, settle):
    """Past 25 on a service at an address, the first press says what it costs, the second goes on."""
    monkeypatch.setattr("inkframe.widgets.panel.DOUBLE_CLICK", 0)
    client, service = misbehaving(documents=0)
    tuner = CreativityTuner(client, prompt="x", repeats=6)
    assert "Will create 30 documents (https://service.test); asks for confirmation" in tuner.cost.value
    with pytest.raises(InvalidArgument, match="confirm=30"):
        tuner.submit().result(30)
    assert "confirm=30" in tuner.code
    assert service.generations == 0
    tuner.button.click()
    settle(tuner)
    assert service.generations == 30


def test_the_language_is_known_of_local_texts_only(misbehaving, client):
    """The local service writes English; of another one nothing is assumed, and any English counts."""
    languages = (None, "en", "EN-gb", "de", "")
    other, _ = misbehaving(documents=0)
    found = {
        each: [CreativityTuner(each, prompt="x", language=said).language.value for said in languages]
        for each in (client, other)
    }
    assert found == {client: ["en", "en", "en", None, None], other: [None, "en", "en", None, None]}


def test_texts_written_in_the_background_are_awaited(misbehaving):
    """Where a service writes after it has answered, a card waits for its text, which is then measured."""
    client, service = misbehaving(background=20.0, documents=0)
    tuner = CreativityTuner(client, prompt="x", creativity=[0, 1], repeats=1)
    frame = tuner.submit().result(30)
    assert set(frame["status"]) == {"created"}
    assert frame["words"].notna().all()
    assert all('class="ink-text ink-prose"' in card.content for card in tuner.texts.cards.values())
    assert service.generations == 2


def test_what_is_discarded_is_the_right_row(tuner, client, eventually):
    """After another plan has other rows at the same places, what is discarded leaves the frame, and nothing else."""
    tuner.fields["repeats"].value = 3
    tuner.submit().result(30)
    tuner.texts.cards[0.0, 2].keep.click()
    eventually(lambda: tuner.frame["favorite"].sum() == 1)
    kept = tuner.rows[4].record.id
    frame = tuner.discard().result(30)
    assert list(frame["id"]) == list(client.documents.all().index) == [kept]
    assert frame[["creativity", "repeat"]].iloc[0].tolist() == [0.0, 2]


def test_a_pattern_that_is_misspelled_is_refused_in_place(client):
    """A name with an unknown placeholder, or none at all, is refused at its field."""
    tuner = CreativityTuner(client, prompt="x", name=" ")
    with pytest.raises(InvalidArgument, match=r"^Name is required\.$"):
        tuner.submit().result(30)
    tuner = CreativityTuner(client, prompt="x", name="Draft {creativty}")
    with pytest.raises(InvalidArgument, match="creativty"):
        tuner.submit().result(30)
    assert "Did you mean {creativity}" in tuner.fields["name"].problem


@pytest.mark.parametrize(
    "wrong", [{"repeats": 0}, {"repeats": 61}, {"creativity": 0.3}, {"template": "Blog titel"}]
)
def test_values_outside_their_range_are_refused(client, wrong):
    """Wrong values are refused when the tuner is constructed."""
    with pytest.raises(InvalidArgument):
        CreativityTuner(client, prompt="x", **wrong)


def test_the_rest_can_be_discarded_while_there_is_any(tuner):
    """Not before one is kept, and not once all are."""
    off = [tuner.texts.discard.disabled]
    for row in tuner.rows:
        row.record = replace(row.record, favorite=True)
        tuner.texts.show(row)
        off.append(tuner.texts.discard.disabled)
    assert off == [True, False, False, False, True]


def test_cards_are_in_columns_of_their_levels(tuner):
    """One column for each level in their order, which is not that in which they were chosen; one line for each repeat."""
    assert tuner.texts._place.layout.grid_template_columns == "repeat(2, minmax(176px, 1fr))"
    assert list(tuner.texts.cards) == [(0.0, 1), (1.0, 1), (0.0, 2), (1.0, 2)]
    assert tuner.texts._place.children == tuple(tuner.texts.cards.values())
    assert tuner.texts.children[0].children == (tuner.texts.marks, tuner.texts.discard)
    assert tuner.texts.children[1:] == (tuner.texts.question, tuner.texts._place, tuner.texts.curve)


@pytest.mark.integration
def test_a_button_adds_what_a_verdict_still_needs(client, eventually, monkeypatch):
    """It begins with two repeats; one press makes them ten, to be rated blind, the next goes to the next verdict."""
    monkeypatch.setattr("inkframe.widgets.panel.DOUBLE_CLICK", 0)
    tuner = CreativityTuner(client, prompt="About a kettle", creativity=[0.5, 1])
    assert (tuner.more.description, is_shown(tuner.more)) == ("Add 8 a level for a verdict", True)
    tuner.submit(blind=True).result(30)
    while tuner.blind.panel.session.left:
        tuner.blind.panel.rate(3)
    assert (tuner.more.description, is_shown(tuner.more)) == ("Add 8 a level for a verdict", True)
    tuner.more.click()
    eventually(lambda: not tuner.busy and len(tuner.frame) == 20)
    panel = tuner.blind.panel
    assert (len(panel.session.left), panel.stage.plan) == (16, "10 texts a level: a verdict at 10.")
    assert not is_shown(tuner.more)
    while panel.session.left:
        panel.rate(2 + len(panel.session.left) % 3)
    assert panel.needed == (10, 30)
    assert (tuner.more.description, is_shown(tuner.more)) == ("Add 10 a level for a verdict", True)
    tuner.more.click()
    eventually(lambda: not tuner.busy and len(tuner.frame) == 40)
    assert len(client.documents.all()) == 40


def test_texts_that_were_shown_are_not_counted_in_what_is_added(tuner, eventually):
    """After a run that was not blind, ten more of each level are needed; another prompt begins anew."""
    assert tuner.more.description == "Add 10 a level for a verdict"
    tuner.more.click()
    eventually(lambda: not tuner.busy and len(tuner.frame) == 24)
    assert len(tuner.blind.panel.session.sample.items) >= 20
    assert "10 texts a level" in tuner.blind.panel.stage.plan
    assert not is_shown(tuner.more)
    tuner.fields["prompt"].value = "About a lamp"
    tuner.fields["repeats"].value = 3
    assert (tuner.more.description, is_shown(tuner.more)) == ("Add 7 a level for a verdict", True)
    tuner.fields["creativity"].value = [0.5]
    assert not is_shown(tuner.more)
