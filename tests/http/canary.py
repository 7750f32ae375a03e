"""A key to search for in every output: plain, encoded or in part."""

import base64
import traceback
from urllib.parse import quote

CANARY = "zQx7Wv9KpLm3Rt5Yb8Nc2Hd"


def holds_canary(text, key=CANARY):
    """Return the parts of the key in a text: five characters in a row, or ten as base64, URL or hex."""
    runs = {key[start : start + 5] for start in range(len(key) - 4)}
    forms = [quote(f" {key}"), key.encode().hex()]
    forms += [base64.b64encode(b"x" * pad + key.encode()).decode()[4:-4] for pad in range(3)]
    # Every address of an object contains five hexadecimal digits.
    runs |= {form[start : start + 10] for form in forms for start in range(len(form) - 9)}
    return [run for run in runs if run in text]


def reachable(thing, depth=4):
    """Return every text that printing an object and its attributes shows."""
    texts = [repr(thing), str(thing), f"{thing}", f"{thing!r:>5}"]
    if depth and hasattr(thing, "__dict__"):
        for value in vars(thing).values():
            texts += reachable(value, depth - 1)
    for name in getattr(type(thing), "__slots__", ()):
        if depth and hasattr(thing, name):
            texts += reachable(getattr(thing, name), depth - 1)
    return texts


def everything_about(error):
    """Return an error, its attributes and all frames of it and of the errors it came from."""
    texts, seen, left = [], set(), [error]
    while left:
        error = left.pop()
        if error is None or id(error) in seen:
            continue
        seen.add(id(error))
        texts += [str(error), repr(error), repr(vars(error)), *traceback.format_exception(error)]
        frame = error.__traceback__
        while frame is not None:
            # Frames of the test contain the key.
            if "/tests/" not in frame.tb_frame.f_code.co_filename:
                texts += map(repr, frame.tb_frame.f_locals.values())
            frame = frame.tb_next
        left += [error.__cause__, error.__context__]
    return "".join(texts)
