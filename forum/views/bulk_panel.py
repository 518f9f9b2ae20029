"""A bulk action inside the list of the desk: its progress, the results of its rows, and its undo."""

from __future__ import annotations

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from dashboard.core.errors import NotFound
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.configs import queries as configs
from dashboard.platform.jobs import queries as job_queries
from dashboard.platform.jobs.bulk_panel import PanelUrls, advance_with_position, panel_context, row_results
from dashboard.platform.jobs.items import Job
from dashboard.platform.jobs.kinds import JobLine
from dashboard.platform.jobs.results import ResultPosition
from dashboard.web.capacity import expensive
from dashboard.web.pages import page, see_other, wants_fragment
from forum.actions import ACTIONS
from forum.bulk.requests import BulkRequest
from forum.bulk.steps import name_of, target_of
from forum.configs.reasons import REASONS
from forum.jobs import BULK, CAUSE, UNDO
from forum.permissions import Permission
from forum.post_cards import Card
from forum.queries.latest_decisions import load_items
from forum.reasons import ReasonChoices
from forum.templatetags.moderation import bulk_result


@requires(Permission.MODERATE)
@require_POST
@expensive()
def advance(request: Request, job_id: str) -> HttpResponse:
    """Execute a piece of the job, and return the panel with the results of the rows since the last one."""
    job = job_queries.load_own_job(job_id, request.person.email)
    if job.kind not in {BULK, CAUSE, UNDO}:
        raise NotFound
    after, position = advance_with_position(request, job)
    if not wants_fragment(request):
        return see_other(request, reverse("operation", args=[job.id]))
    return panel(request, after, position)


def panel(request: Request, job: Job, position: ResultPosition | None = None, *, is_new: bool = False) -> HttpResponse:
    """The panel of a job. `is_new` if a form of the list has just started it."""
    bulk_request, is_undo = BulkRequest.from_dict(job.about), job.kind == UNDO
    action = ACTIONS.get(bulk_request.action)
    context = {
        "is_undo": is_undo,
        "action": action,
        "title": job.title if is_undo or not job.total else bulk_request.title(int(job.total)),
        "results": row_results(request, job, position, name_of=name_of, is_undo=is_undo, load_cards=_load_cards),
        "urls": PanelUrls(*(reverse(f"forum_bulk_{name}", args=[job.id]) for name in _FORMS)),
        "done_text": bulk_result(job) if action else "",
        "nothing_text": _("Nothing to do: no post or comment matches."),
        "card_template": "forum/_card.html",
        "may_moderate": True,
    }
    return page(request, "jobs/_bulk_panel.html", panel_context(request, job, is_new=is_new) | context)


# As in `PanelUrls`.
_FORMS = ("next", "undo", "begin", "preview")


def _load_cards(lines: list[JobLine]) -> dict[str, Card]:
    items = load_items([target_of(line) for line in lines])
    reasons = ReasonChoices.of(configs.current(REASONS)) if items else ReasonChoices({})
    return {target.path: Card(item, reasons) for target, item in items.items()}
