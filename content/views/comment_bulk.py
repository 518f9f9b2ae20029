"""Decisions about many comments: request, preview, start, progress inside the list, and undo."""

from __future__ import annotations

from functools import partial

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from content import comment_bulk as bulk
from content.comment_cards import CommentCard, build_cards
from content.comment_lists import list_of
from content.comment_refs import CommentRef
from content.comment_statuses import DECISIONS
from content.forms.comments import CommentFilterForm
from content.permissions import Permission
from content.queries import comments as queries
from content.views.comments import MAX_WORDS, TAB, desk_context
from dashboard.core.errors import NotFound, Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.jobs import queries as job_queries
from dashboard.platform.jobs import services as job_services
from dashboard.platform.jobs.bulk_panel import (
    PanelUrls,
    advance_with_position,
    is_in_place,
    panel_context,
    row_results,
)
from dashboard.platform.jobs.items import Job, JobState
from dashboard.platform.jobs.kinds import JobLine
from dashboard.platform.jobs.previews import load_own_job_of_kind
from dashboard.platform.jobs.results import ResultPosition
from dashboard.table.read import gather
from dashboard.web.capacity import expensive
from dashboard.web.commands import command_of
from dashboard.web.pages import page, safe_next, see_other, wants_fragment
from forum.public import load_filter

MAX_EXAMPLES = 20
MAX_BACK = 1500
# As in `PanelUrls`.
_FORMS = ("next", "undo", "begin", "preview")


@requires(Permission.VISITORS)
@require_POST
def decide(request: Request, business: str) -> HttpResponse:
    """A selection starts immediately; everything of a list is counted first."""
    decision = DECISIONS.get(request.POST.get("action", ""))
    if decision is None:
        raise Refused(_("Choose an action."))
    back, command = safe_next(request, "")[:MAX_BACK], command_of(request)
    if request.POST.get("everything") == "1":
        form = CommentFilterForm(request.POST)
        words = request.POST.get("q", "").strip()[:MAX_WORDS]
        listed = form.comment_list(words, **list_of(request.POST.dict()))
        if form.errors:
            raise Refused(_("The filters are not valid. Reload the page and try again."))
        job = bulk.begin_with_all(business, decision, listed, back, command=command)
    else:
        chosen = bulk.selected(business, request.POST.getlist("selected"))
        job = bulk.begin_with(business, decision, chosen, back, command=command)
    return panel(request, job, is_new=True) if is_in_place(request) else see_other(request, job.url())


@requires(Permission.VISITORS)
@require_safe
def preview(request: Request, business: str, job_id: str) -> HttpResponse:
    """How many comments the decision is for, and the first of them."""
    job, lines = gather(
        partial(load_own_job_of_kind, request, job_id, bulk.DECIDE, business),
        partial(job_queries.first_lines, job_id, MAX_EXAMPLES),
    )
    if job.state != JobState.WAITING:
        return see_other(request, job.url())
    decision, count = bulk.decision_of(job), int(job.total or 0)
    context = {
        "job": job,
        "decision": decision,
        "title": decision.job_title % {"count": count} if decision else job.title,
        "lines": lines,
        "left": count - len(lines),
        "tab": TAB,
    }
    return page(request, "content/comment_bulk_preview.html", context)


@requires(Permission.VISITORS)
@require_POST
def begin(request: Request, business: str, job_id: str) -> HttpResponse:
    job_services.confirm(load_own_job_of_kind(request, job_id, bulk.DECIDE, business))
    job = load_own_job_of_kind(request, job_id, bulk.DECIDE, business)
    return panel(request, job) if is_in_place(request) else see_other(request, job.url())


@requires(Permission.VISITORS)
@require_POST
@expensive()
def advance(request: Request, business: str, job_id: str) -> HttpResponse:
    """Execute a piece of the job, and return the panel with the results of the rows since the last one."""
    job = job_queries.load_own_job(job_id, request.person.email, business)
    if job.kind not in {bulk.DECIDE, bulk.UNDO}:
        raise NotFound
    after, position = advance_with_position(request, job)
    return panel(request, after, position) if wants_fragment(request) else see_other(request, job.url())


@requires(Permission.VISITORS)
@require_POST
def undo(request: Request, business: str, job_id: str) -> HttpResponse:
    """Undo all, also of a job that is still running."""
    job = bulk.begin_undo(job_queries.load_own_job(job_id, request.person.email, business), command=command_of(request))
    return panel(request, job) if is_in_place(request) else see_other(request, job.url())


def panel(request: Request, job: Job, position: ResultPosition | None = None, *, is_new: bool = False) -> HttpResponse:
    """The panel of a job above the list. `is_new` if a form of the list has just started it."""
    business, is_undo, decision = str(job.business_id), job.kind == bulk.UNDO, bulk.decision_of(job)
    load_cards = partial(_load_cards, business)
    has_count = decision is not None and job.total
    context = {
        "is_undo": is_undo,
        "action": decision,
        "title": decision.job_title % {"count": int(job.total)} if decision and has_count else job.title,
        "results": row_results(request, job, position, name_of=bulk.name_of, is_undo=is_undo, load_cards=load_cards),
        "urls": PanelUrls(*(reverse(f"comments_bulk_{name}", args=[business, job.id]) for name in _FORMS)),
        "done_text": f"{decision.done_label}: {int(job.done)}" if decision else "",
        "nothing_text": _("Nothing to do: no comment matches."),
        "card_template": "content/_comment_card.html",
    }
    return page(request, "jobs/_bulk_panel.html", desk_context() | panel_context(request, job, is_new=is_new) | context)


def _load_cards(business: str, lines: list[JobLine]) -> dict[str, CommentCard]:
    refs = [CommentRef.of_token(bulk.name_of(line)) for line in lines]
    found, titles, config = gather(
        partial(queries.find_comments, business, refs), partial(queries.newest_titles, business), load_filter
    )
    return {card.name: card for card in build_cards(business, found.values(), titles, config)}
