"""Nothing is paid for twice: the identity of a create decides, whatever clocks, addresses and accounts say."""

import io
import json
import time
from dataclasses import replace
from pathlib import Path

import httpx
import pandas as pd
import pytest
from tests.services import DIALECTS, Accounts, Faults, FaultyService, one_list

import inkframe as ink
from inkframe.http.address import Address
from inkframe.system.files import home_folder, journal_path

pytestmark = pytest.mark.integration

ROWS = [{"name": f"Kettle {n}", "prompt": f"Text {n} about a kettle", "creativity": 0.5} for n in range(4)]
POSTS = {"where": lambda request: request.method == "POST"}


def journals():
    return sorted((home_folder() / "journals").glob("*.jsonl"))


def create(client, way):
    """Create the first row by a form or by a call."""
    if way == "create":
        return client.documents.create(**ROWS[0])
    return ink.DocumentForm(client, **ROWS[0]).submit().result(30)


def kill_programs(kept=0):
    """Leave journals as programs that were killed while their creates were under way, after some lines that stay."""
    for path in journals():
        lines = path.read_text().splitlines(keepends=True)
        under_way = [line for line in lines[kept:] if json.loads(line)["state"] in {"seen", "sent"}]
        path.write_text("".join(lines[:kept] + under_way))


@pytest.fixture
def service():
    return one_list(12)


class Slow(httpx.BaseTransport):
    """A transport to a service that goes on with creates after their connections have broken."""

    def __init__(self, service):
        self.service, self.waiting = service, []
        self.clock = service.clock

    def handle_request(self, request):
        """Answer a request, but break the connection of a create."""
        if request.method == "POST":
            self.waiting.append(request)
            raise httpx.ReadError("reset")
        return self.service.transport.handle_request(request)

    def finish(self):
        """Store what is under way."""
        while self.waiting:
            self.service.transport.handle_request(self.waiting.pop())


def test_rows_that_were_not_received_stay_unknown_until_a_person_decides(service, clocks):
    """However much time passes, a row that is not found is not sent again, unless with ``fresh=True``."""
    service.run(ROWS[:2], "lost_request", "lost_request")
    kill_programs()
    assert set(service.run(ROWS[:2])["status"]) == {"unknown"}
    for seconds in (200, 10_000, 10_000_000):
        clocks.let_pass(seconds)
        assert set(service.run(ROWS[:2])["status"]) == {"unknown"}
    assert service.generations == 0
    assert set(service.run(ROWS[:2], fresh=True)["status"]) == {"created"}
    assert service.generations == 2


@pytest.mark.parametrize("way", ["create", "form", "fresh"])
def test_ensure_looks_for_every_create_of_its_fields(service, clocks, way):
    """What may be under way by another call with the same fields is not sent by ensure as well."""
    slow = Slow(service)
    with service.client(transport=slow) as client:
        if way == "fresh":
            client.documents.create_many(ROWS[:1], fresh=True, progress=False)
        else:
            with pytest.raises(ink.OutcomeUnknown):
                create(client, way)
        with pytest.raises(ink.OutcomeUnknown, match="It is unclear whether"):
            client.documents.ensure(**ROWS[0])
        slow.finish()
        assert client.documents.ensure(**ROWS[0]).id == service.created[0][1]
    assert service.generations == 1


class Spoiling(Slow):
    """A transport that spoils something as soon as a create was answered."""

    def __init__(self, service, spoil):
        super().__init__(service)
        self.spoil = spoil

    def handle_request(self, request):
        """Answer a request."""
        try:
            return self.service.transport.handle_request(request)
        finally:
            if request.method == "POST":
                self.spoil()


def replace_by_folder(path):
    """Replace a file by a folder."""
    path.unlink(missing_ok=True)
    path.mkdir()


@pytest.mark.parametrize("way", ["create", "ensure", "create_many"])
@pytest.mark.parametrize("end", ["", ".lock"])
def test_a_record_is_returned_whatever_became_of_the_journal(service, capsys, way, end):
    """After a create was answered, no error of the journal or its lock says that nothing was sent."""

    def spoil():
        [path] = journals()
        replace_by_folder(path.with_name(path.name + end))

    with service.client(transport=Spoiling(service, spoil)) as client:
        if way == "create_many":
            [row] = client.documents.create_many(ROWS[:1], progress=False).to_dict("records")
            assert (row["id"], row["status"]) == (service.created[0][1], "created")
            assert "Nothing was sent" not in str(row["error"])
            assert end or "must be a regular file" in row["error"]
        else:
            assert getattr(client.documents, way)(**ROWS[0]).id == service.created[0][1]
            if way == "ensure" and not end:
                assert "The record is not affected" in capsys.readouterr().out
    assert service.generations == 1


def test_rows_of_a_journal_that_is_spoiled_keep_their_outcomes(service):
    """A batch with a created and a lost row ends with both where the journal can no longer be read."""
    service.plan(Faults(script={2: "lost_reply"}, **POSTS))

    def spoil():
        if service.generations == 2:
            replace_by_folder(next(home_folder().rglob("*.lock")))

    with service.client(transport=Spoiling(service, spoil)) as client:
        runs = client.documents.create_many(ROWS[:2], progress=False)
    assert sorted(runs["status"]) == ["created", "unknown"]


def shift(service, seconds):
    """Let a service show times of creation that are ahead or behind."""

    def change(service):
        for _, number in service.created:
            record = service.documents[number]
            if not record.get("shifted"):
                record["created_at"] += seconds
                record["shifted"] = True

    service.between_replies(change)


@pytest.mark.parametrize("dated", [True, False], ids=["date header", "other date"])
@pytest.mark.parametrize("seconds", [-360, -7200, -86400, 360, 7200])
@pytest.mark.parametrize("documents", [0, 3, 12, 130])
def test_the_clock_of_a_service_proves_nothing(clocks, seconds, dated, documents):
    """Behind, ahead, or in local time: a record that was created is found or unknown, never created again."""
    service = one_list(documents, skew=seconds if dated else 0)
    shift(service, seconds)
    service.run(ROWS, *["lost_reply"] * 4)
    kill_programs()
    for _ in range(2):
        clocks.let_pass()
        runs = service.run(ROWS)
    assert service.generations == 4
    if dated or seconds > 0:
        assert set(runs["status"]) == {"existing"}


@pytest.mark.parametrize("seconds", [-7200, -2, 3600])
def test_this_machine_may_set_its_clock(service, clocks, seconds):
    """Set back or ahead between two runs, it makes no row be sent again, and none wait."""
    slow, rows = Slow(service), ROWS[:3]  # a fourth may not be sent any more after three broken connections
    with service.client(transport=slow) as client:
        client.documents.create_many(rows, progress=False)
        clocks.wall = seconds
        assert set(client.documents.create_many(rows, progress=False)["status"]) == {"unknown"}
    slept = sum(service.clock.slept)
    assert set(service.run(rows)["status"]) == {"unknown"}
    assert sum(service.clock.slept) == slept
    slow.finish()
    assert set(service.run(rows)["status"]) == {"existing"}
    assert service.generations == 3


def test_an_equal_record_from_before_is_not_the_lost_one(clocks):
    """A record that was listed before the create was sent is not taken for the one whose reply was lost."""
    service = one_list(3)
    service.insert("documents", **ROWS[0])
    service.run(ROWS[1:2])
    service.run(ROWS[:1], "lost_reply", fresh=True)
    kill_programs(3)
    assert service.run(ROWS[:1])["id"].tolist() == [service.created[-1][1]]


@pytest.mark.parametrize("kernel", ["the same", "a new one"])
@pytest.mark.parametrize("documents", [0, 3, 12])
def test_ids_that_are_given_again_prove_nothing(clocks, kernel, documents):
    """On a service that was emptied, a lost record has an id that was there before: it is not created again."""
    services = [one_list(n) for n in (documents, 0)]
    services[1].lose(*["lost_reply"] * 8)
    lamps = [{"name": f"Lamp {n}", "prompt": f"Text {n} about a lamp"} for n in range(4)]
    accounts = Accounts({services[0].key: services[0]})

    def client():
        return ink.Client(services[0].base_url, services[0].key, transport=accounts.transport)

    one = client()
    one.documents.create_many(ROWS, progress=False)
    accounts.services[services[0].key] = services[1]
    for _ in range(3):
        if kernel == "a new one":
            one.close()
            one = client()
        one.documents.create_many(lamps, progress=False)
        clocks.let_pass()
        services[1].plan(None)
    one.close()
    assert services[1].generations == 4


def test_a_record_in_another_form_with_an_id_from_before_is_not_paid_for_again(clocks):
    """On a service that was emptied and changes texts, a lost record with an old id is unknown, and not created again."""
    one_list(12).run(ROWS[1:2])
    service = one_list(3, stores=lambda row: row | {"prompt": f"<p>{row['prompt']}</p>"})
    service.run(ROWS[:1], "lost_reply")
    clocks.let_pass()
    assert service.run(ROWS[:1])["status"].tolist() == ["unknown"]
    assert service.generations == 1


@pytest.mark.parametrize(("failing", "status"), [(1, "created"), (4, "skipped")])
def test_nothing_is_created_once_known_records_cannot_be_fetched(service, failing, status):
    """After several known records failed for one reason, the new rows of a run are not sent; after one they are."""
    service.run(ROWS)
    ids = {str(id) for _, id in service.created[:failing]}
    is_record = lambda request: request.method == "GET" and request.path.rpartition("/")[2] in ids  # noqa: E731
    service.plan(Faults({"refused": 1.0}, where=is_record))
    with service.client(concurrency=1) as client:
        runs = client.documents.create_many([*ROWS, ROWS[0] | {"name": "New"}], progress=False)
    assert runs["status"].tolist() == ["existing"] * 4 + [status]
    assert service.generations == 4 + (status == "created")


def test_an_edited_record_does_not_show_what_the_service_changes(clocks):
    """A name to which the user added something is no sign that the service adds it, so that no such record is taken."""
    service = one_list()
    rows = [row | {"prompt": "About a kettle"} for row in ROWS[:2]]
    with service.client() as client:
        client.documents.create(**rows[0])
        client.documents.create_many(rows[:1], progress=False)
        client.documents.update(service.created[-1][1], name=f"{rows[0]['name']} (old)")
    service.run(rows[1:], "lost_request")
    clocks.let_pass()
    service.insert("documents", **rows[1] | {"name": f"{rows[1]['name']} (old)"}, created_at=time.time())
    assert service.run(rows)["status"].tolist() == ["existing", "unknown"]


def test_a_row_that_is_looked_for_and_not_there_stays_unknown(service):
    """A search by itself creates nothing, and says that the record may be listed later."""
    service.lose("lost_request")
    with service.client() as client:
        batch = client.documents.batch(ROWS[:1], None)
        batch.create_rows(batch.rows)
        [row] = batch.rows
        service.plan(None)
        row.cause = None
        batch.look_for(row)
        assert (row.status, row.record) == ("unknown", None)
        assert "may list it later" in row.error
    assert service.generations == 0


def killed_for(service, clocks, rows=ROWS[:1], *before):
    """Run rows in a program that is killed after the last of them was created, and again; return that result."""
    if before:
        service.run(before)
    service.run(rows, "lost_reply")
    kill_programs(len(journals()[0].read_text().splitlines()) - 2 * len(rows) - 1)
    clocks.let_pass()
    return service.run(rows)


def test_a_lost_record_in_another_form_is_found_once_the_form_is_known(clocks):
    """It is unknown until another record shows that the service changes names so."""
    service = one_list(stores=lambda row: row | {"name": row["name"].upper()})
    runs = killed_for(service, clocks)
    assert runs["error"].tolist() == ["document 1 may be the record in another form: name='KETTLE 0'"]
    assert service.run(ROWS[:2])["status"].tolist() == ["existing", "created"]
    assert service.generations == 2


def test_a_lost_record_of_another_template_is_found(clocks):
    """Where lists show one template only, it is looked for in those of the others."""
    service = FaultyService(images=0, documents=12, stores=lambda row: row | {"template_id": 4})
    assert killed_for(service, clocks)["status"].tolist() == ["existing"]
    service.documents.clear()
    assert service.run(ROWS[:1])["status"].tolist() == ["skipped"]
    assert service.generations == 1


@pytest.mark.parametrize("template", [1, 4])
@pytest.mark.parametrize("usual", [1, None])
def test_a_lost_record_that_is_not_among_the_first_is_found_by_its_name(
    clocks, oldest_first, template, usual
):
    """Where a service ignores the order, a page that does not have the record proves nothing."""
    dialect = replace(DIALECTS["laravel_resource"], usual_template=usual)
    service = FaultyService(
        dialect, images=0, documents=0, stores=lambda row: row | {"template_id": template}
    )
    service.intercept(oldest_first)
    for number in range(130):
        service.insert("documents", name=f"Lamp {number}", prompt="A lamp", template_id=template)
    assert killed_for(service, clocks, ROWS[:1], ROWS[1])["status"].tolist() == ["existing"]
    assert service.generations == 2


@pytest.mark.parametrize(("hidden", "error"), [("prompt", ""), ("name", "does not show its name")])
def test_a_lost_record_without_a_field_is_found_by_its_name(clocks, hidden, error):
    """A service that hides the text shows whose record is whose by the name, and one that hides names does not."""
    service = one_list(12, record={"omits": (hidden,)})
    [row] = killed_for(service, clocks, ROWS[:1], ROWS[1]).to_dict("records")
    assert row["status"] == ("unknown" if error else "existing")
    assert error in str(row["error"])
    assert service.generations == 2


def test_a_lost_record_that_seems_older_is_unknown(clocks):
    """A record with the fields and a time from before is neither taken nor created again."""
    service = one_list(3)
    service.run(ROWS[1:3])
    service.run(ROWS[:1], "lost_reply")
    service.documents[service.created[-1][1]]["created_at"] -= 7200
    clocks.let_pass()
    kill_programs(5)
    for rows in (ROWS[:1], ROWS[:3]):  # the times of known records are those of the clock
        error = service.run(rows)["error"].iloc[0]
        assert "is equal, but its time is before that of the request" in error
    assert service.generations == 3


def test_a_record_that_was_taken_in_a_new_home_shows_no_clock(clocks):
    """It is older than its line, as is an equal record of a lost create, which is not taken for it."""
    service = one_list()
    service.insert("documents", **ROWS[0], created_at=time.time() - 200_000)
    for number in range(130):
        service.insert("documents", name=f"Lamp {number}", prompt="A lamp", created_at=time.time() - 190_000)
    service.insert("documents", **ROWS[1], created_at=time.time() - 180_000)
    assert service.run(ROWS[:2], "lost_request")["status"].tolist() == ["unknown", "existing"]
    clocks.let_pass()
    runs = service.run(ROWS[:2])
    assert runs["status"].tolist() == ["unknown", "existing"]
    assert "its time is before that of the request" in runs["error"].iloc[0]


def test_a_record_of_an_earlier_kernel_shows_the_clock_of_the_service(clocks):
    """Where a known record has a time from before it was sent, the time of a lost one excludes nothing."""
    service = one_list(3, stores=lambda row: row | {"created_at": time.time() - 7200})
    service.run(ROWS[:1])
    service.run(ROWS[1:2], "lost_reply")
    kill_programs(3)
    clocks.let_pass()
    assert service.run(ROWS[:2])["status"].tolist() == ["existing", "existing"]
    assert service.generations == 2


def test_a_journal_that_was_set_back_pays_for_nothing_again(service, clocks):
    """A kernel whose journal loses its last lines does not create again what it created."""
    with service.client() as client:
        client.documents.create_many(ROWS, progress=False)
        kill_programs()
        for _ in range(2):
            clocks.let_pass()
            client.documents.create_many(ROWS, progress=False)
    assert service.generations == 4


@pytest.mark.parametrize(
    "store",
    [
        lambda fields: fields | {"name": fields["name"].title()},
        lambda fields: fields | {"name": fields["name"][:6]},
        lambda fields: fields | {"prompt": f"<p>{fields['prompt']}</p>"},
        lambda fields: fields | {"creativity": round(float(fields["creativity"]))},
        dict,
    ],
    ids=["title case", "shortened", "tags", "rounded", "kept"],
)
def test_a_result_is_not_paid_for_again(store):
    """Rows of a result that have a record are done, whatever the service stored instead; failed ones are created."""
    service = one_list(stores=store)
    rows = [row | {"name": row["name"].lower() + " draft"} for row in ROWS]
    service.plan(Faults(script={2: "forbidden", 3: "forbidden"}, **POSTS))
    runs = service.run(rows)
    assert service.generations == 2
    for _ in range(2):
        service.plan(None)
        runs = service.run(runs)
        assert runs["status"].isin(["created", "existing"]).all()
        assert service.generations == 4
    runs.attrs.clear()
    service.run(runs.reset_index(drop=True))
    assert service.generations == 4
    assert set(service.run(runs, fresh=True)["status"]) == {"created"}
    assert service.generations == 8


@pytest.mark.parametrize("change", [{}, {"name": "x"}], ids=["kept", "renamed"])
def test_a_result_of_a_lost_journal_is_still_one(change):
    """A frame that names its service needs no journal; its rows are noted for a copy without a source and for its plan."""
    service = one_list(stores=lambda fields: fields | change)
    runs = service.run(ROWS)
    for path in journals():
        path.unlink()
    copy = runs.copy()
    copy.attrs = {}
    for rows in (runs,) if change else (runs, copy, ROWS):
        again = service.run(rows)
        assert again["status"].tolist() == ["existing"] * 4
        assert again["id"].tolist() == runs["id"].tolist()
    assert service.generations == 4


RESULTS = {
    "file": lambda runs: pd.read_csv(io.StringIO(runs.to_csv()), index_col=0),
    "texts": lambda runs: runs.assign(id=[None if pd.isna(id) else str(id) for id in runs["id"]]),
    "floats": lambda runs: runs.assign(id=runs["id"].astype("float64")),
    "index": lambda runs: runs.set_index("id"),
    "part": lambda runs: runs[["name", "id", "status", "prompt"]],
    "joined": lambda runs: runs.merge(pd.DataFrame({"id": runs["id"], "mark": 1}), on="id"),
    "renamed": lambda runs: runs.assign(name="Another"),
}


@pytest.mark.parametrize("attrs", [True, False])
@pytest.mark.parametrize("change", RESULTS)
def test_a_result_in_another_form_is_still_one(change, attrs):
    """A result that was written to a file, indexed, joined, or without attributes is not paid for again."""
    service = one_list(stores=lambda fields: fields | {"name": fields["name"].title()})
    service.plan(Faults(script={2: "forbidden"}, **POSTS))
    runs = service.run([row | {"name": row["name"].lower() + " draft"} for row in ROWS])
    service.plan(None)
    changed = RESULTS[change](runs)
    if not attrs:
        changed.attrs.clear()
    again = service.run(changed)
    assert again["status"].isin(["created", "existing"]).all()
    assert service.generations == 4


def test_a_result_of_another_account_is_not_one_of_this(accounts):
    """The ids of a result are not looked up as records of another account that have them."""
    act, _, second = accounts
    runs = act("first-key")
    for number in range(10):
        second.insert("documents", name=f"Lamp {number}", prompt=f"Text {number} about a lamp")
    assert set(act("second-key", runs)["status"]) == {"skipped"}
    for path in journals():
        path.unlink()
    assert set(act("second-key", runs)["status"]) == {"skipped"}
    assert second.generations == 0


@pytest.mark.parametrize("accounts", [1, 2])
def test_a_result_of_another_key_is_one_of_its_journal(accounts):
    """Rows of a result without attributes are found by their ids with another key, or asked about; none is created."""
    services = [one_list(stores=lambda row: row | {"name": row["name"].upper()}) for _ in range(accounts)]
    transport = Accounts({"first-key": services[0], "second-key": services[-1]}).transport
    runs = ROWS
    for key in ("first-key", "second-key"):
        with ink.Client("https://content.example.com", key, transport=transport) as client:
            runs = client.documents.create_many(runs, progress=False)
            runs.attrs.clear()
    assert set(runs["status"]) == {"existing" if accounts == 1 else "skipped"}
    assert services[-1].generations == (4 if accounts == 1 else 0)


def test_rows_with_the_ids_of_other_records_are_no_result(service):
    """A table whose ids and statuses are those of other records of ours is created."""
    runs = service.run(ROWS)
    others = [{"name": f"Lamp {n}", "prompt": f"Text {n} about a lamp"} for n in range(4)]
    with service.client() as client:
        pictures = [
            {"name": f"Boat {n}", "description": "two boats", "resolution": "256x256"} for n in range(4)
        ]
        images = client.images.create_many(pictures, progress=False)
    for given in (runs[["id", "status"]], images[["id", "status"]].assign(id=runs["id"])):
        table = pd.DataFrame(others).assign(id=given["id"], status=given["status"])
        table.attrs = (
            dict(given.attrs) if given.attrs.get("inkframe", {}).get("collection") == "images" else {}
        )
        assert set(service.run(table)["status"]) == {"created"}
        others = [row | {"name": row["name"] + " again"} for row in others]
    assert service.generations == 16


def test_columns_of_the_user_are_not_a_result(service):
    """A table that has an id and a status of its own is created."""
    rows = pd.DataFrame(ROWS).assign(id=[1, 2, 3, 4], status=["created", "existing", "sold", None])
    assert set(service.run(rows)["status"]) == {"created"}
    assert service.generations == 4


class Anywhere(httpx.BaseTransport):
    """A transport to a service below any path."""

    def __init__(self, service):
        self.service, self.clock = service, service.clock

    def handle_request(self, request):
        """Answer a request as if the service had no path."""
        path = request.url.raw_path
        request.url = request.url.copy_with(raw_path=path[path.index(b"/api/v1") :])
        return self.service.transport.handle_request(request)


SPELLINGS = [
    ("https://bücher.example", "https://xn--bcher-kva.example"),
    ("https://BÜCHER.example", "https://bücher.example"),
    ("https://content.example.com", "https://content.example.com."),
    ("https://content.example.com", "https://CONTENT.example.com:443/"),
    ("https://content.example.com/~ink", "https://content.example.com/%7Eink"),
    ("https://content.example.com/%7eink", "https://content.example.com/%7Eink"),
    ("https://content.example.com/a b", "https://content.example.com/a%20b"),
    ("https://content.example.com/a", "https://content.example.com//a//api/v1"),
    ("https://content.example.com", "https://content.example.com//api/v1"),
    ("https://content.example.com", "https://content.example.com/api/v1/images"),
    ("https://content.example.com", "https://content.example.com/api/v1/documents/7/"),
    ("https://content.example.com/a", "https://content.example.com/./a/./"),
    ("https://content.example.com/a", "https://content.example.com/b/../a"),
    ("http://localhost:8000", "http://127.0.0.1:8000"),
    ("http://[::1]:8000", "http://127.0.0.1:8000"),
    ("http://[0:0:0:0:0:0:0:1]:8000", "http://localhost:8000"),
    ("http://127.1:8000", "http://127.0.0.1:8000"),
    ("https://[2001:DB8:0:0::1]", "https://[2001:db8::1]"),
    ("https://content.example.com/%2e/a", "https://content.example.com/a"),
    ("https://content.example.com", "http://content.example.com"),
    ("https://content.example.com:8443", "http://content.example.com:8443"),
]


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(("first", "second"), [pair for each in SPELLINGS for pair in (each, each[::-1])])
def test_an_address_is_one_service_in_every_spelling(service, first, second):
    """What was created under one spelling exists under the other."""
    for address, status in ((first, "created"), (second, "existing"), (first, "existing")):
        with ink.Client(address, service.key, transport=Anywhere(service)) as client:
            runs = client.documents.create_many(ROWS[:2], progress=False)
        assert set(runs["status"]) == {status}
    assert service.generations == 2


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("https://a.example.com", "https://b.example.com"),
        ("https://content.example.com/a", "https://content.example.com/A"),
        ("https://content.example.com/a%2Fb", "https://content.example.com/a/b"),
        ("https://content.example.com:8443", "https://content.example.com"),
        ("http://127.0.0.1:8000", "http://127.0.0.1:8001"),
        ("http://127.0.0.1:8000", "http://127.0.0.2:8000"),
    ],
)
def test_other_addresses_are_other_services(first, second):
    """Hosts, ports, and paths that differ in more than their spelling have journals of their own."""
    assert Address.parse(first).places[0] != Address.parse(second).places[0]


def test_a_journal_of_release_0_2_counts(service):
    """What 0.2 noted under its own spelling of an address is found, under every spelling of today."""
    old = "http://127.0.0.1:8000"
    lines = [
        # The identities as 0.2 made them: the hash of the JSON of address, collection, fields and repeat.
        {"creation": "6cd9b7fdb8ecb59e8f3ff5bc9c21cfb9", "state": "created", "id": 1, "time": 1.0,
         "collection": "documents", "shown": {}, "seconds": 1.2},
        {"creation": "no line of 0.2 lacks its time", "state": "created", "id": 2},
    ]  # fmt: skip
    import hashlib

    fields = {"creativity": "0.5", "name": ROWS[0]["name"], "prompt": ROWS[0]["prompt"]}
    content = json.dumps([old, "documents", fields, 1], default=str)
    lines[0]["creation"] = hashlib.sha256(content.encode()).hexdigest()[:32]
    path = journal_path(old)
    path.parent.mkdir(parents=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    for address in (old, "http://localhost:8000/", "http://127.0.0.1:8000/api/v1"):
        with ink.Client(address, service.key, transport=service.transport) as client:
            runs = client.documents.create_many(ROWS[:1], progress=False)
        assert runs["status"].tolist() == ["existing"]
        assert runs["id"].tolist() == [1]
    assert service.generations == 0
    with ink.Client(old, service.key, transport=service.transport) as client:
        own = client.documents.create_many(ROWS[:1], journal=home_folder() / "own.jsonl", progress=False)
    assert own["status"].tolist() == ["created"]


def test_a_created_line_without_an_id_is_not_paid_for_again(service, clocks):
    """A record that was created and whose id is not known is searched for; without it the row is unknown."""
    service.run(ROWS)
    [path] = journals()
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    path.write_text("".join(json.dumps(line | {"id": None}) + "\n" for line in lines))
    found = service.run(ROWS)
    assert set(found["status"]) == {"existing"}
    path.write_text("".join(json.dumps(line | {"id": None}) + "\n" for line in lines))
    with service.client() as client:
        assert client.documents.ensure(**ROWS[0]).id == found["id"].iloc[0]
    path.write_text("".join(json.dumps(line | {"id": None}) + "\n" for line in lines))
    service.documents.clear()
    clocks.let_pass(10_000)
    assert set(service.run(ROWS)["status"]) == {"unknown"}
    assert service.generations == 4


@pytest.fixture
def accounts():
    services = {key: one_list(3) for key in ("first-key", "second-key")}
    transport = Accounts(services).transport

    def act(key, rows=ROWS, **options):
        with ink.Client("https://content.example.com", key, transport=transport) as client:
            return client.documents.create_many(rows, progress=False, **options)

    return act, *services.values()


def test_another_account_is_asked_about(accounts, capsys):
    """Rows of another account are neither done nor created: ``fresh=True`` creates them, and then they are known."""
    act, first, second = accounts
    act("first-key")
    runs = act("second-key")
    assert set(runs["status"]) == {"skipped"}
    assert runs["error"].str.contains("with another key, which may be of another account; fresh=True").all()
    assert "4 rows skipped: created before with another key" in capsys.readouterr().out
    assert (first.generations, second.generations) == (4, 0)
    assert set(act("second-key", fresh=True)["status"]) == {"created"}
    for key in ("first-key", "second-key"):
        assert set(act(key)["status"]) == {"existing"}
    assert (first.generations, second.generations) == (4, 4)


def test_a_row_of_another_account_is_not_done_because_it_cannot_be_fetched(accounts):
    """Where a service does not answer, only rows of this account count as existing."""
    act, _, second = accounts
    act("first-key", ROWS[:2])
    second.plan(Faults(script=dict.fromkeys(range(1, 50), "unavailable")))
    runs = act("second-key", ROWS[:2])
    assert set(runs["status"]) == {"skipped"}
    assert runs["error"].notna().all()


def test_a_row_that_failed_for_another_account_is_created(accounts):
    """What another key certainly did not create is not asked about."""
    act, first, second = accounts
    first.plan(Faults(script={1: "forbidden"}, **POSTS))
    act("first-key", ROWS[:1])
    assert act("second-key", ROWS[:1])["status"].tolist() == ["created"]
    assert (first.generations, second.generations) == (0, 1)


def test_a_row_that_another_key_created_after_a_refusal_is_not_paid_for_again(service):
    """Two keys of one account in turn: what the first one was refused and the second one created is found by the first."""
    transport = Accounts({"first-key": service, "second-key": service}).transport
    service.plan(Faults(script={1: "forbidden"}, **POSTS))
    ends = []
    for key in ("first-key", "second-key", "first-key"):
        with ink.Client("https://content.example.com", key, transport=transport) as client:
            ends += client.documents.create_many(ROWS[:1], progress=False)["status"].tolist()
    assert (ends, service.generations) == (["failed", "created", "existing"], 1)


def test_an_open_row_of_another_account_is_asked_about(accounts, clocks):
    """What another key sent without a reply is not sent with this one."""
    act, first, second = accounts
    first.lose("lost_request", "lost_request")
    act("first-key", ROWS[:2])  # fewer than end a batch
    clocks.let_pass()
    runs = act("second-key", ROWS[:2])
    assert set(runs["status"]) == {"skipped"}
    assert runs["error"].str.startswith("sent with another key").all()
    assert (first.generations, second.generations) == (0, 0)


def test_repetitions_of_two_accounts_are_apart(accounts):
    """``fresh=True`` creates every row again for an account, however often another one did."""
    act, first, second = accounts
    act("first-key")
    paid = {"first-key": 4, "second-key": 0}
    for key in ("first-key", "second-key", "first-key", "second-key"):
        assert set(act(key, fresh=True)["status"]) == {"created"}
        paid[key] += 4
        assert {each: set(act(each)["status"]) for each in paid if paid[each]} == {
            each: {"existing"} for each in paid if paid[each]
        }
        assert [first.generations, second.generations] == list(paid.values())


@pytest.mark.parametrize("way", ["form", "create"])
def test_what_another_account_asked_for_is_asked_for_anew(accounts, way):
    """A form, or a create, makes a record of this account, though another one made an equal one."""
    _, *services = accounts
    transport = Accounts(dict(zip(("first-key", "second-key"), services, strict=True))).transport
    for key in ("first-key", "second-key", "first-key"):
        with ink.Client("https://content.example.com", key, transport=transport) as client:
            create(client, way)
    assert [service.generations for service in services] == [2, 1]


@pytest.mark.parametrize("way", ["form", "create"])
def test_what_another_key_was_killed_for_is_looked_for(service, way):
    """With a new key of one account, a form, or a create, finds the record for which a program was killed."""
    transport = Accounts({"first-key": service, "second-key": service}).transport
    service.lose("lost_reply")
    for key in ("first-key", "second-key"):
        with ink.Client("https://content.example.com", key, transport=transport) as client:
            if key == "first-key":
                with pytest.raises(ink.OutcomeUnknown):
                    client.documents.create(**ROWS[0])
                kill_programs()
            else:
                assert create(client, way).id == service.created[0][1]
    assert service.generations == 1


def test_rows_that_were_only_repeated_are_not_paid_for_again(service):
    """What ``fresh=True`` created in the first run is done in a run without it."""
    service.run(ROWS[:2], fresh=True)
    assert service.run(ROWS)["status"].tolist() == ["existing", "existing", "created", "created"]
    assert service.generations == 4


def test_ensure_looks_for_no_other_create(service):
    """A create of other fields that may be under way is no doubt."""
    service.lose("lost_request")
    with service.client() as client:
        with pytest.raises(ink.OutcomeUnknown):
            client.documents.create(**ROWS[1])
        service.plan(None)
        client.documents.ensure(**ROWS[2])
        assert client.documents.ensure(**ROWS[0]).name == ROWS[0]["name"]
    assert service.generations == 2


def test_ensure_finds_the_changed_record_of_another_key():
    """With a new key of one account, a record in another form is the one that the journal has."""
    service = one_list(3, stores=lambda row: row | {"name": row["name"].upper()})
    transport = Accounts({"first-key": service, "second-key": service}).transport
    for key in ("first-key", "second-key"):
        with ink.Client("https://content.example.com", key, transport=transport) as client:
            assert client.documents.ensure(**ROWS[0]).id == 4
    assert service.generations == 1


def test_an_id_of_another_account_alone_is_no_record(accounts):
    """What another key created without seeing any field is not found by its id."""
    _, *services = accounts
    transport = Accounts(dict(zip(("first-key", "second-key"), services, strict=True))).transport
    with ink.Client("https://content.example.com", "first-key", transport=transport) as client:
        client.documents.ensure(**ROWS[0])
    [path] = journals()
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    path.write_text("".join(json.dumps(line | {"shown": {}, "made": None}) + "\n" for line in lines))
    services[1].insert("documents", name="Lamp", prompt="A lamp")
    with ink.Client("https://content.example.com", "second-key", transport=transport) as client:
        assert client.documents.ensure(**ROWS[0]).name == ROWS[0]["name"]
    assert services[1].generations == 1


def test_ensure_of_an_edited_record_is_that_record(service):
    """A record of this account that was renamed is not created again; one with another text, too, is."""
    with service.client() as client:
        record = client.documents.ensure(**ROWS[0])
        client.documents.update(record, name="Another")
    with service.client() as client:
        assert client.documents.ensure(**ROWS[0]).id == record.id
    service.documents[record.id]["prompt"] = "Another text"
    with service.client() as client:
        assert client.documents.ensure(**ROWS[0]).id != record.id
    assert service.generations == 2


@pytest.mark.parametrize("documents", [1, 3])
def test_a_name_that_only_records_show_is_shown(documents):
    """A list without names does not stop ``ensure``."""
    service = one_list(documents, record={"list_omits": ("name",)})
    with service.client() as client:
        assert client.documents.ensure(**ROWS[0]).name == ROWS[0]["name"]


def test_the_embedded_service_keeps_the_journal_of_its_creates(tmp_path):
    """``create`` of a library writes no journal of its client, since the service asks no engine twice."""
    with ink.connect(library=tmp_path / "library.db") as client:
        client.documents.create(**ROWS[0])
    assert journals() == []


def test_rows_of_a_library_are_those_of_every_client(tmp_path):
    """The embedded service has a new key in each process, and one account."""
    for status in ("created", "existing"):
        with ink.connect(library=tmp_path / "library.db") as client:
            assert set(client.documents.create_many(ROWS[:2], progress=False)["status"]) == {status}
    assert "account" not in journals()[0].read_text()


def test_ensure_takes_no_record_of_another_account(accounts):
    """An id of another account is that of another record here, even where it has the same text."""
    _, *services = accounts
    transport = Accounts(dict(zip(("first-key", "second-key"), services, strict=True))).transport
    with ink.Client("https://content.example.com", "first-key", transport=transport) as client:
        client.documents.ensure(**ROWS[0])
    services[1].insert("documents", **ROWS[0] | {"name": "Another"})
    with ink.Client("https://content.example.com", "second-key", transport=transport) as client:
        assert client.documents.ensure(**ROWS[0]).name == ROWS[0]["name"]
    assert services[1].generations == 1


def test_an_equal_record_of_another_account_is_told_by_its_time(accounts):
    """A record with the id and the content of a row of another key, but another time, is not that of the row."""
    act, first, second = accounts
    act("first-key", ROWS[:1])
    [(_, number)] = first.created
    second.documents[number] = first.documents[number] | {"created_at": time.time() - 3600}
    assert act("second-key", ROWS[:1])["status"].tolist() == ["skipped"]
    assert second.generations == 0


def test_the_ids_of_another_account_are_no_proof(clocks):
    """Accounts number their records on their own: a lost record with an id that another account has is found."""
    keys = {"first-key": 12, "second-key": 3}
    services = {key: one_list(n) for key, n in keys.items()}
    first, second = services.values()
    second.lose(*["lost_reply"] * 8)

    def act(key, rows):
        with ink.Client("https://content.example.com", key, transport=Accounts(services).transport) as client:
            return client.documents.create_many(rows, progress=False)

    act("first-key", ROWS)
    others = [{"name": f"Lamp {n}", "prompt": f"Text {n} about a lamp"} for n in range(12)]
    act("second-key", others)
    second.plan(None)
    for _ in range(2):
        clocks.let_pass()
        runs = act("second-key", others)
    assert set(runs["status"]) == {"existing"}
    assert (first.generations, second.generations) == (4, 12)


def test_two_keys_of_one_account_share_their_rows(service):
    """With a new key of the same account the records are found, and nothing is asked again once they were."""
    transport = Accounts({"first-key": service, "second-key": service}).transport
    for key, status in (("first-key", "created"), ("second-key", "existing"), ("second-key", "existing")):
        with ink.Client("https://content.example.com", key, transport=transport) as client:
            runs = client.documents.create_many(ROWS, progress=False)
        assert set(runs["status"]) == {status}
    assert service.generations == 4
    [path] = journals()
    assert path.read_text().count('"created"') == 8  # for each account
    assert not any(key in path.read_text() for key in ("first-key", "second-key"))


def test_a_new_kernel_pays_for_nothing_that_panels_made(service):
    """A tuner, a grid of looks, and the code of both find in a new kernel what they created before."""
    for paid in (True, False):
        with service.client() as client:
            tuner = ink.CreativityTuner(client, prompt="About a kettle", creativity=[0, 1], repeats=2)
            grid = ink.LookGrid(client, description="two boats", style=["anime", None], medium="ink")
            words = "Create 4 documents", "Create 2 images"
            if not paid:
                words = "Show 4 documents created earlier", "Show 2 images created earlier"
            assert (tuner.button.description, grid.button.description) == words
            for panel in (tuner, grid):
                frame = panel.submit().result(30)
                assert set(frame["status"]) == {"created" if paid else "existing"}
                assert panel.button.description == "All created"
                space = {"client": client}
                exec(panel.code, space)  # noqa: S102  # running the code is what is tested
                assert set(space["runs"]["status"]) == {"existing"}
    assert service.generations == 6


@pytest.mark.parametrize("change", ["name", "more"])
@pytest.mark.parametrize("kind", ["tuner", "grid"])
def test_a_panel_and_its_code_agree_on_what_is_created(service, kind, change):
    """After another name pattern nothing is created for the panel either; with more levels or looks, what is stays."""
    with service.client() as client:
        if kind == "tuner":
            panel = ink.CreativityTuner(client, prompt="About a kettle", creativity=[0.5], repeats=1)
            varied, more = panel.fields["creativity"], [0, 0.5]
        else:
            panel = ink.LookGrid(client, description="two boats", style=["sketch"], medium="ink")
            varied, more = panel.fields["style"], ["anime", "sketch"]
        panel.submit().result(30)
        if change == "name":
            panel.fields["name"].value += " again"
        else:
            varied.value = more
        assert panel.button.description == f"Create 1 {'document' if kind == 'tuner' else 'image'}"
        panel.submit().result(30)
        assert panel.button.description == "All created"
        assert service.generations == 2
        space = {"client": client}
        exec(panel.code, space)  # noqa: S102  # running the code is what is tested
        assert set(space["runs"]["status"]) == {"existing"}
    assert service.generations == 2


@pytest.mark.parametrize("way", ["form", "create"])
def test_what_a_kernel_was_killed_for_is_looked_for_first(service, clocks, capsys, way):
    """A form, or a create, of a new kernel finds the record that the old one did not live to see."""
    service.lose("lost_reply")
    with service.client() as client, pytest.raises(ink.OutcomeUnknown):
        create(client, way)
    kill_programs()
    service.plan(None)
    with service.client() as client:
        assert create(client, way).id == service.created[0][1]
        said = f"Document {service.created[0][1]} was created when a program ended early."
        assert said in capsys.readouterr().out
        assert service.generations == 1
        assert create(client, way).id != service.created[0][1]  # asked for once more
    assert service.generations == 2


@pytest.mark.parametrize("reconciled", [True, False])
@pytest.mark.parametrize("way", ["form", "create"])
def test_what_may_be_under_way_is_told_once(service, clocks, way, reconciled):
    """While it is unclear whether a killed kernel created it, the call says so; what reconcile finds is noted."""
    slow = Slow(service)
    with (
        service.client(transport=slow) as client,
        pytest.raises(ink.OutcomeUnknown),
    ):
        create(client, way)
    kill_programs()
    with service.client() as client:
        with pytest.raises(ink.OutcomeUnknown, match="may have been created already") as caught:
            create(client, way)
        assert service.generations == 0
        assert "may list it later" in caught.value.doubt
        slow.finish()
        if reconciled:
            assert caught.value.reconcile().id == service.created[0][1]
            assert json.loads(journals()[0].read_text().splitlines()[-1])["id"] == service.created[0][1]
        create(client, way)
    assert service.generations == 2


@pytest.mark.parametrize("change", ["edited", "deleted"])
def test_what_reconcile_found_is_noted(service, clocks, change):
    """A record that ``reconcile`` found is not asked about again, nor paid for, though it is edited or deleted then."""
    service.lose("lost_reply")
    with service.client() as client:
        with pytest.raises(ink.OutcomeUnknown) as caught:
            client.documents.ensure(**ROWS[0])
        record = caught.value.reconcile()
        assert caught.value.reconcile() is record
        if change == "edited":
            client.documents.update(record, name="Another", result="Another text")
        else:
            client.documents.delete(record)
    clocks.let_pass()
    runs = service.run(ROWS[:1])
    assert runs["status"].tolist() == ["existing" if change == "edited" else "skipped"]
    assert service.generations == 1


@pytest.mark.parametrize("way", ["created", "seen", "older"])
def test_reconcile_takes_no_record_from_before(service, way):
    """An equal record that another kernel created, that this one saw, or that is older, is not the one that was lost."""
    with service.client() as client:
        if way == "created":
            client.documents.create(**ROWS[0])
        else:
            service.insert("documents", **ROWS[0], created_at=time.time() - 600 * (way == "older"))
    service.lose("lost_request")
    with service.client() as client:
        if way == "seen":
            client.documents.list()
        with pytest.raises(ink.OutcomeUnknown) as caught:
            client.documents.create(**ROWS[0])
        assert caught.value.reconcile() is None
    if way == "older":
        assert "document 13 is equal, but its time is before that of the request" in caught.value.doubt


def test_the_key_cannot_be_told_from_the_journal(service):
    """Each line has another mark of the key, so that equal keys do not show either."""
    service.run(ROWS)
    [path] = journals()
    marks = [json.loads(line).get("account") for line in Path(path).read_text().splitlines()]
    assert len(set(marks)) == 4
    assert all(len(mark) == 8 for mark in marks if mark)
