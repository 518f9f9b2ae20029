"""Undo of all movements of a cause, or of a person since a time: a preview, then a job."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from dashboard.core.errors import Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.jobs import queries as job_queries
from dashboard.platform.jobs import services as job_services
from dashboard.platform.jobs.items import JobState
from dashboard.platform.jobs.previews import load_own_job_of_kind
from dashboard.table import cursors
from dashboard.table.read import gather
from dashboard.table.timestamps import from_wire
from dashboard.web.commands import command_of
from dashboard.web.lists import build_listing
from dashboard.web.pages import page, see_other
from franchises.permissions import Permission
from franchises.presenters import display_change
from franchises.queries.branches import branches_of, titles_of
from franchises.reasons import REASON_LABELS
from franchises.services import selected_undo as services

MAX_LENGTH = 254


@requires(Permission.STOCK)
@require_POST
def begin(request: Request, business: str) -> HttpResponse:
    cause, person, since = (request.POST.get(name, "")[:MAX_LENGTH] for name in ("cause", "person", "since"))
    if cause:
        job = services.begin_undo_of_cause(business, cause, command=command_of(request))
    elif person and since:
        job = services.begin_undo_of_person(business, person, since, command=command_of(request))
    else:
        raise Refused(_("Choose a cause, or a person and a date."))
    return see_other(request, job.url())


@requires(Permission.STOCK)
@require_safe
def preview(request: Request, business: str, job_id: str) -> HttpResponse:
    scope = (request.person.email, "stores_undo", job_id)
    part: int = cursors.decode(request.GET.get("cursor", ""), *scope) or 0
    job, lines, branches = gather(
        lambda: load_own_job_of_kind(request, job_id, services.SELECTED_UNDO, business),
        lambda: job_queries.lines_of_part(job_id, part),
        lambda: branches_of(business),
    )
    if job.state != JobState.WAITING:
        return see_other(request, job.url())
    titles = titles_of(branches)
    rows = [
        {
            "title": line["title"],
            "branch": titles.get(line["branch"], line["branch"]),
            "at": from_wire(line["at"]),
            "reason": REASON_LABELS.get(line["reason"], line["reason"]),
            "change": display_change(-line["change"]),
        }
        for line in lines
    ]
    following = cursors.encode(part + 1, *scope) if part + 1 < int(job.cursor["parts"]) else None
    context = {"job": job, "listing": build_listing(request, rows, following), "tab": "movements"}
    return page(request, "franchises/movements_undo.html", context, partial="rows" if part else None)


@requires(Permission.STOCK)
@require_POST
def confirm(request: Request, business: str, job_id: str) -> HttpResponse:
    job = load_own_job_of_kind(request, job_id, services.SELECTED_UNDO, business)
    job_services.confirm(job)
    return see_other(request, job.url())
