"""Starting a shift of opening times, and its undo."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from dashboard.core.errors import Refused
from dashboard.platform.jobs import queries as job_queries
from dashboard.platform.jobs import services
from dashboard.platform.jobs.items import Job, JobState
from dashboard.platform.jobs.kinds import JobLine
from dashboard.platform.jobs.zones import ZONE
from dashboard.table.commands import Command
from rooms.services.shift_job import AT_ONCE
from rooms.shifts import reverse_line, shift_title

SHIFT = "rooms.shift"


def prepare(lines: Sequence[JobLine], minutes: int, zone: str = "", *, command: Command) -> Job:
    """Create the job of a shift. It waits until the person has seen the preview. Its pages use the time zone `zone`."""
    title, about = shift_title(len(lines), minutes), {"minutes": minutes} | ({ZONE: zone} if zone else {})
    return services.start(SHIFT, title, command=command, inputs=lines, about=about, waiting=True)


def begin_undo(job: Job, *, command: Command) -> Job:
    """Undo what the shift has moved so far; a running shift is stopped first."""
    if job.state == JobState.WAITING:
        raise Refused(_("There is nothing to undo yet."))
    if "undoes" in (job.about or {}):
        # An undo lists rooms that were never moved: undoing it would move them.
        raise Refused(_("An undo can't be undone. Shift the opening times again instead."))
    services.stop(job)
    # It may have advanced since it was read.
    job = job_queries.load_own_job(job.id, job.by)
    # A running step may have moved a few more rooms than are counted.
    handled_lines = job_queries.all_lines(job.id, job.handled + AT_ONCE)
    lines = [reverse_line(line) for line in handled_lines if line["room"] not in _failed(job)]
    if not lines:
        raise Refused(_("There is nothing to undo yet."))
    title = _("Undo: %(title)s") % {"title": job.title}
    shifted = job.about or {}
    about = {"minutes": -int(shifted.get("minutes", 0)), "undoes": job.id, ZONE: shifted.get(ZONE, "")}
    return services.start(SHIFT, title, command=command, inputs=lines, about=about)


def _failed(job: Job) -> set[str]:
    """The rooms that it did not move."""
    found: set[str] = set()
    start_key = None
    while True:
        page = job_queries.failures(job.id, start_key)
        found |= {each.target for each in page.items}
        start_key = page.next_start_key
        if start_key is None:
            return found
