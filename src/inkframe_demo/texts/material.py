"""The material from a prompt: the form, the filled fields, the subject and the key phrases."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from inkframe.vocabulary import Vocabulary, read_prompt
from inkframe_demo.texts.chunks import WORD, inline, is_foreign, lower_start
from inkframe_demo.texts.nouns import PRONOUNS, NounPhrase, key_phrases, noun_phrase
from inkframe_demo.texts.request import Request, read_request
from inkframe_demo.texts.sentences import paragraphs, sentences
from inkframe_demo.texts.words import (
    base_verb,
    capitalize,
    lexicon,
    third_person,
)

if TYPE_CHECKING:
    from inkframe.service.engines import WriteRequest
    from inkframe.vocabulary import Template

__all__ = [
    "Material",
    "as_infinitive",
    "as_instruction",
    "as_sentence",
    "is_thing",
    "read_material",
    "split_items",
    "value_of",
]

#: A longer text is a source, whose sentences are not repeated.
LONGEST_TEXT = 1500
#: The template whose prompt is free.
FREE = 1
_FINITE = re.compile(
    r"\b(?:is|are|was|were|will|can|must|should|has|have|had|does|do|did|would|could|may|might)\b(?!-)"
)


@dataclass(frozen=True, slots=True)
class Material:
    """A parsed prompt.

    Args:
        template_id: The number of the form.
        text: The value of the form's first required field, or its substitute.
        values: The filled fields by name.
        subject: The subject of the text.
        keys: Other phrases of the prompt, the most important first.
        request: The instructions of a free prompt.
    """

    template_id: int
    text: str
    values: dict[str, str]
    subject: NounPhrase
    keys: list[NounPhrase]
    request: Request


def read_material(request: WriteRequest) -> Material:
    """Parse a prompt; a prompt without a known first line is the subject of the requested form."""
    template, values = read_prompt(request.prompt, _standard())
    if template is None:
        template, text = _by_number(request.template_id), request.prompt
    else:
        text = values.get(template.subject.name) or _loose_text(request.prompt)
    asked = read_request(text) if template.id == FREE else Request(text)
    if template.id == FREE:
        values = {"audience": asked.audience, "tone": asked.tone} | values
        text = asked.about
    # A value without letters and digits is ignored.
    values = {name: value for name, value in values.items() if re.search(r"\w", value)}
    values[template.subject.name] = text
    subject = noun_phrase(text)
    if subject.tail and is_predicate(subject.tail):
        values["tail"] = subject.tail
    # The sentence of an instruction is no statement about the subject.
    if written := _statements("\n\n".join(sentences(text)[1:]) if asked.asked else text):
        values["told"] = written
    # The name of the subject is not repeated as a key phrase.
    said = {word.casefold() for word in WORD.findall(subject.core)}
    if "tail" in values:
        said.add(subject.tail.split()[0].casefold())
    keys = {key.text.casefold(): key for key in key_phrases(text) if not _words(key) & said}
    return Material(template.id, text, values, subject, list(keys.values()), asked)


def split_items(value: str) -> list[str]:
    """Return the items of a list separated by lines, semicolons or commas."""
    if "\n" in value.strip():
        parts = value.split("\n")
    elif ";" in value:
        parts = value.split(";")
    else:
        parts = re.split(r",(?!\d)", value)
        if len(parts) > 1:
            parts[-1:] = re.sub(r"^\s*and\s+", "", parts[-1]).split(" and ", 1)
    items = (re.sub(r"^\s*(?:[-*•]|\d+[.)])\s+", "", part).strip(" .\t\r") for part in parts)
    return [inline(item) for item in items if item.strip()]


def value_of(text: str) -> str:
    """Return a value for use within a sentence."""
    plain = inline(text)
    return lower_start(plain.rstrip(".") if not plain.endswith("...") else plain)


def is_predicate(value: str) -> bool:
    """Return whether a value is a predicate without its subject: ``folds in ten seconds``."""
    words = value.split()
    verb = base_verb(words[0], clear=False) if words else None
    said = verb and words[0].casefold() == third_person(verb)
    return bool(said and len(words) > 1 and not is_foreign(value) and not _FINITE.match(words[1]))


def is_thing(value: str) -> bool:
    """Return whether a value names a thing rather than describing it."""
    text = inline(value)
    words = text.split()
    if not words or is_predicate(text) or text[-1] in ".!?":
        return False
    first = words[0].casefold()
    instructs = base_verb(first) == first and first not in lexicon("adjectives")
    began = instructs or first in PRONOUNS
    return not began and not _FINITE.search(re.split(r"\s(?:that|which|who)\s", text)[0])


def as_sentence(value: str, subject: str = "It", *, plural: bool = False) -> str:
    """Return a value as a sentence; a value that starts with ``folds`` or ``saves`` gets the subject."""
    text = inline(value).rstrip(",;:")
    if not text:
        return ""
    end = "" if text[-1] in ".!?…" else "."
    if is_predicate(text):
        return f"{subject} {as_instruction(text) if plural else lower_start(text)}{end}"
    return f"{capitalize(text)}{end}"


def as_instruction(value: str) -> str:
    """Return a value with its verb in the base form: ``bake sourdough`` for ``bakes sourdough``."""
    words = value_of(value).removeprefix("to ").split()
    verb = base_verb(words[0], clear=False) if words else None
    if not verb:
        return f"see {noun_phrase(value).definite}" if words else ""
    return " ".join([verb, *_base_form(words[1:])])


def as_infinitive(value: str) -> str:
    """Return ``to bake sourdough`` for ``bakes sourdough``, and ``to offer`` with a named thing."""
    words = value_of(value).removeprefix("to ").split()
    verb = base_verb(words[0], clear=False) if words else None
    return f"to {as_instruction(value) if verb else f'offer {noun_phrase(value).indefinite}'}"


def _base_form(words: list[str]) -> list[str]:
    """Return the words with each verb after ``and`` in the base form, as the first."""
    changed = list(words)
    for n, word in enumerate(words):
        led = n > 0 and (
            words[n - 1] in {"and", "or", "but", "never", "always"} or words[n - 1].endswith(",")
        )
        verb = base_verb(word) if led else None
        if verb and word == third_person(verb):
            changed[n] = verb
    return changed


def _statements(text: str) -> str:
    """Return the sentences of a text that are statements, not requests."""
    if is_foreign(text) or len(text) > LONGEST_TEXT:
        return ""
    said = [sentence for part in paragraphs(text) for sentence in sentences(part) if sentence[-1] in ".!"]
    return " ".join(
        sentence for sentence in said if not base_verb(sentence.split()[0]) and len(sentence.split()) > 2
    )


def _words(phrase: NounPhrase) -> set[str]:
    return {word.casefold() for word in WORD.findall(phrase.text)}


def _loose_text(prompt: str) -> str:
    """Return the text of a recognized prompt besides its first line and its rules."""
    _, _, body = prompt.lstrip().partition("\n")
    return re.split(r"^Rules:\s*$", body, maxsplit=1, flags=re.MULTILINE)[0].strip()


def _by_number(number: int) -> Template:
    known = {template.id: template for template in _standard().all_templates}
    return known.get(number, known[1])


@cache
def _standard() -> Vocabulary:
    return Vocabulary()
