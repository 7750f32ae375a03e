import dataclasses
import pkgutil
from importlib import import_module

import pytest

import inkframe

#: Values are assigned to these after they are made; all others stay as they are.
CHANGING = {
    "Outline",
    "Columns",
    "Completeness",
    "Log",
    "UnionLog",
    "Dialect",
    "ListReply",
    "Page",
    "Probes",
    "Record",
    "Content",
    "Row",
    "Cell",
    "Budget",
    "_CheckState",
}
#: These keep more than their fields, such as what is computed from them once it is asked for.
KEEPING = {
    "Address",
    "Comparison",
    "TypedRecord",
    "Image",
    "Document",
    "ResourceSpec",
    "Embedder",
}


def name_of(each):
    return each.__qualname__


@pytest.fixture(scope="module")
def records():
    """Return every dataclass of the package."""
    modules = [import_module(each.name) for each in pkgutil.walk_packages(inkframe.__path__, "inkframe.")]
    found = {each for module in modules for each in vars(module).values() if dataclasses.is_dataclass(each)}
    return {each for each in found if isinstance(each, type) and each.__module__.startswith("inkframe.")}


def test_only_those_that_change_take_new_values(records):
    """A value of a dataclass cannot be replaced by accident."""
    assert {name_of(each) for each in records if not each.__dataclass_params__.frozen} == CHANGING


def test_no_dataclass_takes_an_unknown_attribute(records):
    """A misspelled attribute is an error when it is assigned."""
    assert {name_of(each) for each in records if "__slots__" not in vars(each)} == KEEPING
