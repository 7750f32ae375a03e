"""Build DataFrames from rows: fixed columns and types, categories, and provenance."""

from inkframe.frames.baselines import (
    ATTRIBUTE,
    BASELINES,
    COLUMNS,
    SOURCES,
    attribute,
    column_source,
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
    "SOURCES",
    "Categories",
    "FrameBuilder",
    "attribute",
    "column_source",
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
