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
