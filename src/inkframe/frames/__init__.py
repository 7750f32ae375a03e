"""Build DataFrames from rows: fixed columns and types, categories, and provenance."""

from inkframe.frames.baselines import (
    ATTRIBUTE,
    BASELINES,
    COLUMNS,
    SOURCES,
    attribute,
    differing,
    identified,
    named_service,
    origin,
    plain,
    provenance,
    same,
    stacked,
)
from inkframe.frames.build import Categories, FrameBuilder, columns_of
from inkframe.frames.spreadsheets import neutralize_formulas, restored

__all__ = [
    "ATTRIBUTE",
    "BASELINES",
    "COLUMNS",
    "SOURCES",
    "Categories",
    "FrameBuilder",
    "attribute",
    "columns_of",
    "differing",
    "identified",
    "named_service",
    "neutralize_formulas",
    "origin",
    "plain",
    "provenance",
    "restored",
    "same",
    "stacked",
]
