"""The moderators' desk: what waits, what there is, and who else is at it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from dashboard.core.clock import now
from dashboard.core.errors import NotFound
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.accounts.services import profile
from dashboard.platform.configs import queries as configs
from dashboard.table import cursors
from dashboard.table.read import Page, gather_all
from dashboard.table.timestamps import to_wire
from dashboard.web.lists import Tab, listing, tabs
from dashboard.web.pages import page, safe_next, see_other
from forum.configs.reasons import REASONS
from forum.forms.desk import ORDERS, QueueParamsForm
from forum.items import Comment, Post
from forum.permissions import Permission
from forum.post_cards import build_cards, card_context
from forum.queries import posts, presence
from forum.queries.posts import Order, Sought
from forum.reasons import Choices
from forum.services.presence import open_up
from forum.statuses import ACTIVE, COMMENTS, KINDS, LISTS, POSTS, REVIEW, TABS
from forum.views.images import shows_images

FILTERS = ("q",)


@dataclass(frozen=True)
class QueueParams:
    """What someone wants to see."""

    show: str = REVIEW
    kind: str = POSTS
    order: Order = Order.NEWEST
    q: str = ""

    @classmethod
    def of(cls, request: HttpRequest) -> QueueParams:
        form = QueueParamsForm(request.GET)
        if not form.is_valid() and ("show" in form.errors or "kind" in form.errors):
            raise NotFound
        given = form.cleaned_data
        order = Order(given.get("order") or Order.NEWEST)
        kind = given.get("kind") or POSTS
        if kind == COMMENTS and order in (Order.LIKES, Order.COMMENTS):
            order = Order.NEWEST
        return cls(given.get("show") or REVIEW, kind, order, given.get("q") or "")

    @property
    def scope(self) -> tuple[str, ...]:
        return self.show, self.kind, self.order, self.q

    def page(self, start: Any) -> Page[Any]:
        ask = self._ask
        return posts.sought(ask, self.q, start) if self.q else ask(start, posts.PAGE)

    def _ask(self, start: Any, limit: int) -> Page[Any]:
        if self.show == REVIEW:
            return (posts.posts_to_review if self.kind == POSTS else posts.comments_to_review)(start, limit)
        by_status: Any = posts.posts_by_status if self.kind == POSTS else posts.comments_by_status
        found: Page[Post] | Page[Comment] = by_status(self.show, self.order, start, limit)
        return found


@shows_images
@requires(Permission.FORUM)
@require_safe
def desk(request: Request) -> HttpResponse:
    wish = QueueParams.of(request)
    scope = (request.person.email, "forum", *wish.scope)
    start = cursors.decode(request.GET.get("cursor", ""), *scope)
    reads: list[Any] = [
        partial(wish.page, start),
        partial(presence.opened_by_others, request.person.email),
        partial(configs.current, REASONS),
    ]
    found = gather_all([*reads, *([] if start else [posts.posts_waiting, posts.comments_waiting])])
    listed: Page[Any] = found[0]
    reasons = Choices.of(found[2])
    following = cursors.encode(listed.next, *scope) if listed.next else None
    context = {
        "wish": wish,
        "listing": listing(request, build_cards(listed.items, reasons, found[1]), following, filters=FILTERS),
        "sought": listed if isinstance(listed, Sought) else None,
        "tabs": [] if start else _tabs(request, wish, found[3 if wish.kind == POSTS else 4]),
        "kinds": tabs(request, "kind", KINDS.items()),
        "orders": [(each, label) for each, label in ORDERS.items() if wish.kind == POSTS or each in _BY_DATE],
        "list": LISTS[wish.show],
        "since": to_wire(now() + timedelta(seconds=1)),
        "here": reverse("forum"),
        **card_context(reasons, request.person, wish.show),
    }
    return page(request, "forum/desk.html", context, partial="rows" if start else "list")


_BY_DATE = (Order.NEWEST, Order.OLDEST)


def _tabs(request: HttpRequest, wish: QueueParams, waiting: posts.Counted) -> list[Tab]:
    made = tabs(request, "show", TABS.items())
    return [Tab(made[0].label, made[0].url, made[0].current, str(waiting) if waiting.number else ""), *made[1:]]


@requires(Permission.FORUM)
@require_POST
def pulse(request: Request) -> HttpResponse:
    """What one has open, told to colleagues; what they have, and what is new, told to one."""
    opened = request.POST.get("open", "")[:300]
    wish = QueueParamsForm(request.POST)
    given = wish.cleaned_data if wish.is_valid() else {}
    show, kind = given.get("show") or REVIEW, given.get("kind") or POSTS
    reads: list[Any] = [
        partial(presence.opened_by_others, request.person.email),
        partial(posts.written_since, kind == POSTS, request.POST.get("since", ""), show == REVIEW)
        if show in (REVIEW, ACTIVE)
        else lambda: 0,
        partial(open_up, request.actor, opened),
    ]
    others, new, _none = gather_all(reads)
    context = {
        "others": others.items(),
        "new": _news(kind, new) if new else "",
        "back": safe_next(request, reverse("forum")),
    }
    return page(request, "forum/_pulse.html", context, quiet=True)


def _news(kind: str, count: int) -> str:
    if kind == POSTS:
        text = ngettext("%(count)s new post", "%(count)s new posts", count)
    else:
        text = ngettext("%(count)s new comment", "%(count)s new comments", count)
    return text % {"count": posts.Counted(count)}


@requires(Permission.FORUM)
@require_POST
def prefer_images(request: Request) -> HttpResponse:
    """Pictures as they are, or blurred until one asks."""
    profile.prefer(request.person, clear_images=request.POST.get("images") == "clear")
    return see_other(request, safe_next(request, reverse("forum")))
