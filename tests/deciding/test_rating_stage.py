import pandas as pd
import pytest

from inkframe.deciding.rating_items import sample_items
from inkframe.deciding.rating_panel import RatingStage
from inkframe.errors import InkframeError, NotFound


def items(**columns):
    """Return the items of three records."""
    frame = pd.DataFrame({"result": ["*One*", "Two", "<b>"], **columns}, index=pd.Index([1, 2, 3], name="id"))
    found = sample_items(frame, [], pairs=False, per_group=20, random_state=0, rater="ana").items
    return sorted(found, key=lambda item: item.contents[0].record["id"])


def make(fetch=None):
    """Return a stage with what it heard, what it left out and what it sent."""
    heard, left_out, sent = [], [], []
    stage = RatingStage(
        heard.append, lambda item, error: left_out.append((item, str(error))), fetch, mode="scale", note="n", has_groups=True
    )  # fmt: skip
    stage.send = lambda content, buffers=None: sent.append((content, buffers))
    return stage, heard, left_out, sent


def test_texts_are_sent_at_once(send):
    """As safe HTML, each with its case and its groups, in their order."""
    stage, heard, left_out, sent = make()
    one, two, three = items()
    stage.feed([])
    stage.feed([(one, "a case", []), (three, "c" * 400, ["warm"])], front=True)
    prose = '<div class="ink-prose" dir="auto">{}</div>'.format
    assert sent == [
        ({"kind": "item", "item": {"token": one.token, "parts": [prose('<p dir="auto"><em>One</em></p>\n')], "case": "a case", "groups": []}, "front": True}, []),
        ({"kind": "item", "item": {"token": three.token, "parts": [prose('<p dir="auto">&lt;b&gt;</p>\n')], "case": "c" * 299 + "…", "groups": ["warm"]}, "front": True}, []),
    ]  # fmt: skip
    assert [stage.content(item.contents[0]) for item in (one, two, three)] == ["*One*", "Two", "<b>"]
    send(stage, "ready", n=3)
    assert (heard, left_out) == ([{"kind": "ready", "n": 3}], [])
    assert (stage.mode, stage.note, stage.has_groups) == ("scale", "n", True)


def test_keys_and_presses_are_in_the_page_as_it_is_drawn():
    """Each choice has its keys and its value; what a person wrote is escaped, and no choice is named twice."""
    options = {"note": "<n>", "has_groups": False, "question": 'A "good" one?'}
    shells = {
        mode: RatingStage(print, print, None, mode=mode, choices=choices, **options).shell
        for mode, choices in (("scale", [[1, "1"], [2, "2"]]), ("pairs", [["tie", "Tie"]]), ("labels", [["a", "A&B"]]))
    }  # fmt: skip
    attributes = 'data-act="rate" data-value="{}" data-keys="{}"><kbd{}>{}</kbd>{}</button>'.format
    hidden = ' aria-hidden="true"'
    assert attributes("2", "2", "", "2", "") in shells["scale"]
    assert attributes("&quot;tie&quot;", "ArrowDown", hidden, "↓", " Tie") in shells["pairs"]
    assert attributes("&quot;a&quot;", "1", hidden, "1", " A&amp;B") in shells["labels"]
    assert "1 is worst, 2 is best. &lt;n&gt;" in shells["scale"]
    for shell in shells.values():
        assert "A &quot;good&quot; one?</div>" in shell
        assert ">Show results</button>" in shell


def test_pictures_are_sent_in_their_order(small_png):
    """Fetched in a thread; one that is gone or is no picture is left out with the reason."""

    def fetch(record):
        if record["id"] == 1:
            raise NotFound("It is gone.", status=404)
        return small_png if record["id"] == 2 else b"no picture"

    stage, _, left_out, sent = make(fetch)
    one, two, three = items(picture_url=["u"] * 3)
    stage.feed([(one, "", []), (two, "", [])])
    stage.feed([(three, "", []), (two, "again", [])])
    stage._feeder.join(30)
    assert [item for item, _ in left_out] == [one, three]
    assert left_out[0][1].startswith("It is gone.")
    assert [(content["item"]["token"], content["item"]["case"], content["item"]["parts"]) for content, _ in sent] == [
        (two.token, "", [""]), (two.token, "again", [""]),
    ]  # fmt: skip
    assert all(len(buffers) == 1 and isinstance(buffers[0], bytes) for _, buffers in sent)
    assert (stage._feeder.daemon, stage._feeder.name) == (True, "inkframe-rating")
    with pytest.raises(InkframeError):
        stage.content(three.contents[0])
