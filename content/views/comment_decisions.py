"""Decisions about one comment, and their undo."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from content import comment_bulk
from content.comment_cards import CommentCard
from content.comment_refs import CommentRef
from content.comment_statuses import DECISIONS
from content.items import PageComment
from content.permissions import Permission
from content.queries import comments as queries
from content.services import comments as services
from content.services.comments import CommentOvertaken
from content.views.comment_bulk import panel
from content.views.comments import desk_context
from dashboard.core.errors import Refused, Unavailable
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.jobs.bulk_panel import UNDO_LAST_ID, is_in_place
from dashboard.platform.jobs.items import Job
from dashboard.table.commands import Command
from dashboard.web.commands import command_of
from dashboard.web.forms import RevisionForm
from dashboard.web.pages import bind, page, render_toasts_oob, safe_next, see_other, wants_fragment
from dashboard.web.toasts import toast
from forum.public import FilterConfig, load_filter

# In a list a decided card is replaced by one line; on its own page it stays.
IN_A_LIST = "list"


@requires(Permission.VISITORS)
@require_POST
def decide(request: Request, business: str, page_comment: CommentRef, decision: str) -> HttpResponse:
    spec = DECISIONS.get(decision)
    if spec is None:
        raise Http404
    form = bind(request, RevisionForm)
    if not form.is_valid():
        raise Refused(_("Reload the page and try again."))

    def act(command: Command) -> PageComment:
        return services.decide(business, page_comment, spec, revision=form.number, command=command)

    return _answer(request, business, act)


@requires(Permission.VISITORS)
@require_POST
def undo(request: Request, business: str, page_comment: CommentRef, revision: int) -> HttpResponse:
    return _answer(
        request, business, lambda command: services.undo(business, page_comment, revision=revision, command=command)
    )


@requires(Permission.VISITORS)
@require_POST
def undo_last(request: Request, business: str) -> HttpResponse:
    """Undo the person's last decision, wherever it was made; again: the one before."""
    return _answer(request, business, lambda command: comment_bulk.undo_last(business, command=command))


def _answer(request: Request, business: str, act: Callable[[Command], PageComment | Job]) -> HttpResponse:
    """The card after a decision or an undo."""
    try:
        item = act(command_of(request))
    except comment_bulk.NoDecisionLeft as refusal:
        return _nothing_to_undo(request, business, refusal)
    except CommentOvertaken as refusal:
        if not wants_fragment(request) or not isinstance(refusal.item, PageComment):
            raise
        return _card(request, business, refusal.item, overtaken=str(refusal.text), status=409)
    if isinstance(item, Job):
        return panel(request, item) if is_in_place(request) else see_other(request, item.url())
    result = item.outcome.result
    decision = DECISIONS[result.get("decision") or result["undone"]]
    is_undone = "undone" in result
    undo_url = "" if is_undone else reverse("page_comment_undo", args=[business, item.ref, int(result["revision"])])
    after = safe_next(request, "")
    undo_form = (undo_url, {"next": after} if after else {}) if undo_url else None
    toast(request, decision.undone if is_undone else decision.toast, undo=undo_form, of=item)
    if not wants_fragment(request):
        return see_other(request, safe_next(request, reverse("page_comment", args=[business, item.ref])))
    can_undo = bool(undo_url) and not item.outcome.has_changed_since
    is_line = can_undo and request.POST.get("place") == IN_A_LIST
    return _card(request, business, item, undo=undo_url if can_undo else "", is_line=is_line)


def _nothing_to_undo(request: Request, business: str, refusal: comment_bulk.NoDecisionLeft) -> HttpResponse:
    toast(request, refusal.text)
    if not wants_fragment(request):
        return see_other(request, safe_next(request, reverse("comments", args=[business])))
    command = render_to_string("desk/undo_last_command.html", {}, request)
    return HttpResponse(command + render_toasts_oob(request), headers={"HX-Reswap": "none"})


def _card(request: Request, business: str, item: PageComment, *, status: int = 200, **more: Any) -> HttpResponse:
    titles, config = _facts(business)
    title = titles.get(item.ref.page) or item.page_title or item.ref.page
    card = CommentCard(business, item, title, config)
    place = "page" if request.POST.get("page_of") == card.name else request.POST.get("place", "")
    context = {
        "card": card,
        "place": place,
        "next": safe_next(request, ""),
        "is_line": False,
        "replaces_undo": request.htmx.trigger == UNDO_LAST_ID,
        **more,
    }
    return page(request, "content/comment_answer.html", desk_context() | context, partial="card", status=status)


def _facts(business: str) -> tuple[dict[str, str], FilterConfig | None]:
    """The decision is made: if the table does not answer now, the card has neither title nor score."""
    try:
        return queries.newest_titles(business), load_filter()
    except Unavailable:
        return {}, None
