"""Beginning what is done to many, and its undo."""

from __future__ import annotations

from django.utils.translation import gettext as _

from dashboard.core.errors import Refused
from dashboard.platform.jobs import services
from dashboard.platform.jobs.items import Job, State
from dashboard.platform.jobs.queries import LINES_A_PART
from dashboard.table.commands import Command
from forum.bulk.requests import BulkRequest, Chosen, counted_text
from forum.bulk.selection import beginning, first_line, line_of, parts_of
from forum.jobs import BULK, CAUSE, UNDO
from forum.queries import bulk as queries


def begin_with_all(wish: BulkRequest, *, command: Command) -> Job:
    """Everything that a list shows, or that a version of the filter banned: it is counted first."""
    kind = BULK if wish.version is None else CAUSE
    return services.start(kind, wish.title(), command=command, first=beginning(), about=wish.to_dict())


def begin_with(wish: BulkRequest, chosen: list[Chosen], *, command: Command) -> Job:
    """What was chosen one by one: how many they are is known, so it begins at once."""
    there = queries.some([each.target for each in chosen])
    lines = []
    for each in chosen:
        item, target = there.get(each.target.name), each.target
        names = {"post": target.post, "comment": target.comment} if target.comment else {"post": target.post}
        lines.append(line_of(item, each.revision) if item else names | {"seen": each.revision})
    title = wish.title(len(chosen), counted_text(chosen))
    parts = -(-len(lines) // LINES_A_PART)
    return services.start(BULK, title, command=command, inputs=lines, first=first_line(parts), about=wish.to_dict())


def begin_undo(work: Job, *, command: Command) -> Job:
    """Take back all that it has done so far; what still runs is stopped first."""
    if work.is_counting or work.state == State.WAITING:
        raise Refused(_("Nothing to undo yet."))
    services.stop(work)
    back = BulkRequest.from_dict(work.about).back
    return services.start(
        UNDO,
        _("Undo: %(title)s") % {"title": work.title},
        command=command,
        total=int(work.done),
        first=first_line(parts_of(work)),
        about={"of": work.id} | ({"back": back} if back else {}),
    )
