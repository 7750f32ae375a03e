import pandas as pd

from inkframe.exploring.facet_list import SortBar
from inkframe.exploring.facets import Facets


def test_orders_of_a_frame():
    """The columns and the lengths of texts are offered; an order by a column that is gone ends, without a call."""
    changed = []
    bar = SortBar(lambda: changed.append(bar.sorting))
    frame = pd.DataFrame(
        {"name": ["a", "b"], "n": [1, 2], "result": ["A text. " * 40, "Another text. " * 40]}
    )
    bar.show(Facets(frame))
    texts = [f"length of {name}" for name in Facets(frame).texts]
    assert [words for words, _ in bar.order.options] == ["Given order", "name", "n", "result", *texts]
    assert "length of result" in texts
    bar.order.value = ("result", True)
    bar.descending.value = True
    bar.sort("n", descending=True)
    assert bar.sorting == {"sort_by": "n", "by_length": False, "ascending": False}
    bar.order.value = ("name", False)
    bar.order.value = ("n", False)
    bar.show(Facets(frame))
    assert bar.order.value == ("n", False)
    bar.show(Facets(frame.drop(columns="n")))
    assert bar.sorting == {"sort_by": None, "by_length": False, "ascending": False}
    bar.descending.value = False
    assert changed == [
        {"sort_by": "result", "by_length": True, "ascending": True},
        {"sort_by": "result", "by_length": True, "ascending": False},
        {"sort_by": "name", "by_length": False, "ascending": False},
        {"sort_by": "n", "by_length": False, "ascending": False},
        {"sort_by": None, "by_length": False, "ascending": True},
    ]
    assert (bar.order.description, bar.descending.description, bar.descending.indent) == (
        "Sort",
        "Descending",
        False,
    )
    assert bar.children == (bar.order, bar.descending)
