"""Test the comparison of records side by side."""

import re

import pytest

from inkframe.analysis.similarity import pairwise_similarity, similarity_to
from inkframe.display.comparison import compare
from inkframe.display.view import weigh
from inkframe.errors import NotFound


@pytest.fixture
def three(document):
    """Three documents of the same prompt at three creativities."""
    texts = {
        0.25: "The kettle boils one liter.",
        0.5: "The kettle boils two liters.",
        1: "Morning begins early.",
    }
    return [
        {**document, "creativity": c, "result": t, "favorite": c == 0.5, "id": n}
        for n, (c, t) in enumerate(texts.items())
    ]


def test_documents_are_shown_under_their_names(three):
    """Each column has its name, settings, measures and marks; the shared prompt is folded once."""
    html = compare(three, similarity=similarity_to, service="local demo service").html
    names = re.findall(r'class="ink-name"[^>]*>([^<]*)', html)
    assert [name.strip() for name in names] == [each["name"] for each in three]
    marked = re.findall(r"<mark[^>]*>(.*?)</mark>", html)
    assert marked == ["Deterministic (0.25)", "Original (0.5)", "Imaginative (1)"]
    assert "local demo service · differing: creativity<" in html
    assert "boils <ins>two liters</ins>." in html
    assert re.findall(r"<b>([\d.]+)</b> similarity", html) == ["0.56", "0.00"]
    assert html.count("Prompt</summary>") == 1
    assert "3 documents · local demo service" in html
    assert html.count("ink-on") - html.split("</style>")[0].count("ink-on") == 1


def test_markdown_is_rendered_with_its_differences_marked(document):
    """A compared text has headings, bold words and lists; marks of the differences are inside of them."""
    texts = [
        "# Tea\n\nBoil **fresh water** now.\n\n- one cup\n",
        "# Tea\n\nBoil **cold water** soon.\n\n- two cups",
    ]
    html = compare([{**document, "id": at, "result": text} for at, text in enumerate(texts)]).html
    assert ">Tea</h4>" in html
    assert "**" not in html
    assert "<strong><del>fresh</del> water</strong> <del>now</del>." in html
    assert "<strong><ins>cold</ins> water</strong> <ins>soon</ins>." in html
    assert '<li dir="auto"><ins>two cups</ins></li>' in html


def test_settings_that_agree_are_not_marked(document):
    """Records that differ in their texts alone have no marked setting."""
    html = compare([document, {**document, "id": 99, "result": "other"}]).html
    assert "the settings are the same" in html
    assert "<mark" not in html


def test_plain_text_has_the_similarity(three):
    """The plain text has the similarity of the whole texts; the first one is not compared with itself."""
    head, first, *others = compare(three, similarity=similarity_to).text.splitlines()
    known = pairwise_similarity([each["result"] for each in three])[0, 1:]
    assert [line[-16:] for line in others] == [f" similarity {value:.2f}" for value in known]
    assert "similarity" not in head + first + compare(three).text


def test_differing_settings_of_images_are_marked(image, picture):
    """Images are shown with their settings, and differing ones are marked."""
    other = {
        **image,
        "id": 13,
        "style": "retro",
        "description": "a harbor at dusk, two boats",
        "created_at": None,
    }
    html = compare([image, other], lambda record: picture(record["id"]), service="s").html
    assert re.findall(r"<mark[^>]*>(.*?)</mark>", html) == ["Pop art", "Retro"]
    assert "a harbor at <del>dawn</del>, two boats" in html
    assert "a harbor at <ins>dusk</ins>, two boats" in html
    assert "differing: style" in html
    assert html.count("<img") == 2


def test_a_setting_that_one_record_lacks_differs(image, picture):
    """None and absent are values that can differ."""
    bare = {field: content for field, content in image.items() if field != "medium"}
    assert "differing: medium" in compare([image, bare], lambda _: picture()).html


@pytest.mark.integration
def test_long_texts_stay_within_the_cell(document):
    """Twelve long texts are cut to fit in a cell, and a note has the limit."""
    novels = [
        {**document, "result": f"第{n}章" + "語" * 60_000, "prompt": f"{n}" * 60_000} for n in range(12)
    ]
    view = compare(novels)
    assert weigh(view._repr_mimebundle_()) <= 1_000_000
    assert "document.result has the full text" in view.html


def test_whole_comparison_of_documents(three, recorded):
    """Documents with other prompts, a missing text, a step that is no step, and a favorite."""
    rich = [
        three[0],
        {**three[1], "prompt": "Another prompt", "template": None, "creativity": 0.6},
        {**three[2], "result": None, "prompt": None, "creativity": None},
    ]
    recorded("documents", compare(rich, service="content.example.com"))


def test_whole_comparison_of_images(image, picture, recorded):
    """Images with other settings, one of them without its picture."""
    other = {
        **image,
        "id": 13,
        "name": "Dusk",
        "style": "retro",
        "favorite": False,
        "description": "a harbor",
    }

    def fetch(record):
        if record["id"] == 13:
            raise NotFound("The picture is gone.\nFetch the image again.", status=404)
        return picture()

    recorded("images", compare([image, other], fetch, service="content.example.com"))


@pytest.mark.integration
def test_limits_of_the_comparison(document):
    """Twelve records and 4,000 words are compared; more words and characters are named above the texts."""
    assert compare([document] * 12).text.startswith("12 documents")
    for words, said in [(3_999, False), (4_000, True)]:
        html = compare([{**document, "result": "word " * words}] * 2).html
        assert ("compared up to 4,000 words" in html) is said
    for length, said in [(30_000, False), (30_001, True)]:
        html = compare([{**document, "result": "語" * length, "prompt": None}] * 2).html
        assert ("shown up to 30,000 characters" in html) is said
