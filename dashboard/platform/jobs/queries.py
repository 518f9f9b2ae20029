"""Queries for jobs, their lines and their failures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dashboard.core.errors import NotFound
from dashboard.platform.jobs.items import Failure, InputPart, Job
from dashboard.table import keys, read
from dashboard.table.commands import Command, Done
from dashboard.table.keypattern import BadKey
from dashboard.table.registry import access_pattern

PAGE = 50
# The number of lines in one item, so that a page of lines is one read.
LINES_A_PART = 50
# The number of parts to read for a page that shows only a few lines.
FIRST_PARTS = 5


@access_pattern("What is the progress of this job?", keys.OPERATION)
def find_job(job_id: str) -> Job | None:
    try:
        return read.get(Job, keys.OPERATION.key(operation=job_id))
    except BadKey:
        return None


def load_own_job(job_id: str, email: str, business: str | None = None) -> Job:
    """A job of this person, in this business. Jobs of other people raise NotFound, for admins too."""
    job = find_job(job_id)
    if job is None or job.by != email or job.business_id != business:
        raise NotFound
    return job


@access_pattern("Which jobs has this person started, newest first?", keys.OPERATIONS_OF)
def jobs_of(email: str, start_key: Any = None, limit: int = PAGE) -> read.Page[Job]:
    collection = keys.OPERATIONS_OF.collection(email=email)
    return read.page(collection, Job, newest_first=True, limit=limit, start_key=start_key, attributes=Job.IN_LISTS)


@access_pattern("Which jobs of everybody were interrupted, newest first?", keys.FAILED_OPERATIONS)
def interrupted_jobs(start_key: Any = None, limit: int = PAGE) -> read.Page[Job]:
    collection = keys.FAILED_OPERATIONS.collection()
    return read.page(collection, Job, newest_first=True, limit=limit, start_key=start_key, attributes=Job.IN_LISTS)


@access_pattern("Which targets of this job failed?", keys.FAILURE, partition=True)
def failures(job_id: str, start_key: Any = None) -> read.Page[Failure]:
    collection = keys.FAILURE.collection(operation=job_id)
    return read.page(collection, Failure, limit=PAGE, start_key=start_key, consistent=True)


@access_pattern("Which failed targets come after this one?", keys.FAILURE, partition=True)
def failures_after(job_id: str, target: str, limit: int) -> read.Page[Failure]:
    collection = keys.FAILURE.collection(operation=job_id)
    start_key = None
    if target:
        key = keys.FAILURE.key(operation=job_id, target=target)
        start_key = {"PK": {"S": key.pk}, "SK": {"S": key.sk}}
    return read.page(collection, Failure, limit=limit, start_key=start_key, consistent=True)


@access_pattern("Which lines are in this part of a job's input?", keys.OPERATION_INPUT)
def lines_of_part(job_id: str, part: int) -> list[dict[str, Any]]:
    found = read.get(InputPart, keys.OPERATION_INPUT.key(operation=job_id, part=part))
    return list(found.lines) if found else []


@access_pattern("Which lines are in a job's input?", keys.OPERATION_INPUT, partition=True)
def all_lines(job_id: str, limit: int) -> list[dict[str, Any]]:
    """The first `limit` lines, in their order. It reads whole parts."""
    collection, start_key = keys.OPERATION_INPUT.collection(operation=job_id), None
    lines: list[dict[str, Any]] = []
    while len(lines) < limit:
        parts = -(-(limit - len(lines)) // LINES_A_PART)
        page = read.page(collection, InputPart, limit=parts, start_key=start_key, consistent=True)
        lines += [line for part in page.items for line in part.lines]
        start_key = page.next_start_key
        if start_key is None:
            break
    return lines[:limit]


@access_pattern("Which are the first lines of a job's input?", keys.OPERATION_INPUT, partition=True)
def first_lines(job_id: str, limit: int) -> list[dict[str, Any]]:
    """One query, for a page. Parts may be short, so it can return fewer lines than there are."""
    collection = keys.OPERATION_INPUT.collection(operation=job_id)
    page = read.page(collection, InputPart, limit=FIRST_PARTS, consistent=True)
    return [line for part in page.items for line in part.lines][:limit]


def lines_from(job: Job, at: int, limit: int) -> tuple[list[dict[str, Any]], bool]:
    """The lines of one part from a position on, and whether more may follow. It reads a part once for many steps."""
    part, position = divmod(at, LINES_A_PART)
    cached: tuple[int, list[dict[str, Any]]] | None = getattr(job, "_part", None)
    if cached is None or cached[0] != part:
        cached = (part, lines_of_part(job.id, part))
        job._part = cached  # type: ignore[attr-defined]
    lines = cached[1]
    return lines[position : position + limit], position + limit < len(lines) or len(lines) == LINES_A_PART


@access_pattern("Which parts of this job are done, and with which results?", keys.DONE)
def results_of_parts(command: Command, names: Sequence[str]) -> dict[str, Mapping[str, Any]]:
    """By name. Read from the command records, which the same transaction wrote."""
    found = read.get_many([keys.DONE.key(operation=command.part(name).id) for name in names])
    pairs = zip(names, found, strict=True)
    return {name: done.result or {} for name, done in pairs if isinstance(done, Done)}
