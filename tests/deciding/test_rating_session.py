import math

import numpy as np
import pandas as pd
import pytest

import inkframe as ink
from inkframe.deciding.rating_session import RatingSession, check_options
from inkframe.deciding.ratings import Judgment

FRAME = pd.DataFrame(
    {
        "result": [f"Text {at}" for at in range(90)],
        "kind": ["a", "b", "c"] * 30,
        "share": np.linspace(0, 1, 90),
    },
    index=pd.RangeIndex(1, 91, name="id"),
)


@pytest.fixture
def make(tmp_path):
    """Return a function that begins a session."""

    def make(mode="scale", options=5, frame=FRAME, by=("kind",), rater="ana", per_group=40, **more):
        return RatingSession(
            frame, list(by), mode, options, question="How good?", rater=rater, path=tmp_path / "ratings",
            per_group=per_group, random_state=0, **more,
        )  # fmt: skip

    return make


def test_when_there_is_enough_for_a_verdict(make):
    """After how many ratings each group has 10, 20 and 30, and all are rated; only groups of a scale have verdicts."""
    session = make()
    assert session.verdicts_at() == [30, 60, 90]
    session.judge(session.left[5], 4, None)
    assert [math.ceil(each / 30) for each in session.verdicts_at()] == [1, 2, 3]
    assert make(by=()).verdicts_at() == []
    assert make("pairs", None).verdicts_at() == []
    assert make("labels", ["x", "y"]).verdicts_at() == []
    assert make(per_group=9).verdicts_at() == []
    assert make(per_group=10).verdicts_at() == [30]
    assert make(per_group=11).verdicts_at() == [30, 33]


def test_what_is_saved_of_a_judgment(make):
    """Everything that names the judgment: of a text, of a pair, and of a label."""
    session = make()
    item = session.current
    session.judge(item, 4, "clear")
    [saved] = session.judgments
    content = item.contents[0]
    wanted = {
        "id": content.record["id"], "rater": "ana", "mode": "scale", "question": "How good?", "service": "",
        "collection": "documents", "content": content.digest, "other": None, "value": 4, "winner": None,
        "reason": "clear", "blind": True, "options": 5,
    }  # fmt: skip
    assert {name: getattr(saved, name) for name in wanted} == wanted
    assert (session.mine, item in session.left, list(session.done)) == ([(item, saved)], False, [item])
    pairs = make("pairs", None)
    for side in ("left", "right", "tie"):
        item = pairs.current
        pairs.judge(item, side, None)
        one, other = (each.record["id"] for each in item.contents)
        saved = pairs.judgments[-1]
        winner = {"left": one, "right": other, "tie": None}[side]
        assert (saved.id, saved.other, saved.winner, saved.value) == (one, other, winner, None)
        assert saved.content == "|".join(each.digest for each in item.contents)
    assert make("pairs", None).judgments == pairs.judgments
    labels = make("labels", ["x", "y"])
    labels.judge(labels.current, "y", None)
    assert (labels.judgments[0].value, labels.judgments[0].options) == ("y", ["x", "y"])


def test_judgments_are_taken_back(make):
    """The last one, or that of an item, which is the next again; skipped items come last."""
    session = make()
    items = session.left[:4]
    for value, item in enumerate(items[:3], 1):
        session.judge(item, value, None)
    assert session.undo(items[1]) is items[1]
    assert (session.left[0], [each.value for each in session.judgments]) == (items[1], [1, 3])
    assert session.undo() is items[2]
    assert session.left[:3] == [items[2], items[1], items[3]]
    session.put_off(items[2])
    assert (session.left[0], session.left[-1], len(session.left)) == (items[1], items[2], 89)
    with pytest.raises(ink.InvalidArgument):
        session.undo(items[3])
    again = make()
    assert [each.value for each in again.judgments] == [1]
    assert len(again.left) == 89


def test_an_item_that_was_judged_twice(make):
    """By two sessions at once: each judgment is taken back, and the item comes once."""
    sessions = [make(), make()]
    for session in sessions:
        session.judge(session.current, 3, None)
    session = make()
    assert (len(session.mine), len(session.left)) == (2, 89)
    first, second = session.undo(), session.undo()
    assert first is second is session.current
    assert (len(session.left), session.judgments, list(session.done)) == (90, [], [])


def test_others_of_the_same_file_do_not_count(make):
    """Another question, mode or scale is another session; another rater's judgments are read, not one's own."""
    session = make()
    session.judge(session.current, 4, None)
    assert len(make(options=7).judgments) == 0
    other = make(rater="ben")
    assert (len(other.judgments), other.mine, len(other.left)) == (1, [], 90)
    images = FRAME.assign(picture_url="u")
    images.attrs["inkframe"] = {"service": "https://a.example.com", "collection": "images"}
    pictures = make(frame=images)
    pictures.judge(pictures.current, 3, None)
    assert (pictures.judgments[0].content, pictures.judgments[0].collection) == ("", "images")
    elsewhere = images.copy()
    elsewhere.attrs["inkframe"] = {"service": "https://b.example.com", "collection": "images"}
    assert [len(make(frame=each).judgments) for each in (images, elsewhere)] == [1, 0]
    pictures.reveal()
    for frame, blind in ((images, False), (elsewhere, True)):
        again = make(frame=frame)
        again.judge(again.current, 2, None)
        assert again.judgments[-1].blind is blind
    texts = FRAME.copy()
    texts.attrs["inkframe"] = {"service": "https://b.example.com", "collection": "documents"}
    assert len(make(frame=texts).judgments) == 1


def test_libraries_of_one_service_are_apart(make):
    """Pictures of another local library have the same ids; a judgment of before, which names no library, counts."""
    one, other, before = (FRAME.assign(picture_url="u") for _ in range(3))
    for frame, library in ((one, {"library": "1a"}), (other, {"library": "2b"}), (before, {})):
        frame.attrs["inkframe"] = {"service": "local demo service", "collection": "images", **library}
    session = make(frame=one)
    session.judge(session.current, 3, None)
    session.reveal()
    assert [len(make(frame=each).judgments) for each in (one, other, before)] == [1, 0, 1]
    again = make(frame=other)
    again.judge(again.current, 2, None)
    assert again.judgments[-1].blind


def test_what_was_revealed_is_not_blind(make):
    """In this session, and in later ones of the same rater that compare by one of the columns."""
    session = make()
    session.reveal()
    session.reveal()
    assert session.revealed
    assert len(session.file.read()[1]) == 1
    session.judge(session.current, 4, None)
    assert session.judgments[-1].blind is False
    for again, blind in ((make(), False), (make(by=("share", "kind")), False), (make(by=("share",)), True), (make(rater="ben"), True)):  # fmt: skip
        again.judge(again.current, 2, None)
        assert again.judgments[-1].blind is blind


def test_groups_that_are_saved(make):
    """The values of the columns by id, as JSON can hold them."""
    frame = FRAME.head(6).assign(
        kind=[True, None, 1.5, math.inf, np.int64(3), pd.Timestamp("2026-01-01")], text=list("abcdef")
    )
    groups = make(frame=frame, by=("kind", "text")).groups()
    assert (groups.rater, groups.by, groups.collection) == ("ana", ["kind", "text"], "documents")
    found = dict(groups.groups)
    assert found == {
        1: [True, "a"], 2: [None, "b"], 3: [1.5, "c"], 4: ["inf", "d"], 5: ["3", "e"], 6: ["2026-01-01 00:00:00", "f"],
    }  # fmt: skip


def test_options_of_each_mode():
    """The highest rating, the labels, or nothing for pairs."""
    assert check_options("scale", 2, None) == 2
    assert check_options("scale", 9, None) == 9
    assert check_options("pairs", 5, None) is None
    assert check_options("labels", 5, ("a", "b")) == ["a", "b"]
    assert len(check_options("labels", 5, list("abcdefghi"))) == 9
    for wrong, shown in ((["a"], "['a']"), (["a", "a"], "['a', 'a']"), (None, "None"), ("ab", "'ab'")):
        with pytest.raises(ink.InvalidArgument) as caught:
            check_options("labels", 5, wrong)
        assert str(caught.value) == (
            f"labels must be 2 to 9 different labels, got {shown}.\n"
            'Pass a list: labels=["keep", "rework", "drop"].'
        )
    assert Judgment(1, "a", "scale", "q").value is None
