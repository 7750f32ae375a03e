"""Answers that say no: which of them are the prompt's, which the settings', and which may pass."""

from __future__ import annotations

import re
import time
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Final

from inkframe.engines.protocol import Refused, Unavailable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inkframe.engines.openai.key import Bearer

__all__ = ["read_refusal", "retry_after"]

#: Codes and types of errors that are about what was asked for.
ABOUT_THE_PROMPT: Final = {
    "content_filter",
    "contentFilter",
    "content_policy_violation",
    "context_length_exceeded",
    "exceed_context_size_error",
    "image_generation_user_error",
    "invalid_prompt",
    "moderation_blocked",
    "string_above_max_length",
}
#: The same, where a server has no code for it.
SAID_OF_THE_PROMPT: Final = re.compile(
    r"context (?:length|size|window)|content (?:management )?policy|safety system|moderation", re.IGNORECASE
)
#: The service's field for a parameter of the protocol; None is the description or the prompt.
FIELDS: Final[dict[str, str | None]] = {
    "prompt": None,
    "messages": None,
    "size": "resolution",
    "temperature": "creativity",
}
#: Models that think before they write often know no other temperature.
DEFAULT_TEMPERATURE: Final = " A creativity of 0.75 asks for the usual temperature, 1."
#: What is used up, and does not come back by waiting.
USED_UP: Final = {"insufficient_quota", "billing_hard_limit_reached"}
#: Seconds to wait where a rate limit does not say how long.
PATIENCE: Final = 10.0
LONGEST: Final = 300
INVISIBLE: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]+")


def read_refusal(
    status: int, headers: Mapping[str, str], answer: Any, host: str, key: Bearer
) -> Refused | Unavailable:
    """Give the error that an answer means.

    Args:
        status: Its status; that of the error in it where it says 200.
        headers: Its headers.
        answer: Its body as JSON, or None.
        host: What messages call the endpoint.
        key: The key, of which no message holds a piece.
    """
    error = _error(answer)
    if status == 200:
        status = code if isinstance(code := error.get("code"), int) and 400 <= code < 600 else 502
    names = {error.get("code"), error.get("type")}
    said = _said(error, key)
    parameter = _parameter(error)
    about_prompt = names & ABOUT_THE_PROMPT or parameter in FIELDS or SAID_OF_THE_PROMPT.search(said)
    if status == 413 or (status in (400, 422) and about_prompt):
        advice = DEFAULT_TEMPERATURE if parameter == "temperature" else ""
        return Refused(f"The model refused{said}{advice}", FIELDS.get(parameter))
    if status == 429 and names & USED_UP:
        return Unavailable(f"{host} has no quota left{said}", status=429)
    if status == 429:
        wait = retry_after(headers)
        wait = PATIENCE if wait is None else wait
        return Unavailable(f"{host} is asked too often{said}", status=429, retry_after=wait)
    if status == 503:
        return Unavailable(f"{host} is overloaded{said}", status=503, retry_after=retry_after(headers))
    if status in (401, 403):
        # What it says of a key is often the key.
        return Unavailable(f"{host} did not accept the key. Check INKFRAME_OPENAI_API_KEY.", status=502)
    if 300 <= status < 400:
        return Unavailable(f"{host} redirects elsewhere. Check INKFRAME_OPENAI_BASE_URL.", status=502)
    if status == 404:
        return Unavailable(f"{host} has no such model, or no such address{said}", status=502)
    if status in (408, 504):
        return Unavailable(f"{host} took too long{said}", status=504)
    return Unavailable(f"{host} answered {status}{said}", status=502, parameter=parameter)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Give the seconds that an answer asks to wait: Retry-After in seconds or as a date, or in milliseconds."""
    milliseconds = headers.get("retry-after-ms", "").strip()
    if re.fullmatch(r"\d{1,9}(\.\d+)?", milliseconds):
        return float(milliseconds) / 1000
    asked = headers.get("retry-after", "").strip()
    if re.fullmatch(r"\d{1,9}(\.\d+)?", asked):
        return float(asked)
    try:
        return max(0.0, parsedate_to_datetime(asked).timestamp() - time.time()) if asked else None
    except (ValueError, OverflowError):
        return None


def _error(answer: Any) -> dict[str, Any]:
    """Give the error of an answer as an object, in whichever of the known shapes it came."""
    found = answer.get("error") or answer.get("detail") or answer if isinstance(answer, dict) else answer
    if isinstance(found, list) and found:
        found = found[0]
    if isinstance(found, str):
        return {"message": found}
    return found if isinstance(found, dict) else {}


def _parameter(error: dict[str, Any]) -> str:
    """Give the parameter that an error is about, or nothing: named in a field, as a path, or in its words."""
    place = error.get("loc")
    named = error.get("param") or (place[-1] if isinstance(place, list) and place else "")
    words = error.get("message")
    if not named and isinstance(words, str) and (found := re.search(r"\bresponse_format\b", words)):
        named = found[0]
    return str(named).partition("[")[0]


def _said(error: dict[str, Any], key: Bearer) -> str:
    """Give the words of an error as the end of a sentence: one line, not long, without any of the key."""
    words = error.get("message") or error.get("msg")
    text = " ".join(INVISIBLE.sub(" ", words).split()) if isinstance(words, str) else ""
    if not text or key.is_in(text):
        return "."
    return f": {text[:LONGEST].rstrip('.')}."
