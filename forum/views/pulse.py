"""What an open list asks for every few seconds: what colleagues have open, what they decided, and what is new."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.configs import queries as configs
from dashboard.table.read import gather
from dashboard.web.pages import page, safe_next
from forum.actions import ACTIONS
from forum.configs.reasons import REASONS
from forum.forms.desk import QueueParamsForm
from forum.items import ModerationEntry
from forum.log_presenters import who_did
from forum.permissions import Permission
from forum.post_cards import Card
from forum.queries import latest_decisions, posts, presence
from forum.reasons import ReasonChoices
from forum.services.presence import open_card
from forum.statuses import ACTIVE, BOTH_KINDS, COMMENTS, EVERY_STATUS, POSTS, REVIEW_QUEUE

# So many cards of a list are kept up to date.
MAX_CARDS = 300


@dataclass(frozen=True)
class CardChange:
    """A card whose post or comment a colleague has decided about."""

    card: Card
    entry: ModerationEntry
    # Whether it still belongs to the list.
    is_listed: bool

    @property
    def address(self) -> str:
        """What identifies the decision."""
        return self.entry.address

    @property
    def text(self) -> str:
        """Such as "Alma Ríos banned it"."""
        spec = ACTIONS.get(self.entry.action or "")
        return f"{who_did(self.entry)} {spec.history_text if spec else self.entry.action or '?'}"


@requires(Permission.FORUM)
@require_POST
def pulse(request: Request) -> HttpResponse:
    """Report which card is open here; return what colleagues have open and have decided, and how many posts are new."""
    opened = request.POST.get("open", "")[:300]
    form = QueueParamsForm(request.POST)
    given = form.cleaned_data if form.is_valid() else {}
    show, kind = given.get("show") or REVIEW_QUEUE, given.get("kind") or BOTH_KINDS
    if request.POST.get("show") == EVERY_STATUS:
        show = EVERY_STATUS
    since = request.POST.get("since", "")

    def count_new(each: str) -> int:
        if show not in (REVIEW_QUEUE, ACTIVE) or kind not in (BOTH_KINDS, each):
            return 0
        return posts.written_since(each == POSTS, since, show == REVIEW_QUEUE)

    opened_by_others, new_posts, new_comments, (entries, decisions_until), _none = gather(
        partial(presence.opened_by_others, request.person.email),
        partial(count_new, POSTS),
        partial(count_new, COMMENTS),
        partial(latest_decisions.decisions_since, request.POST.get("decisions_until", request.POST.get("seen", ""))),
        partial(open_card, request.actor, opened),
    )
    new = new_posts + new_comments
    changes = _changes(request, entries, show)
    # The count changes only with decisions and new posts.
    waiting = _waiting(kind) if (entries or new) and show == REVIEW_QUEUE else None
    context = {
        "opened_by_others": opened_by_others.items(),
        "changes": changes,
        "waiting": waiting,
        "decisions_until": decisions_until,
        "new": _new_posts_text(kind, new) if new else "",
        "back": safe_next(request, reverse("forum")),
        "next": safe_next(request, reverse("forum")),
        "may_moderate": request.person.may(Permission.MODERATE),
        # The post or comment whose page this is; its comments are below it.
        "page_of": request.POST.get("page_of", ""),
        "mixed": show == EVERY_STATUS,
        "card_template": "forum/_card.html",
    }
    return page(request, "desk/pulse.html", context, quiet=True)


def _changes(request: Request, entries: list[ModerationEntry], show: str) -> list[CardChange]:
    """The cards of the page that colleagues decided about last."""
    names = set(request.POST.get("names", "").split("\n")[:MAX_CARDS])
    last = latest_decisions.last_by_target(entries, names)
    by_others = {target: entry for target, entry in last.items() if entry.admin_id != request.person.email}
    if not by_others:
        return []
    items, config = gather(partial(latest_decisions.load_items, list(by_others)), partial(configs.current, REASONS))
    cards = {target: Card(item, ReasonChoices.of(config)) for target, item in items.items()}
    return [CardChange(card, by_others[target], _belongs_to(show, card)) for target, card in cards.items()]


def _belongs_to(show: str, card: Card) -> bool:
    if show == REVIEW_QUEUE:
        return card.waits
    return show in (EVERY_STATUS, card.state.status)


def _waiting(kind: str) -> posts.LimitedCount:
    waiting_posts, waiting_comments = gather(posts.posts_waiting, posts.comments_waiting)
    return {POSTS: waiting_posts, COMMENTS: waiting_comments}.get(
        kind, posts.LimitedCount(waiting_posts.number + waiting_comments.number)
    )


def _new_posts_text(kind: str, count: int) -> str:
    texts = {
        POSTS: ngettext("%(count)s new post", "%(count)s new posts", count),
        COMMENTS: ngettext("%(count)s new comment", "%(count)s new comments", count),
        BOTH_KINDS: ngettext("%(count)s new post or comment", "%(count)s new posts and comments", count),
    }
    return texts[kind] % {"count": posts.LimitedCount(count)}
