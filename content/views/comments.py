"""The lists of comments on pages: by status, on one page, of one visitor, and the log of decisions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from content.comment_cards import CommentCard, build_cards
from content.comment_refs import CommentRef
from content.comment_statuses import BADGES, DECISIONS, OTHER, SHORTCUTS, CommentStatus, badge_of
from content.items import PageComment
from content.permissions import Permission
from content.queries import comments as queries
from content.queries.pages import cards_of
from dashboard.core.errors import NotFound
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.audit import queries as audit
from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.audit.sentences import HistoryLine, as_text, history_line, history_lines
from dashboard.table.read import COUNT_LIMIT, FilteredPage, Page, gather, gather_all
from dashboard.web.lists import Tab, build_tabs, list_page
from dashboard.web.pages import page, url_or_empty, wants_fragment
from forum.public import load_filter

TAB = "comments"
TABS = (
    ("", BADGES[CommentStatus.PENDING].label),
    *((status.value, badge.label) for status, badge in BADGES.items() if status != CommentStatus.PENDING),
    (OTHER, gettext_lazy("Other status")),
)

Reads = Callable[[Any], Page[PageComment]]


def desk_context() -> dict[str, Any]:
    """What the cards, their shortcuts and the bulk actions need."""
    return {"tab": TAB, "decisions": list(DECISIONS.values()), "action_keys": SHORTCUTS}


@requires(Permission.VISITORS)
@require_safe
def comments(request: Request, business: str) -> HttpResponse:
    show = request.GET.get("show", "")
    if show not in dict(TABS):
        raise NotFound
    status = show or CommentStatus.PENDING

    def load(start_key: Any) -> tuple[Page[CommentCard], dict[str, Any]]:
        counts = [] if start_key else [partial(queries.count_pending, business)]
        read_page = partial(queries.comments_by_status, business, status)
        found, cards, pending = _read(business, read_page, start_key, counts)
        context = {"show": show, "tabs": _tabs(request, pending or 0), "view": "status", "heading": ""}
        return found.with_rows(cards), desk_context() | context

    return list_page(request, "content/comments.html", load, cursor_scope=("comments", business, status))


@requires(Permission.VISITORS)
@require_safe
def comments_of_page(request: Request, business: str, page_id: str) -> HttpResponse:
    """All comments on one page, whatever their status."""

    def load(start_key: Any) -> tuple[Page[CommentCard], dict[str, Any]]:
        read_page = partial(queries.comments_of_page, business, page_id)
        found, cards, page_card = _read(business, read_page, start_key, [partial(cards_of, business, [page_id])])
        if not cards and not page_card:
            raise NotFound
        heading = (page_card[page_id].title if page_card else "") or (cards[0].page_title if cards else page_id)
        context = {"show": "page", "view": "page", "heading": heading}
        context["page_url"] = url_or_empty("page", business, page_id) if page_card else ""
        return found.with_rows(cards), desk_context() | context

    return list_page(request, "content/comments.html", load, cursor_scope=("page comments", business, page_id))


@requires(Permission.VISITORS)
@require_safe
def comments_of_author(request: Request, business: str, author: str) -> HttpResponse:
    """All comments of a visitor. The fragment beside a list shows the newest."""
    if request.GET.get("part") == "about" and wants_fragment(request):
        _found, cards, _more = _read(business, partial(queries.comments_of_author, business, author), None)
        context = {"cards": cards[: queries.SOME], "author": author, "has_more": len(cards) > queries.SOME}
        return page(request, "content/_comment_author.html", context | {"name": _author_name(cards, author)})

    def load(start_key: Any) -> tuple[Page[CommentCard], dict[str, Any]]:
        found, cards, _more = _read(business, partial(queries.comments_of_author, business, author), start_key)
        if not cards:
            raise NotFound
        context = {"show": "author", "view": "author", "heading": _author_name(cards, author), "author": author}
        return found.with_rows(cards), desk_context() | context

    return list_page(request, "content/comments.html", load, cursor_scope=("author comments", business, author))


def _author_name(cards: list[CommentCard], author: str) -> str:
    return next((card.comment.author_name for card in cards if card.comment.author_name), author)


def _read(
    business: str, read_page: Reads, start_key: Any, more: Sequence[Callable[[], Any]] = ()
) -> tuple[Page[PageComment], list[CommentCard], Any]:
    """One page of comments as cards, and the answer of a further read: one round trip."""
    reads: list[Callable[[], Any]] = [
        partial(read_page, start_key),
        partial(queries.newest_titles, business),
        load_filter,
        *more,
    ]
    found, titles, config, *answers = gather_all(reads)
    return found, build_cards(business, found.items, titles, config), answers[0] if answers else None


def _tabs(request: Request, pending: int) -> list[Tab]:
    first, *others = build_tabs(request, "show", TABS)
    text = f"{COUNT_LIMIT}+" if pending >= COUNT_LIMIT else str(pending)
    return [replace(first, count=text if pending else ""), *others]


@requires(Permission.VISITORS)
@require_safe
def comment(request: Request, business: str, page_comment: CommentRef) -> HttpResponse:
    """One comment with its author and the decisions about it."""
    loaded, config, entries = gather(
        partial(queries.load_comment_and_card, business, page_comment),
        load_filter,
        partial(audit.history, page_comment.target, business=business),
    )
    item, card = loaded
    title = (card.title if card else "") or item.page_title or page_comment.page
    context = {
        "card": CommentCard(business, item, title, config),
        "history": history_lines(entries),
        "place": "page",
    }
    return page(request, "content/comment.html", desk_context() | context)


@dataclass(frozen=True)
class DecisionRow:
    """An entry of the log: the comment, and its status before and after."""

    line: HistoryLine
    title: str
    url: str
    before: str
    after: str
    is_undo: bool


@requires(Permission.VISITORS)
@require_safe
def log(request: Request, business: str) -> HttpResponse:
    """Who decided what and when."""
    person = request.GET.get("person", "").strip()[:254]

    def load(start_key: Any) -> tuple[Page[DecisionRow], dict[str, Any]]:
        found = queries.decisions_of(business, person=person, start_key=start_key)
        is_limited = isinstance(found, FilteredPage) and found.last_key_read is not None
        context = {"tab": TAB, "person": person, "is_limited": is_limited}
        return found.with_rows([_decision_row(business, entry) for entry in found.items]), context

    scope = ("comment log", business, person)
    return list_page(request, "content/comment_log.html", load, cursor_scope=scope, filters=("person",))


def _decision_row(business: str, entry: AuditEntry) -> DecisionRow:
    before, after = (as_text((values or {}).get("status")) or _("No status") for values in (entry.before, entry.after))
    ref = queries.ref_of(entry)
    return DecisionRow(
        history_line(entry),
        as_text(entry.target_data.get("title")) or "?",
        url_or_empty("page_comment", business, ref.token) if ref else "",
        str(badge_of(before).label),
        str(badge_of(after).label),
        "undoes" in (entry.after or {}),
    )
