"""What the product asks about long work."""

from __future__ import annotations

from typing import Any

from dashboard.core.errors import NotFound
from dashboard.platform.jobs.items import Failure, Input, Job
from dashboard.table import keys, read
from dashboard.table.keypattern import BadKey
from dashboard.table.registry import access_pattern

PAGE = 50
# How many lines stand together in one item: a page of them is one read.
LINES_A_PART = 50
# So many parts are asked for where a page shows a few lines.
FIRST_PARTS = 5


@access_pattern("How far is this work?", keys.OPERATION)
def find_job(job_id: str) -> Job | None:
    try:
        return read.get(Job, keys.OPERATION.key(operation=job_id))
    except BadKey:
        return None


def own_job(job_id: str, email: str, business: str | None = None) -> Job:
    """One's own, and where it belongs; that of anyone else does not exist, whoever asks."""
    found = find_job(job_id)
    if found is None or found.by != email or found.business_id != business:
        raise NotFound
    return found


@access_pattern("What long work has this person started, newest first?", keys.OPERATIONS_OF)
def works_of(email: str, start: Any = None) -> read.Page[Job]:
    where = keys.OPERATIONS_OF.under(email=email)
    return read.page(where, Job, newest_first=True, limit=PAGE, start=start, only=Job.CARD)


@access_pattern("Which targets of this work failed?", keys.FAILURE, partition=True)
def failures(job_id: str, start: Any = None) -> read.Page[Failure]:
    where = keys.FAILURE.under(operation=job_id)
    return read.page(where, Failure, limit=PAGE, start=start, consistent=True)


@access_pattern("Which failed targets come after this one?", keys.FAILURE, partition=True)
def failures_after(job_id: str, target: str, limit: int) -> read.Page[Failure]:
    where = keys.FAILURE.under(operation=job_id)
    start = None
    if target:
        key = keys.FAILURE.key(operation=job_id, target=target)
        start = {"PK": {"S": key.pk}, "SK": {"S": key.sk}}
    return read.page(where, Failure, limit=limit, start=start, consistent=True)


@access_pattern("Which lines is this work about, a part of them?", keys.OPERATION_INPUT)
def find_part(job_id: str, part: int) -> list[dict[str, Any]]:
    found = read.get(Input, keys.OPERATION_INPUT.key(operation=job_id, part=part))
    return list(found.lines) if found else []


@access_pattern("Which lines is this work about, all of them?", keys.OPERATION_INPUT, partition=True)
def all_lines(job_id: str, limit: int) -> list[dict[str, Any]]:
    """The first lines, in their order; whole parts."""
    where, start = keys.OPERATION_INPUT.under(operation=job_id), None
    lines: list[dict[str, Any]] = []
    while len(lines) < limit:
        found = read.page(where, Input, limit=-(-(limit - len(lines)) // LINES_A_PART), start=start, consistent=True)
        lines += [line for part in found.items for line in part.lines]
        start = found.next
        if start is None:
            break
    return lines[:limit]


@access_pattern("Which lines is this work about, the first few?", keys.OPERATION_INPUT, partition=True)
def first_lines(job_id: str, limit: int) -> list[dict[str, Any]]:
    """In one question, for a page: parts may be short, and then there are fewer."""
    where = keys.OPERATION_INPUT.under(operation=job_id)
    found = read.page(where, Input, limit=FIRST_PARTS, consistent=True)
    return [line for part in found.items for line in part.lines][:limit]


def lines_from(work: Job, at: int, limit: int) -> tuple[list[dict[str, Any]], bool]:
    """The lines from a place on, of one part, and whether more may follow. A part is read once for many steps."""
    part, place = divmod(at, LINES_A_PART)
    known: tuple[int, list[dict[str, Any]]] | None = getattr(work, "_part", None)
    if known is None or known[0] != part:
        known = (part, find_part(work.id, part))
        work._part = known  # type: ignore[attr-defined]
    lines = known[1]
    return lines[place : place + limit], place + limit < len(lines) or len(lines) == LINES_A_PART
