"""Operations: what a reply says about the progress of a create, and where it leads."""

from tests.cases import cases

from inkframe.http.address import Address
from inkframe.http.body import Response
from inkframe.replies.reader import linked_ids, objects_in, read_state, state_of, status_place
from inkframe.schema import RESOURCES

ADDRESS = Address.parse("https://content.example.com/base")
IMAGES = RESOURCES["images"]
FAILED = (
    "failed failure fail error errored canceled cancelled rejected expired aborted timeout timedout TimedOut"
)
DONE = "succeeded success successful completed complete done finished ready ok created available Succeeded"


def reply(value=None, status=200, **headers):
    """Return a reply with JSON and headers, whose names are written with underscores."""
    return Response(status, {name.replace("_", "-"): text for name, text in headers.items()}, b"", value)


@cases("name", ["status", "state", "phase", "stage", "Status"])
@cases(
    ("words", "state"),
    [(FAILED, "failed"), (DONE, "done"), ("running queued new", "pending"), ("", "pending")],
)
def test_the_state_is_read_from_its_word(name, words, state):
    """Each word under each name, at any status of the reply; other words are those of work under way."""
    for word in words.split() or [words]:
        assert state_of(reply({name: word})) == state_of(reply({"job": {name: word}}, 202)) == state
        assert read_state({name: word}) == state


@cases(
    ("value", "status", "state"),
    [
        ({"done": True}, 202, "done"),
        ({"done": False}, 200, "pending"),
        ({"done": True, "error": {"code": 3}}, 200, "failed"),
        ({"done": True, "error": None}, 200, "done"),
        ({"done": False, "error": {"code": 3}}, 200, "pending"),
        ({"done": "yes"}, 200, "done"),
        ({"status": 200}, 202, "pending"),
        ({"id": 7}, 200, "done"),
        ({"id": 7}, 202, "pending"),
        (None, 202, "pending"),
        (None, 200, "done"),
        ([{"status": "failed"}], 200, "failed"),
        ([{"status": "failed"}, {"status": "failed"}], 200, "done"),
        ({"status": "running", "result": {"status": "done"}}, 200, "pending"),
    ],
)
def test_a_reply_without_a_word_is_judged_by_its_status(value, status, state):
    """The outermost state counts; without one, a status of 202 is that of work under way."""
    assert state_of(reply(value, status)) == state


def test_only_an_object_with_a_state_is_an_operation():
    """A number under the name of a state is not one."""
    assert [read_state(each) for each in ({"status": 1}, {"done": 1}, {}, {"done": False})] == [
        None,
        None,
        None,
        "pending",
    ]


def test_objects_are_found_from_outside_to_inside_within_bounds():
    """At most forty objects, four keys deep; a list is entered only if it has one item."""
    assert [path for path, _ in objects_in({"a": [{"b": {}}], "c": {"d": 1}, "e": [{}, {}], "f": 3})] == [
        (), ("c",), ("a",), ("a", "b"),
    ]  # fmt: skip
    deep = {"a": {"a": {"a": {"a": {"a": {}}}}}}
    assert [len(path) for path, _ in objects_in(deep)] == [0, 1, 2, 3, 4]
    assert len(list(objects_in({str(n): {} for n in range(39)}))) == 40
    assert len(list(objects_in({str(n): {} for n in range(100)}))) == 40
    assert list(objects_in(["text", 3, None])) == []


@cases(
    ("found", "place"),
    [
        (reply(operation_location="/jobs/7"), ("/jobs/7", "")),
        (reply(azure_asyncoperation="https://content.example.com/jobs/7?v=1"), ("/jobs/7", "v=1")),
        (reply(location="/jobs/7"), ("/jobs/7", "")),
        (reply(location="/jobs/8", operation_location="/jobs/7"), ("/jobs/7", "")),
        (reply(link='</jobs/7>; rel="monitor"'), ("/jobs/7", "")),
        (reply(link="</x>; rel=next, </jobs/7>; rel=status"), ("/jobs/7", "")),
        (reply(link="</x>; rel=next"), None),
        (reply({"status_url": "/jobs/7"}), ("/jobs/7", "")),
        (reply({"links": {"job": "/jobs/7"}}), ("/jobs/7", "")),
        (reply({"_links": {"monitor": {"href": "/jobs/7"}}}), ("/jobs/7", "")),
        (reply({"task": {"self": "/jobs/7"}}), ("/jobs/7", "")),
        (reply({"links": [{"rel": "x", "href": "/x"}, {"rel": "status", "href": "/jobs/7"}]}), ("/jobs/7", "")),
        (reply({"_links": [{"rel": "job", "href": "/jobs/7"}, {"rel": "x", "href": "/x"}]}), ("/jobs/7", "")),
        (reply({"taskUrl": "jobs/7"}), None),
        (reply({"result_url": "/jobs/7"}), None),
        (reply({"status": "https://other.example.com/jobs/7"}), None),
        (reply(location="http://content.example.com/jobs/7"), None),
        (reply(location="https://content.example.com:444/jobs/7"), None),
        (reply(location="https://[bad/jobs/7"), None),
        (reply(location="/base/api/v1/images"), None),
        (reply(location="/base/api/v1/images/"), None),
        (reply(location="/base/api/v1/images/7"), None),
        (reply(location="/base/api/v1/images/7#part"), None),
        (reply(location="/files/7.png"), None),
        (reply(), None),
    ],
)  # fmt: skip
def test_the_place_of_an_operation_is_one_of_this_service(found, place):
    """Headers come before links and links before addresses; records, pictures and other hosts are none."""
    assert status_place(found, ADDRESS, IMAGES) == place


def test_linked_records_come_in_order_once_each():
    """That of the header first, then those in the reply, also as objects with an address."""
    value = {
        "image": {"href": "/api/v1/images/9"},
        "self": "/api/v1/images/8",
        "again": "/api/v1/images/9",
        "n": 3,
    }
    assert linked_ids(reply(value, location="/api/v1/images/7"), IMAGES) == [7, 8, 9]
    assert linked_ids(reply({"owner": "/api/v1/users/3", "text": "images/4"}), IMAGES) == []
