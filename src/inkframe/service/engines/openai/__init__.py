"""The engine for models behind any OpenAI-compatible endpoint.

Select it with ``INKFRAME_ENGINE=openai`` or ``ink.connect(engine="openai")``, and configure it by variables:

============================== ==================================================================================
``INKFRAME_OPENAI_BASE_URL``    the endpoint, such as ``http://localhost:11434/v1``; an address without a path
                                gets ``/v1``
``INKFRAME_OPENAI_API_KEY``     its key, if it requires one; sent only to this endpoint, and never shown
``INKFRAME_OPENAI_TEXT_MODEL``  the model that writes, at ``/chat/completions``
``INKFRAME_OPENAI_IMAGE_MODEL`` the model that draws, at ``/images/generations``
``INKFRAME_OPENAI_IMAGE_SIZES`` the sizes it draws, such as ``512x512,1024x1024``, unless it is an OpenAI model;
                                the default is the requested resolution
``INKFRAME_OPENAI_TIMEOUT``     seconds for one picture or text; 170 by default
============================== ==================================================================================

Style and medium are added to the prompt as words. The filter is applied to the finished picture, as in the
offline engine. A picture is requested in the nearest supported size, then cropped and scaled to the
resolution. Creativity sets the temperature: 0 is 0, 0.25 is 0.3, 0.5 is 0.7, 0.75 is 1 and 1 is 1.3, with
linear interpolation between them.

Only failed connections are retried, since any other request may have been charged. A server that does not
support ``response_format`` gets one more request without it. The service responds to errors as follows: 422
on the description or prompt if the model declines, 429 with Retry-After for a rate limit, 503 for an endpoint
that does not respond or declines the request, so that nothing is charged, 502 for an invalid response, and 504 for a
timeout.
"""

from __future__ import annotations

from inkframe.http.key import Key
from inkframe.service.engines import DrawRequest, Unavailable, WriteRequest
from inkframe.service.engines.openai.endpoint import Endpoint
from inkframe.service.engines.openai.pictures import (
    ask_picture,
    finish,
    picture_request,
    read_text,
    text_request,
)
from inkframe.service.engines.openai.settings import IMAGE_MODEL, KEY, TEXT_MODEL, read_settings, setting

__all__ = ["OpenAI"]


class OpenAI:
    """Draws and writes with a model.

    Raises:
        ConfigurationError: A setting is missing or invalid.
    """

    name = "openai"
    is_stand_in = False

    def __init__(self) -> None:
        self._settings = read_settings()
        key = Key(setting(KEY))
        if key.use(bool):
            key.check(KEY)
        self._endpoint = Endpoint(self._settings.base_url, key, self._settings.timeout)

    def draw(self, request: DrawRequest) -> bytes:
        """Return the picture as PNG bytes.

        Raises:
            Refused: The model declines to draw this.
            Unavailable: The endpoint cannot be used now.
        """
        model = _chosen(self._settings.image_model, "picture", IMAGE_MODEL)
        asked = picture_request(model, request, self._settings.image_sizes)
        return finish(ask_picture(self._endpoint, asked), request, model)

    def write(self, request: WriteRequest) -> str:
        """Return the text as Markdown.

        Raises:
            Refused: The model declines to write this.
            Unavailable: The endpoint cannot be used now.
        """
        model = _chosen(self._settings.text_model, "text", TEXT_MODEL)
        return read_text(self._endpoint.post("/chat/completions", text_request(model, request)))

    def check(self) -> None:
        """Check the endpoint with a request for its models, which is free.

        Raises:
            Unavailable: The endpoint cannot be used now.
        """
        self._endpoint.get("/models")

    def close(self) -> None:
        """Close all connections."""
        self._endpoint.close()

    def __repr__(self) -> str:
        models = [model for model in (self._settings.text_model, self._settings.image_model) if model]
        return f"<OpenAI: {' and '.join(models)} at {self._settings.base_url}>"


def _chosen(model: str, product: str, variable: str) -> str:
    if not model:
        raise Unavailable(f"No model is configured for a {product}. Set {variable}.", status=503)
    return model
