"""Clients in forked processes."""

import httpx
import pytest
from tests.services import Faults, FaultyService

import inkframe
from inkframe.http.sender import Timeouts

pytestmark = pytest.mark.integration


@pytest.fixture
def served():
    service = FaultyService(images=20)
    with service.serve() as address:
        yield service, address


def port(client):
    """Return the local port of the connection that a client keeps."""
    (connection,) = client._session.sender.pool._free
    return connection.socket._socket.getsockname()[1]


def test_a_forked_child_opens_its_own_connection(served, in_child):
    """Child and parent call the service over different sockets, so that no reply reaches the wrong one."""
    service, address = served
    with inkframe.Client(address, service.key) as client:
        assert client.images.get(1).id == 1
        before = port(client)
        found, other = in_child(lambda: (client.images.get(2).id, port(client)))
        assert (found, client.images.get(3).id) == (2, 3)
        assert other != before == port(client)


def test_deadlines_hold_in_a_forked_child(served, in_child):
    """The thread that ends slow replies is started again in the child."""
    service, address = served
    with inkframe.Client(address, service.key, max_retries=0) as client:
        assert client.images.get(1).id == 1
        service.plan(Faults(rates={"slow_body": 1.0}))
        client._session.sender.timeouts = Timeouts(read=0.3)
        assert isinstance(in_child(lambda: client.images.get(2)), inkframe.DeadlineExceeded)


def test_a_transport_of_the_user_is_refused_in_a_child(served, in_child):
    """Its sockets are unknown here, so that the child has to open a client of its own."""
    service, address = served
    with inkframe.Client(address, service.key, transport=httpx.HTTPTransport()) as client:
        assert client.images.get(1).id == 1
        refused = in_child(lambda: client.images.get(2))
        assert isinstance(refused, inkframe.InkframeError)
        assert "Open a new client in this process." in str(refused)
        assert client.images.get(3).id == 3


def test_nothing_that_forked_processes_create_is_lost(tmp_path, in_child):
    """Records that parent and children create in one local library are all there afterwards."""
    with inkframe.connect(library=tmp_path / "library.db") as client:

        def create(name):
            return client.documents.create(name=name, prompt="A kettle").id

        ids = [create("first")]
        ids += [in_child(lambda: [create("child"), create("child")])]
        ids += [create("parent"), in_child(lambda: create("another child")), create("last")]
    with inkframe.connect(library=tmp_path / "library.db") as client:
        names = client.documents.all(sort="asc")["name"].tolist()
    assert names == ["first", "child", "child", "parent", "another child", "last"]
    assert ids == [1, [2, 3], 4, 5, 6]


def test_a_library_in_memory_is_refused_in_a_child_at_once(in_child):
    """The error of a create says that a file is needed; nothing is stored in an invisible copy."""
    with inkframe.connect(library=":memory:") as client:
        refused = in_child(lambda: client.documents.create(name="lost", prompt="A kettle"))
        assert isinstance(refused, inkframe.ServerError)
        assert "Connect to a library in a file" in str(refused)
        assert len(client.documents.all()) == 0
