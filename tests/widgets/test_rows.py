import threading

from inkframe.display.picture import load_picture
from inkframe.widgets.rows import RecordGallery


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


def test_tiles_show_what_a_record_is():
    """A tile has its key, the place of its picture, the name in two lengths, the look, and what is marked."""
    gallery, *_ = make(lambda _record: b"")
    gallery.leaving = {"1"}
    gallery.show([{**records(1)[0], "favorite": True}])
    [tile] = gallery.first
    assert 'class="ink-tile ink-starred ink-leaving" role="gridcell" data-key="1"' in tile
    assert 'aria-label="Image 1: two boats, Anime · 256, favorite, marked for deletion"' in tile
    assert 'role="img" aria-label="Image 1: two boats" data-picture="1"' in tile
    assert ">marked for deletion</div>" in tile
    assert (gallery.ids, gallery.longest) == (["1"], ["Image 1"])
    gallery.leaving = ()
    for length, short in ((42, "x" * 42), (43, "x" * 41 + "…")):
        gallery.show_changed({**records(1)[0], "name": "x" * length})
        assert f'title="{"x" * length}">{short}</div>' in gallery.first[0]
        assert 'title="Anime · 256">Anime · 256</div>' in gallery.first[0]
        assert "ink-starred" not in gallery.first[0]


def test_text_of_a_service_is_escaped_in_a_tile():
    """A name with markup is text in each place of a tile."""
    gallery, *_ = make(lambda _record: b"")
    gallery.show([{**records(1)[0], "id": '"><b>', "name": '<img src=x onerror="x">', "description": "<b>"}])
    assert "<img" not in gallery.first[0]
    assert "<b>" not in gallery.first[0]


def test_rows_are_drawn_as_they_are_looked_at(send):
    """The first ones are there at once, a window is sent in answer, and none of rows that are shown no more."""
    gallery, _, sent, _ = make()
    gallery.show(records(10_000))
    assert (len(gallery.ids), len(gallery.first)) == (10_000, 30)
    version = gallery.version
    for begin, end in ((9_998, 10_000), (-5, 1), (0, 10_000)):
        send(gallery, "window", version=version, **{"from": begin, "to": end})
    assert [(content["from"], len(content["rows"])) for content, _ in sent] == [(9_998, 2), (0, 1), (0, 200)]
    assert 'data-key="9999"' in sent[0][0]["rows"][0]
    gallery.show(records(2))
    send(gallery, "window", version=version, **{"from": 0, "to": 2})
    assert (len(sent), gallery.version) == (3, version + 1)


def test_one_changed_record_is_sent_alone():
    """A favorite among ten thousand is one small message, and the state is still right."""
    gallery, _, sent, _ = make()
    gallery.show(records(10_000))
    ids = gallery.ids
    for at in (0, 9_000):
        gallery.show_changed({**records(10_000)[at], "favorite": True})
    assert gallery.ids is ids
    assert ["ink-starred" in each for each in gallery.first[:2]] == [True, False]
    (first, _), (later, _) = sent
    assert first == {"kind": "rows", "version": gallery.version, "from": 0, "rows": [gallery.first[0]]}
    assert (later["from"], "ink-starred" in later["rows"][0]) == (9_000, True)


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
        send(gallery, "want", keys=[key], large=True)
        assert arrived.acquire(timeout=30)
    (first, [picture]), (second, nothing) = sent
    assert (first["keys"], first["reasons"], first["large"]) == (["1"], {}, True)
    assert load_picture(picture).size
    assert (second["keys"], [*second["reasons"]], nothing) == (["2"], ["2"], [])
    send(gallery, "want", keys=["7"], large=True)
    assert len(sent) == 2


def test_a_picture_that_fails_says_why(small_png, send):
    """A tile without a picture has the reason instead; its neighbors have theirs."""

    def fetch(record):
        return b"no picture" if record["id"] == 1 else small_png

    gallery, _, sent, arrived = make(fetch)
    gallery.show(records(2))
    send(gallery, "want", keys=["1", "2"])
    for _ in range(2):
        assert arrived.acquire(timeout=30)
    assert [[*content["reasons"]] for content, _ in sent] == [["1"], []]
    assert [len(buffers) for _, buffers in sent] == [0, 1]


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
