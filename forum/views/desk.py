"""The moderation desk: the review queue, the lists of all posts, and which posts colleagues have open."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
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
from dashboard.table.read import Page, gather, gather_all
from dashboard.table.timestamps import to_wire
from dashboard.web.lists import Tab, build_tabs, list_page
from dashboard.web.pages import page, safe_next, see_other
from forum.configs.reasons import REASONS
from forum.forms.desk import ORDERS, QueueParamsForm
from forum.items import Comment, Post
from forum.permissions import Permission
from forum.post_cards import build_cards, card_context
from forum.queries import posts, presence
from forum.queries.posts import Order, SearchPage
from forum.reasons import ReasonChoices
from forum.services.presence import open_card
from forum.statuses import ACTIVE, COMMENTS, KINDS, LISTS, POSTS, REVIEW_QUEUE, TABS

FILTERS = ("q",)


@dataclass(frozen=True)
class QueueParams:
    """Which list, of what, in which order."""

    show: str = REVIEW_QUEUE
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
        return cls(given.get("show") or REVIEW_QUEUE, kind, order, given.get("q") or "")

    @property
    def scope(self) -> tuple[str, ...]:
        return self.show, self.kind, self.order, self.q

    def page(self, start_key: Any) -> Page[Any]:
        return posts.search(self._list, self.q, start_key) if self.q else self._list(start_key, posts.PAGE)

    def _list(self, start_key: Any, limit: int) -> Page[Any]:
        if self.show == REVIEW_QUEUE:
            return (posts.posts_to_review if self.kind == POSTS else posts.comments_to_review)(start_key, limit)
        by_status: Any = posts.posts_by_status if self.kind == POSTS else posts.comments_by_status
        found: Page[Post] | Page[Comment] = by_status(self.show, self.order, start_key, limit)
        return found


@requires(Permission.FORUM)
@require_safe
def desk(request: Request) -> HttpResponse:
    params = QueueParams.of(request)

    def load(start_key: Any) -> tuple[Page[Any], dict[str, Any]]:
        found, opened, config, *counts = gather_all(_reads(request, params, start_key))
        reasons = ReasonChoices.of(config)
        context = {
            "params": params,
            "list": LISTS[params.show],
            "search": found if isinstance(found, SearchPage) else None,
            "tabs": _tabs(request, counts[0]) if counts else [],
            "kinds": build_tabs(request, "kind", KINDS.items()),
            "orders": [(each, label) for each, label in ORDERS.items() if params.kind == POSTS or each in _BY_DATE],
            "since": to_wire(now() + timedelta(seconds=1)),
            "here": reverse("forum"),
            **card_context(reasons, request.person, params.show),
        }
        return found.with_rows(build_cards(found.items, reasons, opened)), context

    return list_page(request, "forum/desk.html", load, cursor_scope=("forum", *params.scope), filters=FILTERS)


def _reads(request: Request, params: QueueParams, start_key: Any) -> list[Callable[[], Any]]:
    """The list, who has what open, the reasons; for the first page also how many wait, of both kinds."""
    reads: list[Callable[[], Any]] = [
        partial(params.page, start_key),
        partial(presence.opened_by_others, request.person.email),
        partial(configs.current, REASONS),
    ]
    if start_key:
        return reads
    # The count of the list's own kind first.
    if params.kind == POSTS:
        return [*reads, posts.posts_waiting, posts.comments_waiting]
    return [*reads, posts.comments_waiting, posts.posts_waiting]


_BY_DATE = (Order.NEWEST, Order.OLDEST)


def _tabs(request: HttpRequest, waiting: posts.Counted) -> list[Tab]:
    queue, *others = build_tabs(request, "show", TABS.items())
    return [replace(queue, count=str(waiting) if waiting.number else ""), *others]


@requires(Permission.FORUM)
@require_POST
def pulse(request: Request) -> HttpResponse:
    """Report which card is open here; return which cards colleagues have open, and how many posts are new."""
    opened = request.POST.get("open", "")[:300]
    form = QueueParamsForm(request.POST)
    given = form.cleaned_data if form.is_valid() else {}
    show, kind = given.get("show") or REVIEW_QUEUE, given.get("kind") or POSTS
    since = request.POST.get("since", "")

    def count_new() -> int:
        return posts.written_since(kind == POSTS, since, show == REVIEW_QUEUE) if show in (REVIEW_QUEUE, ACTIVE) else 0

    opened_by_others, new, _none = gather(
        partial(presence.opened_by_others, request.person.email), count_new, partial(open_card, request.actor, opened)
    )
    context = {
        "opened_by_others": opened_by_others.items(),
        "new": _new_posts_text(kind, new) if new else "",
        "back": safe_next(request, reverse("forum")),
    }
    return page(request, "forum/_pulse.html", context, quiet=True)


def _new_posts_text(kind: str, count: int) -> str:
    if kind == POSTS:
        text = ngettext("%(count)s new post", "%(count)s new posts", count)
    else:
        text = ngettext("%(count)s new comment", "%(count)s new comments", count)
    return text % {"count": posts.Counted(count)}


@requires(Permission.FORUM)
@require_POST
def prefer_images(request: Request) -> HttpResponse:
    """Whether pictures that the person asked for are blurred until they click. It loads no picture."""
    profile.prefer(request.person, clear_images=request.POST.get("images") == "clear")
    return see_other(request, safe_next(request, reverse("forum")))
