"""The engine for models behind any OpenAI-compatible endpoint: ``ink.connect(engine="openai")``.

A model server on this machine is found without a setting. Models are named by arguments, and all else by variables:

============================== ==================================================================================
``INKFRAME_OPENAI_BASE_URL``    the endpoint, such as ``https://models.example.com/v1``; an address without a path
                                gets ``/v1``. By default ``OPENAI_BASE_URL``, else the server that is found
``INKFRAME_OPENAI_API_KEY``     its key, if it requires one; sent only to this endpoint, and never shown.
                                ``OPENAI_API_KEY`` is sent to ``OPENAI_BASE_URL`` and api.openai.com only, and a
                                server that was found gets none
``INKFRAME_OPENAI_TEXT_MODEL``  the model that writes, at ``/chat/completions``; by default the only one there
``INKFRAME_OPENAI_IMAGE_MODEL`` the model that draws, at ``/images/generations``
``INKFRAME_OPENAI_IMAGE_SIZES`` the sizes it draws, such as ``512x512,1024x1024``, unless it is an OpenAI model;
                                the default is the requested resolution
``INKFRAME_OPENAI_TIMEOUT``     seconds for one picture or text; 170 by default
``INKFRAME_OPENAI_MAX_TOKENS``  the longest text in tokens, with the model's thoughts; 1000 by default
``INKFRAME_OPENAI_AT_ONCE``     the most requests at once; 4 by default
``INKFRAME_OPENAI_BILLED``      1 if requests are billed, 0 if not; by default they are, except on this machine
                                without a key
``INKFRAME_OPENAI_PORTS``       the ports to search on this machine; ``11434,1234,8080,8000`` by default
============================== ==================================================================================

``INKFRAME_OPENAI_EMBEDDING_MODEL`` is the model that ``ink.embedder`` asks, at ``/embeddings``.

Style and medium are added to the prompt as words. The filter is applied to the finished picture, as in the
offline engine. A picture is requested in the nearest supported size, then cropped and scaled to the
resolution. Creativity sets the temperature: 0 is 0, 0.25 is 0.3, 0.5 is 0.7, 0.75 is 1 and 1 is 1.3, with
linear interpolation between them. The seed of a text is the number of the request in its library.

Only failed connections are retried, since any other request may have been charged. A request that a server declines
because of ``max_tokens``, ``seed`` or ``response_format`` is sent once more without it. The service responds to
errors as follows: 422 on the description or prompt if the model declines, 429 with Retry-After for a rate limit, 402
for an exhausted quota, 405 for what the server cannot do, 503 for an endpoint that does not respond or declines the
request, so that nothing is charged, 502 for an invalid response, and 504 for a timeout.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from inkframe.service.engines import DrawRequest, Text, Unavailable, WriteRequest
from inkframe.service.engines.openai.endpoint import Endpoint
from inkframe.service.engines.openai.pictures import (
    ask_picture,
    finish,
    picture_request,
    read_text,
    text_request,
)
from inkframe.service.engines.openai.settings import read_settings

__all__ = ["OpenAI"]

#: The status of what an endpoint cannot do, also later.
CANNOT = 405


class OpenAI:
    """Draws and writes with a model.

    Args:
        model: The model that writes; by default that of the settings, or the only one of the endpoint.
        image_model: The model that draws; by default that of the settings.

    Attributes:
        is_billed: Whether requests may be billed.
        at_once: The most requests at once.
        label: The models and their host.

    Raises:
        ConfigurationError: A setting is missing or invalid, or it is not clear which server or model is meant.
    """

    name = "openai"
    is_stand_in = False

    def __init__(self, model: str | None = None, image_model: str | None = None) -> None:
        self._settings = read_settings(model, image_model)
        place = self._settings.place
        self._host = urlsplit(place.base_url).netloc
        self._endpoint = Endpoint(place.base_url, place.key, self._settings.timeout)
        self.is_billed, self.at_once = self._settings.is_billed, self._settings.at_once
        writes, draws = self._settings.text_model, self._settings.image_model
        models = dict.fromkeys([writes, f"{draws} (pictures)" if draws and draws != writes else ""])
        self.label = f"{' and '.join(filter(None, models))} at {self._host}"

    def draw(self, request: DrawRequest) -> bytes:
        """Return the picture as PNG bytes.

        Raises:
            Refused: The model declines to draw this.
            Unavailable: The endpoint cannot be used now, or cannot draw at all.
        """
        model = self._settings.image_model
        if not model:
            raise Unavailable(
                f"{self.label} draws no pictures: ink.connect(…, image_model=…) names one that does.",
                status=CANNOT,
            )
        asked = picture_request(model, request, self._settings.image_sizes)
        try:
            data = ask_picture(self._endpoint, asked)
        except Unavailable as trouble:
            if trouble.status != CANNOT:
                raise
            raise Unavailable(f"{model} at {self._host} cannot draw pictures.", status=CANNOT) from None
        return finish(data, request, model)

    def write(self, request: WriteRequest) -> Text:
        """Return the text as Markdown.

        Raises:
            Refused: The model declines to write this.
            Unavailable: The endpoint cannot be used now, or no model is set that writes.
        """
        model = self._settings.text_model
        if not model:
            raise Unavailable(
                f"{self.label} writes no texts: ink.connect(…, model=…) names one that does.", status=CANNOT
            )
        body = text_request(model, request, self._settings.max_tokens)
        return read_text(self._endpoint.post("/chat/completions", body))

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
        return f"<OpenAI: {self.label}>"
