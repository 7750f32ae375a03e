"""Every response format without configuration: each operation and each fault of the README."""

import os
from functools import cache

import pytest
from tests.services import DIALECTS, ODDITIES, Faults, FaultyService

import inkframe
from inkframe.listing.paging import PROBES

RECORDS = 237
#: The fault columns of the table in the README, each with its faults.
FAULT_COLUMNS = {
    "429": ("limited", "limited_bare", "limited_date", "limited_milliseconds"),
    "5xx": ("server_error", "bad_gateway", "unavailable", "maintenance"),
    "reset": ("lost_request", "lost_reply", "hung_up", "refused"),
    "cut short": ("truncated", "reset_in_body", "half_json"),
    "cut gzip": ("cut_gzip", "false_gzip"),
    "HTML": ("html",),
}
OPERATIONS = ("list", "all", "get", "create", "update", "delete")
#: Read on import: the settings are removed from the environment of tests.
WRITE = bool(os.environ.get("INKFRAME_WRITE_FORMATS"))
BEGIN, END = "<!-- dialects -->", "<!-- /dialects -->"


#: A few templates show as much as all 52, with fewer requests.
TEMPLATES = inkframe.Vocabulary().replace(templates=inkframe.Vocabulary().all_templates[:5])


@cache
def service_and_client(dialect):
    service = FaultyService(dialect, images=RECORDS, documents=60, vocabulary=TEMPLATES)
    client = service.client(vocabulary=TEMPLATES)
    return service, client


@pytest.fixture
def opened(dialect):
    """Return the service and the client of a dialect, which its tests share."""
    return service_and_client(dialect)


@pytest.fixture(scope="session")
def table(project):
    """Collect what passed, and compare it with the README or write it there."""
    passed = {}
    yield passed
    if set(passed) != {(d, c) for d in DIALECTS for c in (*OPERATIONS, *FAULT_COLUMNS)}:
        return  # the table needs all tests
    columns = (*OPERATIONS, *FAULT_COLUMNS)
    lines = [f"| dialect | {' | '.join(columns)} |", f"|---|{'---|' * len(columns)}"]
    for dialect in DIALECTS:
        marks = ["✓" if passed[dialect, column] else "✗" for column in columns]
        lines.append(f"| {dialect} | {' | '.join(marks)} |")
    written = f"{BEGIN}\n{chr(10).join(lines)}\n{END}"
    readme = project / "tests/listing/response_formats.md"
    text = readme.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    if WRITE:
        readme.write_text(before + written + after, encoding="utf-8")
    else:
        assert written in text, "the table of response formats is out of date: set INKFRAME_WRITE_FORMATS=1"


@pytest.fixture
def record_outcome(request, table):
    key = request.node.callspec.params["dialect"], request.node.callspec.params["column"]
    table[key] = False
    yield
    table[key] = True


def assert_equal_to_service(frame, service, numbers, collection="images"):
    """Assert that every row and column of the frame equals the records of the service."""
    held = {str(service.public_id(n)): getattr(service, collection)[n] for n in numbers}
    assert sorted(map(str, frame.index)) == sorted(held)
    assert frame.index.is_unique
    expected = [held[id] for id in map(str, frame.index)]
    for column in ("name", "description", "resolution", "style", "medium", "filter", "prompt", "result"):
        if column in frame.columns and expected and column in expected[0]:
            shown = frame[column].astype(object).where(frame[column].notna(), None)
            assert shown.tolist() == [record[column] for record in expected], column
    assert frame["favorite"].tolist() == [bool(record["favorite"]) for record in expected]
    seconds = frame["created_at"].astype("int64") // 10**6
    assert seconds.tolist() == [int(record["created_at"]) for record in expected]


def check_list(service, client):
    frame = client.images.list(per_page=25)
    assert len(frame) == 25 or service.dialect.name == "drf_unpaginated"
    newest = sorted(service.images)[-len(frame) :]
    assert_equal_to_service(frame, service, newest)
    if service.dialect.name != "drf_unpaginated":
        assert_equal_to_service(
            client.images.list(per_page=25, page=2), service, sorted(service.images)[-50:-25]
        )
    anime = [n for n, image in service.images.items() if image["style"] == "anime"]
    assert len(client.images.list(style="anime", per_page=100)) == len(anime)


def check_all(service, client):
    before = len(service.requests)
    frame = client.images.all()
    assert_equal_to_service(frame, service, list(service.images))
    assert len(service.requests) - before <= 10
    assert_equal_to_service(client.documents.all(), service, list(service.documents), "documents")


def check_get(service, client):
    number = min(service.images)
    image = client.images.get(service.public_id(number))
    assert image.name == service.images[number]["name"]
    with pytest.raises(inkframe.NotFound):
        client.images.get("no-such-id-7")


def check_create(service, client):
    before = service.generations
    image = client.images.create(name="Pier", description="a pier", resolution="512x512", style="anime")
    assert (image.name, image.style, image.medium) == ("Pier", "anime", None)
    assert image.picture.size[0] > 0 or service.dialect.name == "laravel_mirrored"
    document = client.documents.create(name="Tea", prompt="About tea", creativity="Creative")
    assert (document.prompt, document.creativity) == ("About tea", 0.75)
    assert document.result
    assert service.generations == before + 2


def check_update(service, client):
    number = sorted(service.documents)[1]
    document = client.documents.update(
        service.public_id(number), name="New name", result="New", favorite=True
    )
    assert (document.name, document.result, document.favorite) == ("New name", "New", True)
    assert service.documents[number]["result"] == "New"
    assert client.documents.update(document, favorite=False).favorite is False


def check_delete(service, client):
    record = service.insert("images", name="gone soon")
    client.images.delete(service.public_id(record["id"]))
    assert record["id"] not in service.images


CHECKS = dict(
    zip(OPERATIONS, (check_list, check_all, check_get, check_create, check_update, check_delete), strict=True)
)


@pytest.mark.parametrize("column", OPERATIONS)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_operation_works_in_every_dialect(dialect, column, opened, record_outcome):
    """Without configuration an operation returns exactly the records of the service."""
    if dialect == "laravel_mirrored" and column == "create":
        # Its pictures are on another host, which tests cannot reach; test_secrets covers the key.
        _, client = opened
        assert client.images.create(name="Pier", description="a pier", resolution="512x512").name == "Pier"
        return
    CHECKS[column](*opened)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_pins_of_the_description_describe_the_dialect(dialect):
    """A client with the pins that the description of another prints reads the same records."""
    service = FaultyService(dialect, images=57, documents=12, vocabulary=TEMPLATES)
    with service.client(vocabulary=TEMPLATES) as client:
        client.images.all()
        client.documents.all()
        client.documents.update(service.public_id(1), favorite=True)
        lines = "\n".join(client.describe().pins.values())
    with service.client(vocabulary=TEMPLATES) as client:
        exec(lines, {"client": client, "ink": inkframe})  # noqa: S102  # the lines that a user pastes
        assert_equal_to_service(client.images.all(), service, list(service.images))
        assert_equal_to_service(client.documents.all(), service, list(service.documents), "documents")
        assert client.documents.get(service.public_id(1)).favorite is True
        assert client.documents.update(service.public_id(2), name="New").name == "New"


@pytest.mark.parametrize("column", FAULT_COLUMNS)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_fault_is_handled_in_every_dialect(dialect, column, opened, record_outcome):
    """A full listing is complete although a third of the replies have this fault."""
    rates = dict.fromkeys(FAULT_COLUMNS[column], 0.33 / len(FAULT_COLUMNS[column]))
    service, client = opened
    service.plan(Faults(rates=rates, seed=7))
    try:
        frame = client.images.all()
    finally:
        service.plan(None)
    assert sorted(map(str, frame.index)) == sorted(str(service.public_id(n)) for n in service.images)


@pytest.mark.parametrize("dialect", [name for name in ODDITIES if name.startswith("past_end")])
def test_a_listing_ends_after_the_last_page(dialect):
    """Whatever a service returns past the end, a listing needs one request more than there are pages."""
    service = FaultyService(dialect, images=RECORDS)
    with service.client() as client:
        frame = client.images.all()
    assert len(frame) == RECORDS
    assert len(service.requests) <= 3 + 1


@pytest.mark.parametrize("dialect", ["page_ignored", "page_ignored_counted"])
def test_a_service_that_ignores_paging_is_not_taken_as_complete(dialect):
    """A repeated page is reported as the only page; other parameters are tried once."""
    service = FaultyService(dialect, images=RECORDS)
    with service.client() as client:
        found = client.images.all().attrs["inkframe"]
        first = len(service.requests)
        client.images.all()
    assert found["completeness"] == "best-effort"
    assert "one page only" in found["reasons"][0]
    assert first <= 2 + PROBES + 1
    assert len(service.requests) - first == 1 + ("counted" in dialect)


def test_an_ignored_template_filter_needs_one_listing():
    """Records listed for two templates are listed once, without a template, and with the reason."""
    service = FaultyService("template_ignored", documents=120)
    with service.client() as client:
        frame = client.documents.all()
    assert len(frame) == 120
    assert "ignores template_id" in frame.attrs["inkframe"]["reasons"][0]
    assert len(service.requests) < 20


@pytest.mark.parametrize(
    "dialect", ["size_ignored", "size_clamped", "sort_ignored", "names_unstable", "list_brief"]
)
def test_odd_services_are_listed_whole(dialect):
    """Unexpected page sizes and orders lose nothing."""
    service = FaultyService(dialect, images=RECORDS)
    with service.client() as client:
        assert len(client.images.all(sort_by="name", sort="asc")) == RECORDS
