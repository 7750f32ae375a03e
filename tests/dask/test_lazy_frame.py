"""Lazy frames: workers fetch the same records as ``all``, and keys are shared only explicitly."""

import os
import pickle
import random
import subprocess
import sys

import pandas as pd
import pytest
from tests.services import FaultyService

import inkframe
from inkframe.analysis import text_statistics
from inkframe.dask import lazy_frame as sharing
from inkframe.dask import share_key
from inkframe.http.address import Address
from inkframe.http.key import Key
from inkframe.service import Service

KEY = "canary-Zq7Lw2Vx9Rt4"


@pytest.fixture(scope="module", autouse=True)
def distributed():
    """Return the library of clusters; it takes a second to load, which only one of two processes needs."""
    return [
        pytest.importorskip(name, reason="needs dask: pip install 'inkframe[dask]'")
        for name in ("dask.dataframe", "distributed")
    ][-1]


@pytest.fixture(scope="module")
def served(tmp_path_factory, distributed):
    """Yield the address of a service of 104 documents in another process, and a cluster of two processes."""
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
    """Return the full and the lazy frame of a service in this process, and the lazy one computed."""
    with service.client() as client:
        listed = getattr(client, collection)
        lazy = listed.to_dask(**options)
        return listed.all(sort="asc"), lazy, lazy.compute(scheduler="sync")


def test_two_processes_fetch_from_a_service(served):
    """Workers without a key raise; with a shared one they fetch their parts, and the graph has no key."""
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
    """Rows, columns, types and categories equal those of ``all``, before and after fetching."""
    whole, lazy, fetched = lazily(FaultyService(dialect, images=650), partition_size=150)
    assert lazy.known_divisions is known
    assert lazy.npartitions == (5 if known else lazy.npartitions)
    pd.testing.assert_frame_equal(fetched.sort_index(), whole.sort_index())
    pd.testing.assert_frame_equal(lazy._meta, whole.iloc[:0], check_index_type=False)


def test_every_template_is_included():
    """A library listed by templates becomes one frame, divided by ids and not by templates."""
    whole, lazy, fetched = lazily(FaultyService(documents=300), "documents", partition_size=100)
    assert lazy.divisions[0] == whole.index[0]
    assert lazy.divisions[-1] == whole.index[-1]
    pd.testing.assert_frame_equal(fetched, whole)


@pytest.mark.integration
def test_two_workers_share_a_library_of_many_templates():
    """Neither fetches as many pages as one would alone, although each template is divided."""
    service = FaultyService(documents=10_000)

    def pages(lazy, at):
        before = len(service.requests)
        lazy.partitions[at].compute(scheduler="sync")
        return len(service.requests) - before

    with service.client() as client:
        alone = pages(client.documents.to_dask(partition_size=50_000), 0)
        lazy = client.documents.to_dask()
        parts = sorted(pages(lazy, at) for at in range(lazy.npartitions))
    assert len(parts) >= 2
    assert max(parts[-1], sum(parts[:-1])) < 0.8 * alone


def test_the_attributes_are_those_of_the_service():
    """Before and after fetching, so that methods of the frame find its client."""
    _, lazy, fetched = lazily(FaultyService(images=450), partition_size=150)
    assert fetched.attrs["inkframe"]["collection"] == "images"
    assert fetched.attrs == lazy._meta.attrs
    assert fetched.attrs["inkframe"]["completeness"] == "best-effort"


def churned(seed, dialect):
    """Return a service whose images change between replies, and the ids of the survivors."""
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
def test_nothing_is_missing_or_duplicate(dialect):
    """Records are added and deleted before and while parts are fetched."""
    for seed in range(4):
        service, survivors = churned(seed, dialect)
        with service.client() as client:
            lazy = client.images.to_dask(partition_size=100)
            fetched = lazy.compute(scheduler="sync")
        assert fetched.index.is_unique
        assert {id for id in survivors if id <= lazy.divisions[-1]} <= set(fetched.index)


def test_parts_are_found_after_their_records_moved():
    """After many deletions and additions, each part is read from its current pages."""
    service = FaultyService(images=3000)
    with service.client() as client:
        lazy = client.images.to_dask(partition_size=300)
        for id in [*service.images][100:2500]:
            del service.images[id]
        left = sorted(service.images)
        for _ in range(300):
            service.insert("images", name="later")
        before = len(service.requests)
        assert sorted(lazy.compute(scheduler="sync").index) == left
        assert len(service.requests) - before < 10 * 12


def test_new_values_of_a_category():
    """A new category is added after the known ones."""
    service = FaultyService(images=650)
    with service.client() as client:
        lazy = client.images.to_dask(partition_size=150)
        ids = sorted(service.images)
        service.images[ids[130]]["style"] = "mosaic"
        fetched = lazy.compute(scheduler="sync")
    assert fetched.loc[ids[130], "style"] == "mosaic"
    known = list(lazy._meta["style"].cat.categories)
    assert list(fetched["style"].cat.categories) == [*known, "mosaic"]


def test_only_needed_columns_and_parts_are_fetched():
    """Other columns are dropped, and a slice by id fetches its parts only."""
    service = FaultyService(images=650)
    with service.client() as client:
        lazy = client.images.to_dask(partition_size=150)
        assert lazy[["name", "style"]].partitions[0].compute(scheduler="sync").columns.tolist() == [
            "name",
            "style",
        ]
        before = len(service.requests)
        lazy.loc[: lazy.divisions[1] - 1].compute(scheduler="sync")
        assert len(service.requests) - before <= 4


def test_an_empty_listing_has_its_columns():
    """An empty listing becomes a frame without rows, with the same columns and types."""
    whole, lazy, fetched = lazily(FaultyService(images=0))
    assert (lazy.npartitions, len(fetched)) == (1, 0)
    pd.testing.assert_frame_equal(fetched, whole)


def test_arguments_are_checked_before_anything_is_sent():
    """A misspelled filter, an invalid value and an invalid size are refused."""
    service = FaultyService()
    with service.client() as client:
        with pytest.raises(TypeError, match="'styl'"):
            client.images.to_dask(styl="anime")
        with pytest.raises(inkframe.InvalidArgument, match="anime"):
            client.images.to_dask(style="animee")
        with pytest.raises(inkframe.InvalidArgument, match="partition_size=0"):
            client.documents.to_dask(partition_size=0)
    assert service.requests == []


def test_a_local_service_is_reached_in_its_own_process_only():
    """The embedded library is fetched by threads of this process; another process raises an error."""
    with inkframe.connect(library=":memory:") as client:
        for number in range(3):
            client.documents.create(name=f"Kettle {number}", prompt="A line about kettles.")
        lazy = client.documents.to_dask()
        pd.testing.assert_frame_equal(lazy.compute(scheduler="threads"), client.documents.all(sort="asc"))
    with pytest.raises(inkframe.ConfigurationError, match="inkframe serve"):
        lazy.compute(scheduler="sync")


ADDRESS = Address.parse("https://content.example.com")


def test_the_key_of_a_worker(tmp_path, monkeypatch):
    """The key is shared, in the environment, or in a private file; otherwise there is an error."""
    with pytest.raises(inkframe.ConfigurationError, match="share_key"):
        sharing.find_key(ADDRESS)
    file = tmp_path / "key"
    file.write_text(f"{KEY}\n", encoding="utf-8")
    monkeypatch.setenv("INKFRAME_API_KEY_FILE", str(file))
    file.chmod(0o640)
    with pytest.raises(inkframe.ConfigurationError, match="chmod 600"):
        sharing.find_key(ADDRESS)
    file.chmod(0o600)
    assert sharing.find_key(ADDRESS).bearer() == f"Bearer {KEY}"
    monkeypatch.setenv("INKFRAME_API_KEY", "another")
    assert sharing.find_key(ADDRESS).bearer() == "Bearer another"
    monkeypatch.setitem(sharing.SHARED, ADDRESS.origin, Key("shared"))
    assert sharing.find_key(ADDRESS).bearer() == "Bearer shared"


def test_a_key_is_not_shared_without_tls(monkeypatch):
    """A remote cluster needs TLS, and the client must be unambiguous."""
    for address in ("tcp://10.1.2.3:8786", "tcp://scheduler:8786", "ws://[2001:db8::1]:8786"):
        with pytest.raises(inkframe.ConfigurationError, match="without TLS"):
            sharing.refuse_open(["tcp://127.0.0.1:8786", address])
    sharing.refuse_open(["tcp://127.0.0.1:1", "tcp://[::1]:1", "inproc://a/b", "tls://10.1.2.3:8786"])
    monkeypatch.setattr(sharing, "open_sessions", dict)
    with pytest.raises(inkframe.InvalidArgument, match="No client"):
        share_key(None)


def test_what_shares_the_key_does_not_show_it(monkeypatch):
    """The key is only in the pickle that is sent to a worker."""
    monkeypatch.setattr(sharing, "SHARED", {})
    shared = sharing.SharedKey(ADDRESS.origin, Key(KEY))
    assert "Lw2Vx9" not in repr(shared) + str(shared) + str(vars(shared))
    arrived = pickle.loads(pickle.dumps(shared))  # noqa: S301  # created in this test
    arrived()
    assert sharing.SHARED[ADDRESS.origin].bearer() == f"Bearer {KEY}"
