"""Jobs that adopt all found businesses, and undo it."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from dashboard.core.errors import Conflict, NotFound, Refused
from dashboard.platform.adoption import services
from dashboard.platform.businesses.permissions import Permission
from dashboard.platform.jobs.kinds import line_job_kind
from dashboard.table.commands import Command
from dashboard.table.transactions import find_done

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
