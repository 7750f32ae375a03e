from __future__ import annotations

import os
import time

import pytest

import inkframe
from inkframe.testing import DIALECTS, Faults


@pytest.fixture
def foreign_settings(monkeypatch):
    """Set the address and key of a real service, as in a user's shell."""
    monkeypatch.setenv("INKFRAME_BASE_URL", "https://content.example.com")
    monkeypatch.setenv("INKFRAME_API_KEY", "sk-real")
    monkeypatch.setenv("INKFRAME_ENGINE", "openai")


@pytest.mark.usefixtures("foreign_settings")
def test_the_embedded_service_is_empty_and_never_a_real_one(request):
    """Settings of a real service are ignored: records are created in memory, by the demo engine."""
    client = request.getfixturevalue("inkframe_client")
    assert not {"INKFRAME_BASE_URL", "INKFRAME_API_KEY", "INKFRAME_ENGINE"} & set(os.environ)
    assert "demo service" in repr(client)
    assert len(client.documents.all()) == 0
    made = client.documents.create(name="Kettle", prompt="Product text for a kettle")
    assert list(client.documents.all().index) == [made.id]


def test_the_sample_client_has_records(inkframe_sample_client):
    """The library of the sample client has records."""
    assert len(inkframe_sample_client.images.list()) > 0
    assert len(inkframe_sample_client.documents.list()) > 0


def test_a_misbehaving_service_and_its_client(inkframe_misbehaving, monkeypatch):
    """The factory returns a client that fetches everything despite faults, without waiting."""
    waited = []
    monkeypatch.setattr(time, "sleep", waited.append)
    client, service = inkframe_misbehaving(
        "laravel_resource", records=250, faults=Faults.passing(0.2, seed=1)
    )
    assert sorted(client.images.all().index) == sorted(service.images)
    assert any(request.fault for request in service.requests)
    assert service.generations == 0
    assert service.clock.slept
    assert waited == []


def test_a_lost_reply_is_billed_once(inkframe_misbehaving):
    """As documented, a create with a lost reply raises OutcomeUnknown and can be reconciled."""
    lost = Faults(script={1: "lost_reply"}, where=lambda request: request.method == "POST")
    client, service = inkframe_misbehaving(faults=lost)
    with pytest.raises(inkframe.OutcomeUnknown) as caught:
        client.documents.create(name="Kettle", prompt="Product text for a kettle")
    assert caught.value.reconcile().id == 101
    assert service.generations == 1


def test_services_of_one_test_are_independent(inkframe_misbehaving):
    """The factory can be called again, and accepts all arguments of the service."""
    first = inkframe_misbehaving(next(iter(DIALECTS)), records=3)[1]
    second = inkframe_misbehaving("spring", records=3, documents=5, seed=9)[1]
    assert (len(first.documents), len(second.images), len(second.documents)) == (3, 3, 5)
    assert first.images != second.images
