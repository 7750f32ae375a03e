"""The response format of a collection: what can be pinned, and what records have shown."""

import ast

import pytest
from tests.answering import Answers
from tests.cases import cases

import inkframe as ink
from inkframe.http.key import Key
from inkframe.replies.dialect import pinning

TITLED = {"id": 7, "title": {"raw": "Tea", "rendered": "<b>Tea</b>"}, "prompt": "p", "result": "r"}


def test_a_pinned_field_is_read_from_its_path():
    """A pinned field is read in lists and single records, and what remains of its object is kept."""
    for body in ({"data": [TITLED]}, {"data": TITLED}):
        with Answers(body).client() as client:
            client.documents.dialect = ink.Dialect(fields={"name": "title.raw"})
            if isinstance(body["data"], list):
                frame = client.documents.list()
                assert frame["name"].tolist() == ["Tea"]
                assert frame["title.rendered"].tolist() == ["<b>Tea</b>"]
                assert "title.raw" not in frame
                assert "name" not in frame.attrs["inkframe"]["absent"]
            else:
                assert client.documents.get(7).name == "Tea"
                assert client.documents.get(7).extra == {"title.rendered": "<b>Tea</b>"}


@pytest.mark.parametrize("path", ["heading.text", "attributes.heading.text"])
def test_a_pinned_path_starts_at_the_record_or_at_its_fields(path):
    """In a record with a part for its fields, a path may start at the record or at that part."""
    raw = {"id": 7, "attributes": {"heading": {"text": "Tea"}, "prompt": "p"}}
    with Answers([raw]).client() as client:
        client.documents.dialect = ink.Dialect(fields={"name": path})
        assert client.documents.list()["name"].tolist() == ["Tea"]


def test_pinned_fields_may_be_all_that_a_record_shows():
    """A record without any usual name is read by its pinned fields, its id included."""
    raw = {"meta": {"ref": "a-1"}, "head": "Tea", "when": {"made": "2026-03-01T11:00:00Z"}, "star": 1}
    fields = {"id": "meta.ref", "name": "head", "created_at": "when.made", "favorite": "star"}
    for body in ([raw], raw):
        with Answers(body).client() as client:
            client.documents.dialect = ink.Dialect(fields=fields)
            record = (
                client.documents.get("a-1") if body is raw else client.documents.list().reset_index().iloc[0]
            )
            assert (record.id, record["name"] if body is not raw else record.name) == ("a-1", "Tea")
            assert (record.created_at.isoformat(), bool(record.favorite)) == (
                "2026-03-01T11:00:00+00:00",
                True,
            )


def test_a_value_in_the_place_of_a_pinned_field_is_kept():
    """A value under the usual name of a field that is pinned elsewhere is an additional column."""
    with Answers(
        [{"id": 1, "uid": "u-1", "name": "slug-1", "title": "Tea", "prompt": "p"}]
    ).client() as client:
        client.documents.dialect = ink.Dialect(fields={"name": "title"}, id_name="uid")
        frame = client.documents.list()
    assert frame["name"].tolist() == ["Tea"]
    assert frame["service.name"].tolist() == ["slug-1"]
    assert frame["service.id"].tolist() == [1]
    assert frame.index.tolist() == ["u-1"]


def test_pinned_fields_may_exchange_their_keys():
    """A key may be pinned for one field while another field has its name."""
    raw = {"name": "documents/7", "displayName": "Tea", "prompt": "p", "id": 3}
    fields = {"id": "name", "name": "displayName"}
    for body in ({"documents": [raw]}, raw):
        with Answers(body).client() as client:
            client.documents.dialect = ink.Dialect(fields=fields)
            if body is raw:
                record = client.documents.get(7)
                assert (record.id, record.name, record.extra) == (7, "Tea", {"service.id": 3})
            else:
                frame = client.documents.list()
                assert (frame.index.tolist(), frame["name"].tolist()) == ([7], ["Tea"])
                assert frame["service.id"].tolist() == [3]


@cases(
    ("given", "message"),
    [
        ({"fields": {"nane": "title"}}, r"got 'nane'\.\nDid you mean 'name'\?"),
        ({"fields": {"name": ""}}, "fields must be a mapping"),
        ({"fields": {"name": "title..raw"}}, "fields must be a mapping"),
        ({"fields": ["name"]}, "fields must be a mapping"),
        ({"fields": {"id": "a"}, "id_name": "b"}, r"fields\['id'\] and id_name must be equal"),
        ({"paging": "pages"}, "paging must be one of number, offset, cursor, after, none, got 'pages'"),
        ({"records_at": "data"}, "records_at must be a tuple of keys"),
        (
            {"fields": {"name": "t.a", "prompt": "t.a"}},
            "fields must have places of their own, got 't.a' for name and prompt",
        ),
        ({"id_name": "key", "fields": {"name": "key"}}, "got 'key' for id and name"),
        (
            {"paging": "none", "page_parameter": "page"},
            "page_parameter must be left out where paging is 'none', got 'page'",
        ),
        ({"first_page": 2}, "first_page must be 0 or 1, got 2"),
        ({"first_page": "2" * 80}, f"first_page must be 0 or 1, got '{'2' * 59}\\.\nRead client"),
        ({"fields": {"n" * 80: "a"}}, f"got '{'n' * 59}\\.\nThey are id, "),
        ({"id_name": 5}, "id_name must be a text that is not empty, got 5"),
        ({"update_method": "POST"}, "update_method must be 'PATCH' or 'PUT', got 'POST'"),
        ({"default_template": "no"}, "default_template must be True or False, got 'no'"),
    ],
)
def test_invalid_pins_are_refused(given, message):
    """A pin that cannot be meant is refused with what it must be."""
    with pytest.raises(ink.InvalidArgument, match=message):
        ink.Dialect(**given)


def test_pinned_fields_belong_to_the_collection():
    """A field of documents cannot be pinned for images."""
    with (
        Answers([]).client() as client,
        pytest.raises(ink.InvalidArgument, match="fields of images, got 'prompt'"),
    ):
        client.images.dialect = ink.Dialect(fields={"prompt": "text"})


def test_shown_fields():
    """Whether the service shows a field is unknown before the first record, and then holds for all of them."""
    with Answers({"data": [TITLED]}).client() as client:
        assert client.documents.dialect.shows("name") is None
        client.documents.list()
        assert client.documents.dialect.shows("name") is False
        assert client.documents.dialect.shows("result") is True
        client.documents.dialect = ink.Dialect(fields={"name": "title.raw"})
        client.documents.list()
        assert client.documents.dialect.shows("name") is True


CHECKED = "Read client.describe() for what was learned about the service."


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"record_at": "data"}, f'record_at must be a tuple of keys, such as ("data",), got \'data\'.\n{CHECKED}'),
        ({"records_at": ("a", " ")}, f"records_at must be a tuple of keys, such as (\"data\",), got ('a', ' ').\n{CHECKED}"),
        ({"filters_templates": 1}, f"filters_templates must be True or False, got 1.\n{CHECKED}"),
        ({"omits_false": "x" * 70}, f"omits_false must be True or False, got '{'x' * 59}.\n{CHECKED}"),
        ({"first_page": True}, f"first_page must be 0 or 1, got True.\n{CHECKED}"),
        ({"fields": {"name": "a."}}, ("fields must be a mapping from fields to dotted keys, such as "
         f'{{"name": "title.raw"}}, got {{\'name\': \'a.\'}}.\n{CHECKED}')),
        ({"page_parameter": " "}, f"page_parameter must be a text that is not empty, got ' '.\n{CHECKED}"),
        ({"fields": {"nane": "x"}}, "fields must name fields of the interface, got 'nane'.\nDid you mean 'name'?"),
        ({"fields": {"z" * 70: "x"}}, (f"fields must name fields of the interface, got '{'z' * 59}.\nThey are id, name, description, "
         "resolution, style, medium, filter, favorite, picture_url, created_at, updated_at, template_id, prompt, "
         "creativity, result.")),
        ({"fields": {"id": "a"}, "id_name": "b"}, "fields['id'] and id_name must be equal, got 'a' and 'b'.\nPass one of them."),
    ],
)  # fmt: skip
def test_errors_of_pins_in_full(given, message):
    """Each error says what was meant and what to do."""
    with pytest.raises(ink.InvalidArgument) as caught:
        ink.Dialect(**given)
    assert str(caught.value) == message


def test_valid_pins_are_kept_and_never_learned_over():
    """Pins stay as they are, fields with an argument of their own move there, and only the rest is learned."""
    fields = {
        "id": "ref",
        "picture_url": "pic.url",
        "created_at": "made",
        "updated_at": "changed",
        "name": "title.raw",
    }
    dialect = ink.Dialect(fields=fields, records_at=[], first_page=0, update_method="PUT", omits_false=False)
    expected = {
        "records_at": [], "first_page": 0, "id_name": "ref", "picture_name": "pic.url", "created_name": "made",
        "updated_name": "changed", "fields": {"name": "title.raw"}, "omits_false": False, "update_method": "PUT",
    }  # fmt: skip
    assert dialect.facts() == dialect.pins == expected
    assert dialect.pinned == set(expected)
    assert dialect.paths == {"id": "ref", "created_at": "made", "updated_at": "changed", "name": "title.raw"}
    assert dialect.id_key == "id"
    dialect.learn(first_page=1, paging="none", id_name="x", size_parameter=None)
    assert dialect.facts() == expected | {"paging": "none"}
    assert dialect.pins == expected
    assert ink.Dialect(paging="none").pins == {"paging": "none"}
    plain = ink.Dialect()
    assert (plain.facts(), plain.pins, plain.paths, plain.id_key, plain.paging) == (
        {},
        {},
        {},
        "id",
        None,
    )
    plain.learn(id_name="uuid")
    assert (plain.id_key, plain.paths) == ("uuid", {})
    plain.adopt(dialect)
    assert plain.facts() == dialect.facts()
    assert plain.pinned == dialect.pinned
    assert ink.Dialect(id_name="id", fields={"name": "name"}).paths == {}


def test_what_is_noted_is_bounded():
    """The first twenty attempts and unused keys are kept, and the last outcome of each attempt."""
    dialect = ink.Dialect()
    for number in range(25):
        dialect.learn_attempt(f"a{number}", "refused")
        dialect.learn_unused("lists", [f"k{number}"])
    dialect.learn_attempt("a0", "understood")
    assert list(dialect.attempts) == [f"a{number}" for number in range(20)]
    assert (dialect.attempts["a0"], dialect.attempts["a1"]) == ("understood", "refused")
    dialect.learn_unused("records", [f"k{number}" for number in range(25)])
    assert dialect.unused == dict.fromkeys(("lists", "records"), tuple(f"k{number}" for number in range(20)))


def test_keys_of_fields_that_records_show():
    """The keys that differ from the names of fields are pinned; a later key replaces one before."""
    dialect = ink.Dialect()
    dialect.learn_keys({"name": "title", "prompt": "Prompt", "created_at": "made"})
    assert dialect.pins == {"fields": {"name": "title"}}
    dialect.learn_keys({"name": "heading"})
    assert dialect.shown == {"name": "heading", "prompt": "Prompt", "created_at": "made"}
    before = dialect.shown
    dialect.learn_keys({"prompt": "Prompt"})
    assert dialect.shown is before
    assert [dialect.shows(name) for name in ("name", "result")] == [True, False]


@pytest.mark.parametrize("quote", ["'", '"', "\\", '\\"', "\n", "\x1b[31m", "\u202e", "\ud800", "{", "#"])
def test_a_line_to_paste_is_one_call_whatever_a_service_wrote(quote):
    """Texts of a service stay texts in the code that pins them, without escapes for terminals and without the key."""
    hostile = f'title{quote}}}), print("{quote}secret-key-123456{quote}") #'
    code = pinning("documents", {"id_name": hostile, "fields": {"name": hostile}}, Key("secret-key-123456"))
    assert all(character.isprintable() or character == "\n" for character in code)
    (assigned,) = ast.parse(code).body
    values = {each.arg: ast.literal_eval(each.value) for each in assigned.value.keywords}
    assert values == {"id_name": values["id_name"], "fields": {"name": values["id_name"]}}
    assert "[key]" in values["id_name"]
    assert "secret" not in code
    assert (values["id_name"][:5], values["id_name"][-4:]) == (hostile[:5], hostile[-4:])


def test_the_advice_of_ensure_is_one_call_whatever_a_service_wrote():
    """Where records show no name, the line that pins another key runs no code that the key contains."""
    hostile = 'title"}) or print("secret-key-123456\x1b[31m") #'
    record = {"id": 1, hostile: "a", "prompt": "p", "creativity": 0.5, "result": "r"}
    service = Answers(lambda request: [record] if request.url.path.endswith("s") else record)
    with service.client("secret-key-123456") as client:
        with pytest.raises(ink.ConfigurationError) as caught:
            client.documents.ensure(name="a", prompt="p")
    text = str(caught.value)
    assert text.count("\n") <= 2
    assert "secret" not in text
    (assigned,) = ast.parse(text[text.index("client.documents.dialect") :]).body
    assert ast.literal_eval(assigned.value.keywords[0].value) == {
        "name": hostile.replace("secret-key-123456", "[key]")
    }
