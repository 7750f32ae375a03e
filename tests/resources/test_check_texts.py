"""Every row of the check of a service with its evidence, recorded for services that differ in one thing."""

from dataclasses import replace

import pytest
from tests.services import FaultyService
from tests.services.dialects.laravel import RESOURCE

import inkframe as ink

pytestmark = pytest.mark.integration

SERVICES = {
    "as the interface": {},
    "few records": {"images": 3, "documents": 2},
    "no records": {"images": 0, "documents": 0},
    "no look": {"dialect": replace(RESOURCE, ignores=("style", "template_id", "favorite"))},
    "no order": {"dialect": replace(RESOURCE, ignores=("sort", "sort_by", "per_page"))},
    "no search": {"dialect": replace(RESOURCE, ignores=("search", "search_by"))},
    "no pages": {"dialect": replace(RESOURCE, ignores=("page",))},
    "less in lists": {"dialect": replace(RESOURCE, record=replace(RESOURCE.record, list_omits=("result", "style")))},
    "fewer fields": {"dialect": replace(RESOURCE, record=replace(RESOURCE.record, omits=("filter", "created_at")))},
}  # fmt: skip


@pytest.mark.parametrize("name", SERVICES)
def test_every_row_is_as_recorded(recorded, name):
    """Each row holds, fails or is unknown with the same evidence."""
    options = {"images": 60, "documents": 60} | SERVICES[name]
    service = FaultyService(options.pop("dialect", RESOURCE), **options)
    with ink.Client(service.base_url, service.key, transport=service.transport) as client:
        frame = client.check(write=name == "as the interface").frame
    lines = [" | ".join(map(str, row)) for row in frame.itertuples(index=False)]
    recorded(name, lines)
