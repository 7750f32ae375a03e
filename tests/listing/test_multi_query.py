"""Several lists as one, with a service that refuses some of them or reports them as missing."""

from collections import Counter

import httpx
import pytest
from tests.answering import Answers, facts
from tests.services import FaultyService, Links, Paging, RecordForm, WireDialect

import inkframe

KNOWN = 41
DOCUMENTS = [
    {"id": id, "name": f"n{id}", "prompt": "p", "template_id": id % KNOWN + 1} for id in range(1, 60)
]


def templates(count):
    return inkframe.Vocabulary(templates={number: f"T{number}" for number in range(1, count + 1)})


def serving(refusal):
    """Return a client of a service with 41 templates that refuses lists of other templates."""

    def answer(request):
        if request.method == "POST":
            return httpx.Response(201, json={"id": 99, "name": "new", "prompt": "p"})
        query = request.url.params
        number = int(query.get("template_id", 1))
        rows = [
            row
            for row in DOCUMENTS
            if row["template_id"] == number and query.get("search", "") in row["name"]
        ]
        if number > KNOWN or (not rows and refusal.status_code != 422):
            return httpx.Response(refusal.status_code, headers=refusal.headers, content=refusal.content)
        rows = rows if query.get("sort") == "asc" else rows[::-1]
        return {"data": rows, "total": len(rows), "last_page": 1}

    return Answers(answer).client()


UNKNOWN = httpx.Response(
    422, json={"message": "The data was invalid.", "errors": {"template_id": ["The selected id is invalid."]}}
)
NOTHING = [
    pytest.param(httpx.Response(404, json={"message": "No documents found"}), id="404"),
    pytest.param(httpx.Response(204), id="204"),
    pytest.param(httpx.Response(200, content=b"null"), id="null"),
]


@pytest.mark.integration
def test_unknown_templates_have_no_documents():
    """A full listing and ensure continue, and the reason names the templates."""
    with serving(UNKNOWN) as client:
        frame = client.documents.all()
        assert len(frame) == len(DOCUMENTS)
        reason = frame.attrs["inkframe"]["reasons"][0]
        assert reason.startswith("the service does not know template 42, 43, ")
        assert client.documents.all(template=[1, 45])["template_id"].unique().tolist() == [1]
        assert client.documents.ensure(name="new", prompt="another text").id == 99


@pytest.mark.integration
def test_any_number_of_unknown_templates_is_asked_for():
    """Requests for templates that the service does not know leave enough of them for the pages of another."""

    def answer(request):
        query = request.url.params
        if query.get("template_id", "1") == "1":
            return {"data": [], "total": 0, "last_page": 1}
        if query["template_id"] != "200":
            return httpx.Response(422, json=UNKNOWN.json())
        ids = range(250, 0, -1) if query.get("sort") != "asc" else range(1, 251)
        start = 100 * (int(query.get("page", 1)) - 1)
        rows = [
            {"id": id, "name": f"n{id}", "prompt": "p", "template_id": 200} for id in ids[start : start + 100]
        ]
        return {"data": rows, "total": 250, "last_page": 3}

    with Answers(answer).client(vocabulary=templates(200)) as client:
        assert len(client.documents.all()) == 250


def test_an_unknown_template_is_an_error_if_requested():
    """An explicitly requested template that does not exist is an error, not an empty frame."""
    with serving(UNKNOWN) as client:
        for call in (client.documents.list, client.documents.all):
            with pytest.raises(inkframe.ValidationFailed, match="template_id"):
                call(template=45)


@pytest.mark.integration
@pytest.mark.parametrize("refusal", NOTHING)
def test_a_missing_list_is_empty_if_the_collection_exists(refusal):
    """Listings and ensure continue for every kind of reply to an empty list."""
    with serving(refusal) as client:
        assert client.documents.list(search="none").empty
        frame = client.documents.all()
        assert len(frame) == len(DOCUMENTS)
        assert frame.attrs["inkframe"]["completeness"] == "verified"
        assert client.documents.ensure(name="new", prompt="another text").id == 99


def test_a_missing_collection_is_an_error():
    """If every request returns 404, a list is an error, not empty."""
    with Answers(httpx.Response(404, json={"message": "no route"})).client() as client:
        for query in ({}, {"search": "a"}):
            with pytest.raises(inkframe.NotFound):
                client.documents.list(**query)


@pytest.mark.parametrize(
    ("collection", "message", "query"),
    [
        ("images", "The template is too large", {}),
        ("documents", "per_page is too large", {"template": [1, 2]}),
    ],
)
def test_other_refusals_are_errors(collection, message, query):
    """Only the refusal of a template is a list without documents."""

    def answer(request):
        if request.url.params.get("template_id") == "1":
            return {"data": [], "total": 0, "last_page": 1}
        return httpx.Response(422, json={"message": message})

    with Answers(answer).client() as client:
        with pytest.raises(inkframe.ValidationFailed, match=message):
            getattr(client, collection).all(**query)


LIBRARY = [
    {"id": id, "name": f"n{id}", "prompt": "p", "template_id": (id - 1) % 4 + 1} for id in range(1, 10)
]
UNION = "a record under a template that no reply shows would not be listed"
UNASKED = "1 records that were known before are not listed any more"
IGNORED = "the service ignores template_id, so templates are known only if records contain them"


def of(template):
    return [row for row in LIBRARY if row["template_id"] == template]


def bare(rows):
    return [{name: value for name, value in row.items() if name != "template_id"} for row in rows]


def library(rows_of, words=lambda rows, *_: {"total": len(rows)}, known=4):
    """Return a client of a service with the documents of each template, and the templates that it is asked for."""
    seen = []

    def answer(request):
        if (id := request.url.path.rpartition("/")[2]).isdecimal():
            return LIBRARY[int(id) - 1]
        asked = request.url.params.get("template_id")
        seen.append(asked and int(asked))
        rows = rows_of(seen[-1])
        return {"data": rows[::-1], "current_page": 1, "last_page": 1, **words(rows, seen[-1], len(seen))}

    return Answers(answer).client(vocabulary=templates(known), concurrency=1), seen


@pytest.mark.integration
@pytest.mark.parametrize(
    ("rows_of", "asked", "listed", "level", "reasons"),
    [
        pytest.param(lambda t: of(t or 1), [None, 1, 2, 3, 4], LIBRARY, "verified", [UNION], id="honored"),
        pytest.param(lambda t: of(t) if t else LIBRARY, [None, None], LIBRARY, "exact", [], id="no default"),
        pytest.param(lambda _: bare(LIBRARY), [None, 2, 3, None], bare(LIBRARY), "exact", [IGNORED], id="ignored"),
        pytest.param(lambda t: bare(of(t or 1)), [None, 2, 1, 2, 3, 4], LIBRARY, "verified", [UNION], id="not shown"),
        pytest.param(lambda t: bare(of(t) if t else LIBRARY), [None, 2, 3, 1, 2, 3, 4], LIBRARY, "exact", [],
                     id="no default, not shown"),
        pytest.param(lambda t: of(t or 1) if t != 1 else [], [None, 1, 2, 3, 4, None], LIBRARY, "verified", [UNION],
                     id="nothing in the first"),
        pytest.param(lambda t: bare([] if t is None else of(t)), [None, 1, 2, 3, 4], LIBRARY, "verified", [UNION],
                     id="nothing without a template"),
    ],
)  # fmt: skip
def test_the_lists_that_are_a_whole_library(rows_of, asked, listed, level, reasons):
    """Each template is a list of its own, unless one list has them all or the service ignores the filter."""
    client, seen = library(rows_of)
    with client:
        frame = client.documents.all(sort="asc")
    assert seen == asked
    found = dict(zip(frame.index, frame["template_id"].fillna(0), strict=True))
    assert found == {row["id"]: row.get("template_id", 0) for row in listed}
    came = frame.attrs["inkframe"]
    assert (came["completeness"], came["total"], came["reasons"]) == (level, len(listed), reasons)


#: A document of a template that the vocabulary does not have.
UNNAMED = [*LIBRARY, {"id": 10, "name": "n10", "prompt": "p", "template_id": 9}]
GAP = "the service reports 10 records and returned 9"
#: What a reply says besides its records: by the template of the query, and the number of the request.
WORDS = {
    "nothing": (lambda rows, *_: {"total": len(rows)}, "verified", [UNION]),
    "no total": (lambda *_: {}, "verified", [UNION]),
    "a total that is not shown again": (
        lambda _rows, _asked, number: {"total": 10} if number == 1 else {},
        "verified",
        [UNION],
    ),
    "both totals": (
        lambda rows, *_: {"recordsTotal": 10, "recordsFiltered": len(rows)},
        "best-effort",
        [GAP],
    ),
    "the total without a filter": (
        lambda rows, asked, _: {"total": len(rows) if asked else 10},
        "best-effort",
        [GAP],
    ),
    "one total": (lambda *_: {"total": 10}, "best-effort", [GAP]),
    "the templates": (
        lambda rows, *_: {
            "total": len(rows),
            "facets": {"template_id": [{"value": number, "count": 1 + (number == 9)} for number in (1, 9)]},
        },
        "verified",
        [UNION],
    ),
    "a total before a deletion": (
        lambda rows, asked, number: {"total": len(rows) if asked else 10 - (number > 1)},
        "exact",
        [],
    ),
}


def counted(words, known=4, **query):
    """Return what a library with a template of its own lists, the level, the reasons, the total and the requests."""
    client, seen = library(
        lambda asked: [row for row in UNNAMED if row["template_id"] == (asked or 1)], words, known
    )
    with client:
        frame = client.documents.all(**query)
        *_, last = client.documents.pages(**query)
    came = frame.attrs["inkframe"]
    assert came["reasons"][-1:] == last.attrs["inkframe"]["reasons"][-1:]
    return len(frame), came["completeness"], came["reasons"], came["total"], seen


@pytest.mark.parametrize("name", WORDS)
def test_a_whole_library_is_compared_with_the_count_of_the_collection(name, capsys):
    """Whatever tells that there are more documents than the templates have makes the listing best-effort."""
    words, level, reasons = WORDS[name]
    found = counted(words)
    assert (found[:2], found[2][-1:]) == ((10 if name == "the templates" else 9, level), reasons)
    if name in {"no total", "a total that is not shown again"}:
        assert found[3] is None
    else:
        assert found[3] == (9 if found[0] == 9 and reasons != [GAP] else 10)
    assert (GAP.removeprefix("the service") in capsys.readouterr().out) == (GAP in reasons)


@pytest.mark.parametrize(
    ("templates", "plain", "told", "level"),
    [
        ([1, 1, 9], 2, {}, "verified"),
        ([1, 1], 2, {}, "verified"),
        ([1, 2], 2, {}, "exact"),
        ([1, 1], 2, {"collection_total": 2}, "exact"),
        ([1, 1, 9], 2, {"collection_total": 3}, "best-effort"),
    ],
)
def test_the_total_of_the_default_template_does_not_count_the_collection(templates, plain, told, level):
    """A list without a template may have those of one template only, unless it has more than that."""
    rows = [{**LIBRARY[0], "id": id, "template_id": template} for id, template in enumerate(templates)]
    client, _ = library(
        lambda asked: [row for row in rows if row["template_id"] == (asked or 1)],
        lambda rows, asked, _: {"total": len(rows) if asked else plain, **told},
        known=2,
    )
    with client:
        came = client.documents.all().attrs["inkframe"]
    assert (came["completeness"], UNION in came["reasons"]) == (level, level == "verified")


@pytest.mark.parametrize(("said", "asked"), [(10, 6), (11, 10)])
def test_only_the_templates_that_a_library_holds_are_asked_for(said, asked):
    """Where their counts add up to the total of the collection, no other template is asked for."""

    def words(rows, *_):
        held = Counter(row["template_id"] for row in UNNAMED)
        facets = [{"value": number, "count": count} for number, count in held.items()]
        return {"total": len(rows), "facets": {"template_id": facets}, "collection_total": said}

    count, level, _, _, requests = counted(words, known=8)
    assert (count, level) == (10, "exact" if said == 10 else "best-effort")
    assert len(set(requests)) == asked


def test_one_template_that_a_library_holds_is_compared_with_the_count(capsys):
    """A library with documents of one template is listed by it, and a count that is not reached is said."""
    words = {"total": 1, "collection_total": 2, "facets": {"template_id": [{"value": 1, "count": 2}]}}
    client, _ = library(lambda asked: UNNAMED[:1] if asked in {None, 1} else [], lambda *_: words, known=52)
    with client:
        frame = client.documents.all()
    assert (len(frame), facts(frame)[0], frame.attrs["inkframe"]["total"]) == (1, "best-effort", 2)
    assert "2 records and returned 1" in capsys.readouterr().out


@pytest.mark.parametrize(
    "query", [{"template": [1, 2, 3, 4]}, {"search": "n"}, {"favorite": False}, {"template": 2}]
)
@pytest.mark.parametrize("name", ["both totals", "the total without a filter"])
def test_a_part_of_a_library_is_not_compared_with_the_whole(query, name):
    """With a filter, the count of the collection is no gap."""
    assert GAP not in counted(WORDS[name][0], **query)[2]


@pytest.mark.integration
@pytest.mark.parametrize(
    ("ids_of", "listed", "total", "reasons"),
    [
        ({None: [1, 2], "1": [1, 2], "2": [2, 1]}, [1, 2], 2, [IGNORED]),
        ({None: [1, 2], "1": [1, 2], "2": [2, 7]}, [1, 2], 2, ["1 records are listed by template only", IGNORED, UNASKED]),
        ({None: [1, 2], "1": [1, 2], "2": [9], "4": [2, 7]}, [1, 2, 7, 9], 5,
         ["1 records are listed under several templates"]),
    ],
)  # fmt: skip
def test_records_of_two_templates_show_that_the_filter_is_ignored(ids_of, listed, total, reasons):
    """The list without it follows, unless two templates began with different records."""

    def answer(request):
        ids = ids_of.get(request.url.params.get("template_id"), [])
        rows = [{"id": id, "name": f"n{id}", "prompt": "p"} for id in ids]
        return {"data": rows, "total": len(rows), "current_page": 1, "last_page": 1}

    with Answers(answer).client(concurrency=1) as client:
        frames = [client.documents.all() for _ in range(2)]
    assert sorted(frames[0].index) == listed
    assert facts(frames[0]) == ("exact" if reasons == [IGNORED] else "best-effort", reasons)
    assert frames[0].attrs["inkframe"]["total"] == total
    assert IGNORED in reasons or frames[1].equals(frames[0])


@pytest.mark.integration
def test_a_template_is_not_assumed_where_the_filter_is_ignored():
    """Of two templates that begin alike, neither is that of the records; later lists of one do not assume it, too."""
    rows = [{"id": id, "name": f"n{id}", "prompt": "p"} for id in (1, 2, 3)]
    with Answers({"data": rows, "total": 3, "current_page": 1, "last_page": 1}).client() as client:
        frames = [*client.documents.pages(template=[2, 4]), client.documents.all(template=[2, 4])]
        frames += [client.documents.all(template=4), client.documents.list(template=4)]
    for frame in frames:
        assert frame[["template_id", "template"]].isna().all(axis=None)
        assert len(frame) == 3
    assert [facts(frame)[1] for frame in frames] == [[IGNORED], [IGNORED], [IGNORED], []]


@pytest.mark.integration
def test_a_page_without_the_template_does_not_show_that_it_is_ignored():
    """A link that loses the filter is not read on, and the next listing still asks for every template."""
    form = WireDialect(
        name="drawn",
        about="",
        listing_headers={"Link": "$link_header"},
        listing={"data": "$rows", "totalCount": "$count", "last_page": "$pages"},
        paging=Paging(parameter="pageNumber", usual=10, largest=25, strangers="refused"),
        links=Links(keep_query=False),
        ignores=("per_page", "pageNumber"),
        record=RecordForm(id_form="padded", omits=("template_id",)),
        usual_template=1,
    )
    service = FaultyService(form, documents=100, vocabulary=templates(4))
    with service.client(vocabulary=templates(4)) as client:
        frames = [client.documents.all(search="a") for _ in range(2)]
    truth = {
        str(service.public_id(id)) for id, row in service.documents.items() if "a" in row["name"].lower()
    }
    for frame in frames:
        assert set(frame.index) == truth
        assert facts(frame)[0] == "best-effort"
        assert IGNORED not in facts(frame)[1]
