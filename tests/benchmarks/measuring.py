"""What benchmarks share: their options, how long calls take, and the trials that are wrong."""

import argparse
import statistics
import time
from datetime import UTC, datetime, timedelta

BEGINNING = datetime(2025, 1, 6, tzinfo=UTC)


def options(about, **defaults):
    """Return the options of a command by their defaults; False is a switch, and a type an option without a default."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in defaults.items():
        flag = f"--{name.replace('_', '-')}"
        if default is False:
            parser.add_argument(flag, action="store_true")
        elif isinstance(default, type):
            parser.add_argument(flag, type=default)
        elif isinstance(default, list):
            parser.add_argument(flag, type=type(default[0]), nargs="*", default=default)
        else:
            parser.add_argument(flag, type=type(default), default=default)
    return parser.parse_args()


def seconds(call, clock=time.perf_counter):
    """Return the seconds of a call."""
    began = clock()
    call()
    return clock() - began


def in_turn(ours, theirs, calls, rounds):
    """Call both in turn; return the median microseconds of theirs and ours, and the ratio of each round."""
    for _ in range(50):
        seconds(theirs), seconds(ours)
    medians = []
    for _ in range(rounds):
        turns = [(seconds(theirs), seconds(ours)) for _ in range(calls)]
        medians.append([statistics.median(column) * 1e6 for column in zip(*turns, strict=True)])
    peer, own = (statistics.median(column) for column in zip(*medians, strict=True))
    return peer, own, [here / there for there, here in medians]


def is_wrong(trial, *given, is_shown=False):
    """Run a trial, print its problems, and return whether it has any."""
    problems = trial.run(*given)
    if problems or is_shown:
        print(trial.about, *problems, sep="\n    ", flush=True)
    return bool(problems)


def document(number, template, result):
    """Return a document as a service sends it."""
    made = BEGINNING + timedelta(minutes=number)
    return {
        "id": number,
        "name": f"Document {number}",
        "template_id": template,
        "prompt": "About a kettle that does not whistle",
        "creativity": 0.5,
        "result": result,
        "favorite": number % 9 == 0,
        "created_at": f"{made:%FT%TZ}",
        "updated_at": f"{made + timedelta(seconds=7):%FT%TZ}",
    }
