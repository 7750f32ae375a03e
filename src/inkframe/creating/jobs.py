"""The jobs of one client, shown as a small table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from inkframe.display.console import notice

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pandas as pd

    from inkframe.creating.job import Job

__all__ = ["Jobs"]

#: Jobs that have ended and are kept; older ones are dropped, with their records.
KEPT: Final = 20


class Jobs:
    """The jobs that run, and those that ended last; older ones are dropped."""

    def __init__(self) -> None:
        self._jobs: list[tuple[int, Job]] = []
        self._count = 0

    def start(self, job: Job) -> Job:
        """Start a job, after a line about earlier ones that failed without anybody looking."""
        for number, each in self._jobs:
            if each.is_unseen:
                notice(f"Job {number} ended: {each.failure}. See client.jobs.")
                each.seen()
        self._count += 1
        ended = [each for _, each in self._jobs if each.done()]
        dropped = set(ended[:-KEPT])
        kept = [(number, each) for number, each in self._jobs if each not in dropped]
        self._jobs = [*kept, (self._count, job)]
        return job.start()

    @property
    def remaining(self) -> int:
        """The number of creates that running jobs may still send."""
        return sum(job.remaining for job in self)

    def close(self) -> None:
        """Cancel the jobs that run, and wait for the creates under way, which are billed."""
        running = [job for job in self if job.cancel()]
        for job in running:
            job.wait()

    @property
    def frame(self) -> pd.DataFrame:
        """A row for each job by its number: its state, how many rows have each outcome, and what failed."""
        import pandas as pd

        rows = {
            number: {
                "state": job.state,
                "records": job.noun,
                "rows": job.total,
                "created": job.statuses["created"] + job.statuses["pending"],
                "existing": job.statuses["existing"],
                "failed": job.statuses["failed"] + job.statuses["unknown"],
                "seconds": round(job.seconds, 1),
                "error": job.failure or None,
            }
            for number, job in self._jobs
        }
        columns = ["state", "records", "rows", "created", "existing", "failed", "seconds", "error"]
        frame = pd.DataFrame.from_dict(rows, orient="index", columns=columns)
        return frame.astype({"error": "str"}).rename_axis("job")

    def __len__(self) -> int:
        return len(self._jobs)

    def __iter__(self) -> Iterator[Job]:
        return iter([job for _, job in self._jobs])

    def __getitem__(self, at: int) -> Job:
        return self._jobs[at][1]

    def __repr__(self) -> str:
        return repr(self.frame) if self._jobs else "No jobs so far."

    def _repr_html_(self) -> str | None:
        return self.frame.to_html(escape=True) if self._jobs else None
