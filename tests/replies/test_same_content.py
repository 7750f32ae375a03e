"""The one rule that compares what was sent with what a reply shows."""

from tests.cases import cases

from inkframe.replies.same_content import same_content


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
    ],
)
def test_a_value_is_compared_as_a_service_may_write_it(sent, shown, expected):
    """Line ends and outer white space do not count; inner white space, case and numbers do."""
    assert same_content(sent, shown) == expected


@cases(
    ("sent", "shown"),
    [
        ("Kettle", " Kettle\r\n"),
        ("Kettle", "KETTLE"),
        ("Café  crème!", "cafe-creme"),
        ("Fish & chips", "Fish &amp; chips"),
        ("**bold** text", "<p><b>bold</b> text</p>"),
        ("A long name of a kettle", "A long nam"),
        ("A long name of a kettle", "A long n…"),
        ("Kettle", "Kettle (2)"),
        ("Write about tea.", "Answer in English. Write about tea. Be brief."),
        ("東京の夜です", "東京の夜"),
        ("pop_art", "Pop Art"),
        (0.25, 0.3),
        ("0.75", 0.8),
        (0.25, 0),
        (True, True),
    ],
)
def test_a_changed_value_is_recognized(sent, shown):
    """Services change case, accents, tags, punctuation and length, add words, and round numbers."""
    assert same_content(sent, shown) in ("same", "version")


@cases(
    ("sent", "shown"),
    [
        ("Kettle", None),
        (None, "Kettle"),
        ("Kettle", ""),
        ("Kettle", "Ket"),
        ("Kettle", "Lamp"),
        ("Kettle", "A nicekettle"),
        ("tea", "A cup of tea"),
        ("Harbor at dawn", "at dawn"),
        ("🌊", "🔥"),
        (0.25, 0.75),
        (0.5, 0.56),
        (0.25, 1),
        (True, False),
        ("yes", True),
    ],
)
def test_another_value_is_not_recognized(sent, shown):
    """A short common part, the end of a text, or another number does not make two values one."""
    assert same_content(sent, shown) in ("other", "hidden")
