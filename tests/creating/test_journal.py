"""The journal: durable lines and their content."""

import json
import os
import stat
import threading
from contextlib import nullcontext
from dataclasses import replace
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

import inkframe
from inkframe.creating.identity import Entry, Identity, edits, identities, marks
from inkframe.creating.journal import Journal
from inkframe.schema import RESOURCES
from inkframe.system.processes import SharedLocks, append_line

known = Identity.read
MADE = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def journal(path):
    """Return a journal without lines, in a file."""
    return Journal(path)


def made(journal, collection="images"):
    """Return the ids, of a few, that are those of records of this journal."""
    return {id for id in (*range(12), "x") if journal.find(journal.owner(collection, id))}


def test_lines_are_read_back(tmp_path):
    """The last line of a create is its current state."""
    path = tmp_path / "deep" / "journal.jsonl"
    journal = Journal(path)
    journal.note(known("a"), "sent", collection="images")
    journal.note(known("a"), "created", 7, collection="images")
    journal.note(known("b"), "sent", collection="images")
    again = Journal(path)
    assert (again.find(known("a")).state, again.find(known("a")).id) == ("created", 7)
    assert again.find(known("b")).state == "sent"
    assert again.find(known("c")) is None
    assert made(again) == {7}


def test_an_incomplete_last_line_is_ignored(path):
    """An incomplete line, as after a power loss, affects no other line."""
    Journal(path).note(known("a"), "created", "x", collection="images")
    with path.open("a", encoding="utf-8") as file:
        file.write('{"creation": "b", "sta')
    Journal(path).note(known("c"), "created", 3, collection="images")
    assert made(Journal(path)) == {"x", 3}


@pytest.mark.parametrize("torn", [b'{"creation": "b", "sta', b"\x00" * 100_000, b'{"creation": "d"}\n[]\n7'])
def test_what_is_no_line_affects_no_other(path, torn):
    """Whatever another process left behind, later lines of all processes are whole and read."""
    one, two = Journal(path), Journal(path)
    one.note(known("a"), "created", "x", collection="images")
    with path.open("ab") as file:
        file.write(torn)
    two.note(known("c"), "created", 3, collection="images")
    one.note(known("e"), "created", 4, collection="images")
    two.refresh()
    assert made(one) == made(two) == made(Journal(path)) == {"x", 3, 4}


@pytest.mark.parametrize(
    "wrong", [{"id": [1]}, {"key": 5}, {"shown": "x"}, {"state": "x"}, {"time": None}, {"creation": ["b"]}]
)
def test_a_line_with_values_of_other_types_is_ignored(path, wrong):
    """A journal that something else wrote cannot bring in values of other types."""
    line = {"creation": "a", "state": "created", "id": 1, "time": 0.0}
    path.write_text(json.dumps(line) + "\n" + json.dumps(line | {"creation": "b"} | wrong), encoding="utf-8")
    assert (Journal(path).find(known("a")).id, Journal(path).find(known("b"))) == (1, None)


@pytest.mark.parametrize(
    ("name", "hostile"),
    [
        *((name, each) for name in ("time", "made") for each in ("1" * 400, f"-{'1' * 5000}", "-1", "1e12")),
        *(("made", each) for each in ("NaN", "Infinity", "1e400", "[1]")),
    ],
)
def test_numbers_that_no_clock_shows_are_bounded(path, name, hostile):
    """A line with a hostile time or duration still counts, and neither a wait nor a date follows from it."""
    line = {"creation": "a", "state": "created", "id": 2**70, "time": 5.0, "made": 1.0, name: "$"}
    path.write_text(json.dumps(line).replace('"$"', hostile) + "\n", encoding="utf-8")
    entry = Journal(path).find(known("a"))
    assert entry.id == 2**70
    assert not getattr(entry, name)


def test_a_lone_surrogate_in_a_line_is_replaced(path):
    """An id with half of a surrogate pair is one that can be printed and sent."""
    path.write_bytes(rb'{"creation": "a", "state": "created", "id": "x\ud800", "time": 5.0}' + b"\n")
    assert Journal(path).find(known("a")).id == "x\ufffd"


def test_the_key_and_the_time_of_the_first_request_are_kept(path, journal, clocks):
    """As long as the outcome is open, later lines keep the key and the time of the first request."""
    times = []
    for state in ("sent", "unknown", "sent", "unknown"):
        journal.note(
            known("a"), state, collection="images", key=f"key {len(times)}", sent={"name": len(times)}
        )
        times.append(Journal(path).find(known("a")).time)
        assert Journal(path).find(known("a")) == replace(journal.find(known("a")), order=1)
        clocks.let_pass(10)
    assert len(set(times)) == 1
    assert (journal.find(known("a")).key, journal.find(known("a")).sent) == ("key 0", {"name": 0})
    journal.note(known("a"), "failed", collection="images")
    journal.note(known("a"), "sent", collection="images", key="third")
    assert Journal(path).find(known("a")).key == "third"


def test_only_an_open_request_is_continued(path):
    """After one that failed, the key is new; a line without a key, as of release 0.1, gets one."""
    lines = [
        {"creation": "a", "state": "failed", "id": None, "time": 1.0, "key": "old"},
        {"creation": "b", "state": "sent", "id": None, "time": 1.0},
    ]
    path.write_text("".join(json.dumps(each) + "\n" for each in lines), encoding="utf-8")
    journal = Journal(path)
    for each in "ab":
        journal.note(known(each), "sent", collection="images", key="new")
    assert [journal.find(known(each)).key for each in "ab"] == ["new", "new"]


def test_what_a_record_shows_later_changes_neither_time_nor_order(tmp_path, clocks):
    """A second line with the same record adds to what it shows; another record is a later one."""
    journal = Journal(tmp_path / "j.jsonl")
    journal.note(known("a"), "created", 1, collection="documents", shown={"name": "n"})
    journal.note(known("b"), "created", 2, collection="documents")
    first = journal.find(known("a"))
    clocks.let_pass()
    journal.note(known("a"), "created", 1, collection="documents", shown={"name": "n", "result": "r"})
    for each in (journal, Journal(tmp_path / "j.jsonl")):
        assert each.find(known("a")) == replace(first, shown={"name": "n", "result": "r"})
    journal.note(known("a"), "created", 3, collection="documents")
    assert journal.find(known("a")).order > journal.find(known("b")).order
    assert journal.find(known("a")).time > first.time


def test_only_what_was_added_is_read(path, journal):
    """Lines that were read are not read again, and one that was incomplete is read once it is whole."""
    for id in (1, 2):
        journal.note(known(str(id)), "created", id, collection="images")
    journal.refresh()
    line = path.read_bytes().splitlines()[0].replace(b'"id": 1', b'"id": 3')
    with path.open("r+b") as file:
        file.write(line)
    for part in (
        b'{"creation": "4", "state": "created", ',
        b'"id": 4, "time": 0.0, "collection": "images"}\n',
    ):
        with path.open("ab") as file:
            file.write(part)
        journal.refresh()
    assert made(journal) == {1, 2, 4}
    assert made(Journal(path)) == {3, 2, 4}


@pytest.mark.parametrize("path", ["journal.jsonl", None])
def test_a_claim_has_the_latest_lines_and_excludes_others(tmp_path, path):
    """During a claim no other program has it, and the lines of others are known; other creates are free."""
    one = Journal(path and tmp_path / path)
    two = Journal(path and tmp_path / path) if path else one
    stop = threading.Event()
    stop.set()
    one.note(known("a"), "created", 7, collection="images")
    with (
        two.claim([known("a")]) as claimed,
        one.claim([known("c")], stop) as other,
        one.claim([known("b"), known("a")], stop) as second,
    ):
        assert (claimed, second, other) == (True, False, True)
        assert two.find(known("a")).id == 7


def test_a_create_has_the_same_lock_in_every_release(tmp_path):
    """Processes of two releases that share a journal exclude each other, by the checksum of the identity."""
    journal, stop = Journal(tmp_path / "journal"), threading.Event()
    stop.set()
    for number, is_free in ((976_088_976, True), (976_088_977, False), (976_088_978, True)):
        with (
            SharedLocks(tmp_path / "journal.lock").hold(number),
            journal.claim([known("a")], stop) as claimed,
        ):
            assert claimed is is_free


def test_times_are_written_to_the_millisecond(path, monkeypatch):
    """As seconds since 1970."""
    clocks = SimpleNamespace(time=lambda: 1_795_384_000.12345, monotonic=lambda: 7.0)
    monkeypatch.setattr("inkframe.creating.journal.time", clocks)
    Journal(path).note(known("a"), "sent", collection="images")
    assert json.loads(path.read_bytes())["time"] == 1_795_384_000.123


def test_a_short_write_is_an_error_and_spoils_no_line(path, journal, full_disk):
    """If a line fits only in part, the request is not noted, an outcome stays in memory, and later lines are whole."""
    journal.note(known("a"), "sent", collection="images")
    with full_disk(path, 20):
        journal.note(known("a"), "created", 7, collection="images")
        assert "cannot be written: File too large.\nThe record is not affected" in str(journal.problem)
        with pytest.raises(inkframe.ConfigurationError, match=r"cannot be written.*\nNothing was sent"):
            journal.note(known("b"), "sent", collection="images")
    assert (journal.find(known("a")).id, journal.find(known("b"))) == (7, None)
    assert Journal(path).find(known("a")).state == "sent"
    journal.note(known("c"), "created", 9, collection="images")
    assert made(Journal(path)) == {9}
    assert made(journal) == {7, 9}


def test_a_journal_that_is_replaced_is_read_anew(path, journal):
    """Lines of a file that was replaced or deleted meanwhile are read from its beginning."""
    journal.note(known("a"), "created", 1, collection="images")
    for id in (2, 3):
        journal.refresh()
        path.unlink()
        if id == 3:
            journal.refresh()
        Journal(path).note(known(f"{id}"), "created", id, collection="images")
    journal.refresh()
    assert made(journal) == {1, 2, 3}
    Journal(path).note(known("d"), "created", 4, collection="images")
    journal.refresh()
    assert made(journal) == {1, 2, 3, 4}
    assert path.with_name("journal.jsonl.lock").exists()


def test_the_records_of_another_account_are_not_those_of_this_one(path):
    """Their ids count for their account only, though their creates are known."""
    Journal(path, account=lambda _identity: "a").note(known("a"), "created", 7, collection="images")
    journal = Journal(path, account=lambda _identity: "b")
    assert journal.known(known("a")) is not None
    assert not made(journal)


@pytest.mark.parametrize("own", ["created", "unknown", "failed", "deleted"])
@pytest.mark.parametrize("is_later", [True, False])
def test_what_another_account_sent_after_a_failure_counts(path, own, is_later):
    """A create that failed here and was sent with another key later is not sent again; one of this account counts else."""
    journal, theirs = (Journal(path, account=lambda _, account=each: account) for each in "ab")
    lines = (journal, own, 7 if own == "created" else None), (theirs, "created", 8)
    for each, state, id in lines if is_later else reversed(lines):
        each.note(known("a"), state, id, collection="images")
    journal.refresh()
    is_theirs = is_later and own in {"failed", "deleted"}
    assert journal.known(known("a")).id == (8 if is_theirs else journal.find(known("a")).id)
    assert journal.next([known("a")], 0) == [known("a+1" if is_theirs else "a")]
    assert [entry.state for _, entry in journal.creates("a")] == ["created", own][:: 1 if is_later else -1]


def test_the_next_create_is_next_to_those_of_other_processes(tmp_path):
    """The lines of others count, also those that were written since the last reading."""
    journal, other = Journal(tmp_path / "journal.jsonl"), Journal(tmp_path / "journal.jsonl")
    for number in (1, 2):
        with journal.claim_next("a") as identity:
            assert identity == ("a", -number, "")
        other.note(identity, "created", number, collection="images")


@pytest.mark.parametrize("is_first", [True, False])
def test_where_locks_hold_nothing_the_first_line_decides(tmp_path, monkeypatch, is_first):
    """Of two programs that note one create at the same moment, the one whose line comes first goes on."""
    monkeypatch.setattr(SharedLocks, "hold", lambda *_: nullcontext(True))
    one, two = Journal(tmp_path / "journal"), Journal(tmp_path / "journal")
    appends, found = "inkframe.creating.journal.append_line", []

    def append_both(path, line):
        monkeypatch.setattr(appends, append_line)
        if is_first:
            append_line(path, line)
        found.append(two.note(known("a"), "sent", collection="images", key="two"))
        if not is_first:
            append_line(path, line)

    monkeypatch.setattr(appends, append_both)
    found.append(one.note(known("a"), "sent", collection="images", key="one"))
    assert [each and each.key for each in found] == (["one", None] if is_first else [None, "two"])


@pytest.mark.skipif(os.name != "posix", reason="needs a device")
def test_a_journal_must_be_a_file():
    """A device, which may never end, is refused."""
    with pytest.raises(inkframe.InvalidArgument) as refused:
        Journal("/dev/zero")
    assert str(refused.value) == (
        "journal must be a regular file of at most 1,073,741,824 bytes, got /dev/zero.\n"
        "Nothing was sent. Choose another file with journal=…"
    )


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX permissions")
@pytest.mark.parametrize(
    "content", [b"\x89PNG\r\n\x1a\n" * 20, b"notes\n" * 20, b"[" * 200_000, b'{"a": 1}\n']
)
def test_another_file_is_not_taken_for_a_journal(tmp_path, content):
    """A picture or a text named by mistake is refused before a line is added to it."""
    path = tmp_path / "other"
    path.write_bytes(content)
    with pytest.raises(inkframe.InvalidArgument) as refused:
        Journal(path)
    assert str(refused.value) == (
        f"journal must be a journal of inkframe, got {path}.\n"
        "Nothing was sent. Choose another file with journal=…"
    )
    assert path.read_bytes() == content


@pytest.mark.parametrize("content", [b"", b'{"crea', b'{"creation": "a", "state": "se'])
def test_a_journal_whose_first_line_is_incomplete_is_continued(path, content):
    """A process that was killed at its first line leaves a journal, and so does one before it."""
    path.write_bytes(content)
    Journal(path).note(known("b"), "created", 7, collection="images")
    assert Journal(path).find(known("b")).id == 7


def test_a_journal_of_a_size_that_nobody_writes_is_refused(path):
    """A file of more than a gigabyte is not read."""
    with path.open("wb") as file:
        file.truncate(2**30 + 1)
    with pytest.raises(inkframe.InvalidArgument, match="a regular file of at most 1,073,741,824 bytes, got"):
        Journal(path)


def test_a_journal_of_the_largest_size_is_read(path, monkeypatch):
    """Only one that is larger is refused."""
    Journal(path).note(known("a"), "created", 7, collection="images")
    monkeypatch.setattr("inkframe.creating.journal.LARGEST", path.stat().st_size)
    assert Journal(path).find(known("a")).id == 7


def test_errors_of_the_file_name_their_reason(tmp_path):
    """A folder that is none cannot be read."""
    (tmp_path / "file").touch()
    inside = tmp_path / "file" / "journal"
    with pytest.raises(inkframe.ConfigurationError) as refused:
        Journal(inside)
    assert str(refused.value) == (
        f"The journal {inside} cannot be read: Not a directory.\n"
        "Nothing was sent. Choose another file with journal=…"
    )


def test_outcomes_that_cannot_be_written_are_kept(path, journal, full_disk):
    """A request that is not on disk is not kept, an outcome is, until it can be written."""
    journal.note(known("a"), "sent", collection="images", key="k")
    with full_disk(path, 0):
        for identity, state, id in (("a", "created", 7), ("b", "sent", None), ("c", "unknown", None)):
            with pytest.raises(inkframe.ConfigurationError) if state == "sent" else nullcontext():
                journal.note(known(identity), state, id, collection="images")
            fate = "Nothing was sent." if state == "sent" else "The record is not affected."
            assert str(journal.problem) == (
                f"The journal {path} cannot be written: File too large.\n{fate} Free space, or choose another file"
                " with journal=…, or another folder with INKFRAME_HOME."
            )
    assert (journal.find(known("a")).state, journal.find(known("b")), journal.find(known("c")).state) == (
        "created",
        None,
        "unknown",
    )
    assert (made(journal), made(Journal(path))) == ({7}, set())
    journal.note(known("a"), "created", 7, collection="images")
    assert journal.problem is None
    assert made(Journal(path)) == {7}
    Journal(path).note(known("a"), "deleted", collection="images")
    journal.refresh()
    assert journal.find(known("a")).state == "deleted"


def test_it_is_private(tmp_path):
    """Only its owner can read it."""
    path = tmp_path / "j" / "journal.jsonl"
    Journal(path).note(known("a"), "sent", collection="images")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_journal_that_cannot_be_written_stops_before_sending(tmp_path):
    """Without a journal nothing is sent."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    with inkframe.connect(library=":memory:") as client:
        with pytest.raises(inkframe.ConfigurationError, match="Nothing was sent"):
            client.documents.create_many(
                [{"name": "a", "prompt": "p"}], journal=tmp_path / "file" / "x.jsonl"
            )
        assert client.created == 0


def identity(service, collection, fields, repeat=1):
    calls = SimpleNamespace(spec=RESOURCES[collection], session=SimpleNamespace(places=[service]))
    return next(identities(calls, (), fields, [repeat])).content


def test_identity_is_service_content_and_repeat():
    """Each of the three identifies a create; the order of fields does not matter."""
    base = identity("s", "images", {"a": 1, "b": 2})
    assert base == identity("s", "images", {"b": 2, "a": 1}, 1)
    others = {identity("t", "images", {"a": 1, "b": 2}), identity("s", "documents", {"a": 1, "b": 2}),
              identity("s", "images", {"a": 1, "b": 3}), identity("s", "images", {"a": 1, "b": 2}, 2)}  # fmt: skip
    assert base not in others
    assert len(others) == 4


def test_the_record_of_a_create_is_known_without_an_account(path):
    """A line without an account is of every one, also in a journal without accounts."""
    journal = Journal(path, account=lambda _: "mine")
    journal.note(known("a"), "created", 7, collection="images")
    for each in (journal, Journal(path)):
        assert each.known(known("a")) is not None
        assert each.find(known("a")).id == 7
        assert made(each) == {7}


@pytest.mark.parametrize(
    ("apart", "is_another"), [(0, False), (2, False), (2.1, True), (-2, False), (-2.1, True)]
)
def test_another_time_of_creation_is_that_of_another_record(apart, is_another):
    """Times up to two seconds apart are one, and a time that is not shown tells nothing."""
    entry = Entry("created", 7, 0.0, made=MADE.timestamp() + apart)
    pairs = (entry, MADE), (entry, None), (replace(entry, made=None), MADE)
    records = [(each, SimpleNamespace(known={"created_at": made}, absent=())) for each, made in pairs]
    assert [edits(RESOURCES["images"], record, each) for each, record in records] == [
        ["created_at"] * is_another,
        [],
        [],
    ]


def test_a_line_has_what_is_known_and_nothing_else(path, journal):
    """Each line is one JSON object in one order; what is not known is left out, apart from the id."""
    journal.note(known("a"), "sent", collection="images", key="k")
    journal.note(known("a"), "created", 7, collection="images", shown={"name": "0f"}, made=1.5)
    first, second = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    assert list(first) == ["creation", "state", "id", "time", "collection", "key"]
    assert list(second) == ["creation", "state", "id", "time", "collection", "shown", "made"]
    assert (first["creation"], first["state"], first["id"], first["key"]) == ("a", "sent", None, "k")
    assert (second["state"], second["id"], second["shown"], second["made"]) == (
        "created",
        7,
        {"name": "0f"},
        1.5,
    )
    assert Journal(path).find(known("a")) == Entry(
        "created", 7, second["time"], "images", None, {"name": "0f"}, None, 1.5, order=2
    )


@pytest.mark.parametrize(
    ("state", "is_open"),
    [
        ("sent", True),
        ("unknown", True),
        ("created", True),
        ("failed", False),
        ("deleted", False),
    ],
)
def test_a_create_without_a_record_is_open_or_did_not_happen(state, is_open):
    """An open one may have happened, another one may be sent."""
    assert Entry(state, None, 0.0).is_open is is_open


def test_ids_are_those_of_one_collection():
    """Lines of another collection, or without an id, do not count."""
    journal = Journal()
    journal.note(known("a"), "created", 7, collection="images", shown={"name": "0f", "style": "1e"})
    journal.note(known("b"), "created", 8, collection="documents")
    journal.note(known("c"), "sent", collection="images")
    assert (made(journal), made(journal, "documents")) == ({7}, {8})
    assert journal.owner("images", "7") == known("a")
    journal.note(known("a"), "deleted", collection="images")
    assert (made(journal), journal.owner("images", 7)) == (set(), None)


def test_a_repetition_that_did_not_end_is_continued():
    """It ended once every row has an outcome, also an unknown one; the next one has a new number."""
    journal, rows = Journal(), [known("a"), known("b")]
    numbers = lambda: [each.number for each in journal.repetition(rows)]  # noqa: E731
    assert journal.repetition(rows) == [known("a+1"), known("b+1")]
    journal.note(known("a"), "created", 1, collection="images")
    journal.note(known("b"), "created", 2, collection="images")
    assert numbers() == [1, 1]
    journal.note(known("a+1"), "created", 3, collection="images")
    assert numbers() == [1, 1]
    journal.note(known("b+1"), "sent", collection="images")
    assert numbers() == [1, 1]
    journal.note(known("b+1"), "unknown", collection="images")
    assert numbers() == [2, 2]
    for other in ("a+10", "c+30", "a+x", "a~x+40", "b.50"):
        journal.note(known(other), "failed", collection="images")
    assert [journal.last(known(each)).number for each in ("a", "b", "c", "a~x")] == [10, 1, 30, 40]
    assert numbers() == [10, 10]


def test_the_first_create_of_a_row_comes_before_its_repetitions():
    """A row is its last repetition only where this account has not sent it otherwise."""
    journal = Journal()
    for identity in ("a", "a+1", "b+1", "b+2", "b~x"):
        journal.note(known(identity), "created", identity, collection="images")
    assert [journal.latest(known(each)) for each in "abc"] == [known("a"), known("b+2"), known("c")]


@pytest.mark.parametrize(
    ("written", "identity"),
    [("a", ("a", 0, "")), ("a+2", ("a", 2, "")), ("a.2", ("a", -2, "")), ("a~e", ("a", 0, "e")),
     ("a~e+2", ("a", 2, "e")), ("a+x", ("a+x", 0, "")), (["a", -2, "e"], ("a", -2, "e"))],
    ids=str,
)  # fmt: skip
def test_the_identities_of_every_release_are_read(path, written, identity):
    """Whatever wrote a line, its create counts; what is written now is read back, too."""
    line = {"creation": written, "state": "created", "id": 7, "time": 1.0, "collection": "images"}
    path.write_text(json.dumps(line) + "\n")
    assert Journal(path).owner("images", 7) == identity
    Journal(path).note(Identity(*identity), "created", 8, collection="images")
    assert [Journal(path).owner("images", id) for id in (7, 8)] == [None, identity]
    now = json.loads(path.read_text().splitlines()[1])["creation"]
    assert now == (identity[0] if identity[1:] == (0, "") else [*identity])


def test_the_first_repeat_is_the_default():
    """An identity without a repeat is that of the first; it is a short hash."""
    fields = {"name": "a"}
    assert (
        identity("s", "images", fields)
        == identity("s", "images", fields, 1)
        != identity("s", "images", fields, 2)
    )
    assert len(identity("s", "images", fields)) == 32


def test_an_identity_is_the_same_in_every_release():
    """Journals of earlier releases are found again by the hash of JSON in ASCII, with the names in order."""
    fields = {"prompt": "Über", "name": "a", "creativity": 0.5}
    found = (
        identity("https://a.test", "documents", fields, 2),
        identity("https://a.test", "documents", {"name": "a"}),
    )
    assert found == ("f6379c6529be1069e4d8daba21da3f49", "97a11ba8e771c6f010b2f3796e5c981c")


def test_the_marks_of_a_record_are_the_same_in_every_release():
    """What journals of earlier releases keep of a record is eight digits for each field that it shows."""
    shown = {"name": " Über\r\n", "picture_url": "https://a.test/1.png?signature=5", "prompt": None}
    assert marks(shown) == {"name": "32b332a3", "picture_url": "85f2f384"}


def test_a_claim_that_is_stopped_is_none():
    """Whoever waits for another one's create can be stopped, and is told so."""
    journal, stop = Journal(), threading.Event()
    with journal.claim([known("a"), known("b")]) as first:
        stop.set()
        found = []

        def wait():
            with journal.claim([known("b")], stop) as second:
                found.append(second)

        thread = threading.Thread(target=wait)
        thread.start()
        thread.join(30)
        assert (first, found) == (True, [False])


def test_lines_of_the_longest_size_are_read(path):
    """A line that is longer is skipped in parts, and the next one is read."""
    line = {"creation": "a", "state": "created", "id": "", "time": 0.0}
    room = 65_536 - len(json.dumps(line)) - 1
    lines = [line | {"id": "x" * (room + more), "creation": str(more)} for more in (0, 2, -1)]
    path.write_text("".join(json.dumps(each) + "\n" for each in lines), encoding="utf-8")
    journal = Journal(path)
    assert [journal.find(known(name)) is not None for name in ("0", "2", "-1")] == [True, False, True]


@pytest.mark.skipif(os.name != "posix", reason="needs links")
def test_links_to_a_journal_share_its_locks(tmp_path):
    """A create that is claimed through the file is claimed through a link to it, too."""
    path, link = tmp_path / "journal.jsonl", tmp_path / "link.jsonl"
    link.symlink_to(path)
    stopped = threading.Event()
    stopped.set()
    with Journal(path).claim([known("a")]), Journal(link).claim([known("a")], stopped) as is_claimed:
        assert not is_claimed


def test_the_owners_of_records_are_found_while_lines_are_written():
    """A plan that looks for the creates of its rows does not fail because a job goes on with others."""
    journal = Journal()

    class Busy(int):
        """An id during whose reading another line is written."""

        def __str__(self):
            if is_planned:
                journal.note(known(f"during {len(journal.contents)}"), "sent", collection="images")
            return "7"

    is_planned = False
    journal.note(known("a"), "created", Busy(7), collection="images")
    is_planned = True
    assert journal.owner("images", 7) == known("a")


@pytest.mark.parametrize("values", [{"made": 10**400}, {"uptime": 10**400}])
@pytest.mark.parametrize("number", [None, float("nan"), float("inf"), float("-inf")])
def test_a_line_counts_without_its_numbers(path, values, number):
    """A line with a number that cannot be computed with still tells that a create was sent."""
    line = {"creation": "a", "state": "sent", "id": None, "time": 1.0}
    wrong = {name: value if number is None else number for name, value in values.items()}
    lines = line, line | {"creation": "b"} | wrong, line | {"creation": "c"}
    path.write_text("".join(json.dumps(each) + "\n" for each in lines), encoding="utf-8")
    journal = Journal(path)
    assert [journal.find(known(name)).state for name in "abc"] == ["sent"] * 3


@pytest.mark.skipif(os.name != "posix", reason="needs a pipe")
def test_a_pipe_is_refused(tmp_path):
    """A pipe, on which a reader would wait forever, is not opened."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = os.open(path, os.O_RDWR)  # or the test waits where the code does
    with pytest.raises(inkframe.InvalidArgument, match="journal must be a regular file"):
        Journal(path)
    os.close(writer)


def test_lines_about_ids_that_were_seen_are_passed_over(path):
    """A journal may begin with such a line of release 0.3."""
    line = {"creation": "x", "state": "seen", "id": None, "time": 1.0, "collection": "images", "ids": [7, 8]}
    path.write_text(json.dumps(line | {"increasing": False}) + "\n")
    journal = Journal(path)
    assert not journal.contents
    journal.note(known("a"), "created", 7, collection="images")
    assert made(Journal(path)) == {7}


def test_the_next_create_is_one_that_no_other_caller_has():
    """A create that is under way elsewhere, or has an outcome, is passed over without a wait."""
    journal = Journal()
    journal.note(known("a.1"), "failed", collection="images")
    taken = []

    def take():
        with journal.claim_next("a") as identity:
            taken.append(identity)

    with journal.claim_next("a") as first:
        thread = threading.Thread(target=take, daemon=True)
        thread.start()
        thread.join(60)
    assert (first, taken) == (("a", -2, ""), [("a", -3, "")])
