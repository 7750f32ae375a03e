"""Write texts by rule: documents in the form of their template, from the words of the prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inkframe_demo.texts import articles, company, editing, lines, products, tags, video
from inkframe_demo.texts.material import read_material
from inkframe_demo.texts.voice import Voice
from inkframe_demo.texts.writer import Writer

if TYPE_CHECKING:
    from collections.abc import Callable

    from inkframe.service.engines import WriteRequest

__all__ = ["write_text"]

FORMS: dict[int, Callable[[Writer], str]] = {
    **articles.FORMS,
    **products.FORMS,
    **company.FORMS,
    **editing.FORMS,
    **lines.FORMS,
    **tags.FORMS,
    **video.FORMS,
}


def write_text(request: WriteRequest) -> str:
    """Write a document in English, as Markdown.

    The same request gives the same text in any process. At creativity 0 the take has no effect; at 1
    every take gives another text.

    Args:
        request: The prompt, the creativity, the template and the take.
    """
    material = read_material(request)
    writer = Writer(material, Voice(request))
    return FORMS.get(material.template_id, FORMS[1])(writer).strip()
