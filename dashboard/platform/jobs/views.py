"""Long work on the screen: each request does a piece of it and shows how far it is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from dashboard.core.errors import NotAllowed
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.jobs import queries, runner, services
from dashboard.platform.jobs.items import Job, State
from dashboard.platform.jobs.kinds import KINDS
from dashboard.platform.jobs.permissions import Permission
from dashboard.table import cursors
from dashboard.table.read import Page, gather
from dashboard.web.lists import listing
from dashboard.web.pages import page, see_other, wants_fragment
from dashboard.web.toasts import toast


@requires(Permission.OPERATIONS)
@require_safe
def operations(request: Request) -> HttpResponse:
    scope = (request.person.email, "operations")
    found = queries.works_of(request.person.email, cursors.decode(request.GET.get("cursor", ""), *scope))
    following = cursors.encode(found.next, *scope) if found.next else None
    context = {"listing": listing(request, found.items, following)}
    return page(request, "operations/list.html", context, partial="rows" if "cursor" in request.GET else "list")


@requires(Permission.OPERATIONS)
@require_safe
def job_page(request: Request, job_id: str) -> HttpResponse:
    scope = (request.person.email, "failures", job_id)
    start = cursors.decode(request.GET.get("cursor", ""), *scope)
    found = gather(lambda: queries.own_job(job_id, request.person.email), lambda: queries.failures(job_id, start))
    work: Job = found[0]
    if waits_at := _waits_at(work):
        return see_other(request, waits_at)
    return _shown(request, work, found[1], partial="rows" if start else "work")


@requires(Permission.OPERATIONS)
@require_POST
def advance(request: Request, job_id: str) -> HttpResponse:
    """Do a piece of it. With a script the page asks for the next by itself."""
    before = _driven(request, job_id)
    after = runner.advance(before)
    if not wants_fragment(request):
        return _back_to(request, after)
    if waits_at := _waits_at(after):
        return see_other(request, waits_at)
    failures = queries.failures(job_id) if after.failed else None
    return _shown(request, after, failures, before=before)


@requires(Permission.OPERATIONS)
@require_POST
def stop(request: Request, job_id: str) -> HttpResponse:
    work = _driven(request, job_id)
    services.stop(work)
    toast(request, _("Stopped. What is done stays done."))
    return _back_to(request, work)


@requires(Permission.OPERATIONS)
@require_POST
def resume(request: Request, job_id: str) -> HttpResponse:
    work = _driven(request, job_id)
    services.resume(work)
    return _back_to(request, work)


@requires(Permission.OPERATIONS)
@require_POST
def retry(request: Request, job_id: str) -> HttpResponse:
    work = _driven(request, job_id)
    services.try_failed_again(work)
    return _back_to(request, work)


def _driven(request: Request, job_id: str) -> Job:
    """One's own work, if one still may do such work: a role can be lost half-way."""
    work = queries.own_job(job_id, request.person.email)
    if work.kind not in KINDS or not request.person.may(KINDS[work.kind].permission):
        raise NotAllowed
    return work


def _waits_at(work: Job) -> str:
    """The page where its person looks at what waits for them; none where nothing does."""
    kind = KINDS.get(work.kind)
    waits = work.state == State.WAITING and kind is not None and kind.waits_at
    return reverse(kind.waits_at, args=[work.id]) if kind is not None and waits else ""


def _back_to(request: Request, work: Job) -> HttpResponse:
    return see_other(request, reverse("operation", args=[work.id]))


def _shown(
    request: Request,
    work: Job,
    failures: Page[Any] | None,
    *,
    before: Job | None = None,
    partial: str = "work",
) -> HttpResponse:
    kind = KINDS.get(work.kind)
    scope = (request.person.email, "failures", work.id)
    following = cursors.encode(failures.next, *scope) if failures and failures.next else None
    here = reverse("operation", args=[work.id])
    rows = listing(request, failures.items if failures else [], following)
    if before is not None and rows.next:  # A piece was asked for elsewhere; more of the list stands here.
        rows = replace(rows, next=rows.next.replace(request.path, here, 1))
    context = {
        "work": work,
        "result": kind.result if kind else "",
        "names": kind.names if kind else "",
        "again": kind is not None and kind.again is not None,
        "may": kind is not None and request.person.may(kind.permission),
        # Someone else's turn: this page only looks, and less often.
        "wait": "2s" if work.is_leased else "50ms",
        "listing": rows,
        # Heard at the quarters only: a voice that counts every step is no help.
        "said": before is not None and (before.state != work.state or before.percent // 25 != work.percent // 25),
    }
    return page(request, "operations/operation.html", context, partial=partial)
