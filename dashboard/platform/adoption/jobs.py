"""Jobs that adopt all unknown businesses, and undo it."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from dashboard.core.errors import Conflict, NotFound, Refused
from dashboard.platform.adoption import services
from dashboard.platform.adoption.items import UnknownBusiness
from dashboard.platform.businesses.permissions import Permission
from dashboard.platform.jobs.items import Job
from dashboard.platform.jobs.kinds import line_job_kind
from dashboard.platform.jobs.services import start
from dashboard.table.commands import Command
from dashboard.table.transactions import find_done

MAX_KINDS_SHOWN = 6
ADOPT_ALL, UNDO_ALL = "businesses.adopt", "businesses.adopt.undo"


def _target(line: dict[str, Any]) -> str:
    return str(line["id"])


@line_job_kind(
    ADOPT_ALL,
    permission=Permission.BUSINESSES_MANAGE,
    target=_target,
    result_template="adoption/adopted.html",
    confirm_page="adoption_preview",
)
def adopt(line: dict[str, Any], command: Command) -> None:
    try:
        services.adopt(line["id"], name=line["name"], command=command)
    except Conflict as conflict:
        raise Refused(_("Someone else adopted it at the same time.")) from conflict
    except NotFound as error:
        raise Refused(_("It is not in the list any more.")) from error


@line_job_kind(UNDO_ALL, permission=Permission.BUSINESSES_MANAGE, target=_target)
def undo(line: dict[str, Any], command: Command) -> None:
    """Undo the adoption that the job made, and no later change."""
    adopted = find_done(Command(line["job"], command.by).part(line["id"]))
    if adopted is None:
        raise Refused(_("The job did not adopt it."))
    try:
        services.undo_adoption(line["id"], revision=int(adopted.subject_revision or 0), command=command)
    except Conflict as conflict:
        raise Refused(_("This business has been used since it was adopted. It was kept.")) from conflict
    except NotFound as error:
        raise Refused(_("This business no longer exists.")) from error


def adoption_line(unknown: UnknownBusiness) -> dict[str, Any]:
    """One line of the job: the id, and what its preview shows."""
    kinds = sorted(unknown.examples)[:MAX_KINDS_SHOWN]
    return {"id": unknown.id, "name": unknown.name or "", "kinds": kinds, "can": unknown.can_be_adopted}


def adopt_all(lines: list[dict[str, Any]], *, command: Command) -> Job:
    """A job that waits for confirmation. The ids that cannot be adopted are its first lines, and are left out."""
    lines = sorted(lines, key=lambda line: bool(line["can"]))
    count = sum(line["can"] for line in lines)
    return start(
        ADOPT_ALL,
        ngettext("Adopt %(count)s business", "Adopt %(count)s businesses", count) % {"count": count},
        command=command,
        inputs=lines,
        total=count,
        first=len(lines) - count,
        about={"leftOut": len(lines) - count},
        waiting=True,
    )


def undo_all(job: Job, lines: list[dict[str, Any]], *, command: Command) -> Job:
    """A job that undoes what another one adopted."""
    count = len(lines)
    title = ngettext("Undo the adoption of %(count)s business", "Undo the adoption of %(count)s businesses", count)
    return start(UNDO_ALL, title % {"count": count}, command=command, inputs=lines, about={"of": job.id})
