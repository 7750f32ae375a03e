"""Check ``inkframe serve`` against the interface with curl or httpie, row by row, with handwritten forms.

Run by hand: ``python -m tests.benchmarks.check_interface``, or with ``--tool http`` for httpie.
Each line is a row of the interface's tables; the last line has the number of rows that passed.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

from inkframe.vocabulary import Vocabulary

KEY = "the-key-of-this-check"
IMAGE = {"name": "Harbor & boats", "description": "a harbor, 100 % calm ☕", "resolution": "256x256"}
DOCUMENT = {"name": "Kettle + pot", "prompt": "Product text\nfor a kettle", "creativity": "0.5"}
FORM = "application/x-www-form-urlencoded"


class Tool:
    """A command that sends requests.

    Args:
        program: ``curl``, or httpie's ``http``.
        address: The address of the service.
    """

    def __init__(self, program, address):
        self._program = program
        self._is_curl = Path(program).name.startswith("curl")
        self._address = address

    def __call__(self, method, path, *, query=None, form=None, raw=None, headers=None):
        """Send a request and return the status and the body."""
        headers = {"Authorization": f"Bearer {KEY}", "Accept": "application/json"} | (headers or {})
        command = self._curl if self._is_curl else self._http
        words = command(method, self._address + path, query or {}, form, raw, headers)
        ran = subprocess.run([self._program, *words], capture_output=True, check=False)
        assert ran.returncode == 0, ran.stderr.decode()
        head, _, body = ran.stdout.partition(b"\r\n\r\n")
        if b"100 Continue" in head:
            head, _, body = body.partition(b"\r\n\r\n")
        return int(head.split()[1]), body.strip()

    def _curl(self, method, url, query, form, raw, headers):
        words = ["--silent", "--show-error", "--include", "--max-time", "60", "--request", method]
        for name, value in headers.items():
            words += ["--header", f"{name}: {value}" if value else f"{name}:"]
        if raw is not None:
            words += ["--data", raw]
        for name, value in (form or {}).items():
            words += ["--data-urlencode", f"{name}={value}"]
        return [*words, f"{url}?{urlencode(query)}" if query else url]

    def _http(self, method, url, query, form, raw, headers):
        words = ["--ignore-stdin", "--pretty=none", "--print=hb", "--timeout=60"]
        if raw is not None:
            words += [f"--raw={raw}"]
            headers = {"Content-Type": FORM} | headers
        elif form is not None:
            words.append("--form")
        sent = [f"{name}:{value}" for name, value in headers.items()]
        sent += [f"{name}=={value}" for name, value in query.items()]
        sent += [f"{name}={value}" for name, value in (form or {}).items()]
        return [*words, method, url, *sent]


class Check:
    """The checks of rows, with their counts.

    Args:
        send: A ``Tool``.
    """

    def __init__(self, send):
        self._send = send
        self.held, self.failed = 0, []

    def row(self, label, method, path, status=200, *, expect=None, **sent):
        """Send a request, compare status and data with the expected ones, and return the data."""
        got, body = self._send(method, path, **sent)
        try:
            answer = json.loads(body) if body else None
            data = answer.get("data", answer) if isinstance(answer, dict) else answer
        except ValueError:
            answer = data = body
        holds = got == status and (expect is None or bool(expect(answer)))
        print(f"{'ok' if holds else 'NO'}  {method:<6} {label}", flush=True)
        if holds:
            self.held += 1
        else:
            self.failed.append(f"{label}: {got} {body[:200]!r}")
        return data


def ids(answer):
    """Return the ids of a list."""
    return [record["id"] for record in answer["data"]]


def images(check, words):
    """Check sections 2.1 and 4.1."""
    made = {}
    for field in ("resolution", "style", "medium", "filter"):
        for code in words.codes(field):
            form = IMAGE | {field: code}
            made[field, code] = check.row(
                f"images: create {field} {code}",
                "POST",
                "/images",
                201,
                form=form,
                expect=lambda a, form=form: form.items() <= a["data"].items(),
            )["id"]
    for field in ("name", "description", "resolution"):
        form = {name: value for name, value in IMAGE.items() if name != field}
        check.row(
            f"images: create without {field}",
            "POST",
            "/images",
            422,
            form=form,
            expect=lambda a, field=field: list(a["errors"]) == [field],
        )
    for field in ("resolution", "style", "medium", "filter"):
        check.row(f"images: create with a wrong {field}", "POST", "/images", 422, form=IMAGE | {field: "x"})
        code = words.codes(field)[-1]
        check.row(
            f"images: list {field}",
            "GET",
            "/images",
            query={field: code, "per_page": 100},
            expect=lambda a, field=field, code=code: (
                made[field, code] in ids(a) and {record[field] for record in a["data"]} == {code}
            ),
        )
    shared(check, "images", made["style", "anime"])


def documents(check, words):
    """Check sections 2.2 and 4.2."""
    for code in words.codes("creativity"):
        last = check.row(
            f"documents: create creativity {code}",
            "POST",
            "/documents",
            201,
            form=DOCUMENT | {"creativity": code},
            expect=lambda a, code=code: a["data"]["creativity"] == float(code) and a["data"]["result"],
        )["id"]
    form = {"name": "n", "prompt": "p"}
    check.row(
        "documents: creativity is 0.5 by default",
        "POST",
        "/documents",
        201,
        form=form,
        expect=lambda a: a["data"]["creativity"] == 0.5,
    )
    for field in ("name", "prompt"):
        check.row(f"documents: create without {field}", "POST", "/documents", 422, form={field: "x"})
    check.row("documents: a wrong creativity", "POST", "/documents", 422, form=DOCUMENT | {"creativity": 0.6})
    templates(check, words)
    updated(check, last)
    shared(check, "documents", last)


def templates(check, words):
    """Check the templates of 2.2, each as the start of a prompt and as a filter of the list."""
    for template in words.all_templates:
        prompt = f"{template.opening or 'Write about'}\nTopic: tea"
        made = check.row(
            f"documents: a prompt of {template.label}",
            "POST",
            "/documents",
            201,
            form={"name": template.label, "prompt": prompt},
            expect=lambda a, template=template: a["data"]["template_id"] == template.id,
        )["id"]
        check.row(
            f"documents: list template_id {template.id}",
            "GET",
            "/documents",
            query={"template_id": template.id},
            expect=lambda a, made=made, template=template: (
                made in ids(a) and {record["template_id"] for record in a["data"]} == {template.id}
            ),
        )
    check.row(
        "documents: list is Freestyle by default",
        "GET",
        "/documents",
        query={"per_page": 100},
        expect=lambda a: {record["template_id"] for record in a["data"]} == {1},
    )
    check.row("documents: template_id 53", "GET", "/documents", 422, query={"template_id": 53})


def updated(check, last):
    """Check the text of documents: update and search."""
    check.row(
        "documents: update result",
        "PATCH",
        f"/documents/{last}",
        form={"result": "Zebra & QUILL + 1 = 2 %"},
        expect=lambda a: a["data"]["result"] == "Zebra & QUILL + 1 = 2 %",
    )
    check.row(
        "documents: search by result",
        "GET",
        "/documents",
        query={"search": "zebra & quill", "search_by": "result"},
        expect=lambda a: ids(a) == [last],
    )


def shared(check, name, number):
    """Check both collections: show, update, list parameters, delete, errors, authentication."""
    one = f"/{name}/{number}"
    check.row(f"{name}: show", "GET", one, expect=lambda a: a["data"]["id"] == number)
    for method in ("PUT", "PATCH"):
        form = {"name": f"Ünïque {method} ☕ {name}"}
        check.row(
            f"{name}: update name",
            method,
            one,
            form=form,
            expect=lambda a, form=form: a["data"]["name"] == form["name"],
        )
        for value, favorite in (("1", True), ("0", False), ("true", True)):
            check.row(
                f"{name}: update favorite={value}",
                method,
                one,
                form={"favorite": value},
                expect=lambda a, favorite=favorite: a["data"]["favorite"] is favorite,
            )
    check.row(f"{name}: a form by hand", "PATCH", one, raw="name=B%C3%A4y+%26+more&favorite=1",
              expect=lambda a: (a["data"]["name"], a["data"]["favorite"]) == ("Bäy & more", True))  # fmt: skip
    lists(check, name, number)
    check.row(f"{name}: delete", "DELETE", one, 204, headers={"Accept": ""}, expect=lambda a: a is None)
    for method in ("GET", "PATCH", "DELETE"):
        check.row(f"{name}: it is gone", method, one, 404, form={"name": "n"} if method == "PATCH" else None)
    check.row(f"{name}: without a key", "GET", f"/{name}", 401, headers={"Authorization": ""})
    check.row(f"{name}: with a wrong key", "GET", f"/{name}", 401, headers={"Authorization": "Bearer x"})
    json_body = {"raw": '{"name": "n"}', "headers": {"Content-Type": "application/json"}}
    check.row(f"{name}: a body that is no form", "POST", f"/{name}", 415, **json_body)
    check.row(f"{name}: a method that is not there", "POST", one, 405, form={"name": "n"})


def lists(check, name, number):
    """Check the parameters of List."""
    check.row(f"{name}: list", "GET", f"/{name}",
              expect=lambda a: len(a["data"]) <= 10 and ids(a) == sorted(ids(a), reverse=True))  # fmt: skip
    for size in (10, 25, 50, 100):
        check.row(f"{name}: per_page {size}", "GET", f"/{name}", query={"per_page": size},
                  expect=lambda a, size=size: a["meta"]["per_page"] == size)  # fmt: skip
    check.row(f"{name}: per_page 11", "GET", f"/{name}", 422, query={"per_page": 11})
    for sort in ("asc", "desc"):
        for by in ("id", "name"):
            check.row(
                f"{name}: sort_by {by}, {sort}",
                "GET",
                f"/{name}",
                query={"sort_by": by, "sort": sort, "per_page": 100},
                expect=lambda a, by=by, sort=sort: (
                    (keys := [r["id"] if by == "id" else (r["name"].lower(), r["id"]) for r in a["data"]])
                    == sorted(keys, reverse=sort == "desc")
                ),
            )
    check.row(f"{name}: sort_by created_at", "GET", f"/{name}", 422, query={"sort_by": "created_at"})
    check.row(f"{name}: search", "GET", f"/{name}", query={"search": "BÄY & M"},
              expect=lambda a: ids(a) == [number])  # fmt: skip
    check.row(f"{name}: search_by name", "GET", f"/{name}", query={"search": "bäy", "search_by": "name"},
              expect=lambda a: ids(a) == [number])  # fmt: skip
    check.row(
        f"{name}: search_by prompt", "GET", f"/{name}", 422, query={"search": "x", "search_by": "prompt"}
    )
    check.row(f"{name}: favorite=1", "GET", f"/{name}", query={"favorite": "1"},
              expect=lambda a: ids(a) == [number])  # fmt: skip
    check.row(f"{name}: favorite=0", "GET", f"/{name}", query={"favorite": "0", "per_page": 100},
              expect=lambda a: number not in ids(a) and a["data"])  # fmt: skip
    check.row(f"{name}: the second page", "GET", f"/{name}", query={"page": 2, "sort": "asc", "per_page": 10},
              expect=lambda a: a["meta"]["current_page"] == 2)  # fmt: skip


@contextmanager
def served(folder):
    """Serve a new library; yield the address."""
    command = [sys.executable, "-m", "inkframe", "serve", "--port", "0", "--library", f"{folder}/library"]
    environment = os.environ | {"INKFRAME_SERVE_KEY": KEY, "INKFRAME_ENGINE": "offline"}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield f"{process.stdout.readline().split()[-1]}/api/v1"
        finally:
            process.terminate()


def main():
    """Check every row; return 1 if one fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tool", default="curl", help="curl, or httpie's http")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, served(folder) as address:
        check = Check(Tool(options.tool, address))
        images(check, Vocabulary())
        documents(check, Vocabulary())
    print(f"{check.held} rows passed, {len(check.failed)} failed", *check.failed, sep="\n")
    return 1 if check.failed else 0


if __name__ == "__main__":
    sys.exit(main())
