import pytest
from tests.cases import cases

from inkframe.analysis import measure, text_statistics
from inkframe.analysis.text_measures import prose


@cases(
    ("text", "plain"),
    [
        ("Boil `water now` slowly.", "Boil  slowly."),
        ("Boil ``a ` b`` slowly.", "Boil  slowly."),
        ("One.\n```python\nx = 1\n```\nTwo.", "One.\n\n\nTwo."),
        ("One.\n~~~\nx = 1", "One.\n\n"),
        (
            "See [the manual](https://example.com/a/b) or ![a pier](pier.png).",
            "See [the manual] or ![a pier].",
        ),
        ("See https://example.com/a_b?c=d now, or www.example.com.", "See  now, or "),
        ("<p class='x'>Hello <b>there</b></p>", " Hello  there  "),
        ("1. First\n2. Second\n 13) Third", "First\nSecond\n Third"),
        ("It costs 3 < 4 and 5 > 2. `unclosed\n`", "It costs 3 < 4 and 5 > 2. `unclosed\n`"),
        ("# A *strong* text", "# A *strong* text"),
        ("In 1998. Then", "In 1998. Then"),
        ("Boil<br>slowly.", "Boil slowly."),
        ("See [it](a.png).", "See [it]."),
        ("See http://a.b now", "See  now"),
        ("See WWW.example.com now", "See  now"),
        ("12. Twelve", "Twelve"),
        ("7)\tSeven", "Seven"),
        ("1234. A year, 7.5 and f(x)", "1234. A year, 7.5 and f(x)"),
    ],
)
def test_what_is_not_prose_is_left_out(column, text, plain):
    """Code, addresses, tags and numbers of lists are left out; the words of links and all else stay."""
    assert prose(column(text)).to_pylist() == [plain]


@pytest.mark.integration
def test_words_and_readability_are_those_of_the_prose(column):
    """Statistics and measures of a text with code, links and lists are those of its words."""
    import pandas as pd

    plain = "The kettle boils. It is quick.\n\nSteel\nCopper"
    marked = "The [kettle](https://example.com/kettle) boils. It is `x = 1` quick.\n\n1. Steel\n2. Copper"
    names = ["words", "sentences", "syllables", "reading_ease", "reading_minutes"]
    found = text_statistics(pd.DataFrame({"result": [plain, marked]}), language="en")
    assert found[names].iloc[0].tolist() == found[names].iloc[1].tolist()
    assert found["links"].tolist() == [0, 1]
    one, other = measure([plain, marked], language="en")
    assert (
        (one.words, one.reading_ease)
        == (other.words, other.reading_ease)
        == (8, found["reading_ease"].iloc[0])
    )
