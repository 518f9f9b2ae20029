"""Compares the list of a sealed day with the entries that are in the table now."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from dashboard.core.names import printable_value
from dashboard.platform.audit.seals import queries
from dashboard.platform.audit.seals.canonical import hash_of, sha256
from dashboard.platform.audit.seals.items import Seal, SealedEntry
from dashboard.platform.audit.seals.services import action_and_actor
from dashboard.platform.audit.seals.trails import Trail
from dashboard.table.items import Raw


@dataclass
class DayCounts:
    """The counts of one comparison."""

    listed: int = 0
    present: int = 0
    # The list was altered, so an entry that is not listed is not necessarily an added one.
    is_list_incomplete: bool = False


def describe(trail: Trail, position: str, action: str, actor: str, finding: str) -> str:
    """One line about an entry: its trail, time, id, action and actor, and the finding."""
    at, _, entry = position.partition("#")
    at, entry, action, actor = map(printable_value, (at, entry, action, actor))
    return f"{trail.name} {at} {entry} ({action} by {actor}): {finding}"


def describe_raw(trail: Trail, raw: Raw, finding: str) -> str:
    return describe(trail, trail.position(raw), *action_and_actor(raw), finding)


def compare(
    trail: Trail, seal: Seal, entries: Iterator[Raw], counts: DayCounts, check_entry: Callable[[Raw], Iterator[str]]
) -> Iterator[str]:
    """Compare the list with the entries of the day. Both are in the order of their positions."""
    entry = next(entries, None)
    for item in _read_list(trail, seal, counts):
        if isinstance(item, str):
            yield item
            continue
        counts.listed += 1
        while entry is not None and trail.position(entry) < item.position:
            counts.present += 1
            yield from _describe_added(trail, entry, counts)
            entry = next(entries, None)
        if entry is None or trail.position(entry) != item.position:
            yield describe(trail, item.position, item.action, item.actor, "was removed")
            continue
        counts.present += 1
        if hash_of(entry) != item.hash:
            yield describe(trail, item.position, item.action, item.actor, "was changed")
        else:
            yield from check_entry(entry)
        entry = next(entries, None)
    while entry is not None:
        counts.present += 1
        yield from _describe_added(trail, entry, counts)
        entry = next(entries, None)


def _describe_added(trail: Trail, entry: Raw, counts: DayCounts) -> Iterator[str]:
    if not counts.is_list_incomplete:
        yield describe_raw(trail, entry, "was added after the day was sealed")


def _read_list(trail: Trail, seal: Seal, counts: DayCounts) -> Iterator[SealedEntry | str]:
    """The lines of a day's list, and findings where a part of it is missing or altered."""
    prefix = f"{trail.name} {printable_value(seal.day)}"
    counts.is_list_incomplete = not seal.is_intact
    try:
        parts = seal.list_parts()
    except ValueError:
        parts = []
    for number, part in enumerate(parts, 1):
        item = queries.find_part(trail.part(seal.day, part.part))
        text = item.text if item is not None else None
        if item is None or text is None:
            counts.is_list_incomplete = True
            yield f"{prefix}: part {number} of {len(parts)} of the seal is missing ({part.entries} entries)"
            continue
        if sha256(text) != part.hash:
            yield f"{prefix}: part {number} of {len(parts)} of the seal was altered ({part.entries} entries)"
        try:
            yield from item.lines()
        except ValueError:
            counts.is_list_incomplete = True
