"""Build DataFrames from rows: fixed columns and types, categories, and provenance."""

from inkframe.frames.baselines import (
    ATTRIBUTE,
    BASELINES,
    COLUMNS,
    attribute,
    differing,
    generated_columns,
    identified,
    named_service,
    origin,
    plain,
    provenance,
    records_of_column,
    same,
    stacked,
)
from inkframe.frames.build import Categories, FrameBuilder, columns_of
from inkframe.frames.spreadsheets import neutralize_formulas, restored

__all__ = [
    "ATTRIBUTE",
    "BASELINES",
    "COLUMNS",
    "Categories",
    "FrameBuilder",
    "attribute",
    "columns_of",
    "differing",
    "generated_columns",
    "identified",
    "named_service",
    "neutralize_formulas",
    "origin",
    "plain",
    "provenance",
    "records_of_column",
    "restored",
    "same",
    "stacked",
]
