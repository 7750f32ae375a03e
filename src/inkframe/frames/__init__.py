"""Build DataFrames from rows: fixed columns and types, categories, and provenance."""

from inkframe.frames.baselines import BASELINES
from inkframe.frames.build import FrameBuilder, columns_of
from inkframe.frames.categories import Categories
from inkframe.frames.comparing import plain, same
from inkframe.frames.ids import identified
from inkframe.frames.provenance import ATTRIBUTE, differing, origin, provenance
from inkframe.frames.spreadsheets import neutralize_formulas, restored

__all__ = [
    "ATTRIBUTE",
    "BASELINES",
    "Categories",
    "FrameBuilder",
    "columns_of",
    "differing",
    "identified",
    "neutralize_formulas",
    "origin",
    "plain",
    "provenance",
    "restored",
    "same",
]
