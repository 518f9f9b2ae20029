"""Entries of the event's schedule (`CONFIG#schedule`): one opening time per room, equal to the room's own."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import reduce
from operator import and_
from typing import Any, cast

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.operand import Path
from pynamodb.expressions.update import Action

from dashboard.core.clock import now
from dashboard.core.errors import DomainError
from dashboard.platform.configs.items import Config
from dashboard.table import keys
from dashboard.table.attributes import from_attribute, to_attribute
from dashboard.table.items import Item
from dashboard.table.nested import moment_of
from dashboard.table.timestamps import to_wire
from dashboard.table.transactions import Transaction
from rooms.items import Room

SCHEDULE = "schedule"
_TIMES = "salaOpenTimes"
_BRACKETS = re.compile(r"[\[\]]")
Raw = dict[str, Any]


def find_entry(config: Config | None, room_id: str) -> Raw | None:
    """The raw schedule entry of a room, if there is one."""
    times: Raw = config.raw.get(_TIMES, {}).get("M", {}) if config else {}
    return times.get(room_id)


def entry_time(entry: Raw | None) -> datetime | None:
    """The time in an entry; None if it is no time."""
    return moment_of(from_attribute(entry)) if entry else None


def entry_text(entry: Raw | None) -> str:
    """An entry of any type as one line of text. Forms send it back, so equal entries give equal text."""
    if entry is None:
        return ""
    plain = from_attribute(entry)
    # A set has no order.
    new_values = str(sorted(plain, key=repr) if isinstance(plain, set) else plain)
    return " ".join(new_values.replace("\x00", " ").split())[:200].strip()


def is_consistent(room: Room, entry: Raw | None) -> bool:
    """Whether the room and its schedule entry agree. A missing entry agrees with everything."""
    return entry is None or (room.open_at is not None and entry_time(entry) == room.open_at)


def write_entries(
    transaction: Transaction,
    config: Config | None,
    times: Mapping[str, datetime | None],
    on_failure: Callable[[Item | None], DomainError],
) -> None:
    """Write the entries of these rooms, on the condition that each is as it was read."""
    new_values = {name: to_attribute(to_wire(moment)) for name, moment in times.items() if moment is not None}
    if config is None:
        if new_values:
            config_item = Config.new(name=SCHEDULE)
            config_item.sala_open_times = {name: from_attribute(value) for name, value in new_values.items()}
            transaction.create(config_item, on_failure)
        return
    stored = config.raw.get(_TIMES)
    path: Path = Path([_TIMES])
    stored_map = stored["M"] if stored is not None and "M" in stored else None
    if stored_map is None or any(_BRACKETS.search(name) for name in times):
        # A path cannot go into a missing map, nor through a name with brackets: replace the whole map instead.
        other_entries = {name: entry for name, entry in (stored_map or {}).items() if name not in times}
        actions: list[Action] = [path.set({"M": other_entries | new_values})]
        conditions: list[Any] = [path.does_not_exist() if stored is None else path == stored]
    else:
        entries = {name: (Path([_TIMES, name]), stored_map.get(name)) for name in times}
        actions = [
            at.set(new_values[name]) if name in new_values else at.remove() for name, (at, _was) in entries.items()
        ]
        conditions = [at.does_not_exist() if was is None else at == was for at, was in entries.values()]
    by = transaction.command.by
    stamps = [
        Config.updated_at.set(now()),
        Config.updated_by.set(by.email),
        Config.stored_revision.set((Config.stored_revision | 0) + 1),
    ]
    stamps.append(Config.updated_by_name.set(by.name) if by.name else Config.updated_by_name.remove())
    condition = cast(Condition, reduce(and_, conditions))
    transaction.update(keys.CONFIG.key(name=SCHEDULE), [*actions, *stamps], condition, on_failure)
