"""Single values of each type, as services write them."""

from inkframe.replies.values import (
    nested_key,
    read_boolean,
    read_each,
    read_id,
    read_integer,
    read_nested_text,
    read_number,
    read_text,
)

NAN, INFINITE = float("nan"), float("inf")


def read_all(read, values):
    """Return the results with their types, since 1 equals True and 1.0."""
    return [(type(found), found) for found in map(read, values)]


def typed(*values):
    return [(type(value), value) for value in values]


def test_booleans_in_every_form():
    """The usual words in any case are parsed, and no other number or text."""
    yes = [True, 1, 1.0, "1", "true", "yes", "on", "t", "y", " TRUE\n"]
    no = [False, 0, 0.0, "0", "false", "no", "off", "f", "n", " Off "]
    assert read_all(read_boolean, yes) == typed(*[True] * len(yes))
    assert read_all(read_boolean, no) == typed(*[False] * len(no))
    assert [read_boolean(other) for other in (None, 2, -1, 0.5, NAN, "", "2", "ja", [], {}, [1])] == [
        None
    ] * 11


def test_numbers_in_every_form():
    """Numbers and their texts are parsed, and must be finite."""
    assert read_all(read_number, [7, 7.5, "7", " 7.5 ", "-1e3"]) == typed(7.0, 7.5, 7.0, 7.5, -1000.0)
    others = (None, True, False, NAN, INFINITE, "inf", "nan", "", "x", [7], {}, 10**400, "9" * 101)
    assert [read_number(other) for other in others] == [None] * len(others)


def test_integers_within_64_bits():
    """An integer may be a float, a text or the id of an object; it must fit 64 bits."""
    low, high = -(2**63), 2**63 - 1
    assert read_all(
        read_integer, [low, high, 7, 7.0, "7", "-7", {"id": 7}, {"id": "7", "name": "x"}]
    ) == typed(low, high, 7, 7, 7, -7, 7, 7)
    others = (
        None,
        True,
        low - 1,
        high + 1,
        2.0**63,
        -(2.0**63),
        7.5,
        "7.5",
        "x",
        {},
        {"name": 7},
        {"id": True},
        [7],
    )
    assert [read_integer(other) for other in others] == [None] * len(others)


def test_ids_are_integers_or_texts():
    """An id is unchanged; an object with one key is the id of a database driver."""
    assert read_all(read_id, [0, 7, -7, 2**80, "7", "a b", {"$oid": "65a"}, {"x": {"y": 7}}, [7]]) == typed(
        0, 7, -7, 2**80, "7", "a b", "65a", 7, 7
    )
    others = (None, True, 7.0, "", [], [7, 8], {}, {"a": 1, "b": 2}, {"a": ""})
    assert [read_id(other) for other in others] == [None] * len(others)


def test_texts_of_other_values():
    """Numbers, booleans, lists and objects become their text in JSON."""
    assert read_all(read_text, [None, "", "a", True, False, 7, 7.5]) == typed(
        None, "", "a", "true", "false", "7", "7.5"
    )
    assert read_all(read_text, [[1, "a"], {"a": None}, [2**80], object]) == typed(
        '[1,"a"]', '{"a":null}', str([2**80]), str(object)
    )


def test_the_text_as_written_comes_first():
    """Of several forms of a text in an object, that as written is read, and that as displayed last."""
    keys = ("raw", "plain", "text", "value", "content", "body", "markdown", "md", "html", "rendered")
    for place, key in enumerate(keys):
        later = {other: other for other in reversed(keys[place:])}
        assert (nested_key(later), read_nested_text(later)) == (key, key)
        assert nested_key({key: 7}) is None
        assert read_nested_text({key: ""}) == ""
        assert (nested_key({key: None}), read_nested_text({key: None})) == (key, None)
        assert read_nested_text({"plain": None, key: "x"}) == "x"
    assert nested_key("raw") is None
    assert read_nested_text({"other": "x"}) == "x"
    assert read_nested_text({"other": "x", "one": "y"}) is read_nested_text(["x", "y"]) is None
    assert read_nested_text(None) is None


def test_columns_with_one_unusual_value():
    """Values of the usual type are returned as they are, and all are parsed if one is not of that type."""
    for read, usual, odd, expected in (
        (read_text, ["a", None], 7, "7"),
        (read_nested_text, ["a", None], {"raw": "b"}, "b"),
        (read_boolean, [True, None], "no", False),
        (read_number, [1.5, -2.0], "7", 7.0),
        (read_number, [1.5], INFINITE, None),
        (read_integer, [1, -(2**63), 2**63 - 1], "7", 7),
        (read_integer, [1], 2**63, None),
        (read_integer, [1], -(2**63) - 1, None),
    ):
        assert read_each(usual, read) is usual
        assert typed(*read_each([*usual, odd], read)) == typed(*usual, expected)
    assert read_each([], read_integer) == []
    assert typed(*read_each([1, None, True], read_integer)) == typed(1, None, None)
