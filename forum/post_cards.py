"""A post or a comment as a moderator sees it: all that a decision needs, without another page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from dashboard.web.pages import url_or_empty
from forum.items import ACTIVE, BANNED, DELETED, Comment, Post, counted
from forum.presenters import Piece, Trial, pieces
from forum.profanity import Match, Severity, Verdict, score
from forum.queries.log import FILTER
from forum.reasons import Choices
from forum.states import Action, State, may
from forum.targets import Kind, Target

EXCERPT = 120
# By the filter's own hand: who banned begins so.
BY_FILTER = f"{FILTER}v"


@dataclass(frozen=True)
class Act:
    """Something that can be done to it now."""

    action: Action
    url: str
    key: str
    label: str | Promise
    icon: str
    level: str = ""


ACTS = {
    Action.APPROVE: ("a", _("Approve"), "check", ""),
    Action.REOPEN: ("", _("Back to the queue"), "rotate-ccw", ""),
    Action.RESTORE: ("r", _("Restore"), "rotate-ccw", ""),
    Action.BAN: ("b", _("Ban"), "ban", "danger"),
    Action.DELETE: ("d", _("Delete"), "trash-2", ""),
}
STATUS = {
    ACTIVE: ("good", pgettext_lazy("post", "Active"), "circle-check"),
    BANNED: ("bad", pgettext_lazy("post", "Banned"), "ban"),
    DELETED: ("plain", pgettext_lazy("post", "Deleted"), "trash-2"),
}


@dataclass(frozen=True)
class Card:
    item: Post | Comment
    reasons: Choices
    # Who else has it open.
    others: tuple[str, ...] = ()

    @cached_property
    def target(self) -> Target:
        return Target.of(self.item)

    @property
    def is_comment(self) -> bool:
        return self.target.kind is Kind.COMMENT

    @property
    def post_url(self) -> str:
        return url_or_empty("post", self.target.post)

    @property
    def url(self) -> str:
        return url_or_empty("comment", self.target.post, self.target.comment) if self.is_comment else self.post_url

    @property
    def about_url(self) -> str:
        return url_or_empty("forum_about", self.item.user_id or "")

    @property
    def author_url(self) -> str:
        return url_or_empty("forum_author", self.item.user_id or "")

    @property
    def pick(self) -> str:
        """What a selection says of it: which, and as the person saw it."""
        return f"{self.item.revision}:{self.target.pick}" if self.target.post else ""

    @property
    def author(self) -> str:
        return self.item.author_name or self.item.user_id or ""

    @property
    def likes(self) -> int:
        return int(counted(self.item.likes)) if isinstance(self.item, Post) else 0

    @property
    def comments(self) -> int:
        return int(counted(self.item.comments_count)) if isinstance(self.item, Post) else 0

    @property
    def excerpt(self) -> str:
        text = " ".join((self.item.content or "").split())
        return text if len(text) <= EXCERPT else f"{text[:EXCERPT]}…"

    # --- What became of it -----------------------------------------------------------------------
    @cached_property
    def state(self) -> State:
        return State.of(self.item)

    @property
    def status(self) -> tuple[str, str | Promise, str]:
        return STATUS.get(self.state.status, ("plain", self.state.status, "circle-dashed"))

    @property
    def reason(self) -> str:
        return self.reasons.read(self.item.ban_reason_id, self.item.ban_reason)

    @property
    def filter_version(self) -> str:
        """The version of the filter that banned it; none where a person did."""
        by = self.item.banned_by or ""
        return by.removeprefix(BY_FILTER).lstrip("0") or "0" if by.startswith(BY_FILTER) else ""

    @property
    def banned_by(self) -> str:
        """Who banned it, by name while nobody else has changed it since."""
        by = self.item.banned_by or ""
        return self.item.updated_by_name or by if by == self.item.updated_by else by

    @cached_property
    def acts(self) -> list[Act]:
        kind = self.target.kind.value
        names = [self.target.post, *([self.target.comment] if self.is_comment else [])]
        possible = [(action, how) for action, how in ACTS.items() if self.url and may(action, self.state)]
        return [Act(action, url_or_empty(f"{kind}_{action}", *names), *how) for action, how in possible]

    @property
    def can_ban(self) -> bool:
        return any(each.action is Action.BAN for each in self.acts)

    @property
    def likely_reason(self) -> str:
        """Where the filter has found something, that is what most bans are for."""
        return self.reasons.likely if self.matches else ""

    @property
    def options(self) -> str:
        return self.reasons.options(self.likely_reason, numbered=True)

    # --- The filter's judgement, as it was made --------------------------------------------------
    @cached_property
    def matches(self) -> tuple[Match, ...]:
        return tuple(_matches((self.item.profanity or {}).get("matches"), self.item.content or ""))

    @cached_property
    def pieces(self) -> list[Piece]:
        return list(pieces(self.item.content or "", self.matches))

    @property
    def score(self) -> str:
        value = self.item.profanity_score
        return f"{value:.3f}".rstrip("0").rstrip(".") if value is not None and 0 < value <= 1 else ""

    @property
    def threshold(self) -> str:
        value = (self.item.profanity or {}).get("threshold")
        return f"{value:g}" if isinstance(value, int | float) else ""

    @property
    def trial(self) -> Trial | None:
        """How the score came about, where what is known of it makes that score."""
        if not self.matches or not self.threshold or score(self.matches) != self.item.profanity_score:
            return None
        verdict = Verdict(self.matches, float(self.item.profanity_score or 0), self.state.status == BANNED)
        return Trial(verdict, self.pieces, float(self.threshold))

    # --- Pictures --------------------------------------------------------------------------------
    @property
    def images(self) -> list[str]:
        """Addresses that a browser can show; whatever else stands there is none."""
        found = getattr(self.item, "images", None) or []
        return [each for each in found if isinstance(each, str) and _is_shown(each)]


def _is_shown(where: str) -> bool:
    try:
        parts = urlsplit(where)
    except ValueError:
        return False
    return parts.scheme == "https" or (not parts.scheme and not parts.netloc and where.startswith("/static/"))


def _matches(told: Any, text: str) -> Iterator[Match]:
    """What was found, as far as it fits the text: other services may have changed it since."""
    end = 0
    for each in told if isinstance(told, list) else []:
        if not isinstance(each, dict) or each.get("severity") not in list(Severity):
            continue
        first, last = each.get("start"), each.get("end")
        if isinstance(first, int) and isinstance(last, int) and end <= first < last <= len(text):
            yield Match(first, last, str(each.get("word") or text[first:last]), Severity(each["severity"]))
            end = last


def cards(items: Iterable[Post | Comment], reasons: Choices, opened: dict[str, list[str]]) -> list[Card]:
    return [Card(item, reasons, tuple(opened.get(Target.of(item).name, ()))) for item in items]
