"""The job that measures the impact of a person's unsaved changes of the filter."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from dashboard.core.clock import now
from dashboard.core.errors import Refused
from dashboard.platform.configs.changes import pack, unpack
from dashboard.platform.configs.items import Body
from dashboard.platform.configs.kinds import digest
from dashboard.platform.configs.queries import ConfigState
from dashboard.platform.jobs import queries as jobs
from dashboard.platform.jobs import services
from dashboard.platform.jobs.items import Job, JobState
from dashboard.platform.jobs.kinds import Step
from dashboard.table.commands import Command
from dashboard.table.timestamps import to_wire
from forum.impact import Impact, compare_filters
from forum.queries.filter import compile_filter
from forum.queries.recent_texts import newest_texts
from forum.targets import TargetKind

IMPACT = "forum.impact"
# The number of posts and of comments that are checked, and the number for each step.
MAX_TEXTS, STEP_SIZE = 2_000, 250
_ORDER = (TargetKind.POST, TargetKind.COMMENT)


def start(state: ConfigState, *, command: Command) -> Job:
    """Start the job. It stores both filters: the person may go on editing, and others may save."""
    if not state.changes:
        raise Refused(_("There are no unsaved changes."))
    bodies = [{"body": base64.b64encode(pack(body)).decode()} for body in (state.body, state.edited_body)]
    about = {"version": state.number, "digest": digest(state.edited_body), "changes": len(state.changes)}
    title = _("Impact of your changes to the filter")
    return services.start(IMPACT, title, command=command, inputs=bodies, total=len(_ORDER) * MAX_TEXTS, about=about)


def step(job: Job) -> Step:
    """Check the next texts: posts first, then comments. The total shrinks if there are fewer texts."""
    cursor: dict[str, Any] = job.cursor if isinstance(job.cursor, dict) else _first_cursor(TargetKind.POST)
    kind = TargetKind(cursor["kind"])
    before, after = (compile_filter(body) for body in _stored_bodies(job))
    limit = min(STEP_SIZE, MAX_TEXTS - int(cursor["looked"]))
    found = newest_texts(kind, to_wire(job.cut_off or now()), cursor["places"], limit)
    impact = Impact.from_dict(job.result) + compare_filters(before, after, found.texts)
    checked = int(cursor["looked"]) + len(found.texts)
    next_cursor: dict[str, Any] | None = {"kind": kind, "looked": checked, "places": found.positions}
    total = int(job.total or 0)
    if found.is_last or checked >= MAX_TEXTS:
        total -= MAX_TEXTS - checked
        next_cursor = _first_cursor(TargetKind.COMMENT) if kind is TargetKind.POST else None
    return Step(next_cursor, len(found.texts), result=impact.to_dict(), total=total)


def _first_cursor(kind: TargetKind) -> dict[str, Any]:
    return {"kind": kind, "looked": 0, "places": {}}


def _stored_bodies(job: Job) -> tuple[Body, Body]:
    """The saved filter and the edited one, as they were when the job started."""
    lines, _more = jobs.lines_from(job, 0, 2)
    before, after = (unpack(base64.b64decode(line["body"])) for line in lines)
    return before, after


@dataclass(frozen=True)
class ImpactCheck:
    """An impact job next to the person's current changes."""

    job: Job
    state: ConfigState

    @property
    def is_done(self) -> bool:
        return self.job.state == JobState.DONE

    @property
    def version(self) -> int:
        """The version that the changes were compared with."""
        return int((self.job.about or {}).get("version", 0))

    @property
    def is_version_outdated(self) -> bool:
        return self.version != self.state.number

    @property
    def is_current(self) -> bool:
        """Whether the result is about what would be saved now."""
        return bool((self.job.about or {}).get("digest") == digest(self.state.edited_body))


def find_impact_job(job_id: str, email: str) -> Job | None:
    """A person's own impact job. The id comes from a URL and may be anything."""
    job = jobs.find_job(job_id) if job_id else None
    return job if job is not None and job.by == email and job.kind == IMPACT else None
