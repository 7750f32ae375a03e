"""Replies that contain the words of the interface in other places than the record: what must be read, and what may not."""

import httpx
import pandas as pd
import pytest
from tests.answering import Answers
from tests.cases import cases

import inkframe

TIME = "2026-03-01T11:00:00Z"
OTHER = "2020-01-01T00:00:00Z"
DOCUMENT = {
    "id": 3,
    "name": "Tea",
    "prompt": "About tea",
    "creativity": 0.5,
    "result": "Green.",
    "created_at": TIME,
}
IMAGE = {"id": 3, "name": "Pier", "description": "a pier", "resolution": "512x512", "style": "anime"}
FIELDS = {name: value for name, value in DOCUMENT.items() if name != "id"}
TEXTS = {"id": 3, "name": "Tea", "prompt": "About tea", "result": "Green."}
USER = {"id": 9, "name": "Ann", "description": "paints", "created_at": OTHER, "favorite": True}
VERSION = {
    "id": 8,
    "name": "Old",
    "prompt": "Old prompt",
    "creativity": 1.0,
    "result": "Old text.",
    "created_at": OTHER,
}


def without(*names):
    """Return the document without some of its fields."""
    return {name: value for name, value in DOCUMENT.items() if name not in names}


def beside(**others):
    """Return the document with more keys after and before its own."""
    return {**others, **DOCUMENT}


#: What ``documents.get(3)`` must read from a reply; None is a value that may not be read from anywhere.
RECORDS = {
    "a user with a name": (beside(user=USER), TEXTS),
    "a word of the interface with one field beneath": ({"id": 3, "favorite": True, "prompt": {"result": "About tea"}},
                                                       {"id": 3, "result": None, "prompt": "About tea"}),
    "the record under its name, in an answer with an id": ({"id": 3, "took": 5, "document": {"id": 3, "name": "Tea"}},
                                                           {"id": 3, "name": "Tea"}),
    "nothing but the name": ({"name": "Tea"}, {"id": 3, "name": "Tea", "prompt": None}),
    "a user where the name is missing": ({"user": USER, **without("name")}, {**TEXTS, "name": None}),
    "an author where all is missing but the id": ({"id": 3, "title": "T", "result": "x", "author": VERSION},
                                                  {"id": 3, "name": None, "prompt": None, "result": "x"}),
    "a model with a name": ({**without("name"), "model": {"id": "m-1", "name": "large"}}, {"id": 3, "name": None}),
    "a template with name and prompt": ({**without("prompt"), "template": {"id": 5, "name": "Blog intro", "prompt": "Write {x}"}},
                                        {"name": "Tea", "prompt": None, "template_id": 5}),
    "a template beside the part with the fields": (
        {"id": 3, "template": {"id": 5, "name": "Blog intro", "prompt": "Write {x}"}, "attributes": FIELDS}, TEXTS),
    "a result that is a flag": ({**DOCUMENT, "result": True}, {**TEXTS, "result": None}),
    "a time that is 0": ({**DOCUMENT, "created_at": 0}, {**TEXTS, "created_at": None}),
    "the result of a moderation": ({**without("result"), "moderation": {"result": "passed", "id": 77}},
                                   {"id": 3, "result": None}),
    "a moderation beside the part with the fields": (
        {"id": 3, "attributes": {"name": "Tea", "prompt": "About tea"}, "moderation": {"result": "passed", "created_at": OTHER}},
        {"id": 3, "name": "Tea", "result": None, "created_at": None}),
    "the prompt of a usage is a number": ({**without("prompt"), "usage": {"prompt": 12, "result": 40}},
                                          {"id": 3, "prompt": None, "result": "Green."}),
    "a history of prompts": ({**without("prompt"), "history": [{"id": 1, "prompt": "first"}, {"id": 2, "prompt": "second"}]},
                             {"id": 3, "prompt": None}),
    "a history of one": ({**without("prompt"), "history": [{"id": 1, "name": "Old", "prompt": "first"}]},
                         {"id": 3, "name": "Tea", "prompt": None}),
    "a latest version with more fields": ({"id": 3, "name": "Tea", "latest_version": VERSION}, {"id": 3, "name": "Tea", "prompt": None}),
    "a previous version before the fields": ({"previous_version": VERSION, **DOCUMENT}, TEXTS),
    "what it was before": ({"before": {**VERSION, "id": 3}, "after": DOCUMENT}, TEXTS),
    "its old values": ({"old": {**VERSION, "id": 3}, "new": DOCUMENT}, TEXTS),
    "the time of a cache": ({**without("created_at"), "cache": {"created_at": OTHER, "updated_at": OTHER}},
                            {"id": 3, "created_at": None, "updated_at": None}),
    "a cache beside the part with the fields": (
        {"id": 3, "fields": without("id", "created_at"), "cache": {"created_at": OTHER}}, {**TEXTS, "created_at": None}),
    "a count of updates": (beside(update_count=4, favorite_count=7, prompt_count=2, name_count=1),
                           {**TEXTS, "updated_at": None, "favorite": None}),
    "counts of favorites in an object": (beside(counts={"favorite": 1, "result": 3}), {**TEXTS, "favorite": None}),
    "a request id outside": ({"id": "req-1", "data": DOCUMENT}, TEXTS),
    "a request with a time outside": ({"id": "req-1", "created_at": OTHER, "took": 3, "data": DOCUMENT},
                                      {**TEXTS, "created_at": TIME}),
    "a request id beside": ({"request": {"id": "req-1", "created_at": OTHER}, "document": DOCUMENT}, TEXTS),
    "a number of a remote call": ({"jsonrpc": "2.0", "id": 1, "result": DOCUMENT}, TEXTS),
    "a folder with id and name": ({**without("name"), "folder": {"id": 9, "name": "Drafts"}}, {"id": 3, "name": None}),
    "a folder with id, name and time": (beside(folder={"id": 9, "name": "Drafts", "created_at": OTHER}), TEXTS),
    "a project first": ({"project": {"id": 9, "name": "P", "created_at": OTHER}, "document": DOCUMENT}, TEXTS),
    "localized names": ({**DOCUMENT, "name": {"en": "Tea", "de": "Tee"}}, {**TEXTS, "name": None}),
    "a name in one language": ({**DOCUMENT, "name": {"en-US": "Tea"}}, TEXTS),
    "every field in one language": (
        {"sys": {"id": 3, "createdAt": TIME}, "fields": {name: {"en-US": value} for name, value in FIELDS.items()}}, TEXTS),
    "wrapped in result": ({"result": DOCUMENT}, TEXTS),
    "wrapped in result with a state": ({"status": "ok", "result": DOCUMENT, "took": 3}, TEXTS),
    "wrapped in prompt": ({"prompt": DOCUMENT}, TEXTS),
    "wrapped in description": ({"description": DOCUMENT}, TEXTS),
    "wrapped in result and data": ({"result": {"data": DOCUMENT}}, TEXTS),
    "wrapped in result and attributes": ({"result": {"id": 3, "attributes": FIELDS}}, TEXTS),
    "wrapped twice in result": ({"result": {"result": DOCUMENT}}, TEXTS),
    "wrapped in a list of one": ([DOCUMENT], TEXTS),
    "wrapped in data and a list of one": ({"data": [DOCUMENT]}, TEXTS),
    "wrapped in a word of nobody": ({"zzz": DOCUMENT, "ok": True}, TEXTS),
    "wrapped in words of nobody": ({"zzz": {"yyy": DOCUMENT}}, TEXTS),
    "the result of its own is an object": ({**DOCUMENT, "result": {"text": "Green.", "tokens": 3}}, TEXTS),
    "the result of its own has a name": ({**DOCUMENT, "result": {"name": "n", "text": "Green.", "created_at": OTHER}}, TEXTS),
    "the prompt is an object": ({**DOCUMENT, "prompt": {"text": "About tea", "name": "p", "result": "x"}}, TEXTS),
    "single values in lists": ({name: [value] for name, value in DOCUMENT.items()} | {"id": 3}, TEXTS),
    "single values in lists of objects": (
        {"id": [{"value": 3}], **{name: [{"value": value}] for name, value in FIELDS.items()}}, TEXTS),
    "texts as objects": ({"id": 3, **{name: {"value": value} for name, value in FIELDS.items()}}, TEXTS),
    "a text by its type": ({**DOCUMENT, "result": {"type": "markdown", "html": "<p>Green.</p>", "markdown": "Green."}}, TEXTS),
    "raw before rendered": ({**DOCUMENT, "name": {"rendered": "<b>Tea</b>", "raw": "Tea"}}, TEXTS),
    "content beside the object with the id": (
        {"document": {"id": 3, "created_at": TIME}, "content": without("id", "created_at")}, {**TEXTS, "created_at": TIME}),
    "content in the middle": ({"sys": {"id": 3, "createdAt": TIME, "version": 2}, "body": without("id", "created_at")},
                              {**TEXTS, "created_at": TIME}),
    "a name that is a link to itself": (
        {**without("id"), "name": "/api/v1/documents/3"}, {**TEXTS, "name": "/api/v1/documents/3"}),
    "a name that is the id, and one for display": (
        {"id": "/groups/x/documents/tea-3", "name": "tea-3", "properties": {"displayName": "Tea", **without("id", "name")}},
        {**TEXTS, "id": "tea-3"}),
    "a name that is the id beside its fields": ({**DOCUMENT, "id": "Tea", "owner": {"displayName": "Ann"}}, {**TEXTS, "id": "Tea"}),
    "an id in a link to itself": ({**FIELDS, "links": {"self": "/api/v1/documents/3", "user": "/api/v1/users/9"}}, TEXTS),
    "an id in a link before a request id": ({"id": "req-1", "data": {**FIELDS, "self": "/api/v1/documents/3"}}, TEXTS),
    "the links of others": ({**DOCUMENT, "url": "/api/v1/documents/9", "links": {"self": "/api/v1/documents/9"}}, TEXTS),
    "included records of others": ({"data": {"id": 3, "type": "documents", "attributes": FIELDS},
                                    "included": [{"id": 9, "type": "users", "attributes": USER}]}, TEXTS),
    "embedded records of others": ({**without("prompt"), "_embedded": {"author": USER, "parent": VERSION}},
                                   {**TEXTS, "prompt": None}),
    "errors with names": ({"errors": [], "error": None, "data": DOCUMENT}, TEXTS),
    "an explanation of the reply": ({"meta": {"id": 8, "name": "v1", "prompt": "x", "created_at": OTHER}, "data": DOCUMENT}, TEXTS),
    "a schema of the fields": ({"schema": {"name": "string", "prompt": "string"}, "data": DOCUMENT}, TEXTS),
    "the request repeated": ({"request": {"name": "X", "prompt": "Y"}, "data": DOCUMENT}, TEXTS),
    "settings with an id": ({**without("creativity"), "settings": {"creativity": 0.9, "id": 5}}, {**TEXTS, "creativity": None}),
    "parts of the record": (
        {"id": 3, "name": "Tea", "input": {"prompt": "About tea", "creativity": 0.5}, "output": {"result": "Green."},
         "flags": {"favorite": True}, "dates": {"created_at": TIME}},
        {**TEXTS, "creativity": 0.5, "favorite": True, "created_at": TIME}),
    "all but the name in a part": ({"id": 3, "name": "Tea", "content": {"_uid": "u-3", **without("id", "name")}}, TEXTS),
    "a part beside that with most fields": (
        {"id": 3, "parameters": {"name": "Tea", "prompt": "About tea"}, "outcome": {"result": "Green.", "created_at": TIME}},
        {**TEXTS, "created_at": TIME}),
    "each with the noun before it": ({f"document_{name}": value for name, value in DOCUMENT.items()}, {**TEXTS, "created_at": TIME}),
    "the same field in two parts": ({**without("result"), "draft": {"result": "x"}, "final": {"result": "y"}}, {**TEXTS, "result": None}),
    "the result of an evaluation": ({**without("result"), "evaluation": {"result": "good", "score": 0.9}}, {**TEXTS, "result": None}),
    "a review with its own creativity": ({**without("result"), "grading": {"result": "passed", "creativity": 0.1}}, {**TEXTS, "result": None}),
    "the result of a check": ({**without("result"), "quality_check": {"result": "passed"}}, {**TEXTS, "result": None}),
    "its own result that is null": ({**DOCUMENT, "result": None, "outcome": {"result": "x"}}, {**TEXTS, "result": None}),
    "the time of a file": ({**without("created_at"), "file": {"path": "a.md", "created_at": OTHER}}, {**TEXTS, "created_at": None}),
    "a category in words": ({**without("name"), "category": {"name": "Spring"}}, {**TEXTS, "name": None}),
    "a draft with the name again": ({**without("prompt"), "draft": {"name": "Tea", "prompt": "x"}}, {**TEXTS, "prompt": None}),
    "another thing with id and name around": ({"tenant": {"id": 9, "name": "W", "document": DOCUMENT}}, TEXTS),
    "a request with id and name around": ({"id": "req-1", "name": "create", "document": DOCUMENT}, TEXTS),
    "the labels of the fields": ({"labels": {name: name.title() for name in DOCUMENT}, "data": DOCUMENT}, TEXTS),
    "the labels where a field is missing": ({**without("result"), "labels": {name: name.title() for name in FIELDS}},
                                            {**TEXTS, "result": None}),
    "permissions by field": ({**without("favorite"), "permissions": dict.fromkeys(FIELDS, True)}, {**TEXTS, "favorite": None}),
    "limits of the fields": ({**without("prompt"), "limits": {"prompt": "4000", "name": "80"}}, {**TEXTS, "prompt": None}),
    "what was validated": ({**without("result"), "validation": dict.fromkeys(FIELDS, "ok")}, {**TEXTS, "result": None}),
    "defaults": ({**without("name"), "defaults": {"name": "Untitled", "creativity": 1}}, {"id": 3, "name": None, "creativity": 0.5}),
    "what changed": ({"changes": {"name": ["Old", "Tea"], "result": ["old", "Green."]}, "document": DOCUMENT}, TEXTS),
    "a source with more fields": ({"id": 3, "name": "Tea", "prompt": "About tea", "source": {**VERSION, "favorite": True}},
                                  {"id": 3, "name": "Tea", "result": None, "favorite": None}),
    "other languages": ({**without("name"), "translations": {"de": {"name": "Tee", "result": "Grün."}}}, {**TEXTS, "name": None}),
    "a reaction with a result": ({**without("result"), "reactions": [{"id": 1, "name": "like", "result": "up"}]},
                                 {**TEXTS, "result": None}),
    "a completion": ({**without("result"), "completion": {"choices": [{"message": {"content": "Green."}}]}}, {**TEXTS, "result": None}),
    "a text under another word": ({**without("result"), "message": "Green.", "body": "Green.", "copy": "Green."},
                                  {**TEXTS, "result": None}),
    "rich texts by their types": (
        {"object": "page", "id": 3, "properties": {
            "Name": {"id": "title", "type": "title", "title": [{"type": "text", "text": {"content": "Tea"}, "plain_text": "Tea"}]},
            "Prompt": {"id": "a", "type": "rich_text", "rich_text": [{"type": "text", "text": {"content": "About tea"}, "href": None}]},
            "Result": {"id": "b", "type": "rich_text", "rich_text": [{"type": "text", "text": {"content": "Green."}, "href": None}]},
            "Creativity": {"id": "c", "type": "number", "number": 0.5}}}, {**TEXTS, "creativity": 0.5}),
    "values by their types": ({"Item": {"id": {"N": "3"}, "name": {"S": "Tea"}, "prompt": {"S": "About tea"}, "result": {"S": "Green."},
                                        "favorite": {"BOOL": True}}}, {**TEXTS, "id": "3", "favorite": True}),
    "elements of XML": ({"soap:Envelope": {"soap:Body": {"ns2:getDocumentResponse": {"return": {
        "Id": "3", "Name": {"#text": "Tea"}, "Prompt": {"#text": "About tea"}, "Result": {"#text": "Green."}}}}}}, {**TEXTS, "id": "3"}),
    "the payload of a mutation": ({"data": {"createDocument": {"clientMutationId": "7", "userErrors": [], "document": DOCUMENT}}}, TEXTS),
    "an error that is null": ({"error": None, "code": 0, "message": "OK", "document": DOCUMENT}, TEXTS),
    "included records of the same kind": (
        {"included": [{"type": "documents", "id": "9", "attributes": VERSION}],
         "data": {"type": "documents", "id": "3", "attributes": FIELDS}}, {**TEXTS, "id": "3"}),
    "revisions of its own kind": ({**DOCUMENT, "_embedded": {"revisions": [VERSION]}}, TEXTS),
    "numbers as texts": ({**DOCUMENT, "id": "3", "creativity": "0.5"}, {**TEXTS, "id": "3", "creativity": 0.5}),
    "an id that is 0": ({"data": {"id": 0, "attributes": FIELDS}}, {**TEXTS, "id": 0}),
}  # fmt: skip

#: Replies from which ``documents.get(3)`` may read nothing.
NOTHING = {
    "a user": {"user": USER},
    "a user with an id outside": {"id": 3, "user": USER},
    "only a request": {"request": {"id": 3, "name": "create"}, "ok": True},
    "only counts": {"counts": {"name": 3, "prompt": 4}},
    "another record": {"result": {**DOCUMENT, "id": 4}},
    "a message": {"result": "created", "message": "name and prompt"},
    "a list of two": [DOCUMENT, DOCUMENT],
    "only a link to another": {**FIELDS, "self": "/api/v1/documents/9"},
}

ROWS = [{**DOCUMENT, "id": 4, "name": "Pu-erh"}, DOCUMENT]
TAGS = [{"id": 1, "name": "green", "created_at": OTHER}, {"id": 2, "name": "black", "created_at": OTHER}]
NAMES = ["Pu-erh", "Tea"]

#: The names that ``documents.list()`` must read.
LISTS = {
    "tags before the records": ({"tags": TAGS, "data": ROWS}, NAMES),
    "tags after the records": ({"data": ROWS, "tags": TAGS}, NAMES),
    "no records and tags": ({"documents": [], "tags": TAGS}, []),
    "no records, counted, and tags": ({"data": [], "tags": TAGS, "total": 0}, []),
    "counts beside": ({"documents": ROWS, "counts": [{"name": "all", "count": 2}], "quota": {"prompt": 3, "result": 9}}, NAMES),
    "quotas as a list": ({"quotas": [{"id": 1, "name": "prompts", "result": 4}], "documents": ROWS}, NAMES),
    "wrapped in result": ({"result": ROWS, "success": True, "errors": []}, NAMES),
    "each in result": ([{"result": row} for row in ROWS], NAMES),
    "each in a word of nobody": ({"zzz": [{"yyy": row, "score": 1} for row in ROWS]}, NAMES),
    "each in a list of one": ({"data": [{"items": [row]} for row in ROWS]}, NAMES),
    "in a list of one": ({"pages": [{"documents": ROWS, "took": 3}]}, NAMES),
    "each with a user": ([{"user": USER, **row} for row in ROWS], NAMES),
    "each with a user before the part with the fields": (
        [{"id": row["id"], "user": USER, "attributes": {**row, "id": None}} for row in ROWS], NAMES),
    "each with a latest version": (
        [{"id": row["id"], "name": row["name"], "latest_version": VERSION} for row in ROWS], NAMES),
    "fields apart from the id": (
        [{"sys": {"id": row["id"], "createdAt": TIME}, "fields": {"name": row["name"], "prompt": "p"}} for row in ROWS], NAMES),
    "names in one language": ([{**row, "name": {"en": row["name"]}} for row in ROWS], NAMES),
    "names as objects by type": (
        [{**row, "name": {"type": "plain", "html": "<b>", "plain": row["name"]}} for row in ROWS], NAMES),
    "the only distinct id": ([{"name": row["name"], "prompt": "p", "ref_id": row["id"], "user_id": 9} for row in ROWS], NAMES),
    "records of others included": ({"data": [{"id": row["id"], "attributes": row} for row in ROWS],
                                    "included": [{"id": 9, "attributes": VERSION}]}, NAMES),
    "a list of errors with names": ({"errors": [], "warnings": [{"id": 1, "name": "slow", "prompt": "x"}], "data": ROWS}, NAMES),
    "recent prompts": ({"recent": [{"prompt": "a", "name": "b"}], "documents": ROWS}, NAMES),
    "nodes of two kinds": ({"data": {"search": {"nodes": [{"__typename": "User", "id": 9, "name": "Ann"},
                                                          *({"__typename": "Document", **row} for row in ROWS)]}}}, NAMES),
    "connections of two kinds": ({"data": {"users": {"nodes": TAGS}, "documents": {"edges": [{"node": row} for row in ROWS]}}}, NAMES),
    "hits with highlights": ({"hits": {"total": {"value": 2, "relation": "eq"}, "hits": [
        {"_id": row["id"], "_score": 1.0, "_source": {**row, "id": None}, "highlight": {"name": ["<em>x</em>"]}} for row in ROWS]}}, NAMES),
    "each with versions": ([{**row, "versions": [VERSION, VERSION]} for row in ROWS], NAMES),
    "by their ids": ({"documents": {"a": {**DOCUMENT, "id": "a"}}}, ["Tea"]),
    "the only one as an object": ({"ListResponse": {"Documents": {"Document": DOCUMENT}}}, ["Tea"]),
    "some of them as popular ones, too": ({"popular": ROWS[1:], "items": ROWS}, NAMES),
    "templates with prompts": ({"templates": [{"id": 1, "name": "Blog", "prompt": "Write {x}"}], "items": ROWS}, NAMES),
    "columns with ids and names": ({"columns": [{"id": each, "name": each.title(), "prompt": "x"} for each in FIELDS], "rows": ROWS},
                                   NAMES),
    "rich texts by their types": ([{"id": row["id"], "properties": {
        name: {"type": "title", "title": [{"type": "text", "text": {"content": row[name]}}]} for name in ("name", "prompt")}}
        for row in ROWS], NAMES),
    "an empty record first": ([{"id": 4, "name": None, "prompt": None, "result": None}, DOCUMENT], [None, "Tea"]),
}  # fmt: skip


ALBUM, STYLE = {"id": 4, "name": "A", "description": "B"}, {"id": 1, "name": "Anime", "description": "Drawn"}


def shown(record, names):
    """Return the values of a record, with None for a missing one."""
    values = {name: getattr(record, name) for name in names}
    return {name: None if value is None or pd.isna(value) else value for name, value in values.items()}


@cases("label", RECORDS)
def test_a_record_is_read_from_its_own_places(label):
    """Each field is read from the record, and one that only another object has is not read at all."""
    body, expected = RECORDS[label]
    expected = {
        name: pd.Timestamp(value) if name.endswith("_at") and value else value
        for name, value in expected.items()
    }
    with Answers(body).client() as client:
        assert shown(client.documents.get(expected.get("id", 3)), expected) == expected


@cases("label", NOTHING)
def test_another_object_is_not_read_as_a_record(label):
    """A reply without the record is an error, whatever words it contains."""
    with Answers(NOTHING[label]).client() as client:
        with pytest.raises(inkframe.UnexpectedReply):
            client.documents.get(3)


@cases("label", LISTS)
def test_a_list_is_read_from_its_own_records(label):
    """The records of a list are found beside lists of other things, however each of them is wrapped."""
    body, names = LISTS[label]
    with Answers(body).client() as client:
        client.documents.list()
        frame = client.documents.list()
    assert [None if pd.isna(name) else name for name in frame["name"]] == names
    assert frame.index.tolist() in ([4, 3][: len(names)], [3], ["a"])


def test_of_two_lists_of_records_none_is_taken():
    """Where two lists have different records, nothing tells which is meant; the one that is pinned is read."""
    body = {"items": ROWS, "archived": [{**DOCUMENT, "id": number} for number in (7, 8, 9)]}
    with Answers(body).client() as client:
        with pytest.raises(
            inkframe.UnexpectedReply, match=r"items and archived\.\nPin .*records_at=\('items',\)"
        ):
            client.documents.list()
        client.documents.dialect = inkframe.Dialect(records_at=("items",))
        assert client.documents.list().index.tolist() == [4, 3]


#: Where the service has a record.
WRAPS = {
    "result": lambda record: {"result": record},
    "request": lambda record: {"id": "req-1", "result": record},
    "document": lambda record: {"result": {"document": record}},
    "user": lambda record: {"user": USER, "result": record},
    "prompt": lambda record: {"prompt": record},
    "nobody": lambda record: {"zzz": record},
    "one": lambda record: {"result": [record]},
    "tenant": lambda record: {"tenant": {"id": 9, "name": "W", "document": record}},
    "labels": lambda record: {"labels": {name: name.title() for name in record}, "data": record},
    "input": lambda record: {
        "input": {"id": "req-1", "name": "Tea", "prompt": "About tea"},
        "output": record,
    },
}


@cases("name", WRAPS)
@cases("call", ["create", "ensure"])
def test_a_create_in_a_word_of_the_interface_is_paid_once(call, name, tmp_path, monkeypatch):
    """A record that is wrapped in a word of the interface is the new one, and the next ``ensure`` finds it."""
    monkeypatch.setenv("INKFRAME_HOME", str(tmp_path / f"{call} {name}"))
    wrap = WRAPS[name]
    made = []

    def answer(request):
        if request.method == "POST":
            made.append({**DOCUMENT, "id": 3 + len(made)})
            return httpx.Response(201, json=wrap(made[-1]))
        if request.url.path.endswith("documents"):
            return {"result": [wrap(each) for each in reversed(made)], "total": len(made)}
        return wrap(made[int(request.url.path.rpartition("/")[2]) - 3])

    with Answers(answer).client() as client:
        fields = {name: DOCUMENT[name] for name in ("name", "prompt", "creativity")}
        first = getattr(client.documents, call)(**fields)
        again = client.documents.ensure(**fields)
    assert (first.id, first.result, again.id, len(made)) == (3, "Green.", 3, 1)


@cases(
    "body",
    [
        {"id": 3, "name": "Pier", "description": "a pier", "artist": USER},
        {"id": 3, "name": "Pier", "description": "a pier", "style": STYLE},
        {"id": 3, "name": "Pier", "description": "a pier", "album": ALBUM},
        {"id": 3, "image": {**IMAGE, "id": 3}, "user": USER},
        {"collection": ALBUM, "image": IMAGE},
        {"result": IMAGE, "user": USER},
    ],
)
def test_an_image_is_not_its_artist_style_or_album(body):
    """Other things have a name and a description as well."""
    with Answers(body).client() as client:
        image = client.images.get(3)
    assert (image.id, image.name, image.description) == (3, "Pier", "a pier")


@cases("body", [{"id": 3, "title": "Pier", "album": ALBUM}, {"id": 3, "title": "Pier", "style": STYLE}])
def test_the_name_of_another_thing_is_not_that_of_the_image(body):
    """Where only other things have a name, the image has none."""
    with Answers(body).client() as client:
        try:
            image = client.images.get(3)
        except inkframe.UnexpectedReply:
            return
    assert (image.name, image.description) == (None, None)
