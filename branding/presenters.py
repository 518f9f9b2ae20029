"""What is and was in force, as the screens tell it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.utils.functional import Promise

from branding import contrast
from branding.items import Publication, PublishedMarker, Theme
from branding.tokens import VERSIONS
from dashboard.table.read import Page


@dataclass(frozen=True)
class InForce:
    """The version that the world sees, as its marker says."""

    number: int
    name: str
    who: str
    # Whoever looks did it themselves.
    own: bool
    when: datetime | None
    swatches: list[str]
    # The marker names a version that is not there.
    missing: bool = False

    @property
    def label(self) -> str:
        return f"v{self.number}"

    @property
    def title(self) -> str:
        return f"{self.label} {self.name}" if self.name else self.label


def in_force(
    marker: PublishedMarker | None, known: Mapping[int, Theme], *, viewer: str = "", missing: bool = False
) -> InForce | None:
    """What a marker says; of one that another service has moved, only what surely is about its version."""
    if marker is None or marker.number is None:
        return None
    theme = known.get(marker.number)
    # The seeds' markers never say of which version they tell; ours do, and stay behind when another service moves one.
    stale = marker.told_of is not None and not marker.is_ours
    name = marker.title if marker.is_ours else theme.name if theme else None
    colors = list(marker.swatches or []) if marker.is_ours else theme.swatches if theme else []
    return InForce(
        number=marker.number,
        name=name or "",
        who="" if stale else marker.published_by_name or marker.published_by or "",
        own=bool(viewer) and not stale and marker.published_by == viewer,
        when=None if stale else marker.published_at,
        swatches=colors,
        missing=missing,
    )


def is_missing(marker: PublishedMarker | None, newest: Page[Theme]) -> bool:
    """Whether the first page of all versions, the newest first, shows that the one in force is not there."""
    number = marker.number if marker else None
    shown = [theme.number for theme in newest.items]
    if number is None or number in shown:
        return False
    return newest.next is None or bool(shown and number > shown[-1])


@dataclass(frozen=True)
class Moment:
    """One line of the timeline."""

    number: int | None
    name: str
    who: str
    when: datetime | None
    note: str
    swatches: list[str]
    scheduled: bool
    withdrawn: bool
    # What was accepted though it is hard to read, in words.
    below_aa: list[str | Promise]
    # Its version is in force now; and this is the line that tells how it came to be.
    in_force: bool
    newest: bool = False

    @property
    def label(self) -> str:
        return f"v{self.number}" if self.number is not None else "–"


def moments(publications: Iterable[Publication], now: int | None, *, first: bool = True) -> list[Moment]:
    """Newest first; `first` for the page that begins with the newest of all."""
    found = [_moment(each, now) for each in publications]
    if first and found and found[0].in_force and not found[0].withdrawn:
        found[0] = replace(found[0], newest=True)
    return found


def _moment(each: Publication, now: int | None) -> Moment:
    number = whole(each.version)
    return Moment(
        number=number,
        name=each.title or "",
        who=each.published_by_name or each.published_by or "",
        when=each.published_at,
        note=each.note or "",
        swatches=list(each.swatches or []),
        scheduled=bool(each.scheduled),
        withdrawn=bool(each.withdrawn),
        below_aa=[contrast.LABELS.get(str(pair), str(pair)) for pair in each.below_aa or []],
        in_force=number is not None and number == now,
    )


def whole(value: Any) -> int | None:
    """The number of a version, as far as it can be one."""
    fine = isinstance(value, int | float) and 0 <= value < VERSIONS and int(value) == value
    return int(value) if fine else None
