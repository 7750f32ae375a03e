"""The one rule that compares what was sent with what a reply shows."""

from tests.cases import cases

from inkframe.replies.values import same_content


@cases(
    ("sent", "shown", "expected"),
    [
        ("Kettle", "Kettle", "same"),
        (" Kettle\n", "Kettle", "same"),
        ("a\r\nb\rc", "a\nb\nc", "same"),
        ("- a\n- b", "- a - b", "version"),
        ("a  b", "a b", "version"),
        ("a\nb", "a b", "version"),
        ("Kettle", "kettle", "version"),
        ("", None, "same"),
        (None, "", "same"),
        (None, None, "same"),
        ("Kettle", None, "hidden"),
        (False, None, "hidden"),
        (True, True, "same"),
        (True, False, "other"),
        ("0.5", 0.5, "same"),
        (0.25, 0.25 + 1e-12, "same"),
        ("0.5", 0.75, "other"),
        (7, 7, "same"),
        (None, "x", "other"),
        (None, 0.5, "other"),
        (True, "True", "other"),
        (0, 1e-9, "version"),
        (0.500000001, 0, "version"),
        ("Boat", "Boat (2)", "version"),
        ("Kettle", " Kettle\r\n", "same"),
        ("Kettle", "KETTLE", "version"),
        ("Café  crème!", "cafe-creme", "version"),
        ("Fish & chips", "Fish &amp; chips", "version"),
        ("**bold** text", "<p><b>bold</b> text</p>", "version"),
        ("A long name of a kettle", "A long nam", "version"),
        ("A long name of a kettle", "A long n…", "version"),
        ("Kettle", "Kettle (2)", "version"),
        ("Write about tea.", "Answer in English. Write about tea. Be brief.", "version"),
        ("東京の夜です", "東京の夜", "version"),
        ("pop_art", "Pop Art", "version"),
        (0.25, 0.3, "version"),
        ("0.75", 0.8, "version"),
        (0.25, 0, "version"),
        (None, "Kettle", "other"),
        ("Kettle", "", "other"),
        ("Kettle", "Ket", "other"),
        ("Kettle", "Lamp", "other"),
        ("Kettle", "A nicekettle", "other"),
        ("tea", "A cup of tea", "other"),
        ("Harbor at dawn", "at dawn", "other"),
        ("🌊", "🔥", "other"),
        (0.25, 0.75, "other"),
        (0.5, 0.56, "other"),
        (0.25, 1, "other"),
        ("yes", True, "other"),
    ],
)
def test_a_value_is_compared_as_a_service_may_write_it(sent, shown, expected):
    """Line ends and outer white space do not count; of inner white space, case, accents, tags, cuts and rounding it is a version."""
    assert same_content(sent, shown) == expected
