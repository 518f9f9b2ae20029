"""Many openings at once: a few rooms and their entries in the schedule in each transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any

from django.utils.timezone import get_current_timezone_name
from django.utils.translation import gettext as _
from pynamodb.expressions.operand import Path

from dashboard.core.clock import now
from dashboard.core.errors import Conflict
from dashboard.platform.configs.items import Config
from dashboard.platform.jobs.kinds import FailedTarget, Line
from dashboard.table import write
from dashboard.table.commands import Command
from dashboard.table.read import gather_all
from dashboard.table.retries import Backoff
from dashboard.table.timestamps import from_wire, to_wire
from dashboard.table.transactions import Transaction, find_done
from dashboard.web.moments import spoken
from rooms import times
from rooms.items import Room
from rooms.queries import rooms as queries
from rooms.services.audit import record_change
from rooms.services.schedule import audit_values, move

# A room and its entry in the trail each, with the schedule and the record: ten items in all.
AT_ONCE = 4
# So many rooms are told side by side that a shift is through.
BESIDE = 8


@dataclass(frozen=True)
class Mark:
    """The shift that moves a room, and how far it is with this: what tells everybody that one is half done."""

    id: str
    minutes: int
    handled: int
    total: int

    def written(self, command: Command) -> dict[str, Any]:
        by = {"by": command.by.email} | ({"byName": command.by.name} if command.by.name else {})
        says = {"id": self.id, "minutes": self.minutes, "handled": self.handled, "total": self.total}
        return {**says, **by, "at": to_wire(now())}


@dataclass
class _Sorted:
    """Rooms that can be moved, those that are where they should be, and those that cannot."""

    movable: list[tuple[Room, Line]] = field(default_factory=list)
    there: list[Line] = field(default_factory=list)
    failed: list[FailedTarget] = field(default_factory=list)


def shift(lines: Sequence[Line], mark: Mark, *, undoes: bool = False, command: Command) -> list[FailedTarget]:
    """Move these rooms, all in one transaction but those that are not as the preview showed them: they are given back.

    Asked again for what it has done it finds the rooms where it put them, or its record that it did. Whoever else put
    one there keeps it: the undo of this is not to move it. What `undoes` finds it back is well.
    """
    backoff = Backoff(tries=12)
    while True:
        rooms, config = queries.some_rooms([line["room"] for line in lines])
        found = _sort(lines, rooms, config, None if undoes else mark.id)
        if found.failed and (done := find_done(command)) is not None:
            return [FailedTarget(**each) for each in (done.result or {}).get("failed", [])]
        if not found.movable:
            return found.failed
        try:
            _move(found, config, mark, command)
        except Conflict:
            if not backoff.wait():
                busy = _("Others are changing it at this moment. Try it again.")
                return [*found.failed, *(FailedTarget(line["room"], busy, dict(line)) for _r, line in found.movable)]
        else:
            return found.failed


def shift_as_it_is(line: Line, command: Command) -> None:
    """One that did not go along, from where it stands now: whoever tries again has read why."""
    (room,), config = queries.some_rooms([line["room"]])
    by = from_wire(line["now"]) - from_wire(line["was"])
    opening = room.plan.open_at if room else None
    stands = to_wire(opening) if opening else ""
    reason = _why_not({**line, "was": stands}, room, times.entry_of(config, line["room"]))
    if reason is not None or opening is None:
        raise Conflict(room, reason)
    mark = Mark(command.id, int(by.total_seconds()) // 60, 1, 1)
    for failed in shift([{**line, "was": stands, "now": to_wire(opening + by)}], mark, command=command):
        raise Conflict(room, failed.reason)


def end(shift_id: str) -> None:
    """It is through with all of them. Every room that it moved says so: those of its last step may be moved again."""
    marks = [(room, room.shift or {}) for room in queries.all_rooms()]
    short = [room for room, mark in marks if mark.get("id") == shift_id and mark.get("handled") != mark.get("total")]
    for start in range(0, len(short), BESIDE):
        gather_all(partial(_say_through, room, shift_id) for room in short[start : start + BESIDE])


def _say_through(room: Room, shift_id: str) -> None:
    done = Path(["shift", "handled"]).set(Path(["shift", "total"]))
    write.touch(room.key, [done], Path(["shift", "id"]) == shift_id)


def _sort(lines: Sequence[Line], rooms: Sequence[Room | None], config: Config | None, only_by: str | None) -> _Sorted:
    found = _Sorted()
    for line, room in zip(lines, rooms, strict=True):
        entry = times.entry_of(config, line["room"])
        if room is not None and _is_at(room, line["now"]) and times.time_in(entry) == room.open_at:
            if only_by in {None, (room.shift or {}).get("id")}:
                found.there.append(line)
            else:
                found.failed.append(FailedTarget(line["room"], _was_faster(room), dict(line)))
        elif (reason := _why_not(line, room, entry)) is None and room is not None:
            found.movable.append((room, line))
        else:
            found.failed.append(FailedTarget(line["room"], str(reason), dict(line)))
    return found


def _is_at(room: Room, wire: str) -> bool:
    opening = room.plan.open_at
    return opening is not None and to_wire(opening) == wire


def _why_not(line: Line, room: Room | None, entry: Any) -> str | None:
    if room is None:
        return _("This room is not there any more.")
    if room.plan.open_at is None:
        return _("No opening is set any more.")
    if not _is_at(room, line["was"]):
        said = {"who": _who(room), "when": _spoken(room.open_at)}
        return _("%(who)s has moved it meanwhile: it opens %(when)s.") % said
    return None if times.agrees(room, entry) else _disagrees(entry)


def _was_faster(room: Room) -> str:
    return _("%(who)s has moved it there already.") % {"who": _who(room)}


def _who(room: Room) -> str:
    return room.updated_by_name or room.updated_by or _("Another service")


def _disagrees(entry: Any) -> str:
    moment = times.time_in(entry)
    said = _spoken(moment) if moment else times.in_words(entry)
    return _("The event's schedule says something else of it: %(time)s. Open the room and say which one holds.") % {
        "time": said
    }


def _spoken(moment: datetime) -> str:
    return spoken(moment, get_current_timezone_name())


def _move(found: _Sorted, config: Config | None, mark: Mark, command: Command) -> None:
    transaction = Transaction(command)
    openings: dict[str, datetime | None] = {}
    for room, line in found.movable:
        before = audit_values(room)
        openings[room.id] = from_wire(line["now"])
        room.shift = mark.written(command)
        move(transaction, room, openings[room.id], room.open_zone)
        record_change(transaction, "room.shift", room, before=before, after=audit_values(room))
    times.put(transaction, config, openings, Conflict)
    failed = [{"target": each.target, "reason": each.reason, "line": each.line} for each in found.failed]
    transaction.commit(None, {"failed": failed})
