"""What each call sends and returns, recorded for eight response formats.

The recordings are ``goldens/<format>.json``: the requests of a call in their order, and its result as plain data. That
of the first format is whole; of the others only what differs from it is recorded.
Errors, notices, reasons, random ids and the time of day are not recorded. Moving and renaming code must not change
a recording. After an intended change, record again and review the diff before committing it::

    INKFRAME_RECORD_GOLDENS=1 pytest tests/test_goldens.py
"""

import gzip
import hashlib
import json
from contextlib import contextmanager
from dataclasses import fields, is_dataclass, replace
from datetime import datetime
from pathlib import Path

import pandas as pd
import PIL.Image
import pytest
from tests.cases import type_name, with_texts
from tests.services import DIALECTS, ODDITIES, Faults, FaultyService

import inkframe as ink
from inkframe.versions import text_type

from .recordings import RECORD, compare, html_lines

HERE = Path(__file__).parent

#: Response formats by name, with what is special about each.
FORMATS = {
    "drf_page": "links, an error past the last page",
    "past_end_empty": "no total, no links",
    "laravel_resource": "total and last page",
    "jsonapi": "page[number], attributes apart from the id",
    "stripe": "continues after an id; hexadecimal ids, no time of update",
    "drf_cursor": "opaque cursors in links; records have UUIDs",
    "spring": "pages from 0",
    "rails_headers": "a bare list, total and links in headers",
}
COLLECTIONS = ("images", "documents")

#: Two values of each kind and four templates, so that a whole listing takes few requests.
VOCABULARY = ink.Vocabulary(
    resolutions=["256x256", "512x512"],
    styles={"pop_art": "Pop art", "anime": "Anime"},
    mediums={"ink": "Ink", "chalk": "Chalk"},
    filters={"sepia": "Sepia", "noir": "Noir"},
    templates={1: "Freestyle", 2: "Blog intro", 3: "FAQ", 4: "Slogan"},
)
#: The types of columns that are no texts, in every format.
TYPES = {
    **dict.fromkeys(("template", "resolution", "style", "medium", "filter", "status", "outcome"), "category"),
    **dict.fromkeys(("created_at", "updated_at"), "datetime64[us, UTC]"),
    **dict.fromkeys(("old", "new"), "object"),
    "template_id": "Int64",
    "creativity": "float64",
    "seconds": "float64",
    "favorite": "boolean",
    "bytes": "bool",
}
#: Three pages of the largest size; the first template has two.
RECORDS = 230
NAMES = ("Harbor", "Über die Brücke", 'A "quoted" kettle, 100 %', "東京の夜", "Fish & chips <b>")
RESULTS = ("It boils.", "Line one\nline two, with a\ttab.", "# Title\n\n- naïve\n- but it works 🌊")
#: January 6, 2025, 08:00 UTC. All records are of that day; a later time is the time of the test.
BEGINNING = 1_736_150_400


def common(number):
    created = BEGINNING + number * 137
    return {
        "name": f"{NAMES[number % 5]} {number}",
        "favorite": number % 5 == 0,
        "created_at": created,
        "updated_at": created + 3600 * (number % 3 == 0),
    }


def image(number):
    return common(number) | {
        "description": f"two boats, take {number}",
        "resolution": ("256x256", "512x512")[number % 2],
        "style": ("pop_art", "anime", None)[number % 3],
        "medium": ("ink", "chalk", None)[number % 7 % 3],
        "filter": (None, "sepia", "noir")[number % 4 % 3],
    }


def document(number):
    return common(number) | {
        "template_id": 1 if number <= 120 else 2 + number % 3,
        "prompt": f"Write about a kettle, take {number}.",
        "creativity": number % 5 / 4,
        "result": RESULTS[number % 3],
    }


MAKERS = {"images": image, "documents": document}
#: The arguments of a create.
GIVEN = {
    "images": {"name": "Pier", "description": "a pier, fog", "resolution": "512x512", "style": "anime"},
    "documents": {"name": "Tea", "prompt": "About tea & cake", "creativity": "Creative"},
}


class Context:
    """A service with records in one collection, and a client that sends one request at a time."""

    def __init__(self, resource, client, service, folder):
        self.resource, self.client, self.service, self.folder = resource, client, service, folder
        self.records = getattr(client, resource)
        self.held = getattr(service, resource)
        self.given = GIVEN[resource]

    def id(self, number):
        """Return the id of a record as clients see it."""
        return self.service.public_id(number)


@contextmanager
def connected(dialect, resource, folder, count):
    """Open a client of a service that holds ``count`` records in one collection."""
    service = FaultyService(dialect, images=0, documents=0, vocabulary=VOCABULARY)
    make = MAKERS[resource]
    getattr(service, resource).update(
        {number: {"id": number, **make(number)} for number in range(1, count + 1)}
    )
    with ink.Client(
        service.base_url,
        service.key,
        transport=service.transport,
        vocabulary=VOCABULARY,
        concurrency=1,  # keeps the requests in one order
    ) as client:
        yield Context(resource, client, service, folder)


# Each operation takes a context and returns what is recorded besides the requests.


def list_page(at):
    frame = at.records.list()
    categories = {
        name: frame[name].cat.categories.tolist() for name in frame if frame[name].dtype == "category"
    }
    return seen(frame) | {"categories": categories}


def list_second_page(at):
    return seen(at.records.list(per_page=25, page=2))


def list_filtered(at):
    narrow = {
        "images": {"resolution": "256x256", "style": "Anime", "filter": "noir"},
        "documents": {"template": "faq"},
    }
    return seen(
        at.records.list(
            search="kettle, 100 %",
            search_by="name",
            favorite=False,
            sort_by="name",
            sort="asc",
            per_page=10,
            **narrow[at.resource],
        )
    )


def all_records(at):
    return seen(at.records.all())


def all_after_another_list(at):
    at.records.list(per_page=10)
    at.records.all()
    at.service.requests.clear()
    return seen(at.records.all())


def all_of_several(at):
    several = {
        "images": {"style": ["anime", "Pop art"], "medium": ["ink"]},
        "documents": {"template": ["Slogan", 2]},
    }
    return seen(at.records.all(**several[at.resource]))


def all_sorted_to_a_limit(at):
    return [
        seen(at.records.all(favorite=True, sort_by="name", sort="asc", limit=7)),
        seen(at.records.all(limit=3)),
    ]


def all_with_details(at):
    return seen(at.records.all(details=True))


def pages(at):
    return [seen(frame) for frame in at.records.pages()]


def get(at):
    return seen(at.records.get(at.id(7)))


def create(at):
    return [seen(at.records.create(**at.given)), at.client.created]


def update(at):
    text = {"result": "Line one\nand ünïcode & more"} if at.resource == "documents" else {}
    record = at.records.update(at.id(7), name="New = name", favorite=True, **text)
    return [seen(record), seen(at.records.update(record, favorite=False))]


def delete(at):
    at.records.delete(at.id(7))
    at.records.delete(at.records.get(at.id(8)))
    return sorted(at.held)[:8]


def delete_many(at):
    del at.held[8]
    return seen(at.records.delete_many([at.id(number) for number in (7, 8, 9)], confirm=3))


def ensure(at):
    names = ("name", "description", "resolution", "style", "medium", "filter", "prompt", "creativity")
    old = {name: at.held[6][name] for name in names if name in at.held[6]}
    records = [at.records.ensure(**fields) for fields in (old, at.given, at.given)]
    return [[record.id for record in records], at.service.generations]


def create_many(at):
    given = [
        at.given | {"name": "One", "note": "mine"},
        at.given | {"name": "Two"},
        at.given | {"name": "One"},
    ]
    rows = with_texts(pd.DataFrame(given, index=["a", "b", "c"]))
    at.service.plan(Faults(script={2: "too_large"}, where=lambda request: request.method == "POST"))
    first = at.records.create_many(rows, journal=at.folder / "journal.jsonl")
    return [
        seen(first),
        seen(at.records.create_many(rows, journal=at.folder / "journal.jsonl")),
        at.service.generations,
    ]


def edited(at):
    """Return an edited frame: record 4 was changed by others since the fetch, and record 5 was deleted."""
    frame = at.records.all(**({"template": 1} if at.resource == "documents" else {}))
    column = "result" if at.resource == "documents" else "name"
    frame.loc[at.id(3), [column, "favorite"]] = ["edited", True]
    frame.loc[[at.id(4), at.id(5)], "name"] = "mine"
    at.held[4]["name"] = "theirs"
    del at.held[5]
    at.service.requests.clear()
    return frame


def push_dry(at):
    return seen(at.records.push(edited(at), dry_run=True))


def push(at):
    frame = edited(at)
    report = at.records.push(frame)
    return [
        seen(report),
        seen(at.records.push(frame, dry_run=True)),
        {name: at.held[3][name] for name in ("name", "favorite")},
    ]


def push_by_force(at):
    return [seen(at.records.push(edited(at), force=True)), at.held[4]["name"]]


def download(at):
    report = at.records.download([at.id(number) for number in (2, 3)], at.folder / "files")
    files = [Path(path) for path in report["path"]]
    report["path"] = pd.array([file.name for file in files], text_type())
    report["bytes"] = report["bytes"].notna()
    return [seen(report), {file.name: written(file) for file in files}]


#: Each operation with the number of records in its collection.
OPERATIONS = {
    list_page: RECORDS,
    list_second_page: RECORDS,
    list_filtered: RECORDS,
    all_records: RECORDS,
    all_after_another_list: RECORDS,
    all_of_several: RECORDS,
    all_sorted_to_a_limit: RECORDS,
    all_with_details: 6,
    pages: RECORDS,
    get: 12,
    create: 12,
    update: 12,
    delete: 12,
    delete_many: 12,
    ensure: 12,
    create_many: 12,
    push_dry: 40,
    push: 40,
    push_by_force: 40,
    download: 12,
}


def written(file):
    """Return the content of a file; of a picture the pixels, since compression depends on the machine."""
    settings = plain(ink.open_file(file))
    if file.suffix != ".png":
        return {"settings": settings, "text": file.read_text(encoding="utf-8").split("\n")}
    with PIL.Image.open(file) as picture:
        return {"settings": settings, "texts": picture.text, "pixels": digest(picture.tobytes())}


def seen(value):
    """Return a frame or a record as plain data, without random values and prose."""
    return seen_frame(value) if isinstance(value, pd.DataFrame) else plain(value)


def seen_frame(frame):
    names = [str(name) for name in frame.columns]
    rows = [
        [plain(id), *map(cell, names, row)]
        for id, row in zip(frame.index.tolist(), frame.itertuples(index=False, name=None), strict=True)
    ]
    few = rows if len(rows) <= 6 else [rows[0], rows[-1]]
    kept = frame.attrs.get("inkframe", {})
    assert kept.get("service", "https://service.test") == "https://service.test"
    said = ("collection", "query", "total", "completeness", "absent", "dry_run", "conflicts_checked")
    facts = {name: kept[name] for name in said if name in kept}
    if "reasons" in kept:
        facts["reasons"] = len(kept["reasons"])
    return {
        "columns": " ".join(map(typed, names, (type_name(frame[name].dtype) for name in frame.columns))),
        "index": [str(frame.index.name), type_name(frame.index.dtype), len(frame)],
        "rows": few,
        "digest of all rows": digest(json.dumps(rows).encode()),
        "attrs": facts,
    }


def typed(name, kind):
    """Return the name of a column; with its type if it is not the usual one of that column."""
    return name if kind == TYPES.get(name, "str") else f"{name}:{kind.replace(' ', '')}"


def cell(column, value):
    """Return a cell as plain data; of an error or a duration only whether there is one."""
    return bool(pd.notna(value)) if column in ("error", "seconds") else plain(value)


def plain(value):
    """Return a value as JSON data; a time of today becomes ``now``."""
    if is_dataclass(value):
        public = [each.name for each in fields(value) if not each.name.startswith("_")]
        return {name: plain(getattr(value, name)) for name in public}
    if isinstance(value, dict):
        return {str(name): plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if value is None or pd.isna(value):
        return None
    if isinstance(value, datetime):
        return "now" if value.timestamp() > BEGINNING + 10**7 else value.isoformat()
    return value.item() if hasattr(value, "item") else value


def digest(data):
    return hashlib.sha256(data).hexdigest()[:16]


def sent(request):
    """Return a request on one line: its method, its path with the query, and its form."""
    return f"{request.method} {request.target} {request.body.decode()}".rstrip()


def apart(found, first):
    """Return what of a result differs from that of the first format; one with other keys is whole, in a list."""
    if not (isinstance(found, dict) and isinstance(first, dict)):
        return found
    if found.keys() != first.keys():
        return [found]
    return {name: apart(item, first[name]) for name, item in found.items() if item != first[name]}


def recorded_of_first(name):
    """Return the recording of the first format."""
    path = HERE / "goldens" / f"{next(iter(FORMATS))}.json"
    return json.loads(path.read_text(encoding="utf-8"))[name]


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.__name__)
@pytest.mark.parametrize("resource", COLLECTIONS)
@pytest.mark.parametrize("dialect", FORMATS)
def test_calls_send_and_return_what_was_recorded(dialect, resource, operation, tmp_path):
    """A call sends the recorded requests in the recorded order and returns the recorded result."""
    format = {**DIALECTS, **ODDITIES}[dialect]
    if operation is all_with_details:
        format = replace(
            format, record=replace(format.record, list_omits=("prompt", "result", "description"))
        )
    with connected(format, resource, tmp_path, OPERATIONS[operation]) as at:
        result = operation(at)
        found = {"requests": [sent(request) for request in at.service.requests], "result": result}
    name = f"{resource} {operation.__name__}"
    if dialect != next(iter(FORMATS)):
        found = apart(json.loads(json.dumps(found)), recorded_of_first(name))
    compare(HERE / "goldens" / f"{dialect}.json", name, found)


def test_what_differs_is_told_from_what_is_missing():
    """A result that lost a key is not the same as one that differs in another."""
    first = {"a": 1, "b": {"c": 2, "d": [3]}}
    assert apart(first, first) == {}
    assert apart({"a": 1, "b": {"c": 4, "d": [3]}}, first) == {"b": {"c": 4}}
    assert apart({"a": 1, "b": {"c": 4}}, first) == {"b": [{"c": 4}]}
    assert apart({"a": None, "b": 5}, first) == {"a": None, "b": 5}


def test_there_are_no_unused_recordings():
    """Every recording belongs to an operation that is tested."""
    if RECORD:
        return
    expected = {f"{resource} {operation.__name__}" for resource in COLLECTIONS for operation in OPERATIONS}
    assert {path.stem for path in (HERE / "goldens").glob("*.json")} == {*FORMATS, "rendering"}
    for dialect in FORMATS:
        path = HERE / "goldens" / f"{dialect}.json"
        assert set(json.loads(path.read_text(encoding="utf-8"))) == expected, dialect


SHOWN = {
    "image": lambda client: client.images.get(1),
    "document": lambda client: client.documents.get(1),
    "gallery": lambda client: client.images.gallery(client.images.list()),
    "grouped_gallery": lambda client: client.images.gallery(client.images.all(), columns=2, group_by="style"),
    "reader": lambda client: client.documents.read(client.documents.all()),
    "comparison": lambda client: ink.compare([client.documents.get(id) for id in (1, 2)]),
    "table": lambda client: client.documents.all().ink.table(),
}


@pytest.mark.parametrize("name", SHOWN)
def test_records_render_as_recorded(name, tmp_path):
    """Records render to the recorded HTML and plain text, apart from style sheets and compressed pictures."""
    library = tmp_path / "library.db"
    library.write_bytes(gzip.decompress((HERE / "releases" / "0.1" / "library.db.gz").read_bytes()))
    with ink.connect(library=library) as client:
        bundle = SHOWN[name](client)._repr_mimebundle_()
    found = {
        "types": sorted(bundle),
        "text": bundle["text/plain"].split("\n"),
        "html": html_lines(bundle["text/html"]),
    }
    compare(HERE / "goldens" / "rendering.json", name, found)
