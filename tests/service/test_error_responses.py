"""Error responses."""

import sqlite3

import pytest
from tests.cases import cases

from inkframe.errors import ConfigurationError, RateLimited, ServerError, ValidationFailed
from inkframe.service import Service
from inkframe.service.engines import Refused
from inkframe.service.form_rules import STORAGE_FAILURES, EngineFailed, as_service_errors, failure
from inkframe.service.store import LOCKED, Closed

IMAGES = "/api/v1/images"
DOCUMENTS = "/api/v1/documents"
IMAGE = {"name": "Harbor", "description": "a harbor", "resolution": "256x256"}
DOCUMENT = {"name": "Kettle", "prompt": "about a kettle"}


def refused(reply, status, **fields):
    """Check the shape of all errors, and the words in each field's message."""
    body = reply.json()
    assert reply.status_code == status, reply.text
    assert reply.headers["Content-Type"] == "application/json"
    assert set(body) == {"message", "errors"}
    assert body["message"]
    assert set(body["errors"]) == set(fields)
    for field, words in fields.items():
        (message,) = body["errors"][field]
        assert words in message
    return body["message"]


@cases(
    "headers",
    [
        {"Authorization": ""},
        {"Authorization": "Bearer"},
        {"Authorization": "Bearer the-keys"},
        {"Authorization": "Bearer THE-KEY"},
        {"Authorization": "Basic the-key"},
        {"Authorization": "the-key"},
    ],
)
@cases("path", [IMAGES, f"{IMAGES}/1/picture", "/nowhere"])
def test_401_without_the_right_key(service, connect, headers, path):
    """Any request without the key is rejected before routing."""
    reply = connect(service, **headers).get(path)
    refused(reply, 401)
    assert reply.headers["WWW-Authenticate"] == "Bearer"
    assert "the-key" not in reply.text


def test_the_bearer_scheme_may_be_in_lower_case(service, connect):
    """The scheme's case does not matter, nor do spaces."""
    assert connect(service, Authorization="bearer   the-key").get(IMAGES).status_code == 200


@pytest.mark.parametrize("id", ["7", "0", "-1", "007", "1e3", "x", "\u0661", "9" * 19, "01", "日本"])
@pytest.mark.parametrize("path", [IMAGES, DOCUMENTS])
def test_404_for_a_record_that_does_not_exist(client, new_image, new_document, path, id):
    """An id without a record is not found, whatever its form."""
    new_image()
    new_document()
    for method in ("GET", "DELETE"):
        refused(client.request(method, f"{path}/{id}"), 404)
    for method in ("PUT", "PATCH"):
        refused(client.request(method, f"{path}/{id}", data={"name": "x"}), 404)
        refused(client.request(method, f"{path}/{id}", data={"unknown": "x"}), 404)


def test_the_id_of_any_script_is_named(client):
    """The error names the id as it was sent."""
    found = [client.get(f"{IMAGES}/{id}").json()["message"] for id in ("日本", "é", "a b")]
    assert found == ["There is no image 日本.", "There is no image é.", "There is no image a b."]


@cases("path", ["/", "/api/v1", "/api/v2/images", "/images", f"{DOCUMENTS}/1/picture"])
def test_404_for_a_path_that_does_not_exist(client, path):
    """Other paths are not found."""
    refused(client.get(path), 404)


@cases(
    ("method", "path", "allowed"),
    [
        ("PUT", IMAGES, {"GET", "POST"}),
        ("DELETE", DOCUMENTS, {"GET", "POST"}),
        ("POST", f"{IMAGES}/1", {"GET", "PUT", "PATCH", "DELETE"}),
        ("POST", f"{IMAGES}/1/picture", {"GET"}),
    ],
)
def test_405_names_the_allowed_methods(client, method, path, allowed):
    """A method that a path does not accept is rejected with the allowed methods."""
    reply = client.request(method, path)
    refused(reply, 405)
    assert set(reply.headers["Allow"].split(", ")) - {"OPTIONS"} == allowed


@cases("kind", [None, "application/json", "multipart/form-data; boundary=x", "text/plain"])
def test_415_for_a_body_that_is_not_a_form(client, new_image, kind):
    """Store and Update accept forms only."""
    headers = {"Content-Type": kind} if kind else {}
    number = new_image()["id"]
    for method, path in (("POST", IMAGES), ("POST", DOCUMENTS), ("PUT", f"{IMAGES}/{number}")):
        request = client.build_request(method, path, content=b"name=x", headers=headers)
        refused(client.send(request), 415)


def test_a_form_may_name_its_charset(client):
    """Parameters of the content type are ignored."""
    headers = {"Content-Type": "Application/X-WWW-Form-Urlencoded ; charset=UTF-8"}
    assert client.post(DOCUMENTS, content=b"name=a&prompt=b", headers=headers).status_code == 201


@cases(
    ("path", "form", "field"),
    [(IMAGES, IMAGE, each) for each in IMAGE] + [(DOCUMENTS, DOCUMENT, each) for each in DOCUMENT],
)
def test_422_for_a_form_that_lacks_a_field(client, path, form, field):
    """Each required field is reported if it is missing or empty."""
    left = {name: value for name, value in form.items() if name != field}
    refused(client.post(path, data=left), 422, **{field: "required"})
    for empty in ("", "  ") if field != "resolution" else ("",):
        words = "empty" if field != "resolution" else "256x256"
        refused(client.post(path, data=form | {field: empty}), 422, **{field: words})


@cases("creativity", ["0.6", "2", "-1", "nan", "inf", "", "Original", "0,5", "1_0"])
def test_422_for_creativity_off_the_scale(client, engine, creativity):
    """Creativity is one of five steps; nothing is written for an invalid request."""
    reply = client.post(DOCUMENTS, data=DOCUMENT | {"creativity": creativity})
    refused(reply, 422, creativity="0, 0.25, 0.5, 0.75, 1")
    assert engine.requests == []


@cases(("field", "value"), [("name", ""), ("name", " "), ("favorite", "yes"), ("favorite", "")])
@cases("method", ["PUT", "PATCH"])
def test_422_for_an_update_changes_nothing(client, new_document, method, field, value):
    """An invalid Update is rejected as a whole."""
    record = new_document()
    form = {"result": "new", field: value}
    refused(client.request(method, f"{DOCUMENTS}/{record['id']}", data=form), 422, **{field: field})
    assert client.get(f"{DOCUMENTS}/{record['id']}").json()["data"] == record


LISTS = [
    (path, field, value)
    for path in (IMAGES, DOCUMENTS)
    for field, values in {
        "per_page": ("11", "0", "-10", "ten", "", "1000"),
        "page": ("0", "-1", "x", "1.0", "", "²", str(2**53), "9" * 5000),
        "sort": ("up", "", "DESC"),
        "sort_by": ("created_at", ""),
        "search_by": ("prompt", ""),
        "favorite": ("yes", "2", "", "TRUE"),
    }.items()
    for value in values
] + [
    (IMAGES, "resolution", "1x1"),
    (IMAGES, "style", ""),
    (IMAGES, "medium", "oil"),
    (IMAGES, "filter", "blur"),
    (IMAGES, "search_by", "result"),
    (DOCUMENTS, "template_id", "53"),
    (DOCUMENTS, "template_id", "0"),
    (DOCUMENTS, "template_id", "FAQ"),
]


def test_a_repeated_field_counts_with_its_last_value(client):
    """The last value counts, in queries and in forms."""
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    body = b"name=first&prompt=x&name=last"
    record = client.post(DOCUMENTS, content=body, headers=headers).json()["data"]
    assert record["name"] == "last"
    assert client.get(f"{DOCUMENTS}?per_page=7&per_page=25").json()["meta"]["per_page"] == 25
    refused(client.get(f"{DOCUMENTS}?per_page=25&per_page=7"), 422, per_page="per_page")


def test_unknown_fields_are_ignored(client, new_image):
    """A field that the interface does not have changes nothing."""
    record = new_image(owner="me", favorite="1")
    assert record["favorite"] is False
    assert client.get(IMAGES, params={"hue": "red", "template_id": "99"}).json()["meta"]["total"] == 1


def test_an_update_without_fields_changes_nothing(client, new_image):
    """An empty form is a valid Update."""
    record = new_image()
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    reply = client.patch(f"{IMAGES}/{record['id']}", content=b"", headers=headers)
    assert (reply.status_code, reply.json()["data"]) == (200, record)


@pytest.mark.parametrize(("path", "form"), [(IMAGES, IMAGE), (DOCUMENTS, DOCUMENT)])
def test_500_for_an_engine_that_crashes_stores_nothing(client, engine, capfd, path, form):
    """A crash in the engine returns 500, and nothing is stored or printed."""
    engine.failure = RuntimeError("out of ink, the-key")
    message = refused(client.post(path, data=form), 500)
    assert "tiny" in message
    assert "RuntimeError" in message
    assert "the-key" not in message
    assert client.get(path).json()["meta"]["total"] == 0
    assert capfd.readouterr() == ("", "")


def test_507_for_a_full_disk_stores_nothing(tmp_path, engine, connect):
    """A text that does not fit on the disk changes no record, and the service continues."""
    with Service(tmp_path / "full.inkframe", engine=engine) as service, connect(service) as client:
        number = client.post(DOCUMENTS, data=DOCUMENT).json()["data"]["id"]
        with service.pool.connection() as connection:
            (pages,) = connection.execute("PRAGMA page_count").fetchone()
            connection.execute(f"PRAGMA max_page_count = {pages + 20}")
        long = {"result": "x" * 400_000}
        assert "disk is full" in refused(client.patch(f"{DOCUMENTS}/{number}", data=long), 507)
        assert client.get(f"{DOCUMENTS}/{number}").json()["data"]["result"] != long["result"]
        assert client.post(DOCUMENTS, data=DOCUMENT).status_code == 201


def test_503_for_a_library_that_another_program_has_locked(tmp_path, engine, connect):
    """A locked file returns 503 with the reason and Retry-After; reads still succeed."""
    path = tmp_path / "held.inkframe"
    with Service(path, engine=engine) as service, connect(service) as client:
        number = client.post(IMAGES, data=IMAGE).json()["data"]["id"]
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with service.pool.connection() as connection:
            connection.execute("PRAGMA busy_timeout = 1")
        reply = client.patch(f"{IMAGES}/{number}", data={"name": "New"})
        assert "Another program" in refused(reply, 503)
        assert reply.headers["Retry-After"] == "1"
        assert client.get(f"{IMAGES}/{number}").json()["data"]["name"] == "Harbor"
        other.close()
        assert client.patch(f"{IMAGES}/{number}", data={"name": "New"}).status_code == 200


@cases("path", ["/%FF", f"{IMAGES}/%00", f"{IMAGES}/%E2%82", "/é", "/港", "/?a=%FF&&=&;", "//"])
def test_no_path_makes_the_application_raise(client, path):
    """Every path gets a response."""
    assert client.get(path).status_code == 404


def test_a_key_of_any_bytes_is_rejected(service):
    """Servers pass headers as Latin-1; such a key is compared and rejected."""
    statuses = []
    environ = {
        "REQUEST_METHOD": "GET",
        "PATH_INFO": IMAGES,
        "HTTP_AUTHORIZATION": "Bearer cl\u00e9\udcff",
        "wsgi.input": None,
        "wsgi.errors": None,
    }
    service.app(environ, lambda status, _headers: statuses.append(status))
    assert statuses == ["401 Unauthorized"]


def test_422_for_a_form_with_too_many_fields(client):
    """A form may have 64 fields, and not more."""
    filler = {f"f{number}": "x" for number in range(62)}
    assert client.post(DOCUMENTS, data={"name": "a", "prompt": "p", **filler}).status_code == 201
    refused(client.post(DOCUMENTS, data={"name": "a", "prompt": "p", "more": "", **filler}), 422)


def test_whole_replies(client, new_image, new_document, recorded):
    """The status, the body and the headers of every kind of refused request."""
    number, other = new_image()["id"], new_document()["id"]
    long = "x" * 256
    requests = {
        "empty image": ("POST", IMAGES, {"data": {"style": "animee"}}),
        "wrong image": ("POST", IMAGES, {"data": IMAGE | {"resolution": "", "filter": "blur", "name": " "}}),
        "wrong document": ("POST", DOCUMENTS, {"data": {"name": long, "prompt": "", "creativity": "0.6"}}),
        "wrong update": ("PATCH", f"{DOCUMENTS}/{other}", {"data": {"name": "", "favorite": "yess"}}),
        "long value": ("PUT", f"{IMAGES}/{number}", {"data": {"favorite": long}}),
        "no record": ("GET", f"{IMAGES}/999", {}),
        "no document": ("DELETE", f"{DOCUMENTS}/x", {}),
        "no picture": ("GET", f"{IMAGES}/999/picture", {}),
        "no route": ("GET", "/" + "y" * 300, {}),
        "no method": ("DELETE", IMAGES, {}),
        "no form": ("POST", IMAGES, {"content": b"{}", "headers": {"Content-Type": "application/json"}}),
        "large": ("POST", DOCUMENTS, {"data": {"prompt": "x" * (8 * 1024 * 1024)}}),
        "no text": (
            "POST",
            DOCUMENTS,
            {"content": b"name=\xff", "headers": {"Content-Type": "application/x-www-form-urlencoded"}},
        ),
        "long key": ("POST", DOCUMENTS, {"data": DOCUMENT, "headers": {"Idempotency-Key": long}}),
        "no key": ("GET", IMAGES, {"headers": {"Authorization": "Bearer x"}}),
        "empty key": ("GET", IMAGES, {"headers": {"Authorization": "Bearer "}}),
        "long id": ("GET", f"{IMAGES}/{'7' * 60}", {}),
        "unknown method": ("BREW", IMAGES, {}),
        "no type": ("POST", IMAGES, {"content": b"{}"}),
        "no length": (
            "POST",
            DOCUMENTS,
            {"content": iter([b"name=a"]), "headers": {"Content-Type": "application/x-www-form-urlencoded"}},
        ),
        "many fields": ("POST", DOCUMENTS, {"data": {f"f{at}": "x" for at in range(65)}}),
    }
    requests |= {
        f"{path} {field}={value[:20]}": ("GET", path, {"params": {field: value}})
        for path, field, value in LISTS
    }
    found = {}
    for name, (method, path, options) in requests.items():
        reply = client.request(method, path, **options)
        kept = {"allow", "content-type", "retry-after", "www-authenticate", "location", "cache-control"}
        headers = {field: value for field, value in reply.headers.items() if field in kept}
        found[name] = [reply.status_code, reply.json(), headers]
    recorded("replies", found)


def test_whole_failures(recorded):
    """The status and the message of each failure of an engine or of the library."""
    failures = {
        "crash": RuntimeError("out of ink"),
        "setup": ConfigurationError("No model.\nSet one."),
        "declined": EngineFailed("No such words.", 422, field="prompt"),
        "closed": Closed("The library was closed."),
        "locked": sqlite3.OperationalError(LOCKED),
        "unnamed": sqlite3.OperationalError("it failed"),
        "extended": failing("SQLITE_IOERR_READ"),
        "other": failing("SQLITE_ERROR"),
    }
    failures |= {name: failing(name) for name in STORAGE_FAILURES}
    recorded("failures", {name: failure(error) for name, error in failures.items()})


@pytest.mark.parametrize(
    ("error", "kind", "status", "fields"),
    [
        (EngineFailed("No.", 422, field="prompt"), ValidationFailed, 422, {"prompt": ["No."]}),
        (EngineFailed("Wait.", 429), RateLimited, 429, {}),
        (EngineFailed("Broken."), ServerError, 500, {}),
        (sqlite3.OperationalError("it failed"), ServerError, 500, {}),
    ],
)
def test_failures_of_direct_calls_are_errors_of_a_client(error, kind, status, fields):
    """A call that bypasses the application raises what a client would raise."""
    with pytest.raises(kind) as caught, as_service_errors():
        raise error
    assert type(caught.value) is kind
    assert (caught.value.status, caught.value.fields) == (status, fields)
    assert caught.value.__cause__ is error


def failing(name):
    """Return an error of SQLite with a name."""
    error = sqlite3.OperationalError("it failed")
    error.sqlite_errorname = name
    return error


def test_the_line_of_a_failure_in_the_log(client, engine, caplog):
    """A failure is one line with the method and the path, and no key; a request that is refused is none."""
    for engine.failure in (RuntimeError("out of ink"), Refused("These words are not written.")):
        client.post(f"{DOCUMENTS}?a=b", data=DOCUMENT)
    assert [record.getMessage() for record in caplog.records] == [f"POST {DOCUMENTS} failed"]
    assert "out of ink" in str(caplog.records[0].exc_info[1].__cause__)
    assert "the-key" not in caplog.text
    assert "Bearer" not in caplog.text


def test_the_longest_id_is_found(client, service):
    """An id of 18 digits is one of a record."""
    sql = "INSERT INTO documents SELECT 123456789012345678, 'n', 1, 'p', 0.5, 'r', 0, '', '', NULL, NULL"
    with service.pool.writing() as connection:
        connection.execute(sql)
    assert client.get(f"{DOCUMENTS}/123456789012345678").json()["data"]["name"] == "n"
