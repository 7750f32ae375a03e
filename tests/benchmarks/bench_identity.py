"""Create rows on services that change what they store and lose replies, run them again, and count what was paid.

    .venv/bin/python -m tests.benchmarks.bench_identity [--runs 1000] [--seed 0] [--show SEED]

Each run draws a service from its seed: a response format, what becomes of names, prompts and creativity (cut off,
lower case, slugs, tags, rounded, a name of its own), fields that are not shown, other users who create records of the
same prompt meanwhile, and faults. Some lists lack what was made, always or for a while (templates outside of the list,
replicas that lag, caches, lists of finished records), and some replies have an error of any status although the record
was made. Clocks are right, ahead, behind, or in local time with or without a zone; that of this machine is set back or
ahead between the requests and the runs. Some creates go on after their connection broke, and their records appear later.
The rows are created by ``create_many`` with a new client each time, under any spelling of the address and of the values,
sometimes from the result of the last run, sometimes in a new home where the service shows what it stored; by the tuner in
new kernels and its code; or by ``ensure``, on several machines where lists show what was made. Some runs have two keys of
one account, another key after some time, or two accounts, each with its own records and ids, which create the same rows.
Some services are emptied, and give their ids again. It fails if more was paid for a row in one account than once, and once
more for each ``fresh=True``, if a row was given a record that it did not create in its account, or if ``reconcile`` finds
nothing and has no doubt. Time is virtual.
"""

import contextlib
import io
import itertools
import os
import random
import sys
import tempfile
import time
import unicodedata
from collections import Counter
from dataclasses import replace
from decimal import Decimal
from math import inf
from pathlib import Path

import httpx
import numpy as np
import pandas as pd
from tests.benchmarks.measuring import is_wrong, options
from tests.machine_clocks import Clocks
from tests.services import DIALECTS, ODDITIES, Faults
from tests.services.hiding_service import ANSWERS, HidingService

import inkframe

NAMES = {
    "kept": lambda name, _: name,
    "cut off at 8": lambda name, _: name[:8],
    "cut off at 14": lambda name, _: name[:14],
    "ellipsis": lambda name, _: name if len(name) <= 12 else f"{name[:11]}…",
    "lower case": lambda name, _: name.lower(),
    "slug": lambda name, _: name.lower().replace(",", "").replace(" ", "-"),
    "escaped": lambda name, _: name.replace("&", "&amp;"),
    "numbered": lambda name, number: f"{name} ({number})",
    "of its own": lambda _, number: f"Untitled {number}",
}
PROMPTS = {
    "kept": lambda prompt: prompt,
    "tags": lambda prompt: f"<p>{prompt}</p>",
    "cut off": lambda prompt: prompt[:16],
    "extended": lambda prompt: f"Answer in English. {prompt} Be brief.",
}
NUMBERS = {
    "kept": float,
    "tenths": lambda number: round(float(number), 1),
    "integers": lambda number: round(float(number)),
}
FAULTS = (
    "lost_reply",
    "lost_request",
    "gateway_timeout",
    "half_json",
    "html",
    "empty_body",
    "wrong_json",
    "hung_up",
)
#: For how many turns lists lack what was made.
HIDING = {"templates": inf, "replica": 2, "cache": 1, "finished records": 3}
WORDS = ("draft", "Second & final", "für Tee", "long version, revised", "A/B")
DAY = 86_400.0
#: Seconds by which clocks are ahead; most are right.
CLOCKS = (0.0, 0.0, 0.0, -360.0, 360.0, -7200.0, 7200.0)
#: Spellings of one address.
ADDRESSES = (
    "https://service.test",
    "http://service.test",
    "https://SERVICE.test:443/",
    "https://service.test.",
    "https://service.test//api/v1",
    "https://service.test/api/v1/documents",
    "https://service.test/./",
)


#: How many keys and accounts there are; most services are searched template by template, so that few save time.
KEYS = ("one key", "one key", "two keys", "another key", "two accounts", "two accounts")
TEMPLATES = inkframe.Vocabulary(templates={1: "Freestyle", 2: "Blog intro", 3: "FAQ"})


def draw(chance, table, kept=2):
    """Return a name of a table, the first one more often."""
    return chance.choice([*["kept"] * kept, *table])


class Trial:
    """One run.

    Args:
        seed: Its seed.
    """

    def __init__(self, seed):
        chance = self.chance = random.Random(seed)
        dialect = chance.choice([*DIALECTS.values(), *ODDITIES.values()])
        form = dialect.record
        self.is_local_time = chance.random() < 0.25
        if self.is_local_time:
            form = replace(form, time_form=chance.choice(["naive", "space"]))
        self.hidden = chance.choice([(), (), (), ("prompt",), ("creativity",), ("name",)])
        lists = chance.choice([(), (), ("prompt",)])
        form = replace(form, omits=(*form.omits, *self.hidden), list_omits=(*form.list_omits, *lists))
        self.changes = (draw(chance, NAMES), draw(chance, PROMPTS, 4), draw(chance, NUMBERS, 3))
        self.way = chance.choice(["rows", "rows", "rows", "ensure", "ensure", "tuner"])
        self.by_ensure = self.way == "ensure"
        self.is_late = chance.random() < 0.3
        self.offset = chance.choice(CLOCKS)
        self.clocks = Clocks()
        self.skew = self.offset * chance.choice([0, 1])
        self.dialect = replace(dialect, record=form)
        self.documents = chance.choice([0, 3, 12, 130])
        self.seed = seed
        self.vocabulary = inkframe.Vocabulary() if chance.random() < 0.03 else TEMPLATES
        self.keys = chance.choice(KEYS)
        self.empties_at = chance.choice([None, None, None, None, 1, 2, 3])
        self.hides = chance.choice([None, None, None, *HIDING])
        self.answers = chance.random() < 0.3
        shows_all = not (self.hides or self.hidden or lists or self.is_late or self.empties_at)
        is_kept = self.changes == ("kept", "kept", "kept") and self.documents < 10 and self.keys == "one key"
        self.new_home_at = chance.randint(1, 4) if shows_all and is_kept and self.way == "rows" else None
        # A record with a name of its own may be another one, and one that no list has cannot be known elsewhere.
        self.moves = not self.hides and self.changes[0] != "of its own"
        self.turn = 0
        self.rows = self.draw_rows()
        self.texts = itertools.count()
        first = Account(self)
        self.accounts = {"first-key": first}
        if self.keys != "one key":
            self.accounts["second-key"] = Account(self) if self.keys == "two accounts" else first
        self.key = "first-key"
        self.machines = 1
        self.transport = LateTransport(self)
        self.lost, self.doubted = [], []
        self.ended = 0
        self.about = (
            f"seed {seed}: {dialect.name}, {self.changes}, hides {self.hidden}, {self.way}, late {self.is_late}, "
            f"clock {self.offset:g}, local {self.is_local_time}, {self.keys}, emptied {self.empties_at}, "
            f"lists lack {self.hides}, answers {self.answers}, home {self.new_home_at}"
        )

    @property
    def account(self):
        """The account of the key that is used."""
        return self.accounts[self.key]

    @property
    def paid(self):
        """Everything that was paid for."""
        return [key for account in self.all_accounts for key in account.paid]

    @property
    def all_accounts(self):
        """The accounts, each once."""
        return list(dict.fromkeys(self.accounts.values()))

    def draw_rows(self):
        """Return the rows to create."""
        chance = self.chance
        if self.way == "tuner":
            plan = inkframe.plan_documents(
                "Product text for a kettle.", creativity=chance.sample([0, 0.25, 0.5, 0.75, 1], 3), repeats=1,
                name="Draft {creativity} {repeat}", quiet=True,
            )  # fmt: skip
            return plan[["name", "prompt", "creativity"]].to_dict("records")
        subject = chance.choice(["Kettle", "Teapot & cup", "Café"])
        prompts = chance.sample(
            ["Product text for a kettle.", "A line about tea.", "Three names for a shop."], 3
        )
        several = chance.random() < 0.5
        return [
            {
                "name": f"{subject} {number} {chance.choice(WORDS)}",
                "prompt": prompts[number % 3 if several else 0],
                "creativity": chance.choice([0, 0.25, 0.5, 0.75, 1]),
            }
            for number in range(chance.randint(1, 5))
        ]

    def stored(self, fields, number):
        """Return fields as the service stores them."""
        name, prompt, creativity = self.changes
        return {
            "name": NAMES[name](fields["name"], number),
            "prompt": PROMPTS[prompt](fields["prompt"]),
            "creativity": NUMBERS[creativity](fields["creativity"]),
        }

    def spelled(self, row):
        """Return a row as it is typed or saved elsewhere, with the same values."""
        chance, row = self.chance, dict(row)
        if chance.random() < 0.3:
            field = chance.choice(["name", "prompt"])
            row[field] = chance.choice(
                [
                    unicodedata.normalize("NFD", row[field]),
                    f"{row[field]} ",
                    f"\u00a0{row[field]}",
                    f"{row[field]}\r\n",
                ]
            )
        if chance.random() < 0.3:
            row["creativity"] = chance.choice([np.float32, Decimal, np.float64])(row["creativity"])
        return row

    def key_of(self, fields):
        """Return what two creates have in common if the service stores the same for both."""
        texts = {name: unicodedata.normalize("NFC", str(fields[name])).strip() for name in ("name", "prompt")}
        return tuple(self.stored(fields | texts, 0).items())

    def time_shown(self):
        """Return the time of this moment as the service shows it."""
        return time.time() + self.offset - DAY / 3 * self.is_local_time

    def meanwhile(self, service, ahead):
        """Set the clock of this machine, and create records as other users do, of the same prompts."""
        if self.chance.random() < 0.05:
            self.clocks.wall += self.chance.choice([-2.0, -2.0, 2.0, -7200.0, 3600.0])
        if self.chance.random() < 0.04:
            fields = self.chance.choice(self.rows) | {"name": f"Lamp {len(service.requests)}"}
            service.insert("documents", **self.stored(fields, 0), created_at=self.time_shown() + ahead)

    def client(self):
        """Return a new client."""
        return inkframe.Client(
            self.chance.choice(ADDRESSES), self.key, transport=self.transport, vocabulary=self.vocabulary
        )

    def run(self):
        """Run everything and return the problems."""
        chance, problems = self.chance, []
        quiet = contextlib.redirect_stdout(io.StringIO())
        with self.clocks.set(), tempfile.TemporaryDirectory() as folder, quiet:
            for turn in range(5):
                self.turn = turn
                if chance.random() < 0.5:
                    self.transport.finish()  # within the create timeout
                    self.clocks.let_pass()
                if turn == self.empties_at:
                    self.account.empty()
                self.change_key(turn)
                if self.by_ensure:
                    self.transport.finish()  # another machine cannot know what is under way
                    self.machines = turn % 2 if self.moves else 1
                if turn == self.new_home_at:
                    self.machines = 2
                os.environ["INKFRAME_HOME"] = str(Path(folder) / str(self.machines))
                rates = dict.fromkeys(FAULTS, 0.5 / len(FAULTS))
                self.account.service.plan(
                    None
                    if turn == 4
                    else Faults(
                        rates=rates, seed=chance.random(), where=lambda request: request.method == "POST"
                    )
                )
                create = {"rows": self.created, "ensure": self.ensured, "tuner": self.tuned}[self.way]
                with self.client() as client:
                    found = create(client)
                    self.doubted += [error for error in self.lost if self.is_without_doubt(error)]
                problems += self.account.wrongly_taken(found)
        self.ended = len(found)
        return problems + self.problems()

    def change_key(self, turn):
        """Draw the key of a turn."""
        if self.keys == "another key":
            self.key = "first-key" if turn < 2 else "second-key"
        elif self.keys != "one key":
            self.key = self.chance.choice(list(self.accounts))

    def created(self, client):
        """Return each row with its record, as created in bulk."""
        account = self.account
        is_fresh = account.fresh == 0 and self.chance.random() < 0.1
        account.fresh += is_fresh
        # A row whose record is gone has what was stored, and neither its id nor what was sent.
        is_again = not (account.runs is None or is_fresh or account.ahead) and self.chance.random() < 0.3
        given = account.runs if is_again else [self.spelled(row) for row in self.rows]
        if not is_again and self.chance.random() < 0.3:
            given = pd.DataFrame(given)
        try:
            account.runs = client.documents.create_many(given, fresh=is_fresh, progress=False)
        except inkframe.InvalidArgument:  # a stored value without its record, which cannot be sent
            return []
        return self.there(account.runs)

    def tuned(self, client):
        """Return each row with its record, as created by a tuner of a new kernel, or by its code."""
        levels = [row["creativity"] for row in self.rows]
        tuner = inkframe.CreativityTuner(
            client,
            prompt="Product text for a kettle.",
            creativity=levels,
            repeats=1,
            name="Draft {creativity} {repeat}",
        )
        if self.chance.random() < 0.5:
            space = {"client": client}
            exec(tuner.code, space)  # noqa: S102  # running the code is what is tried
            return self.there(space["runs"])
        with contextlib.suppress(inkframe.InkframeError):
            tuner.submit().result(600)
        return [] if tuner.frame is None else self.there(tuner.frame)

    def there(self, runs):
        """Return each row of a result with its record."""
        there = runs["status"].isin(["created", "existing", "pending"])
        return [(row, runs["id"].iloc[at]) for at, row in enumerate(self.rows) if there.iloc[at]]

    def ensured(self, client):
        """Return each row with its record, as ensured one by one."""
        found = []
        for row in self.rows:
            try:
                found.append((row, client.documents.ensure(**self.spelled(row)).id))
            except inkframe.OutcomeUnknown as error:
                self.lost.append(error)
            except inkframe.InkframeError:
                pass
        return found

    def is_without_doubt(self, error):
        """Return whether ``reconcile`` finds nothing and has no doubt."""
        with contextlib.suppress(inkframe.InkframeError):
            return error.reconcile() is None and not error.doubt
        return False

    def problems(self):
        """Return what is wrong in the end."""
        wanted = Counter(map(self.key_of, self.rows))
        wrong = [
            f"paid {n} times: {key}"
            for account in self.all_accounts
            for key, n in Counter(account.paid).items()
            if n > wanted[key] * (1 + account.fresh)
        ]
        return wrong + [f"nothing found, and no doubt: {error}" for error in self.doubted]


class Account:
    """One account, with its own records and ids.

    Args:
        trial: The run.

    Attributes:
        service: Its service.
        paid: What it paid for in this library.
        fresh: How often it asked for each row again.
        runs: The last result.
    """

    def __init__(self, trial):
        self.trial = trial
        self.fresh, self.runs, self.ahead = 0, None, -3600.0
        self.empty(trial.documents)

    def empty(self, documents=0):
        """Begin with another library, whose ids begin again."""
        trial = self.trial
        self.ahead += 3600.0  # what follows seems to be created an hour later
        #: What is gone may be paid for again.
        self.paid, self.shown_from = [], []
        self.service = HidingService(
            trial.dialect,
            images=0,
            documents=documents,
            seed=trial.seed,
            stores=self.store,
            skew=trial.skew,
            vocabulary=trial.vocabulary,
        )
        self.service.hides = lambda place: self.shown_from[place] > trial.turn
        self.service.answers = self.answer
        self.service.between_replies(lambda service: trial.meanwhile(service, self.ahead))

    def store(self, fields):
        """Store the fields of a create, which is paid for."""
        self.paid.append(self.trial.key_of(fields))
        self.shown_from.append(self.trial.turn + HIDING.get(self.trial.hides, 0))
        shown = self.trial.stored(fields, len(self.paid))
        written = {"result": f"Text {next(self.trial.texts)} about it."}  # a model writes no text twice
        return fields | shown | written | {"created_at": self.trial.time_shown() + self.ahead}

    def answer(self):
        """Return the reply to a create that happened, or None for the service's own."""
        trial = self.trial
        if trial.answers and trial.turn < 4 and trial.chance.random() < 0.4:
            return trial.chance.choice(ANSWERS)
        return None

    def wrongly_taken(self, found):
        """Return which of these rows have a record that they did not create here."""
        trial = self.trial
        if trial.hidden and self.ahead:
            return []  # a text can be edited, so that only the time tells a record from its forerunner with the same id
        made = {
            str(self.service.public_id(number)): key
            for (_, number), key in zip(self.service.created, self.paid, strict=True)
        }
        return [
            f"{id} is of another user or row: {row}"
            for row, id in found
            if made.get(str(id)) != trial.key_of(row)
        ]


class LateTransport(httpx.BaseTransport):
    """A transport to a service that may go on with a create after its connection broke.

    Args:
        trial: The run, which draws what happens.
    """

    def __init__(self, trial):
        self.trial, self.clock = trial, trial.account.service.clock
        self.waiting = []

    def handle_request(self, request):
        """Answer a request, or break the connection of a create and go on with it later."""
        chance, account = self.trial.chance, self.trial.account
        request.url = httpx.URL(account.service.base_url).copy_with(raw_path=request.url.raw_path)
        if request.method == "POST" and self.trial.is_late and chance.random() < 0.3:
            self.waiting.append((account, request))
            raise httpx.ReadError("reset")
        if request.method == "GET" and self.waiting and chance.random() < 0.1:
            self.finish()
        return answered(account, request)

    def finish(self):
        """Go on with what is under way."""
        while self.waiting:
            account, request = self.waiting.pop()
            plan = account.service._faults
            account.service.plan(None)
            answered(account, request)
            account.service.plan(plan)


def answered(account, request):
    """Return the reply of an account."""
    request.headers["authorization"] = f"Bearer {account.service.key}"
    return account.service.transport.handle_request(request)


def main():
    """Run the trials and return the number of those with a problem."""
    given = options(__doc__, runs=1000, seed=0, show=int)
    os.environ["INKFRAME_PROGRESS"] = "0"
    seeds = range(given.seed, given.seed + given.runs) if given.show is None else [given.show]
    began, bad, requests, rows, ended = time.perf_counter(), 0, 0, 0, 0
    for seed in seeds:
        trial = Trial(seed)
        bad += is_wrong(trial, is_shown=given.show is not None)
        requests += sum(len(account.service.requests) for account in trial.all_accounts)
        rows += len(trial.rows)
        ended += trial.ended
    seconds = time.perf_counter() - began
    print(f"{len(seeds):,} runs, {requests:,} requests, {seconds:,.0f} s, {seconds / len(seeds):.2f} s a run")
    print(f"{rows:,} rows, {ended:,} with their record in the end: {bad} runs wrong")
    return bad


if __name__ == "__main__":
    sys.exit(bool(main()))
