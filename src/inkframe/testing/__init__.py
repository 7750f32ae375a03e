"""Services for your tests: the embedded one, and one that misbehaves by plan.

A pytest plugin is installed with inkframe. Its fixtures need no import:

- ``inkframe_client``: a client of the embedded service, empty, in memory.
- ``inkframe_sample_client``: the same with example records.
- ``inkframe_misbehaving``: makes a client and a service that speaks a given dialect and fails as planned.

A function of a notebook, such as ``def favourites(client): ...``, is tested like this::

    import inkframe
    import pytest
    from inkframe.testing import Faults

    def test_favourites_are_counted(inkframe_sample_client):
        assert len(favourites(inkframe_sample_client)) > 0

    def test_favourites_survive_bad_weather(inkframe_misbehaving):
        client, service = inkframe_misbehaving("spring", records=250, faults=Faults.weather(0.2, seed=1))
        expected = [n for n, image in service.images.items() if image["favorite"]]
        assert sorted(favourites(client).index) == expected

    def test_a_lost_reply_is_paid_for_once(inkframe_misbehaving):
        lost = Faults(script={1: "lost_reply"}, where=lambda request: request.method == "POST")
        client, service = inkframe_misbehaving(faults=lost)
        with pytest.raises(inkframe.OutcomeUnknown):
            client.documents.create(name="Kettle", prompt="Product text for a kettle")
        assert service.generations == 1

Nothing waits: the service has a clock of its own that passes only when somebody asks it to. Where real
sockets matter, ``with service.serve() as base_url:`` gives an address on this machine, where time is real.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from inkframe.testing.clock import Clock
    from inkframe.testing.dialect import Answer, Links, Paging, RecordForm, WireDialect
    from inkframe.testing.dialects import DIALECTS, ODDITIES
    from inkframe.testing.error_forms import ERROR_FORMS, ErrorForm
    from inkframe.testing.exchange import Reply
    from inkframe.testing.faults import FAULTS, WEATHER, Fault, Faults
    from inkframe.testing.form import FormRules
    from inkframe.testing.request import SeenRequest
    from inkframe.testing.service import FaultyService

__all__ = [
    "DIALECTS",
    "ERROR_FORMS",
    "FAULTS",
    "ODDITIES",
    "WEATHER",
    "Answer",
    "Clock",
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
    "WireDialect",
]

# pytest imports this room in every run on the machine, so names are found when they are first used.
_HOMES: Final = {
    "Clock": "clock",
    "Answer": "dialect",
    "Links": "dialect",
    "Paging": "dialect",
    "RecordForm": "dialect",
    "WireDialect": "dialect",
    "DIALECTS": "dialects",
    "ODDITIES": "dialects",
    "FAULTS": "faults",
    "WEATHER": "faults",
    "Fault": "faults",
    "Faults": "faults",
    "FormRules": "form",
    "ERROR_FORMS": "error_forms",
    "ErrorForm": "error_forms",
    "Reply": "exchange",
    "SeenRequest": "request",
    "FaultyService": "service",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
