"""The examples of the README, run as they stand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.services import FaultyService

import inkframe as ink

README = Path(__file__).parents[1] / "README.md"


@pytest.mark.integration
def test_the_examples_run_on_a_service_that_bills(tmp_path, monkeypatch):
    """Nobody has to add a confirmation, or anything else, to an example that is copied from it."""
    service = FaultyService(images=6, documents=6)
    client = ink.Client(service.base_url, service.key, transport=service.transport)
    assert client.creations_are_billed
    monkeypatch.setattr(ink, "connect", lambda: client)
    monkeypatch.setenv("MPLBACKEND", "agg")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    blocks = re.findall(r"```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    assert len(blocks) >= 4
    for block in blocks:
        exec(block, names)  # noqa: S102  # our own examples
    assert service.generations > 75
    names["job"].result(30)
    client.close()
