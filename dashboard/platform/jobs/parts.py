"""Jobs whose lines are stored in parts: counts them page by page, reads the next ones, and undoes what was done."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from dashboard.core.errors import NotFound
from dashboard.platform.jobs import queries
from dashboard.platform.jobs.items import COUNTING, Job
from dashboard.platform.jobs.kinds import AT_ONCE, JobLine, LineAction, Step, attempt, counting_cursor
from dashboard.platform.jobs.queries import LINES_A_PART
from dashboard.table.commands import Command
from dashboard.table.read import Page

# A stopped job finishes its step: seconds until it is checked again.
PATIENCE = 0.2

Walk = Callable[[Any, int], Page[Any]]


def beginning() -> dict[str, Any]:
    """Where counting starts: the first page of the first walk."""
    return counting_cursor({"walk": 0, "parts": 0})


def first_line(parts: int) -> dict[str, Any]:
    """Where the action starts. A part may be short: it has only the matching items of a page."""
    return {"part": 0, "at": 0, "parts": parts}


def parts_of(job: Job) -> int:
    """The number of parts with its lines: as counted, or as many as a selection needs."""
    part_count = (job.result or {}).get("parts")
    return int(part_count) if part_count else -(-int(job.total or 0) // LINES_A_PART)


def count_step(job: Job, walks: Sequence[Walk], lines_of: Callable[[Page[Any]], Iterable[JobLine]]) -> Step:
    """Store the lines of one page, with the progress. After the last page of the last walk the job waits."""
    at = job.cursor[COUNTING]
    page = walks[at["walk"]](at.get("start"), LINES_A_PART)
    lines = list(lines_of(page))
    total, parts = int(job.total or 0) + len(lines), at["parts"] + bool(lines)
    part = (at["parts"], lines) if lines else None
    if page.next_start_key is not None:
        following = {"walk": at["walk"], "parts": parts, "start": page.next_start_key}
        return Step(counting_cursor(following), total=total, part=part)
    if at["walk"] + 1 < len(walks):
        return Step(counting_cursor({"walk": at["walk"] + 1, "parts": parts}), total=total, part=part)
    if not total:
        return Step(total=0)  # Nothing to start.
    return Step(first_line(parts), total=total, part=part, wait=True, result={"parts": parts})


def lines_step(job: Job, act: LineAction, name_of: Callable[[JobLine], str], given: JobLine) -> Step:
    """Process the next lines. `given` is added to each."""
    lines, cursor = next_lines(job, job.id)
    failed = attempt(job, act, [(name_of(line), line | given) for line in lines])
    return Step(cursor, len(lines) - len(failed), tuple(failed))


def undo_step(job: Job, act: LineAction, name_of: Callable[[JobLine], str], *results: str) -> Step:
    """Process the next lines of the job to undo that were done, each with these results of its command."""
    of = str((job.about or {})["of"])
    if job.cursor["at"] == job.cursor["part"] == 0 and _is_running(of):
        time.sleep(PATIENCE)
        return Step(job.cursor)
    lines, cursor = next_lines(job, of)
    names = [name_of(line) for line in lines]
    done = queries.results_of_parts(Command(of, job.command.by), names)
    given = [
        (name, line | {"of": of, "together": job.id} | {key: done[name].get(key, "") for key in results})
        for name, line in zip(names, lines, strict=True)
        if name in done
    ]
    failed = attempt(job, act, given)
    # A job that crashed has done a little more than it has counted.
    total = job.handled + len(given) if cursor is None else None
    return Step(cursor, len(given) - len(failed), tuple(failed), total=total)


def part_of_undo(line: JobLine, name: str, command: Command) -> Command:
    """The command of one undo. A line of a job is undone once, even if the undo is started twice."""
    return Command(line["of"], command.by).part(f"undo {name}")


def next_lines(job: Job, source: str) -> tuple[list[JobLine], dict[str, Any] | None]:
    """A few lines of one part from the cursor on, and the next cursor. A part is read once for many steps."""
    part, at, parts = job.cursor["part"], job.cursor["at"], job.cursor["parts"]
    known: tuple[int, list[JobLine]] | None = getattr(job, "_part", None)
    if known is None or known[0] != part:
        known = (part, queries.lines_of_part(source, part))
        job._part = known  # type: ignore[attr-defined]
    lines = known[1]
    if not lines:
        raise NotFound  # The lines have expired.
    if at + AT_ONCE < len(lines):
        return lines[at : at + AT_ONCE], {"part": part, "at": at + AT_ONCE, "parts": parts}
    following = {"part": part + 1, "at": 0, "parts": parts} if part + 1 < parts else None
    return lines[at:], following


def _is_running(of: str) -> bool:
    """Whether a request still works on it: its current step would not be undone."""
    job = queries.find_job(of)
    return job is not None and job.is_leased
