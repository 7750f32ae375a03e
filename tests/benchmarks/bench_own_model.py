"""Measure texts of a slow model at once, and what Ctrl-C and Cancel leave of them.

    .venv/bin/python -m tests.benchmarks.bench_own_model [--texts 20] [--stops 20]

An endpoint on this machine takes 0.5 s for a text, and answers several at once. The same texts are created one by one
and four at once. Then jobs are cancelled at random moments of an endpoint of 0.03 s: what their frames say is compared
with what is stored, and the same rows create the rest. Ctrl-C comes while texts of 30 s are under way.
"""

import json
import os
import random
import signal
import tempfile
import threading
import time
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.benchmarks.measuring import options

import inkframe


class Endpoint(BaseHTTPRequestHandler):
    """Writes a text of its seed after a while, and forgets a client that has left."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self):
        """Write a text."""
        seed = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["seed"]
        self.server.stopped.wait(self.server.seconds)
        data = json.dumps({"choices": [{"message": {"content": f"Text {seed}"}}]}).encode()
        with suppress(ConnectionError):
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    def log_message(self, *_):
        """Log nothing."""


@contextmanager
def connected(seconds, at_once=4):
    """Open a client of a model that takes some seconds for a text."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)
    server.daemon_threads, server.seconds, server.stopped = True, seconds, threading.Event()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    os.environ["INKFRAME_OPENAI_BASE_URL"] = f"http://127.0.0.1:{server.server_address[1]}"
    os.environ["INKFRAME_OPENAI_AT_ONCE"] = str(at_once)
    with tempfile.TemporaryDirectory() as folder:
        library = f"{folder}/library.db"
        with inkframe.connect(engine="openai", model="slow", library=library) as client:
            yield client
    server.stopped.set()
    server.shutdown()


def rows(count, run=0):
    """Return rows to create."""
    return [{"name": f"Text {run} {number}", "prompt": f"about {run} {number}"} for number in range(count)]


def timed(count, at_once):
    """Return the seconds for some texts."""
    with connected(0.5, at_once) as client:
        began = time.monotonic()
        assert (client.documents.create_many(rows(count))["status"] == "created").all()
        return time.monotonic() - began


def cancelled(stops):
    """Return how many cancelled jobs did not say what is stored, or left something that was not created later."""
    chance, wrong = random.Random(0), 0
    with connected(0.03) as client:
        for run in range(stops):
            before = len(client.documents.all())
            job = client.documents.submit_many(rows(24, run))
            time.sleep(chance.uniform(0, 0.25))
            job.cancel()
            with suppress(inkframe.BatchCancelled):
                job.result()
            said, stored = job.frame["id"].notna().sum(), len(client.documents.all()) - before
            all_there = client.documents.create_many(rows(24, run))["id"].nunique() == 24
            wrong += said != stored or not all_there or len(client.documents.all()) != before + 24
    return wrong


def interrupted():
    """Return the seconds from Ctrl-C until it has ended a run, and how many texts were stored."""
    with connected(30) as client:
        pressed = []
        threading.Timer(
            2, lambda: (pressed.append(time.monotonic()), signal.raise_signal(signal.SIGINT))
        ).start()
        with suppress(inkframe.BatchInterrupted):
            client.documents.create_many(rows(20))
        return time.monotonic() - pressed[0], len(client.documents.all())


def main():
    """Print the figures."""
    given = options(__doc__, texts=20, stops=20)
    os.environ["INKFRAME_PROGRESS"] = "0"
    with tempfile.TemporaryDirectory() as home:
        os.environ["INKFRAME_HOME"] = home
        one, four = timed(given.texts, 1), timed(given.texts, 4)
        print(
            f"{given.texts} texts of 0.5 s: one by one {one:.2f} s, four at once {four:.2f} s, share {four / one:.3f}"
        )
        print(
            f"cancelled jobs that say something else than what is stored: {cancelled(given.stops)} of {given.stops}"
        )
        seconds, stored = interrupted()
        print(f"Ctrl-C ended a run after {seconds:.2f} s; stored: {stored}")


if __name__ == "__main__":
    main()
