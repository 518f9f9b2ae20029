"""Decisions about selected comments."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from content import comment_bulk as bulk
from content.comment_statuses import DECISIONS
from content.permissions import Permission
from dashboard.core.errors import Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.jobs.queries import load_own_job
from dashboard.web.commands import command_of
from dashboard.web.pages import safe_next, see_other


@requires(Permission.VISITORS)
@require_POST
def decide(request: Request, business: str) -> HttpResponse:
    decision = DECISIONS.get(request.POST.get("decision", ""))
    if decision is None:
        raise Refused(_("Choose an action."))
    lines = bulk.selected_lines(business, request.POST.getlist("selected"))
    job = bulk.begin(business, decision, lines, safe_next(request, ""), command=command_of(request))
    return see_other(request, job.url())


@requires(Permission.VISITORS)
@require_POST
def undo(request: Request, business: str, job_id: str) -> HttpResponse:
    job = load_own_job(job_id, request.person.email, business)
    return see_other(request, bulk.begin_undo(job, command=command_of(request)).url())
