"""Decisions on several bookings at once. Each booking has its own transaction, audit entry and command."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bookings.actions import BookingAction
from bookings.items import Booking
from bookings.services.decisions import decide
from dashboard.core.errors import Conflict, NotFound, Refused
from dashboard.table.commands import Command


@dataclass(frozen=True)
class SelectedBooking:
    """A booking in a list, as the person saw it."""

    id: str
    revision: int


@dataclass
class BulkResult:
    done: list[Booking] = field(default_factory=list)
    # The bookings that stayed as they are, each with its name and the reason.
    failed: list[tuple[str, str]] = field(default_factory=list)


def decide_all(
    action: BookingAction, business: str, selected: Sequence[SelectedBooking], *, command: Command
) -> BulkResult:
    """Carry out an action on each booking. One that fails does not stop the others."""
    result = BulkResult()
    for each in selected:
        try:
            own_command = command.part(each.id)
            result.done.append(decide(action, business, each.id, revision=each.revision, command=own_command))
        except (Conflict, Refused) as error:
            booking = error.item if isinstance(error, Conflict) and isinstance(error.item, Booking) else None
            result.failed.append((booking.title if booking is not None else each.id, str(error.text)))
        except NotFound:
            result.failed.append((each.id, ""))
    return result
