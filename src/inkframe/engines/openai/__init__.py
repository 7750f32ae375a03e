"""The engine that asks a model, behind any endpoint of the OpenAI protocol that the user runs or rents.

It is chosen with ``INKFRAME_ENGINE=openai`` or ``ink.connect(engine="openai")`` and set up by variables:

============================== ==================================================================================
``INKFRAME_OPENAI_BASE_URL``    the endpoint, such as ``http://localhost:11434/v1``; an address without a path
                                gets ``/v1``
``INKFRAME_OPENAI_API_KEY``     its key, where it wants one; sent to this endpoint only, and shown nowhere
``INKFRAME_OPENAI_TEXT_MODEL``  the model that writes, asked at ``/chat/completions``
``INKFRAME_OPENAI_IMAGE_MODEL`` the model that draws, asked at ``/images/generations``
``INKFRAME_OPENAI_IMAGE_SIZES`` the sizes it draws, such as ``512x512,1024x1024``, where it is no model of OpenAI's;
                                without it, the resolution itself is asked for
``INKFRAME_OPENAI_TIMEOUT``     seconds for one picture or text, 170 if not set
============================== ==================================================================================

Style and medium become words of the prompt. The filter is applied to the finished picture, exactly as the
offline engine does it. A picture is asked for in the supported size that is nearest, and brought to the
resolution. Creativity becomes the temperature: 0 is 0, 0.25 is 0.3, 0.5 is 0.7, 0.75 is 1 and 1 is 1.3, in
even steps between.

Only a connection that could not be made is tried again, since anything else may have been charged; and a server
that does not know ``response_format`` is asked once more without it. What goes wrong is answered by the service:
a refusal of the model with 422 at the description or prompt, a rate limit with 429 and Retry-After, an endpoint
that does not answer with 503, a wrong answer with 502, none in time with 504.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inkframe.engines.openai.endpoint import Endpoint
from inkframe.engines.openai.key import Bearer
from inkframe.engines.openai.pictures import ask_picture, finish, picture_request
from inkframe.engines.openai.settings import IMAGE_MODEL, KEY, TEXT_MODEL, read_settings, setting
from inkframe.engines.openai.texts import read_text, text_request
from inkframe.engines.protocol import Unavailable

if TYPE_CHECKING:
    from inkframe.engines.protocol import DrawRequest, WriteRequest

__all__ = ["OpenAI"]


class OpenAI:
    """Draws and writes by asking a model.

    Raises:
        ConfigurationError: A setting is missing or cannot be used.
    """

    name = "openai"
    is_stand_in = False

    def __init__(self) -> None:
        self._settings = read_settings()
        key = Bearer(setting(KEY))
        key.check()
        self._endpoint = Endpoint(self._settings.base_url, key, self._settings.timeout)

    def draw(self, request: DrawRequest) -> bytes:
        """Give the picture as PNG bytes.

        Raises:
            Refused: The model will not draw this.
            Unavailable: The endpoint cannot be used now.
        """
        model = _chosen(self._settings.image_model, "picture", IMAGE_MODEL)
        asked = picture_request(model, request, self._settings.image_sizes)
        return finish(ask_picture(self._endpoint, asked), request, model)

    def write(self, request: WriteRequest) -> str:
        """Give the text, as Markdown.

        Raises:
            Refused: The model will not write this.
            Unavailable: The endpoint cannot be used now.
        """
        model = _chosen(self._settings.text_model, "text", TEXT_MODEL)
        return read_text(self._endpoint.post("/chat/completions", text_request(model, request)))

    def check(self) -> None:
        """Ask for the list of models, which costs nothing.

        Raises:
            Unavailable: The endpoint cannot be used now.
        """
        self._endpoint.get("/models")

    def close(self) -> None:
        """Close the connections."""
        self._endpoint.close()

    def __repr__(self) -> str:
        models = [model for model in (self._settings.text_model, self._settings.image_model) if model]
        return f"<OpenAI: {' and '.join(models)} at {self._settings.base_url}>"


def _chosen(model: str, product: str, variable: str) -> str:
    if not model:
        raise Unavailable(f"No model is set that makes a {product}: set {variable}.", status=502)
    return model
