"""The folders of the package."""

import os
import stat
import subprocess
import sys
import tempfile

import pytest

from inkframe.system.files import FileCache, create_private_folder


@pytest.mark.skipif(os.name != "posix", reason="Windows has no modes")
def test_new_folders_are_private(tmp_path):
    """Every folder that is created is its owner's only, whatever the umask; existing ones are unchanged."""
    tmp_path.chmod(0o755)
    before = os.umask(0)
    try:
        create_private_folder(tmp_path / "a" / "b")
        create_private_folder(tmp_path / "a" / "b" / "c")
    finally:
        os.umask(before)
    modes = {path.name: path.stat().st_mode & 0o777 for path in (tmp_path, *tmp_path.rglob("*"))}
    assert modes == {tmp_path.name: 0o755, "a": 0o700, "b": 0o700, "c": 0o700}


def test_cached_files_are_found(tmp_path, monkeypatch):
    """A cached file is returned unchanged, and another key returns None; nothing is written elsewhere."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "absent"))
    cache = FileCache(tmp_path / "cache")
    assert cache.get("a") is None
    cache.put("a", b"content")
    assert cache.get("a") == b"content"
    assert FileCache(tmp_path / "cache").get("a") == b"content"
    assert cache.get("b") is None


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps permissions elsewhere")
def test_the_folder_of_a_cache_is_private(tmp_path):
    """Only the user can read the folder."""
    FileCache(tmp_path / "cache").put("a", b"x")
    assert stat.S_IMODE((tmp_path / "cache").stat().st_mode) == 0o700
    assert stat.S_IMODE(next((tmp_path / "cache").iterdir()).stat().st_mode) == 0o600


def test_the_least_recently_used_goes_first(tmp_path):
    """Beyond the limit, the oldest are deleted and recently used ones stay."""
    cache = FileCache(tmp_path, max_bytes=1_000)
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
    """If the folder cannot be written, files are not cached, without an error."""
    (tmp_path / "file").write_text("in the way")
    cache = FileCache(tmp_path / "file")
    cache.put("a", b"x")
    assert cache.get("a") is None


def test_a_file_that_cannot_be_written_leaves_nothing(tmp_path):
    """Where a file cannot be put in its place, the unfinished file is removed, without an error."""
    (tmp_path / "a").mkdir()
    cache = FileCache(tmp_path)
    cache.put("a", b"x")
    assert [each.name for each in tmp_path.iterdir()] == ["a"]


def test_a_tenth_of_the_folder_is_freed(tmp_path):
    """A folder of exactly its size stays; beyond it, files are deleted until nine tenths are used."""
    cache = FileCache(tmp_path, max_bytes=1_000)
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
        "import sys; from inkframe.system.files import FileCache\n"
        "cache = FileCache(sys.argv[1], max_bytes=20_000)\n"
        "for n in range(120):\n"
        "    cache.put(str(n % 40), bytes([n % 40]) * 1000)\n"
        "    found = cache.get(str(n * 7 % 40))\n"
        "    assert found is None or found == bytes([n * 7 % 40]) * 1000\n"
    )
    runs = [subprocess.Popen([sys.executable, "-c", code, tmp_path]) for _ in range(2)]
    assert [run.wait(600) for run in runs] == [0, 0]
    assert not list(tmp_path.glob("*.part"))


def test_the_newest_file_stays_however_large(tmp_path):
    """A file that is larger than the bound stays alone."""
    cache = FileCache(tmp_path, max_bytes=1_000)
    for number in range(3):
        cache.put(str(number), bytes(300))
        os.utime(tmp_path / f"{number}", (number, number))
    cache.put("large", bytes(2_000))
    assert [each.name for each in tmp_path.iterdir()] == ["large"]
