"""The list parameters that both collections have, their defaults, and the rules of sections 4.2 and 8."""

import numpy as np
import pytest
from tests.cases import type_name

import inkframe as ink
from inkframe.frames import columns_of

COLLECTIONS = ["images", "documents"]
#: A document list without a template is one of Freestyle documents: their number is the images' number.
RECORDS = 109


@pytest.fixture(params=COLLECTIONS)
def collection(request):
    """Return the name of each collection in turn."""
    return request.param


@pytest.fixture
def listed(reader, collection):
    """Return the list call of the collection."""
    return getattr(reader, collection).list


@pytest.fixture
def records(library, collection):
    """Return the records that a list without filters covers, oldest first."""
    return [r for r in getattr(library, collection) if getattr(r, "template_id", 1) == 1]


def test_nothing_is_sent_that_was_not_given(listed, asked, collection):
    """A list without arguments asks for the collection and says nothing else."""
    listed()
    assert [(request.path, request.query) for request in asked] == [(f"/api/v1/{collection}", "")]


def test_default_order_is_newest_first(listed, records):
    """Rule 1: without ``sort_by`` and ``sort`` the order is by creation, descending."""
    assert listed().index.tolist() == [record.id for record in reversed(records)][:10]


def test_default_page_holds_ten(listed, records):
    """Rule 2: without ``per_page`` a page holds 10 records."""
    frame = listed()
    assert len(frame) == 10
    assert len(records) == frame.attrs["inkframe"]["total"] == RECORDS


def test_search_looks_in_the_name_by_default(listed, asked, records):
    """Rule 3: without ``search_by`` a search looks in the name."""
    frame = listed(search="03")
    assert asked[0].query == "search=03"
    matching = [record for record in reversed(records) if "03" in record.name]
    assert len(matching) > 1
    assert frame.index.tolist() == [record.id for record in matching][:10]
    assert frame.attrs["inkframe"]["total"] == len(matching)


def test_search_by_name(listed, asked):
    """``search_by="name"`` is sent, and is what the default does."""
    frame = listed(search="03", search_by="name")
    assert asked[0].query == "search=03&search_by=name"
    assert frame.index.tolist() == listed(search="03").index.tolist()


def test_search_without_a_match_gives_an_empty_frame(listed, collection):
    """A search that finds nothing gives the same columns and no row."""
    frame = listed(search="no record has this name")
    assert frame.empty
    assert frame.columns.tolist() == list(columns_of(collection))
    assert frame.attrs["inkframe"]["total"] == 0


@pytest.mark.parametrize(("favorite", "sent"), [(True, "1"), (False, "0")])
def test_favorite(listed, asked, records, favorite, sent):
    """``favorite`` goes as 1 or 0 and gives favorites only, or others only."""
    frame = listed(favorite=favorite, per_page=100)
    assert asked[0].query == f"favorite={sent}&per_page=100"
    assert frame.index.tolist() == [r.id for r in reversed(records) if r.favorite is favorite][:100]
    assert listed(favorite=np.bool_(favorite)).index.tolist() == frame.index.tolist()[:10]


@pytest.mark.parametrize("sort", ["desc", "asc", None])
@pytest.mark.parametrize("sort_by", ["id", "name", None])
def test_order(listed, asked, records, sort_by, sort):
    """Each order is sent as it was given and is the order of the rows."""
    given = {name: value for name, value in (("sort_by", sort_by), ("sort", sort)) if value}
    frame = listed(**given)
    assert asked[0].query == "&".join(f"{name}={value}" for name, value in given.items())
    ordered = sorted(records, key=lambda record: getattr(record, sort_by or "id"), reverse=sort != "asc")
    assert frame.index.tolist() == [record.id for record in ordered][:10]


@pytest.mark.parametrize("size", [10, 25, 50, 100])
def test_per_page(listed, asked, records, size):
    """Each page size of the interface is sent, and is the number of rows."""
    frame = listed(per_page=size)
    assert asked[0].query == f"per_page={size}"
    assert frame.index.tolist() == [record.id for record in reversed(records)][:size]
    assert len(listed(per_page=np.int64(size))) == size


@pytest.mark.parametrize("size", [0, 1, 20, 101, -10, 10.0, "10", True], ids=repr)
def test_no_other_page_size(listed, asked, size):
    """Any other page size is refused with the four that there are; nothing is sent."""
    with pytest.raises(ink.InvalidArgument, match=r"(?s)per_page=.*10, 25, 50, 100"):
        listed(per_page=size)
    assert asked == []


def test_further_pages(listed, asked, records):
    """A page number gives the page at that place; past the last one there is nothing."""
    ids = [record.id for record in reversed(records)]
    assert listed(per_page=50, page=1).index.tolist() == ids[:50]
    assert [request.query for request in asked] == ["per_page=50"]
    assert listed(per_page=50, page=2).index.tolist() == ids[50:100]
    assert asked[-1].query == "per_page=50&page=2"
    assert listed(per_page=50, page=np.int64(3)).index.tolist() == ids[100:]
    assert listed(per_page=50, page=4).empty
    assert listed(page=7, favorite=False).attrs["inkframe"]["query"] == {"favorite": False, "page": 7}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        pytest.param({"search": ""}, "search is empty", id="an empty search"),
        pytest.param({"search": 7}, "search must be a string, got 7", id="a search that is no string"),
        pytest.param({"search": "a", "search_by": "prompt"}, "search_by='prompt'", id="search_by=prompt"),
        pytest.param({"favorite": 1}, "favorite=1 is neither True nor False", id="favorite=1"),
        pytest.param({"favorite": "yes"}, "favorite='yes'", id="favorite=yes"),
        pytest.param({"sort_by": "created_at"}, "sort_by='created_at'", id="sort_by=created_at"),
        pytest.param({"sort": "descending"}, "sort='descending'", id="sort=descending"),
        pytest.param({"sort": "DESC"}, "Did you mean 'desc'?", id="sort=DESC"),
        pytest.param({"page": 0}, "page=0", id="page=0"),
        pytest.param({"page": 1.5}, "page=1.5", id="page=1.5"),
        pytest.param({"search": "\ud800"}, "half of a surrogate pair", id="half a surrogate pair"),
        pytest.param({"search": "ab" * 3000}, "Search for a shorter text", id="a search of 6,000 characters"),
    ],
)
def test_a_wrong_argument_is_refused(listed, asked, given, said):
    """A wrong value is refused with its name and what to do, in three lines; nothing is sent."""
    with pytest.raises(ink.InvalidArgument) as caught:
        listed(**given)
    assert said in str(caught.value)
    assert len(str(caught.value).splitlines()) <= 3
    assert asked == []


def test_search_by_result_is_for_documents(reader, asked):
    """Images have no result to search in."""
    with pytest.raises(ink.InvalidArgument, match=r"search_by='result'(?s:.*)Allowed: name\."):
        reader.images.list(search="a", search_by="result")
    assert asked == []


def test_arguments_are_keyword_only(listed, asked):
    """A list takes no argument by position."""
    with pytest.raises(TypeError):
        listed("anime")
    assert asked == []


@pytest.mark.parametrize("text", ["ü", "a&b=c", "a+b c", "100 %", "#?/", "日本", "'; --"])
def test_a_search_arrives_as_it_was_given(client, listed, sent, collection, text):
    """Every character of a search reaches the service as itself."""
    fields = {"images": {"description": "x", "resolution": "256x256"}, "documents": {"prompt": "x"}}
    made = getattr(client, collection).create(name=f"before {text} after", **fields[collection])
    found = getattr(client, collection).list(search=text)
    assert made.id in found.index
    assert found.loc[made.id, "name"] == made.name
    assert sent[-1].query.isascii()
    assert listed(search=text).empty


@pytest.mark.parametrize(
    ("search", "query"),
    [("ü", "search=%C3%BC"), ("a&b=c", "search=a%26b%3Dc"), ("a+b c", "search=a%2Bb+c"), ("%", "search=%25")],
)
def test_how_a_query_is_written(listed, asked, search, query):
    """A query is UTF-8, percent-encoded, with a plus for a space."""
    listed(search=search)
    assert asked[0].query == query


def test_all_is_every_record_in_the_order_asked_for(reader, collection, records):
    """A whole listing has every record once, sorted by the client as the service sorts a list."""
    template = {"template": 1} if collection == "documents" else {}
    every = getattr(reader, collection).all
    ids = [record.id for record in records]
    assert every(**template).index.tolist() == ids[::-1]
    assert every(**template, sort="asc").index.tolist() == ids
    by_name = [record.id for record in sorted(records, key=lambda record: record.name)]
    assert every(**template, sort_by="name", sort="asc").index.tolist() == by_name
    assert every(**template, sort_by="name").index.tolist() == by_name[::-1]
    facts = every(**template).attrs["inkframe"]
    assert (facts["completeness"], facts["total"], facts["reasons"]) == ("exact", RECORDS, [])


def test_all_stops_at_a_limit(reader, collection, records, asked):
    """A limit gives the newest, asks for no page more than it needs, and says that there is more."""
    template = {"template": 1} if collection == "documents" else {}
    frame = getattr(reader, collection).all(**template, limit=7)
    assert frame.index.tolist() == [record.id for record in reversed(records)][:7]
    assert len(asked) == 1
    assert frame.attrs["inkframe"]["completeness"] == "best-effort"
    assert frame.attrs["inkframe"]["reasons"] == ["stopped at limit=7"]
    with pytest.raises(ink.InvalidArgument, match="limit=0"):
        getattr(reader, collection).all(limit=0)


def test_all_filters(reader, collection, records):
    """The filters of a list are those of a whole listing."""
    frame = getattr(reader, collection).all(favorite=True, search="0")
    matching = {r.id for r in records if r.favorite and "0" in r.name}
    assert matching <= set(frame.index)
    assert frame["favorite"].all()
    assert frame["name"].str.contains("0").all()


def test_pages_give_every_record_in_frames(reader, collection, library):
    """An iterator of pages has each record once, in frames with the same columns."""
    pages = list(getattr(reader, collection).pages())
    ids = [id for page in pages for id in page.index]
    assert sorted(ids) == [record.id for record in getattr(library, collection)]
    assert all(0 < len(page) <= 100 for page in pages)
    assert len({tuple(page.dtypes.map(type_name).items()) for page in pages}) == 1
