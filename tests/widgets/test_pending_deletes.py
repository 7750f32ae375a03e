from __future__ import annotations

from inkframe.widgets.pending_deletes import Staging


def test_steps_are_taken_back_in_turn():
    """Undo takes back what was noted last, as one step."""
    staging = Staging()
    staging.note({"1": 1, "2": 2})
    staging.note({"3": 3, "1": 1})
    assert staging.ids == {"1": 1, "2": 2, "3": 3}
    assert staging.undo() == ["3"]
    assert staging.undo() == ["1", "2"]
    assert (len(staging), staging.undo()) == (0, [])


def test_noting_again_takes_back():
    """What is all noted already is kept again, and no empty step remains."""
    staging = Staging()
    staging.note({"1": 1})
    staging.note({"1": 1})
    assert "1" not in staging
    assert staging.undo() == []
