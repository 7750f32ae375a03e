"""A create is known by its values, whatever way asks for it, however they are spelled, and wherever it was noted."""

import contextlib
import hashlib
import json
import os
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from tests.services import FaultyService
from tests.services.hiding_service import HidingService

import inkframe
import inkframe as ink
from inkframe.system.files import journal_path
from inkframe.system.processes import append_line

KETTLE = {"name": "Kettle", "prompt": "Product text for a kettle"}
HOST = "https://service.test"
PROMPT = "Two sentences about {product}."


@pytest.fixture
def service():
    return FaultyService(images=0, documents=0)


@pytest.mark.parametrize(
    ("stored", "name"),
    [
        ("trimmed", " Kettle 2000 "),
        ("cut", "A kettle with a very long name"),
        ("title", "a quiet kettle"),
        ("same", "Kettle"),
    ],
)
def test_ensure_after_create_makes_nothing(stored, name):
    """In the same client and in the next one, also where the service changes the values."""
    change = {"trimmed": str.strip, "cut": lambda text: text[:10], "title": str.title, "same": str}[stored]
    service = FaultyService(images=0, documents=0, stores=lambda row: row | {"name": change(row["name"])})
    with service.client() as client:
        made = client.documents.create(**KETTLE | {"name": name})
        assert client.documents.ensure(**KETTLE | {"name": name}).id == made.id
    with service.client() as client:
        assert client.documents.ensure(**KETTLE | {"name": name}).id == made.id
        runs = client.documents.create_many([KETTLE | {"name": name}], progress=False)
        assert (runs["status"].tolist(), runs["id"].tolist()) == (["existing"], [made.id])
    assert service.generations == 1


@pytest.mark.parametrize(
    ("first", "again"),
    [
        ("a café", "a cafe\u0301"),
        ("a kettle", "a kettle "),
        ("a kettle", "\u00a0a kettle"),
        ("one\ntwo", "one\r\ntwo"),
        ("=SUM(A1)", "'=SUM(A1)"),
        ("-5 degrees", "'-5 degrees"),
        (20, 20.0),
        (20, Decimal("20.0")),
        (20.5, Decimal("20.50")),
        (20.1, np.float32(20.1)),
        (pd.Timestamp("2026-01-01"), "2026-01-01 00:00:00"),
        (pd.Timestamp("2026-01-01", tz="UTC"), "2026-01-01 00:00:00+00:00"),
        (pd.Timestamp("2026-01-02 03:04:05.5", tz="UTC"), "2026-01-02 03:04:05.500"),
        (pd.Timestamp("2026-01-02 03:04:05.5"), "2026-01-02T03:04:05.500"),
        (pd.Timestamp("2026-01-02 03:04", tz="UTC"), "2026-01-02T03:04:00.000Z"),
        (pd.Timedelta(days=2), "2 days"),
        (pd.Timestamp("2026-01-01", tz="Europe/Berlin"), "2026-01-01 00:00:00+01:00"),
        ("one\x1btwo", "onetwo"),
    ],
    ids=repr,
)
def test_a_value_that_is_spelled_differently_is_paid_for_once(service, first, again):
    """A row is the same row whatever form its value has in the table."""
    with service.client() as client:
        client.documents.write(pd.DataFrame({"product": [first]}), PROMPT, name="{product}")
        column = pd.Series([again], dtype="float32" if isinstance(again, np.float32) else object)
        made = client.documents.write(pd.DataFrame({"product": column}), PROMPT, name="{product}")
    assert made["text_status"].tolist() == ["existing"]
    assert service.generations == 1


@pytest.mark.parametrize(
    ("first", "again"), [("a kettle", "a lamp"), (1, True), ("a  kettle", "a kettle"), (20.1, 20.2)], ids=repr
)
def test_another_value_is_another_row(service, first, again):
    """White space inside a text counts, and a boolean is no number."""
    with service.client() as client:
        for value in (first, again):
            client.documents.write(
                pd.DataFrame({"product": pd.Series([value], dtype=object)}), PROMPT, name="n"
            )
    assert service.generations == 2


@pytest.mark.parametrize(
    "change",
    [
        lambda table: table.sort_values("size", ignore_index=True),
        lambda table: table[1:].reset_index(drop=True),
        lambda table: table.assign(stock=[7, 8, 9]),
    ],
    ids=["sorted", "shortened", "edited elsewhere"],
)
def test_a_table_of_numbers_in_another_order_is_paid_for_once(service, change):
    """A row without a text is named by what its prompt calls, which stays as it is where the index does not."""
    table = pd.DataFrame({"stock": [1, 2, 3], "size": [30, 10, 20]})
    with service.client() as client:
        client.documents.write(table, "Two sentences about size {size}.")
        made = client.documents.write(change(table), "Two sentences about size {size}.")
    assert set(made["text_status"]) == {"existing"}
    assert service.generations == 3


@pytest.mark.parametrize(
    "index", [pd.Index(["a", "b"], name="shelf"), pd.RangeIndex(2)], ids=["named", "plain"]
)
def test_a_table_of_numbers_that_was_named_by_its_index_is_paid_for_once(service, index):
    """Rows that the journal knows under the index keep that name."""
    table = pd.DataFrame({"size": [30, 10]}, index=index)
    with service.client() as client:
        client.documents.write(table, "About size {size}.", name=f"{{{index.name or 'index'}}}")
        assert client.documents.write(table, "About size {size}.")["text_status"].tolist() == ["existing"] * 2
    assert service.generations == 2


def test_a_file_of_our_own_is_paid_for_once(service, tmp_path):
    """What was written to CSV and read back creates nothing, also where texts look like formulas."""
    table = pd.DataFrame({"product": ["=1+1", "+49 30", "@home", "-5", "two\r\nlines", "plain"]})
    with service.client() as client:
        made = client.documents.write(table, PROMPT, name="{product}")
        made[["product"]].ink.to_csv(tmp_path / "shop.csv")
        read = pd.read_csv(tmp_path / "shop.csv")
        client.documents.write(read[["product"]], PROMPT, name="{product}")
    assert service.generations == len(table)


@pytest.mark.parametrize("way", ["write", "create_many"])
def test_a_new_home_takes_what_is_there(service, capsys, way):
    """Where the journal knows no row, equal records of the service are taken, however spelled, in one printed line."""

    def run(rows):
        with service.client() as client:
            if way == "write":
                return client.documents.write(pd.DataFrame({"product": rows}), PROMPT)["text_status"].tolist()
            plan = [KETTLE | {"name": row} for row in rows]
            return client.documents.create_many(plan, progress=False)["status"].tolist()

    run(["a café", "=1+1 lamps"])
    os.environ["INKFRAME_HOME"] += "-elsewhere"
    spelled = ["a cafe\u0301 ", "'=1+1 lamps", "a chair"]
    assert run(spelled) == ["existing", "existing", "created"]
    assert capsys.readouterr().out.count("2 rows equal records") == 1
    assert run(spelled) == ["existing"] * 3
    assert service.generations == 3


@pytest.mark.parametrize("first", ["preview", "ensure", "another row"])
def test_a_new_home_takes_each_row_that_it_does_not_know(service, first):
    """Rows are taken for existing records one by one, whatever this home created or found before."""
    shop = pd.DataFrame({"product": ["kettle", "lamp", "chair", "desk"]})
    with service.client() as client:
        client.documents.write(shop, PROMPT)
    os.environ["INKFRAME_HOME"] += "-elsewhere"
    with service.client() as client:
        if first == "preview":
            assert client.documents.write(shop, PROMPT, preview=1)["text_status"].tolist()[0] == "existing"
        elif first == "ensure":
            client.documents.ensure(name="kettle", prompt=PROMPT.format(product="kettle"))
        else:
            assert (
                client.documents.write(shop.replace("kettle", "sofa")[:1], PROMPT)["text_status"][0]
                == "created"
            )
        before = service.generations
        assert client.documents.write(shop, PROMPT)["text_status"].tolist() == ["existing"] * 4
        assert service.generations == before
        count = len(service.requests)
        client.documents.write(shop, PROMPT)
        assert len(service.requests) == count + 4  # one for each record


@pytest.mark.parametrize("home", ["same", "new"])
def test_what_is_created_anew_takes_no_equal_record(service, home):
    """A row that replaces its record is sent, though the service has equal ones."""
    shop = pd.DataFrame({"product": ["kettle"]})
    fields = {"name": "kettle", "prompt": PROMPT.format(product="kettle")}
    with service.client() as client:
        made = client.documents.write(shop, PROMPT)
    service.insert("documents", **fields, creativity=0.5, template_id=1)
    if home == "new":
        os.environ["INKFRAME_HOME"] += "-elsewhere"
    with service.client() as client:
        again = client.documents.write(made, PROMPT, again=True)
        assert again["text_status"].tolist() == ["created"]
        assert (
            client.documents.write(made, PROMPT, again=True)["text_id"].tolist() == again["text_id"].tolist()
        )
    assert service.generations == 2


def test_a_new_row_does_not_take_what_a_lost_create_has_made():
    """The record of an open create is not taken for a new row with the same fields, and is found for its own row."""
    service = HidingService("template_unlimited", images=0, documents=0)
    service.hides = lambda _place: True
    service.lose("lost_reply")
    rows = [KETTLE | {"repeat": repeat} for repeat in (1, 2)]
    with service.client() as client:
        assert client.documents.create_many(rows[:1], progress=False)["status"].tolist() == ["unknown"]
        del service.hides
        runs = client.documents.create_many(rows, progress=False)
    assert (runs["status"].tolist(), runs["id"].tolist()) == (["existing", "created"], [1, 2])


@pytest.mark.parametrize(("count", "requests"), [(4, 1), (150, 2)])
def test_a_new_home_looks_at_every_list(count, requests):
    """Records that the service lists under another template are taken, with one request for each list at most."""
    service = FaultyService(images=0, documents=0, stores=lambda row: row | {"template_id": 9})
    shop = pd.DataFrame({"product": [f"lamp {number}" for number in range(4)]})
    with service.client() as client:
        client.documents.write(shop, PROMPT)
    os.environ["INKFRAME_HOME"] += "-elsewhere"
    more = [f"chair {number}" for number in range(count - 4)]
    with service.client() as client:
        service.requests.clear()
        made = client.documents.write(
            pd.concat([shop, pd.DataFrame({"product": more})]), PROMPT, confirm=count
        )
        assert made["text_status"].tolist() == ["existing"] * 4 + ["created"] * len(more)
        lists = [request for request in service.requests if request.path.endswith("/documents")]
        templates = len(client.vocabulary.templates)
    assert len([each for each in lists if each.method == "GET"]) <= templates + 3 + requests


def test_a_new_home_reads_no_list_once_every_row_is_found(service):
    """Where the newest records have all rows, no other list is read."""
    shop = pd.DataFrame({"product": ["kettle", "lamp"]})
    with service.client() as client:
        client.documents.write(shop, PROMPT)
    os.environ["INKFRAME_HOME"] += "-elsewhere"
    with service.client() as client:
        service.requests.clear()
        assert client.documents.write(shop, PROMPT)["text_status"].tolist() == ["existing"] * 2
        assert [request.path for request in service.requests].count("/api/v1/documents") == 1


def test_only_a_new_home_looks_at_every_list():
    """Where a create was sent before, a new row costs one request for the newest records, besides its create."""
    service = FaultyService(images=0, documents=0, stores=lambda row: row | {"template_id": 9})
    for product in ("kettle", "lamp"):
        with service.client() as client:
            service.requests.clear()
            client.documents.write(pd.DataFrame({"product": [product]}), PROMPT)
            templates = len(client.vocabulary.templates)
        methods = [request.method for request in service.requests if request.path.endswith("/documents")]
        assert methods.count("POST") == 1
        assert (methods.count("GET") > templates) is (product == "kettle")
    assert methods.count("GET") == 1


def test_a_panel_in_a_new_home_takes_what_is_there(service, capsys):
    """A tuner that is pressed in another home finds the equal records of the service, and pays for none of them."""

    def press():
        with service.client() as client:
            tuner = ink.CreativityTuner(
                client,
                prompt="About a kettle",
                creativity=[0.25, 0.5],
                repeats=1,
                name="Draft {creativity} {repeat}",
            )
            tuner.submit().result(60)
            return tuner.frame["status"].tolist()

    press()
    os.environ["INKFRAME_HOME"] += "-elsewhere"
    assert press() == ["existing"] * 2
    assert service.generations == 2


@pytest.mark.parametrize("lagging", [True, False], ids=["lagging", "deleted elsewhere"])
def test_ensure_creates_nothing_for_a_record_that_is_not_found_any_more(service, lagging):
    """A record that was created and is not found may be deleted or not shown yet: a person decides."""
    with service.client() as client:
        made = client.documents.ensure(**KETTLE)
        hidden = service.documents.pop(made.id)
        with pytest.raises(ink.OutcomeUnknown, match=f"Document {made.id} was created for it") as caught:
            client.documents.ensure(**KETTLE)
        assert str(caught.value).endswith("or create another one with .create().")
        assert caught.value.reconcile() is None
        assert caught.value.doubt
    with service.client() as client:
        if lagging:
            service.documents[made.id] = hidden
            assert client.documents.ensure(**KETTLE).id == made.id
        else:
            another = client.documents.create(**KETTLE)
            assert client.documents.ensure(**KETTLE).id == another.id != made.id
    assert service.generations == 2 - lagging


def test_ensure_creates_anew_what_this_client_deleted(service):
    """Whoever deletes a record and ensures it gets a new one."""
    with service.client() as client:
        client.documents.delete(made := client.documents.ensure(**KETTLE))
        assert client.documents.ensure(**KETTLE).id != made.id
    assert service.generations == 2


def test_ensure_at_another_level_of_the_embedded_service_creates():
    """It keeps every value, so that a record with another level is another one, and no rounded version."""
    with inkframe.connect(library=":memory:") as client:
        made = [client.documents.create(**KETTLE, creativity=0.75)]
        made += [client.documents.ensure(**KETTLE, creativity=each) for each in (1, 0.5, 0.25, 0, 0.5)]
    assert [each.creativity for each in made] == [0.75, 1, 0.5, 0.25, 0, 0.5]
    assert len({each.id for each in made}) == 5


def note_as_0_3(service, rows):
    """Create rows as release 0.3 did, which noted each by its fields as they were typed; equal ones are numbered."""
    path, met = journal_path(HOST), []
    path.parent.mkdir(parents=True)
    with path.open("w") as journal:
        for number, row in enumerate(rows, start=1):
            fields = {**row, "creativity": "0.5"}
            met.append(fields)
            content = json.dumps([HOST, "documents", dict(sorted(fields.items())), met.count(fields)])
            creation = hashlib.sha256(content.encode()).hexdigest()[:32]
            line = {"creation": creation, "state": "created", "id": number, "time": 1.0}
            journal.write(json.dumps({**line, "collection": "documents"}) + "\n")
            service.insert("documents", **fields | {"creativity": 0.5, "result": "Text"})


def table_of_0_3(service, spelled):
    """Return a table with a value as 0.3 knew it, twice, whose column 0.3 has created and noted as it stood there."""
    table = pd.DataFrame({"product": pd.Series([spelled, spelled, "a lamp"], dtype=object)})
    note_as_0_3(service, [{"name": "n", "prompt": PROMPT.format(product=each)} for each in table["product"]])
    return table


spelled_as_in_0_3 = pytest.mark.parametrize(
    "spelled", [" kettle", "kettle\u00a0", "'=SUM(A1)", Decimal("20.0")], ids=repr
)


@spelled_as_in_0_3
def test_a_column_of_release_0_3_is_not_paid_for_again(service, spelled):
    """Rows that 0.3 noted with values as they stood in the table, spaces and all, are known, and stay numbered."""
    table = table_of_0_3(service, spelled)
    with service.client() as client:
        made = client.documents.write(table, PROMPT, name="n")
    assert (made["text_status"].tolist(), made["text_id"].tolist()) == (["existing"] * 3, [1, 2, 3])
    assert service.generations == 0


@spelled_as_in_0_3
@pytest.mark.parametrize("change", [lambda plan: plan, lambda plan: plan.iloc[::-1]], ids=["whole", "sorted"])
def test_a_plan_of_release_0_3_is_not_paid_for_again(service, spelled, change):
    """Rows of a plan that 0.3 noted with values as they stood in the table are known, in whatever order they come."""
    table = table_of_0_3(service, spelled)
    with service.client() as client:
        plan = change(ink.plan_documents(PROMPT, name="n", creativity=0.5, variables=table.drop(index=1)))
        runs = client.documents.create_many(plan, progress=False).sort_index()
    assert (runs["status"].tolist(), runs["id"].tolist()) == (["existing"] * 2, [1, 3])
    assert service.generations == 0


@pytest.mark.parametrize("saved", [True, False], ids=["read from a file", "typed"])
@pytest.mark.parametrize(
    ("noted", "typed"),
    [
        ({"name": "Kettle ", "prompt": "=1+1 lamps"}, {"name": "Kettle ", "prompt": "'=1+1 lamps"}),
        ({"name": "Kettle", "prompt": " About tea"}, {"name": "Kettle ", "prompt": " About tea"}),
        ({"name": "-5 degrees", "prompt": "About\ntea "}, {"name": "'-5 degrees", "prompt": "About\ntea "}),
    ],
)
def test_a_row_of_release_0_3_is_known_though_one_field_is_spelled_differently(
    service, tmp_path, noted, typed, saved
):
    """Each field may be as it was typed then, or as it counts, also in a plan that was saved and read."""
    note_as_0_3(service, [noted])
    rows = pd.DataFrame([noted if saved else typed])
    with service.client() as client:
        if saved:
            rows.ink.to_csv(tmp_path / "plan.csv", index=False)
            rows = pd.read_csv(tmp_path / "plan.csv")
        assert client.documents.create_many(rows, progress=False)["status"].tolist() == ["existing"]
    assert service.generations == 0


def test_an_id_that_is_given_again_hides_no_record(service):
    """After a service was emptied, a record in another form may be the one, though its id was that of another create."""
    with service.client() as client:
        client.documents.create(**KETTLE | {"name": "Lamp"})
    emptied = FaultyService(images=0, documents=0)
    emptied.insert("documents", **KETTLE | {"name": "KETTLE", "creativity": 0.5, "template_id": 1})
    with (
        emptied.client() as client,
        pytest.raises(ink.OutcomeUnknown, match="Document 1 may be the record"),
    ):
        client.documents.ensure(**KETTLE)
    assert emptied.generations == 0


def test_fresh_creates_only_the_rows_that_are_unknown(service, capsys):
    """The printed line says which rows they are, and their own frame with ``fresh=True`` creates each once."""
    plan = [KETTLE | {"name": f"Kettle {number}"} for number in range(3)]
    service.lose("lost_request")
    with service.client() as client:
        runs = client.documents.create_many(plan, progress=False)
        assert sorted(runs["status"]) == ["created", "created", "unknown"]
        assert 'runs[runs["status"] == "unknown"]' in capsys.readouterr().out
        lost = runs[runs["status"] == "unknown"]
        assert client.documents.create_many(lost, fresh=True, progress=False)["status"].tolist() == [
            "created"
        ]
        assert client.documents.create_many(plan, progress=False)["status"].tolist() == ["existing"] * 3
    assert service.generations == 3


def test_again_creates_an_unknown_cell(service):
    """A cell that may have been filled is filled anew by ``again=``, once."""
    service.lose("lost_request")
    with service.client() as client:
        shop = client.documents.write(pd.DataFrame({"product": ["a kettle", "a lamp"]}), PROMPT)
        assert sorted(shop["text_status"]) == ["created", "unknown"]
        shop = client.documents.write(shop, PROMPT, again=shop["text_status"] == "unknown")
        assert shop["text"].notna().all()
        shop = client.documents.write(shop, PROMPT)
        assert set(shop["text_status"]) == {"existing"}
    assert service.generations == 2


def test_locks_that_hold_nothing_pay_once(service, tmp_path, monkeypatch):
    """A program that finds the line of another before its own steps back, and gets the record later."""

    @contextlib.contextmanager
    def hold(self, number, stop=None):
        yield True

    monkeypatch.setattr("inkframe.system.processes.SharedLocks.hold", hold)
    path, appends = tmp_path / "journal.jsonl", "inkframe.creating.journal.append_line"
    with service.client() as client, service.client() as other:

        def overtaken(path, line):
            """Let the other program note and create the row between the look at the journal and the own line."""
            monkeypatch.setattr(appends, append_line)
            if line["state"] == "sent":
                assert other.documents.create_many([KETTLE], journal=path, progress=False)[
                    "status"
                ].tolist() == ["created"]
            append_line(path, line)

        client.documents.create_many([KETTLE | {"name": "Another"}], journal=path, progress=False)
        monkeypatch.setattr(appends, overtaken)
        client.documents.create_many([KETTLE], journal=path, progress=False)
        assert client.documents.create_many([KETTLE], journal=path, progress=False)["status"].tolist() == [
            "existing"
        ]
    assert service.generations == 2


@pytest.mark.parametrize("hides", ["always", "for a while"])
def test_a_service_that_hides_what_it_made_is_paid_once(hides):
    """Where lists lack what was made, for a while or always, no run pays for a row again by itself."""
    service = FaultyService(images=0, documents=0)
    hidden = set()

    @service.intercept
    def answered(request, answer):
        if request.method == "GET" and request.url.path.endswith("/documents"):
            kept = {id: service.documents.pop(id) for id in hidden if id in service.documents}
            try:
                reply = answer(request)
                reply.read()
                return reply
            finally:
                service.documents.update(kept)
        try:
            return answer(request)
        finally:
            if request.method == "POST":
                hidden.update(service.documents)

    plan = [KETTLE | {"name": f"Kettle {number}"} for number in range(4)]
    service.lose("lost_reply")
    for run in range(4):
        with service.client() as client:
            runs = client.documents.create_many(plan, progress=False)
            if run == 0 and hides == "for a while":
                with contextlib.suppress(ink.OutcomeUnknown):
                    client.documents.ensure(**plan[0])
        service.plan(None)
        if run == 2 and hides == "for a while":
            hidden.clear()
    assert service.generations == 4
    if hides == "for a while":
        assert runs["status"].tolist() == ["existing"] * 4
