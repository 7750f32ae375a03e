"""Many pictures made small."""

from __future__ import annotations

import threading

import pytest

from inkframe.display import ThumbnailCache, fetch_thumbnails
from inkframe.display.picture_header import read_header
from inkframe.errors import ConnectionFailed


def test_pictures_come_in_order_and_failures_as_reasons(picture):
    """Each record gets its own picture or its own reason, whichever thread was first."""

    def fetch(record):
        if record["id"] == 2:
            raise ConnectionFailed("The service could not be reached.")
        return b"<svg>" if record["id"] == 3 else picture(record["id"], 20 + record["id"])

    found = list(fetch_thumbnails([{"id": n} for n in range(8)], fetch, size=64, max_bytes=3_000))
    assert found[2] == "The service could not be reached."
    assert "SVG" in found[3]
    assert [read_header(found[n]).width for n in (0, 1, 4, 5, 6, 7)] == [20, 21, 24, 25, 26, 27]


def test_two_threads_fetch_at_once(picture):
    """Two pictures are under way together."""
    meeting = threading.Barrier(2, timeout=10)

    def fetch(record):
        meeting.wait()
        return picture()

    assert len(list(fetch_thumbnails([{"id": n} for n in range(4)], fetch, size=32, max_bytes=2_000))) == 4


def test_who_stops_early_fetches_little(picture):
    """A caller that takes two pictures of a thousand costs only a few fetches."""
    asked = []

    def fetch(record):
        asked.append(record["id"])
        return picture()

    pictures = fetch_thumbnails(
        [{"id": n} for n in range(1_000)], fetch, size=32, max_bytes=2_000, progress=False
    )
    assert len([next(pictures) for _ in range(2)]) == 2
    pictures.close()
    assert len(asked) < 12


def test_our_own_mistakes_are_not_hidden():
    """An error that is no service's is raised, not shown as a reason."""
    with pytest.raises(ZeroDivisionError):
        list(fetch_thumbnails([{"id": 1}], lambda _: 1 // 0, size=32, max_bytes=2_000))


def test_a_second_look_fetches_nothing(picture, tmp_path):
    """Cached pictures are not fetched again; refused ones are not cached; damaged ones are made anew."""
    asked = []

    def fetch(record):
        asked.append(record["id"])
        return picture() if record["id"] else b"<svg>"

    def look():
        options = {"size": 32, "max_bytes": 2_000, "service": "s", "cache": ThumbnailCache(tmp_path)}
        return list(fetch_thumbnails([{"id": 0}, {"id": 1}], fetch, **options))

    assert look() == look()
    assert sorted(asked) == [0, 0, 1]
    next(tmp_path.iterdir()).write_bytes(b"<script>")
    assert isinstance(look()[1], bytes)
    assert asked.count(1) == 2


def test_a_bar_appears_for_more_than_twenty(picture, capsys):
    """Few pictures need no bar, many get one, and it goes when it is done."""
    for count, shown in ((20, False), (21, True)):
        list(
            fetch_thumbnails(
                [{"id": n} for n in range(count)], lambda _: picture(0, 8), size=8, max_bytes=900
            )
        )
        assert (f"/{count}" in capsys.readouterr().err) is shown
