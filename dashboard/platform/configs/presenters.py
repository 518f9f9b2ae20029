"""Presenters for a config's changes, versions and conflicts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from dashboard.platform.configs.changes import Changes, EntryChange, EntryConflict, count_verbs
from dashboard.platform.configs.items import Config, ConfigVersion
from dashboard.platform.configs.kinds import ConfigKind, EntryLabels, digest
from dashboard.platform.configs.services.versions import INITIAL, OUTSIDE, PREEXISTING
from dashboard.table.nested import StoredMap, texts_in

# The number of changes that a page shows at first.
MAX_ROWS = 200
# The number of changed entries that the list of versions names.
MAX_NAMED = 4

ORIGINS: dict[str, Promise] = {
    INITIAL: _("the product's default"),
    PREEXISTING: _("existed before the first change"),
    OUTSIDE: _("changed by an outside service"),
}


@dataclass(frozen=True)
class ChangeGroup:
    """The changes of one group: the rows that are shown, and how many there are."""

    label: str
    rows: list[EntryLabels]
    count: int


@dataclass(frozen=True)
class ChangeList:
    """Changes by group; `left` of them are not shown."""

    groups: list[ChangeGroup]
    counts: dict[str, int]
    total: int
    left: int


def change_list(kind: ConfigKind, changes: Changes, limit: int | None = MAX_ROWS) -> ChangeList:
    """The first `limit` changes, or all, by group and in the order of the entries."""
    rows = [kind.entry_labels(name, change) for name, change in changes.items()]
    rows_by_group: dict[str, list[EntryLabels]] = {}
    for row in rows:
        rows_by_group.setdefault(row.group, []).append(row)
    room = shown = len(rows) if limit is None else min(limit, len(rows))
    groups = []
    for label, group_rows in rows_by_group.items():
        groups.append(ChangeGroup(label, group_rows[:room], len(group_rows)))
        room -= len(groups[-1].rows)
    return ChangeList([each for each in groups if each.rows], count_verbs(changes), len(rows), len(rows) - shown)


def current_version(kind: ConfigKind, config: Config | None) -> int | None:
    """The current version; None where nothing is saved or an outside writer has changed the config since."""
    if config is None or not config.number or config.digest != digest(kind.body_of(config)):
        return None
    return config.number


@dataclass(frozen=True)
class VersionLine:
    """A version in the list of versions."""

    number: int
    who: str
    when: datetime | None
    note: str
    origin: Promise | str
    counts: Mapping[str, Any]
    sample: list[str]
    more: int
    restored: int | None
    reverted: int | None
    is_current: bool


def version_line(version: ConfigVersion, current: int | None) -> VersionLine:
    counts = {verb: n for verb, n in StoredMap.of(version.counts).counts().items() if n > 0}
    sample = texts_in(version.sample or [])[:MAX_NAMED]
    return VersionLine(
        number=version.number,
        who=version.who,
        when=version.created_at,
        note=version.note or "",
        origin=ORIGINS.get(version.origin or "", version.origin or ""),
        counts=counts,
        sample=sample,
        more=max(0, sum(counts.values()) - len(sample)),
        restored=_to_int(version.restored),
        reverted=_to_int(version.reverted),
        is_current=version.number == current,
    )


def _to_int(number: float | None) -> int | None:
    return None if number is None else int(number)


@dataclass(frozen=True)
class ConflictRow:
    """An entry that two people changed: the previous value, both new ones, and who saved first."""

    name: str
    group: str
    label: str
    was: str
    mine: str
    theirs: str
    # Empty where an outside writer changed it, or where it was too long ago.
    who: str
    when: datetime | None


def conflict_rows(
    kind: ConfigKind, conflicts: list[EntryConflict], authors: Mapping[str, ConfigVersion]
) -> list[ConflictRow]:
    rows = []
    for each in conflicts:
        mine = kind.entry_labels(each.name, each.change)
        theirs = kind.entry_labels(each.name, EntryChange(each.change.was, each.theirs))
        by = authors.get(each.name)
        who, when = (by.who, by.created_at) if by else ("", None)
        rows.append(ConflictRow(each.name, mine.group, mine.label, mine.was, mine.now, theirs.now, who, when))
    return rows


# The prefix of the form fields of `configs/_conflicts.html`, before the name of an entry.
CHOICE_PREFIX = "keep:"


@dataclass(frozen=True)
class ConflictChoices:
    """The names of the entries for which a person chose their own value, or the other person's."""

    mine: frozenset[str]
    theirs: frozenset[str]

    def apply_to(self, changes: Changes) -> Changes:
        """The changes without those for which the other person's value was chosen."""
        return {name: change for name, change in changes.items() if name not in self.theirs}


def read_choices(data: Mapping[str, Any]) -> ConflictChoices:
    """Read the fields of `configs/_conflicts.html`."""
    choices = {
        name.removeprefix(CHOICE_PREFIX): value for name, value in data.items() if name.startswith(CHOICE_PREFIX)
    }
    return ConflictChoices(
        frozenset(name for name, value in choices.items() if value == "mine"),
        frozenset(name for name, value in choices.items() if value == "theirs"),
    )
