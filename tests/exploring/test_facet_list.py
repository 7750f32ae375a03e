import numpy as np
import pandas as pd
import pytest

from inkframe.exploring.facet_list import FacetList
from inkframe.exploring.facets import Facets
from inkframe.versions import text_type


@pytest.fixture
def source():
    """Return facets of each kind, with values that are missing."""
    at = np.arange(90)
    return Facets(pd.DataFrame({
        "kind": pd.Categorical([None, *np.where(at[1:] % 3, "FAQ", "Poem")]),
        "many": pd.Categorical([f"value {each:02} {'x' * 90}" for each in at]),
        "n": np.where(at < 4, np.nan, at * 1.0),
        "made": pd.to_datetime("2026-01-01") + pd.to_timedelta(at, "D"),
        "favorite": pd.array(at % 2 == 0, "boolean"),
        "result": pd.array([f"A long text about {each}. " * 20 for each in at], text_type()),
    }))  # fmt: skip


@pytest.fixture
def changes():
    """Return the filters that the list asked for."""
    return []


@pytest.fixture
def shown(source, changes):
    """Return a list that shows four facets and keeps what it is asked for."""
    made = FacetList(lambda filters: changes.append(dict(filters)))
    made.sent = []
    made.send = made.sent.append
    made.show(source, ["kind", "n", "made", "many"], {})
    return made


def test_whole_facets(shown, source, recorded):
    """Values with their counts, bars with their bounds, and what is filtered."""
    time = pd.Timestamp("2026-02-01")
    found = {"at first": [shown.facets, shown.available, shown.search, shown.filtered]}
    for name, filters in {
        "values": {"kind": ["Poem", None], "search": "about 1"},
        "bounds": {"n": (10.0, None), "made": (None, time)},
        "both bounds": {"n": (4.5, 80.0), "favorite": [True]},
        "outside": {"n": (-5.0, 1000.0), "made": (time, time)},
    }.items():
        shown.show(source, ["kind", "n", "made"], source.check(filters))
        found[name] = [shown.facets, shown.available, shown.search, shown.filtered, shown.names]
    recorded("facets", found)


def test_values_without_records_are_last(shown, source):
    """Values that the other filters leave come first in their order, so that those of none are not in their place."""
    [facet] = [each for each in shown.facets if each["name"] == "many"]
    before = [each["label"] for each in facet["values"]]
    shown.show(source, ["many"], source.check({"n": (10.0, 12.0)}))
    [facet] = [each for each in shown.facets if each["name"] == "many"]
    values = facet["values"]
    assert [each["count"] for each in values][:4] == [1, 1, 1, 0]
    assert {each["label"][:8] for each in values[:3]} == {"value 10", "value 11", "value 12"}
    assert [each["label"] for each in values[3:]] == [
        each for each in before if each[6:8] not in {"10", "11", "12"}
    ]
    assert all(source["many"].choices[each["at"]].startswith(each["label"][:8]) for each in values)


def test_what_a_person_does(shown, changes, send, source):
    """Each message of the page becomes the filters that it means; others change nothing."""
    for kind, content in (
        ("choose", {"name": "kind", "at": 1, "on": True}), ("choose", {"name": "kind", "at": -1, "on": True}),
        ("choose", {"name": "kind", "at": 1, "on": False}), ("choose", {"name": "kind", "at": -1}),
        ("choose", {"name": "favorite", "at": 0, "on": True}), ("range", {"name": "n", "from": 0, "to": 3}),
        ("range", {"name": "n", "from": 2, "to": 99}), ("range", {"name": "result", "from": 0, "to": 3}),
        ("search", {"text": "tea"}), ("add", {"name": "favorite"}), ("add", {"name": "none"}),
        ("remove", {"name": "n"}), ("remove", {"name": "none"}), ("clear", {"name": "search"}), ("search", {}), ("clear", {}), ("other", {"name": "n", "at": 0, "on": True, "from": 0, "to": 1}),
    ):  # fmt: skip
        before = len(changes)
        send(shown, kind, **content)
        assert len(changes) == before + 1
        shown.show(source, shown.names, source.check(changes[-1]))
    edges = source["n"].edges
    ranges = [(None, float(edges[3])), (float(edges[2]), None)]
    assert changes == [
        {"kind": ["Poem"]}, {"kind": ["Poem", None]}, {"kind": [None]}, {}, {}, {"n": ranges[0]}, {"n": ranges[1]},
        {"n": ranges[1]}, {"n": ranges[1], "search": "tea"}, {"n": ranges[1], "search": "tea"},
        {"n": ranges[1], "search": "tea"}, {"search": "tea"}, {"search": "tea"}, {}, {"search": ""}, {}, {},
    ]  # fmt: skip
    assert shown.names == ["kind", "made", "many", "favorite"]
    assert shown.sent == [{"kind": "answered"}] * 2


def test_a_range_of_times(shown, changes, send, source):
    """The bounds of bars are times; a range of a column in place of values takes those away."""
    send(shown, "range", name="made", **{"from": 1, "to": 4})
    low, high = changes[-1]["made"]
    edges = [pd.Timestamp(int(source["made"].edges[at]), unit="us") for at in (1, 4)]
    assert [low, high] == edges
    edge = float(source["n"].edges[2])
    shown.show(source, shown.names, source.check({"n": (edge, edge)}))
    assert shown.facets[1]["chosen"] == [2, 3]
    shown.show(source, shown.names, source.check({"n": (1.0, 2.0)}))
    send(shown, "range", name="n", **{"from": 0, "to": 99})
    assert changes[-1] == {"n": (None, None)}
    last = len(source["n"].edges) - 1
    send(shown, "range", name="n", **{"from": 1, "to": last})
    send(shown, "range", name="n", **{"from": 1, "to": last - 1})
    assert [each["n"][1] for each in changes[-2:]] == [None, float(source["n"].edges[last - 1])]


def test_nothing_is_asked_before_there_are_facets(changes, send):
    """A message that comes early changes nothing."""
    send(FacetList(changes.append), "clear")
    assert changes == []
