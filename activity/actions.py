"""The actions in the activity log: names, labels and where they count.

An outside writer may log other actions. They are kept, counted and shown by their own name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

SIGN_IN = "sign_in"
ROOM_ENTER = "room_enter"
ROOM_COMPLETED = "room_completed"
VIDEO_START = "video_start"
TIME_SPENT = "time_spent"
POST_CREATED = "post_created"
COMMENT_CREATED = "comment_created"


@dataclass(frozen=True)
class ActivityAction:
    """An action that this product knows."""

    name: str
    label: str | _StrPromise
    icon: str
    # Whether the number of posts on the live page includes it.
    is_post: bool = False
    # Whether a moderator or the filter did it.
    is_moderation: bool = False


_KNOWN = (
    ActivityAction(SIGN_IN, _("Signed in"), "user-check"),
    ActivityAction(ROOM_ENTER, _("Entered a room"), "door-open"),
    ActivityAction(ROOM_COMPLETED, _("Completed a room"), "circle-check"),
    ActivityAction(VIDEO_START, _("Started a video"), "play"),
    ActivityAction(TIME_SPENT, _("Spent time"), "timer"),
    ActivityAction(POST_CREATED, _("Wrote a post"), "message-square", is_post=True),
    ActivityAction(COMMENT_CREATED, _("Wrote a comment"), "messages-square", is_post=True),
    *(
        ActivityAction(f"{what}_{name}", label, icon, is_moderation=True)
        for what, labels in {
            "post": (
                _("Banned a post"),
                _("Restored a post"),
                _("Deleted a post"),
                _("Approved a post"),
                _("Reopened a post"),
            ),
            "comment": (
                _("Banned a comment"),
                _("Restored a comment"),
                _("Deleted a comment"),
                _("Approved a comment"),
                _("Reopened a comment"),
            ),
        }.items()
        for (name, icon), label in zip(
            (
                ("banned", "ban"),
                ("restored", "rotate-ccw"),
                ("deleted", "trash-2"),
                ("approved", "check"),
                ("reopened", "undo-2"),
            ),
            labels,
            strict=True,
        )
    ),
)
ACTIONS = {action.name: action for action in _KNOWN}


def find_action(name: str) -> ActivityAction:
    """The action with this name; one that is unknown has its name as the label."""
    return ACTIONS.get(name) or ActivityAction(name, name, "activity")
