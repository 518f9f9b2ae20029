"""The card of a post or a comment: everything that a moderator needs for a decision."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from dashboard.platform.accounts.items import Person
from dashboard.table.nested import StoredMap, maps_in
from dashboard.web.pages import url_or_empty
from forum.actions import (
    ACTIONS,
    BULK_SHORTCUTS,
    BUTTON_ORDER,
    SHORTCUTS,
    ActionSpec,
    actions_on_everything,
    actions_with_reason,
    bulk_actions_of,
    shows_reason,
)
from forum.items import Comment, Post, non_negative, score_in_key
from forum.links import TextLink, links_of
from forum.log_presenters import cause_url, name_of
from forum.permissions import Permission
from forum.pictures import PostPicture, pictures_of
from forum.presenters import Piece, Trial, pieces
from forum.profanity import FilterVerdict, Match, Severity, score
from forum.queries.log import FILTER
from forum.reasons import ReasonChoices
from forum.states import State
from forum.statuses import BANNED, StatusBadge, badge_of
from forum.targets import ForumTarget, TargetKind

EXCERPT = 120
# The filter as `banned_by`, followed by its version.
BY_FILTER = f"{FILTER}v"


@dataclass(frozen=True)
class CardAction:
    """A button of a card."""

    spec: ActionSpec
    url: str


@dataclass(frozen=True)
class Card:
    item: Post | Comment
    reasons: ReasonChoices
    # The colleagues who have it open.
    open_by: tuple[str, ...] = ()

    @cached_property
    def target(self) -> ForumTarget:
        return ForumTarget.of(self.item)

    @property
    def name(self) -> str:
        """What identifies the card on a page."""
        return self.target.path

    @property
    def is_comment(self) -> bool:
        return self.target.kind is TargetKind.COMMENT

    @property
    def post_url(self) -> str:
        return url_or_empty("post", self.target.post)

    @property
    def url(self) -> str:
        return url_or_empty("comment", self.target.post, self.target.comment) if self.is_comment else self.post_url

    @property
    def context_url(self) -> str:
        """The post of a comment and the comment that it replies to; empty for a post."""
        if not self.is_comment:
            return ""
        url = url_or_empty("comment_context", self.target.post, self.target.comment)
        return f"{url}?{urlencode({'reply_to': self.reply_to})}" if url and self.reply_to else url

    @property
    def reply_to(self) -> str:
        """The id of the comment that it replies to."""
        return (self.item.parent_id or "") if isinstance(self.item, Comment) else ""

    @property
    def about_url(self) -> str:
        return url_or_empty("forum_about", self.item.user_id or "")

    @property
    def author_url(self) -> str:
        return url_or_empty("forum_author", self.item.user_id or "")

    @property
    def selection_id(self) -> str:
        """The value of its checkbox: its id, and the revision that the person saw."""
        return f"{self.item.revision}:{self.target.selection_id}" if self.target.post else ""

    @property
    def author(self) -> str:
        return self.item.author_name or self.item.user_id or ""

    @property
    def likes(self) -> int:
        return int(non_negative(self.item.likes)) if isinstance(self.item, Post) else 0

    @property
    def comments(self) -> int:
        return int(non_negative(self.item.comments_count)) if isinstance(self.item, Post) else 0

    @property
    def excerpt(self) -> str:
        text = " ".join((self.item.content or "").split())
        return text if len(text) <= EXCERPT else f"{text[:EXCERPT]}…"

    # --- Its state -------------------------------------------------------------------------------
    @cached_property
    def state(self) -> State:
        return State.of(self.item)

    @property
    def waits(self) -> bool:
        """Whether it is in the review queue."""
        return score_in_key(self.item) is not None

    @property
    def badge(self) -> StatusBadge:
        return badge_of(self.state.status)

    @property
    def shows_reason(self) -> bool:
        return shows_reason(self.state.status)

    @property
    def reason(self) -> str:
        return self.reasons.text_of(self.item.ban_reason_id, self.item.ban_reason)

    @property
    def filter_version(self) -> str:
        """The version of the filter that banned it; empty if a person did."""
        by = self.item.banned_by or ""
        return by.removeprefix(BY_FILTER).lstrip("0") or "0" if by.startswith(BY_FILTER) else ""

    @property
    def cause_url(self) -> str:
        """The page that undoes all bans of the version that banned it."""
        return cause_url(self.item.banned_by)

    @property
    def banned_by(self) -> str:
        """The name of the person who banned it; their e-mail address if somebody has changed it since."""
        by = self.item.banned_by or ""
        return self.item.updated_by_name or by if by == self.item.updated_by else by

    @property
    def reversed_decision_of(self) -> str:
        """Who banned or deleted what an outside writer has made active again; empty otherwise."""
        stored = self.item.reversed_decision
        by = str(stored.get("by") or "?") if stored and self.state.is_active and not self.state.reviewed_at else ""
        return name_of(by) if by else ""

    @cached_property
    def actions(self) -> list[CardAction]:
        """The actions that its state allows; those that need a reason are in `actions_with_reason`."""
        return [each for each in self._possible_actions if not each.spec.needs_reason]

    @cached_property
    def actions_with_reason(self) -> list[CardAction]:
        return [each for each in self._possible_actions if each.spec.needs_reason]

    @cached_property
    def _possible_actions(self) -> list[CardAction]:
        kind = self.target.kind.value
        ids = [self.target.post, *([self.target.comment] if self.is_comment else [])]
        possible = [spec for spec in BUTTON_ORDER if self.url and spec.is_possible(self.state)]
        return [CardAction(spec, url_or_empty(f"{kind}_{spec.name}", *ids)) for spec in possible]

    @property
    def default_url(self) -> str:
        """Where the form of the card is sent without a button."""
        return self._possible_actions[0].url if self._possible_actions else ""

    @property
    def likely_reason(self) -> str:
        """Selected in advance if the filter has found something: most bans are for that."""
        return self.reasons.likely if self.matches else ""

    @property
    def options(self) -> str:
        return self.reasons.options(self.likely_reason, numbered=True)

    # --- The result of the filter when it was written -------------------------------------------
    @cached_property
    def matches(self) -> tuple[Match, ...]:
        return tuple(_matches(maps_in(self.item.filter_result.get("matches")), self.item.content or ""))

    @cached_property
    def pieces(self) -> list[Piece]:
        return list(pieces(self.item.content or "", self.matches))

    @cached_property
    def links(self) -> list[TextLink]:
        return links_of(self.item.content or "")

    @property
    def score(self) -> str:
        value = self.item.profanity_score
        return f"{value:.3f}".rstrip("0").rstrip(".") if value is not None and 0 < value <= 1 else ""

    @property
    def threshold(self) -> str:
        value = self.item.filter_result.number("threshold")
        return "" if value is None else f"{value:g}"

    @property
    def trial(self) -> Trial | None:
        """How the score was calculated; None if the stored matches do not give the stored score."""
        if not self.matches or not self.threshold or score(self.matches) != self.item.profanity_score:
            return None
        verdict = FilterVerdict(self.matches, float(self.item.profanity_score or 0), self.state.status == BANNED)
        return Trial(verdict, self.pieces, float(self.threshold))

    # --- Pictures --------------------------------------------------------------------------------
    @cached_property
    def pictures(self) -> list[PostPicture]:
        return list(pictures_of(self.item))


def _matches(stored: Iterable[StoredMap], text: str) -> Iterator[Match]:
    """The stored matches that fit the text: an outside writer may have changed it since."""
    end = 0
    for each in stored:
        first, last, severity = each.whole_number("start"), each.whole_number("end"), each.text("severity")
        if first is None or last is None or severity not in list(Severity):
            continue
        if end <= first < last <= len(text):
            yield Match(first, last, each.text("word") or text[first:last], Severity(severity))
            end = last


def card_context(reasons: ReasonChoices, person: Person, show: str = "") -> dict[str, Any]:
    """What the templates of cards and of bulk actions need besides the cards."""
    return {
        "reasons": reasons,
        "may_moderate": person.may(Permission.MODERATE),
        "actions": list(ACTIONS.values()),
        "action_keys": SHORTCUTS,
        "bulk_keys": BULK_SHORTCUTS,
        "digits_action": next((spec.name for spec in actions_with_reason(BUTTON_ORDER)), ""),
        "bulk_actions": bulk_actions_of(show),
        "actions_on_everything": actions_on_everything(show),
    }


def build_cards(items: Iterable[Post | Comment], reasons: ReasonChoices, opened: dict[str, list[str]]) -> list[Card]:
    return [Card(item, reasons, tuple(opened.get(ForumTarget.of(item).path, ()))) for item in items]
