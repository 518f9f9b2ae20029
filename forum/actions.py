"""The actions of moderators: the one specification that cards, bulk actions, log, shortcuts and templates read.

To add an action, add it to `Action` and describe it in `_SPECS`. An action that leads to a new status also needs that
status in `forum/statuses.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy, pgettext_lazy

from forum.states import Reason, State
from forum.statuses import ACTIVE, BANNED, DELETED, REVIEW_QUEUE, STATUSES, Text


class Action(StrEnum):
    """The name of an action: in the log, in index keys and in URLs."""

    BAN = "ban"
    RESTORE = "restore"
    DELETE = "delete"
    APPROVE = "approve"
    REOPEN = "reopen"


@dataclass(frozen=True)
class BulkTexts:
    """The texts of an action on many posts and comments; `what` is their number and kind."""

    title: Text
    progress: Text
    done_text: Any
    button_for_all: Text


@dataclass(frozen=True)
class ActionSpec:
    name: Action
    # --- Rule: from which states it is possible, and to which state it leads
    is_possible: Callable[[State], bool]
    # Called with the state before, the actor, the moment and the reason.
    apply: Callable[[State, str, datetime, Reason], State]
    status_after: str
    # Whether the item is reviewed afterwards; None if the action does not decide that.
    is_reviewed_after: bool | None
    changes_status: bool
    # The action that undoes it if the log does not contain the state before.
    inverse: Action

    # --- Controls
    label: Text
    icon: str
    done_label: Text
    post_toast: Text
    comment_toast: Text
    undone_toast: Text
    # Without a subject, such as "banned it": the history and the text of a conflict put the person before it.
    history_text: Text
    shortcut: str = ""
    button_level: str = ""
    # `apply` may store the reason as `ban_reason` and `ban_reason_id`; then the card shows it.
    needs_reason: bool = False
    # None if the action has no bulk form.
    bulk: BulkTexts | None = None

    # --- Log and statistics
    log_badge_level: str = "info"
    # A colour of static/css/charts.css.
    chart_color: str = "gray"


def _ban(state: State, actor: str, moment: datetime, reason: Reason) -> State:
    return replace(
        state,
        status=BANNED,
        banned_at=moment,
        banned_by=actor,
        ban_reason=reason.text or None,
        ban_reason_id=reason.id or None,
    )


def _delete(state: State, actor: str, moment: datetime, reason: Reason) -> State:
    return replace(state, status=DELETED, deleted_by=actor)


def _make_active_and_reviewed(state: State, actor: str, moment: datetime, reason: Reason) -> State:
    """Restoring uses it too: the person who restores an item has reviewed it."""
    return State(reviewed_at=moment, reviewed_by=actor)


def _reopen(state: State, actor: str, moment: datetime, reason: Reason) -> State:
    return State()


# In the order of the log's filter and of the statistics.
_SPECS = (
    ActionSpec(
        name=Action.BAN,
        is_possible=lambda state: state.is_active,
        apply=_ban,
        status_after=BANNED,
        is_reviewed_after=None,
        changes_status=True,
        inverse=Action.RESTORE,
        label=_("Ban"),
        icon="ban",
        done_label=pgettext_lazy("post", "Banned"),
        post_toast=_("Post banned."),
        comment_toast=_("Comment banned."),
        undone_toast=_("Ban undone."),
        shortcut="b",
        button_level="danger",
        needs_reason=True,
        bulk=BulkTexts(
            title=_("Ban %(what)s"),
            progress=_("Banning %(what)s…"),
            done_text=ngettext_lazy("%(count)s banned", "%(count)s banned", "count"),
            button_for_all=_("Ban all"),
        ),
        history_text=_("banned it"),
        log_badge_level="bad",
        chart_color="red",
    ),
    ActionSpec(
        name=Action.RESTORE,
        is_possible=lambda state: not state.is_active,
        apply=_make_active_and_reviewed,
        status_after=ACTIVE,
        is_reviewed_after=None,
        changes_status=True,
        inverse=Action.BAN,
        label=_("Restore"),
        icon="rotate-ccw",
        done_label=pgettext_lazy("post", "Restored"),
        post_toast=_("Post restored."),
        comment_toast=_("Comment restored."),
        undone_toast=_("Restore undone."),
        shortcut="r",
        bulk=BulkTexts(
            title=_("Restore %(what)s"),
            progress=_("Restoring %(what)s…"),
            done_text=ngettext_lazy("%(count)s restored", "%(count)s restored", "count"),
            button_for_all=_("Restore all"),
        ),
        history_text=_("restored it"),
        log_badge_level="good",
        chart_color="green",
    ),
    ActionSpec(
        name=Action.DELETE,
        is_possible=lambda state: state.status != DELETED,
        apply=_delete,
        status_after=DELETED,
        is_reviewed_after=None,
        changes_status=True,
        inverse=Action.RESTORE,
        label=_("Delete"),
        icon="trash-2",
        done_label=pgettext_lazy("post", "Deleted"),
        post_toast=_("Post deleted."),
        comment_toast=_("Comment deleted."),
        undone_toast=_("Deletion undone."),
        shortcut="d",
        bulk=BulkTexts(
            title=_("Delete %(what)s"),
            progress=_("Deleting %(what)s…"),
            done_text=ngettext_lazy("%(count)s deleted", "%(count)s deleted", "count"),
            button_for_all=_("Delete all"),
        ),
        history_text=_("deleted it"),
        log_badge_level="bad",
        chart_color="dark-red",
    ),
    ActionSpec(
        name=Action.APPROVE,
        is_possible=lambda state: state.is_active and state.reviewed_at is None,
        apply=_make_active_and_reviewed,
        status_after=ACTIVE,
        is_reviewed_after=True,
        changes_status=False,
        inverse=Action.REOPEN,
        label=_("Approve"),
        icon="check",
        done_label=pgettext_lazy("post", "Approved"),
        post_toast=_("Post approved."),
        comment_toast=_("Comment approved."),
        undone_toast=_("Approval undone."),
        shortcut="a",
        bulk=BulkTexts(
            title=_("Approve %(what)s"),
            progress=_("Approving %(what)s…"),
            done_text=ngettext_lazy("%(count)s approved", "%(count)s approved", "count"),
            button_for_all=_("Approve all"),
        ),
        history_text=_("approved it"),
        log_badge_level="good",
        chart_color="blue",
    ),
    ActionSpec(
        name=Action.REOPEN,
        is_possible=lambda state: state.is_active and state.reviewed_at is not None,
        apply=_reopen,
        status_after=ACTIVE,
        is_reviewed_after=False,
        changes_status=False,
        inverse=Action.APPROVE,
        label=_("Back to the queue"),
        icon="inbox",
        done_label=_("Back in the queue"),
        post_toast=_("Post moved back to the queue."),
        comment_toast=_("Comment moved back to the queue."),
        undone_toast=_("Approval restored."),
        history_text=_("put it back in the queue"),
        chart_color="amber",
    ),
)
ACTIONS: dict[str, ActionSpec] = {spec.name: spec for spec in _SPECS}
# Buttons: first the actions that only review.
BUTTON_ORDER = sorted(_SPECS, key=lambda spec: spec.changes_status)
BULK_ACTIONS = [spec for spec in BUTTON_ORDER if spec.bulk]
SHORTCUTS = "".join(spec.shortcut for spec in _SPECS)
BULK_SHORTCUTS = "".join(spec.shortcut for spec in _SPECS if spec.bulk)
# Keys of the desk: next, previous, select, undo, pictures (static/js/moderation-desk.js).
if len(set(SHORTCUTS + "jkxui")) < len(SHORTCUTS + "jkxui"):
    raise ImproperlyConfigured("Two actions have the same shortcut, or one has a shortcut of the desk.")


def is_possible(action: Action, state: State) -> bool:
    return ACTIONS[action].is_possible(state)


def apply(action: Action, state: State, actor: str, moment: datetime, reason: Reason) -> State:
    """Return the state after an action."""
    return ACTIONS[action].apply(state, actor, moment, reason)


def action_between(before: State, after: State) -> Action:
    """Return the action that leads from one state to another. Undo is logged as the action with the same effect."""
    status = after.status if after.status in STATUSES else ACTIVE
    is_reviewed, is_status_change = after.reviewed_at is not None, before.status != after.status
    candidates = [
        spec for spec in _SPECS if spec.status_after == status and spec.is_reviewed_after in (None, is_reviewed)
    ]
    return min(candidates, key=lambda spec: spec.changes_status != is_status_change).name


def assumed_state_before(action: Action, reason: str | None) -> State:
    """Return the state to go back to if the log entry of an outside writer does not contain it."""
    inverse = ACTIONS[ACTIONS[action].inverse]
    return State(inverse.status_after, ban_reason=reason if inverse.needs_reason else None)


def actions_with_reason(specs: Iterable[ActionSpec]) -> list[ActionSpec]:
    """Return those that need a reason. The keys 1 to 9 choose a reason for the first of them."""
    return [spec for spec in specs if spec.needs_reason]


def shows_reason(status: str) -> bool:
    """Whether an action that needs a reason leads to this status."""
    return any(spec.status_after == status for spec in actions_with_reason(ACTIONS.values()))


def bulk_actions_of(desk_list: str) -> list[ActionSpec]:
    """Return the bulk actions of a list; all of them if `desk_list` is empty."""
    if not desk_list:
        return BULK_ACTIONS
    # The list of active posts also contains reviewed ones, for which there is nothing to approve.
    state = State() if desk_list == REVIEW_QUEUE else State(desk_list, reviewed_at=datetime.min)
    return [spec for spec in BULK_ACTIONS if spec.is_possible(state)]


def actions_on_everything(desk_list: str) -> list[ActionSpec]:
    """Return the actions on all items of a list, or on all items of one person if `desk_list` is empty."""
    return bulk_actions_of(desk_list) if desk_list else [spec for spec in BULK_ACTIONS if spec.changes_status]


def chart_color(action: str) -> str:
    """The colour of an action in the charts; actions of outside writers share one."""
    spec = ACTIONS.get(action)
    return spec.chart_color if spec else "gray"
