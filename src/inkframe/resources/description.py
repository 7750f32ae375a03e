"""The description of a service: what was learned about its response formats, and the lines that pin it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from textwrap import fill
from typing import Any, Final

from inkframe.display.markup import join, joined, line, tag
from inkframe.http.key import redact
from inkframe.listing.session import Session
from inkframe.replies.dialect import Dialect, pinning
from inkframe.resources.collection import Collection

__all__ = ["Description"]

UNKNOWN: Final = "not learned yet"
#: Assumptions about everything that the interface does not define.
ASSUMPTIONS: Final = (
    "times without a zone are UTC",
    "ids grow with each creation",
    "a create that failed with 5xx may have happened",
)
#: Characters of a line.
WIDTH: Final = 110
LEFT: Final = "text-align:left"
#: The number of keys or attempts that are displayed, and of characters of each.
MOST_SHOWN: Final = 10
MOST_FACTS: Final = 20
LONGEST: Final = 40
#: The arguments that pin a parameter of further pages.
PAGED: Final = {"page_parameter": "…"}


class Description:
    """The known facts about a service, rendered inline and as text.

    Args:
        session: The session of the client.
        collections: The collections of the client.

    Attributes:
        facts: The facts about the service, and those learned or pinned about each collection.
        tried: What was tried besides the requests of the interface, and what came of it, by collection.
        unused: The keys of lists and records that were not used, by collection.
        missing: The fields that no record has shown, by collection.
        read: The fields of records with their places, by the reason why they are read from there, by collection.
        pins: The line that pins what was learned, by collection.
    """

    def __init__(self, session: Session, collections: Sequence[Collection[Any]]) -> None:
        self._key = session.sender.key
        self.facts: dict[str, dict[str, object]] = {
            "service": {
                "address": session.service,
                "timeouts": asdict(session.sender.timeouts),
                "created": session.created,
                "create_limit": session.create_limit,
            }
        }
        dialects = {collection.resource: collection.dialect for collection in collections}
        self.facts |= {name: _marked(each) or {"dialect": UNKNOWN} for name, each in dialects.items()}
        self.facts["assumed"] = {str(number): text for number, text in enumerate(ASSUMPTIONS, 1)}
        self.tried = {name: dict(dialect.attempts) for name, dialect in dialects.items()}
        self.unused = {name: dict(dialect.unused) for name, dialect in dialects.items()}
        self.missing = {
            collection.resource: [n for n in collection.spec.shown if collection.dialect.shows(n) is False]
            for collection in collections
        }
        self.read = {
            name: {
                why: [
                    field if field == at else f"{field} at {at}"
                    for field, (at, other) in dialect.places.items()
                    if other == why
                ]
                for _, why in dialect.places.values()
            }
            for name, dialect in dialects.items()
        }
        self._unpaged = [name for name, dialect in dialects.items() if dialect.paging == "none"]
        self.pins = {
            name: pinning(name, dialect.pins, self._key) for name, dialect in dialects.items() if dialect.pins
        }

    def _parts(self) -> list[tuple[str, list[tuple[str, str]]]]:
        """Return the lines of each part, each with its name."""
        parts = [("service", [("", _facts(self.facts["service"]))])]
        for name in self.tried:
            lines = [
                ("learned", _facts(self.facts[name])),
                ("read", joined(*(f"{why}: {_keys(fields)}" for why, fields in self.read[name].items()))),
                ("tried", _facts(self.tried[name])),
                *((f"unused in {where}", _keys(keys)) for where, keys in self.unused[name].items()),
                ("not shown", _keys(self.missing[name])),
            ]
            parts.append((name, [each for each in lines if each[1]]))
        parts.append(("assumed", [("", joined(*ASSUMPTIONS))]))
        return [(title, [(name, redact(text, self._key)) for name, text in lines]) for title, lines in parts]

    def __repr__(self) -> str:
        shown: list[str] = []
        for title, lines in self._parts():
            shown.append(title)
            for name, text in lines:
                start = f"  {name}: " if name else "  "
                shown.append(fill(text, WIDTH, initial_indent=start, subsequent_indent="    "))
        return "\n".join([*shown, *self._pins()])

    def _repr_html_(self) -> str:
        rows = [
            tag("tr", tag("th", title if row == 0 else ""), tag("td", name), tag("td", text, style=LEFT))
            for title, lines in self._parts()
            for row, (name, text) in enumerate(lines)
        ]
        # JupyterLab breaks lines inside of words.
        return str(join(tag("table", *rows), tag("pre", "\n".join(self._pins()), style="word-break:normal")))

    def _pins(self) -> list[str]:
        """Return the lines to paste, after a comment."""
        lines = self.pins.values()
        unpaged = [pinning(name, PAGED, self._key) for name in self._unpaged]
        return [
            *(["# To pin what was learned:", *lines] if lines else []),
            *(["# Further pages were not found. If you know their parameter:", *unpaged] if unpaged else []),
        ]


def _marked(dialect: Dialect) -> dict[str, object]:
    """Return the facts of a dialect, with those that are pinned marked."""
    return {
        name: f"{value!r} (pinned)" if name in dialect.pinned else value
        for name, value in dialect.facts().items()
    }


def _facts(facts: dict[str, Any]) -> str:
    shown = [f"{name}: {_plain(value)}" for name, value in [*facts.items()][:MOST_FACTS]]
    return joined(*(line(each, 2 * LONGEST) for each in shown))


def _keys(keys: Iterable[str]) -> str:
    named = [line(key, LONGEST) for key in keys]
    return ", ".join(named[:MOST_SHOWN]) + (", …" if len(named) > MOST_SHOWN else "")


def _plain(value: object) -> str:
    if isinstance(value, tuple):
        return ".".join(map(str, value)) or "the reply itself"
    if isinstance(value, dict):
        return ", ".join(f"{name} {inner}" for name, inner in value.items())
    return str(value)
