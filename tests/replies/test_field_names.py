"""Names of fields, folded for comparison and split into words."""

import pytest

from inkframe.replies.values import fold, words_of


def test_folded_names():
    """Case and separators are ignored; a text that is too long for a name is left as it is."""
    for name in ("created_at", "Created-At", "created.at", "$createdAt", "CREATED AT", "created\tat"):
        assert fold(name) == "createdat", name
    assert fold("Größe") == fold("GRÖSSE") == "grösse"
    assert fold("A" * 100) == "a" * 100
    assert fold("A" * 101) == "A" * 101


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("imageURLs", {"image", "urls", "url"}),
        ("IMAGE_URL", {"image", "url"}),
        ("pictureUrl2", {"picture", "url2", "url"}),
        ("thumbnailurl", {"thumbnailurl", "thumbnail", "url"}),
        ("HTMLPage", {"html", "page"}),
        ("b64_json", {"b64", "b", "json"}),
        ("images", {"images", "image"}),
        ("imagebase64", {"imagebase64", "image", "base64", "imagebase", "base"}),
        ("", set()),
        ("x_" * 50, {"x"}),
        ("x_" * 51, set()),
    ],
)
def test_words_of_a_name(name, words):
    """They are in lower case, with the singular, without digits at the end, and in parts if written together."""
    assert words_of(name) - {""} == words
