"""Services for tests: the embedded service, and one that fails as planned.

inkframe installs a pytest plugin, whose fixtures need no import:

- ``inkframe_client``: a client of the embedded service, empty and in memory.
- ``inkframe_sample_client``: the same with example records.
- ``inkframe_misbehaving``: creates a client and a service that uses a given dialect and fails as planned.

For example, tests of a function ``def favorites(client): ...`` from a notebook::

    import inkframe
    import pytest
    from inkframe.testing import Faults

    def test_favorites_are_counted(inkframe_sample_client):
        assert len(favorites(inkframe_sample_client)) > 0

    def test_favorites_survive_faults(inkframe_misbehaving):
        client, service = inkframe_misbehaving("spring", records=250, faults=Faults.passing(0.2, seed=1))
        expected = [n for n, image in service.images.items() if image["favorite"]]
        assert sorted(favorites(client).index) == expected

    def test_a_lost_reply_is_billed_once(inkframe_misbehaving):
        lost = Faults(script={1: "lost_reply"}, where=lambda request: request.method == "POST")
        client, service = inkframe_misbehaving(faults=lost)
        with pytest.raises(inkframe.OutcomeUnknown):
            client.documents.create(name="Kettle", prompt="Product text for a kettle")
        assert service.generations == 1

Tests do not wait: the service has a virtual clock, which advances only on request. For real sockets and real
time, ``with service.serve() as base_url:`` serves at a local address.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from inkframe.testing.dialects import DIALECTS, ODDITIES, PLATFORMS
    from inkframe.testing.error_forms import ERROR_FORMS, ErrorForm
    from inkframe.testing.exchange import Fault, Reply, SeenRequest
    from inkframe.testing.faults import FAULTS, PASSING, Faults
    from inkframe.testing.faulty_service import FaultyService
    from inkframe.testing.framework_forms import FormRules
    from inkframe.testing.virtual_clock import VirtualClock
    from inkframe.testing.wire_dialect import Answer, Links, Paging, RecordForm, WireDialect

__all__ = [
    "DIALECTS",
    "ERROR_FORMS",
    "FAULTS",
    "ODDITIES",
    "PASSING",
    "PLATFORMS",
    "Answer",
    "ErrorForm",
    "Fault",
    "Faults",
    "FaultyService",
    "FormRules",
    "Links",
    "Paging",
    "RecordForm",
    "Reply",
    "SeenRequest",
    "VirtualClock",
    "WireDialect",
]

#: The module of each name. pytest imports this package in every run, so names are imported on first use.
_HOMES: Final = {
    "DIALECTS": "dialects",
    "ERROR_FORMS": "error_forms",
    "FAULTS": "faults",
    "ODDITIES": "dialects",
    "PLATFORMS": "dialects",
    "PASSING": "faults",
    "Answer": "wire_dialect",
    "ErrorForm": "error_forms",
    "Fault": "exchange",
    "Faults": "faults",
    "FaultyService": "faulty_service",
    "FormRules": "framework_forms",
    "Links": "wire_dialect",
    "Paging": "wire_dialect",
    "RecordForm": "wire_dialect",
    "Reply": "exchange",
    "SeenRequest": "exchange",
    "VirtualClock": "virtual_clock",
    "WireDialect": "wire_dialect",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
