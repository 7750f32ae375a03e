"""Test fetching, scaling and caching many pictures."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import tempfile
import threading

import pytest

from inkframe.display import fetch_thumbnails
from inkframe.display.picture_header import read_header
from inkframe.display.thumbnails import ThumbnailCache, picture_key
from inkframe.errors import ConnectionFailed


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
    meeting = threading.Barrier(2, timeout=10)

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
        options = {"size": 32, "max_bytes": 2_000, "service": "s", "cache": ThumbnailCache(tmp_path)}
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


def test_cached_pictures_are_found(tmp_path, monkeypatch):
    """A cached picture is returned unchanged, and another key returns None; nothing is written elsewhere."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "absent"))
    cache = ThumbnailCache(tmp_path / "thumbnails")
    assert cache.get("a") is None
    cache.put("a", b"picture")
    assert cache.get("a") == b"picture"
    assert ThumbnailCache(tmp_path / "thumbnails").get("a") == b"picture"
    assert cache.get("b") is None


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps permissions elsewhere")
def test_the_folder_is_private(tmp_path):
    """Only the user can read the folder."""
    ThumbnailCache(tmp_path / "thumbnails").put("a", b"x")
    assert stat.S_IMODE((tmp_path / "thumbnails").stat().st_mode) == 0o700
    assert stat.S_IMODE(next((tmp_path / "thumbnails").iterdir()).stat().st_mode) == 0o600


def test_the_least_recently_used_goes_first(tmp_path):
    """Beyond the limit, the oldest are deleted and recently used ones stay."""
    cache = ThumbnailCache(tmp_path, max_bytes=1_000)
    for number in range(10):
        cache.put(str(number), bytes(100))
        os.utime(tmp_path / f"{number}", (number, number))
    assert cache.get("0")
    cache.put("new", bytes(100))
    kept = {path.stem for path in tmp_path.iterdir()}
    assert {"0", "new", "9"} <= kept
    assert "1" not in kept
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 900


def test_a_folder_that_cannot_be_written_keeps_nothing(tmp_path):
    """If the folder cannot be written, pictures are not cached, without an error."""
    (tmp_path / "file").write_text("in the way")
    cache = ThumbnailCache(tmp_path / "file")
    cache.put("a", b"x")
    assert cache.get("a") is None


def test_a_file_that_cannot_be_written_leaves_nothing(tmp_path):
    """Where a picture cannot be put in its place, the unfinished file is removed, without an error."""
    (tmp_path / "a").mkdir()
    cache = ThumbnailCache(tmp_path)
    cache.put("a", b"x")
    assert [each.name for each in tmp_path.iterdir()] == ["a"]


def test_a_tenth_of_the_folder_is_freed(tmp_path):
    """A folder of exactly its size stays; beyond it, files are deleted until nine tenths are used."""
    cache = ThumbnailCache(tmp_path, max_bytes=1_000)
    for number in range(10):
        cache.put(str(number), bytes(100))
        os.utime(tmp_path / f"{number}", (number, number))
    assert len(list(tmp_path.iterdir())) == 10
    cache.put("new", bytes(1))
    assert sorted(each.name for each in tmp_path.iterdir()) == [*"23456789", "new"]
    for number in range(1, 3):
        cache.put(f"other{number}", bytes(99))
    assert len(list(tmp_path.iterdir())) == 11
    cache.put("last", bytes(2))
    assert sum(each.stat().st_size for each in tmp_path.iterdir()) <= 900


@pytest.mark.integration
def test_several_processes_share_a_folder(tmp_path):
    """Processes that write and delete at once neither fail nor leave incomplete files."""
    code = (
        "import sys; from inkframe.display.thumbnails import ThumbnailCache\n"
        "cache = ThumbnailCache(sys.argv[1], max_bytes=20_000)\n"
        "for n in range(120):\n"
        "    cache.put(str(n % 40), bytes([n % 40]) * 1000)\n"
        "    found = cache.get(str(n * 7 % 40))\n"
        "    assert found is None or found == bytes([n * 7 % 40]) * 1000\n"
    )
    runs = [subprocess.Popen([sys.executable, "-c", code, tmp_path]) for _ in range(2)]
    assert [run.wait(30) for run in runs] == [0, 0]
    assert not list(tmp_path.glob("*.part"))


def test_keys_identify_pictures(image):
    """Keys differ by service, size and state of a record, but not by its name and address."""
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
