"""The one rule that compares what was sent with what a reply shows."""

from tests.cases import cases

from inkframe.replies.values import same_content

#: Values that were sent, and what is shown of them, by how they compare.
PAIRS = {
    "same": [("Kettle", "Kettle"), (" Kettle\n", "Kettle"), ("a\r\nb\rc", "a\nb\nc"), ("", None), (None, ""),
             (None, None), (True, True), ("0.5", 0.5), (0.25, 0.25 + 1e-12), (7, 7), ("Kettle", " Kettle\r\n")],
    "version": [("- a\n- b", "- a - b"), ("a  b", "a b"), ("a\nb", "a b"), ("Kettle", "kettle"), (0, 1e-9),
                (0.500000001, 0), ("Boat", "Boat (2)"), ("Kettle", "KETTLE"), ("Café  crème!", "cafe-creme"),
                ("Fish & chips", "Fish &amp; chips"), ("**bold** text", "<p><b>bold</b> text</p>"),
                ("A long name of a kettle", "A long nam"), ("A long name of a kettle", "A long n…"),
                ("Kettle", "Kettle (2)"), ("Write about tea.", "Answer in English. Write about tea. Be brief."),
                ("東京の夜です", "東京の夜"), ("pop_art", "Pop Art"), (0.25, 0.3), ("0.75", 0.8), (0.25, 0)],
    "hidden": [("Kettle", None), (False, None)],
    "other": [(True, False), ("0.5", 0.75), (None, "x"), (None, 0.5), (True, "True"), (None, "Kettle"),
              ("Kettle", ""), ("Kettle", "Ket"), ("Kettle", "Lamp"), ("Kettle", "A nicekettle"),
              ("tea", "A cup of tea"), ("Harbor at dawn", "at dawn"), ("🌊", "🔥"), (0.25, 0.75), (0.5, 0.56),
              (0.25, 1), ("yes", True)],
}  # fmt: skip


@cases(
    ("sent", "shown", "expected"), [(*pair, expected) for expected, pairs in PAIRS.items() for pair in pairs]
)
def test_a_value_is_compared_as_a_service_may_write_it(sent, shown, expected):
    """Line ends and outer white space do not count; of inner white space, case, accents, tags, cuts and rounding it is a version."""
    assert same_content(sent, shown) == expected
