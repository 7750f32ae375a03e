"""Fixtures of creates: the path of a journal, a list in another order, and a disk that is full."""

from contextlib import contextmanager

import httpx
import pytest


@pytest.fixture
def path(tmp_path):
    """Return the path of a journal that does not exist yet."""
    return tmp_path / "journal.jsonl"


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


@pytest.fixture
def oldest_first():
    """Return what lets a service list the oldest records first, whatever is asked for."""

    def answered(request, answer):
        request.url = httpx.URL(str(request.url).replace("sort=desc", "sort=asc"))
        return answer(request)

    return answered
