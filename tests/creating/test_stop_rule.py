"""When the error of one request ends a run, since the next ones would fail too."""

import pytest

import inkframe as ink
from inkframe.creating.rows import StopRule, first_line


def refused(kind, status, message="no"):
    """Return an error of a service."""
    return kind(message, status=status)


KEY = refused(ink.AuthenticationError, 401)
QUOTA = refused(ink.ServiceError, 402)
GONE = refused(ink.NotFound, 404)
INVALID = refused(ink.ValidationFailed, 422)
DENIED, OTHER = refused(ink.PermissionDenied, 403, "a"), refused(ink.PermissionDenied, 403, "b")
NETWORK, LATE = ink.ConnectionFailed("down"), ink.DeadlineExceeded("late")


def lost(cause):
    """Return the error of a create whose outcome is unknown."""
    error = ink.OutcomeUnknown("unclear")
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("errors", "creates", "ends"),
    [
        ([KEY], False, 0),
        ([QUOTA], False, 0),
        ([GONE] * 5, False, None),
        ([GONE], True, 0),
        ([INVALID] * 5, True, None),
        ([DENIED] * 3, False, 2),
        ([DENIED, DENIED, OTHER, DENIED], False, None),
        ([DENIED, DENIED, None, DENIED], False, None),
        ([NETWORK, LATE, NETWORK], False, 2),
        ([NETWORK, DENIED, LATE, NETWORK], False, None),
        ([None] * 5, False, None),
        ([lost(NETWORK)] * 3, True, 2),
        ([lost(KEY)], True, 0),
        ([lost(None)] * 5, True, None),
        ([INVALID, KEY, QUOTA], False, 1),
        ([DENIED] * 3 + [NETWORK] * 3, False, 2),
    ],
)
def test_the_error_that_ends_a_run(errors, creates, ends):
    """The key, a quota and a missing collection end it at once, equal refusals and failed connections the third time."""
    rule = StopRule(creates=creates)
    reasons = []
    for error in errors:
        rule.note(error)
        reasons.append(rule.reason)
    begins = len(errors) if ends is None else ends
    assert reasons == [None] * begins + [errors[ends or 0]] * (len(errors) - begins)


def test_why_a_row_was_not_sent():
    """The first two lines of the error are one sentence."""
    rule = StopRule()
    rule.note(refused(ink.AuthenticationError, 401, "The key is refused.\nCheck it.\nAnd more."))
    assert rule.words == "not sent, after: The key is refused. Check it."
    assert first_line(ValueError("one")) == "one"
