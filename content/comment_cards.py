"""The card of a comment on a page: everything that a moderator needs for a decision."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from django.urls import reverse
from django.utils.text import Truncator

from content.comment_refs import CommentRef
from content.comment_statuses import DECISIONS, CommentBadge, CommentDecision, CommentStatus, badge_of
from content.items import PageComment
from dashboard.web.pages import url_or_empty
from forum.public import FilterConfig, Piece, Trial, try_text

EXCERPT = 80


@dataclass(frozen=True)
class CommentAction:
    """A button of a card."""

    spec: CommentDecision
    url: str


@dataclass(frozen=True)
class CommentCard:
    business: str
    comment: PageComment
    page_title: str
    # None where nothing shows the filter's verdict.
    filter: FilterConfig | None = None
    # The colleagues who have it open.
    open_by: tuple[str, ...] = ()

    @property
    def ref(self) -> CommentRef:
        return self.comment.ref

    @property
    def name(self) -> str:
        return self.ref.token

    @property
    def url(self) -> str:
        return url_or_empty("page_comment", self.business, self.name)

    @property
    def page_url(self) -> str:
        """The comments on the same page."""
        return url_or_empty("comments_of_page", self.business, self.ref.page)

    @property
    def author(self) -> str:
        return self.comment.author_name or self.comment.author_email or self.comment.author_id or ""

    @property
    def author_url(self) -> str:
        author = self.comment.author_key
        return url_or_empty("comments_of_author", self.business, author) if author else ""

    @property
    def about_url(self) -> str:
        """The fragment beside the list with the author's comments."""
        return f"{self.author_url}?part=about" if self.author_url else ""

    @property
    def written_at(self) -> datetime | None:
        return self.comment.written_at

    @property
    def waits(self) -> bool:
        """Whether it is in the queue."""
        return self.comment.status == CommentStatus.PENDING

    @property
    def excerpt(self) -> str:
        return Truncator(" ".join((self.comment.content or "").split())).chars(EXCERPT)

    @property
    def badge(self) -> CommentBadge:
        return badge_of(self.comment.status)

    @property
    def selection_id(self) -> str:
        """The value of its checkbox: its id, and the revision that the person saw."""
        return f"{self.comment.revision}:{self.name}"

    @cached_property
    def trial(self) -> Trial | None:
        """The verdict of the forum's filter, as it is now."""
        return try_text(self.filter, self.comment.content or "") if self.filter else None

    @property
    def pieces(self) -> list[Piece]:
        """The text, with the words that the filter finds; none for an empty text."""
        text = self.comment.content or ""
        return self.trial.pieces if self.trial else [Piece(text)] if text else []

    @cached_property
    def actions(self) -> list[CommentAction]:
        return [
            CommentAction(spec, reverse("page_comment_decide", args=[self.business, self.name, spec.name]))
            for spec in DECISIONS.values()
            if spec.is_possible(self.comment.status)
        ]


def build_cards(
    business: str,
    comments: Iterable[PageComment],
    titles: Mapping[str, str],
    filter: FilterConfig | None,
    opened: Mapping[str, list[str]] | None = None,
) -> list[CommentCard]:
    """Cards with the titles of the newest pages; for others the title at the time of the comment, or the id."""
    return [
        CommentCard(
            business,
            each,
            titles.get(each.ref.page) or each.page_title or each.ref.page,
            filter,
            tuple((opened or {}).get(each.ref.token, ())),
        )
        for each in comments
    ]
