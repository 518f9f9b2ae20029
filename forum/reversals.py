"""Mistaken decisions: a decision that its own author undoes soon is not counted, and neither is the undo."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from forum.items import ModerationEntry

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


def reverted_action(entry: ModerationEntry) -> str:
    """The action that this undo makes not count; empty for all other entries."""
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
    found: set[str] = set()
    for entry in entries:
        undone = entry.details.text("undoes")
        if (reverted_action(entry) or reinstated_action(entry)) and entry.address not in found:
            found |= {entry.address, undone}
    return found - {""}
