"""A config's changes, versions and overlaps in words, as the screens list them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from dashboard.platform.configs.changes import Change, Changes, Overlap, counts
from dashboard.platform.configs.items import Config, ConfigVersion
from dashboard.platform.configs.kinds import EntryLabels, Kind, digest
from dashboard.platform.configs.services.versions import AS_IT_COMES, ELSEWHERE, FOUND

# So many rows are shown before one asks for all.
FIRST = 200
# So many of a version's entries are named in a list.
NAMED = 4

ORIGINS: dict[str, Promise] = {
    AS_IT_COMES: _("as it came with the product"),
    FOUND: _("found there before the first change"),
    ELSEWHERE: _("changed by another service"),
}


@dataclass(frozen=True)
class Group:
    """Entries of one sort: the rows that are shown, and how many there are."""

    label: str
    rows: list[EntryLabels]
    count: int


@dataclass(frozen=True)
class Listed:
    """Changes by group; `left` are not shown."""

    groups: list[Group]
    counts: dict[str, int]
    total: int
    left: int


def listed(kind: Kind, changes: Changes, most: int | None = FIRST) -> Listed:
    """What changes, by group in the order of the entries; the first `most` of them, or all."""
    rows = [kind.entry_labels(name, change) for name, change in changes.items()]
    groups: dict[str, list[EntryLabels]] = {}
    for row in rows:
        groups.setdefault(row.group, []).append(row)
    room = shown = len(rows) if most is None else min(most, len(rows))
    made = []
    for label, found in groups.items():
        made.append(Group(label, found[:room], len(found)))
        room -= len(made[-1].rows)
    return Listed([each for each in made if each.rows], counts(changes), len(rows), len(rows) - shown)


def in_force(kind: Kind, config: Config | None) -> int | None:
    """The version that stands; none where nothing is saved, or another service has changed it since."""
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
    in_force: bool


def line(version: ConfigVersion, in_force: int | None) -> VersionLine:
    """One version; what another service has put there may be anything."""
    numbers = {verb: n for verb, n in (version.counts or {}).items() if isinstance(n, int) and n > 0}
    sample = [each for each in version.sample or [] if isinstance(each, str)][:NAMED]
    return VersionLine(
        number=version.number,
        who=version.who,
        when=version.created_at,
        note=version.note or "",
        origin=ORIGINS.get(version.origin or "", version.origin or ""),
        counts=numbers,
        sample=sample,
        more=max(0, sum(numbers.values()) - len(sample)),
        restored=_whole(version.restored),
        reverted=_whole(version.reverted),
        in_force=version.number == in_force,
    )


def _whole(number: float | None) -> int | None:
    return None if number is None else int(number)


@dataclass(frozen=True)
class Met:
    """An entry that two people have changed: what it was, how each would have it, and who was first."""

    name: str
    group: str
    label: str
    was: str
    mine: str
    theirs: str
    # Not known where another service did it, or it was too long ago.
    who: str
    when: datetime | None


def met(kind: Kind, overlaps: list[Overlap], authors: Mapping[str, ConfigVersion]) -> list[Met]:
    rows = []
    for each in overlaps:
        mine = kind.entry_labels(each.name, each.change)
        theirs = kind.entry_labels(each.name, Change(each.change.was, each.theirs))
        by = authors.get(each.name)
        who, when = (by.who, by.created_at) if by else ("", None)
        rows.append(Met(each.name, mine.group, mine.label, mine.was, mine.now, theirs.now, who, when))
    return rows


# Before the name of an entry: whose it is to be, in a form that includes `configs/overlaps.html`.
KEEP = "keep:"


@dataclass(frozen=True)
class Decided:
    """What a person has decided where others had changed the same."""

    mine: frozenset[str]
    theirs: frozenset[str]

    def of(self, changes: Changes) -> Changes:
        """The changes but those that give way."""
        return {name: change for name, change in changes.items() if name not in self.theirs}


def decided(data: Mapping[str, Any]) -> Decided:
    """The answers of `configs/overlaps.html`, from what was posted."""
    said = {name.removeprefix(KEEP): value for name, value in data.items() if name.startswith(KEEP)}
    return Decided(
        frozenset(name for name, value in said.items() if value == "mine"),
        frozenset(name for name, value in said.items() if value == "theirs"),
    )
