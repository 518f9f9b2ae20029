"""The page of a post, of a comment, and of an author."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import pgettext
from django.views.decorators.http import require_safe

from dashboard.core.errors import NotFound
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.configs import queries as configs
from dashboard.table.read import Page, gather, gather_all
from dashboard.web.lists import build_tabs, list_page
from dashboard.web.open_lists import known_until
from dashboard.web.pages import page
from forum.configs.reasons import REASONS
from forum.history import author_history, author_of, history_lines
from forum.permissions import Permission
from forum.post_cards import Card, build_cards, card_context
from forum.queries import log, posts, presence
from forum.queries.authors import build_record, record_reads
from forum.reasons import ReasonChoices
from forum.statuses import COMMENTS, KINDS, POSTS, STATUSES, TABS
from forum.targets import ForumTarget

# The comments of every status.
ALL = "all"


@requires(Permission.FORUM)
@require_safe
def post(request: Request, post: str) -> HttpResponse:
    target = ForumTarget(post)
    status = request.GET.get("status", ALL)
    if status not in (ALL, *STATUSES):
        raise NotFound

    def load(start_key: Any) -> tuple[Page[Any], dict[str, Any]]:
        item, opened, config, entries, comments = gather(
            partial(posts.load_item, target),
            partial(presence.opened_by_others, request.person.email),
            partial(configs.current, REASONS),
            partial(log.history, target),
            partial(posts.all_comments_of, post, start_key)
            if status == ALL
            else partial(posts.comments_of, post, status, start_key),
        )
        reasons = ReasonChoices.of(config)
        context = {
            "card": Card(item, reasons, tuple(opened.get(target.path, ()))),
            "tabs": build_tabs(request, "status", _tabs()),
            "status": status,
            # Beyond one page the comments are not in the order of their dates.
            "is_by_id": status == ALL and (start_key is not None or comments.next_start_key is not None),
            "history": history_lines(entries, reasons),
            "decisions_until": known_until(),
            **card_context(reasons, request.person),
        }
        return comments.with_rows(build_cards(comments.items, reasons, opened)), context

    return list_page(request, "forum/post.html", load, cursor_scope=("comments", post, status))


def _tabs() -> list[tuple[str, Any]]:
    return [(ALL, pgettext("comments", "All")), *((each, TABS[each]) for each in STATUSES)]


@requires(Permission.FORUM)
@require_safe
def comment(request: Request, post: str, comment: str) -> HttpResponse:
    target = ForumTarget(post, comment)
    item, opened, config, entries = gather(
        partial(posts.load_item, target),
        partial(presence.opened_by_others, request.person.email),
        partial(configs.current, REASONS),
        partial(log.history, target),
    )
    reasons = ReasonChoices.of(config)
    context = {
        "card": Card(item, reasons, tuple(opened.get(target.path, ()))),
        "history": history_lines(entries, reasons),
        "decisions_until": known_until(),
        **card_context(reasons, request.person),
    }
    return page(request, "forum/comment.html", context)


@requires(Permission.FORUM)
@require_safe
def context(request: Request, post: str, comment: str) -> HttpResponse:
    """The post of a comment and the comment that it replies to, for its card in a list."""
    target, reply_to = ForumTarget(post, comment), request.GET.get("reply_to", "")
    item, parent = posts.load_context(target, reply_to)
    if item is None:
        raise NotFound
    cards = [Card(each, ReasonChoices({})) for each in (item, parent) if each is not None]
    values = {"cards": cards, "is_reply": bool(reply_to), "target": target}
    return page(request, "forum/context.html", values, partial="context", quiet=True)


@requires(Permission.FORUM)
@require_safe
def author(request: Request, user: str) -> HttpResponse:
    """All posts or comments of one person, of every status."""
    kind = request.GET.get("kind", POSTS)
    if kind not in KINDS:
        raise NotFound

    def load(start_key: Any) -> tuple[Page[Any], dict[str, Any]]:
        found, opened, config, *record_parts = gather_all(_author_reads(request, user, kind, start_key))
        reasons = ReasonChoices.of(config)
        cards = build_cards(found.items, reasons, opened)
        record = build_record(*record_parts) if record_parts else None
        context = {
            "user": user,
            "name": next((card.item.author_name for card in cards if card.item.author_name), user),
            "kind": kind,
            "tabs": build_tabs(request, "kind", KINDS.items()),
            "record": record,
            "history": author_history(record.latest, reasons) if record else [],
            "decisions_until": known_until(),
            **card_context(reasons, request.person),
        }
        return found.with_rows(cards), context

    return list_page(request, "forum/author.html", load, cursor_scope=("author", user, kind))


def _author_reads(request: Request, user: str, kind: str, start_key: Any) -> list[Callable[[], Any]]:
    """The list, who has what open, the reasons; for the first page also the summary of the person."""
    reads: list[Callable[[], Any]] = [
        partial(posts.comments_by if kind == COMMENTS else posts.posts_of, user, start_key),
        partial(presence.opened_by_others, request.person.email),
        partial(configs.current, REASONS),
    ]
    return reads if start_key else [*reads, *record_reads(user)]


@requires(Permission.FORUM)
@require_safe
def about(request: Request, user: str) -> HttpResponse:
    """The summary of an author beside a list."""
    posts_count, comments_count, entries, config = gather(*record_reads(user), partial(configs.current, REASONS))
    record = build_record(posts_count, comments_count, entries)
    context = {
        "user": user,
        "name": next((each for each in map(author_of, record.latest) if each), user),
        "url": reverse("forum_author", args=[user]),
        "record": record,
        "history": author_history(record.latest, ReasonChoices.of(config)),
        "may_moderate": request.person.may(Permission.MODERATE),
    }
    return page(request, "forum/about.html", context, partial="about", quiet=True)
