"""Test fetching, scaling and caching many pictures."""

import threading

import pytest

from inkframe.display.figure import fetch_thumbnails, picture_key
from inkframe.display.picture import read_header
from inkframe.errors import ConnectionFailed
from inkframe.system.files import FileCache


def test_pictures_come_in_order_and_failures_as_reasons(picture):
    """Each record has its own picture or reason, for any order of the threads."""

    def fetch(record):
        if record["id"] == 2:
            raise ConnectionFailed("The service could not be reached.")
        return b"<svg>" if record["id"] == 3 else picture(record["id"], 20 + record["id"])

    found = list(fetch_thumbnails([{"id": n} for n in range(8)], fetch, size=64, max_bytes=3_000))
    assert found[2] == "The service could not be reached."
    assert "SVG" in found[3]
    assert [read_header(found[n]).width for n in (0, 1, 4, 5, 6, 7)] == [20, 21, 24, 25, 26, 27]


def test_two_threads_fetch_at_once(picture):
    """Two pictures are fetched at the same time."""
    meeting = threading.Barrier(2, timeout=60)

    def fetch(record):
        meeting.wait()
        return picture()

    assert len(list(fetch_thumbnails([{"id": n} for n in range(4)], fetch, size=32, max_bytes=2_000))) == 4


def test_stopping_early_fetches_only_a_few(picture):
    """Taking two pictures of a thousand fetches only a few."""
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


def test_other_errors_are_raised():
    """An error that does not come from the service is raised, not shown as a reason."""
    with pytest.raises(ZeroDivisionError):
        list(fetch_thumbnails([{"id": 1}], lambda _: 1 // 0, size=32, max_bytes=2_000))


def test_cached_pictures_are_not_fetched(picture, tmp_path):
    """Cached pictures are not fetched again, refused ones are not cached, and damaged ones are replaced."""
    asked = []

    def fetch(record):
        asked.append(record["id"])
        return picture() if record["id"] else b"<svg>"

    def look():
        options = {"size": 32, "max_bytes": 2_000, "service": "s", "cache": FileCache(tmp_path)}
        return list(fetch_thumbnails([{"id": 0}, {"id": 1}], fetch, **options))

    assert look() == look()
    assert sorted(asked) == [0, 0, 1]
    next(tmp_path.iterdir()).write_bytes(b"<script>")
    assert isinstance(look()[1], bytes)
    assert asked.count(1) == 2


def test_a_bar_appears_for_more_than_twenty(picture, capsys):
    """A bar appears for many pictures, and is removed at the end."""
    for count, shown in ((20, False), (21, True)):
        list(
            fetch_thumbnails(
                [{"id": n} for n in range(count)], lambda _: picture(0, 8), size=8, max_bytes=900
            )
        )
        assert (f"/{count}" in capsys.readouterr().err) is shown


def test_keys_identify_pictures(image):
    """Keys differ by service, size and state of a record, but not by its name and address, unless it has nothing else."""
    key = picture_key(image, "a", 256)
    assert key == picture_key(
        {**image, "name": "renamed", "picture_url": "https://elsewhere.invalid"}, "a", 256
    )
    others = [
        picture_key(image, "b", 256),
        picture_key(image, "a", 128),
        picture_key({**image, "style": "retro"}, "a", 256),
    ]
    assert len({key, *others}) == 4
    assert picture_key({"id": 1, "picture_url": "/a"}, "a") != picture_key(
        {"id": 1, "picture_url": "/b"}, "a"
    )
