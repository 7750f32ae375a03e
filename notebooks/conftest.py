"""``pytest --nbmake notebooks`` runs each notebook on a sample library of its own, and leaves no file behind."""

import os
import shutil
from pathlib import Path

import pytest
from nbmake.pytest_plugin import pytest_addoption, pytest_collect_file  # noqa: F401
from tests.conftest import pytest_configure, pytest_runtestloop  # noqa: F401

from inkframe.service import Service


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Copy the sample library, which the first notebook makes."""
    sample, own = Path.home() / "sample.db", Path.home() / item.path.stem
    if not sample.exists():
        with Service(sample) as service:
            service.sample()
    own.mkdir()
    os.environ["INKFRAME_HOME"] = str(own)
    shutil.copy(sample, own / "library.db")
