"""Fixtures of creates: a disk that is full."""

from contextlib import contextmanager

import pytest


@pytest.fixture
def full_disk():
    """Return a context in which no file grows beyond the size of a file and some bytes."""
    resource = pytest.importorskip("resource", reason="needs a limit of the file size")

    @contextmanager
    def limit(path, beyond):
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + beyond, limits[1]))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)

    return limit
