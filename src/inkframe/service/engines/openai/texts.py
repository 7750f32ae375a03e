"""Texts from a model: the prompt as one message, creativity as temperature, and the text of the response."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from inkframe.service.engines import Refused, Unavailable

if TYPE_CHECKING:
    from inkframe.service.engines import WriteRequest

__all__ = ["read_text", "temperature", "text_request"]

#: The temperature for each step of creativity. Above 1.3 models start to write nonsense.
TEMPERATURES: Final = ((0.0, 0.0), (0.25, 0.3), (0.5, 0.7), (0.75, 1.0), (1.0, 1.3))

#: Added to the prompt, since some models do not support a system message.
MANNER: Final = "Answer with the text alone, as Markdown: no greeting, no preface, no remarks."

#: Added below a text that the model did not finish.
CUT_OFF: Final = "*(The model stopped here, at its limit of length.)*"

#: The reasoning that some models write before the text. The server may have removed its start mark; its end
#: mark is missing if the model reached the length limit.
THOUGHTS: Final = re.compile(
    r"\A(?:\s*<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)|(?:(?!<think).)*?</think(?:ing)?>)", re.DOTALL
)


def text_request(model: str, request: WriteRequest) -> dict[str, Any]:
    """Return the body of the request for a text."""
    return {
        "model": model,
        "messages": [{"role": "user", "content": f"{request.prompt.rstrip()}\n\n{MANNER}"}],
        "temperature": temperature(request.creativity),
        "stream": False,
    }


def temperature(creativity: float) -> float:
    """Return the temperature for a creativity from 0 to 1, with linear interpolation between the steps."""
    low = max((step for step in TEMPERATURES if step[0] <= creativity), default=TEMPERATURES[0])
    high = min((step for step in TEMPERATURES if step[0] >= creativity), default=TEMPERATURES[-1])
    if low[0] >= high[0]:
        return high[1]
    share = (creativity - low[0]) / (high[0] - low[0])
    return round(low[1] + share * (high[1] - low[1]), 4)


def read_text(answer: dict[str, Any]) -> str:
    """Return the text of a response.

    Raises:
        Refused: The model declined, or its text was withheld.
        Unavailable: The response has no text.
    """
    choices = answer.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}
    message = choice.get("message")
    message = message if isinstance(message, dict) else {}
    if choice.get("finish_reason") == "content_filter":
        raise Refused("The model's content policy withheld the text. Change the prompt.")
    content = message.get("content")
    if refusal := _joined(message.get("refusal")) or _joined(content, "refusal"):
        raise Refused(f"The model declined: {' '.join(refusal.split())[:300]}")
    text, is_cut = THOUGHTS.sub("", _joined(content)).strip(), choice.get("finish_reason") == "length"
    if not text:
        reason = " It reached its length limit first." if is_cut else ""
        raise Unavailable(f"The model returned no text.{reason}", status=502)
    return f"{text}\n\n{CUT_OFF}" if is_cut else text


def _joined(content: Any, kind: str = "text") -> str:
    """Return a message's content, which is a text, or a list of which the parts of one type are joined."""
    if isinstance(content, list):
        parts = [part.get(kind) for part in content if isinstance(part, dict)]
        return "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) and kind == "text" else ""
