"""The words of the service: resolutions, looks, creativity, templates; each list is a data file."""

from inkframe.vocabulary.choices import Choice
from inkframe.vocabulary.prompt import compose_prompt, read_prompt
from inkframe.vocabulary.templates import Field, Template
from inkframe.vocabulary.vocabulary import Vocabulary

__all__ = ["Choice", "Field", "Template", "Vocabulary", "compose_prompt", "read_prompt"]
