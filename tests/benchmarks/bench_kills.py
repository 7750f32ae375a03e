"""Kill programs with ``kill -9`` on every platform, run them again, and count what was paid for.

    .venv/bin/python -m tests.benchmarks.bench_kills [--seeds 3] [--seed 0] [--platform NAME] [--way write]

A program creates rows with ``create_many``, ``ensure`` or ``write`` against a service on a socket. It is killed while its nth
request is answered, before the reply is sent, or a moment later, and so is the program that runs next; then it runs
until the end. Some services store other names than were sent, some have another clock, and the clock of the machine is
set back or ahead between the programs. Some lists lack what was made, always (templates outside of the list) or until
the last program (a replica that lags), and some replies are errors although the record was made. Some programs have other
keys: two of one account, in turn or from one program on, or two of two accounts, each with its own records and ids. It
fails if more was paid for a row than once in an account, if a row was given the record of another row or account, or if
a row of a service that keeps its fields and lists what it made has no record at the end, though it was made. It counts
the rows that were made before the last program and were found by it, those unknown at the end that were never made (open),
and those that another key may have sent (asked about).
"""

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

from tests.benchmarks.measuring import is_wrong, options
from tests.services import PLATFORMS, Accounts
from tests.services.hiding_service import ANSWERS, HidingService

import inkframe

#: The pins that a service needs.
PINS = {
    "wordpress": {"fields": {"name": "title.rendered"}},
    "loopback": {"page_parameter": "filter[skip]"},
}
TEMPLATES = {1: "Freestyle", 2: "Blog intro", 3: "FAQ"}
#: What services make of names.
NAMES = {
    "kept": lambda name, _: name,
    "cut off": lambda name, _: name[:7],
    "lower case": lambda name, _: name.lower(),
    "of its own": lambda _, number: f"Document {number}",
}
#: The keys of three programs, and whether they are of two accounts.
KEYS = {
    "one key": ("first", "first", "first"),
    "two keys": ("first", "second", "first"),
    "another key": ("first", "first", "second"),
    "two accounts": ("first", "second", "first"),
    "another account": ("first", "first", "second"),
}
#: A program that forks for each line of its input, so that the packages are imported once.
PROGRAM = """
import contextlib, io, json, os, sys, time, types
import inkframe, pandas
import inkframe.creating.create_many, inkframe.creating.journal
for line in sys.stdin:
    job = json.loads(line)
    child = os.fork()
    if child:
        print(child, flush=True)
        os.waitpid(child, 0)
        print("ended", flush=True)
        continue
    os.environ |= {"INKFRAME_HOME": job["home"], "INKFRAME_PROGRESS": "0"}
    wall, passed = job["clocks"]
    inkframe.creating.journal.time = types.SimpleNamespace(
        time=lambda: time.time() + wall + passed, monotonic=lambda: time.monotonic() + passed
    )
    templates = inkframe.Vocabulary(templates={int(n): name for n, name in job["templates"].items()})
    with contextlib.redirect_stdout(io.StringIO()):
        client = inkframe.Client(job["address"], job["key"], vocabulary=templates, max_retries=1)
        documents = client.documents
        if job["pins"]:
            documents.dialect = inkframe.Dialect(**job["pins"])
        if job["way"] in ("rows", "write"):
            if job["way"] == "rows":
                done = documents.create_many(job["rows"], progress=False)
            else:
                table = pandas.DataFrame(job["rows"])
                done = documents.write(table, "{prompt}", name="{name}", into="text", progress=False)
                done = done[["text_status", "text_id"]].set_axis(["status", "id"], axis=1)
            outcome = list(zip(done["status"], done["id"].astype(object).where(done["id"].notna(), None)))
        else:
            outcome = []
            for row in job["rows"]:
                try:
                    outcome.append(["created", documents.ensure(**row).id])
                except inkframe.InkframeError as error:
                    outcome.append([type(error).__name__, None])
    with open(job["result"] + ".new", "w") as file:
        json.dump(outcome, file, default=str)
    os.replace(job["result"] + ".new", job["result"])  # whole, or not at all
    os._exit(0)
"""


@contextlib.contextmanager
def programs():
    """Yield a process that starts programs."""
    command = [sys.executable, "-c", PROGRAM]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as starter:
        try:
            yield starter
        finally:
            starter.stdin.close()


class Trial:
    """Programs that create the same rows, one after another, and are killed.

    Args:
        platform: The response format.
        seed: The seed.
        way: How rows are created: ``rows``, ``ensure`` or ``write``; None for one of the first two.
    """

    def __init__(self, platform, seed, way=None):
        self.chance = chance = random.Random(f"{platform.name}/{seed}")
        drawn = chance.choice(["rows", "rows", "ensure"])
        self.way = way or drawn
        self.names = chance.choice(["kept", "kept", *NAMES])
        self.rows = [
            {"name": f"Kettle {n} {chance.choice(['draft', 'final'])}", "prompt": f"Text {n} about a kettle"}
            for n in range(chance.randint(3, 8))
        ]
        self.keys = chance.choice(["one key", *KEYS])
        self.offset = chance.choice([0, 0, -360, 360, -7200, 7200])
        documents = chance.choice([0, 5, 40])
        self.accounts = [
            Account(self, platform, documents, seed) for _ in range(2 if "account" in self.keys else 1)
        ]
        self.services = Accounts({"first": self.accounts[0].service, "second": self.accounts[-1].service})
        self.account = self.accounts[0]
        self.about = (
            f"{platform.name}, seed {seed}, {self.way}, names {self.names}, clock {self.offset}, {self.keys}"
        )
        self.hides = chance.choice([None, None, None, "always", "until the last program"])
        self.answers = chance.random() < 0.3
        self.about += f", lists lack {self.hides}, answers {self.answers}"
        self.child, self.moment, self.pause, self.is_last = None, None, 0.0, False
        self.kills = self.open = self.asked = self.before = self.found = 0

    def strike(self, service):
        """Kill the program after a number of requests, before the reply or a moment later."""
        if self.moment is None or len(service.requests) < self.moment:
            return
        self.moment = None
        if self.pause:
            threading.Timer(self.pause, self.kill, [self.child]).start()
        else:
            self.kill(self.child)

    def kill(self, child):
        """Kill a program."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
            self.kills += 1

    def run_program(self, starter, address, folder, key, moment):
        """Run the program and return the status and the id of each row; None if it was killed."""
        result = Path(folder) / "result.json"
        result.unlink(missing_ok=True)
        job = {
            "address": address,
            "key": key,
            "home": folder,
            "rows": self.rows,
            "way": self.way,
            "result": str(result),
            "pins": PINS.get(self.account.service.dialect.name),
            "templates": TEMPLATES,
            "clocks": [self.chance.choice([0, 0, -2, -7200, 3600]), 0 if moment else 400],
        }
        self.pause = self.chance.choice([0.0, 0.0, 0.001, 0.01])
        starter.stdin.write(json.dumps(job) + "\n")
        self.child = int(starter.stdout.readline())
        self.account = self.accounts[-1 if key == "second" else 0]
        self.moment = None if moment is None else len(self.account.service.requests) + moment
        starter.stdout.readline()
        self.moment = None
        return json.loads(result.read_text()) if result.exists() else None

    def run(self, starter):
        """Run all programs and return the problems."""
        *killed, last = KEYS[self.keys]
        with tempfile.TemporaryDirectory() as folder, self.services.serve() as address:
            for key in killed:
                self.run_program(starter, address, folder, key, self.chance.randint(1, 3 * len(self.rows)))
            self.is_last, before = True, set(self.accounts[-1 if last == "second" else 0].paid)
            outcome = self.run_program(starter, address, folder, last, None)
            if not self.hides and self.names == "kept" and self.keys == "one key":
                there = {"created", "existing", "pending"}
                ends = zip(outcome or [], self.rows, strict=False)
                self.before += len(before)
                self.found += sum(end[0] in there and row["prompt"] in before for end, row in ends)
        return self.problems(outcome)

    def problems(self, outcome):
        """Return what is wrong."""
        found = [
            f"paid {n} times: {prompt}"
            for account in self.accounts
            for prompt, n in Counter(account.paid).items()
            if n > 1
        ]
        if outcome is None:
            return [*found, "the last program did not end"]
        service, paid = self.account.service, self.account.paid
        made = {
            str(service.public_id(number)): prompt
            for (_, number), prompt in zip(service.created, paid, strict=True)
        }
        for (status, id), row in zip(outcome, self.rows, strict=True):
            if status in {"created", "existing", "pending"}:
                if made.get(str(id)) != row["prompt"]:
                    found.append(f"{row['name']} has the record of {made.get(str(id))}")
            elif status == "skipped":
                self.asked += 1
                if self.keys == "one key":
                    found.append(f"{row['name']} is skipped")
            elif self.names == "kept" and not self.offset and self.hides != "always":
                self.open += row["prompt"] not in paid
                if row["prompt"] in paid:
                    found.append(
                        f"{row['name']} is {status}, although it was created and its fields were kept"
                    )
        return found


class Account:
    """One account, with its own records and ids.

    Args:
        trial: The trial.
        platform: The response format.
        documents: The number of its documents.
        seed: The seed.

    Attributes:
        service: Its service.
        paid: The prompts that were paid for.
    """

    def __init__(self, trial, platform, documents, seed):
        self._trial = trial
        self.paid = []
        self.service = HidingService(
            platform,
            images=0,
            documents=documents,
            seed=seed,
            vocabulary=inkframe.Vocabulary(templates=TEMPLATES),
            stores=self.store,
        )
        self.service.hides = lambda _: bool(trial.hides) and not (trial.is_last and trial.hides != "always")
        self.service.answers = self.answer
        self.service.between_replies(trial.strike)

    def answer(self):
        """Return the reply to a create that happened, or None for the service's own."""
        trial = self._trial
        if trial.answers and not trial.is_last and trial.chance.random() < 0.3:
            return trial.chance.choice(ANSWERS)
        return None

    def store(self, fields):
        """Store the fields of a create, which is paid for."""
        if "prompt" not in fields:
            return fields
        self.paid.append(fields["prompt"])
        name = NAMES[self._trial.names](fields["name"], len(self.paid))
        return fields | {"name": name, "created_at": time.time() + self._trial.offset}


def main():
    """Run the trials and return the number of those with a problem."""
    given = options(__doc__, seeds=3, seed=0, platform=str, way=str)
    began, bad, trials = time.perf_counter(), 0, []
    with programs() as starter:
        for platform in PLATFORMS.values():
            if given.platform not in {None, platform.name}:
                continue
            for seed in range(given.seed, given.seed + given.seeds):
                trials.append(trial := Trial(platform, seed, given.way))
                bad += is_wrong(trial, starter)
    print(
        f"{len(trials)} trials on {len(PLATFORMS)} platforms, {sum(each.kills for each in trials)} kills, "
        f"{sum(len(each.rows) for each in trials)} rows, "
        f"{sum(len(account.paid) for each in trials for account in each.accounts)} paid, "
        f"{sum(each.found for each in trials)} of {sum(each.before for each in trials)} made before found (names kept and listed, one key), "
        f"{sum(each.open for each in trials)} open, {sum(each.asked for each in trials)} asked about, "
        f"{time.perf_counter() - began:.0f} s, {(time.perf_counter() - began) / len(trials):.2f} s a trial: {bad} wrong"
    )
    return bad


if __name__ == "__main__":
    sys.exit(bool(main()))
