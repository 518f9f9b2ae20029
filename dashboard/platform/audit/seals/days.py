"""One sealed day against what stands in the table now."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from dashboard.core.names import found
from dashboard.platform.audit.seals import queries
from dashboard.platform.audit.seals.canonical import hash_of, sha256
from dashboard.platform.audit.seals.items import Seal, SealedEntry
from dashboard.platform.audit.seals.services import action_and_actor
from dashboard.platform.audit.seals.trails import Trail
from dashboard.table.items import Raw


@dataclass
class DayCounts:
    """What was counted while a day was compared."""

    listed: int = 0
    present: int = 0
    # The list is not what it was: what it does not name cannot be told from what was added.
    is_list_incomplete: bool = False


def describe(trail: Trail, position: str, action: str, actor: str, finding: str) -> str:
    """One entry in a line: whose trail, when, which, who did what, and what became of it."""
    at, _, entry = position.partition("#")
    return f"{trail.name} {found(at)} {found(entry)} ({found(action)} by {found(actor)}): {finding}"


def describe_raw(trail: Trail, raw: Raw, finding: str) -> str:
    return describe(trail, trail.position(raw), *action_and_actor(raw), finding)


def compare(
    trail: Trail, seal: Seal, entries: Iterator[Raw], day: DayCounts, check_entry: Callable[[Raw], Iterator[str]]
) -> Iterator[str]:
    """Walk the list and the day's entries side by side, both in the order of their places."""
    entry = next(entries, None)
    for item in _read_list(trail, seal, day):
        if isinstance(item, str):
            yield item
            continue
        day.listed += 1
        while entry is not None and trail.position(entry) < item.position:
            day.present += 1
            yield from _added(trail, entry, day)
            entry = next(entries, None)
        if entry is None or trail.position(entry) != item.position:
            yield describe(trail, item.position, item.action, item.actor, "was removed")
            continue
        day.present += 1
        if hash_of(entry) != item.hash:
            yield describe(trail, item.position, item.action, item.actor, "was changed")
        else:
            yield from check_entry(entry)
        entry = next(entries, None)
    while entry is not None:
        day.present += 1
        yield from _added(trail, entry, day)
        entry = next(entries, None)


def _added(trail: Trail, entry: Raw, day: DayCounts) -> Iterator[str]:
    if not day.is_list_incomplete:
        yield describe_raw(trail, entry, "was added after the day was sealed")


def _read_list(trail: Trail, seal: Seal, day: DayCounts) -> Iterator[SealedEntry | str]:
    """The lines of a day's list, and in their place what is wrong with it."""
    where = f"{trail.name} {found(seal.day)}"
    day.is_list_incomplete = not seal.is_intact
    try:
        parts = seal.list_parts()
    except ValueError:
        parts = []
    for number, part in enumerate(parts, 1):
        item = queries.find_part(trail.part(seal.day, part.part))
        text = item.text if item is not None else None
        if item is None or text is None:
            day.is_list_incomplete = True
            yield f"{where}: part {number} of {len(parts)} of the seal is missing ({part.entries} entries)"
            continue
        if sha256(text) != part.hash:
            yield f"{where}: part {number} of {len(parts)} of the seal was altered ({part.entries} entries)"
        try:
            yield from item.lines()
        except ValueError:
            day.is_list_incomplete = True
