"""Markdown, typeset and cleaned."""

from __future__ import annotations

import pytest

from inkframe.display.markdown import fold, folded_prose, prose, split


def test_common_markdown_is_typeset():
    """Headings stand below a document's own, and every block finds its direction by itself."""
    html = prose("# One\n\n*a* **b** ~~c~~ `d`\n\n3. x\n\n> q\n\n| h |\n|---|\n| c |\n\n```py\nx < 1\n```")
    assert '<h4 dir="auto">One</h4>' in html
    assert "<em>a</em> <strong>b</strong> <s>c</s> <code>d</code>" in html
    assert '<ol start="3">' in html
    assert '<td dir="auto">c</td>' in html
    assert "x &lt; 1" in html


def test_html_is_text():
    """Markup in a text is shown, not obeyed."""
    assert prose("<b onclick=x>hi</b>") == '<p dir="auto">&lt;b onclick=x&gt;hi&lt;/b&gt;</p>\n'


@pytest.mark.parametrize("address", ["https://a.invalid/b?c&d", "http://a.invalid", "mailto:a@b.invalid"])
def test_links_to_pages_stay(address):
    """Web and mail links stay links that open elsewhere and tell nothing of where they stood."""
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
def test_other_links_lead_nowhere(address):
    """Scripts, data, files and addresses relative to the notebook's own server are no links."""
    assert "href" not in prose(f"[go]({address})")


def test_pictures_become_their_descriptions():
    """A picture is never fetched; its alternative text is kept, as text."""
    html = prose('![a <b> view](https://evil.invalid/x.png "t")')
    assert "<img" not in html
    assert "[<em>a &lt;b&gt; view</em>]" in html
    assert "evil.invalid" not in html


def test_long_texts_fold_between_blocks():
    """The beginning is open and whole, the rest folds, and nothing is lost."""
    paragraphs = [f"Paragraph {n} " + "word " * 60 for n in range(20)]
    head, rest = split("\n\n".join(paragraphs), 1_000)
    assert head.rstrip() == "\n\n".join(paragraphs[:2]).rstrip()
    assert rest.startswith("Paragraph 2")
    html = folded_prose("\n\n".join(paragraphs), 1_000)
    assert html.count("<details") == 1
    assert html.count("Paragraph ") == 20
    assert "Show the rest (1,1" in html


@pytest.mark.parametrize(
    "sentence", ["One litre, four minutes. ", "Is it (really)? ", "朝は笛の前に始まる。"]
)
def test_a_text_without_blocks_folds_between_sentences(sentence):
    """One endless paragraph is split where a sentence ends, and nothing of it is lost."""
    head, rest = split(sentence * 400, 1_000)
    assert head.endswith(sentence.strip())
    assert rest.startswith(sentence)
    assert 500 < len(head) <= 1_000
    assert (head + rest).count(sentence.strip()) == 400


def test_a_text_without_blocks_folds_between_words():
    """One endless paragraph is split at a space, one endless word wherever it must."""
    head, rest = split("word " * 2_000, 1_000)
    assert head.endswith("word")
    assert len(head) <= 1_000
    assert len(rest) > 8_000
    assert split("x" * 5_000, 1_000) == ("x" * 1_000, "x" * 4_000)


def test_short_texts_do_not_fold():
    """What would hide next to nothing stays open."""
    assert split("a " * 60, 100) == ("a " * 60, "")
    assert "<details" not in folded_prose("short")


def test_a_code_block_is_not_torn():
    """A fence is kept whole, so that its end does not turn into code."""
    text = "x " * 200 + "\n\n```\n" + "code\n" * 40 + "```\n\n" + "y " * 600
    head, _ = split(text, 900)
    assert head.count("```") == 2


def test_what_is_left_out_is_said():
    """Past the limit a line says how much there is and where all of it is."""
    assert "500 characters of 5,000 are shown; document.result holds all." in folded_prose(
        "x" * 5_000, 100, 500
    )


@pytest.mark.parametrize(
    "text", ["[" * 4_000, "> " * 3_000, "*a " * 3_000, "![" * 1_500, "- " * 5_000, "`" * 9_001]
)
def test_nesting_bombs_stay_bounded(text):
    """Deep or endless nesting neither recurses without end nor multiplies."""
    assert len(folded_prose(text)) < 20 * len(text) + 1_000


def test_a_fold_escapes_its_heading():
    """The heading of a fold is text."""
    assert fold("<b>", opened=True) == '<details class="ink-fold" open><summary>&lt;b&gt;</summary></details>'
