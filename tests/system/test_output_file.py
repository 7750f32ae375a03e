"""Write files completely or not at all."""

import errno
import os
import stat

import pytest

from inkframe.errors import InvalidArgument
from inkframe.system.files import check_file, write_file


def test_files_are_overwritten_only_on_request(tmp_path):
    """An existing file is kept, or replaced with ``overwrite=True``."""
    path = write_file(tmp_path / "new" / "folder", "a.md", b"one")
    with pytest.raises(InvalidArgument, match="overwrite=True"):
        write_file(path.parent, "a.md", b"two")
    assert path.read_bytes() == b"one"
    assert write_file(path.parent, "a.md", b"two", overwrite=True).read_bytes() == b"two"
    assert [each.name for each in path.parent.iterdir()] == ["a.md"]


@pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")
def test_links_are_not_followed(tmp_path):
    """A link in the folder is never followed when writing."""
    outside = tmp_path / "outside.md"
    outside.write_bytes(b"mine")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a.md").symlink_to(outside)
    (folder / "dangling.md").symlink_to(tmp_path / "not yet")
    for name in ("a.md", "dangling.md"):
        with pytest.raises(InvalidArgument):
            write_file(folder, name, b"theirs")
    assert not write_file(folder, "a.md", b"theirs", overwrite=True).is_symlink()
    assert outside.read_bytes() == b"mine"
    assert not (tmp_path / "not yet").exists()


@pytest.mark.parametrize("name", ["../x", "a/b", "a\\b", "..", ".", "", "C:x", "a\0b"])
def test_names_with_a_path_are_refused(tmp_path, name):
    """Only plain file names are accepted."""
    with pytest.raises(InvalidArgument):
        write_file(tmp_path / "in", name, b"x")
    assert not list(tmp_path.rglob("*x*"))


@pytest.mark.skipif(os.name == "nt", reason="Windows has no mask")
def test_files_have_default_permissions(tmp_path):
    """An exported file has the default permissions of the user."""
    before = os.umask(0o027)
    try:
        assert stat.S_IMODE(write_file(tmp_path, "a.md", b"x").stat().st_mode) == 0o640
    finally:
        os.umask(before)


def test_a_file_with_our_mark_is_replaced(tmp_path):
    """A file that is ours is replaced without asking; another one, and any link, is not."""

    def is_ours(path):
        return path.read_bytes().startswith(b"ours")

    path = write_file(tmp_path, "a.md", b"ours 1", ours=is_ours)
    assert write_file(tmp_path, "a.md", b"theirs", ours=is_ours) == path
    assert path.read_bytes() == b"theirs"
    with pytest.raises(InvalidArgument, match="already exists"):
        check_file(tmp_path, "a.md", ours=is_ours)
    with pytest.raises(InvalidArgument, match="already exists"):
        write_file(tmp_path, "a.md", b"ours 2", ours=is_ours)
    path.write_bytes(b"ours 3")
    (tmp_path / "link.md").symlink_to(path)
    with pytest.raises(InvalidArgument, match="already exists"):
        write_file(tmp_path, "link.md", b"ours 4", ours=is_ours)
    assert path.read_bytes() == b"ours 3"


@pytest.mark.parametrize("before", [None, b"ours"])
@pytest.mark.parametrize("failure", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()])
def test_no_half_file_stays(tmp_path, before, failure):
    """An error or an interrupt while writing leaves the old file, or none, and nothing beside it."""
    if before is not None:
        (tmp_path / "a.md").write_bytes(before)

    def fail(file):
        file.write(b"half")
        raise failure

    kind = InvalidArgument if isinstance(failure, OSError) else KeyboardInterrupt
    with pytest.raises(kind) as caught:
        write_file(tmp_path, "a.md", fail, overwrite=True)
    if kind is InvalidArgument:
        assert str(caught.value).startswith(f"a.md cannot be written to {tmp_path}: No space left on device.")
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [before][: before is not None]


def test_an_open_file_that_cannot_be_replaced_is_our_error(tmp_path, monkeypatch):
    """Where the system does not replace an open file, as Windows, the error says to close it, and it is kept."""
    path = write_file(tmp_path, "a.md", b"one")

    def refuse(*_):
        raise PermissionError(errno.EACCES, "Access is denied")

    monkeypatch.setattr(os, "rename", refuse)
    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(InvalidArgument, match=r"Access is denied\.\nClose the file in other programs"):
        write_file(tmp_path, "a.md", b"two", overwrite=True)
    assert [each.read_bytes() for each in tmp_path.iterdir()] == [b"one"]
    assert path.exists()


def test_a_full_disk_is_our_error(tmp_path, full_disk):
    """What the system refuses to write is an error with the reason, and no part of the file stays."""
    with (
        full_disk(),
        pytest.raises(InvalidArgument, match=r"^a\.md cannot be written to .*: File too large\."),
    ):
        write_file(tmp_path, "a.md", b"x" * 10_000)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_a_file_is_our_error(tmp_path):
    """A folder that cannot be created is an error with the reason."""
    (tmp_path / "file").touch()
    with pytest.raises(InvalidArgument, match="cannot be written to"):
        write_file(tmp_path / "file" / "folder", "a.md", b"x")


def test_a_file_that_appears_meanwhile_is_kept(tmp_path):
    """Of two programs that write the same new file, the second one is refused."""

    def write(file):
        (tmp_path / "a.md").write_bytes(b"first")
        file.write(b"second")

    with pytest.raises(InvalidArgument, match="already exists"):
        write_file(tmp_path, "a.md", write)
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"first"]


def test_a_file_system_without_links(tmp_path, monkeypatch):
    """A new file is moved where there are no hard links, and an existing one is still kept."""

    def refuse(*_):
        raise PermissionError

    monkeypatch.setattr(os, "link", refuse)
    path = write_file(tmp_path, "a.md", b"one")
    assert path.read_bytes() == b"one"

    def write(file):
        (tmp_path / "b.md").write_bytes(b"first")

    with pytest.raises(InvalidArgument, match="already exists"):
        write_file(tmp_path, "b.md", write)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.md", "b.md"]
