"""Starts bulk actions and their undo."""

from __future__ import annotations

from dashboard.platform.jobs import services
from dashboard.platform.jobs.items import Job
from dashboard.platform.jobs.parts import beginning, first_line
from dashboard.platform.jobs.queries import LINES_A_PART
from dashboard.table.commands import Command
from forum.bulk.requests import BulkRequest, Chosen, count_text_of
from forum.bulk.selection import line_of
from forum.jobs import BULK, CAUSE, UNDO
from forum.queries import bulk as queries


def begin_with_all(bulk_request: BulkRequest, *, command: Command) -> Job:
    """Everything of a list, of an author, or banned by a version of the filter: it is counted first."""
    kind = BULK if bulk_request.version is None else CAUSE
    return services.start(kind, bulk_request.title(), command=command, first=beginning(), about=bulk_request.to_dict())


def begin_with(bulk_request: BulkRequest, chosen: list[Chosen], *, command: Command) -> Job:
    """A selection: its number is known, so it starts immediately."""
    items = queries.find_items([each.target for each in chosen])
    lines = []
    for each in chosen:
        item, target = items.get(each.target.path), each.target
        names = {"post": target.post, "comment": target.comment} if target.comment else {"post": target.post}
        lines.append(line_of(item, each.revision) if item else names | {"seen": each.revision})
    title = bulk_request.title(len(chosen), count_text_of(chosen))
    parts = -(-len(lines) // LINES_A_PART)
    return services.start(
        BULK, title, command=command, inputs=lines, first=first_line(parts), about=bulk_request.to_dict()
    )


def begin_undo(job: Job, *, command: Command) -> Job:
    """Undo everything that the job has done so far. A running job is stopped first."""
    return services.start_undo(UNDO, job, command=command)
