"""The job that shifts opening times: each transaction moves a few rooms with their schedule entries."""

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
from dashboard.platform.jobs.kinds import FailedTarget, JobLine
from dashboard.table import write
from dashboard.table.commands import Command
from dashboard.table.read import gather_all
from dashboard.table.retries import Backoff
from dashboard.table.timestamps import from_wire, to_wire
from dashboard.table.transactions import Transaction, find_done
from dashboard.web.local_times import moment_text
from rooms import schedule_entries
from rooms.items import Room
from rooms.queries import rooms as queries
from rooms.services.audit import record_change
from rooms.services.schedule import audit_values, set_opening

# Four rooms with an audit entry each, the schedule and the command: ten items.
AT_ONCE = 4
# Rooms that are updated in parallel when a shift is finished.
PARALLEL = 8


@dataclass(frozen=True)
class ShiftMark:
    """The shift that moved a room last, as the room stores it."""

    id: str
    minutes: int
    handled: int
    total: int

    def to_dict(self, command: Command) -> dict[str, Any]:
        by = {"by": command.by.email} | ({"byName": command.by.name} if command.by.name else {})
        fields = {"id": self.id, "minutes": self.minutes, "handled": self.handled, "total": self.total}
        return {**fields, **by, "at": to_wire(now())}


@dataclass
class _SortedLines:
    """The lines of rooms that can be moved, that are already moved, and that cannot be moved."""

    movable: list[tuple[Room, JobLine]] = field(default_factory=list)
    already_moved: list[JobLine] = field(default_factory=list)
    failed: list[FailedTarget] = field(default_factory=list)


def shift(lines: Sequence[JobLine], mark: ShiftMark, *, undoes: bool = False, command: Command) -> list[FailedTarget]:
    """Move these rooms in one transaction. Returns the rooms that are not as the preview showed them.

    A repeated call finds the rooms already moved, or its own command record. A room that someone else moved to
    the same time counts as failed, so that the undo does not move it. With `undoes` such a room is fine.
    """
    backoff = Backoff(tries=12)
    while True:
        rooms, config = queries.find_rooms([line["room"] for line in lines])
        sorted_lines = _sort_lines(lines, rooms, config, None if undoes else mark.id)
        if sorted_lines.failed and (done := find_done(command)) is not None:
            return [FailedTarget(**each) for each in (done.result or {}).get("failed", [])]
        if not sorted_lines.movable:
            return sorted_lines.failed
        try:
            _move_rooms(sorted_lines, config, mark, command)
        except Conflict:
            if not backoff.wait():
                busy = _("Someone else is changing this room right now. Try again.")
                return [
                    *sorted_lines.failed,
                    *(FailedTarget(line["room"], busy, dict(line)) for _r, line in sorted_lines.movable),
                ]
        else:
            return sorted_lines.failed


def retry_shift(line: JobLine, command: Command) -> None:
    """Retry a failed room, starting from its current opening."""
    (room,), config = queries.find_rooms([line["room"]])
    by = from_wire(line["now"]) - from_wire(line["was"])
    opening = room.plan.open_at if room else None
    current = to_wire(opening) if opening else ""
    reason = _failure_reason({**line, "was": current}, room, schedule_entries.find_entry(config, line["room"]))
    if reason is not None or opening is None:
        raise Conflict(room, reason)
    mark = ShiftMark(command.id, int(by.total_seconds()) // 60, 1, 1)
    for failed in shift([{**line, "was": current, "now": to_wire(opening + by)}], mark, command=command):
        raise Conflict(room, failed.reason)


def finish_shift(shift_id: str) -> None:
    """Mark the shift as finished on every room that it moved."""
    marks = [(room, room.shift or {}) for room in queries.all_rooms()]
    unfinished = [
        room for room, mark in marks if mark.get("id") == shift_id and mark.get("handled") != mark.get("total")
    ]
    for start in range(0, len(unfinished), PARALLEL):
        gather_all(partial(_finish_room, room, shift_id) for room in unfinished[start : start + PARALLEL])


def _finish_room(room: Room, shift_id: str) -> None:
    done = Path(["shift", "handled"]).set(Path(["shift", "total"]))
    write.update(room.key, [done], Path(["shift", "id"]) == shift_id)


def _sort_lines(
    lines: Sequence[JobLine], rooms: Sequence[Room | None], config: Config | None, shift_id: str | None
) -> _SortedLines:
    sorted_lines = _SortedLines()
    for line, room in zip(lines, rooms, strict=True):
        entry = schedule_entries.find_entry(config, line["room"])
        if room is not None and _is_at(room, line["now"]) and schedule_entries.entry_time(entry) == room.open_at:
            if shift_id in {None, (room.shift or {}).get("id")}:
                sorted_lines.already_moved.append(line)
            else:
                sorted_lines.failed.append(FailedTarget(line["room"], _moved_by_other(room), dict(line)))
        elif (reason := _failure_reason(line, room, entry)) is None and room is not None:
            sorted_lines.movable.append((room, line))
        else:
            sorted_lines.failed.append(FailedTarget(line["room"], str(reason), dict(line)))
    return sorted_lines


def _is_at(room: Room, wire: str) -> bool:
    opening = room.plan.open_at
    return opening is not None and to_wire(opening) == wire


def _failure_reason(line: JobLine, room: Room | None, entry: Any) -> str | None:
    if room is None:
        return _("This room was removed.")
    if room.plan.open_at is None:
        return _("The opening time was removed.")
    if not _is_at(room, line["was"]):
        values = {"who": _who(room), "when": _format(room.open_at)}
        return _("Changed by %(who)s: opens %(when)s.") % values
    return None if schedule_entries.is_consistent(room, entry) else _mismatch_reason(entry)


def _moved_by_other(room: Room) -> str:
    return _("Already changed to this time by %(who)s.") % {"who": _who(room)}


def _who(room: Room) -> str:
    return room.updated_by_name or room.updated_by or _("An outside service")


def _mismatch_reason(entry: Any) -> str:
    moment = schedule_entries.entry_time(entry)
    values = _format(moment) if moment else schedule_entries.entry_text(entry)
    return _("The event's schedule has a different time: %(time)s. Open the room and choose one.") % {"time": values}


def _format(moment: datetime) -> str:
    return moment_text(moment, get_current_timezone_name())


def _move_rooms(sorted_lines: _SortedLines, config: Config | None, mark: ShiftMark, command: Command) -> None:
    transaction = Transaction(command)
    openings: dict[str, datetime | None] = {}
    for room, line in sorted_lines.movable:
        before = audit_values(room)
        openings[room.id] = from_wire(line["now"])
        room.shift = mark.to_dict(command)
        # The closing moves along, so that the room is open as long as before.
        closing = room.plan.closing and room.plan.closing + (from_wire(line["now"]) - from_wire(line["was"]))
        set_opening(transaction, room, openings[room.id], room.open_zone, closing or room.close_at)
        record_change(transaction, "room.shift", room, before=before, after=audit_values(room))
    schedule_entries.write_entries(transaction, config, openings, Conflict)
    failed = [{"target": each.target, "reason": each.reason, "line": each.line} for each in sorted_lines.failed]
    transaction.commit(None, {"failed": failed})
