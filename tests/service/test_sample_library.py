"""The example records."""

# ruff: noqa: S608  # the names in the SQL are those of our own tables

from importlib.metadata import EntryPoint

import pytest

import inkframe
from inkframe.cli import main
from inkframe.errors import ServerError
from inkframe.service import Service, engines
from inkframe.vocabulary import Vocabulary

WORDS = Vocabulary()
load = EntryPoint.load


class Paid:
    """An engine that is paid for each request, and counts them."""

    name = "paid"
    is_stand_in = False
    asked = 0

    def draw(self, request):
        """Count the request."""
        type(self).asked += 1
        raise AssertionError(request)

    write = draw


@pytest.fixture
def paid(monkeypatch):
    """Set the paid engine as that of the user."""
    point = EntryPoint("paid", f"{__name__}:Paid", engines.GROUP)
    monkeypatch.setattr(EntryPoint, "load", lambda self: Paid if self is point else load(self))
    monkeypatch.setattr(engines, "entry_points", lambda **_group: [point])
    monkeypatch.setenv("INKFRAME_ENGINE", "paid")
    monkeypatch.setattr(Paid, "asked", 0)
    return Paid


@pytest.fixture(autouse=True)
def demo(request, engine, monkeypatch):
    """Use a fast engine in place of the demo engine, except where it is asked for itself."""
    if "paid" not in request.fixturenames:
        monkeypatch.setattr("inkframe.service.service.find_engine", lambda name: {"offline": engine}[name])


@pytest.mark.parametrize("chosen", [{}, {"engine": "paid"}])
def test_examples_ask_no_paid_engine(paid, chosen):
    """The demo engine makes the examples, whatever engine is set."""
    with Service(**chosen) as service:
        service.sample(images=1, documents=1)
        assert service.engine.name == "paid"
        assert not service.is_empty()
    assert paid.asked == 0


@pytest.mark.integration
def test_the_examples_of_a_client_are_not_counted(paid):
    """A client that may create nothing has examples, none of which the engine of the user was asked for."""
    with inkframe.connect(library=":memory:", sample=True, create_limit=0) as client:
        assert (len(client.documents.all()), client.created) == (104, 0)
        assert client.images.get(1).picture.size == (256, 256)
    assert paid.asked == 0


def test_the_command_that_fills_a_library_does_not_load_another_engine(paid, tmp_path, monkeypatch):
    """``inkframe sample`` works where the engine of the user cannot, and asks it nothing."""
    library = tmp_path / "library.db"
    monkeypatch.setattr(paid, "__init__", lambda _self: 1 / 0)
    assert main(["sample", "--library", str(library), "--images", "1", "--documents", "1"]) == 0
    assert paid.asked == 0


@pytest.fixture
def rows(engine):
    """Return the records that a sample stores in an empty library."""

    def make(**settings):
        with Service(engine=type(engine)()) as service:
            service.sample(**settings)
            with service.pool.connection() as connection:
                return {
                    table: connection.execute(f"SELECT * FROM {table}").fetchall()
                    for table in ("images", "documents", "pictures")
                }

    return make


def columns(service, *names, table):
    with service.pool.connection() as connection:
        return connection.execute(f"SELECT {', '.join(names)} FROM {table} ORDER BY id").fetchall()


def test_the_default_sample_covers_every_template_and_look(service):
    """It has two documents per template, every look and creativity, favorites, and mostly small pictures."""
    service.sample()
    looks = columns(service, "style", "medium", "filter", "resolution", table="images")
    for position, field in enumerate(("style", "medium", "filter")):
        assert {row[position] for row in looks} - {None} == set(WORDS.codes(field))
    assert sum(row[3] == "256x256" for row in looks) > len(looks) / 2
    documents = columns(service, "template_id", "creativity", "favorite", table="documents")
    for template in WORDS.all_templates:
        assert [row[0] for row in documents].count(template.id) == 2
    assert sorted({row[1] for row in documents}) == [0, 0.25, 0.5, 0.75, 1]
    assert 0 < sum(row[2] for row in documents) < len(documents) / 2
    assert (1,) in columns(service, "favorite", table="images")


def test_names_prompts_and_descriptions_vary(service):
    """No name or description appears twice, even in a large sample, and no pattern is left unfilled."""
    service.sample(images=300, documents=700)
    for table, field in (("images", "name"), ("documents", "name"), ("documents", "prompt")):
        texts = [text for (text,) in columns(service, field, table=table)]
        assert len(set(texts)) > 0.95 * len(texts)
        assert not [text for text in texts if "{" in text or "}" in text]
    names = [name for (name,) in columns(service, "name", table="documents")]
    assert len(set(names)) == len(names)


def test_dates_are_spread_in_the_order_of_ids(service):
    """Creation times are in the past, in order, over months; favorites were updated later."""
    service.sample(images=30, documents=30)
    for table in ("images", "documents"):
        rows = columns(service, "created_at", "updated_at", "favorite", table=table)
        created = [row[0] for row in rows]
        assert created == sorted(created)
        assert created[0].startswith("2025-01")
        assert created[-1].startswith(("2025-06", "2025-07"))
        assert all((changed > made) == favorite for made, changed, favorite in rows)


def test_the_same_seed_gives_the_same_library(rows):
    """Every field of every record is equal, texts included; another seed gives another library."""
    settings = {"images": 20, "documents": 60}
    first = rows(seed=3, **settings)
    assert rows(seed=3, **settings) == first
    other = rows(seed=4, **settings)
    assert other["documents"] != first["documents"]
    assert [row[4:7] for row in other["images"]] != [row[4:7] for row in first["images"]]


def test_progress_counts_every_record(service):
    """The callback is called for each record, with the total."""
    heard = []
    service.sample(images=2, documents=3, progress=lambda done, total: heard.append((done, total)))
    assert heard == [(1, 5), (2, 5), (3, 5), (4, 5), (5, 5)]


def test_a_sample_adds_to_existing_records(service, new_document):
    """Nothing is removed or changed, and an empty sample is valid."""
    number = new_document()["id"]
    service.sample(images=0, documents=0)
    service.sample(images=1, documents=1)
    assert [row[0] for row in columns(service, "id", table="documents")] == [number, number + 1]


def test_a_sample_works_with_another_vocabulary(engine):
    """A deployment without styles and with its own templates has examples too."""
    words = Vocabulary(styles=(), filters=(), templates={1: "Freestyle", 60: "Haiku"})
    with Service(engine=engine, vocabulary=words) as service:
        service.sample(images=3, documents=4)
        assert columns(service, "style", "filter", table="images") == [(None, None)] * 3
        assert [row[0] for row in columns(service, "template_id", table="documents")] == [1, 60, 1, 60]


def test_an_engine_that_fails_ends_a_sample(service, engine):
    """The error is an InkframeError, and the records stored before are complete."""
    engine.failure = RuntimeError("out of ink")
    with pytest.raises(ServerError, match="RuntimeError"):
        service.sample(images=2, documents=2)
    assert len(engine.requests) == 1
    assert service.is_empty()


def test_whole_sample(service, recorded):
    """The records of a sample whose subjects, scenes and times repeat."""
    service.sample(images=160, documents=110, seed=3)
    for name, fields in {
        "images": "id name description resolution style medium filter favorite created_at",
        "documents": "id name template_id prompt creativity favorite created_at updated_at",
    }.items():
        rows = columns(service, *fields.split(), table=name)
        recorded(name, [[*map(str, row)] for row in rows[::7]])
