"""Forms of an organization: pages, statements, letters, releases, jobs, ideas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inkframe_demo.texts.chunks import inline
from inkframe_demo.texts.material import as_sentence, value_of
from inkframe_demo.texts.nouns import noun_phrase
from inkframe_demo.texts.words import capitalize
from inkframe_demo.texts.writer import clipped, finish

if TYPE_CHECKING:
    from collections.abc import Callable

    from inkframe_demo.texts.writer import Writer

__all__ = ["FORMS"]

#: The most characters of a subject line.
SUBJECT_LINE = 60
#: The number of ideas for new companies in one document.
IDEAS = 5


def about_us(w: Writer) -> str:
    """Write an introduction, the history, the values, and the contact of an organization."""
    work = w.say("about_activity") or w.say("about_work")
    values = w.say("about_values") or w.say("about_stand")
    return "\n\n".join(
        [
            f"# {w.one('about_title')}",
            f"{w.say('about_open')} {work}{_spaced(w.say('about_customers'))}",
            f"{w.say('about_founded') or w.say('about_began')} {w.say('about_way')}",
            f"{values} {w.say('about_stand')}",
            w.say("about_close"),
        ]
    )


def _spaced(text: str) -> str:
    return f" {text}" if text else ""


def mission_statement(w: Writer) -> str:
    """Write at most 50 words that start with the mission."""
    first = w.say("mission_work" if w.has("work") else "mission")
    written = f"{first} {w.say('mission_values') or w.say('mission_how')}"
    return written if len(written.split()) <= 50 else finish(" ".join(first.split()[:50]))


def vision_statement(w: Writer) -> str:
    """Write one sentence of at most 40 words about the future."""
    said = w.say("vision_change" if w.has("change") else "vision")
    return said if len(said.split()) <= 40 else finish(" ".join(said.split()[:40]).rstrip(" ,"))


def newsletter(w: Writer) -> str:
    """Write a subject line, a greeting, the main story, short items and a sign-off."""
    items = [finish(value_of(item)) for item in w.items("news")[:4]]
    items += [w.say("news_item") for _ in range(max(0, 3 - len(items)))]
    parts = [
        f"Subject: {w.fitting('news_subject', SUBJECT_LINE)}",
        w.one("letter_greeting"),
        f"## {w.subject.title}",
    ]
    parts += [
        w.say("news_lead", "theme_told", "news_story", "news_story"),
        "## In brief",
        "\n".join(f"- {item}" for item in items),
    ]
    dates = w.items("dates")
    parts += ["## Coming up", "\n".join(f"- {capitalize(date)}" for date in dates)] if dates else []
    parts += [f"**{capitalize(w.value('call'))}**"] if w.has("call") else []
    sender = capitalize(w.value("sender")) or "Your editors"
    return "\n\n".join([*parts, f"{w.one('letter_end')}\n\n{sender}"])


def press_release(w: Writer) -> str:
    """Write headline, dateline, the news in the third person, and the contact."""
    named = w.has("organization")
    headline = w.one("press_headline") if named else w.one("press_headline_plain")
    place = f"**{inline(w.material.values['date_and_place'])}** \u2014 " if w.has("date_and_place") else ""
    lead = w.say("press_lead" if named else "press_lead_plain")
    details = " ".join(as_sentence(item) for item in w.items("details"))
    parts = [
        "FOR IMMEDIATE RELEASE",
        f"# {headline}",
        " ".join(filter(None, [f"{place}{lead}", w.say("theme_told"), details])),
        w.say("press_body", "press_body"),
    ]
    if w.has("quote"):
        parts.append(_quoted(w))
    name = w.value("organization") or "the sender"
    parts.append(f"**About {name}**\n\n{w.say('press_about') or w.say('press_about_plain')}")
    contact = inline(w.material.values.get("contact", "")) or "available on request"
    return "\n\n".join([*parts, f"**Press contact:** {contact}", "\\###"])


def _quoted(w: Writer) -> str:
    """Return the quote word for word, with the name of its speaker if known."""
    words = inline(w.material.values["quote"]).strip('"\u201c\u201d')
    by = inline(w.material.values.get("spokesperson", ""))
    if not by and w.has("organization"):
        by = noun_phrase(w.value("organization")).definite
    if not by:
        return f"\u201c{words}\u201d"
    return f"\u201c{words.removesuffix('.')}{'' if words[-1:] in '!?' else ','}\u201d said {by}."


def welcome_email(w: Writer) -> str:
    """Write a subject line, thanks, numbered first steps, and where to find help."""
    steps = [finish(step) for step in w.items("first_steps")[:4]]
    steps += [w.say("welcome_step") for _ in range(max(0, (2 if steps else 3) - len(steps)))]
    greeting = w.one("letter_greeting")
    parts = [f"Subject: {w.fitting('welcome_subject', SUBJECT_LINE)}", greeting, w.say("welcome_thanks")]
    parts += [w.say("welcome_steps"), "\n".join(f"{number}. {step}" for number, step in enumerate(steps, 1))]
    parts += [w.say("welcome_gift")] if w.has("gift") else []
    parts.append(w.say("welcome_help") or w.say("welcome_help_plain"))
    sender = capitalize(w.value("sender")) or w.subject.title
    return "\n\n".join([*parts, f"{w.one('letter_end')}\n\n{sender}"])


def job_description(w: Writer) -> str:
    """Write the role, the tasks, the profile and the offer."""
    intro = w.say("job_intro_employer") if w.has("employer") else w.say("job_intro")
    parts = [
        f"# {w.subject.title}",
        "## The role",
        f"{intro} {w.say('job_role')}{_spaced(w.say('job_place'))}",
    ]
    for heading, field, pool in (
        ("Your tasks", "tasks", "job_task"),
        ("Your profile", "profile", "job_profile"),
        ("What we offer", "benefits", "job_offer"),
    ):
        points = [capitalize(item) for item in w.items(field)[:6]]
        wanted = max(3, len(points)) if points else 3 + w.voice.below(2, pool)
        points += [w.one(pool) for _ in range(wanted - len(points))]
        parts += [f"## {heading}", "\n".join(f"- {point}" for point in points)]
    return "\n\n".join([*parts, w.say("job_close")])


def startup_ideas(w: Writer) -> str:
    """Write five numbered ideas: the problem, the offer, how it earns money."""
    heads = [" ".join(key.core.split()[-2:]) for key in [w.subject, *w.keys]]
    heads = [head for head in heads if head != "this"] or [w.subject.title]
    lines = []
    for number in range(IDEAS):
        title, problem, offer, income = w.parts("idea", item=heads[number % len(heads)])
        written = [f"- Problem: {problem}", f"- Offer: {offer}", f"- Income: {income}"]
        lines.append(
            "\n".join([f"{number + 1}. **{_title_case(title)}**", *(f"   {line}" for line in written)])
        )
    close = [w.say("idea_customers"), w.say("idea_strengths"), w.say("idea_budget")]
    return "\n\n".join([*lines, *filter(None, [" ".join(filter(None, close))])])


def _title_case(text: str) -> str:
    return " ".join(capitalize(word) for word in clipped(text, 60).split())


#: The forms of this file by the number of their template.
FORMS: dict[int, Callable[[Writer], str]] = {
    2: about_us, 22: mission_statement, 23: newsletter, 26: press_release, 29: startup_ideas, 40: vision_statement,
    42: welcome_email, 50: job_description,
}  # fmt: skip
