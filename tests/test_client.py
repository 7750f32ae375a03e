import pickle
import ssl
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from tests import services

import inkframe as ink
from inkframe import client as client_module
from inkframe.listing.session import open_sessions
from inkframe.service import Service

ADDRESS = "https://content.example.com"
KEY = "key-7Qd2Zr9sLw4x"
LEAST = {"name": "Harbor", "description": "a harbor", "resolution": "256x256"}


@pytest.fixture
def open_client(request):
    """Return a function that opens a client and closes it after the test."""

    def make(base_url=ADDRESS, key=KEY, **options):
        client = ink.Client(base_url, key, **options)
        request.addfinalizer(client.close)
        return client

    return make


def message_of(open_client, *arguments, **options):
    """Return the message of a client that cannot be opened."""
    with pytest.raises(ink.InkframeError) as caught:
        open_client(*arguments, **options)
    assert isinstance(caught.value, (ink.ConfigurationError, ink.InvalidArgument))
    assert len(str(caught.value).splitlines()) <= 3
    return str(caught.value)


@pytest.mark.integration
def test_the_repr_of_a_client_shows_its_state(tmp_path, capsys):
    """One line has the library, the engine, what was created of how many, and whether the client is closed."""
    path = tmp_path / "library.db"
    with ink.connect(library=path, create_limit=1_200) as client:
        client.documents.create(name="n", prompt="p")
        known = f"<inkframe client of local demo service, library {path}, demo engine, 1 of at most 1,200 created>"
        assert repr(client) == known
    assert repr(client) == known.replace("service,", "service, closed,")


@pytest.mark.integration
def test_reprs_name_the_host(open_client, inkframe_client):
    """The repr of a client and its collections has the service, and not the key."""
    client = open_client("https://content.example.com:8443/a/api/v1/")
    assert repr(client) == "<inkframe client of content.example.com:8443>"
    assert repr(client.images) == "<images of content.example.com:8443>"
    assert client.service == "https://content.example.com:8443/a"
    assert repr(inkframe_client) == "<inkframe client of local demo service, library in memory, demo engine>"
    assert repr(inkframe_client.documents) == "<documents of local demo service>"
    assert inkframe_client.service == "local demo service"


def test_opening_a_client_sends_nothing(open_client):
    """The first request is sent by the first call."""
    calls = []
    open_client(transport=httpx.MockTransport(calls.append))
    assert calls == []


def test_a_client_is_a_context_manager(misbehaving):
    """A client closes at the end of the block; the error of a later call suggests ``connect``."""
    client, _ = misbehaving()
    with client as same:
        assert same is client
        client.images.list()
    for call in (client.images.list, lambda: client.documents.get(1)):
        with pytest.raises(ink.InkframeError, match=r"closed.\nOpen a new one with ink\.connect\(\)"):
            call()
    client.close()


def test_open_clients_are_known_until_they_are_closed(open_client):
    """Frames find their client among the open ones."""
    client = open_client()
    assert client._session in open_sessions().values()
    client.close()
    assert client._session not in open_sessions().values()


def test_a_client_is_not_pickled(open_client):
    """A client cannot be pickled, since it has a key."""
    with pytest.raises(TypeError, match=r"ink\.connect\(\)"):
        pickle.dumps(open_client())


@pytest.mark.parametrize("method", ["POST", "patch", ""])
def test_updates_are_patch_or_put(open_client, method):
    """Any other method is refused."""
    assert f"update_method must be 'PATCH' or 'PUT', got {method!r}." in message_of(
        open_client, update_method=method
    )


@pytest.mark.parametrize(
    ("given", "used"),
    [
        (None, {"connect": 5, "read": 30, "create": 180}),
        (60, {"connect": 5.0, "read": 60, "create": 60}),
        (2.5, {"connect": 2.5, "read": 2.5, "create": 2.5}),
        ({"create": 600}, {"connect": 5, "read": 30, "create": 600}),
        ({"connect": 1, "read": 2, "create": 3}, {"connect": 1, "read": 2, "create": 3}),
        (httpx.Timeout(20), {"connect": 20, "read": 20, "create": 20}),
        (httpx.Timeout(90, connect=3), {"connect": 3, "read": 90, "create": 90}),
        (httpx.Timeout(None, connect=3), {"connect": 3, "read": 86_400, "create": 86_400}),
        ((3, 90, 20, 1), {"connect": 3, "read": 90, "create": 90}),
        ((3, 90), {"connect": 3, "read": 90, "create": 90}),
    ],
    ids=str,
)
def test_timeouts(open_client, given, used):
    """Timeouts are seconds for all, or for each kind by name; the defaults are 5, 30 and 180."""
    assert open_client(timeout=given).describe().facts["service"]["timeouts"] == used


@pytest.mark.parametrize(
    "given",
    [
        0,
        -1,
        True,
        "30",
        {"read": 0},
        {"write": 3},
        {"read": "3"},
        {"read": None},
        [1, 2],
        (1,),
        (0, 1),
        ("1", 2),
        float("nan"),
    ],
    ids=str,
)
def test_invalid_timeouts(open_client, given):
    """Invalid timeouts are refused with a remedy."""
    assert "Pass seconds, an httpx.Timeout, or a mapping with connect, read and create." in message_of(
        open_client, timeout=given
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("max_retries", -1),
        ("max_retries", 1.5),
        ("concurrency", 0),
        ("create_limit", -1),
        ("create_limit", "3"),
    ],
)
def test_invalid_counts(open_client, name, value):
    """Counts must be integers."""
    assert f"got {value!r}.\nReplace {name}={value!r} with an integer of" in message_of(
        open_client, **{name: value}
    )


def test_creations_are_counted_and_limited(misbehaving, open_client):
    """``created`` counts creates; those beyond the limit are refused before they are sent."""
    _, service = misbehaving()
    client = open_client(service.base_url, service.key, transport=service.transport, create_limit=2)
    client.images.create(**LEAST)
    client.documents.create(name="a", prompt="b")
    for _ in range(2):
        with pytest.raises(
            ink.InvalidArgument, match=r"create_limit=2 is reached: 2 creates.*\n.*create_limit=…"
        ):
            client.images.create(**LEAST)
    assert client.created == service.generations == 2
    assert len(service.requests) == 2


def test_a_refused_creation_is_not_counted(misbehaving, open_client):
    """A create that certainly did not happen is not counted."""
    _, service = misbehaving()
    client = open_client(service.base_url, "another-key", transport=service.transport)
    with pytest.raises(ink.AuthenticationError):
        client.images.create(**LEAST)
    assert client.created == service.generations == 0


def test_the_limit_holds_between_threads(misbehaving, open_client):
    """Parallel creates in threads do not exceed the limit."""
    _, service = misbehaving()
    client = open_client(service.base_url, service.key, transport=service.transport, create_limit=5)

    def create(_):
        try:
            return client.images.create(**LEAST).id
        except ink.InvalidArgument:
            return None

    with ThreadPoolExecutor(8) as pool:
        made = [id for id in pool.map(create, range(20)) if id is not None]
    assert len(made) == len(set(made)) == service.generations == client.created == 5


@pytest.mark.integration
def test_threads_share_a_client(inkframe_client):
    """Calls from several threads are independent, in process too."""
    start = threading.Barrier(4)

    def work(number):
        start.wait()
        made = inkframe_client.documents.create(name=f"Thread {number}", prompt=f"Notes about {number}.")
        found = inkframe_client.documents.list(search=f"Thread {number}", template=1)
        return made.name, found["name"].tolist(), inkframe_client.documents.get(made).prompt

    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(work, range(4)))
    assert results == [(f"Thread {n}", [f"Thread {n}"], f"Notes about {n}.") for n in range(4)]


def test_the_vocabulary_can_be_replaced(misbehaving):
    """A new vocabulary sets the allowed values from then on; the default is that of the interface."""
    client, service = misbehaving()
    assert client.vocabulary == ink.Vocabulary()
    client.vocabulary = client.vocabulary.extend(styles={"oil": "Oil paint"})
    client.images.list(style="Oil paint")
    assert service.requests[-1].target.endswith("?style=oil")
    client.vocabulary = ink.Vocabulary(styles=[])
    with pytest.raises(ink.InvalidArgument, match="This service has no style: leave it out"):
        client.images.list(style="anime")


def test_a_client_can_be_given_a_vocabulary(open_client):
    """The option is equivalent to the attribute."""
    own = ink.Vocabulary(resolutions=["640x480"])
    assert open_client(vocabulary=own).vocabulary is own


def test_describe_shows_the_learned_format(misbehaving):
    """Before the first reply nothing is known; afterwards the envelope and the page parameter are."""
    client, _ = misbehaving(records=30)
    assert client.describe().facts["images"] == {"dialect": "not learned yet"}
    client.images.list(page=2)
    facts = client.describe().facts
    assert facts["images"]["records_at"] == ("data",)
    assert facts["images"]["page_parameter"] == "page"
    assert facts["documents"] == {"dialect": "not learned yet"}
    assert "page_parameter: page" in repr(client.describe())
    assert "page_parameter" in client.describe()._repr_html_()


@pytest.mark.integration
def test_describe_shows_how_to_pin_a_parameter_that_was_not_found():
    """Where no attempt led to a second page, the line to complete is printed, and nothing pins the failure."""
    paging = services.Paging(by="offset", parameter="filter[skip]")
    dialect = services.WireDialect(name="unnamed", about="", listing="$rows", paging=paging)
    service = services.FaultyService(dialect, images=130)
    with ink.Client(service.base_url, service.key, transport=service.transport) as client:
        assert client.images.all().attrs["inkframe"]["completeness"] == "best-effort"
        shown = repr(client.describe())
        line = "client.images.dialect = ink.Dialect(page_parameter='…')"
        assert line in shown
        assert line in client.describe()._repr_html_().replace("&#x27;", "'").replace("&#39;", "'")
        assert "'none'" not in shown
        exec(line.replace("…", "filter[skip]"), {"client": client, "ink": ink})  # noqa: S102  # as a user does
        assert len(client.images.all()) == 130
        assert "page_parameter='…'" not in repr(client.describe())


def test_fields_of_the_format_can_be_pinned(misbehaving):
    """A pinned field is used instead of the learned one, and marked."""
    client, service = misbehaving(records=30)
    client.images.dialect = ink.Dialect(paging="number", page_parameter="page", first_page=1)
    client.images.list(page=3)
    assert service.requests[-1].target.endswith("?page=3")
    assert "'page' (pinned)" in repr(client.describe())


def test_plain_http_shows_one_warning(open_client, monkeypatch):
    """Plain http shows one warning per address, and none on this machine."""
    monkeypatch.setattr(client_module, "_warned", set())
    with pytest.warns(UserWarning, match="plain http: others can read the key and the texts") as caught:
        open_client("http://content.example.com")
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        open_client("http://content.example.com/a")
        open_client("http://127.0.0.1:8000")
        open_client("http://localhost:8000")
        open_client("https://content.example.com")


@pytest.mark.integration
@pytest.mark.parametrize("given", ["ca.pem", Path("ca.pem"), None, 1], ids=repr)
def test_verify_takes_no_file(open_client, given):
    """A file of certificates is refused when the client is opened, with the context to pass."""
    message = message_of(open_client, verify=given)
    assert f"verify must be True, False or an ssl.SSLContext, got {given!r}." in message
    assert "ssl.create_default_context(cafile=…)" in message


def test_verify_accepts_a_context_or_false(open_client):
    """``verify`` accepts an ``ssl.SSLContext`` or False."""
    open_client(verify=ssl.create_default_context())
    open_client(verify=False)


@pytest.mark.integration
def test_a_failure_inside_the_local_service_is_a_server_error(inkframe_client, monkeypatch):
    """A failure of the local service raises an error of the package, and nothing is stored."""

    def fail(request):
        raise RuntimeError(request.description)

    monkeypatch.setattr(inkframe_client._embedded.engine, "draw", fail)
    with pytest.raises(ink.ServerError, match="Nothing was stored") as caught:
        inkframe_client.images.create(**LEAST)
    assert caught.value.status == 500
    assert inkframe_client.images.list().empty
    assert inkframe_client.created == 0


@pytest.mark.integration
def test_a_new_library_at_the_same_path_has_a_new_journal(tmp_path):
    """A create is found again in the same library, but not in a new one at the same path."""
    library = tmp_path / "library.db"
    for again in ("created", "existing"):
        with ink.connect(library=library) as client:
            made = client.documents.create_many([{"name": "Kettle", "prompt": "p"}])
            assert made["status"].tolist() == [again]
    for file in tmp_path.glob("library.db*"):
        file.unlink()
    with ink.connect(library=library) as client:
        made = client.documents.create_many([{"name": "Kettle", "prompt": "p"}])
        assert made["status"].tolist() == ["created"]


class Billed:
    """An engine that asks a model somebody pays for."""

    name = "billed"
    is_stand_in = False

    def write(self, request):
        """Return the prompt."""
        return request.prompt


@pytest.mark.integration
def test_whether_creations_are_billed_is_one_fact():
    """A remote service is billed, and so is the local one with a real model: both ask to confirm many creations."""
    with ink.connect(library=":memory:") as demo:
        assert not demo.creations_are_billed
    with ink.Client(ADDRESS, KEY) as remote:
        assert remote.creations_are_billed
    with Service(engine=Billed()) as service:
        transport = httpx.WSGITransport(app=service.app)
        local = ink.Client(client_module.NOWHERE, service.key, transport=transport, _embedded=service)
        assert local.creations_are_billed
        rows = [{"name": f"Kettle {number}", "prompt": "about a kettle"} for number in range(26)]
        with pytest.raises(ink.InvalidArgument, match="confirm=26"):
            local.documents.create_many(rows)
        assert local.created == 0
        assert set(local.documents.create_many(rows, confirm=26)["status"]) == {"created"}


def test_a_label_names_the_service():
    """It is in captions, comparisons of two services, attrs and errors of concat, and is no identity."""
    with (
        ink.connect(library=":memory:", label="staging") as one,
        ink.connect(library=":memory:", label="production") as two,
    ):
        made = [client.documents.create(name="Kettle", prompt="p") for client in (one, two)]
        frames = [client.documents.list() for client in (one, two)]
        assert [frame.attrs["inkframe"]["label"] for frame in frames] == ["staging", "production"]
        assert one.service == two.service == "local demo service"
        html = str(ink.compare(made).html)
        assert "staging and production" in html
        assert html.count("Service") == 2
        assert "staging" in frames[0].ink.table().html
        assert "staging" in str(one.documents.read(frames[0]).html)
        assert "Service" not in str(ink.compare([made[0], made[0]]).html)
        with pytest.raises(ink.InvalidArgument, match="one library, got production and staging.\nJoin them"):
            ink.concat(frames)
        frames[0].loc[made[0].id, "name"] = "Pot"
        frames[0].attrs["inkframe"]["label"] = "another name"
        assert frames[0].ink.push()["outcome"].tolist() == ["changed"]


def test_services_of_one_label_are_told_apart():
    """Where two services have the same label, errors show their identity as well; without one the advice names it."""
    for label in ("mine", None):
        with (
            ink.connect(library=":memory:", label=label) as one,
            ink.connect(library=":memory:", label=label) as two,
        ):
            frames = [client.images.list() for client in (one, two)]
            with pytest.raises(ink.InvalidArgument) as caught:
                ink.concat(frames)
        assert "ink.connect(label=…) names a service" in str(caught.value)
        for frame in frames:
            assert "label" not in frame.attrs["inkframe"] or label
            library = frame.attrs["inkframe"]["library"]
            assert (f"mine ({library})" if label else library) in str(caught.value)
    with pytest.raises(ink.InvalidArgument, match="label is empty"):
        ink.connect(library=":memory:", label=" ")
