"""A bulk action inside the list: its progress, the results of its rows, and its undo."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_POST

from dashboard.core.errors import NotFound
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.configs import queries as configs
from dashboard.platform.jobs import queries as job_queries
from dashboard.platform.jobs import runner
from dashboard.platform.jobs.items import Job
from dashboard.web.capacity import expensive
from dashboard.web.pages import page, safe_next, see_other, wants_fragment
from forum.actions import ACTIONS, ActionSpec
from forum.bulk.requests import BulkRequest
from forum.bulk.results import LineResult, ResultPosition, results_since
from forum.bulk.steps import target_of
from forum.configs.reasons import REASONS
from forum.jobs import BULK, CAUSE, UNDO
from forum.permissions import Permission
from forum.post_cards import Card
from forum.queries.latest_decisions import load_items
from forum.reasons import ReasonChoices

MAX_CARDS = 300
# The id of the form that undoes the last decision.
UNDO_LAST_ID = "undo-last"


@dataclass(frozen=True)
class RowResult:
    """The result of one row: a line if it is done, its card if it was not done or was undone."""

    result: LineResult
    card: Card | None

    @property
    def name(self) -> str:
        return target_of(self.result.line).path


def is_in_place(request: Request) -> bool:
    """Whether the list asks, which shows the panel itself."""
    return wants_fragment(request) and request.POST.get("place") == "list"


@requires(Permission.MODERATE)
@require_POST
@expensive()
def advance(request: Request, job_id: str) -> HttpResponse:
    """Execute a piece of the job, and return the panel with the results of the rows since the last one."""
    job = job_queries.load_own_job(job_id, request.person.email)
    if job.kind not in {BULK, CAUSE, UNDO}:
        raise NotFound
    position = ResultPosition.from_text(request.POST.get("shown", "")) or ResultPosition.of(job)
    after = runner.advance(job)
    if not wants_fragment(request):
        return see_other(request, reverse("operation", args=[job.id]))
    return panel(request, after, position)


def panel(request: Request, job: Job, position: ResultPosition | None = None, *, is_new: bool = False) -> HttpResponse:
    """The panel of a job. `is_new` if a form of the list has just started it."""
    names = set(request.POST.get("names", "").split("\n")[:MAX_CARDS])
    results = results_since(job, position, names) if position else []
    bulk_request, is_undo = BulkRequest.from_dict(job.about), job.kind == UNDO
    context = {
        "job": job,
        "is_undo": is_undo,
        "is_new": is_new,
        "action": _action_of(job),
        "title": job.title if is_undo or not job.total else bulk_request.title(int(job.total)),
        "results": _rows(results, is_undo=is_undo),
        # While it counts, no row has a result.
        "position": ResultPosition.of(job) or "",
        "delay": "2s" if job.is_leased else "50ms",
        "next": safe_next(request, ""),
        "place": "list",
        "may_moderate": True,
        # The undo of the last decision may be the undo of a bulk action.
        "replaces_undo": request.htmx.trigger == UNDO_LAST_ID,
    }
    return page(request, "forum/_bulk_panel.html", context)


def _action_of(job: Job) -> ActionSpec | None:
    return ACTIONS.get(BulkRequest.from_dict(job.about).action)


def _rows(results: list[LineResult], *, is_undo: bool) -> list[RowResult]:
    """Rows whose card is shown again are read: their state has changed."""
    again = [target_of(each.line) for each in results if is_undo or each.problem]
    items = load_items(again[:100]) if again else {}
    reasons = ReasonChoices.of(configs.current(REASONS)) if items else ReasonChoices({})
    cards = {target: Card(item, reasons) for target, item in items.items()}
    return [RowResult(each, cards.get(target_of(each.line))) for each in results]
