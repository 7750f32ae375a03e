"""Lazy frames: what workers fetch is what ``all`` gives, wherever it stands by then, and no key travels unasked."""

from __future__ import annotations

import os
import pickle
import random
import subprocess
import sys

import pandas as pd
import pytest

import inkframe
from inkframe.analysis import text_statistics
from inkframe.dask import key_sharing as sharing
from inkframe.dask import share_key
from inkframe.dask import worker_keys as keys
from inkframe.http.address import Address
from inkframe.http.key import Key
from inkframe.service import Service
from inkframe.testing import FaultyService

pytest.importorskip("dask.dataframe", reason="needs dask: pip install 'inkframe[dask]'")
distributed = pytest.importorskip("distributed", reason="needs dask: pip install 'inkframe[dask]'")

KEY = "canary-Zq7Lw2Vx9Rt4"


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """Start a service of 104 documents in another process; gives its address, with a cluster of two processes."""
    library = tmp_path_factory.mktemp("served") / "library.db"
    with Service(library) as service:
        service.sample(images=0, documents=104)
    command = [sys.executable, "-m", "inkframe", "serve", "--port", "0", "--library", str(library)]
    environment = os.environ | {"INKFRAME_SERVE_KEY": KEY}
    with (
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process,
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        cluster.get_client(),
    ):
        yield process.stdout.readline().split()[-1], cluster
        process.terminate()


def lazily(service, collection="images", **options):
    """Give the frame of all and the lazy one of a service in this process."""
    with inkframe.Client(service.base_url, service.key, transport=service.transport) as client:
        listed = getattr(client, collection)
        lazy = listed.to_dask(**options)
        return listed.all(sort="asc"), lazy, lazy.compute(scheduler="sync")


def test_two_processes_fetch_from_a_service(served):
    """Without a key workers say so; once it is shared they fetch their parts, and none of it is in the graph."""
    address, cluster = served
    with inkframe.connect(address, KEY) as client:
        lazy = client.documents.to_dask(partition_size=30)
        assert lazy.npartitions == 4
        with pytest.raises(inkframe.ConfigurationError, match="no key for 127.0.0.1.*\n.*INKFRAME_API_KEY"):
            lazy.compute()
        share_key(cluster, client)
        pd.testing.assert_frame_equal(lazy.compute(), client.documents.all(sort="asc"))
        measured = text_statistics(lazy, language="en")
        pd.testing.assert_frame_equal(
            measured.compute(), text_statistics(client.documents.all(sort="asc"), language="en")
        )
        sent = pickle.dumps(lazy) + pickle.dumps(dict(lazy.__dask_graph__()))
    assert b"Lw2Vx9" not in sent
    assert address.encode() in sent


@pytest.mark.parametrize(
    ("dialect", "known"),
    [
        ("laravel_resource", True),
        ("laravel_simple", True),
        ("drf_offset", True),
        ("spring", True),
        ("json_server_1", False),
        ("drf_cursor", False),
        ("stripe", False),
    ],
)
def test_the_parts_together_are_all(dialect, known):
    """Rows, columns, types and categories are those of ``all``, before and after anything is fetched."""
    whole, lazy, fetched = lazily(FaultyService(dialect, images=650), partition_size=150)
    assert lazy.known_divisions is known
    assert lazy.npartitions == (5 if known else lazy.npartitions)
    pd.testing.assert_frame_equal(fetched.sort_index(), whole.sort_index())
    pd.testing.assert_frame_equal(lazy._meta, whole.iloc[:0], check_index_type=False)


def test_every_template_is_in_it():
    """A library that is listed template by template is one frame, divided by ids and not by templates."""
    whole, lazy, fetched = lazily(FaultyService(documents=300), "documents", partition_size=100)
    assert lazy.divisions[0] == whole.index[0]
    assert lazy.divisions[-1] == whole.index[-1]
    pd.testing.assert_frame_equal(fetched, whole)


def churned(seed, dialect):
    """Give a service whose images come and go between replies, and the set of those that lived through it all."""
    service = FaultyService(dialect, images=450, seed=seed)
    chance, survivors = random.Random(seed), set(service.images)

    @service.between_replies
    def churn(service):
        for _ in range(chance.randrange(9)):
            gone = chance.choice(list(service.images))
            del service.images[gone]
            survivors.discard(gone)
            service.insert("images", name="new")

    return service, survivors


@pytest.mark.parametrize("dialect", ["laravel_resource", "laravel_simple", "drf_offset"])
def test_nothing_is_missing_and_nothing_twice(dialect):
    """Records come and go between planning and fetching, and while parts are fetched."""
    for seed in range(4):
        service, survivors = churned(seed, dialect)
        with inkframe.Client(service.base_url, service.key, transport=service.transport) as client:
            lazy = client.images.to_dask(partition_size=100)
            fetched = lazy.compute(scheduler="sync")
        assert fetched.index.is_unique
        assert {id for id in survivors if id <= lazy.divisions[-1]} <= set(fetched.index)


def test_parts_are_found_where_they_have_moved_to():
    """After most of a library is deleted, and more is added, each part is read from where it stands now."""
    service = FaultyService(images=3000)
    with inkframe.Client(service.base_url, service.key, transport=service.transport) as client:
        lazy = client.images.to_dask(partition_size=300)
        for id in [*service.images][100:2500]:
            del service.images[id]
        left = sorted(service.images)
        for _ in range(300):
            service.insert("images", name="later")
        before = len(service.requests)
        assert sorted(lazy.compute(scheduler="sync").index) == left
        assert len(service.requests) - before < 10 * 12


def test_values_and_columns_that_were_not_seen_before():
    """A new category comes behind the known ones; a column that some parts lack is missing there."""
    service = FaultyService(images=650)
    with inkframe.Client(service.base_url, service.key, transport=service.transport) as client:
        lazy = client.images.to_dask(partition_size=150)
        ids = sorted(service.images)
        service.images[ids[130]]["style"] = "mosaic"
        fetched = lazy.compute(scheduler="sync")
    assert fetched.loc[ids[130], "style"] == "mosaic"
    known = list(lazy._meta["style"].cat.categories)
    assert list(fetched["style"].cat.categories) == [*known, "mosaic"]


def test_only_what_is_needed_leaves_a_worker():
    """Columns that are not asked for are left behind; a slice by id asks for its parts only."""
    service = FaultyService(images=650)
    with inkframe.Client(service.base_url, service.key, transport=service.transport) as client:
        lazy = client.images.to_dask(partition_size=150)
        assert lazy[["name", "style"]].partitions[0].compute(scheduler="sync").columns.tolist() == [
            "name",
            "style",
        ]
        before = len(service.requests)
        lazy.loc[: lazy.divisions[1] - 1].compute(scheduler="sync")
        assert len(service.requests) - before <= 4


def test_an_empty_listing_has_its_columns():
    """Nothing is a frame without rows, of the same columns and types."""
    whole, lazy, fetched = lazily(FaultyService(images=0))
    assert (lazy.npartitions, len(fetched)) == (1, 0)
    pd.testing.assert_frame_equal(fetched, whole)


def test_arguments_are_checked_before_anything_is_sent():
    """A misspelt filter, a value that is not allowed and a size that is none are refused."""
    service = FaultyService()
    with inkframe.Client(service.base_url, service.key, transport=service.transport) as client:
        with pytest.raises(TypeError, match="'styl'"):
            client.images.to_dask(styl="anime")
        with pytest.raises(inkframe.InvalidArgument, match="anime"):
            client.images.to_dask(style="animee")
        with pytest.raises(inkframe.InvalidArgument, match="partition_size=0"):
            client.documents.to_dask(partition_size=0)
    assert service.requests == []


def test_a_local_service_is_reached_in_its_own_process_only():
    """The embedded library is fetched by threads of this process; another is told to serve it."""
    with inkframe.connect(library=":memory:") as client:
        for number in range(3):
            client.documents.create(name=f"Kettle {number}", prompt="A line about kettles.")
        lazy = client.documents.to_dask()
        pd.testing.assert_frame_equal(lazy.compute(scheduler="threads"), client.documents.all(sort="asc"))
    with pytest.raises(inkframe.ConfigurationError, match="inkframe serve"):
        lazy.compute(scheduler="sync")


ADDRESS = Address.parse("https://content.example.com")


def test_workers_find_the_key_as_they_may(tmp_path, monkeypatch):
    """A shared key, else the environment, else a file that nobody else can read; else an error that says so."""
    with pytest.raises(inkframe.ConfigurationError, match="share_key"):
        keys.find_key(ADDRESS)
    file = tmp_path / "key"
    file.write_text(f"{KEY}\n", encoding="utf-8")
    monkeypatch.setenv("INKFRAME_API_KEY_FILE", str(file))
    file.chmod(0o640)
    with pytest.raises(inkframe.ConfigurationError, match="chmod 600"):
        keys.find_key(ADDRESS)
    file.chmod(0o600)
    assert keys.find_key(ADDRESS).bearer() == f"Bearer {KEY}"
    monkeypatch.setenv("INKFRAME_API_KEY", "another")
    assert keys.find_key(ADDRESS).bearer() == "Bearer another"
    monkeypatch.setitem(keys.SHARED, ADDRESS.origin, Key("shared"))
    assert keys.find_key(ADDRESS).bearer() == "Bearer shared"


def test_a_key_is_not_shared_in_the_open(monkeypatch):
    """Beyond this machine a cluster needs TLS; whose key it is must be clear."""
    for address in ("tcp://10.1.2.3:8786", "tcp://scheduler:8786", "ws://[2001:db8::1]:8786"):
        with pytest.raises(inkframe.ConfigurationError, match="without TLS"):
            sharing._refuse_open(["tcp://127.0.0.1:8786", address])
    sharing._refuse_open(["tcp://127.0.0.1:1", "tcp://[::1]:1", "inproc://a/b", "tls://10.1.2.3:8786"])
    monkeypatch.setattr(sharing, "open_sessions", dict)
    with pytest.raises(inkframe.InvalidArgument, match="No client"):
        share_key(None)


def test_what_brings_a_key_shows_nothing_of_it():
    """Only on its way to a worker is a key written out."""
    from inkframe.dask.key_plugin import SharedKey

    plugin = SharedKey(ADDRESS.origin, Key(KEY))
    assert "Lw2Vx9" not in repr(plugin) + str(plugin) + str(vars(plugin))
    arrived = pickle.loads(pickle.dumps(plugin))  # noqa: S301  # made a line above
    arrived.setup(None)
    assert keys.SHARED[ADDRESS.origin].bearer() == f"Bearer {KEY}"
    arrived.teardown(None)
    assert keys.SHARED == {}
