from tests.services.json_pattern import fill

VALUES = {"rows": [1, 2], "total": 2, "collection": "images", "nothing": None}


def test_names_are_replaced_as_values_and_as_keys():
    """A pattern keeps its shape, and every name in it is replaced by its value."""
    pattern = {"$collection": "$rows", "meta": {"total": "$total", "kind": "list"}, "all": ["$total", 3]}
    expected = {"images": [1, 2], "meta": {"total": 2, "kind": "list"}, "all": [2, 3]}
    assert fill(pattern, VALUES.__getitem__) == expected


def test_a_question_mark_omits_none():
    """A value of None stays unless its key is optional."""
    assert fill({"next": "$nothing", "more?": "$nothing", "sum?": "$total"}, VALUES.__getitem__) == {
        "next": None,
        "sum": 2,
    }
