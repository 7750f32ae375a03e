"""The one rule that compares what was sent with what a reply shows."""

from __future__ import annotations

import pytest

from inkframe.replies.same_content import same_content


@pytest.mark.parametrize(
    ("sent", "shown", "expected"),
    [
        ("Kettle", "Kettle", "same"),
        (" Kettle\n", "Kettle", "same"),
        ("a\r\nb\rc", "a\nb\nc", "same"),
        ("- a\n- b", "- a - b", "other"),
        ("a  b", "a b", "other"),
        ("a\nb", "a b", "other"),
        ("Kettle", "kettle", "other"),
        ("", None, "same"),
        (None, "", "same"),
        (None, None, "same"),
        ("Kettle", None, "not shown"),
        (False, None, "not shown"),
        (True, True, "same"),
        (True, False, "other"),
        ("0.5", 0.5, "same"),
        (0.25, 0.25 + 1e-12, "same"),
        ("0.5", 0.75, "other"),
        (7, 7, "same"),
        (None, "x", "other"),
    ],
)
def test_a_value_is_compared_as_a_service_may_write_it(sent, shown, expected):
    """Line ends and outer white space do not count; inner white space, case and numbers do."""
    assert same_content(sent, shown) == expected
