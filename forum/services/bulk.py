"""Starts bulk actions and their undo."""

from __future__ import annotations

from django.utils.translation import gettext as _

from dashboard.core.errors import Refused
from dashboard.platform.jobs import services
from dashboard.platform.jobs.items import Job, JobState
from dashboard.platform.jobs.queries import LINES_A_PART
from dashboard.table.commands import Command
from forum.bulk.requests import BulkRequest, Chosen, count_text_of
from forum.bulk.selection import beginning, first_line, line_of, parts_of
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
    if job.is_counting or job.state == JobState.WAITING:
        raise Refused(_("Nothing to undo yet."))
    services.stop(job)
    back = BulkRequest.from_dict(job.about).back
    return services.start(
        UNDO,
        _("Undo: %(title)s") % {"title": job.title},
        command=command,
        total=int(job.done),
        first=first_line(parts_of(job)),
        about={"of": job.id} | ({"back": back} if back else {}),
    )
