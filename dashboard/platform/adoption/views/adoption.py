"""Adopting all unknown businesses as a job: preview, confirmation and Undo."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from dashboard.core.errors import Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.adoption import queries
from dashboard.platform.adoption.items import CANNOT_BE_ADOPTED
from dashboard.platform.adoption.jobs import ADOPT_ALL, adopt_all, adoption_line, undo_all
from dashboard.platform.adoption.kinds import kinds_text
from dashboard.platform.businesses.permissions import Permission
from dashboard.platform.jobs import queries as job_queries
from dashboard.platform.jobs import services as job_services
from dashboard.platform.jobs.items import JobState
from dashboard.platform.jobs.previews import load_own_job_of_kind, preview_page
from dashboard.web.capacity import expensive
from dashboard.web.commands import command_of
from dashboard.web.pages import see_other


@requires(Permission.BUSINESSES_MANAGE)
@require_POST
@expensive()
def prepare(request: Request) -> HttpResponse:
    """Store what would be adopted as a job that waits for confirmation. The ids that cannot be adopted come first."""
    lines = [adoption_line(each) for each in queries.all_unknown_businesses()]
    if not lines:
        raise Refused(_("There is nothing to adopt."))
    job = adopt_all(lines, command=command_of(request))
    return see_other(request, reverse("adoption_preview", args=[job.id]))


@requires(Permission.BUSINESSES_MANAGE)
@require_safe
def preview(request: Request, adoption: str) -> HttpResponse:
    return preview_page(
        request,
        "adoption/preview.html",
        adoption,
        ADOPT_ALL,
        cursor_scope="adoption",
        to_row=_preview_row,
        add_context=lambda job: {"obstacle": CANNOT_BE_ADOPTED},
    )


def _preview_row(line: dict[str, Any]) -> dict[str, Any]:
    return line | {"kinds_text": kinds_text(line["kinds"])}


@requires(Permission.BUSINESSES_MANAGE)
@require_POST
def confirm(request: Request, adoption: str) -> HttpResponse:
    job = load_own_job_of_kind(request, adoption, ADOPT_ALL)
    if not job.total:
        raise Refused(_("There is nothing to adopt."))
    job_services.confirm(job)
    return see_other(request, reverse("operation", args=[job.id]))


@requires(Permission.BUSINESSES_MANAGE)
@require_POST
@expensive()
def undo(request: Request, adoption: str) -> HttpResponse:
    """Remove the businesses that the job adopted and nobody has used, as another job."""
    job = load_own_job_of_kind(request, adoption, ADOPT_ALL)
    if job.state in {JobState.WAITING, JobState.RUNNING}:
        raise Refused(_("Stop the job first: it is still running."))
    lines = job_queries.all_lines(job.id, queries.MAX_ADOPTED)[job.excluded :]
    inputs = [{"id": line["id"], "job": job.id} for line in lines]
    if not inputs:
        raise Refused(_("There is nothing to undo."))
    undoing = undo_all(job, inputs, command=command_of(request))
    return see_other(request, reverse("operation", args=[undoing.id]))
