"""Build DataFrames from rows: fixed columns and types, categories, and provenance."""

from inkframe.frames.baselines import BASELINES
from inkframe.frames.build import FrameBuilder, columns_of
from inkframe.frames.categories import Categories
from inkframe.frames.comparing import plain, same
from inkframe.frames.ids import identified
from inkframe.frames.ordering import in_order
from inkframe.frames.provenance import ATTRIBUTE, origin, provenance

__all__ = [
    "ATTRIBUTE",
    "BASELINES",
    "Categories",
    "FrameBuilder",
    "columns_of",
    "identified",
    "in_order",
    "origin",
    "plain",
    "provenance",
    "same",
]
