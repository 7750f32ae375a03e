"""A check of what a service honors of the interface: at most 40 requests that read, unless writing is asked for."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from inkframe.errors import AuthenticationError, InkframeError, PermissionDenied
from inkframe.http.error_replies import spoken_refusal
from inkframe.http.foreign_text import redact
from inkframe.http.key import Key
from inkframe.workflows.collection_check import SPENT, Budget, CollectionCheck
from inkframe.workflows.findings import Finding, of_error
from inkframe.workflows.write_check import check_writes

if TYPE_CHECKING:
    from inkframe.http.sender import Sender
    from inkframe.workflows.findings import Verdict
    from inkframe.workflows.session import Session

__all__ = ["check_service"]

#: A key that no service knows.
WRONG_KEY: Final = "inkframe-check-of-another-key"


def check_service(session: Session, *, write: bool) -> list[Finding]:
    """Return a finding for each row of the interface.

    Args:
        session: The session.
        write: Whether to create, update and delete one document.

    Raises:
        InkframeError: The service cannot be reached, or refuses the key.
    """
    budget = Budget(session)
    findings: list[Finding] = []
    for calls in session.calls.values():
        findings += CollectionCheck(calls, budget).findings()
    findings.append(Finding("service", "Authorization", *_judge_key(session, budget)))
    for calls in session.calls.values():
        findings += check_writes(calls, write=write)
    rank = {name: place for place, name in enumerate(["service", *session.calls])}
    clean = [replace(each, evidence=redact(each.evidence, session.conversation.key)) for each in findings]
    return sorted(clean, key=lambda finding: rank[finding.collection])


def _judge_key(session: Session, budget: Budget) -> Verdict:
    if not budget.allows():
        return SPENT
    try:
        is_accepted = _accepts(session.conversation, Key(WRONG_KEY))
    except InkframeError as error:
        return "unknown", of_error(error)[1]
    if is_accepted:
        return "fails", "GET /images with a wrong key returns the list."
    return "holds", "GET /images with a wrong key is refused."


def _accepts(sender: Sender, key: Key) -> bool:
    """Return whether the service answers a list of images for another key.

    Raises:
        InkframeError: The request failed for another reason than the key.
    """
    other = copy(sender)
    other.key = key
    try:
        reply = other.send("GET", "/images", tries=1)
    except (AuthenticationError, PermissionDenied):
        return False
    return spoken_refusal(reply, key) is None
