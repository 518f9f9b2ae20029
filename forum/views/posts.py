"""A post with its comments and its history, and all of one person."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from dashboard.core.errors import NotFound
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.configs import queries as configs
from dashboard.table import cursors
from dashboard.table.read import Page, gather_all
from dashboard.web.lists import listing, tabs
from dashboard.web.pages import page
from forum.configs.reasons import REASONS
from forum.history import author_of, history_lines
from forum.permissions import Permission
from forum.post_cards import Card, build_cards, card_context
from forum.queries import log, posts, presence
from forum.queries.authors import record_of, record_reads
from forum.reasons import Choices
from forum.statuses import ACTIVE, COMMENTS, KINDS, POSTS, STATUSES, TABS
from forum.targets import Target
from forum.views.images import shows_images


@shows_images
@requires(Permission.FORUM)
@require_safe
def post(request: Request, post: str) -> HttpResponse:
    target = Target(post)
    status = request.GET.get("status", ACTIVE)
    if status not in STATUSES:
        raise NotFound
    scope = (request.person.email, "comments", post, status)
    start = cursors.decode(request.GET.get("cursor", ""), *scope)
    more: list[Any] = [partial(posts.comments_of, post, status, start)]
    item, opened, config, entries, comments = gather_all([*_about(request, target), *more])
    reasons = Choices.of(config)
    following = cursors.encode(comments.next, *scope) if comments.next else None
    context = {
        "card": Card(item, reasons, tuple(opened.get(target.name, ()))),
        "listing": listing(request, build_cards(comments.items, reasons, opened), following),
        "tabs": tabs(request, "status", [(each, TABS[each]) for each in STATUSES]),
        "status": status,
        "history": history_lines(entries, reasons),
        **card_context(reasons, request.person),
    }
    return page(request, "forum/post.html", context, partial="rows" if start else "list")


@shows_images
@requires(Permission.FORUM)
@require_safe
def comment(request: Request, post: str, comment: str) -> HttpResponse:
    target = Target(post, comment)
    item, opened, config, entries = gather_all(_about(request, target))
    reasons = Choices.of(config)
    context = {
        "card": Card(item, reasons, tuple(opened.get(target.name, ()))),
        "history": history_lines(entries, reasons),
        **card_context(reasons, request.person),
    }
    return page(request, "forum/comment.html", context)


def _about(request: Request, target: Target) -> list[Any]:
    return [
        partial(posts.find, target),
        partial(presence.opened_by_others, request.person.email),
        partial(configs.current, REASONS),
        partial(log.history, target),
    ]


@shows_images
@requires(Permission.FORUM)
@require_safe
def author(request: Request, user: str) -> HttpResponse:
    """Everything of one person, whatever became of it."""
    kind = request.GET.get("kind", POSTS)
    if kind not in KINDS:
        raise NotFound
    scope = (request.person.email, "author", user, kind)
    start = cursors.decode(request.GET.get("cursor", ""), *scope)
    reads: list[Any] = [
        partial(posts.comments_by if kind == COMMENTS else posts.posts_of, user, start),
        partial(presence.opened_by_others, request.person.email),
        partial(configs.current, REASONS),
    ]
    found = gather_all([*reads, *([] if start else record_reads(user))])
    listed: Page[Any] = found[0]
    reasons = Choices.of(found[2])
    record = None if start else record_of(found[3:])
    rows = build_cards(listed.items, reasons, found[1])
    following = cursors.encode(listed.next, *scope) if listed.next else None
    context = {
        "user": user,
        "name": next((card.item.author_name for card in rows if card.item.author_name), user),
        "kind": kind,
        "listing": listing(request, rows, following),
        "tabs": tabs(request, "kind", KINDS.items()),
        "record": record,
        "history": history_lines(record.latest, reasons) if record else [],
        **card_context(reasons, request.person),
    }
    return page(request, "forum/author.html", context, partial="rows" if start else "list")


@requires(Permission.FORUM)
@require_safe
def about(request: Request, user: str) -> HttpResponse:
    """The few numbers beside a list, for the post that one is at."""
    found = gather_all([*record_reads(user), partial(configs.current, REASONS)])
    record = record_of(found[:3])
    context = {
        "user": user,
        "name": next((each for each in map(author_of, record.latest) if each), user),
        "url": reverse("forum_author", args=[user]),
        "record": record,
        "history": history_lines(record.latest, Choices.of(found[3])),
    }
    return page(request, "forum/about.html", context, partial="about", quiet=True)
