"""The four decisions, and the way back from each."""

from __future__ import annotations

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
from forum.configs.reasons import REASONS
from forum.forms.desk import DecisionForm
from forum.items import Comment, Post
from forum.permissions import Permission
from forum.post_cards import Card
from forum.queries import log
from forum.reasons import Choices
from forum.services import decisions
from forum.services.decisions import Overtaken
from forum.states import Action
from forum.targets import Kind, Target

DONE = {
    (Kind.POST, Action.BAN): _("The post is banned."),
    (Kind.POST, Action.RESTORE): _("The post is restored."),
    (Kind.POST, Action.DELETE): _("The post is deleted."),
    (Kind.POST, Action.APPROVE): _("The post is approved."),
    (Kind.POST, Action.REOPEN): _("The post is back in the queue."),
    (Kind.COMMENT, Action.BAN): _("The comment is banned."),
    (Kind.COMMENT, Action.RESTORE): _("The comment is restored."),
    (Kind.COMMENT, Action.DELETE): _("The comment is deleted."),
    (Kind.COMMENT, Action.APPROVE): _("The comment is approved."),
    (Kind.COMMENT, Action.REOPEN): _("The comment is back in the queue."),
}
# Where a card stands: in a list it makes way for the next one, on its own page it stays.
IN_A_LIST = "list"


@requires(Permission.MODERATE)
@require_POST
def decide(request: Request, post: str, action: Action, comment: str = "") -> HttpResponse:
    """One decision about one post or comment."""
    target = Target(post, comment)
    form = bind(request, DecisionForm)
    if not form.is_valid():
        raise Refused(" ".join(str(text) for texts in form.errors.values() for text in texts))

    revision = form.cleaned_data["revision"]

    def act(command: Command) -> Post | Comment:
        return decisions.decide(target, action, reason=form.why(action), revision=revision, command=command)

    return _answer(request, act)


@requires(Permission.MODERATE)
@require_POST
def undo(request: Request, entry: str) -> HttpResponse:
    """Take back what an entry of the log says."""
    found = log.entry(entry)
    return _answer(request, lambda command: decisions.undo(found, command=command), is_undo=True)


def _answer(request: Request, act: Any, *, is_undo: bool = False) -> HttpResponse:
    try:
        item = act(command_of(request))
    except Overtaken as refusal:
        if not wants_fragment(request) or not isinstance(refusal.item, Post | Comment):
            raise
        return _card(request, refusal.item, overtaken=str(refusal.text), status=409)
    target, result = Target.of(item), item.outcome.result
    way_back = reverse("forum_undo", args=[result["entry"]])
    toast(request, DONE[target.kind, Action(result["action"])], undo=(way_back, _next(request)), of=item)
    if not wants_fragment(request):
        return see_other(request, safe_next(request, url_or_empty(target.kind, *target.name.split("/"))))
    stays = is_undo or request.POST.get("place") != IN_A_LIST or item.outcome.moved_on
    return _card(request, item, undo="" if stays else way_back, action=result["action"])


def _next(request: Request) -> dict[str, str]:
    """Where the way back leads to: the list that one was in."""
    wanted = safe_next(request, "")
    return {"next": wanted} if wanted else {}


def _choices() -> Choices:
    """What is done is done: where the table is silent now, one writes a reason of one's own."""
    try:
        return Choices.of(configs.current(REASONS))
    except Unavailable:
        return Choices({})


def _card(request: Request, item: Post | Comment, *, status: int = 200, **more: Any) -> HttpResponse:
    card = Card(item, _choices())
    place = request.POST.get("place", "")
    context = {"card": card, "may_moderate": True, "place": place, "next": safe_next(request, ""), **more}
    return page(request, "forum/_answer.html", context, partial="card", status=status)
