"""The statuses of posts and comments, and the lists of the desk: one declaration for each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy, pgettext_lazy

Text = str | Promise

ACTIVE, BANNED, DELETED = "active", "banned", "deleted"
# The list of active posts and comments with a score that nobody has reviewed. It is not a status.
REVIEW_QUEUE = "review"

POSTS, COMMENTS = "posts", "comments"
KINDS: dict[str, Text] = {POSTS: _("Posts"), COMMENTS: _("Comments")}
# Posts and comments in one list.
BOTH_KINDS = "all"


@dataclass(frozen=True)
class StatusBadge:
    label: Text
    level: str
    icon: str
    # With the number of posts and comments that have the status.
    count_text: Text


# In the order of the tabs.
BADGES = {
    ACTIVE: StatusBadge(pgettext_lazy("post", "Active"), "good", "circle-check", _("%(n)s active")),
    BANNED: StatusBadge(pgettext_lazy("post", "Banned"), "bad", "ban", _("%(n)s banned")),
    DELETED: StatusBadge(pgettext_lazy("post", "Deleted"), "plain", "trash-2", _("%(n)s deleted")),
}
STATUSES = tuple(BADGES)


def badge_of(status: str) -> StatusBadge:
    """An unknown status, of an outside writer, is shown by its own name."""
    return BADGES.get(status) or StatusBadge(status, "plain", "circle-dashed", "%(n)s " + status.replace("%", "%%"))


def status_count_texts(counts: Mapping[str, Any]) -> list[str]:
    """Such as "3 active" for each status that occurs, the known ones first."""
    names = [*STATUSES, *sorted(counts.keys() - set(STATUSES))]
    return [str(badge_of(name).count_text) % {"n": counts[name]} for name in names if counts.get(name)]


@dataclass(frozen=True)
class DeskList:
    """A list of the desk: its tab, its name in the title of a bulk action, and its text when it is empty."""

    tab: Text
    icon: str
    empty_title: Text
    empty_text: Text
    # For posts and for comments: before they are counted, and with their number.
    names: dict[str, Text]
    count_texts: dict[str, Any]


LISTS = {
    REVIEW_QUEUE: DeskList(
        tab=_("To review"),
        icon="circle-check",
        empty_title=_("The queue is empty"),
        empty_text=_("What the filter finds and does not ban automatically appears here, the worst first."),
        names={POSTS: _("the posts of the review queue"), COMMENTS: _("the comments of the review queue")},
        count_texts={
            POSTS: ngettext_lazy("%(count)s post of the review queue", "%(count)s posts of the review queue", "count"),
            COMMENTS: ngettext_lazy(
                "%(count)s comment of the review queue", "%(count)s comments of the review queue", "count"
            ),
        },
    ),
    ACTIVE: DeskList(
        tab=pgettext_lazy("posts", "Active"),
        icon="messages-square",
        empty_title=_("No posts yet"),
        empty_text=_("Posts and comments of the event appear here."),
        names={POSTS: _("the active posts"), COMMENTS: _("the active comments")},
        count_texts={
            POSTS: ngettext_lazy("%(count)s active post", "%(count)s active posts", "count"),
            COMMENTS: ngettext_lazy("%(count)s active comment", "%(count)s active comments", "count"),
        },
    ),
    BANNED: DeskList(
        tab=pgettext_lazy("posts", "Banned"),
        icon="ban",
        empty_title=_("Nothing is banned"),
        empty_text=_("What you or the filter ban appears here and can be restored."),
        names={POSTS: _("the banned posts"), COMMENTS: _("the banned comments")},
        count_texts={
            POSTS: ngettext_lazy("%(count)s banned post", "%(count)s banned posts", "count"),
            COMMENTS: ngettext_lazy("%(count)s banned comment", "%(count)s banned comments", "count"),
        },
    ),
    DELETED: DeskList(
        tab=pgettext_lazy("posts", "Deleted"),
        icon="trash-2",
        empty_title=_("Nothing is deleted"),
        empty_text=_("What you delete appears here and can be restored."),
        names={POSTS: _("the deleted posts"), COMMENTS: _("the deleted comments")},
        count_texts={
            POSTS: ngettext_lazy("%(count)s deleted post", "%(count)s deleted posts", "count"),
            COMMENTS: ngettext_lazy("%(count)s deleted comment", "%(count)s deleted comments", "count"),
        },
    ),
}
# Not a list: the page of a post or an author shows every status.
EVERY_STATUS = "all"
TABS: dict[str, Text] = {name: each.tab for name, each in LISTS.items()}
