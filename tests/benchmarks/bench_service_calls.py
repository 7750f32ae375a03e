"""Compare single calls to the service with their lower bounds in the same run.

    .venv/bin/python -m tests.benchmarks.bench_service_calls [--calls 400] [--rounds 7]

- The application, called by WSGI, and SQLite and orjson alone: the same rows, the same bytes.
- ``client.documents.get``, and ``httpx.Client`` and orjson over the WSGI transport to the same application.
- A list of ten from ``inkframe serve``, and a minimal waitress application with as many threads, over an open
connection and a plain socket, so that the client takes no time.

Both sides alternate call by call. A ratio is that of the medians of a round; the table has the median of the
rounds, and their range. Over HTTP the ratio is of requests per second.
"""

import io
import os
import socket
import statistics
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import orjson
from tests.benchmarks.measuring import in_turn, options

from inkframe import Client
from inkframe.service import Service
from inkframe.service.store.pool import connect

KEY = "the-key-of-this-benchmark"
COLUMNS = (
    "id", "name", "template_id", "prompt", "creativity", "result", "favorite", "created_at", "updated_at",
)  # fmt: skip
SHOWN = ", ".join(COLUMNS)
HELLO = """
from waitress import create_server
def hello(env, start):
    start("200 OK", [("Content-Type", "text/plain"), ("Content-Length", "5")])
    return [b"hello"]
server = create_server(hello, host="127.0.0.1", port=0, threads=8, ident=None)
print(f"http://127.0.0.1:{server.effective_port}", flush=True)
server.run()
"""


def environment(path, query=""):
    """Return the WSGI environment of a GET."""
    return {
        "REQUEST_METHOD": "GET", "SCRIPT_NAME": "", "PATH_INFO": path, "QUERY_STRING": query,
        "SERVER_NAME": "local", "SERVER_PORT": "80", "SERVER_PROTOCOL": "HTTP/1.1", "HTTP_HOST": "local",
        "HTTP_ACCEPT": "application/json", "HTTP_AUTHORIZATION": f"Bearer {KEY}",
        "wsgi.version": (1, 0), "wsgi.url_scheme": "http", "wsgi.input": io.BytesIO(),
        "wsgi.errors": sys.stderr, "wsgi.multithread": True, "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }  # fmt: skip


def calling(app, path, query=""):
    """Return a function that calls an application and returns the body."""
    wanted = environment(path, query)

    def call():
        return b"".join(app(dict(wanted), lambda *_: None))

    return call


def floors(library):
    """Return functions for a record, and for a page with its total, with SQLite and orjson alone."""
    connection = connect(str(library))

    def records(rows):
        found = [dict(zip(COLUMNS, row, strict=False)) for row in rows]
        for each in found:
            each["favorite"] = each["favorite"] == 1
        return found

    def get():
        rows = connection.execute(f"SELECT {SHOWN} FROM documents WHERE id = ?", (500,)).fetchall()  # noqa: S608
        return orjson.dumps({"data": records(rows)[0]})

    def page():
        sql = f"SELECT {SHOWN} FROM documents WHERE template_id = 1 ORDER BY id DESC LIMIT 10"  # noqa: S608
        rows = connection.execute(sql).fetchall()
        counted = "SELECT count(*) FROM documents WHERE template_id = 1"
        (total,) = connection.execute(counted).fetchone()
        return orjson.dumps({"data": records(rows), "meta": {"total": total}})

    return get, page


@contextmanager
def process(command, **variables):
    """Run a server until the end of the block; yield its address, the last word of its first line."""
    with subprocess.Popen(command, env=os.environ | variables, stdout=subprocess.PIPE, text=True) as running:
        try:
            yield running.stdout.readline().split()[-1]
        finally:
            running.terminate()


def asking(address, path):
    """Yield a function that sends a request over one open connection, and reads the whole reply."""
    place = urlsplit(address)
    connection = socket.create_connection((place.hostname, place.port))
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    request = (
        f"GET {path} HTTP/1.1\r\nHost: {place.netloc}\r\nAuthorization: Bearer {KEY}\r\n"
        "Accept: application/json\r\n\r\n"
    ).encode()

    def call():
        connection.sendall(request)
        reply = connection.recv(262144)
        head = reply.partition(b"\r\n\r\n")[0]
        assert head.startswith(b"HTTP/1.1 200"), head
        length = int(head.lower().partition(b"content-length:")[2].split()[0])
        left = len(head) + 4 + length - len(reply)
        while left:
            left -= len(connection.recv(262144))

    return call


def measure(label, ours, theirs, given, *, inverse=False):
    """Print the medians of both in microseconds, and the ratio of each round."""
    floor, mine, ratios = in_turn(ours, theirs, given.calls, given.rounds)
    ratios = [1 / ratio if inverse else ratio for ratio in ratios]
    print(
        f"{label:44}{floor:9.0f}{mine:9.0f}{statistics.median(ratios):8.2f}{min(ratios):7.2f}{max(ratios):6.2f}"
    )


def main():
    """Measure in process and over HTTP."""
    given = options(__doc__, calls=400, rounds=7)
    print(f"{'':44}{'floor us':>9}{'here us':>9}{'ratio':>8}{'from':>7}{'to':>6}")
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "library"
        with Service(library, engine="offline", key=KEY) as service:
            service.sample(images=0, documents=1000)
            get, page = floors(library)
            shown = calling(service.app, "/api/v1/documents/500")
            assert shown() == get()
            measure("application, get / SQLite + orjson", shown, get, given)
            listed = calling(service.app, "/api/v1/documents")
            assert orjson.loads(listed())["data"] == orjson.loads(page())["data"]
            measure("application, list of 10 / SQLite + orjson", listed, page, given)
            transport = httpx.WSGITransport(app=service.app)
            headers = {"Authorization": f"Bearer {KEY}", "Accept": "application/json"}
            with (
                httpx.Client(transport=transport, base_url="http://local", headers=headers) as peer,
                Client("http://local", KEY, transport=transport) as client,
            ):
                measure(
                    "client.documents.get / httpx over WSGI",
                    lambda: client.documents.get(500),
                    lambda: orjson.loads(peer.get("/api/v1/documents/500").content),
                    given,
                )
        serving = [sys.executable, "-m", "inkframe", "serve", "--port", "0", "--library", str(library)]
        with (
            process(serving, INKFRAME_SERVE_KEY=KEY) as address,
            process([sys.executable, "-c", HELLO]) as hello,
        ):
            ours, theirs = asking(address, "/api/v1/documents"), asking(hello, "/")
            measure("list of 10 over HTTP / bare hello, requests", ours, theirs, given, inverse=True)


if __name__ == "__main__":
    main()
