"""Publishes a page and a theme together, after a page that shows both."""

from __future__ import annotations

from functools import partial

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST

from branding.public import THEME_PERMISSION, failing_pairs, load_publishable_theme
from content import joint_publication as jobs
from content.forms.pages import PublishWithThemeForm
from content.permissions import Permission
from content.queries.pages import load_page
from content.services.publishing import SAME_STATUS
from content.statuses import PageStatus
from content.views.pages import TAB
from dashboard.core.errors import Conflict, NotAllowed, Refused
from dashboard.platform.accounts.middleware import Request, has_permission
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.jobs import runner
from dashboard.platform.jobs.items import Job
from dashboard.platform.jobs.queries import load_own_job
from dashboard.table.read import gather
from dashboard.table.transactions import find_subject
from dashboard.web.capacity import expensive
from dashboard.web.commands import command_of
from dashboard.web.pages import add_refusal, bind, page, see_other

THEME_CHANGED = _("The theme has changed since you opened this. Check it again.")


@requires(Permission.SITE)
@require_http_methods(["GET", "HEAD", "POST"])
@expensive(method="POST")
def publish(request: Request, business: str, node: str, version: int) -> HttpResponse:
    """What becomes public, and the button that starts the job. The job of this request usually finishes at once."""
    if not has_permission(request, THEME_PERMISSION):
        raise NotAllowed
    current, theme = gather(
        partial(load_page, business, node),
        partial(load_publishable_theme, business, version),
    )
    form = bind(request, PublishWithThemeForm) if request.method == "POST" else None
    if form is not None and form.is_valid():
        command, sent = command_of(request), form.cleaned_data
        earlier = find_subject(command)
        if isinstance(earlier, Job):
            return _run(request, earlier)
        if form.number != current.revision:
            raise Conflict(current)
        if (sent["expected"], sent["theme_revision"]) == (theme.live_number, theme.revision):
            return _run(request, jobs.begin(business, current, theme, command=command))
        add_refusal(form, Refused(THEME_CHANGED))
    is_published = current.state == PageStatus.PUBLISHED
    context = {
        "form": form,
        "page": current,
        "theme": theme,
        "is_live": theme.number == theme.live_number,
        "refusal": SAME_STATUS[PageStatus.PUBLISHED] if is_published else theme.refusal,
        "failing": failing_pairs(theme.style),
        "preview_url": f"{reverse('page_preview', args=[business, node])}?theme={version}",
        "tab": TAB,
    }
    return page(request, "content/publish_with_theme.html", context, status=422 if form is not None else 200)


@requires(Permission.SITE)
@require_POST
@expensive()
def undo(request: Request, business: str, job_id: str) -> HttpResponse:
    if not has_permission(request, THEME_PERMISSION):
        raise NotAllowed
    job = load_own_job(job_id, request.person.email, business)
    return _run(request, jobs.begin_undo(job, command=command_of(request)))


def _run(request: Request, job: Job) -> HttpResponse:
    """Two transactions: the job is finished when its page opens, unless the table is slow."""
    runner.advance(job)
    return see_other(request, job.url())
