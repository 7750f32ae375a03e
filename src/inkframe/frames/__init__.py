"""Build DataFrames from rows: fixed columns and types, categories, and provenance."""

from inkframe.errors import ConfigurationError

try:
    import pyarrow  # noqa: F401, ICN001  # here, since every frame needs it
except ImportError as error:  # pip installs a PyArrow that needs NumPy 2 beside NumPy 1.26
    raise ConfigurationError(
        f'PyArrow cannot be imported: {error}.\nRun pip install "pyarrow<26", or pip install "numpy>=2".'
    ) from error

from inkframe.frames.baselines import (
    ATTRIBUTE,
    BASELINES,
    COLUMNS,
    SOURCES,
    attribute,
    differing,
    fit_int64,
    named_service,
    origin,
    plain,
    provenance,
    same,
    stacked,
)
from inkframe.frames.build import Categories, FrameBuilder, columns_of
from inkframe.frames.frame_records import (
    ENDINGS,
    Records,
    column_source,
    generated_columns,
    held_by,
    identified,
    ids_of_pictures,
    kind_of,
    of_column,
    records_of,
    rows_of,
    text_column,
)
from inkframe.frames.spreadsheets import neutralize_formulas, restored

__all__ = [
    "ATTRIBUTE",
    "BASELINES",
    "COLUMNS",
    "ENDINGS",
    "SOURCES",
    "Categories",
    "FrameBuilder",
    "Records",
    "attribute",
    "column_source",
    "columns_of",
    "differing",
    "fit_int64",
    "generated_columns",
    "held_by",
    "identified",
    "ids_of_pictures",
    "kind_of",
    "named_service",
    "neutralize_formulas",
    "of_column",
    "origin",
    "plain",
    "provenance",
    "records_of",
    "restored",
    "rows_of",
    "same",
    "stacked",
    "text_column",
]
