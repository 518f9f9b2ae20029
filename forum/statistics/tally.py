"""Counts entries of the moderation log. It does not read the table."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from dashboard.table.nested import StoredMap, number_of, text_of
from forum.actions import Action
from forum.items import ModerationEntry
from forum.queries.log import FILTER
from forum.reversals import REINSTATED, REVERTED
from forum.statuses import ACTIVE, DELETED

MINUTE, HOUR, DAY = 60, 3600, 86400
# Upper bounds of the time to decision, in seconds; the last class has none.
BOUNDS = (
    *(n * MINUTE for n in (1, 2, 5, 10, 20, 30)),
    *(n * HOUR for n in (1, 2, 4, 8, 12)),
    *(n * DAY for n in (1, 2, 3, 7, 14, 30)),
)
# At most so many people per day are stored: the size of an item is limited.
MAX_PEOPLE = 300


@dataclass
class ModerationTally:
    """Counts of one or several days."""

    actions: Counter[str] = field(default_factory=Counter)
    people: dict[str, Counter[str]] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    waits: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS) + 1))
    # Bans and restored bans; those of the filter are included, and also counted separately.
    bans: int = 0
    restored: int = 0
    filter_bans: int = 0
    filter_restored: int = 0

    def count(self, entry: ModerationEntry) -> None:
        action, admin, about = entry.action or "?", entry.admin_id or "?", entry.details
        self.actions[action] += 1
        self.people.setdefault(admin, Counter())[action] += 1
        if entry.admin_name:
            self.names[admin] = entry.admin_name
        self._count_restored(action, admin, about)
        seconds = time_to_decision(entry)
        if seconds is not None:
            self.waits[bisect_left(BOUNDS, seconds)] += 1

    def _count_restored(self, action: str, admin: str, about: StoredMap) -> None:
        """The undo of a restore counts as minus one; the undo of a ban is not a new ban.

        A mistaken ban counts as none, and its undo not as a restoration.
        """
        before, after, undoes = about.map("before"), about.map("after"), "undoes" in about
        if Action.BAN in (about.text(REVERTED), about.text(REINSTATED)):
            self.bans += 1 if REINSTATED in about else -1
        elif action == Action.BAN and not undoes:
            self.bans += 1
            self.filter_bans += admin.startswith(FILTER)
        elif action == Action.RESTORE and ("before" not in about or "banned_by" in before):
            self.restored += 1
            self.filter_restored += before.text("banned_by").startswith(FILTER)
        elif undoes and before.get("status") == ACTIVE and "banned_by" in after:
            self.restored -= 1
            self.filter_restored -= after.text("banned_by").startswith(FILTER)

    def add(self, other: ModerationTally) -> None:
        self.actions += other.actions
        for admin, counts in other.people.items():
            self.people[admin] = self.people.get(admin, Counter()) + counts
        self.names |= other.names
        self.waits = [one + another for one, another in zip(self.waits, other.waits, strict=True)]
        for name in _NUMBERS:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    @property
    def total(self) -> int:
        return self.actions.total()

    def to_dict(self) -> dict[str, Any]:
        """The form in which the roll-up stores it."""
        busiest = sorted(self.people, key=lambda admin: -self.people[admin].total())[:MAX_PEOPLE]
        return {
            "actions": dict(self.actions),
            "people": {admin: dict(self.people[admin]) for admin in busiest},
            "names": {admin: self.names[admin] for admin in busiest if admin in self.names},
            "waits": self.waits,
        } | {name: getattr(self, name) for name in _NUMBERS}

    @classmethod
    def from_dict(cls, stored: Any) -> ModerationTally:
        """A list of waiting times with other bounds counts as absent."""
        stored = StoredMap.of(stored)
        waits = stored.members("waits")
        return cls(
            Counter(stored.map("actions").counts()),
            {admin: Counter(counts.counts()) for admin, counts in stored.map("people").maps()},
            {admin: text_of(name) or "?" for admin, name in stored.map("names").items()},
            [_number(each) for each in waits] if len(waits) == len(BOUNDS) + 1 else [0] * (len(BOUNDS) + 1),
            *(_number(stored.get(name)) for name in _NUMBERS),
        )


_NUMBERS = ("bans", "restored", "filter_bans", "filter_restored")


def tally(entries: Iterable[ModerationEntry]) -> ModerationTally:
    made = ModerationTally()
    for entry in entries:
        made.count(entry)
    return made


def within(waits: list[int], share: float) -> int | None:
    """The bound within which this share of the decisions was made; None if it is above the last bound."""
    minimum, counted = share * sum(waits), 0
    for bound, number in zip(BOUNDS, waits, strict=False):
        counted += number
        if number and counted >= minimum:
            return bound
    return None


def time_to_decision(entry: ModerationEntry) -> float | None:
    """Seconds until a person first decided about it; None if this was not the first decision."""
    about = entry.details
    before, created_at = about.map("before"), about.moment("createdAt")
    by_person = not (before.text("banned_by") or FILTER).startswith(FILTER) or before.get("status") == DELETED
    was_decided = by_person or "reviewed_at" in before
    if (entry.admin_id or "").startswith(FILTER) or "undoes" in about or was_decided:
        return None
    if entry.moment is None or created_at is None:
        return None
    return max(0.0, (entry.moment - created_at).total_seconds())


def _number(value: Any) -> int:
    return int(number_of(value) or 0)
