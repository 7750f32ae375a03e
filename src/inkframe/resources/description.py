"""The description of a service and its response formats."""

from __future__ import annotations

from dataclasses import asdict
from html import escape
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inkframe.resources.collection import Collection
    from inkframe.workflows.session import Session

__all__ = ["Description"]

UNKNOWN: Final = "not learned yet"
#: Assumptions about everything that the interface does not define.
ASSUMPTIONS: Final = (
    "times without a zone are UTC",
    "ids grow with each creation",
    "a create that failed with 5xx may have happened",
)


class Description:
    """The known facts about a service, rendered inline and available as ``facts``.

    Args:
        session: The session of the client.
        collections: The collections of the client.
    """

    def __init__(self, session: Session, collections: Sequence[Collection[Any]]) -> None:
        self._session = session
        self.facts: dict[str, dict[str, object]] = {
            "service": {
                "address": session.service,
                "timeouts": asdict(session.conversation.timeouts),
                "created": session.created,
                "create_limit": session.create_limit,
            }
        }
        for collection in collections:
            dialect = collection.dialect
            marks = {name: f"{value!r} (pinned)" if name in dialect.pinned else value
                     for name, value in dialect.facts().items()}  # fmt: skip
            self.facts[collection.resource] = marks or {"dialect": UNKNOWN}
        self.facts["assumed"] = {str(number): text for number, text in enumerate(ASSUMPTIONS, 1)}

    def __repr__(self) -> str:
        lines: list[str] = []
        for part, facts in self.facts.items():
            lines.append(part)
            lines += [f"  {name}: {_plain(value)}" for name, value in facts.items()]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        rows = [
            f"<tr><th>{escape(part)}</th><td>{escape(str(name))}</td><td>{escape(_plain(value))}</td></tr>"
            for part, facts in self.facts.items()
            for name, value in facts.items()
        ]
        return f"<table>{''.join(rows)}</table>"


def _plain(value: object) -> str:
    if isinstance(value, tuple):
        return ".".join(map(str, value)) or "the reply itself"
    return str(value)
