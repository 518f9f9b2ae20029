"""The forum on the home page: what waits for review, the filter's bans, reversed decisions and unsaved changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from functools import partial

from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from dashboard.core.clock import now
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.configs import queries as configs
from dashboard.platform.home.registry import (
    HomeLine,
    HomeLink,
    HomePlace,
    HomeSource,
    NavigationCount,
    NavigationCounter,
    Reads,
    Results,
    Urgency,
    register_counter,
    register_home,
)
from dashboard.web.ranges import day_start
from forum.actions import Action
from forum.configs.profanity import PROFANITY
from forum.history import author_of
from forum.items import ModerationEntry
from forum.log_presenters import url_of
from forum.permissions import Permission
from forum.queries import home as queries
from forum.queries import presence
from forum.queries.home import WaitingTexts
from forum.queries.log import FILTER
from forum.services.decisions import target_of
from forum.statuses import COMMENTS

POSTS_WAITING, COMMENTS_WAITING = "forum.posts_waiting", "forum.comments_waiting"
AT_DESK, FILTER_DRAFT = "forum.at_desk", "forum.filter_draft"
# The name of the read of the latest decisions of each action.
DECISIONS = {action: f"forum.decisions.{action}" for action in Action}
# The reversed decisions that are linked.
MAX_NAMED, EXCERPT = 5, 40


def yesterday() -> datetime:
    """The start of yesterday in the reader's time zone."""
    return day_start(timezone.localtime(now()).date() - timedelta(days=1))


# --- What waits for review -----------------------------------------------------------------------
def waiting_reads(request: Request) -> Reads:
    return {POSTS_WAITING: queries.waiting_posts, COMMENTS_WAITING: queries.waiting_comments}


def review_reads(request: Request) -> Reads:
    since = yesterday()
    return {
        **waiting_reads(request),
        AT_DESK: partial(presence.opened_by_others, request.person.email),
        **{name: partial(queries.latest_decisions, action, since) for action, name in DECISIONS.items()},
    }


def review_lines(request: Request, results: Results) -> Iterator[HomeLine]:
    posts, comments = results[POSTS_WAITING], results[COMMENTS_WAITING]
    if posts.number or comments.number:
        kind = "" if posts.number else f"?{urlencode({'kind': COMMENTS})}"
        yield HomeLine(
            Urgency.WAITING,
            "messages-square",
            waiting_text(posts, comments),
            reverse("forum") + kind,
            detail=_desk_text(results[AT_DESK]),
            since=min((each.oldest for each in (posts, comments) if each.oldest), default=None),
            since_label=_("oldest:"),
        )
    decisions = {action: results[name] for action, name in DECISIONS.items()}
    reversals = queries.reversals(request.person.email, (entry for page in decisions.values() for entry in page.items))
    if reversals:
        yield _reversals_line(reversals)
    bans = queries.filter_bans(decisions[Action.BAN])
    if bans.number:
        text = ngettext(
            "The filter banned %(count)s post or comment", "The filter banned %(count)s posts and comments", bans.number
        )
        count = f"{bans.number}+" if bans.has_more else bans.number
        url = _log_url(moderator=FILTER, action=Action.BAN.value)
        yield HomeLine(Urgency.TODAY, "filter", text % {"count": count}, url, detail=_since_text())


def _reversals_line(reversals: Sequence[ModerationEntry]) -> HomeLine:
    text = ngettext(
        "A colleague reversed %(count)s of your decisions",
        "Colleagues reversed %(count)s of your decisions",
        len(reversals),
    )
    actions = {str(each.action) for each in reversals}
    urls = [(each, url_of(target_of(each))) for each in reversals[:MAX_NAMED]]
    return HomeLine(
        Urgency.TODAY,
        "rotate-ccw",
        text % {"count": len(reversals)},
        _log_url(**({"action": actions.pop()} if len(actions) == 1 else {})),
        detail=_since_text(),
        links=tuple(HomeLink(_excerpt(entry), url) for entry, url in urls if url),
    )


def _excerpt(entry: ModerationEntry) -> str:
    """The author and the beginning of the text, such as "Ana Soto: Vendo entradas"."""
    text = " ".join((entry.original_content or "").split())
    short = text if len(text) <= EXCERPT else f"{text[:EXCERPT]}…"
    return ": ".join(filter(None, [author_of(entry), short])) or _("Open")


def waiting_text(posts: WaitingTexts, comments: WaitingTexts) -> str:
    """Such as "12 posts and 3 comments to review"."""
    post_count, comment_count = (f"{each.number}+" if each.has_more else each.number for each in (posts, comments))
    post_text = ngettext("%(count)s post", "%(count)s posts", posts.number) % {"count": post_count}
    comment_text = ngettext("%(count)s comment", "%(count)s comments", comments.number) % {"count": comment_count}
    if posts.number and comments.number:
        return _("%(posts)s and %(comments)s to review") % {"posts": post_text, "comments": comment_text}
    return _("%(what)s to review") % {"what": post_text if posts.number else comment_text}


def _desk_text(opened: dict[str, list[str]]) -> str:
    names = sorted({name for each in opened.values() for name in each})
    if not names:
        return ""
    return _("Also reviewing now: %(names)s") % {"names": ", ".join(names[:5])}


def _since_text() -> str:
    return _("Since yesterday")


def _log_url(**filters: str) -> str:
    since = timezone.localtime(yesterday()).date().isoformat()
    return f"{reverse('forum_log')}?{urlencode(filters | {'since': since})}"


def count_waiting(results: Results) -> NavigationCount:
    posts, comments = results[POSTS_WAITING], results[COMMENTS_WAITING]
    return NavigationCount(
        posts.number + comments.number, posts.has_more or comments.has_more, waiting_text(posts, comments)
    )


# --- Unsaved changes of the filter ---------------------------------------------------------------
def draft_reads(request: Request) -> Reads:
    return {FILTER_DRAFT: partial(configs.find_draft, PROFANITY, request.person.email)}


def draft_lines(request: Request, results: Results) -> Iterator[HomeLine]:
    draft = results[FILTER_DRAFT]
    count = len(draft.staged) if draft else 0
    if count:
        text = ngettext(
            "%(count)s change of the filter is not saved", "%(count)s changes of the filter are not saved", count
        )
        yield HomeLine(Urgency.WAITING, "filter", text % {"count": count}, reverse("profanity"), since=draft.updated_at)


register_home(
    HomePlace.PLATFORM,
    HomeSource(
        name="forum.review",
        permission=Permission.MODERATE,
        checked=gettext_lazy("posts and comments to review"),
        reads=review_reads,
        build_lines=review_lines,
    ),
    HomeSource(
        name="forum.filter",
        permission=Permission.FILTER,
        checked=gettext_lazy("unsaved changes of the filter"),
        reads=draft_reads,
        build_lines=draft_lines,
    ),
)
register_counter(NavigationCounter("forum", Permission.MODERATE, waiting_reads, count_waiting))
