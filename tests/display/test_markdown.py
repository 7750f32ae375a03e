"""Test rendering and sanitizing Markdown."""

import time
from html import escape

import pytest

from inkframe.display.markup import fold, folded_prose, prose, split


def test_html_is_text():
    """HTML in a text is shown as text."""
    assert prose("<b onclick=x>hi</b>") == '<p dir="auto">&lt;b onclick=x&gt;hi&lt;/b&gt;</p>\n'


@pytest.mark.parametrize("address", ["https://a.invalid/b?c&d", "http://a.invalid", "mailto:a@b.invalid"])
def test_links_to_pages_stay(address):
    """Web and mail links open in a new tab, without a referrer."""
    html = prose(f"[go]({address})")
    assert f'href="{address.replace("&", "&amp;")}"' in html
    assert 'target="_blank"' in html
    assert 'rel="noopener noreferrer nofollow"' in html


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        "data:text/html,x",
        "//evil.invalid",
        "/lab/api",
        "../x",
        "file:///etc",
        "JaVaScRiPt:x",
        "vbscript:x",
    ],
)
def test_other_links_are_removed(address):
    """Scripts, data, files and relative addresses are not links."""
    assert "href" not in prose(f"[go]({address})")


def test_pictures_become_their_descriptions():
    """A picture is replaced by its alternative text, and never fetched."""
    html = prose('![a <b> view](https://evil.invalid/x.png "t")')
    assert "<img" not in html
    assert "[<em>a &lt;b&gt; view</em>]" in html
    assert "evil.invalid" not in html


def test_long_texts_fold_between_blocks():
    """The beginning is visible, the rest is folded, and nothing is lost."""
    paragraphs = [f"Paragraph {n} " + "word " * 60 for n in range(20)]
    head, rest = split("\n\n".join(paragraphs), 1_000)
    assert head.rstrip() == "\n\n".join(paragraphs[:2]).rstrip()
    assert rest.startswith("Paragraph 2")
    html = folded_prose("\n\n".join(paragraphs), 1_000)
    assert html.count("<details") == 1
    assert html.count("Paragraph ") == 20
    assert "Show the rest (1,1" in html


@pytest.mark.parametrize(
    "sentence", ["One liter, four minutes. ", "Is it (really)? ", "朝は笛の前に始まる。"]
)
def test_a_text_without_blocks_folds_between_sentences(sentence):
    """One long paragraph is split at the end of a sentence, and nothing is lost."""
    head, rest = split(sentence * 400, 1_000)
    assert head.endswith(sentence.strip())
    assert rest.startswith(sentence)
    assert 500 < len(head) <= 1_000
    assert (head + rest).count(sentence.strip()) == 400


def test_a_text_without_blocks_folds_between_words():
    """One long paragraph is split at a space, and one long word at any position."""
    head, rest = split("word " * 2_000, 1_000)
    assert head.endswith("word")
    assert len(head) <= 1_000
    assert len(rest) > 8_000
    assert split("x" * 5_000, 1_000) == ("x" * 1_000, "x" * 4_000)


def test_short_texts_do_not_fold():
    """A text slightly over the limit is not folded."""
    assert split("a " * 60, 100) == ("a " * 60, "")
    assert "<details" not in folded_prose("short")


def test_a_code_block_is_not_split():
    """A fenced code block is kept in one part."""
    text = "x " * 200 + "\n\n```\n" + "code\n" * 40 + "```\n\n" + "y " * 600
    head, _ = split(text, 900)
    assert head.count("```") == 2


@pytest.mark.integration
@pytest.mark.parametrize(
    "text", ["[" * 4_000, "> " * 3_000, "*a " * 3_000, "![" * 1_500, "- " * 5_000, "`" * 9_001]
)
def test_nesting_bombs_stay_bounded(text):
    """Deep nesting is rendered without unbounded recursion or growth."""
    assert len(folded_prose(text)) < 20 * len(text) + 1_000


def test_a_fold_escapes_its_heading():
    """The heading of a fold is text."""
    assert fold("<b>", opened=True) == '<details class="ink-fold" open><summary>&lt;b&gt;</summary></details>'


@pytest.mark.integration
@pytest.mark.parametrize(
    "mark", ["[", "![", "[a](<b", "[a][b", "*a **a ", "a*", "&#", "a\n", "> a\n", "`a``b", "|a|b|\n"]
)
def test_thousands_of_marks_take_no_seconds(mark):
    """A text of marks is shown as it is, within half a second of computing, and a text with fewer is rendered."""
    text = (mark * 60_000)[:60_000]
    began = time.process_time()
    shown = str(folded_prose(text)) + str(prose(text))
    assert time.process_time() - began < 0.5
    assert escape(mark.strip()[:1]) in shown
    assert "<strong>" in prose("**bold** " * 500)


def test_a_text_of_marks_is_still_safe():
    """What is not rendered is escaped, in its paragraphs."""
    shown = str(prose("<script>alert(1)</script>\n\n" + "[" * 5_000))
    assert shown.startswith('<p dir="auto">&lt;script&gt;')
    assert shown.count("<p ") == 2


def test_whole_markdown(recorded):
    """Every kind of block, span and link in one text."""
    text = (
        "# One\n\n### Three\n\n###### Six\n\n*a* **b** ~~c~~ `d`<br>\nnext  \nbreak\n\n3. x\n4. y\n   - z\n\n> q\n\n---\n\n"
        "| h | i |\n|:--|--:|\n| c | [l](https://a.invalid/b?c&d 't') |\n\n```py\nx < 1\n```\n\n    indented\n\n"
        "<https://b.invalid> [m](mailto:a@b.invalid) [n](/x) ![p *q*](https://c.invalid/x.png)"
    )
    recorded("prose", str(prose(text)))


@pytest.mark.parametrize(("length", "folded"), [(2_520, False), (2_521, True)])
def test_texts_fold_above_a_limit(length, folded):
    """A text of 1.4 times the shown length is whole, and one character more is folded."""
    assert ("<details" in folded_prose(("a" * 1_500 + "\n\n").ljust(length, "b"))) is folded


@pytest.mark.parametrize(
    ("first", "shown"), [(590, "both"), (620, "first"), (1_590, "first"), (1_620, "cut")]
)
def test_a_block_ends_near_the_length(first, shown):
    """The first part ends with a block between 0.6 and 1.6 times the length, else within a block."""
    blocks = ["a" * first, "b" * 700, "c" * 2_000]
    head, rest = split("\n\n".join(blocks), 1_000)
    assert head == {"both": "\n\n".join(blocks[:2]), "first": blocks[0], "cut": "a" * 1_000}[shown]
    assert (head + rest).replace("\n", "") == "".join(blocks)


def test_the_number_of_marks_is_limited():
    """With 4,000 marks a text is rendered, and with one more it is shown as it is."""
    assert "<strong>" in prose("**a** " * 1_000)
    assert "<strong>" not in prose("**a** " * 1_000 + "*")
    assert prose("**a** " * 1_001 + "\n\n \n\nb").count("<p ") == 2


def test_the_length_of_a_cut_text():
    """A text at the limit is whole; one above is cut to it, with the numbers in a line."""
    assert "are shown" not in folded_prose("x" * 500, 400, 500)
    assert "500 characters of 501 are shown" in folded_prose("x" * 501, 400, 500)
