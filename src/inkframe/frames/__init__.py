"""Rows to DataFrames: fixed columns and types, categories, and where a frame came from."""

from inkframe.frames.build import FrameBuilder
from inkframe.frames.categories import Categories
from inkframe.frames.ordering import in_order
from inkframe.frames.provenance import ATTRIBUTE, provenance, register_accessor
from inkframe.frames.schema import DOCUMENT_COLUMNS, IMAGE_COLUMNS, columns_of

__all__ = [
    "ATTRIBUTE",
    "DOCUMENT_COLUMNS",
    "IMAGE_COLUMNS",
    "Categories",
    "FrameBuilder",
    "columns_of",
    "in_order",
    "provenance",
    "register_accessor",
]

register_accessor()
