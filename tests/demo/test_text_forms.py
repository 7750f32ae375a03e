"""Every form keeps its rules at every creativity, for full and minimal prompts."""

import re
import tomllib
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from inkframe.service.engines import WriteRequest
from inkframe.vocabulary import Vocabulary, compose_prompt
from inkframe_demo.text import write_text

PROMPTS = tomllib.loads((Path(__file__).parent / "prompts.toml").read_text("utf-8"))
SUBJECTS = [
    "invoicing software for freelancers with many clients in several countries and currencies",
    "x",
    "Überraschung für Oma",
]


@cache
def texts(number):
    """Yield the form's texts for full, minimal and awkward prompts, at all levels, in two takes."""
    template = Vocabulary().template(number)
    subject = template.subject.name
    given = PROMPTS[str(number)]
    cases = [given, {subject: given[subject]}, {subject: SUBJECTS[number % len(SUBJECTS)]}]
    prompts = [compose_prompt(template, **fields) for fields in cases]
    return [
        write_text(WriteRequest(prompt, level, number, take))
        for prompt in prompts
        for level in (0, 0.25, 0.5, 0.75, 1)
        for take in (1, 8)
    ]


def headings(text, level):
    return re.findall(rf"^{'#' * level} (.+)$", text, re.MULTILINE)


def bullets(text):
    return re.findall(r"^- (.+)$", text, re.MULTILINE)


def numbered(text):
    return re.findall(r"^\d+\. (.+)$", text, re.MULTILINE)


def words(text):
    return len(text.split())


def sentences(text):
    return len(re.findall(r"[.!?…][”\")*]*(?:\s|$)", text))


def one_line(limit):
    return lambda t: "\n" not in t and 0 < len(t) <= limit


def _sections(text):
    """Return the text below each heading of the second level."""
    parts = re.split(r"^## (.+)$", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], (part.strip() for part in parts[2::2]), strict=True))


def _distinct(items):
    return len({item.casefold() for item in items}) == len(items)


RULES = {
    1: lambda t: t.startswith("# ") and 3 <= len(t.split("\n\n")) <= 5,
    2: lambda t: (
        " we " in f" {t.casefold()} " and re.search(r"touch|write to us", t.split("\n\n")[-1].casefold())
    ),
    3: lambda t: (
        words(headings(t, 1)[0]) <= 8
        and words(t.split("\n\n")[1]) <= 60
        and re.fullmatch(r"\*\*[^*\n]+\*\*", t.split("\n\n")[-1])
    ),
    4: lambda t: (
        len(headings(t, 1)) == 1
        and re.fullmatch(r"\*[^*]+\*", t.split("\n\n")[1])
        and 3 <= len(_sections(t)) <= 5
    ),
    5: lambda t: "\n" not in t and 40 <= words(t) <= 120 and re.match(r"[^.!]+\?", t) and t.endswith("."),
    6: lambda t: (
        len(headings(t, 1)) == 1
        and 5 <= len(numbered(t)) <= 7
        and all(2 <= part.count("\n   - ") <= 3 for part in t.split("\n\n")[1:])
    ),
    7: lambda t: words(t) <= 120 and not headings(t, 1) and t.endswith("?"),
    8: lambda t: "\n" not in t and 4 <= sentences(t) <= 8,
    9: lambda t: len(headings(t, 1)) == 1 and 4 <= len(_sections(t)) <= 5,
    10: lambda t: len(re.findall(r"^#", t, re.MULTILINE)) == 1 and 2 <= len(t.split("\n\n")[1:]) <= 3,
    11: lambda t: 6 <= len(bullets(t)) <= 8 and all(re.match(r"\*\*[^*]+\*\* \S", b) for b in bullets(t)),
    12: lambda t: one_line(70)(t) and not re.search('[“”"]', t) and not t.endswith("."),
    13: lambda t: (
        2 <= words(t.split("\n\n")[0]) <= 6
        and re.match(r"\*\*[^*]+\*\*\n\n", t)
        and words(t.split("\n\n")[1]) <= 30
    ),
    16: lambda t: (
        5 <= len(headings(t, 3)) <= 8
        and all(question.endswith("?") for question in headings(t, 3))
        and all(1 <= sentences(answer) <= 3 for answer in t.split("\n\n")[1::2])
    ),
    17: lambda t: (
        "\n" not in t
        and 8 <= words(t) <= 12
        and all(re.fullmatch(r"#[^\W_]+", tag) for tag in t.split())
        and _distinct(t.split())
    ),
    18: lambda t: len(headings(t, 1)) == 1 and one_line(62)(t) and not t.endswith("."),
    19: lambda t: (
        3 <= len(numbered(t)) <= 5 and all(re.match(r"\*\*[^*]+\*\* \S", step) for step in numbered(t))
    ),
    20: lambda t: one_line(160)(t) and t.endswith((".", "!", "?")) and not re.search(r"[*#`]", t),
    21: lambda t: (
        "\n" not in t and 10 <= len(t.split(", ")) <= 15 and t == t.lower() and _distinct(t.split(", "))
    ),
    22: lambda t: words(t) <= 50 and t.startswith("Our mission is "),
    23: lambda t: (
        re.match(r"Subject: .{1,60}\n\n.+,\n\n## ", t)
        and len(bullets(t)) >= 3
        and "\n" in t.split("\n\n", 4)[-1]
    ),
    24: lambda t: list(_sections(t)) == ["Pain", "Agitate", "Solution"],
    25: lambda t: "\n" not in t and 40 <= words(t) <= 140,
    26: lambda t: (
        t.startswith("FOR IMMEDIATE RELEASE\n\n# ")
        and t.endswith("\n\n\\###")
        and "**Press contact:**" in t
        and "**About" in t
    ),
    27: lambda t: len(t) <= 280 and 1 <= len(re.findall(r"(?<!\S)#\w+", t.rsplit("\n", 1)[-1])) <= 2,
    28: lambda t: (
        len(t.split("\n")[0]) <= 125
        and "?" in t
        and 3 <= len(re.findall(r"#\w+", t.rsplit("\n", 1)[-1])) <= 5
    ),
    29: lambda t: (
        len(numbered(t)) == 5 and all(t.count(f"- {part}: ") == 5 for part in ("Problem", "Offer", "Income"))
    ),
    30: lambda t: (
        len(bullets(t)) == 10
        and _distinct(re.findall(r"\*\*(\w+)\*\*", t))
        and all(re.match(r"\*\*[A-Z][a-z]{3,11}\*\*: \S", name) for name in bullets(t))
    ),
    31: lambda t: "\n" not in t and 8 <= words(t) <= 25 and sentences(t) == 1,
    32: lambda t: (
        t.startswith("> ")
        and 30 <= words(t.split("\n")[0]) - 1 <= 90
        and re.search(r"\bI\b|\bme\b|\bmy\b", t)
        and t.split("\n")[-1].startswith("> — ")
    ),
    33: lambda t: len(t) <= 120 and t[0] == "“" and t[-1] == "”" and "#" not in t,
    34: lambda t: one_line(150)(t) and not t.endswith("."),
    35: lambda t: (
        len(headings(t, 1)) == 1
        and len(bullets(t)) == 3
        and all(re.match(r"\*\*[^*]+:\*\* \S", point) for point in bullets(t))
    ),
    36: lambda t: (
        len(t.split("\n\n")[0]) <= 200
        and len(bullets(t)) >= 3
        and bullets(t)[0].startswith("00:00 ")
        and bullets(t) == sorted(bullets(t))
        and len(re.findall(r"#\w+", t.rsplit("\n", 1)[-1])) == 3
    ),
    37: lambda t: (
        4 <= len(_sections(t)) <= 6
        and all("**Visual:** " in scene and "**Voice:** " in scene for scene in _sections(t).values())
        and all(re.fullmatch(r"Scene \d \(\d\d:\d\d\u2013\d\d:\d\d\)", heading) for heading in _sections(t))
    ),
    38: lambda t: (
        "\n" not in t
        and 10 <= len(t.split(", ")) <= 15
        and len(t) <= 500
        and "#" not in t
        and _distinct(t.split(", "))
    ),
    39: lambda t: one_line(60)(t) and not t.isupper(),
    40: lambda t: "\n" not in t and words(t) <= 40 and sentences(t) == 1,
    41: lambda t: (
        [*headings(t, 1), *headings(t, 2)][1:] == ["Features", "Specifications"]
        and len(bullets(t)) >= 3
        and "| --- | --- |" in t
    ),
    42: lambda t: (
        re.match(r"Subject: .{1,60}\n", t)
        and "hank" in t.split("\n\n")[2]
        and 2 <= len(numbered(t)) <= 4
        and re.search(r"help|question", t.casefold())
    ),
    43: lambda t: (
        re.fullmatch(r"\*\*[^\n]{1,50}\*\*\n[^\n]{1,120}", t) and t.count("!") <= 1 and not t.isupper()
    ),
    44: lambda t: (
        3 <= len(_sections(t)) <= 15
        and re.search(rf"\b{len(_sections(t))}\b", headings(t, 1)[0])
        and all(2 <= sentences(body) <= 3 for body in _sections(t).values())
        and [int(heading.split(".")[0]) for heading in _sections(t)] == list(range(1, len(_sections(t)) + 1))
    ),
    46: lambda t: (
        5 <= len(bullets(t)) <= 8
        and t == t.lower()
        and _distinct(bullets(t))
        and all(words(b) <= 3 for b in bullets(t))
    ),
    47: lambda t: (
        list(_sections(t)) == ["Pros", "Cons"]
        and 3 <= len(bullets(_sections(t)["Pros"])) == len(bullets(_sections(t)["Cons"])) <= 6
        and sentences(t.split("\n\n")[-1]) == 1
    ),
    48: lambda t: (
        len(numbered(t)) == 5
        and all(len(line) <= 30 and "!" not in line for line in numbered(t)[:3])
        and all(len(line) <= 90 for line in numbered(t)[3:])
        and _distinct(numbered(t))
    ),
    49: lambda t: (
        [line.split(":**")[0].strip("*") for line in t.split("\n\n")]
        == ["Primary text", "Headline", "Description", "Button"]
        and all(
            len(line.split(":** ")[1]) <= limit
            for line, limit in zip(t.split("\n\n"), (125, 40, 30, 10), strict=True)
        )
        and t.endswith(("Learn more", "Shop now", "Sign up", "Book now", "Contact us"))
    ),
    50: lambda t: (
        list(_sections(t)) == ["The role", "Your tasks", "Your profile", "What we offer"]
        and all(3 <= len(bullets(_sections(t)[name])) <= 6 for name in list(_sections(t))[1:])
    ),
    51: lambda t: re.match(r"# .+\n\nRating: [1-5](?:\.5)?/5\n\n", t) and "suits" in t.split("\n\n")[-1],
    52: lambda t: len(headings(t, 2)) == 1 and 3 <= len(headings(t, 3)) <= 6,
}


@pytest.mark.parametrize("number", RULES, ids=lambda number: Vocabulary().template_label(number))
def test_a_form_keeps_its_rules(number):
    """Every measurable rule of the template holds in every text."""
    for text in texts(number):
        assert RULES[number](text), text


def test_all_forms_are_measured_here_or_where_texts_are_edited():
    """Only rewriting, summary and grammar are tested elsewhere."""
    assert {template.id for template in Vocabulary().all_templates} - RULES.keys() == {14, 15, 45}


def write(label, creativity=0.5, take=0, **fields):
    template = Vocabulary().template(label)
    return write_text(WriteRequest(compose_prompt(template, **fields), creativity, template.id, take))


def test_given_facts_and_keywords_all_appear():
    """An article has every fact, and a blog post every keyword."""
    facts = [
        "the turbine weighs 300 tonnes",
        "it feeds 1,500 homes",
        "no one was hurt",
        "it cost 9 million",
        "it hums",
    ]
    for take in range(4):
        article = write("Article", 1, take, topic="tidal power", facts="; ".join(facts)).casefold()
        assert all(fact in article for fact in facts)
        post = write("Blog post", 1, take, topic="mending", keywords="darning, sewing kit, patch, yarn, wool")
        assert all(word in post.casefold() for word in ("darning", "sewing kit", "patch", "yarn", "wool"))


def test_an_article_invents_no_figures():
    """Without facts an article has no digits."""
    assert not any(re.search(r"\d", write("Article", 1, take, topic="tidal power")) for take in range(6))


def test_the_solution_is_not_named_before_its_part():
    """The product appears in the third part only."""
    for take in range(4):
        parts = _sections(
            write("Pain-Agitate-Solution", 1, take, pain="late invoices", product="the Nudge service")
        )
        assert "Nudge" in parts["Solution"]
        assert "Nudge" not in parts["Pain"] + parts["Agitate"]


def test_a_quote_appears_word_for_word_or_not_at_all():
    """A press release has the given quote and no other."""
    quoted = write(
        "Press release", announcement="a second ferry", quote="At last!", spokesperson="the harbor master"
    )
    assert "“At last!” said the harbor master." in quoted
    assert "“" not in write("Press release", announcement="a second ferry")


def test_questions_of_a_faq_get_their_facts():
    """A question is answered by the fact that shares its words; remaining facts get their own questions."""
    text = write(
        "FAQ", topic="a solar kit", questions="What does it cost?", facts="It costs 90 euros; it is blue"
    )
    assert "### What does it cost?\n\nIt costs 90 euros." in text
    assert "It is blue." in text


def test_the_requested_number_of_items_is_used():
    """A listicle has the requested number of items, within 3 to 15, including the given ones."""
    for asked, count in ((3, 3), (9, 9), (99, 15), (1, 3)):
        assert len(numbered(re.sub("## ", "", write("Blog listicle", topic="tea", count=asked)))) == count
    assert "## 1. Milk first" in write("Blog listicle", topic="tea", items="milk first, no sugar")


def test_a_specification_table_has_given_values_only():
    """Unknown values are "on request", and a bar in a value does not break the table."""
    text = write("Product sheet", product="a kettle", specifications="Volume: 1.7 l; Color: red|blue")
    assert "| Volume | 1.7 l |" in text
    assert "| Color | red\\|blue |" in text
    assert "| Price | on request |" in text
    assert not re.search(r"\d", write("Product sheet", product="a kettle"))


def test_the_keyword_starts_a_video_title_and_appears_in_other_titles():
    """Titles have the given keyword."""
    for take in range(4):
        assert write("Video title", 1, take, video="tuning a piano", keyword="piano tuning").startswith(
            "Piano tuning"
        )
        assert "cello" in write("Blog title", 1, take, topic="late starts", keyword="cello").casefold()
        assert "allotment" in write("Headline", 1, take, product="a planner", keyword="allotment").casefold()


def test_given_hashtags_brands_and_sounds_are_used():
    """A brand becomes a hashtag, and words to avoid do not appear in invented names."""
    assert "#HarborBites" in write("Hashtags", topic="food", brand="Harbor Bites").split()
    names = write("Startup names", business="garden tools", avoid="tool").casefold()
    assert "tool" not in " ".join(re.findall(r"\*\*(\w+)\*\*", names))


def test_stars_and_button_are_those_given():
    """A review has the given stars, and an advertisement the given button."""
    assert "Rating: 2/5" in write("Review", item="a hotel", rating=2)
    assert "**Button:** Sign up" in write("Facebook advertisement", product="a club", button="sign up")


@pytest.mark.parametrize("level", [0, 0.5, 1])
def test_a_verb_of_the_subject_is_not_another_subject(level):
    """In "the kettle whistles", "whistles" is not a thing to ask about."""
    for number in (6, 11, 16, 44, 52):
        prompt = compose_prompt(number, "Product text for a copper kettle that whistles softly")
        for take in range(4):
            found = write_text(WriteRequest(prompt, level, number, take))
            assert "whistles" not in re.sub(r"(?i)it whistles softly", "", found.casefold())


@pytest.mark.parametrize("level", [0, 0.5, 1])
def test_advertisements_name_a_long_subject_briefly(level):
    """A headline is complete, and one of the three in a search advertisement names the offer."""
    subject = "An online course on watercolor painting for beginners"
    for take in range(12):
        headline = headings(write_text(WriteRequest(compose_prompt(3, subject), level, 3, take)), 1)[0]
        assert not re.search(r"\. \w+$|[:,]$", headline.replace("At last", "at")), headline
        search = write_text(WriteRequest(compose_prompt(48, subject), level, 48, take))
        assert "online course" in search.partition("## Descriptions")[0].casefold()


def test_near_takes_differ_in_lists_of_every_length():
    """At creativity 1 each of eight takes differs, also for lists whose length is a power of two."""
    for number in (7, 20):
        prompt = compose_prompt(number, "an honest bakery in Leeds")
        found = [write_text(WriteRequest(prompt, 1, number, take)) for take in range(40, 48)]
        shared = [set(one.split()) & set(other.split()) for one, other in pairwise(found)]
        assert sum(map(len, shared)) / 7 < 0.55 * sum(len(set(text.split())) for text in found) / 8
