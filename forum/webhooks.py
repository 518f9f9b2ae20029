"""Events about posts."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from dashboard.platform.outbox.items import OutsideEvent, outside_event
from dashboard.platform.webhooks.events import EventType, WebhookEvent, event_after, register_event
from forum.actions import Action
from forum.items import ModerationEntry, Post
from forum.queries.log import FILTER
from forum.targets import ForumTarget

BANNED = "post.banned"

register_event(
    EventType(
        BANNED,
        label=_("A post is banned"),
        sample={"id": "01jb3w5k8m2q4r6s8t0v2w4x6y", "author_id": "ana", "banned_by": "moderator", "reason": "Spam"},
        is_of_platform=True,
    )
)


@event_after(f"moderation.{Action.BAN}.post")
def post_banned(entry: ModerationEntry) -> WebhookEvent:
    by_filter = (entry.admin_id or "").startswith(FILTER)
    return _event(entry.target_id or "", entry.author_id, "filter" if by_filter else "moderator", entry.reason)


def outside_ban(post: Post) -> OutsideEvent:
    """The event of a ban by an outside writer."""
    event = _event(ForumTarget.of(post).post, post.user_id, "outside", post.ban_reason)
    return outside_event("", event.type, event.object, dict(event.data))


def _event(post: str, author: str | None, by: str, reason: str | None) -> WebhookEvent:
    """Without the text of the post and the moderator's name."""
    data: dict[str, Any] = {"id": post, "author_id": author, "banned_by": by, "reason": reason or ""}
    return WebhookEvent(BANNED, f"post:{post}", data)
