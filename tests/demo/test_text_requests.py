"""Instructions of free prompts: the offline texts have the subject, the form and the length that were asked for."""

import re

import pytest

from inkframe.service.engines import WriteRequest
from inkframe_demo.drawing.scene import read_scene
from inkframe_demo.text import write_text

#: Ordinary ways to ask, each with a word of the subject and what is counted.
WAYS = [
    ("Write two sentences about the Quiet Kettle for families.", "Quiet Kettle", ("sentences", 2, 2)),
    ("Describe the kettle in two sentences.", "kettle", ("sentences", 2, 2)),
    ("Describe the Desk Lamp for students in one sentence.", "Desk Lamp", ("sentences", 1, 1)),
    ("In three sentences, describe the garden bench.", "garden bench", ("sentences", 3, 3)),
    ("Two sentences about the kettle", "kettle", ("sentences", 2, 2)),
    ("A text about the kettle, two sentences.", "kettle", ("sentences", 2, 2)),
    ("The kettle for families. In four sentences.", "kettle", ("sentences", 4, 4)),
    ("Introduce our team in a single sentence.", "team", ("sentences", 1, 1)),
    ("Write a sentence about the old harbor", "harbor", ("sentences", 1, 1)),
    ("Summarize why rain matters in three short sentences.", "rain", ("sentences", 3, 3)),
    ("Please describe a lighthouse at night in 2-3 sentences.", "lighthouse", ("sentences", 2, 3)),
    ("Compare the kettle and the teapot in two sentences.", "teapot", ("sentences", 2, 2)),
    ("Write a product description of the Quiet Kettle in exactly five sentences.", "Kettle", ("sentences", 5, 5)),
    ("Can you write ten sentences about the sea?", "sea", ("sentences", 10, 10)),
    ("Write a product text for the bicycle (3 sentences)", "bicycle", ("sentences", 3, 3)),
    ("Explain how a heat pump works in 20 words.", "heat pump", ("words", 18, 22)),
    ("Write 50 words about the sea.", "sea", ("words", 48, 52)),
    ("20 words about the kettle", "kettle", ("words", 18, 22)),
    ("Describe the oak table in about thirty words.", "oak table", ("words", 28, 32)),
    ("Write a product text of 100 words about the backpack", "backpack", ("words", 98, 102)),
    ("Advertise the bicycle, no more than 25 words.", "bicycle", ("words", 1, 25)),
    ("Sell the kettle in ten words or fewer.", "kettle", ("words", 1, 10)),
    ("Praise the tea in at most 12 words", "tea", ("words", 1, 12)),
    ("Describe the product 'Nordic Chair' in under 15 words.", "Nordic Chair", ("words", 1, 14)),
    ("Write a short product text for a kettle, max. 30 words", "kettle", ("words", 1, 30)),
    ("Write about the notebook in two sentences, at most 30 words.", "notebook", ("sentences", 2, 2)),
    ("List five benefits of walking to work.", "walking", ("items", 5, 5)),
    ("Give me three tips for better sleep.", "sleep", ("items", 3, 3)),
    ("Name four uses for an old bottle.", "bottle", ("items", 4, 4)),
    ("Write three bullet points about the coffee grinder.", "coffee grinder", ("items", 3, 3)),
    ("Suggest 7 ideas for a street party", "street party", ("items", 7, 7)),
    ("Write a paragraph about green tea.", "green tea", ("paragraphs", 1, 1)),
    ("Tell me about the night train in three paragraphs", "night train", ("paragraphs", 3, 3)),
    ("Write a slogan for the Desk Lamp.", "", ("lines", 1, 1)),
    ("Create a tagline for a bookshop", "", ("lines", 1, 1)),
    ("Write a caption for a picture of a cat.", "cat", ("lines", 1, 1)),
    ("Praise the kettle", "kettle", None),
    ("Praise a kettle", "kettle", None),
    ("Write warmly about the Desk Lamp.", "Desk Lamp", None),
    ("Recommend the backpack to hikers.", "backpack", None),
    ("Explain photosynthesis to a child.", "photosynthesis", None),
    ("Tell a customer why the kettle is worth its price.", "kettle", None),
]  # fmt: skip
#: Words of instructions, which have no place in a text.
INSTRUCTIONS = re.compile(
    r"\b(?:sentences|paragraphs?|bullet|praise(?! of)|advertise|recommend|describe|introduce|summarize|warmly|please|"
    r"at most|exactly)\b",
    re.IGNORECASE,
)


def write(prompt, creativity=0.5, take=0):
    return write_text(WriteRequest(prompt, creativity, 1, take))


def counted(text, unit):
    """Return how much of a unit a text has, headings apart."""
    body = "\n".join(line for line in text.split("\n") if not line.startswith("#")).strip()
    if unit == "words":
        return len(body.split())
    if unit == "sentences":
        return len(re.findall(r"[.!?](?=\s|$)", body))
    split = {"items": r"^- .*$", "paragraphs": r"(?:.+\n?)+", "lines": r"^.+$"}
    return len(re.findall(split[unit], body, re.MULTILINE))


@pytest.mark.parametrize(("prompt", "subject", "size"), WAYS)
def test_a_text_has_the_subject_and_the_length_of_the_instructions(prompt, subject, size):
    """Sentences, items and paragraphs are exact, words within two, and a most is never exceeded."""
    for take in range(6):
        for creativity in (0, 0.5, 1):
            text = write(prompt, creativity, take)
            assert subject.casefold() in text.casefold(), text
            assert not INSTRUCTIONS.search(text), text
            if size:
                assert size[1] <= counted(text, size[0]) <= size[2], text


def test_both_a_number_of_sentences_and_a_most_of_words_are_kept():
    """Two limits hold together."""
    for take in range(10):
        text = write("Write two sentences of at most 25 words about the kettle.", 1, take)
        assert counted(text, "sentences") == 2
        assert counted(text, "words") <= 25


def test_ways_to_ask_give_mostly_different_texts():
    """Other prompts, and other takes at creativity 1, have other texts."""
    assert len({write(prompt) for prompt, _, _ in WAYS}) >= len(WAYS) - 1
    for prompt, _, size in WAYS:
        if not size or size[0] in {"sentences", "items", "paragraphs"}:
            assert len({write(prompt, 1, take) for take in range(6)}) >= 4, prompt


def test_the_readers_of_an_instruction_are_its_audience():
    """Who the text is for is no part of its subject."""
    texts = [write("Write six sentences about the Quiet Kettle for families.", 1, take) for take in range(4)]
    assert all("Kettle for families" not in text for text in texts)
    assert any("amilies" in text for text in texts)


def test_examples_after_a_prompt_are_no_part_of_a_text():
    """A prompt with approved examples has the subject of its own first lines."""
    examples = (
        "\n\nThese are approved examples of other cases. Write in their manner."
        "\n\nCase: Describe the lamp in two sentences.\nText: The lamp is warm. It is small."
    )
    plain = write("Describe the kettle in two sentences.")
    text = write("Describe the kettle in two sentences." + examples)
    assert counted(text, "sentences") == counted(plain, "sentences") == 2
    assert "kettle" in text.casefold()
    assert not re.search("example|manner|lamp", text, re.IGNORECASE)


def test_a_text_without_instructions_is_about_itself():
    """Counts in a subject are not a length."""
    assert "three musketeers" in write("The three musketeers").casefold()
    assert counted(write("Words that matter"), "paragraphs") > 1
    assert "two minutes" in write("A kettle that boils in two minutes").casefold()


@pytest.mark.parametrize(
    ("description", "motifs"),
    [
        ("A photo of the Quiet Kettle", ["kettle"]),
        ("Product photo of a mug on white background", ["cup"]),
        ("photo of a phone, studio lighting", ["phone"]),
        ("an oil painting of a lighthouse", ["lighthouse"]),
        ("a close-up photograph of a watch", ["clock"]),
        ("kettle, product photo", ["kettle"]),
        ("ink drawing of a fox", ["fox"]),
        ("a glass painting of a boat", ["boat"]),
        ("a picture of a cat, soft light", ["cat"]),
        ("camera on a table", ["camera"]),
        ("a bottle of oil", ["bottle"]),
    ],
)
def test_the_manner_of_a_picture_is_no_thing_in_it(description, motifs):
    """A photo of a kettle shows a kettle and no camera."""
    assert [thing.motif for thing in read_scene(description).things] == motifs


def test_studio_light_leaves_a_thing_where_it_is():
    """The light of a studio does not draw a room."""
    assert (
        read_scene("the Quiet Kettle, studio light").place == read_scene("the Quiet Kettle").place == "table"
    )
    assert read_scene("a painter in her studio").place == "room"
