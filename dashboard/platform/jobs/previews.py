"""The preview of a job that waits for confirmation: its lines, page by page, with those that it leaves out first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpResponse

from dashboard.core.errors import NotFound
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.jobs import queries
from dashboard.platform.jobs.items import Job, JobState
from dashboard.table import cursors
from dashboard.table.read import gather
from dashboard.web.lists import build_listing
from dashboard.web.pages import page, see_other


def load_own_job_of_kind(request: Request, job_id: str, kind: str, business: str | None = None) -> Job:
    job = queries.load_own_job(job_id, request.person.email, business)
    if job.kind != kind:
        raise NotFound
    return job


def preview_page(
    request: Request,
    template: str,
    job_id: str,
    kind: str,
    *,
    cursor_scope: str,
    to_row: Callable[[Any], dict[str, Any]],
    add_context: Callable[[Job], dict[str, Any]],
    business: str | None = None,
) -> HttpResponse:
    """The job and one part of its lines, in one round trip. A job that was confirmed leads to its own page."""
    scope = (request.person.email, cursor_scope, job_id)
    part: int = cursors.decode(request.GET.get("cursor", ""), *scope) or 0
    job, lines = gather(
        lambda: load_own_job_of_kind(request, job_id, kind, business), lambda: queries.lines_of_part(job_id, part)
    )
    if job.state != JobState.WAITING:
        return see_other(request, job.url())
    total = int(job.total or 0) + job.excluded
    following = cursors.encode(part + 1, *scope) if (part + 1) * queries.LINES_A_PART < total else None
    listing = build_listing(request, [to_row(line) for line in lines], following, total=str(total))
    context = {"job": job, "listing": listing, "excluded": job.excluded, **add_context(job)}
    return page(request, template, context, partial="rows" if part else None)
