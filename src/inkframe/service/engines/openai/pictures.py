"""Pictures and texts from a model: requests in its terms, and results in ours."""

from __future__ import annotations

import base64
import binascii
import re
import tomllib
from functools import cache
from importlib.resources import files
from io import BytesIO
from math import log
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from PIL import Image, ImageOps, PngImagePlugin

from inkframe.service.engines import DrawRequest, Refused, Text, Unavailable, WriteRequest
from inkframe.service.engines.filters import apply_filter
from inkframe.service.engines.openai.settings import MAX_TOKENS, Size

if TYPE_CHECKING:
    from inkframe.service.engines.openai.endpoint import Endpoint

__all__ = [
    "ask_picture",
    "finish",
    "nearest_size",
    "picture_prompt",
    "picture_request",
    "read_text",
    "temperature",
    "text_request",
]

#: The sizes of OpenAI's models, by a part of their names; gateways add prefixes.
SIZES: Final[dict[str, tuple[Size, ...]]] = {
    "gpt-image": ((1024, 1024), (1536, 1024), (1024, 1536)),
    "dall-e-3": ((1024, 1024), (1792, 1024), (1024, 1792)),
    "dall-e-2": ((256, 256), (512, 512), (1024, 1024)),
}
#: Models that always return base64 and do not support the parameter for it.
BASE64_ONLY: Final = "gpt-image"
PATH: Final = "/images/generations"
FORMATS: Final = ("PNG", "JPEG", "WEBP")
MOST_PIXELS: Final = 8192 * 8192
#: The counts of tokens in a response, and a bound of what can be one.
TOKENS: Final = ("prompt_tokens", "completion_tokens")
MOST_TOKENS: Final = 2**40

#: The temperature for each step of creativity. Above 1.3 models start to write nonsense.
TEMPERATURES: Final = {0.0: 0.0, 0.25: 0.3, 0.5: 0.7, 0.75: 1.0, 1.0: 1.3}
#: Added to the prompt, since some models do not support a system message.
MANNER: Final = "Answer with the text alone, as Markdown: no greeting, no preface, no remarks."
#: Added below a text that the model did not finish.
CUT_OFF: Final = f"*(The model stopped here, at its limit of length. {MAX_TOKENS} sets it.)*"
#: The reasoning that some models write before the text. The server may have removed its start mark; its end
#: mark is missing if the model reached the length limit.
THOUGHTS: Final = re.compile(
    r"\A(?:\s*<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)|(?:(?!<think).)*?</think(?:ing)?>)", re.DOTALL
)


def picture_request(model: str, request: DrawRequest, sizes: tuple[Size, ...]) -> dict[str, Any]:
    """Return the body of the request for a picture.

    Args:
        model: The model.
        request: The picture to draw.
        sizes: The sizes that the model draws, if configured.
    """
    wanted = _size(request.resolution)
    known = sizes or next((own for name, own in SIZES.items() if name in model), (wanted,))
    width, height = nearest_size(wanted, known)
    body = {"model": model, "prompt": picture_prompt(request), "n": 1, "size": f"{width}x{height}"}
    return body if BASE64_ONLY in model else body | {"response_format": "b64_json"}


def picture_prompt(request: DrawRequest) -> str:
    """Return the description with the words of style and medium; the filter is applied to the result."""
    given = (("style", request.style), ("medium", request.medium))
    words = [_looks()[kind].get(code, code.replace("_", " ")) for kind, code in given if code]
    return ", ".join([request.description.strip().rstrip("."), *words])


def nearest_size(wanted: Size, sizes: tuple[Size, ...]) -> Size:
    """Return the size with the nearest shape: the smallest that is large enough, else the largest."""

    def distance(size: Size) -> tuple[float, bool, int]:
        width, height = size
        shape = abs(log(width / height) - log(wanted[0] / wanted[1]))
        too_small = width < wanted[0] or height < wanted[1]
        return round(shape, 3), too_small, -width * height if too_small else width * height

    return min(sizes, key=distance)


def ask_picture(endpoint: Endpoint, body: dict[str, Any]) -> bytes:
    """Request a picture and return its file, from the response itself or from an address in it.

    Raises:
        Refused: The model declines to draw this.
        Unavailable: There is no picture.
    """
    data = endpoint.post(PATH, body).get("data")
    found = data[0] if isinstance(data, list) and data and isinstance(data[0], dict) else {}
    inline, location = found.get("b64_json") or found.get("url"), found.get("url")
    if isinstance(inline, str) and (found.get("b64_json") or inline.startswith("data:")):
        try:
            return base64.b64decode(inline.partition(",")[2] if inline.startswith("data:") else inline)
        except (binascii.Error, ValueError):
            raise Unavailable("The picture is not valid base64.", status=502) from None
    if isinstance(location, str) and location:
        return endpoint.fetch(location)
    raise Unavailable("The model returned no picture.", status=502)


def finish(data: bytes, request: DrawRequest, model: str) -> bytes:
    """Scale a picture to the resolution, apply the filter, and return it as PNG with the name of its model.

    Args:
        data: The received picture file: PNG, JPEG or WEBP.
        request: The request for it.
        model: The model.

    Raises:
        Unavailable: It is not a picture.
    """
    image = ImageOps.fit(_decoded(data), _size(request.resolution), Image.Resampling.LANCZOS)
    image = apply_filter(image, request.filter)
    notes = PngImagePlugin.PngInfo()
    notes.add_itxt("Software", f"inkframe, model {model}")
    notes.add_itxt("Description", request.description.encode("utf-8", "replace").decode().replace("\0", " "))
    with BytesIO() as file:
        image.save(file, "PNG", pnginfo=notes)
        return file.getvalue()


def _decoded(data: bytes) -> Image.Image:
    """Decode a picture, with transparent parts on white."""
    try:
        with Image.open(BytesIO(data), formats=FORMATS) as image:
            if image.width * image.height > MOST_PIXELS:
                raise Unavailable("The picture has too many pixels.", status=502)
            if image.has_transparency_data:
                ground = Image.new("RGBA", image.size, "white")
                return Image.alpha_composite(ground, image.convert("RGBA")).convert("RGB")
            return image.convert("RGB")
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError):
        raise Unavailable("The model did not return a PNG, JPEG or WEBP.", status=502) from None


def _size(resolution: str) -> Size:
    found = re.fullmatch(r"([1-9]\d{0,3})x([1-9]\d{0,3})", resolution)
    if found is None:
        raise Refused(
            f"The resolution must be a size in pixels, such as 512x512, got {resolution!r}.", "resolution"
        )
    return int(found[1]), int(found[2])


@cache
def _looks() -> dict[str, dict[str, str]]:
    return tomllib.loads(files(__package__).joinpath("looks.toml").read_text(encoding="utf-8"))


def text_request(model: str, request: WriteRequest, max_tokens: int) -> dict[str, Any]:
    """Return the body of the request for a text."""
    return {
        "model": model,
        "messages": [{"role": "user", "content": f"{request.prompt.rstrip()}\n\n{MANNER}"}],
        "temperature": temperature(request.creativity),
        "stream": False,
        "max_tokens": max_tokens,
        "seed": request.take,
    }


def temperature(creativity: float) -> float:
    """Return the temperature for a creativity from 0 to 1, with linear interpolation between the steps."""
    return round(float(np.interp(creativity, [*TEMPERATURES], [*TEMPERATURES.values()])), 4)


def read_text(answer: dict[str, Any]) -> Text:
    """Return the text of a response, with the tokens that it tells.

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
        reason = f" Its thoughts reached its length limit first: set {MAX_TOKENS} to more." if is_cut else ""
        raise Unavailable(f"The model returned no text.{reason}", status=502)
    told = answer.get("usage")
    usage = told if isinstance(told, dict) else {}
    counts = {name: n for name in TOKENS if type(n := usage.get(name)) is int and 0 <= n < MOST_TOKENS}
    return Text(f"{text}\n\n{CUT_OFF}" if is_cut else text, counts)


def _joined(content: Any, kind: str = "text") -> str:
    """Return a message's content, which is a text, or a list of which the parts of one type are joined."""
    if isinstance(content, list):
        parts = [part.get(kind) for part in content if isinstance(part, dict)]
        return "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) and kind == "text" else ""
