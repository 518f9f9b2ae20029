"""Actions on one post or comment, and their undo."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from dashboard.core.errors import Refused, Unavailable
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.configs import queries as configs
from dashboard.platform.jobs.bulk_panel import UNDO_LAST_ID, is_in_place
from dashboard.platform.jobs.items import Job
from dashboard.table.commands import Command
from dashboard.web.commands import command_of
from dashboard.web.pages import bind, page, render_toasts_oob, safe_next, see_other, url_or_empty, wants_fragment
from dashboard.web.toasts import toast
from forum.actions import ACTIONS, Action
from forum.configs.reasons import REASONS
from forum.forms.desk import DecisionForm
from forum.items import Comment, Post
from forum.permissions import Permission
from forum.post_cards import Card
from forum.queries import log
from forum.reasons import ReasonChoices
from forum.services import decisions
from forum.services import undo_last as undo_services
from forum.services.decisions import Overtaken
from forum.services.undo_last import NothingToUndo
from forum.statuses import Text
from forum.targets import ForumTarget
from forum.views.bulk_panel import panel

# In a list a decided card is replaced by one line; on its own page it stays.
IN_A_LIST = "list"


@requires(Permission.MODERATE)
@require_POST
def decide(request: Request, post: str, action: Action, comment: str = "") -> HttpResponse:
    target = ForumTarget(post, comment)
    form = bind(request, DecisionForm)
    if not form.is_valid():
        raise Refused(" ".join(str(text) for texts in form.errors.values() for text in texts))

    revision = form.cleaned_data["revision"]

    def act(command: Command) -> Post | Comment:
        return decisions.decide(target, action, reason=form.reason_for(action), revision=revision, command=command)

    return _answer(request, act)


@requires(Permission.MODERATE)
@require_POST
def undo(request: Request, entry: str) -> HttpResponse:
    log_entry = log.load_entry(entry)
    return _answer(request, lambda command: decisions.undo(log_entry, command=command))


@requires(Permission.MODERATE)
@require_POST
def undo_last(request: Request) -> HttpResponse:
    """Undo the person's last decision, wherever it was made; again: the one before."""
    return _answer(request, lambda command: undo_services.undo_last(command=command), names_target=True)


def _answer(
    request: Request, act: Callable[[Command], Post | Comment | Job], *, names_target: bool = False
) -> HttpResponse:
    """The card after a decision or an undo. `names_target` adds the text to the toast: it may not be on the page."""
    try:
        item = act(command_of(request))
    except NothingToUndo as refusal:
        return _nothing_to_undo(request, refusal)
    except Overtaken as refusal:
        if not wants_fragment(request) or not isinstance(refusal.item, Post | Comment):
            raise
        return _card(request, refusal.item, overtaken=str(refusal.text), status=409)
    if isinstance(item, Job):
        return (
            panel(request, item) if is_in_place(request) else see_other(request, reverse("operation", args=[item.id]))
        )
    target, result = ForumTarget.of(item), item.outcome.result
    undo_url, spec = reverse("forum_undo", args=[result["entry"]]), ACTIONS[result["action"]]
    undo_text = _undo_text(result)
    text = undo_text or (spec.comment_toast if target.comment else spec.post_toast)
    toast(request, _with_target(text, item) if names_target else text, undo=(undo_url, _next(request)), of=item)
    if not wants_fragment(request):
        return see_other(request, safe_next(request, url_or_empty(target.kind, *target.path.split("/"))))
    can_undo = not undo_text and not item.outcome.has_changed_since
    is_line = can_undo and request.POST.get("place") == IN_A_LIST
    return _card(request, item, undo=undo_url if can_undo else "", is_line=is_line, done_label=spec.done_label)


def _undo_text(result: dict[str, Any]) -> Text:
    """What was undone; empty for a decision."""
    if "undone" not in result:
        return ""
    undone = ACTIONS.get(result["undone"] or "")
    return undone.undone_toast if undone else _("Undone.")


def _with_target(text: Text, item: Post | Comment) -> str:
    card = Card(item, ReasonChoices({}))
    return f"{text} {card.author}: {Truncator(card.excerpt).chars(60)}"


def _nothing_to_undo(request: Request, refusal: NothingToUndo) -> HttpResponse:
    toast(request, refusal.text)
    if not wants_fragment(request):
        return see_other(request, safe_next(request, reverse("forum")))
    command = render_to_string("desk/undo_last_command.html", {}, request)
    return HttpResponse(command + render_toasts_oob(request), headers={"HX-Reswap": "none"})


def _next(request: Request) -> dict[str, str]:
    """Undo leads back to the list that the person was in."""
    url = safe_next(request, "")
    return {"next": url} if url else {}


def _choices() -> ReasonChoices:
    """The action is done: if the table does not answer now, there are no presets to choose from."""
    try:
        return ReasonChoices.of(configs.current(REASONS))
    except Unavailable:
        return ReasonChoices({})


def _card(request: Request, item: Post | Comment, *, status: int = 200, **more: Any) -> HttpResponse:
    card = Card(item, _choices())
    place = "page" if request.POST.get("page_of") == card.target.path else request.POST.get("place", "")
    context = {
        "card": card,
        "may_moderate": True,
        "place": place,
        "next": safe_next(request, ""),
        "is_line": False,
        "replaces_undo": request.htmx.trigger == UNDO_LAST_ID,
        **more,
    }
    return page(request, "forum/_answer.html", context, partial="card", status=status)
