"""Stages of many leads, and their undo, as jobs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from django.utils.translation import gettext as _

from content.comment_refs import decode_text
from content.lead_stages import STAGE_LABELS, LeadStage, stage_of
from content.queries.leads import state_key
from content.services import leads as services
from dashboard.core.errors import NotFound, Refused
from dashboard.platform.jobs import services as job_services
from dashboard.platform.jobs.items import Job
from dashboard.platform.jobs.kinds import JobLine, Step
from dashboard.platform.jobs.parts import first_line, lines_step, part_of_undo, undo_step
from dashboard.platform.jobs.queries import LINES_A_PART
from dashboard.table.commands import Command

MOVE, UNDO = "site.leads", "site.leads_undo"
MOST = 100
# A revision never has so many digits.
MAX_REVISION = 12


def selected(business: str, values: Sequence[str]) -> list[JobLine]:
    """The selection: the revision that the person saw, and the lead."""
    words = list(dict.fromkeys(word for value in values for word in value.split()))
    if not 0 < len(words) <= MOST:
        raise Refused(_("Select 1 to %(most)s leads.") % {"most": MOST})
    return list({line["lead"]: line for line in (_line(business, word) for word in words)}.values())


def _line(business: str, word: str) -> JobLine:
    revision, _colon, token = word.partition(":")
    try:
        lead = decode_text(token)
        state_key(business, lead)
    except (ValueError, NotFound):
        lead = ""
    if not lead or not (revision.isascii() and revision.isdigit() and len(revision) <= MAX_REVISION):
        raise Refused(_("This selection is not valid. Reload the page and try again."))
    return {"lead": lead, "seen": int(revision)}


def begin(business: str, stage: LeadStage, lines: list[JobLine], back: str, *, command: Command) -> Job:
    title = _("%(count)s leads: %(stage)s") % {"count": len(lines), "stage": STAGE_LABELS[stage]}
    first = first_line(-(-len(lines) // LINES_A_PART))
    about = {"stage": stage.value} | ({"back": back} if back else {})
    return job_services.start(MOVE, title, command=command, inputs=lines, first=first, business=business, about=about)


def begin_undo(job: Job, *, command: Command) -> Job:
    """Undo what the job has done so far, as another job."""
    if job.kind != MOVE:
        raise NotFound
    return job_services.start_undo(UNDO, job, command=command)


def name_of(line: JobLine) -> str:
    return str(line["lead"])


def step(job: Job) -> Step:
    given = {"business": str(job.business_id), "stage": (job.about or {}).get("stage")}
    return lines_step(job, move, name_of, given)


def move(line: JobLine, command: Command) -> None:
    """With the revision that the person saw: a later change of a colleague is kept."""
    stage = stage_of(line["stage"])
    services.set_stage(line["business"], line["lead"], stage, revision=int(line["seen"]), command=command)


def undo_next(job: Job) -> Step:
    """Undo the next changes of the other job. A lead that was changed again since is a failure."""
    return undo_step(job, partial(_undo_part, str(job.business_id)), name_of, "before", "revision")


def _undo_part(business: str, line: JobLine, command: Command) -> None:
    # A lead that was in the stage already has not changed.
    if line["revision"]:
        own, stage = part_of_undo(line, name_of(line), command), stage_of(line["before"]["stage"])
        services.set_stage(business, line["lead"], stage, revision=int(line["revision"]), command=own)
