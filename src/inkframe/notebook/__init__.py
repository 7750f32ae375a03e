"""Add to jobs the panels for their outcome, and to ``connect`` the Tab completion; neither imports this package."""

from __future__ import annotations

from typing import Any

from inkframe.creating.job import ENDINGS, Job

__all__ = ["offer_completion", "offer_outcomes"]


def offer_outcomes() -> None:
    """Let all later jobs offer panels for their outcome; the panels are loaded when they are needed."""
    ENDINGS.update({"Rate blind": _rate, "Explore": _explore})


def offer_completion() -> None:
    """Let ``connect`` register the completion of values in a shell."""
    from inkframe.client import AT_CONNECT
    from inkframe.notebook.completion import register

    if register not in AT_CONNECT:
        AT_CONNECT.append(register)


def _rate(job: Job) -> Any:
    """Return a panel that rates the records; those that were shown with their settings are not rated blind."""
    from inkframe.deciding.rating_panel import RatingPanel

    panel = RatingPanel(job.frame, by=job.batch.varied)
    panel.session.mark_seen(job.shown)
    return panel


def _explore(job: Job) -> Any:
    from inkframe.exploring.explorer import Explorer

    return Explorer(job.frame)
