"""A check of create, update and delete on one document."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from inkframe.calls.arguments import check_create
from inkframe.display.console import notice
from inkframe.errors import InkframeError, NotFound, OutcomeUnknown
from inkframe.replies.same_content import same_content
from inkframe.workflows.create import create
from inkframe.workflows.findings import Finding, named, of_error

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from inkframe.replies.record_reply import Record
    from inkframe.workflows.findings import Verdict
    from inkframe.workflows.session import SessionCalls

__all__ = ["WRITES", "check_writes"]

#: The operations of the interface that write.
WRITES: Final = ("Store", "Update", "Delete")
PROMPT: Final = "Write one short sentence."


def check_writes(calls: SessionCalls, *, write: bool) -> list[Finding]:
    """Return a finding for each operation that writes.

    Args:
        calls: The collection.
        write: Whether to create, update and delete one record.
    """
    noun, name = calls.spec.noun, calls.spec.name
    if not write or calls.spec.has_picture:
        # One text costs less than one picture.
        hint = "" if calls.spec.has_picture else " client.check(write=True) tries it."
        reason: Verdict = ("unknown", f"Not tried, since it creates or changes {noun}s.{hint}")
        return [Finding(name, row, *reason) for row in WRITES]
    bill = ", billed by the service" if calls.session.creations_are_billed else ""
    notice(f"1 {noun} will be created on {calls.session.host}{bill}, updated, and deleted.")
    found = dict(_verdicts(calls))
    untried: Verdict = ("unknown", f"Not tried, since no {noun} was created.")
    return [Finding(name, row, *found.get(row, untried)) for row in WRITES]


def _verdicts(calls: SessionCalls) -> Iterator[tuple[str, Verdict]]:
    title = f"inkframe check {datetime.now(UTC):%Y-%m-%d %H:%M:%S}"
    spec = calls.spec
    path = f"/{spec.name}"
    try:
        fields = check_create(spec, calls.session.vocabulary, {"name": title, spec.source: PROMPT})
        made = create(calls, fields, lambda record: record)
    except OutcomeUnknown as error:
        first = str(error).partition("\n")[0]
        yield "Store", ("unknown", f"POST {path}: {first} Look for {title!r} and delete it.")
        return
    except InkframeError as error:
        status, text = of_error(error)
        yield "Store", (status, f"POST {path}: {text}")
        return
    yield "Store", _kept(f"POST {path}", made, fields)
    path = f"{path}/{made.id}"
    try:
        changes: dict[str, Any] = {"name": f"{title}, updated", "favorite": True}
        try:
            calls.update(made.id, changes)
            yield "Update", _kept(f"PATCH {path}", calls.get(made.id), changes)
        except InkframeError as error:
            yield "Update", (of_error(error)[0], f"PATCH {path}: {of_error(error)[1]}")
    finally:
        verdict = _deleted(calls, made.id)
    yield "Delete", (verdict[0], f"DELETE {path}: {verdict[1]}")


def _kept(request: str, record: Record, fields: Mapping[str, Any]) -> Verdict:
    """Return whether a record shows the fields that were sent."""
    kept = {name: same_content(sent, record.known[name]) for name, sent in fields.items()}
    others = [name for name, sameness in kept.items() if sameness == "other"]
    if others:
        values = named(record.known[name] for name in others)
        return (
            "fails",
            f"{request}: {', '.join(others)} of {record.id} has another value than was sent: {values}.",
        )
    hidden = [name for name, sameness in kept.items() if sameness == "not shown"]
    if hidden:
        return "unknown", f"{request}: {record.id} does not show {', '.join(hidden)}."
    return "holds", f"{request}: {record.id} has every field as it was sent."


def _deleted(calls: SessionCalls, id: int | str) -> Verdict:
    """Delete the record and return whether it is gone."""
    try:
        calls.delete(id)
    except InkframeError as error:
        status, text = of_error(error)
        return status, f"{text} Delete it yourself."
    try:
        calls.get(id)
    except NotFound:
        return "holds", "It is gone."
    except InkframeError as error:
        return "unknown", of_error(error)[1]
    return "fails", "It can still be fetched."
