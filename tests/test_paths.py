"""The folders of the package."""

from __future__ import annotations

import os

import pytest

from inkframe.paths import create_private_folder


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
