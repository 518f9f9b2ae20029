"""The results of a bulk job for the rows of the list that it was started from."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from dashboard.platform.jobs import queries
from dashboard.platform.jobs.items import Job
from dashboard.platform.jobs.kinds import JobLine, is_retrying

# A page of a list shows the results of so many lines at once; the others are only counted.
MAX_LINES = 200


@dataclass(frozen=True)
class ResultPosition:
    """Up to which line the list shows the results: a part, a line of it, and the number of parts."""

    part: int
    at: int
    parts: int

    @classmethod
    def of(cls, job: Job) -> ResultPosition | None:
        """Where the job is now; None while it counts or retries, and at its end."""
        cursor = job.cursor
        if not isinstance(cursor, dict) or job.is_counting or is_retrying(job):
            return None
        return cls(int(cursor["part"]), int(cursor["at"]), int(cursor["parts"]))

    @classmethod
    def from_text(cls, text: str) -> ResultPosition | None:
        numbers = text.split(":")
        if len(numbers) != 3 or not all(each.isascii() and each.isdigit() and len(each) < 7 for each in numbers):
            return None
        return cls(*map(int, numbers))

    def __str__(self) -> str:
        return f"{self.part}:{self.at}:{self.parts}"


@dataclass(frozen=True)
class LineResult:
    line: JobLine
    # Why it was not done; empty if it was.
    problem: str = ""


def results_since(
    job: Job, position: ResultPosition, names: set[str], name_of: Callable[[JobLine], str]
) -> list[LineResult]:
    """What became of the rows with these names since the list showed the results."""
    source = str((job.about or {}).get("of") or job.id)
    end = ResultPosition.of(job) or ResultPosition(position.parts, 0, position.parts)
    lines = [line for line in _lines_between(source, position, end) if name_of(line) in names]
    problems = {each.target: each.reason for each in queries.failures(job.id).items} if job.failed else {}
    return [LineResult(line, problems.get(name_of(line), "")) for line in lines]


def _lines_between(source: str, start: ResultPosition, end: ResultPosition) -> Iterable[JobLine]:
    count, part, at = 0, start.part, start.at
    while (part, at) < (end.part, end.at) and part < start.parts and count < MAX_LINES:
        lines = queries.lines_of_part(source, part)
        if not lines:
            return  # The numbers come from the page. A job has no empty parts.
        found = lines[at : end.at] if part == end.part else lines[at:]
        yield from found
        count, part, at = count + len(found), part + 1, 0
