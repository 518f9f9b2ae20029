"""What an open list of comments asks for every few seconds: what colleagues have open and decided, and what is new."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from content.comment_cards import CommentCard, build_cards
from content.comment_refs import CommentRef
from content.comment_statuses import CommentStatus, badge_of, listed_status
from content.permissions import Permission
from content.queries import comments as queries
from content.queries.comment_presence import opened_by_others
from content.services.comment_presence import open_comment
from content.views.comments import desk_context, limited_count
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.jobs.bulk_panel import names_on_page
from dashboard.table.read import gather
from dashboard.web.pages import page, safe_next
from forum.public import load_filter

# The list with this name is the queue.
QUEUE = "review"
MAX_TOKEN = 1400


@dataclass(frozen=True)
class CommentChange:
    """A card whose comment a colleague has decided about."""

    card: CommentCard
    entry: AuditEntry
    # Whether it still belongs to the list.
    is_listed: bool

    @property
    def address(self) -> str:
        """What identifies the decision."""
        return "~".join(self.entry.place or ())

    @property
    def text(self) -> str:
        """Such as "Alma Ríos: Spam"."""
        who = self.entry.person.get("name") or self.entry.person.get("email") or "?"
        return _("%(who)s: now “%(status)s”") % {"who": who, "status": badge_of(self.card.comment.status).label}


@requires(Permission.VISITORS)
@require_POST
def pulse(request: Request, business: str) -> HttpResponse:
    """Report which comment is open here; return what colleagues have open and have decided, and what is new."""
    show, since = request.POST.get("show", ""), request.POST.get("since", "")
    until = request.POST.get("decisions_until", "")
    count_new = partial(queries.count_written_since, business, since) if show == QUEUE else int
    opened, new, (entries, decisions_until), _none = gather(
        partial(opened_by_others, business, request.person.email),
        count_new,
        partial(queries.decisions_since, business, until),
        partial(open_comment, business, request.actor, request.POST.get("open", "")[:MAX_TOKEN]),
    )
    back = safe_next(request, reverse("comments", args=[business]))
    context = {
        "opened_by_others": opened.items(),
        "changes": _changes(request, business, entries, show),
        # The count changes only with decisions and new comments.
        "waiting": limited_count(queries.count_pending(business)) if (entries or new) and show == QUEUE else None,
        "decisions_until": decisions_until,
        "new": ngettext("%(count)s new comment", "%(count)s new comments", new) % {"count": limited_count(new)}
        if new
        else "",
        "back": back,
        "next": back,
        "page_of": request.POST.get("page_of", ""),
        "card_template": "content/_comment_card.html",
    }
    return page(request, "desk/pulse.html", desk_context() | context, quiet=True)


def _changes(request: Request, business: str, entries: list[AuditEntry], show: str) -> list[CommentChange]:
    """The cards of the page that colleagues decided about last."""
    names, last = names_on_page(request), dict[CommentRef, AuditEntry]()
    for entry in entries:
        ref = queries.ref_of(entry)
        if ref is not None and ref.token in names:
            last[ref] = entry
    by_others = {ref: entry for ref, entry in last.items() if entry.person.get("email") != request.person.email}
    if not by_others:
        return []
    found, titles, config = gather(
        partial(queries.find_comments, business, list(by_others)), partial(queries.newest_titles, business), load_filter
    )
    entry_of = {ref.token: entry for ref, entry in by_others.items()}
    cards = build_cards(business, found.values(), titles, config)
    return [CommentChange(card, entry_of[card.name], _belongs_to(show, card)) for card in cards]


def _belongs_to(show: str, card: CommentCard) -> bool:
    if show in ("page", "author"):
        return True
    return listed_status(card.comment.status) == (CommentStatus.PENDING if show == QUEUE else show)


def _new_comments_text(count: int) -> str:
    return ngettext("%(count)s new comment", "%(count)s new comments", count) % {"count": limited_count(count)}
