"""Records side by side."""

from __future__ import annotations

import re

import pytest

from inkframe.display import compare
from inkframe.display.view import weigh
from inkframe.errors import InvalidArgument


@pytest.fixture
def three(document):
    """The same prompt at three creativities."""
    texts = {
        0.25: "The kettle boils one litre.",
        0.5: "The kettle boils two litres.",
        1: "Morning begins early.",
    }
    return [
        {**document, "creativity": c, "result": t, "favorite": c == 0.5, "id": n}
        for n, (c, t) in enumerate(texts.items())
    ]


def test_documents_stand_under_their_creativity(three):
    """Each column has its step, its measures and its marks; the prompt they share is folded once."""
    html = compare(three, service="local stand-in").html
    assert re.findall(r"<b dir=\"auto\">(\w+)", html) == ["Deterministic", "Original", "Imaginative"]
    assert ">0.25</span>" in html
    assert "boils <ins>two litres</ins>." in html
    assert "<b>0.67</b> alike" in html
    assert html.count("Prompt</summary>") == 1
    assert "3 documents · local stand-in" in html
    assert html.count("ink-on") - html.split("</style>")[0].count("ink-on") == 1


def test_different_prompts_stand_in_their_columns(three):
    """Where prompts differ each column folds its own."""
    three[1]["prompt"] = "another"
    assert compare(three).html.count("Prompt</summary>") == 3


def test_plain_text_says_how_alike_they_are(three):
    """A terminal gets the names and the likeness."""
    assert compare(three).text.splitlines()[2].endswith("0.67 alike")


def test_differing_settings_of_images_are_marked(image, picture):
    """Images stand with their settings, and the eye goes to what differs."""
    other = {
        **image,
        "id": 13,
        "style": "retro",
        "description": "a harbour at dusk, two boats",
        "created_at": None,
    }
    html = compare([image, other], lambda record: picture(record["id"]), service="s").html
    assert re.findall(r"<mark[^>]*>(.*?)</mark>", html) == ["Pop art", "Retro"]
    assert "a harbour at <del>dawn</del>, two boats" in html
    assert "a harbour at <ins>dusk</ins>, two boats" in html
    assert "differing: style" in html
    assert html.count("<img") == 2


def test_a_setting_that_one_record_lacks_differs(image, picture):
    """None and absent are values to compare with."""
    bare = {field: content for field, content in image.items() if field != "medium"}
    assert "differing: medium" in compare([image, bare], lambda _: picture()).html


def test_long_texts_stay_within_the_cell(document):
    """Twelve novels are cut until the cell holds them, and the cut is said."""
    novels = [
        {**document, "result": f"第{n}章" + "語" * 60_000, "prompt": f"{n}" * 60_000} for n in range(12)
    ]
    view = compare(novels)
    assert weigh(view._repr_mimebundle_()) <= 1_000_000
    assert "document.result holds all" in view.html


def test_what_cannot_be_compared_is_refused(image, document):
    """One record, too many, images among documents, or images without pictures."""
    for records in ([image], [document] * 13, [image, document]):
        with pytest.raises(InvalidArgument):
            compare(records, lambda _: b"")
    with pytest.raises(InvalidArgument, match="fetch="):
        compare([image, image])
