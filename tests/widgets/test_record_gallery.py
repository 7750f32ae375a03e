from __future__ import annotations

import threading

from inkframe.display.picture import load_picture
from inkframe.widgets.record_gallery import RecordGallery


def records(count):
    return [
        {
            "id": id,
            "name": f"Image {id}",
            "description": "two boats",
            "style": "anime",
            "resolution": "256x256",
        }
        for id in range(1, count + 1)
    ]


def make(fetch=None):
    """Return a gallery, the actions it reports, and what it sends."""
    acts, sent, arrived = [], [], threading.Semaphore(0)
    gallery = RecordGallery(lambda *act: acts.append(act), fetch, label="Images")

    def send(content, buffers=None):
        sent.append((content, buffers))
        arrived.release()

    gallery.send = send
    return gallery, acts, sent, arrived


def test_rows_say_what_tiles_show():
    """Each record is a row of key, name, words, favorite, alternative text and whether it leaves."""
    gallery, *_ = make(lambda _record: b"")
    gallery.show([{**records(1)[0], "favorite": True}], frozenset({"1"}))
    assert gallery.rows == [["1", "Image 1", "Anime · 256", True, "Image 1: two boats", True, "Image 1"]]
    for length, short in ((42, "x" * 42), (43, "x" * 41 + "…")):
        gallery.renew({**records(1)[0], "name": "x" * length})
        assert gallery.rows == [
            ["1", "x" * length, "Anime · 256", False, f"{'x' * length}: two boats", False, short]
        ]


def test_one_changed_record_is_sent_alone():
    """A favorite among ten thousand is one small message, and the state is still right."""
    gallery, _, sent, _ = make()
    gallery.show(records(10_000))
    state = gallery.rows
    gallery.renew({**records(1)[0], "favorite": True})
    assert gallery.rows is state
    assert state[0][3] is True
    gallery.begin_rename("1")
    assert sent == [({"kind": "row", "row": state[0]}, None), ({"kind": "rename", "key": "1"}, None)]


def test_pictures_come_as_they_are_wanted(small_png, send):
    """At most one message's worth of rows is built, each with its bytes."""
    gallery, _, sent, arrived = make(lambda _record: small_png)
    gallery.show(records(40))
    send(gallery, "want", keys=[str(id) for id in (99, *range(1, 40))])
    got = {}
    while len(got) < 23:
        assert arrived.acquire(timeout=30)
        for content, buffers in sent:
            got |= dict(zip(content["keys"], buffers, strict=True))
            assert len(content["keys"]) <= 24
    assert set(got) == {str(id) for id in range(1, 24)}
    assert all(max(load_picture(data).size) <= 320 for data in got.values())


def test_a_large_picture_comes_alone(small_png, send):
    """What is shown is sent in the size of a page, with its key; of what is not shown nothing is."""
    gallery, _, sent, arrived = make(lambda record: small_png if record["id"] == 1 else b"no picture")
    gallery.show(records(2))
    for key in ("1", "2"):
        send(gallery, "large", keys=[key])
        assert arrived.acquire(timeout=30)
    (first, [picture]), (second, nothing) = [
        (content, buffers) for content, buffers in sent if content["kind"] == "large"
    ]
    assert (first["key"], first["reason"]) == ("1", None)
    assert load_picture(picture).size
    assert (second["key"], nothing) == ("2", [])
    assert second["reason"]
    send(gallery, "large", keys=["7"])
    assert len(sent) == 2


def test_a_picture_that_fails_says_why(small_png, send):
    """A tile without a picture has the reason instead; its neighbors have theirs."""

    def fetch(record):
        return b"no picture" if record["id"] == 1 else small_png

    gallery, _, sent, arrived = make(fetch)
    gallery.show(records(2))
    send(gallery, "want", keys=["1", "2"])
    assert arrived.acquire(timeout=30)
    content, buffers = sent[0]
    assert set(content["reasons"]) == {"1"}
    assert len(buffers) == 1


def test_acts_name_what_is_chosen(send):
    """A message has the keys of all that is chosen; one of an unknown kind means nothing."""
    gallery, acts, *_ = make()
    gallery.show(records(2))
    send(gallery, "favorite", keys=["1", "7"])
    send(gallery, "other", keys=["1"])
    assert [act[:2] for act in acts] == [("favorite", ["1", "7"])]


def test_what_is_chosen_stays_chosen_while_it_is_hidden():
    """After other records are shown, those that are not among them stay chosen; the panel acts on none of them."""
    gallery, *_ = make()
    gallery.show(records(3))
    gallery.chosen = ["1", "3"]
    gallery.show(records(2))
    assert gallery.chosen == ["1", "3"]
