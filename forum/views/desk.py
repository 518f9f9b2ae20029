"""The moderation desk: the review queue, and the lists of all posts and comments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from dashboard.core.clock import now
from dashboard.core.errors import NotFound
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.accounts.services import profile
from dashboard.platform.configs import queries as configs
from dashboard.table.merge import Positions
from dashboard.table.read import Page, gather_all
from dashboard.table.search import SearchPage
from dashboard.table.timestamps import to_wire
from dashboard.web.lists import Tab, build_tabs, list_page
from dashboard.web.open_lists import known_until
from dashboard.web.pages import safe_next, see_other
from forum.bulk.requests import COMMENT_COUNT_TEXT, POST_COUNT_TEXT
from forum.configs.reasons import REASONS
from forum.forms.content_filters import FILTERS, ContentFilterForm
from forum.forms.desk import ORDERS, QueueParamsForm
from forum.permissions import Permission
from forum.post_cards import build_cards, card_context
from forum.queries import posts, presence
from forum.queries.content_lists import BY_DATE, ContentList
from forum.queries.posts import Order, SortedPage
from forum.reasons import ReasonChoices
from forum.statuses import BOTH_KINDS, COMMENTS, KINDS, LISTS, POSTS, REVIEW_QUEUE, TABS


def _content_list(request: HttpRequest) -> ContentList:
    """The list that the parameters of the page describe."""
    form = QueueParamsForm(request.GET)
    if not form.is_valid() and ("show" in form.errors or "kind" in form.errors):
        raise NotFound
    given = form.cleaned_data
    filters = ContentFilterForm(request.GET).content_filter(given.get("q") or "")
    order, kinds = Order(given.get("order") or Order.NEWEST), set(request.GET.getlist("kind"))
    if filters.is_set and order not in BY_DATE:
        order = Order.NEWEST
    # Only posts have likes and comments.
    default = BOTH_KINDS if order in BY_DATE else POSTS
    kind = kinds.pop() if len(kinds) == 1 else default if not kinds else BOTH_KINDS
    if kind != POSTS and order not in BY_DATE:
        order = Order.NEWEST
    return ContentList(given.get("show") or REVIEW_QUEUE, kind or default, order, filters)


@requires(Permission.FORUM)
@require_safe
def desk(request: Request) -> HttpResponse:
    params = _content_list(request)
    kept_filters = [(name, request.GET[name]) for name in FILTERS[1:] if request.GET.get(name)]

    def load(start: Positions | None) -> tuple[Page[Any], dict[str, Any]]:
        lists = params.reads(start)
        results = gather_all([*lists.values(), *_other_reads(request, is_first=start is None)])
        pages = dict(zip(lists, results, strict=False))
        opened, config, *counts = results[len(lists) :]
        found, waiting = params.merge(pages, start), dict(zip(KINDS, counts, strict=False))
        reasons = ReasonChoices.of(config)
        context = {
            "params": params,
            "list": LISTS[params.show],
            "search": found if isinstance(found, SearchPage) else None,
            "sorted_count": found.sorted_count if isinstance(found, SortedPage) and found.is_limited else 0,
            "tabs": _tabs(request, _total(params, waiting)) if waiting else [],
            "waiting": _total(params, waiting),
            "kinds": [(kind, label, kind in params.kinds) for kind, label in KINDS.items()],
            "other_kind": _other_kind(request, params, waiting),
            "orders": _orders(params),
            "filter_form": ContentFilterForm(request.GET),
            # The form of the search keeps the other filters, and the form of the filters keeps the search.
            "kept_filters": kept_filters,
            "kept": _kept_by_filters(request),
            "bulk_filters": urlencode(kept_filters) if params.filters.is_set else "",
            "decisions_until": known_until(),
            "since": to_wire(now() + timedelta(seconds=1)),
            "here": reverse("forum"),
            **card_context(reasons, request.person, params.show),
        }
        return found.with_rows(build_cards(found.items, reasons, opened)), context

    return list_page(request, "forum/desk.html", load, cursor_scope=("forum", *params.scope), filters=FILTERS)


def _other_reads(request: Request, *, is_first: bool) -> list[Callable[[], Any]]:
    """Who has what open, and the reasons; for the first page also how many wait, of both kinds."""
    reads: list[Callable[[], Any]] = [
        partial(presence.opened_by_others, request.person.email),
        partial(configs.current, REASONS),
    ]
    return [*reads, posts.posts_waiting, posts.comments_waiting] if is_first else reads


def _total(params: ContentList, waiting: dict[str, posts.LimitedCount]) -> posts.LimitedCount:
    """How many of the kinds of the list wait for review; 0 on further pages, which do not count."""
    return posts.LimitedCount(sum(count.number for kind, count in waiting.items() if kind in params.kinds))


def _kept_by_filters(request: HttpRequest) -> list[tuple[str, str]]:
    return [(name, value) for name in ("show", "kind", "order", "q") for value in request.GET.getlist(name) if value]


def _orders(params: ContentList) -> list[tuple[str, Any]]:
    """The orders of the list. Filters read the lists by date, and the queue by its score."""
    if params.show == REVIEW_QUEUE:
        return [("", _("Highest score first")), (Order.OLDEST, ORDERS[Order.OLDEST])]
    only_dates = params.kind != POSTS or params.filters.is_set
    return [(each, label) for each, label in ORDERS.items() if not only_dates or each in BY_DATE]


def _tabs(request: HttpRequest, total: posts.LimitedCount) -> list[Tab]:
    queue, *others = build_tabs(request, "show", TABS.items())
    return [replace(queue, count=str(total) if total.number else ""), *others]


@dataclass(frozen=True)
class OtherKind:
    """The kind that a list does not show, and how many of it wait for review."""

    url: str
    count_text: str


def _other_kind(request: HttpRequest, params: ContentList, waiting: dict[str, posts.LimitedCount]) -> OtherKind | None:
    """For an empty queue of one kind: the queue is not empty if the other kind waits."""
    other = next((kind for kind in KINDS if kind not in params.kinds), None)
    if other is None or params.show != REVIEW_QUEUE or not waiting or not waiting[other].number:
        return None
    query = request.GET.copy()
    query.pop("kind", None)
    texts = {POSTS: POST_COUNT_TEXT, COMMENTS: COMMENT_COUNT_TEXT}
    return OtherKind(f"{request.path}?{query.urlencode()}", str(texts[other] % {"count": waiting[other].number}))


@requires(Permission.FORUM)
@require_POST
def prefer_images(request: Request) -> HttpResponse:
    """Whether pictures that the person asked for are blurred until they click. It loads no picture."""
    profile.prefer(request.person, clear_images=request.POST.get("images") == "clear")
    return see_other(request, safe_next(request, reverse("forum")))
