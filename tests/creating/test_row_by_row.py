"""One request per record: an error ends its own row, or the rest if all of them would fail."""

import pytest

import inkframe as ink
from inkframe.creating.rows import Row, row_by_row


def run(errors, count=4):
    """Return the outcomes of jobs, of which some fail."""

    def act(job):
        if job in errors:
            raise errors[job]
        return job * 10

    return row_by_row(act, range(count), 1, "Doing", "things", progress=False)


def test_an_error_ends_its_own_row():
    """Outcomes come in the order of the jobs, each with its value or its error."""
    error = ink.ValidationFailed("The name is taken.\nChoose another.\nAnd more.", status=422)
    done = run({1: error})
    assert [(each.label, each.record, each.cause) for each in done] == [
        (0, 0, None), (1, None, error), (2, 20, None), (3, 30, None)
    ]  # fmt: skip
    assert all(each.seconds >= 0 for each in done)
    assert done[1].error == "The name is taken. Choose another."


def test_the_rest_is_not_sent_after_an_error_of_all():
    """A key that is refused ends the run; the rows after it have its error."""
    error = ink.AuthenticationError("The key is refused.", status=401)
    done = run({1: error})
    assert [each.seconds is not None for each in done] == [True, True, False, False]
    assert done[1].error == "The key is refused."
    assert done[2] == Row(2, cause=error, error="not sent, after: The key is refused.")


def test_other_errors_are_raised():
    """An error of this process is no outcome of a row."""
    with pytest.raises(ZeroDivisionError):
        run({1: ZeroDivisionError()})


def test_nothing_to_do():
    """Without jobs nothing is shown."""
    assert run({}, 0) == []
