"""Error responses of the endpoint: whether the prompt or the settings caused them, or they may pass."""

from __future__ import annotations

import re
import time
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Final

from inkframe.service.engines import Refused, Unavailable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inkframe.service.engines.openai.key import Bearer

__all__ = ["read_refusal", "retry_after"]

#: Codes and types of errors about the prompt.
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
#: The messages of such errors from servers without codes.
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
#: Reasoning models often support no other temperature.
DEFAULT_TEMPERATURE: Final = " A creativity of 0.75 sets the default temperature, 1."
#: Codes of exhausted quotas, for which waiting does not help.
USED_UP: Final = {"insufficient_quota", "billing_hard_limit_reached"}
#: Seconds to wait for a rate limit without Retry-After.
PATIENCE: Final = 10.0
LONGEST: Final = 300
INVISIBLE: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]+")


def read_refusal(
    status: int, headers: Mapping[str, str], answer: Any, host: str, key: Bearer
) -> Refused | Unavailable:
    """Return the exception for an error response.

    Args:
        status: Its status; for 200, the status in the body counts.
        headers: Its headers.
        answer: Its body as JSON, or None.
        host: The name of the endpoint in messages.
        key: The key, which no message may contain.
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
        return Unavailable(f"{host} received too many requests{said}", status=429, retry_after=wait)
    if status == 503:
        return Unavailable(f"{host} is overloaded{said}", status=503, retry_after=retry_after(headers))
    if status in (401, 403):
        # A message about the key often contains it.
        return Unavailable(f"{host} did not accept the key. Check INKFRAME_OPENAI_API_KEY.", status=502)
    if 300 <= status < 400:
        return Unavailable(f"{host} redirects elsewhere. Check INKFRAME_OPENAI_BASE_URL.", status=502)
    if status == 404:
        return Unavailable(f"{host} has no such model or no such path{said}", status=502)
    if status in (408, 504):
        return Unavailable(f"{host} took too long{said}", status=504)
    return Unavailable(f"{host} returned status {status}{said}", status=502, parameter=parameter)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds to wait, from Retry-After in seconds or as a date, or from milliseconds."""
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
    """Return the error of a response as an object, from any of the known shapes."""
    found = answer.get("error") or answer.get("detail") or answer if isinstance(answer, dict) else answer
    if isinstance(found, list) and found:
        found = found[0]
    if isinstance(found, str):
        return {"message": found}
    return found if isinstance(found, dict) else {}


def _parameter(error: dict[str, Any]) -> str:
    """Return the parameter of an error, from a field, a path or its message, or an empty text."""
    place = error.get("loc")
    named = error.get("param") or (place[-1] if isinstance(place, list) and place else "")
    words = error.get("message")
    if not named and isinstance(words, str) and (found := re.search(r"\bresponse_format\b", words)):
        named = found[0]
    return str(named).partition("[")[0]


def _said(error: dict[str, Any], key: Bearer) -> str:
    """Return the message of an error as the end of a sentence: one short line without the key."""
    words = error.get("message") or error.get("msg")
    text = " ".join(INVISIBLE.sub(" ", words).split()) if isinstance(words, str) else ""
    if not text or key.is_in(text):
        return "."
    return f": {text[:LONGEST].rstrip('.')}."
