"""The next page stands beside the records, under whatever name: an address of this list, or a token."""

import pytest
from tests.answering import facts
from tests.services import FaultyService, Links, Paging, drawn

COUNT = 431
NUMBERS = Paging(parameter="seite")
TOKENS = Paging(by="cursor", parameter="zeiger")
BOTH = {"data": "$rows", "erste": "$first_url", "diese": "$self_url", "letzte": "$last_url"}


def listed(listing, paging, count=COUNT, **options):
    """Return all images, the level, the reasons, and the requests."""
    service = FaultyService(drawn(listing, paging=paging, **options), images=count)
    with service.client() as client:
        frame = client.images.all()
    assert set(frame.index) <= set(service.images)
    return len(frame), *facts(frame), service.requests


@pytest.mark.parametrize("form", ["absolute", "path", "query", "insecure", "elsewhere"])
@pytest.mark.parametrize("paging", [NUMBERS, TOKENS], ids=["numbers", "tokens"])
@pytest.mark.parametrize(
    "around",
    [
        {"weiter": "$next_url"},
        {"blaettern": {"vorwaerts": "$next_url"}},
        {"liens": [{"sens": "suite", "adresse": "$next_url"}]},
        {"weiter": {"ziel": "$next_url", "methode": "GET"}, "hilfe": "https://service.test/help?seite=7"},
    ],
    ids=["word", "object", "list", "beside another"],
)
def test_an_address_under_any_name_leads_on(around, paging, form):
    """What it adds to the request is the parameter of the next page."""
    count, _, _, requests = listed({"data": "$rows"} | around, paging, links=Links(form=form))
    assert count == COUNT
    assert not any(request.query.keys() & {"page", "offset", "_page"} for request in requests)


@pytest.mark.parametrize("around", [{}, {"weiter": "$next_url"}])
def test_of_several_addresses_the_numbers_tell_the_parameter(around):
    """The first, this and the last page are no next page, but are requested by the same parameter."""
    assert listed(BOTH | around, NUMBERS)[0] == COUNT


def test_the_addresses_of_a_single_page_lead_nowhere():
    """The first page is the last one, too, so that nothing else is requested."""
    count, level, _, requests = listed(BOTH | {"total": "$total"}, NUMBERS, 30)
    assert (count, level) == (30, "exact")
    assert len(requests) <= 4


@pytest.mark.parametrize("name", ["bookmark", "fortsetzungs_token", "scroll_cursor"])
def test_a_token_under_any_name_leads_on(name):
    """It is sent under the name that it has."""
    paging = Paging(by="cursor", parameter=name)
    assert listed({"data": "$rows", name: "$next_token", "status": "ok"}, paging)[0] == COUNT


def test_other_texts_beside_the_records_are_no_token():
    """A list that says nothing of its end ends as before, with no further request."""
    listing = {
        "data": "$rows",
        "total": "$total",
        "current_page": "$number",
        "last_page": "$last_number",
        "request_id": "req_9f3a77c1",
        "docs": "https://service.test/help?page=1",
    }
    count, level, _, requests = listed(listing, Paging(), 29)
    assert (count, level, len(requests)) == (29, "exact", 1)
