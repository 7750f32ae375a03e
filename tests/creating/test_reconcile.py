"""Lost creates and ``ensure`` on services that change, hide or misplace what was sent."""

import os
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qsl

import httpx
import pytest
from tests.services import Faults, FaultyService, one_list

import inkframe

HOST = "https://service.test"
KETTLE = {
    "name": "The Quiet Kettle, second draft",
    "prompt": "Product text for a kettle.",
    "creativity": 0.25,
}
LAMP = {"name": "The Desk Lamp, second draft!", "prompt": "Product text for a desk lamp.", "creativity": 0.75}
#: Changes that services make, by name.
CHANGES = {
    "truncated": lambda fields: fields | {"name": fields["name"][:10]},
    "ellipsis": lambda fields: fields | {"name": f"{fields['name'][:12]}…"},
    "lower case": lambda fields: fields | {"name": fields["name"].lower()},
    "slug": lambda fields: fields | {"name": fields["name"].lower().replace(",", "").replace(" ", "-")},
    "rounded": lambda fields: fields | {"creativity": round(float(fields["creativity"]), 1)},
    "tags": lambda fields: fields | {"prompt": f"<p>{fields['prompt']}</p>"},
    "own name": lambda fields: fields | {"name": "Document"},
}


def faulty(change=None, *, before=0, **more):
    """Return a service with documents in one list, which stores fields with a change."""
    store = (
        None
        if change is None
        else lambda fields: CHANGES[change]({**KETTLE, **fields}) if "name" in fields else fields
    )
    return one_list(before, stores=store, **more)


def elsewhere():
    """Continue on another machine, which has no journal."""
    os.environ["INKFRAME_HOME"] += "-elsewhere"


@pytest.mark.integration
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("shown", [True, False], ids=["after another", "first"])
def test_a_lost_create_is_never_paid_twice(change, shown):
    """On a service that changes values, a row whose reply was lost is found or unknown, and never sent again."""
    service = faulty(change, before=3)
    with service.client() as client:
        if shown:
            client.documents.create_many([LAMP], progress=False)
        service.lose("lost_reply")
        runs = client.documents.create_many([KETTLE], progress=False)
        assert set(runs["status"]) <= {"created", "unknown"}
    for _ in range(2):
        with service.client() as client:
            again = client.documents.create_many([LAMP, KETTLE] if shown else [KETTLE], progress=False)
            assert set(again["status"]) <= {"existing", "unknown"}
            assert again["id"].dropna().isin(number for _, number in service.created).all()
    assert service.generations == 1 + shown


@pytest.mark.parametrize("change", ["truncated", "lower case", "slug", "rounded", "tags"])
def test_a_changed_record_is_found_once_the_change_was_seen(change):
    """After another record has shown how the service changes a field, a lost one is found by the same change."""
    service = faulty(change, before=3)
    with service.client() as client:
        client.documents.create(**LAMP)
        service.lose("lost_reply")
        with pytest.raises(inkframe.OutcomeUnknown) as caught:
            client.documents.create(**KETTLE)
        assert caught.value.reconcile().id == service.created[-1][1]
        assert caught.value.doubt is None


@pytest.mark.integration
def test_a_batch_reports_what_the_service_changed():
    """The error of a created row has the values that the service stored instead, also after a lost reply."""
    service = faulty("truncated", before=3)
    with service.client() as client:
        runs = client.documents.create_many([LAMP], progress=False)
        assert runs["status"].tolist() == ["created"]
        assert runs["error"].tolist() == ["The service stored name='The Desk L' instead."]
        service.lose("lost_reply")
        runs = client.documents.create_many([KETTLE], progress=False)
        assert runs["status"].tolist() == ["created"]
        assert runs["error"].tolist() == ["The service stored name='The Quiet ' instead."]


@pytest.mark.integration
def test_a_name_that_is_in_many_names_is_not_taken_for_another(clocks):
    """A row that was not received stays unknown although more than a page of other names contain its own."""
    service = FaultyService(images=0, documents=0)
    rows = [
        {"name": f"Kettle {number}", "description": "A kettle.", "resolution": "256x256"}
        for number in (1, *range(1000, 1150))
    ]
    service.plan(
        Faults(script={1: "lost_request"}, where=lambda request: request.form.get("name") == "Kettle 1")
    )
    with service.client() as client:
        client.images.create_many(rows, confirm=len(rows), progress=False)
        clocks.let_pass()
        runs = client.images.create_many(rows, progress=False)
    assert runs["status"].tolist() == ["unknown", *["existing"] * (len(rows) - 1)]
    assert service.generations == len(rows) - 1


def test_reconcile_says_when_it_cannot_tell(capsys):
    """None may mean that the record exists in another form: a line is printed, and ``doubt`` has the reason."""
    service = faulty("own name", before=3)
    service.lose("lost_reply")
    with service.client() as client:
        with pytest.raises(inkframe.OutcomeUnknown) as caught:
            client.documents.create(**KETTLE)
        assert caught.value.reconcile() is None
    assert caught.value.doubt
    assert caught.value.doubt in capsys.readouterr().out
    assert service.generations == 1


def test_reconcile_finds_the_same_record_each_time():
    """A record that was found is not taken for one of another create in a second search."""
    service = faulty()
    service.lose("lost_reply")
    with service.client() as client:
        with pytest.raises(inkframe.OutcomeUnknown) as caught:
            client.documents.create(**KETTLE)
        client.documents.list()
        assert [caught.value.reconcile().id for _ in range(3)] == [1, 1, 1]


@pytest.mark.integration
def test_two_lost_creates_are_not_given_one_record():
    """Equal creates whose replies were lost are found as different records, and a third is not found."""
    service = faulty()
    service.lose("lost_reply", "lost_reply", "lost_request")
    errors = []
    with service.client() as client:
        for _ in range(3):
            with pytest.raises(inkframe.OutcomeUnknown) as caught:
                client.documents.create(**KETTLE)
            errors.append(caught.value)
        found = [error.reconcile() for error in errors]
    assert {found[0].id, found[1].id} == {1, 2}
    assert found[2] is None


class Shelf:
    """A service whose records are written by a function, in one list, with a search by stored name.

    Args:
        write: Returns a stored record as it is shown.
        drop: The numbers of the creates whose replies are lost.
    """

    def __init__(self, write, drop=()):
        self.write = write
        self.drop = set(drop)
        self.stored = []
        self.posts = 0

    def __call__(self, request):
        """Return the reply to a request."""
        if request.method == "POST":
            self.posts += 1
            self.stored.append(dict(parse_qsl(request.content.decode())) | {"id": len(self.stored) + 1})
            if self.posts in self.drop:
                raise httpx.ReadError("reset")
            return httpx.Response(201, json=self.write(self.stored[-1]))
        last = request.url.path.rpartition("/")[2]
        if last.isdigit():
            return httpx.Response(200, json=self.write(self.stored[int(last) - 1]))
        text = request.url.params.get("search", "")
        found = [self.write(each) for each in reversed(self.stored) if text in each["name"]]
        return httpx.Response(200, json={"data": found, "total": len(found)})

    def documents(self, dialect=None, key="key"):
        """Return the documents of a new client."""
        documents = inkframe.Client(HOST, key, transport=httpx.MockTransport(self), max_retries=0).documents
        if dialect is not None:
            documents.dialect = dialect
        return documents


def titled(record):
    return {"id": record["id"], "channel_title": "Ann", "title": {"raw": record["name"], "rendered": f"<b>{record['name']}</b>"},
            "prompt": record["prompt"], "creativity": record["creativity"], "template_id": 3}  # fmt: skip


@pytest.mark.integration
@pytest.mark.parametrize("first", ["first-key", "second-key"])
def test_a_lost_create_of_another_key_is_no_less_a_doubt_where_an_older_record_is_gone(first):
    """Keys may be of one account: what the other one may have created is not created again, though a list lacks it."""
    shelf = Shelf(dict, drop={2})
    documents = {key: shelf.documents(key=key) for key in ("first-key", "second-key")}
    assert documents["first-key"].ensure(**KETTLE).id == 1
    shelf.stored = [{"id": 1, **LAMP}]  # it was emptied, and gives its ids again
    with pytest.raises(inkframe.OutcomeUnknown):
        documents["second-key"].ensure(**KETTLE)
    shelf.stored.pop()  # a list that lags
    with pytest.raises(inkframe.OutcomeUnknown, match="nothing was created"):
        shelf.documents(key=first).ensure(**KETTLE)
    assert shelf.posts == 2


@pytest.mark.integration
def test_ensure_refuses_a_service_without_names_and_names_the_pin():
    """Where records show a title and no name, nothing is created, and the pinned key makes ensure work."""
    shelf = Shelf(titled)
    shelf.stored = [{"id": 1, **KETTLE}, {"id": 2, **LAMP}]
    for _ in range(5):
        elsewhere()
        with pytest.raises(inkframe.ConfigurationError) as caught:
            shelf.documents().ensure(**KETTLE)
        assert "client.documents.dialect = ink.Dialect(fields={'name': 'title.raw'})" in str(caught.value)
        assert len(str(caught.value).splitlines()) <= 3
    assert shelf.posts == 0
    pinned = inkframe.Dialect(fields={"name": "title.raw"})
    assert shelf.documents(pinned).ensure(**KETTLE).id == 1
    assert shelf.documents(pinned).ensure(**KETTLE | {"name": "Another"}).id == 3


@pytest.mark.integration
def test_ensure_names_a_setting_that_was_not_compared(capsys):
    """A record whose setting the service does not show is returned, with a line that it may have another value."""
    shelf = Shelf(lambda stored: {name: value for name, value in stored.items() if name != "creativity"})
    shelf.stored.append(KETTLE | {"id": 1})
    assert shelf.documents().ensure(**KETTLE | {"creativity": 0}).id == 1
    said = capsys.readouterr().out
    assert "Document 1: The service does not show its creativity, which may differ.\n" in said
    shelf.write = dict
    elsewhere()
    shelf.documents().ensure(**KETTLE)
    assert "does not show" not in capsys.readouterr().out


@pytest.mark.integration
def test_a_lost_create_on_a_service_without_names_is_unknown():
    """A field that the service does not show proves nothing, in a batch as well."""
    shelf = Shelf(titled, drop=[2])
    for _ in range(3):
        runs = shelf.documents().create_many([LAMP, KETTLE], progress=False)
        assert (runs["status"] == "unknown").sum() == 1
    assert shelf.posts == 2


@pytest.mark.parametrize("change", ["truncated", "ellipsis", "lower case", "slug", "tags", "rounded"])
def test_ensure_creates_nothing_where_a_record_may_be_the_one(change, capsys):
    """A record that a service stored in another form is returned or named on another machine, never doubled."""
    service = faulty(change, before=3)
    with service.client() as client:
        first = client.documents.ensure(**KETTLE)
        assert client.documents.ensure(**KETTLE).id == first.id
    elsewhere()
    with service.client() as client, pytest.raises(inkframe.OutcomeUnknown) as caught:
        client.documents.ensure(**KETTLE)
    assert f"document {first.id}" in str(caught.value).lower()
    assert len(str(caught.value).splitlines()) <= 3
    assert service.generations == 1


@pytest.mark.integration
def test_ensure_creates_what_differs_in_a_text():
    """The same name with another text, or the same text under another name, is another record."""
    service = faulty(before=3)
    with service.client() as client:
        ids = [
            client.documents.ensure(**fields).id
            for fields in (
                KETTLE,
                KETTLE | {"prompt": LAMP["prompt"]},
                KETTLE | {"name": LAMP["name"]},
                KETTLE,
            )
        ]
    assert ids[0] == ids[3]
    assert len(set(ids)) == 3
    with service.client() as client:  # after a restart, when the journal knows the others
        assert client.documents.ensure(**KETTLE | {"prompt": "Another text"}).id not in ids


@pytest.mark.integration
def test_ensure_creates_the_same_text_under_another_name():
    """A record that shows another value in a field that was sent is another record."""
    service = faulty(before=3)
    with service.client() as client:
        first = client.documents.ensure(**KETTLE)
    with service.client() as client:  # the journal knows the other record
        second = client.documents.ensure(**KETTLE | {"name": "Kettle, third draft"})
    elsewhere()
    with service.client() as client:
        third = client.documents.ensure(**KETTLE | {"name": "The Loud Kettle, draft"})
    assert len({first.id, second.id, third.id}) == 3
    assert service.generations == 3


@pytest.mark.parametrize("status", [200, 201, 204])
def test_a_create_that_is_confirmed_by_an_empty_reply_is_found(status):
    """The only new record with the sent fields is the one; of several equal ones none is taken."""
    shelf = Shelf(lambda record: record | {"created_at": "2020-01-01T00:00:00"})

    def answer(request):
        reply = shelf(request)
        return httpx.Response(status) if request.method == "POST" else reply

    options = {"transport": httpx.MockTransport(answer)}
    with inkframe.Client(HOST, "key", **options) as client:
        made = client.documents.create(**KETTLE)
        assert (made.id, made.name, made.prompt) == (1, KETTLE["name"], KETTLE["prompt"])
        assert client.documents.create(**LAMP).id == 2
        assert client.documents.create(**KETTLE).id == 3  # the first one is known
    with inkframe.Client(HOST, "key", **options) as client:
        assert client.documents.create(**KETTLE).id == 4  # by the journal
    elsewhere()
    with inkframe.Client(HOST, "key", **options) as client, pytest.raises(inkframe.OutcomeUnknown):
        client.documents.create(**KETTLE)
    assert len(shelf.stored) == 5


@pytest.mark.integration
def test_ensure_refuses_if_the_text_is_not_shown():
    """A list that omits the prompt is completed from the record; if that omits it too, nothing is created."""
    service = FaultyService("list_brief", images=0, documents=0)
    with service.client() as client:
        made = client.documents.create(name="Kettle", prompt="About a kettle")
        assert client.documents.ensure(name="Kettle", prompt="About a kettle").id == made.id
    for record in service.documents.values():
        record["prompt"] = None
    elsewhere()
    with (
        service.client() as client,
        pytest.raises(inkframe.OutcomeUnknown, match="does not show its prompt"),
    ):
        client.documents.ensure(name="Kettle", prompt="About a kettle")
    assert service.generations == 1


def test_ensure_does_not_take_the_lost_record_of_another_row():
    """Rows that a service stores under one name are not given each other's records, even if it is known to cut names."""
    service = faulty("truncated", before=3)
    second = KETTLE | {"name": f"{KETTLE['name']} 2"}
    with service.client() as client:
        client.documents.create(**LAMP)
        service.lose("lost_reply")
        with pytest.raises(inkframe.OutcomeUnknown):
            client.documents.ensure(**KETTLE)
        with pytest.raises(inkframe.OutcomeUnknown):
            client.documents.ensure(**second)
    assert service.generations == 2


def test_a_record_that_hides_a_field_is_not_taken_in_another_form():
    """A lost record is found by a known change only if it shows every field that was sent."""
    shelf = Shelf(lambda record: {"id": record["id"], "name": record["name"][:10], "prompt": record["prompt"],
                                  "template_id": 2}, drop=[2])  # fmt: skip
    documents = shelf.documents()
    documents.create(**LAMP)
    with pytest.raises(inkframe.OutcomeUnknown) as caught:
        documents.create(**KETTLE)
    assert caught.value.reconcile() is None
    assert "in another form" in caught.value.doubt


def test_ensure_searches_for_a_create_that_was_cut_off():
    """An ensure whose reply was lost is found by the next one, although the service changes names."""
    service = faulty("truncated", before=3)
    with service.client() as client:
        service.lose("lost_reply")
        with pytest.raises(inkframe.OutcomeUnknown):
            client.documents.ensure(**KETTLE)
    with service.client() as client, pytest.raises(inkframe.OutcomeUnknown):
        client.documents.ensure(**KETTLE)
    assert service.generations == 1


@pytest.mark.integration
@pytest.mark.parametrize("hours", [-8, 0, 9])
@pytest.mark.parametrize("marked", [True, False])
def test_a_time_without_zone_excludes_nothing(hours, marked):
    """A record whose time of creation is local, with or without its zone, is found after a lost reply."""
    zone = timedelta(hours=hours)

    def write(record):
        made = datetime.now(UTC) + zone
        text = f"{made:%Y-%m-%dT%H:%M:%S}" + (f"{hours:+03}:00" if marked else "")
        return record | {"created_at": text, "template_id": 2, "result": "It boils."}

    shelf = Shelf(write, drop=[1])
    documents = shelf.documents()
    with pytest.raises(inkframe.OutcomeUnknown) as caught:
        documents.create(**KETTLE)
    assert caught.value.reconcile().id == 1
    assert shelf.documents().create_many([KETTLE], progress=False)["status"].tolist() == ["existing"]


def test_a_service_whose_clock_is_wrong_excludes_nothing():
    """After a new record had a time of hours before, times prove nothing about a lost one."""
    early = datetime.now(UTC) - timedelta(hours=8)
    shelf = Shelf(lambda record: record | {"created_at": early.isoformat(), "template_id": 2}, drop=[2])
    documents = shelf.documents()
    documents.create(**LAMP)
    with pytest.raises(inkframe.OutcomeUnknown) as caught:
        documents.create(**KETTLE)
    assert caught.value.reconcile().id == 2


def test_a_field_that_the_service_fills_proves_nothing():
    """A style that the service chooses where none was sent is not taken for another record's."""
    made = []

    def answer(request):
        if request.method == "POST":
            made.append(dict(parse_qsl(request.content.decode())) | {"id": len(made) + 1, "style": "anime"})
            if len(made) == 2:
                raise httpx.ReadError("reset")
            return httpx.Response(201, json=made[-1])
        last = request.url.path.rpartition("/")[2]
        return httpx.Response(200, json=made[int(last) - 1] if last.isdigit() else {"data": made[::-1]})

    images = inkframe.Client(HOST, "key", transport=httpx.MockTransport(answer), max_retries=0).images
    rows = [{"name": f"Harbor {n}", "description": "a harbor", "resolution": "512x512"} for n in (1, 2)]
    assert images.create_many(rows, progress=False)["status"].tolist() == ["created", "created"]
    assert len(made) == 2
