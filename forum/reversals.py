"""Mistaken decisions: a decision that its own author undoes or restores soon is not counted, and neither is that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from forum.actions import Action
from forum.items import ModerationEntry
from forum.states import State
from forum.statuses import BANNED, DELETED

# A person who undoes their own decision within this time made a mistake. Later it is a new decision.
UNDO_PERIOD = timedelta(hours=1)
# In the metadata of an undo: the action that no longer counts, or that counts again.
REVERTED, REINSTATED = "reverted", "reinstated"


def reversal_metadata(entry: ModerationEntry, *, by: str, at: datetime) -> dict[str, Any]:
    """The metadata of the undo of an entry; empty where both count."""
    is_own = entry.admin_id == by and entry.moment is not None and at - entry.moment <= UNDO_PERIOD
    if not is_own or not entry.action:
        return {}
    if reverted := reverted_action(entry):
        return {REINSTATED: reverted}
    return {REVERTED: reinstated_action(entry) or entry.action}


def mistake_metadata(action: Action, before: State, since: datetime | None, *, by: str, at: datetime) -> dict[str, Any]:
    """The metadata of a restore of what the same person banned or deleted soon before; empty where both count."""
    if action != Action.RESTORE or since is None or at - since > UNDO_PERIOD:
        return {}
    if before.status == BANNED and before.banned_by == by:
        return {REVERTED: Action.BAN.value}
    # A restore of what was banned before it was deleted also lifts that ban.
    if before.status == DELETED and before.deleted_by == by and not before.banned_by:
        return {REVERTED: Action.DELETE.value}
    return {}


def reverted_action(entry: ModerationEntry) -> str:
    """The action that this undo or restore makes not count; empty for all other entries."""
    return entry.details.text(REVERTED)


def reinstated_action(entry: ModerationEntry) -> str:
    """The action that this undo makes count again; empty for all other entries."""
    return entry.details.text(REINSTATED)


def count_actions(entries: Iterable[ModerationEntry]) -> Counter[str]:
    """The number of each action, without mistaken decisions and their undo."""
    counts: Counter[str] = Counter()
    for entry in entries:
        if reverted := reverted_action(entry):
            counts[reverted] -= 1
        else:
            counts[reinstated_action(entry) or str(entry.action)] += 1
    # The mistaken decision may be older than the entries that were read.
    return +counts


def reverted_entries(entries: Iterable[ModerationEntry]) -> set[str]:
    """The addresses of the mistaken decisions and of their undo. `entries` are newest first."""
    known, found = list(entries), set[str]()
    for place, entry in enumerate(known):
        if (reverted_action(entry) or reinstated_action(entry)) and entry.address not in found:
            undone = entry.details.text("undoes") or _restored_mistake(entry, known[place + 1 :])
            found |= {entry.address, undone}
    return found - {""}


def _restored_mistake(entry: ModerationEntry, older: Iterable[ModerationEntry]) -> str:
    """The address of the decision that this restore reverted; empty if it is not among these entries."""

    def subject(each: ModerationEntry) -> tuple[str, str, str | None]:
        return each.details.text("postId"), each.details.text("commentId"), each.admin_id

    reverted = reverted_action(entry)
    same = (each.address for each in older if each.action == reverted and subject(each) == subject(entry))
    return next(same, "")
