"""The lists of comments on pages: by status, on one page, of one visitor, and the log of decisions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from content.comment_cards import CommentCard, build_cards
from content.comment_lists import CommentList
from content.comment_refs import CommentRef, encode_text
from content.comment_statuses import BADGES, DECISIONS, OTHER, SHORTCUTS, CommentStatus, badge_of
from content.forms.comments import LOG_FILTERS, CommentFilterForm, CommentLogForm
from content.items import ContentCard, PageComment
from content.permissions import Permission
from content.queries import comments as queries
from content.queries.comment_presence import opened_by_others
from content.queries.pages import cards_of
from content.views.shared import query_param
from dashboard.core.clock import now
from dashboard.core.errors import NotFound
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.audit import queries as audit
from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.audit.sentences import HistoryLine, as_text, history_line, history_lines
from dashboard.table.read import COUNT_LIMIT, FilteredPage, Page, gather, gather_all
from dashboard.table.search import SearchPage
from dashboard.table.timestamps import to_wire
from dashboard.web.lists import Tab, build_tabs, empty_list_page, list_page
from dashboard.web.open_lists import known_until
from dashboard.web.pages import page, url_or_empty, wants_fragment
from forum.public import load_filter

TAB = "comments"
TABS = (
    ("", BADGES[CommentStatus.PENDING].label),
    *((status.value, badge.label) for status, badge in BADGES.items() if status != CommentStatus.PENDING),
    (OTHER, gettext_lazy("Other status")),
)

MAX_WORDS = 100
FILTERS = ("q", "by", "since", "until")


def desk_context() -> dict[str, Any]:
    """What the cards, their shortcuts and the bulk actions need."""
    return {"tab": TAB, "decisions": list(DECISIONS.values()), "action_keys": SHORTCUTS}


@requires(Permission.VISITORS)
@require_safe
def comments(request: Request, business: str) -> HttpResponse:
    show = request.GET.get("show", "")
    if show not in dict(TABS):
        raise NotFound
    status = show or str(CommentStatus.PENDING)

    def context(_cards: list[CommentCard], pending: int) -> dict[str, Any]:
        count = limited_count(pending) if pending else ""
        return {
            "show": show,
            "tabs": _tabs(request, count),
            "heading": "",
            "act_on_all_count": count if not show else "",
        }

    return _list(request, business, "status", status, context, partial(queries.count_pending, business))


@requires(Permission.VISITORS)
@require_safe
def comments_of_page(request: Request, business: str, page_id: str) -> HttpResponse:
    """All comments on one page, whatever their status."""

    def context(cards: list[CommentCard], page_cards: dict[str, ContentCard]) -> dict[str, Any]:
        page_card = page_cards.get(page_id) if page_cards else None
        heading = (page_card.title if page_card else "") or (cards[0].page_title if cards else page_id)
        return {"heading": heading, "page_url": url_or_empty("page", business, page_id) if page_card else ""}

    return _list(request, business, "page", page_id, context, partial(cards_of, business, [page_id]))


@requires(Permission.VISITORS)
@require_safe
def comments_of_author(request: Request, business: str, author: str) -> HttpResponse:
    """All comments of a visitor. The fragment beside a list shows the newest."""
    if request.GET.get("part") == "about" and wants_fragment(request):
        cards = _cards(request, business, CommentList(author=author))[1]
        context = {"cards": cards[: queries.SOME], "author": author, "has_more": len(cards) > queries.SOME}
        return page(request, "content/_comment_author.html", context | {"name": _author_name(cards, author)})

    def heading(cards: list[CommentCard], _nothing: Any) -> dict[str, Any]:
        return {"heading": _author_name(cards, author), "author": author}

    return _list(request, business, "author", author, heading)


def _author_name(cards: list[CommentCard], author: str) -> str:
    return next((card.comment.author_name for card in cards if card.comment.author_name), author)


def _list(
    request: Request,
    business: str,
    view: str,
    value: str,
    context: Callable[[list[CommentCard], Any], dict[str, Any]],
    first_read: Callable[[], Any] | None = None,
) -> HttpResponse:
    """A list of comments. `first_read` is a further read of its first page; `context` gets the answer."""
    form = CommentFilterForm(request.GET)
    listed = form.comment_list(query_param(request, most=MAX_WORDS), **{view: value})

    def load(start_key: Any) -> tuple[Page[CommentCard], dict[str, Any]]:
        more = [first_read] if first_read and not start_key else []
        found, cards, answer = _cards(request, business, listed, start_key, more)
        if view != "status" and not cards and not answer and not listed.is_filtered and start_key is None:
            raise NotFound
        own = {
            "view": view,
            "show": view,
            "q": listed.q,
            "search": found if isinstance(found, SearchPage) else None,
            "filter_form": form,
            "filters_are_set": form.is_set,
            # The form of the search keeps the other filters, and the form of the filters keeps the search.
            "kept_filters": _given(request, FILTERS[1:]),
            "kept": _given(request, ("show", "q")),
            "decisions_on_all": [each for each in DECISIONS.values() if view != "status" or each.status != value],
            "bulk_fields": [(*_list_field(view, value),), *_given(request, FILTERS)],
            "decisions_until": known_until(),
            "since": to_wire(now() + timedelta(seconds=1)),
            "act_on_all_count": "",
        }
        return found.with_rows(cards), desk_context() | own | context(cards, answer)

    scope = ("comments", business, *listed.scope)
    return list_page(request, "content/comments.html", load, cursor_scope=scope, filters=FILTERS)


def _list_field(view: str, value: str) -> tuple[str, str]:
    """How the form of a bulk action names the list."""
    return ("show", value) if view == "status" else (view, encode_text(value))


def _given(request: Request, names: Sequence[str]) -> list[tuple[str, str]]:
    return [(name, request.GET[name]) for name in names if request.GET.get(name)]


def _cards(
    request: Request, business: str, listed: CommentList, start_key: Any = None, more: Sequence[Callable[[], Any]] = ()
) -> tuple[Page[PageComment], list[CommentCard], Any]:
    """One page of comments as cards, and the answer of a further read: one round trip."""
    reads: list[Callable[[], Any]] = [
        partial(listed.read, business, start_key),
        partial(queries.newest_titles, business),
        load_filter,
        partial(opened_by_others, business, request.person.email),
        *more,
    ]
    read, titles, config, opened, *answers = gather_all(reads)
    found = listed.page_of(read)
    return found, build_cards(business, found.items, titles, config, opened), answers[0] if answers else None


def _tabs(request: Request, count: str) -> list[Tab]:
    first, *others = build_tabs(request, "show", TABS)
    return [replace(first, count=count), *others]


def limited_count(number: int) -> str:
    return f"{COUNT_LIMIT}+" if number >= COUNT_LIMIT else str(number)


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
    # Empty for an undo, which nothing undoes.
    undo_url: str
    is_bulk: bool


@requires(Permission.VISITORS)
@require_safe
def log(request: Request, business: str) -> HttpResponse:
    """Who decided what and when."""
    form = CommentLogForm(request.GET)
    shared = {"tab": TAB, "form": form, "export": ""}
    if not form.is_valid():
        context = shared | {"is_limited": False}
        return empty_list_page(request, "content/comment_log.html", context, filters=LOG_FILTERS)
    given = form.given

    def load(start_key: Any) -> tuple[Page[DecisionRow], dict[str, Any]]:
        found = queries.decisions_of(business, **given, start_key=start_key)
        is_limited = isinstance(found, FilteredPage) and found.last_key_read is not None
        return found.with_rows([_decision_row(business, entry) for entry in found.items]), shared | {
            "is_limited": is_limited
        }

    scope = ("comment log", business, *(str(each or "") for each in given.values()))
    return list_page(request, "content/comment_log.html", load, cursor_scope=scope, filters=LOG_FILTERS)


def _decision_row(business: str, entry: AuditEntry) -> DecisionRow:
    before, after = (as_text((values or {}).get("status")) or _("No status") for values in (entry.before, entry.after))
    ref, details = queries.ref_of(entry), entry.after or {}
    is_undo, revision = "undoes" in details, details.get("revision")
    undo_url = reverse("page_comment_undo", args=[business, ref, revision]) if ref and type(revision) is int else ""
    return DecisionRow(
        history_line(entry),
        as_text(entry.target_data.get("title")) or "?",
        url_or_empty("page_comment", business, ref.token) if ref else "",
        str(badge_of(before).label),
        str(badge_of(after).label),
        is_undo,
        "" if is_undo else undo_url,
        "job" in details,
    )
