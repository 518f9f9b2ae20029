"""Actions on one post or comment, and their undo."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from dashboard.core.errors import Refused, Unavailable
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.configs import queries as configs
from dashboard.table.commands import Command
from dashboard.web.commands import command_of
from dashboard.web.pages import bind, page, safe_next, see_other, url_or_empty, wants_fragment
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
from forum.services.decisions import Overtaken
from forum.statuses import Text
from forum.targets import ForumTarget

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
    undone = ACTIONS.get(log_entry.action or "")
    text = undone.undone_toast if undone else _("Undone.")
    return _answer(request, lambda command: decisions.undo(log_entry, command=command), undo_text=text)


def _answer(request: Request, act: Callable[[Command], Post | Comment], *, undo_text: Text = "") -> HttpResponse:
    try:
        item = act(command_of(request))
    except Overtaken as refusal:
        if not wants_fragment(request) or not isinstance(refusal.item, Post | Comment):
            raise
        return _card(request, refusal.item, overtaken=str(refusal.text), status=409)
    target, result = ForumTarget.of(item), item.outcome.result
    undo_url, spec = reverse("forum_undo", args=[result["entry"]]), ACTIONS[result["action"]]
    text = undo_text or (spec.comment_toast if target.comment else spec.post_toast)
    toast(request, text, undo=(undo_url, _next(request)), of=item)
    if not wants_fragment(request):
        return see_other(request, safe_next(request, url_or_empty(target.kind, *target.path.split("/"))))
    stays = undo_text or request.POST.get("place") != IN_A_LIST or item.outcome.has_changed_since
    return _card(request, item, undo="" if stays else undo_url, done_label=spec.done_label)


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
    place = request.POST.get("place", "")
    context = {"card": card, "may_moderate": True, "place": place, "next": safe_next(request, ""), **more}
    return page(request, "forum/_answer.html", context, partial="card", status=status)
