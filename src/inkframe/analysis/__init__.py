"""Measure and plot libraries of documents and pictures: frames in, frames out.

Every function takes a DataFrame with the documented columns and does not change it. It returns a tidy frame
whose ``attrs["analysis"]`` has the units and notes for the reader. Each function has a plot, which takes the
same frame or the result.

Of a dask frame, ``text_statistics`` measures each partition lazily. All other functions need all rows: pass the
result of its ``compute()``.

Plots need matplotlib, and intervals and tests of means SciPy: ``pip install "inkframe[analysis]"``. Topics, maps
and outliers need scikit-learn: ``pip install "inkframe[explore]"``. Everything else works without them.
"""

from importlib import import_module

#: The module of each name. Names are imported at first use, from the room of their capability.
_MODULES = {
    "Measures": "inkframe.analysis.text_measures",
    "Recommendation": "inkframe.deciding.recommend",
    "clusters": "inkframe.exploring.finds",
    "compare_groups": "inkframe.deciding.verdict",
    "coverage": "inkframe.analysis.summary",
    "creativity_response": "inkframe.analysis.creativity",
    "embed": "inkframe.exploring.embed",
    "keywords": "inkframe.analysis.term_weights",
    "library_summary": "inkframe.analysis.summary",
    "measure": "inkframe.analysis.text_measures",
    "near_duplicates": "inkframe.analysis.duplicates",
    "outliers": "inkframe.exploring.finds",
    "pairwise_similarity": "inkframe.analysis.similarity",
    "picture_colors": "inkframe.analysis.colors",
    "plot_compare_groups": "inkframe.deciding.recommend",
    "plot_coverage": "inkframe.analysis.summary",
    "plot_creativity_response": "inkframe.analysis.creativity",
    "plot_keywords": "inkframe.analysis.term_weights",
    "plot_library_summary": "inkframe.analysis.summary",
    "plot_map": "inkframe.exploring.map",
    "plot_near_duplicates": "inkframe.analysis.duplicates",
    "plot_picture_colors": "inkframe.analysis.colors",
    "plot_similar": "inkframe.analysis.term_weights",
    "plot_text_statistics": "inkframe.analysis.statistics",
    "plot_win_rates": "inkframe.deciding.recommend",
    "project": "inkframe.exploring.map",
    "recommend": "inkframe.deciding.recommend",
    "similar": "inkframe.analysis.term_weights",
    "text_statistics": "inkframe.analysis.statistics",
    "topics": "inkframe.exploring.finds",
    "win_rates": "inkframe.deciding.win_rates",
}

__all__ = [*_MODULES]  # noqa: PLE0604  # all entries are strings


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_MODULES[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
