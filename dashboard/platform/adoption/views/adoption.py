"""Adopting all found businesses as a job: preview, confirmation and Undo."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from dashboard.core.errors import NotFound, Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.adoption import queries
from dashboard.platform.adoption.items import CANNOT_BE_ADOPTED
from dashboard.platform.adoption.jobs import ADOPT_ALL, adopt_all, adoption_line, undo_all
from dashboard.platform.adoption.kinds import kinds_text
from dashboard.platform.businesses.permissions import Permission
from dashboard.platform.jobs import queries as job_queries
from dashboard.platform.jobs import services as job_services
from dashboard.platform.jobs.items import Job, State
from dashboard.table import cursors
from dashboard.table.read import gather
from dashboard.web.capacity import expensive
from dashboard.web.commands import command_of
from dashboard.web.lists import build_listing
from dashboard.web.pages import page, see_other


@requires(Permission.BUSINESSES_MANAGE)
@require_POST
@expensive()
def prepare(request: Request) -> HttpResponse:
    """Store what would be adopted as a job that waits for confirmation. The ids that cannot be adopted come first."""
    lines = [adoption_line(each) for each in queries.all_found()]
    if not lines:
        raise Refused(_("There is nothing to adopt."))
    job = adopt_all(lines, command=command_of(request))
    return see_other(request, reverse("adoption_preview", args=[job.id]))


def _load(request: Request, adoption: str) -> Job:
    job = job_queries.load_own_job(adoption, request.person.email)
    if job.kind != ADOPT_ALL:
        raise NotFound
    return job


@requires(Permission.BUSINESSES_MANAGE)
@require_safe
def preview(request: Request, adoption: str) -> HttpResponse:
    scope = (request.person.email, "adoption", adoption)
    part: int = cursors.decode(request.GET.get("cursor", ""), *scope) or 0
    job, lines = gather(lambda: _load(request, adoption), lambda: job_queries.lines_of_part(adoption, part))
    if job.state != State.WAITING:
        return see_other(request, reverse("operation", args=[job.id]))
    total = int(job.total or 0) + _excluded(job)
    following = cursors.encode(part + 1, *scope) if (part + 1) * job_queries.LINES_A_PART < total else None
    context = {
        "job": job,
        "listing": build_listing(request, list(map(_preview_row, lines)), following, total=str(total)),
        "excluded": _excluded(job),
        "obstacle": CANNOT_BE_ADOPTED,
    }
    return page(request, "adoption/preview.html", context, partial="rows" if part else None)


def _preview_row(line: dict[str, Any]) -> dict[str, Any]:
    return line | {"kinds_text": kinds_text(line["kinds"])}


def _excluded(job: Job) -> int:
    """The number of ids that cannot be adopted. They are the first lines of the job."""
    return int((job.about or {}).get("leftOut", 0))


@requires(Permission.BUSINESSES_MANAGE)
@require_POST
def confirm(request: Request, adoption: str) -> HttpResponse:
    job = _load(request, adoption)
    if not job.total:
        raise Refused(_("There is nothing to adopt."))
    job_services.confirm(job)
    return see_other(request, reverse("operation", args=[job.id]))


@requires(Permission.BUSINESSES_MANAGE)
@require_POST
@expensive()
def undo(request: Request, adoption: str) -> HttpResponse:
    """Remove the businesses that the job adopted and nobody has used, as another job."""
    job = _load(request, adoption)
    if job.state in {State.WAITING, State.RUNNING}:
        raise Refused(_("Stop the job first: it is still running."))
    lines = job_queries.all_lines(job.id, queries.MAX_ADOPTED)[_excluded(job) :]
    inputs = [{"id": line["id"], "job": job.id} for line in lines]
    if not inputs:
        raise Refused(_("There is nothing to undo."))
    undoing = undo_all(job, inputs, command=command_of(request))
    return see_other(request, reverse("operation", args=[undoing.id]))
