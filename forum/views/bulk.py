"""Many decisions at once: asked for, looked at, begun, undone. The work itself is followed on its own page."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard.core.errors import NotFound
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.configs import queries as configs
from dashboard.platform.configs.items import VERSION_LIMIT
from dashboard.platform.jobs import queries as operations
from dashboard.platform.jobs import services as works
from dashboard.platform.jobs.items import Job, State
from dashboard.table.read import COUNT_LIMIT, gather
from dashboard.web.commands import command_of
from dashboard.web.pages import came_from, page, safe_next, see_other
from dashboard.web.toasts import toast
from forum.actions import ACTIONS, Action
from forum.bulk.requests import BulkRequest, action_of, chosen_by, counted_text, list_of
from forum.configs.reasons import REASONS
from forum.forms.bulk import ReasonForm
from forum.jobs import BULK, CAUSE
from forum.permissions import Permission
from forum.queries import bulk as queries
from forum.reasons import Choices
from forum.services import bulk as services

SHOWN = 20
MAX_BACK = 500


@requires(Permission.MODERATE)
@require_POST
def bulk(request: Request) -> HttpResponse:
    """Begin it: a selection at once, everything of a list with counting it."""
    action, everything = action_of(request.POST.get("action", "")), request.POST.get("everything") == "1"
    where: dict[str, Any] = list_of(request.POST.dict()) if everything else {}
    chosen = [] if everything else chosen_by(request.POST.getlist("selected"))
    back = safe_next(request, came_from(request))[:MAX_BACK]
    form = ReasonForm(request.POST.dict(), action, _presets())
    if not form.is_valid():
        wish = BulkRequest(action, back=back, **where)
        title = wish.title(None if everything else len(chosen), counted_text(chosen))
        context = {"wish": wish, "title": title, "form": form, "selected": " ".join(request.POST.getlist("selected"))}
        return page(request, "forum/bulk.html", context, status=422)
    # The form of a list has one reason field for all its buttons.
    wish = BulkRequest(action, form.given if ACTIONS[action].needs_reason else "", back=back, **where)
    command = command_of(request)
    if everything:
        work = services.begin_with_all(wish, command=command)
    else:
        work = services.begin_with(wish, chosen, command=command)
        progress = wish.progress(len(chosen), counted_text(chosen))
        toast(request, progress, undo=(_at("forum_bulk_undo", work), {}))
    return see_other(request, _at("operation", work))


def _presets() -> dict[str, str]:
    """The reasons to choose from, in the reader's language."""
    return Choices.of(configs.current(REASONS)).texts


def _at(route: str, work: Job) -> str:
    return reverse(route, args=[work.id])


def _own(request: Request, job_id: str) -> Job:
    work = operations.load_own_job(job_id, request.person.email)
    if work.kind not in {BULK, CAUSE}:
        raise NotFound
    return work


@requires(Permission.MODERATE)
@require_safe
def preview(request: Request, job_id: str) -> HttpResponse:
    """What will happen to how many, and the first of them."""
    found = gather(lambda: _own(request, job_id), lambda: operations.first_lines(job_id, SHOWN), _presets)
    work: Job = found[0]
    if work.state != State.WAITING:
        return see_other(request, _at("operation", work))
    wish, count = BulkRequest.from_dict(work.about), int(work.total or 0)
    context = {
        "work": work,
        "wish": wish,
        "action": ACTIONS[wish.action],
        "title": wish.title(count),
        "reason": found[2].get(wish.reason, wish.reason),
        "lines": found[1],
        "left": count - len(found[1]),
    }
    return page(request, "forum/bulk_preview.html", context)


@requires(Permission.MODERATE)
@require_POST
def begin(request: Request, job_id: str) -> HttpResponse:
    work = _own(request, job_id)
    works.confirm(work)
    progress = BulkRequest.from_dict(work.about).progress(int(work.total or 0))
    toast(request, progress, undo=(_at("forum_bulk_undo", work), {}))
    return see_other(request, _at("operation", work))


@requires(Permission.MODERATE)
@require_POST
def undo(request: Request, job_id: str) -> HttpResponse:
    """Take the whole back, half-way too."""
    work = services.begin_undo(_own(request, job_id), command=command_of(request))
    return see_other(request, _at("operation", work))


@requires(Permission.MODERATE)
@require_http_methods(["GET", "HEAD", "POST"])
def banned_by_version(request: Request, number: int) -> HttpResponse:
    """Undo by cause: what a version of the filter banned and nobody has touched since, counted and looked at first."""
    if number >= VERSION_LIMIT:
        raise NotFound
    if request.method == "POST":
        wish = BulkRequest(Action.RESTORE, version=number, back=request.path)
        work = services.begin_with_all(wish, command=command_of(request))
        return see_other(request, _at("operation", work))
    count = queries.how_many_bans(number)
    context = {
        "number": number,
        "count": count,
        "more": count >= COUNT_LIMIT,
        "keeps_filter": request.person.may(Permission.FILTER),
    }
    return page(request, "forum/banned_by_version.html", context)
