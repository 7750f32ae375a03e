"""Services for tests, in every response format, that fail as planned.

For example, with the fixture ``misbehaving``::

    def test_favorites_survive_faults(misbehaving):
        client, service = misbehaving("spring", records=250, faults=Faults.passing(0.2, seed=1))
        expected = [n for n, image in service.images.items() if image["favorite"]]
        assert sorted(favorites(client).index) == expected

Tests do not wait: the service has a virtual clock, which advances only on request. For real sockets and real
time, ``with service.serve() as base_url:`` serves at a local address. It has its own account of the
interface, apart from ``inkframe.schema``, so that a mistake of both shows.
"""

from tests.services.accounts import Accounts
from tests.services.dialects import DIALECTS, FAMOUS, ODDITIES, PLATFORMS
from tests.services.error_forms import ERROR_FORMS, ErrorForm
from tests.services.exchange import Fault, Reply, SeenRequest
from tests.services.faults import FAULTS, PASSING, Faults
from tests.services.faulty_service import FaultyService, one_list
from tests.services.framework_forms import FormRules
from tests.services.virtual_clock import VirtualClock
from tests.services.wire_dialect import Answer, Links, Paging, RecordForm, WireDialect, drawn

__all__ = [
    "DIALECTS",
    "ERROR_FORMS",
    "FAMOUS",
    "FAULTS",
    "ODDITIES",
    "PASSING",
    "PLATFORMS",
    "Accounts",
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
    "drawn",
    "one_list",
]
