"""The rule of CI that no test is skipped."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest


@pytest.mark.parametrize(("value", "outcome"), [("1", "1 failed"), ("", "1 skipped")])
def test_a_skipped_test_fails_if_skips_are_not_allowed(project, tmp_path, value, outcome):
    """With INKFRAME_NO_SKIPS a test that is skipped while it runs fails, although fixtures remove variables."""
    (tmp_path / "tests").mkdir()
    shutil.copytree(project / "tests" / "services", tmp_path / "tests" / "services")
    for path in (project / "tests").glob("[!t]*.py"):  # its fixtures, without tests
        (tmp_path / "tests" / path.name).write_bytes(path.read_bytes())
    (tmp_path / "tests" / "test_one.py").write_text(
        "import pytest\ndef test_one():\n    pytest.skip('a browser is missing')\n", encoding="utf-8"
    )
    options = ["-q", "-p", "no:cacheprovider", "--import-mode=importlib", f"--rootdir={tmp_path}"]
    command = [sys.executable, "-m", "pytest", *options, "tests"]
    environment = os.environ | {"INKFRAME_NO_SKIPS": value}
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=600, check=False
    )
    assert outcome in done.stdout, done.stdout
