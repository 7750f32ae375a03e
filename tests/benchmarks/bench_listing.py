"""Compare reading a whole library into a DataFrame with lower bounds and peers: ratios and medians.

    .venv/bin/python -m tests.benchmarks.bench_listing [--records 100000] [--rounds 5] [--latency 0 20]

Each variant runs in a new process, in turn for each round, so that a busy machine slows all of them. Peak
memory is that above the memory after the imports. The peers ``requests`` and ``openai`` are omitted if not
installed. Of those that read one page after another only httpx is measured with latency, since all of them wait.
"""

import asyncio
import json
import multiprocessing
import resource
import socket
import statistics
import subprocess
import sys
import time
from urllib.parse import parse_qsl, urlsplit

from tests.benchmarks.measuring import document, options

PAGE = 100
TEMPLATES = 52
WORDS = [
    "harbor",
    "kettle",
    "morning",
    "light",
    "quiet",
    "steel",
    "paper",
    "window",
    "garden",
    "river",
    "stone",
    "letter",
    "winter",
    "road",
    "table",
]


def documents(count):
    """Return documents of about 1.2 kB."""
    for number in range(1, count + 1):
        text = " ".join(WORDS[(number * 7 + i * 3) % len(WORDS)] for i in range(190))
        yield document(number, 4, text)


def reply(body):
    body = json.dumps(body).encode()
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


def listing(records):
    """Return the pages of a list by id ascending, by number; page 0 is the newest, as for ``desc``."""
    last = max(-(-len(records) // PAGE), 1)
    pages = {}
    for page in range(last + 1):
        rows = records[(page - 1) * PAGE : page * PAGE] if page else records[: -PAGE - 1 : -1]
        meta = {"current_page": max(page, 1), "last_page": last, "per_page": PAGE, "total": len(records)}
        following = f"http://127.0.0.1/?page={max(page, 1) + 1}" if page < last else None
        pages[page] = reply({"data": rows, "links": {"next": following}, "meta": meta})
    return pages


def openai_listing(records):
    """Return the same in the format of openai-python."""
    pages = {}
    for page in range(-(-len(records) // PAGE)):
        rows = [
            {
                "object": "assistant",
                **record,
                "id": str(record["id"]),
                "created_at": 1,
                "model": "m",
                "tools": [],
            }
            for record in records[page * PAGE : (page + 1) * PAGE]
        ]
        more = (page + 1) * PAGE < len(records)
        pages[page] = reply({"object": "list", "data": rows, "has_more": more, "last_id": rows[-1]["id"]})
    return pages


def serve(port, count, latency):
    """Run a server that only waits and sends prepared pages.

    Below ``/spread`` the same documents are distributed over every template, and listed by template only.
    """
    records = list(documents(count))
    one, openai_pages, empty = listing(records), openai_listing(records), listing([])
    for record in records:
        record["template_id"] = record["id"] * 7 % TEMPLATES + 1
    spread = {t: listing([r for r in records if r["template_id"] == t]) for t in range(1, TEMPLATES + 1)}
    del records

    def answer(path, query):
        if "assistants" in path:
            return openai_pages[int(query.get("after", "0")) // PAGE]
        template = int(query.get("template_id", "0"))
        pages = spread[template or 1] if path.startswith("/spread") else one if template in {0, 4} else empty
        return pages.get(int(query.get("page", "0" if query.get("sort") == "desc" else "1")), empty[1])

    class Server(asyncio.Protocol):
        def connection_made(self, transport):
            transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.transport, self.buffer = transport, b""

        def data_received(self, data):
            self.buffer += data
            while b"\r\n\r\n" in self.buffer:
                head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
                url = urlsplit(head.split(b" ", 2)[1].decode())
                reply = answer(url.path, dict(parse_qsl(url.query)))
                if latency:
                    asyncio.get_running_loop().call_later(latency, self.transport.write, reply)
                else:
                    self.transport.write(reply)

    async def run():
        loop = asyncio.get_running_loop()
        server = await loop.create_server(Server, "127.0.0.1", port)
        print("ready", flush=True)
        await server.serve_forever()

    asyncio.run(run())


def raw_floor(port, count):
    """Read with a raw socket and Arrow's JSON reader."""
    import pyarrow as pa
    import pyarrow.json as reader

    bodies = b"\n".join(raw_pages(port, count))
    table = reader.read_json(pa.BufferReader(bodies), reader.ReadOptions(block_size=32 << 20))
    rows = pa.table(pa.Table.from_struct_array(table["data"].combine_chunks().flatten()))
    return rows.to_pandas()


def raw_pages(port, count):
    """Yield the body of each page, read with one raw connection."""
    connection = socket.create_connection(("127.0.0.1", port))
    for page in range(1, -(-count // PAGE) + 1):
        connection.sendall(b"GET /api/v1/documents?page=%d HTTP/1.1\r\nHost: x\r\n\r\n" % page)
        yield receive(connection)


def receive(connection):
    data = b""
    while b"\r\n\r\n" not in data:
        data += connection.recv(1 << 20)
    head, body = data.split(b"\r\n\r\n", 1)
    length = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
    whole, size = bytearray(length), len(body)
    whole[:size] = body
    while size < length:
        size += connection.recv_into(memoryview(whole)[size:])
    return whole


def raw_asyncio(port, count):
    """Read with sixteen raw connections in one event loop, and Arrow's reader."""
    import pyarrow as pa
    import pyarrow.json as reader

    async def fetch(jobs, bodies):
        incoming, outgoing = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
        while jobs:
            page = jobs.pop()
            outgoing.write(b"GET /api/v1/documents?page=%d HTTP/1.1\r\nHost: x\r\n\r\n" % page)
            head = await incoming.readuntil(b"\r\n\r\n")
            length = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
            bodies[page] = await incoming.readexactly(length)
        outgoing.close()

    async def run():
        jobs, bodies = list(range(-(-count // PAGE), 0, -1)), {}
        await asyncio.gather(*(fetch(jobs, bodies) for _ in range(16)))
        return bodies

    bodies = asyncio.run(run())
    joined = b"\n".join(bodies[page] for page in sorted(bodies))
    table = reader.read_json(pa.BufferReader(joined), reader.ReadOptions(block_size=32 << 20))
    rows = pa.Table.from_struct_array(table["data"].combine_chunks().flatten())
    return rows.to_pandas()


def raw_orjson(port, count):
    """Read with one raw connection and orjson, each page an Arrow batch at once, with times."""
    import orjson
    import pyarrow as pa

    text, moment = pa.large_string(), pa.timestamp("us", "UTC")
    schema = pa.schema(
        {
            "id": pa.int64(),
            "name": text,
            "template_id": pa.int64(),
            "prompt": text,
            "creativity": pa.float64(),
        }
        | {"result": text, "favorite": pa.bool_(), "created_at": text, "updated_at": text}
    )
    pages = raw_pages(port, count)
    batches = [pa.RecordBatch.from_pylist(orjson.loads(body)["data"], schema) for body in pages]
    table = pa.Table.from_batches(batches)
    for name in ("created_at", "updated_at"):
        table = table.set_column(table.column_names.index(name), name, table[name].cast(moment))
    return table.to_pandas()


def raw_columns(port, count):
    """Read with one raw connection and orjson: every record first, then the same frame as inkframe by hand."""
    import orjson
    from tests.benchmarks.bench_calls import frame_by_hand

    rows = [row for body in raw_pages(port, count) for row in orjson.loads(body)["data"]]
    rows.reverse()  # newest first
    return frame_by_hand(rows)


def requests_normalize(port, count):
    """Read as in a usual script: requests, one page after another, and json_normalize."""
    import pandas as pd
    import requests

    session, rows = requests.Session(), []
    for page in range(1, -(-count // PAGE) + 1):
        rows += session.get(f"http://127.0.0.1:{port}/api/v1/documents?page={page}", timeout=60).json()[
            "data"
        ]
    return pd.json_normalize(rows)


def openai_pager(port, count):
    """Read with the auto-pager of openai-python."""
    import openai
    import pandas as pd

    client = openai.OpenAI(api_key="k", base_url=f"http://127.0.0.1:{port}/v1")
    rows = [item.model_dump() for item in client.beta.assistants.list(limit=PAGE)]
    return pd.DataFrame(rows)


def httpx_sequential(port, count):
    """Read with httpx and orjson, one page after another, without a frame: the limit for concurrency."""
    import httpx
    import orjson
    import pandas as pd

    with httpx.Client(base_url=f"http://127.0.0.1:{port}") as client:
        frames = [
            pd.DataFrame(orjson.loads(client.get(f"/api/v1/documents?page={page}").content)["data"])
            for page in range(1, -(-count // PAGE) + 1)
        ]
    return pd.concat(frames)


def inkframe_all(port, count):
    """Read with client.documents.all(), for a library with one template."""
    import inkframe

    with inkframe.Client(f"http://127.0.0.1:{port}", "key") as client:
        return client.documents.all(template=4, progress=False)


def inkframe_spread(port, count):
    """Read with client.documents.all(), for a library of every template: one listing each, merged by id."""
    import inkframe

    with inkframe.Client(f"http://127.0.0.1:{port}/spread", "key") as client:
        return client.documents.all(progress=False)


def inkframe_pages(port, count):
    """Read with client.documents.pages(), discarding each frame."""
    import inkframe

    with inkframe.Client(f"http://127.0.0.1:{port}", "key") as client:
        return range(sum(len(frame) for frame in client.documents.pages(template=4)))


VARIANTS = (
    raw_floor,
    raw_orjson,
    raw_columns,
    raw_asyncio,
    requests_normalize,
    openai_pager,
    httpx_sequential,
    inkframe_all,
    inkframe_spread,
    inkframe_pages,
)
#: Variants that are measured without latency only.
WAITING = {"raw_floor", "raw_orjson", "raw_columns", "requests_normalize", "openai_pager"}


def check(port, count):
    """Check that the frame by hand equals that of inkframe, so that both do the same work."""
    import pandas as pd

    pd.testing.assert_frame_equal(inkframe_all(port, count), raw_columns(port, count))


def measure(name, port, count, pipe):
    """Run one variant in this new process."""
    import httpx  # noqa: F401
    import orjson  # noqa: F401
    import pandas as pd
    import pyarrow.json  # noqa: F401
    import tests.benchmarks.bench_calls  # noqa: F401  # imports are not measured

    import inkframe.client  # noqa: F401

    try:
        if name == "openai_pager":
            import openai  # noqa: F401
        if name == "requests_normalize":
            import requests  # noqa: F401
    except ImportError:
        pipe.send(None)
        return
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began, worked = time.perf_counter(), time.process_time()
    found = globals()[name](port, count)
    took, worked = time.perf_counter() - began, time.process_time() - worked
    peak = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024 / 1e6
    assert len(found) == count, (name, len(found))
    size = found.memory_usage(deep=True).sum() / 1e6 if isinstance(found, pd.DataFrame) else 0.0
    pipe.send((took, worked, peak, size))


def run(name, port, count):
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=measure, args=(name, port, count, theirs))
    process.start()
    theirs.close()
    try:
        return ours.recv()
    except EOFError:
        return None
    finally:
        process.join()


def main():
    names = [variant.__name__ for variant in VARIANTS]
    given = options(__doc__, records=100_000, rounds=5, latency=[0.0, 20.0], only=names, serve=[0.0])
    if any(given.serve):
        port, count, latency = given.serve
        serve(int(port), int(count), latency)
        return
    for latency in given.latency:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        command = [sys.executable, "-m", "tests.benchmarks.bench_listing", "--serve"]
        command += [str(port), str(given.records), str(latency / 1000)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            try:
                server.stdout.readline()
                if {"raw_columns", "inkframe_all"} <= {*given.only}:
                    # In its own process, since a new process begins with the peak of the one that starts it.
                    process = multiprocessing.get_context("spawn").Process(
                        target=check, args=(port, given.records)
                    )
                    process.start()
                    process.join()
                    assert not process.exitcode, "the comparison of the frames failed"
                results = {name: [] for name in given.only}
                for _ in range(given.rounds):
                    for name, found in results.items():
                        if name in WAITING and latency:
                            continue
                        if (result := run(name, port, given.records)) is not None:
                            found.append(result)
            finally:
                server.terminate()
        report(latency, given.records, results)


def report(latency, records, results):
    print(f"\n{records:,} documents, {latency:g} ms, median of {max(map(len, results.values()))} rounds")
    floors = results.get("raw_asyncio" if latency else "raw_floor") or [(float("nan"),)]
    floor = statistics.median(result[0] for result in floors)
    print(f"{'variant':22}{'s':>8}{'to floor':>10}{'CPU s':>8}{'peak MB':>9}{'frame MB':>10}")
    for name, found in results.items():
        if found:
            took, worked, peak, size = (statistics.median(r[i] for r in found) for i in range(4))
            print(f"{name:22}{took:8.3f}{took / floor:10.2f}{worked:8.2f}{peak:9.0f}{size:10.0f}")


if __name__ == "__main__":
    main()
