"""The pages of jobs. Each request executes a piece of a job and shows its progress."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from dashboard.core.errors import NotAllowed
from dashboard.platform.accounts.middleware import Request, has_permission
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.jobs import queries, runner, services
from dashboard.platform.jobs.items import Job, JobState
from dashboard.platform.jobs.kinds import KINDS
from dashboard.platform.jobs.permissions import Permission
from dashboard.platform.jobs.zones import show_times_of
from dashboard.table import cursors
from dashboard.table.read import Page, gather
from dashboard.web.capacity import expensive
from dashboard.web.lists import build_listing, list_page
from dashboard.web.pages import page, see_other, wants_fragment
from dashboard.web.toasts import toast


@requires(Permission.OPERATIONS)
@require_safe
def jobs(request: Request) -> HttpResponse:
    def load(start_key: Any) -> tuple[Page[Job], dict[str, Any]]:
        context = {"may_see_all": has_permission(request, Permission.ALL_OPERATIONS)}
        return queries.jobs_of(request.person.email, start_key), context

    return list_page(request, "jobs/list.html", load, cursor_scope=("operations",))


@requires(Permission.OPERATIONS)
@require_safe
def job_page(request: Request, job_id: str, business: str | None = None) -> HttpResponse:
    scope = (request.person.email, "failures", job_id)
    start = cursors.decode(request.GET.get("cursor", ""), *scope)
    job, failures = gather(
        lambda: queries.load_own_job(job_id, request.person.email, business), lambda: queries.failures(job_id, start)
    )
    if confirm_url := _confirm_url(job):
        return see_other(request, confirm_url)
    return _render(request, job, failures, partial="rows" if start else "job")


@requires(Permission.OPERATIONS)
@require_POST
@expensive()
def advance(request: Request, job_id: str, business: str | None = None) -> HttpResponse:
    """Execute a piece of the job. With JavaScript the page repeats this request until the job is finished."""
    before = _load_permitted(request, job_id, business)
    after = runner.advance(before)
    if not wants_fragment(request):
        return _to_job(request, after)
    if confirm_url := _confirm_url(after):
        return see_other(request, confirm_url)
    failures = queries.failures(job_id) if after.failed else None
    return _render(request, after, failures, before=before)


@requires(Permission.OPERATIONS)
@require_POST
def stop(request: Request, job_id: str, business: str | None = None) -> HttpResponse:
    job = _load_permitted(request, job_id, business)
    services.stop(job)
    toast(request, _("Stopped. Completed changes are kept."))
    return _to_job(request, job)


@requires(Permission.OPERATIONS)
@require_POST
def resume(request: Request, job_id: str, business: str | None = None) -> HttpResponse:
    job = _load_permitted(request, job_id, business)
    services.resume(job)
    return _to_job(request, job)


@requires(Permission.OPERATIONS)
@require_POST
def retry(request: Request, job_id: str, business: str | None = None) -> HttpResponse:
    job = _load_permitted(request, job_id, business)
    services.retry_failed(job)
    return _to_job(request, job)


def in_business(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """The same view for a job of the business in the path."""

    @requires(Permission.BUSINESS_OPERATIONS)
    @functools.wraps(view)
    def inside(request: Request, business: str, job_id: str) -> HttpResponse:
        return view(request, job_id, business)

    return inside


def _load_permitted(request: Request, job_id: str, business: str | None = None) -> Job:
    """The person's own job, if they still have the permission of its kind: a role can change while a job runs."""
    job = queries.load_own_job(job_id, request.person.email, business)
    if not _is_permitted(request, job):
        raise NotAllowed
    return job


def _is_permitted(request: Request, job: Job) -> bool:
    kind = KINDS.get(job.kind)
    return kind is not None and all(has_permission(request, each) for each in kind.permissions)


def _confirm_url(job: Job) -> str:
    """The page on which the person confirms a waiting job; empty for other jobs."""
    kind = KINDS.get(job.kind)
    if kind is None or not kind.confirm_page or job.state != JobState.WAITING:
        return ""
    return reverse(kind.confirm_page, args=job.url_args)


def _to_job(request: Request, job: Job) -> HttpResponse:
    return see_other(request, job.url())


def _render(
    request: Request,
    job: Job,
    failures: Page[Any] | None,
    *,
    before: Job | None = None,
    partial: str = "job",
) -> HttpResponse:
    kind = KINDS.get(job.kind)
    scope = (request.person.email, "failures", job.id)
    following = cursors.encode(failures.next_start_key, *scope) if failures and failures.next_start_key else None
    rows = build_listing(request, failures.items if failures else [], following)
    if before is not None and rows.next_url:
        # This request came to another URL than that of the page.
        rows = replace(rows, next_url=rows.next_url.replace(request.path, job.url(), 1))
    context = {
        "job": job,
        "result_template": kind.result_template if kind else "",
        "target_template": kind.target_template if kind else "",
        "next_url": job.url("operation_next"),
        "stop_url": job.url("operation_stop"),
        "continue_url": job.url("operation_continue"),
        "retry_url": job.url("operation_retry"),
        "can_retry": kind is not None and kind.retry is not None,
        "is_permitted": _is_permitted(request, job),
        # While another request has the lease, this page only watches, and asks less often.
        "delay": "2s" if job.is_leased else "50ms",
        "listing": rows,
        # Screen readers announce each quarter only, not every step.
        "announce": before is not None and (before.state != job.state or before.percent // 25 != job.percent // 25),
    }
    with show_times_of(job):
        return page(request, "jobs/job.html", context, partial=partial)
