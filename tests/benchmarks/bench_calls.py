"""Compare single calls with the same httpx calls and orjson: the overhead of inkframe.

    .venv/bin/python -m tests.benchmarks.bench_calls [--calls 400] [--rounds 7]

Peer and inkframe alternate call by call, so that both run under the same load. A round's ratio is that of its
medians; the table shows the median of the rounds, and their range. The peer of ``list`` builds its columns
directly and has the same columns, types and missing values. Over loopback the server is a thread in another
process that sends prepared bytes; in process, a transport returns them without a socket.
"""

import json
import multiprocessing
import socket
import statistics
import threading

import httpx
import numpy as np
import orjson
import pandas as pd
import pyarrow as pa
from tests.benchmarks.measuring import document, in_turn, options

import inkframe
from inkframe.versions import text_type

KEY = "a-key-for-calls"
TEXT = pd.StringDtype("pyarrow", na_value=np.nan)
LABELS = [template.label for template in inkframe.Vocabulary().all_templates]
TEMPLATE = pd.CategoricalDtype(pd.Index(LABELS, dtype=text_type()))


def record(number):
    """Return a document of about 1.2 kB."""
    return document(number, 1, "morning light on a quiet kettle " * 36)


def bodies():
    """Return the bodies of the server: a record, a page of 10, a page of 100."""
    written = {"one": {"data": record(7)}}
    for size in (10, 100):
        meta = {"current_page": 1, "last_page": 40, "per_page": size, "total": 40 * size}
        rows = [record(number) for number in range(size, 0, -1)]
        written[str(size)] = {"data": rows, "links": {"next": "http://127.0.0.1/?page=2"}, "meta": meta}
    return {name: json.dumps(body).encode() for name, body in written.items()}


BODIES = bodies()


def body_of(target):
    """Return the body for a path and query."""
    if "documents/" in target:
        return BODIES["one"]
    return BODIES["100" if "per_page=100" in target else "10"]


def serve(pipe):
    """Serve every connection in its own thread."""
    listener = socket.create_server(("127.0.0.1", 0))
    pipe.send(listener.getsockname()[1])
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=converse, args=(connection,), daemon=True).start()


def converse(connection):
    """Serve requests until the caller disconnects."""
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n"
    buffer = b""
    while data := connection.recv(65536):
        buffer += data
        while b"\r\n\r\n" in buffer:
            request, _, buffer = buffer.partition(b"\r\n\r\n")
            body = body_of(request.split(b" ", 2)[1].decode())
            connection.sendall(head.format(len(body)).encode() + body)


class Canned(httpx.BaseTransport):
    """Returns the bytes of a reply in process."""

    def handle_request(self, request):
        """Return the reply to a request."""
        body = body_of(request.url.raw_path.decode())
        headers = {"content-type": "application/json", "content-length": str(len(body))}
        return httpx.Response(200, headers=headers, stream=httpx.ByteStream(body))


def frame_by_hand(records):
    """Build the same frame as inkframe, column by column, for this service only."""

    def text(name):
        array = pa.array([row.get(name) for row in records], pa.large_string())
        return pd.arrays.ArrowStringArray(array, dtype=TEXT)

    def moments(name):
        # The service writes UTC with a Z.
        written = [(row.get(name) or "NaT").removesuffix("Z") for row in records]
        return pd.DatetimeIndex(np.array(written, "M8[us]"), tz="UTC").array

    numbers = [row.get("template_id") for row in records]
    favorites = [row.get("favorite") for row in records]
    missing = np.array([number is None for number in numbers])
    codes = np.array([-1 if number is None else number - 1 for number in numbers], np.int8)
    columns = {
        "name": text("name"),
        "template": pd.Categorical.from_codes(codes, dtype=TEMPLATE, validate=False),
        "template_id": pd.arrays.IntegerArray(np.array([number or 0 for number in numbers]), missing),
        "prompt": text("prompt"),
        "creativity": np.array([row.get("creativity") for row in records], np.float64),
        "result": text("result"),
        "favorite": pd.arrays.BooleanArray(
            np.array([bool(value) for value in favorites]), np.array([value is None for value in favorites])
        ),
        "created_at": moments("created_at"),
        "updated_at": moments("updated_at"),
    }
    index = pd.Index(np.array([row["id"] for row in records], np.int64), name="id")
    return pd.DataFrame(columns, index=index, copy=False)


def pairs(base_url, transport):
    """Return each measured call with its peer, by name."""
    headers = {"Authorization": f"Bearer {KEY}", "Accept": "application/json"}
    peer = httpx.Client(base_url=base_url, headers=headers, transport=transport)
    client = inkframe.Client(base_url, KEY, transport=transport)

    def listed(size):
        reply = peer.get("/api/v1/documents", params={"template_id": 1, "per_page": size})
        return frame_by_hand(orjson.loads(reply.content)["data"])

    found = {
        "get(id)": (
            lambda: client.documents.get(7),
            lambda: orjson.loads(peer.get("/api/v1/documents/7").content),
        )
    }
    for size in (10, 100):
        ours = lambda size=size: client.documents.list(template=1, per_page=size)  # noqa: E731
        found[f"list(per_page={size})"] = (ours, lambda size=size: listed(size))
        pd.testing.assert_frame_equal(ours(), listed(size))
    return found


def main():
    given = options(__doc__, calls=400, rounds=7)
    ours, theirs = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(theirs,), daemon=True)
    server.start()
    places = {
        "loopback": (f"http://127.0.0.1:{ours.recv()}", None),
        "in process": ("http://calls.test", Canned()),
    }
    print(f"{'':12}{'':20}{'peer us':>10}{'inkframe us':>13}{'ratio':>8}{'from':>7}{'to':>6}")
    for place, (base_url, transport) in places.items():
        for name, (own, peer) in pairs(base_url, transport).items():
            peer_us, own_us, ratios = in_turn(own, peer, given.calls, given.rounds)
            middle = statistics.median(ratios)
            print(
                f"{place:12}{name:20}{peer_us:10.0f}{own_us:13.0f}{middle:8.2f}{min(ratios):7.2f}{max(ratios):6.2f}"
            )
    server.terminate()


if __name__ == "__main__":
    main()
