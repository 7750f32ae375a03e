"""Whole listings as frames: what remains of one that is interrupted."""

from __future__ import annotations

from _thread import interrupt_main

import pytest

import inkframe as ink
from inkframe.frames import origin
from inkframe.testing import FaultyService


@pytest.mark.parametrize("after", [6, 9])
def test_an_interrupted_listing_keeps_its_rows(after):
    """Ctrl-C in ``all`` raises an interrupt with the rows so far, best-effort with the reason."""
    service = FaultyService(images=900, documents=0)
    with ink.Client(service.base_url, service.key, transport=service.transport, concurrency=2) as client:
        armed = [1]
        service.between_replies(
            lambda service: armed and len(service.requests) == after and armed.pop() and interrupt_main()
        )
        with pytest.raises(KeyboardInterrupt) as caught:
            client.images.all()
        error = caught.value
        assert isinstance(error, ink.ListingInterrupted)
        assert 0 < len(error.frame) < 900
        assert error.frame.index.is_unique
        assert set(error.frame.index) <= set(service.images)
        assert error.frame["name"].notna().all()
        assert str(error).startswith(f"{len(error.frame)} images so far")
        assert origin(error.frame)["completeness"] == "best-effort"
        assert "the listing was interrupted" in origin(error.frame)["reasons"]
        assert len(client.images.all()) == 900
