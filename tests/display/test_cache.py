"""Small pictures kept on disk."""

from __future__ import annotations

import os
import stat
import subprocess
import sys

import pytest

from inkframe.display.cache import ThumbnailCache, picture_key


def test_what_is_kept_is_found(tmp_path):
    """A kept picture comes back whole, another key finds nothing."""
    cache = ThumbnailCache(tmp_path / "thumbnails")
    assert cache.get("a") is None
    cache.put("a", b"picture")
    assert cache.get("a") == b"picture"
    assert ThumbnailCache(tmp_path / "thumbnails").get("a") == b"picture"
    assert cache.get("b") is None


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps permissions elsewhere")
def test_the_folder_is_the_user_s_alone(tmp_path):
    """What a user looked at is nobody else's business."""
    ThumbnailCache(tmp_path / "thumbnails").put("a", b"x")
    assert stat.S_IMODE((tmp_path / "thumbnails").stat().st_mode) == 0o700
    assert stat.S_IMODE(next((tmp_path / "thumbnails").iterdir()).stat().st_mode) == 0o600


def test_the_least_recently_used_goes_first(tmp_path):
    """Past the bound the oldest go, what was asked for lately stays."""
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
    """Showing pictures does not fail because they cannot be kept."""
    (tmp_path / "file").write_text("in the way")
    cache = ThumbnailCache(tmp_path / "file")
    cache.put("a", b"x")
    assert cache.get("a") is None


def test_several_processes_share_a_folder(tmp_path):
    """Processes that write and shrink at once neither fail nor leave half files."""
    code = (
        "import sys; from inkframe.display.cache import ThumbnailCache\n"
        "cache = ThumbnailCache(sys.argv[1], max_bytes=20_000)\n"
        "for n in range(120):\n"
        "    cache.put(str(n % 40), bytes([n % 40]) * 1000)\n"
        "    found = cache.get(str(n * 7 % 40))\n"
        "    assert found is None or found == bytes([n * 7 % 40]) * 1000\n"
    )
    runs = [subprocess.Popen([sys.executable, "-c", code, tmp_path]) for _ in range(2)]
    assert [run.wait(30) for run in runs] == [0, 0]
    assert not list(tmp_path.glob("*.part"))


def test_keys_tell_pictures_apart(image):
    """The same record of another service, another size or a later state is another picture; its name and address are not."""
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
