"""The values a service allows: resolutions, looks, creativity steps and templates, as data files."""

from inkframe.vocabulary.prompt import compose_prompt, read_prompt
from inkframe.vocabulary.vocabulary import Choice, Field, Template, Vocabulary

__all__ = ["Choice", "Field", "Template", "Vocabulary", "compose_prompt", "read_prompt"]
