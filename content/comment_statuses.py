"""The statuses of comments on pages, and the decisions about them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from django.core.exceptions import ImproperlyConfigured
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy


class CommentStatus(StrEnum):
    """The statuses that the website service offers. Visitors see only approved comments."""

    PENDING = "Pending"
    APPROVED = "Approved"
    SPAM = "Spam"
    HIDDEN = "Hidden"


# The list of comments with any other status, which the service accepts too.
OTHER = "Other"


def listed_status(status: str | None) -> str:
    """The list that a comment with this status is in."""
    return status if status in list(CommentStatus) else OTHER


@dataclass(frozen=True)
class CommentBadge:
    label: Promise | str
    level: str
    icon: str


BADGES = {
    CommentStatus.PENDING: CommentBadge(_("Pending"), "warn", "clock"),
    CommentStatus.APPROVED: CommentBadge(_("Approved"), "good", "circle-check"),
    CommentStatus.SPAM: CommentBadge(_("Spam"), "bad", "ban"),
    CommentStatus.HIDDEN: CommentBadge(_("Hidden"), "plain", "eye-off"),
}


def badge_of(status: str | None) -> CommentBadge:
    """The badge of a status; of an unknown one its own text."""
    known = listed_status(status)
    return BADGES[CommentStatus(known)] if known != OTHER else CommentBadge(status or _("No status"), "plain", "info")


@dataclass(frozen=True)
class CommentDecision:
    """A decision of a moderator. `name` is part of its audit action and of its URL."""

    name: str
    status: CommentStatus
    label: Promise
    icon: str
    shortcut: str
    toast: Promise
    undone: Promise
    job_title: Promise
    label_for_all: Promise
    button_level: str = ""
    # As the templates of the desk ask: no decision needs a reason.
    needs_reason: ClassVar[bool] = False

    @property
    def done_label(self) -> Promise | str:
        return BADGES[self.status].label

    def is_possible(self, status: str | None) -> bool:
        return status != self.status


_DECISIONS = (
    CommentDecision(
        "approve",
        CommentStatus.APPROVED,
        _("Approve"),
        "check",
        "a",
        _("Comment approved."),
        _("No longer approved."),
        ngettext_lazy("Approve %(count)s comment", "Approve %(count)s comments", "count"),
        _("Approve all…"),
    ),
    CommentDecision(
        "spam",
        CommentStatus.SPAM,
        _("Spam"),
        "ban",
        "s",
        _("Comment marked as spam."),
        _("No longer marked as spam."),
        ngettext_lazy("Mark %(count)s comment as spam", "Mark %(count)s comments as spam", "count"),
        _("Mark all as spam…"),
        "danger",
    ),
    CommentDecision(
        "hide",
        CommentStatus.HIDDEN,
        _("Hide"),
        "eye-off",
        "h",
        _("Comment hidden."),
        _("No longer hidden."),
        ngettext_lazy("Hide %(count)s comment", "Hide %(count)s comments", "count"),
        _("Hide all…"),
    ),
)
DECISIONS = {each.name: each for each in _DECISIONS}
SHORTCUTS = "".join(each.shortcut for each in _DECISIONS)

if len(set(SHORTCUTS + "jkxui")) < len(SHORTCUTS + "jkxui"):
    raise ImproperlyConfigured("Two decisions have the same shortcut, or one has a shortcut of the desk.")
