"""Forms about products: advertisements, features, questions, reviews."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inkframe_demo.texts.material import as_sentence, value_of
from inkframe_demo.texts.words import capitalize
from inkframe_demo.texts.writer import clipped, finish

if TYPE_CHECKING:
    from collections.abc import Callable

    from inkframe_demo.texts.writer import Writer

__all__ = ["FORMS"]

BUTTONS = ("Learn more", "Shop now", "Sign up", "Book now", "Contact us")


def advertisement(w: Writer) -> str:
    """Write a headline, at most 60 words of copy, and the call to action on the last line."""
    written = [
        w.say("product_open"),
        w.say("product_tail"),
        w.say("product_benefit"),
        w.say("product_audience"),
    ]
    written += [] if w.has("benefit") else [w.say("product_gain")]
    written.append(finish(w.value("offer")) if w.has("offer") else w.say("product_quality"))
    call = w.value("call") or w.one("ad_call")
    # More than eight words would be cut off.
    headline = " ".join(w.fitting("ad_headline", 45).split()[:8])
    return f"# {headline}\n\n{_within(written, 60)}\n\n**{capitalize(call)}**"


def _within(sentences: list[str], words: int) -> str:
    """Return as many sentences as fit a number of words, but at least the first."""
    kept: list[str] = []
    for sentence in filter(None, sentences):
        if len(" ".join([*kept, sentence]).split()) <= words:
            kept.append(sentence)
    return " ".join(kept) or " ".join(sentences[0].split()[:words])


def faq(w: Writer) -> str:
    """Write five to eight questions with an answer of one to three sentences each."""
    facts = w.items("facts")
    pairs = []
    for question in _questions(w)[:8]:
        fact = max(facts, key=lambda fact: _shared(fact, question), default="")
        known = _shared(fact, question) > 0
        if known:
            facts.remove(fact)
        pairs.append((question, as_sentence(fact) if known else w.say(_answer(question))))
    pairs += [w.pair("faq_fact", item=fact) for fact in facts[: max(0, 8 - len(pairs))]]
    wanted = max(len(pairs), 5 + w.voice.below(3, "questions"))
    extra = [w.pair("faq_audience")] if w.has("audience") else []
    extra += [w.pair("faq_key", item=key) for key in w.take_keys(1)]
    pairs += extra[: wanted - len(pairs)]
    pairs += [w.pair("faq") for _ in range(wanted - len(pairs))]
    return "\n\n".join(f"### {question}\n\n{finish(answer)}" for question, answer in pairs)


def _answer(question: str) -> str:
    """Return the pool of answers for a question."""
    low = question.casefold()
    if re.match(r"how (?:much|many|long|often|soon|far)\b", low):
        return "faq_answer_amount"
    return (
        "faq_answer_whether"
        if re.match(r"(?:do|does|is|are|can|may|will|has|have|should)\b", low)
        else "faq_answer"
    )


def _questions(w: Writer) -> list[str]:
    """Return the requested questions, each with a question mark."""
    text = w.material.values.get("questions", "")
    asked = re.split(r"\?\s*|\n|;", text)
    cleaned = (" ".join(re.sub(r"^\s*(?:[-*•]|\d+[.)])\s+", "", part).split()).strip(" ,.") for part in asked)
    named = dict.fromkeys(question for question in cleaned if re.search(r"\w\w", question))
    return [f"{capitalize(question)}?" for question in named]


def _shared(fact: str, question: str) -> int:
    written, asked = (set(re.findall(r"\w{4,}", text.casefold())) for text in (fact, question))
    return len({word[:4] for word in written} & {word[:4] for word in asked})


def how_it_works(w: Writer) -> str:
    """Write three to five numbered steps and the result."""
    given = w.items("steps")[:5]
    steps = [(capitalize(step), w.say("how_step")) for step in given]
    while len(steps) < 3:
        pool = ("how_step_first", "how_step_middle", "how_step_last")[len(steps)]
        steps.append(w.pair(pool))
    if not given and w.voice.chance(0.5, "longer"):
        steps.insert(2, w.pair("how_step_middle"))
    lines = [f"{number}. **{title}.** {written}" for number, (title, written) in enumerate(steps, 1)]
    close = w.say("how_result") or w.say("how_result_plain")
    intro = w.say("how_intro", "how_duration")
    return "\n\n".join([f"# {w.one('how_title')}", intro, "\n".join(lines), close])


def pain_agitate_solution(w: Writer) -> str:
    """Write the three parts; the solution is named in the third only."""
    pain = w.say("pain", "pain_audience")
    more = w.say("agitate_consequence") or w.say("agitate_more")
    solved = w.say("solution", "solution_how", "solution_close") if w.has("product") else ""
    solved = solved or w.say("solution_plain", "solution_how", "solution_close")
    return f"## Pain\n\n{pain}\n\n## Agitate\n\n{w.say('agitate')} {more}\n\n## Solution\n\n{solved}"


def value_proposition(w: Writer) -> str:
    """Write a heading, one sentence, and three benefits."""
    given = w.items("benefits")[:3]
    points = [(capitalize(benefit), w.one("benefit_reason")) for benefit in given]
    points += [w.pair("value_point") for _ in range(3 - len(points))]
    lines = [f"- **{name}:** {finish(why)[0].lower()}{finish(why)[1:]}" for name, why in points]
    return "\n\n".join([f"# {w.one('value_heading')}", w.say("value_sentence"), "\n".join(lines)])


def product_sheet(w: Writer) -> str:
    """Write the name, a summary, the features and a table of specifications."""
    features = [capitalize(item) for item in w.items("features")[:8]]
    features += [w.one("sheet_feature") for _ in range(3 - len(features))]
    rows = [_row(item) for item in w.items("specifications")]
    rows += [("Made for", capitalize(w.value("audience")))] if w.has("audience") else []
    rows += [("Dimensions", "on request"), ("Weight", "on request")] if not w.has("specifications") else []
    rows.append(("Price", w.value("price") or "on request"))
    table = ["| Specification | Value |", "| --- | --- |", *(f"| {name} | {value} |" for name, value in rows)]
    written = w.say("sheet_summary", "product_tail", "product_gain")
    parts = [f"# {w.subject.title}", written, "## Features", "\n".join(f"- {item}" for item in features)]
    return "\n\n".join([*parts, "## Specifications", "\n".join(table)])


def _row(item: str) -> tuple[str, str]:
    name, colon, value = item.replace("|", "\\|").partition(":")
    return (capitalize(name.strip()), value.strip() or "on request") if colon else ("Specification", name)


def feature_section(w: Writer) -> str:
    """Write a subheading, a sentence, and three to six features."""
    given = w.items("features")[:6]
    pairs = [(capitalize(item), w.say("feature_gain")) for item in given]
    pairs += [w.pair("feature_key", item=key) for key in w.take_keys(1 if len(pairs) < 3 else 0)]
    wanted = max(3, len(given)) if given else 3 + w.voice.below(2, "features")
    pairs += [w.pair("feature") for _ in range(wanted - len(pairs))]
    intro = w.say("features_intro_audience") or w.say("features_intro")
    if w.has("benefit"):
        intro = finish(f"{intro.rstrip('.')}: {value_of(as_sentence(w.value('benefit'), 'it'))}")
    return "\n\n".join([f"## {w.one('features_heading')}", intro, *(f"### {a}\n\n{b}" for a, b in pairs)])


def pros_and_cons(w: Writer) -> str:
    """Write two lists of the same length, and a verdict."""
    pros, cons = ([capitalize(item) for item in w.items(name)[:6]] for name in ("pros", "cons"))
    wanted = max(3, len(pros), len(cons)) if pros or cons else 3 + w.voice.below(3, "points")
    pros += [w.one("pro") for _ in range(wanted - len(pros))]
    cons += [w.one("con") for _ in range(wanted - len(cons))]
    lists = ["\n".join(f"- {item}" for item in items) for items in (pros, cons)]
    verdict = w.say("verdict_audience") or w.say("verdict")
    return f"# {w.subject.title}\n\n## Pros\n\n{lists[0]}\n\n## Cons\n\n{lists[1]}\n\n{verdict}"


def testimonial(w: Writer) -> str:
    """Write 30 to 90 words in the first person, and the customer's role."""
    written = [
        w.say("praise_before") or w.say("praise_open"),
        w.say("praise_found") if w.has("before") else "",
    ]
    written += [w.say("praise"), w.say("praise_result") or w.say("praise"), w.say("praise")]
    written += [w.say("praise")] if len(" ".join(written).split()) < 28 else []
    written.append(w.say("praise_close"))
    customer = capitalize(w.value("customer") or w.one("praise_customer"))
    return f"> {_within(written, 88)}\n>\n> \u2014 {customer}"


def review(w: Writer) -> str:
    """Write a title, the stars, the strengths, the weaknesses, and a recommendation."""
    asked = re.search(r"[1-5](?:[.,]5)?", w.value("rating"))
    stars = asked[0].replace(",", ".") if asked else str(3 + w.voice.below(2, "stars"))
    liked = w.say("review_liked") or w.say("review_liked_plain")
    disliked = w.say("review_disliked") or w.say("review_disliked_plain")
    opening = w.say("review_open", "review_circumstances")
    parts = [f"# {w.one('review_title')}", f"Rating: {stars}/5", opening, f"{liked} {disliked}"]
    return "\n\n".join([*parts, w.say("review_more", "review_suits")])


def google_advertisement(w: Writer) -> str:
    """Write three headlines of at most 30 characters and two descriptions of at most 90."""
    call = capitalize(w.value("call")) or w.one("meta_call")
    keywords = w.items("keywords")
    headlines = [
        w.fitting("google_keyword", 30, keyword=word) for word in keywords[:1] or [w.material.subject.core]
    ]
    while len(headlines) < 3:
        said = w.fitting("google_headline", 30, call=w.value("call"))
        headlines += [said] if said not in headlines else []
    written = [w.fitting("google_description", 90, call=call) for _ in range(2)]
    lines = [f"{number}. {text.replace('!', '').rstrip('.')}" for number, text in enumerate(headlines, 1)]
    lines = ["## Headlines", "", *lines, "", "## Descriptions", ""]
    return "\n".join([*lines, *(f"{number}. {text}" for number, text in enumerate(written, 1))])


def facebook_advertisement(w: Writer) -> str:
    """Write primary text, headline, description and button within their limits."""
    asked = w.value("button").casefold()
    chosen = next((button for button in BUTTONS if button.casefold() == asked), "")
    button = chosen or w.voice.choose(BUTTONS, "button")
    primary = w.fitting("facebook_primary", 125)
    headline = w.fitting("facebook_headline", 40)
    description = clipped(w.fitting("facebook_description", 30), 30)
    parts = [
        ("Primary text", primary),
        ("Headline", headline),
        ("Description", description),
        ("Button", button),
    ]
    return "\n\n".join(f"**{name}:** {text}" for name, text in parts)


#: The forms of this file by the number of their template.
FORMS: dict[int, Callable[[Writer], str]] = {
    3: advertisement, 16: faq, 19: how_it_works, 24: pain_agitate_solution, 32: testimonial, 35: value_proposition,
    41: product_sheet, 47: pros_and_cons, 48: google_advertisement, 49: facebook_advertisement, 51: review,
    52: feature_section,
}  # fmt: skip
