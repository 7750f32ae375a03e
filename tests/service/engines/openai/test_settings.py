"""The settings of the engine."""

import pytest

from inkframe.errors import ConfigurationError
from inkframe.service.engines.openai.settings import read_settings


@pytest.mark.parametrize(
    ("given", "used"),
    [
        ("http://localhost:11434", "http://localhost:11434/v1"),
        ("http://localhost:11434/", "http://localhost:11434/v1"),
        ("https://models.example.com/v1/", "https://models.example.com/v1"),
        ("https://models.example.com/openai/beta", "https://models.example.com/openai/beta"),
    ],
)
def test_an_address_without_a_path_gets_the_default_path(settings, given, used):
    """A path is kept, since not every endpoint ends in /v1."""
    settings(base_url=given)
    assert read_settings().place.base_url == used


@pytest.mark.parametrize(
    ("change", "names"),
    [
        ({"base_url": "localhost:11434"}, "INKFRAME_OPENAI_BASE_URL"),
        ({"base_url": "https://user:hidden@models.example.com"}, "INKFRAME_OPENAI_BASE_URL"),
        ({"base_url": "https://models.example.com/v1?key=hidden"}, "INKFRAME_OPENAI_BASE_URL"),
        ({"base_url": "https://[models"}, "INKFRAME_OPENAI_BASE_URL"),
        ({"image_sizes": "512x512,large"}, "INKFRAME_OPENAI_IMAGE_SIZES"),
        ({"timeout": "soon"}, "INKFRAME_OPENAI_TIMEOUT"),
        ({"timeout": "0"}, "INKFRAME_OPENAI_TIMEOUT"),
        ({"max_tokens": "0"}, "INKFRAME_OPENAI_MAX_TOKENS"),
        ({"at_once": "many"}, "INKFRAME_OPENAI_AT_ONCE"),
        ({"billed": "yes"}, "INKFRAME_OPENAI_BILLED"),
    ],
)
def test_an_invalid_setting_is_named(settings, change, names):
    """The error names the variable and shows nothing that may be a key."""
    settings(**change)
    with pytest.raises(ConfigurationError, match=names) as caught:
        read_settings()
    assert "hidden" not in str(caught.value)
    assert str(caught.value).count("\n") <= 2


def test_optional_settings_have_defaults(settings):
    """Sizes and timeout are optional."""
    found = read_settings()
    assert (found.image_sizes, found.timeout, found.max_tokens, found.at_once) == ((), 170.0, 1000, 4)
    settings(image_sizes="512x512, 1024x768", timeout="2.5", max_tokens="300", at_once="8")
    found = read_settings()
    assert (found.image_sizes, found.timeout) == (((512, 512), (1024, 768)), 2.5)
    assert (found.max_tokens, found.at_once) == (300, 8)
