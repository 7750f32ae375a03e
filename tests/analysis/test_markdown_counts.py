import pytest
from tests.cases import cases

from inkframe.analysis.text_measures import PATTERNS, count_matches, count_sentences


@cases(
    ("text", "sentences"),
    [
        ("One. Two! Three?", 3),
        ("He meant, e.g. this one. Done", 2),
        ("Wait... What? Pi is 3.14.", 3),
        ("“Quoted.” Next one.", 2),
        ("# A heading\nA sentence.\n- an item\n- another", 4),
        ("1. First\n2. Second", 2),
        ("Dr. Who met Mrs. Peel.", 1),
        ("你好。再见\uff01", 2),
        ("नमस्ते। फिर मिलेंगे।", 2),
        ("No mark at the end", 1),
        ("Great! 🚀\n\nBuy now 🚀", 2),
        ("", 0),
        (" \n ", 0),
    ],
)
def test_sentences(column, text, sentences):
    """Sentences end at their marks and at line ends, but not within abbreviations and numbers."""
    assert count_sentences(column(text)).tolist() == [sentences]


@pytest.mark.parametrize(
    ("text", "paragraphs"), [("One\ntwo\n\nthree", 2), ("One\r\n\r\n\r\ntwo\n\n", 2), ("", 0), ("\n\n", 0)]
)
def test_paragraphs(column, text, paragraphs):
    """Empty lines separate paragraphs."""
    assert count_matches(column(text), PATTERNS["paragraphs"]).tolist() == [paragraphs]


def test_headings(column):
    """Markdown and HTML headings count; hashtags and hash signs within a line do not."""
    texts = "# One\n## Two ## x\nC# is # no", "<h1>x</h1>\n<H2 class='a'>", "#tag", "####### seven"
    assert count_matches(column(*texts), PATTERNS["headings"]).tolist() == [2, 2, 0, 0]


def test_links(column):
    """Markdown links and bare addresses count once each."""
    texts = "[a](https://x.org) and https://y.org/z?q=1", '[b](/here "title")', "www.x.org", "a:b //c"
    assert count_matches(column(*texts), PATTERNS["links"]).tolist() == [2, 1, 1, 0]


def test_hashtags(column):
    """A hashtag has a letter; numbers, anchors, entities and headings do not count."""
    texts = "#one #zwei_2, (#trois) #日本", "#1 x#no page/#anchor &#x27; ## head", "#4ever"
    assert count_matches(column(*texts), PATTERNS["hashtags"]).tolist() == [4, 0, 1]
