"""Measure and plot libraries of documents and pictures: frames in, frames out.

Every function takes a DataFrame with the documented columns and does not change it. It returns a tidy frame
whose ``attrs["analysis"]`` has the units and notes for the reader. Each function has a plot, which takes the
same frame or the result.

Of a dask frame, ``text_statistics`` measures each partition lazily. All other functions need all rows: pass the
result of its ``compute()``.

Plots need matplotlib, and intervals and tests of means SciPy: ``pip install "inkframe[analysis]"``. Topics, maps
and outliers need scikit-learn: ``pip install "inkframe[explore]"``. Everything else works without them.
"""

from inkframe.analysis.colors import picture_colors
from inkframe.analysis.creativity import creativity_response
from inkframe.analysis.duplicates import near_duplicates
from inkframe.analysis.embedding import embed
from inkframe.analysis.groups import compare_groups
from inkframe.analysis.keywords import keywords, similar
from inkframe.analysis.outliers import outliers
from inkframe.analysis.plots.colors import plot_picture_colors
from inkframe.analysis.plots.creativity import plot_creativity_response
from inkframe.analysis.plots.duplicates import plot_near_duplicates
from inkframe.analysis.plots.groups import plot_compare_groups, plot_win_rates
from inkframe.analysis.plots.keywords import plot_keywords, plot_similar
from inkframe.analysis.plots.map import plot_map
from inkframe.analysis.plots.statistics import plot_text_statistics
from inkframe.analysis.plots.summary import plot_coverage, plot_library_summary
from inkframe.analysis.projection import project
from inkframe.analysis.recommend import recommend
from inkframe.analysis.recommendation import Recommendation
from inkframe.analysis.similarity import pairwise_similarity
from inkframe.analysis.statistics import text_statistics
from inkframe.analysis.summary import coverage, library_summary
from inkframe.analysis.text_measures import Measures, measure
from inkframe.analysis.topics import clusters, topics
from inkframe.analysis.win_rates import win_rates

__all__ = [
    "Measures",
    "Recommendation",
    "clusters",
    "compare_groups",
    "coverage",
    "creativity_response",
    "embed",
    "keywords",
    "library_summary",
    "measure",
    "near_duplicates",
    "outliers",
    "pairwise_similarity",
    "picture_colors",
    "plot_compare_groups",
    "plot_coverage",
    "plot_creativity_response",
    "plot_keywords",
    "plot_library_summary",
    "plot_map",
    "plot_near_duplicates",
    "plot_picture_colors",
    "plot_similar",
    "plot_text_statistics",
    "plot_win_rates",
    "project",
    "recommend",
    "similar",
    "text_statistics",
    "topics",
    "win_rates",
]


def __dir__() -> list[str]:
    return sorted(__all__)
