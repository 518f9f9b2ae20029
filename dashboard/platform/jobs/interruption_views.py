"""The page of everybody's interrupted jobs, for admins."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from dashboard.core.errors import NotFound
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.jobs import interruptions, queries
from dashboard.platform.jobs.items import Job
from dashboard.platform.jobs.permissions import Permission
from dashboard.table.read import Page
from dashboard.web.lists import list_page
from dashboard.web.pages import see_other
from dashboard.web.toasts import toast


@requires(Permission.ALL_OPERATIONS)
@require_safe
def interrupted_jobs(request: Request) -> HttpResponse:
    def load(start_key: Any) -> tuple[Page[Job], dict[str, Any]]:
        return queries.interrupted_jobs(start_key), {}

    return list_page(request, "jobs/interrupted.html", load, cursor_scope=("operations", "interrupted"))


@requires(Permission.ALL_OPERATIONS)
@require_POST
def dismiss(request: Request, job_id: str) -> HttpResponse:
    job = _load_job(job_id)
    if interruptions.dismiss(job, request.person.actor):
        undo = reverse("operation_dismiss_undo", args=[job_id])
        toast(request, _("%(job)s: removed from this list.") % {"job": job.title}, undo=(undo, {}))
    else:
        toast(request, _("Nothing was changed."))
    return see_other(request, reverse("operations_interrupted"))


@requires(Permission.ALL_OPERATIONS)
@require_POST
def undo_dismissal(request: Request, job_id: str) -> HttpResponse:
    job = _load_job(job_id)
    if interruptions.undo_dismissal(job):
        toast(request, _("%(job)s: back in this list.") % {"job": job.title})
    else:
        toast(request, _("Nothing was changed."))
    return see_other(request, reverse("operations_interrupted"))


def _load_job(job_id: str) -> Job:
    job = queries.find_job(job_id)
    if job is None:
        raise NotFound
    return job
