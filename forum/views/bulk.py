"""Bulk actions: request, preview, start and undo. The job has its own page."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard.core.errors import NotFound, Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.configs import queries as configs
from dashboard.platform.configs.items import VERSION_LIMIT
from dashboard.platform.jobs import queries as job_queries
from dashboard.platform.jobs import services as job_services
from dashboard.platform.jobs.bulk_panel import is_in_place
from dashboard.platform.jobs.items import Job, JobState
from dashboard.table.read import COUNT_LIMIT, gather
from dashboard.web.commands import command_of
from dashboard.web.pages import page, referring_page, safe_next, see_other
from dashboard.web.toasts import toast
from forum.actions import ACTIONS, Action
from forum.bulk.requests import BulkRequest, action_of, chosen_by, count_text_of, list_of
from forum.configs.reasons import REASONS
from forum.forms.bulk import ReasonForm
from forum.jobs import BULK, CAUSE
from forum.permissions import Permission
from forum.queries import bulk as queries
from forum.reasons import ReasonChoices
from forum.services import bulk as services
from forum.services.decisions import NO_REASON
from forum.views.bulk_panel import panel

MAX_EXAMPLES = 20
MAX_BACK = 500


@requires(Permission.MODERATE)
@require_POST
def bulk(request: Request) -> HttpResponse:
    """A selection starts immediately; everything of a list is counted first."""
    action, everything = action_of(request.POST.get("action", "")), request.POST.get("everything") == "1"
    list_filter: dict[str, Any] = list_of(request.POST.dict()) if everything else {}
    chosen = [] if everything else chosen_by(request.POST.getlist("selected"))
    back = safe_next(request, referring_page(request))[:MAX_BACK]
    form = ReasonForm(request.POST.dict(), action, _presets())
    if not form.is_valid() and is_in_place(request):
        raise Refused(NO_REASON, "reason")
    if not form.is_valid():
        bulk_request = BulkRequest(action, back=back, **list_filter)
        title = bulk_request.title(None if everything else len(chosen), count_text_of(chosen))
        context = {
            "bulk_request": bulk_request,
            "title": title,
            "form": form,
            "selected": " ".join(request.POST.getlist("selected")),
        }
        return page(request, "forum/bulk.html", context, status=422)
    # The form of a list has one reason field for all its buttons.
    bulk_request = BulkRequest(action, form.given if ACTIONS[action].needs_reason else "", back=back, **list_filter)
    command = command_of(request)
    if everything:
        job = services.begin_with_all(bulk_request, command=command)
    else:
        job = services.begin_with(bulk_request, chosen, command=command)
    if is_in_place(request):
        return panel(request, job, is_new=True)
    if not everything:
        progress = bulk_request.progress(len(chosen), count_text_of(chosen))
        toast(request, progress, undo=(_at("forum_bulk_undo", job), {}))
    return see_other(request, _at("operation", job))


def _presets() -> dict[str, str]:
    """The preset reasons in the language of the reader."""
    return ReasonChoices.of(configs.current(REASONS)).texts


def _at(route: str, job: Job) -> str:
    return reverse(route, args=[job.id])


def _own(request: Request, job_id: str) -> Job:
    job = job_queries.load_own_job(job_id, request.person.email)
    if job.kind not in {BULK, CAUSE}:
        raise NotFound
    return job


@requires(Permission.MODERATE)
@require_safe
def preview(request: Request, job_id: str) -> HttpResponse:
    """How many posts and comments the action is for, and the first of them."""
    job, lines, presets = gather(
        lambda: _own(request, job_id), lambda: job_queries.first_lines(job_id, MAX_EXAMPLES), _presets
    )
    if job.state != JobState.WAITING:
        return see_other(request, _at("operation", job))
    bulk_request, count = BulkRequest.from_dict(job.about), int(job.total or 0)
    context = {
        "job": job,
        "bulk_request": bulk_request,
        "action": ACTIONS[bulk_request.action],
        "title": bulk_request.title(count),
        "reason": presets.get(bulk_request.reason, bulk_request.reason),
        "lines": lines,
        "left": count - len(lines),
    }
    return page(request, "forum/bulk_preview.html", context)


@requires(Permission.MODERATE)
@require_POST
def begin(request: Request, job_id: str) -> HttpResponse:
    job = _own(request, job_id)
    job_services.confirm(job)
    if is_in_place(request):
        return panel(request, _own(request, job_id))
    progress = BulkRequest.from_dict(job.about).progress(int(job.total or 0))
    toast(request, progress, undo=(_at("forum_bulk_undo", job), {}))
    return see_other(request, _at("operation", job))


@requires(Permission.MODERATE)
@require_POST
def undo(request: Request, job_id: str) -> HttpResponse:
    """Undo all, also of a job that is still running."""
    job = services.begin_undo(_own(request, job_id), command=command_of(request))
    if is_in_place(request):
        return panel(request, job)
    return see_other(request, _at("operation", job))


@requires(Permission.MODERATE)
@require_http_methods(["GET", "HEAD", "POST"])
def banned_by_version(request: Request, number: int) -> HttpResponse:
    """Restore what a version of the filter banned and nobody has changed since, after a preview."""
    if number >= VERSION_LIMIT:
        raise NotFound
    if request.method == "POST":
        bulk_request = BulkRequest(Action.RESTORE, version=number, back=request.path)
        job = services.begin_with_all(bulk_request, command=command_of(request))
        return see_other(request, _at("operation", job))
    count = queries.count_bans(number)
    context = {
        "number": number,
        "count": count,
        "more": count >= COUNT_LIMIT,
        "keeps_filter": request.person.may(Permission.FILTER),
    }
    return page(request, "forum/banned_by_version.html", context)
